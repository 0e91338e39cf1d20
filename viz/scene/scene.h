/* The picture of a timeline: rows of tracks beside their names, under an axis of time. It draws what a view asks for into a
 * picture (viz/picture/picture.h) and knows nothing of windows or files. How a slice looks follows from the part that its track plays,
 * so that new rows need nothing here. */
#ifndef GRT_VIZ_SCENE_SCENE_H
#define GRT_VIZ_SCENE_SCENE_H

#include "viz/picture/picture.h"
#include "viz/scene/theme.h"
#include "viz/timeline/lod.h"
#include "viz/timeline/timeline.h"

/* What a view shows of one row. */
struct grt_view_row {
    bool hidden;
};

/* What is shown, and how. */
struct grt_view {
    const struct grt_timeline *timeline;
    const struct grt_theme *theme;
    grt_time from, to;               /* from < to */
    double width, height;            /* of the picture in pixels; height 0: as high as the rows need */
    double text_size;                /* pixels per em; all else follows from it */
    double scroll;                   /* how many pixels of rows are above the picture */
    const struct grt_view_row *rows; /* one per row of the timeline; NULL: all are shown */
    bool legend;
};

/* The height that the picture needs to show all rows. */
double grt_scene_height(const struct grt_view *view);

/* Draws the view into a picture, which is begun anew. */
void grt_scene_draw(const struct grt_view *view, struct grt_picture *picture);

/* Where the axis of time is: its left edge and its width in pixels. */
double grt_scene_left(const struct grt_view *view);

#endif
