/* How many blocks an SM holds, by what was seen, against what the driver says. */
#include <inttypes.h>
#include <math.h>

#include "calib/fit/build.h"

static const char experiment[] = "residency";

/* The most that was ever seen, what the driver expects, and on how many SMs. */
struct seen {
    int64_t most, expected, sms;
};

static bool look(const struct grt_raw_cell *cell, struct seen *seen) {
    const int64_t *most = grt_raw_values(cell, "most_per_sm"), *sms = grt_raw_values(cell, "sms_used");
    const int64_t *expected = grt_raw_values(cell, "expected");
    if (most == NULL || sms == NULL || expected == NULL || cell->count == 0) {
        return false;
    }
    *seen = (struct seen){0};
    for (size_t i = 0; i < cell->count; i++) {
        seen->most = most[i] > seen->most ? most[i] : seen->most;
        seen->sms = sms[i] > seen->sms ? sms[i] : seen->sms;
        seen->expected = expected[i];
    }
    return true;
}

/* Cells of the same kernel and sizes, but other numbers of blocks, are one question: only grids that fill the SMs answer it. */
static bool is_same(const struct grt_raw_cell *a, const struct grt_raw_cell *b) {
    return grt_raw_number(a, "threads", -1) == grt_raw_number(b, "threads", -1) &&
           grt_raw_number(a, "shared_bytes", -1) == grt_raw_number(b, "shared_bytes", -1) &&
           grt_raw_text(a, "kernel") != NULL && grt_raw_text(b, "kernel") != NULL &&
           grt_fit_is_text(grt_raw_text(a, "kernel"), grt_raw_text(b, "kernel"));
}

static bool is_first(const struct grt_fit_build *build, const struct grt_raw_cell *cell) {
    const struct grt_raw_cell *other = NULL;
    while ((other = grt_raw_next(build->raw, experiment, other)) != cell) {
        if (is_same(other, cell)) {
            return false;
        }
    }
    return true;
}

static void fit_one(struct grt_fit_build *build, const struct grt_raw_cell *cell) {
    struct seen all = {0}, here;
    bool filled = false;
    size_t samples = 0;
    const struct grt_raw_cell *other = NULL;
    while ((other = grt_raw_next(build->raw, experiment, other)) != NULL) {
        if (!is_same(cell, other) || !look(other, &here)) {
            continue;
        }
        all.most = here.most > all.most ? here.most : all.most;
        all.sms = here.sms > all.sms ? here.sms : all.sms;
        all.expected = here.expected;
        samples += other->count;
        filled |=
            (double)grt_raw_number(other, "blocks", 0) >= (double)here.expected * build->raw->device.sm_count;
    }
    const char *name = grt_fit_text(build, "%s, %" PRId64 " threads, %" PRId64 " B shared: residency",
                                    grt_raw_text(cell, "kernel"), grt_raw_number(cell, "threads", 0),
                                    grt_raw_number(cell, "shared_bytes", 0));
    if (samples == 0 || !filled) {
        grt_fit_refuse(build, experiment, name, NULL, "no grid had as many blocks as fit on all SMs");
        return;
    }
    struct grt_finding finding =
        grt_fit_measured(experiment, name, GRT_UNIT_NONE, grt_ranged_exactly((double)all.most), samples);
    finding.residual = all.expected > 0 ? fabs((double)all.most / (double)all.expected - 1) : NAN;
    finding.how = grt_fit_text(build,
                               "the most blocks that were seen on an SM at a time, on %" PRId64
                               " SMs; the driver says %" PRId64 "%s",
                               all.sms, all.expected, all.most == all.expected ? "" : ": they disagree");
    grt_fit_add(build, finding);
    if (all.most != all.expected) {
        grt_fit_warn(build, grt_fit_text(build, "%s: %" PRId64 " blocks were seen, the driver says %" PRId64,
                                         name, all.most, all.expected));
    }
}

void grt_fit_residency(struct grt_fit_build *build) {
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        if (grt_raw_text(cell, "kernel") != NULL && is_first(build, cell)) {
            fit_one(build, cell);
        }
    }
}
