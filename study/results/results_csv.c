#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/build_id.h"
#include "study/results/result_names.h"
#include "study/results/result_text.h"
#include "study/results/results.h"

/* ---- cells ---- */

/* A cell, in quotes where it has to be: RFC 4180. */
static void put_text(const char *text, FILE *out) {
    char *clean = grt_result_text(text, "\t\r\n");
    bool quoted = strpbrk(clean, ",\"\r\n") != NULL || clean[0] == '#';
    fputs(quoted ? "\"" : "", out);
    for (const char *at = clean; *at != '\0'; at++) {
        fputs(*at == '"' ? "\"" : "", out);
        fputc(*at, out);
    }
    fputs(quoted ? "\"" : "", out);
    free(clean);
}

static void put_number(double number, FILE *out) {
    char text[GRT_DOUBLE_TEXT_SIZE];
    fprintf(out, ",%s", isfinite(number) ? grt_double_text(number, text) : "");
}

/* A comment is one line, whatever a title or a file's name has in it. */
static void put_comment(const char *key, const char *text, FILE *out) {
    char *clean = grt_result_text(text, "\t");
    fprintf(out, "# %s: %s\n", key, clean);
    free(clean);
}

/* The lines of a title beside each other. */
static void put_title(const char *title, FILE *out) {
    struct grt_arena arena = {0};
    char *text = grt_arena_text(&arena, title);
    for (char *at = text; *at != '\0'; at++) {
        *at = *at == '\n' || *at == '\r' ? ' ' : *at;
    }
    put_comment("title", text, out);
    grt_arena_clear(&arena);
}

static void put_input(const struct grt_input *input, FILE *out) {
    char *clean = grt_result_text(input->name, "\t");
    fprintf(out, "# input: %016" PRIx64 " %s\n", input->hash, clean);
    free(clean);
}

static void put_comments(const struct grt_results *results, FILE *out) {
    const struct grt_experiment *experiment = results->experiment;
    put_comment("gpurt", GRT_VERSION, out);
    put_comment("build", grt_build_id, out);
    put_comment("experiment", experiment->name, out);
    if (experiment->title != NULL && experiment->title[0] != '\0') {
        put_title(experiment->title, out);
    }
    fprintf(out, "# seed: %" PRIu64 "\n# samples: %" PRId64 "\n# identity: %016" PRIx64 "\n",
            experiment->seed, experiment->samples, experiment->identity);
    for (size_t i = 0; i < experiment->input_count; i++) {
        put_input(&experiment->inputs[i], out);
    }
    put_comment("complete", results->complete ? "yes" : "no", out);
    fprintf(out, "# rows: %zu\n", experiment->point_count * experiment->evaluation_count);
}

static void put_names(const struct grt_experiment *experiment, const struct grt_result_names *names,
                      FILE *out) {
    for (size_t i = 0; i < experiment->axis_count; i++) {
        put_text(names->axes[i], out);
        fputc(',', out);
    }
    fputs("evaluation,sets", out);
    for (int outcome = 0; outcome < GRT_OUTCOMES; outcome++) {
        fprintf(out, ",%s", grt_outcome_names[outcome]);
    }
    fputs(",ratio,low,high", out);
    for (size_t i = 0; i < names->measure_count; i++) {
        const struct grt_measure_names *measure = &names->measures[i];
        const char *const columns[] = {measure->mean, measure->sets, measure->low, measure->high};
        for (size_t j = 0; j < sizeof columns / sizeof columns[0]; j++) {
            fputc(',', out);
            put_text(columns[j], out);
        }
    }
    fputc('\n', out);
}

/* Empty cells where the evaluation does not have the measure (NULL); numbers that are none are empty as well. */
static void put_measure(const struct grt_moments *moments, FILE *out) {
    if (moments == NULL) {
        fputs(",,,,", out);
        return;
    }
    struct grt_interval interval = grt_moments_interval(moments);
    put_number(grt_moments_mean(moments), out);
    fprintf(out, ",%" PRIu64, moments->count);
    put_number(interval.low, out);
    put_number(interval.high, out);
}

static void put_counts(const struct grt_tally *tally, FILE *out) {
    uint64_t sets = grt_tally_sets(tally), yes = tally->outcomes[GRT_OUTCOME_YES];
    struct grt_interval interval = grt_wilson(yes, sets, GRT_WILSON_95);
    fprintf(out, ",%" PRIu64, sets);
    for (int outcome = 0; outcome < GRT_OUTCOMES; outcome++) {
        fprintf(out, ",%" PRIu64, tally->outcomes[outcome]);
    }
    put_number(sets > 0 ? (double)yes / (double)sets : (double)NAN, out);
    put_number(interval.low, out);
    put_number(interval.high, out);
}

static void put_row(const struct grt_results *results, size_t point, size_t evaluation,
                    const struct grt_result_names *names, FILE *out) {
    const struct grt_experiment *experiment = results->experiment;
    const struct grt_evaluation *asked = &experiment->points[point].evaluations[evaluation];
    const struct grt_tally *tally = grt_results_tally(results, point, evaluation);
    for (size_t i = 0; i < experiment->axis_count; i++) {
        put_text(experiment->axes[i].values[experiment->points[point].values[i]], out);
        fputc(',', out);
    }
    put_text(asked->name, out);
    put_counts(tally, out);
    size_t count;
    const char *const *measures = grt_evaluation_measures(asked, &count);
    for (size_t i = 0; i < names->measure_count; i++) {
        size_t place = 0;
        while (place < count && strcmp(measures[place], names->measures[i].measure) != 0) {
            place++;
        }
        put_measure(place < count ? &tally->moments[place] : NULL, out);
    }
    fputc('\n', out);
}

void grt_results_csv(const struct grt_results *results, FILE *out) {
    const struct grt_experiment *experiment = results->experiment;
    struct grt_arena arena = {0};
    struct grt_result_names names = grt_result_names(experiment, &arena);
    put_comments(results, out);
    put_names(experiment, &names, out);
    for (size_t point = 0; point < experiment->point_count; point++) {
        for (size_t i = 0; i < experiment->evaluation_count; i++) {
            put_row(results, point, i, &names, out);
        }
    }
    grt_arena_clear(&arena);
}
