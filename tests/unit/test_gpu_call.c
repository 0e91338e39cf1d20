/* Events and host functions, by the numbers of the rules (docs/gpu-model.md), one small case each, with times computed by
 * hand. The device and the words are those of tests/support/call_shorthand.h. */
#include "tests/support/call_shorthand.h"
#include "tests/support/suite.h"

/* ---- V: events ---- */

/* B waits for A's kernel, C for nothing. A's job hears of its record 1 ns later: nothing takes no time. */
static void v2_a_wait_holds_back_its_stream(void) {
    struct grt_builder *builder = start();
    struct grt_built_run run;
    struct grt_task *a = add(builder), *b = add(builder);
    kernel(builder, a, 10);
    call(builder, a, GRT_COMMAND_RECORD, "e");
    call(builder, b, GRT_COMMAND_WAIT, "e");
    kernel(builder, b, 5);
    kernel(builder, add(builder), 5);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_call_ran(&run, A, 0, 10, 10));
    CU_ASSERT(grt_built_call_ran(&run, B, 0, 0, 10));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 10, 15));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 0, 5));
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, A, 0), 11);
    grt_built_run_end(&run, builder);
}

/* B calls its wait before A calls its record: there is nothing to wait for; nor is there ever for C. */
static void v2_only_earlier_calls_count(void) {
    struct grt_builder *builder = start();
    struct grt_built_run run;
    struct grt_task *b = add(builder), *a = add(builder), *c = add(builder);
    call(builder, b, GRT_COMMAND_WAIT, "e");
    kernel(builder, b, 5);
    kernel(builder, a, 10);
    call(builder, a, GRT_COMMAND_RECORD, "e");
    call(builder, c, GRT_COMMAND_WAIT, "never recorded");
    kernel(builder, c, 5);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(begin_of(&run, A), 0);
    CU_ASSERT_EQUAL(begin_of(&run, C), 0);
    grt_built_run_end(&run, builder);
}

/* The last record that was called before counts: for B, at 0, A's, though C's is called at 5; for D, at 6, C's, though A's
 * completes first; at 200 it is long complete. */
static void v2_the_last_record_counts(void) {
    struct grt_builder *builder = start();
    struct grt_built_run run;
    struct grt_task *a = add(builder), *b = add(builder), *c = add_at(builder, 5), *d = add_at(builder, 6),
                    *e = add_at(builder, 200);
    kernel(builder, a, 10);
    call(builder, a, GRT_COMMAND_RECORD, "e");
    kernel(builder, c, 100);
    call(builder, c, GRT_COMMAND_RECORD, "e");
    struct grt_task *const waiting[] = {b, d, e};
    for (int i = 0; i < 3; i++) {
        call(builder, waiting[i], GRT_COMMAND_WAIT, "e");
        kernel(builder, waiting[i], 5);
    }
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(begin_of(&run, B), 10);
    CU_ASSERT_EQUAL(begin_of(&run, D), 105);
    CU_ASSERT_EQUAL(begin_of(&run, E), 200);
    grt_built_run_end(&run, builder);
}

/* Two records of one event, of which the later call completes first: whoever waits now waits for nothing. */
static void v2_a_later_record_that_is_complete_counts(void) {
    struct grt_builder *builder = start();
    struct grt_built_run run;
    struct grt_task *a = add(builder), *b = add(builder), *c = add_at(builder, 20);
    kernel(builder, a, 100);
    call(builder, a, GRT_COMMAND_RECORD, "e");
    kernel(builder, b, 10);
    call(builder, b, GRT_COMMAND_RECORD, "e");
    call(builder, c, GRT_COMMAND_WAIT, "e");
    kernel(builder, c, 5);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(begin_of(&run, C), 20);
    grt_built_run_end(&run, builder);
}

/* Events are a process's own. */
static void v1_events_of_a_process(void) {
    static const struct grt_process processes[] = {{.name = "p"}, {.name = "q"}};
    struct grt_builder *builder = start();
    struct grt_built_run run;
    struct grt_task *a = add(builder), *b = add(builder), *c = add(builder);
    builder->scenario.processes = processes;
    builder->scenario.process_count = 2;
    b->process = 1;
    kernel(builder, a, 10);
    call(builder, a, GRT_COMMAND_RECORD, "e");
    call(builder, b, GRT_COMMAND_WAIT, "e");
    grt_builder_copy(builder, b, GRT_COMMAND_H2D, 5);
    call(builder, c, GRT_COMMAND_WAIT, "e");
    grt_builder_copy(builder, c, GRT_COMMAND_H2D, 5);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, B, 0, 0, 5));
    CU_ASSERT(grt_built_copy_ran(&run, C, 0, 10, 15));
    grt_built_run_end(&run, builder);
}

/* A record behind a wait and so on: everything at one instant. */
static void v1_calls_take_no_time(void) {
    struct grt_builder *builder = start();
    struct grt_built_run run;
    struct grt_task *a = add(builder), *b = add_in(builder, "b"), *c = add_in(builder, "c");
    kernel(builder, a, 10);
    call(builder, a, GRT_COMMAND_RECORD, "1");
    call(builder, b, GRT_COMMAND_WAIT, "1");
    call(builder, b, GRT_COMMAND_RECORD, "2");
    call(builder, c, GRT_COMMAND_WAIT, "2");
    call(builder, c, GRT_COMMAND_RECORD, "3");
    struct grt_task *d = add_in(builder, "b");
    call(builder, d, GRT_COMMAND_WAIT, "3");
    kernel(builder, d, 5);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(begin_of(&run, D),
                    10); /* behind the job of B in its stream, which hears of its end at 11 */
    CU_ASSERT(grt_built_call_ran(&run, C, 1, 10, 10));
    grt_built_run_end(&run, builder);
}

/* A query waits for nothing. */
static void v3_a_query_waits_for_nothing(void) {
    struct grt_builder *builder = start();
    struct grt_built_run run;
    struct grt_task *a = add(builder), *b = add(builder);
    kernel(builder, a, 10);
    call(builder, a, GRT_COMMAND_RECORD, "e");
    call(builder, b, GRT_COMMAND_QUERY, "e");
    kernel(builder, b, 5);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(begin_of(&run, B), 0);
    grt_built_run_end(&run, builder);
}

/* One queue for all streams, which A's has when its head comes to wait for B: it gives it back. */
static void v4_a_wait_frees_the_queue(void) {
    struct grt_builder *builder = start();
    struct grt_built_run run;
    builder->gpus[0].hardware_queues = 1;
    struct grt_task *a = add_in(builder, "a"), *b = add(builder), *c = add_in(builder, "a");
    kernel(builder, a, 20);
    kernel(builder, b, 10);
    call(builder, b, GRT_COMMAND_RECORD, "e");
    call(builder, c, GRT_COMMAND_WAIT, "e");
    kernel(builder, c, 5);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 20, 30));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 30, 35));
    grt_built_run_end(&run, builder);
}

/* ---- aborts ---- */

/* A's record is gone at 20, though its kernel runs out: nobody waits for it any longer. */
static void a_dropped_record_is_not_waited_for(void) {
    struct grt_builder *builder = start();
    struct grt_built_run run;
    struct grt_task *a = add(builder), *b = add(builder), *c = add_at(builder, 30);
    kernel(builder, a, 100);
    call(builder, a, GRT_COMMAND_RECORD, "e");
    abort_at(a, 20);
    call(builder, b, GRT_COMMAND_WAIT, "e");
    kernel(builder, b, 5);
    call(builder, c, GRT_COMMAND_WAIT, "e");
    kernel(builder, c, 5);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(begin_of(&run, B), 20);
    CU_ASSERT_EQUAL(begin_of(&run, C), 30);
    grt_built_run_end(&run, builder);
}

/* Any one of three that wait gives up. */
static void a_dropped_wait_leaves_the_others(void) {
    for (uint32_t who = B; who <= D; who++) {
        struct grt_builder *builder = start();
        struct grt_built_run run;
        struct grt_task *a = add(builder);
        kernel(builder, a, 100);
        call(builder, a, GRT_COMMAND_RECORD, "e");
        for (uint32_t i = B; i <= D; i++) {
            struct grt_task *task = add(builder);
            call(builder, task, GRT_COMMAND_WAIT, "e");
            kernel(builder, task, 5);
            if (i == who) {
                abort_at(task, 20);
            }
        }
        grt_built_run_under(&run, builder, "hardware");
        for (uint32_t i = B; i <= D; i++) {
            if (i != who) {
                CU_ASSERT_EQUAL(begin_of(&run, i), 100);
            }
        }
        CU_ASSERT_EQUAL(grt_built_run_abort(&run, who, 0), 20);
        CU_ASSERT_PTR_NULL(grt_built_run_find(&run, GRT_TRACE_KERNEL, who, 0, 0));
        grt_built_run_end(&run, builder);
    }
}

/* A's host function runs out, B's has not begun and is gone: C's is the next. */
static void host_functions_run_out(void) {
    struct grt_builder *builder = start();
    struct grt_built_run run;
    for (uint32_t i = A; i <= C; i++) {
        struct grt_task *task = add(builder);
        grt_builder_callback(builder, task, 50);
        kernel(builder, task, 5);
        if (i != C) {
            abort_at(task, 20);
        }
    }
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_call_ran(&run, A, 0, 0, 50));
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_CALL, A, 0, 0)->flags, GRT_TRACE_ABORTED);
    CU_ASSERT_PTR_NULL(grt_built_run_find(&run, GRT_TRACE_CALL, B, 0, 0));
    CU_ASSERT(grt_built_call_ran(&run, C, 0, 50, 100));
    CU_ASSERT_EQUAL(grt_built_run_count(&run, GRT_TRACE_KERNEL), 1);
    grt_built_run_end(&run, builder);
}

/* The copy runs out, the calls behind it are never made. */
static void calls_of_an_aborted_job_are_not_made(void) {
    struct grt_builder *builder = start();
    struct grt_built_run run;
    struct grt_task *a = add(builder);
    grt_builder_sync_copy(builder, a, GRT_COMMAND_D2H, 100);
    kernel(builder, a, 5);
    abort_at(a, 20);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, A, 0, 0, 100));
    CU_ASSERT_EQUAL(grt_built_run_count(&run, GRT_TRACE_KERNEL), 0);
    CU_ASSERT_EQUAL(run.result->tasks[A].aborted, 1);
    grt_built_run_end(&run, builder);
}

/* ---- K: the host ---- */

/* Host functions hold back their own stream and are run one at a time: B's begins at 60. */
static void k1_host_functions(void) {
    struct grt_builder *builder = start();
    struct grt_built_run run;
    for (int i = 0; i < 2; i++) {
        struct grt_task *task = add(builder);
        kernel(builder, task, 10);
        grt_builder_callback(builder, task, i == 0 ? 50 : 30);
        kernel(builder, task, 10);
    }
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_call_ran(&run, A, 0, 10, 60));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 1, 60, 70));
    CU_ASSERT(grt_built_call_ran(&run, B, 0, 60, 90));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 1, 90, 100));
    grt_built_run_end(&run, builder);
}

static void k1_every_process_has_its_thread(void) {
    static const struct grt_process processes[] = {{.name = "p"}, {.name = "q"}};
    struct grt_builder *builder = start();
    struct grt_built_run run;
    builder->scenario.processes = processes;
    builder->scenario.process_count = 2;
    grt_builder_callback(builder, add(builder), 50);
    grt_builder_callback(builder, add(builder), 30);
    builder->tasks[B].process = 1;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_call_ran(&run, A, 0, 0, 50));
    CU_ASSERT(grt_built_call_ran(&run, B, 0, 0, 30));
    grt_built_run_end(&run, builder);
}

/* Times of host functions are drawn like those of kernels: within their bounds, not all the same. */
static void k1_random_times(void) {
    struct grt_builder *builder = start();
    struct grt_built_run run;
    for (int i = 0; i < 8; i++) {
        grt_builder_call(builder, add(builder), GRT_COMMAND_CALLBACK, NULL)->callback_time =
            (struct grt_distribution){.kind = GRT_UNIFORM, .min = 10, .max = 60};
    }
    grt_built_run_under(&run, builder, "hardware");
    int different = 0;
    grt_time first = 0;
    for (uint32_t i = 0; i < 8; i++) {
        const struct grt_trace_record *record = grt_built_run_find(&run, GRT_TRACE_CALL, i, 0, 0);
        grt_time took = record->time - record->other;
        first = i == 0 ? took : first;
        different += took != first;
        CU_ASSERT(took >= 10 && took <= 60);
    }
    CU_ASSERT(different > 0);
    grt_built_run_end(&run, builder);
}

/* ---- NULL stream, horizon auto ---- */

/* N2 for calls: the wait of a stream behind the NULL stream's kernel, and a record in the NULL stream. */
static void n1_n2_hold_for_calls(void) {
    struct grt_builder *builder = start();
    struct grt_built_run run;
    struct grt_task *a = add(builder), *b = add_in(builder, "null"), *c = add(builder);
    kernel(builder, a, 10);
    kernel(builder, b, 10);
    call(builder, b, GRT_COMMAND_RECORD, "e");
    call(builder, c, GRT_COMMAND_RECORD, "f");
    call(builder, c, GRT_COMMAND_WAIT, "e");
    kernel(builder, c, 5);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 10, 20));
    CU_ASSERT(grt_built_call_ran(&run, B, 0, 20, 20));
    CU_ASSERT_EQUAL(begin_of(&run, C),
                    20); /* the NULL stream is empty before its job has heard of its record */
    grt_built_run_end(&run, builder);
}

/* The state, calls and all, repeats after one period; with a longer kernel A falls behind for ever. */
static void states_repeat(void) {
    struct grt_builder *builder = start();
    struct grt_built_run run;
    struct grt_task *a = add(builder), *b = add(builder);
    builder->scenario.horizon_kind = GRT_HORIZON_AUTO;
    grt_builder_periodic(a, 100, 0);
    grt_builder_periodic(b, 100, 0);
    grt_builder_sync_copy(builder, a, GRT_COMMAND_D2H, 10);
    kernel(builder, a, 95); /* goes on into the next period */
    call(builder, a, GRT_COMMAND_RECORD, "e");
    grt_builder_callback(builder, b, 20);
    call(builder, b, GRT_COMMAND_WAIT, "e");
    kernel(builder, b, 5);
    a->priority = -1;
    a->deadline = b->deadline = 1000;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(!run.result->stopped_by_repeat); /* A takes 106 of 100: it never catches up */
    grt_built_run_free(&run);
    ((struct grt_command_spec *)(uintptr_t)&a->segments[0].commands[1])->kernel.block_time.max = 60;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(run.result->stopped_by_repeat);
    CU_ASSERT_EQUAL(run.result->end, 100);
    grt_built_run_end(&run, builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"V1: events of a process", v1_events_of_a_process},
        {"V1: calls take no time", v1_calls_take_no_time},
        {"V2: a wait holds back its stream", v2_a_wait_holds_back_its_stream},
        {"V2: only earlier calls count", v2_only_earlier_calls_count},
        {"V2: the last record counts", v2_the_last_record_counts},
        {"V2: a later record that is complete counts", v2_a_later_record_that_is_complete_counts},
        {"V3: a query waits for nothing", v3_a_query_waits_for_nothing},
        {"V4: a wait frees the queue", v4_a_wait_frees_the_queue},
        {"a dropped record is not waited for", a_dropped_record_is_not_waited_for},
        {"a dropped wait leaves the others", a_dropped_wait_leaves_the_others},
        {"host functions run out", host_functions_run_out},
        {"calls of an aborted job are not made", calls_of_an_aborted_job_are_not_made},
        {"K1: host functions", k1_host_functions},
        {"K1: every process has its thread", k1_every_process_has_its_thread},
        {"K1: random times", k1_random_times},
        {"N1, N2: hold for calls", n1_n2_hold_for_calls},
        {"states repeat", states_repeat},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("calls", tests);
}
