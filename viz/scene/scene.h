/* The picture of a timeline: rows of tracks beside their names, under an axis of time. It draws what a view asks for into a
 * picture (viz/picture/picture.h) and knows nothing of windows or files. How a slice looks follows from the part that its track
 * plays, so that new rows need nothing here. */
#ifndef GRT_VIZ_SCENE_SCENE_H
#define GRT_VIZ_SCENE_SCENE_H

#include "viz/picture/picture.h"
#include "viz/scene/layout.h"
#include "viz/scene/view.h"

/* The height that the picture needs to show all rows, and the legend if there is one. */
double grt_scene_height(const struct grt_view *view);

/* Draws the view into a picture, which is begun anew. */
void grt_scene_draw(const struct grt_view *view, struct grt_picture *picture);

/* The same where the layout is known. */
void grt_scene_draw_as(const struct grt_view *view, const struct grt_layout *layout,
                       struct grt_picture *picture);

#endif
