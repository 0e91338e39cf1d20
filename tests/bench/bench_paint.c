/* Frames as a long trace makes them, 1600 x 900: 100,000 rectangles a pixel wide, 1,000 labels of 12 letters; and the same
 * picture as SVG. The references are bare loops that do the least that must be done, and cairo where it is there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"
#include "tests/support/demo_picture.h"
#include "viz/picture/paint.h"
#include "viz/picture/svg.h"
#include "viz/picture/text_width.h"
#ifdef GRT_HAVE_CAIRO
#include <cairo.h>
#endif

enum { WIDTH = 1600, HEIGHT = 900, RECTS = 100000, LABELS = 1000 };

struct paint {
    struct grt_picture picture;
    struct grt_painter *painter;
    uint32_t *pixels;
    uint32_t units;
};

static uint64_t paint_picture(void *state) {
    struct paint *paint = state;
    struct grt_frame frame = {paint->pixels, WIDTH, HEIGHT, 4 * WIDTH, 1};
    grt_painter_paint(paint->painter, &frame, 0xffffffff, &paint->picture);
    bench_use(paint->pixels[WIDTH * 100 + 100]);
    return paint->units;
}

static void clear(uint32_t *pixels) {
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        pixels[i] = UINT32_MAX;
    }
}

/* Stores the same pixels without edges to round, clips, colours to test. */
static uint64_t paint_bare(void *state) {
    struct paint *paint = state;
    const union grt_picture_word *word = paint->picture.words;
    clear(paint->pixels);
    for (uint32_t i = 0; i < RECTS; i++, word += GRT_RECT_WORDS) {
        int x = (int)word[2].number, bottom = (int)word[5].number;
        for (int y = (int)word[3].number; y < bottom && y < HEIGHT; y++) {
            paint->pixels[y * WIDTH + x] = word[1].bits >> 8 | 0xff000000u;
        }
    }
    bench_use(paint->pixels[WIDTH * 100 + 100]);
    return RECTS;
}

#ifdef GRT_HAVE_CAIRO
static cairo_t *cairo_over(uint32_t *pixels, cairo_surface_t **surface) {
    *surface = cairo_image_surface_create_for_data((unsigned char *)pixels, CAIRO_FORMAT_ARGB32, WIDTH,
                                                   HEIGHT, 4 * WIDTH);
    cairo_t *cairo = cairo_create(*surface);
    cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE);
    return cairo;
}

static uint64_t paint_rects_by_cairo(void *state) {
    struct paint *paint = state;
    cairo_surface_t *surface;
    cairo_t *cairo = cairo_over(paint->pixels, &surface);
    struct grt_shape rect;
    clear(paint->pixels);
    for (uint32_t at = 0; grt_picture_next(&paint->picture, &at, &rect);) {
        cairo_set_source_rgb(cairo, (rect.colour >> 24) / 255.0, (rect.colour >> 16 & 0xff) / 255.0,
                             (rect.colour >> 8 & 0xff) / 255.0);
        cairo_rectangle(cairo, rect.left, rect.top, 1, rect.bottom - rect.top);
        cairo_fill(cairo);
    }
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    return RECTS;
}

static uint64_t paint_labels_by_cairo(void *state) {
    struct paint *paint = state;
    cairo_surface_t *surface;
    cairo_t *cairo = cairo_over(paint->pixels, &surface);
    cairo_select_font_face(cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, 11);
    struct grt_shape text;
    clear(paint->pixels);
    for (uint32_t at = 0; grt_picture_next(&paint->picture, &at, &text);) {
        char words[64];
        memcpy(words, text.text, text.bytes);
        words[text.bytes] = '\0';
        cairo_move_to(cairo, text.x, text.y);
        cairo_show_text(cairo, words);
    }
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    return LABELS;
}
#endif

static uint64_t append(void *state) {
    struct paint *paint = state;
    grt_picture_begin(&paint->picture, WIDTH, HEIGHT);
    for (uint32_t i = 0; i < RECTS; i++) {
        grt_picture_rect(&paint->picture, i % WIDTH, 10, i % WIDTH + 1, 20, 0xff);
    }
    bench_use(paint->picture.count);
    return RECTS;
}

static uint64_t append_bare(void *state) {
    struct paint *paint = state;
    union grt_picture_word *word = paint->picture.words;
    for (uint32_t i = 0; i < RECTS; i++, word += GRT_RECT_WORDS) {
        float x = (float)(i % WIDTH);
        word[0].bits = GRT_RECT_WORDS << 8;
        word[1].bits = 0xff;
        word[2].number = x;
        word[3].number = 10;
        word[4].number = x + 1;
        word[5].number = 20;
    }
    bench_use(paint->picture.words[77].bits);
    return RECTS;
}

static uint64_t measure(void *state) {
    (void)state;
    double sum = 0;
    char label[] = "job 00000 ms";
    for (uint32_t i = 0; i < RECTS; i++) {
        label[4] = (char)('0' + i % 10);
        sum += grt_text_width(GRT_FONT_PLAIN, 11, label, sizeof label - 1);
    }
    bench_use((uint64_t)sum);
    return RECTS;
}

static uint64_t sum_bytes(void *state) {
    (void)state;
    uint64_t sum = 0;
    char label[] = "job 00000 ms";
    for (uint32_t i = 0; i < RECTS; i++) {
        label[4] = (char)('0' + i % 10);
        for (const volatile char *at = label; *at != '\0'; at++) {
            sum += (unsigned char)*at;
        }
    }
    bench_use(sum);
    return RECTS;
}

static uint64_t write_svg(void *state) {
    struct paint *paint = state;
    struct grt_errors errors = {0};
    bench_use(grt_svg_write(&paint->picture, "/dev/null", &(struct grt_svg){0}, &errors));
    return paint->units;
}

static uint64_t print_svg(void *state) {
    struct paint *paint = state;
    FILE *file = fopen("/dev/null", "w");
    struct grt_shape s;
    for (uint32_t at = 0; file != NULL && grt_picture_next(&paint->picture, &at, &s);) {
        if (s.kind == GRT_SHAPE_RECT) {
            fprintf(file, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#%06x\"/>\n",
                    s.left, s.top, s.right - s.left, s.bottom - s.top, (unsigned)(s.colour >> 8));
        } else {
            fprintf(file, "<text x=\"%.2f\" y=\"%.2f\">%.*s</text>\n", s.x, s.y, (int)s.bytes, s.text);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return paint->units;
}

void bench_paint(void) {
    struct paint paint = {.painter = grt_painter_create(), .pixels = malloc(4u * WIDTH * HEIGHT)};
    const struct grt_theme *theme = &grt_themes[GRT_THEME_LIGHT];
    grt_dense_picture(&paint.picture, theme, RECTS, 0);
    paint.units = RECTS;
    double ns = bench_ns_per_unit(paint_picture, &paint, 9);
    bench_report("rectangle painted, 100,000 a frame", ns, "the same pixels stored by a bare loop",
                 bench_ns_per_unit(paint_bare, &paint, 9), "80 ns");
#ifdef GRT_HAVE_CAIRO
    bench_report("rectangle painted, 100,000 a frame", ns, "cairo_fill",
                 bench_ns_per_unit(paint_rects_by_cairo, &paint, 2), "");
#endif
    bench_report("rectangle appended", bench_ns_per_unit(append, &paint, 9), "six words stored",
                 bench_ns_per_unit(append_bare, &paint, 9), "");
    grt_dense_picture(&paint.picture, theme, 0, LABELS);
    paint.units = LABELS;
#ifdef GRT_HAVE_CAIRO
    bench_report("label of 12 letters, 1,000 a frame", bench_ns_per_unit(paint_picture, &paint, 9),
                 "cairo_show_text", bench_ns_per_unit(paint_labels_by_cairo, &paint, 9), "2000 ns");
#endif
    bench_report("label of 12 letters measured", bench_ns_per_unit(measure, &paint, 9), "its bytes summed",
                 bench_ns_per_unit(sum_bytes, &paint, 9), "");
    grt_dense_picture(&paint.picture, theme, 10000, LABELS);
    paint.units = 10000 + LABELS;
    bench_report("SVG, 10,000 rectangles, 1,000 labels: a shape", bench_ns_per_unit(write_svg, &paint, 9),
                 "fprintf of <rect> and <text>", bench_ns_per_unit(print_svg, &paint, 9), "");
    grt_picture_free(&paint.picture);
    grt_painter_free(paint.painter);
    free(paint.pixels);
}
