/* The span of time and the rows that are in view. */
#include "viz/view/internal.h"

enum { LEAST_SPAN = 16 }; /* ns */

/* Of the run, at each side, when all of it is in view. */
static const double margin = 0.01;

struct view_span view_run_span(const struct viewer *viewer) {
    grt_time begin = view_timeline(viewer, 0)->begin, end = view_timeline(viewer, 0)->end;
    for (uint32_t run = 1; run < viewer->document_count; run++) {
        const struct grt_timeline *timeline = view_timeline(viewer, run);
        begin = timeline->begin < begin ? timeline->begin : begin;
        end = timeline->end > end ? timeline->end : end;
    }
    return (struct view_span){begin, end};
}

struct view_span view_whole(const struct viewer *viewer) {
    struct view_span run = view_run_span(viewer);
    grt_time room = (grt_time)((double)(run.to - run.from) * margin) + LEAST_SPAN / 2;
    return (struct view_span){run.from - room, run.to + room};
}

/* The span, made as long as can be shown, and moved so that the run is in it. */
static struct view_span allowed(const struct viewer *viewer, grt_time from, grt_time to) {
    struct view_span whole = view_whole(viewer);
    grt_time span = to > from ? to - from : 1, most = whole.to - whole.from;
    span = span < LEAST_SPAN ? LEAST_SPAN : span;
    if (span >= most) {
        return whole;
    }
    from = from > whole.to - span ? whole.to - span : from;
    from = from < whole.from ? whole.from : from;
    return (struct view_span){from, from + span};
}

void view_move_span(struct viewer *viewer, grt_time from, grt_time to) {
    struct view_span span = allowed(viewer, from, to);
    if (span.from != viewer->view.from || span.to != viewer->view.to) {
        viewer->view.from = span.from;
        viewer->view.to = span.to;
        viewer->past[viewer->past_at] = span;
        view_touch_scene(viewer);
    }
}

void view_show_span(struct viewer *viewer, grt_time from, grt_time to) {
    struct view_span span = allowed(viewer, from, to);
    if (span.from == viewer->view.from && span.to == viewer->view.to) {
        return;
    }
    if (viewer->past_at + 1 == VIEW_HISTORY) {
        for (uint32_t i = 1; i < VIEW_HISTORY; i++) {
            viewer->past[i - 1] = viewer->past[i];
        }
        viewer->past_at--;
    }
    viewer->past[++viewer->past_at] = span;
    viewer->past_count = viewer->past_at + 1;
    view_move_span(viewer, from, to);
}

void view_zoom_at(struct viewer *viewer, grt_time anchor, double factor) {
    double before = (double)(anchor - viewer->view.from), after = (double)(viewer->view.to - anchor);
    double span = (before + after) * factor;
    if (span > (double)GRT_TIME_LIMIT || before * factor > (double)GRT_TIME_LIMIT) {
        return;
    }
    span = span < LEAST_SPAN ? LEAST_SPAN : span;
    grt_time from = anchor - (grt_time)(before * span / (before + after));
    view_move_span(viewer, from, from + (grt_time)span);
}

grt_time view_anchor(const struct viewer *viewer) {
    const struct grt_box *scene = &viewer->areas.scene;
    double x = viewer->x - scene->left;
    if (viewer->y >= scene->top && viewer->y < scene->bottom && x >= viewer->layout.left &&
        x < viewer->layout.right) {
        return grt_layout_time(&viewer->layout, x);
    }
    if (grt_place_is_some(&viewer->chosen.place)) {
        struct grt_slice slice =
            grt_place_slice(view_timeline(viewer, viewer->chosen.run), viewer->chosen.place);
        grt_time from = slice.start > viewer->view.from ? slice.start : viewer->view.from;
        grt_time to = slice.end < viewer->view.to ? slice.end : viewer->view.to;
        if (from <= to) {
            return from + (to - from) / 2;
        }
    }
    return viewer->view.from + (viewer->view.to - viewer->view.from) / 2;
}

void view_reveal(struct viewer *viewer, grt_time from, grt_time to) {
    grt_time span = viewer->view.to - viewer->view.from, room = span / 20;
    if (to - from > span) { /* its end, which is what matters most */
        from = to - span + 2 * room;
    }
    if (from >= viewer->view.from && from < viewer->view.to && to <= viewer->view.to) {
        return;
    }
    grt_time middle = from + (to - from) / 2;
    view_show_span(viewer, middle - span / 2, middle - span / 2 + span);
}

void view_scroll_to(struct viewer *viewer, double scroll) {
    double limit = grt_layout_scroll_limit(&viewer->layout);
    scroll = scroll > limit ? limit : scroll;
    scroll = scroll < 0 ? 0 : (double)(int64_t)scroll;
    if (scroll != viewer->view.scroll) {
        viewer->view.scroll = scroll;
        view_touch_scene(viewer);
    }
}

void view_reveal_row(struct viewer *viewer, uint32_t shown) {
    const struct grt_layout *layout = &viewer->layout;
    if (shown >= layout->row_count || shown < layout->pinned) {
        return;
    }
    double top = layout->rows[shown].top, bottom = layout->rows[shown].bottom;
    if (top < layout->pinned_bottom) {
        view_scroll_to(viewer, viewer->view.scroll - (layout->pinned_bottom - top));
    } else if (bottom > layout->bottom) {
        view_scroll_to(viewer, viewer->view.scroll + (bottom - layout->bottom));
    }
}
