/* The whole run in a strip: how much of the machine is busy, where deadlines were missed, which part is in view. */
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"
#include "viz/view/internal.h"

/* Per pixel of the strip; found once for a width. */
struct view_overview {
    uint32_t width;
    float *busy; /* share of what there is, 0 to 1 */
    bool *missed;
};

void view_forget_overview(struct viewer *viewer) {
    if (viewer->overview != NULL) {
        free(viewer->overview->busy);
        free(viewer->overview->missed);
        free(viewer->overview);
        viewer->overview = NULL;
    }
}

/* What a row's part has to give at once. Where there are no SMs, streams tell how busy the GPU is. */
static uint32_t capacity_of(const struct grt_timeline *timeline, const struct grt_row *row) {
    bool sms = timeline->first_rows[GRT_ROW_SM] < timeline->first_rows[GRT_ROW_SM + 1];
    bool counts = row->kind == GRT_ROW_CORE || row->kind == GRT_ROW_ENGINE || row->kind == GRT_ROW_SM ||
                  (row->kind == GRT_ROW_STREAM && !sms);
    return counts ? row->capacity : 0;
}

static void add_busy(struct view_overview *overview, const struct grt_scale *scale,
                     const struct grt_track *track, double share) {
    struct grt_track_cursor cursor = {0};
    grt_wide before = grt_track_busy(track, &cursor, scale->from);
    for (uint32_t i = 0; i < overview->width; i++) {
        grt_time from = grt_scale_time(scale, i), to = grt_scale_time(scale, i + 1);
        grt_wide now = grt_track_busy(track, &cursor, to);
        overview->busy[i] += to > from ? (float)((double)(now - before) / (double)(to - from) * share) : 0;
        before = now;
    }
}

static void add_run(struct view_overview *overview, const struct grt_scale *scale,
                    const struct grt_timeline *timeline, uint32_t runs) {
    double sum = 0;
    for (uint32_t i = 0; i < timeline->row_count; i++) {
        sum += capacity_of(timeline, &timeline->rows[i]) > 0;
    }
    for (uint32_t i = 0; i < timeline->row_count; i++) {
        const struct grt_row *row = &timeline->rows[i];
        uint32_t capacity = capacity_of(timeline, row);
        for (uint32_t j = 0; j < row->track_count && capacity > 0; j++) { /* all that keep it busy */
            if (row->tracks[j].track->count > 0 && row->tracks[j].part != GRT_PART_SHARE) {
                add_busy(overview, scale, row->tracks[j].track, 1 / (sum * capacity * runs));
            }
        }
    }
    for (uint32_t i = 0; i < timeline->miss_count; i++) {
        grt_time at = timeline->misses[i].deadline;
        if (at >= scale->from && at < scale->to) {
            overview->missed[grt_scale_pixel(scale, at)] = true;
        }
    }
}

static struct view_overview *find_out(const struct viewer *viewer, const struct grt_scale *scale) {
    struct view_overview *overview = grt_allocate(sizeof *overview);
    overview->width = scale->pixels;
    overview->busy = grt_allocate(scale->pixels * sizeof *overview->busy);
    overview->missed = grt_allocate(scale->pixels * sizeof *overview->missed);
    memset(overview->busy, 0, scale->pixels * sizeof *overview->busy);
    memset(overview->missed, 0, scale->pixels * sizeof *overview->missed);
    for (uint32_t run = 0; run < viewer->document_count; run++) {
        add_run(overview, scale, view_timeline(viewer, run), viewer->document_count);
    }
    return overview;
}

struct grt_scale view_overview_scale(const struct viewer *viewer) {
    struct view_span whole = view_whole(viewer);
    double width = viewer->areas.overview.right - viewer->areas.overview.left - 2;
    return (struct grt_scale){whole.from, whole.to, width > 1 ? (uint32_t)width : 1};
}

void view_draw_overview(struct viewer *viewer) {
    const struct grt_box *area = &viewer->areas.overview;
    struct grt_scale scale = view_overview_scale(viewer);
    double em = view_em(viewer), left = area->left + 1, top = area->top + 0.5 * em, bottom = area->bottom - 2;
    if (viewer->overview == NULL || viewer->overview->width != scale.pixels) {
        view_forget_overview(viewer);
        viewer->overview = find_out(viewer, &scale);
    }
    view_fill(viewer, *area, GRT_ROLE_BACKGROUND);
    view_fill(viewer, (struct grt_box){left, bottom, left + scale.pixels, bottom + 1}, GRT_ROLE_GRID_STRONG);
    for (uint32_t i = 0; i < scale.pixels; i++) {
        double x = left + i, busy = (double)viewer->overview->busy[i];
        view_fill(viewer, (struct grt_box){x, bottom - (busy < 1 ? busy : 1) * (bottom - top), x + 1, bottom},
                  GRT_ROLE_SUSPENDED);
        if (viewer->overview->missed[i]) {
            view_fill(viewer, (struct grt_box){x - 1, area->top + 1, x + 2, top}, GRT_ROLE_MISS);
        }
    }
    struct grt_box window = {left + grt_scale_x(&scale, viewer->view.from), area->top,
                             left + grt_scale_x(&scale, viewer->view.to), area->bottom};
    window.right = window.right < window.left + 2 ? window.left + 2 : window.right;
    view_fill(viewer, window, GRT_ROLE_SELECTION);
    view_fill(viewer, (struct grt_box){window.left, window.top, window.left + 1, window.bottom},
              GRT_ROLE_SELECTION_EDGE);
    view_fill(viewer, (struct grt_box){window.right - 1, window.top, window.right, window.bottom},
              GRT_ROLE_SELECTION_EDGE);
}
