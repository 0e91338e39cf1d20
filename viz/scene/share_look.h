/* How the share of a stream looks: a grey area as high as the share, with a line on top and the number in it. Internal to viz/scene/. */
#ifndef GRT_VIZ_SCENE_SHARE_LOOK_H
#define GRT_VIZ_SCENE_SHARE_LOOK_H

#include "viz/scene/internal.h"

/* Of the area. */
grt_colour scene_share_colour(const struct scene *scene);

/* The area and its line in a box, of which it fills a part of the height, 0 to 1. */
void scene_draw_share_step(const struct scene *scene, struct grt_box box, double part);

/* A share from `left` to `right`, and where there is room its number, whole or not at all. */
void scene_draw_share(const struct scene *scene, const struct scene_row *row, const struct scene_form *form,
                      const struct grt_slice *slice, double left, double right);

#endif
