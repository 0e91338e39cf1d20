/* How long a run can take: the series of experiment worst, by extreme value theory (calib/evt/pwcet.h). */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/evt/pwcet.h"
#include "calib/fit/build.h"
#include "sim/time.h"

static const char experiment[] = "worst";

static const char *name_of(struct grt_fit_build *build, const struct grt_raw_cell *cell) {
    return grt_fit_text(build, "%s, %" PRId64 " SMs, %s, beside %s", grt_raw_text(cell, "kernel"),
                        grt_raw_number(cell, "sms", 0), grt_raw_text(cell, "state"),
                        grt_raw_text(cell, "beside"));
}

/* A series, which is what has a name; not the first runs of its visits. */
static bool is_named(const struct grt_raw_cell *cell) {
    return grt_raw_text(cell, "kernel") != NULL && grt_raw_text(cell, "state") != NULL &&
           grt_raw_text(cell, "beside") != NULL && grt_raw_text(cell, "run") == NULL;
}

const char *grt_fit_worst_key(const struct grt_raw_cell *cell, struct grt_arena *arena) {
    enum { MOST = 64 }; /* as names of kernels */
    char text[MOST + 1];
    if (!is_named(cell)) {
        return NULL;
    }
    bool alone = grt_fit_is_text(grt_raw_text(cell, "beside"), "nothing");
    snprintf(text, sizeof text, "%s-%" PRId64 "-%s%s%s", grt_raw_text(cell, "kernel"),
             grt_raw_number(cell, "sms", 0), grt_raw_text(cell, "state"), alone ? "" : "-beside-",
             alone ? "" : grt_raw_text(cell, "beside"));
    return grt_arena_text(arena, text);
}

static bool is_wanted(struct grt_fit_build *build, const struct grt_raw_cell *cell) {
    return is_named(cell) &&
           (build->worst_only == NULL || strcmp(build->worst_only, grt_raw_text(cell, "kernel")) == 0 ||
            strcmp(build->worst_only, grt_fit_worst_key(cell, build->arena)) == 0);
}

/* Why measuring throws runs away (docs/raw-measurements.md); slow clocks are no reason here. */
static const char *condition_of(const struct grt_raw_cell *cell) {
    return grt_fit_is_text(grt_raw_text(cell, "beside"), "nothing")
               ? "the device is not throttled"
               : "the device is not throttled, and the other kernel runs all the time";
}

/* ---- the first runs of visits ---- */

/* Behind other work and a pause they are another condition, of which a series of runs behind each other says nothing; NULL: the file has none of this series. */
static const struct grt_raw_cell *first_runs_of(const struct grt_fit_build *build,
                                                const struct grt_raw_cell *series) {
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        bool same =
            cell->key_count == series->key_count + 1 && grt_fit_is_text(grt_raw_text(cell, "run"), "first");
        for (size_t i = 0; i < series->key_count && same; i++) {
            const struct grt_raw_key *key = &series->keys[i];
            same = key->text != NULL ? grt_fit_is_text(grt_raw_text(cell, key->name), key->text)
                                     : grt_raw_number(cell, key->name, key->number - 1) == key->number;
        }
        if (same) {
            return cell;
        }
    }
    return NULL;
}

static int64_t longest_of(const struct grt_raw_cell *cell) {
    const int64_t *spans = cell != NULL ? grt_raw_values(cell, "span_ns") : NULL;
    int64_t longest = 0;
    for (size_t i = 0; spans != NULL && i < cell->count; i++) {
        longest = spans[i] > longest ? spans[i] : longest;
    }
    return longest;
}

/* What is known of them, as a sentence. */
static const char *apart_text(struct grt_fit_build *build, const struct grt_raw_cell *series,
                              const struct grt_raw_cell *first) {
    static const char *const which = "the first run of each visit, behind other work and a pause";
    if (first == NULL) {
        return grt_fit_text(build, "%s, is not among these, and the file does not say how long it took",
                            which);
    }
    if (first->count == 0) {
        return grt_fit_text(build, "%s, is not among these; all %zu of them were thrown away", which,
                            first->dropped);
    }
    int64_t longest = longest_of(first), others = longest_of(series);
    char took[GRT_TIME_TEXT_SIZE];
    return grt_fit_text(
        build, "%s, is not among these: of %zu such runs the longest took %s, which is %s%s", which,
        first->count, grt_time_text(longest, took),
        longest > others ? "LONGER than all of these, and nothing here is said of such runs"
                         : "no longer than the longest of these",
        first->dropped > 0 ? grt_fit_text(build, "; %zu more were thrown away", first->dropped) : "");
}

static void warn_of_first_runs(struct grt_fit_build *build, const struct grt_fitted_worst *worst) {
    int64_t longest = worst->first_longest, others = worst->longest;
    char took[GRT_TIME_TEXT_SIZE], other[GRT_TIME_TEXT_SIZE];
    if (worst->first != NULL && longest > others) {
        grt_fit_warn(build,
                     grt_fit_text(build,
                                  "worst: %s: of %zu runs behind other work and a pause the longest took %s, "
                                  "of %zu right behind each other %s: what is said of rare times is of the "
                                  "latter alone",
                                  worst->name, worst->first->count, grt_time_text(longest, took),
                                  worst->cell->count, grt_time_text(others, other)));
    }
}

/* ---- series ---- */

/* The one that is asked for, among the others. */
static void add_exceedance(struct grt_pwcet_input *input, double exceedance) {
    for (size_t i = 0; i < input->exceedance_count; i++) {
        if (fabs(input->exceedances[i] / exceedance - 1) < 1e-9) {
            return;
        }
    }
    input->exceedances[input->exceedance_count++] = exceedance;
}

static bool is_step_known(const struct grt_fit_build *build) {
    for (uint32_t i = 0; i < build->finding_count; i++) {
        const struct grt_finding *finding = &build->findings[i];
        if (strcmp(finding->name, "timer_step") == 0) {
            return finding->status == GRT_FINDING_MEASURED;
        }
    }
    return false;
}

static const struct grt_pwcet *analyse(struct grt_fit_build *build, const struct grt_raw_cell *cell,
                                       const struct grt_raw_cell *first) {
    const int64_t *spans = grt_raw_values(cell, "span_ns");
    double *values = grt_arena_array(build->arena, cell->count > 0 ? cell->count : 1, sizeof *values);
    for (size_t i = 0; spans != NULL && i < cell->count; i++) {
        values[i] = (double)spans[i];
    }
    const struct grt_pwcet_input *settings = build->worst_settings;
    struct grt_pwcet_input input = settings != NULL ? *settings : grt_pwcet_defaults();
    input.values = values;
    input.count = spans != NULL ? cell->count : 0;
    input.dropped = cell->dropped;
    input.condition = condition_of(cell);
    input.apart = apart_text(build, cell, first);
    input.unit = "ns";
    double step = is_step_known(build) ? (double)build->timer_step : 0; /* else values show it */
    bool is_said = input.quantum > 0;
    input.quantum = is_said ? input.quantum : step;
    if (settings == NULL) {
        input.seed = build->raw->seed;
        add_exceedance(&input, build->exceedance);
    }
    struct grt_errors errors = {0};
    const struct grt_pwcet *pwcet = grt_pwcet_analyse(&input, build->arena, &errors);
    if (pwcet == NULL && !is_said && step > 0) { /* not of the clock that the steps are of: their own count */
        grt_errors_clear(&errors);
        input.quantum = 0;
        pwcet = grt_pwcet_analyse(&input, build->arena, &errors);
    }
    if (pwcet == NULL) {
        const char *why = errors.count > 0 ? grt_arena_text(build->arena, errors.messages[0]) : "no analysis";
        grt_fit_refuse(build, experiment, name_of(build, cell), NULL, why);
        build->worst_error = grt_fit_text(build, "%s: %s", grt_fit_worst_key(cell, build->arena), why);
    }
    grt_errors_clear(&errors);
    return pwcet;
}

static const char *why_not(const struct grt_pwcet *pwcet, const struct grt_pwcet_answer *answer) {
    return answer->why != NULL ? answer->why : pwcet->refusal_count > 0 ? pwcet->refusals[0] : "no model";
}

/* Always with its method and its interval, or why there is none and what is left then. */
static void add_answer(struct grt_fit_build *build, const struct grt_fitted_worst *worst,
                       const struct grt_pwcet_answer *answer) {
    double digits = -log10(answer->exceedance);
    const char *runs = fabs(digits - round(digits)) < 1e-6
                           ? grt_fit_text(build, "1e%.0f", digits)
                           : grt_fit_text(build, "%.6g", 1 / answer->exceedance);
    const char *name = grt_fit_text(build, "%s: time exceeded once in %s runs", worst->name, runs);
    if (!grt_pwcet_has_value(answer)) {
        grt_fit_refuse(build, experiment, name, NULL,
                       grt_fit_text(build,
                                    "%s; the largest of %zu times is %.0f ns, %zu were thrown away; %s",
                                    why_not(worst->pwcet, answer), worst->pwcet->count, worst->pwcet->largest,
                                    worst->pwcet->dropped, worst->pwcet->apart));
        return;
    }
    struct grt_finding finding =
        grt_fit_measured(experiment, name, GRT_UNIT_NS,
                         (struct grt_ranged){answer->value, answer->low, answer->high}, worst->pwcet->count);
    const struct grt_pwcet *pwcet = worst->pwcet;
    const char *what =
        answer->verdict == GRT_PWCET_CONSTANT
            ? pwcet->constant
            : grt_fit_text(build,
                           "%s, the largest of the methods that fit, which agree; interval by bootstrap; "
                           "the largest time was %.0f ns",
                           grt_pwcet_method_names[answer->method], pwcet->largest);
    finding.how = grt_fit_text(build, "%s; %zu of %zu runs were thrown away: while %s; %s", what,
                               pwcet->dropped, pwcet->count + pwcet->dropped, pwcet->condition, pwcet->apart);
    grt_fit_add(build, finding);
}

static int by_name(const void *a, const void *b) {
    const struct grt_fitted_worst *one = a, *other = b;
    return strcmp(one->name, other->name);
}

void grt_fit_worst(struct grt_fit_build *build) {
    size_t most = 0;
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        most++;
    }
    struct grt_fitted_worst *all = grt_arena_array(build->arena, most > 0 ? most : 1, sizeof *all);
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        const struct grt_raw_cell *first = first_runs_of(build, cell);
        const struct grt_pwcet *pwcet = is_wanted(build, cell) ? analyse(build, cell, first) : NULL;
        if (pwcet == NULL) {
            continue;
        }
        struct grt_fitted_worst *worst = &all[build->worst_count++];
        *worst = (struct grt_fitted_worst){name_of(build, cell),
                                           grt_raw_text(cell, "kernel"),
                                           grt_fit_worst_key(cell, build->arena),
                                           cell,
                                           first,
                                           longest_of(cell),
                                           longest_of(first),
                                           pwcet};
        warn_of_first_runs(build, worst);
        for (size_t i = 0; i < pwcet->answer_count; i++) {
            add_answer(build, worst, &pwcet->answers[i]);
        }
    }
    qsort(all, build->worst_count, sizeof *all, by_name);
    build->worst = all;
}
