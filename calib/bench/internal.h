/* The inside of a bench. */
#ifndef GRT_CALIB_BENCH_INTERNAL_H
#define GRT_CALIB_BENCH_INTERNAL_H

#include "calib/bench/bench.h"

enum {
    SLOTS = 2,
    PARTITIONS = 16,             /* at a time */
    OWN_STREAM = 64,             /* behind those of the caller */
    OWN_EVENT = 1024,            /* the same */
    OWN_RECORDS = 8192,          /* behind those of the caller */
    COUNTER_SETS = 8192,         /* a launch that needs counters takes the next set */
    COUNTERS = 4,                /* of a set; see struct grt_kernel_control */
    GENERATIONS = 64,            /* of holding: what is held until one release */
    LATCHES = OWN_STREAM + 1,    /* of a generation: one per stream */
    POLLS_PER_QUERY = 4096,      /* of mapped memory, a tenth of a millisecond */
    CACHED_OCCUPANCIES = 8,      /* per kernel */
    KERNELS = GRT_KERNEL_IDS + 1 /* with the user's */
};

#define HELD_AT_MOST (10 * GRT_SECOND)

struct bench_stream {
    grt_cuda_stream handle;
    bool open;
    const struct bench_partition *partition; /* NULL: all SMs */
    bool held;                               /* by the present generation */
};

struct bench_partition {
    enum grt_partition_how how;
    grt_cuda_green green;
    uint32_t sm_low, sm_high; /* of a filter */
    uint16_t *sms;
    uint32_t sm_count;
};

/* What the host and latches say to each other, in mapped memory: for each generation go, and ready of each stream. */
struct bench_flags {
    uint32_t go, ready[LATCHES];
};

struct bench_occupancy {
    uint32_t threads, shared_bytes, blocks;
};

struct grt_bench {
    struct grt_driver *driver;
    const struct grt_cuda *cuda;
    struct grt_errors *errors;
    bool lost, pretends, simulated; /* the last: see grt_bench_is_simulated */
    bool tries;                     /* what fails now is no loss: it is noted below */
    grt_cuda_result tried;          /* the first failure of what was tried */

    grt_cuda_device number;
    grt_cuda_context context;
    grt_cuda_module module, user_module;
    grt_cuda_function functions[KERNELS];
    struct grt_bench_kernel kernels[KERNELS];
    struct grt_kernel_kind user_kind;
    char user_made_by[128];
    struct bench_occupancy occupancies[KERNELS][CACHED_OCCUPANCIES];
    struct grt_bench_device device;

    size_t buffer_bytes;
    uint32_t buffer_log2; /* of floats */
    grt_cuda_address first[SLOTS], second[SLOTS], out[SLOTS], flush, records, counters;
    uint64_t textures[SLOTS];
    void *pinned[SLOTS], *pageable[SLOTS];
    size_t flush_bytes;
    uint32_t record_count, table_count, counter_set;
    bool counters_used_up; /* once around: sets are no longer known to be 0 */
    struct grt_block_record *fetched;
    uint64_t *table;
    grt_cuda_address table_address;
    struct bench_flags *flags;
    grt_cuda_address flags_address;
    uint64_t generation;
    grt_time held_since; /* by the present generation; GRT_TIME_NEVER: nothing is held */

    struct bench_stream streams[OWN_STREAM + 1];
    grt_cuda_event events[OWN_EVENT + 1];
    struct bench_partition partitions[PARTITIONS];
    uint32_t partition_count;
};

/* Whether a call went well; else the bench is lost, with an error. False as well if it was lost before. */
bool grt_bench_check(struct grt_bench *bench, grt_cuda_result result, const char *what);

/* CALL(bench, cuStreamSynchronize, stream): calls the driver, unless the bench is lost. */
#define CALL(bench, function, ...)                                                                           \
    grt_bench_check((bench), (bench)->lost ? GRT_CUDA_SUCCESS : (bench)->cuda->function(__VA_ARGS__),        \
                    #function)

/* The same for what is no result of the driver's. */
void grt_bench_lose(struct grt_bench *bench, const char *why);

/* Waits until a word of mapped memory has at least this value, which something in the stream writes: for so long, then the bench is lost. */
bool grt_bench_await(struct grt_bench *bench, uint32_t stream, const uint32_t *word, uint32_t value,
                     grt_time span, const char *why);

/* All launches are done: makes their counters 0, so that those to come need not. */
void grt_bench_reset_counters(struct grt_bench *bench);

/* Memory: all of it, filled with random floats. What was allocated is freed by grt_bench_free. */
bool grt_bench_allocate(struct grt_bench *bench, const struct grt_bench_options *options);
void grt_bench_free(struct grt_bench *bench);

/* Asks what grt_bench_device tells. */
bool grt_bench_ask_device(struct grt_bench *bench);

/* The module, its functions, and one launch or copy of each kind. */
bool grt_bench_load(struct grt_bench *bench, const struct grt_bench_options *options);

/* The launch of a latch in a stream, the bench's own as well; its record goes to record_count. */
bool grt_bench_latch(struct grt_bench *bench, uint32_t stream);

/* Launches any of the kernels in any stream, with records among the bench's own. */
void grt_bench_launch_any(struct grt_bench *bench, uint32_t stream, const struct grt_bench_launch *launch);

/* Fetches any records. */
const struct grt_block_record *grt_bench_fetch(struct grt_bench *bench, uint32_t from, uint32_t count);

#endif
