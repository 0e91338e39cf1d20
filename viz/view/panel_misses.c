/* The list of missed deadlines. Of two runs, those of the run where the keyboard is. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "viz/answers/cause.h"
#include "viz/answers/time_text.h"
#include "viz/answers/walk.h"
#include "viz/view/panel.h"

static uint32_t count(struct viewer *viewer) {
    return view_timeline(viewer, view_current_run(viewer))->miss_count;
}

static void draw_head(struct viewer *viewer, const struct view_line *line) {
    char text[160];
    uint32_t misses = count(viewer), run = view_current_run(viewer);
    snprintf(text, sizeof text, "%s%" PRIu32 " missed deadline%s%s",
             viewer->document_count < 2 ? ""
             : run == 0                 ? "Run A: "
                                        : "Run B: ",
             misses, misses == 1 ? "" : "s", misses > 0 ? ", worst first" : "");
    view_write_field(viewer, line, &(struct view_column){0}, 40, GRT_ROLE_MUTED_TEXT, text);
}

/* "late by 3.1 ms", or how else it ended. */
static void write_end(const struct grt_miss *miss, char *text, size_t size) {
    char time[GRT_TIME_WORDS];
    grt_time_words(miss->end - miss->deadline, time);
    switch (miss->kind) {
    case GRT_TRACE_FINISH:
        snprintf(text, size, "%s late", time);
        break;
    case GRT_TRACE_ABORT:
        snprintf(text, size, "aborted");
        break;
    default:
        snprintf(text, size, "unfinished");
        break;
    }
}

/* The reason alone: which job it was, and how late, stands above. */
static const char *reason(const char *sentence) {
    const char *colon = strstr(sentence, ": ");
    return colon != NULL ? colon + 2 : sentence;
}

static void draw_line(struct viewer *viewer, const struct view_line *line, uint32_t number) {
    uint32_t run = view_current_run(viewer), miss = view_misses_of(viewer, run)[number];
    const struct grt_timeline *timeline = view_timeline(viewer, run);
    const struct grt_miss *its = &timeline->misses[miss];
    const struct grt_row *task = grt_timeline_row(timeline, GRT_ROW_TASK, its->task);
    char name[200], text[GRT_TIME_WORDS + 16];
    double em = view_em(viewer), middle = line->box.top + 2 * em;
    struct view_line first = *line;
    first.box.bottom = middle;
    snprintf(name, sizeof name, "%.150s job %" PRIu32, task != NULL ? task->name : "a task", its->job);
    view_write_field(viewer, &first, &(struct view_column){0}, 14, GRT_ROLE_ROW_LABEL, name);
    view_instant_words(viewer, its->deadline, text);
    view_write_field(viewer, &first, &(struct view_column){23, true}, 9, GRT_ROLE_AXIS_TEXT, text);
    write_end(its, text, sizeof text);
    view_write_field(viewer, &first, &(struct view_column){34, true}, 10, GRT_ROLE_MISS, text);
    view_write_paragraph(viewer, line->left + em, line->right, middle, 2, GRT_ROLE_MUTED_TEXT,
                         reason(view_cause_of(viewer, run, miss)));
}

static void activate(struct viewer *viewer, uint32_t number) {
    uint32_t run = view_current_run(viewer);
    struct grt_place place = grt_miss_place(view_timeline(viewer, run), view_misses_of(viewer, run)[number]);
    if (grt_place_is_some(&place)) {
        view_choose(viewer, (struct view_chosen){run, place}, true);
        view_enlarge_chosen(viewer);
    }
}

const struct view_panel_form view_panel_misses = {
    .title = "Missed deadlines",
    .width = 36,
    .head_height = 2,
    .line_height = 5.2,
    .count = count,
    .draw_head = draw_head,
    .draw_line = draw_line,
    .activate = activate,
};
