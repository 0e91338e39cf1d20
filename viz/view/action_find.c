/* Commands that lead to a place by a text. */
#include <inttypes.h>
#include <string.h>

#include "sim/unit.h"
#include "viz/answers/time_text.h"
#include "viz/view/actions.h"
#include "viz/view/internal.h"

/* Puts an instant into the middle of the view. */
static void go_to_instant(struct viewer *viewer, grt_time at) {
    char text[GRT_TIME_WORDS];
    struct view_span whole = view_whole(viewer);
    if (at < whole.from || at > whole.to) {
        view_fail(viewer, "%s is outside of the run", view_instant_words(viewer, at, text));
        return;
    }
    grt_time span = viewer->view.to - viewer->view.from, most = (whole.to - whole.from) / 4;
    span = span < most ? span : most; /* else it would often not be in the middle */
    view_show_span(viewer, at - span / 2, at - span / 2 + span);
    view_say(viewer, "at %s", view_instant_words(viewer, at, text));
}

static void go_to_row(struct viewer *viewer, uint32_t run, uint32_t row) {
    uint32_t shown = view_find_shown(viewer, run, row);
    view_choose(viewer, view_nothing(), false);
    if (shown != GRT_NO_SHOWN_ROW) {
        viewer->cursor = shown;
        view_reveal_row(viewer, shown);
    }
}

static void go_to_hit(struct viewer *viewer, uint32_t run, const struct grt_search *search,
                      const struct grt_search_hit *hit) {
    if (search->kind == GRT_SEARCH_INSTANT) {
        go_to_instant(viewer, hit->instant);
        return;
    }
    if (hit->place.number == GRT_NO_SLICE) {
        go_to_row(viewer, run, hit->place.row);
    } else {
        view_choose(viewer, (struct view_chosen){run, hit->place}, true);
    }
    viewer->last_hit = (struct view_chosen){run, hit->place};
    bool hidden = view_find_shown(viewer, run, hit->place.row) == GRT_NO_SHOWN_ROW;
    view_say(viewer, "%" PRIu64 " of %" PRIu64 "%s%s%s", hit->number + 1, search->hit_count,
             hit->wrapped ? ", from the other end again" : "", hidden ? ", in the hidden row " : "",
             hidden ? view_timeline(viewer, run)->rows[hit->place.row].name : "");
}

/* The next hit from the last one, or from where the view begins. */
static bool find_hit(struct viewer *viewer, uint32_t run, const struct grt_search *search, int64_t step,
                     struct grt_search_hit *hit) {
    const struct grt_place *from = &viewer->last_hit.place;
    if (viewer->last_hit.run == run && grt_place_is_some(from)) {
        return step > 0 ? grt_search_next(search, from, hit) : grt_search_previous(search, from, hit);
    }
    if (search->row_count > 0) {
        struct grt_place none = grt_place_none();
        return step > 0 ? grt_search_next(search, &none, hit) : grt_search_previous(search, &none, hit);
    }
    return step > 0 ? grt_search_next_at(search, viewer->view.from, hit)
                    : grt_search_previous_at(search, viewer->view.to, hit);
}

/* Searches in the run where the keyboard is, then in the other. */
void view_search(struct viewer *viewer, const char *text, int64_t step) {
    if (strcmp(viewer->search, text) != 0) {
        viewer->last_hit = view_nothing();
        strncpy(viewer->search, text, sizeof viewer->search - 1);
    }
    uint32_t first = view_current_run(viewer);
    for (uint32_t i = 0; i < viewer->document_count; i++) {
        uint32_t run = (first + i) % viewer->document_count;
        const struct grt_search *search = view_search_of(viewer, run, text);
        struct grt_search_hit hit;
        if (search->kind == GRT_SEARCH_WRONG) {
            view_fail(viewer, "%s", search->error);
            return;
        }
        if (find_hit(viewer, run, search, step, &hit)) {
            go_to_hit(viewer, run, search, &hit);
            return;
        }
    }
    view_fail(viewer, "nothing is called \"%s\"", text);
}

void view_take_search(struct viewer *viewer, const char *text) {
    view_search(viewer, text, 1);
}

void view_search_again(struct viewer *viewer, int64_t step) {
    if (viewer->search[0] == '\0') {
        view_say(viewer, "nothing was searched yet: / asks what for");
    } else {
        char text[VIEW_TEXT];
        memcpy(text, viewer->search, sizeof text);
        view_search(viewer, text, step);
    }
}

void view_take_jump(struct viewer *viewer, const char *text) {
    int64_t at;
    if (grt_unit_parse(GRT_QUANTITY_TIME, text, &at) == NULL) {
        go_to_instant(viewer, viewer->view.origin + at); /* as the axis counts */
        return;
    }
    const struct grt_search *search = view_search_of(viewer, view_current_run(viewer), text);
    struct grt_search_hit hit;
    if (search->kind != GRT_SEARCH_JOB && search->kind != GRT_SEARCH_INSTANT) {
        view_fail(viewer, "jump to an instant, as 12.5ms, or to a job, as detect 12");
    } else if (grt_search_next_at(search, -GRT_TIME_LIMIT, &hit)) {
        go_to_hit(viewer, view_current_run(viewer), search, &hit);
    } else {
        view_fail(viewer, "there is no such job");
    }
}

/* ---- differences ---- */

/* The first difference of a row that begins behind an instant, or the last that begins before it; GRT_NO_SLICE if there is none. */
static uint32_t difference_beside(const struct grt_track *track, grt_time instant, int64_t step) {
    struct grt_track_cursor cursor = {0};
    uint32_t number = grt_track_first_after(track, &cursor, instant - 1);
    while (step > 0 && number < track->count && grt_track_at(track, number).start <= instant) {
        number++;
    }
    if (step > 0) {
        return number < track->count ? number : GRT_NO_SLICE;
    }
    while (number < track->count && grt_track_at(track, number).start < instant) {
        number++;
    }
    return number > 0 && number <= track->count ? number - 1 : GRT_NO_SLICE;
}

static bool is_nearer(grt_time a, grt_time b, int64_t step) {
    return step > 0 ? a < b : a > b;
}

/* The row whose difference is the next, and when that begins; NULL if there is none. */
static const struct grt_difference_row *find_difference(const struct grt_difference *difference,
                                                        grt_time from, int64_t step, grt_time *found) {
    const struct grt_difference_row *row = NULL;
    *found = step > 0 ? GRT_TIME_NEVER : -GRT_TIME_LIMIT - 1;
    for (uint32_t i = 0; i < difference->row_count; i++) {
        const struct grt_track *track = &difference->rows[i].track;
        uint32_t number = difference_beside(track, from, step);
        grt_time start = number != GRT_NO_SLICE ? grt_track_at(track, number).start : *found;
        if (is_nearer(start, *found, step)) {
            *found = start;
            row = &difference->rows[i];
        }
    }
    return row;
}

/* Goes to a row of a pair, in A if that has it. */
static void go_to_pair(struct viewer *viewer, const struct grt_row_pair *pair, grt_time at) {
    uint32_t run = pair->a != GRT_NO_ROW ? 0 : 1, row = run == 0 ? pair->a : pair->b;
    uint32_t shown = view_find_shown(viewer, run, row);
    char text[GRT_TIME_WORDS];
    if (shown != GRT_NO_SHOWN_ROW) {
        viewer->cursor = shown;
        view_reveal_row(viewer, shown);
    }
    view_say(viewer, "at %s, in %s", view_instant_words(viewer, at, text),
             view_timeline(viewer, run)->rows[row].name);
}

void view_step_difference(struct viewer *viewer, int64_t step) {
    const struct grt_difference *difference = view_difference_of(viewer);
    grt_time from = viewer->difference_at, found;
    if (difference == NULL) {
        view_say(viewer, "there is one run only: V shows another beside it");
        return;
    }
    if (from < viewer->view.from || from > viewer->view.to) { /* the user is somewhere else now */
        from = step > 0 ? viewer->view.from - 1 : viewer->view.to;
    }
    const struct grt_difference_row *row = find_difference(difference, from, step, &found);
    if (row == NULL) {
        view_say(viewer, "there is no difference %s", step > 0 ? "after this one" : "before this one");
        return;
    }
    viewer->difference_at = found;
    view_reveal(viewer, found, found);
    go_to_pair(viewer, &row->rows, found);
}
