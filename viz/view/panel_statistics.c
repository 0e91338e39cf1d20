/* Statistics of a span of time per task: of what is selected, or else of the whole run. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "viz/answers/time_text.h"
#include "viz/view/actions.h"
#include "viz/view/panel.h"

enum { FIELDS = 9 };

static const struct view_column columns[FIELDS] = {
    {0, false},   {11.2, true}, {17.9, true}, {23.7, true}, {29.5, true},
    {35.3, true}, {41.1, true}, {46.9, true}, {51.5, true},
};

static const double widths[FIELDS] = {7.7, 4, 6.5, 5.7, 5.7, 5.7, 5.7, 5.7, 4.3};

static uint32_t count(struct viewer *viewer) {
    return view_statistics_of(viewer, NULL)->task_count + 1;
}

static void write_fields(struct viewer *viewer, const struct view_line *line, enum grt_role role,
                         char texts[FIELDS][GRT_TIME_WORDS]) {
    for (int i = 0; i < FIELDS; i++) {
        view_write_field(viewer, line, &columns[i], widths[i], role, texts[i]);
    }
}

static void draw_head(struct viewer *viewer, const struct view_line *line) {
    char text[300], words[GRT_TIME_WORDS];
    char heads[FIELDS][GRT_TIME_WORDS] = {"task", "count", "sum", "min",   "mean",
                                          "p50",  "p99",   "max", "misses"};
    double em = view_em(viewer), top = line->box.top;
    const struct grt_span_question *asked;
    view_statistics_of(viewer, &asked);
    const struct grt_timeline *timeline = view_timeline(viewer, view_current_run(viewer));
    bool whole = asked->from <= timeline->begin && asked->to > timeline->end;
    const char *run = viewer->document_count < 2 ? "" : view_current_run(viewer) == 0 ? "Run A, " : "Run B, ";
    snprintf(text, sizeof text, "%s%s, %s; Y measures something else", run, grt_measure_name(asked->measure),
             whole ? "the whole run" : grt_span_words(asked->from, asked->to, words));
    view_write_paragraph(viewer, line->left, line->right, top, 1, GRT_ROLE_ROW_LABEL, text);
    view_write_paragraph(viewer, line->left, line->right, top + 1.4 * em, 2, GRT_ROLE_MUTED_TEXT,
                         grt_measure_explanation(asked->measure));
    struct view_line last = *line;
    last.box.top = last.box.bottom - 1.8 * em;
    write_fields(viewer, &last, GRT_ROLE_MUTED_TEXT, heads);
    view_add_hot(viewer, (struct grt_box){line->box.left, top, line->box.right, top + 1.4 * em}, "measure",
                 1);
}

/* A sum may be longer than a time can be. */
static void write_sum(grt_wide sum, char text[GRT_TIME_WORDS]) {
    if (sum < (grt_wide)GRT_TIME_LIMIT) {
        grt_time_words((grt_time)sum, text);
    } else {
        snprintf(text, GRT_TIME_WORDS, "%.4g s", (double)sum / 1e9);
    }
}

static void draw_line(struct viewer *viewer, const struct view_line *line, uint32_t number) {
    const struct grt_span_statistics *statistics = view_statistics_of(viewer, NULL);
    bool is_sum = number == statistics->task_count;
    const struct grt_span_line *its = is_sum ? &statistics->all : &statistics->tasks[number];
    const struct grt_row *task =
        grt_timeline_row(view_timeline(viewer, view_current_run(viewer)), GRT_ROW_TASK, number);
    char texts[FIELDS][GRT_TIME_WORDS] = {""};
    snprintf(texts[0], sizeof texts[0], "%.60s", is_sum ? "all" : task != NULL ? task->name : "");
    snprintf(texts[1], sizeof texts[1], "%" PRIu64, its->count);
    snprintf(texts[8], sizeof texts[8], "%" PRIu32, its->misses);
    if (its->count > 0) {
        const grt_time times[] = {its->min, its->mean, its->p50, its->p99, its->max};
        write_sum(its->sum, texts[2]);
        for (int i = 0; i < 5; i++) {
            grt_time_words(times[i], texts[3 + i]);
        }
    }
    write_fields(viewer, line, is_sum ? GRT_ROLE_MUTED_TEXT : GRT_ROLE_ROW_LABEL, texts);
    if (its->misses > 0) {
        view_write_field(viewer, line, &columns[8], widths[8], GRT_ROLE_MISS, texts[8]);
    }
}

static void activate(struct viewer *viewer, uint32_t number) {
    uint32_t run = view_current_run(viewer), first = view_timeline(viewer, run)->first_rows[GRT_ROW_TASK];
    uint32_t shown = view_find_shown(viewer, run, first + number);
    if (number < view_statistics_of(viewer, NULL)->task_count && shown != GRT_NO_SHOWN_ROW) {
        viewer->cursor = shown;
        view_reveal_row(viewer, shown);
    }
}

const struct view_panel_form view_panel_statistics = {
    .title = "Statistics",
    .width = 54,
    .head_height = 6.2,
    .line_height = 1.6,
    .count = count,
    .draw_head = draw_head,
    .draw_line = draw_line,
    .activate = activate,
};

void view_next_measure(struct viewer *viewer, int64_t step) {
    const struct grt_timeline *timeline = view_timeline(viewer, view_current_run(viewer));
    do {
        viewer->measure = (enum grt_measure)view_cycle((int64_t)viewer->measure, step, GRT_MEASURES);
    } while (!grt_measure_applies(timeline, viewer->measure));
    if (viewer->panel != VIEW_PANEL_STATISTICS) {
        view_toggle_panel(viewer, VIEW_PANEL_STATISTICS);
    }
    view_touch(viewer);
}
