/* Answers about a small trace, worked out by hand: the way of a job, why it was late. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/answer_trace.h"
#include "tests/support/suite.h"
#include "viz/answers/cause.h"
#include "viz/answers/chain.h"
#include "viz/answers/walk.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- the way of a job ---- */

static const struct expected_step {
    enum grt_chain_step_kind kind;
    enum grt_row_kind row;
    grt_time begin, end; /* us */
    uint32_t after, count;
} expected_steps[] = {
    {GRT_STEP_RELEASE, GRT_ROW_TASK, 1000, 1000, GRT_NO_STEP, 1},
    {GRT_STEP_CPU, GRT_ROW_CORE, 2000, 3000, 0, 1},
    {GRT_STEP_REQUEST, GRT_ROW_TASK, 3000, 3000, 1, 1},
    {GRT_STEP_BLOCKED, GRT_ROW_TASK, 3000, 6000, 2, 1},
    {GRT_STEP_COPY, GRT_ROW_ENGINE, 6000, 7000, 2, 1},
    {GRT_STEP_WAIT, GRT_ROW_TASK, 7000, 7500, GRT_NO_STEP, 1},
    {GRT_STEP_KERNEL, GRT_ROW_STREAM, 7500, 11000, 4, 1},
    {GRT_STEP_BLOCKS, GRT_ROW_SM, 7500, 11000, 6, 2},
    {GRT_STEP_DEADLINE, GRT_ROW_TASK, 10000, 10000, GRT_NO_STEP, 1},
    {GRT_STEP_MISS, GRT_ROW_TASK, 10000, 10000, GRT_NO_STEP, 1},
    {GRT_STEP_BLOCKS, GRT_ROW_SM, 10000, 11000, 6, 1},
    {GRT_STEP_COPY, GRT_ROW_ENGINE, 11000, 12000, 6, 1},
    {GRT_STEP_CALL, GRT_ROW_STREAM, 12000, 12000, 11, 1},
    {GRT_STEP_CPU, GRT_ROW_CORE, 12500, 13000, 12, 1},
    {GRT_STEP_FINISH, GRT_ROW_TASK, 13000, 13000, 13, 1},
};

/* The same in words. */
static const char *const expected_words[] = {
    "release",           "computes",         "asks for the GPU",
    "blocked by map",    "copy in",          "waits 500 us for the GPU",
    "kernel net",        "2 blocks on SM 0", "deadline",
    "deadline missed",   "1 block on SM 1",  "copy out",
    "call record frame", "computes",         "completion",
};

static void test_chain(void) {
    struct grt_timeline timeline;
    struct grt_chain chain = {.count = 0};
    grt_answer_trace_build(&timeline);
    CU_ASSERT_FATAL(grt_chain_find(&timeline, DETECT, 0, &chain));
    CU_ASSERT_FALSE(chain.cut);
    CU_ASSERT_EQUAL_FATAL(chain.count, COUNT(expected_steps));
    for (uint32_t i = 0; i < chain.count; i++) {
        const struct grt_chain_step *step = &chain.steps[i];
        const struct expected_step *expected = &expected_steps[i];
        CU_ASSERT_EQUAL(step->kind, expected->kind);
        CU_ASSERT_EQUAL(timeline.rows[step->place.row].kind, expected->row);
        CU_ASSERT_EQUAL(step->begin, expected->begin * 1000);
        CU_ASSERT_EQUAL(step->end, expected->end * 1000);
        CU_ASSERT_EQUAL(step->after, expected->after);
        CU_ASSERT_EQUAL(step->count, expected->count);
        char text[GRT_STEP_TEXT];
        size_t length = grt_step_text(&timeline, &chain, i, text, sizeof text);
        grt_expect_text(text, expected_words[i]);
        CU_ASSERT_EQUAL(length, strlen(text));
        CU_ASSERT_EQUAL(grt_step_text(&timeline, &chain, i, text, 4), 3);
    }
    struct grt_place block = grt_place_at(&timeline, GRT_ROW_SM, 0, GRT_PART_BLOCK, 2);
    CU_ASSERT_EQUAL(grt_chain_step_at(&timeline, &chain, block), 7);
    CU_ASSERT(grt_chain_outline(&timeline, DETECT, 0, &chain) && chain.count == COUNT(expected_steps) - 3);
    CU_ASSERT(grt_chain_find(&timeline, TRACK, 1, &chain) && chain.count == 1);
    CU_ASSERT_EQUAL(chain.steps[0].kind, GRT_STEP_SKIP);
    CU_ASSERT_FALSE(grt_chain_find(&timeline, DETECT, 7, &chain));
    CU_ASSERT_FALSE(grt_chain_find(&timeline, 9, 0, &chain));
    grt_chain_free(&chain);
    grt_timeline_free(&timeline);
}

/* From the release over all steps but the wait, the second SM, the deadline and the end, and back; from the whole job to the first
 * thing that it did. */
static void test_walk_along_job(void) {
    static const uint32_t way[] = {0, 1, 2, 3, 4, 6, 7, 9, 11, 12, 13};
    struct grt_timeline timeline;
    struct grt_chain chain = {.count = 0};
    grt_answer_trace_build(&timeline);
    CU_ASSERT_FATAL(grt_chain_find(&timeline, DETECT, 0, &chain));
    struct grt_place place = chain.steps[0].place;
    for (size_t i = 1; i < COUNT(way); i++) {
        struct grt_place next = grt_walk_along_job(&timeline, place, 1);
        CU_ASSERT(grt_place_is(next, chain.steps[way[i]].place));
        CU_ASSERT(grt_place_is(grt_walk_along_job(&timeline, next, -1), place));
        place = next;
    }
    place = grt_walk_along_job(&timeline, place, 1);
    CU_ASSERT_FALSE(grt_place_is_some(&place));
    place = grt_walk_along_job(&timeline, chain.steps[0].place, -1);
    CU_ASSERT_FALSE(grt_place_is_some(&place));
    place = grt_walk_along_job(&timeline, chain.story.whole, 1);
    CU_ASSERT(grt_place_is(place, chain.steps[1].place));
    place = grt_walk_along_job(&timeline, chain.story.whole, -1);
    CU_ASSERT_FALSE(grt_place_is_some(&place));
    grt_chain_free(&chain);
    grt_timeline_free(&timeline);
}

static void test_walks(void) {
    struct grt_timeline timeline;
    uint32_t task, job;
    grt_answer_trace_build(&timeline);
    struct grt_place block = grt_place_at(&timeline, GRT_ROW_SM, 0, GRT_PART_BLOCK, 1);
    CU_ASSERT(grt_place_job(&timeline, block, &task, &job) && task == DETECT && job == 0);
    struct grt_place mark = grt_place_at(&timeline, GRT_ROW_POLICY, 0, GRT_PART_OWN_MARK, 0);
    CU_ASSERT_FALSE(grt_place_job(&timeline, mark, &task, &job));
    CU_ASSERT(grt_place_is(grt_walk_jobs(&timeline, block, 1),
                           grt_task_place_at(&timeline, DETECT, GRT_PART_JOB, 1)));
    struct grt_place none = grt_walk_jobs(&timeline, block, -1);
    CU_ASSERT_FALSE(grt_place_is_some(&none));
    CU_ASSERT(grt_place_is(grt_place_beside(&timeline, block, -1),
                           grt_place_at(&timeline, GRT_ROW_SM, 0, GRT_PART_BLOCK, 0)));
    none = grt_place_beside(&timeline, grt_place_at(&timeline, GRT_ROW_SM, 0, GRT_PART_BLOCK, 0), -1);
    CU_ASSERT_FALSE(grt_place_is_some(&none));
    struct grt_place first = grt_task_place_at(&timeline, DETECT, GRT_PART_MISS, 0),
                     second = grt_task_place_at(&timeline, TRACK, GRT_PART_MISS, 0);
    CU_ASSERT(grt_place_is(grt_walk_misses(&timeline, grt_place_none(), 0, 1), first));
    CU_ASSERT(grt_place_is(grt_walk_misses(&timeline, first, 0, 1), second));
    CU_ASSERT(grt_place_is(grt_walk_misses(&timeline, second, 0, -1), first));
    CU_ASSERT_EQUAL(grt_miss_beside(&timeline, 10000000, 1), 1);
    CU_ASSERT_EQUAL(grt_miss_beside(&timeline, 10000000, -1), GRT_NO_SLICE);
    CU_ASSERT_EQUAL(grt_miss_beside(&timeline, 24000000, 1), GRT_NO_SLICE);
    grt_timeline_free(&timeline);
}

/* ---- odd traces ---- */

/* Jobs that end in another order than they have numbers; a search goes astray. */
static void test_jobs_out_of_order(void) {
    static const struct grt_trace_name one[] = {{GRT_NAME_TASK, 0, 0, 0, 0, "a"}};
    static const uint32_t jobs[] = {5, 1, 4, 0, 3, 2};
    struct grt_timeline timeline = {.begin = 0};
    struct grt_job_story story;
    grt_timeline_sink.names(&timeline, one, COUNT(one));
    for (uint32_t i = 0; i < COUNT(jobs); i++) {
        const struct grt_trace_record end = GRT_RECORD_FROM(i, 10 + i, FINISH, 0, jobs[i], 0, 0, 0);
        grt_timeline_sink.write(&timeline, &end, 1);
    }
    grt_timeline_sink.end(&timeline);
    for (uint32_t i = 0; i < COUNT(jobs); i++) {
        CU_ASSERT(grt_job_story_find(&timeline, 0, jobs[i], &story) && story.end == (10 + i) * 1000);
        CU_ASSERT(grt_job_story_near(&timeline, 0, jobs[i], i * 1000, &story) && story.arrival == i * 1000);
    }
    CU_ASSERT_FALSE(grt_job_story_find(&timeline, 0, 6, &story));
    grt_timeline_free(&timeline);
}

/* More stays on a core than a chain has steps for: its last ones are kept. */
static void test_long_chain(void) {
    enum { STAYS = GRT_CHAIN_STEPS + 1000 };
    static const struct grt_trace_name one[] = {{GRT_NAME_TASK, 0, 0, 0, 0, "a"}};
    struct grt_timeline timeline = {.begin = 0};
    struct grt_chain chain = {.count = 0};
    struct grt_cause cause;
    grt_timeline_sink.names(&timeline, one, COUNT(one));
    for (uint32_t i = 0; i < STAYS; i++) {
        const struct grt_trace_record stay =
            GRT_RECORD_FROM(2 * i, 2 * i + 1, CPU, 0, 0, 0, 0, GRT_TRACE_PREEMPTED);
        grt_timeline_sink.write(&timeline, &stay, 1);
    }
    const struct grt_trace_record end = GRT_RECORD_FROM(0, 2 * STAYS, FINISH, 0, 0, 0, 0, 0);
    grt_timeline_sink.write(&timeline, &end, 1);
    grt_timeline_sink.end(&timeline);
    CU_ASSERT(grt_chain_find(&timeline, 0, 0, &chain) && chain.cut && chain.count == GRT_CHAIN_STEPS);
    CU_ASSERT(chain.steps[0].kind == GRT_STEP_CPU && chain.steps[0].begin > 0);
    CU_ASSERT_EQUAL(chain.steps[GRT_CHAIN_STEPS - 1].kind, GRT_STEP_FINISH);
    CU_ASSERT(grt_cause_of_job(&timeline, 0, 0, &cause) && cause.cut);
    CU_ASSERT_EQUAL(cause.parts[GRT_CAUSE_COMPUTE] + cause.parts[GRT_CAUSE_CORE], 2 * STAYS * 1000);
    grt_chain_free(&chain);
    grt_timeline_free(&timeline);
}

/* ---- why it was late ---- */

static void test_cause(void) {
    static const grt_time parts[GRT_CAUSE_PARTS] = {
        [GRT_CAUSE_JITTER] = 1000, [GRT_CAUSE_COMPUTE] = 1500, [GRT_CAUSE_SHARED] = 1000,
        [GRT_CAUSE_KERNEL] = 2500, [GRT_CAUSE_COPY] = 2000,    [GRT_CAUSE_BLOCKED] = 3000,
        [GRT_CAUSE_GPU] = 500,     [GRT_CAUSE_CORE] = 1500};
    struct grt_timeline timeline;
    struct grt_cause cause;
    grt_answer_trace_build(&timeline);
    CU_ASSERT_FATAL(grt_cause_find(&timeline, 0, &cause));
    for (uint32_t i = 0; i < GRT_CAUSE_PARTS; i++) {
        CU_ASSERT_EQUAL(cause.parts[i], parts[i] * 1000);
    }
    CU_ASSERT(cause.chief == GRT_CAUSE_BLOCKED && !cause.own_work && !cause.cut);
    CU_ASSERT(cause.others[GRT_CAUSE_BLOCKED].task == MAP && cause.others[GRT_CAUSE_BLOCKED].time == 3000000);
    CU_ASSERT(cause.others[GRT_CAUSE_SHARED].task == MAP && cause.others[GRT_CAUSE_SHARED].time == 1000000);
    CU_ASSERT(cause.others[GRT_CAUSE_CORE].task == TRACK && cause.others[GRT_CAUSE_CORE].time == 1000000);
    CU_ASSERT_EQUAL(cause.others[GRT_CAUSE_GPU].task, GRT_TRACE_NO_TASK);
    CU_ASSERT_EQUAL(grt_cause_wait(&cause, GRT_CAUSE_GPU), 3500000);
    CU_ASSERT_EQUAL(cause.blocked, 3000000);
    CU_ASSERT_EQUAL(cause.users.count, 1);
    CU_ASSERT(cause.users.longest[0].task == MAP && cause.users.longest[0].time == 3000000);
    CU_ASSERT_FALSE(grt_cause_of_job(&timeline, TRACK, 1, &cause));
    grt_timeline_free(&timeline);
}

/* Each in turn made the chief. */
static void test_words_of_causes(void) {
    struct grt_timeline timeline;
    struct grt_cause cause;
    char text[GRT_CAUSE_TEXT];
    static const struct {
        enum grt_cause_part chief;
        const char *expected;
    } cases[] = {
        {GRT_CAUSE_JITTER, "detect missed the deadline of job 0 by 3 ms: it could start only 1 ms after its "
                           "arrival; besides, its "
                           "own work took 6 ms, it waited 1.5 ms for a core, it waited 3.5 ms for the GPU, "
                           "its kernels ran beside "
                           "those of others for 1 ms, and it had 10 ms."},
        {GRT_CAUSE_CORE,
         "detect missed the deadline of job 0 by 3 ms: it waited 1.5 ms for a core, while task 2 "
         "computed for 1 ms; besides, its own work took 6 ms, it could start 1 ms after its arrival, it "
         "waited 3.5 "
         "ms for the GPU, its kernels ran beside those of others for 1 ms, and it had 10 ms."},
        {GRT_CAUSE_GPU,
         "detect missed the deadline of job 0 by 3 ms: it waited 3.5 ms for the GPU, 3 ms of it "
         "blocked by less urgent work; meanwhile map used it for 3 ms."},
        {GRT_CAUSE_SHARED,
         "detect missed the deadline of job 0 by 3 ms: its kernels shared the GPU with others for 1 "
         "ms, longest those of map, for 1 ms; besides, its own work took 6 ms, it could start 1 ms after its "
         "arrival, it waited 1.5 ms for a core, it waited 3.5 ms for the GPU, and it had 10 ms."},
        {GRT_CAUSE_EARLIER,
         "detect missed the deadline of job 0 by 3 ms: for 0 ms the job before it was not finished; "
         "besides, its own work took 6 ms, it could start 1 ms after its arrival, it waited 1.5 ms for a "
         "core, it "
         "waited 3.5 ms for the GPU, its kernels ran beside those of others for 1 ms, and it had 10 ms."},
    };
    grt_answer_trace_build(&timeline);
    CU_ASSERT_FATAL(grt_cause_find(&timeline, 0, &cause));
    for (size_t i = 0; i < COUNT(cases); i++) {
        cause.chief = cases[i].chief;
        grt_expect_text(grt_cause_text(&timeline, &cause, text), cases[i].expected);
    }
    CU_ASSERT_FATAL(grt_cause_find(&timeline, 1, &cause));
    grt_expect_text(grt_cause_text(&timeline, &cause, text),
                    "task 2 gave up job 2 at its deadline: its own work took 2 ms.");
    CU_ASSERT_FATAL(grt_cause_of_job(&timeline, DETECT, 1, &cause));
    grt_expect_text(
        grt_cause_text(&timeline, &cause, text),
        "detect had not finished job 1 when the run ended 5 ms before its deadline: its own work took 5 ms.");
    cause.own_work = true;
    cause.end = 35 * GRT_MILLISECOND;
    grt_expect_text(
        grt_cause_text(&timeline, &cause, text),
        "detect had not finished job 1 when the run ended 5 ms after its deadline: its own work alone "
        "took 5 ms, and it "
        "had 10 ms.");
    grt_timeline_free(&timeline);
}

/* Of three jobs that may take 1 ms each: one computes for 3 ms, one waits for it for 2 ms and computes for 2, one waits for 3 ms
 * and computes for 2, which is more than its work and more than it had. */
static void test_own_work(void) {
    static const struct grt_trace_name two[] = {{GRT_NAME_TASK, 0, 0, 0, 0, "a"},
                                                {GRT_NAME_CORE, 0, 0, 0, 0, "cpu 0"}};
    static const struct grt_trace_record slow[] = {
        GRT_RECORD_AT(0, RELEASE, 0, 0, 1000),
        GRT_RECORD_AT(1000, RELEASE, 0, 1, 2000),
        GRT_RECORD_AT(2000, RELEASE, 0, 2, 3000),
        GRT_RECORD_FROM(0, 3000, CPU, 0, 0, 0, 0, 0),
        GRT_RECORD_FROM(0, 3000, FINISH, 0, 0, 0, 0, GRT_TRACE_LATE),
        GRT_RECORD_FROM(3000, 5000, CPU, 0, 1, 0, 0, 0),
        GRT_RECORD_FROM(1000, 5000, FINISH, 0, 1, 0, 0, GRT_TRACE_LATE),
        GRT_RECORD_FROM(5000, 7000, CPU, 0, 2, 0, 0, 0),
        GRT_RECORD_FROM(2000, 7000, FINISH, 0, 2, 0, 0, GRT_TRACE_LATE),
    };
    static const char *const expected[] = {
        "a missed the deadline of job 0 by 2 ms: its own work alone took 3 ms, and it had 1 ms.",
        "a missed the deadline of job 1 by 3 ms: its own work alone took 2 ms, and it had 1 ms.",
        "a missed the deadline of job 2 by 4 ms: for 3 ms the job before it was not finished; its own work "
        "alone "
        "took 2 ms, and it had 1 ms.",
    };
    struct grt_timeline timeline = {.begin = 0};
    char text[GRT_CAUSE_TEXT];
    grt_timeline_sink.names(&timeline, two, COUNT(two));
    grt_timeline_sink.write(&timeline, slow, COUNT(slow));
    grt_timeline_sink.end(&timeline);
    for (uint32_t i = 0; i < COUNT(expected); i++) {
        struct grt_cause cause;
        CU_ASSERT_FATAL(grt_cause_find(&timeline, i, &cause));
        grt_expect_text(grt_cause_text(&timeline, &cause, text), expected[i]);
    }
    grt_timeline_free(&timeline);
}

/* Jobs 0 to 3 end 1, 5, 5 and 9 ms late; 2 is given up, 3 has not finished; 4 is as late as 1 and later. Job 1 waits for job
 * 0 from 2 to 6 ms. */
static void test_worst_first(void) {
    static const struct grt_trace_name one[] = {{GRT_NAME_TASK, 0, 0, 0, 0, "a"}};
    static const struct grt_trace_record late[] = {
        GRT_RECORD_AT(0, RELEASE, 0, 0, 5000),
        GRT_RECORD_AT(2000, RELEASE, 0, 1, 3000),
        GRT_RECORD_FROM(0, 6000, FINISH, 0, 0, 0, 0, GRT_TRACE_LATE),
        GRT_RECORD_FROM(2000, 8000, FINISH, 0, 1, 0, 0, GRT_TRACE_LATE),
        GRT_RECORD_AT(9000, RELEASE, 0, 2, 10000),
        GRT_RECORD_AT(10000, MISS, 0, 2, 10000),
        GRT_RECORD_AT(12000, RELEASE, 0, 4, 15000),
        GRT_RECORD_AT(14000, RELEASE, 0, 3, 21000),
        GRT_RECORD_FROM(9000, 15000, ABORT, 0, 2, 0, 0, 0),
        GRT_RECORD_FROM(12000, 20000, FINISH, 0, 4, 0, 0, GRT_TRACE_LATE),
        GRT_RECORD_FROM(14000, 30000, UNFINISHED, 0, 3, 0, 0, GRT_TRACE_LATE | GRT_TRACE_OPEN),
    };
    static const uint32_t jobs[] = {3, 2, 1, 4, 0};
    struct grt_timeline timeline = {.begin = 0};
    struct grt_cause cause;
    grt_timeline_sink.names(&timeline, one, COUNT(one));
    grt_timeline_sink.write(&timeline, late, COUNT(late));
    grt_timeline_sink.end(&timeline);
    uint32_t *order = grt_misses_worst_first(&timeline);
    CU_ASSERT_EQUAL_FATAL(timeline.miss_count, COUNT(jobs));
    for (size_t i = 0; i < COUNT(jobs); i++) {
        CU_ASSERT_EQUAL(timeline.misses[order[i]].job, jobs[i]);
    }
    CU_ASSERT_FATAL(grt_cause_of_job(&timeline, 0, 1, &cause));
    CU_ASSERT_EQUAL(cause.parts[GRT_CAUSE_EARLIER], 4 * GRT_MILLISECOND);
    CU_ASSERT_EQUAL(cause.parts[GRT_CAUSE_CORE], 2 * GRT_MILLISECOND);
    CU_ASSERT_EQUAL(cause.chief, GRT_CAUSE_EARLIER);
    free(order);
    grt_timeline_free(&timeline);
}

static CU_TestInfo tests[] = {
    {"a job is followed from release to end", test_chain},
    {"along a job and back", test_walk_along_job},
    {"over slices, jobs and misses", test_walks},
    {"jobs that end out of order", test_jobs_out_of_order},
    {"more steps than a chain has", test_long_chain},
    {"where the response time went", test_cause},
    {"causes in words", test_words_of_causes},
    {"own work that is too long", test_own_work},
    {"the worst misses first", test_worst_first},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("answers", tests);
}
