/* The slices of a row: bars, the ground on which they stand, and what a pixel's worth of them comes to. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"
#include "viz/picture/text_width.h"
#include "viz/scene/core_look.h"
#include "viz/scene/internal.h"
#include "viz/scene/share_look.h"

enum { GROUND_ALPHA = 0x30, EDGE_PIXELS = 5, LABEL_EMS = 2, NOTE_EMS = 6 };

/* A track while its pieces are drawn. */
struct drawing {
    const struct scene *scene;
    const struct scene_row *row;
    const struct grt_track *track;
    enum grt_track_part part;
    struct scene_form form;
    /* a run of pixels that look alike, not yet drawn */
    double run_left, run_right, run_height, run_base;
    grt_colour run_colour;
    /* of each pixel: how high the tracks before are, on which this one stands; NULL: it stands alone */
    uint16_t *stack;
};

/* ---- what a slice looks like ---- */

enum { NO_KEY = -1 };

/* Of kernels, calls and blocks; what else a task does has none. */
static int64_t kernel_key(const struct drawing *drawing, const struct grt_slice *slice) {
    const struct grt_timeline *timeline = drawing->row->timeline;
    uint32_t place = slice->detail;
    if (drawing->part == GRT_PART_BLOCK) {
        uint32_t number = grt_timeline_kernel_of(timeline, slice);
        const struct grt_row *task = grt_timeline_row(timeline, GRT_ROW_TASK, slice->task);
        if (number == GRT_NO_SLICE || task == NULL) {
            return NO_KEY;
        }
        place = grt_track_at(grt_row_track(task, GRT_PART_KERNEL), number).detail;
    } else if (drawing->part != GRT_PART_KERNEL && drawing->part != GRT_PART_CALL) {
        return NO_KEY;
    }
    uint32_t number = grt_timeline_command_number(timeline, slice->task, place);
    return number == UINT32_MAX ? NO_KEY : (int64_t)number;
}

static int64_t key_of(const struct drawing *drawing, const struct grt_slice *slice) {
    enum grt_colour_key key = drawing->scene->view->colour_key;
    if (drawing->part == GRT_PART_TURN) {
        return drawing->row->row->index;
    }
    if (slice->task == GRT_TRACE_NO_TASK) {
        return NO_KEY;
    }
    return key == GRT_COLOUR_TASK  ? scene_task_key(drawing->row, slice->task)
           : key == GRT_COLOUR_JOB ? slice->job
                                   : kernel_key(drawing, slice);
}

static struct grt_fill own_fill_of(const struct drawing *drawing, const struct grt_slice *slice) {
    const struct grt_theme *theme = drawing->scene->theme;
    int64_t key = key_of(drawing, slice);
    if (key == NO_KEY) {
        grt_colour grey = theme->roles[GRT_ROLE_PANEL_EDGE];
        return (struct grt_fill){.colour = grey, .text = grt_colour_of_text_on(grey)};
    }
    return grt_theme_fill(theme, (uint32_t)key);
}

/* What does not belong to the job that is looked at is pale. */
static struct grt_fill fill_of(const struct drawing *drawing, const struct grt_slice *slice) {
    struct grt_fill fill = own_fill_of(drawing, slice);
    if (scene_has_look(drawing->part)) {
        fill = scene_core_fill(drawing->scene->theme, drawing->part, &fill);
    }
    if (scene_is_pale(drawing->scene, drawing->row, slice)) {
        fill.colour = scene_mix(fill.colour, drawing->scene->theme->roles[GRT_ROLE_BACKGROUND]);
        fill.text = drawing->scene->theme->roles[GRT_ROLE_MUTED_TEXT];
        fill.hatch = GRT_HATCH_NONE;
    }
    return fill;
}

static const char *task_name(const struct grt_timeline *timeline, uint32_t task) {
    const struct grt_row *row = grt_timeline_row(timeline, GRT_ROW_TASK, task);
    return row != NULL ? row->name : "";
}

/* What is written on a slice; "" for nothing. */
static void label_of(const struct drawing *drawing, const struct grt_slice *slice, char *text, size_t size) {
    const struct grt_timeline *timeline = drawing->row->timeline;
    bool own_row = drawing->row->row->kind == GRT_ROW_TASK;
    const char *name;
    text[0] = '\0';
    switch (drawing->part) {
    case GRT_PART_CPU:
    case GRT_PART_HOST:
    case GRT_PART_BLOCK:
        if (!own_row) {
            snprintf(text, size, "%s", task_name(timeline, slice->task));
        }
        break;
    case GRT_PART_COPY:
        snprintf(text, size, "%s%s%s", own_row ? "" : task_name(timeline, slice->task), own_row ? "" : " ",
                 (slice->flags & GRT_TRACE_D2H) != 0 ? "d2h" : "h2d");
        break;
    case GRT_PART_KERNEL:
    case GRT_PART_CALL:
        name = grt_timeline_command(timeline, slice->task, slice->detail);
        own_row = own_row || (name != NULL && strcmp(name, task_name(timeline, slice->task)) == 0);
        snprintf(text, size, "%s%s%s", own_row ? "" : task_name(timeline, slice->task), own_row ? "" : " ",
                 name != NULL ? name : "");
        break;
    case GRT_PART_BLOCKED:
        snprintf(text, size, "blocked by %s", task_name(timeline, slice->detail));
        break;
    case GRT_PART_THREAD:
        scene_core_label(timeline, slice, text, size);
        break;
    case GRT_PART_OWN:
        snprintf(text, size, "%s",
                 slice->detail < timeline->label_count ? timeline->labels[slice->detail] : "");
        break;
    default:
        break;
    }
}

/* ---- runs of pixels ---- */

static void flush_run(struct drawing *drawing) {
    if (drawing->run_right > drawing->run_left) {
        double bottom = drawing->form.bottom - drawing->run_base;
        grt_picture_rect(drawing->scene->picture, drawing->run_left, bottom - drawing->run_height,
                         drawing->run_right, bottom, drawing->run_colour);
    }
    drawing->run_left = drawing->run_right = 0;
}

static void add_to_run(struct drawing *drawing, double left, double right, double base, double height,
                       grt_colour colour) {
    bool goes_on = drawing->run_right > drawing->run_left && left <= drawing->run_right + 0.01 &&
                   colour == drawing->run_colour && height == drawing->run_height &&
                   base == drawing->run_base;
    if (!goes_on) {
        flush_run(drawing);
        drawing->run_left = left;
        drawing->run_height = height;
        drawing->run_base = base;
        drawing->run_colour = colour;
    }
    drawing->run_right = right;
}

static grt_colour with_alpha(grt_colour colour, uint32_t alpha) {
    return (colour & 0xffffff00U) | alpha;
}

/* A mark on top of a pixel in which something was cut off. */
static void draw_cut(const struct drawing *drawing, double x, uint8_t flags) {
    const struct grt_theme *theme = drawing->scene->theme;
    if ((flags & (GRT_TRACE_ABORTED | GRT_TRACE_PREEMPTED)) != 0) {
        bool aborted = (flags & GRT_TRACE_ABORTED) != 0;
        double height = drawing->scene->em / (aborted ? 2 : 5);
        grt_picture_rect(drawing->scene->picture, x, drawing->form.top, x + 1, drawing->form.top + height,
                         theme->roles[aborted ? GRT_ROLE_WARNING : GRT_ROLE_AXIS_TEXT]);
    }
}

/* The slice whose colour a pixel has; its task is enough as a rule, and then its memory is left alone. */
static struct grt_slice slice_of_pixel(const struct drawing *drawing, const struct grt_lod_piece *piece) {
    if (drawing->scene->view->focus.on || drawing->scene->view->colour_key != GRT_COLOUR_TASK) {
        return grt_track_at(drawing->track, piece->slice);
    }
    return (struct grt_slice){.task = piece->task};
}

/* How high a pixel of so much stands on those of the tracks before, which it is added to. */
static double base_of(struct drawing *drawing, uint32_t pixel, double *height) {
    double room = drawing->form.bottom - drawing->form.top, base = 0;
    if (drawing->stack != NULL) {
        base = drawing->stack[pixel];
        *height = base + *height > room ? room - base : *height; /* each was rounded */
        *height = *height < 1 ? 1 : *height;
        base = base + *height > room ? room - *height : base;
        drawing->stack[pixel] = (uint16_t)(base + *height);
    }
    return base;
}

/* A pixel's worth of slices: as high as it is busy. */
static void draw_pixel(struct drawing *drawing, const struct grt_lod_piece *piece) {
    const struct scene *scene = drawing->scene;
    struct grt_slice slice = slice_of_pixel(drawing, piece);
    double left = scene->left + piece->pixel, right = left + 1;
    double share = (double)piece->busy / ((double)piece->pixel_time * (double)drawing->form.lanes);
    double height =
        (double)(int64_t)((drawing->form.bottom - drawing->form.top) * (share < 1 ? share : 1) + 0.5);
    grt_colour colour =
        drawing->form.kind == SCENE_FORM_STEP ? scene_share_colour(scene) : fill_of(drawing, &slice).colour;
    if (drawing->form.kind == SCENE_FORM_GROUND) {
        colour = with_alpha(colour, GROUND_ALPHA);
    } else if (drawing->form.kind == SCENE_FORM_WAIT) {
        colour = with_alpha(
            scene->theme->roles[drawing->part == GRT_PART_BLOCKED ? GRT_ROLE_BLOCKED : GRT_ROLE_SUSPENDED],
            scene_is_pale(scene, drawing->row, &slice) ? 0x20 : 0x80);
    }
    if (piece->busy > 0) {
        height = height > 1 ? height : 1;
        double base = base_of(drawing, piece->pixel, &height);
        add_to_run(drawing, left, right, base, height, colour);
    }
    if (drawing->form.kind == SCENE_FORM_BAR) {
        draw_cut(drawing, left, piece->flags);
    }
}

/* ---- single slices ---- */

/* The edge of a bar; a bar that was cut off, or goes on behind the run's end, is open to the right. */
void scene_draw_edges(const struct scene *scene, struct grt_box box, uint8_t flags) {
    grt_colour colour = scene->theme->roles[GRT_ROLE_EDGE];
    bool open = (flags & (GRT_TRACE_PREEMPTED | GRT_TRACE_OPEN)) != 0;
    grt_picture_rect(scene->picture, box.left, box.top, box.right, box.top + 1, colour);
    grt_picture_rect(scene->picture, box.left, box.bottom - 1, box.right, box.bottom, colour);
    grt_picture_rect(scene->picture, box.left, box.top + 1, box.left + 1, box.bottom - 1, colour);
    if (!open) {
        grt_picture_rect(scene->picture, box.right - 1, box.top + 1, box.right, box.bottom - 1, colour);
    }
}

void scene_draw_cross(const struct scene *scene, double x, double y, double size) {
    struct grt_pen pen = {.colour = scene->theme->roles[GRT_ROLE_WARNING], .width = 2};
    struct grt_point down[] = {{x - size, y - size}, {x + size, y + size}},
                     up[] = {{x - size, y + size}, {x + size, y - size}};
    grt_picture_line(scene->picture, down, 2, &pen);
    grt_picture_line(scene->picture, up, 2, &pen);
}

/* In the middle of what is in view of the bar, shortened; nothing where not even `least` letters fit. `behind`: 0, or the ground that the
 * text needs. */
static void draw_label(const struct scene *scene, struct grt_box box, grt_colour colour, grt_colour behind,
                       int least, const char *text) {
    double size = box.bottom - box.top < scene->em * 1.1 ? scene->em * 0.8 : scene->em;
    double room = box.right - box.left - scene->em / 2;
    if (room < least * size || box.bottom - box.top < size || text[0] == '\0') {
        return;
    }
    char shown[GRT_PICTURE_TEXT];
    size_t bytes = grt_text_shorten(GRT_FONT_PLAIN, size, text, strlen(text), room, GRT_TEXT_CUT_END, shown);
    struct grt_text_style style = {.colour = colour, .anchor = GRT_ANCHOR_MIDDLE, .size = size};
    if (bytes > 0 && behind != 0) {
        double half = grt_text_width(GRT_FONT_PLAIN, size, shown, bytes) / 2 + size / 4;
        double middle = (box.left + box.right) / 2;
        grt_picture_rect(scene->picture, middle - half, box.top, middle + half, box.bottom, behind);
    }
    if (bytes > 0) {
        grt_picture_text(scene->picture, (box.left + box.right) / 2,
                         grt_text_baseline(box.top, box.bottom, size), &style, shown, bytes);
    }
}

static void draw_bar(struct drawing *drawing, struct grt_box box, const struct grt_slice *slice,
                     uint8_t flags) {
    const struct scene *scene = drawing->scene;
    struct grt_fill fill = fill_of(drawing, slice);
    char text[256];
    grt_picture_rect(scene->picture, box.left, box.top, box.right, box.bottom, fill.colour);
    if (fill.hatch != GRT_HATCH_NONE && box.right - box.left >= EDGE_PIXELS) {
        grt_picture_hatch(scene->picture, box, fill.hatch, 6, 1, fill.hatch_colour);
    }
    if (drawing->part == GRT_PART_THREAD) {
        scene_draw_thread_mark(scene, box);
    }
    if (box.right - box.left >= EDGE_PIXELS && box.bottom - box.top >= EDGE_PIXELS) {
        scene_draw_edges(scene, box, flags);
    }
    if ((flags & GRT_TRACE_ABORTED) != 0) {
        scene_draw_cross(scene, box.right, (box.top + box.bottom) / 2, scene->em / 4);
    }
    if (!drawing->row->shown->folded) {
        bool spins = drawing->part == GRT_PART_SPIN && drawing->row->row->kind != GRT_ROW_TASK;
        label_of(drawing, slice, text, sizeof text);
        if (spins) {
            scene_spin_label(scene, box, task_name(drawing->row->timeline, slice->task), text, sizeof text);
        }
        struct grt_box inside = {box.left, box.top + spins, box.right, box.bottom - spins};
        draw_label(scene, inside, fill.text, spins ? fill.colour : 0, LABEL_EMS, text);
    }
}

static void draw_wait(struct drawing *drawing, struct grt_box box, const struct grt_slice *slice) {
    const struct scene *scene = drawing->scene;
    bool blocked = drawing->part == GRT_PART_BLOCKED;
    grt_colour colour = scene->theme->roles[blocked ? GRT_ROLE_BLOCKED : GRT_ROLE_SUSPENDED];
    if (scene_is_pale(scene, drawing->row, slice)) {
        colour = scene_mix(colour, scene->theme->roles[GRT_ROLE_BACKGROUND]);
    }
    grt_picture_hatch(scene->picture, box, blocked ? GRT_HATCH_CROSS : GRT_HATCH_UP, blocked ? 4 : 6, 1,
                      colour);
    if (blocked && !drawing->row->shown->folded) {
        char text[256];
        struct grt_box above = {box.left, box.top - scene->em * 1.15, box.right, box.top};
        label_of(drawing, slice, text, sizeof text);
        draw_label(scene, above, colour, scene->theme->roles[GRT_ROLE_BACKGROUND], NOTE_EMS, text);
    }
}

static void draw_alone(struct drawing *drawing, const struct grt_lod_piece *piece) {
    struct grt_slice slice = grt_track_at(drawing->track, piece->slice);
    struct grt_box box = scene_slice_box(&drawing->form, &slice, scene_x(drawing->scene, piece->from),
                                         scene_x(drawing->scene, piece->to), piece->to == slice.end);
    flush_run(drawing);
    switch (drawing->form.kind) {
    case SCENE_FORM_GROUND:
        grt_picture_rect(drawing->scene->picture, box.left, drawing->form.top, box.right,
                         drawing->form.bottom, with_alpha(fill_of(drawing, &slice).colour, GROUND_ALPHA));
        break;
    case SCENE_FORM_WAIT:
        draw_wait(drawing, box, &slice);
        break;
    case SCENE_FORM_STEP:
        scene_draw_share(drawing->scene, drawing->row, &drawing->form, &slice,
                         scene_x(drawing->scene, piece->from), scene_x(drawing->scene, piece->to));
        break;
    default:
        draw_bar(drawing, box, &slice, piece->flags);
        break;
    }
}

static void draw_piece(void *state, const struct grt_lod_piece *piece) {
    struct drawing *drawing = state;
    if (piece->alone) {
        draw_alone(drawing, piece);
    } else {
        draw_pixel(drawing, piece);
    }
}

static void draw_track(const struct scene *scene, const struct scene_row *row, uint32_t number,
                       uint16_t *stack) {
    const struct grt_track *track = row->row->tracks[number].track;
    struct drawing drawing = {.scene = scene,
                              .row = row,
                              .track = track,
                              .part = row->row->tracks[number].part,
                              .stack = stack,
                              .form = scene_form_of(row->row, number, row->top, row->bottom)};
    if (drawing.form.kind != SCENE_FORM_NONE && track->count > 0) {
        grt_lod_walk(track, &scene->scale, draw_piece, &drawing);
        flush_run(&drawing);
    }
}

/* ---- the row ---- */

/* Where two runs differ: a line below, which is seen however short the difference is. */
static void draw_difference(void *state, const struct grt_lod_piece *piece) {
    const struct drawing *drawing = state;
    const struct scene *scene = drawing->scene;
    /* within the axis: it is drawn where signs reach further */
    double left = fmax(scene_x(scene, piece->from), scene->left);
    double right = fmin(fmax(scene_x(scene, piece->to), left + 1), scene->right);
    left = fmin(left, right - 1);
    grt_picture_rect(scene->picture, left, drawing->row->bottom - scene->em / 5, right, drawing->row->bottom,
                     scene->theme->roles[GRT_ROLE_DIFFERENCE]);
}

static void draw_differences(const struct scene *scene, const struct scene_row *row) {
    struct drawing drawing = {.scene = scene, .row = row};
    if (row->shown->differences != NULL) {
        grt_lod_walk(row->shown->differences, &scene->scale, draw_difference, &drawing);
    }
}

static void draw_signs(const struct scene *scene, const struct scene_row *row, const struct grt_track *track,
                       enum grt_track_part part) {
    switch (part) {
    case GRT_PART_WINDOW:
        scene_draw_windows(scene, row, track);
        break;
    case GRT_PART_JOB:
        scene_draw_ends(scene, row, track);
        break;
    case GRT_PART_MISS:
    case GRT_PART_SIGN:
    case GRT_PART_OWN_MARK:
        scene_draw_instants(scene, row, track, part);
        break;
    default:
        break;
    }
}

void scene_draw_row(const struct scene *scene, const struct scene_row *row) {
    uint16_t *stack = NULL;
    if (scene_is_stacked(row->row)) {
        stack = grt_allocate(scene->scale.pixels * sizeof *stack);
        memset(stack, 0, scene->scale.pixels * sizeof *stack);
    }
    for (uint32_t i = 0; i < row->row->track_count; i++) {
        draw_track(scene, row, i, stack);
    }
    free(stack);
}

void scene_draw_row_signs(const struct scene *scene, const struct scene_row *row) {
    for (uint32_t i = 0; i < row->row->track_count; i++) {
        draw_signs(scene, row, row->row->tracks[i].track, row->row->tracks[i].part);
    }
    draw_differences(scene, row);
}
