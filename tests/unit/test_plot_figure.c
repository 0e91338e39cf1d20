/* What figures are made of: which columns, which texts, which pens; and that nothing in a text is executed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/plot/figure.h"
#include "study/plot/layout.h"
#include "study/plot/palette.h"
#include "study/plot/scale.h"
#include "study/plot/script.h"
#include "study/plot/text.h"
#include "tests/support/colour_vision.h"
#include "tests/support/plot_script.h"
#include "tests/support/suite.h"

#define HEAD "evaluation,sets,yes,no,unknown,inapplicable,refused,none,ratio,low,high,response_max:t\n"

/* ---- pens ---- */

static double light(uint32_t colour) { /* of a grey printer: Rec. 709 weights on the coded values will do */
    return 0.2126 * (colour >> 16 & 0xff) + 0.7152 * (colour >> 8 & 0xff) + 0.0722 * (colour & 0xff);
}

static void colours_are_apart(void) {
    double least[GRT_VISIONS] = {INFINITY, INFINITY, INFINITY, INFINITY};
    for (size_t i = 0; i < GRT_PLOT_COLOURS; i++) {
        for (size_t j = 0; j < i; j++) {
            for (int vision = 0; vision < GRT_VISIONS; vision++) {
                double apart = grt_colour_distance((enum grt_vision)vision,
                                                   grt_plot_pen(i, 0, 1, false).colour << 8 | 0xff,
                                                   grt_plot_pen(j, 0, 1, false).colour << 8 | 0xff);
                least[vision] = fmin(least[vision], apart);
            }
        }
    }
    CU_ASSERT_TRUE(least[GRT_VISION_NORMAL] >= 12);
    for (int vision = GRT_VISION_PROTAN; vision < GRT_VISIONS; vision++) {
        if (least[vision] < 6) {
            printf("\n    vision %d: %g\n", vision, least[vision]);
        }
        CU_ASSERT_TRUE(least[vision] >= 6);
    }
}

static void colours_show_on_white(void) {
    for (size_t i = 0; i < GRT_PLOT_COLOURS; i++) {
        CU_ASSERT_TRUE(light(0xffffff) - light(grt_plot_pen(i, 0, 1, false).colour) >= 70);
        CU_ASSERT_TRUE(light(0xffffff) - light(grt_plot_pen(i, 0, 1, true).colour) >= 70);
    }
}

static void pens_differ_without_colour(void) {
    for (size_t i = 0; i < GRT_PLOT_MARKS; i++) {
        for (size_t j = 0; j < i; j++) {
            CU_ASSERT_NOT_EQUAL(grt_plot_pen(i, 0, 1, true).mark, grt_plot_pen(j, 0, 1, true).mark);
        }
    }
    for (size_t i = 1; i < 64; i++) { /* neighbours in the legend also by dashes */
        CU_ASSERT_STRING_NOT_EQUAL(grt_plot_pen(i, 0, 1, true).dash, grt_plot_pen(i - 1, 0, 1, true).dash);
    }
}

static void pens_are_all_different(void) {
    for (size_t i = 0; i < GRT_PLOT_COLOURS * GRT_PLOT_MARKS; i++) {
        struct grt_plot_pen one = grt_plot_pen(i, 0, 1, false);
        for (size_t j = 0; j < i; j++) {
            struct grt_plot_pen other = grt_plot_pen(j, 0, 1, false);
            CU_ASSERT_TRUE(one.colour != other.colour || one.mark != other.mark);
        }
    }
}

static void styles_keep_the_colour(void) {
    struct grt_plot_pen first = grt_plot_pen(1, 0, 2, false), second = grt_plot_pen(1, 1, 2, false);
    CU_ASSERT_EQUAL(first.colour, second.colour);
    CU_ASSERT_STRING_NOT_EQUAL(first.dash, second.dash);
    CU_ASSERT_NOT_EQUAL(first.mark, second.mark);
    for (size_t i = 0; i < 4; i++) { /* of a few styles also the marks are different */
        struct grt_plot_pen one = grt_plot_pen(1, i, 4, true);
        for (size_t j = 0; j < i; j++) {
            struct grt_plot_pen other = grt_plot_pen(1, j, 4, true);
            CU_ASSERT_TRUE(one.mark != other.mark || one.mark_size != other.mark_size);
        }
    }
}

/* ---- texts ---- */

static void check_quote(const char *text, const char *expected) {
    char *quoted = NULL;
    size_t size = 0;
    struct grt_arena arena = {0};
    FILE *out = open_memstream(&quoted, &size);
    grt_plot_quote(out, grt_plot_clean(&arena, text));
    fclose(out);
    CU_ASSERT_STRING_EQUAL(quoted, expected);
    free(quoted);
    grt_arena_clear(&arena);
}

static void texts_are_quoted(void) {
    check_quote("it's", "'it\xe2\x80\x99"
                        "s'");
    check_quote("`rm x` \"$(y)\" @m \\", "'`rm x` \"$(y)\" @m \\'");
    check_quote("a\n'; system('x')\r\tb", "'a \xe2\x80\x99; system(\xe2\x80\x99"
                                          "x\xe2\x80\x99)  b'");
    check_quote("\xc3\xa9 \xff \xc3( \xed\xa0\x80 \xf0\x9f\x98\x80", "'\xc3\xa9 ? ?( ??? \xf0\x9f\x98\x80'");
}

static void long_texts_are_broken(void) {
    struct grt_arena arena = {0};
    const char *lines[3];
    CU_ASSERT_EQUAL(grt_plot_wrap(&arena, "  ", 10, 3, lines), 0);
    CU_ASSERT_EQUAL(grt_plot_wrap(&arena, "one two three", 5, 3, lines), 2);
    CU_ASSERT_STRING_EQUAL(lines[0], "one two");
    CU_ASSERT_STRING_EQUAL(lines[1], "three");
    CU_ASSERT_EQUAL(grt_plot_wrap(&arena, "one two three four five", 4, 2, lines), 2);
    CU_ASSERT_STRING_EQUAL(lines[0], "one");
    CU_ASSERT_EQUAL(strncmp(lines[1], "two", 3), 0);
    CU_ASSERT_TRUE(strstr(lines[1], "...") != NULL && grt_plot_text_width(lines[1]) <= 4);
    CU_ASSERT_EQUAL(grt_plot_wrap(&arena, "abcdefghijklmnopq", 6, 1, lines), 1);
    CU_ASSERT_TRUE(grt_plot_text_width(lines[0]) <= 6);
    CU_ASSERT_EQUAL(strcmp(lines[0] + strlen(lines[0]) - 3, "..."), 0);
    CU_ASSERT_EQUAL(grt_plot_wrap(&arena, "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 2.7, 1, lines),
                    1);
    CU_ASSERT_STRING_EQUAL(lines[0], "\xc3\xa9\xc3\xa9..."); /* whole characters */
    grt_arena_clear(&arena);
}

/* ---- scales ---- */

static void check_range(double from, double to, bool logarithmic, double low, double high) {
    grt_plot_range(&from, &to, logarithmic);
    CU_ASSERT_DOUBLE_EQUAL(from, low, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(to, high, 1e-9);
}

static void ranges_are_round(void) {
    check_range(1, 9.3, false, 0, 10);
    check_range(95, 99, false, 95, 99);
    check_range(-3.2, 4.1, false, -4, 5);
    check_range(7, 7, false, 3, 11);
    check_range(0, 0, false, 0, 1);
    check_range(0.02, 30, true, 0.01, 100);
    check_range(1, 1, true, 1, 10);
    CU_ASSERT_DOUBLE_EQUAL(grt_plot_step(1, 5), 0.2, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(grt_plot_step(37, 5), 5, 1e-12);
}

/* ---- figures ---- */

static struct grt_result_table table_of(const char *text) {
    struct grt_result_table table;
    struct grt_errors errors = {0};
    CU_ASSERT_TRUE_FATAL(grt_result_table_parse(text, strlen(text), &table, &errors));
    return table;
}

static void make(const char *text, const struct grt_plot_options *options, struct grt_figure *figure) {
    struct grt_result_table table = table_of(text);
    struct grt_errors errors = {0};
    bool made = grt_figure_make(&table, NULL, options, figure, &errors);
    if (!made) {
        printf("\n    %s\n", errors.messages[0]);
    }
    CU_ASSERT_TRUE_FATAL(made);
    grt_result_table_free(&table); /* the figure has its own copies */
}

static void check_refused(const char *text, const struct grt_plot_options *options, const char *expected) {
    struct grt_result_table table = table_of(text);
    struct grt_errors errors = {0};
    struct grt_figure figure;
    bool made = grt_figure_make(&table, NULL, options, &figure, &errors);
    CU_ASSERT_FALSE(made);
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    if (strcmp(errors.messages[0], expected) != 0) {
        printf("\n    got:      %s\n    expected: %s\n", errors.messages[0], expected);
    }
    CU_ASSERT_STRING_EQUAL(errors.messages[0], expected);
    grt_errors_clear(&errors);
    grt_result_table_free(&table);
}

static const char two_axes[] = "cores,u," HEAD "4,0.2,a,10,9,0,1,0,0,0,0.9,0.6,0.98,2000000\n"
                               "4,0.2,b,10,8,0,2,0,0,0,0.8,0.5,0.94,\n"
                               "4,0.1,a,10,10,0,0,0,0,0,1,0.7,1,1000000\n"
                               "4,0.1,b,10,10,0,0,0,0,0,1,0.7,1,\n"
                               "8,0.1,a,10,5,0,5,0,0,0,0.5,0.2,0.8,3000000\n"
                               "8,0.2,a,10,4,0,6,0,0,0,0.4,0.2,0.7,4000000\n";

static void columns_are_chosen(void) {
    struct grt_figure figure;
    make(two_axes, &(struct grt_plot_options){.x = "u"}, &figure);
    CU_ASSERT_EQUAL_FATAL(figure.panel_count, 2);
    CU_ASSERT_STRING_EQUAL(figure.panels[1].label, "cores: 8");
    CU_ASSERT_EQUAL_FATAL(figure.line_count, 2);
    CU_ASSERT_STRING_EQUAL(figure.keys[1].label, "b");
    const struct grt_figure_line *line = &figure.panels[0].lines[0];
    CU_ASSERT_EQUAL_FATAL(line->count, 2);
    CU_ASSERT_DOUBLE_EQUAL(line->points[0].x, 0.1, 0); /* sorted */
    CU_ASSERT_DOUBLE_EQUAL(line->points[1].y, 0.9, 0);
    CU_ASSERT_DOUBLE_EQUAL(line->points[1].low, 0.6, 0);
    CU_ASSERT_EQUAL(figure.panels[1].lines[1].count, 0);
    CU_ASSERT_DOUBLE_EQUAL(figure.y_from, 0, 0);
    CU_ASSERT_DOUBLE_EQUAL(figure.y_to, 1, 0);
    CU_ASSERT_STRING_EQUAL(figure.y_label, "Ratio of task sets");
    CU_ASSERT_STRING_EQUAL(figure.title, "");
    grt_figure_free(&figure);
    make(two_axes, &(struct grt_plot_options){.x = "u", .style = "cores"}, &figure);
    CU_ASSERT_EQUAL(figure.panel_count, 1);
    CU_ASSERT_EQUAL_FATAL(figure.line_count, 3); /* b has no rows with 8 cores */
    CU_ASSERT_STRING_EQUAL(figure.keys[1].label, "a, cores: 8");
    CU_ASSERT_STRING_EQUAL(figure.keys[2].label, "b, cores: 4");
    CU_ASSERT_DOUBLE_EQUAL(figure.panels[0].lines[2].points[1].y, 0.8, 0);
    grt_figure_free(&figure);
}

static void conditions_choose_rows(void) {
    const struct grt_plot_condition where[] = {{"cores", "4.0"}, {"evaluation", "b"}, {"evaluation", "a"}};
    struct grt_figure figure;
    make(two_axes, &(struct grt_plot_options){.where = where, .where_count = 2}, &figure);
    CU_ASSERT_EQUAL(figure.panel_count, 1);
    CU_ASSERT_EQUAL(figure.line_count, 1);
    CU_ASSERT_STRING_EQUAL(figure.x_label, "u"); /* what is left that varies */
    grt_figure_free(&figure);
    make(two_axes, &(struct grt_plot_options){.where = where, .where_count = 3}, &figure);
    CU_ASSERT_EQUAL(figure.line_count, 2);
    grt_figure_free(&figure);
}

static void names_are_words(void) {
    static const struct {
        const char *measure, *label;
    } cases[] = {{"gpu_wait_max:isp", "Largest GPU wait of isp"},
                 {"estimate_error_percent_of:isp", "Estimate error percent of isp"},
                 {"gap_deviation:gpu_a", "Deviation of gap of gpu_a"},
                 {"on_gpu", "On GPU"},
                 {"of_gpus", "Of gpus"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct grt_figure figure;
        char text[100];
        snprintf(text, sizeof text, "u,%s\n1,2000000\n2,3000000\n", cases[i].measure);
        make(text, &(struct grt_plot_options){.x = "u", .y = cases[i].measure}, &figure);
        if (strcmp(figure.y_label, cases[i].label) != 0) {
            printf("\n    %s is \"%s\"", cases[i].measure, figure.y_label);
        }
        CU_ASSERT_STRING_EQUAL(figure.y_label, cases[i].label);
        grt_figure_free(&figure);
    }
}

static void times_have_units(void) {
    struct grt_figure figure;
    make(two_axes, &(struct grt_plot_options){.x = "u", .y = "response_max:t"}, &figure);
    CU_ASSERT_STRING_EQUAL(figure.y_label, "Largest response of t (ms)");
    CU_ASSERT_DOUBLE_EQUAL(figure.panels[1].lines[0].points[1].y, 4, 1e-12);
    CU_ASSERT_EQUAL(figure.line_count, 1); /* b has it nowhere: no line, no key */
    CU_ASSERT_DOUBLE_EQUAL(figure.y_to, 4, 1e-12);
    grt_figure_free(&figure);
    make("u,s,v\n1,a,\n2,a,7\n1,b,\n2,b,\n3,b,\n",
         &(struct grt_plot_options){.x = "u", .y = "v", .series = "s"}, &figure);
    CU_ASSERT_EQUAL_FATAL(figure.line_count, 1); /* of any table */
    CU_ASSERT_STRING_EQUAL(figure.keys[0].label, "s: a");
    CU_ASSERT_TRUE(isnan(figure.panels[0].lines[0].points[0].y)); /* a gap */
    grt_figure_free(&figure);
    make("u,s,v\n1,a,\n2,b,\n", &(struct grt_plot_options){.x = "u", .y = "v", .series = "s"}, &figure);
    CU_ASSERT_EQUAL(figure.line_count, 2); /* nothing at all is there */
    grt_figure_free(&figure);
    make("epsilon,v\n1ms,3\n50us,1\n", &(struct grt_plot_options){.x = "epsilon", .y = "v"}, &figure);
    CU_ASSERT_STRING_EQUAL(figure.x_label, "epsilon (us)");
    CU_ASSERT_DOUBLE_EQUAL(figure.panels[0].lines[0].points[1].x, 1000, 0);
    CU_ASSERT_FALSE(figure.legend);
    grt_figure_free(&figure);
    make("epsilon,v\n1ms,3\n50us,1\n",
         &(struct grt_plot_options){.x = "epsilon", .y = "v", .x_label = "Cost (ms)"}, &figure);
    CU_ASSERT_STRING_EQUAL(figure.x_label, "Cost (ms)");
    CU_ASSERT_DOUBLE_EQUAL(figure.panels[0].lines[0].points[0].x, 0.05, 0);
    grt_figure_free(&figure);
}

static void names_stand_side_by_side(void) {
    struct grt_figure figure;
    make("way,v\nalone,300\nbeside,299\n", &(struct grt_plot_options){.x = "way", .y = "v"}, &figure);
    CU_ASSERT_TRUE(figure.x_names);
    CU_ASSERT_DOUBLE_EQUAL(figure.y_from, 0, 0); /* their sizes are compared */
    CU_ASSERT_FALSE(figure.joined);
    CU_ASSERT_EQUAL(figure.x_tic_count, 2);
    CU_ASSERT_STRING_EQUAL(figure.x_tics[1].text, "beside");
    grt_figure_free(&figure);
    make("part,v\n10-30 %,3\n30-50 %,1\n", &(struct grt_plot_options){.x = "part", .y = "v"}, &figure);
    CU_ASSERT_TRUE(figure.joined); /* they have an order */
    grt_figure_free(&figure);
}

/* Panels of evaluations; the same label has the same key in each. */
static void groups_are_panels(void) {
    static const char text[] =
        "{\"gpurt_experiment\":1,\"name\":\"g\",\"samples\":1,\"generator\":{\"name\":\"independent\"},"
        "\"platform\":{\"gpus\":[{\"device\":\"tx2\"}]},\"evaluations\":["
        "{\"name\":\"a1\",\"label\":\"proven\",\"group\":\"A\",\"kind\":\"analysis\",\"policy\":{\"name\":"
        "\"np-edf\"}},"
        "{\"name\":\"b1\",\"label\":\"proven\",\"group\":\"B\",\"kind\":\"analysis\",\"policy\":{\"name\":"
        "\"np-fp\"}},"
        "{\"name\":\"b2\",\"label\":\"seen\",\"group\":\"B\",\"kind\":\"simulation\",\"policy\":{\"name\":"
        "\"np-fp\"}}]}";
    static const char rows[] =
        "u," HEAD "1,a1,10,7,0,3,0,0,0,0.7,0.4,0.9,\n2,a1,10,6,0,4,0,0,0,0.6,0.3,0.9,\n"
        "1,b1,10,5,0,5,0,0,0,0.5,0.2,0.8,\n2,b1,10,4,0,6,0,0,0,0.4,0.1,0.7,\n"
        "1,b2,10,9,1,0,0,0,0,0.9,0.5,1,\n2,b2,10,8,2,0,0,0,0,0.8,0.5,1,\n";
    struct grt_errors errors = {0};
    struct grt_experiment experiment;
    struct grt_result_table table;
    struct grt_figure figure;
    CU_ASSERT_TRUE_FATAL(
        grt_experiment_parse(text, strlen(text), "g.json", NULL, NULL, &experiment, &errors));
    CU_ASSERT_TRUE_FATAL(grt_result_table_parse(rows, strlen(rows), &table, &errors));
    CU_ASSERT_TRUE_FATAL(
        grt_figure_make(&table, &experiment, &(struct grt_plot_options){.x = "u"}, &figure, &errors));
    CU_ASSERT_EQUAL_FATAL(figure.panel_count, 2);
    CU_ASSERT_STRING_EQUAL(figure.panels[0].label, "A");
    CU_ASSERT_STRING_EQUAL(figure.panels[1].label, "B");
    CU_ASSERT_EQUAL_FATAL(figure.line_count, 2);
    CU_ASSERT_STRING_EQUAL(figure.keys[0].label, "proven");
    CU_ASSERT_STRING_EQUAL(figure.keys[1].label, "seen");
    CU_ASSERT_EQUAL(figure.panels[0].lines[0].count, 2);
    CU_ASSERT_EQUAL(figure.panels[0].lines[1].count, 0);
    CU_ASSERT_DOUBLE_EQUAL(figure.panels[1].lines[0].points[1].y, 0.4, 0);
    CU_ASSERT_DOUBLE_EQUAL(figure.panels[1].lines[1].points[0].y, 0.9, 0);
    grt_figure_free(&figure);
    grt_result_table_free(&table);
    grt_experiment_free(&experiment);
}

/* Draws rows of two groups, whose evaluations a1 and b1 have one label, over u and n, and k from 16 rows on; `plot` is the experiment's wish. */
static void make_rows(int row_count, const char *plot, const struct grt_plot_options *options,
                      struct grt_figure *figure) {
    static const char evaluations[] =
        "\"evaluations\":["
        "{\"name\":\"a1\",\"label\":\"proven\",\"group\":\"A\",\"kind\":\"analysis\",\"policy\":{\"name\":"
        "\"np-edf\"}},"
        "{\"name\":\"b1\",\"label\":\"proven\",\"group\":\"B\",\"kind\":\"analysis\",\"policy\":{\"name\":"
        "\"np-fp\"}}]";
    static const char axes[] =
        "\"axes\":[{\"name\":\"u\",\"path\":\"generator.utilisation\",\"values\":[0.1,0.2]},"
        "{\"name\":\"n\",\"path\":\"generator.tasks\",\"values\":[1,2]}]";
    char text[2000], *rows = NULL;
    size_t size = 0;
    snprintf(text, sizeof text,
             "{\"gpurt_experiment\":1,\"name\":\"g\",\"title\":\"All of it\",\"generator\":{\"name\":"
             "\"independent\"},\"platform\":{\"gpus\":[{\"device\":\"tx2\"}]},%s,%s,\"plot\":%s}",
             axes, evaluations, plot);
    FILE *out = open_memstream(&rows, &size);
    fputs("u,n,k," HEAD, out);
    for (int i = 0; i < row_count; i++) {
        fprintf(out, "0.%d,%d,%d,%s,10,7,0,3,0,0,0,0.%d,0,1,\n", i % 2 + 1, i / 2 % 2 + 1, i / 8,
                i % 8 < 4 ? "a1" : "b1", i % 8);
    }
    fclose(out);
    struct grt_errors errors = {0};
    struct grt_experiment experiment;
    CU_ASSERT_TRUE_FATAL(
        grt_experiment_parse(text, strlen(text), "g.json", NULL, NULL, &experiment, &errors));
    struct grt_result_table table = table_of(rows);
    CU_ASSERT_TRUE_FATAL(grt_figure_make(&table, &experiment, options, figure, &errors));
    CU_ASSERT_STRING_EQUAL(figure->title, "");
    grt_result_table_free(&table);
    grt_experiment_free(&experiment);
    free(rows);
}

static void make_grouped(const char *plot, const struct grt_plot_options *options,
                         struct grt_figure *figure) {
    make_rows(8, plot, options, figure);
}

static void check_parts(const struct grt_figure *figure, const char *panel, const char *first,
                        const char *last) {
    CU_ASSERT_EQUAL_FATAL(figure->panel_count, 2);
    CU_ASSERT_STRING_EQUAL(figure->panels[1].label, panel);
    CU_ASSERT_EQUAL_FATAL(figure->line_count, 2);
    CU_ASSERT_STRING_EQUAL(figure->keys[0].label, first);
    CU_ASSERT_STRING_EQUAL(figure->keys[1].label, last);
}

/* Two more axes than x need panels and styles. */
static void groups_leave_room_for_axes(void) {
    const struct grt_plot_condition one = {"k", "1"};
    struct grt_figure figure;
    make_rows(16, "{\"x\": \"u\"}", &(struct grt_plot_options){0}, &figure);
    CU_ASSERT_EQUAL_FATAL(figure.panel_count, 2);
    CU_ASSERT_STRING_EQUAL(figure.panels[1].label, "n: 2");
    CU_ASSERT_EQUAL_FATAL(figure.line_count, 4);
    CU_ASSERT_STRING_EQUAL(figure.keys[0].label, "A, proven, k: 0");
    CU_ASSERT_STRING_EQUAL(figure.keys[3].label, "B, proven, k: 1");
    grt_figure_free(&figure);
    make_rows(16, "{\"x\": \"u\"}", &(struct grt_plot_options){.where = &one, .where_count = 1}, &figure);
    check_parts(&figure, "B", "proven, n: 1", "proven, n: 2");
    grt_figure_free(&figure);
}

/* Groups are panels unless an axis is asked for; then keys tell evaluations with one label apart. */
static void groups_come_before_axes(void) {
    static const char *const without[] = {"{}", "{\"x\": \"u\"}", "{\"x\": \"u\", \"panel\": null}"};
    const struct grt_plot_condition one_group = {"evaluation", "b1"};
    struct grt_figure figure;
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
        make_grouped(without[i], &(struct grt_plot_options){0}, &figure);
        check_parts(&figure, "B", "proven, n: 1", "proven, n: 2");
        CU_ASSERT_DOUBLE_EQUAL(figure.panels[1].lines[1].points[1].y, 0.7, 0);
        grt_figure_free(&figure);
    }
    make_grouped("{\"x\": \"u\", \"panel\": \"n\"}", &(struct grt_plot_options){0}, &figure);
    check_parts(&figure, "n: 2", "A, proven", "B, proven");
    CU_ASSERT_DOUBLE_EQUAL(figure.panels[0].lines[1].points[1].y, 0.5, 0);
    grt_figure_free(&figure);
    make_grouped("{}", &(struct grt_plot_options){.panel = "n"}, &figure);
    check_parts(&figure, "n: 2", "A, proven", "B, proven");
    grt_figure_free(&figure);
    make_grouped("{\"x\": \"u\", \"style\": \"n\"}", &(struct grt_plot_options){0}, &figure);
    check_parts(&figure, "B", "proven, n: 1", "proven, n: 2");
    grt_figure_free(&figure);
    make_grouped("{}", &(struct grt_plot_options){.where = &one_group, .where_count = 1}, &figure);
    CU_ASSERT_EQUAL(figure.panel_count, 2); /* one group is no panel: the axis is, and the label is enough */
    CU_ASSERT_EQUAL_FATAL(figure.line_count, 1);
    CU_ASSERT_STRING_EQUAL(figure.keys[0].label, "proven");
    grt_figure_free(&figure);
    make_grouped("{\"panel\": null}", &(struct grt_plot_options){.where = &one_group, .where_count = 1},
                 &figure);
    CU_ASSERT_EQUAL(figure.panel_count, 1); /* null: the axis is a style instead */
    CU_ASSERT_EQUAL(figure.line_count, 2);
    grt_figure_free(&figure);
}

/* An evaluation of the experiment that does not have the measure has no line and no key. */
static void others_are_left_out(void) {
    static const char text[] =
        "{\"gpurt_experiment\":1,\"name\":\"g\",\"samples\":1,\"generator\":{\"name\":\"independent\"},"
        "\"platform\":{\"gpus\":[{\"device\":\"tx2\"}]},\"evaluations\":["
        "{\"name\":\"a\",\"kind\":\"simulation\",\"policy\":{\"name\":\"np-edf\"},\"measures\":[\"jobs\"]},"
        "{\"name\":\"b\",\"kind\":\"simulation\",\"policy\":{\"name\":\"np-fp\"},\"measures\":[\"missed\"]}]"
        "}";
    static const char rows[] = "u,evaluation,sets,ratio,jobs,missed\n1,a,10,0.7,9,\n2,a,10,0.6,8,\n"
                               "1,b,10,0.5,,3\n2,b,10,0.4,,4\n";
    struct grt_errors errors = {0};
    struct grt_experiment experiment;
    struct grt_result_table table;
    struct grt_figure figure;
    CU_ASSERT_TRUE_FATAL(
        grt_experiment_parse(text, strlen(text), "g.json", NULL, NULL, &experiment, &errors));
    CU_ASSERT_TRUE_FATAL(grt_result_table_parse(rows, strlen(rows), &table, &errors));
    CU_ASSERT_TRUE_FATAL(grt_figure_make(
        &table, &experiment, &(struct grt_plot_options){.x = "u", .y = "missed"}, &figure, &errors));
    CU_ASSERT_EQUAL_FATAL(figure.line_count, 1);
    CU_ASSERT_STRING_EQUAL(figure.keys[0].label, "b");
    CU_ASSERT_DOUBLE_EQUAL(figure.panels[0].lines[0].points[1].y, 4, 0);
    grt_figure_free(&figure);
    CU_ASSERT_TRUE_FATAL(
        grt_figure_make(&table, &experiment, &(struct grt_plot_options){.x = "u"}, &figure, &errors));
    CU_ASSERT_EQUAL(figure.line_count, 2); /* both have ratios */
    grt_figure_free(&figure);
    grt_result_table_free(&table);
    grt_experiment_free(&experiment);
}

static void logarithms_leave_out(void) {
    struct grt_figure figure;
    make("x,v\n0,3\n1,0\n10,20\n100,5\n",
         &(struct grt_plot_options){.x = "x", .y = "v", .x_log = true, .y_log = true}, &figure);
    CU_ASSERT_EQUAL(figure.left_out, 2);
    CU_ASSERT_DOUBLE_EQUAL(figure.y_from, 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(figure.y_to, 100, 1e-9);
    grt_figure_free(&figure);
}

static void wrong_wishes_are_refused(void) {
    check_refused(
        two_axes, &(struct grt_plot_options){.x = "utilisation"},
        "--x: there is no column \"utilisation\"; there are cores, u, evaluation, sets, yes, no, unknown, "
        "inapplicable, refused, none, ratio, low, high, response_max:t");
    check_refused(two_axes, &(struct grt_plot_options){.x = "u", .panel = "u"},
                  "--panel: column \"u\" has another part already");
    check_refused(two_axes, &(struct grt_plot_options){.x = "u", .y = "evaluation"},
                  "--y: column \"evaluation\" has another part already");
    check_refused("x,v\n1,2\n", &(struct grt_plot_options){.x = "x"},
                  "which column is drawn along the y axis? Say --y COLUMN");
    check_refused(
        "x,v\n1,2\n1,3\n", &(struct grt_plot_options){.x = "x", .y = "v"},
        "several rows have x = 1 in the same line of the figure: choose one by --where, or tell them "
        "apart by --series, --style or --panel");
    check_refused("x,v\n1,some\n", &(struct grt_plot_options){.x = "x", .y = "v"},
                  "--y: the values of column \"v\" are no numbers");
    check_refused("x,v\na,1\n", &(struct grt_plot_options){.x = "x", .y = "v", .x_log = true},
                  "--x-log: the values of column \"x\" are no numbers");
    check_refused("x,v\n1,2\n",
                  &(struct grt_plot_options){.x = "x", .y = "v", .y_log = true, .y_from = 0, .y_to = 1},
                  "a logarithmic y axis begins above 0, not at 0");
    const struct grt_plot_condition where[] = {{"u", "0.3"}, {"u", "0.2"}};
    check_refused(two_axes, &(struct grt_plot_options){.where = where, .where_count = 2},
                  "--where: no row has u=0.3; it is 0.2, 0.1");
    check_refused(
        "x,v\n1,1\n2,1\n3,1\n1,2\n2,2\n4,1\n5,1\n6,1\n7,1\n8,1\n9,1\n10,1\n11,1\n12,1\n13,1\n",
        &(struct grt_plot_options){.where = (struct grt_plot_condition[]){{"x", "0"}}, .where_count = 1},
        "--where: no row has x=0; it is 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, ...");
    check_refused("u," HEAD, &(struct grt_plot_options){0}, "there are no rows, so there is nothing to draw");
    check_refused(
        "a,b,c,d," HEAD "1,1,1,1,e,1,1,0,0,0,0,0,1,0,1,\n2,2,2,2,e,1,1,0,0,0,0,0,1,0,1,\n",
        &(struct grt_plot_options){0},
        "column \"d\" varies and has no part in the figure: choose a value by --where d=VALUE, or give it "
        "a part by --panel, --style or --series");
}

/* ---- scripts ---- */

/* Every line of a script begins with something that this program writes: no text of a table is a line of its own. */
static void scripts_hold_texts(void) {
    const char hostile[] =
        "\"x\ny\",\"v';system('touch /tmp/x')\",s\n1,2,\"'\n!touch x\n$d << END\"\n2,3,`date`\n";
    static const char *const beginnings[] = {"set ", "unset ", "plot ", "  $", "$", "END", "#"};
    struct grt_figure figure;
    make(hostile, &(struct grt_plot_options){.x = "x\ny", .y = "v';system('touch /tmp/x')", .series = "s"},
         &figure);
    char *script = script_of(&figure);
    CU_ASSERT_PTR_NOT_NULL(strstr(script, "'v\xe2\x80\x99;system(\xe2\x80\x99touch /tmp/x\xe2\x80\x99)'"));
    CU_ASSERT_PTR_NOT_NULL(strstr(script, "'s: \xe2\x80\x99 !touch x $d << END'"));
    for (char *line = script; *line != '\0'; line = strchr(line, '\n') + 1) {
        bool known = strspn(line, "0123456789.-+eNaN ") == strcspn(line, "\n");
        for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++) {
            known = known || strncmp(line, beginnings[i], strlen(beginnings[i])) == 0;
        }
        CU_ASSERT_TRUE(known);
    }
    free(script);
    grt_figure_free(&figure);
}

static void scripts_are_the_same(void) {
    struct grt_figure figure;
    make(two_axes, &(struct grt_plot_options){.x = "u"}, &figure);
    char *one = script_of(&figure), *other = script_of(&figure);
    CU_ASSERT_STRING_EQUAL(one, other);
    CU_ASSERT_PTR_NOT_NULL(strstr(one, "\n0.1 1 0.7 1\n0.2 0.9 0.6 0.98\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(one, "filledcurves"));
    free(one);
    free(other);
    figure.bands = false;
    one = script_of(&figure);
    CU_ASSERT_PTR_NULL(strstr(one, "filledcurves"));
    free(one);
    grt_figure_free(&figure);
}

static bool is_inside(const struct grt_plot_layout *layout, double x, double y) {
    return x >= 0 && x <= layout->width && y >= 0 && y <= layout->height;
}

/* Everything is inside, and panels do not overlap, whatever is drawn. */
static void layouts_fit(void) {
    for (size_t panels = 1; panels <= 9; panels++) {
        for (size_t lines = 1; lines <= 20; lines += 3) {
            char *text = NULL;
            size_t size = 0;
            FILE *out = open_memstream(&text, &size);
            fprintf(out, "p,s,x,y\n");
            for (size_t i = 0; i < panels * lines; i++) {
                fprintf(out, "panel %zu,a name of line %zu,1,2\n", i / lines, i % lines);
            }
            fclose(out);
            struct grt_figure figure;
            make(text, &(struct grt_plot_options){.x = "x", .y = "y", .series = "s", .panel = "p"}, &figure);
            struct grt_arena arena = {0};
            struct grt_errors errors = {0};
            struct grt_plot_layout layout;
            CU_ASSERT_TRUE_FATAL(grt_plot_lay_out(&figure, &arena, &layout, &errors));
            for (size_t i = 0; i < panels; i++) {
                const struct grt_plot_box *box = &layout.panels[i];
                CU_ASSERT_TRUE(is_inside(&layout, box->left, box->bottom) &&
                               is_inside(&layout, box->right, box->top));
                CU_ASSERT_TRUE(box->right - box->left >= 12 && box->top - box->bottom >= 10);
                for (size_t j = 0; j < i; j++) {
                    const struct grt_plot_box *other = &layout.panels[j];
                    CU_ASSERT_TRUE(box->left >= other->right || box->top <= other->bottom);
                }
            }
            for (size_t i = 0; i < layout.label_count; i++) {
                CU_ASSERT_TRUE(is_inside(&layout, layout.labels[i].x, layout.labels[i].y));
            }
            for (size_t i = 0; i < lines; i++) {
                CU_ASSERT_TRUE(
                    is_inside(&layout, layout.entries[i].x + GRT_PLOT_SAMPLE, layout.entries[i].y));
                CU_ASSERT_TRUE(layout.entries[i].y < layout.panels[panels - 1].bottom);
            }
            grt_arena_clear(&arena);
            grt_figure_free(&figure);
            free(text);
        }
    }
}

static void small_sizes_are_refused(void) {
    struct grt_figure figure;
    make(two_axes, &(struct grt_plot_options){.x = "u", .width_mm = 20, .height_mm = 20}, &figure);
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_plot_layout layout;
    CU_ASSERT_FALSE(grt_plot_lay_out(&figure, &arena, &layout, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], "--size: 20x20 mm leave no room between the texts"));
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
    grt_figure_free(&figure);
}

int main(void) {
    CU_TestInfo tests[] = {{"colours are apart", colours_are_apart},
                           {"colours show on white", colours_show_on_white},
                           {"pens differ without colour", pens_differ_without_colour},
                           {"pens are all different", pens_are_all_different},
                           {"styles keep the colour", styles_keep_the_colour},
                           {"texts are quoted", texts_are_quoted},
                           {"long texts are broken", long_texts_are_broken},
                           {"ranges are round", ranges_are_round},
                           {"columns are chosen", columns_are_chosen},
                           {"conditions choose rows", conditions_choose_rows},
                           {"names are words", names_are_words},
                           {"times have units", times_have_units},
                           {"names stand side by side", names_stand_side_by_side},
                           {"groups are panels", groups_are_panels},
                           {"groups come before axes", groups_come_before_axes},
                           {"groups leave room for axes", groups_leave_room_for_axes},
                           {"others are left out", others_are_left_out},
                           {"logarithms leave out", logarithms_leave_out},
                           {"wrong wishes are refused", wrong_wishes_are_refused},
                           {"scripts hold texts", scripts_hold_texts},
                           {"scripts are the same", scripts_are_the_same},
                           {"layouts fit", layouts_fit},
                           {"small sizes are refused", small_sizes_are_refused},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("plot_figure", tests);
}
