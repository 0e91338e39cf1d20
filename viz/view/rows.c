/* Which rows are shown: all that are not hidden or filtered away, those that are pinned in front; of two runs each row beside
 * that of the other run. */
#include "sim/memory.h"
#include "viz/view/internal.h"

static bool is_wanted(const struct viewer *viewer, const struct grt_row *row) {
    return viewer->filter.count == 0 || grt_row_patterns_show(&viewer->filter, row->kind, row->name);
}

static void add_row(struct viewer *viewer, uint32_t run, uint32_t number, bool pinned,
                    const struct grt_track *differences) {
    const struct grt_timeline *timeline = view_timeline(viewer, run);
    const struct view_row_state *state = &viewer->states[run][number];
    bool two = viewer->document_count > 1;
    if (state->pinned != pinned ||
        (!pinned && (state->hidden || !is_wanted(viewer, &timeline->rows[number])))) {
        return;
    }
    viewer->rows[viewer->view.row_count++] = (struct grt_view_row){
        .timeline = timeline,
        .row = number,
        .mark = two ? (run == 0 ? "A" : "B") : NULL,
        .run = run,
        .folded = state->folded,
        .differences = differences,
    };
}

/* All rows, those of two runs that show the same thing beside each other. */
static void add_rows(struct viewer *viewer, bool pinned) {
    const struct grt_difference *difference = view_difference_of(viewer);
    if (difference == NULL) {
        for (uint32_t i = 0; i < view_timeline(viewer, 0)->row_count; i++) {
            add_row(viewer, 0, i, pinned, NULL);
        }
        return;
    }
    for (uint32_t i = 0; i < difference->row_count; i++) {
        const struct grt_difference_row *pair = &difference->rows[i];
        if (pair->rows.a != GRT_NO_ROW) {
            add_row(viewer, 0, pair->rows.a, pinned, &pair->track);
        }
        if (pair->rows.b != GRT_NO_ROW) {
            add_row(viewer, 1, pair->rows.b, pinned, &pair->track);
        }
    }
}

void view_arrange_rows(struct viewer *viewer) {
    uint32_t all = 0, run = 0, row = GRT_NOWHERE;
    if (viewer->cursor < viewer->view.row_count) {
        run = viewer->rows[viewer->cursor].run;
        row = viewer->rows[viewer->cursor].row;
    }
    for (uint32_t i = 0; i < viewer->document_count; i++) {
        all += view_timeline(viewer, i)->row_count;
    }
    viewer->rows = grt_array_grow(viewer->rows, &viewer->row_capacity, all + 1, sizeof *viewer->rows);
    viewer->view.row_count = 0;
    add_rows(viewer, true);
    viewer->view.pinned = viewer->view.row_count;
    add_rows(viewer, false);
    viewer->view.rows = viewer->rows;
    viewer->hit = (struct grt_hit){.shown = GRT_NO_SHOWN_ROW, .place = grt_place_none()};
    if (viewer->view.width >
        0) { /* what comes before the next frame is asked of these rows, not of those that may be gone */
        grt_layout_make(&viewer->layout, &viewer->view);
    }
    viewer->cursor = view_find_shown(viewer, run, row);
    view_touch_scene(viewer);
}

uint32_t view_find_shown(const struct viewer *viewer, uint32_t run, uint32_t row) {
    for (uint32_t i = 0; i < viewer->view.row_count; i++) {
        if (viewer->rows[i].run == run && viewer->rows[i].row == row) {
            return i;
        }
    }
    return GRT_NO_SHOWN_ROW;
}
