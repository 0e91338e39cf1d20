/* E12: long series for extreme values, each of one condition that can be enforced: the SMs, what runs beside, and whether the L2 cache has anything of it. */
#include "calib/measure/internal.h"

enum { COLD = PART_LAUNCHES + 1 };

static void add_cell(struct measure *measure, const struct workload *workload, const struct workload *beside,
                     bool cold, uint32_t rank) {
    enum grt_partition_how how = beside != NULL ? grt_part_how(measure) : GRT_PARTITION_NONE;
    uint32_t sizes[2] = {(uint32_t)measure->device->sm_count, 0};
    if (beside != NULL && !grt_part_pair(measure, 0.5, sizes)) {
        return;
    }
    int64_t numbers[] = {sizes[0], sizes[1], how};
    struct cell *cell = grt_part_cell(measure, workload, beside, numbers, rank);
    grt_cell_text(cell, "kernel", workload->raw.name);
    grt_cell_number(cell, "sms", numbers[PART_SMS]);
    grt_cell_text(cell, "beside", beside != NULL ? beside->raw.name : "nothing");
    grt_cell_text(cell, "state", cold ? "cold" : "hot");
    cell->numbers[COLD] = cold;
}

/* The competitor that takes most of the memory's bandwidth, if it is among the workloads. */
static const struct workload *competitor(const struct measure *measure) {
    const struct workload *triad = grt_measure_workload(measure, "triad");
    return triad != NULL ? triad : &measure->workloads[0];
}

/* Workload after workload, those first whose times vary most: the first one that is there has rank 0. */
static bool plan(struct measure *measure, const char **why) {
    static const char *const first[] = {"matmul", "stencil", "triad"};
    enum { FIRST = sizeof first / sizeof first[0] };
    uint32_t rank = 0, halves[2];
    *why = "there is no workload";
    if (measure->workload_count > 0 && !grt_part_pair(measure, 0.5, halves)) {
        grt_measure_skip(measure, grt_experiment_names[GRT_EXPERIMENT_WORST],
                         "beside %s: there are no two partitions beside each other",
                         competitor(measure)->raw.name);
    }
    for (size_t i = 0; i < FIRST + measure->workload_count; i++) {
        const struct workload *workload =
            i < FIRST ? grt_measure_workload(measure, first[i]) : &measure->workloads[i - FIRST];
        bool is_there = workload == NULL;
        for (uint32_t j = 0; j < measure->cell_count && !is_there; j++) {
            is_there = measure->cells[j].workload == workload;
        }
        if (!is_there) {
            add_cell(measure, workload, NULL, true, rank);
            add_cell(measure, workload, NULL, false, rank);
            add_cell(measure, workload, competitor(measure), true, rank++);
        }
    }
    return measure->cell_count > 0;
}

static enum taken sample(struct measure *measure, struct cell *cell) {
    return grt_part_sample(measure, cell, cell->numbers[COLD] != 0);
}

const struct experiment grt_experiment_worst = {.weight = 30,
                                                .per_visit = 100,
                                                .tells_first = true,
                                                .keeps_slow = true,
                                                .plan = plan,
                                                .sample = sample,
                                                .setup = grt_part_setup,
                                                .teardown = grt_part_teardown};
