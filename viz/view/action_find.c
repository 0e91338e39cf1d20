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
    grt_time span = viewer->view.to - viewer->view.from;
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
