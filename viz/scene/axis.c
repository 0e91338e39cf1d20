/* The axis of time: ticks at 1, 2 or 5 times a power of ten, with a unit in which they are short. */
#include <inttypes.h>
#include <stdio.h>

#include "viz/picture/text_width.h"
#include "viz/scene/internal.h"

enum { TICK_PIXELS_PER_EM = 9, MINOR = 5 };

struct ticks {
    grt_time step, first;
    grt_time origin, unit;
    const char *unit_name;
    int decimals;
};

static const struct {
    grt_time ns;
    const char *name;
} units[] = {{1, "ns"}, {1000, "us"}, {1000000, "ms"}, {GRT_SECOND, "s"}};

/* The largest number on the axis, which counts from the view's origin. */
static grt_time largest(const struct scene *scene) {
    grt_time from = scene->scale.from - scene->view->origin, to = scene->scale.to - scene->view->origin;
    return from < -to ? -from : to;
}

/* The first multiple of a step from the origin that is not before the span. */
static grt_time first_multiple(const struct scene *scene, grt_time step) {
    grt_time from = scene->scale.from - scene->view->origin, first = from / step * step;
    return scene->view->origin + first + (first < from ? step : 0);
}

/* The largest unit in which the step has at most three decimals and the numbers at most seven digits before them. */
static void choose_unit(const struct scene *scene, struct ticks *ticks) {
    size_t unit = 0;
    while (unit + 1 < sizeof units / sizeof units[0] &&
           (ticks->step >= units[unit + 1].ns || ticks->step * 1000 % units[unit + 1].ns == 0) &&
           (ticks->step >= units[unit + 1].ns || largest(scene) / units[unit].ns >= 10000)) {
        unit++;
    }
    ticks->unit = units[unit].ns;
    ticks->unit_name = units[unit].name;
    ticks->decimals = 0;
    for (grt_time part = ticks->unit; ticks->step % part != 0 && part >= 10; part /= 10) {
        ticks->decimals++;
    }
}

static struct ticks choose_ticks(const struct scene *scene) {
    grt_time span = scene->scale.to - scene->scale.from;
    double wanted = (double)span * TICK_PIXELS_PER_EM * scene->em / (double)scene->scale.pixels;
    struct ticks ticks = {.step = 1, .origin = scene->view->origin};
    for (int factor = 2; (double)ticks.step < wanted && ticks.step < GRT_TIME_LIMIT / 5;) {
        ticks.step = factor == 2 ? ticks.step * 2 : factor == 5 ? ticks.step / 2 * 5 : ticks.step * 2;
        factor = factor == 2 ? 5 : factor == 5 ? 10 : 2;
    }
    ticks.first = first_multiple(scene, ticks.step);
    choose_unit(scene, &ticks);
    return ticks;
}

/* "12.50 ms", or "+12.50 ms" where it is counted from another instant than 0; at most `size` bytes; returns the length. */
static size_t write_tick(const struct ticks *ticks, grt_time at, char *text, size_t size) {
    grt_time from = at - ticks->origin, size_of = from < 0 ? -from : from;
    grt_time whole = size_of / ticks->unit, rest = size_of % ticks->unit, digit = ticks->unit;
    const char *sign = from < 0 ? "\u2212" : ticks->origin != 0 && from > 0 ? "+" : "";
    for (int i = 0; i < ticks->decimals; i++) {
        digit /= 10;
    }
    int length = ticks->decimals > 0
                     ? snprintf(text, size, "%s%" PRId64 ".%0*" PRId64 " %s", sign, whole, ticks->decimals,
                                rest / digit, ticks->unit_name)
                     : snprintf(text, size, "%s%" PRId64 " %s", sign, whole, ticks->unit_name);
    return (size_t)length;
}

void scene_draw_grid(const struct scene *scene, double top, double bottom) {
    struct ticks ticks = choose_ticks(scene);
    grt_time minor = ticks.step >= MINOR ? ticks.step / MINOR : ticks.step;
    for (grt_time at = first_multiple(scene, minor); at <= scene->scale.to && !scene->view->no_grid;
         at += minor) {
        double x = (double)(int64_t)scene_x(scene, at);
        bool major = (at - ticks.origin) % ticks.step == 0;
        grt_picture_rect(scene->picture, x, top, x + 1, bottom,
                         scene->theme->roles[major ? GRT_ROLE_GRID_STRONG : GRT_ROLE_GRID]);
    }
}

void scene_draw_axis(const struct scene *scene, double top, double bottom) {
    struct ticks ticks = choose_ticks(scene);
    struct grt_text_style style = {
        .colour = scene->theme->roles[GRT_ROLE_AXIS_TEXT], .anchor = GRT_ANCHOR_MIDDLE, .size = scene->em};
    double baseline = grt_text_baseline(top, bottom, scene->em), end = scene->left;
    grt_picture_rect(scene->picture, scene->left, bottom - 1, scene->right, bottom,
                     scene->theme->roles[GRT_ROLE_GRID_STRONG]);
    for (grt_time at = ticks.first; at <= scene->scale.to; at += ticks.step) {
        char text[64];
        size_t length = write_tick(&ticks, at, text, sizeof text);
        double width = grt_text_width(GRT_FONT_PLAIN, scene->em, text, length);
        double x = scene_x(scene, at), left = x - width / 2 > scene->left ? x - width / 2 : scene->left;
        if (left < end || left + width > scene->right) {
            continue;
        }
        style.anchor = GRT_ANCHOR_START;
        grt_picture_text(scene->picture, left, baseline, &style, text, length);
        end = left + width + scene->em;
    }
}
