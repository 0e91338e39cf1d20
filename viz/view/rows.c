/* Which rows are shown: all that are not hidden or filtered away, those that are pinned in front; of two runs each row beside
 * that of the other run. */
#include <string.h>

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
        .task_keys = run == 1 && differences != NULL ? view_difference_of(viewer)->pairs.of_b : NULL,
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

/* The row of the keyboard, by what it shows: numbers may be others after a file was read again. */
struct cursor {
    uint32_t run, index;
    int kind; /* enum grt_row_kind, or -1: none */
};

static struct cursor cursor_of(const struct viewer *viewer) {
    struct cursor cursor = {.kind = -1};
    if (viewer->cursor < viewer->view.row_count) {
        const struct grt_view_row *shown = &viewer->rows[viewer->cursor];
        const uint32_t *first = viewer->shown_rows[shown->run];
        for (int kind = 0; kind < GRT_ROW_KINDS; kind++) {
            if (shown->row >= first[kind] && shown->row < first[kind + 1]) {
                cursor = (struct cursor){shown->run, shown->row - first[kind], kind};
            }
        }
    }
    return cursor;
}

static void set_cursor(struct viewer *viewer, struct cursor cursor) {
    viewer->cursor = GRT_NO_SHOWN_ROW;
    if (cursor.kind >= 0 && cursor.run < viewer->document_count) {
        const uint32_t *first = view_timeline(viewer, cursor.run)->first_rows + cursor.kind;
        viewer->cursor = view_find_shown(
            viewer, cursor.run, cursor.index < first[1] - first[0] ? first[0] + cursor.index : GRT_NOWHERE);
    }
}

/* Where each row is shown, so that nobody has to look for it. */
static void note_places(struct viewer *viewer) {
    for (uint32_t run = 0; run < viewer->document_count; run++) {
        uint32_t count = view_timeline(viewer, run)->row_count;
        viewer->places[run] = grt_array_grow(viewer->places[run], &viewer->place_capacity[run], count + 1,
                                             sizeof *viewer->places[run]);
        viewer->place_count[run] = count;
        for (uint32_t i = 0; i < count; i++) {
            viewer->places[run][i] = GRT_NO_SHOWN_ROW;
        }
        memcpy(viewer->shown_rows[run], view_timeline(viewer, run)->first_rows,
               sizeof viewer->shown_rows[run]);
    }
    for (uint32_t i = 0; i < viewer->view.row_count; i++) {
        viewer->places[viewer->rows[i].run][viewer->rows[i].row] = i;
    }
}

void view_arrange_rows(struct viewer *viewer) {
    struct cursor cursor = cursor_of(viewer);
    uint32_t all = 0;
    for (uint32_t i = 0; i < viewer->document_count; i++) {
        all += view_timeline(viewer, i)->row_count;
    }
    viewer->rows = grt_array_grow(viewer->rows, &viewer->row_capacity, all + 1, sizeof *viewer->rows);
    viewer->view.row_count = 0;
    add_rows(viewer, true);
    viewer->view.pinned = viewer->view.row_count;
    add_rows(viewer, false);
    viewer->view.rows = viewer->rows;
    note_places(viewer);
    viewer->hit = (struct grt_hit){.shown = GRT_NO_SHOWN_ROW, .place = grt_place_none()};
    if (viewer->view.width >
        0) { /* what comes before the next frame is asked of these rows, not of those that may be gone */
        grt_layout_make(&viewer->layout, &viewer->view);
    }
    set_cursor(viewer, cursor);
    view_touch_scene(viewer);
}

uint32_t view_find_shown(const struct viewer *viewer, uint32_t run, uint32_t row) {
    return run < viewer->document_count && row < viewer->place_count[run] ? viewer->places[run][row]
                                                                          : GRT_NO_SHOWN_ROW;
}

uint32_t view_current_run(const struct viewer *viewer) {
    return viewer->cursor < viewer->view.row_count ? viewer->rows[viewer->cursor].run : 0;
}

uint32_t view_hidden_rows(const struct viewer *viewer) {
    uint32_t all = 0;
    for (uint32_t run = 0; run < viewer->document_count; run++) {
        all += view_timeline(viewer, run)->row_count;
    }
    return all - viewer->view.row_count;
}
