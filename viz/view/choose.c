/* What is chosen, and the way from there: to the slice beside it, along its job, to the next job or miss. */
#include <stdio.h>
#include <string.h>

#include "viz/answers/walk.h"
#include "viz/view/actions.h"
#include "viz/view/internal.h"

struct view_chosen view_nothing(void) {
    return (struct view_chosen){.place = grt_place_none()};
}

/* The job that is chosen; false if none is. */
static bool chosen_job(const struct viewer *viewer, uint32_t *task, uint32_t *job) {
    return grt_place_is_some(&viewer->chosen.place) &&
           grt_place_job(view_timeline(viewer, viewer->chosen.run), viewer->chosen.place, task, job);
}

/* Of two runs a task of B has the colour of the same task in A. */
static uint32_t key_of_task(const struct viewer *viewer, uint32_t run, uint32_t task) {
    uint32_t row = view_timeline(viewer, run)->first_rows[GRT_ROW_TASK] + task;
    uint32_t shown = view_find_shown(viewer, run, row);
    const uint32_t *keys = shown != GRT_NO_SHOWN_ROW ? viewer->rows[shown].task_keys : NULL;
    return keys != NULL ? keys[task] : task;
}

/* What follows a job that is looked at: everything else is pale. */
static void follow_chosen(struct viewer *viewer) {
    uint32_t task, job;
    viewer->view.focus.on = viewer->following && chosen_job(viewer, &task, &job);
    if (viewer->view.focus.on) {
        viewer->view.focus.task = key_of_task(viewer, viewer->chosen.run, task);
        viewer->view.focus.job = job;
    }
    view_touch_scene(viewer);
}

/* Keeps what the job is called, so that it is found in another run. */
static void remember_chosen(struct viewer *viewer) {
    struct view_memory *memory = &viewer->memory;
    uint32_t task;
    memory->is_some = chosen_job(viewer, &task, &memory->job);
    if (memory->is_some) {
        const struct grt_row *row =
            grt_timeline_row(view_timeline(viewer, viewer->chosen.run), GRT_ROW_TASK, task);
        memory->run = viewer->chosen.run;
        snprintf(memory->task, sizeof memory->task, "%s", row != NULL ? row->name : "");
    }
}

void view_choose_again(struct viewer *viewer) {
    struct view_memory memory = viewer->memory;
    bool found = false;
    if (memory.is_some && memory.run < viewer->document_count) {
        const struct grt_timeline *timeline = view_timeline(viewer, memory.run);
        const uint32_t *first = timeline->first_rows + GRT_ROW_TASK;
        for (uint32_t row = first[0]; row < first[1] && !found; row++) {
            char name[sizeof memory.task];
            struct grt_job_story story;
            snprintf(name, sizeof name, "%s", timeline->rows[row].name);
            if (strcmp(name, memory.task) == 0 &&
                grt_job_story_find(timeline, row - first[0], memory.job, &story)) {
                struct grt_place place = grt_place_is_some(&story.whole) ? story.whole : story.window;
                view_choose(viewer, (struct view_chosen){memory.run, place}, false);
                found = true;
            }
        }
    }
    if (!found) {
        viewer->following = false;
        view_choose(viewer, view_nothing(), false);
    }
}

void view_choose(struct viewer *viewer, struct view_chosen chosen, bool reveal) {
    viewer->chosen = chosen;
    viewer->panel_line = 0;
    remember_chosen(viewer);
    if (grt_place_is_some(&chosen.place)) {
        viewer->cursor = view_find_shown(viewer, chosen.run, chosen.place.row);
    }
    if (reveal && grt_place_is_some(&chosen.place)) {
        struct grt_slice slice = grt_place_slice(view_timeline(viewer, chosen.run), chosen.place);
        view_reveal(viewer, slice.start, slice.end);
        view_reveal_row(viewer, viewer->cursor);
    }
    follow_chosen(viewer);
}

void view_choose_job(struct viewer *viewer, uint32_t run, uint32_t task, uint32_t job) {
    struct grt_job_story story;
    if (!grt_job_story_find(view_timeline(viewer, run), task, job, &story)) {
        view_fail(viewer, "the trace has no such job");
        return;
    }
    struct grt_place place = grt_place_is_some(&story.whole) ? story.whole : story.window;
    view_choose(viewer, (struct view_chosen){run, place}, true);
}

void view_say_hidden(struct viewer *viewer) {
    struct view_chosen *chosen = &viewer->chosen;
    if (grt_place_is_some(&chosen->place) &&
        view_find_shown(viewer, chosen->run, chosen->place.row) == GRT_NO_SHOWN_ROW) {
        view_say(viewer, "it is in the hidden row %s: Shift+H shows all rows",
                 view_timeline(viewer, chosen->run)->rows[chosen->place.row].name);
    }
}

/* ---- commands ---- */

/* A script may ask for any number of steps: it gets one, there or back. */
static int way(int64_t step) {
    return step < 0 ? -1 : 1;
}

/* Moves the choice to a place, or says that there is none. */
static void go_to(struct viewer *viewer, struct grt_place place, const char *what, int64_t step) {
    if (grt_place_is_some(&place)) {
        view_choose(viewer, (struct view_chosen){viewer->chosen.run, place}, true);
        view_say_hidden(viewer);
    } else {
        view_say(viewer, "there is no %s %s", what, step > 0 ? "after this one" : "before this one");
    }
}

/* A slice to begin with, where none is chosen: in the row of the keyboard, where the view begins. */
static struct grt_place first_in_view(struct viewer *viewer) {
    if (viewer->view.row_count == 0) {
        return grt_place_none();
    }
    if (viewer->cursor >= viewer->view.row_count) {
        viewer->cursor = 0;
    }
    const struct grt_view_row *shown = &viewer->rows[viewer->cursor];
    const struct grt_row *row = &shown->timeline->rows[shown->row];
    struct grt_place found = grt_place_none();
    grt_time first = GRT_TIME_NEVER;
    for (uint32_t i = 0; i < row->track_count; i++) {
        struct grt_track_cursor cursor = {0};
        const struct grt_track *track = row->tracks[i].track;
        uint32_t number = grt_track_first_after(track, &cursor, viewer->view.from);
        if (number < track->count && grt_track_end(track, number) < first) {
            first = grt_track_end(track, number);
            found = (struct grt_place){shown->row, i, number};
        }
    }
    viewer->chosen.run = shown->run;
    return found;
}

/* Whether there is a chosen slice to go on from; else chooses one. */
static bool has_chosen(struct viewer *viewer) {
    if (grt_place_is_some(&viewer->chosen.place)) {
        return true;
    }
    struct grt_place place = first_in_view(viewer);
    if (grt_place_is_some(&place)) {
        view_choose(viewer, (struct view_chosen){viewer->chosen.run, place}, true);
    } else {
        view_say(viewer, "there is nothing in this row from here on");
    }
    return false;
}

void view_step_slice(struct viewer *viewer, int64_t step) {
    if (has_chosen(viewer)) {
        go_to(viewer,
              grt_place_beside(view_timeline(viewer, viewer->chosen.run), viewer->chosen.place, way(step)),
              "slice in this track", step);
    }
}

void view_step_along_job(struct viewer *viewer, int64_t step) {
    if (has_chosen(viewer)) {
        go_to(viewer,
              grt_walk_along_job(view_timeline(viewer, viewer->chosen.run), viewer->chosen.place, way(step)),
              "step of this job", step);
    }
}

void view_step_job(struct viewer *viewer, int64_t step) {
    if (has_chosen(viewer)) {
        go_to(viewer,
              grt_walk_jobs(view_timeline(viewer, viewer->chosen.run), viewer->chosen.place, way(step)),
              "job of this task", step);
    }
}

void view_step_miss(struct viewer *viewer, int64_t step) {
    bool goes_on = grt_place_is_some(&viewer->chosen.place);
    viewer->chosen.run = goes_on ? viewer->chosen.run : view_current_run(viewer);
    const struct grt_timeline *timeline = view_timeline(viewer, viewer->chosen.run);
    grt_time from = step > 0 ? viewer->view.from : viewer->view.to;
    if (goes_on) {
        from = grt_place_slice(timeline, viewer->chosen.place).end;
    }
    if (timeline->miss_count == 0) {
        view_say(viewer, "no deadline was missed");
    } else {
        go_to(viewer, grt_walk_misses(timeline, viewer->chosen.place, from, way(step)), "missed deadline",
              step);
    }
}

void view_step_row(struct viewer *viewer, int64_t step) {
    uint32_t last = viewer->view.row_count;
    if (last == 0) {
        return;
    }
    if (viewer->cursor >= last) {
        viewer->cursor = step > 0 ? 0 : last - 1;
    } else if (step < 0) {
        viewer->cursor -= viewer->cursor > 0;
    } else {
        viewer->cursor += viewer->cursor + 1 < last;
    }
    view_reveal_row(viewer, viewer->cursor);
    if (grt_place_is_some(&viewer->chosen.place)) {
        view_choose(viewer, view_nothing(), false);
    }
    view_touch(viewer);
}

/* Zooms to the job that is followed where its arrows could not be told apart. */
static void show_chain(struct viewer *viewer) {
    const struct grt_job_story *story = &view_chain_of(viewer)->story;
    grt_time span = viewer->view.to - viewer->view.from, length = story->end - story->arrival;
    if (length < span / 6 || story->arrival < viewer->view.from || story->end > viewer->view.to) {
        view_show_span(viewer, story->arrival - length / 6, story->end + length / 6);
    }
}

void view_follow(struct viewer *viewer, int64_t unused) {
    (void)unused;
    if (viewer->following) {
        viewer->following = false;
        follow_chosen(viewer);
        return;
    }
    if (!has_chosen(viewer) && !grt_place_is_some(&viewer->chosen.place)) {
        return;
    }
    viewer->following = true;
    follow_chosen(viewer);
    if (!viewer->view.focus.on) {
        viewer->following = false;
        view_say(viewer, "this belongs to no job");
        return;
    }
    show_chain(viewer);
    if (view_chain_of(viewer)->cut) {
        view_say(viewer, "the job has more steps than are shown");
    }
}

void view_clear(struct viewer *viewer, int64_t unused) {
    (void)unused;
    viewer->help = false;
    viewer->panel_has_keys = false;
    viewer->message[0] = '\0';
    viewer->following = false;
    viewer->selection = (struct view_span){0, 0};
    view_choose(viewer, view_nothing(), false);
}
