/* What priorities of streams do: which levels the device tells apart, and how long an urgent kernel waits for blocks that run. */
#include <math.h>

#include "calib/fit/build.h"

static const char experiment[] = "priority";

/* In how many of a cell's samples the urgent kernel overtook; not a number: there are none. */
static double overtaking(const struct grt_raw_cell *cell) {
    const int64_t *overtook = grt_raw_values(cell, "overtook");
    double sum = 0;
    for (size_t i = 0; overtook != NULL && i < cell->count; i++) {
        sum += overtook[i] != 0;
    }
    return overtook != NULL && cell->count > 0 ? sum / (double)cell->count : NAN;
}

/* Whether the device tells two priorities apart, by the pairs that were measured between them: 1, 0, or -1 where none was. */
static int differ(const struct grt_fit_build *build, int64_t low, int64_t high) {
    const struct grt_raw_cell *cell = NULL;
    int found = -1;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        if (grt_raw_number(cell, "low", 1) == low && grt_raw_number(cell, "high", 1) == high) {
            double part = overtaking(cell);
            found = isnan(part) ? found : part > 0.5;
        }
    }
    return found;
}

/* Levels between which neighbours differ; 0: not every pair of neighbours was measured. */
static int64_t levels_by_neighbours(const struct grt_fit_build *build) {
    const struct grt_bench_device *device = &build->raw->device;
    int64_t levels = 1;
    for (int64_t level = device->priority_least; level > device->priority_greatest; level--) {
        int apart = differ(build, level, level - 1);
        if (apart < 0) {
            return 0;
        }
        levels += apart;
    }
    return levels;
}

static void fit_levels(struct grt_fit_build *build) {
    const struct grt_bench_device *device = &build->raw->device;
    int64_t told = (int64_t)device->priority_least - device->priority_greatest + 1;
    int64_t levels = levels_by_neighbours(build);
    int ends = differ(build, device->priority_least, device->priority_greatest);
    const char *how = "neighbouring levels of which the urgent one's kernels overtake, and one";
    if (levels == 0 && told == 1) {
        levels = 1;
        how = "the driver knows one level";
    } else if (levels == 0 && ends >= 0) {
        levels = ends == 1 ? told : 1;
        how = ends == 1 ? "the driver's; kernels of the most urgent level overtake those of the least"
                        : "kernels of the most urgent level do not overtake those of the least";
    }
    if (levels == 0) {
        grt_fit_refuse(build, experiment, "priority_levels", "priority_levels",
                       "the least and the most urgent level were not measured against each other");
        return;
    }
    struct grt_finding finding =
        grt_fit_measured(experiment, "priority_levels", GRT_UNIT_NONE, grt_ranged_exactly((double)levels), 0);
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        finding.samples += cell->count;
    }
    finding.field = "priority_levels";
    finding.how = how;
    grt_fit_add(build, finding);
}

/* An urgent kernel that waits for the end of a block waits as long as the block has left, or as a launch takes, and a little more. One that interrupts blocks would wait less. */
static void fit_wait(struct grt_fit_build *build) {
    size_t most = 0, count = 0, early = 0;
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        most += cell->count;
    }
    double *beyond = grt_arena_array(build->arena, most > 0 ? most : 1, sizeof *beyond);
    int64_t *visits = grt_arena_array(build->arena, most > 0 ? most : 1, sizeof *visits), visit = -1;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        const int64_t *wait = grt_raw_values(cell, "wait_ns"), *left = grt_raw_values(cell, "left_ns");
        bool urgent = grt_raw_number(cell, "high", 0) < grt_raw_number(cell, "low", 0);
        for (size_t i = 0; urgent && wait != NULL && left != NULL && i < cell->count; i++) {
            bool goes_on = i > 0 && cell->visits != NULL && cell->visits[i] == cell->visits[i - 1];
            visit += !goes_on;
            visits[count] = visit;
            beyond[count++] = (double)wait[i] - fmax((double)left[i], build->kernel_launch);
            early += wait[i] + 2 * build->timer_step < left[i];
        }
    }
    if (count == 0) {
        grt_fit_refuse(build, experiment, "priority_wait", NULL,
                       "no urgent kernel was measured behind another one");
        return;
    }
    const struct grt_fit_series series = {.values = beyond, .visits = visits, .count = count};
    struct grt_ranged span = grt_fit_center(build, &series, build->timer_step).value;
    struct grt_finding finding = grt_fit_measured(experiment, "priority_wait", GRT_UNIT_NS, span, count);
    finding.word = 20 * early <= count ? "ends of blocks" : "inside blocks";
    finding.how = grt_fit_text(
        build,
        "how much longer an urgent kernel waits than for the first block's end, or its own launch; "
        "in %zu of %zu cases it began before any block had ended",
        early, count);
    grt_fit_add(build, finding);
}

void grt_fit_priority(struct grt_fit_build *build) {
    if (build->raw->device.priority_least != build->raw->device.priority_greatest) {
        fit_levels(build);
    }
    fit_wait(build);
}
