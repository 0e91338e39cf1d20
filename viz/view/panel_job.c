/* The chosen slice in words, and its job step by step. */
#include <inttypes.h>
#include <stdio.h>

#include "viz/answers/cause.h"
#include "viz/answers/explain.h"
#include "viz/answers/time_text.h"
#include "viz/answers/walk.h"
#include "viz/view/panel.h"

static uint32_t count(struct viewer *viewer) {
    const struct grt_chain *chain = view_chain_of(viewer);
    return chain != NULL ? chain->count : 0;
}

/* Writes a paragraph and some room below it; returns where that ends. */
static double write_part(struct viewer *viewer, const struct view_line *line, double top, enum grt_role role,
                         const char *text) {
    uint32_t lines = view_write_paragraph(viewer, line->left, line->right, top, 6, role, text);
    return top + (lines * 1.4 + 0.7) * view_em(viewer);
}

static void draw_head(struct viewer *viewer, const struct view_line *line) {
    const struct grt_timeline *timeline = view_timeline(viewer, viewer->chosen.run);
    double top = line->box.top;
    if (!grt_place_is_some(&viewer->chosen.place)) {
        write_part(viewer, line, top, GRT_ROLE_MUTED_TEXT,
                   "Nothing is chosen. Click on a slice, or go to one with . and , or N.");
        return;
    }
    char text[GRT_EXPLAIN_SIZE];
    grt_explain(timeline, viewer->chosen.place, text, sizeof text);
    top = write_part(viewer, line, top, GRT_ROLE_ROW_LABEL, text);
    uint32_t task, job;
    struct grt_cause cause;
    bool is_told = grt_place_part(timeline, viewer->chosen.place) == GRT_PART_MISS;
    if (!is_told && grt_place_job(timeline, viewer->chosen.place, &task, &job) &&
        grt_cause_of_job(timeline, task, job, &cause)) {
        char why[GRT_CAUSE_TEXT];
        top = write_part(viewer, line, top, GRT_ROLE_AXIS_TEXT, grt_cause_text(timeline, &cause, why));
    }
    viewer->panel_head = top - line->box.top;
}

static void draw_line(struct viewer *viewer, const struct view_line *line, uint32_t number) {
    const struct grt_chain *chain = view_chain_of(viewer);
    const struct grt_chain_step *step = &chain->steps[number];
    const struct grt_timeline *timeline = view_timeline(viewer, viewer->chosen.run);
    char time[GRT_TIME_WORDS], text[GRT_STEP_TEXT];
    if (grt_chain_step_at(timeline, chain, viewer->chosen.place) == number) {
        view_fill(viewer,
                  (struct grt_box){line->box.left + 1, line->box.top, line->box.left + 4, line->box.bottom},
                  GRT_ROLE_FOCUS);
    }
    bool is_miss = step->kind == GRT_STEP_MISS || step->kind == GRT_STEP_ABORT;
    bool is_wait = step->kind == GRT_STEP_WAIT || step->kind == GRT_STEP_BLOCKED;
    enum grt_role role = is_miss ? GRT_ROLE_MISS : is_wait ? GRT_ROLE_BLOCKED : GRT_ROLE_ROW_LABEL;
    view_instant_words(viewer, step->begin, time);
    view_write_field(viewer, line, &(struct view_column){8.5, true}, 8.5, GRT_ROLE_AXIS_TEXT, time);
    if (step->end > step->begin) {
        grt_time_words(step->end - step->begin, time);
        view_write_field(viewer, line, &(struct view_column){16.5, true}, 7, GRT_ROLE_AXIS_TEXT, time);
    }
    grt_step_text(timeline, chain, number, text, sizeof text);
    view_write_field(viewer, line, &(struct view_column){17.5, false}, 21, role, text);
}

static void activate(struct viewer *viewer, uint32_t number) {
    struct view_chosen chosen = {viewer->chosen.run, view_chain_of(viewer)->steps[number].place};
    if (grt_place_is_some(&chosen.place)) {
        view_choose(viewer, chosen, true);
    }
}

const struct view_panel_form view_panel_job = {
    .title = "Job",
    .width = 40,
    .head_height = 12,
    .line_height = 1.6,
    .count = count,
    .draw_head = draw_head,
    .draw_line = draw_line,
    .activate = activate,
};
