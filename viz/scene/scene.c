#include "viz/scene/scene.h"

#include <string.h>

#include "sim/check.h"
#include "viz/picture/text_width.h"
#include "viz/scene/internal.h"

/* Heights of rows in ems of the text, by kind. */
static const double heights[GRT_ROW_KINDS] = {
    [GRT_ROW_TASK] = 3.4,   [GRT_ROW_CORE] = 1.8,   [GRT_ROW_POLICY] = 1.8, [GRT_ROW_PROCESS] = 1.8,
    [GRT_ROW_STREAM] = 1.8, [GRT_ROW_ENGINE] = 1.8, [GRT_ROW_SM] = 2.4,
};

static const double axis_height = 2.2, group_gap = 0.7, most_label = 14, margin = 0.6;

static bool is_shown(const struct grt_view *view, uint32_t row) {
    return view->rows == NULL || !view->rows[row].hidden;
}

/* The widest name, within limits. */
static double label_width(const struct grt_view *view) {
    double widest = 4 * view->text_size;
    for (uint32_t i = 0; i < view->timeline->row_count; i++) {
        const char *name = view->timeline->rows[i].name;
        double width =
            is_shown(view, i) ? grt_text_width(GRT_FONT_PLAIN, view->text_size, name, strlen(name)) : 0;
        widest = width > widest ? width : widest;
    }
    double most = most_label * view->text_size;
    return (widest < most ? widest : most) + 2 * margin * view->text_size;
}

double grt_scene_left(const struct grt_view *view) {
    double left = (double)(int64_t)label_width(view);
    return left < view->width / 2 ? left : (double)(int64_t)(view->width / 2);
}

/* Tells all rows that are shown in their order, from `top` on; returns where they end. */
static double place_rows(const struct grt_view *view, double top,
                         void (*tell)(const struct scene *scene, const struct scene_row *row),
                         const struct scene *scene) {
    bool any = false;
    enum grt_row_kind last = GRT_ROW_TASK;
    for (uint32_t i = 0; i < view->timeline->row_count; i++) {
        const struct grt_row *row = &view->timeline->rows[i];
        if (!is_shown(view, i)) {
            continue;
        }
        top += any && row->kind != last ? group_gap * view->text_size : 0;
        struct scene_row place = {row, top, top + heights[row->kind] * view->text_size};
        if (tell != NULL) {
            tell(scene, &place);
        }
        top = place.bottom;
        last = row->kind;
        any = true;
    }
    return top;
}

double grt_scene_height(const struct grt_view *view) {
    double em = view->text_size;
    return (double)(int64_t)(axis_height * em + place_rows(view, 0, NULL, NULL) + margin * em + 0.5);
}

/* ---- drawing ---- */

static bool is_in_picture(const struct scene *scene, const struct scene_row *row) {
    return row->bottom > axis_height * scene->em && row->top < scene->picture->height;
}

static void draw_band(const struct scene *scene, const struct scene_row *row) {
    if (is_in_picture(scene, row)) {
        grt_picture_rect(scene->picture, 0, row->bottom - 1, scene->right, row->bottom,
                         scene->theme->roles[GRT_ROLE_GRID]);
        if (row->row->kind == GRT_ROW_SM) {
            double height = row->bottom - row->top;
            grt_picture_rect(scene->picture, scene->left, row->top + height * 0.06, scene->right,
                             row->top + height * 0.94, scene->theme->roles[GRT_ROLE_BAND]);
        }
    }
}

static void draw_slices(const struct scene *scene, const struct scene_row *row) {
    if (is_in_picture(scene, row)) {
        scene_draw_row(scene, row);
    }
}

static void draw_name(const struct scene *scene, const struct scene_row *row) {
    if (!is_in_picture(scene, row)) {
        return;
    }
    char shown[GRT_PICTURE_TEXT];
    const char *name = row->row->name;
    double size = row->bottom - row->top < scene->em ? row->bottom - row->top : scene->em;
    double room = scene->left - 2 * margin * scene->em;
    size_t bytes =
        grt_text_shorten(GRT_FONT_PLAIN, size, name, strlen(name), room, GRT_TEXT_CUT_MIDDLE, shown);
    struct grt_text_style style = {
        .colour = scene->theme->roles[GRT_ROLE_ROW_LABEL], .anchor = GRT_ANCHOR_END, .size = size};
    grt_picture_text(scene->picture, scene->left - margin * scene->em,
                     grt_text_baseline(row->top, row->bottom, size), &style, shown, bytes);
}

void grt_scene_draw(const struct grt_view *view, struct grt_picture *picture) {
    GRT_REQUIRE(view->to > view->from && view->width > 0 && view->text_size > 0,
                "show a span of time in a picture that has a width, with text that has a size");
    double height = view->height > 0 ? view->height : grt_scene_height(view), em = view->text_size;
    double left = grt_scene_left(view), right = (double)(int64_t)(view->width - margin * em);
    grt_picture_begin(picture, view->width, height);
    struct scene scene = {.view = view,
                          .timeline = view->timeline,
                          .theme = view->theme,
                          .picture = picture,
                          .scale = {view->from, view->to, right > left + 1 ? (uint32_t)(right - left) : 1},
                          .em = em,
                          .left = left,
                          .right = right};
    double top = axis_height * em - view->scroll;
    double end = place_rows(view, top, draw_band, &scene);
    scene_draw_grid(&scene, axis_height * em, end < height ? end : height);
    grt_picture_clip(picture, (struct grt_box){left, axis_height * em, right, height});
    place_rows(view, top, draw_slices, &scene);
    grt_picture_unclip(picture);
    grt_picture_clip(picture, (struct grt_box){0, axis_height * em, left, height});
    place_rows(view, top, draw_name, &scene);
    grt_picture_unclip(picture);
    scene_draw_axis(&scene, 0, axis_height * em);
}
