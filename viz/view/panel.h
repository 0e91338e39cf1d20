/* Panels: lists at the right of which a line can be chosen. Only lines that are in the window are drawn, so that a list may have
 * a million of them. */
#ifndef GRT_VIZ_VIEW_PANEL_H
#define GRT_VIZ_VIEW_PANEL_H

#include "viz/view/internal.h"

/* Where a line, or the head of a panel, is written. */
struct view_line {
    struct grt_box box;
    double left, right; /* of the text */
    bool chosen;        /* by the keyboard or the pointer */
};

/* A column of a table: in ems from the left; numbers end there, texts begin. */
struct view_column {
    double at;
    bool is_number;
};

struct view_panel_form {
    const char *title;
    double width;       /* ems */
    double head_height; /* ems; draw_head may set viewer->panel_head to something else */
    double line_height;
    uint32_t (*count)(struct viewer *viewer); /* of lines */
    void (*draw_head)(struct viewer *viewer, const struct view_line *line);
    void (*draw_line)(struct viewer *viewer, const struct view_line *line, uint32_t number);
    void (*activate)(struct viewer *viewer, uint32_t number); /* NULL: lines cannot be chosen */
};

extern const struct view_panel_form view_panel_misses, view_panel_statistics, view_panel_job,
    view_panel_differences, view_panel_scenario;

/* Writes a field of a table. */
void view_write_field(struct viewer *viewer, const struct view_line *line, const struct view_column *column,
                      double width, enum grt_role role, const char *text);

/* Writes a text on as many lines as it needs, at most `lines`; returns how many. */
uint32_t view_write_paragraph(struct viewer *viewer, double left, double right, double top, uint32_t lines,
                              enum grt_role role, const char *text);

/* How many lines it would need. */
uint32_t view_paragraph_lines(const struct viewer *viewer, double room, const char *text);

#endif
