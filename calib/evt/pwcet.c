#include "calib/evt/pwcet.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "calib/evt/pwcet_parts.h"

const char *const grt_pwcet_method_names[GRT_PWCET_METHODS] = {
    "block maxima, Gumbel", "block maxima, GEV", "peaks, exponential", "peaks, GPD",
    "peaks, exponential by the coefficient of variation"};
const char *const grt_pwcet_test_names[GRT_PWCET_TESTS] = {
    "Ljung-Box",     "runs",           "halves (Kolmogorov-Smirnov)",
    "KPSS",          "R/S (Lo)",       "Ljung-Box of peaks",
    "KPSS of peaks", "halves of peaks"};
const char *const grt_pwcet_verdict_names[GRT_PWCET_REFUSED + 1] = {"model", "constant", "no model",
                                                                    "refused"};

enum { MOST_SENTENCES = 16 };

/* ---- sentences ---- */

static const char *say(struct grt_pwcet_work *work, const char *format, va_list arguments) {
    char text[512];
    vsnprintf(text, sizeof text, format, arguments);
    return grt_arena_text(work->arena, text);
}

const char *grt_pwcet_say(struct grt_pwcet_work *work, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = say(work, format, arguments);
    va_end(arguments);
    return text;
}

void grt_pwcet_refuse(struct grt_pwcet_work *work, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (work->out->refusal_count < MOST_SENTENCES) {
        work->out->refusals[work->out->refusal_count++] = say(work, format, arguments);
    }
    va_end(arguments);
}

void grt_pwcet_warn(struct grt_pwcet_work *work, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (work->out->warning_count < MOST_SENTENCES) {
        work->out->warnings[work->out->warning_count++] = say(work, format, arguments);
    }
    va_end(arguments);
}

const char *grt_pwcet_time(struct grt_pwcet_work *work, double value, int digits) {
    static const struct {
        double size;
        const char *name;
    } steps[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
    const char *unit = work->input->unit != NULL ? work->input->unit : "";
    size_t i = strcmp(unit, "ns") == 0 ? 0 : 3;
    while (i < 3 && fabs(value) < steps[i].size) {
        i++;
    }
    return grt_pwcet_say(work, "%.*g%s", digits, value / steps[i].size,
                         strcmp(unit, "ns") == 0 ? steps[i].name : unit);
}

/* ---- settings ---- */

struct grt_pwcet_input grt_pwcet_defaults(void) {
    return (struct grt_pwcet_input){.exceedances = {1e-3, 1e-6, 1e-9},
                                    .exceedance_count = 3,
                                    .margin = 1.2,
                                    .replicates = 1000,
                                    .seed = 1};
}

static bool check_settings(const struct grt_pwcet_input *input, struct grt_errors *errors) {
    size_t before = errors->count;
    if (input->exceedance_count < 1 || input->exceedance_count > GRT_PWCET_EXCEEDANCES) {
        grt_error_add(errors, NULL, "%zu exceedances; 1 to %d are possible", input->exceedance_count,
                      (int)GRT_PWCET_EXCEEDANCES);
    }
    for (size_t i = 0; i < input->exceedance_count && i < GRT_PWCET_EXCEEDANCES; i++) {
        double p = input->exceedances[i];
        if (!(p >= 1e-15 && p <= GRT_PWCET_MOST_EXCEEDANCE)) {
            grt_error_add(errors, NULL, "an exceedance per run is from 1e-15 to %g, not %g",
                          GRT_PWCET_MOST_EXCEEDANCE, p);
        }
    }
    if (!(input->quantum >= 0 && isfinite(input->quantum))) {
        grt_error_add(errors, NULL, "the clock's quantum is a finite number from 0, not %g", input->quantum);
    }
    if (!(input->margin >= 1 && input->margin <= 100)) {
        grt_error_add(errors, NULL, "the margin is a factor from 1 to 100, not %g", input->margin);
    }
    if (input->replicates < 200 || input->replicates > 100000) {
        grt_error_add(errors, NULL, "the bootstrap needs 200 to 100000 replicates, not %zu",
                      input->replicates);
    }
    if (input->values == NULL && input->count > 0) {
        grt_error_add(errors, NULL, "%zu values are announced, but there are none", input->count);
    }
    return errors->count == before;
}

/* ---- the analysis ---- */

static void warn_of_far_exceedances(struct grt_pwcet_work *work) {
    for (size_t i = 0; i < work->input->exceedance_count; i++) {
        double p = work->input->exceedances[i];
        if (p * 1000 * (double)work->input->count < 1) {
            grt_pwcet_warn(work,
                           "%g per run is more than three orders of magnitude rarer than the largest of %zu "
                           "values: nothing in them can confirm it",
                           p, work->input->count);
        }
    }
}

/* Who throws away slow runs cuts off the tail: of what is rarer than they were nothing is known but under the condition, and of many not even that is worth saying. */
static void judge_dropped(struct grt_pwcet_work *work) {
    const struct grt_pwcet_input *input = work->input;
    size_t all = input->count + input->dropped;
    const char *condition = input->condition != NULL ? input->condition : "unknown";
    if ((double)input->dropped > GRT_PWCET_MOST_DROPPED * (double)all) {
        grt_pwcet_refuse(
            work,
            "%zu of %zu runs were thrown away, more than one in %.0f, and may have been the longest "
            "ones; what is left: %s",
            input->dropped, all, 1 / GRT_PWCET_MOST_DROPPED, condition);
    } else if (input->dropped > 0) {
        grt_pwcet_warn(
            work,
            "%zu of %zu runs were thrown away and may have been the longest ones: all that is said "
            "holds only while %s",
            input->dropped, all, condition);
    }
}

static void without_fits(struct grt_pwcet *out) {
    for (size_t i = 0; i < GRT_PWCET_METHODS; i++) {
        out->fits[i].why_not = "not tried";
    }
    for (size_t i = 0; i < GRT_PWCET_TESTS; i++) {
        out->tests[i] = (struct grt_pwcet_checked){{NAN, NAN}, NAN};
    }
    out->one_mode = out->gumbel_or_gev = out->exponential_or_gpd = (struct grt_test){NAN, NAN};
    out->smallest = out->median = out->largest = out->middle_half = out->fallback = NAN;
}

const struct grt_pwcet *grt_pwcet_analyse(const struct grt_pwcet_input *input, struct grt_arena *arena,
                                          struct grt_errors *errors) {
    if (!check_settings(input, errors) || !grt_pwcet_check_quantum(input, arena, errors)) {
        return NULL;
    }
    struct grt_pwcet *out = grt_arena_new(arena, struct grt_pwcet);
    struct grt_pwcet_work work = {.input = input, .arena = arena, .out = out};
    out->refusals = grt_arena_array(arena, MOST_SENTENCES, sizeof *out->refusals);
    out->warnings = grt_arena_array(arena, MOST_SENTENCES, sizeof *out->warnings);
    out->margin = input->margin;
    out->dropped = input->dropped;
    out->condition = input->condition;
    out->apart = input->apart;
    without_fits(out);
    judge_dropped(&work);
    if (grt_pwcet_prepare(&work)) {
        warn_of_far_exceedances(&work);
        grt_pwcet_test_series(&work);
        grt_choose_threshold(out->sorted, out->count, &out->thresholds);
        grt_choose_block(out->series, out->count, &out->blocks);
        grt_pwcet_test_modes(&work);
        grt_pwcet_fit_all(&work);
    }
    grt_pwcet_answer_all(&work);
    return out;
}

bool grt_pwcet_has_value(const struct grt_pwcet_answer *answer) {
    return answer != NULL && (answer->verdict == GRT_PWCET_MODEL || answer->verdict == GRT_PWCET_CONSTANT);
}

/* ---- hours ---- */

double grt_per_hour_of_run(double per_run, double runs_per_hour) {
    return -expm1(runs_per_hour * log1p(-per_run));
}

double grt_per_run_of_hour(double per_hour, double runs_per_hour) {
    return -expm1(log1p(-per_hour) / runs_per_hour);
}
