/* What was found out about the runs, kept until they or the question change. */
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"
#include "viz/answers/cause.h"
#include "viz/answers/walk.h"
#include "viz/view/panel.h"

enum { CAUSES = 128, DIFFERING_JOBS = 10000 };

/* A sentence about a miss. */
struct cause_text {
    bool known;
    uint32_t run, miss;
    char text[GRT_CAUSE_TEXT];
};

struct view_answers {
    uint32_t *misses[VIEW_RUNS];
    struct cause_text causes[CAUSES]; /* each where its number leads to */
    bool has_search, has_difference, has_chain;
    uint32_t search_run;
    struct {
        bool known;
        struct grt_span_question question;
        struct grt_span_statistics statistics;
    } spans[VIEW_RUNS];
    char search_text[VIEW_TEXT];
    struct grt_search search;
    struct grt_difference difference;
    struct view_chosen chain_of;
    struct grt_chain chain;
};

static struct view_answers *answers_of(struct viewer *viewer) {
    if (viewer->answers == NULL) {
        viewer->answers = grt_allocate(sizeof *viewer->answers);
        memset(viewer->answers, 0, sizeof *viewer->answers);
    }
    return viewer->answers;
}

void view_forget_answers(struct viewer *viewer) {
    struct view_answers *answers = viewer->answers;
    if (answers == NULL) {
        return;
    }
    for (uint32_t run = 0; run < VIEW_RUNS; run++) {
        free(answers->misses[run]);
        grt_span_statistics_free(&answers->spans[run].statistics);
    }
    grt_search_free(&answers->search);
    grt_difference_free(&answers->difference);
    grt_chain_free(&answers->chain);
    free(answers);
    viewer->answers = NULL;
}

const uint32_t *view_misses_of(struct viewer *viewer, uint32_t run) {
    struct view_answers *answers = answers_of(viewer);
    if (answers->misses[run] == NULL) {
        answers->misses[run] = grt_misses_worst_first(view_timeline(viewer, run));
    }
    return answers->misses[run];
}

const char *view_cause_of(struct viewer *viewer, uint32_t run, uint32_t miss) {
    struct cause_text *cause = &answers_of(viewer)->causes[miss % CAUSES];
    if (!cause->known || cause->run != run || cause->miss != miss) {
        struct grt_cause found;
        *cause = (struct cause_text){.known = true, .run = run, .miss = miss};
        if (grt_cause_find(view_timeline(viewer, run), miss, &found)) {
            grt_cause_text(view_timeline(viewer, run), &found, cause->text);
        }
    }
    return cause->text;
}

/* What is selected, or the whole run; while it is being selected, what was selected before. */
static struct grt_span_question question_of(const struct viewer *viewer) {
    const struct grt_timeline *timeline = view_timeline(viewer, view_current_run(viewer));
    bool selected = viewer->selection.to > viewer->selection.from;
    return (struct grt_span_question){.from = selected ? viewer->selection.from : timeline->begin,
                                      .to = selected ? viewer->selection.to : timeline->end + 1,
                                      .measure = viewer->measure};
}

const struct grt_span_statistics *view_statistics_of(struct viewer *viewer,
                                                     const struct grt_span_question **asked) {
    struct view_answers *answers = answers_of(viewer);
    struct grt_span_question question = question_of(viewer);
    uint32_t run = view_current_run(viewer);
    const struct grt_span_question *before = &answers->spans[run].question;
    bool same =
        before->from == question.from && before->to == question.to && before->measure == question.measure;
    if (!answers->spans[run].known || (!same && viewer->drag == VIEW_DRAG_NONE)) {
        grt_span_statistics_free(&answers->spans[run].statistics);
        grt_span_statistics_make(&answers->spans[run].statistics, view_timeline(viewer, run), &question);
        answers->spans[run].question = question;
        answers->spans[run].known = true;
    }
    if (asked != NULL) {
        *asked = before;
    }
    return &answers->spans[run].statistics;
}

const struct grt_search *view_search_of(struct viewer *viewer, uint32_t run, const char *text) {
    struct view_answers *answers = answers_of(viewer);
    if (!answers->has_search || answers->search_run != run || strcmp(answers->search_text, text) != 0) {
        grt_search_free(&answers->search);
        strncpy(answers->search_text, text, sizeof answers->search_text - 1);
        grt_search_make(&answers->search, view_timeline(viewer, run), text);
        answers->search_run = run;
        answers->has_search = true;
    }
    return &answers->search;
}

const struct grt_difference *view_difference_of(struct viewer *viewer) {
    struct view_answers *answers = answers_of(viewer);
    if (viewer->document_count < 2) {
        return NULL;
    }
    if (!answers->has_difference) {
        struct grt_difference_options options = {
            .tolerance = viewer->tolerance, .common_only = true, .most_jobs = DIFFERING_JOBS};
        grt_difference_make(&answers->difference, view_timeline(viewer, 0), view_timeline(viewer, 1),
                            &options);
        answers->has_difference = true;
    }
    return &answers->difference;
}

const struct grt_chain *view_chain_of(struct viewer *viewer) {
    struct view_answers *answers = answers_of(viewer);
    uint32_t task, job;
    if (!grt_place_is_some(&viewer->chosen.place)) {
        return NULL;
    }
    bool same = answers->has_chain && answers->chain_of.run == viewer->chosen.run &&
                grt_place_is(answers->chain_of.place, viewer->chosen.place);
    if (!same) {
        const struct grt_timeline *timeline = view_timeline(viewer, viewer->chosen.run);
        answers->chain.count = 0;
        if (grt_place_job(timeline, viewer->chosen.place, &task, &job)) {
            grt_chain_find(timeline, task, job, &answers->chain);
        }
        answers->chain_of = viewer->chosen;
        answers->has_chain = true;
    }
    return &answers->chain;
}
