/* The jobs that went differently in two runs. */
#include <inttypes.h>
#include <stdio.h>

#include "viz/answers/time_text.h"
#include "viz/view/panel.h"

static uint32_t count(struct viewer *viewer) {
    const struct grt_difference *difference = view_difference_of(viewer);
    return difference != NULL ? difference->job_count : 0;
}

static void write_summary(const struct viewer *viewer, const struct grt_difference *difference, char *text,
                          size_t size) {
    char first[GRT_TIME_WORDS];
    if (difference->first == GRT_TIME_NEVER) {
        snprintf(text, size, "The runs are equal.");
        return;
    }
    uint64_t misses_a = 0, misses_b = 0;
    for (uint32_t i = 0; i < difference->pairs.task_count; i++) {
        misses_a += difference->tasks[i].misses_a;
        misses_b += difference->tasks[i].misses_b;
    }
    snprintf(text, size,
             "Equal until %s; %" PRIu64 " jobs differ. Missed deadlines: %" PRIu64 " in A, %" PRIu64
             " in B. Worst first:",
             view_instant_words(viewer, difference->first, first), difference->differing_jobs, misses_a,
             misses_b);
}

/* The tasks that are in one run only, which are not compared. */
static void write_only(struct viewer *viewer, const struct grt_difference *difference, char *text,
                       size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t run = 0; run < 2 && used < size - 1; run++) {
        uint32_t count_of_run = run == 0 ? difference->only_a : difference->only_b;
        char names[120];
        grt_difference_only_text(difference, view_timeline(viewer, run), (int)run, names, sizeof names);
        if (count_of_run > 0) {
            used += (size_t)snprintf(text + used, size - used, "%sOnly in %s: %s.", used > 0 ? " " : "",
                                     run == 0 ? "A" : "B", names);
        }
    }
}

static void draw_head(struct viewer *viewer, const struct view_line *line) {
    const struct grt_difference *difference = view_difference_of(viewer);
    char text[300] = "There is one run only. V shows another beside it.";
    double em = view_em(viewer);
    if (difference != NULL) {
        write_summary(viewer, difference, text, sizeof text);
    }
    view_write_paragraph(viewer, line->left, line->right, line->box.top, 3, GRT_ROLE_ROW_LABEL, text);
    if (difference != NULL && difference->only_a + difference->only_b > 0) {
        write_only(viewer, difference, text, sizeof text);
        view_write_paragraph(viewer, line->left, line->right, line->box.top + 3.2 * em, 2,
                             GRT_ROLE_MUTED_TEXT, text);
    }
    struct view_line heads = *line;
    heads.box.top = heads.box.bottom - 1.8 * em;
    view_write_field(viewer, &heads, &(struct view_column){0}, 12, GRT_ROLE_MUTED_TEXT, "job");
    view_write_field(viewer, &heads, &(struct view_column){20, true}, 8, GRT_ROLE_MUTED_TEXT, "response A");
    view_write_field(viewer, &heads, &(struct view_column){28, true}, 8, GRT_ROLE_MUTED_TEXT, "response B");
    view_write_field(viewer, &heads, &(struct view_column){36, true}, 8, GRT_ROLE_MUTED_TEXT, "B \u2212 A");
}

static void write_response(struct viewer *viewer, const struct view_line *line, double at, grt_time response,
                           bool missed) {
    char text[GRT_TIME_WORDS] = "not finished";
    if (response >= 0) {
        grt_time_words(response, text);
    }
    view_write_field(viewer, line, &(struct view_column){at, true}, 8,
                     missed ? GRT_ROLE_MISS : GRT_ROLE_AXIS_TEXT, text);
}

static void draw_line(struct viewer *viewer, const struct view_line *line, uint32_t number) {
    const struct grt_difference *difference = view_difference_of(viewer);
    const struct grt_difference_job *job = &difference->jobs[number];
    const struct grt_row_pair *pair = &difference->rows[job->task].rows;
    bool in_a = pair->a != GRT_NO_ROW;
    const char *name = view_timeline(viewer, in_a ? 0 : 1)->rows[in_a ? pair->a : pair->b].name;
    char text[160], time[GRT_TIME_WORDS];
    snprintf(text, sizeof text, "%.100s job %" PRIu32, name, job->job);
    view_write_field(viewer, line, &(struct view_column){0}, 12, GRT_ROLE_ROW_LABEL, text);
    write_response(viewer, line, 20, job->response_a, job->missed_a);
    write_response(viewer, line, 28, job->response_b, job->missed_b);
    if (job->response_a >= 0 && job->response_b >= 0) {
        grt_time more = job->response_b - job->response_a;
        grt_time_words(more < 0 ? -more : more, time);
        snprintf(text, sizeof text, "%s%s", more < 0 ? "\u2212" : "+", time);
        view_write_field(viewer, line, &(struct view_column){36, true}, 8, GRT_ROLE_DIFFERENCE, text);
    }
}

static void activate(struct viewer *viewer, uint32_t number) {
    const struct grt_difference *difference = view_difference_of(viewer);
    const struct grt_difference_job *job = &difference->jobs[number];
    const struct grt_row_pair *pair = &difference->rows[job->task].rows;
    bool in_a = job->number_a != GRT_NO_SLICE;
    uint32_t row = in_a ? pair->a : pair->b;
    if (row == GRT_NO_ROW || (!in_a && job->number_b == GRT_NO_SLICE)) {
        view_say(viewer, "the trace does not have that job");
        return;
    }
    view_choose_job(viewer, in_a ? 0 : 1, view_timeline(viewer, in_a ? 0 : 1)->rows[row].index, job->job);
}

const struct view_panel_form view_panel_differences = {
    .title = "Differences",
    .width = 39,
    .head_height = 7.2,
    .line_height = 1.6,
    .count = count,
    .draw_head = draw_head,
    .draw_line = draw_line,
    .activate = activate,
};
