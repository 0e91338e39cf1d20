/* A scene in the making, between the files of viz/scene/. */
#ifndef GRT_VIZ_SCENE_INTERNAL_H
#define GRT_VIZ_SCENE_INTERNAL_H

#include "viz/scene/scene.h"

/* In ems of the text: the height of the axis, the room between things. */
#define SCENE_AXIS 2.2
#define SCENE_MARGIN 0.6
#define SCENE_GROUP 1.2 /* before rows of another kind, with what they are */

struct scene {
    const struct grt_view *view;
    const struct grt_layout *layout;
    const struct grt_theme *theme;
    struct grt_picture *picture;
    struct grt_scale scale; /* of whole pixels from `left` on */
    double em;              /* size of the text */
    double left, right;     /* of the axis */
};

/* A row in place. */
struct scene_row {
    const struct grt_timeline *timeline;
    const struct grt_row *row;
    const struct grt_view_row *shown;
    double top, bottom;
    struct grt_box visible; /* what is in the picture */
};

const struct grt_row *scene_row_of(const struct grt_view_row *shown);

/* What a mark takes beside a row's name. */
double scene_mark_width(const char *mark, double em);

/* axis.c */
void scene_draw_grid(const struct scene *scene, double top, double bottom);
void scene_draw_axis(const struct scene *scene, double top, double bottom);

/* legend.c: which colour is which task, and the signs. */
double scene_legend_height(const struct grt_view *view);
void scene_draw_legend(const struct scene *scene, double top);

/* row.c: what happens on a row; and on top of that signs, and where two runs differ. */
void scene_draw_row(const struct scene *scene, const struct scene_row *row);
void scene_draw_row_signs(const struct scene *scene, const struct scene_row *row);

/* The edge of a bar: one that was cut off, or goes on behind the run's end, is open to the right. And the cross on one that was
 * aborted. */
void scene_draw_edges(const struct scene *scene, struct grt_box box, uint8_t flags);
void scene_draw_cross(const struct scene *scene, double x, double y, double size);

/* form.c: where in a row a part is drawn, and how. */
enum scene_form_kind {
    SCENE_FORM_NONE,
    SCENE_FORM_BAR,
    SCENE_FORM_GROUND,
    SCENE_FORM_WAIT,
    SCENE_FORM_STEP /* as high as its weight, and all of the height is its own */
};
struct scene_form {
    enum scene_form_kind kind;
    double top, bottom; /* edges in the picture */
    uint32_t lanes;     /* that fill the height */
};
struct scene_form scene_form_of(const struct grt_row *row, uint32_t track, double top, double bottom);

/* The box of a slice that is drawn by itself, of which [from, to) is in view: from edge to edge of its pixels, at least one
 * wide, in its lanes. */
struct grt_box scene_slice_box(const struct scene_form *form, const struct grt_slice *slice, double from,
                               double to, bool ends);

/* signs.c: arrows of releases and deadlines, misses and other instants of a row. How far they reach to either side of their instant: */
double scene_sign_reach(const struct scene *scene);
void scene_draw_windows(const struct scene *scene, const struct scene_row *row,
                        const struct grt_track *track);
void scene_draw_ends(const struct scene *scene, const struct scene_row *row, const struct grt_track *jobs);
void scene_draw_instants(const struct scene *scene, const struct scene_row *row,
                         const struct grt_track *track, enum grt_track_part part);

/* The shapes of single signs, which the legend shows too. `height` is that of the row. */
void scene_draw_arrow(const struct scene *scene, double x, double from, double to, grt_colour colour);
void scene_draw_completion(const struct scene *scene, double x, double top, double bottom, bool pale);
void scene_draw_miss(const struct scene *scene, double x, double top);
void scene_draw_diamond(const struct scene *scene, double x, double y);

/* What a task has a colour of: two runs may number it differently. */
static inline uint32_t scene_task_key(const struct scene_row *row, uint16_t task) {
    const uint32_t *first = row->timeline->first_rows + GRT_ROW_TASK;
    return row->shown->task_keys != NULL && task < first[1] - first[0] ? row->shown->task_keys[task] : task;
}

/* Whether a slice is of another job than the one that is looked at. */
static inline bool scene_is_pale(const struct scene *scene, const struct scene_row *row,
                                 const struct grt_slice *slice) {
    const struct grt_view_focus *focus = &scene->view->focus;
    return focus->on && (scene_task_key(row, slice->task) != focus->task || slice->job != focus->job);
}

static inline double scene_x(const struct scene *scene, grt_time instant) {
    return scene->left + grt_scale_x(&scene->scale, instant);
}

#endif
