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

static void add_halves(struct measure *measure, enum grt_partition_how how, double part, uint32_t rank) {
    double sms = measure->device->sm_count;
    uint32_t mine = grt_part_size(measure, how, sms * part),
             other = grt_part_size(measure, how, sms * (1 - part));
    if (mine > 0 && other > 0 && mine + other <= (uint32_t)measure->device->sm_count) {
        add_pairs(measure, how, mine, other, rank);
    }
}

static bool plan(struct measure *measure, const char **why) {
    enum grt_partition_how how = grt_part_how(measure);
    add_pairs(measure, GRT_PARTITION_NONE, (uint32_t)measure->device->sm_count, 0, 0);
    if (measure->device->sm_count > 1) {
        add_halves(measure, how, 0.5, 0);
        add_halves(measure, how, 0.25, 1);
        add_halves(measure, how, 0.75, 1);
    }
    *why = "there is no workload";
    return measure->cell_count > 0;
}

static enum taken sample(struct measure *measure, struct cell *cell) {
    return grt_part_sample(measure, cell, false);
}

const struct experiment grt_experiment_together = {
    .weight = 20, .plan = plan, .sample = sample, .setup = grt_part_setup, .teardown = grt_part_teardown};
