/* labels: soak */
/* SVG: valid XML whatever the names, the rectangles that were drawn, small, the same bytes again. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/random.h"
#include "tests/support/demo_picture.h"
#include "tests/support/file_text.h"
#include "tests/support/suite.h"
#include "viz/picture/svg.h"
#include "viz/picture/svg_text.h"
#include "viz/picture/text_utf8.h"

#define FILE_NAME GRT_SCRATCH_DIR "/picture.svg"

static struct grt_picture picture;
static struct grt_errors errors;
static const struct grt_svg plain;

static char *write_svg(const struct grt_svg *svg) {
    size_t bytes;
    CU_ASSERT(grt_svg_write(&picture, FILE_NAME, svg, &errors));
    char *text = grt_file_text(FILE_NAME, &bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_EQUAL(strlen(text), bytes);
    return text;
}

/* ---- a minimal check of XML ---- */

static const char *skip_name(const char *at) {
    while (isalnum((unsigned char)*at) || *at == '-' || *at == ':') {
        at++;
    }
    return at;
}

/* Text or a value up to `end`: valid UTF-8 without control characters, "<" or "&" except of an entity; NULL if not. */
static const char *skip_text(const char *at, char end) {
    while (*at != end && *at != '\0') {
        if (*at == '&') {
            static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
            size_t length = 0;
            for (int i = 0; i < 4; i++) {
                length = strncmp(at, entities[i], strlen(entities[i])) == 0 ? strlen(entities[i]) : length;
            }
            if (length == 0) {
                return NULL;
            }
            at += length;
        } else {
            size_t read = 0, left = strlen(at) < 4 ? strlen(at) : 4;
            uint32_t point = grt_text_next(at, left, &read);
            if (*at == '<' || (point == GRT_TEXT_REPLACEMENT && read == 1) ||
                (*at != '\n' && !grt_text_is_shown(point))) {
                return NULL;
            }
            at += read;
        }
    }
    return at;
}

/* Behind the attributes: at "/>" or ">"; NULL if one is bad or repeated. */
static const char *skip_attributes(const char *at) {
    const char *names[32];
    int count = 0;
    while (*at == ' ') {
        const char *name = ++at;
        at = skip_name(at);
        if (at == name || at[0] != '=' || at[1] != '"' || count == 32) {
            return NULL;
        }
        for (int i = 0; i < count; i++) {
            if (strncmp(names[i], name, (size_t)(at - name + 1)) == 0) {
                return NULL;
            }
        }
        names[count++] = name;
        at = skip_text(at + 2, '"');
        if (at == NULL || *at++ != '"') {
            return NULL;
        }
    }
    return at;
}

/* Whether the text is one element with everything closed in order. */
static bool is_valid(const char *at) {
    const char *open[64];
    int depth = 0;
    do {
        at = skip_text(at, '<');
        if (at == NULL || *at != '<') {
            return false;
        }
        bool closes = at[1] == '/';
        const char *name = at + 1 + closes;
        at = skip_name(name);
        if (at == name) {
            return false;
        }
        if (closes) {
            size_t length = (size_t)(at - name);
            if (depth == 0 || strncmp(open[--depth], name, length) != 0 ||
                skip_name(open[depth]) != open[depth] + length) {
                return false;
            }
        } else {
            at = skip_attributes(at);
            if (at == NULL || depth == 64) {
                return false;
            }
            open[depth] = name;
            depth += *at != '/';
            at += *at == '/';
        }
        if (*at++ != '>') {
            return false;
        }
    } while (depth > 0);
    return strcmp(at, "\n") == 0;
}

static void test_the_check_itself(void) {
    CU_ASSERT(is_valid("<a b=\"1\" c=\"&lt;\"><d/>t&amp;\xc3\xb6</a>\n"));
    static const char *const bad[] = {"<a>\n",
                                      "<a></b>\n",
                                      "<a></ab>\n",
                                      "<a b=1/>\n",
                                      "<a b=\"<\"/>\n",
                                      "<a b=\"1\" b=\"1\"/>\n",
                                      "<a>&x;</a>\n",
                                      "<a>\xff</a>\n",
                                      "<a>\x01</a>\n",
                                      "<a/><b/>\n",
                                      "<a></a></a>\n",
                                      "a\n",
                                      ""};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CU_ASSERT_FALSE(is_valid(bad[i]));
    }
}

static void check_valid(const char *text) {
    CU_ASSERT(is_valid(text));
    if (system("command -v xmllint > /dev/null") == 0) {
        CU_ASSERT_EQUAL(system("xmllint --noout " FILE_NAME), 0);
    }
}

static void test_demo(void) {
    static const struct grt_svg svg = {.width_mm = 88, .title = "a & b", .background = 0xffffffff};
    for (int theme = 0; theme < GRT_THEMES; theme++) {
        grt_demo_picture(&picture, &grt_themes[theme]);
        char *first = write_svg(&svg), *second = write_svg(&svg);
        check_valid(first);
        CU_ASSERT_STRING_EQUAL(first, second);
        CU_ASSERT_PTR_NOT_NULL(strstr(first, " width=\"88mm\" height=\"54.76mm\" viewBox=\"0 0 900 560\""));
        CU_ASSERT_PTR_NOT_NULL(strstr(first, "<title>a &amp; b</title>"));
        CU_ASSERT_PTR_NOT_NULL(strstr(first, "by 1.2 ms &lt;&quot;&amp;&quot;&gt;</title>"));
        CU_ASSERT_PTR_NOT_NULL(strstr(first, ">Job 12: 3.5 µs ≤ 0.8 τ</text>"));
        free(first);
        free(second);
    }
}

static void test_numbers(void) {
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},         {3, "3"},          {-3, "-3"},     {0.5, ".5"},   {-0.5, "-.5"},
                 {0.05, ".05"},    {12.25, "12.25"},  {1.999, "2"},   {-0.001, "0"}, {100, "100"},
                 {1e6, "1000000"}, {0.1 + 0.2, ".3"}, {10.10, "10.1"}};
    struct grt_output *out = grt_output_open(FILE_NAME, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    char expected[256] = "";
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        grt_svg_put_number(out, grt_svg_hundredths(cases[i].value));
        grt_svg_put(out, " ");
        strcat(strcat(expected, cases[i].text), " ");
    }
    CU_ASSERT(grt_output_close(out, &errors));
    size_t bytes;
    char *text = grt_file_text(FILE_NAME, &bytes);
    CU_ASSERT_STRING_EQUAL(text, expected);
    free(text);
}

/* ---- rectangles come back ---- */

static double number(const char **at) {
    char *behind;
    double value = strtod(*at, &behind);
    *at = behind;
    return value;
}

/* Reads the rectangles of all paths that are filled and compares them with the picture's, in order. */
static void check_rectangles(const char *text) {
    uint32_t at = 0;
    struct grt_shape rect;
    const char *path = text;
    while ((path = strstr(path, "<path fill=\"#")) != NULL) {
        unsigned colour = (unsigned)strtoul(path + 13, NULL, 16);
        const char *opacity = strstr(path, "fill-opacity=\""), *data = strstr(path, " d=\"") + 4;
        double alpha = opacity != NULL && opacity < data ? strtod(opacity + 14, NULL) : 1;
        double x = 0, y = 0;
        while (*data == 'm') {
            CU_ASSERT_FATAL(grt_picture_next(&picture, &at, &rect));
            data++;
            x += number(&data);
            y += number(&data);
            data++;
            double width = number(&data);
            data++;
            double height = number(&data);
            data++;
            CU_ASSERT_DOUBLE_EQUAL(number(&data), -width, 1e-9);
            CU_ASSERT_EQUAL(*data++, 'z');
            CU_ASSERT_DOUBLE_EQUAL(x, rect.left, 0.0051);
            CU_ASSERT_DOUBLE_EQUAL(y, rect.top, 0.0051);
            CU_ASSERT_DOUBLE_EQUAL(x + width, rect.right, 0.0051);
            CU_ASSERT_DOUBLE_EQUAL(y + height, rect.bottom, 0.0051);
            CU_ASSERT_EQUAL(colour, rect.colour >> 8);
            CU_ASSERT_DOUBLE_EQUAL(alpha, (rect.colour & 0xff) / 255.0, 0.001);
        }
        path = data;
    }
    CU_ASSERT_FALSE(grt_picture_next(&picture, &at, &rect));
}

static void test_random_rectangles(void) {
    static const grt_colour colours[] = {0xff0000ff, 0xff0000ff, 0x00ff00ff, 0x0000ff80, 0x0000ff80};
    struct grt_random random = grt_random_stream(1, "svg", 0, 0);
    for (int i = 0; i < grt_suite_cases(100, 10000); i++) {
        grt_picture_begin(&picture, 1000, 1000);
        for (int n = 0; n < 100; n++) {
            double x = 900 * grt_random_uniform(&random), y = 900 * grt_random_uniform(&random);
            double width = 0.02 + 90 * grt_random_uniform(&random);
            double height = 0.02 + 90 * grt_random_uniform(&random);
            grt_picture_rect(&picture, x, y, x + width, y + height, colours[grt_random_below(&random, 5)]);
        }
        char *text = write_svg(&plain);
        check_rectangles(text);
        free(text);
    }
}

static int paths(const char *text) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, "<path")) != NULL; at++) {
        count++;
    }
    return count;
}

/* Opaque rectangles of one colour are one path; translucent ones only where they do not meet, for there they add up. */
static void test_runs(void) {
    static const struct {
        grt_colour colour;
        double step;
        int paths;
    } cases[] = {
        {0x112233ff, 10, 1}, {0x112233ff, 5, 1}, {0x11223380, 10, 1}, {0x11223380, 5, 5}, {0x11223300, 5, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        grt_picture_begin(&picture, 100, 100);
        for (int n = 0; n < 5; n++) {
            double x = cases[i].step * n;
            grt_picture_rect(&picture, x, 0, x + 10, 10, cases[i].colour);
        }
        char *text = write_svg(&plain);
        CU_ASSERT_EQUAL(paths(text), cases[i].paths);
        free(text);
    }
}

static void test_size(void) {
    for (int theme = 0; theme < GRT_THEMES; theme++) {
        grt_dense_picture(&picture, &grt_themes[theme], 10000, 1000);
        char *text = write_svg(&plain);
        check_valid(text);
        CU_ASSERT(strlen(text) < 500000);
        free(text);
    }
}

static void test_hostile(void) {
    struct grt_random random = grt_random_stream(2, "svg", 0, 0);
    const double far[] = {-INFINITY, -1e6, 0, 50, 1e300};
    for (int i = 0; i < grt_suite_cases(50, 5000); i++) {
        char name[300];
        for (size_t n = 0; n < sizeof name; n++) {
            name[n] = grt_random_below(&random, 3) > 0 ? (char)grt_random_below(&random, 256)
                                                       : "<>&\"' ]-\xef\xbf"[grt_random_below(&random, 10)];
        }
        struct grt_box box = {far[i % 5], far[i / 5 % 5], 70, far[i % 4 + 1]};
        struct grt_text_style style = {.colour = 0xff, .size = 1e9};
        grt_picture_begin(&picture, 100, 100);
        grt_picture_group(&picture, name, sizeof name);
        grt_picture_clip(&picture, box); /* left open */
        grt_picture_text(&picture, far[i % 5], 3, &style, name, grt_random_below(&random, sizeof name));
        grt_picture_hatch(&picture, box, GRT_HATCH_CROSS, 5, 1, 0x80);
        grt_picture_rect(&picture, box.left, box.top, box.right, box.bottom, 0xff);
        char *text = write_svg(&(struct grt_svg){.title = i % 2 == 0 ? "\xff<" : NULL});
        check_valid(text);
        CU_ASSERT(strlen(text) < 50000);
        free(text);
    }
}

static void check_refused(const char *path, double width_mm, const char *message) {
    struct grt_svg svg = {.width_mm = width_mm};
    CU_ASSERT_FALSE(grt_svg_write(&picture, path, &svg, &errors));
    CU_ASSERT(errors.count == 1 && strstr(errors.messages[0], message) != NULL);
    grt_errors_clear(&errors);
}

static void test_refused(void) {
    grt_demo_picture(&picture, &grt_themes[GRT_THEME_LIGHT]);
    check_refused("/dev/full", 0, "/dev/full: cannot write: No space left on device");
    check_refused(GRT_SCRATCH_DIR "/none/a.svg", 0, "No such file or directory");
    check_refused(FILE_NAME, -1, "1 to 5000 mm");
    check_refused(FILE_NAME, NAN, "is not possible");
    check_refused(FILE_NAME, 5001, "5001 mm wide");
    grt_picture_begin(&picture, NAN, 5);
    check_refused(FILE_NAME, 0, "of 0 x 5 pixels");
}

int main(void) {
    CU_TestInfo tests[] = {{"the check itself", test_the_check_itself},
                           {"demo", test_demo},
                           {"numbers", test_numbers},
                           {"random rectangles", test_random_rectangles},
                           {"runs", test_runs},
                           {"size", test_size},
                           {"hostile", test_hostile},
                           {"refused", test_refused},
                           CU_TEST_INFO_NULL};
    int failed = grt_suite_run("svg", tests);
    grt_picture_free(&picture);
    return failed;
}
