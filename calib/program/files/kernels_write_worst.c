#include "calib/program/files/kernels_write_worst.h"

#include <gsl/gsl_sort.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal/text_table.h"
#include "sim/distribution.h"
#include "sim/distribution_names.h"
#include "sim/time.h"

enum { TEXT_SIZE = 1500 };

void grt_put_span(cJSON *object, const char *key, int64_t ns) {
    char text[GRT_TIME_TEXT_SIZE];
    cJSON_AddStringToObject(object, key, grt_time_text(ns, text));
}

/* What is said for an exceedance; NULL: nothing is. */
static const struct grt_pwcet_answer *answer_of(const struct grt_pwcet *pwcet, double exceedance) {
    for (size_t i = 0; i < pwcet->answer_count; i++) {
        if (fabs(pwcet->answers[i].exceedance / exceedance - 1) < 1e-9) {
            return &pwcet->answers[i];
        }
    }
    return NULL;
}

/* ---- times ---- */

/* A worst case on its way into the file. */
struct written {
    const struct grt_fitted_worst *worst;
    const struct grt_pwcet_answer *answer; /* for the exceedance that is declared; NULL: none */
    const struct grt_pwcet_fit *tail;      /* NULL: none */
    int64_t declared, max;                 /* ns */
    bool first_decides;                    /* declared is the longest of the first runs of visits */
};

/* Peaks over a threshold with a shape, else without one, where they describe the times. */
static const struct grt_pwcet_fit *tail_of(const struct grt_pwcet *pwcet) {
    static const enum grt_pwcet_method methods[] = {GRT_PWCET_GPD, GRT_PWCET_EXPONENTIAL};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        const struct grt_pwcet_fit *fit = &pwcet->fits[methods[i]];
        if (fit->why_not == NULL && fit->is_good && fit->estimate.likely.extreme.scale >= 1) {
            return fit;
        }
    }
    return NULL;
}

static struct written settle(const struct grt_fit *fit, const struct grt_fitted_worst *worst) {
    const struct grt_pwcet *pwcet = worst->pwcet;
    struct written out = {.worst = worst, .answer = answer_of(pwcet, fit->exceedance)};
    double most = fmax((double)worst->longest, out.answer != NULL ? out.answer->declared : pwcet->fallback);
    out.declared = (int64_t)fmax(ceil(most), (double)worst->first_longest);
    out.first_decides = (double)worst->first_longest > ceil(most);
    bool is_modelled = out.answer != NULL && out.answer->verdict == GRT_PWCET_MODEL;
    bool said = grt_pwcet_has_value(out.answer);
    for (size_t i = 0; i < pwcet->answer_count; i++) {
        const struct grt_pwcet_answer *answer = &pwcet->answers[i];
        is_modelled = is_modelled || answer->verdict == GRT_PWCET_MODEL;
        said = said || grt_pwcet_has_value(answer);
        most = grt_pwcet_has_value(answer) ? fmax(most, answer->value) : most;
    }
    out.tail = is_modelled ? tail_of(pwcet) : NULL;
    out.max = said ? (int64_t)ceil(most) : worst->longest;
    return out;
}

static const char *evidence_of(const struct written *written) {
    static const enum grt_evidence evidences[GRT_PWCET_REFUSED + 1] = {
        [GRT_PWCET_MODEL] = GRT_EVIDENCE_MODEL,
        [GRT_PWCET_CONSTANT] = GRT_EVIDENCE_CONSTANT,
        [GRT_PWCET_NO_MODEL] = GRT_EVIDENCE_NO_MODEL,
        [GRT_PWCET_REFUSED] = GRT_EVIDENCE_REFUSED};
    bool is_said = written->answer != NULL && !written->first_decides; /* of first runs nothing is said */
    return grt_evidence_names[is_said ? evidences[written->answer->verdict] : GRT_EVIDENCE_NO_MODEL];
}

static void put_values(cJSON *object, const struct grt_raw_cell *cell, struct grt_arena *arena) {
    size_t count = cell->count, kept = count < GRT_MOST_WRITTEN_TIMES ? count : GRT_MOST_WRITTEN_TIMES;
    double *sorted = grt_arena_array(arena, count, sizeof *sorted);
    const int64_t *spans = grt_raw_values(cell, "span_ns");
    for (size_t i = 0; i < count; i++) {
        sorted[i] = (double)spans[i];
    }
    gsl_sort(sorted, 1, count);
    cJSON *values = cJSON_AddArrayToObject(object, "values");
    for (size_t i = 0; i < kept; i++) {
        char text[GRT_TIME_TEXT_SIZE];
        size_t rank = kept > 1 ? (i * (count - 1) + (kept - 1) / 2) / (kept - 1) : 0;
        cJSON_AddItemToArray(values, cJSON_CreateString(grt_time_text((int64_t)sorted[rank], text)));
    }
}

/* Parameters to as many digits as their samples can bear. */
static double rounded(double value) {
    char text[40];
    snprintf(text, sizeof text, "%.4g", value);
    return strtod(text, NULL);
}

static void put_time(cJSON *object, const struct written *written, struct grt_arena *arena) {
    cJSON *time = cJSON_AddObjectToObject(object, "time");
    cJSON_AddStringToObject(time, "distribution", "empirical");
    put_values(time, written->worst->cell, arena);
    if (written->tail != NULL) {
        const struct grt_extreme *extreme = &written->tail->estimate.likely.extreme;
        cJSON *tail = cJSON_AddObjectToObject(time, "tail");
        grt_put_span(tail, "threshold", llround(extreme->location));
        grt_put_span(tail, "scale", llround(extreme->scale));
        cJSON_AddNumberToObject(tail, "shape", rounded(extreme->shape));
        cJSON_AddNumberToObject(tail, "ratio", rounded(written->tail->rate));
    }
    grt_put_span(time, "max", written->max);
    grt_put_span(time, "declared", written->declared);
    cJSON_AddStringToObject(time, "evidence", evidence_of(written));
}

/* ---- texts ---- */

static const char *runs_text(double exceedance, struct grt_arena *arena) {
    char text[60];
    snprintf(text, sizeof text, "exceeded with a probability of %g per run", exceedance);
    return grt_arena_text(arena, text);
}

static const char *declared_text(const struct grt_fit *fit, const struct written *written,
                                 struct grt_arena *arena) {
    const struct grt_pwcet *pwcet = written->worst->pwcet;
    const struct grt_pwcet_answer *answer = written->answer;
    char text[TEXT_SIZE], low[GRT_TIME_TEXT_SIZE], high[GRT_TIME_TEXT_SIZE];
    if (answer != NULL && answer->verdict == GRT_PWCET_CONSTANT) {
        snprintf(text, sizeof text, "as measured, since %s", pwcet->constant);
    } else if (answer != NULL && grt_pwcet_has_value(answer)) {
        snprintf(text, sizeof text,
                 "%s, by extreme value theory: %s; 95 %% interval of all methods that fit %s to %s%s",
                 runs_text(fit->exceedance, arena), grt_pwcet_method_names[answer->method],
                 grt_time_text((int64_t)floor(answer->low), low),
                 grt_time_text((int64_t)ceil(answer->high), high),
                 answer->value < (double)written->worst->longest
                     ? "; it says less than the longest measured time, which is taken"
                     : "");
    } else {
        const char *why = pwcet->refusal_count > 0                ? pwcet->refusals[0]
                          : answer != NULL && answer->why != NULL ? answer->why
                                                                  : "there is no model";
        bool is_said = answer != NULL && answer->declared > pwcet->fallback;
        snprintf(text, sizeof text, "%s, which is a choice and no theory's: %s",
                 is_said ? "the most that any method says that describes the times"
                         : grt_format(arena, "the longest measured time by %g", pwcet->margin),
                 why);
    }
    return grt_arena_text(arena, text);
}

static const char *source_text(const struct grt_fit *fit, const struct written *written,
                               struct grt_arena *arena) {
    const struct grt_fitted_worst *worst = written->worst;
    char text[2 * TEXT_SIZE], longest[GRT_TIME_TEXT_SIZE];
    const char *tail = written->tail == NULL ? "; no tail beyond the measured times"
                       : written->tail == &worst->pwcet->fits[GRT_PWCET_GPD]
                           ? "; tail: generalised Pareto, of peaks over a threshold"
                           : "; tail: exponential, of peaks over a threshold";
    snprintf(text, sizeof text,
             "measured: %zu samples of experiment worst, the longest %s; declared: %s%s%s; %s",
             worst->cell->count, grt_time_text(written->worst->longest, longest),
             declared_text(fit, written, arena),
             written->first_decides ? "; a run behind other work and a pause took longer, which is taken, "
                                      "though it says nothing of how "
                                      "long such runs can take"
                                    : "",
             tail, worst->pwcet->apart);
    return grt_arena_text(arena, text);
}

static bool is_alone(const struct grt_raw_cell *cell) {
    const char *beside = grt_raw_text(cell, "beside");
    return beside == NULL || strcmp(beside, "nothing") == 0;
}

static const char *description_of(const struct grt_fit *fit, const struct grt_fitted_worst *worst,
                                  struct grt_arena *arena) {
    char text[TEXT_SIZE];
    const struct grt_raw_cell *cell = worst->cell;
    snprintf(text, sizeof text,
             "%s as a whole, from its first block's start to its last one's end, on %" PRId64
             " of %d SMs, with a %s L2 cache, beside %s%s",
             worst->workload, grt_raw_number(cell, "sms", 0), fit->raw->device.sm_count,
             grt_raw_text(cell, "state"), grt_raw_text(cell, "beside"),
             is_alone(cell) ? "" : ", which is in the times already");
    return grt_arena_text(arena, text);
}

cJSON *grt_worst_kernel(const struct grt_fit *fit, const struct grt_fitted_worst *worst,
                        struct grt_arena *arena) {
    if (worst->cell->count == 0 || grt_raw_values(worst->cell, "span_ns") == NULL ||
        !isfinite(worst->pwcet->fallback)) {
        return NULL;
    }
    struct written written = settle(fit, worst);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", worst->key);
    cJSON_AddStringToObject(object, "description", description_of(fit, worst, arena));
    put_time(object, &written, arena);
    if (is_alone(worst->cell)) { /* else a table of slowdowns would count the neighbour twice */
        cJSON_AddStringToObject(object, "class", worst->workload);
    }
    cJSON *sources = cJSON_AddObjectToObject(object, "sources");
    cJSON_AddStringToObject(sources, "time", source_text(fit, &written, arena));
    return object;
}
