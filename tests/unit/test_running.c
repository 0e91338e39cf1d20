/* What runs: its text, which has to be that of grt_time_text at every instant, and when worlds and analyses say that they do. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "models/analysis.h"
#include "models/world/policy_question.h"
#include "sim/running.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

static const char *text_at(grt_time now) {
    static char text[128];
    const struct grt_running running = {.what = "policy", .name = "mine", .file = "./mine.so", .now = &now};
    return grt_running_text(&running, " ended", text, sizeof text);
}

static void times_are_written_as_elsewhere(void) {
    static const grt_time times[] = {0,        1,       999,       1000,       1010,
                                     12345000, 1000000, 999999999, 1000000000, 61000000007};
    char expected[128], time[GRT_TIME_TEXT_SIZE];
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        snprintf(expected, sizeof expected, "policy mine (./mine.so) ended at %s",
                 grt_time_text(times[i], time));
        CU_ASSERT_STRING_EQUAL(text_at(times[i]), expected);
    }
    CU_ASSERT_STRING_EQUAL(text_at(12345000), "policy mine (./mine.so) ended at 12.345ms");
}

static void what_there_is_not_is_left_out(void) {
    char text[64], small[8];
    const struct grt_running analysis = {.what = "analysis", .name = "proof"},
                             early = {.what = "policy", .name = "mine", .when = "before the first instant"};
    CU_ASSERT_STRING_EQUAL(grt_running_text(&analysis, "", text, sizeof text), "analysis proof");
    CU_ASSERT_STRING_EQUAL(grt_running_text(&early, " crashed", text, sizeof text),
                           "policy mine crashed before the first instant");
    CU_ASSERT_STRING_EQUAL(grt_running_text(&early, "", small, sizeof small), "policy ");
}

/* A path that fills every buffer hides neither the instant nor the file's name, and moves no cursor. */
static void long_and_strange_paths(void) {
    char path[4001] = "", text[GRT_RUNNING_TEXT_SIZE];
    const grt_time now = 5;
    const struct grt_running running = {.what = "policy", .name = "mine", .file = path, .now = &now};
    memset(path, 'd', sizeof path - 1);
    memcpy(path + sizeof path - 1 - strlen("/\x1b[2J\xc3\xa4.so"), "/\x1b[2J\xc3\xa4.so",
           strlen("/\x1b[2J\xc3\xa4.so"));
    grt_running_text(&running, " ended", text, sizeof text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "policy mine (...ddd"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "ddd/\\x1b[2J\xc3\xa4.so) ended at 5ns"));
    memset(path, '\x01', sizeof path - 1);
    grt_running_text(&running, " ended", text, sizeof text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\\x01\\x01) ended at 5ns"));
    memset(path, '\xa4', sizeof path - 1); /* no character begins */
    CU_ASSERT_STRING_EQUAL(grt_running_text(&running, "", text, sizeof text), "policy mine (...) at 5ns");
}

static void the_last_that_began_is_said(void) {
    const struct grt_running outer = {.what = "policy", .name = "outer"},
                             inner = {.what = "policy", .name = "inner"};
    CU_ASSERT_PTR_NULL(grt_running_now());
    const struct grt_running *before = grt_running_begin(&outer), *between = grt_running_begin(&inner);
    CU_ASSERT_PTR_EQUAL(grt_running_now(), &inner);
    grt_running_end(between);
    CU_ASSERT_PTR_EQUAL(grt_running_now(), &outer);
    grt_running_end(before);
    CU_ASSERT_PTR_NULL(grt_running_now());
}

/* ---- worlds and analyses ---- */

/* What the operations of the policy below found. */
static char seen[512];

static void note(const char *where) {
    char text[96] = "nothing";
    if (grt_running_now() != NULL) {
        grt_running_text(grt_running_now(), "", text, sizeof text);
    }
    snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s: %s\n", where, text);
}

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    *(grt_stream *)state = grt_policy_stream(world, 0, 0, "gpu");
    grt_policy_average_time(world, 0, 0, 1); /* a world of its own in between */
    note("start");
    return errors != NULL;
}

static void gpu_done(void *state, struct grt_world *world, grt_job job) {
    (void)state, (void)world, (void)job;
    note("done");
}

static void gpu_request(void *state, struct grt_world *world, grt_job job) {
    (void)state, (void)world, (void)job;
    note("request");
}

static void decide(void *state, struct grt_world *world) {
    if (grt_policy_now(world) == 0) {
        grt_policy_submit(world, 0, *(grt_stream *)state);
    }
}

static const void *prepare(const struct grt_scenario *scenario, const void *parameters,
                           struct grt_arena *arena) {
    (void)scenario, (void)parameters;
    note("prepare");
    return grt_arena_new(arena, int);
}

static bool trains(const void *parameters) {
    note("trains");
    return parameters == NULL;
}

static struct grt_promise promised(const void *parameters) {
    (void)parameters;
    note("promised");
    return (struct grt_promise){.gpu = GRT_PROMISE_ONE};
}

static bool adapt(struct grt_scenario *scenario, const void *parameters, struct grt_arena *arena,
                  struct grt_errors *errors) {
    (void)scenario, (void)parameters, (void)arena;
    note("adapt");
    return errors != NULL;
}

/* Asked by others than a world. */
static void who_asks_says_the_policy(void) {
    static const struct grt_policy_ops asked = {
        .name = "asked", .prepare = prepare, .trains = trains, .promised = promised, .adapt = adapt};
    const struct grt_scenario scenario = {0};
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    seen[0] = '\0';
    CU_ASSERT_PTR_NOT_NULL(grt_world_prepare(&scenario, &asked, NULL, &arena));
    CU_ASSERT_TRUE(grt_policy_trains(&asked, NULL));
    CU_ASSERT_EQUAL(grt_policy_promise(&asked, NULL).gpu, GRT_PROMISE_ONE);
    CU_ASSERT_PTR_NOT_NULL(grt_adapted(&scenario, &asked, NULL, &arena, &errors));
    CU_ASSERT_STRING_EQUAL(seen, "prepare: policy asked before the first instant\n"
                                 "trains: policy asked before the first instant\n"
                                 "promised: policy asked before the first instant\n"
                                 "adapt: policy asked before the first instant\n");
    CU_ASSERT_PTR_NULL(grt_running_now());
    grt_arena_clear(&arena);
}

static const struct grt_policy_ops noting = {.name = "noting",
                                             .plugin = "./n.so",
                                             .summary = "notes what runs",
                                             .state_size = sizeof(grt_stream),
                                             .start = start,
                                             .gpu_request = gpu_request,
                                             .gpu_done = gpu_done,
                                             .decide = decide};

static void worlds_say_their_policy(void) {
    struct grt_builder *builder = grt_builder_create(100000);
    grt_builder_gpu(builder, grt_built_exclusive());
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_at(builder, task, 0);
    grt_builder_whole(builder, task, 2500);
    struct grt_built_run run;
    seen[0] = '\0';
    grt_built_run_start(&run, &builder->scenario, &noting, false);
    CU_ASSERT_PTR_NOT_NULL(run.result);
    CU_ASSERT_STRING_EQUAL(seen, "start: policy noting (./n.so) before the first instant\n"
                                 "request: policy noting (./n.so) at 0s\n"
                                 "done: policy noting (./n.so) at 2.5us\n");
    CU_ASSERT_PTR_NULL(grt_running_now());
    grt_built_run_end(&run, builder);
}

static void analyse(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    (void)set;
    result->failing = GRT_ANALYSIS_NO_TASK;
    note("run");
}

static void analyses_say_their_name(void) {
    const struct grt_analysis_ops proof = {.name = "proof", .run = analyse};
    const struct grt_analysis_set set = {0};
    struct grt_analysis_result result = {0};
    seen[0] = '\0';
    grt_analysis_run(&proof, &set, &result);
    CU_ASSERT_STRING_EQUAL(seen, "run: analysis proof\n");
    CU_ASSERT_PTR_NULL(grt_running_now());
}

int main(void) {
    CU_TestInfo tests[] = {
        {"times are written as elsewhere", times_are_written_as_elsewhere},
        {"what there is not is left out", what_there_is_not_is_left_out},
        {"long and strange paths", long_and_strange_paths},
        {"who asks says the policy", who_asks_says_the_policy},
        {"the last that began is said", the_last_that_began_is_said},
        {"worlds say their policy", worlds_say_their_policy},
        {"analyses say their name", analyses_say_their_name},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("what runs", tests);
}
