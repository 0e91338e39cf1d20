#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/build_id.h"
#include "study/results/results.h"

/* The measures of all evaluations, each once. */
struct measures {
    const char **names;
    uint32_t count, capacity;
};

static size_t place_of(const char *name, const char *const *names, size_t count) {
    size_t place = 0;
    while (place < count && strcmp(names[place], name) != 0) {
        place++;
    }
    return place;
}

static void add_names(struct measures *measures, const struct grt_evaluation *evaluation) {
    size_t count;
    const char *const *names = grt_evaluation_measures(evaluation, &count);
    for (size_t i = 0; i < count; i++) {
        if (place_of(names[i], measures->names, measures->count) == measures->count) {
            measures->names = grt_array_grow(measures->names, &measures->capacity, measures->count + 1,
                                             sizeof *measures->names);
            measures->names[measures->count++] = names[i];
        }
    }
}

static struct measures measures_of(const struct grt_experiment *experiment) {
    struct measures measures = {0};
    for (size_t i = 0; i < experiment->evaluation_count && experiment->point_count > 0; i++) {
        add_names(&measures, &experiment->points[0].evaluations[i]); /* all points have the same ones */
    }
    return measures;
}

/* ---- cells ---- */

static void put_text(const char *text, FILE *out) {
    if (strpbrk(text, ",\"\r\n") == NULL && text[0] != '#') {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++) {
        fputs(*text == '"' ? "\"" : "", out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void put_number(double number, FILE *out) {
    char text[GRT_DOUBLE_TEXT_SIZE];
    fprintf(out, ",%s", isfinite(number) ? grt_double_text(number, text) : "");
}

/* A comment is one line, whatever a title has in it. */
static void put_comment(const char *key, const char *text, FILE *out) {
    fprintf(out, "# %s: ", key);
    for (; *text != '\0'; text++) {
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, out);
    }
    fputc('\n', out);
}

static void put_comments(const struct grt_results *results, FILE *out) {
    const struct grt_experiment *experiment = results->experiment;
    put_comment("gpurt", GRT_VERSION, out);
    put_comment("build", grt_build_id, out);
    put_comment("experiment", experiment->name, out);
    if (experiment->title != NULL && experiment->title[0] != '\0') {
        put_comment("title", experiment->title, out);
    }
    fprintf(out, "# seed: %" PRIu64 "\n# samples: %" PRId64 "\n# identity: %016" PRIx64 "\n",
            experiment->seed, experiment->samples, experiment->identity);
    for (size_t i = 0; i < experiment->input_count; i++) {
        fprintf(out, "# input: %016" PRIx64 " ", experiment->inputs[i].hash);
        fprintf(out, "%s\n", experiment->inputs[i].name);
    }
    put_comment("complete", results->complete ? "yes" : "no", out);
    fprintf(out, "# rows: %zu\n", experiment->point_count * experiment->evaluation_count);
}

static void put_names(const struct grt_experiment *experiment, const struct measures *measures, FILE *out) {
    for (size_t i = 0; i < experiment->axis_count; i++) {
        put_text(experiment->axes[i].name, out);
        fputc(',', out);
    }
    fputs("evaluation,sets", out);
    for (int outcome = 0; outcome < GRT_OUTCOMES; outcome++) {
        fprintf(out, ",%s", grt_outcome_names[outcome]);
    }
    fputs(",ratio,low,high", out);
    for (size_t i = 0; i < measures->count; i++) {
        fputc(',', out);
        put_text(measures->names[i], out);
    }
    fputc('\n', out);
}

static void put_row(const struct grt_results *results, size_t point, size_t evaluation,
                    const struct measures *measures, FILE *out) {
    const struct grt_experiment *experiment = results->experiment;
    const struct grt_evaluation *asked = &experiment->points[point].evaluations[evaluation];
    const struct grt_tally *tally = grt_results_tally(results, point, evaluation);
    uint64_t sets = grt_tally_sets(tally), yes = tally->outcomes[GRT_OUTCOME_YES];
    struct grt_interval interval = grt_wilson(yes, sets, GRT_WILSON_95);
    for (size_t i = 0; i < experiment->axis_count; i++) {
        put_text(experiment->axes[i].values[experiment->points[point].values[i]], out);
        fputc(',', out);
    }
    put_text(asked->name, out);
    fprintf(out, ",%" PRIu64, sets);
    for (int outcome = 0; outcome < GRT_OUTCOMES; outcome++) {
        fprintf(out, ",%" PRIu64, tally->outcomes[outcome]);
    }
    put_number(sets > 0 ? (double)yes / (double)sets : (double)NAN, out);
    put_number(interval.low, out);
    put_number(interval.high, out);
    size_t count;
    const char *const *names = grt_evaluation_measures(asked, &count);
    for (size_t i = 0; i < measures->count; i++) {
        size_t place = place_of(measures->names[i], names, count);
        put_number(place < count ? grt_moments_mean(&tally->moments[place]) : (double)NAN, out);
    }
    fputc('\n', out);
}

void grt_results_csv(const struct grt_results *results, FILE *out) {
    const struct grt_experiment *experiment = results->experiment;
    struct measures measures = measures_of(experiment);
    put_comments(results, out);
    put_names(experiment, &measures, out);
    for (size_t point = 0; point < experiment->point_count; point++) {
        for (size_t i = 0; i < experiment->evaluation_count; i++) {
            put_row(results, point, i, &measures, out);
        }
    }
    free(measures.names);
}
