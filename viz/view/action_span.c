/* Commands about the span of time in view. */
#include "viz/answers/walk.h"
#include "viz/view/actions.h"
#include "viz/view/internal.h"

static const double zoom_step = 0.8, pan_step = 0.1, page_step = 0.8;

void view_fit(struct viewer *viewer, int64_t unused) {
    (void)unused;
    struct view_span whole = view_whole(viewer);
    view_show_span(viewer, whole.from, whole.to);
}

/* The slice that is chosen; of an instant its job. */
static struct view_span chosen_span(const struct viewer *viewer) {
    const struct grt_timeline *timeline = view_timeline(viewer, viewer->chosen.run);
    struct grt_slice slice = grt_place_slice(timeline, viewer->chosen.place);
    uint32_t task, job;
    struct grt_job_story story;
    if (slice.start == slice.end && grt_place_job(timeline, viewer->chosen.place, &task, &job) &&
        grt_job_story_near(timeline, task, job, slice.end, &story)) {
        return (struct view_span){story.arrival, story.end > slice.end ? story.end : slice.end};
    }
    return (struct view_span){slice.start, slice.end};
}

/* What is selected, or else what is chosen; false if nothing is. */
static bool find_span(struct viewer *viewer, struct view_span *span) {
    if (viewer->selection.to > viewer->selection.from) {
        *span = viewer->selection;
        return true;
    }
    if (grt_place_is_some(&viewer->chosen.place)) {
        *span = chosen_span(viewer);
        return true;
    }
    view_say(viewer, "nothing is selected or chosen");
    return false;
}

void view_fit_chosen(struct viewer *viewer, int64_t unused) {
    struct view_span span;
    (void)unused;
    if (find_span(viewer, &span)) {
        grt_time room = viewer->selection.to > viewer->selection.from ? 0 : (span.to - span.from) / 5 + 10;
        view_show_span(viewer, span.from - room, span.to + room);
    }
}

void view_enlarge_chosen(struct viewer *viewer) {
    struct view_span span = chosen_span(viewer), selection = viewer->selection;
    double pixels = (double)(span.to - span.from) / (double)(viewer->view.to - viewer->view.from) *
                    (double)viewer->layout.scale.pixels;
    if (pixels < 20) {
        viewer->selection = (struct view_span){0, 0}; /* which is what would be shown */
        view_fit_chosen(viewer, 0);
        viewer->selection = selection;
    }
}

void view_zoom(struct viewer *viewer, int64_t step) {
    view_zoom_at(viewer, view_anchor(viewer), step > 0 ? zoom_step : 1 / zoom_step);
}

void view_pan(struct viewer *viewer, int64_t step) {
    grt_time span = viewer->view.to - viewer->view.from, by = (grt_time)((double)span * pan_step);
    by = (by > 0 ? by : 1) * (step > 0 ? 1 : -1);
    view_move_span(viewer, viewer->view.from + by, viewer->view.to + by);
}

void view_page(struct viewer *viewer, int64_t step) {
    double page = (viewer->layout.bottom - viewer->layout.pinned_bottom) * page_step;
    view_scroll_to(viewer, viewer->view.scroll + (step > 0 ? page : -page));
}

void view_go_back(struct viewer *viewer, int64_t step) {
    bool possible = step < 0 ? viewer->past_at > 0 : viewer->past_at + 1 < viewer->past_count;
    if (possible) {
        viewer->past_at += step < 0 ? -1U : 1U;
        struct view_span span = viewer->past[viewer->past_at];
        view_move_span(viewer, span.from, span.to);
    } else {
        view_say(viewer, "there is no view %s", step < 0 ? "before this one" : "after this one");
    }
}

static void add_mark(struct viewer *viewer, grt_time at) {
    uint32_t place = viewer->mark_count;
    if (viewer->mark_count == VIEW_MARKS) {
        view_say(viewer, "there are %d marks already: Ctrl+M removes them", VIEW_MARKS);
        return;
    }
    for (; place > 0 && viewer->marks[place - 1] > at; place--) {
        viewer->marks[place] = viewer->marks[place - 1];
    }
    viewer->marks[place] = at;
    viewer->mark_count++;
    view_touch(viewer);
}

void view_mark(struct viewer *viewer, int64_t unused) {
    (void)unused;
    add_mark(viewer, view_anchor(viewer));
}

void view_mark_span(struct viewer *viewer, int64_t unused) {
    struct view_span span;
    (void)unused;
    if (find_span(viewer, &span)) {
        add_mark(viewer, span.from);
        add_mark(viewer, span.to);
    }
}

void view_clear_marks(struct viewer *viewer, int64_t unused) {
    (void)unused;
    viewer->mark_count = 0;
    view_touch(viewer);
}

void view_select(struct viewer *viewer, int64_t unused) {
    (void)unused;
    viewer->selection = (struct view_span){viewer->view.from, viewer->view.to};
    if (grt_place_is_some(&viewer->chosen.place)) {
        struct view_span span = chosen_span(viewer);
        viewer->selection = (struct view_span){span.from, span.to > span.from ? span.to : span.from + 1};
    }
    view_touch(viewer);
}

void view_select_marks(struct viewer *viewer, int64_t unused) {
    (void)unused;
    if (viewer->mark_count < 2) {
        view_say(viewer, "there are no two marks: M marks an instant");
        return;
    }
    viewer->selection = (struct view_span){viewer->marks[0], viewer->marks[viewer->mark_count - 1]};
    view_touch(viewer);
}

void view_set_origin(struct viewer *viewer, int64_t unused) {
    (void)unused;
    struct view_span span = {0, 0};
    if (viewer->view.origin == 0 && !find_span(viewer, &span)) {
        return;
    }
    viewer->view.origin = viewer->view.origin == 0 ? span.from : 0;
    view_touch_scene(viewer);
}
