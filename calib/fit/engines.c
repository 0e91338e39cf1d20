/* How many copy engines there are: whether copies overlap. */
#include <math.h>
#include <string.h>

#include "calib/fit/build.h"

static const char experiment[] = "engines";

/* Of the shorter of two copies: how much of it was hidden. 0: one after the other; 1: at the same time. None where the columns are not there. */
static struct grt_fit_series overlaps(struct grt_fit_build *build, const struct grt_raw_cell *cell) {
    const int64_t *first = grt_raw_values(cell, "first_ns"), *second = grt_raw_values(cell, "second_ns");
    const int64_t *together = grt_raw_values(cell, "together_ns");
    if (first == NULL || second == NULL || together == NULL || cell->count == 0) {
        return (struct grt_fit_series){0};
    }
    double *overlap = grt_arena_array(build->arena, cell->count, sizeof *overlap);
    for (size_t i = 0; i < cell->count; i++) {
        double shorter = (double)(first[i] < second[i] ? first[i] : second[i]);
        overlap[i] = shorter > 0 ? (double)(first[i] + second[i] - together[i]) / shorter : 0;
    }
    return (struct grt_fit_series){
        .values = overlap, .visits = cell->visits, .count = cell->count, .unit = ""};
}

/* More than all of the shorter copy is hidden where both together end before the longer one would alone. */
static const char *above_one(struct grt_ranged overlap) {
    enum { ALL = 1 };
    const double rounding = 1e-9;
    return fmax(overlap.value, overlap.high) > ALL + rounding
               ? "; above 1 both together took less time than the longer one alone: what a copy alone costs "
                 "besides is shared, or its time varies"
               : "";
}

static bool is_opposite(const struct grt_raw_cell *cell) {
    const char *first = grt_raw_text(cell, "first"), *second = grt_raw_text(cell, "second");
    return (grt_fit_is_text(first, "h2d") && grt_fit_is_text(second, "d2h")) ||
           (grt_fit_is_text(first, "d2h") && grt_fit_is_text(second, "h2d"));
}

static void add_engines(struct grt_fit_build *build, const struct grt_raw_cell *cell,
                        struct grt_ranged overlap) {
    enum { EACH_ONE = 2 }; /* rule E2: of two or more, one serves each direction */
    bool parallel = overlap.value > 0.5;
    int told = build->raw->device.async_engines;
    double engines = !parallel ? 1 : told > EACH_ONE ? told : EACH_ONE;
    double most = told > EACH_ONE
                      ? told
                      : EACH_ONE; /* as long as the samples may be of either kind: too few have no interval */
    struct grt_ranged range = {engines, overlap.low > 0.5 ? most : 1, overlap.high <= 0.5 ? 1 : most};
    struct grt_finding finding =
        grt_fit_measured(experiment, "copy_engines", GRT_UNIT_NONE, range, cell->count);
    finding.field = "copy_engines";
    finding.residual = fabs(overlap.value - (parallel ? 1 : 0));
    finding.how = grt_fit_text(
        build, "copies in opposite directions %s: %.0f %% of the shorter one is hidden%s",
        parallel ? "overlap, so that each direction has an engine" : "follow one another",
        100 * overlap.value, parallel && told > EACH_ONE ? "; the number is what the driver says" : "");
    grt_fit_add(build, finding);
}

void grt_fit_engines(struct grt_fit_build *build) {
    bool opposite = false;
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        struct grt_fit_series overlap = overlaps(build, cell);
        if (overlap.count == 0 || grt_raw_text(cell, "first") == NULL ||
            grt_raw_text(cell, "second") == NULL) {
            continue;
        }
        struct grt_fit_center center = grt_fit_center(build, &overlap, 1);
        struct grt_ranged median = center.value;
        struct grt_finding finding =
            grt_fit_measured(experiment,
                             grt_fit_text(build, "%s and %s: overlap", grt_raw_text(cell, "first"),
                                          grt_raw_text(cell, "second")),
                             GRT_UNIT_NONE, median, cell->count);
        finding.varied = center.varied;
        finding.how = grt_fit_text(build, "how much of the shorter copy is hidden beside the other one: %s%s",
                                   center.how, above_one(median));
        grt_fit_add(build, finding);
        if (is_opposite(cell) && !opposite) {
            opposite = true;
            add_engines(build, cell, median);
        }
    }
    if (!opposite) {
        grt_fit_refuse(build, experiment, "copy_engines", "copy_engines",
                       "copies in opposite directions were not measured");
    }
}
