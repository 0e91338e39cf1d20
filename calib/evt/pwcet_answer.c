#include <math.h>

#include "calib/evt/pwcet_parts.h"

#define MOST_APART 1.3 /* between the methods: beyond, they do not agree. Calibrated in 0033 */

/* What good methods say at one exceedance. */
struct opinions {
    size_t count;
    const char *too_long; /* a sentence: one of them says no time that could be; NULL: none does */
    bool has_free_shape;
    double low, high; /* of all their intervals */
    enum grt_pwcet_method least, most;
};

static double value_of(const struct grt_pwcet *out, enum grt_pwcet_method method, size_t which) {
    return out->fits[method].quantiles[which].value;
}

static struct opinions collect(struct grt_pwcet_work *work, size_t which) {
    const struct grt_pwcet *out = work->out;
    struct opinions opinions = {0};
    for (size_t i = 0; i < GRT_PWCET_METHODS; i++) {
        enum grt_pwcet_method method = (enum grt_pwcet_method)i;
        const struct grt_pwcet_fit *fit = &out->fits[i];
        double value = fit->quantiles[which].value;
        if (fit->why_not != NULL || !fit->is_good || isnan(value)) {
            continue;
        }
        if (value > GRT_PWCET_LONGEST_ANSWER) {
            opinions.too_long =
                grt_pwcet_say(work, "%s says %.3g, and beyond %g nothing is an execution time",
                              grt_pwcet_method_names[i], value, GRT_PWCET_LONGEST_ANSWER);
            continue;
        }
        bool is_first = opinions.count++ == 0;
        opinions.low = fmin(is_first ? INFINITY : opinions.low, fit->quantiles[which].low);
        opinions.high = fmax(is_first ? -INFINITY : opinions.high, fit->quantiles[which].high);
        opinions.has_free_shape |= method == GRT_PWCET_GEV || method == GRT_PWCET_GPD;
        opinions.least = is_first || value < value_of(out, opinions.least, which) ? method : opinions.least;
        opinions.most = is_first || value > value_of(out, opinions.most, which) ? method : opinions.most;
    }
    return opinions;
}

static const char *why_no_model(struct grt_pwcet_work *work, const struct opinions *opinions,
                                const struct grt_pwcet_answer *answer) {
    if (opinions->count == 0) {
        return "no method describes the tail";
    }
    if (!opinions->has_free_shape) {
        return "no method that estimates the shape of the tail describes it";
    }
    if (answer->most <= MOST_APART * answer->least) {
        return grt_pwcet_say(work, "the interval is no answer: its upper end is beyond %g",
                             GRT_PWCET_LONGEST_ANSWER);
    }
    return grt_pwcet_say(work, "methods do not agree: %s by %s, %s by %s",
                         grt_pwcet_time(work, answer->least, 6), grt_pwcet_method_names[opinions->least],
                         grt_pwcet_time(work, answer->most, 6), grt_pwcet_method_names[opinions->most]);
}

static void answer_one(struct grt_pwcet_work *work, size_t which, struct grt_pwcet_answer *answer) {
    const struct grt_pwcet *out = work->out;
    struct opinions opinions = collect(work, which);
    if (opinions.count > 0) {
        answer->least = value_of(out, opinions.least, which);
        answer->most = value_of(out, opinions.most, which);
    }
    if (out->refusal_count > 0) {
        answer->verdict = GRT_PWCET_REFUSED;
        answer->why = out->refusals[0];
    } else if (out->constant != NULL) {
        answer->verdict = GRT_PWCET_CONSTANT;
        answer->value = answer->high = out->largest + out->quantum;
        answer->low = fmax(0, out->smallest - out->quantum);
    } else if (opinions.too_long != NULL) {
        answer->verdict = GRT_PWCET_REFUSED;
        answer->why = opinions.too_long;
    } else if (opinions.has_free_shape && answer->most <= MOST_APART * answer->least &&
               opinions.high <= GRT_PWCET_LONGEST_ANSWER) {
        answer->verdict = GRT_PWCET_MODEL;
        answer->method = opinions.most;
        answer->value = answer->most;
        answer->low = opinions.low;
        answer->high = opinions.high;
    } else {
        answer->verdict = GRT_PWCET_NO_MODEL;
        answer->why = why_no_model(work, &opinions, answer);
    }
}

/* What one answer says to declare, by itself. */
static double own_declared(const struct grt_pwcet *out, const struct grt_pwcet_answer *answer) {
    bool may_be_longer = !grt_pwcet_has_value(answer) && out->refusal_count == 0 && isfinite(answer->most);
    double said = grt_pwcet_has_value(answer) ? answer->value
                  : may_be_longer             ? fmax(out->fallback, answer->most)
                                              : out->fallback;
    return fmax(said, out->largest);
}

/* A time that is exceeded more rarely is no shorter one, by whatever it is said. */
static void declare(struct grt_pwcet *out) {
    for (size_t i = 0; i < out->answer_count; i++) {
        struct grt_pwcet_answer *answer = &out->answers[i];
        answer->declared = own_declared(out, answer);
        for (size_t j = 0; j < out->answer_count; j++) {
            const struct grt_pwcet_answer *other = &out->answers[j];
            if (other->exceedance > answer->exceedance) {
                answer->declared = fmax(answer->declared, own_declared(out, other));
            }
        }
    }
}

void grt_pwcet_answer_all(struct grt_pwcet_work *work) {
    struct grt_pwcet *out = work->out;
    out->answer_count = work->input->exceedance_count;
    for (size_t i = 0; i < out->answer_count; i++) {
        struct grt_pwcet_answer *answer = &out->answers[i];
        *answer = (struct grt_pwcet_answer){.exceedance = work->input->exceedances[i],
                                            .value = NAN,
                                            .low = NAN,
                                            .high = NAN,
                                            .least = NAN,
                                            .most = NAN};
        answer_one(work, i, answer);
    }
    declare(out);
}
