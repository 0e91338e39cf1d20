/* What context switches and wake-ups cost, to whom and when, with instants worked out by hand. */
#include "tests/support/host_case.h"
#include "tests/support/suite.h"

enum {
    A,
    B,
    OVERHEAD = GRT_TRACE_OVERHEAD,
    CUT = GRT_TRACE_OVERHEAD | GRT_TRACE_PREEMPTED,
    PREEMPTED = GRT_TRACE_PREEMPTED
};

static struct grt_builder *costing(int64_t cores, grt_time context_switch, grt_time wake_up) {
    struct grt_builder *builder = host_world(cores, 1000);
    builder->scenario.context_switch = context_switch;
    builder->scenario.wake_up = wake_up;
    return builder;
}

static struct grt_task *computing(struct grt_builder *builder, int64_t priority, grt_time at, grt_time time) {
    struct grt_task *task = host_task(builder, 0, priority, at);
    grt_builder_cpu(builder, task, time);
    return task;
}

/* The core had no thread before the first one, so that one pays a switch; segment by segment it goes on for nothing, and
 * behind the GPU it only has to be woken up. */
static void same_thread_again(void) {
    struct grt_builder *builder = costing(1, 2, 1);
    struct grt_built_run run;
    struct grt_task *task = computing(builder, 0, 0, 5);
    grt_builder_cpu(builder, task, 1);
    grt_builder_whole(builder, task, 4);
    grt_builder_cpu(builder, task, 3);
    grt_built_run_under(&run, builder, "hardware");
    HOST_CORE(&run, 0, {A, 0, 3, OVERHEAD}, {A, 3, 8, 0}, {A, 8, 9, 0}, {A, 13, 14, OVERHEAD},
              {A, 14, 17, 0});
    CU_ASSERT_EQUAL(run.result->cores[0].busy, 13);
    CU_ASSERT_EQUAL(run.result->cores[0].overhead, 4);
    grt_built_run_end(&run, builder);
}

static void core_with_one_thread(void) {
    struct grt_builder *builder = costing(1, 2, 0);
    struct grt_built_run run;
    static const grt_time times[] = {0, 20};
    grt_builder_times(builder, computing(builder, 0, 0, 5), times, 2);
    grt_built_run_under(&run, builder, "hardware");
    HOST_CORE(&run, 0, {A, 0, 2, OVERHEAD}, {A, 2, 7, 0}, {A, 20, 25, 0});
    grt_built_run_end(&run, builder);
}

/* A job whose task's earlier one ends in the instant of its release goes on with a thread that was never idle. */
static void no_wake_up_without_idleness(void) {
    struct grt_builder *builder = costing(1, 0, 3);
    struct grt_built_run run;
    static const grt_time times[] = {0, 8, 30};
    grt_builder_times(builder, computing(builder, 0, 0, 5), times, 3);
    grt_built_run_under(&run, builder, "hardware");
    HOST_CORE(&run, 0, {A, 0, 3, OVERHEAD}, {A, 3, 8, 0}, {A, 8, 13, 0}, {A, 30, 33, OVERHEAD},
              {A, 33, 38, 0});
    grt_built_run_end(&run, builder);
}

static void each_change_of_threads(void) {
    struct grt_builder *builder = costing(1, 2, 1);
    struct grt_built_run run;
    static const grt_time times[] = {0, 20};
    grt_builder_times(builder, computing(builder, 1, 0, 3), times, 2);
    computing(builder, 0, 0, 20);
    grt_built_run_under(&run, builder, "hardware");
    HOST_CORE(&run, 0, {A, 0, 3, OVERHEAD}, {A, 3, 6, 0}, {B, 6, 9, OVERHEAD}, {B, 9, 20, PREEMPTED},
              {A, 20, 23, OVERHEAD}, {A, 23, 26, 0}, {B, 26, 28, OVERHEAD}, {B, 28, 37, 0});
    grt_built_run_end(&run, builder);
}

/* B computes 10 from 0 on, A 4 from 1 on. */
static struct grt_builder *run_two(struct grt_built_run *run, int64_t priority_of_b, grt_time context_switch,
                                   grt_time wake_up) {
    struct grt_builder *builder = costing(1, context_switch, wake_up);
    computing(builder, 1, 1, 4);
    computing(builder, priority_of_b, 0, 10);
    grt_built_run_under(run, builder, "hardware");
    return builder;
}

/* What is left of an interrupted switch stays owed, and coming back costs another one; so it is with wake-ups. */
static void preempted_in_a_switch(void) {
    struct grt_built_run run;
    struct grt_builder *builder = run_two(&run, 0, 5, 0);
    HOST_CORE(&run, 0, {B, 0, 1, CUT}, {A, 1, 6, OVERHEAD}, {A, 6, 10, 0}, {B, 10, 19, OVERHEAD},
              {B, 19, 29, 0});
    grt_built_run_end(&run, builder);
}

static void preempted_in_a_wake_up(void) {
    struct grt_built_run run;
    struct grt_builder *builder = run_two(&run, 0, 0, 5);
    HOST_CORE(&run, 0, {B, 0, 1, CUT}, {A, 1, 6, OVERHEAD}, {A, 6, 10, 0}, {B, 10, 14, OVERHEAD},
              {B, 14, 24, 0});
    grt_built_run_end(&run, builder);
}

/* A switch is executed at the priority of its thread: one that is as urgent does not preempt it, one that is less neither. */
static void switches_have_the_threads_priority(void) {
    struct grt_built_run run;
    struct grt_builder *builder = run_two(&run, 1, 5, 0);
    HOST_CORE(&run, 0, {B, 0, 5, OVERHEAD}, {B, 5, 15, 0}, {A, 15, 20, OVERHEAD}, {A, 20, 24, 0});
    grt_built_run_end(&run, builder);
}

/* The thread of a GPU segment is idle while the device works; it is not where its next part begins at once. */
static void host_parts(void) {
    struct grt_builder *builder = costing(1, 2, 1);
    struct grt_built_run run;
    struct grt_task *task = computing(builder, 0, 0, 3);
    host_segment(builder, task, 2, 4, 5, GRT_HOST_SYNCHRONOUS);
    host_segment(builder, task, 1, 4, 2, GRT_HOST_ASYNCHRONOUS);
    grt_built_run_under(&run, builder, "fifo");
    HOST_CORE(&run, 0, {A, 0, 3, OVERHEAD}, {A, 3, 6, 0}, {A, 6, 8, 0}, {A, 12, 13, OVERHEAD}, {A, 13, 18, 0},
              {A, 18, 19, 0}, {A, 19, 21, 0});
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, A, 0), 23);
    grt_built_run_end(&run, builder);
}

static void cores_of_their_own(void) {
    struct grt_builder *builder = costing(0, 2, 1);
    struct grt_built_run run;
    computing(builder, 0, 0, 3);
    computing(builder, 0, 5, 3);
    grt_built_run_under(&run, builder, "hardware");
    HOST_CORE(&run, 0, {A, 0, 3, OVERHEAD}, {A, 3, 6, 0});
    HOST_CORE(&run, 1, {B, 5, 8, OVERHEAD}, {B, 8, 11, 0});
    grt_built_run_end(&run, builder);
}

/* An abort drops what is left of the costs, too; the core is the thread's meanwhile, so that its next job pays no switch. */
static void abort_in_a_switch(void) {
    struct grt_builder *builder = costing(1, 9, 1);
    struct grt_built_run run;
    static const grt_time times[] = {0, 30};
    struct grt_task *task = computing(builder, 0, 0, 3);
    grt_builder_times(builder, task, times, 2);
    task->deadline = 5;
    task->on_miss = GRT_MISS_ABORT;
    grt_built_run_under(&run, builder, "hardware");
    HOST_CORE(&run, 0, {A, 0, 5, OVERHEAD | GRT_TRACE_ABORTED}, {A, 30, 31, OVERHEAD}, {A, 31, 34, 0});
    CU_ASSERT_EQUAL(run.result->cores[0].overhead, 6);
    grt_built_run_end(&run, builder);
}

static void horizon_in_a_switch(void) {
    struct grt_builder *builder = costing(1, 9, 0);
    struct grt_built_run run;
    builder->scenario.horizon = 4;
    computing(builder, 0, 0, 3);
    grt_built_run_under(&run, builder, "hardware");
    HOST_CORE(&run, 0, {A, 0, 4, OVERHEAD | GRT_TRACE_OPEN});
    CU_ASSERT_EQUAL(run.result->cores[0].overhead, 4);
    grt_built_run_end(&run, builder);
}

/* B is taken up anew every 4 ns and never gets through its switches: what it owes stays below the largest time. */
static void largest_costs(void) {
    struct grt_builder *builder = costing(1, GRT_TIME_LIMIT, GRT_TIME_LIMIT);
    struct grt_built_run run;
    struct grt_task *task = computing(builder, 1, 0, 1);
    grt_builder_periodic(task, 4, 1);
    task->deadline = 2;
    task->on_miss = GRT_MISS_ABORT;
    computing(builder, 0, 0, 1);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(run.result->cores[0].overhead, 1000);
    CU_ASSERT_EQUAL(run.result->tasks[A].aborted, 250);
    CU_ASSERT_EQUAL(run.result->tasks[B].unfinished, 1);
    grt_built_run_end(&run, builder);
}

/* Switches draw no bandwidth (B2): A computes alone at full speed from 4 to 6 while B's core switches, then both at half, B alone at
 * the end. */
static void switches_draw_no_bandwidth(void) {
    struct grt_builder *builder = costing(2, 4, 0);
    struct grt_built_run run;
    builder->gpus[0].memory_bytes_per_second = 100 * GRT_SECOND;
    builder->gpus[0].bandwidth_sharing = GRT_BANDWIDTH_SHARING_MAX_MIN;
    builder->gpus[0].integrated = true;
    computing(builder, 0, 0, 10);
    computing(builder, 0, 2, 10)->cpu = 1;
    builder->segments[A][0].cpu_bandwidth = builder->segments[B][0].cpu_bandwidth = 100 * GRT_SECOND;
    grt_built_run_under(&run, builder, "hardware");
    HOST_CORE(&run, 0, {A, 0, 4, OVERHEAD}, {A, 4, 22, 0});
    HOST_CORE(&run, 1, {B, 2, 6, OVERHEAD}, {B, 6, 24, 0});
    grt_built_run_end(&run, builder);
}

/* The first job ends in the instant of the second one's release, which is not woken up; all later ones are: that instant's state
 * is not that of the later ones, though all threads are idle in each. */
static void state_knows_who_was_just_busy(void) {
    struct grt_builder *builder = costing(1, 3, 2);
    struct grt_built_run run;
    grt_builder_periodic(computing(builder, 0, 0, 10), 15, 0);
    builder->scenario.horizon_kind = GRT_HORIZON_AUTO;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(run.result->stopped_by_repeat);
    CU_ASSERT_EQUAL(run.result->tasks[A].response.max, 15);
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, A, 1), 25);
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, A, 2), 42);
    CU_ASSERT(run.result->end >= 45);
    grt_built_run_end(&run, builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"same thread again", same_thread_again},
        {"core with one thread", core_with_one_thread},
        {"no wake-up without idleness", no_wake_up_without_idleness},
        {"each change of threads", each_change_of_threads},
        {"preempted in a switch", preempted_in_a_switch},
        {"preempted in a wake-up", preempted_in_a_wake_up},
        {"switches have the thread's priority", switches_have_the_threads_priority},
        {"host parts", host_parts},
        {"cores of their own", cores_of_their_own},
        {"abort in a switch", abort_in_a_switch},
        {"horizon in a switch", horizon_in_a_switch},
        {"largest costs", largest_costs},
        {"switches draw no bandwidth", switches_draw_no_bandwidth},
        {"state knows who was just busy", state_knows_who_was_just_busy},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("costs on the cores", tests);
}
