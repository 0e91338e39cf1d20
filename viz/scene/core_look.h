/* How the work of cores looks that is no computing of a job's own. Internal to viz/scene/. */
#ifndef GRT_VIZ_SCENE_CORE_LOOK_H
#define GRT_VIZ_SCENE_CORE_LOOK_H

#include <stddef.h>

#include "viz/scene/internal.h"

/* Three quarters of the second colour, opaque. */
grt_colour scene_mix(grt_colour colour, grt_colour over);

/* Whether a part has a fill of its own; and that fill; `own` is that of the slice's task, which all other parts have as it is. Busy-waiting is that colour's lines on a paler
 * ground; overhead is grey whomever it is for. */
static inline bool scene_has_look(enum grt_track_part part) {
    return part == GRT_PART_SPIN || part == GRT_PART_OVERHEAD || part == GRT_PART_BOOSTED;
}

struct grt_fill scene_core_fill(const struct grt_theme *theme, enum grt_track_part part,
                                const struct grt_fill *own);

/* The bar at the top of what a thread of the policy's own does. */
void scene_draw_thread_mark(const struct scene *scene, struct grt_box box);

/* What is written on it, "receives a request (server)": what is cut off first is said by the mark. */
void scene_core_label(const struct grt_timeline *timeline, const struct grt_slice *slice, char *text,
                      size_t size);

/* Whether tracks of a row share its height: then their pixels stand on each other. */
bool scene_is_stacked(const struct grt_row *row);

/* What is written on busy-waiting that has a box: no more than leaves the lines of its hatch to be seen, "" where that is nothing. */
void scene_spin_label(const struct scene *scene, struct grt_box box, const char *task, char *text,
                      size_t size);

/* Whether rows that are shown have slices of a part: then the legend tells what they look like. */
bool scene_has_part(const struct grt_view *view, enum grt_track_part part);

#endif
