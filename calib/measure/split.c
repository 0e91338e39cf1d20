/* E6: the same blocks in one launch and in several, one behind the other in a stream, all of them issued before the first one begins. */
#include "calib/measure/internal.h"

enum { MOST_WAVES = 16 }; /* a power of 2 */

static void add_cell(struct measure *measure, const struct workload *workload, uint32_t blocks,
                     uint32_t parts, bool whole) {
    if (parts > blocks) {
        return;
    }
    double span = workload->span_ns * blocks / workload->raw.blocks + 2e3 * parts;
    struct cell *cell = grt_cell_add(measure, parts == 1 || parts % 4 == 0 ? 0 : 1, span);
    grt_cell_text(cell, "kernel", workload->raw.name);
    grt_cell_number(cell, "parts", parts);
    grt_cell_number(cell, "whole_waves", whole);
    cell->workload = workload;
    cell->numbers[0] = parts;
    cell->numbers[1] = blocks;
}

/* Parts of whole waves cost their gaps only; others end with a wave that is not full. */
static bool plan(struct measure *measure, const char **why) {
    static const uint32_t parts[] = {1, 3, 5, 12, 32, 64};
    for (size_t i = 0; i < measure->workload_count; i++) {
        const struct workload *workload = &measure->workloads[i];
        uint32_t waves = MOST_WAVES;
        while (waves > 0 && waves * workload->wave > grt_bench_record_count(measure->bench)) {
            waves /= 2;
        }
        for (uint32_t k = 1; k <= waves; k *= 2) {
            add_cell(measure, workload, waves * workload->wave, k, true);
        }
        for (size_t j = 0; j < sizeof parts / sizeof parts[0]; j++) {
            add_cell(measure, workload, workload->raw.blocks, parts[j], false);
        }
    }
    *why = "there is no workload that fits into the records";
    return measure->cell_count > 0;
}

static uint32_t first_of(const struct cell *cell, uint32_t part) {
    return (uint32_t)((uint64_t)cell->numbers[1] * part / (uint64_t)cell->numbers[0]);
}

static void launch_parts(struct measure *measure, const struct cell *cell) {
    struct grt_bench *bench = measure->bench;
    grt_bench_clear_records(bench, 0, (uint32_t)cell->numbers[1]);
    grt_bench_hold(bench, measure->streams[0]);
    for (uint32_t i = 0; i < cell->numbers[0]; i++) {
        uint32_t first = first_of(cell, i);
        struct grt_bench_launch launch = grt_take_workload(cell->workload, first_of(cell, i + 1) - first, 0);
        launch.first_block = first;
        grt_bench_launch(bench, measure->streams[0], &launch);
    }
    grt_bench_release(bench);
    grt_bench_sync_stream(bench, measure->streams[0]);
}

static enum taken sample(struct measure *measure, struct cell *cell) {
    launch_parts(measure, cell);
    uint32_t blocks = (uint32_t)cell->numbers[1];
    const struct grt_block_record *records = grt_bench_records(measure->bench, 0, blocks);
    struct span all, before = {0};
    if (!grt_take_records(measure, records, blocks, &all)) {
        return UNRECORDED;
    }
    int64_t gaps = 0;
    for (uint32_t i = 0; i < cell->numbers[0]; i++) {
        struct span part;
        uint32_t first = first_of(cell, i);
        if (!grt_take_records(measure, records + first, first_of(cell, i + 1) - first, &part)) {
            return UNRECORDED;
        }
        gaps += i > 0 ? (int64_t)(part.start - before.end) : 0;
        before = part;
    }
    int64_t row[] = {(int64_t)(all.end - all.start), gaps};
    grt_cell_row(measure, row, 2);
    return TAKEN;
}

const struct experiment grt_experiment_split = {.weight = 5, .plan = plan, .sample = sample};
