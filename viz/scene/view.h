/* What a picture of a timeline shows, and how: which rows, which span of time, which colours and sizes. */
#ifndef GRT_VIZ_SCENE_VIEW_H
#define GRT_VIZ_SCENE_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "viz/scene/theme.h"
#include "viz/timeline/timeline.h"

/* One row as it is shown. */
struct grt_view_row {
    const struct grt_timeline *timeline;
    uint32_t row;              /* of the timeline */
    const char *mark;          /* written before its name, to tell two runs apart: "A"; NULL: nothing */
    uint32_t run;              /* 0, or 1 for the second of two timelines */
    bool folded;               /* drawn low, without text on its slices */
    const uint32_t *task_keys; /* by task: what it has a colour of; NULL: its own number */
    const struct grt_track *differences; /* spans to be marked as different; NULL: none */
};

/* What is looked at: everything that does not belong to this job is pale. */
struct grt_view_focus {
    bool on;
    uint32_t task; /* as task_keys has it */
    uint32_t job;
};

/* What has a colour of its own. */
enum grt_colour_key { GRT_COLOUR_TASK, GRT_COLOUR_KERNEL, GRT_COLOUR_JOB, GRT_COLOUR_KEYS };

/* Sizes are pixels of the picture. Start it as {0} and set what has no other default. */
struct grt_view {
    /* whose legend is drawn, and whose rows all are where `rows` is NULL */
    const struct grt_timeline *timeline;
    const struct grt_view_row *rows; /* what is shown, from top to bottom */
    uint32_t row_count;
    uint32_t pinned; /* so many of the first rows stay where they are when the others are scrolled */
    const struct grt_theme *theme;
    grt_time from, to;    /* from < to */
    grt_time origin;      /* from which the axis counts */
    double width, height; /* height 0: as high as the rows need */
    double text_size;     /* pixels per em; all else follows from it */
    double row_scale;     /* how much higher rows are than usual; 0: 1 */
    double scroll;        /* how many pixels of rows are above the picture */
    enum grt_colour_key colour_key;
    bool legend;
    bool no_grid;
    struct grt_view_focus focus;
};

#endif
