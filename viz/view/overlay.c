/* What is drawn over the rows: the row of the keyboard, selection, marks, what is pointed at and chosen, arrows of the job that
 * is followed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "viz/answers/time_text.h"
#include "viz/view/internal.h"

/* The place of a layout's x or y in the window. */
static double window_x(const struct viewer *viewer, double x) {
    return viewer->areas.scene.left + x;
}

static double window_y(const struct viewer *viewer, double y) {
    return viewer->areas.scene.top + y;
}

/* From the axis down to the last row. */
static struct grt_box rows_area(const struct viewer *viewer) {
    const struct grt_layout *layout = &viewer->layout;
    double last = layout->row_count > 0 ? layout->rows[layout->row_count - 1].bottom : layout->top;
    return (struct grt_box){window_x(viewer, layout->left), window_y(viewer, layout->top),
                            window_x(viewer, layout->right),
                            window_y(viewer, last < layout->bottom ? last : layout->bottom)};
}

static double x_of(const struct viewer *viewer, grt_time instant) {
    return window_x(viewer, grt_layout_x(&viewer->layout, instant));
}

static void draw_cursor(struct viewer *viewer) {
    struct grt_box box;
    if (viewer->cursor < viewer->layout.row_count &&
        grt_layout_visible(&viewer->layout, viewer->cursor, &box)) {
        view_fill(viewer,
                  (struct grt_box){window_x(viewer, 0), window_y(viewer, box.top),
                                   window_x(viewer, 0.3 * view_em(viewer)), window_y(viewer, box.bottom)},
                  GRT_ROLE_FOCUS);
    }
}

static void write_on_axis(struct viewer *viewer, double x, const char *text, enum grt_role role) {
    double em = view_em(viewer), width = view_text_width(viewer, text) + 0.6 * em;
    struct grt_box area = rows_area(viewer);
    double left = x - width / 2;
    left = left + width > area.right ? area.right - width : left;
    left = left < area.left ? area.left : left;
    struct grt_box box = {left, area.top - 1.7 * em, left + width, area.top - 0.3 * em};
    struct view_words words = {.role = role, .anchor = GRT_ANCHOR_MIDDLE};
    view_fill(viewer, box, GRT_ROLE_BACKGROUND);
    view_frame(viewer, box, role, 1);
    view_write(viewer, left + width / 2, box.top, box.bottom, width, &words, text);
}

static void draw_span(struct viewer *viewer, struct view_span span) {
    if (span.to <= span.from) {
        return;
    }
    char text[GRT_TIME_WORDS];
    struct grt_box area = rows_area(viewer);
    double left = x_of(viewer, span.from), right = x_of(viewer, span.to);
    right = right < left + 1 ? left + 1 : right;
    view_fill(viewer, (struct grt_box){left, area.top, right, area.bottom}, GRT_ROLE_SELECTION);
    view_fill(viewer, (struct grt_box){left, area.top, left + 1, area.bottom}, GRT_ROLE_SELECTION_EDGE);
    view_fill(viewer, (struct grt_box){right - 1, area.top, right, area.bottom}, GRT_ROLE_SELECTION_EDGE);
    left = left < area.left ? area.left : left;
    right = right > area.right ? area.right : right;
    if (right > left) {
        write_on_axis(viewer, (left + right) / 2, grt_time_words(span.to - span.from, text),
                      GRT_ROLE_SELECTION_EDGE);
    }
}

/* An instant, and how long after the mark before it. */
static void write_mark(const struct viewer *viewer, uint32_t mark, char *text, size_t size) {
    char instant[GRT_TIME_WORDS], since[GRT_TIME_WORDS];
    view_instant_words(viewer, viewer->marks[mark], instant);
    if (mark == 0) {
        snprintf(text, size, "%s", instant);
    } else {
        grt_time_words(viewer->marks[mark] - viewer->marks[mark - 1], since);
        snprintf(text, size, "%s (+%s)", instant, since);
    }
}

static void draw_marks(struct viewer *viewer) {
    struct grt_box area = rows_area(viewer);
    for (uint32_t i = 0; i < viewer->mark_count; i++) {
        double x = (double)(int64_t)x_of(viewer, viewer->marks[i]);
        char text[3 * GRT_TIME_WORDS];
        struct grt_point line[] = {{x + 0.5, area.top}, {x + 0.5, area.bottom}};
        struct grt_pen pen = {.colour = view_colour(viewer, GRT_ROLE_FOCUS), .width = 1, .dash = 6, .gap = 3};
        if (x >= area.left && x <= area.right) {
            grt_picture_line(&viewer->top, line, 2, &pen);
            write_mark(viewer, i, text, sizeof text);
            write_on_axis(viewer, x, text, GRT_ROLE_FOCUS);
        }
    }
}

/* Where the last step to a difference led. */
static void draw_difference(struct viewer *viewer) {
    struct grt_box area = rows_area(viewer);
    double x = (double)(int64_t)x_of(viewer, viewer->difference_at);
    if (viewer->document_count > 1 && x >= area.left && x <= area.right) {
        view_fill(viewer, (struct grt_box){x, area.top, x + 1, area.bottom}, GRT_ROLE_DIFFERENCE);
    }
}

/* The box of a slice in the window; false if it is not in the picture. */
static bool box_of(const struct viewer *viewer, const struct view_chosen *chosen, struct grt_box *box) {
    uint32_t shown = view_find_shown(viewer, chosen->run, chosen->place.row);
    if (!grt_place_is_some(&chosen->place) || shown == GRT_NO_SHOWN_ROW ||
        !grt_scene_box(&viewer->view, &viewer->layout, shown, chosen->place, box)) {
        return false;
    }
    *box = (struct grt_box){window_x(viewer, box->left), window_y(viewer, box->top),
                            window_x(viewer, box->right), window_y(viewer, box->bottom)};
    return true;
}

static void draw_frame(struct viewer *viewer, const struct view_chosen *chosen, enum grt_role role,
                       double width) {
    struct grt_box box;
    if (box_of(viewer, chosen, &box)) {
        view_frame(viewer, box, role, width);
    }
}

/* ---- arrows ---- */

/* The box of a step in the window; false if its row is not in the picture. */
static bool step_box(const struct viewer *viewer, const struct grt_chain_step *step, struct grt_box *box) {
    struct view_chosen chosen = {viewer->chosen.run, step->place};
    return box_of(viewer, &chosen, box);
}

static double within(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

/* From one point to another one below or above, or in an arc to one beside; with a head that points the way. */
static void draw_arrow(struct viewer *viewer, struct grt_point from, struct grt_point to) {
    double em = view_em(viewer), head = 0.5 * em, way = to.y > from.y ? 1 : -1;
    bool beside = fabs(to.y - from.y) < head;
    double bend = beside ? -1.5 * em : way * within(fabs(to.y - from.y) / 2, em, 6 * em);
    struct grt_pen pen = {.colour = view_colour(viewer, GRT_ROLE_ARROW_FOCUS), .width = 1.5};
    way = beside ? 1 : way;
    struct grt_point neck = {to.x, to.y - way * head};
    struct grt_point tip[] = {to, {to.x - head / 2, neck.y}, {to.x + head / 2, neck.y}};
    struct grt_point curve[] = {
        from, {from.x, from.y + bend}, {neck.x, beside ? neck.y + bend : neck.y - bend}, neck};
    grt_picture_curve(&viewer->top, curve, &pen);
    grt_picture_polygon(&viewer->top, tip, 3, pen.colour, NULL);
}

/* From the end of the step before, or, to a kernel's blocks, from where the kernel began; edge to edge. */
static void draw_step(struct viewer *viewer, const struct grt_chain_step *before,
                      const struct grt_chain_step *step) {
    struct grt_box from, to, area = rows_area(viewer);
    if (!step_box(viewer, before, &from) || !step_box(viewer, step, &to)) {
        return;
    }
    double beyond = 100 * view_em(viewer);
    double x = x_of(viewer, step->kind == GRT_STEP_BLOCKS ? before->begin : before->end);
    bool down = (to.top + to.bottom) / 2 > (from.top + from.bottom) / 2,
         beside = before->place.row == step->place.row;
    struct grt_point start = {within(x, area.left - beyond, area.right + beyond),
                              down && !beside ? from.bottom : from.top};
    struct grt_point end = {within(x_of(viewer, step->begin), area.left - beyond, area.right + beyond),
                            down || beside ? to.top : to.bottom};
    if (!beside || end.x - start.x > view_em(viewer)) { /* what goes on at once needs no arrow */
        draw_arrow(viewer, start, end);
    }
}

static void draw_chain(struct viewer *viewer) {
    const struct grt_chain *chain = viewer->following ? view_chain_of(viewer) : NULL;
    for (uint32_t i = 0; chain != NULL && i < chain->count; i++) {
        const struct grt_chain_step *step = &chain->steps[i];
        if (step->after < i) {
            draw_step(viewer, &chain->steps[step->after], step);
        }
    }
}

/* ---- all ---- */

/* A thin line at the pointer, and its time on the axis. */
static void draw_pointer(struct viewer *viewer) {
    struct grt_box area = rows_area(viewer);
    if (viewer->x < area.left || viewer->x >= area.right || viewer->y < viewer->areas.scene.top ||
        viewer->y >= area.bottom) {
        return;
    }
    char text[GRT_TIME_WORDS];
    grt_time at = grt_layout_time(&viewer->layout, viewer->x - viewer->areas.scene.left);
    view_fill(viewer, (struct grt_box){viewer->x, area.top, viewer->x + 1, area.bottom},
              GRT_ROLE_GRID_STRONG);
    if (viewer->selection.to <= viewer->selection.from || viewer->drag == VIEW_DRAG_NONE) {
        write_on_axis(viewer, viewer->x, view_instant_words(viewer, at, text), GRT_ROLE_AXIS_TEXT);
    }
}

/* How far the rows are scrolled, where there are more than the window holds. */
static void draw_scroll(struct viewer *viewer) {
    const struct grt_layout *layout = &viewer->layout;
    double room = layout->bottom - layout->pinned_bottom, width = 0.35 * view_em(viewer);
    if (grt_layout_scroll_limit(layout) <= 0 || room <= 0) {
        return;
    }
    double right = viewer->areas.scene.right, top = window_y(viewer, layout->pinned_bottom);
    double from = viewer->view.scroll / layout->content, to = (viewer->view.scroll + room) / layout->content;
    view_fill(viewer, (struct grt_box){right - width, top, right, top + room}, GRT_ROLE_PANEL);
    view_fill(viewer, (struct grt_box){right - width, top + from * room, right, top + to * room},
              GRT_ROLE_SUSPENDED);
}

void view_draw_overlay(struct viewer *viewer) {
    struct grt_box area = rows_area(viewer);
    grt_picture_clip(&viewer->top, viewer->areas.scene);
    draw_cursor(viewer);
    draw_scroll(viewer);
    grt_picture_clip(&viewer->top,
                     (struct grt_box){area.left, viewer->areas.scene.top, area.right, area.bottom});
    draw_span(viewer, viewer->selection);
    draw_span(viewer, viewer->band);
    draw_pointer(viewer);
    draw_marks(viewer);
    draw_difference(viewer);
    draw_chain(viewer);
    draw_frame(viewer, &viewer->hover, GRT_ROLE_HOVER, 1);
    draw_frame(viewer, &viewer->chosen, GRT_ROLE_FOCUS, 2);
    grt_picture_unclip(&viewer->top);
    grt_picture_unclip(&viewer->top);
}
