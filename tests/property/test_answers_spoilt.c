/* labels: soak */
/* Answers about traces that no run makes: they may be odd, but do no harm. */
#include <stdlib.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/pick.h"
#include "tests/support/random_world.h"
#include "tests/support/shared_world.h"
#include "tests/support/suite.h"
#include "viz/answers/cause.h"
#include "viz/answers/chain.h"
#include "viz/answers/explain.h"
#include "viz/answers/walk.h"

static const grt_time odd_times[] = {-GRT_TIME_LIMIT, -1, 0, 1, GRT_TIME_LIMIT - 1, GRT_TIME_LIMIT};

/* Spoils a record, but so that a reader of traces lets it pass: times do not go back, slices do not end before they start. */
static void spoil(struct grt_random *random, struct grt_trace_record *record, uint32_t tasks) {
    static const uint32_t numbers[] = {0, 1, 2, 1 << 16, 1 << 16 | 1, UINT32_MAX};
    uint32_t number = numbers[grt_pick(random, 0, 5)];
    switch (grt_pick(random, 0, 7)) {
    case 0:
        record->kind = (uint8_t)grt_pick(random, 1, GRT_TRACE_KINDS - 1);
        break;
    case 1:
        record->task = (uint16_t)grt_pick(random, 0, tasks - 1);
        break;
    case 2:
        record->job = number;
        break;
    case 3:
        record->detail = number;
        break;
    case 4:
        record->row = number;
        break;
    case 5:
        record->flags = (uint8_t)grt_pick(random, 0, 31);
        break;
    case 6:
        record->other = odd_times[grt_pick(random, 0, 5)];
        break;
    default:
        record->other = record->kind == GRT_TRACE_RELEASE ? GRT_TIME_NEVER : record->time;
        break;
    }
    bool deadline = record->kind == GRT_TRACE_RELEASE || record->kind == GRT_TRACE_MISS;
    if (!deadline && record->other > record->time) {
        record->other = record->time;
    }
}

/* Asks everything; true if what must hold of any trace does. */
static bool withstands(const struct grt_timeline *timeline) {
    struct grt_chain chain = {.count = 0};
    char text[GRT_EXPLAIN_SIZE];
    bool good = true;
    for (uint32_t row = 0; row < timeline->row_count; row++) {
        for (uint32_t track = 0; track < timeline->rows[row].track_count; track++) {
            for (uint32_t i = 0; i < timeline->rows[row].tracks[track].track->count && good; i++) {
                struct grt_place place = {row, track, i};
                uint32_t task, job;
                struct grt_cause cause;
                good = grt_explain(timeline, place, text, sizeof text) > 0 && text[strlen(text) - 1] == '.';
                grt_walk_jobs(timeline, place, 1);
                grt_walk_misses(timeline, place, 0, -1);
                grt_walk_along_job(timeline, place, 1);
                if (!grt_place_job(timeline, place, &task, &job) ||
                    !grt_chain_find(timeline, task, job, &chain)) {
                    continue;
                }
                for (uint32_t j = 0; j < chain.count; j++) {
                    good = good && (chain.steps[j].after == GRT_NO_STEP || chain.steps[j].after < j) &&
                           grt_step_text(timeline, &chain, j, text, sizeof text) > 0;
                }
                if (!grt_cause_of_job(timeline, task, job, &cause)) {
                    continue;
                }
                grt_time sum = 0;
                for (uint32_t part = 0; part < GRT_CAUSE_PARTS; part++) {
                    sum += cause.parts[part];
                }
                grt_cause_text(timeline, &cause, text);
                good = good && sum == cause.end - cause.arrival;
            }
        }
    }
    grt_chain_free(&chain);
    return good;
}

static void spoilt_traces(void) {
    int cases = grt_suite_cases(60, 1000);
    for (int i = 0; i < cases; i++) {
        struct grt_builder *builder = grt_random_world(770000 + (uint64_t)i);
        struct grt_random random = grt_random_stream((uint64_t)i, "spoilt", 0, 0);
        struct grt_built_run run;
        if (i % 4 == 1) { /* without blocks, and with shares */
            grt_built_run_start(&run, grt_shared_world(builder), grt_policy_find("static-shares"), false);
            CU_ASSERT_PTR_NOT_NULL_FATAL(run.result);
        } else {
            grt_built_run_under(&run, builder, "hardware");
        }
        for (size_t j = 0; j < run.kept.record_count; j++) {
            struct grt_trace_record *record = &run.kept.records[j];
            if (grt_pick(&random, 0, 3) == 0) {
                spoil(&random, record, (uint32_t)builder->scenario.task_count);
            }
            if (i % 3 == 0) { /* far away, where sums are near what a number holds */
                record->time += GRT_TIME_LIMIT - 1000000;
            }
        }
        struct grt_timeline timeline = {.begin = 0};
        grt_timeline_sink.names(&timeline, run.kept.names, run.kept.name_count);
        grt_timeline_sink.write(&timeline, run.kept.records, run.kept.record_count);
        grt_timeline_sink.end(&timeline);
        uint32_t *order = grt_misses_worst_first(&timeline);
        CU_ASSERT(withstands(&timeline));
        free(order);
        grt_timeline_free(&timeline);
        grt_built_run_end(&run, builder);
    }
}

static CU_TestInfo tests[] = {
    {"spoilt traces do no harm", spoilt_traces},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("answers-spoilt", tests);
}
