/* A scene in the making, between the files of viz/scene/. */
#ifndef GRT_VIZ_SCENE_INTERNAL_H
#define GRT_VIZ_SCENE_INTERNAL_H

#include "viz/scene/scene.h"

struct scene {
    const struct grt_view *view;
    const struct grt_timeline *timeline;
    const struct grt_theme *theme;
    struct grt_picture *picture;
    struct grt_scale scale; /* of whole pixels from `left` on */
    double em;              /* size of the text */
    double left, right;     /* of the axis */
};

/* A row in place. */
struct scene_row {
    const struct grt_row *row;
    double top, bottom;
};

/* scene_axis.c */
void scene_draw_grid(const struct scene *scene, double top, double bottom);
void scene_draw_axis(const struct scene *scene, double top, double bottom);

/* scene_row.c: what happens on a row. */
void scene_draw_row(const struct scene *scene, const struct scene_row *row);

/* scene_signs.c: arrows of releases and deadlines, misses and other instants of a row. */
void scene_draw_windows(const struct scene *scene, const struct scene_row *row,
                        const struct grt_track *track);
void scene_draw_ends(const struct scene *scene, const struct scene_row *row, const struct grt_track *jobs);
void scene_draw_instants(const struct scene *scene, const struct scene_row *row,
                         const struct grt_track *track, enum grt_track_part part);

static inline double scene_x(const struct scene *scene, grt_time instant) {
    return scene->left + grt_scale_x(&scene->scale, instant);
}

#endif
