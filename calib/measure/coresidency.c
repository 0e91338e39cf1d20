/* E4: how long blocks take with so many of their kernel on every SM. */
#include <stdlib.h>

#include "calib/measure/internal.h"
#include "sim/memory.h"

enum { SMS = 1 << 16, MOST_VALUES = 256, FEW = 8 };

static bool plan(struct measure *measure, const char **why) {
    for (size_t i = 0; i < measure->workload_count; i++) {
        const struct workload *workload = &measure->workloads[i];
        uint32_t fits = (uint32_t)workload->raw.occupancy;
        for (uint32_t r = 1; r <= fits; r++) {
            bool is_power = (r & (r - 1)) == 0;
            struct cell *cell = grt_cell_add(measure,
                                             is_power || r == fits ? 0
                                             : r <= FEW            ? 1
                                                                   : 2,
                                             workload->span_ns * workload->wave / workload->raw.blocks);
            grt_cell_text(cell, "kernel", workload->raw.name);
            grt_cell_number(cell, "per_sm", r);
            cell->workload = workload;
            cell->numbers[0] = r;
        }
    }
    *why = "there is no workload";
    return measure->cell_count > 0;
}

/* Whether every SM had exactly so many, and all of them at the same time. */
static bool is_even(const struct grt_block_record *records, uint32_t count, uint32_t sms, uint32_t per_sm) {
    uint32_t *counts = grt_allocate(SMS * sizeof *counts), used = 0;
    uint64_t last_start = 0, first_end = UINT64_MAX;
    bool even = true;
    for (size_t i = 0; i < SMS; i++) {
        counts[i] = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        used += counts[records[i].sm]++ == 0;
        even = even && counts[records[i].sm] <= per_sm;
        last_start = records[i].start_ns > last_start ? records[i].start_ns : last_start;
        first_end = records[i].end_ns < first_end ? records[i].end_ns : first_end;
    }
    free(counts);
    return even && used == sms && last_start < first_end;
}

static enum taken sample(struct measure *measure, struct cell *cell) {
    uint32_t sms = (uint32_t)measure->device->sm_count, per_sm = (uint32_t)cell->numbers[0];
    uint32_t blocks = sms * per_sm;
    struct grt_bench_launch launch = grt_take_workload(cell->workload, blocks, 0);
    struct span span;
    if (!grt_take_kernel(measure, measure->streams[0], &launch, &span)) {
        return UNRECORDED;
    }
    const struct grt_block_record *records = grt_bench_records(measure->bench, 0, blocks);
    if (records == NULL || !is_even(records, blocks, sms, per_sm)) {
        return MISPLACED;
    }
    uint32_t step = (blocks + MOST_VALUES - 1) / MOST_VALUES;
    uint32_t first = (uint32_t)grt_random_below(&measure->random, step);
    for (uint32_t i = first; i < blocks; i += step) {
        int64_t row[] = {(int64_t)(records[i].end_ns - records[i].start_ns), cell->figure_count,
                         records[i].sm};
        grt_cell_row(measure, row, 3);
    }
    return TAKEN;
}

const struct experiment grt_experiment_coresidency = {
    .weight = 8, .least = 12, .most = 30, .per_visit = 2, .plan = plan, .sample = sample};
