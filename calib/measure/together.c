/* E11: how much workloads slow each other down, on SMs of their own and on the same ones. */
#include "calib/measure/internal.h"
#include "calib/raw/raw_lines.h"

static void add_pairs(struct measure *measure, enum grt_partition_how how, uint32_t sms, uint32_t beside_sms,
                      uint32_t rank) {
    for (size_t i = 0; i < measure->workload_count; i++) {
        for (size_t j = 0; j <= measure->workload_count; j++) {
            const struct workload *workload = &measure->workloads[i];
            const struct workload *beside = j > 0 ? &measure->workloads[j - 1] : NULL;
            struct cell *cell =
                grt_part_cell(measure, workload, beside, (int64_t[]){sms, beside_sms, how}, rank);
            grt_cell_text(cell, "kernel", workload->raw.name);
            grt_cell_text(cell, "beside", beside != NULL ? beside->raw.name : "nothing");
            grt_cell_number(cell, "sms", sms);
            grt_cell_number(cell, "beside_sms", beside_sms);
            grt_cell_text(cell, "how", grt_raw_partition_names[how]);
        }
    }
}

static bool is_there(const struct measure *measure, const uint32_t sizes[2]) {
    for (uint32_t i = 0; i < measure->cell_count; i++) {
        const int64_t *numbers = measure->cells[i].numbers;
        if (numbers[PART_SMS] == sizes[0] && numbers[PART_BESIDE_SMS] == sizes[1]) {
            return true;
        }
    }
    return false;
}

/* On small devices a quarter may be a half. */
static void add_parts(struct measure *measure, double part, uint32_t rank) {
    uint32_t sizes[2];
    if (!grt_part_pair(measure, part, sizes)) {
        grt_measure_skip(measure, grt_experiment_names[GRT_EXPERIMENT_TOGETHER],
                         "%g and %g of the %d SMs: there are no two partitions beside each other", part,
                         1 - part, measure->device->sm_count);
    } else if (!is_there(measure, sizes)) {
        add_pairs(measure, grt_part_how(measure), sizes[0], sizes[1], rank);
    }
}

static bool plan(struct measure *measure, const char **why) {
    add_pairs(measure, GRT_PARTITION_NONE, (uint32_t)measure->device->sm_count, 0, 0);
    if (measure->device->sm_count > 1) {
        add_parts(measure, 0.5, 0);
        add_parts(measure, 0.25, 1);
        add_parts(measure, 0.75, 1);
    }
    *why = "there is no workload";
    return measure->cell_count > 0;
}

static enum taken sample(struct measure *measure, struct cell *cell) {
    return grt_part_sample(measure, cell, false);
}

const struct experiment grt_experiment_together = {
    .weight = 20, .plan = plan, .sample = sample, .setup = grt_part_setup, .teardown = grt_part_teardown};
