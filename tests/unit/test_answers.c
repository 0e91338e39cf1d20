/* Answers about a small trace, worked out by hand: sentences, the way of a job, why it was late. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"
#include "viz/answers/cause.h"
#include "viz/answers/chain.h"
#include "viz/answers/explain.h"
#include "viz/answers/time_text.h"
#include "viz/answers/walk.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { DETECT, MAP, TRACK };

/* ---- the trace ---- */

static const struct grt_trace_name names[] = {
    {GRT_NAME_RUN, 0, 0, 0, 0, "small"},
    {GRT_NAME_TASK, DETECT, 0, 0, 0, "detect"},
    {GRT_NAME_TASK, MAP, 0, 0, 0, "map"},
    {GRT_NAME_TASK, TRACK, 0, 0, 0, ""},
    {GRT_NAME_KERNEL, DETECT, 1, 1, 256, "net"},
    {GRT_NAME_KERNEL, MAP, 0, 0, 2048, "icp"},
    {GRT_NAME_CALL, DETECT, 1, 3, 0, "record frame"},
    {GRT_NAME_CORE, 0, 0, 0, 0, "cpu 0"},
    {GRT_NAME_STREAM, 0, 0, 0, 0, "gpu"},
    {GRT_NAME_ENGINE, 0, 0, 0, 0, "copy"},
    {GRT_NAME_SM, 0, 0, 0, 2048, "SM 0"},
    {GRT_NAME_SM, 1, 0, 0, 2048, "SM 1"},
    {GRT_NAME_ROW, 0, 0, 0, 0, "server"},
    {GRT_NAME_LABEL, 0, 0, 0, 0, "budget"},
};

/* Times in microseconds. */
#define AT(t, kind_, task_, job_, other_)                                                                    \
    { .time = (t)*1000, .other = (other_)*1000, .job = job_, .task = task_, .kind = GRT_TRACE_##kind_ }
#define FROM(from_, to_, kind_, task_, job_, row_, detail_, flags_)                                          \
    {                                                                                                        \
        .time = (to_)*1000, .other = (from_)*1000, .job = job_, .detail = detail_, .row = row_,              \
        .task = task_, .kind = GRT_TRACE_##kind_, .flags = flags_                                            \
    }
#define COMMAND(segment, command) ((segment) << 16 | (command))

/* Job 0 of detect arrives at 0, may start at 1 ms, waits for the core until 2 ms, is blocked from 3 to 6 ms, copies, waits for
 * 0.5 ms, runs its kernel from 7.5 to 11 ms, 1 ms of it beside one of map, copies back, and waits 0.5 ms for the core, which
 * it takes from map. Job 1 is not finished at the end. The third task has no name; its job 2 is given up on a core that nobody
 * has named. */
static const struct grt_trace_record records[] = {
    AT(0, RELEASE, MAP, 0, 100000),
    {.time = 0, .other = GRT_TIME_NEVER, .task = TRACK, .kind = GRT_TRACE_RELEASE},
    AT(1000, RELEASE, DETECT, 0, 10000),
    FROM(0, 2000, CPU, TRACK, 0, 0, 0, 0),
    FROM(0, 2000, FINISH, TRACK, 0, 0, 0, 0),
    FROM(2000, 3000, CPU, DETECT, 0, 0, 0, 0),
    AT(3000, GPU_REQUEST, DETECT, 0, 0),
    FROM(0, 5000, ROW_SLICE, MAP, 0, 0, 0, 0),
    {.time = 5000000, .task = GRT_TRACE_NO_TASK, .kind = GRT_TRACE_ROW_MARK},
    FROM(0, 6000, BLOCK, MAP, 0, 0, 0, 0),
    FROM(0, 6000, KERNEL, MAP, 0, 0, COMMAND(0, 0), 0),
    FROM(0, 6000, GPU_SEGMENT, MAP, 0, 0, 0, 0),
    FROM(3000, 6000, BLOCKED, DETECT, 0, MAP, 1, 0),
    FROM(6000, 7000, COPY, DETECT, 0, 0, COMMAND(1, 0), 0),
    FROM(7500, 9000, BLOCK, DETECT, 0, 0, 1, 0),
    FROM(9000, 10000, BLOCK, MAP, 0, 1, 1, 0),
    FROM(9000, 10000, KERNEL, MAP, 0, 0, COMMAND(0, 0), 0),
    FROM(7500, 11000, BLOCK, DETECT, 0, 0, 0, 0),
    FROM(10000, 11000, BLOCK, DETECT, 0, 1, 2, 0),
    FROM(7500, 11000, KERNEL, DETECT, 0, 0, COMMAND(1, 1), 0),
    FROM(11000, 12000, COPY, DETECT, 0, 0, COMMAND(1, 2), GRT_TRACE_D2H),
    FROM(12000, 12000, CALL, DETECT, 0, 0, COMMAND(1, 3), 0),
    FROM(3000, 12000, GPU_SEGMENT, DETECT, 0, 0, 1, 0),
    FROM(11500, 12500, CPU, MAP, 0, 0, 1, GRT_TRACE_PREEMPTED),
    FROM(12500, 13000, CPU, DETECT, 0, 0, 2, 0),
    FROM(0, 13000, FINISH, DETECT, 0, 0, 0, GRT_TRACE_LATE),
    FROM(13000, 14000, CPU, MAP, 0, 0, 1, 0),
    FROM(0, 14000, FINISH, MAP, 0, 0, 0, 0),
    AT(20000, RELEASE, DETECT, 1, 30000),
    AT(21000, SKIP, TRACK, 1, 21000),
    AT(22000, RELEASE, TRACK, 2, 24000),
    AT(24000, MISS, TRACK, 2, 24000),
    FROM(22000, 24000, CPU, TRACK, 2, 5, 0, GRT_TRACE_ABORTED),
    FROM(22000, 24000, ABORT, TRACK, 2, 0, 0, 0),
    FROM(20000, 25000, CPU, DETECT, 1, 0, 0, GRT_TRACE_OPEN),
    FROM(20000, 25000, UNFINISHED, DETECT, 1, 0, 0, GRT_TRACE_OPEN),
};

static void build(struct grt_timeline *timeline) {
    *timeline = (struct grt_timeline){.begin = 0};
    grt_timeline_sink.names(timeline, names, COUNT(names));
    grt_timeline_sink.write(timeline, records, COUNT(records));
    grt_timeline_sink.end(timeline);
}

static struct grt_place place_of(const struct grt_timeline *timeline, enum grt_row_kind kind, uint32_t index,
                                 enum grt_track_part part, uint32_t number) {
    return grt_place_in(timeline, grt_timeline_row(timeline, kind, index), part, number);
}

static struct grt_place task_place(const struct grt_timeline *timeline, uint32_t task,
                                   enum grt_track_part part, uint32_t number) {
    return place_of(timeline, GRT_ROW_TASK, task, part, number);
}

/* ---- times ---- */

static void expect(const char *got, const char *expected) {
    if (strcmp(got, expected) != 0) {
        printf("\n    got:      %s\n    expected: %s\n", got, expected);
    }
    CU_ASSERT_STRING_EQUAL(got, expected);
}

static void test_times(void) {
    char text[GRT_TIME_WORDS];
    expect(grt_time_words(0, text), "0 ms");
    expect(grt_time_words(1, text), "1 ns");
    expect(grt_time_words(-1500, text), "-1.5 us");
    expect(grt_time_words(3214000, text), "3.214 ms");
    expect(grt_time_words(999999, text), "999.999 us");
    expect(grt_time_words(999999600, text), "1 s"); /* rounded into the next unit */
    expect(grt_time_words(1234567891, text), "1.235 s");
    expect(grt_time_words(GRT_TIME_LIMIT, text), "1000000000 s");
    expect(grt_instant_words(1234567891, text), "1234.568 ms");
    expect(grt_instant_words(1234000000, text), "1.234 s");
    expect(grt_span_words(12300000, 15514000, text), "12.300 to 15.514 ms");
    expect(grt_span_words(0, 300000, text), "0 to 300 us");
    expect(grt_span_words(1000000000, 1000300000, text), "1000.0 to 1000.3 ms");
    expect(grt_span_words(2000000000, 3500000000, text), "2.0 to 3.5 s");
    expect(grt_span_words(-2000000, 1000000, text), "-2 to 1 ms");
    expect(grt_span_words(5000000, 5000000, text), "at 5 ms");
    expect(grt_span_words(GRT_TIME_LIMIT - 1, GRT_TIME_LIMIT, text), "at 1000000000000 ms");
}

/* ---- sentences ---- */

static void expect_sentence(const struct grt_timeline *timeline, struct grt_place place,
                            const char *expected) {
    char text[GRT_EXPLAIN_SIZE];
    size_t length = grt_explain(timeline, place, text, sizeof text);
    CU_ASSERT_EQUAL(length, strlen(text));
    expect(text, expected);
}

static void test_sentences_of_tasks(void) {
    struct grt_timeline timeline;
    build(&timeline);
    expect_sentence(
        &timeline, task_place(&timeline, DETECT, GRT_PART_WINDOW, 0),
        "Job 0 of detect was released at 1 ms and due at 10 ms, 9 ms later. It finished at 13 ms, "
        "3 ms after its deadline.");
    expect_sentence(
        &timeline, task_place(&timeline, DETECT, GRT_PART_WINDOW, 1),
        "Job 1 of detect was released at 20 ms and due at 30 ms, 10 ms later. It had not finished "
        "when the run ended at 25 ms, 5 ms before its deadline.");
    expect_sentence(&timeline, task_place(&timeline, TRACK, GRT_PART_WINDOW, 0),
                    "Job 0 of task 2 was released at 0 ms, without a deadline. It finished at 2 ms.");
    expect_sentence(
        &timeline, task_place(&timeline, DETECT, GRT_PART_JOB, 0),
        "Job 0 of detect: response time 13 ms, 0 to 13 ms. It could start 1 ms after its arrival. "
        "It finished 3 ms after its deadline.");
    expect_sentence(&timeline, task_place(&timeline, TRACK, GRT_PART_JOB, 1),
                    "Job 2 of task 2: alive for 2 ms, 22 to 24 ms. It was given up exactly at its deadline.");
    expect_sentence(
        &timeline, task_place(&timeline, DETECT, GRT_PART_SUSPENDED, 0),
        "GPU segment 1 of detect, job 0: 9 ms from request to completion, 3 to 12 ms. Its first copy "
        "began 3 ms after the request; meanwhile kernel icp of map ran for 3 ms.");
    expect_sentence(
        &timeline, task_place(&timeline, DETECT, GRT_PART_BLOCKED, 0),
        "Job 0 of detect was blocked for 3 ms, 3 to 6 ms. Its GPU segment waited while a less urgent "
        "one, last that of map, was still on the GPU.");
    expect_sentence(&timeline, task_place(&timeline, DETECT, GRT_PART_CPU, 0),
                    "Job 0 of detect computed for 1 ms on cpu 0, 2 to 3 ms. It had waited 1 ms since its "
                    "release; meanwhile task 2 computed there for 1 ms.");
    expect_sentence(
        &timeline, task_place(&timeline, MAP, GRT_PART_CPU, 0),
        "Job 0 of map computed for 1 ms on cpu 0, 11.5 to 12.5 ms. It had waited 5.5 ms since its GPU "
        "segment was completed. Then it was preempted; job 0 of detect ran next there.");
    expect_sentence(
        &timeline, task_place(&timeline, TRACK, GRT_PART_CPU, 1),
        "Job 2 of task 2 computed for 2 ms on a core of its own, 22 to 24 ms. It was cut short: its job "
        "was given up.");
    expect_sentence(
        &timeline, task_place(&timeline, DETECT, GRT_PART_CPU, 2),
        "Job 1 of detect computed for 5 ms on cpu 0, 20 to 25 ms. It was still going on when the run "
        "ended.");
    expect_sentence(
        &timeline, task_place(&timeline, DETECT, GRT_PART_MISS, 0),
        "detect missed the deadline of job 0 by 3 ms: it was blocked for 3 ms, last by map. The deadline "
        "was at 10 ms.");
    expect_sentence(
        &timeline, task_place(&timeline, TRACK, GRT_PART_SIGN, 0),
        "Job 1 of task 2 was skipped at 21 ms. The job before it was late, or one that it comes after "
        "was lost.");
    grt_timeline_free(&timeline);
}

static void test_sentences_of_the_gpu(void) {
    struct grt_timeline timeline;
    build(&timeline);
    const char *copy =
        "Copy to the device for detect, job 0: took 1 ms on engine copy, 6 to 7 ms. It had waited 3 "
        "ms since its request; meanwhile kernel icp of map ran for 3 ms.";
    expect_sentence(&timeline, task_place(&timeline, DETECT, GRT_PART_COPY, 0), copy);
    expect_sentence(&timeline, place_of(&timeline, GRT_ROW_ENGINE, 0, GRT_PART_COPY, 0), copy);
    expect_sentence(&timeline, task_place(&timeline, DETECT, GRT_PART_COPY, 1),
                    "Copy from the device for detect, job 0: took 1 ms on engine copy, 11 to 12 ms.");
    const char *kernel =
        "Kernel net of detect, job 0: ran for 3.5 ms with 3 blocks on 2 SMs in stream gpu, 7.5 to "
        "11.0 ms. It had waited 500 us since the copy before it ended.";
    expect_sentence(&timeline, task_place(&timeline, DETECT, GRT_PART_KERNEL, 0), kernel);
    expect_sentence(&timeline, place_of(&timeline, GRT_ROW_STREAM, 0, GRT_PART_KERNEL, 2), kernel);
    expect_sentence(&timeline, place_of(&timeline, GRT_ROW_STREAM, 0, GRT_PART_CALL, 0),
                    "Call record frame of detect, job 0, in stream gpu: passed at once, at 12 ms.");
    expect_sentence(
        &timeline, place_of(&timeline, GRT_ROW_SM, 0, GRT_PART_BLOCK, 1),
        "Block 1 of kernel net of detect, job 0: ran for 1.5 ms on SM 0, 7.5 to 9.0 ms. It held 8 of the "
        "SM's 64 warps.");
    expect_sentence(&timeline, place_of(&timeline, GRT_ROW_POLICY, 0, GRT_PART_OWN, 0),
                    "budget, on server: 5 ms, 0 to 5 ms, for map, job 0.");
    expect_sentence(&timeline, place_of(&timeline, GRT_ROW_POLICY, 0, GRT_PART_OWN_MARK, 0),
                    "budget, on server: at 5 ms.");
    grt_timeline_free(&timeline);
}

static void test_short_texts(void) {
    struct grt_timeline timeline;
    char text[GRT_EXPLAIN_SIZE], whole[GRT_EXPLAIN_SIZE];
    build(&timeline);
    struct grt_place place = task_place(&timeline, DETECT, GRT_PART_SUSPENDED, 0);
    size_t length = grt_explain(&timeline, place, whole, sizeof whole);
    for (size_t size = 1; size <= length + 1; size++) {
        CU_ASSERT_EQUAL(grt_explain(&timeline, place, text, size), size - 1);
        CU_ASSERT(strlen(text) == size - 1 && strncmp(text, whole, size - 1) == 0);
    }
    CU_ASSERT_EQUAL(grt_explain(&timeline, grt_place_none(), text, sizeof text), 0);
    CU_ASSERT_EQUAL(grt_explain(&timeline, (struct grt_place){0, 0, 99}, text, sizeof text), 0);
    CU_ASSERT_EQUAL(grt_explain(&timeline, (struct grt_place){0, 99, 0}, text, sizeof text), 0);
    CU_ASSERT_STRING_EQUAL(text, "");
    grt_timeline_free(&timeline);
}

/* ---- the way of a job ---- */

static const struct expected_step {
    enum grt_step_kind kind;
    enum grt_row_kind row;
    grt_time begin, end; /* us */
    uint32_t after, count;
} expected_steps[] = {
    {GRT_STEP_RELEASE, GRT_ROW_TASK, 1000, 1000, GRT_NO_STEP, 1},
    {GRT_STEP_CPU, GRT_ROW_CORE, 2000, 3000, 0, 1},
    {GRT_STEP_REQUEST, GRT_ROW_TASK, 3000, 3000, 1, 1},
    {GRT_STEP_BLOCKED, GRT_ROW_TASK, 3000, 6000, 2, 1},
    {GRT_STEP_COPY, GRT_ROW_ENGINE, 6000, 7000, 2, 1},
    {GRT_STEP_KERNEL, GRT_ROW_STREAM, 7500, 11000, 4, 1},
    {GRT_STEP_BLOCKS, GRT_ROW_SM, 7500, 11000, 5, 2},
    {GRT_STEP_DEADLINE, GRT_ROW_TASK, 10000, 10000, GRT_NO_STEP, 1},
    {GRT_STEP_MISS, GRT_ROW_TASK, 10000, 10000, GRT_NO_STEP, 1},
    {GRT_STEP_BLOCKS, GRT_ROW_SM, 10000, 11000, 5, 1},
    {GRT_STEP_COPY, GRT_ROW_ENGINE, 11000, 12000, 5, 1},
    {GRT_STEP_CALL, GRT_ROW_STREAM, 12000, 12000, 10, 1},
    {GRT_STEP_CPU, GRT_ROW_CORE, 12500, 13000, 11, 1},
    {GRT_STEP_FINISH, GRT_ROW_TASK, 13000, 13000, 12, 1},
};

static void test_chain(void) {
    struct grt_timeline timeline;
    struct grt_chain chain = {.count = 0};
    build(&timeline);
    CU_ASSERT_FATAL(grt_chain_find(&timeline, DETECT, 0, &chain));
    CU_ASSERT_FALSE(chain.cut);
    CU_ASSERT_EQUAL_FATAL(chain.count, COUNT(expected_steps));
    for (uint32_t i = 0; i < chain.count; i++) {
        const struct grt_step *step = &chain.steps[i];
        const struct expected_step *expected = &expected_steps[i];
        CU_ASSERT_EQUAL(step->kind, expected->kind);
        CU_ASSERT_EQUAL(timeline.rows[step->place.row].kind, expected->row);
        CU_ASSERT_EQUAL(step->begin, expected->begin * 1000);
        CU_ASSERT_EQUAL(step->end, expected->end * 1000);
        CU_ASSERT_EQUAL(step->after, expected->after);
        CU_ASSERT_EQUAL(step->count, expected->count);
    }
    struct grt_place block = place_of(&timeline, GRT_ROW_SM, 0, GRT_PART_BLOCK, 2);
    CU_ASSERT_EQUAL(grt_chain_step_at(&timeline, &chain, block), 6);
    CU_ASSERT(grt_chain_outline(&timeline, DETECT, 0, &chain) && chain.count == COUNT(expected_steps) - 2);
    CU_ASSERT(grt_chain_find(&timeline, TRACK, 1, &chain) && chain.count == 1);
    CU_ASSERT_EQUAL(chain.steps[0].kind, GRT_STEP_SKIP);
    CU_ASSERT_FALSE(grt_chain_find(&timeline, DETECT, 7, &chain));
    CU_ASSERT_FALSE(grt_chain_find(&timeline, 9, 0, &chain));
    grt_chain_free(&chain);
    grt_timeline_free(&timeline);
}

/* From the release over all steps but the second SM and the deadline, and back. */
static void test_walk_along_job(void) {
    static const uint32_t way[] = {0, 1, 2, 3, 4, 5, 6, 8, 10, 11, 12, 13};
    struct grt_timeline timeline;
    struct grt_chain chain = {.count = 0};
    build(&timeline);
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
    grt_chain_free(&chain);
    grt_timeline_free(&timeline);
}

static void test_walks(void) {
    struct grt_timeline timeline;
    uint32_t task, job;
    build(&timeline);
    struct grt_place block = place_of(&timeline, GRT_ROW_SM, 0, GRT_PART_BLOCK, 1);
    CU_ASSERT(grt_place_job(&timeline, block, &task, &job) && task == DETECT && job == 0);
    struct grt_place mark = place_of(&timeline, GRT_ROW_POLICY, 0, GRT_PART_OWN_MARK, 0);
    CU_ASSERT_FALSE(grt_place_job(&timeline, mark, &task, &job));
    CU_ASSERT(
        grt_place_is(grt_walk_jobs(&timeline, block, 1), task_place(&timeline, DETECT, GRT_PART_JOB, 1)));
    struct grt_place none = grt_walk_jobs(&timeline, block, -1);
    CU_ASSERT_FALSE(grt_place_is_some(&none));
    CU_ASSERT(grt_place_is(grt_place_beside(&timeline, block, -1),
                           place_of(&timeline, GRT_ROW_SM, 0, GRT_PART_BLOCK, 0)));
    none = grt_place_beside(&timeline, place_of(&timeline, GRT_ROW_SM, 0, GRT_PART_BLOCK, 0), -1);
    CU_ASSERT_FALSE(grt_place_is_some(&none));
    struct grt_place first = task_place(&timeline, DETECT, GRT_PART_MISS, 0),
                     second = task_place(&timeline, TRACK, GRT_PART_MISS, 0);
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
        const struct grt_trace_record end = FROM(i, 10 + i, FINISH, 0, jobs[i], 0, 0, 0);
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
        const struct grt_trace_record stay = FROM(2 * i, 2 * i + 1, CPU, 0, 0, 0, 0, GRT_TRACE_PREEMPTED);
        grt_timeline_sink.write(&timeline, &stay, 1);
    }
    const struct grt_trace_record end = FROM(0, 2 * STAYS, FINISH, 0, 0, 0, 0, 0);
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
    build(&timeline);
    CU_ASSERT_FATAL(grt_cause_find(&timeline, 0, &cause));
    for (uint32_t i = 0; i < GRT_CAUSE_PARTS; i++) {
        CU_ASSERT_EQUAL(cause.parts[i], parts[i] * 1000);
    }
    CU_ASSERT(cause.chief == GRT_CAUSE_BLOCKED && !cause.own_work && !cause.cut);
    CU_ASSERT(cause.others[GRT_CAUSE_BLOCKED].task == MAP && cause.others[GRT_CAUSE_BLOCKED].time == 3000000);
    CU_ASSERT(cause.others[GRT_CAUSE_SHARED].task == MAP && cause.others[GRT_CAUSE_SHARED].time == 1000000);
    CU_ASSERT(cause.others[GRT_CAUSE_CORE].task == TRACK && cause.others[GRT_CAUSE_CORE].time == 1000000);
    CU_ASSERT_EQUAL(cause.others[GRT_CAUSE_GPU].task, GRT_TRACE_NO_TASK);
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
        {GRT_CAUSE_JITTER,
         "detect missed the deadline of job 0 by 3 ms: it could start only 1 ms after its arrival."},
        {GRT_CAUSE_CORE,
         "detect missed the deadline of job 0 by 3 ms: it waited 1.5 ms for a core, while task 2 "
         "computed for 1 ms."},
        {GRT_CAUSE_GPU, "detect missed the deadline of job 0 by 3 ms: it waited 500 us for the GPU."},
        {GRT_CAUSE_SHARED,
         "detect missed the deadline of job 0 by 3 ms: its kernels shared the GPU with others for 1 "
         "ms, longest those of map, for 1 ms."},
        {GRT_CAUSE_EARLIER,
         "detect missed the deadline of job 0 by 3 ms: for 0 ms the job before it was not finished."},
    };
    build(&timeline);
    CU_ASSERT_FATAL(grt_cause_find(&timeline, 0, &cause));
    for (size_t i = 0; i < COUNT(cases); i++) {
        cause.chief = cases[i].chief;
        expect(grt_cause_text(&timeline, &cause, text), cases[i].expected);
    }
    CU_ASSERT_FATAL(grt_cause_find(&timeline, 1, &cause));
    expect(grt_cause_text(&timeline, &cause, text),
           "task 2 gave up job 2 at its deadline: its own work took 2 ms.");
    CU_ASSERT_FATAL(grt_cause_of_job(&timeline, DETECT, 1, &cause));
    expect(
        grt_cause_text(&timeline, &cause, text),
        "detect had not finished job 1 when the run ended 5 ms before its deadline: its own work took 5 ms.");
    cause.own_work = true;
    cause.end = 35 * GRT_MILLISECOND;
    expect(grt_cause_text(&timeline, &cause, text),
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
        AT(0, RELEASE, 0, 0, 1000),
        AT(1000, RELEASE, 0, 1, 2000),
        AT(2000, RELEASE, 0, 2, 3000),
        FROM(0, 3000, CPU, 0, 0, 0, 0, 0),
        FROM(0, 3000, FINISH, 0, 0, 0, 0, GRT_TRACE_LATE),
        FROM(3000, 5000, CPU, 0, 1, 0, 0, 0),
        FROM(1000, 5000, FINISH, 0, 1, 0, 0, GRT_TRACE_LATE),
        FROM(5000, 7000, CPU, 0, 2, 0, 0, 0),
        FROM(2000, 7000, FINISH, 0, 2, 0, 0, GRT_TRACE_LATE),
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
        expect(grt_cause_text(&timeline, &cause, text), expected[i]);
    }
    grt_timeline_free(&timeline);
}

/* Jobs 0 to 3 end 1, 5, 5 and 9 ms late; 2 is given up, 3 has not finished; 4 is as late as 1 and later. Job 1 waits for job
 * 0 from 2 to 6 ms. */
static void test_worst_first(void) {
    static const struct grt_trace_name one[] = {{GRT_NAME_TASK, 0, 0, 0, 0, "a"}};
    static const struct grt_trace_record late[] = {
        AT(0, RELEASE, 0, 0, 5000),
        AT(2000, RELEASE, 0, 1, 3000),
        FROM(0, 6000, FINISH, 0, 0, 0, 0, GRT_TRACE_LATE),
        FROM(2000, 8000, FINISH, 0, 1, 0, 0, GRT_TRACE_LATE),
        AT(9000, RELEASE, 0, 2, 10000),
        AT(10000, MISS, 0, 2, 10000),
        AT(12000, RELEASE, 0, 4, 15000),
        AT(14000, RELEASE, 0, 3, 21000),
        FROM(9000, 15000, ABORT, 0, 2, 0, 0, 0),
        FROM(12000, 20000, FINISH, 0, 4, 0, 0, GRT_TRACE_LATE),
        FROM(14000, 30000, UNFINISHED, 0, 3, 0, 0, GRT_TRACE_LATE | GRT_TRACE_OPEN),
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
    {"times have a fitting unit and three digits behind the point", test_times},
    {"sentences about tasks", test_sentences_of_tasks},
    {"sentences about the GPU and the policy", test_sentences_of_the_gpu},
    {"sentences are cut to their room", test_short_texts},
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
