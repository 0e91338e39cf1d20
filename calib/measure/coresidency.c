/* E4: how long blocks take with so many of their kernel on every SM. */
#include <stdlib.h>

#include "calib/measure/crowd.h"
#include "calib/measure/internal.h"
#include "sim/memory.h"

enum { PER_SM, WAVES }; /* numbers of a cell */
enum { MOST_VALUES = 256, FEW = 8, LEAST_WAVES = 4, MOST_WAVES = 32 };

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
            cell->numbers[PER_SM] = r;
            cell->numbers[WAVES] = 1;
        }
    }
    *why = "there is no workload";
    return measure->cell_count > 0;
}

/* Rows of some of the blocks. `picked`: their numbers; NULL: all of them. */
static void take_blocks(struct measure *measure, const struct cell *cell,
                        const struct grt_block_record *records, const uint32_t *picked, uint32_t count) {
    uint32_t step = (count + MOST_VALUES - 1) / MOST_VALUES;
    uint32_t first = (uint32_t)grt_random_below(&measure->random, step);
    for (uint32_t i = first; i < count; i += step) {
        const struct grt_block_record *record = &records[picked != NULL ? picked[i] : i];
        int64_t row[] = {(int64_t)(record->end_ns - record->start_ns), cell->figure_count, record->sm};
        grt_cell_row(measure, row, 3);
    }
}

static bool take_middle(struct measure *measure, const struct cell *cell,
                        const struct grt_block_record *records, uint32_t blocks, uint32_t wave) {
    uint32_t sms = (uint32_t)measure->device->sm_count;
    uint32_t *picked = grt_allocate(blocks * sizeof *picked);
    uint32_t count = grt_crowd_of_waves(records, blocks, picked);
    bool enough = 2 * count >= wave && grt_crowd_is_full(records, blocks, sms, wave / sms);
    if (enough) {
        take_blocks(measure, cell, records, picked, count);
    }
    free(picked);
    return enough;
}

/* Launches so many waves, and takes their blocks, or of several waves those in the middle if they are half a wave at least, and SMs were full. */
static enum taken launch(struct measure *measure, struct cell *cell, uint32_t waves) {
    uint32_t sms = (uint32_t)measure->device->sm_count, per_sm = (uint32_t)cell->numbers[PER_SM];
    uint32_t wave = sms * per_sm, blocks = waves * wave;
    struct grt_bench_launch kernel = grt_take_workload(cell->workload, blocks, 0);
    struct span span;
    if (!grt_take_kernel(measure, measure->streams[0], &kernel, &span)) {
        return UNRECORDED;
    }
    const struct grt_block_record *records = grt_bench_records(measure->bench, 0, blocks);
    if (records == NULL) {
        return UNRECORDED;
    }
    if (waves > 1) {
        return take_middle(measure, cell, records, blocks, wave) ? TAKEN : MISPLACED;
    }
    if (!grt_crowd_is_one(records, blocks, sms, per_sm)) {
        return MISPLACED;
    }
    take_blocks(measure, cell, records, NULL, blocks);
    return TAKEN;
}

/* Where SMs are full, blocks that are too short to run all at the same time do so in the middle of a longer launch, each place being filled again at once. */
static enum taken sample(struct measure *measure, struct cell *cell) {
    uint32_t wave = (uint32_t)measure->device->sm_count * (uint32_t)cell->numbers[PER_SM];
    bool full = cell->numbers[PER_SM] == cell->workload->raw.occupancy;
    for (;;) {
        uint32_t waves = (uint32_t)cell->numbers[WAVES], more = waves == 1 ? LEAST_WAVES : 2 * waves;
        enum taken taken = launch(measure, cell, waves);
        bool room = more <= MOST_WAVES && more * wave <= grt_bench_record_count(measure->bench);
        if (taken != MISPLACED || !full || !room) {
            return taken;
        }
        cell->numbers[WAVES] = more;
        grt_take_anew(measure);
    }
}

const struct experiment grt_experiment_coresidency = {
    .weight = 8, .least = 12, .most = 30, .per_visit = 2, .plan = plan, .sample = sample};
