/* Why a job was late that waited for the GPU, in words, of traces of a few slices: for how long it was blocked and waited, who used the
 * GPU, and what else took its time. */
#include <string.h>

#include "tests/support/answer_trace.h"
#include "tests/support/small_timeline.h"
#include "tests/support/suite.h"
#include "viz/answers/cause.h"
#include "viz/answers/chain.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { LATE, A, B, C, D };

static const struct grt_trace_name names[] = {
    {.kind = GRT_NAME_TASK, .index = LATE, .text = "late"}, {.kind = GRT_NAME_TASK, .index = A, .text = "a"},
    {.kind = GRT_NAME_TASK, .index = B, .text = "b"},       {.kind = GRT_NAME_TASK, .index = C, .text = "c"},
    {.kind = GRT_NAME_TASK, .index = D, .text = "d"},
};

/* Times in us. The job asks for the GPU at 0, has it from the given instant to its end, and had 10 ms. */
#define RELEASED GRT_RECORD_AT(0, RELEASE, LATE, 0, 10000)
#define KERNEL(from, to, task) GRT_RECORD_FROM(from, to, KERNEL, task, 0, 0, GRT_COMMAND(0, 0), 0)
#define COPY(from, to, task) GRT_RECORD_FROM(from, to, COPY, task, 0, 0, GRT_COMMAND(0, 1), 0)
#define BLOCKED(to, by) GRT_RECORD_FROM(0, to, BLOCKED, LATE, 0, by, 0, 0)
#define ENDS(from, to)                                                                                       \
    KERNEL(from, to, LATE), GRT_RECORD_FROM(0, to, GPU_SEGMENT, LATE, 0, 0, 0, 0),                           \
        GRT_RECORD_FROM(0, to, FINISH, LATE, 0, 0, 0, GRT_TRACE_LATE)

static void expect_with(const struct grt_trace_name *named, size_t name_count,
                        const struct grt_trace_record *records, size_t count, const char *expected) {
    struct grt_timeline timeline;
    struct grt_cause cause;
    char text[GRT_CAUSE_TEXT];
    grt_small_timeline(&timeline, named, name_count, records, count);
    CU_ASSERT_FATAL(grt_cause_of_job(&timeline, LATE, 0, &cause));
    grt_expect_text(grt_cause_text(&timeline, &cause, text), expected);
    grt_timeline_free(&timeline);
}

static void expect(const struct grt_trace_record *records, size_t count, const char *expected) {
    expect_with(names, COUNT(names), records, count, expected);
}

/* Blocked from 0 to 10 ms: by one task, of which the trace shows all, a part or nothing, or another. */
static void blocked_by_one(void) {
    static const struct grt_trace_record all[] = {RELEASED, KERNEL(0, 10000, A), BLOCKED(10000, A),
                                                  ENDS(10000, 13000)},
                                         part[] = {RELEASED, KERNEL(5000, 9000, A), BLOCKED(10000, A),
                                                   ENDS(10000, 13000)},
                                         nothing[] = {RELEASED, BLOCKED(10000, A), ENDS(10000, 13000)},
                                         another[] = {RELEASED, KERNEL(0, 10000, B), BLOCKED(10000, A),
                                                      ENDS(10000, 13000)};
    expect(all, COUNT(all), "late missed the deadline of job 0 by 3 ms: it was blocked for 10 ms by a.");
    expect(part, COUNT(part),
           "late missed the deadline of job 0 by 3 ms: it was blocked for 10 ms by a, which used the GPU for "
           "4 ms.");
    expect(nothing, COUNT(nothing),
           "late missed the deadline of job 0 by 3 ms: it was blocked for 10 ms, last by a.");
    expect(another, COUNT(another),
           "late missed the deadline of job 0 by 3 ms: it was blocked for 10 ms by less urgent work, while b "
           "used the GPU for 10 ms.");
}

/* a to 6 ms, then b, to the end: b alone blocked last, but a was there longer. Copies count. */
static void blocked_by_several(void) {
    static const struct grt_trace_record two[] = {RELEASED, KERNEL(0, 6000, A), KERNEL(6000, 10000, B),
                                                  BLOCKED(10000, B), ENDS(10000, 13000)},
                                         three[] = {RELEASED,
                                                    COPY(0, 1000, C),
                                                    KERNEL(1000, 3000, A),
                                                    KERNEL(3000, 10000, B),
                                                    BLOCKED(10000, B),
                                                    ENDS(10000, 13000)},
                                         four[] = {RELEASED,
                                                   KERNEL(0, 1000, D),
                                                   KERNEL(1000, 3000, A),
                                                   KERNEL(3000, 6000, C),
                                                   KERNEL(6000, 10000, B),
                                                   BLOCKED(10000, B),
                                                   ENDS(10000, 13000)};
    expect(two, COUNT(two),
           "late missed the deadline of job 0 by 3 ms: it was blocked for 10 ms by less urgent work, while a "
           "used the GPU for 6 ms and b for 4 ms.");
    expect(three, COUNT(three),
           "late missed the deadline of job 0 by 3 ms: it was blocked for 10 ms by less urgent work, while b "
           "used the GPU for 7 ms, a for 2 ms and c for 1 ms.");
    expect(four, COUNT(four),
           "late missed the deadline of job 0 by 3 ms: it was blocked for 10 ms by less urgent work, while b "
           "used the GPU for 4 ms, c for 3 ms, a for 2 ms and others for less.");
}

/* A copy of its own from 4 to 5 ms while it is blocked: the time is that of the step, 10 ms, and others' work is counted for the
 * other 9. */
static void own_work_within(void) {
    static const struct grt_trace_record own[] = {RELEASED, COPY(4000, 5000, LATE), KERNEL(0, 10000, A),
                                                  BLOCKED(10000, A), ENDS(10000, 13000)},
                                         waited[] = {
                                             RELEASED,          COPY(4000, 5000, LATE), KERNEL(0, 10000, A),
                                             BLOCKED(10000, A), KERNEL(0, 12000, B),    ENDS(12000, 13000)};
    expect(own, COUNT(own),
           "late missed the deadline of job 0 by 3 ms: it was blocked for 10 ms by a (1 ms of it at work of "
           "its own).");
    expect(
        waited, COUNT(waited),
        "late missed the deadline of job 0 by 3 ms: it waited 11 ms for the GPU, 9 ms of it blocked by less "
        "urgent work (blocked for 10 ms, 1 ms of that at work of its own); meanwhile b used it for 11 ms "
        "and a for 9 ms.");
}

/* Blocked to 5 ms only, then behind others in a queue; or never blocked. */
static void waited_for_all(void) {
    static const struct grt_trace_record queue[] = {RELEASED,
                                                    KERNEL(0, 5000, A),
                                                    BLOCKED(5000, A),
                                                    KERNEL(5000, 8000, B),
                                                    KERNEL(8000, 10000, C),
                                                    ENDS(10000, 13000)},
                                         never[] = {RELEASED, KERNEL(0, 10000, A), ENDS(10000, 13000)};
    expect(
        queue, COUNT(queue),
        "late missed the deadline of job 0 by 3 ms: it waited 10 ms for the GPU, 5 ms of it blocked by less "
        "urgent work; meanwhile a used it for 5 ms, b for 3 ms and c for 2 ms.");
    expect(
        never, COUNT(never),
        "late missed the deadline of job 0 by 3 ms: it waited 10 ms for the GPU, while a used it for 10 ms.");
}

/* Where processes take turns a kernel may last while it is switched out; of several GPUs nothing says who uses which. */
static void on_some_gpu(void) {
    static const struct grt_trace_record records[] = {RELEASED, KERNEL(0, 10000, A), ENDS(10000, 13000)};
    static const struct grt_trace_name turns[] = {{.kind = GRT_NAME_TASK, .index = LATE, .text = "late"},
                                                  {.kind = GRT_NAME_TASK, .index = A, .text = "a"},
                                                  {.kind = GRT_NAME_CONTEXT, .index = 0, .text = "p"}},
                                       several[] = {{.kind = GRT_NAME_TASK, .index = LATE, .text = "late"},
                                                    {.kind = GRT_NAME_TASK, .index = A, .text = "a"},
                                                    {.kind = GRT_NAME_SM, .index = 0, .text = "gpu0 SM 0"},
                                                    {.kind = GRT_NAME_SM, .index = 1, .text = "gpu1 SM 0"}};
    expect_with(
        turns, COUNT(turns), records, COUNT(records),
        "late missed the deadline of job 0 by 3 ms: it waited 10 ms for the GPU, while a was on it for 10 "
        "ms.");
    expect_with(
        several, COUNT(several), records, COUNT(records),
        "late missed the deadline of job 0 by 3 ms: it waited 10 ms for the GPU, while a was on a GPU for "
        "10 ms.");
}

/* 13 ms late, of which 12 were waiting: without the wait it would have been 1 ms late, for it waited for a core for 3 ms. */
static void late_for_more(void) {
    static const struct grt_trace_record records[] = {
        RELEASED,
        GRT_RECORD_FROM(3000, 5000, CPU, LATE, 0, 0, 0, 0),
        KERNEL(5000, 17000, A),
        GRT_RECORD_FROM(5000, 17000, BLOCKED, LATE, 0, A, 0, 0),
        KERNEL(17000, 23000, LATE),
        GRT_RECORD_FROM(5000, 23000, GPU_SEGMENT, LATE, 0, 0, 0, 0),
        GRT_RECORD_FROM(0, 23000, FINISH, LATE, 0, 0, 0, GRT_TRACE_LATE),
    };
    expect(records, COUNT(records),
           "late missed the deadline of job 0 by 13 ms: it was blocked for 12 ms by a; besides, its own work "
           "took 8 ms, it waited 3 ms for a core, and it had 10 ms.");
}

/* All that can be told, with the longest names and times: there is room. */
static void longest_sentence(void) {
    static char name[200];
    struct grt_trace_name long_names[D + 1];
    struct grt_timeline timeline;
    char text[GRT_CAUSE_TEXT];
    memset(name, 'x', sizeof name - 1);
    for (uint32_t i = 0; i <= D; i++) {
        long_names[i] = (struct grt_trace_name){.kind = GRT_NAME_TASK, .index = i, .text = name};
    }
    grt_small_timeline(&timeline, long_names, COUNT(long_names), NULL, 0);
    struct grt_cause cause = {.job = UINT32_MAX,
                              .arrival = -GRT_TIME_LIMIT,
                              .deadline = -GRT_TIME_LIMIT + 1234567891,
                              .end = GRT_TIME_LIMIT,
                              .kind = GRT_TRACE_UNFINISHED,
                              .chief = GRT_CAUSE_BLOCKED,
                              .blocked = GRT_TIME_LIMIT / 3};
    for (uint32_t part = 0; part < GRT_CAUSE_PARTS; part++) {
        cause.parts[part] = GRT_TIME_LIMIT / 5 - 123456789;
    }
    cause.users = grt_users_none();
    for (uint32_t i = A; i <= D; i++) {
        grt_users_add(&cause.users, (struct grt_other){i, GRT_TIME_LIMIT / 9 - 123456 * (grt_time)i});
    }
    grt_cause_text(&timeline, &cause, text);
    CU_ASSERT(strstr(text, "others for less; besides") != NULL && strstr(text, "and it had") != NULL);
    CU_ASSERT(strlen(text) < sizeof text - 100 && text[strlen(text) - 1] == '.');
    grt_timeline_free(&timeline);
}

/* The wait as a step: behind the copy, of which a had more than b; within what was blocked there is none. */
static void waits_as_steps(void) {
    static const struct grt_trace_record records[] = {
        RELEASED,
        KERNEL(0, 3000, A),
        KERNEL(3000, 4000, B),
        BLOCKED(4000, B),
        COPY(4000, 5000, LATE),
        KERNEL(5000, 7000, A),
        KERNEL(7000, 8000, B),
        KERNEL(8000, 9000, LATE),
        GRT_RECORD_FROM(9005, 9006, COPY, LATE, 0, 0, GRT_COMMAND(0, 2), GRT_TRACE_D2H),
        GRT_RECORD_FROM(0, 9006, GPU_SEGMENT, LATE, 0, 0, 0, 0),
        GRT_RECORD_FROM(0, 9006, FINISH, LATE, 0, 0, 0, 0),
    };
    static const char *const expected[] = {"release",
                                           "asks for the GPU",
                                           "blocked, last by b",
                                           "copy in",
                                           "waits 3 ms for the GPU, used longest by a",
                                           "kernel 0.0",
                                           "copy out",
                                           "completion",
                                           "deadline"};
    struct grt_timeline timeline;
    struct grt_chain chain = {.count = 0};
    char text[GRT_STEP_TEXT];
    grt_small_timeline(&timeline, names, COUNT(names), records, COUNT(records));
    CU_ASSERT_FATAL(grt_chain_find(&timeline, LATE, 0, &chain));
    CU_ASSERT_EQUAL_FATAL(chain.count, COUNT(expected));
    for (uint32_t i = 0; i < chain.count; i++) {
        grt_step_text(&timeline, &chain, i, text, sizeof text);
        grt_expect_text(text, expected[i]);
    }
    CU_ASSERT(chain.steps[4].begin == 5000000 && chain.steps[4].end == 8000000);
    CU_ASSERT_EQUAL(grt_chain_step_at(&timeline, &chain, chain.steps[4].place), 1);
    grt_chain_free(&chain);
    grt_timeline_free(&timeline);
}

static CU_TestInfo tests[] = {
    {"blocked by one task", blocked_by_one},
    {"blocked by several", blocked_by_several},
    {"work of its own while it was blocked", own_work_within},
    {"waited for the GPU in all", waited_for_all},
    {"processes that take turns, several GPUs", on_some_gpu},
    {"late for more than the chief part", late_for_more},
    {"there is room for the longest sentence", longest_sentence},
    {"waits are steps", waits_as_steps},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("wait-words", tests);
}
