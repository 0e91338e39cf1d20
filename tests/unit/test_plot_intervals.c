/* Intervals in figures: of ratios and of the means of measures, where there are some, and ends that are wrong. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/plot/figure.h"
#include "study/plot/script.h"
#include "tests/support/plot_script.h"
#include "tests/support/suite.h"

static const struct grt_plot_options of_measure = {.y = "response_max"},
                                     of_log = {.y = "response_max", .y_log = true};

/* Times in ns; of one set there is no interval. */
static const char results[] = "u,evaluation,ratio,low,high,response_max,sets:response_max,low:response_max,"
                              "high:response_max\r\n"
                              "1,a,1,0.7,1,2000000,3,1000000,3000000\r\n"
                              "2,a,1,0.7,1,3000000,3,2500000,3500000\r\n"
                              "3,a,1,0.7,1,4000000,1,,\r\n"
                              "4,a,1,0.7,1,5000000,2,-75000000,85000000\r\n";

static bool make(const char *text, const struct grt_plot_options *options, struct grt_figure *figure,
                 struct grt_errors *errors) {
    struct grt_result_table table;
    bool read = grt_result_table_parse(text, strlen(text), &table, errors);
    CU_ASSERT_FATAL(read);
    bool made = grt_figure_make(&table, NULL, options, figure, errors);
    grt_result_table_free(&table);
    return made;
}

static void make_good(const char *text, const struct grt_plot_options *options, struct grt_figure *figure) {
    struct grt_errors errors = {0};
    CU_ASSERT_FATAL(make(text, options, figure, &errors));
}

/* The intervals are those of the measure, in its unit, not the ratio's; an immense one is cut off by the figure. */
static void measures_have_their_own(void) {
    struct grt_figure figure;
    make_good(results, &of_measure, &figure);
    const struct grt_figure_point *points = figure.panels[0].lines[0].points;
    CU_ASSERT(points[0].y == 2 && points[0].low == 1 && points[0].high == 3);
    CU_ASSERT(points[1].low == 2.5 && points[1].high == 3.5);
    CU_ASSERT(isnan(points[2].low) && isnan(points[2].high));
    CU_ASSERT(points[3].low == -75 && points[3].high == 85);
    CU_ASSERT(figure.y_from == 0 && figure.y_to >= 5 && figure.y_to <= 8);
    CU_ASSERT_STRING_EQUAL(figure.y_label, "Largest response (ms)");
    grt_figure_free(&figure);
    make_good("u,evaluation,ratio,m,low:m,high:m\n1,a,1,100,80,120\n2,a,1,101,82,130\n",
              &(struct grt_plot_options){.y = "m"}, &figure);
    CU_ASSERT(figure.y_from <= 80 && figure.y_to >= 130); /* though the points are near each other */
    grt_figure_free(&figure);
    make_good(results, &(struct grt_plot_options){0}, &figure);
    CU_ASSERT(figure.panels[0].lines[0].points[0].low == 0.7);
    CU_ASSERT_STRING_EQUAL(figure.y_label, "Ratio of task sets");
    grt_figure_free(&figure);
}

/* Where a point has no interval the band ends; an interval without neighbours is a bar. */
static void bands_have_gaps(void) {
    struct grt_figure figure;
    make_good(results, &of_measure, &figure);
    char *script = script_of(&figure);
    CU_ASSERT_PTR_NOT_NULL(strstr(script, "\n$b0_0 << END\n1 2 1 3\n2 3 2.5 3.5\nEND\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(script, "\n$e0_0 << END\n4 5 -75 85\nEND\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(script, "$b0_0 using 1:3:4 with filledcurves"));
    CU_ASSERT_PTR_NOT_NULL(strstr(script, "$e0_0 using 1:2:3:4 with yerrorbars"));
    free(script);
    grt_figure_free(&figure);
    make_good(results, &(struct grt_plot_options){0}, &figure);
    script = script_of(&figure); /* all ratios have intervals */
    CU_ASSERT_PTR_NOT_NULL(strstr(script, "$d0_0 using 1:3:4 with filledcurves"));
    CU_ASSERT_PTR_NULL(strstr(script, "$b0_0"));
    CU_ASSERT_PTR_NULL(strstr(script, "$e0_0"));
    free(script);
    grt_figure_free(&figure);
}

/* A logarithmic axis ends above 0, and so does what is drawn of an interval. */
static void logarithmic_axes_cut_intervals(void) {
    struct grt_figure figure;
    make_good(results, &of_log, &figure);
    char *script = script_of(&figure);
    CU_ASSERT(figure.y_from == 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(script, "\n4 5 1 85\n"));
    free(script);
    grt_figure_free(&figure);
}

/* Results of before intervals of means, or other tables, have none. */
static void tables_without_intervals_have_none(void) {
    struct grt_figure figure;
    make_good("u,evaluation,ratio,jobs\n1,a,1,2\n2,a,1,3\n", &(struct grt_plot_options){.y = "jobs"},
              &figure);
    CU_ASSERT(isnan(figure.panels[0].lines[0].points[0].low));
    char *script = script_of(&figure);
    CU_ASSERT_PTR_NULL(strstr(script, "filledcurves"));
    CU_ASSERT_PTR_NULL(strstr(script, "yerrorbars"));
    free(script);
    grt_figure_free(&figure);
}

static void wrong_intervals_are_refused(void) {
    static const struct {
        const char *text, *y, *message;
    } cases[] = {
        {"u,evaluation,ratio,low\n1,a,0.5,0.4\n2,a,0.6,0.5\n", "ratio",
         "column \"low\" is there, but not the other end of the interval of ratio"},
        {"u,evaluation,ratio,m,high:m\n1,a,0.5,4,5\n2,a,0.6,5,6\n", "m",
         "column \"high:m\" is there, but not the other end of the interval of m"},
        {"u,evaluation,ratio,low,high\n1,a,0.5,oops,1\n2,a,0.6,0.5,1\n", "ratio",
         "column \"low\", row 1: must be a number (got \"oops\")"},
        {"u,evaluation,ratio,low,high\n1,a,0.5,0.4,1\n2,a,0.6,0.7,1\n", "ratio",
         "column \"low\", row 2: must not be above ratio, which is 0.6 (got 0.7)"},
        {"u,evaluation,ratio,low,high\n1,a,0.5,0.4,1\n2,a,0.6,0.5,0.55\n", "ratio",
         "column \"high\", row 2: must not be below ratio, which is 0.6 (got 0.55)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct grt_plot_options options = {.y = cases[i].y};
        struct grt_figure figure;
        struct grt_errors errors = {0};
        CU_ASSERT_FALSE(make(cases[i].text, &options, &figure, &errors));
        CU_ASSERT_EQUAL_FATAL(errors.count, 1);
        CU_ASSERT_STRING_EQUAL(errors.messages[0], cases[i].message);
        grt_errors_clear(&errors);
    }
}

int main(void) {
    CU_TestInfo tests[] = {{"measures have their own", measures_have_their_own},
                           {"bands have gaps", bands_have_gaps},
                           {"logarithmic axes", logarithmic_axes_cut_intervals},
                           {"tables without intervals", tables_without_intervals_have_none},
                           {"wrong intervals", wrong_intervals_are_refused},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("plot_intervals", tests);
}
