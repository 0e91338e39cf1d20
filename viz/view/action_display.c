/* Commands about how it looks. */
#include "viz/view/actions.h"
#include "viz/view/internal.h"

int64_t view_cycle(int64_t value, int64_t step, int64_t count) {
    return (value + step % count + count) % count;
}

void view_next_theme(struct viewer *viewer, int64_t step) {
    viewer->view.theme = &grt_themes[view_cycle(viewer->view.theme - grt_themes, step, GRT_THEMES)];
    view_touch_scene(viewer);
}

void view_next_colour_key(struct viewer *viewer, int64_t step) {
    static const char *const names[GRT_COLOUR_KEYS] = {"task", "kernel", "job"};
    int64_t next = view_cycle((int64_t)viewer->view.colour_key, step, GRT_COLOUR_KEYS);
    viewer->view.colour_key = (enum grt_colour_key)next;
    view_say(viewer, "each %s has a colour", names[next]);
    view_touch_scene(viewer);
}

void view_text_size(struct viewer *viewer, int64_t step) {
    double size = viewer->view.text_size + (step > 0 ? 1 : -1);
    size = step == 0 ? viewer->usual_text_size : size;
    viewer->view.text_size = size < VIEWER_LEAST_TEXT  ? VIEWER_LEAST_TEXT
                             : size > VIEWER_MOST_TEXT ? VIEWER_MOST_TEXT
                                                       : size;
    view_touch_scene(viewer);
}

void view_toggle_legend(struct viewer *viewer, int64_t unused) {
    (void)unused;
    viewer->view.legend = !viewer->view.legend;
    view_touch_scene(viewer);
}

void view_toggle_grid(struct viewer *viewer, int64_t unused) {
    (void)unused;
    viewer->view.no_grid = !viewer->view.no_grid;
    view_touch_scene(viewer);
}

void view_toggle_panel(struct viewer *viewer, int64_t panel) {
    if (panel <= VIEW_PANEL_NONE || panel >= VIEW_PANELS) {
        view_fail(viewer, "there are panels 1 to %d", VIEW_PANELS - 1);
        return;
    }
    viewer->panel = viewer->panel == (enum view_panel)panel ? VIEW_PANEL_NONE : (enum view_panel)panel;
    viewer->panel_scroll = viewer->panel_head = 0;
    viewer->panel_line = 0;
    viewer->panel_has_keys = false;
    view_touch_scene(viewer);
}

void view_panel_keys(struct viewer *viewer, int64_t unused) {
    (void)unused;
    if (viewer->panel == VIEW_PANEL_NONE) {
        view_say(viewer, "no panel is open: 1 to %d open one", VIEW_PANELS - 1);
        return;
    }
    viewer->panel_has_keys = !viewer->panel_has_keys;
    view_touch(viewer);
}

void view_toggle_help(struct viewer *viewer, int64_t unused) {
    (void)unused;
    viewer->help = !viewer->help;
    view_touch(viewer);
}

void view_toggle_full_screen(struct viewer *viewer, int64_t unused) {
    (void)unused;
    viewer->full_screen = !viewer->full_screen;
    view_touch(viewer);
}

void view_quit(struct viewer *viewer, int64_t unused) {
    (void)unused;
    viewer->closed = true;
}
