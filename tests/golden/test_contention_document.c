/* labels: golden
 * What docs/contention.md shows is what the models say: the rows of its tables, and both pictures. A picture that differs is written to the
 * scratch folder of the test; copy it to docs/pictures if it is right. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/device/contention.h"
#include "scenarios/usages.h"
#include "tests/support/file_text.h"
#include "tests/support/line_chart.h"
#include "tests/support/suite.h"

enum { MOST = 10, LINE = 256 };

static struct grt_arena arena;

static const struct grt_usage *preset(const char *name) {
    struct grt_usage_fields *fields = grt_arena_new(&arena, struct grt_usage_fields);
    struct grt_errors errors = {0};
    CU_ASSERT_FATAL(grt_usage_find(name, NULL, &arena, fields, &errors, NULL));
    return &fields->usage;
}

/* The speeds of kernels with all of the shares. */
static void ask(enum grt_share_mode mode, enum grt_contention_kind kind,
                const struct grt_usage *const *usages, const int64_t *shares, uint32_t count,
                double *speeds) {
    struct grt_device device = {.share_mode = mode,
                                .contention = kind,
                                .contention_latency = {.15, .3, .5, .1, .15},
                                .contention_exponent = .9};
    struct grt_sharer sharers[MOST];
    for (uint32_t i = 0; i < count; i++) {
        sharers[i] =
            (struct grt_sharer){usages[i], GRT_NO_CLASS, shares == NULL ? GRT_FULL_SHARE : shares[i]};
    }
    grt_contention_speeds(grt_contention_create(&device, &arena), sharers, count, speeds);
}

static void assert_in_document(const char *text) {
    size_t size;
    char *document = grt_file_text("docs/contention.md", &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(document);
    bool found = strstr(document, text) != NULL;
    free(document);
    if (!found) {
        fprintf(stderr, "docs/contention.md lacks: %s", text);
    }
    CU_ASSERT(found);
}

/* | name | value | ... */
static void assert_row(const char *name, const char *format, const double *values, int count) {
    char line[LINE];
    size_t used = (size_t)snprintf(line, sizeof line, "| %s |", name);
    for (int i = 0; i < count; i++) {
        used += (size_t)snprintf(line + used, sizeof line - used, format, values[i]);
    }
    snprintf(line + used, sizeof line - used, "\n");
    assert_in_document(line);
}

enum { APPLICATIONS = 4 };
static const char *const alone[] = {"lavamd", "kmeans", "lud", "myocyte"};
static const char *const together[] = {"lavamd", "kmeans", "srad", "myocyte"};

static void test_factors(void) {
    static const int64_t shares[] = {5, 10, 20, 40, 60, 80, 100};
    for (int i = 0; i < APPLICATIONS; i++) {
        double factors[7];
        char name[32];
        snprintf(name, sizeof name, "`%s`", alone[i]);
        for (int s = 0; s < 7; s++) {
            factors[s] = grt_usage_share_factor(preset(alone[i]), shares[s]);
        }
        assert_row(name, " %.2f |", factors, 7);
    }
}

/* Everything that there is, for four applications at a time. */
static void test_speeds(void) {
    static const struct {
        const char *name;
        enum grt_share_mode mode;
        enum grt_contention_kind kind;
        int64_t shares[APPLICATIONS];
    } rows[] = {
        {"`concurrent`, `none`", GRT_SHARE_MODE_CONCURRENT, GRT_CONTENTION_NONE, {100, 100, 100, 100}},
        {"`concurrent`, `max-min`", GRT_SHARE_MODE_CONCURRENT, GRT_CONTENTION_MAX_MIN, {100, 100, 100, 100}},
        {"`concurrent`, `saturation`",
         GRT_SHARE_MODE_CONCURRENT,
         GRT_CONTENTION_SATURATION,
         {100, 100, 100, 100}},
        {"the same, shares of 40, 20, 30, 10",
         GRT_SHARE_MODE_CONCURRENT,
         GRT_CONTENTION_SATURATION,
         {40, 20, 30, 10}},
        {"`left-over`, `saturation`",
         GRT_SHARE_MODE_LEFT_OVER,
         GRT_CONTENTION_SATURATION,
         {100, 100, 100, 100}},
        {"`time-slicing`", GRT_SHARE_MODE_TIME_SLICING, GRT_CONTENTION_NONE, {100, 100, 100, 100}},
    };
    const struct grt_usage *usages[APPLICATIONS];
    for (int i = 0; i < APPLICATIONS; i++) {
        usages[i] = preset(together[i]);
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double speeds[APPLICATIONS + 1];
        ask(rows[i].mode, rows[i].kind, usages, rows[i].shares, APPLICATIONS, speeds);
        speeds[APPLICATIONS] = speeds[0] + speeds[1] + speeds[2] + speeds[3];
        assert_row(rows[i].name, " %.3f |", speeds, APPLICATIONS + 1);
    }
}

static void assert_picture(const struct grt_line_chart *chart, const char *name) {
    static char text[GRT_CHART_SIZE];
    char path[LINE];
    grt_line_chart_write(chart, text);
    snprintf(path, sizeof path, "docs/pictures/%s", name);
    size_t size;
    char *picture = grt_file_text(path, &size);
    bool same = picture != NULL && strcmp(picture, text) == 0;
    free(picture);
    CU_ASSERT(same);
    if (!same) {
        snprintf(path, sizeof path, GRT_SCRATCH_DIR "/%s", name);
        FILE *file = fopen(path, "w");
        CU_ASSERT_PTR_NOT_NULL_FATAL(file);
        fputs(text, file);
        fclose(file);
        fprintf(stderr, "docs/pictures/%s differs from %s\n", name, path);
    }
}

/* The speed alone over the share. */
static void test_picture_of_shares(void) {
    static struct grt_line_chart chart = {.x_title = "share, vprocessors",
                                          .y_title = "times as long as with 100",
                                          .x_last = 100,
                                          .y_last = 20,
                                          .x_step = 10,
                                          .y_step = 5,
                                          .series_count = APPLICATIONS};
    for (int64_t share = 5; share <= 100; share++) {
        chart.x[chart.point_count] = (double)share;
        for (int i = 0; i < APPLICATIONS; i++) {
            chart.series[i].y[chart.point_count] = grt_usage_share_factor(preset(alone[i]), share);
        }
        chart.point_count++;
    }
    static const char *const names[] = {"lavamd: u 0.95, h 0.03", "kmeans: u 0.90, h 0.35",
                                        "lud: u 0.50, h 0.12", "myocyte: u 0.20, h 0.30"};
    for (int i = 0; i < APPLICATIONS; i++) {
        chart.series[i].name = names[i];
    }
    assert_picture(&chart, "contention-shares.svg");
}

/* More and more of the same beside each other. */
static void test_picture_of_copies(void) {
    static const struct {
        const char *name;
        enum grt_share_mode mode;
        enum grt_contention_kind kind;
    } lines[] = {{"concurrent, none", GRT_SHARE_MODE_CONCURRENT, GRT_CONTENTION_NONE},
                 {"concurrent, saturation", GRT_SHARE_MODE_CONCURRENT, GRT_CONTENTION_SATURATION},
                 {"concurrent, max-min", GRT_SHARE_MODE_CONCURRENT, GRT_CONTENTION_MAX_MIN},
                 {"time-slicing", GRT_SHARE_MODE_TIME_SLICING, GRT_CONTENTION_NONE}};
    static struct grt_line_chart chart = {.x_title = "kernels at the same time",
                                          .y_title = "speed of each",
                                          .x_last = MOST,
                                          .y_last = 1,
                                          .x_step = 1,
                                          .y_step = .2,
                                          .point_count = MOST,
                                          .series_count = 4};
    const struct grt_usage *usages[MOST];
    for (uint32_t count = 1; count <= MOST; count++) {
        usages[count - 1] = preset("streamcluster");
        chart.x[count - 1] = count;
        for (int i = 0; i < 4; i++) {
            double speeds[MOST];
            ask(lines[i].mode, lines[i].kind, usages, NULL, count, speeds);
            chart.series[i].name = lines[i].name;
            chart.series[i].y[count - 1] = speeds[0];
        }
    }
    assert_picture(&chart, "contention-copies.svg");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"factors", test_factors},
        {"speeds", test_speeds},
        {"the picture of shares", test_picture_of_shares},
        {"the picture of copies", test_picture_of_copies},
        CU_TEST_INFO_NULL,
    };
    int result = grt_suite_run("contention, the document", tests);
    grt_arena_clear(&arena);
    return result;
}
