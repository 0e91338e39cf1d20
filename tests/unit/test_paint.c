/* labels: cairo alone */
/* Frames: shapes are where they belong, over what came before, inside their clips; the same again and again. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/demo_picture.h"
#include "tests/support/suite.h"
#include "viz/picture/paint.h"
#include "viz/picture/text_utf8.h"
#include "viz/picture/text_width.h"

enum { WIDTH = 200, HEIGHT = 100, STRIDE = 208 };
#define WHITE UINT32_C(0xffffffff)
#define BLACK UINT32_C(0xff000000)

static uint32_t pixels[STRIDE * HEIGHT];
static struct grt_picture picture;
static struct grt_painter *painter;

static void paint_at(double scale) {
    struct grt_frame frame = {pixels, WIDTH, HEIGHT, 4 * STRIDE, scale};
    grt_painter_paint(painter, &frame, 0xffffff00, &picture);
}

static uint32_t at(int x, int y) {
    return pixels[y * STRIDE + x];
}

/* The box around all pixels that are not white. */
static struct grt_box ink(void) {
    struct grt_box box = {WIDTH, HEIGHT, -1, -1};
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        int x = i % WIDTH, y = i / WIDTH;
        if (at(x, y) != WHITE) {
            box.left = fmin(box.left, x);
            box.top = fmin(box.top, y);
            box.right = fmax(box.right, x + 1);
            box.bottom = fmax(box.bottom, y + 1);
        }
    }
    return box;
}

static void put_text(double x, double y, enum grt_font font, enum grt_anchor anchor, const char *text) {
    struct grt_text_style style = {.colour = 0x000000ff, .font = font, .anchor = anchor, .size = 20};
    grt_picture_text(&picture, x, y, &style, text, strlen(text));
}

/* Text stands where its width says, on its baseline, in every font. */
static void test_text(void) {
    for (int font = 0; font < GRT_FONTS; font++) {
        double width = grt_text_width((enum grt_font)font, 20, "HlmH", 4);
        for (int anchor = 0; anchor < 3; anchor++) {
            grt_picture_begin(&picture, WIDTH, HEIGHT);
            put_text(100, 50, (enum grt_font)font, (enum grt_anchor)anchor, "HlmH");
            paint_at(1);
            struct grt_box box = ink();
            double left = 100 - width * anchor / 2;
            CU_ASSERT_DOUBLE_EQUAL(box.left, left, 3.5);
            CU_ASSERT_DOUBLE_EQUAL(box.right, left + width, 3.5);
            CU_ASSERT(box.left >= left && box.right <= left + width);
            CU_ASSERT_DOUBLE_EQUAL(box.bottom, 50, 1.01);
            CU_ASSERT_DOUBLE_EQUAL(box.top, 50 - 0.729 * 20, 1.5);
        }
    }
}

/* Marks stand over their letter, in the mono font too, whose marks have a cell of their own. */
static void test_marks(void) {
    for (int font = 0; font < GRT_FONTS; font++) {
        grt_picture_begin(&picture, WIDTH, HEIGHT);
        put_text(50, 50, (enum grt_font)font, GRT_ANCHOR_START, "a");
        paint_at(1);
        struct grt_box letter = ink();
        grt_picture_begin(&picture, WIDTH, HEIGHT);
        put_text(50, 50, (enum grt_font)font, GRT_ANCHOR_START, "a\xcc\x81");
        paint_at(1);
        struct grt_box both = ink();
        CU_ASSERT(both.top < letter.top - 2);
        CU_ASSERT_DOUBLE_EQUAL(both.left, letter.left, 1);
        CU_ASSERT_DOUBLE_EQUAL(both.right, letter.right, 1);
    }
}

static void test_scale(void) {
    grt_picture_begin(&picture, WIDTH, HEIGHT);
    put_text(20, 40, GRT_FONT_PLAIN, GRT_ANCHOR_START, "HH");
    grt_picture_rect(&picture, 60.25, 10, 61, 11.75, 0x0000ffff);
    paint_at(2);
    CU_ASSERT_DOUBLE_EQUAL(ink().bottom, 80, 1.01);
    CU_ASSERT_DOUBLE_EQUAL(ink().left, 40 + 4, 2);
    CU_ASSERT_EQUAL(at(121, 20), 0xff0000ff);
    CU_ASSERT_EQUAL(at(120, 20), WHITE);
    CU_ASSERT_EQUAL(at(121, 23), 0xff0000ff);
    CU_ASSERT_EQUAL(at(121, 24), WHITE);
    paint_at(NAN);
    paint_at(-1);
    paint_at(1e9);
}

/* What comes later covers what came before, whoever paints it: own loops, cairo, glyphs. */
static void test_order(void) {
    const struct grt_point square[] = {{20, 20}, {60, 20}, {60, 60}, {20, 60}};
    grt_picture_begin(&picture, WIDTH, HEIGHT);
    grt_picture_rect(&picture, 10, 10, 70, 70, 0xff0000ff);
    grt_picture_polygon(&picture, square, 4, 0x00ff00ff, NULL);
    grt_picture_rect(&picture, 30, 30, 50, 50, 0x0000ffff);
    put_text(30, 48, GRT_FONT_BOLD, GRT_ANCHOR_START, "\xe2\x96\x88"); /* a full block */
    grt_picture_line(&picture, (struct grt_point[]){{0, 35.5}, {100, 35.5}}, 2,
                     &(struct grt_pen){.colour = 0xffff00ff, .width = 1});
    grt_picture_rect(&picture, 65, 0, 66, 100, 0x00000080);
    paint_at(1);
    CU_ASSERT_EQUAL(at(15, 15), 0xffff0000);
    CU_ASSERT_EQUAL(at(25, 25), 0xff00ff00);
    CU_ASSERT_EQUAL(at(48, 47), 0xff0000ff);
    CU_ASSERT_EQUAL(at(35, 42), BLACK);
    CU_ASSERT_EQUAL(at(35, 35), 0xffffff00);
    CU_ASSERT_EQUAL(at(65, 50), 0xff7e0000);
    CU_ASSERT_EQUAL(at(65, 80), 0xff7e7e7e);
}

static void put_one_of_each(void) {
    const struct grt_pen thick = {.colour = 0x000000ff, .width = 5};
    const struct grt_point across[] = {{0, 0}, {WIDTH, HEIGHT}, {0, HEIGHT}, {WIDTH, 0}};
    grt_picture_rect(&picture, -5, -5, 500, 500, 0x808080ff);
    grt_picture_line(&picture, across, 4, &thick);
    grt_picture_curve(&picture, across, &thick);
    grt_picture_polygon(&picture, across, 4, 0x00ff00ff, &thick);
    grt_picture_hatch(&picture, (struct grt_box){-9, -9, 300, 300}, GRT_HATCH_CROSS, 4, 1, 0x0000ffff);
    for (int y = 0; y < HEIGHT; y += 10) {
        put_text(-20, y, GRT_FONT_PLAIN, GRT_ANCHOR_START, "all over the place and beyond its end");
    }
}

static void put_clipped(void) {
    grt_picture_clip(&picture, (struct grt_box){20, 10, 150, 80});
    grt_picture_clip(&picture, (struct grt_box){40.4, 0, 300, 60.5});
    put_one_of_each();
    grt_picture_clip(&picture, (struct grt_box){0, 0, 30, 30}); /* nothing is inside all three */
    grt_picture_rect(&picture, 0, 0, 200, 100, 0xff0000ff);
    grt_picture_unclip(&picture);
    grt_picture_unclip(&picture);
    grt_picture_unclip(&picture);
}

static void test_clips(void) {
    grt_picture_begin(&picture, WIDTH, HEIGHT);
    put_clipped();
    grt_picture_polygon(&picture, (struct grt_point[]){{198, 98}, {200, 98}, {200, 100}, {198, 100}}, 4,
                        0x00ff00ff, NULL); /* cairo has forgotten the clip */
    paint_at(1);
    CU_ASSERT_EQUAL(at(199, 99), 0xff00ff00);
    grt_picture_begin(&picture, WIDTH, HEIGHT);
    put_clipped();
    paint_at(1);
    struct grt_box box = ink();
    CU_ASSERT(box.left == 40 && box.top == 10 && box.right == 150 && box.bottom == 61);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        CU_ASSERT_NOT_EQUAL(at(i % WIDTH, i / WIDTH), 0xffff0000);
    }
}

/* Steps along the axes are whole pixels though cairo draws them; a slanted line is as dark as it is long and wide. */
static void test_lines(void) {
    grt_picture_begin(&picture, WIDTH, HEIGHT);
    const struct grt_pen pen = {.colour = 0x000000ff, .width = 1};
    grt_picture_line(&picture, (struct grt_point[]){{10, 20}, {50, 20}, {50, 40}, {80, 40}}, 4, &pen);
    paint_at(1);
    int grey = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        uint32_t pixel = at(i % WIDTH, i / WIDTH);
        grey += pixel != WHITE && pixel != BLACK;
    }
    CU_ASSERT(grey <= 4); /* the ends */
    grt_picture_begin(&picture, WIDTH, HEIGHT);
    grt_picture_line(&picture, (struct grt_point[]){{10, 10}, {70, 90}}, 2,
                     &(struct grt_pen){.colour = 0x000000ff, .width = 3});
    paint_at(1);
    double dark = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        dark += (255 - (at(i % WIDTH, i / WIDTH) & 0xff)) / 255.0;
    }
    CU_ASSERT_DOUBLE_EQUAL(dark, 3 * 100, 6);
}

static uint64_t frame_hash(void) {
    uint64_t hash = UINT64_C(1469598103934665603);
    for (int i = 0; i < STRIDE * HEIGHT; i++) {
        hash = (hash ^ pixels[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

/* With empty and with filled caches, in this painter and in another; only inside the frame, and opaque. */
static void test_the_same_again(void) {
    for (int theme = 0; theme < GRT_THEMES; theme++) {
        grt_demo_picture(&picture, &grt_themes[theme]);
        memset(pixels, 0x5a, sizeof pixels);
        paint_at(0.3);
        uint64_t first = frame_hash();
        for (int i = 0; i < STRIDE * HEIGHT; i++) {
            CU_ASSERT_EQUAL(pixels[i] >> 24, i % STRIDE < WIDTH ? 0xff : 0x5a);
        }
        paint_at(0.3);
        CU_ASSERT_EQUAL(frame_hash(), first);
        grt_painter_free(painter);
        painter = grt_painter_create();
        paint_at(0.3);
        CU_ASSERT_EQUAL(frame_hash(), first);
    }
}

static void test_hostile_sizes(void) {
    struct grt_frame none = {NULL, 0, 100, 0, 1}, negative = {NULL, 10, -1, 40, 1};
    grt_painter_paint(painter, &none, 0, &picture);
    grt_painter_paint(painter, &negative, 0, &picture);
    const double far[] = {-INFINITY, -1e6, -1e5, 0, 50, 1e5, 1e300};
    grt_picture_begin(&picture, WIDTH, HEIGHT);
    for (int i = 0; i < 7 * 7 * 7; i++) {
        struct grt_point points[] = {{far[i % 7], far[i / 7 % 7]}, {far[i / 49], 3}, {4, far[i % 7]}, {7, 7}};
        struct grt_pen pen = {.colour = 0xff, .width = i % 2 == 0 ? 1e9 : 1, .dash = i % 3, .gap = 2};
        struct grt_text_style style = {.colour = 0xff, .size = i % 5 == 0 ? 1e9 : i};
        grt_picture_line(&picture, points, 4, &pen);
        grt_picture_line(&picture, points, 2, &pen);
        grt_picture_curve(&picture, points, &pen);
        grt_picture_polygon(&picture, points, 4, 0xff, &pen);
        grt_picture_text(&picture, far[i % 7], far[i / 7 % 7], &style, "far", 3);
        grt_picture_hatch(&picture, (struct grt_box){far[i % 7], far[i / 7 % 7], far[i / 49], 1e9},
                          GRT_HATCH_CROSS, far[i % 7], 3, 0x80);
        grt_picture_clip(&picture, (struct grt_box){far[i % 7], far[i / 7 % 7], far[i / 49], 1e9});
        grt_picture_unclip(&picture);
    }
    paint_at(8);
    paint_at(0.1);
}

/* More glyphs than the cache keeps: every character of the table in many sizes. */
static void test_many_glyphs(void) {
    for (int size = 30; size < 130; size += 2) {
        grt_picture_begin(&picture, WIDTH, HEIGHT);
        struct grt_text_style style = {.colour = 0xff, .size = size};
        for (uint32_t point = 0x21; point < 0x250; point++) {
            char encoded[4];
            grt_picture_text(&picture, 20, 80, &style, encoded, grt_text_encode(point, encoded));
        }
        paint_at(1);
    }
    test_text();
}

/* In a process of its own, because fonts are looked up once. */
static void test_without_fonts(void) {
    static const char config[] = GRT_SCRATCH_DIR "/fonts.conf"; /* names no folder with fonts */
    FILE *file = fopen(config, "w");
    CU_ASSERT_FATAL(file != NULL);
    fputs("<fontconfig></fontconfig>\n", file);
    fclose(file);
    pid_t child = fork();
    if (child == 0) {
        setenv("FONTCONFIG_FILE", config, 1);
        if (freopen("/dev/null", "w", stderr) != NULL) { /* fontconfig complains */
            execl("/proc/self/exe", "test_paint", "--without-fonts", (char *)NULL);
        }
        _exit(99);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CU_ASSERT_PTR_NULL(grt_painter_notice(painter));
}

static int paint_without_fonts(void) {
    struct grt_errors errors = {0};
    struct grt_pdf pdf = {.width_mm = 88};
    grt_demo_picture(&picture, &grt_themes[GRT_THEME_LIGHT]);
    paint_at(0.5);
    const char *notice = grt_painter_notice(painter);
    bool done = grt_paint_pdf(&picture, GRT_SCRATCH_DIR "/no-fonts.pdf", &pdf, &errors);
    return done && notice != NULL && strstr(notice, "fonts-dejavu-core") != NULL ? 0 : 1;
}

int main(int argc, char **argv) {
    painter = grt_painter_create();
    CU_TestInfo tests[] = {{"text", test_text},
                           {"marks", test_marks},
                           {"scale", test_scale},
                           {"order", test_order},
                           {"clips", test_clips},
                           {"lines", test_lines},
                           {"the same again", test_the_same_again},
                           {"hostile sizes", test_hostile_sizes},
                           {"many glyphs", test_many_glyphs},
                           {"without fonts", test_without_fonts},
                           CU_TEST_INFO_NULL};
    bool without = argc == 2 && strcmp(argv[1], "--without-fonts") == 0;
    int failed = without ? paint_without_fonts() : grt_suite_run("paint", tests);
    grt_painter_free(painter);
    grt_picture_free(&picture);
    return failed;
}
