#include "viz/scene/scene.h"

#include <string.h>

#include "viz/picture/text_width.h"
#include "viz/scene/internal.h"

static const double mark_size = 0.8, mark_gap = 0.5; /* in ems of the text */

double scene_mark_width(const char *mark, double em) {
    return grt_text_width(GRT_FONT_BOLD, mark_size * em, mark, strlen(mark)) + mark_gap * em;
}

double grt_scene_height(const struct grt_view *view) {
    struct grt_layout layout = {0};
    struct grt_view natural = *view;
    natural.height = 0;
    natural.scroll = 0;
    grt_layout_make(&layout, &natural);
    double height = layout.height;
    grt_layout_free(&layout);
    return height;
}

/* ---- rows ---- */

/* A rectangle of a row, as far as that is in the picture. */
static void draw_cut(const struct scene *scene, const struct scene_row *row, double left, double top,
                     double bottom, enum grt_role role) {
    top = top > row->visible.top ? top : row->visible.top;
    bottom = bottom < row->visible.bottom ? bottom : row->visible.bottom;
    grt_picture_rect(scene->picture, left, top, scene->right, bottom, scene->theme->roles[role]);
}

static void draw_band(const struct scene *scene, const struct scene_row *row) {
    draw_cut(scene, row, 0, row->bottom - 1, row->bottom, GRT_ROLE_GRID);
    if (row->row->kind == GRT_ROW_SM) {
        double height = row->bottom - row->top;
        draw_cut(scene, row, scene->left, row->top + height * 0.06, row->top + height * 0.94, GRT_ROLE_BAND);
    }
}

/* Which of two runs a row is of, left of its name. */
static void draw_mark(const struct scene *scene, const struct scene_row *row, double size) {
    struct grt_text_style style = {
        .colour = scene->theme->roles[GRT_ROLE_MUTED_TEXT], .font = GRT_FONT_BOLD, .size = mark_size * size};
    grt_picture_text(scene->picture, SCENE_MARGIN * scene->em,
                     grt_text_baseline(row->top, row->bottom, mark_size * size), &style, row->shown->mark,
                     strlen(row->shown->mark));
}

static void draw_name(const struct scene *scene, const struct scene_row *row) {
    char shown[GRT_PICTURE_TEXT];
    const char *name = row->row->name;
    double size = row->bottom - row->top < scene->em ? row->bottom - row->top : scene->em;
    double room = scene->left - 2 * SCENE_MARGIN * scene->em;
    if (row->shown->mark != NULL) {
        room -= scene_mark_width(row->shown->mark, size);
        draw_mark(scene, row, size);
    }
    size_t bytes =
        grt_text_shorten(GRT_FONT_PLAIN, size, name, strlen(name), room, GRT_TEXT_CUT_MIDDLE, shown);
    struct grt_text_style style = {
        .colour = scene->theme->roles[GRT_ROLE_ROW_LABEL], .anchor = GRT_ANCHOR_END, .size = size};
    grt_picture_text(scene->picture, scene->left - SCENE_MARGIN * scene->em,
                     grt_text_baseline(row->top, row->bottom, size), &style, shown, bytes);
}

static const char *const group_names[GRT_ROW_KINDS] = {
    [GRT_ROW_TASK] = "tasks",        [GRT_ROW_POLICY] = "policy",  [GRT_ROW_CORE] = "cores",
    [GRT_ROW_STREAM] = "streams",    [GRT_ROW_ENGINE] = "engines", [GRT_ROW_SM] = "SMs",
    [GRT_ROW_PROCESS] = "processes",
};

/* What the rows below are. */
static void draw_group_name(const struct scene *scene, enum grt_row_kind kind, double top, double bottom) {
    struct grt_text_style style = {.colour = scene->theme->roles[GRT_ROLE_MUTED_TEXT],
                                   .anchor = GRT_ANCHOR_END,
                                   .size = mark_size * scene->em};
    grt_picture_text(scene->picture, scene->left - SCENE_MARGIN * scene->em,
                     grt_text_baseline(top, bottom, style.size), &style, group_names[kind],
                     strlen(group_names[kind]));
}

/* Before the first row of a kind; of the first one in the picture beside the axis, wherever the rows are scrolled to. */
static void draw_group_names(const struct scene *scene, uint32_t first, uint32_t end) {
    for (uint32_t i = first + 1; i < end; i++) {
        enum grt_row_kind kind = scene_row_of(&scene->layout->shown[i])->kind;
        double top = scene->layout->rows[i].top;
        if (kind != scene_row_of(&scene->layout->shown[i - 1])->kind && top > scene->layout->top &&
            top - SCENE_GROUP * scene->em < scene->layout->bottom) {
            draw_group_name(scene, kind, top - SCENE_GROUP * scene->em, top);
        }
    }
}

static void draw_first_group_name(const struct scene *scene) {
    for (uint32_t i = 0; i < scene->layout->row_count; i++) {
        struct grt_box visible;
        if (grt_layout_visible(scene->layout, i, &visible)) {
            double bottom = scene->layout->top;
            draw_group_name(scene, scene_row_of(&scene->layout->shown[i])->kind,
                            bottom - SCENE_GROUP * scene->em, bottom);
            return;
        }
    }
}

/* Tells those of some rows that are in the picture. */
static void each_row(const struct scene *scene, uint32_t first, uint32_t end,
                     void (*tell)(const struct scene *scene, const struct scene_row *row)) {
    for (uint32_t i = first; i < end; i++) {
        const struct grt_view_row *shown = &scene->layout->shown[i];
        struct grt_box visible;
        if (grt_layout_visible(scene->layout, i, &visible)) {
            struct scene_row row = {shown->timeline,
                                    scene_row_of(shown),
                                    shown,
                                    scene->layout->rows[i].top,
                                    scene->layout->rows[i].bottom,
                                    visible};
            tell(scene, &row);
        }
    }
}

/* Rows that stand still, or those that scroll, between two heights. */
static void draw_rows(const struct scene *scene, uint32_t first, uint32_t end, double top, double bottom) {
    each_row(scene, first, end, draw_band);
    double last = end > first ? scene->layout->rows[end - 1].bottom : top;
    scene_draw_grid(scene, top, last < bottom ? last : bottom);
    grt_picture_clip(scene->picture, (struct grt_box){scene->left, top, scene->right, bottom});
    each_row(scene, first, end, scene_draw_row);
    grt_picture_unclip(scene->picture);
    double beside = scene_sign_reach(scene); /* so that signs near to the edges are whole */
    grt_picture_clip(scene->picture,
                     (struct grt_box){scene->left - beside, top, scene->right + beside, bottom});
    each_row(scene, first, end, scene_draw_row_signs);
    grt_picture_unclip(scene->picture);
    grt_picture_clip(scene->picture, (struct grt_box){0, top, scene->left, bottom});
    each_row(scene, first, end, draw_name);
    draw_group_names(scene, first, end);
    grt_picture_unclip(scene->picture);
}

/* ---- all ---- */

void grt_scene_draw_as(const struct grt_view *view, const struct grt_layout *layout,
                       struct grt_picture *picture) {
    struct scene scene = {.view = view,
                          .layout = layout,
                          .theme = view->theme,
                          .picture = picture,
                          .scale = layout->scale,
                          .em = view->text_size,
                          .left = layout->left,
                          .right = layout->right};
    grt_picture_begin(picture, view->width, layout->height);
    if (layout->pinned > 0) {
        draw_rows(&scene, 0, layout->pinned, layout->top, layout->pinned_bottom);
    }
    draw_rows(&scene, layout->pinned, layout->row_count, layout->pinned_bottom, layout->bottom);
    scene_draw_axis(&scene, 0, layout->top);
    draw_first_group_name(&scene);
    if (layout->pinned > 0) {
        grt_picture_rect(picture, 0, layout->pinned_bottom - 2, scene.right, layout->pinned_bottom - 1,
                         view->theme->roles[GRT_ROLE_PANEL_EDGE]);
    }
    if (view->legend) {
        scene_draw_legend(&scene, layout->bottom);
    }
}

void grt_scene_draw(const struct grt_view *view, struct grt_picture *picture) {
    struct grt_layout layout = {0};
    grt_layout_make(&layout, view);
    grt_scene_draw_as(view, &layout, picture);
    grt_layout_free(&layout);
}
