#include "viz/scene/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "sim/memory.h"
#include "viz/picture/text_width.h"
#include "viz/scene/internal.h"
#include "viz/timeline/shares.h"

/* Heights of rows in ems of the text, by kind. */
static const double heights[GRT_ROW_KINDS] = {
    [GRT_ROW_TASK] = 3.4,   [GRT_ROW_CORE] = 1.8,   [GRT_ROW_POLICY] = 1.8, [GRT_ROW_PROCESS] = 1.8,
    [GRT_ROW_STREAM] = 1.8, [GRT_ROW_ENGINE] = 1.8, [GRT_ROW_SM] = 2.4,
};

static const double folded_height = 0.9, most_label = 14, shares_height = 3.9; /* of a stream with shares */

const struct grt_row *scene_row_of(const struct grt_view_row *shown) {
    return &shown->timeline->rows[shown->row];
}

/* The rows that a view shows, with room for a copy. */
static void take_rows(struct grt_layout *layout, const struct grt_view *view) {
    uint32_t count = view->rows != NULL ? view->row_count : view->timeline->row_count;
    layout->shown = grt_array_grow(layout->shown, &layout->shown_capacity, count + 1, sizeof *layout->shown);
    layout->rows = grt_array_grow(layout->rows, &layout->row_capacity, count + 1, sizeof *layout->rows);
    for (uint32_t i = 0; i < count; i++) {
        layout->shown[i] =
            view->rows != NULL ? view->rows[i] : (struct grt_view_row){.timeline = view->timeline, .row = i};
    }
    layout->row_count = count;
    layout->pinned = view->pinned < count ? view->pinned : count;
}

/* The widest name, within limits. */
static double label_width(const struct grt_layout *layout, const struct grt_view *view) {
    double widest = 4 * view->text_size;
    for (uint32_t i = 0; i < layout->row_count; i++) {
        const struct grt_view_row *shown = &layout->shown[i];
        const char *name = scene_row_of(shown)->name;
        double width = grt_text_width(GRT_FONT_PLAIN, view->text_size, name, strlen(name));
        width += shown->mark != NULL ? scene_mark_width(shown->mark, view->text_size) : 0;
        widest = width > widest ? width : widest;
    }
    double most = most_label * view->text_size;
    return (widest < most ? widest : most) + 2 * SCENE_MARGIN * view->text_size;
}

static double height_of(const struct grt_view *view, const struct grt_view_row *shown) {
    double scale = view->row_scale > 0 ? view->row_scale : 1;
    const struct grt_row *row = scene_row_of(shown);
    double height = grt_row_has_shares(row) ? shares_height : heights[row->kind];
    return (shown->folded ? folded_height : scale * height) * view->text_size;
}

/* Places the rows from `first` up to but without `end` below `top`; returns where they end. Rows of another kind stand off. */
static double place_rows(struct grt_layout *layout, const struct grt_view *view, uint32_t first, uint32_t end,
                         double top) {
    for (uint32_t i = first; i < end; i++) {
        bool other =
            i > first && scene_row_of(&layout->shown[i])->kind != scene_row_of(&layout->shown[i - 1])->kind;
        top += other ? SCENE_GROUP * view->text_size : 0;
        layout->rows[i].top = top;
        top += height_of(view, &layout->shown[i]);
        layout->rows[i].bottom = top;
    }
    return top;
}

static void place_columns(struct grt_layout *layout, const struct grt_view *view) {
    double left = ceil(label_width(layout, view));
    double middle = (double)(int64_t)(view->width / 2);
    layout->left = left < view->width / 2 ? left : middle;
    layout->right = (double)(int64_t)(view->width - SCENE_MARGIN * view->text_size);
    double pixels = layout->right - layout->left;
    layout->scale = (struct grt_scale){view->from, view->to, pixels > 1 ? (uint32_t)pixels : 1};
}

void grt_layout_make(struct grt_layout *layout, const struct grt_view *view) {
    GRT_REQUIRE(view->to > view->from && view->width > 0 && view->text_size > 0,
                "show a span of time in a picture that has a width, with text that has a size");
    take_rows(layout, view);
    place_columns(layout, view);
    layout->top = SCENE_AXIS * view->text_size;
    double gap = layout->pinned > 0 ? SCENE_GROUP * view->text_size : 0;
    double pinned = place_rows(layout, view, 0, layout->pinned, layout->top);
    layout->pinned_bottom = layout->pinned > 0 ? pinned + gap : layout->top;
    double top = layout->pinned_bottom - view->scroll;
    layout->content = place_rows(layout, view, layout->pinned, layout->row_count, top) - top;
    double legend = view->legend ? scene_legend_height(view) : 0, most = floor(view->height / 3);
    legend = view->height > 0 && legend > most ? most : legend;
    double natural = layout->pinned_bottom + layout->content + SCENE_MARGIN * view->text_size;
    layout->bottom = view->height > 0 ? view->height - legend : (double)(int64_t)(natural + 0.5);
    layout->bottom = layout->bottom > layout->top ? layout->bottom : layout->top;
    layout->height = view->height > 0 ? view->height : layout->bottom + legend;
}

void grt_layout_free(struct grt_layout *layout) {
    free(layout->shown);
    free(layout->rows);
    *layout = (struct grt_layout){0};
}

double grt_layout_scroll_limit(const struct grt_layout *layout) {
    double beyond = layout->content - (layout->bottom - layout->pinned_bottom);
    return beyond > 0 ? beyond : 0;
}

double grt_layout_x(const struct grt_layout *layout, grt_time instant) {
    return layout->left + grt_scale_x(&layout->scale, instant);
}

grt_time grt_layout_time(const struct grt_layout *layout, double x) {
    double share = (x - layout->left) / (double)layout->scale.pixels;
    double span = (double)(layout->scale.to - layout->scale.from);
    share = share < -1000 ? -1000 : share > 1000 ? 1000 : share;
    double at = (double)layout->scale.from + share * span;
    if (at < -(double)GRT_TIME_LIMIT || at > (double)GRT_TIME_LIMIT) {
        return at < 0 ? -GRT_TIME_LIMIT : GRT_TIME_LIMIT;
    }
    return layout->scale.from + (grt_time)(share * span);
}

bool grt_layout_visible(const struct grt_layout *layout, uint32_t shown, struct grt_box *box) {
    const struct grt_layout_row *row = &layout->rows[shown];
    double top = shown < layout->pinned ? layout->top : layout->pinned_bottom;
    *box = (struct grt_box){0, row->top > top ? row->top : top, layout->right,
                            row->bottom < layout->bottom ? row->bottom : layout->bottom};
    return box->bottom > box->top;
}

uint32_t grt_layout_row_at(const struct grt_layout *layout, double y) {
    for (uint32_t i = 0; i < layout->row_count; i++) {
        struct grt_box box;
        if (grt_layout_visible(layout, i, &box) && y >= box.top && y < box.bottom) {
            return i;
        }
    }
    return GRT_NO_SHOWN_ROW;
}
