/* E10: how long workloads take on some of the SMs. */
#include "calib/measure/internal.h"
#include "calib/raw/raw_lines.h"

enum { COARSE = 8, FEW = 4 };

static void add_cell(struct measure *measure, enum grt_partition_how how, uint32_t sms, uint32_t rank) {
    for (uint32_t i = 0; i < measure->cell_count; i++) {
        const int64_t *numbers = measure->cells[i].numbers;
        if (numbers[PART_SMS] == sms && numbers[PART_HOW] == how) {
            return;
        }
    }
    for (size_t i = 0; i < measure->workload_count && sms > 0; i++) {
        const struct workload *workload = &measure->workloads[i];
        struct cell *cell = grt_part_cell(measure, workload, NULL, (int64_t[]){sms, 0, how}, rank);
        grt_cell_text(cell, "kernel", workload->raw.name);
        grt_cell_number(cell, "sms", sms);
        grt_cell_text(cell, "how", grt_raw_partition_names[how]);
    }
}

/* Eighths of the device, then every size that there can be. Where there are green contexts, the filter is measured in quarters, to be held against them. */
static bool plan(struct measure *measure, const char **why) {
    uint32_t sms = (uint32_t)measure->device->sm_count;
    enum grt_partition_how how = grt_part_how(measure);
    add_cell(measure, GRT_PARTITION_NONE, sms, 0);
    for (uint32_t i = 1; i <= COARSE; i++) {
        add_cell(measure, how, grt_part_size(measure, how, (double)sms * i / COARSE), 0);
    }
    for (uint32_t i = 1; i <= FEW && how == GRT_PARTITION_GREEN; i++) {
        add_cell(measure, GRT_PARTITION_FILTER, grt_part_size(measure, how, (double)sms * i / FEW), 1);
    }
    for (uint32_t i = 1; i <= sms; i++) {
        add_cell(measure, how, grt_part_size(measure, how, i), 2);
    }
    *why = "there is no workload";
    return measure->cell_count > 0;
}

static enum taken sample(struct measure *measure, struct cell *cell) {
    return grt_part_sample(measure, cell, false);
}

const struct experiment grt_experiment_partition = {
    .weight = 20, .plan = plan, .sample = sample, .setup = grt_part_setup, .teardown = grt_part_teardown};
