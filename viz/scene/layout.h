/* Where things are in the picture of a view, and what is at a point of it. */
#ifndef GRT_VIZ_SCENE_LAYOUT_H
#define GRT_VIZ_SCENE_LAYOUT_H

#include "viz/answers/place.h"
#include "viz/picture/picture.h"
#include "viz/scene/view.h"
#include "viz/timeline/lod.h"

/* Edges of a row; the part of it that is in the picture may be smaller. */
struct grt_layout_row {
    double top, bottom;
};

/* Start it as {0}; free it with grt_layout_free. It keeps its memory from view to view. */
struct grt_layout {
    /* the view's rows, or all of its timeline; numbers of rows below are indices in it */
    struct grt_view_row *shown;
    struct grt_layout_row *rows;
    uint32_t row_count, row_capacity, shown_capacity, pinned;
    double left, right;     /* of the axis of time: names are left of it */
    double top, bottom;     /* of what rows have; above is the axis, below the legend */
    double pinned_bottom;   /* rows that scroll are below; `top` if none is pinned */
    double content;         /* the height of all rows that scroll */
    double height;          /* of the picture */
    struct grt_scale scale; /* of whole pixels from `left` on */
};

/* Finds the places for a view. */
void grt_layout_make(struct grt_layout *layout, const struct grt_view *view);
void grt_layout_free(struct grt_layout *layout);

/* How far the rows can be scrolled. */
double grt_layout_scroll_limit(const struct grt_layout *layout);

/* The x of an instant, which may lie outside of the picture, and the instant at an x. */
double grt_layout_x(const struct grt_layout *layout, grt_time instant);
grt_time grt_layout_time(const struct grt_layout *layout, double x);

/* The row at a y where it is visible; GRT_NO_SHOWN_ROW if there is none. */
#define GRT_NO_SHOWN_ROW UINT32_MAX
uint32_t grt_layout_row_at(const struct grt_layout *layout, double y);

/* The part of a row that is in the picture; false if nothing is. */
bool grt_layout_visible(const struct grt_layout *layout, uint32_t shown, struct grt_box *box);

/* What is at a point. */
struct grt_hit {
    uint32_t shown; /* GRT_NO_SHOWN_ROW: no row */
    /* in that row's timeline; none where nothing happens. Of what stands closer than a pixel, the longest */
    struct grt_place place;
    uint32_t count; /* of slices that end in that pixel */
};

struct grt_hit grt_scene_hit(const struct grt_view *view, const struct grt_layout *layout, double x,
                             double y);

/* The box of a slice of a shown row, cut to the axis; false if it is not in the picture. */
bool grt_scene_box(const struct grt_view *view, const struct grt_layout *layout, uint32_t shown,
                   struct grt_place place, struct grt_box *box);

#endif
