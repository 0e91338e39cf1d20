/* What the pointer does. */
#include <math.h>

#include "viz/view/actions.h"
#include "viz/view/internal.h"

enum { CLICK_PIXELS = 4 }; /* a button that goes up so near to where it went down was a click */

static const double zoom_notch = 0.8, fine_notch = 0.95, pan_notch = 0.1;

static const struct view_hot *hot_at(const struct viewer *viewer, double x, double y) {
    for (uint32_t i = viewer->hot_count; i-- > 0;) {
        if (view_is_in(&viewer->hot[i].box, x, y)) {
            return &viewer->hot[i];
        }
    }
    return NULL;
}

static grt_time time_at(const struct viewer *viewer, double x) {
    return grt_layout_time(&viewer->layout, x - viewer->areas.scene.left);
}

void view_look_under_pointer(struct viewer *viewer) {
    const struct grt_box *scene = &viewer->areas.scene;
    struct view_chosen before = viewer->hover;
    viewer->hover = view_nothing();
    viewer->hit = (struct grt_hit){.shown = GRT_NO_SHOWN_ROW, .place = grt_place_none()};
    if (view_is_in(scene, viewer->x, viewer->y) && viewer->drag == VIEW_DRAG_NONE && !viewer->help) {
        viewer->hit =
            grt_scene_hit(&viewer->view, &viewer->layout, viewer->x - scene->left, viewer->y - scene->top);
    }
    if (viewer->hit.shown != GRT_NO_SHOWN_ROW) {
        viewer->hover = (struct view_chosen){viewer->rows[viewer->hit.shown].run, viewer->hit.place};
    }
    if (!grt_place_is(before.place, viewer->hover.place) || before.run != viewer->hover.run) {
        view_touch(viewer);
    }
}

/* So far to the right in time, kept where sums cannot overflow. */
static grt_time time_of(double by) {
    double most = 2 * (double)GRT_TIME_LIMIT;
    return (grt_time)(by > most ? most : by > -most ? by : -most);
}

/* ---- while a button is down ---- */

static void begin_drag(struct viewer *viewer, const struct view_input *input) {
    bool in_scene = view_is_in(&viewer->areas.scene, input->x, input->y);
    bool pans = input->button == VIEW_BUTTON_MIDDLE || (input->modifiers & VIEW_SHIFT) != 0;
    viewer->drag = view_is_in(&viewer->areas.overview, input->x, input->y) ? VIEW_DRAG_OVERVIEW
                   : !in_scene                                             ? VIEW_DRAG_NONE
                   : pans                                                  ? VIEW_DRAG_PAN
                   : input->button == VIEW_BUTTON_RIGHT                    ? VIEW_DRAG_ZOOM
                                                                           : VIEW_DRAG_SELECT;
    viewer->drag_x = input->x;
    viewer->drag_y = input->y;
    viewer->drag_far = false;
    viewer->drag_span = (struct view_span){viewer->view.from, viewer->view.to};
    viewer->drag_scroll = viewer->view.scroll;
}

/* Puts the view where the pointer is in the strip of the whole run. */
static void drag_overview(struct viewer *viewer, double x) {
    struct grt_scale scale = view_overview_scale(viewer);
    grt_time half = (viewer->view.to - viewer->view.from) / 2;
    double share = (x - viewer->areas.overview.left - 1) / (double)scale.pixels;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    grt_time at = scale.from + (grt_time)(share * (double)(scale.to - scale.from));
    view_move_span(viewer, at - half, at - half + 2 * half);
}

static void drag_pan(struct viewer *viewer, double x, double y) {
    double span = (double)(viewer->drag_span.to - viewer->drag_span.from);
    grt_time by = time_of((viewer->drag_x - x) / (double)viewer->layout.scale.pixels * span);
    view_move_span(viewer, viewer->drag_span.from + by, viewer->drag_span.to + by);
    view_scroll_to(viewer, viewer->drag_scroll + viewer->drag_y - y);
}

static void drag_select(struct viewer *viewer, double x) {
    grt_time from = time_at(viewer, viewer->drag_x), to = time_at(viewer, x);
    struct view_span span = from < to ? (struct view_span){from, to} : (struct view_span){to, from};
    *(viewer->drag == VIEW_DRAG_ZOOM ? &viewer->band : &viewer->selection) = span;
    view_touch(viewer);
}

static void move(struct viewer *viewer, const struct view_input *input) {
    viewer->x = input->x;
    viewer->y = input->y;
    double far = fabs(input->x - viewer->drag_x) + fabs(input->y - viewer->drag_y);
    viewer->drag_far = viewer->drag_far || far > CLICK_PIXELS;
    view_touch(viewer); /* the line at the pointer */
    if (viewer->drag == VIEW_DRAG_OVERVIEW) {
        drag_overview(viewer, input->x);
    } else if (viewer->drag == VIEW_DRAG_PAN) {
        drag_pan(viewer, input->x, input->y);
    } else if (viewer->drag != VIEW_DRAG_NONE && viewer->drag_far) {
        drag_select(viewer, input->x);
    } else {
        view_look_under_pointer(viewer);
    }
}

/* ---- clicks ---- */

/* A click chooses what is under it, or its row. */
static void click(struct viewer *viewer) {
    viewer->selection = (struct view_span){0, 0};
    viewer->panel_has_keys = false;
    view_choose(viewer, viewer->hover, false);
    viewer->cursor = viewer->hit.shown;
}

static void double_click(struct viewer *viewer) {
    const struct grt_box *scene = &viewer->areas.scene;
    if (viewer->y < scene->top + viewer->layout.top && view_is_in(scene, viewer->x, viewer->y)) {
        view_fit(viewer, 0);
    } else if (grt_place_is_some(&viewer->hover.place)) {
        view_choose(viewer, viewer->hover, false);
        view_fit_chosen(viewer, 0);
    }
}

static void press(struct viewer *viewer, const struct view_input *input) {
    const struct view_hot *hot = hot_at(viewer, input->x, input->y);
    viewer->x = input->x;
    viewer->y = input->y;
    viewer->message[0] = '\0';
    if (viewer->help) {
        viewer->help = false;
        view_touch(viewer);
    } else if (hot != NULL) {
        view_run(viewer, hot->command, hot->argument);
    } else if (input->clicks > 1 && input->button == VIEW_BUTTON_LEFT) {
        view_look_under_pointer(viewer);
        double_click(viewer);
    } else {
        view_look_under_pointer(viewer);
        begin_drag(viewer, input);
        if (viewer->drag == VIEW_DRAG_OVERVIEW) {
            drag_overview(viewer, input->x);
        }
    }
}

static void release(struct viewer *viewer, const struct view_input *input) {
    enum view_drag drag = viewer->drag;
    struct view_span band = viewer->band;
    viewer->drag = VIEW_DRAG_NONE;
    viewer->band = (struct view_span){0, 0};
    viewer->x = input->x;
    viewer->y = input->y;
    view_look_under_pointer(viewer);
    if (drag == VIEW_DRAG_ZOOM && viewer->drag_far) {
        view_show_span(viewer, band.from, band.to);
    } else if (drag == VIEW_DRAG_SELECT && !viewer->drag_far) {
        click(viewer);
    }
    view_touch(viewer);
}

/* ---- the wheel ---- */

static void scroll_panel(struct viewer *viewer, double notches) {
    double height = viewer->areas.panel.bottom - viewer->areas.panel.top;
    double limit = viewer->panel_content - height, to = viewer->panel_scroll - notches * 4 * view_em(viewer);
    limit = limit < 0 ? 0 : limit;
    viewer->panel_scroll = to < 0 ? 0 : to > limit ? limit : to;
    view_touch(viewer);
}

static void turn_wheel(struct viewer *viewer, const struct view_input *input) {
    unsigned modifiers = input->modifiers;
    viewer->x = input->x;
    viewer->y = input->y;
    if (viewer->panel != VIEW_PANEL_NONE && view_is_in(&viewer->areas.panel, input->x, input->y)) {
        scroll_panel(viewer, input->wheel_y);
    } else if ((modifiers & VIEW_CTRL) != 0) {
        double notch = (modifiers & VIEW_SHIFT) != 0 ? fine_notch : zoom_notch;
        view_zoom_at(viewer, view_anchor(viewer), pow(notch, input->wheel_y));
    } else {
        double span = (double)(viewer->view.to - viewer->view.from);
        double sideways = input->wheel_x - ((modifiers & VIEW_SHIFT) != 0 ? input->wheel_y : 0);
        grt_time by = time_of(sideways * pan_notch * span);
        view_move_span(viewer, viewer->view.from + by, viewer->view.to + by);
        if ((modifiers & VIEW_SHIFT) == 0) {
            view_scroll_to(viewer, viewer->view.scroll - input->wheel_y * 3 * view_em(viewer));
        }
    }
}

void view_point(struct viewer *viewer, const struct view_input *input) {
    switch (input->kind) {
    case VIEW_INPUT_MOVE:
        move(viewer, input);
        break;
    case VIEW_INPUT_PRESS:
        press(viewer, input);
        break;
    case VIEW_INPUT_RELEASE:
        release(viewer, input);
        break;
    case VIEW_INPUT_WHEEL:
        turn_wheel(viewer, input);
        break;
    default: /* the pointer has left */
        viewer->x = viewer->y = -1;
        view_look_under_pointer(viewer);
        view_touch(viewer);
        break;
    }
}
