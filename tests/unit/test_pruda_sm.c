/* pruda-sm, worked by hand: parts of the GPU beside each other, jobs that need all of it, refusals. The device has SMs with room for two blocks of 1024
 * threads each, and no overheads; blocks on a wrong SM exit after 1 ns. */
#include <stdio.h>
#include <string.h>

#include "policies/pruda/parameters.h"
#include "policies/registry.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

static struct grt_built_run run;
static struct grt_builder *builder;
static struct pruda_pin_fields pins[GRT_BUILDER_TASKS];
static size_t pin_count;

static void start(int64_t sms) {
    builder = grt_builder_create(1000);
    grt_builder_gpu(builder, grt_built_device(sms));
    pin_count = 0;
}

/* A task of one kernel of blocks that fill half an SM. */
static struct grt_task *add(const char *name, int64_t priority, grt_time arrival, int64_t blocks,
                            grt_time block_time) {
    struct grt_task *task = grt_builder_task(builder, name);
    grt_builder_at(builder, task, arrival);
    grt_builder_kernel(builder, task, blocks, 1024, block_time);
    task->priority = priority;
    return task;
}

static void pin(const char *task, int64_t sm, int64_t sms) {
    pins[pin_count++] = (struct pruda_pin_fields){task, sm, sms};
}

static void play_with(struct pruda_parameters parameters) {
    parameters.pins = (struct grt_field_list){pins, pin_count};
    parameters.exit_time = 1;
    grt_built_run_start_with(&run, &builder->scenario, grt_policy_find("pruda-sm"), &parameters, false);
}

static void play(void) {
    play_with((struct pruda_parameters){.order = PRUDA_FP});
}

static void end(void) {
    grt_built_run_free(&run);
    grt_builder_free(builder);
}

static void finished_at(uint32_t task, grt_time instant) {
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, task, 0), instant);
}

static bool is_named(enum grt_trace_name_kind kind, uint32_t index, const char *name) {
    const char *text = grt_trace_memory_name(&run.kept, kind, index, 0, 0);
    return text != NULL && strcmp(text, name) == 0;
}

static bool stood_on(const char *row, const char *task, grt_time from, grt_time to) {
    for (size_t i = 0; i < run.kept.record_count; i++) {
        const struct grt_trace_record *record = &run.kept.records[i];
        if (record->kind == GRT_TRACE_ROW_SLICE && record->other == from && record->time == to &&
            is_named(GRT_NAME_ROW, record->row, row) && is_named(GRT_NAME_LABEL, record->detail, task)) {
            return true;
        }
    }
    return false;
}

/* Of the eight blocks of `a` two work on SM 0 for 20, and two at a time exit on SM 1, until 3. Until then `b` has to wait behind them (X1). Then
 * two of its blocks work on SM 1, and the others have to wait for SM 0. */
static void two_sms_are_two_cores(void) {
    start(2);
    add("a", 1, 0, 4, 10);
    add("b", 1, 0, 4, 10);
    pin("a", 0, 1);
    pin("b", 1, 1);
    play();
    finished_at(0, 20);
    finished_at(1, 23);
    CU_ASSERT(stood_on("sm0", "a", 0, 20));
    CU_ASSERT(stood_on("sm1", "b", 0, 23));
    CU_ASSERT_EQUAL(run.result->gpus[0].lost_items, 0);
    end();
}

/* A queue holds one job, and goes by the order. */
static void a_part_is_a_queue(void) {
    start(2);
    add("a", 1, 0, 4, 10);
    add("b", 1, 1, 4, 10);
    add("c", 2, 2, 4, 10);
    for (uint32_t i = 0; i < 3; i++) {
        pin(builder->tasks[i].name, 0, 1);
    }
    play();
    finished_at(0, 20);
    finished_at(2, 40);
    finished_at(1, 60);
    CU_ASSERT(stood_on("sm0-q", "b", 1, 40));
    end();
}

/* `all` needs both SMs and is the most urgent: it waits for `a`, and `next`, though its SM is free, for `all`. */
static void who_needs_all_waits_for_the_parts(void) {
    start(2);
    add("a", 1, 0, 4, 10);
    add("next", 1, 6, 4, 10);
    add("all", 2, 5, 4, 10);
    pin("a", 0, 1);
    pin("next", 1, 1);
    play();
    finished_at(0, 20);
    finished_at(2, 30);
    CU_ASSERT(stood_on("sm1-q", "next", 6, 30));
    CU_ASSERT(stood_on("rq", "all", 5, 20));
    CU_ASSERT(stood_on("l-sq", "all", 20, 30));
    end();
}

/* A pinned job that is more urgent goes first; one that has the whole GPU is not preempted by it, nor is it for anybody less urgent. */
static void who_needs_all_is_one_of_many(void) {
    start(2);
    add("all", 1, 0, 8, 10);
    add("pinned", 9, 5, 2, 10);
    add("more", 5, 6, 4, 10);
    pin("pinned", 0, 1);
    play();
    finished_at(0, 20);
    CU_ASSERT(stood_on("sm0", "pinned", 20, 30));
    CU_ASSERT(stood_on("l-sq", "more", 30, 40));
    end();
}

/* Without pins it is pruda-multi. */
static void who_needs_all_preempts_as_with_two_streams(void) {
    start(2);
    add("a", 1, 0, 8, 10);
    add("b", 3, 5, 4, 10);
    play();
    CU_ASSERT(stood_on("h-sq", "b", 5, 20));
    finished_at(0, 30);
    end();
}

static void best_effort_gives_way_everywhere(void) {
    start(2);
    add("best", 9, 0, 40, 10)->deadline = GRT_TIME_NEVER;
    add("other", 9, 0, 40, 10)->deadline = GRT_TIME_NEVER;
    add("hard", 1, 5, 4, 10);
    pin("best", 0, 1);
    pin("other", 1, 1);
    play_with((struct pruda_parameters){.order = PRUDA_FP, .abort = PRUDA_ABORT_BEST_EFFORT});
    CU_ASSERT_EQUAL(grt_built_run_abort(&run, 0, 0), 5);
    CU_ASSERT_EQUAL(grt_built_run_abort(&run, 1, 0), 5);
    CU_ASSERT(grt_built_run_finish(&run, 2, 0) <= 30);
    end();
}

/* As many parts as SMs, or of three SMs each, with work for 200: nothing is lost, and all are done by then, where one after the other takes 200 each. Without
 * visitors it were 200 on any number; but those of each grid are sent to what others leave, and the next grid waits behind them (X1). */
static void cores(int64_t sms, int64_t parts, int64_t width, grt_time by) {
    static char names[GRT_BUILDER_TASKS][8];
    start(sms);
    for (int64_t i = 0; i < parts; i++) {
        snprintf(names[i], sizeof names[i], "t%d", (int)i);
        add(names[i], 0, 0, 4 * width, 100);
        pin(names[i], i * width, width);
    }
    play();
    CU_ASSERT_PTR_NOT_NULL_FATAL(run.result);
    CU_ASSERT_EQUAL(run.result->gpus[0].lost_items, 0);
    for (uint32_t i = 0; i < parts; i++) {
        CU_ASSERT(grt_built_run_finish(&run, i, 0) >= 200);
        CU_ASSERT(grt_built_run_finish(&run, i, 0) <= by);
    }
    end();
}

static void many_sms_are_many_cores(void) {
    cores(1, 1, 1, 201);
    cores(2, 2, 1, 203);
    cores(8, 8, 1, 239);
    cores(132, 44, 3, 703);
}

/* ---- refusals ---- */

static void is_refused(const char *message) {
    play();
    bool same = run.world == NULL && run.errors.count > 0 && strcmp(run.errors.messages[0], message) == 0;
    if (!same) {
        grt_errors_print(&run.errors, stderr, "refused: ");
    }
    CU_ASSERT(same);
    grt_built_run_free(&run);
}

static void pins_that_are_impossible(void) {
    start(4);
    add("a", 1, 0, 4, 10);
    add("b", 1, 0, 4, 10);
    grt_builder_whole(builder, grt_builder_task(builder, "whole"), 10);
    pin("x", 0, 1);
    is_refused("policy.pins[0]: \"x\": no task with GPU segments has that name");
    pins[0] = (struct pruda_pin_fields){"a", 3, 2};
    is_refused("policy.pins[0]: \"a\": its GPU does not have these SMs");
    pins[0] = (struct pruda_pin_fields){"a", 1, 2};
    pin("b", 2, 2);
    is_refused("policy.pins[1]: \"b\": its SMs overlap those of another part");
    pins[1] = pins[0];
    is_refused("policy.pins[1]: \"a\": it is pinned already");
    pins[1] = (struct pruda_pin_fields){"whole", 3, 1};
    is_refused(
        "policy.pins: kernel \"whole\" is described by its time, which is for all SMs, and cannot be pinned");
    grt_builder_free(builder);
}

/* A kernel that the scenario pins stays where it says, within the SMs of its task: outside them it would be in other tasks' way. */
static void kernels_pinned_by_the_scenario(void) {
    static const int64_t second[] = {1};
    start(4);
    struct grt_kernel *kernel = grt_builder_kernel(builder, grt_builder_task(builder, "a"), 8, 1024, 10);
    kernel->sms = (struct grt_number_list){second, 1};
    kernel->items = 2;
    kernel->exit_time = 1;
    pin("a", 2, 2);
    is_refused("policy.pins: kernel \"a\" has \"sms\" of its own outside the SMs of its task, and cannot be "
               "pinned");
    pins[0] = (struct pruda_pin_fields){"a", 0, 1};
    is_refused("policy.pins: kernel \"a\" has \"sms\" of its own outside the SMs of its task, and cannot be "
               "pinned");
    pins[0] = (struct pruda_pin_fields){"a", 0, 2};
    play();
    finished_at(0, 10);
    end();
}

int main(void) {
    CU_TestInfo tests[] = {
        {"two SMs are two cores", two_sms_are_two_cores},
        {"a part is a queue", a_part_is_a_queue},
        {"who needs all waits for the parts", who_needs_all_waits_for_the_parts},
        {"who needs all is one of many", who_needs_all_is_one_of_many},
        {"who needs all preempts as with two streams", who_needs_all_preempts_as_with_two_streams},
        {"best effort gives way everywhere", best_effort_gives_way_everywhere},
        {"many SMs are many cores", many_sms_are_many_cores},
        {"pins that are impossible", pins_that_are_impossible},
        {"kernels pinned by the scenario", kernels_pinned_by_the_scenario},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("PRUDA's SMs as cores", tests);
}
