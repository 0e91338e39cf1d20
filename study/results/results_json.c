#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "scenarios/build_id.h"
#include "sim/check.h"
#include "study/results/result_text.h"
#include "study/results/results.h"

/* Written piece by piece: a tree of all points would be many times as large as the text. */

/* Control characters stay: JSON has escapes of its own for them. */
static void put_text(const char *text, FILE *out) {
    char *clean = grt_result_text(text != NULL ? text : "", NULL);
    cJSON *string = cJSON_CreateString(clean);
    char *shown = cJSON_PrintUnformatted(string);
    GRT_REQUIRE(shown != NULL, "have more memory");
    fputs(shown, out);
    cJSON_free(shown);
    cJSON_Delete(string);
    free(clean);
}

static void put_member(const char *key, const char *text, FILE *out) {
    fprintf(out, "\"%s\": ", key);
    put_text(text, out);
}

static void put_number(double number, FILE *out) {
    char text[GRT_DOUBLE_TEXT_SIZE];
    fputs(isfinite(number) ? grt_double_text(number, text) : "null", out);
}

static void put_head(const struct grt_results *results, FILE *out) {
    const struct grt_experiment *experiment = results->experiment;
    const struct {
        const char *key, *text;
    } texts[] = {{"experiment", experiment->name},
                 {"title", experiment->title},
                 {"description", experiment->description},
                 {"source", experiment->source}};
    fprintf(out, "{\n  \"gpurt\": \"" GRT_VERSION "\",\n  \"build\": \"%s\"", grt_build_id);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        fputs(",\n  ", out);
        put_member(texts[i].key, texts[i].text, out);
    }
    fprintf(out, ",\n  \"seed\": %" PRIu64 ",\n  \"samples\": %" PRId64, experiment->seed,
            experiment->samples);
    fprintf(out, ",\n  \"identity\": \"%016" PRIx64 "\",\n  \"inputs\": [", experiment->identity);
    for (size_t i = 0; i < experiment->input_count; i++) {
        fputs(i > 0 ? ", {" : "{", out);
        put_member("name", experiment->inputs[i].name, out);
        fprintf(out, ", \"hash\": \"%016" PRIx64 "\"}", experiment->inputs[i].hash);
    }
    fprintf(out, "],\n  \"complete\": %s", results->complete ? "true" : "false");
}

static void put_axis(const struct grt_axis *axis, FILE *out) {
    fputs("\n    {", out);
    put_member("name", axis->name, out);
    fputs(", ", out);
    put_member("label", axis->label, out);
    fprintf(out, ", \"same_sets\": %s, \"values\": [", axis->same_sets ? "true" : "false");
    for (size_t i = 0; i < axis->count; i++) {
        fputs(i > 0 ? ", " : "", out);
        put_text(axis->values[i], out);
    }
    fputs("], \"numbers\": ", out);
    for (size_t i = 0; axis->numbers != NULL && i < axis->count; i++) {
        fputs(i > 0 ? ", " : "[", out);
        put_number(axis->numbers[i], out);
    }
    fputs(axis->numbers != NULL ? "]}" : "null}", out);
}

/* ---- points ---- */

static void put_moments(const struct grt_moments *moments, FILE *out) {
    const double least = moments->count > 0 ? moments->least : (double)NAN;
    const double most = moments->count > 0 ? moments->most : (double)NAN;
    const struct grt_interval interval = grt_moments_interval(moments);
    const struct {
        const char *key;
        double number;
    } numbers[] = {{"mean", grt_moments_mean(moments)},
                   {"deviation", grt_moments_deviation(moments)},
                   {"low", interval.low},
                   {"high", interval.high},
                   {"least", least},
                   {"most", most}};
    fprintf(out, "{\"count\": %" PRIu64, moments->count);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        fprintf(out, ", \"%s\": ", numbers[i].key);
        put_number(numbers[i].number, out);
    }
    fputc('}', out);
}

static void put_counts(const struct grt_tally *tally, FILE *out) {
    uint64_t sets = grt_tally_sets(tally), yes = tally->outcomes[GRT_OUTCOME_YES];
    struct grt_interval interval = grt_wilson(yes, sets, GRT_WILSON_95);
    fprintf(out, ", \"sets\": %" PRIu64 ", \"outcomes\": {", sets);
    for (int outcome = 0; outcome < GRT_OUTCOMES; outcome++) {
        fprintf(out, "%s\"%s\": %" PRIu64, outcome > 0 ? ", " : "", grt_outcome_names[outcome],
                tally->outcomes[outcome]);
    }
    fputs("}, \"ratio\": ", out);
    put_number(sets > 0 ? (double)yes / (double)sets : (double)NAN, out);
    fputs(", \"low\": ", out);
    put_number(interval.low, out);
    fputs(", \"high\": ", out);
    put_number(interval.high, out);
}

static void put_evaluation(const struct grt_results *results, size_t point, size_t number, FILE *out) {
    const struct grt_evaluation *evaluation = &results->experiment->points[point].evaluations[number];
    const struct grt_tally *tally = grt_results_tally(results, point, number);
    size_t count;
    const char *const *measures = grt_evaluation_measures(evaluation, &count);
    fputs("\n      {", out);
    put_member("name", evaluation->name, out);
    fputs(", ", out);
    put_member("label", evaluation->label, out);
    fputs(", ", out);
    put_member("kind", grt_evaluation_kinds[evaluation->kind]->name, out);
    put_counts(tally, out);
    fputs(", \"measures\": {", out);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", out);
        put_text(measures[i], out);
        fputs(": ", out);
        put_moments(&tally->moments[i], out);
    }
    fputs("}}", out);
}

static void put_point(const struct grt_results *results, size_t point, FILE *out) {
    const struct grt_experiment *experiment = results->experiment;
    fputs("\n    {\"values\": {", out);
    for (size_t i = 0; i < experiment->axis_count; i++) {
        fputs(i > 0 ? ", " : "", out);
        put_text(experiment->axes[i].name, out);
        fputs(": ", out);
        put_text(experiment->axes[i].values[experiment->points[point].values[i]], out);
    }
    fprintf(out, "}, \"samples\": %" PRIu64 ", \"evaluations\": [", results->samples[point]);
    for (size_t i = 0; i < experiment->evaluation_count; i++) {
        fputs(i > 0 ? "," : "", out);
        put_evaluation(results, point, i, out);
    }
    fputs("]}", out);
}

char *grt_results_json(const struct grt_results *results) {
    const struct grt_experiment *experiment = results->experiment;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    GRT_REQUIRE(out != NULL, "have more memory");
    put_head(results, out);
    fputs(",\n  \"axes\": [", out);
    for (size_t i = 0; i < experiment->axis_count; i++) {
        fputs(i > 0 ? "," : "", out);
        put_axis(&experiment->axes[i], out);
    }
    fputs("],\n  \"points\": [", out);
    for (size_t i = 0; i < experiment->point_count; i++) {
        fputs(i > 0 ? "," : "", out);
        put_point(results, i, out);
    }
    fputs("]\n}\n", out);
    fclose(out);
    return text;
}
