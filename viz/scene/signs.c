/* Signs of a row: arrows up where jobs are released and down at their deadlines, a bar where they are complete, a filled
 * triangle where a deadline was missed. */
#include "viz/scene/internal.h"

enum { ARROW_PIXELS = 14 }; /* jobs that are closer have no arrows */

struct signs {
    const struct scene *scene;
    const struct scene_row *row;
    const struct grt_track *track;
    enum grt_track_part part;
    double last; /* where the last sign was drawn */
};

void scene_draw_arrow(const struct scene *scene, double x, double from, double to, grt_colour colour) {
    double head = scene->em / 4, back = to < from ? to + 1.6 * head : to - 1.6 * head;
    double middle = (double)(int64_t)x;
    struct grt_point tip[] = {{middle + 0.5 - head, back}, {middle + 0.5 + head, back}, {middle + 0.5, to}};
    grt_picture_rect(scene->picture, middle, from < back ? from : back, middle + 1, from < back ? back : from,
                     colour);
    grt_picture_polygon(scene->picture, tip, 3, colour, NULL);
}

/* The first instant of what is looked at is, that behind the last is not. */
static bool is_shown(const struct scene *scene, grt_time instant) {
    return instant >= scene->scale.from && instant < scene->scale.to;
}

/* A slice of its own, or one that ended at the first instant of what is looked at; not one of those that share a pixel. */
static bool is_single(const struct grt_lod_piece *piece) {
    return piece->alone || piece->from == piece->to;
}

static void draw_window(void *state, const struct grt_lod_piece *piece) {
    struct signs *signs = state;
    const struct scene *scene = signs->scene;
    struct grt_slice window = grt_track_at(signs->track, piece->slice);
    bool reversed = (window.flags & GRT_WINDOW_REVERSED) != 0;
    bool endless = (window.flags & GRT_WINDOW_ENDLESS) != 0;
    grt_time release = reversed ? window.end : window.start, deadline = reversed ? window.start : window.end;
    double width = grt_scale_x(&scene->scale, window.end) - grt_scale_x(&scene->scale, window.start);
    double x = scene_x(scene, release);
    bool crowded = endless ? x - signs->last < ARROW_PIXELS : !is_single(piece) || width < ARROW_PIXELS;
    if (crowded) {
        return;
    }
    signs->last = x;
    double height = signs->row->bottom - signs->row->top, base = signs->row->top + height * 0.94;
    bool pale = scene_is_pale(scene, signs->row, &window);
    if (is_shown(scene, release)) {
        scene_draw_arrow(scene, scene_x(scene, release), base, signs->row->top + height * 0.06,
                         scene->theme->roles[pale ? GRT_ROLE_GRID_STRONG : GRT_ROLE_RELEASE]);
    }
    if (!endless && is_shown(scene, deadline)) {
        scene_draw_arrow(scene, scene_x(scene, deadline), signs->row->top + height * 0.06, base,
                         scene->theme->roles[pale ? GRT_ROLE_GRID_STRONG : GRT_ROLE_DEADLINE]);
    }
}

void scene_draw_windows(const struct scene *scene, const struct scene_row *row,
                        const struct grt_track *track) {
    struct signs signs = {.scene = scene, .row = row, .track = track, .last = -1e9};
    grt_lod_walk(track, &scene->scale, draw_window, &signs);
}

void scene_draw_completion(const struct scene *scene, double x, double top, double bottom, bool pale) {
    double left = (double)(int64_t)x, half = scene->em / 4;
    grt_colour colour = scene->theme->roles[pale ? GRT_ROLE_GRID_STRONG : GRT_ROLE_COMPLETION];
    grt_picture_rect(scene->picture, left, top, left + 1, bottom, colour);
    grt_picture_rect(scene->picture, left - half, top, left + 1 + half, top + 2, colour);
}

static void draw_end(void *state, const struct grt_lod_piece *piece) {
    const struct signs *signs = state;
    const struct scene *scene = signs->scene;
    if (!is_single(piece) || piece->count == 0) {
        return;
    }
    struct grt_slice job = grt_track_at(signs->track, piece->slice);
    double width = grt_scale_x(&scene->scale, job.end) - grt_scale_x(&scene->scale, job.start);
    if (width < ARROW_PIXELS || job.detail != GRT_TRACE_FINISH || !is_shown(scene, job.end)) {
        return;
    }
    double height = signs->row->bottom - signs->row->top;
    scene_draw_completion(scene, scene_x(scene, job.end), signs->row->top + height * 0.22,
                          signs->row->top + height * 0.94, scene_is_pale(scene, signs->row, &job));
}

void scene_draw_ends(const struct scene *scene, const struct scene_row *row, const struct grt_track *jobs) {
    struct signs signs = {.scene = scene, .row = row, .track = jobs};
    grt_lod_walk(jobs, &scene->scale, draw_end, &signs);
}

static double miss_height(const struct scene *scene) {
    return 0.75 * scene->em;
}

/* The widest is a miss's triangle, with its edge. */
double scene_sign_reach(const struct scene *scene) {
    return scene->em / 2 + 1;
}

void scene_draw_miss(const struct scene *scene, double x, double top) {
    double size = scene->em / 2;
    struct grt_pen edge = {.colour = scene->theme->roles[GRT_ROLE_MISS_EDGE], .width = 1};
    struct grt_point triangle[] = {{x - size, top}, {x + size, top}, {x, top + miss_height(scene)}};
    grt_picture_polygon(scene->picture, triangle, 3, scene->theme->roles[GRT_ROLE_MISS], &edge);
}

/* A miss is seen at every zoom: as a triangle, or, where they stand close, as a bar as high. */
static void draw_miss(struct signs *signs, double x) {
    const struct scene *scene = signs->scene;
    double height = signs->row->bottom - signs->row->top, left = (double)(int64_t)x;
    double top = signs->row->top + height * 0.02, bottom = top + miss_height(scene);
    grt_colour colour = scene->theme->roles[GRT_ROLE_MISS];
    if (x - signs->last < scene->em / 2 && signs->last > 0) {
        grt_picture_rect(scene->picture, left, top, left + 1, bottom, colour);
        return;
    }
    scene_draw_miss(scene, x, top);
    grt_picture_rect(scene->picture, left, bottom, left + 1, signs->row->top + height * 0.94, colour);
    signs->last = x;
}

void scene_draw_diamond(const struct scene *scene, double x, double y) {
    double size = scene->em / 3.5;
    struct grt_pen edge = {.colour = scene->theme->roles[GRT_ROLE_AXIS_TEXT], .width = 1};
    struct grt_point diamond[] = {{x - size, y}, {x, y - size}, {x + size, y}, {x, y + size}};
    grt_picture_polygon(scene->picture, diamond, 4, scene->theme->roles[GRT_ROLE_WARNING], &edge);
}

/* Something else at an instant. */
static void draw_sign(struct signs *signs, double x) {
    if (x - signs->last >= signs->scene->em / 3.5 || signs->last == 0) {
        scene_draw_diamond(signs->scene, x, (signs->row->top + signs->row->bottom) / 2);
        signs->last = x;
    }
}

static void draw_instant(void *state, const struct grt_lod_piece *piece) {
    struct signs *signs = state;
    double x = scene_x(signs->scene, grt_track_end(signs->track, piece->slice));
    if (piece->count == 0) {
        return;
    }
    if (signs->part == GRT_PART_MISS) {
        draw_miss(signs, x);
    } else {
        draw_sign(signs, x);
    }
}

void scene_draw_instants(const struct scene *scene, const struct scene_row *row,
                         const struct grt_track *track, enum grt_track_part part) {
    struct signs signs = {.scene = scene, .row = row, .track = track, .part = part};
    grt_lod_walk(track, &scene->scale, draw_instant, &signs);
}
