/* Threads of a policy's own (GRT_HOST_BY_POLICY), and priorities that a policy changes at any time, worked out by hand. */
#include <signal.h>
#include <string.h>

#include "tests/support/child.h"
#include "tests/support/host_case.h"
#include "tests/support/suite.h"

enum { A, B, SERVER = GRT_TRACE_NO_TASK, PREEMPTED = GRT_TRACE_PREEMPTED, OVERHEAD = GRT_TRACE_OVERHEAD };

static void server_run(struct grt_built_run *run, const struct grt_builder *builder, int64_t core) {
    const union grt_test_host_parameters parameters = {.server = {.core = core, .priority = 9}};
    host_run(run, builder, &grt_test_server_policy, &parameters);
}

/* ---- a thread of the policy's ---- */

static void both_modes(void) {
    static const grt_time after[] = {4, 4, 15}, end[] = {17, 13, 18};
    for (int i = 0; i < 3; i++) {
        struct grt_builder *builder = host_world(2, 100);
        struct grt_built_run run;
        struct grt_task *task = host_task(builder, 1, 1, 0);
        host_segment(builder, task, 3, 10, after[i], i > 0);
        grt_builder_cpu(builder, task, 2);
        server_run(&run, builder, 0);
        HOST_CORE(&run, 0, {SERVER, 0, 3, 0}, {SERVER, i > 0 ? 3 : 13, i > 0 ? 3 + after[i] : 17, 0});
        HOST_CORE(&run, 1, {A, end[i], end[i] + 2, 0});
        CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 3, 13));
        CU_ASSERT_EQUAL(run.result->cores[0].busy, 3 + after[i]);
        grt_built_run_end(&run, builder);
    }
}

/* The server on the core of A and B preempts both; without host parts it is dispatched all the same. */
static void on_the_tasks_core(void) {
    struct grt_builder *builder = host_world(1, 100);
    struct grt_built_run run;
    grt_builder_cpu(builder, host_task(builder, 0, 2, 4), 20);
    struct grt_task *task = host_task(builder, 0, 1, 0);
    host_segment(builder, task, 3, 10, 4, GRT_HOST_SYNCHRONOUS);
    grt_builder_cpu(builder, task, 2);
    host_segment(builder, task, 0, 1, 0, GRT_HOST_SYNCHRONOUS);
    server_run(&run, builder, 0);
    HOST_CORE(&run, 0, {SERVER, 0, 3, 0}, {A, 4, 13, PREEMPTED}, {SERVER, 13, 17, 0}, {A, 17, 28, 0},
              {B, 28, 30, 0});
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, B, 0), 31);
    const struct grt_trace_record *slice = grt_built_run_find(&run, GRT_TRACE_THREAD, B, 0, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(slice);
    CU_ASSERT_EQUAL(slice->detail & 0xffff, 0);
    CU_ASSERT_STRING_EQUAL(grt_trace_memory_name(&run.kept, GRT_NAME_LABEL, slice->detail >> 16, 0, 0),
                           "serves");
    CU_ASSERT_STRING_EQUAL(grt_trace_memory_name(&run.kept, GRT_NAME_THREAD, 0, 0, 0), "server");
    grt_built_run_end(&run, builder);
}

/* Core -1: one behind the platform's, or behind the tasks' own. */
static void core_of_its_own(void) {
    for (int64_t cores = 0; cores < 2; cores++) {
        struct grt_builder *builder = host_world(cores, 100);
        struct grt_built_run run;
        grt_builder_cpu(builder, host_task(builder, 0, 10, 0), 50);
        host_segment(builder, host_task(builder, 0, 11, 2), 3, 10, 4, GRT_HOST_SYNCHRONOUS);
        server_run(&run, builder, -1);
        HOST_CORE(&run, cores == 0 ? 2 : 1, {SERVER, 2, 5, 0}, {SERVER, 15, 19, 0});
        CU_ASSERT_EQUAL(grt_built_run_finish(&run, B, 0), 19);
        CU_ASSERT_EQUAL((int64_t)run.result->core_count, cores);
        grt_built_run_end(&run, builder);
    }
}

/* The server is woken up for each part; A pays for its dispatch to ask, for coming back, and for its CPU segment. */
static void costs(void) {
    struct grt_builder *builder = host_world(1, 100);
    struct grt_built_run run;
    builder->scenario.context_switch = 2;
    builder->scenario.wake_up = 1;
    struct grt_task *task = host_task(builder, 0, 1, 0);
    host_segment(builder, task, 3, 10, 4, GRT_HOST_SYNCHRONOUS);
    grt_builder_cpu(builder, task, 5);
    server_run(&run, builder, 0);
    HOST_CORE(&run, 0, {A, 0, 3, OVERHEAD}, {SERVER, 3, 6, OVERHEAD}, {SERVER, 6, 9, 0},
              {SERVER, 19, 20, OVERHEAD}, {SERVER, 20, 24, 0}, {A, 24, 27, OVERHEAD}, {A, 27, 32, 0});
    CU_ASSERT_EQUAL(run.result->cores[0].overhead, 10);
    grt_built_run_end(&run, builder);
}

/* A is given up while the server works for it, while its commands are out, and behind them; B is served then. */
static void aborts(void) {
    static const grt_time deadlines[] = {2, 7, 15}, served[] = {2, 13, 15};
    for (int i = 0; i < 3; i++) {
        struct grt_builder *builder = host_world(2, 100);
        struct grt_built_run run;
        struct grt_task *task = host_task(builder, 1, 1, 0);
        host_segment(builder, task, 3, 10, 4, GRT_HOST_SYNCHRONOUS);
        task->deadline = deadlines[i];
        task->on_miss = GRT_MISS_ABORT;
        host_segment(builder, host_task(builder, 1, 0, 1), 1, 5, 1, GRT_HOST_SYNCHRONOUS);
        server_run(&run, builder, 0);
        CU_ASSERT_EQUAL(grt_built_run_abort(&run, A, 0), deadlines[i]);
        CU_ASSERT(grt_built_kernel_ran(&run, B, 0, served[i] + 1, served[i] + 6));
        CU_ASSERT_EQUAL(grt_built_run_finish(&run, B, 0), served[i] + 7);
        grt_built_run_end(&run, builder);
    }
}

/* A waits for the server when it is given up. */
static void abort_while_waiting(void) {
    struct grt_builder *builder = host_world(1, 100);
    struct grt_built_run run;
    host_segment(builder, host_task(builder, 0, 1, 0), 3, 10, 4, GRT_HOST_SYNCHRONOUS);
    struct grt_task *task = host_task(builder, 0, 2, 4);
    host_segment(builder, task, 3, 10, 4, GRT_HOST_SYNCHRONOUS);
    task->deadline = 5;
    task->on_miss = GRT_MISS_ABORT;
    server_run(&run, builder, 0);
    HOST_CORE(&run, 0, {SERVER, 0, 3, 0}, {SERVER, 13, 17, 0});
    CU_ASSERT_EQUAL(grt_built_run_abort(&run, B, 0), 9);
    grt_built_run_end(&run, builder);
}

/* The server's work ends at 17, but at the end of a run no policy decides what follows. */
static void horizons(void) {
    for (grt_time horizon = 0; horizon < 20; horizon++) {
        struct grt_builder *builder = host_world(2, horizon);
        struct grt_built_run run;
        host_segment(builder, host_task(builder, 1, 1, 0), 3, 10, 4, GRT_HOST_SYNCHRONOUS);
        server_run(&run, builder, 0);
        grt_time busy = horizon < 3 ? horizon : horizon < 13 ? 3 : horizon < 17 ? horizon - 10 : 7;
        CU_ASSERT_EQUAL(run.result->cores[0].busy, busy);
        CU_ASSERT_EQUAL(run.result->tasks[A].unfinished, horizon > 0 && horizon <= 17);
        grt_built_run_end(&run, builder);
    }
}

/* ---- one end of a job ---- */

/* A policy that finishes its one segment and aborts its job in the same decision; or has a thread where there is no core. */
struct ending {
    bool aborts_first;
    int64_t core;
    grt_stream stream;
    bool asked, done;
    grt_job job;
};

static bool ending_start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct ending *ending = state;
    (void)errors;
    *ending = *(const struct ending *)grt_policy_parameters(world);
    ending->stream = grt_policy_stream(world, 0, 0, "stream");
    grt_policy_thread(world, ending->core, 1, "server");
    return true;
}

static void ending_request(void *state, struct grt_world *world, grt_job job) {
    struct ending *ending = state;
    (void)world;
    ending->asked = true;
    ending->job = job;
}

static void ending_done(void *state, struct grt_world *world, grt_job job) {
    (void)world;
    (void)job;
    ((struct ending *)state)->done = true;
}

static void ending_decide(void *state, struct grt_world *world) {
    struct ending *ending = state;
    if (ending->asked) {
        ending->asked = false;
        grt_policy_submit(world, ending->job, ending->stream);
    } else if (ending->done && ending->aborts_first) {
        grt_policy_abort(world, ending->job);
        grt_policy_finish(world, ending->job);
    } else if (ending->done) {
        grt_policy_finish(world, ending->job);
        grt_policy_abort(world, ending->job);
    }
}

static const struct grt_policy_ops ending_policy = {
    .name = "ending",
    .summary = "ends a job twice",
    .state_size = sizeof(struct ending),
    .parameters_size = sizeof(struct ending),
    .host = GRT_HOST_BY_POLICY,
    .start = ending_start,
    .gpu_request = ending_request,
    .gpu_done = ending_done,
    .decide = ending_decide,
};

static void end_twice(void *how) {
    union grt_test_host_parameters parameters = {0};
    struct grt_builder *builder = host_world(1, 100);
    struct grt_built_run run;
    memcpy(&parameters, how, sizeof(struct ending));
    host_segment(builder, host_task(builder, 0, 1, 0), 0, 10, 0, GRT_HOST_SYNCHRONOUS);
    host_run(&run, builder, &ending_policy, &parameters);
    grt_built_run_end(&run, builder);
}

static void refused(struct ending ending, const char *sentence) {
    char said[4096];
    CU_ASSERT_TRUE(grt_child_ended_by(grt_child_run(end_twice, &ending, said, sizeof said), SIGABRT));
    CU_ASSERT_PTR_NOT_NULL(strstr(said, sentence));
}

static void misuse_is_refused(void) {
    refused(
        (struct ending){.aborts_first = false},
        "gpurt: bug: broken rule: a policy does not abort a job in the decision that finishes its segment");
    refused((struct ending){.aborts_first = true}, "gpurt: bug: broken rule: a policy does not finish a "
                                                   "segment of a job in the decision that aborts it");
    refused((struct ending){.core = -2},
            "gpurt: bug: broken rule: a policy puts threads on cores of the platform");
    refused((struct ending){.core = 1},
            "gpurt: bug: broken rule: a policy puts threads on cores of the platform");
}

/* ---- priorities at any time ---- */

/* A policy that changes the priority of task B's thread at two instants, and lets all requests through. */
struct steering {
    grt_time at[2];
    int64_t to; /* from the first instant on; at the second it is taken back */
    grt_stream stream;
    uint32_t timer, step;
    bool asked[2], ended, first_spins;
};

static bool steering_start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct steering *steering = state;
    (void)errors;
    *steering = *(const struct steering *)grt_policy_parameters(world);
    steering->stream = grt_policy_stream(world, 0, 0, "stream");
    steering->timer = grt_policy_new_timer(world);
    grt_policy_timer(world, steering->timer, steering->at[0]);
    return true;
}

static void steering_request(void *state, struct grt_world *world, grt_job job) {
    (void)world;
    ((struct steering *)state)->asked[job] = true;
}

static void steering_job_ended(void *state, struct grt_world *world, grt_job job) {
    (void)world;
    ((struct steering *)state)->ended |= job == B; /* and what it was given with it */
}

static void steering_decide(void *state, struct grt_world *world) {
    struct steering *steering = state;
    for (grt_job job = 0; job < 2; job++) {
        if (steering->asked[job]) {
            steering->asked[job] = false;
            if (steering->first_spins && grt_policy_job(world, job)->number == 0) {
                grt_policy_spin(world, job, true);
            }
            grt_policy_submit(world, job, steering->stream);
        }
    }
    if (steering->step < 2 && grt_policy_now(world) == steering->at[steering->step]) {
        if (steering->step++ == 0) {
            grt_policy_boost(world, B, steering->to);
            grt_policy_timer(world, steering->timer, steering->at[1]);
        } else if (!steering->ended) {
            grt_policy_unboost(world, B);
        }
    }
}

static const struct grt_policy_ops steering_policy = {
    .name = "steering",
    .summary = "changes a priority",
    .state_size = sizeof(struct steering),
    .parameters_size = sizeof(struct steering),
    .host = GRT_HOST_BY_THREAD,
    .start = steering_start,
    .gpu_request = steering_request,
    .job_ended = steering_job_ended,
    .decide = steering_decide,
};

static void steer(struct grt_built_run *run, const struct grt_builder *builder, grt_time from, grt_time to,
                  int64_t priority) {
    union grt_test_host_parameters parameters = {0};
    const struct steering steering = {.at = {from, to}, .to = priority};
    memcpy(&parameters, &steering, sizeof steering);
    host_run(run, builder, &steering_policy, &parameters);
    CU_ASSERT_EQUAL(grt_built_run_count(run, GRT_TRACE_PRIORITY), 2);
}

/* A of priority 3 comes at an instant and computes; B of priority 1 computes and then has a GPU segment. */
static struct grt_builder *two_tasks(grt_time at, grt_time first, grt_time second) {
    struct grt_builder *builder = host_world(1, 100);
    grt_builder_cpu(builder, host_task(builder, 0, 3, at), first);
    struct grt_task *task = host_task(builder, 0, 1, 0);
    if (second > 0) {
        grt_builder_cpu(builder, task, second);
    }
    host_segment(builder, task, 0, 10, 2, GRT_HOST_SYNCHRONOUS);
    return builder;
}

static void changed_while_running(void) {
    struct grt_builder *builder = two_tasks(4, 2, 10);
    struct grt_built_run run;
    steer(&run, builder, 3, 6, 5);
    HOST_CORE(&run, 0, {B, 0, 6, PREEMPTED}, {A, 6, 8, 0}, {B, 8, 12, 0}, {B, 22, 24, 0});
    grt_built_run_free(&run);
    steer(&run, builder, 3, 6, 3); /* as urgent as A: not preempted either */
    HOST_CORE(&run, 0, {B, 0, 6, PREEMPTED}, {A, 6, 8, 0}, {B, 8, 12, 0}, {B, 22, 24, 0});
    grt_built_run_free(&run);
    steer(&run, builder, 3, 6, 2); /* not enough */
    HOST_CORE(&run, 0, {B, 0, 4, PREEMPTED}, {A, 4, 6, 0}, {B, 6, 12, 0}, {B, 22, 24, 0});
    grt_built_run_end(&run, builder);
}

static void changed_while_ready(void) {
    struct grt_builder *builder = two_tasks(0, 10, 6);
    struct grt_built_run run;
    steer(&run, builder, 4, 7, 5);
    HOST_CORE(&run, 0, {A, 0, 4, PREEMPTED}, {B, 4, 7, PREEMPTED}, {A, 7, 13, 0}, {B, 13, 16, 0},
              {B, 26, 28, 0});
    grt_built_run_end(&run, builder);
}

/* B's commands take from 0 to 10: what it was given meanwhile counts when it comes back, unless it was taken back. */
static void changed_while_suspended(void) {
    struct grt_builder *builder = two_tasks(5, 20, 0);
    struct grt_built_run run;
    steer(&run, builder, 3, 40, 5);
    HOST_CORE(&run, 0, {A, 5, 10, PREEMPTED}, {B, 10, 12, 0}, {A, 12, 27, 0});
    grt_built_run_free(&run);
    steer(&run, builder, 3, 8, 5);
    HOST_CORE(&run, 0, {A, 5, 25, 0}, {B, 25, 27, 0});
    grt_built_run_end(&run, builder);
}

/* In its second part, which lasts from 10 on, B is as urgent as it was made until 11. */
static void changed_in_a_host_part(void) {
    struct grt_builder *builder = two_tasks(5, 20, 0);
    struct grt_built_run run;
    steer(&run, builder, 3, 11, 5);
    HOST_CORE(&run, 0, {A, 5, 10, PREEMPTED}, {B, 10, 11, PREEMPTED}, {A, 11, 26, 0}, {B, 26, 27, 0});
    grt_built_run_end(&run, builder);
}

/* Busy-waiting ends with the job for which it was asked. */
static void spinning_is_of_one_job(void) {
    struct grt_builder *builder = host_world(1, 100);
    struct grt_built_run run;
    union grt_test_host_parameters parameters = {0};
    const struct steering steering = {.at = {90, 91}, .first_spins = true};
    static const grt_time times[] = {0, 30};
    grt_builder_cpu(builder, host_task(builder, 0, 3, 0), 1);
    struct grt_task *task = host_task(builder, 0, 1, 0);
    grt_builder_times(builder, task, times, 2);
    host_segment(builder, task, 0, 10, 2, GRT_HOST_SYNCHRONOUS);
    builder->scenario.horizon = 80;
    memcpy(&parameters, &steering, sizeof steering);
    host_run(&run, builder, &steering_policy, &parameters);
    HOST_CORE(&run, 0, {A, 0, 1, 0}, {B, 1, 11, GRT_TRACE_SPIN}, {B, 11, 13, 0}, {B, 40, 42, 0});
    grt_built_run_end(&run, builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"both modes", both_modes},
        {"on the tasks' core", on_the_tasks_core},
        {"core of its own", core_of_its_own},
        {"costs", costs},
        {"aborts", aborts},
        {"abort while waiting", abort_while_waiting},
        {"horizons", horizons},
        {"misuse is refused", misuse_is_refused},
        {"changed while running", changed_while_running},
        {"changed while ready", changed_while_ready},
        {"changed while suspended", changed_while_suspended},
        {"changed in a host part", changed_in_a_host_part},
        {"spinning is of one job", spinning_is_of_one_job},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("threads of policies", tests);
}
