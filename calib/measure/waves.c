/* E5: how long kernels take, by blocks: the staircase of waves. */
#include "calib/measure/internal.h"

enum { WAVES = 4, FIRST_STEPS = 8 };

static void add_cell(struct measure *measure, const struct workload *workload, uint64_t blocks,
                     uint32_t rank) {
    if (blocks < 1 || blocks > grt_bench_record_count(measure->bench)) {
        return;
    }
    for (uint32_t i = 0; i < measure->cell_count; i++) {
        if (measure->cells[i].workload == workload && measure->cells[i].numbers[0] == (int64_t)blocks) {
            return;
        }
    }
    uint64_t full = (blocks - 1) / workload->wave;
    double waves = 1 + (double)full;
    struct cell *cell =
        grt_cell_add(measure, rank, workload->span_ns * waves * workload->wave / workload->raw.blocks);
    grt_cell_text(cell, "kernel", workload->raw.name);
    grt_cell_number(cell, "blocks", (int64_t)blocks);
    cell->workload = workload;
    cell->numbers[0] = (int64_t)blocks;
}

/* Whole waves and one block more; then quarters of the waves; then every step of one block per SM. */
static void add_workload(struct measure *measure, const struct workload *workload) {
    uint64_t wave = workload->wave, sms = (uint64_t)measure->device->sm_count;
    add_cell(measure, workload, 1, 0);
    for (uint64_t i = 1; i <= WAVES; i++) {
        add_cell(measure, workload, i * wave, 0);
        add_cell(measure, workload, i < WAVES ? i * wave + 1 : 0, 0);
    }
    for (uint64_t i = 1; i < 4 * WAVES; i++) {
        add_cell(measure, workload, i * wave / 4, 1);
    }
    for (uint64_t i = 1; i <= wave / sms; i++) {
        add_cell(measure, workload, i * sms, i <= FIRST_STEPS ? 1 : 2);
    }
}

static bool plan(struct measure *measure, const char **why) {
    for (size_t i = 0; i < measure->workload_count; i++) {
        add_workload(measure, &measure->workloads[i]);
    }
    *why = "there is no workload";
    return measure->cell_count > 0;
}

static enum taken sample(struct measure *measure, struct cell *cell) {
    struct grt_bench_launch launch = grt_take_workload(cell->workload, (uint32_t)cell->numbers[0], 0);
    struct span span;
    if (!grt_take_kernel(measure, measure->streams[0], &launch, &span)) {
        return UNRECORDED;
    }
    return grt_take_value(measure, (int64_t)(span.end - span.start));
}

const struct experiment grt_experiment_waves = {.weight = 8, .plan = plan, .sample = sample};
