/* labels: golden wrap-malloc */
/* A picture holds what was put into it, nothing that cannot be painted, and keeps its memory. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/count_allocations.h"
#include "tests/support/demo_picture.h"
#include "tests/support/suite.h"
#include "viz/picture/text_utf8.h"

static struct grt_picture picture;
static const struct grt_pen pen = {.colour = 0x112233ff, .width = 1.5, .dash = 4, .gap = 2};

static struct grt_shape next(uint32_t *at) {
    struct grt_shape shape = {.kind = GRT_SHAPE_UNGROUP};
    CU_ASSERT(grt_picture_next(&picture, at, &shape));
    return shape;
}

static uint32_t count_shapes(void) {
    uint32_t at = 0, count = 0;
    struct grt_shape shape;
    while (grt_picture_next(&picture, &at, &shape)) {
        count++;
    }
    return count;
}

static void test_rectangle(void) {
    grt_picture_begin(&picture, 100, 50);
    grt_picture_rect(&picture, 1.5, 2, 3, 4.25, 0x01020304);
    CU_ASSERT(picture.count * sizeof *picture.words <= 32);
    uint32_t at = 0;
    struct grt_shape shape = next(&at);
    CU_ASSERT_EQUAL(shape.kind, GRT_SHAPE_RECT);
    CU_ASSERT_EQUAL(shape.colour, 0x01020304);
    CU_ASSERT(shape.left == 1.5f && shape.top == 2 && shape.right == 3 && shape.bottom == 4.25f);
    CU_ASSERT_FALSE(grt_picture_next(&picture, &at, &shape));
}

static void put_lines(void) {
    static const struct grt_point points[] = {{1, 2}, {3, 4}, {5, 7}, {8, 9}};
    grt_picture_line(&picture, points, 3, &pen);
    grt_picture_polygon(&picture, points, 4, 0xff0000ff, &pen);
    grt_picture_polygon(&picture, points, 3, 0xff0000ff, NULL);
    grt_picture_curve(&picture, points, &pen);
    grt_picture_hatch(&picture, (struct grt_box){1, 2, 3, 4}, GRT_HATCH_DOWN, 5.6, 1.5, 0x0a0b0c0d);
}

static void test_lines(void) {
    grt_picture_begin(&picture, 100, 50);
    put_lines();
    uint32_t at = 0;
    struct grt_shape line = next(&at), polygon = next(&at), plain = next(&at), curve = next(&at),
                     hatch = next(&at);
    CU_ASSERT_EQUAL(line.kind, GRT_SHAPE_LINE);
    CU_ASSERT(line.point_count == 3 && line.points[4].number == 5 && line.points[5].number == 7);
    CU_ASSERT(line.colour == pen.colour && line.width == 1.5f && line.dash == 4 && line.gap == 2);
    CU_ASSERT(polygon.kind == GRT_SHAPE_POLYGON && polygon.point_count == 4);
    CU_ASSERT(polygon.colour == 0xff0000ff && polygon.outline == pen.colour && polygon.width == 1.5f);
    CU_ASSERT(plain.point_count == 3 && plain.outline == 0 && plain.points[0].number == 1);
    CU_ASSERT(curve.kind == GRT_SHAPE_CURVE && curve.point_count == 4 && curve.points[7].number == 9);
    CU_ASSERT(hatch.kind == GRT_SHAPE_HATCH && hatch.pitch == 6 && hatch.direction == GRT_HATCH_DOWN);
    CU_ASSERT(hatch.width == 1.5f && hatch.colour == 0x0a0b0c0d && hatch.bottom == 4);
}

static void test_text(void) {
    static const struct grt_text_style style = {0x11, GRT_FONT_MONO, GRT_ANCHOR_END, 12.5};
    grt_picture_begin(&picture, 100, 50);
    char words[] = "h\xc3\xb6he \x01\xff";
    grt_picture_text(&picture, 3, 4.5, &style, words, sizeof words - 1);
    words[0] = 'X'; /* it was copied */
    grt_picture_group(&picture, "abcd", 4);
    grt_picture_ungroup(&picture);
    uint32_t at = 0;
    struct grt_shape text = next(&at), group = next(&at);
    CU_ASSERT_EQUAL(text.kind, GRT_SHAPE_TEXT);
    CU_ASSERT_EQUAL(text.bytes, 12);
    CU_ASSERT(memcmp(text.text, "h\xc3\xb6he \xef\xbf\xbd\xef\xbf\xbd", 12) == 0);
    CU_ASSERT(text.x == 3 && text.y == 4.5f && text.size == 12.5f && text.colour == 0x11);
    CU_ASSERT(text.font == GRT_FONT_MONO && text.anchor == GRT_ANCHOR_END);
    CU_ASSERT(group.kind == GRT_SHAPE_GROUP && group.bytes == 4 && memcmp(group.text, "abcd", 4) == 0);
    CU_ASSERT_EQUAL(next(&at).kind, GRT_SHAPE_UNGROUP);
}

/* A text that is too long is cut between characters. */
static void test_long_text(void) {
    static const struct grt_text_style style = {.colour = 0xff, .size = 10};
    static char words[3 * GRT_PICTURE_TEXT];
    for (size_t i = 0; i < sizeof words; i += 3) {
        memcpy(words + i, "\xe2\x82\xac", 3);
    }
    for (int kind = 0; kind < 2; kind++) {
        grt_picture_begin(&picture, 1, 1);
        memset(words, kind == 0 ? words[0] : '\xff', kind == 0 ? 0 : sizeof words);
        grt_picture_text(&picture, 0, 0, &style, words, sizeof words);
        uint32_t at = 0;
        struct grt_shape text = next(&at);
        CU_ASSERT_EQUAL(text.bytes, GRT_PICTURE_TEXT / 3 * 3);
    }
}

/* What has no area or no place is left out; what is far away is moved to where it is still out of sight. */
static void test_hostile_sizes(void) {
    const double bad = NAN, huge = INFINITY;
    grt_picture_begin(&picture, bad, -3);
    CU_ASSERT(picture.width == 0 && picture.height == 0);
    grt_picture_begin(&picture, huge, 1);
    CU_ASSERT(picture.width == GRT_PICTURE_REACH);
    const double edges[][4] = {{1, 1, 1, 2},   {2, 1, 1, 2},   {1, 1, 2, 1},   {bad, 0, 1, 1},
                               {0, bad, 1, 1}, {0, 0, bad, 1}, {0, 0, 1, bad}, {huge, 0, huge, 1}};
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        const double *e = edges[i];
        grt_picture_rect(&picture, e[0], e[1], e[2], e[3], 0xff);
        grt_picture_hatch(&picture, (struct grt_box){e[0], e[1], e[2], e[3]}, GRT_HATCH_UP, 4, 1, 0xff);
    }
    const struct grt_point points[] = {{0, 0}, {1, bad}, {2, 2}, {3, 3}};
    const struct grt_pen none = {.colour = 0xff, .width = 0}, clear = {.colour = 0xffffff00, .width = 1};
    const struct grt_text_style style = {.colour = 0xff, .size = bad};
    grt_picture_line(&picture, points, 4, &pen);
    grt_picture_line(&picture, points, 1, &pen);
    grt_picture_line(&picture, points + 2, 2, &none);
    grt_picture_line(&picture, points + 2, 2, &clear);
    grt_picture_curve(&picture, points, &pen);
    grt_picture_polygon(&picture, points, 4, 0xff, NULL);
    grt_picture_polygon(&picture, points + 2, 2, 0xff, NULL);
    grt_picture_hatch(&picture, (struct grt_box){0, 0, 1, 1}, GRT_HATCH_UP, 4, bad, 0xff);
    grt_picture_hatch(&picture, (struct grt_box){0, 0, 1, 1}, GRT_HATCH_NONE, 4, 1, 0xff);
    grt_picture_text(&picture, 0, 0, &style, "a", 1);
    grt_picture_text(&picture, bad, 0, &(struct grt_text_style){.colour = 0xff, .size = 9}, "a", 1);
    grt_picture_text(&picture, 0, 0, &(struct grt_text_style){.colour = 0xff, .size = 9}, "", 0);
    CU_ASSERT_EQUAL(count_shapes(), 0);
    grt_picture_rect(&picture, -1e300, -huge, 1e300, huge, 0xff);
    grt_picture_hatch(&picture, (struct grt_box){-huge, 0, 1, 1}, GRT_HATCH_UP, bad, huge, 0xff);
    uint32_t at = 0;
    struct grt_shape rect = next(&at), hatch = next(&at);
    CU_ASSERT(rect.left == -1e6f && rect.top == -1e6f && rect.right == 1e6f && rect.bottom == 1e6f);
    CU_ASSERT(hatch.left == -1e6f && hatch.pitch == 2 && hatch.width == 2);
}

/* A dashed line that goes far outside keeps its dashes in place and has few of them; what cannot be cut is solid. */
static void test_endless_dashes(void) {
    const double huge = 1e300;
    grt_picture_begin(&picture, 100, 100);
    grt_picture_line(&picture, (struct grt_point[]){{-huge, 5}, {huge, 5}}, 2, &pen);
    grt_picture_line(&picture, (struct grt_point[]){{5, 1e5}, {5, 50}}, 2, &pen);
    grt_picture_line(&picture, (struct grt_point[]){{3, 5}, {huge, huge}}, 2, &pen);
    grt_picture_polygon(&picture, (struct grt_point[]){{3, 5}, {4, 6}, {-huge, 7}}, 3, 0xff, &pen);
    uint32_t at = 0;
    struct grt_shape across = next(&at), up = next(&at), slanted = next(&at), polygon = next(&at);
    double left = across.points[0].number, right = across.points[2].number, bottom = up.points[1].number;
    CU_ASSERT(left >= -4200 && left <= -4096 && right >= 4196 && right <= 4300);
    CU_ASSERT_EQUAL(fmod(left + 1e6, 6), 0); /* a dash of 4 and a gap of 2 */
    CU_ASSERT(bottom >= 4196 && bottom <= 4300 && fmod(1e5 - bottom, 6) == 0 && up.points[3].number == 50);
    CU_ASSERT(across.dash == 4 && up.dash == 4 && slanted.dash == 0 && polygon.dash == 0);
}

static bool aborts(void (*act)(void)) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        fclose(stderr);
        act();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void close_too_much(void) {
    grt_picture_unclip(&picture);
}

static void close_the_wrong_one(void) {
    grt_picture_clip(&picture, (struct grt_box){0, 0, 1, 1});
    grt_picture_ungroup(&picture);
}

static void nest_too_deep(void) {
    for (int i = 0; i <= GRT_PICTURE_DEPTH; i++) {
        grt_picture_group(&picture, "", 0);
    }
}

static void test_nesting(void) {
    grt_picture_begin(&picture, 9, 9);
    CU_ASSERT(aborts(close_too_much));
    CU_ASSERT(aborts(close_the_wrong_one));
    CU_ASSERT(aborts(nest_too_deep));
    for (int i = 0; i < GRT_PICTURE_DEPTH; i++) {
        grt_picture_clip(&picture, (struct grt_box){0, 0, NAN, 1});
    }
    CU_ASSERT_EQUAL(picture.depth, GRT_PICTURE_DEPTH);
    grt_picture_begin(&picture, 9, 9);
    CU_ASSERT_EQUAL(picture.depth, 0);
}

static void test_memory_is_kept(void) {
    grt_dense_picture(&picture, &grt_themes[GRT_THEME_LIGHT], 20000, 500);
    uint64_t hash = grt_picture_hash(&picture);
    long before = allocations;
    for (int frame = 0; frame < 3; frame++) {
        grt_dense_picture(&picture, &grt_themes[GRT_THEME_LIGHT], 20000, 500);
        CU_ASSERT_EQUAL(grt_picture_hash(&picture), hash);
    }
    CU_ASSERT_EQUAL(allocations, before);
    CU_ASSERT(before > 0);
}

static void test_hash(void) {
    grt_picture_begin(&picture, 9, 9);
    uint64_t empty = grt_picture_hash(&picture);
    grt_picture_rect(&picture, 0, 0, 1, 1, 0xff);
    uint64_t one = grt_picture_hash(&picture);
    CU_ASSERT_NOT_EQUAL(empty, one);
    grt_picture_begin(&picture, 9, 9);
    grt_picture_rect(&picture, 0, 0, 1, 1.0001, 0xff);
    CU_ASSERT_NOT_EQUAL(grt_picture_hash(&picture), one);
    grt_picture_begin(&picture, 9, 8);
    CU_ASSERT_NOT_EQUAL(grt_picture_hash(&picture), empty);
}

/* Layout does not depend on the compiler, the optimisation, or installed fonts. */
static void test_demo_is_equal_everywhere(void) {
    static const uint64_t expected[GRT_THEMES] = {UINT64_C(0x7121ab4f4a5b3e5d), UINT64_C(0xc03ac6924e7c43a2),
                                                  UINT64_C(0xfb1312eb539cbf76)};
    for (int theme = 0; theme < GRT_THEMES; theme++) {
        grt_demo_picture(&picture, &grt_themes[theme]);
        uint64_t hash = grt_picture_hash(&picture);
        if (hash != expected[theme]) {
            printf("%s: UINT64_C(0x%016llx)\n", grt_themes[theme].name, (unsigned long long)hash);
        }
        CU_ASSERT_EQUAL(hash, expected[theme]);
    }
}

int main(void) {
    CU_TestInfo tests[] = {{"rectangle", test_rectangle},
                           {"lines", test_lines},
                           {"text", test_text},
                           {"long text", test_long_text},
                           {"hostile sizes", test_hostile_sizes},
                           {"endless dashes", test_endless_dashes},
                           {"nesting", test_nesting},
                           {"memory is kept", test_memory_is_kept},
                           {"hash", test_hash},
                           {"demo is equal everywhere", test_demo_is_equal_everywhere},
                           CU_TEST_INFO_NULL};
    int failed = grt_suite_run("picture", tests);
    grt_picture_free(&picture);
    return failed;
}
