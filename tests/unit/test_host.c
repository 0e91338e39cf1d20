/* Host parts in the job's own thread (GRT_HOST_BY_JOB), with instants worked out by hand. */
#include "models/demand/demand.h"
#include "policies/registry.h"
#include "tests/support/host_case.h"
#include "tests/support/suite.h"

enum { A, B, C, PREEMPTED = GRT_TRACE_PREEMPTED, ABORTED = GRT_TRACE_ABORTED, OPEN = GRT_TRACE_OPEN };

static void kernel_ran(const struct grt_built_run *run, uint32_t task, grt_time start, grt_time end) {
    CU_ASSERT(grt_built_kernel_ran(run, task, 0, start, end));
}

/* ---- both modes ---- */

static void synchronous(void) {
    static const char *const policies[] = {"hardware", "fifo", "np-fp", "np-edf"};
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        struct grt_builder *builder = host_world(1, 100);
        struct grt_built_run run;
        struct grt_task *task = host_task(builder, 0, 1, 5);
        host_segment(builder, task, 3, 10, 4, GRT_HOST_SYNCHRONOUS);
        grt_builder_cpu(builder, task, 2);
        grt_built_run_under(&run, builder, policies[i]);
        HOST_CORE(&run, 0, {A, 5, 8, 0}, {A, 18, 22, 0}, {A, 22, 24, 0});
        kernel_ran(&run, A, 8, 18);
        CU_ASSERT_EQUAL(grt_built_run_finish(&run, A, 0), 24);
        CU_ASSERT_EQUAL(run.result->tasks[A].gpu_wait.max, 3); /* from the request at 5 to the kernel */
        CU_ASSERT_EQUAL(run.result->cores[0].busy, 9);
        CU_ASSERT_EQUAL(run.result->cores[0].spinning + run.result->cores[0].overhead, 0);
        const struct grt_trace_record *whole = grt_built_run_find(&run, GRT_TRACE_GPU_SEGMENT, A, 0, 0);
        CU_ASSERT_EQUAL(whole->other, 5);
        CU_ASSERT_EQUAL(whole->time, 22);
        grt_built_run_end(&run, builder);
    }
}

/* The second part is shorter than the commands, as long, longer: the segment ends with the later of both. */
static void asynchronous(void) {
    static const grt_time after[] = {4, 10, 15}, end[] = {13, 13, 18};
    for (int i = 0; i < 3; i++) {
        struct grt_builder *builder = host_world(1, 100);
        struct grt_built_run run;
        struct grt_task *task = host_task(builder, 0, 1, 0);
        host_segment(builder, task, 3, 10, after[i], GRT_HOST_ASYNCHRONOUS);
        grt_built_run_under(&run, builder, "fifo");
        HOST_CORE(&run, 0, {A, 0, 3, 0}, {A, 3, 3 + after[i], 0});
        kernel_ran(&run, A, 3, 13);
        CU_ASSERT_EQUAL(grt_built_run_finish(&run, A, 0), end[i]);
        grt_built_run_end(&run, builder);
    }
}

/* One part only, in both modes, and none. */
static void single_parts(void) {
    static const grt_time before[] = {3, 0, 0, 0}, after[] = {0, 4, 4, 0}, end[] = {13, 14, 10, 10};
    static const int64_t mode[] = {0, GRT_HOST_SYNCHRONOUS, GRT_HOST_ASYNCHRONOUS, 0};
    for (int i = 0; i < 4; i++) {
        struct grt_builder *builder = host_world(1, 100);
        struct grt_built_run run;
        host_segment(builder, host_task(builder, 0, 1, 0), before[i], 10, after[i], mode[i]);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT_EQUAL(grt_built_run_finish(&run, A, 0), end[i]);
        CU_ASSERT_EQUAL(run.result->cores[0].busy, before[i] + after[i]);
        grt_built_run_end(&run, builder);
    }
}

/* ---- among other threads ---- */

/* B is preempted in each of its parts; the GPU works on for it meanwhile. */
static void preempted_parts(void) {
    struct grt_builder *builder = host_world(1, 100);
    struct grt_built_run run;
    struct grt_task *task = host_task(builder, 0, 2, 2);
    static const grt_time times[] = {2, 13, 18};
    grt_builder_times(builder, task, times, 3);
    grt_builder_cpu(builder, task, 4);
    host_segment(builder, host_task(builder, 0, 1, 0), 5, 6, 7, GRT_HOST_SYNCHRONOUS);
    grt_built_run_under(&run, builder, "fifo");
    HOST_CORE(&run, 0, {B, 0, 2, PREEMPTED}, {A, 2, 6, 0}, {B, 6, 9, 0}, {A, 13, 17, 0},
              {B, 17, 18, PREEMPTED}, {A, 18, 22, 0}, {B, 22, 28, 0});
    kernel_ran(&run, B, 9, 15);
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, B, 0), 28);
    grt_built_run_end(&run, builder);
}

/* Beside the commands: the less urgent thread has the core once B's second part is done. */
static void others_compute_meanwhile(void) {
    struct grt_builder *builder = host_world(1, 100);
    struct grt_built_run run;
    grt_builder_cpu(builder, host_task(builder, 0, 0, 0), 20);
    host_segment(builder, host_task(builder, 0, 1, 1), 2, 10, 3, GRT_HOST_ASYNCHRONOUS);
    grt_built_run_under(&run, builder, "fifo");
    HOST_CORE(&run, 0, {A, 0, 1, PREEMPTED}, {B, 1, 3, 0}, {B, 3, 6, 0}, {A, 6, 25, 0});
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, B, 0), 13);
    grt_built_run_end(&run, builder);
}

/* Under fifo the GPU is B's from the grant to the end of its second part. */
static void parts_hold_the_gpu(void) {
    struct grt_builder *builder = host_world(2, 100);
    struct grt_built_run run;
    host_segment(builder, host_task(builder, 0, 1, 0), 3, 10, 4, GRT_HOST_SYNCHRONOUS);
    host_segment(builder, host_task(builder, 1, 1, 1), 2, 10, 1, GRT_HOST_SYNCHRONOUS);
    grt_built_run_under(&run, builder, "fifo");
    HOST_CORE(&run, 0, {A, 0, 3, 0}, {A, 13, 17, 0});
    HOST_CORE(&run, 1, {B, 17, 19, 0}, {B, 29, 30, 0});
    kernel_ran(&run, B, 19, 29);
    grt_built_run_end(&run, builder);
}

/* Under hardware nobody waits for another's parts, only for the device. */
static void parts_overlap_under_hardware(void) {
    struct grt_builder *builder = host_world(2, 100);
    struct grt_built_run run;
    host_segment(builder, host_task(builder, 0, 1, 0), 3, 10, 4, GRT_HOST_SYNCHRONOUS);
    host_segment(builder, host_task(builder, 1, 1, 1), 2, 10, 1, GRT_HOST_SYNCHRONOUS);
    grt_built_run_under(&run, builder, "hardware");
    HOST_CORE(&run, 0, {A, 0, 3, 0}, {A, 13, 17, 0});
    HOST_CORE(&run, 1, {B, 1, 3, 0}, {B, 23, 24, 0});
    grt_built_run_end(&run, builder);
}

/* ---- draws ---- */

/* Draws lie within their bounds and may exceed what is declared: the two parts are apart, and each job draws anew. */
/* Decision 2: what was called before goes before what is called at the instant, by a host part that ends then: K2 of A, behind K1, before B's. */
static void calls_follow_completions(void) {
    struct grt_builder *builder = host_world(1, 100);
    struct grt_built_run run;
    host_segment(builder, host_task(builder, -1, 1, 0), 0, 10, 0, 0);
    grt_builder_whole(builder, &builder->tasks[A], 5);
    host_segment(builder, host_task(builder, 0, 1, 0), 10, 7, 0, 0);
    grt_built_run_under(&run, builder, "hardware");
    kernel_ran(&run, A, 0, 10);
    CU_ASSERT(grt_built_kernel_ran(&run, A, 1, 10, 15));
    kernel_ran(&run, B, 15, 22);
    grt_built_run_end(&run, builder);
}

static void drawn_parts(void) {
    struct grt_builder *builder = host_world(1, 100 * 200);
    struct grt_built_run run;
    struct grt_task *task = host_task(builder, 0, 1, 0);
    grt_builder_periodic(task, 100, 0);
    struct grt_segment *segment = host_segment(builder, task, 0, 10, 0, GRT_HOST_SYNCHRONOUS);
    segment->host_part[GRT_HOST_BEFORE] = (struct grt_distribution){.kind = GRT_UNIFORM, .min = 1, .max = 4};
    segment->host_part[GRT_HOST_AFTER] =
        (struct grt_distribution){.kind = GRT_UNIFORM, .min = 20, .max = 29, .declared = 22};
    grt_built_run_under(&run, builder, "fifo");
    uint64_t seen = 0, overruns = 0;
    for (uint32_t job = 0; job < 200; job++) {
        const struct grt_trace_record *before = grt_built_run_find(&run, GRT_TRACE_CPU, A, job, 0),
                                      *after = grt_built_run_find(&run, GRT_TRACE_CPU, A, job, 1);
        CU_ASSERT_FATAL(before != NULL && after != NULL);
        grt_time first = before->time - before->other, second = after->time - after->other;
        CU_ASSERT(first >= 1 && first <= 4 && second >= 20 && second <= 29);
        seen |= UINT64_C(1) << first | UINT64_C(1) << second;
        overruns += second > 22;
    }
    CU_ASSERT_EQUAL(seen, 0x3ff0001e);
    CU_ASSERT(overruns > 100 && overruns < 180);
    CU_ASSERT_EQUAL(grt_segment_time(&builder->scenario, task, segment), 4 + 10 + 22);
    segment->host_mode = GRT_HOST_ASYNCHRONOUS;
    CU_ASSERT_EQUAL(grt_segment_time(&builder->scenario, task, segment), 4 + 22);
    grt_built_run_end(&run, builder);
}

/* ---- aborts ---- */

/* When A's job is given up at `deadline`, what the core did, and when the GPU's next one, B's kernel of 5, begins. */
static void check_abort(int64_t mode, grt_time deadline, const struct host_slice *slices, size_t count,
                        grt_time next) {
    struct grt_builder *builder = host_world(2, 100);
    struct grt_built_run run;
    struct grt_task *task = host_task(builder, 0, 1, 0);
    host_segment(builder, task, 3, 10, 4, mode);
    task->deadline = deadline;
    task->on_miss = GRT_MISS_ABORT;
    host_segment(builder, host_task(builder, 1, 1, 1), 0, 5, 0, 0);
    grt_built_run_under(&run, builder, "fifo");
    host_check_core(&run, 0, slices, count);
    CU_ASSERT_EQUAL(grt_built_run_abort(&run, A, 0), deadline);
    kernel_ran(&run, B, next, next + 5);
    CU_ASSERT_EQUAL(run.result->tasks[A].aborted, 1);
    CU_ASSERT_EQUAL(run.result->tasks[A].unfinished, 0);
    grt_built_run_end(&run, builder);
}
#define CHECK_ABORT(mode, deadline, next, ...)                                                               \
    check_abort((mode), (deadline), (const struct host_slice[]){__VA_ARGS__},                                \
                sizeof((const struct host_slice[]){__VA_ARGS__}) / sizeof(struct host_slice), (next))

static void aborts_in_every_phase(void) {
    CHECK_ABORT(GRT_HOST_SYNCHRONOUS, 2, 2, {A, 0, 2, ABORTED});                   /* before */
    CHECK_ABORT(GRT_HOST_SYNCHRONOUS, 7, 13, {A, 0, 3, 0});                        /* the kernel runs out */
    CHECK_ABORT(GRT_HOST_SYNCHRONOUS, 15, 15, {A, 0, 3, 0}, {A, 13, 15, ABORTED}); /* after */
    CHECK_ABORT(GRT_HOST_ASYNCHRONOUS, 5, 13, {A, 0, 3, 0}, {A, 3, 5, ABORTED});   /* beside */
    CHECK_ABORT(GRT_HOST_ASYNCHRONOUS, 9, 13, {A, 0, 3, 0}, {A, 3, 7, 0});         /* waiting */
}

/* The commands have completed, the second part beside them has not. */
static void abort_behind_the_commands(void) {
    struct grt_builder *builder = host_world(1, 100);
    struct grt_built_run run;
    struct grt_task *task = host_task(builder, 0, 1, 0);
    host_segment(builder, task, 0, 5, 50, GRT_HOST_ASYNCHRONOUS);
    task->deadline = 20;
    task->on_miss = GRT_MISS_ABORT;
    host_segment(builder, host_task(builder, 0, 0, 1), 2, 5, 0, 0);
    grt_built_run_under(&run, builder, "fifo");
    HOST_CORE(&run, 0, {A, 0, 20, ABORTED}, {B, 20, 22, 0});
    grt_built_run_end(&run, builder);
}

/* A job that is aborted in its parts while it is ready, and the next one that takes its place at once. */
static void abort_while_ready(void) {
    struct grt_builder *builder = host_world(1, 100);
    struct grt_built_run run;
    grt_builder_cpu(builder, host_task(builder, 0, 2, 1), 9);
    struct grt_task *task = host_task(builder, 0, 1, 0);
    static const grt_time times[] = {0, 3};
    grt_builder_times(builder, task, times, 2);
    host_segment(builder, task, 3, 4, 0, 0);
    task->deadline = 17;
    task->on_miss = GRT_MISS_ABORT;
    builder->tasks[B].deadline = 5;
    builder->scenario.horizon = 30;
    grt_built_run_under(&run, builder, "fifo");
    HOST_CORE(&run, 0, {B, 0, 1, PREEMPTED}, {A, 1, 10, 0});
    CU_ASSERT_EQUAL(grt_built_run_abort(&run, B, 0), 5);
    CU_ASSERT_EQUAL(grt_built_run_abort(&run, B, 1), 8);
    grt_built_run_end(&run, builder);
}

/* ---- the end of the run ---- */

static void horizons_cut_every_phase(void) {
    static const struct {
        grt_time horizon, busy;
    } cuts[] = {{2, 2}, {3, 3}, {8, 3}, {13, 3}, {15, 5}, {17, 7}};
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        struct grt_builder *builder = host_world(1, cuts[i].horizon);
        struct grt_built_run run;
        host_segment(builder, host_task(builder, 0, 1, 0), 3, 10, 4, GRT_HOST_SYNCHRONOUS);
        grt_built_run_under(&run, builder, "fifo");
        CU_ASSERT_EQUAL(run.result->cores[0].busy, cuts[i].busy);
        CU_ASSERT_EQUAL(run.result->tasks[A].unfinished, cuts[i].horizon < 17);
        grt_built_run_end(&run, builder);
    }
}

/* A slice that the end cuts off is open; one that would have no length is not there. */
static void open_slices(void) {
    struct grt_builder *builder = host_world(1, 15);
    struct grt_built_run run;
    host_segment(builder, host_task(builder, 0, 1, 0), 3, 10, 4, GRT_HOST_SYNCHRONOUS);
    grt_built_run_under(&run, builder, "fifo");
    HOST_CORE(&run, 0, {A, 0, 3, 0}, {A, 13, 15, OPEN});
    grt_built_run_free(&run);
    builder->scenario.horizon = 13;
    grt_built_run_under(&run, builder, "fifo");
    HOST_CORE(&run, 0, {A, 0, 3, 0});
    grt_built_run_end(&run, builder);
}

/* ---- what is refused ---- */

static void check_refused(struct grt_builder *builder, const char *policy, const char *expected) {
    struct grt_built_run run;
    grt_built_run_start(&run, &builder->scenario, grt_policy_find(policy), false);
    CU_ASSERT_PTR_NULL(run.world);
    CU_ASSERT_EQUAL_FATAL(run.errors.count, 1);
    CU_ASSERT_STRING_EQUAL(run.errors.messages[0], expected);
    grt_built_run_end(&run, builder);
}

static void refused(void) {
    struct grt_builder *builder = host_world(1, 100);
    struct grt_task *task = host_task(builder, 0, 1, 0);
    grt_builder_periodic(task, 50, 0);
    host_segment(builder, task, 1, 2, 3, 0);
    check_refused(builder, "tdm",
                  "tasks[0].segments[0].host: not allowed because policy tdm cuts GPU segments into pieces");
    builder = host_world(2, 100);
    host_segment(builder, host_task(builder, -1, 1, 0), 0, 2, 3, 0);
    check_refused(builder, "fifo", "tasks[0].cpu: must be a core of the platform, 0 to 1 (got -1)");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"synchronous", synchronous},
        {"asynchronous", asynchronous},
        {"single parts", single_parts},
        {"preempted parts", preempted_parts},
        {"others compute meanwhile", others_compute_meanwhile},
        {"parts hold the GPU", parts_hold_the_gpu},
        {"parts overlap under hardware", parts_overlap_under_hardware},
        {"calls of an instant follow its completions", calls_follow_completions},
        {"drawn parts", drawn_parts},
        {"aborts in every phase", aborts_in_every_phase},
        {"abort behind the commands", abort_behind_the_commands},
        {"abort while ready", abort_while_ready},
        {"horizons cut every phase", horizons_cut_every_phase},
        {"open slices", open_slices},
        {"refused", refused},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("host parts by jobs", tests);
}
