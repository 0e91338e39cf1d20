/* Jobs' threads under a lock (GRT_HOST_BY_THREAD): when they ask, busy-wait and are boosted, worked out by hand. */
#include "tests/support/host_case.h"
#include "tests/support/suite.h"

enum {
    A,
    B,
    PREEMPTED = GRT_TRACE_PREEMPTED,
    ABORTED = GRT_TRACE_ABORTED,
    SPIN = GRT_TRACE_SPIN,
    OVERHEAD = GRT_TRACE_OVERHEAD
};

static void lock_run(struct grt_built_run *run, const struct grt_builder *builder, int64_t boost,
                     bool spins) {
    const union grt_test_host_parameters parameters = {.lock = {.boost = boost, .spins = spins}};
    host_run(run, builder, &grt_test_lock_policy, &parameters);
}

static void asked_at(const struct grt_built_run *run, uint32_t task, uint32_t job, grt_time instant) {
    const struct grt_trace_record *record = grt_built_run_find(run, GRT_TRACE_GPU_REQUEST, task, job, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(record);
    CU_ASSERT_EQUAL(record->time, instant);
}

/* A change of a task's priority: the nth of its first job. */
static void changed(const struct grt_built_run *run, uint32_t task, uint32_t nth, grt_time instant,
                    int64_t priority, uint8_t flags) {
    const struct grt_trace_record *record = grt_built_run_find(run, GRT_TRACE_PRIORITY, task, 0, nth);
    CU_ASSERT_PTR_NOT_NULL_FATAL(record);
    CU_ASSERT_EQUAL(record->time, instant);
    CU_ASSERT_EQUAL(record->other, priority);
    CU_ASSERT_EQUAL(record->flags, flags);
}

/* ---- the way through a segment ---- */

static void alone(void) {
    struct grt_builder *builder = host_world(1, 100);
    struct grt_built_run run;
    struct grt_task *task = host_task(builder, 0, 1, 0);
    grt_builder_cpu(builder, task, 2);
    host_segment(builder, task, 3, 10, 4, GRT_HOST_SYNCHRONOUS);
    grt_builder_cpu(builder, task, 1);
    lock_run(&run, builder, 10, false);
    HOST_CORE(&run, 0, {A, 0, 2, 0}, {A, 2, 5, 0}, {A, 15, 19, 0}, {A, 19, 20, 0});
    asked_at(&run, A, 0, 2);
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 5, 15));
    changed(&run, A, 0, 2, 11, GRT_TRACE_BOOSTED);
    changed(&run, A, 1, 19, 1, 0);
    CU_ASSERT_EQUAL(grt_built_run_count(&run, GRT_TRACE_PRIORITY), 2);
    grt_built_run_end(&run, builder);
}

/* Without a CPU segment in front B asks once it is dispatched, for no time; without host parts it has to be once more to call
 * its commands, and to end its segment. */
static void dispatches_without_length(void) {
    struct grt_builder *builder = host_world(1, 100);
    struct grt_built_run run;
    static const grt_time times[] = {0, 7};
    struct grt_task *task = host_task(builder, 0, 2, 0);
    grt_builder_times(builder, task, times, 2);
    grt_builder_cpu(builder, task, 5);
    host_segment(builder, host_task(builder, 0, 1, 0), 0, 4, 0, GRT_HOST_SYNCHRONOUS);
    lock_run(&run, builder, 0, false);
    HOST_CORE(&run, 0, {A, 0, 5, 0}, {A, 7, 12, 0});
    asked_at(&run, B, 0, 5);
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 5, 9));
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, B, 0), 12);
    grt_built_run_end(&run, builder);
}

/* The next segment asks in a dispatch of its own; so does the next job, though its thread has computed until then. */
static void each_request_has_its_dispatch(void) {
    struct grt_builder *builder = host_world(1, 100);
    struct grt_built_run run;
    static const grt_time times[] = {0, 1};
    grt_builder_cpu(builder, host_task(builder, 0, 2, 6), 20);
    struct grt_task *task = host_task(builder, 0, 1, 0);
    grt_builder_times(builder, task, times, 2);
    host_segment(builder, task, 0, 4, 0, GRT_HOST_SYNCHRONOUS);
    grt_builder_cpu(builder, task, 2);
    lock_run(&run, builder, 0, false);
    HOST_CORE(&run, 0, {B, 4, 6, 0}, {A, 6, 26, 0}, {B, 30, 32, 0});
    asked_at(&run, B, 0, 0);
    asked_at(&run, B, 1, 26); /* A and B's second job are ready in the same instant, 6 */
    grt_built_run_end(&run, builder);
}

/* Boosted above A, B cuts into it for no time, to end its segment: B's stay leaves no record, A's is in two. */
static void boosted_above(void) {
    struct grt_builder *builder = host_world(1, 100);
    struct grt_built_run run;
    grt_builder_cpu(builder, host_task(builder, 0, 2, 3), 5);
    host_segment(builder, host_task(builder, 0, 1, 0), 0, 4, 0, GRT_HOST_SYNCHRONOUS);
    lock_run(&run, builder, 2, false);
    HOST_CORE(&run, 0, {A, 3, 4, PREEMPTED}, {A, 4, 8, 0});
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, B, 0), 4);
    grt_built_run_end(&run, builder);
}

static void asynchronous_parts(void) {
    struct grt_builder *builder = host_world(1, 100);
    struct grt_built_run run;
    struct grt_task *task = host_task(builder, 0, 1, 0);
    host_segment(builder, task, 2, 10, 3, GRT_HOST_ASYNCHRONOUS);
    host_segment(builder, task, 2, 3, 10, GRT_HOST_ASYNCHRONOUS);
    lock_run(&run, builder, 1, true);
    HOST_CORE(&run, 0, {A, 0, 2, 0}, {A, 2, 5, 0}, {A, 5, 12, SPIN}, {A, 12, 14, 0}, {A, 14, 24, 0});
    CU_ASSERT_EQUAL(run.result->cores[0].spinning, 7);
    grt_built_run_end(&run, builder);
}

/* ---- busy-waiting ---- */

/* B, the less urgent, waits busily from 2 to 12 or as long as A lets it; A computes from 5 on. */
static struct grt_builder *spinner(grt_time length) {
    struct grt_builder *builder = host_world(1, 100);
    grt_builder_cpu(builder, host_task(builder, 0, 2, 5), length);
    host_segment(builder, host_task(builder, 0, 1, 0), 2, 10, 2, GRT_HOST_SYNCHRONOUS);
    return builder;
}

static void spinning_is_preempted(void) {
    struct grt_builder *builder = spinner(3);
    struct grt_built_run run;
    lock_run(&run, builder, 0, true);
    HOST_CORE(&run, 0, {B, 0, 2, 0}, {B, 2, 5, SPIN | PREEMPTED}, {A, 5, 8, 0}, {B, 8, 12, SPIN},
              {B, 12, 14, 0});
    CU_ASSERT_EQUAL(run.result->cores[0].spinning, 7);
    CU_ASSERT_EQUAL(run.result->cores[0].busy, 14);
    grt_built_run_end(&run, builder);
}

static void device_completes_meanwhile(void) {
    struct grt_builder *builder = spinner(20);
    struct grt_built_run run;
    lock_run(&run, builder, 0, true);
    HOST_CORE(&run, 0, {B, 0, 2, 0}, {B, 2, 5, SPIN | PREEMPTED}, {A, 5, 25, 0}, {B, 25, 27, 0});
    grt_built_run_end(&run, builder);
}

/* A boosted one keeps others from the core, a suspended one does not. */
static void boosted_spinning(void) {
    struct grt_builder *builder = spinner(3);
    struct grt_built_run run;
    lock_run(&run, builder, 9, true);
    HOST_CORE(&run, 0, {B, 0, 2, 0}, {B, 2, 12, SPIN}, {B, 12, 14, 0}, {A, 14, 17, 0});
    grt_built_run_free(&run);
    lock_run(&run, builder, 9, false);
    HOST_CORE(&run, 0, {B, 0, 2, 0}, {A, 5, 8, 0}, {B, 12, 14, 0});
    grt_built_run_end(&run, builder);
}

/* The device is ready in the middle of the switch back to B, which owes the rest of it before it goes on. */
static void device_completes_in_a_switch(void) {
    struct grt_builder *builder = spinner(1);
    struct grt_built_run run;
    builder->scenario.context_switch = 3;
    lock_run(&run, builder, 0, true);
    HOST_CORE(&run, 0, {B, 0, 3, OVERHEAD}, {B, 3, 5, 0}, {A, 5, 8, OVERHEAD}, {A, 8, 9, 0},
              {B, 9, 12, OVERHEAD}, {B, 12, 15, SPIN}, {B, 15, 17, 0});
    grt_built_run_free(&run);
    builder->scenario.context_switch = 4;
    lock_run(&run, builder, 0, true); /* commands from 11 on, to 21 */
    HOST_CORE(&run, 0, {B, 0, 4, OVERHEAD}, {B, 4, 5, PREEMPTED}, {A, 5, 9, OVERHEAD}, {A, 9, 10, 0},
              {B, 10, 14, OVERHEAD}, {B, 14, 15, 0}, {B, 15, 25, SPIN}, {B, 25, 27, 0});
    grt_built_run_end(&run, builder);
}

/* A switch back from 10 to 15, the device at 12: a slice of overhead to 12, and what is left of it behind. */
static void switch_goes_on(void) {
    struct grt_builder *builder = host_world(1, 100);
    struct grt_built_run run;
    builder->scenario.context_switch = 5;
    grt_builder_cpu(builder, host_task(builder, 0, 2, 8), 2);
    host_segment(builder, host_task(builder, 0, 1, 0), 2, 10, 1, GRT_HOST_SYNCHRONOUS);
    lock_run(&run, builder, 0, true);
    HOST_CORE(&run, 0, {B, 0, 5, OVERHEAD}, {B, 5, 7, 0}, {B, 7, 8, SPIN | PREEMPTED}, {A, 8, 13, OVERHEAD},
              {A, 13, 15, 0}, {B, 15, 17, OVERHEAD}, {B, 17, 20, OVERHEAD}, {B, 20, 21, 0});
    CU_ASSERT_EQUAL(run.result->cores[0].overhead, 15);
    grt_built_run_end(&run, builder);
}

static void waking_up(void) {
    for (int spins = 0; spins < 2; spins++) {
        struct grt_builder *builder = host_world(1, 100);
        struct grt_built_run run;
        builder->scenario.wake_up = 2;
        host_segment(builder, host_task(builder, 0, 1, 0), 1, 10, 1, GRT_HOST_SYNCHRONOUS);
        lock_run(&run, builder, 0, spins);
        if (spins) { /* never idle */
            HOST_CORE(&run, 0, {A, 0, 2, OVERHEAD}, {A, 2, 3, 0}, {A, 3, 13, SPIN}, {A, 13, 14, 0});
        } else {
            HOST_CORE(&run, 0, {A, 0, 2, OVERHEAD}, {A, 2, 3, 0}, {A, 13, 15, OVERHEAD}, {A, 15, 16, 0});
        }
        grt_built_run_end(&run, builder);
    }
}

/* ---- aborts ---- */

/* B spins from 2 to 12 and then computes 2, A needs the core from 5 to 8: when B is given up, and B's next job at 40. */
static void check_abort(grt_time deadline, bool spins, const struct host_slice *slices, size_t count) {
    struct grt_builder *builder = spinner(3);
    struct grt_built_run run;
    static const grt_time times[] = {0, 40};
    grt_builder_times(builder, &builder->tasks[B], times, 2);
    builder->tasks[B].deadline = deadline;
    builder->tasks[B].on_miss = GRT_MISS_ABORT;
    builder->scenario.horizon = 41;
    lock_run(&run, builder, 0, spins);
    host_check_core(&run, 0, slices, count);
    CU_ASSERT_EQUAL(grt_built_run_abort(&run, B, 0), deadline);
    grt_built_run_end(&run, builder);
}
#define CHECK_ABORT(deadline, spins, ...)                                                                    \
    check_abort((deadline), (spins), (const struct host_slice[]){__VA_ARGS__},                               \
                sizeof((const struct host_slice[]){__VA_ARGS__}) / sizeof(struct host_slice))

static void aborts_in_every_phase(void) {
    static const uint8_t open = GRT_TRACE_OPEN;
    CHECK_ABORT(1, true, {B, 0, 1, ABORTED}, {A, 5, 8, 0}, {B, 40, 41, ABORTED});
    CHECK_ABORT(4, true, {B, 0, 2, 0}, {B, 2, 4, SPIN | ABORTED}, {A, 5, 8, 0}, {B, 40, 41, open});
    CHECK_ABORT(6, true, {B, 0, 2, 0}, {B, 2, 5, SPIN | PREEMPTED}, {A, 5, 8, 0}, {B, 40, 41, open});
    CHECK_ABORT(6, false, {B, 0, 2, 0}, {A, 5, 8, 0}, {B, 40, 41, open});
    CHECK_ABORT(13, true, {B, 0, 2, 0}, {B, 2, 5, SPIN | PREEMPTED}, {A, 5, 8, 0}, {B, 8, 12, SPIN},
                {B, 12, 13, ABORTED}, {B, 40, 41, open});
}

/* Given up before it has asked, and while its request waits. */
static void aborts_before_the_grant(void) {
    struct grt_builder *builder = host_world(2, 100);
    struct grt_built_run run;
    host_segment(builder, host_task(builder, 1, 2, 0), 2, 10, 2, GRT_HOST_SYNCHRONOUS);
    struct grt_task *task = host_task(builder, 0, 1, 1);
    static const grt_time times[] = {1, 50};
    grt_builder_times(builder, task, times, 2);
    task->deadline = 5;
    task->on_miss = GRT_MISS_ABORT;
    host_segment(builder, task, 2, 1, 0, GRT_HOST_SYNCHRONOUS);
    task = host_task(builder, 0, 3, 49);
    grt_builder_cpu(builder, task, 30);
    lock_run(&run, builder, 4, false);
    asked_at(&run, B, 0, 1);
    CU_ASSERT_EQUAL(grt_built_run_abort(&run, B, 0), 6);
    CU_ASSERT_EQUAL(grt_built_run_abort(&run, B, 1), 55);
    CU_ASSERT_PTR_NULL(grt_built_run_find(&run, GRT_TRACE_GPU_REQUEST, B, 1, 0));
    CU_ASSERT_EQUAL(grt_built_run_count(&run, GRT_TRACE_PRIORITY), 2); /* A's: B never had the lock */
    HOST_CORE(&run, 0, {2, 49, 79, 0});
    grt_built_run_end(&run, builder);
}

/* The job of a boosted thread is given up: the next one begins at its own priority. */
static void aborted_boost_ends(void) {
    struct grt_builder *builder = host_world(1, 100);
    struct grt_built_run run;
    static const grt_time times[] = {0, 6};
    grt_builder_cpu(builder, host_task(builder, 0, 2, 2), 10);
    struct grt_task *task = host_task(builder, 0, 1, 0);
    grt_builder_times(builder, task, times, 2);
    host_segment(builder, task, 20, 1, 0, GRT_HOST_SYNCHRONOUS);
    task->deadline = 7;
    task->on_miss = GRT_MISS_ABORT;
    lock_run(&run, builder, 4, false);
    HOST_CORE(&run, 0, {B, 0, 7, ABORTED}, {A, 7, 17, 0});
    changed(&run, B, 0, 0, 5, GRT_TRACE_BOOSTED);
    changed(&run, B, 1, 7, 1, 0);
    CU_ASSERT_EQUAL(grt_built_run_abort(&run, B, 1), 13);
    grt_built_run_end(&run, builder);
}

static void horizon_while_spinning(void) {
    struct grt_builder *builder = spinner(3);
    struct grt_built_run run;
    builder->scenario.horizon = 4;
    lock_run(&run, builder, 0, true);
    HOST_CORE(&run, 0, {B, 0, 2, 0}, {B, 2, 4, SPIN | GRT_TRACE_OPEN});
    CU_ASSERT_EQUAL(run.result->cores[0].spinning, 2);
    CU_ASSERT_EQUAL(run.result->tasks[B].unfinished, 1);
    grt_built_run_end(&run, builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"alone", alone},
        {"dispatches without length", dispatches_without_length},
        {"each request has its dispatch", each_request_has_its_dispatch},
        {"boosted above", boosted_above},
        {"asynchronous parts", asynchronous_parts},
        {"spinning is preempted", spinning_is_preempted},
        {"device completes meanwhile", device_completes_meanwhile},
        {"boosted spinning", boosted_spinning},
        {"device completes in a switch", device_completes_in_a_switch},
        {"switch goes on", switch_goes_on},
        {"waking up", waking_up},
        {"aborts in every phase", aborts_in_every_phase},
        {"aborts before the grant", aborts_before_the_grant},
        {"aborted boost ends", aborted_boost_ends},
        {"horizon while spinning", horizon_while_spinning},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("jobs' threads under a lock", tests);
}
