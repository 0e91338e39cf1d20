/* What is at a point of a picture. */
#include "viz/scene/internal.h"

enum { LOOKED_AT = 4096 }; /* slices at most, where many share a pixel */

/* The span of time that a pixel around x stands for. */
struct pixel {
    grt_time from, to;
};

static struct pixel pixel_at(const struct grt_layout *layout, double x) {
    const struct grt_scale *scale = &layout->scale;
    double pixels = x - layout->left;
    uint32_t pixel = pixels < 0 ? 0 : pixels < scale->pixels ? (uint32_t)pixels : scale->pixels - 1;
    struct pixel at = {grt_scale_time(scale, pixel), grt_scale_time(scale, pixel + 1)};
    at.to = at.to > at.from ? at.to : at.from + 1;
    return at;
}

/* Whether a slice that is drawn by itself is at a height of the row. */
static bool is_at_height(const struct scene_form *form, const struct grt_slice *slice, double y) {
    struct grt_box box = scene_slice_box(form, slice, 0, 1, false);
    return form->lanes == 1 || form->kind == SCENE_FORM_STEP || (y >= box.top - 1 && y < box.bottom + 1);
}

/* The slice of a track at a pixel: at that height, the longest if there are several; and how many end in the pixel. */
static uint32_t slice_at(const struct grt_track *track, const struct scene_form *form, struct pixel pixel,
                         double y, uint32_t *count) {
    struct grt_track_cursor cursor = {0};
    uint32_t number = grt_track_first_after(track, &cursor, pixel.from), found = GRT_NO_SLICE, looked = 0;
    grt_time most = -1;
    *count = 0;
    for (number = grt_track_next_before(track, number, pixel.to);
         number != GRT_NO_SLICE && looked < LOOKED_AT; looked++) {
        struct grt_slice slice = grt_track_at(track, number);
        *count += slice.end < pixel.to;
        grt_time time = slice.end - slice.start;
        if (time > most && (pixel.to - pixel.from > time || is_at_height(form, &slice, y))) {
            most = time;
            found = number;
        }
        number = grt_track_next_before(track, number + 1, pixel.to);
    }
    return found;
}

/* How far from an instant its sign is reached, in ems. */
static const double reach = 0.5;

static bool is_sign(enum grt_track_part part) {
    return part == GRT_PART_MISS || part == GRT_PART_SIGN || part == GRT_PART_OWN_MARK;
}

/* A sign near a point. */
static uint32_t sign_at(const struct grt_layout *layout, const struct grt_track *track, double x, double em) {
    struct grt_track_cursor cursor = {0};
    grt_time from = grt_layout_time(layout, x - reach * em), to = grt_layout_time(layout, x + reach * em) + 1;
    uint32_t number = grt_track_first_after(track, &cursor, from - 1);
    return number < track->count && grt_track_end(track, number) < to ? number : GRT_NO_SLICE;
}

struct grt_hit grt_scene_hit(const struct grt_view *view, const struct grt_layout *layout, double x,
                             double y) {
    struct grt_hit hit = {.shown = grt_layout_row_at(layout, y), .place = {.row = GRT_NOWHERE}};
    if (hit.shown == GRT_NO_SHOWN_ROW || x < layout->left || x >= layout->left + layout->scale.pixels) {
        return hit;
    }
    const struct grt_row *row = scene_row_of(&layout->shown[hit.shown]);
    double top = layout->rows[hit.shown].top, bottom = layout->rows[hit.shown].bottom;
    struct pixel pixel = pixel_at(layout, x);
    for (uint32_t i = row->track_count; i-- > 0;) { /* what is drawn last is on top; signs are above all */
        const struct grt_track *track = row->tracks[i].track;
        struct scene_form form = scene_form_of(row, i, top, bottom);
        uint32_t number = GRT_NO_SLICE, count = 1;
        if (is_sign(row->tracks[i].part)) {
            number = sign_at(layout, track, x, view->text_size);
        } else if (form.kind != SCENE_FORM_NONE && y >= form.top && y < form.bottom) {
            number = slice_at(track, &form, pixel, y, &count);
        }
        if (number != GRT_NO_SLICE) {
            hit.place = (struct grt_place){layout->shown[hit.shown].row, i, number};
            hit.count = count;
            return hit;
        }
    }
    return hit;
}

bool grt_scene_box(const struct grt_view *view, const struct grt_layout *layout, uint32_t shown,
                   struct grt_place place, struct grt_box *box) {
    const struct grt_row *row = scene_row_of(&layout->shown[shown]);
    struct grt_box visible;
    if (!grt_layout_visible(layout, shown, &visible) || place.track >= row->track_count ||
        place.number >= row->tracks[place.track].track->count) {
        return false;
    }
    struct grt_slice slice = grt_track_at(row->tracks[place.track].track, place.number);
    struct scene_form form =
        scene_form_of(row, place.track, layout->rows[shown].top, layout->rows[shown].bottom);
    double left = grt_layout_x(layout, slice.start), right = grt_layout_x(layout, slice.end);
    if (form.kind == SCENE_FORM_NONE) { /* an instant, or a window */
        form = (struct scene_form){
            .top = layout->rows[shown].top, .bottom = layout->rows[shown].bottom, .lanes = 1};
        slice.weight = 1;
        slice.lane = 0;
        left -= is_sign(row->tracks[place.track].part) ? reach * view->text_size : 0;
        right += is_sign(row->tracks[place.track].part) ? reach * view->text_size : 0;
    }
    *box = scene_slice_box(&form, &slice, left > layout->left ? left : layout->left,
                           right < layout->right ? right : layout->right, false);
    box->top = box->top > visible.top ? box->top : visible.top;
    box->bottom = box->bottom < visible.bottom ? box->bottom : visible.bottom;
    return right >= layout->left && left <= layout->right && box->bottom > box->top;
}
