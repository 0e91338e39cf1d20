/* The whole frame: where its parts are, and how it is painted. */
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"
#include "viz/view/internal.h"

/* In ems of the text. */
static const double most_fill = 1.7;
static const double toolbar_height = 2.2, overview_height = 2.6, status_height = 2;

void view_arrange_areas(struct viewer *viewer) {
    double em = view_em(viewer), width = viewer->width, height = viewer->height;
    double overview = (double)(int64_t)(toolbar_height * em),
           scene = overview + (double)(int64_t)(overview_height * em);
    double status = (double)(int64_t)(height - status_height * em);
    double panel = (double)(int64_t)(width - view_panel_width(viewer));
    panel = panel < width / 3 ? (double)(int64_t)(width / 3) : panel;
    status = status > scene + 1 ? status : scene + 1;
    viewer->areas = (struct view_areas){
        .toolbar = {0, 0, width, overview},
        .overview = {0, overview, width, scene},
        .scene = {0, scene, panel, status},
        .panel = {panel, scene, width, status},
        .status = {0, status, width, height},
    };
}

/* Makes rows higher where there is room, unless the user has said how high they are. */
static void fill_height(struct viewer *viewer) {
    double room = viewer->layout.bottom - viewer->layout.top;
    double needed = viewer->layout.content + viewer->layout.pinned_bottom - viewer->layout.top;
    if (viewer->row_scale == 0 && needed > 0 && needed < room) {
        double scale = 0.97 * room / needed;
        viewer->view.row_scale = scale < most_fill ? (scale > 1 ? scale : 1) : most_fill;
        grt_layout_make(&viewer->layout, &viewer->view);
    }
}

void view_lay_out(struct viewer *viewer) {
    view_arrange_areas(viewer);
    const struct grt_box *area = &viewer->areas.scene;
    viewer->view.width = area->right - area->left;
    viewer->view.height = area->bottom - area->top;
    viewer->view.row_scale = viewer->row_scale;
    grt_layout_make(&viewer->layout, &viewer->view);
    fill_height(viewer);
    double limit = grt_layout_scroll_limit(&viewer->layout);
    if (viewer->view.scroll > limit) {
        viewer->view.scroll = (double)(int64_t)limit;
        grt_layout_make(&viewer->layout, &viewer->view);
    }
}

/* Draws the rows anew where they have changed. */
static void update_scene(struct viewer *viewer) {
    view_lay_out(viewer);
    int width = (int)viewer->view.width, height = (int)viewer->view.height;
    size_t pixels = (size_t)width * (size_t)height;
    if (pixels > viewer->scene_pixel_count) {
        free(viewer->scene_pixels);
        viewer->scene_pixels = grt_allocate(pixels * sizeof *viewer->scene_pixels);
        viewer->scene_pixel_count = pixels;
    }
    struct grt_frame frame = {viewer->scene_pixels, width, height, 4 * (size_t)width, 1};
    grt_scene_draw_as(&viewer->view, &viewer->layout, &viewer->scene);
    grt_painter_paint(viewer->painter, &frame, view_colour(viewer, GRT_ROLE_BACKGROUND), &viewer->scene);
    viewer->scene_changed = false;
}

/* Copies the rows into the frame. */
static void put_scene(const struct viewer *viewer, const struct grt_frame *frame) {
    const struct grt_box *area = &viewer->areas.scene;
    size_t width = (size_t)(area->right - area->left), top = (size_t)area->top;
    for (size_t y = 0; y < (size_t)(area->bottom - area->top) && top + y < (size_t)frame->height; y++) {
        uint32_t *to = frame->pixels + (top + y) * (frame->stride_bytes / 4);
        memcpy(to, viewer->scene_pixels + y * width, width * sizeof *to);
    }
}

/* A frame in which nothing could be read. */
static void fill(const struct viewer *viewer, const struct grt_frame *frame) {
    struct grt_picture nothing = {.count = 0};
    grt_painter_paint(viewer->painter, frame, view_colour(viewer, GRT_ROLE_BACKGROUND), &nothing);
}

void viewer_paint(struct viewer *viewer, const struct grt_frame *frame) {
    if (frame->width != (int)viewer->width || frame->height != (int)viewer->height) {
        struct view_input input = {.kind = VIEW_INPUT_RESIZE, .x = frame->width, .y = frame->height};
        viewer_input(viewer, &input);
    }
    if (frame->width < VIEWER_LEAST_SIDE || frame->height < VIEWER_LEAST_SIDE) {
        fill(viewer, frame);
        viewer->changed = false;
        return;
    }
    view_arrange_areas(viewer);
    if (viewer->scene_changed) {
        update_scene(viewer);
        view_look_under_pointer(viewer);
    }
    viewer->hot_count = 0;
    grt_picture_begin(&viewer->top, viewer->width, viewer->height);
    view_draw_overlay(viewer);
    view_draw_overview(viewer);
    view_draw_panel(viewer);
    view_draw_toolbar(viewer);
    view_draw_status(viewer);
    view_draw_tooltip(viewer);
    view_draw_help(viewer);
    put_scene(viewer, frame);
    grt_painter_paint_over(viewer->painter, frame, &viewer->top);
    viewer->changed = false;
}
