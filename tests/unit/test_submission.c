/* Submissions: two jobs' commands in an order that the policy chooses, over two streams, with events and a host function of its own. */
#include "tests/support/audited_world.h"
#include "tests/support/suite.h"

enum { A, B };

/* What was told, in its order. */
enum told { TOLD_SUBMISSION, TOLD_CALL, TOLD_DONE, TOLD_ENDED };

struct tell {
    enum told what;
    uint32_t whom; /* a job, or the number of what was issued */
    grt_time when;
};

struct script {
    struct tell *tells; /* parameters */
    uint32_t *count;
    grt_time abort_at; /* A; 0: never */
    grt_stream streams[2];
    grt_stream_event event;
    uint32_t labels[3], timer;
    grt_submission last_of_b, function;
    grt_job jobs[2];
    uint32_t asked;
    bool begun, call_done, b_done, a_ended;
};

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct script *self = state;
    (void)errors;
    *self = *(const struct script *)grt_policy_parameters(world);
    self->streams[0] = grt_policy_stream(world, 0, 0, "one");
    self->streams[1] = grt_policy_stream(world, 0, 0, "two");
    self->event = grt_policy_event(world, 0);
    self->labels[0] = grt_policy_label(world, "A is copied");
    self->labels[1] = grt_policy_label(world, "after A's copy");
    self->labels[2] = grt_policy_label(world, "tell me");
    self->timer = grt_policy_new_timer(world);
    CU_ASSERT(grt_policy_event_is_complete(world, self->event));
    return true;
}

static void tell(const struct script *self, const struct grt_world *world, enum told what, uint32_t whom) {
    self->tells[(*self->count)++] = (struct tell){what, whom, grt_policy_now(world)};
}

static void request(void *state, struct grt_world *world, grt_job job) {
    struct script *self = state;
    self->jobs[grt_policy_job(world, job)->task] = job;
    self->asked++;
}

static void submission_done(void *state, struct grt_world *world, grt_job job, grt_submission submission) {
    struct script *self = state;
    tell(self, world, TOLD_SUBMISSION, job);
    self->b_done |= submission == self->last_of_b;
}

static void call_done(void *state, struct grt_world *world, grt_submission call) {
    struct script *self = state;
    CU_ASSERT(call == self->function);
    CU_ASSERT(grt_policy_event_is_complete(world, self->event));
    tell(self, world, TOLD_CALL, 0);
    self->call_done = true;
}

static void done(void *state, struct grt_world *world, grt_job job) {
    tell(state, world, TOLD_DONE, job);
}

static void ended(void *state, struct grt_world *world, grt_job job) {
    tell(state, world, TOLD_ENDED, job);
    ((struct script *)state)->a_ended |= job == ((struct script *)state)->jobs[A];
}

static const struct grt_piece one = {.commands = 1};

/* In stream one: A's copy, the event, A's kernel, B's copy; in stream two: the event, B's kernel, a host function. */
static void begin(struct script *self, struct grt_world *world) {
    grt_stream first = self->streams[0], second = self->streams[1];
    grt_policy_issue(world, self->jobs[A], 0, one, first);
    CU_ASSERT(grt_policy_record_event(world, first, self->event, self->labels[0], false) ==
              GRT_NO_SUBMISSION);
    CU_ASSERT(!grt_policy_event_is_complete(world, self->event));
    grt_policy_wait_event(world, second, self->event, self->labels[1], false);
    grt_policy_issue(world, self->jobs[B], 1, one, second);
    grt_policy_issue(world, self->jobs[A], 1, one, first);
    self->last_of_b = grt_policy_issue(world, self->jobs[B], 0, one, first);
    self->function = grt_policy_callback(world, second, 7, self->labels[2]);
    CU_ASSERT(grt_policy_progress(world, self->jobs[A]).step == 2);
    CU_ASSERT(grt_policy_progress(world, self->jobs[B]).step == 2);
}

static void decide(void *state, struct grt_world *world) {
    struct script *self = state;
    if (!self->begun && self->asked == 2) {
        self->begun = true;
        begin(self, world);
        grt_policy_timer(world, self->timer, self->abort_at > 0 ? self->abort_at : GRT_TIME_NEVER);
    } else if (self->abort_at > 0 && grt_policy_now(world) == self->abort_at) {
        self->abort_at = 0;
        grt_policy_abort(world, self->jobs[A]);
        self->a_ended = true;
    }
    if (self->call_done && !self->a_ended) { /* A's copy back */
        self->call_done = false;
        grt_policy_issue(world, self->jobs[A], 2, one, self->streams[1]);
    }
    if (self->b_done) {
        self->b_done = false;
        grt_policy_issue(world, self->jobs[B], 0, one, self->streams[1]); /* the first that is left */
        self->last_of_b = GRT_NO_SUBMISSION;
    }
}

static const struct grt_policy_ops script = {
    .name = "script",
    .summary = "for this test",
    .state_size = sizeof(struct script),
    .parameters_size = sizeof(struct script),
    .start = start,
    .gpu_request = request,
    .gpu_submission_done = submission_done,
    .gpu_call_done = call_done,
    .gpu_done = done,
    .job_ended = ended,
    .decide = decide,
};

/* A: 10 ns to the device, a block of 20 ns, 5 ns back. B: 4, 6, 3. Two SMs, one copy engine, no launch times. */
static struct grt_builder *two_jobs(void) {
    struct grt_builder *builder = grt_builder_create(100);
    grt_builder_gpu(builder, grt_built_tx2());
    for (int64_t i = 0; i < 2; i++) {
        struct grt_task *task = grt_builder_task(builder, i == A ? "A" : "B");
        grt_builder_copy(builder, task, GRT_COMMAND_H2D, i == A ? 10 : 4);
        grt_builder_kernel(builder, task, 1, 1024, i == A ? 20 : 6);
        grt_builder_copy(builder, task, GRT_COMMAND_D2H, i == A ? 5 : 3);
    }
    return builder;
}

struct expected {
    struct tell tells[12];
    uint32_t count;
};

static void check(const struct expected *expected, const struct tell *tells, uint32_t count) {
    CU_ASSERT_EQUAL(count, expected->count);
    for (uint32_t i = 0; i < count && i < expected->count; i++) {
        CU_ASSERT_EQUAL(tells[i].what, expected->tells[i].what);
        CU_ASSERT_EQUAL(tells[i].whom, expected->tells[i].whom);
        CU_ASSERT_EQUAL(tells[i].when, expected->tells[i].when);
    }
}

static void check_call(const struct grt_built_run *run, uint32_t nth, uint32_t label, uint32_t row,
                       grt_time from, grt_time to) {
    const struct grt_trace_record *call = grt_built_run_find(run, GRT_TRACE_CALL, GRT_TRACE_NO_TASK, 0, nth);
    CU_ASSERT_PTR_NOT_NULL_FATAL(call);
    CU_ASSERT(call->detail == label && call->row == row && call->other == from && call->time == to);
}

/* A run of the script. */
struct play {
    struct grt_builder *builder;
    struct grt_audited_run audited;
    struct tell tells[32];
    uint32_t count;
};

/* Runs two_jobs, audits the trace and checks what the policy was told. */
static void play_script(struct play *play, grt_time abort_at, const struct expected *expected) {
    *play = (struct play){.builder = two_jobs()};
    const struct grt_scenario *scenario = &play->builder->scenario;
    struct grt_built_run *run = &play->audited.run;
    struct script parameters = {.tells = play->tells, .count = &play->count, .abort_at = abort_at};
    grt_built_run_start_with(run, scenario, &script, &parameters, false);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run->result);
    struct grt_audit_promise promise = {.end = run->result->end, .any_order = true};
    CU_ASSERT(grt_audit_records(scenario, &promise, run->kept.records, run->kept.record_count, NULL, false) ==
              0);
    check(expected, play->tells, play->count);
}

/* A's copy from 0 to 10 holds up B's kernel by the event; that and A's own run beside each other. B's copy waits behind A's kernel, and
 * the host function behind B's kernel; what is left is issued when those are told. */
static void commands_run_in_the_order_of_their_issue(void) {
    static const struct expected expected = {{{TOLD_SUBMISSION, A, 10},
                                              {TOLD_SUBMISSION, B, 16},
                                              {TOLD_CALL, 0, 23},
                                              {TOLD_SUBMISSION, A, 28},
                                              {TOLD_SUBMISSION, A, 30},
                                              {TOLD_DONE, A, 30},
                                              {TOLD_ENDED, A, 30},
                                              {TOLD_SUBMISSION, B, 34},
                                              {TOLD_SUBMISSION, B, 37},
                                              {TOLD_DONE, B, 37},
                                              {TOLD_ENDED, B, 37}},
                                             11};
    struct play play;
    play_script(&play, 0, &expected);
    const struct grt_built_run *run = &play.audited.run;
    CU_ASSERT(grt_built_copy_ran(run, A, 0, 0, 10));
    CU_ASSERT(grt_built_kernel_ran(run, A, 0, 10, 30));
    CU_ASSERT(grt_built_copy_ran(run, A, 1, 23, 28));
    CU_ASSERT(grt_built_kernel_ran(run, B, 0, 10, 16));
    CU_ASSERT(grt_built_copy_ran(run, B, 0, 30, 34));
    CU_ASSERT(grt_built_copy_ran(run, B, 1, 34, 37));
    check_call(run, 0, 0, 0, 10, 10);
    check_call(run, 1, 1, 1, 0, 10);
    check_call(run, 2, 2, 1, 16, 23);
    CU_ASSERT_STRING_EQUAL(grt_trace_memory_name(&run->kept, GRT_NAME_CALL, GRT_TRACE_NO_TASK, 0, 2),
                           "tell me");
    CU_ASSERT(grt_built_run_find(run, GRT_TRACE_GPU_SEGMENT, A, 0, 0)->row ==
              0); /* of the first submission */
    CU_ASSERT(grt_built_run_find(run, GRT_TRACE_GPU_SEGMENT, B, 0, 0)->row == 1);
    grt_built_run_end(&play.audited.run, play.builder);
}

/* A's kernel runs out, though its job is aborted at 12; everything of B is as before, and A's copy back is never made. */
static void an_abort_takes_back_what_has_not_begun_in_all_streams(void) {
    static const struct expected expected = {{{TOLD_SUBMISSION, A, 10},
                                              {TOLD_SUBMISSION, B, 16},
                                              {TOLD_CALL, 0, 23},
                                              {TOLD_DONE, A, 30},
                                              {TOLD_ENDED, A, 30},
                                              {TOLD_SUBMISSION, B, 34},
                                              {TOLD_SUBMISSION, B, 37},
                                              {TOLD_DONE, B, 37},
                                              {TOLD_ENDED, B, 37}},
                                             9};
    struct play play;
    play_script(&play, 12, &expected);
    const struct grt_built_run *run = &play.audited.run;
    CU_ASSERT(grt_built_run_abort(run, A, 0) == 12);
    CU_ASSERT(grt_built_kernel_ran(run, A, 0, 10, 30));
    CU_ASSERT_PTR_NULL(grt_built_run_find(run, GRT_TRACE_COPY, A, 0, 1));
    grt_built_run_end(&play.audited.run, play.builder);
}

/* At 5 A's copy runs and its kernel waits in the same stream: that is gone at once, B's copy takes its place, and the record and what waits
 * for it stay where they are. */
static void an_abort_leaves_the_policys_own_calls(void) {
    static const struct expected expected = {{{TOLD_DONE, A, 10},
                                              {TOLD_ENDED, A, 10},
                                              {TOLD_SUBMISSION, B, 14},
                                              {TOLD_SUBMISSION, B, 16},
                                              {TOLD_CALL, 0, 23},
                                              {TOLD_SUBMISSION, B, 26},
                                              {TOLD_DONE, B, 26},
                                              {TOLD_ENDED, B, 26}},
                                             8};
    struct play play;
    play_script(&play, 5, &expected);
    const struct grt_built_run *run = &play.audited.run;
    CU_ASSERT(grt_built_copy_ran(run, A, 0, 0, 10));
    CU_ASSERT_PTR_NULL(grt_built_run_find(run, GRT_TRACE_KERNEL, A, 0, 0));
    CU_ASSERT(grt_built_copy_ran(run, B, 0, 10, 14));
    CU_ASSERT(grt_built_kernel_ran(run, B, 0, 10, 16));
    CU_ASSERT(grt_built_copy_ran(run, B, 1, 23, 26)); /* behind the host function */
    check_call(run, 2, 2, 1, 16, 23);
    grt_built_run_end(&play.audited.run, play.builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"commands run in the order of their issue", commands_run_in_the_order_of_their_issue},
        {"an abort takes back what has not begun in all streams",
         an_abort_takes_back_what_has_not_begun_in_all_streams},
        {"an abort leaves the policy's own calls", an_abort_leaves_the_policys_own_calls},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("submissions", tests);
}
