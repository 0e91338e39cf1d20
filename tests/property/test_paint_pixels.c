/* labels: golden soak */
/* Random rectangles, hatches and lines painted by the fast loops equal a plain reference that asks of every pixel, one by one,
 * what covers it; and neighbours that share an edge cover every pixel between them exactly once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/random.h"
#include "tests/support/suite.h"
#include "viz/picture/paint_canvas.h"

enum { WIDTH = 61, HEIGHT = 43, STRIDE = 67, FENCE = 0x5a5a5a5a };

static uint32_t frame[STRIDE * HEIGHT], reference[STRIDE * HEIGHT];

/* ---- the reference: per pixel, with its own arithmetic ---- */

static long long edge(double value) {
    return (long long)floor((double)(float)value + 0.5);
}

static uint32_t mixed(uint32_t pixel, uint32_t colour, uint32_t alpha) {
    uint32_t part = alpha >= 128 ? alpha + 1 : alpha, result = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        uint32_t a = pixel >> shift & 0xff, b = colour >> (shift + 8) & 0xff;
        result |= ((a * (256 - part) + b * part) / 256) << shift;
    }
    return 0xff000000u | result;
}

static double hatch_cover(const struct grt_shape *hatch, int sum) {
    int place = ((sum % hatch->pitch) + hatch->pitch) % hatch->pitch;
    int nearest = place < hatch->pitch - place ? place : hatch->pitch - place;
    return fmin(fmax((hatch->width + 1.0) / 2 - nearest * sqrt(0.5), 0), 1);
}

static uint32_t alpha_at(const struct grt_shape *shape, int x, int y) {
    uint32_t alpha = shape->colour & 0xff;
    if (shape->kind == GRT_SHAPE_RECT) {
        return alpha;
    }
    double up = shape->direction != GRT_HATCH_DOWN ? hatch_cover(shape, x + y) : 0;
    double down = shape->direction != GRT_HATCH_UP ? hatch_cover(shape, x - y) : 0;
    return (uint32_t)(fmax(up, down) * alpha + 0.5);
}

static bool covers(const struct grt_shape *box, int x, int y) {
    return x >= edge(box->left) && x < edge(box->right) && y >= edge(box->top) && y < edge(box->bottom);
}

static void paint_reference(const struct grt_picture *picture) {
    struct grt_shape clips[GRT_PICTURE_DEPTH], shape;
    int depth = 0;
    for (uint32_t at = 0; grt_picture_next(picture, &at, &shape);) {
        if (shape.kind == GRT_SHAPE_CLIP) {
            clips[depth++] = shape;
        } else if (shape.kind == GRT_SHAPE_UNCLIP) {
            depth--;
        } else {
            for (int i = 0; i < WIDTH * HEIGHT; i++) {
                int x = i % WIDTH, y = i / WIDTH;
                bool inside = covers(&shape, x, y);
                for (int c = 0; c < depth; c++) {
                    inside = inside && covers(&clips[c], x, y);
                }
                if (inside) {
                    uint32_t *pixel = &reference[y * STRIDE + x];
                    *pixel = mixed(*pixel, shape.colour, alpha_at(&shape, x, y));
                }
            }
        }
    }
}

/* ---- random pictures ---- */

static double coordinate(struct grt_random *random, int size) {
    switch (grt_random_below(random, 8)) {
    case 0:
        return grt_random_below(random, 2) == 0 ? -INFINITY : INFINITY;
    case 1:
        return ((double)grt_random_below(random, 2001) - 1000) * 1e6;
    case 2:
        return (double)grt_random_below(random, (uint64_t)size + 1) + 0.5; /* halves round up */
    case 3:
        return NAN;
    default:
        return (grt_random_uniform(random) * 1.5 - 0.25) * size;
    }
}

static struct grt_box box_at(struct grt_random *random) {
    struct grt_box box = {coordinate(random, WIDTH), coordinate(random, HEIGHT), 0, 0};
    static const double sizes[] = {0.4, 1, 2, 3.3, 7, 7.9, 8, 9, 20, 100};
    box.right = box.left + sizes[grt_random_below(random, 10)];
    box.bottom = box.top + sizes[grt_random_below(random, 10)];
    if (grt_random_below(random, 4) == 0) {
        box.right = coordinate(random, WIDTH);
        box.bottom = coordinate(random, HEIGHT);
    }
    return box;
}

static grt_colour random_colour(struct grt_random *random) {
    static const uint32_t alphas[] = {255, 255, 255, 0, 1, 127, 128, 254};
    uint32_t alpha = alphas[grt_random_below(random, 8)];
    return (grt_colour)(grt_random_bits(random) & 0xffffff00) | alpha;
}

static void random_picture(struct grt_random *random, struct grt_picture *picture) {
    int clips = 0;
    grt_picture_begin(picture, WIDTH, HEIGHT);
    for (uint64_t n = 1 + grt_random_below(random, 30); n > 0; n--) {
        struct grt_box box = box_at(random);
        uint64_t kind = grt_random_below(random, 10);
        if (kind == 0 && clips < 5) {
            grt_picture_clip(picture, box);
            clips++;
        } else if (kind == 1 && clips > 0) {
            grt_picture_unclip(picture);
            clips--;
        } else if (kind == 2) {
            enum grt_hatch direction = (enum grt_hatch)(1 + grt_random_below(random, 3));
            double pitch = 2 + (double)grt_random_below(random, 12), width = 3 * grt_random_uniform(random);
            grt_picture_hatch(picture, box, direction, pitch, width, random_colour(random));
        } else {
            grt_picture_rect(picture, box.left, box.top, box.right, box.bottom, random_colour(random));
        }
    }
}

static void paint(const struct grt_picture *picture, grt_colour background) {
    struct grt_pixels pixels = {frame, WIDTH, HEIGHT, STRIDE};
    struct grt_canvas canvas;
    grt_pixels_fill(&pixels, (struct grt_pixel_box){0, 0, WIDTH, HEIGHT}, background | 0xff);
    grt_canvas_begin(&canvas, &pixels, 1);
    struct grt_shape shape;
    for (uint32_t at = 0; grt_picture_next(picture, &at, &shape);) {
        CU_ASSERT(grt_canvas_paint(&canvas, &shape));
    }
}

static void test_random_pictures(void) {
    struct grt_random random = grt_random_stream(1, "pixels", 0, 0);
    struct grt_picture picture = {0};
    for (int i = 0; i < grt_suite_cases(2000, 200000); i++) {
        random_picture(&random, &picture);
        grt_colour background = random_colour(&random);
        for (int at = 0; at < STRIDE * HEIGHT; at++) {
            frame[at] = FENCE;
            reference[at] = at % STRIDE < WIDTH ? 0xff000000u | background >> 8 : (uint32_t)FENCE;
        }
        paint(&picture, background);
        paint_reference(&picture);
        if (memcmp(frame, reference, sizeof frame) != 0) {
            CU_FAIL_FATAL("a frame differs from the reference, or pixels outside of it were touched");
        }
    }
    grt_picture_free(&picture);
}

/* Translucent neighbours that tile the frame: an overlap would be darker, a gap would be background. */
static void test_neighbours(void) {
    struct grt_random random = grt_random_stream(2, "neighbours", 0, 0);
    struct grt_picture picture = {0};
    for (int i = 0; i < grt_suite_cases(500, 50000); i++) {
        grt_picture_begin(&picture, WIDTH, HEIGHT);
        double y = -3;
        while (y < HEIGHT) {
            double bottom = y + 0.2 + 5 * grt_random_uniform(&random), x = -2;
            while (x < WIDTH) {
                double right = x + 0.1 + 4 * grt_random_uniform(&random);
                grt_picture_rect(&picture, x, y, right, bottom, 0x80808080);
                x = right;
            }
            y = bottom;
        }
        paint(&picture, 0xffffffff);
        for (int at = 0; at < STRIDE * HEIGHT; at++) {
            if (at % STRIDE < WIDTH && frame[at] != frame[0]) {
                CU_FAIL_FATAL("neighbours overlap or leave a gap");
            }
        }
        CU_ASSERT(frame[0] != 0xffffffff);
    }
    grt_picture_free(&picture);
}

/* Scaled, the same holds. */
static void test_scaled_neighbours(void) {
    struct grt_random random = grt_random_stream(3, "scaled", 0, 0);
    for (int i = 0; i < grt_suite_cases(500, 50000); i++) {
        struct grt_pixels pixels = {frame, WIDTH, HEIGHT, STRIDE};
        struct grt_canvas canvas;
        grt_pixels_fill(&pixels, (struct grt_pixel_box){0, 0, WIDTH, HEIGHT}, 0xffffffff);
        grt_canvas_begin(&canvas, &pixels, 0.1 + 7.9 * grt_random_uniform(&random));
        float x = -1;
        while (x * canvas.scale < WIDTH) {
            float right = x + 0.3f + (float)grt_random_uniform(&random);
            struct grt_shape rect = {
                .kind = GRT_SHAPE_RECT, .left = x, .right = right, .bottom = 1000, .colour = 0x80808080};
            CU_ASSERT(grt_canvas_paint(&canvas, &rect));
            x = right;
        }
        for (int at = 0; at < STRIDE * HEIGHT; at++) {
            if (at % STRIDE < WIDTH && frame[at] != frame[0]) {
                CU_FAIL_FATAL("scaled neighbours overlap or leave a gap");
            }
        }
    }
}

/* A line along an axis is whole pixels, at least one of them, and does not move with its direction. */
static void test_straight_lines(void) {
    static const struct {
        struct grt_point ends[2];
        double width;
        struct grt_pixel_box box;
    } cases[] = {{{{5.5, 2}, {5.5, 9}}, 1, {5, 2, 6, 9}},       {{{5, 2}, {5, 9}}, 1, {5, 2, 6, 9}},
                 {{{5, 9}, {5, 2}}, 0.1, {5, 2, 6, 9}},         {{{5, 2}, {5, 9}}, 2, {4, 2, 6, 9}},
                 {{{2, 5.5}, {9, 5.5}}, 1, {2, 5, 9, 6}},       {{{-9, 5.5}, {99, 5.5}}, 3, {0, 4, WIDTH, 7}},
                 {{{5.5, 2}, {5.5, 9e9}}, 1, {5, 2, 6, HEIGHT}}};
    struct grt_picture picture = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct grt_pen pen = {.colour = 0xff0000ff, .width = cases[i].width};
        grt_picture_begin(&picture, WIDTH, HEIGHT);
        grt_picture_line(&picture, cases[i].ends, 2, &pen);
        paint(&picture, 0x000000ff);
        for (int at = 0; at < WIDTH * HEIGHT; at++) {
            int x = at % WIDTH, y = at / WIDTH;
            const struct grt_pixel_box *box = &cases[i].box;
            bool inside = x >= box->left && x < box->right && y >= box->top && y < box->bottom;
            CU_ASSERT_EQUAL(frame[y * STRIDE + x], inside ? 0xffff0000 : 0xff000000);
        }
    }
    grt_picture_free(&picture);
}

int main(void) {
    CU_TestInfo tests[] = {{"random pictures", test_random_pictures},
                           {"neighbours", test_neighbours},
                           {"scaled neighbours", test_scaled_neighbours},
                           {"straight lines", test_straight_lines},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("paint_pixels", tests);
}
