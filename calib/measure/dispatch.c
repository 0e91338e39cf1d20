/* E3: which SM gets which block, and when: all blocks of a launch as their records have them. */
#include "calib/measure/internal.h"

static const uint64_t spin_ns = 20000;

static void add_cell(struct measure *measure, uint32_t threads, uint32_t blocks, uint32_t rank) {
    if (blocks < 1 || blocks > grt_bench_record_count(measure->bench)) {
        return;
    }
    struct cell *cell = grt_cell_add(measure, rank, (double)grt_measure_slowed(measure, spin_ns) * 4);
    grt_cell_text(cell, "kernel", grt_kernel_kinds[GRT_KERNEL_SPIN_NS].name);
    grt_cell_number(cell, "threads", threads);
    grt_cell_number(cell, "blocks", blocks);
    cell->numbers[0] = threads;
    cell->numbers[1] = blocks;
}

/* Large blocks and small ones; a block on each SM, all that fit, and two and a half times as many, which shows who gets a place that is free again. */
static bool plan(struct measure *measure, const char **why) {
    uint32_t most = (uint32_t)measure->device->max_threads_per_block;
    uint32_t sms = (uint32_t)measure->device->sm_count;
    uint32_t sizes[] = {most, most < 256 ? most : 256};
    for (uint32_t i = 0; i < (sizes[0] == sizes[1] ? 1u : 2u); i++) {
        int fits = grt_bench_occupancy(measure->bench, GRT_KERNEL_SPIN_NS, sizes[i], 0);
        uint32_t full = sms * (uint32_t)(fits > 0 ? fits : 0);
        add_cell(measure, sizes[i], 2 * full + full / 2, i);
        add_cell(measure, sizes[i], full != sms ? full : 0, i);
        add_cell(measure, sizes[i], fits > 0 ? sms : 0, i);
        add_cell(measure, sizes[i], fits > 0 ? sms / 2 : 0, i);
    }
    *why = "the driver says that no block fits on an SM";
    return measure->cell_count > 0;
}

static enum taken sample(struct measure *measure, struct cell *cell) {
    uint32_t blocks = (uint32_t)cell->numbers[1];
    struct grt_bench_launch launch = {.kernel = GRT_KERNEL_SPIN_NS,
                                      .amount = grt_measure_slowed(measure, spin_ns),
                                      .blocks = blocks,
                                      .threads = (uint32_t)cell->numbers[0],
                                      .record = true};
    struct span span;
    if (!grt_take_kernel(measure, measure->streams[0], &launch, &span)) {
        return UNRECORDED;
    }
    const struct grt_block_record *records = grt_bench_records(measure->bench, 0, blocks);
    for (uint32_t i = 0; records != NULL && i < blocks; i++) {
        int64_t row[] = {i,
                         records[i].sm,
                         (int64_t)(records[i].start_ns - span.start),
                         (int64_t)(records[i].end_ns - span.start),
                         records[i].slot,
                         records[i].order};
        grt_cell_row(measure, row, 6);
    }
    measure->figure = (double)(span.end - span.start);
    return TAKEN;
}

const struct experiment grt_experiment_dispatch = {
    .weight = 1, .least = 3, .most = 5, .plan = plan, .sample = sample};
