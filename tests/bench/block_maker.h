/* Traces of any length for benchmarks: blocks on 4 lanes of each SM, in the order of their ends. */
#ifndef GRT_TESTS_BENCH_BLOCK_MAKER_H
#define GRT_TESTS_BENCH_BLOCK_MAKER_H

#include "sim/memory.h"
#include "sim/random.h"
#include "sim/ready_queue.h"
#include "sim/trace.h"

enum { BLOCK_MAKER_SMS = 64, BLOCK_MAKER_MOST_SMS = 128, BLOCK_MAKER_LANES = 4 };

struct block_maker {
    struct grt_random random;
    struct grt_arena arena;
    struct grt_ready_queue ends;
    grt_time starts[BLOCK_MAKER_MOST_SMS * BLOCK_MAKER_LANES];
    uint32_t made;
};

/* At most 128 SMs. */
void block_maker_start(struct block_maker *maker, uint32_t sms);
void block_maker_free(struct block_maker *maker);

/* The next block of the trace. */
struct grt_trace_record block_maker_next(struct block_maker *maker);

/* The names of such a trace: seven tasks and the SMs. They stay valid. */
const struct grt_trace_name *block_maker_names(uint32_t sms, size_t *count);

#endif
