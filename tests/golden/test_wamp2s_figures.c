/* labels: golden soak once */
/* What docs/wamp2s-figures.md shows is what the program draws, and its tables and charts are those of the paper beside what is simulated. What takes minutes is
 * made and compared where the environment has GRT_SOAK=1 only; tests/paper holds a part of it always. With GRT_UPDATE in the environment it is written. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "tests/support/document.h"
#include "tests/support/line_chart.h"
#include "tests/support/suite.h"
#include "tests/support/swept.h"
#include "tests/support/wamp2s_figures.h"
#include "tests/support/wamp2s_models.h"
#include "tests/support/wamp2s_remaining.h"

#define EXPERIMENTS "scenarios/papers/wamp2s/experiments/"

enum { PICTURES = 12, LAST_POINT = 25, LEAST_COUNT = 3, JOBS = 400 };

static const struct grt_document document = {.path = "docs/wamp2s-figures.md", .program = GRT_PROGRAM};

/* ---- figures 1 and 6 ---- */

static void write_figure_1(FILE *out) {
    static const struct {
        const char *name;
        int64_t mode;
    } modes[] = {{"concurrent", GRT_SHARE_MODE_CONCURRENT},
                 {"time slicing", GRT_SHARE_MODE_TIME_SLICING},
                 {"left over", GRT_SHARE_MODE_LEFT_OVER}};
    fputs(
        "| others | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
        out);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        fprintf(out, "| %s, ms |", modes[i].name);
        for (size_t others = 0; others < RODINIA_APPLICATIONS; others++) {
            double time = wamp2s_lavamd(others, modes[i].mode);
            if (isinf(time)) {
                fputs(" – |", out);
            } else {
                fprintf(out, " %.0f |", time);
            }
        }
        fputc('\n', out);
    }
}

static void write_figure_6(FILE *out) {
    static const int64_t shares[] = {5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100};
    fputs("| vprocessors |", out);
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        fprintf(out, " %d |", (int)shares[i]);
    }
    fputs("\n|---|---|---|---|---|---|---|---|---|---|---|---|\n", out);
    for (size_t i = 0; i < RODINIA_APPLICATIONS; i++) {
        fprintf(out, "| %s, ms |", rodinia_applications[i].task);
        for (size_t j = 0; j < sizeof shares / sizeof shares[0]; j++) {
            fprintf(out, " %.0f |", wamp2s_alone(i, shares[j]) * (double)rodinia_applications[i].worst / 1e6);
        }
        fputc('\n', out);
    }
}

/* ---- figures 11 and 16 ---- */

/* The least and the greatest MAPE of the last table of models. */
struct range {
    double low, high;
};

static struct range rodinia_range, airborne_range;

static struct range write_models(FILE *out, const char *scenario) {
    static struct wamp2s_models models;
    struct range range = {1, 0};
    wamp2s_train(scenario, &wamp2s_full, &models);
    fputs("| application | rules | MAPE, % | by eq. (15), % | largest, % | RMSE, ms | extrapolates, % | "
          "log-linear, % | nearest, % |\n|---|---|---|---|---|---|---|---|---|\n",
          out);
    for (size_t i = 0; i < models.count; i++) {
        const struct wamp2s_accuracy *accuracy = &models.accuracies[i];
        range.low = fmin(range.low, 100 * accuracy->network.error_of_estimate);
        range.high = fmax(range.high, 100 * accuracy->network.error_of_estimate);
        fprintf(out, "| `%s` | %d | %.2f | %.2f | %.1f | %.1f | %.1f | %.2f | %.2f |\n",
                models.networks[i].kernel, (int)models.networks[i].rules, 100 * accuracy->network.error,
                100 * accuracy->network.error_of_estimate, 100 * accuracy->network.largest,
                accuracy->network.root_mean_square / 1e6, 100 * accuracy->network.unknown,
                100 * accuracy->linear.error, 100 * accuracy->nearest.error);
    }
    return range;
}

static void write_figure_11(FILE *out) {
    rodinia_range = write_models(out, "rodinia-1.0-wamp2s");
}

static void write_figure_16(FILE *out) {
    airborne_range = write_models(out, "airborne-wamp2s");
}

/* ---- figures 12 and 13 ---- */

enum { MYOCYTE = 7, GAPS = 4 };

/* The experiment: means of many jobs. */
static void write_four_changes(FILE *out) {
    static const char *const compared[][2] = {{"perfect", "perfect model"}, {"static-shares", "SOFNN"}};
    struct swept *swept = swept_open(EXPERIMENTS "figure-12.json", 0, NULL);
    for (size_t row = 0; row < 2; row++) {
        fprintf(out, "| mean of 200 beside KM and LUD, %s |", compared[row][1]);
        for (int i = 1; i <= 5; i++) {
            char number[16];
            snprintf(number, sizeof number, "%d", i);
            fprintf(out, " %.2f %% |",
                    swept_mean(swept, compared[row][0], "estimate_error_percent_of:MC",
                               (const char *const[]){number, NULL}));
        }
        fputc('\n', out);
    }
    swept_close(swept);
}

/* The first jobs of MC with four changes. */
static void write_figure_12(FILE *out) {
    int found = 0;
    fputs("| job of MC | 1st estimate | 2nd | 3rd | 4th | 5th |\n|---|---|---|---|---|---|\n", out);
    for (uint64_t number = 0; found < 4; number++) {
        struct wamp2s_remaining_job job;
        wamp2s_remaining_job(MYOCYTE, number, GAPS * 1e9, wamp2s_rodinia_networks(), &job);
        if (job.count != 5) {
            continue;
        }
        fprintf(out, "| %.0f ms with %d vprocessors |", job.time / 1e6, (int)job.shares[MYOCYTE]);
        for (size_t i = 0; i < job.count; i++) {
            const struct wamp2s_estimate_made *made = &job.items[i];
            fprintf(out, " %.2f %% at %.0f %% |", 100 * fabs(made->estimated / made->remained - 1),
                    100 * made->done);
        }
        fputc('\n', out);
        found++;
    }
    write_four_changes(out);
}

static struct {
    struct wamp2s_remaining learnt, perfect;
    bool known;
} errors;

static void find_errors(void) {
    if (!errors.known) {
        wamp2s_remaining(JOBS, GAPS * 1e9, wamp2s_rodinia_networks(), &errors.learnt);
        wamp2s_remaining(JOBS, GAPS * 1e9, NULL, &errors.perfect);
        errors.known = true;
    }
}

static void write_errors(FILE *out, const char *name, const double *means, const uint64_t *estimates) {
    fprintf(out, "| %s |", name);
    for (int i = 0; i < WAMP2S_BINS; i += 2) {
        uint64_t count = estimates[i] + estimates[i + 1];
        double sum = means[i] * (double)estimates[i] + means[i + 1] * (double)estimates[i + 1];
        if (count > 0) {
            fprintf(out, " %.2f |", 100 * sum / (double)count);
        } else {
            fputs(" – |", out);
        }
    }
    double threshold = wamp2s_threshold(means, estimates, 0.01);
    if (threshold < 1) {
        fprintf(out, " %.0f %% |\n", 100 * threshold);
    } else {
        fputs(" never |\n", out);
    }
}

/* Of an experiment: means over sets of the means of tenths. */
static void write_swept_errors(FILE *out, const char *name, const struct swept *swept,
                               const char *evaluation) {
    double means[WAMP2S_BINS];
    uint64_t estimates[WAMP2S_BINS];
    for (int i = 0; i < WAMP2S_BINS; i++) {
        char middle[16];
        snprintf(middle, sizeof middle, "%d", i / 2 * 10 + 5);
        means[i] =
            swept_mean(swept, evaluation, "estimate_error_percent", (const char *const[]){middle, NULL}) /
            100;
        estimates[i] = 1;
    }
    write_errors(out, name, means, estimates);
}

static void write_all_swept(FILE *out) {
    struct swept *stay = swept_open(EXPERIMENTS "figure-13-fixed-shares.json", 0, NULL);
    write_swept_errors(out, "`static-shares`, perfect model, of what remains", stay, "perfect");
    write_swept_errors(out, "`static-shares`, SOFNN, of what remains", stay, "static-shares");
    swept_close(stay);
    struct swept *work = swept_open(EXPERIMENTS "figure-13.json", 0, NULL);
    write_swept_errors(out, "`wamp2s` at work, of what remains", work, "wamp2s");
    swept_close(work);
}

static void write_figure_13(FILE *out) {
    find_errors();
    fputs(
        "| error, %, by completion | 0–10 % | 10–20 | 20–30 | 30–40 | 40–50 | 50–60 | 60–70 | 70–80 | 80–90 "
        "| 90–100 | below 1 % from |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        out);
    write_errors(out, "perfect model, of what remains", errors.perfect.of_remaining,
                 errors.perfect.estimates);
    write_errors(out, "perfect model, of the whole job", errors.perfect.of_time, errors.perfect.estimates);
    write_errors(out, "SOFNN, of what remains", errors.learnt.of_remaining, errors.learnt.estimates);
    write_errors(out, "SOFNN, of the whole job", errors.learnt.of_time, errors.learnt.estimates);
    write_all_swept(out);
}

/* ---- figure 14 ---- */

/* The rows of its tables: an evaluation of the figure, or of that of other GPUs. */
static const struct row {
    const char *name, *evaluation;
    bool other;
} rows[] = {
    {"`wamp2s`", "wamp2s", false},
    {"`wamp2s`, `predictor` `perfect`", "perfect", false},
    {"`wamp2s`, `predictor` `none`", "none", false},
    {"`wamp2s`, `variant` `paper`", "paper", false},
    {"`wamp2s`, shares by tokens", "tokens", true},
    {"`static-shares`", "static-shares", false},
    {"`hardware`, time slicing", "time-slicing", false},
    {"`hardware`, left over", "left-over", false},
    {"`hardware`, concurrent", "concurrent", true},
    {"`wamp2s`, `max-min`", "strict", true},
    {"`hardware`, concurrent, `max-min`", "strict-concurrent", true},
};

enum { ROWS = sizeof rows / sizeof rows[0], MODEL_ROW = 0, TURNS_ROW = 6 };

/* By tenths of utilisation; of none, all are. */
static uint64_t good[ROWS][LAST_POINT + 2];
static uint64_t all_sets;

static void find_schedulable(void) {
    if (all_sets > 0) {
        return;
    }
    struct swept *figures[] = {swept_open(EXPERIMENTS "figure-14.json", 0, NULL),
                               swept_open(EXPERIMENTS "figure-14-other-gpus.json", 0, NULL)};
    const struct grt_axis *axis = &figures[0]->experiment.axes[0];
    CU_ASSERT_EQUAL_FATAL(axis->count, LAST_POINT);
    for (int i = 0; i < ROWS; i++) {
        for (size_t point = 0; point < axis->count; point++) {
            good[i][point + 1] = swept_tally(figures[rows[i].other], rows[i].evaluation, &axis->values[point])
                                     ->outcomes[GRT_OUTCOME_YES];
        }
    }
    all_sets = (uint64_t)figures[0]->experiment.samples;
    swept_close(figures[0]);
    swept_close(figures[1]);
}

static void write_ratio(FILE *out, uint64_t count) {
    struct grt_interval interval = grt_wilson(count, all_sets, GRT_WILSON_95);
    fprintf(out, " %.1f (%.1f–%.1f) |", 100.0 * (double)count / (double)all_sets, 100 * interval.low,
            100 * interval.high);
}

/* Up to which tenth of utilisation all sets are schedulable. */
static int all_up_to(int policy) {
    int all = 0;
    while (all < LAST_POINT && good[policy][all + 1] == all_sets) {
        all++;
    }
    return all;
}

static void write_leaves(FILE *out) {
    find_schedulable();
    fputs("| | all sets up to | there, % | at 0.1 more, % | half of them up to |\n|---|---|---|---|---|\n",
          out);
    for (int i = 0; i < ROWS; i++) {
        int all = all_up_to(i), half = 0;
        for (int point = 1; point <= LAST_POINT; point++) {
            half = 2 * good[i][point] >= all_sets ? point : half;
        }
        fprintf(out, "| %s | %.1f |", rows[i].name, all / 10.0);
        write_ratio(out, all > 0 ? good[i][all] : all_sets);
        write_ratio(out, good[i][all + 1]);
        fprintf(out, " %s%.1f |\n", half == LAST_POINT ? "beyond " : "", half / 10.0);
    }
}

static void write_figure_14(FILE *out) {
    find_schedulable();
    fputs("| schedulable, % | 0.2 | 0.4 | 0.6 | 0.8 | 1.0 | 1.2 | 1.4 | 1.6 | 1.8 | 2.0 | 2.2 | 2.4 |\n"
          "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
          out);
    for (int i = 0; i < ROWS; i++) {
        fprintf(out, "| %s |", rows[i].name);
        for (int point = 2; point < LAST_POINT; point += 2) {
            fprintf(out, " %g |", 100.0 * (double)good[i][point] / (double)all_sets);
        }
        fputc('\n', out);
    }
}

/* ---- figure 15 ---- */

enum { COUNTS = RODINIA_APPLICATIONS - LEAST_COUNT + 1 };
enum checks { STANDARD, WDC, AETC, BOTH, CHECKS };

/* Means over sets. */
static struct overhead {
    double per_job; /* us */
    double runs, predictions;
} overheads[COUNTS][CHECKS];

static void find_overheads(void) {
    static const char *const names[CHECKS] = {"standard", "wdc", "aetc", "both"};
    if (overheads[0][0].runs > 0) {
        return;
    }
    struct swept *swept = swept_open(EXPERIMENTS "figure-15.json", 0, NULL);
    for (int i = 0; i < COUNTS; i++) {
        const char *const *at = &swept->experiment.axes[0].values[i];
        for (int j = 0; j < CHECKS; j++) {
            overheads[i][j] = (struct overhead){swept_mean(swept, names[j], "mean_overhead", at) / 1e3,
                                                swept_mean(swept, names[j], "runs_per_job", at),
                                                swept_mean(swept, names[j], "predictions_per_job", at)};
        }
    }
    swept_close(swept);
}

static void write_figure_15(FILE *out) {
    find_overheads();
    fputs("| applications | standard, us | WDC | AETC | both | operations, predictions: standard | WDC | "
          "AETC | "
          "both |\n|---|---|---|---|---|---|---|---|---|\n",
          out);
    for (int i = 0; i < COUNTS; i++) {
        fprintf(out, "| %d |", i + LEAST_COUNT);
        for (int checks = 0; checks < CHECKS; checks++) {
            fprintf(out, " %.1f |", overheads[i][checks].per_job);
        }
        for (int checks = 0; checks < CHECKS; checks++) {
            fprintf(out, " %.2f, %.2f |", overheads[i][checks].runs, overheads[i][checks].predictions);
        }
        fputc('\n', out);
    }
}

/* By how much less a check has, summed over the numbers of applications. */
static double reduction(enum checks checks, int what) {
    double before = 0, after = 0;
    for (int i = 0; i < COUNTS; i++) {
        const struct overhead *a = &overheads[i][STANDARD], *b = &overheads[i][checks];
        before += what == 0 ? a->per_job : what == 1 ? a->runs : a->predictions;
        after += what == 0 ? b->per_job : what == 1 ? b->runs : b->predictions;
    }
    return 100 * (1 - after / before);
}

static void write_reductions(FILE *out) {
    static const char *const names[] = {"WDC", "AETC", "both"}, *const published[] = {"48.5", "16.2", "63.3"};
    find_overheads();
    fputs("| less by, % | paper | overhead of a job | operations | predictions |\n|---|---|---|---|---|\n",
          out);
    for (int i = 0; i < 3; i++) {
        enum checks checks = (enum checks)(i + 1);
        fprintf(out, "| %s | %s | %.1f | %.1f | %.1f |\n", names[i], published[i], reduction(checks, 0),
                reduction(checks, 1), reduction(checks, 2));
    }
}

/* ---- table 4 ---- */

static void write_table_4(FILE *out) {
    static const char *const files[] = {"wamp2s", "paper", "time-slicing", "left-over"};
    static const char *const names[] = {"`wamp2s`", "`wamp2s`, `variant` `paper`", "`hardware`, time slicing",
                                        "`hardware`, left over"};
    fputs(
        "| deadlines missed, seed | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |\n|---|---|---|---|---|---|---|---|---|\n",
        out);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        uint64_t jobs;
        fprintf(out, "| %s |", names[i]);
        for (unsigned seed = 1; seed <= 8; seed++) {
            int64_t missed = wamp2s_airborne(files[i], NULL, seed, &jobs);
            fprintf(out, " %lld of %llu |", (long long)missed, (unsigned long long)jobs);
        }
        fputc('\n', out);
    }
}

/* ---- in short ---- */

/* Made last: it goes by what the others found. */
static void write_short(FILE *out) {
    double threshold = wamp2s_threshold(errors.perfect.of_remaining, errors.perfect.estimates, 0.01);
    fputs("| | paper | here |\n|---|---|---|\n", out);
    fprintf(out,
            "| MAPE of the Rodinia applications' networks, eq. (15) | 0.95 to 2.58 %% | %.2f to %.2f %% |\n",
            rodinia_range.low, rodinia_range.high);
    fprintf(out, "| of the airborne applications' | 0.85 to 5.17 %% | %.2f to %.2f %% |\n",
            airborne_range.low, airborne_range.high);
    fprintf(out,
            "| completion from which the remaining time is known to 1 %% | 76.42 %% | %.0f %% with a perfect "
            "model, "
            "never with a learnt one |\n",
            100 * threshold);
    fprintf(out, "| all sets are schedulable up to U, `wamp2s` | 1.5 | %.1f |\n",
            all_up_to(MODEL_ROW) / 10.0);
    fprintf(out, "| without it, time slicing | 0.6 | %.1f |\n", all_up_to(TURNS_ROW) / 10.0);
    fprintf(out, "| overhead saved by WDC, AETC, both | 48.5, 16.2, 63.3 %% | %.1f, %.1f, %.1f %% |\n",
            reduction(WDC, 0), reduction(AETC, 0), reduction(BOTH, 0));
    fprintf(out, "| operations saved | | %.1f, %.1f, %.1f %% |\n", reduction(WDC, 1),
            fabs(reduction(AETC, 1)), reduction(BOTH, 1));
}

/* ---- charts ---- */

static void draw_figure_14(void) {
    static const int shown[] = {0, 2, 3, 5, 6, 7}; /* rows */
    static const char *const names[] = {"wamp2s",        "wamp2s without a model", "wamp2s as printed",
                                        "static-shares", "hardware, time slicing", "hardware, left over"};
    static struct grt_line_chart chart = {.x_title = "utilisation",
                                          .y_title = "schedulable sets, percent",
                                          .x_last = 2,
                                          .y_last = 100,
                                          .x_step = .2,
                                          .y_step = 20,
                                          .series_count = 6};
    static char text[GRT_CHART_SIZE];
    chart.point_count = 20;
    for (int point = 0; point < chart.point_count; point++) {
        chart.x[point] = (point + 1) / 10.0;
        for (int i = 0; i < chart.series_count; i++) {
            chart.series[i].name = names[i];
            chart.series[i].y[point] = 100.0 * (double)good[shown[i]][point + 1] / (double)all_sets;
        }
    }
    grt_line_chart_write(&chart, text);
    grt_document_chart("wamp2s-figure-14.svg", text);
}

/* ---- tests ---- */

static void test_tables(void) {
    static const struct grt_document_table tables[] = {
        {"figure 1", write_figure_1}, {"figure 6", write_figure_6}, {"table 4", write_table_4}, {0}};
    CU_ASSERT_EQUAL(grt_document_tables(&document, tables), 3);
}

static void test_long_tables(void) {
    static const struct grt_document_table tables[] = {
        {"figure 11", write_figure_11},   {"figure 12", write_figure_12},
        {"figure 13", write_figure_13},   {"leaves", write_leaves},
        {"figure 14", write_figure_14},   {"figure 15", write_figure_15},
        {"reductions", write_reductions}, {"figure 16", write_figure_16},
        {"short", write_short},           {0}};
    if (grt_suite_is_long()) {
        CU_ASSERT_EQUAL(grt_document_tables(&document, tables), 9);
        draw_figure_14();
    }
}

static void test_pictures(void) {
    CU_ASSERT_EQUAL(grt_document_pictures(&document), PICTURES);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"tables that are made quickly are current", test_tables},
        {"tables that take minutes are current", test_long_tables},
        {"pictures are current", test_pictures},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run(document.path, tests);
}
