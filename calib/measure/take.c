#include "calib/measure/internal.h"

void grt_take_anew(struct measure *measure) {
    measure->cycles = measure->cycles_ns = measure->longest_cycles = measure->longest_ns = 0;
}

bool grt_take_records(struct measure *measure, const struct grt_block_record *records, uint32_t count,
                      struct span *span) {
    if (records == NULL || count == 0) {
        return false;
    }
    *span = (struct span){.start = records[0].start_ns, .end = records[0].end_ns};
    for (uint32_t i = 0; i < count; i++) {
        const struct grt_block_record *record = &records[i];
        if (record->end_ns == 0) {
            return false;
        }
        span->start = record->start_ns < span->start ? record->start_ns : span->start;
        span->end = record->end_ns > span->end ? record->end_ns : span->end;
        uint64_t ns = record->end_ns - record->start_ns;
        uint64_t cycles = (uint32_t)(record->end_cycle - record->start_cycle);
        if (ns >= GRT_TICKS_OF_A_FREQUENCY * (uint64_t)measure->tick_ns) {
            measure->cycles += cycles;
            measure->cycles_ns += ns;
        }
        if (ns > measure->longest_ns) {
            measure->longest_ns = ns;
            measure->longest_cycles = cycles;
        }
    }
    return true;
}

bool grt_take_span(struct measure *measure, uint32_t from, uint32_t count, struct span *span) {
    return grt_take_records(measure, grt_bench_records(measure->bench, from, count), count, span);
}

bool grt_take_kernel(struct measure *measure, uint32_t stream, const struct grt_bench_launch *launch,
                     struct span *span) {
    grt_bench_clear_records(measure->bench, 0, launch->blocks);
    grt_bench_launch(measure->bench, stream, launch);
    grt_bench_sync_stream(measure->bench, stream);
    return grt_take_span(measure, 0, launch->blocks, span);
}

struct grt_bench_launch grt_take_workload(const struct workload *workload, uint32_t blocks, uint32_t slot) {
    return (struct grt_bench_launch){.kernel = workload->raw.kernel,
                                     .amount = workload->raw.amount,
                                     .blocks = blocks,
                                     .threads = workload->raw.threads,
                                     .shared_bytes = workload->raw.shared_bytes,
                                     .record = true,
                                     .slot = slot};
}

enum taken grt_take_value(struct measure *measure, int64_t value) {
    grt_cell_row(measure, &value, 1);
    return TAKEN;
}

void grt_take_of_launch(struct measure *measure, const struct cell *cell, int64_t value) {
    int64_t row[] = {value, cell->figure_count};
    grt_cell_row(measure, row, 2);
}
