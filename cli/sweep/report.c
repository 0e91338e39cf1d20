#include "cli/sweep/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/terminal/output_file.h"
#include "cli/terminal/quantity.h"
#include "cli/terminal/text_table.h"
#include "sim/check.h"
#include "study/results/compare.h"
#include "study/results/results.h"

/* More points than this are not read in a terminal. */
enum { MOST_ROWS = 200 };

/* What a column says: of which evaluation, and which of its measures. */
struct column {
    size_t evaluation, measure;
    bool partial; /* a mean is of some of its point's sets: of how many the means are is said */
    bool is_time;
    struct grt_time_scale scale; /* of times */
};

#define RATIO SIZE_MAX

struct report {
    const struct grt_results *results;
    const struct grt_style *style;
    struct grt_arena arena;
    struct column *columns;
    size_t column_count;
    size_t rows; /* points that are shown, the first ones */
};

/* ---- cells ---- */

static const struct grt_evaluation *evaluation_of(const struct report *report, size_t evaluation) {
    return &report->results->experiment->points[0].evaluations[evaluation];
}

/* "Non-preemptive: EDF": labels may be repeated in other groups. */
static const char *heading_of(const struct grt_evaluation *evaluation, struct grt_arena *arena) {
    bool grouped = evaluation->group[0] != '\0';
    return grouped ? grt_format(arena, "%s: %s", evaluation->group, evaluation->label) : evaluation->label;
}

/* "0.842 [0.83, 0.85]", "-" of no sets. */
static void add_ratio(struct grt_table *table, const struct grt_tally *tally) {
    uint64_t sets = grt_tally_sets(tally), yes = tally->outcomes[GRT_OUTCOME_YES];
    struct grt_interval interval = grt_wilson(yes, sets, GRT_WILSON_95);
    if (sets == 0) {
        grt_table_add(table, "-");
    } else {
        grt_table_add(table, "%.3f [%.3f, %.3f]", (double)yes / (double)sets, interval.low, interval.high);
    }
}

/* "1.25", of a partial column "1.25 (17)"; "-" of no sets. */
static void add_mean(struct grt_table *table, const struct grt_moments *moments,
                     const struct column *column) {
    double mean = grt_moments_mean(moments);
    if (isnan(mean)) {
        grt_table_add(table, "-");
        return;
    }
    bool whole = !column->is_time || column->scale.size == 1; /* means of ns are not whole ones */
    const char *text = whole ? grt_format(table->arena, "%.4g", mean)
                             : grt_format(table->arena, "%.*f", mean == 0 ? 0 : column->scale.decimals,
                                          mean / (double)column->scale.size);
    if (column->partial) {
        grt_table_add(table, "%s (%" PRIu64 ")", text, moments->count);
    } else {
        grt_table_add(table, "%s", text);
    }
}

static void add_row(const struct report *report, struct grt_table *table, size_t point,
                    const struct column *columns, size_t count) {
    const struct grt_experiment *experiment = report->results->experiment;
    for (size_t i = 0; i < experiment->axis_count; i++) {
        grt_table_add(table, "%s", experiment->axes[i].values[experiment->points[point].values[i]]);
    }
    if (experiment->axis_count == 0) {
        grt_table_add(table, "all");
    }
    for (size_t i = 0; i < count; i++) {
        const struct grt_tally *tally = grt_results_tally(report->results, point, columns[i].evaluation);
        if (columns[i].measure == RATIO) {
            add_ratio(table, tally);
        } else {
            add_mean(table, &tally->moments[columns[i].measure], &columns[i]);
        }
    }
}

/* ---- tables ---- */

/* "response_max:t1 ms" */
static const char *name_of(const struct grt_evaluation *evaluation, const struct column *column,
                           struct grt_arena *arena) {
    size_t measures = 0;
    const char *name = grt_evaluation_measures(evaluation, &measures)[column->measure];
    return column->is_time ? grt_format(arena, "%s %s", name, column->scale.unit) : name;
}

static void add_headings(const struct report *report, struct grt_table *table, const struct column *columns,
                         size_t count) {
    const struct grt_experiment *experiment = report->results->experiment;
    for (size_t i = 0; i < experiment->axis_count; i++) {
        grt_table_add_column(table,
                             (struct grt_table_column){"", experiment->axes[i].name, GRT_TEXT_RIGHT, false});
    }
    if (experiment->axis_count == 0) {
        grt_table_add_column(table, (struct grt_table_column){"", "", GRT_TEXT_RIGHT, false});
    }
    for (size_t i = 0; i < count; i++) {
        const struct grt_evaluation *evaluation = evaluation_of(report, columns[i].evaluation);
        bool ratio = columns[i].measure == RATIO;
        grt_table_add_column(
            table, (struct grt_table_column){heading_of(evaluation, table->arena),
                                             ratio ? "ratio" : name_of(evaluation, &columns[i], table->arena),
                                             GRT_TEXT_RIGHT, ratio});
    }
}

static void print_table(struct report *report, const struct column *columns, size_t count, FILE *out) {
    struct grt_arena arena = {0};
    struct grt_table table = {.arena = &arena, .kept = report->results->experiment->axis_count};
    add_headings(report, &table, columns, count);
    for (size_t point = 0; point < report->rows; point++) {
        add_row(report, &table, point, columns, count);
    }
    grt_table_print(&table, report->style, out);
    grt_table_free(&table);
    grt_arena_clear(&arena);
}

static bool is_partial(const struct report *report, size_t evaluation, size_t measure) {
    for (size_t point = 0; point < report->rows; point++) {
        const struct grt_tally *tally = grt_results_tally(report->results, point, evaluation);
        uint64_t count = tally->moments[measure].count;
        if (count > 0 && count < grt_tally_sets(tally)) {
            return true;
        }
    }
    return false;
}

/* The unit of a column of times; sums of slacks may be below 0, and beyond what a time can be. */
static struct grt_time_scale scale_of(const struct report *report, size_t evaluation, size_t measure) {
    const double most = (double)(GRT_TIME_NEVER / 2);
    double largest = 0, smallest = most;
    for (size_t point = 0; point < report->rows; point++) {
        double mean =
            fabs(grt_moments_mean(&grt_results_tally(report->results, point, evaluation)->moments[measure]));
        largest = mean > largest ? mean : largest;
        smallest = mean >= 1 && mean < smallest ? mean : smallest;
    }
    return grt_time_scale_for((grt_time)(largest < most ? largest : most), (grt_time)smallest);
}

static struct column column_of(const struct report *report, size_t evaluation, size_t measure) {
    struct column column = {.evaluation = evaluation, .measure = measure};
    column.partial = is_partial(report, evaluation, measure);
    column.is_time = grt_measure_is_time(grt_evaluation_formula(evaluation_of(report, evaluation), measure));
    if (column.is_time) {
        column.scale = scale_of(report, evaluation, measure);
    }
    return column;
}

static void list_columns(struct report *report) {
    size_t most = 0, evaluations = report->results->experiment->evaluation_count;
    for (size_t i = 0; i < evaluations; i++) {
        size_t measures = 0;
        grt_evaluation_measures(evaluation_of(report, i), &measures);
        most += 1 + measures;
    }
    report->columns = grt_arena_array(&report->arena, most, sizeof *report->columns);
    for (size_t i = 0; i < evaluations; i++) {
        size_t measures = 0;
        grt_evaluation_measures(evaluation_of(report, i), &measures);
        report->columns[report->column_count++] = (struct column){.evaluation = i, .measure = RATIO};
        for (size_t j = 0; j < measures; j++) {
            report->columns[report->column_count++] = column_of(report, i, j);
        }
    }
}

/* ---- what else became of sets ---- */

static void print_others(struct report *report, FILE *out) {
    static const enum grt_outcome others[] = {GRT_OUTCOME_INAPPLICABLE, GRT_OUTCOME_REFUSED,
                                              GRT_OUTCOME_NONE};
    static const char *const words[] = {"no analysis applies", "refused", "no task set was found"};
    const struct grt_experiment *experiment = report->results->experiment;
    for (size_t i = 0; i < experiment->evaluation_count; i++) {
        for (size_t j = 0; j < sizeof others / sizeof others[0]; j++) {
            uint64_t count = 0, all = 0;
            for (size_t point = 0; point < experiment->point_count; point++) {
                count += grt_results_tally(report->results, point, i)->outcomes[others[j]];
                all += report->results->samples[point];
            }
            if (count > 0) {
                fprintf(out, "%s: %s: %" PRIu64 " of %" PRIu64 " sets\n",
                        heading_of(evaluation_of(report, i), &report->arena), words[j], count, all);
            }
        }
    }
}

static void print_notes(const struct report *report, FILE *out) {
    size_t left = report->results->experiment->point_count - report->rows;
    if (left > 0) {
        fprintf(out, "... and %zu more points: --csv FILE writes all of them\n", left);
    }
    for (size_t i = 0; i < report->column_count; i++) {
        if (report->columns[i].partial) {
            fputs("(n): the mean is of n sets of the point; the others have no value\n", out);
            return;
        }
    }
}

/* ---- what others found ---- */

/* Only of a whole sweep: the rest may change it. */
static void print_expected(const struct grt_results *results, FILE *out) {
    const struct grt_experiment *experiment = results->experiment;
    size_t claims = experiment->claim_count, values = experiment->published_count, holding = 0;
    struct grt_agreed agreed = {0};
    char text[GRT_AGREED_TEXT_SIZE];
    if (!results->complete || claims + values == 0) {
        return;
    }
    for (size_t i = 0; i < claims; i++) {
        holding += grt_compare_claim(results, &experiment->claims[i]).holds;
    }
    for (size_t i = 0; i < values; i++) {
        const struct grt_compared compared = grt_compare_published(results, &experiment->published[i]);
        grt_agreed_count(&agreed, &compared);
    }
    if (claims > 0) {
        fprintf(out, "claims: %zu of %zu hold\n", holding, claims);
    }
    if (values > 0) {
        fprintf(out, "%s\n", grt_agreed_text(&agreed, text));
    }
    fprintf(out,
            "each of them, evaluated anew as the file says: gpurt papers %s; of a file of your own, in "
            "FOLDER/experiments, with --library=FOLDER\n",
            experiment->name);
}

static void print_heading(const struct grt_results *results, FILE *out) {
    const struct grt_experiment *experiment = results->experiment;
    bool title = experiment->title != NULL && experiment->title[0] != '\0' &&
                 strcmp(experiment->title, experiment->name) != 0;
    fprintf(out, "%s%s%s\n", experiment->name, title ? ": " : "", title ? experiment->title : "");
    fprintf(out, "%zu point%s, %" PRId64 " task set%s each, seed %" PRIu64 "%s\n\n", experiment->point_count,
            experiment->point_count == 1 ? "" : "s", experiment->samples, experiment->samples == 1 ? "" : "s",
            experiment->seed, results->complete ? "" : "; not all of them are done");
}

void grt_sweep_report(const struct grt_results *results, const struct grt_style *style, FILE *out) {
    size_t points = results->experiment->point_count;
    struct report report = {
        .results = results, .style = style, .rows = points < MOST_ROWS ? points : MOST_ROWS};
    print_heading(results, out);
    list_columns(&report);
    size_t axes = results->experiment->axis_count, room = GRT_TABLE_COLUMNS - (axes > 0 ? axes : 1);
    for (size_t first = 0; first < report.column_count; first += room) {
        size_t left = report.column_count - first;
        if (first > 0) {
            fputc('\n', out);
        }
        print_table(&report, report.columns + first, left < room ? left : room, out);
    }
    print_notes(&report, out);
    print_others(&report, out);
    print_expected(results, out);
    grt_arena_clear(&report.arena);
}

/* ---- files ---- */

/* Pipes and devices are not opened only to look: their readers would take it for the end. */
static bool check_file(const char *path, struct grt_errors *errors) {
    struct stat status;
    if (path == NULL || grt_is_standard_output(path)) {
        return true;
    }
    bool is_there = stat(path, &status) == 0;
    if (is_there && S_ISDIR(status.st_mode)) {
        grt_error_add(errors, NULL, "%s: is a folder: name a file", path);
        return false;
    }
    if (is_there && !S_ISREG(status.st_mode)) {
        return true;
    }
    struct grt_output *output = grt_output_open(path, errors);
    grt_output_discard(output);
    return output != NULL;
}

bool grt_result_files_check(const struct grt_experiment_options *options, struct grt_errors *errors) {
    return check_file(options->csv, errors) && check_file(options->json, errors);
}

static bool write_csv(const char *path, const struct grt_results *results, struct grt_errors *errors) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    GRT_REQUIRE(out != NULL, "have more memory");
    grt_results_csv(results, out);
    fclose(out);
    bool good = grt_output_text(path, text, "", errors);
    free(text);
    return good;
}

static bool write_json(const char *path, const struct grt_results *results, struct grt_errors *errors) {
    char *text = grt_results_json(results);
    bool good = grt_output_text(path, text, "", errors);
    free(text);
    return good;
}

bool grt_result_files_write(const struct grt_experiment_options *options, const struct grt_results *results,
                            struct grt_errors *errors) {
    bool good = options->csv == NULL || write_csv(options->csv, results, errors);
    return (options->json == NULL || write_json(options->json, results, errors)) && good;
}
