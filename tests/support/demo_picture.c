#include "tests/support/demo_picture.h"

#include <stdio.h>
#include <string.h>

#include "sim/hash.h"
#include "viz/picture/text_width.h"

struct demo {
    struct grt_picture *picture;
    const struct grt_theme *theme;
};

static grt_colour role(const struct demo *demo, enum grt_role which) {
    return demo->theme->roles[which];
}

static void rect(const struct demo *demo, struct grt_box box, grt_colour colour) {
    grt_picture_rect(demo->picture, box.left, box.top, box.right, box.bottom, colour);
}

static void line(const struct demo *demo, double x0, double y0, double x1, double y1,
                 const struct grt_pen *pen) {
    grt_picture_line(demo->picture, (struct grt_point[]){{x0, y0}, {x1, y1}}, 2, pen);
}

static void text(const struct demo *demo, double x, double y, const struct grt_text_style *style,
                 const char *words) {
    grt_picture_text(demo->picture, x, y, style, words, strlen(words));
}

/* A bar of a key with its name, shortened to the bar. */
static void bar(const struct demo *demo, struct grt_box box, uint32_t key, const char *name) {
    struct grt_fill fill = grt_theme_fill(demo->theme, key);
    rect(demo, box, fill.colour);
    if (fill.hatch != GRT_HATCH_NONE) {
        grt_picture_hatch(demo->picture, box, fill.hatch, 6, 1, fill.hatch_colour);
    }
    struct grt_pen edge = {.colour = role(demo, GRT_ROLE_EDGE), .width = 1};
    grt_picture_line(demo->picture,
                     (struct grt_point[]){{box.left + 0.5, box.top + 0.5},
                                          {box.right - 0.5, box.top + 0.5},
                                          {box.right - 0.5, box.bottom - 0.5},
                                          {box.left + 0.5, box.bottom - 0.5},
                                          {box.left + 0.5, box.top + 0.5}},
                     5, &edge);
    char label[GRT_PICTURE_TEXT];
    size_t bytes = grt_text_shorten(GRT_FONT_PLAIN, 11, name, strlen(name), box.right - box.left - 8,
                                    GRT_TEXT_CUT_MIDDLE, label);
    struct grt_text_style style = {.colour = fill.text, .anchor = GRT_ANCHOR_MIDDLE, .size = 11};
    grt_picture_text(demo->picture, (box.left + box.right) / 2, grt_text_baseline(box.top, box.bottom, 11),
                     &style, label, bytes);
}

/* An arrow up or down, with a filled head of that colour. */
static void arrow(const struct demo *demo, double x, double tail, double head, grt_colour colour) {
    double back = head < tail ? 6 : -6;
    struct grt_pen pen = {.colour = colour, .width = 1};
    line(demo, x + 0.5, tail, x + 0.5, head + back, &pen);
    grt_picture_polygon(demo->picture,
                        (struct grt_point[]){{x + 0.5, head}, {x - 3, head + back}, {x + 4, head + back}}, 3,
                        colour, NULL);
}

static void axis(const struct demo *demo) {
    rect(demo, (struct grt_box){0, 0, GRT_DEMO_WIDTH, 28}, role(demo, GRT_ROLE_PANEL));
    struct grt_text_style style = {.colour = role(demo, GRT_ROLE_AXIS_TEXT),
                                   .font = GRT_FONT_MONO,
                                   .anchor = GRT_ANCHOR_MIDDLE,
                                   .size = 11};
    for (int tick = 0; tick <= 7; tick++) {
        double x = 120 + 100 * tick;
        struct grt_pen strong = {.colour = role(demo, GRT_ROLE_GRID_STRONG), .width = 1};
        struct grt_pen weak = {.colour = role(demo, GRT_ROLE_GRID), .width = 1};
        line(demo, x, 22, x, 330, &strong);
        line(demo, x + 50, 28, x + 50, 330, &weak);
        char words[32];
        snprintf(words, sizeof words, "%d.%03d ms", tick, 125 * tick % 1000);
        text(demo, x, 17, &style, words);
    }
}

static void rows(const struct demo *demo) {
    static const char *const names[] = {"detect", "lidar_segmentation", "τ₃ – Größe µs", "SM 0", "copy h2d"};
    for (int row = 0; row < 5; row++) {
        double top = 40 + 56 * row;
        if (row % 2 == 1) {
            rect(demo, (struct grt_box){0, top, GRT_DEMO_WIDTH, top + 56}, role(demo, GRT_ROLE_BAND));
        }
        struct grt_text_style style = {
            .colour = role(demo, GRT_ROLE_ROW_LABEL), .font = GRT_FONT_BOLD, .size = 12};
        char label[GRT_PICTURE_TEXT];
        size_t bytes =
            grt_text_shorten(GRT_FONT_BOLD, 12, names[row], strlen(names[row]), 96, GRT_TEXT_CUT_END, label);
        grt_picture_text(demo->picture, 10, grt_text_baseline(top, top + 56, 12), &style, label, bytes);
    }
}

/* Bars that touch, a suspension, a preempted bar that is open at its right, a miss. */
static void jobs(const struct demo *demo) {
    static const char job[] = "detect, job 3: missed its deadline by 1.2 ms <\"&\">";
    grt_picture_group(demo->picture, job, sizeof job - 1);
    bar(demo, (struct grt_box){140, 52, 250, 84}, 0, "detect #3");
    grt_picture_hatch(demo->picture, (struct grt_box){250, 56, 400, 84}, GRT_HATCH_UP, 6, 1,
                      role(demo, GRT_ROLE_SUSPENDED));
    bar(demo, (struct grt_box){400, 52, 520, 84}, 0, "detector_front_left_camera #3");
    arrow(demo, 140, 90, 44, role(demo, GRT_ROLE_RELEASE));
    arrow(demo, 509, 44, 90, role(demo, GRT_ROLE_DEADLINE));
    struct grt_pen edge = {.colour = role(demo, GRT_ROLE_MISS_EDGE), .width = 1};
    grt_picture_polygon(demo->picture, (struct grt_point[]){{520, 84}, {512, 98}, {528, 98}}, 3,
                        role(demo, GRT_ROLE_MISS), &edge);
    grt_picture_ungroup(demo->picture);
    bar(demo, (struct grt_box){180, 108, 300, 140}, 1, "lidar");
    bar(demo, (struct grt_box){300, 108, 302, 140}, 2, "");
    bar(demo, (struct grt_box){302, 108, 420, 140}, 4, "planner");
    bar(demo, (struct grt_box){420, 108, 560, 140}, 5, "control");
    struct grt_pen open = {.colour = role(demo, GRT_ROLE_BLOCKED), .width = 2, .dash = 4, .gap = 3};
    line(demo, 560, 106, 560, 142, &open);
    line(demo, 560, 124, 700, 124, &open);
}

/* What level of detail leaves: one-pixel columns whose height is how busy the resource was. */
static void columns(const struct demo *demo) {
    for (int x = 0; x < 700; x++) {
        double busy = (double)(grt_hash_mix((uint64_t)x / 3) % 36) + 4;
        uint32_t key = (uint32_t)(grt_hash_mix((uint64_t)x / 40) % 7);
        rect(demo, (struct grt_box){130 + x, 256 - busy, 131 + x, 256},
             grt_theme_fill(demo->theme, key).colour);
    }
    rect(demo, (struct grt_box){130, 264, 830, 310}, role(demo, GRT_ROLE_IDLE));
    bar(demo, (struct grt_box){160, 272, 240, 302}, 6, "4 MiB");
    bar(demo, (struct grt_box){500, 272, 640, 302}, 3, "16 MiB pinned");
    rect(demo, (struct grt_box){600, 28, 680, 330}, role(demo, GRT_ROLE_SELECTION));
    struct grt_pen edge = {.colour = role(demo, GRT_ROLE_SELECTION_EDGE), .width = 1};
    line(demo, 600, 28, 600, 330, &edge);
    line(demo, 680, 28, 680, 330, &edge);
}

static void curves(const struct demo *demo) {
    struct grt_pen pen = {.colour = role(demo, GRT_ROLE_ARROW_FOCUS), .width = 1.5};
    grt_picture_curve(demo->picture, (struct grt_point[]){{240, 287}, {300, 287}, {240, 68}, {395, 68}},
                      &pen);
    grt_picture_polygon(demo->picture, (struct grt_point[]){{400, 68}, {392, 64}, {392, 72}}, 3, pen.colour,
                        NULL);
    struct grt_pen dashed = {.colour = role(demo, GRT_ROLE_ARROW), .width = 1.5, .dash = 5, .gap = 3};
    grt_picture_curve(demo->picture, (struct grt_point[]){{640, 287}, {720, 287}, {700, 124}, {780, 124}},
                      &dashed);
    struct grt_point steps[12];
    for (int i = 0; i < 12; i++) {
        int step = i / 2, level = step * 7 % 5;
        steps[i] = (struct grt_point){700 + 10 * step + (i % 2) * 10, 80 - level * 6};
    }
    struct grt_pen pen_of_steps = {.colour = role(demo, GRT_ROLE_DIFFERENCE), .width = 2};
    grt_picture_line(demo->picture, steps, 12, &pen_of_steps);
    grt_picture_line(demo->picture, (struct grt_point[]){{780, 80}, {800, 50}, {815, 76}, {860, 46}}, 4,
                     &pen_of_steps);
}

static void palette(const struct demo *demo) {
    for (uint32_t key = 0; key < 42; key++) {
        uint32_t row = key / 21;
        double left = 20 + 41 * (key % 21), top = 352 + 30 * row;
        char name[16];
        snprintf(name, sizeof name, "%u", (unsigned)key);
        bar(demo, (struct grt_box){left, top, left + 39, top + 24}, key, name);
    }
}

static void letters(const struct demo *demo) {
    static const double sizes[] = {9, 11, 13, 16, 20};
    double y = 432;
    for (int i = 0; i < 5; i++) {
        y += sizes[i] * 1.3;
        for (int font = 0; font < GRT_FONTS; font++) {
            struct grt_text_style style = {
                .colour = role(demo, GRT_ROLE_ROW_LABEL), .font = (enum grt_font)font, .size = sizes[i]};
            text(demo, 20 + 300 * font, y, &style, "Job 12: 3.5 µs ≤ 0.8 τ");
        }
    }
    struct grt_text_style muted = {
        .colour = role(demo, GRT_ROLE_MUTED_TEXT), .anchor = GRT_ANCHOR_END, .size = 11};
    text(demo, GRT_DEMO_WIDTH - 10, 548, &muted, "clipped: 日本 \xff\x01 e\xcc\x81");
    grt_picture_clip(demo->picture, (struct grt_box){640, 530, 740, 550});
    text(demo, 735, 548, &muted, "this is cut at the left edge of its clip");
    grt_picture_clip(demo->picture, (struct grt_box){600, 540, 700, 560});
    rect(demo, (struct grt_box){0, 0, 680, 1000}, role(demo, GRT_ROLE_SELECTION));
    grt_picture_unclip(demo->picture);
    grt_picture_unclip(demo->picture);
}

void grt_demo_picture(struct grt_picture *picture, const struct grt_theme *theme) {
    struct demo demo = {picture, theme};
    grt_picture_begin(picture, GRT_DEMO_WIDTH, GRT_DEMO_HEIGHT);
    rows(&demo);
    axis(&demo);
    jobs(&demo);
    columns(&demo);
    curves(&demo);
    palette(&demo);
    letters(&demo);
}

void grt_dense_picture(struct grt_picture *picture, const struct grt_theme *theme, uint32_t rects,
                       uint32_t labels) {
    enum { WIDTH = 1600, ROWS = 64, ROW = 14 };
    grt_picture_begin(picture, WIDTH, ROWS * ROW);
    for (uint32_t i = 0; i < rects; i++) {
        uint64_t random = grt_hash_mix(i);
        double x = i % WIDTH, bottom = ROW * (i / WIDTH % ROWS) + ROW - 1;
        grt_colour colour = grt_theme_fill(theme, (uint32_t)(grt_hash_mix(i / 5) % 7)).colour;
        grt_picture_rect(picture, x, bottom - 1 - (double)(random % 12), x + 1, bottom, colour);
    }
    for (uint32_t i = 0; i < labels; i++) {
        char label[16];
        snprintf(label, sizeof label, "job %05u ms", (unsigned)(grt_hash_mix(i) % 100000));
        struct grt_text_style style = {.colour = 0x000000ff, .size = 11};
        grt_picture_text(picture, (double)(grt_hash_mix(i + 1) % 1520), ROW * (i % ROWS) + 11, &style, label,
                         strlen(label));
    }
}
