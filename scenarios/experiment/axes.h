/* The values of axes: as texts, and what they put into the tree. */
#ifndef GRT_SCENARIOS_EXPERIMENT_AXES_H
#define GRT_SCENARIOS_EXPERIMENT_AXES_H

#include "scenarios/experiment/fields.h"

/* What a value does. */
struct grt_axis_choice {
    const char *text;   /* its name, the cell in results */
    const cJSON *value; /* put at the axis's path; NULL: nothing */
    const cJSON *set;   /* an object of values by their paths; NULL: none */
};

/* An axis, and how its values come into the tree. */
struct grt_axis_plan {
    struct grt_axis axis;
    const char *path; /* NULL: none */
    const struct grt_axis_choice *choices;
};

/* Reads the axes, `count` of them, into plans; adds errors. What they have beyond the file's tree is put into `made`, a list. */
void grt_axes_read(struct grt_reader *reader, const struct grt_axis_fields *axes, size_t count, cJSON *made,
                   struct grt_axis_plan *plans);

/* A value of an object "at" or in a file as the text that it has as an axis's value; NULL: it can be none. In the arena. */
const char *grt_axis_text(const cJSON *value, struct grt_arena *arena);

/* Puts the values of a point, one number for each axis, into the tree; adds errors. */
void grt_axes_put(const struct grt_axis_plan *plans, size_t count, const size_t *values, cJSON *tree,
                  struct grt_errors *errors);

/* The first part of the path: whether a value there is one that axes may change. */
bool grt_axis_may_change(const char *path);

#endif
