/* How much longer a kernel takes while another one runs on other SMs. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "calib/fit/alone.h"
#include "calib/fit/build.h"

static const char experiment[] = "together";

/* The cell of the same kernel on the same SMs with nothing beside it. */
static const struct grt_raw_cell *alone(const struct grt_fit_build *build, const struct grt_raw_cell *cell) {
    const struct grt_raw_cell *other = NULL;
    while ((other = grt_raw_next(build->raw, experiment, other)) != NULL) {
        bool same = grt_fit_is_text(grt_raw_text(other, "kernel"), grt_raw_text(cell, "kernel")) &&
                    grt_fit_is_text(grt_raw_text(other, "beside"), "nothing") &&
                    grt_fit_is_text(grt_raw_text(other, "how"), grt_raw_text(cell, "how")) &&
                    grt_raw_number(other, "sms", -1) == grt_raw_number(cell, "sms", -1);
        if (same && other->count > 0) {
            return other;
        }
    }
    return NULL;
}

/* On which SMs, for names. */
static const char *where(struct grt_fit_build *build, const struct grt_fitted_slowdown *slowdown) {
    return slowdown->beside_sms > 0 ? grt_fit_text(build, " on %" PRId64 " and %" PRId64 " SMs",
                                                   slowdown->sms, slowdown->beside_sms)
                                    : " on all SMs";
}

/* What a slowdown is relative to. */
struct reference {
    struct grt_ranged span, alone; /* alone: measured on the same SMs */
    bool is_separate, by_blocks;
};

/* What a simulation adds a slowdown to: the kernel's blocks with their times, which hold what they lose to each other when the kernel has the whole device. Where it takes longer alone on these SMs than
 * that (a filter costs something), that is no slowdown by the other one either. */
static struct reference refer(struct grt_fit_build *build, const struct grt_raw_cell *single,
                              int64_t beside_sms) {
    struct reference reference = {.alone = grt_fit_median(build, single, "span_ns", build->timer_step).value};
    reference.span = reference.alone;
    if (beside_sms > 0) {
        struct grt_ranged blocks =
            grt_fit_alone(build, grt_raw_text(single, "kernel"), grt_raw_number(single, "sms", 0));
        reference.is_separate = !isnan(blocks.value);
        reference.by_blocks = reference.is_separate && blocks.value > reference.alone.value;
        reference.span = reference.by_blocks ? blocks : reference.alone;
    }
    return reference;
}

static const char *how_of(struct grt_fit_build *build, const struct grt_fitted_slowdown *slowdown,
                          const struct reference *reference) {
    if (slowdown->beside_sms == 0) {
        return "quotient of medians; with waiting for SMs, which a simulation adds by itself: not for device "
               "files";
    }
    if (!reference->is_separate) {
        return "quotient of medians with and without the other one; its block times were not measured, so "
               "that "
               "it is not known how much of this is in them already: not for device files";
    }
    const char *tail = slowdown->samples >= GRT_FIT_ENOUGH_FOR_P99
                           ? grt_fit_text(build, "; 99 %% are at most %.3f times as long", slowdown->p99)
                           : grt_fit_text(build, "; the longest of %zu is %.3f times as long",
                                          slowdown->samples, slowdown->longest);
    return reference->by_blocks
               ? grt_fit_text(build,
                              "median beside it over %.0f ns, which its blocks take on these SMs by their "
                              "times on the whole device, where they slow each other; alone on these SMs it "
                              "takes %.0f ns, beside the other one %.3f times that%s",
                              reference->span.value, reference->alone.value, slowdown->over_alone, tail)
               : grt_fit_text(build, "quotient of medians, interval from theirs%s", tail);
}

static void add_slowdown(struct grt_fit_build *build, const struct grt_raw_cell *cell, const double *with,
                         const struct grt_raw_cell *single) {
    int64_t beside_sms = grt_raw_number(cell, "beside_sms", 0);
    struct reference reference = refer(build, single, beside_sms);
    struct grt_ranged span = grt_fit_median(build, cell, "span_ns", build->timer_step).value;
    struct grt_ranged factor = grt_ranged_quotient(span, reference.span);
    struct grt_fitted_slowdown slowdown = {.workload = grt_raw_text(cell, "kernel"),
                                           .beside = grt_raw_text(cell, "beside"),
                                           .factor = factor.value,
                                           .low = factor.low,
                                           .high = factor.high,
                                           .p99 = cell->count >= GRT_FIT_ENOUGH_FOR_P99
                                                      ? grt_sorted_quantile(with, cell->count, 0.99) /
                                                            reference.span.value
                                                      : NAN,
                                           .longest = with[cell->count - 1] / reference.span.value,
                                           .over_alone = span.value / reference.alone.value,
                                           .is_separate = reference.is_separate,
                                           .samples = cell->count,
                                           .sms = grt_raw_number(cell, "sms", 0),
                                           .beside_sms = beside_sms,
                                           .how = grt_raw_text(cell, "how")};
    grt_fit_add_slowdown(build, slowdown);
    struct grt_finding finding =
        grt_fit_measured(experiment,
                         grt_fit_text(build, "%s beside %s%s: slowdown", slowdown.workload, slowdown.beside,
                                      where(build, &slowdown)),
                         GRT_UNIT_NONE, factor, cell->count);
    finding.how = how_of(build, &slowdown, &reference);
    grt_fit_add(build, finding);
}

/* ---- the table as a whole ---- */

static const struct grt_fitted_slowdown *reverse_of(const struct grt_fit_build *build,
                                                    const struct grt_fitted_slowdown *slowdown) {
    for (uint32_t i = 0; i < build->slowdown_count; i++) {
        const struct grt_fitted_slowdown *other = &build->slowdowns[i];
        if (strcmp(other->workload, slowdown->beside) == 0 &&
            strcmp(other->beside, slowdown->workload) == 0 && other->sms == slowdown->beside_sms &&
            other->beside_sms == slowdown->sms) {
            return other;
        }
    }
    return NULL;
}

static void add_summary(struct grt_fit_build *build) {
    size_t pairs = 0, asymmetric = 0, rows = 0, samples = 0, others = 0;
    double most = 0;
    for (uint32_t i = 0; i < build->slowdown_count; i++) {
        const struct grt_fitted_slowdown *slowdown = &build->slowdowns[i],
                                         *other = reverse_of(build, slowdown);
        if (slowdown->beside_sms == 0 || !slowdown->is_separate) {
            others += slowdown->beside_sms > 0;
            continue;
        }
        rows++;
        samples += slowdown->samples;
        most = fmax(most, slowdown->factor);
        bool once = other != NULL && strcmp(slowdown->workload, slowdown->beside) < 0;
        pairs += once;
        asymmetric += once && (slowdown->low > other->high || slowdown->high < other->low);
    }
    if (rows == 0) {
        grt_fit_refuse(build, experiment, "slowdowns", "slowdowns",
                       others > 0
                           ? "the times of blocks were not measured (coresidency), and what kernels lose "
                             "to their own blocks is in these already"
                           : "no two kernels were measured on different SMs; on the same ones waiting "
                             "for room cannot be told from being slowed");
        return;
    }
    struct grt_finding finding =
        grt_fit_measured(experiment, "slowdowns", GRT_UNIT_NONE, grt_ranged_exactly(most), samples);
    finding.low = finding.high = NAN;
    finding.field = "slowdowns";
    finding.how = grt_fit_text(
        build,
        "the largest of %zu factors of kernels on SMs of their own; of %zu pairs in both directions %zu are "
        "not symmetric, by their intervals",
        rows, pairs, asymmetric);
    grt_fit_add(build, finding);
}

void grt_fit_together(struct grt_fit_build *build) {
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        const char *kernel = grt_raw_text(cell, "kernel"), *beside = grt_raw_text(cell, "beside");
        if (kernel == NULL || beside == NULL || strcmp(beside, "nothing") == 0) {
            continue;
        }
        const struct grt_raw_cell *single = alone(build, cell);
        double *with = grt_fit_sorted(build, cell, "span_ns");
        double *without = single != NULL ? grt_fit_sorted(build, single, "span_ns") : NULL;
        if (with == NULL || without == NULL || without[0] <= 0) {
            grt_fit_refuse(build, experiment, grt_fit_text(build, "%s beside %s: slowdown", kernel, beside),
                           NULL, "the kernel alone on the same SMs was not measured");
        } else {
            add_slowdown(build, cell, with, single);
        }
    }
    add_summary(build);
}
