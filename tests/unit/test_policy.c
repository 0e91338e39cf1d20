/* What the world tells a policy and lets it do: a policy made for the test writes down every call and aborts jobs by a
 * timer. */
#include <string.h>

#include "sim/random.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { A, B, C };

/* One call: what, of which job, when. */
struct call {
    char what;
    uint32_t job;
    grt_time time;
};

enum { MOST_CALLS = 64 };

struct log {
    struct call calls[MOST_CALLS];
    size_t count;
    grt_time abort_at[3];      /* by job: when the policy aborts it, 0: never */
    uint64_t ties[MOST_CALLS]; /* of A's jobs, by number */
};

/* The policy's state; where it writes is handed over through grt_world_create. */
struct witness {
    struct log *log;
    grt_stream stream;
    uint32_t timers[3];
    bool due[3], waiting[3], alive[3];
};

static void write_down(struct witness *self, struct grt_world *world, char what, uint32_t job) {
    if (self->log->count < MOST_CALLS) {
        self->log->calls[self->log->count++] = (struct call){what, job, grt_policy_now(world)};
    }
}

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct witness *self = state;
    (void)errors;
    *self = *(const struct witness *)grt_policy_parameters(world);
    self->stream = grt_policy_stream(world, 0, 0, "s");
    for (uint32_t i = 0; i < 3; i++) {
        self->timers[i] = grt_policy_new_timer(world);
        if (self->log->abort_at[i] > 0) {
            grt_policy_timer(world, self->timers[i], self->log->abort_at[i]);
        }
    }
    return true;
}

static void released(void *state, struct grt_world *world, grt_job job) {
    struct witness *self = state;
    const struct grt_job_view *view = grt_policy_job(world, job);
    self->alive[job] = true;
    if (job == A && view->number < MOST_CALLS) {
        self->log->ties[view->number] = view->tie;
    }
    write_down(self, world, 'r', job);
}

static void requested(void *state, struct grt_world *world, grt_job job) {
    struct witness *self = state;
    CU_ASSERT_EQUAL(grt_policy_job(world, job)->requested, grt_policy_now(world));
    CU_ASSERT_EQUAL(grt_policy_job(world, job)->task, job);
    self->waiting[job] = true;
    write_down(self, world, 'q', job);
}

static void withdrawn(void *state, struct grt_world *world, grt_job job) {
    struct witness *self = state;
    self->waiting[job] = false;
    write_down(self, world, 'w', job);
}

static void done(void *state, struct grt_world *world, grt_job job) {
    write_down(state, world, 'd', job);
}

static void ended(void *state, struct grt_world *world, grt_job job) {
    struct witness *self = state;
    self->alive[job] = false;
    write_down(self, world, 'e', job);
}

static void missed(void *state, struct grt_world *world, grt_job job) {
    write_down(state, world, 'm', job);
}

static void timer(void *state, struct grt_world *world, uint32_t number) {
    struct witness *self = state;
    self->due[number] = true;
    write_down(self, world, 't', number);
}

/* B is never submitted. */
static void decide(void *state, struct grt_world *world) {
    struct witness *self = state;
    for (uint32_t job = 0; job < 3; job++) {
        if (self->due[job] && self->alive[job]) {
            grt_policy_abort(world, job);
            self->waiting[job] = false;
        } else if (self->waiting[job] && job != B) {
            grt_policy_submit(world, job, self->stream);
            self->waiting[job] = false;
        }
        self->due[job] = false;
    }
}

static const struct grt_policy_ops witness = {
    .name = "witness",
    .summary = "writes down what it is told",
    .state_size = sizeof(struct witness),
    .parameters_size = sizeof(struct witness),
    .start = start,
    .job_released = released,
    .gpu_request = requested,
    .gpu_withdrawn = withdrawn,
    .gpu_done = done,
    .job_ended = ended,
    .deadline_missed = missed,
    .timer = timer,
    .decide = decide,
};

static void run(const struct grt_builder *builder, struct log *log) {
    struct witness parameters = {.log = log};
    struct grt_errors errors = {0};
    struct grt_world_options options = {0};
    struct grt_world *world = grt_world_create(&builder->scenario, &witness, &parameters, &options, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(world);
    grt_world_run(world);
    grt_world_free(world);
}

static void told(const struct log *log, const struct call *expected, size_t count) {
    CU_ASSERT_EQUAL(log->count, count);
    for (size_t i = 0; i < count && i < log->count; i++) {
        CU_ASSERT_EQUAL(log->calls[i].what, expected[i].what);
        CU_ASSERT_EQUAL(log->calls[i].job, expected[i].job);
        CU_ASSERT_EQUAL(log->calls[i].time, expected[i].time);
    }
}

static struct grt_builder *three_tasks(void) {
    struct grt_builder *builder = grt_builder_create(100);
    grt_builder_gpu(builder, grt_built_exclusive());
    for (int i = 0; i < 3; i++) {
        grt_builder_task(builder, "t");
    }
    return builder;
}

/* A: 2 on its core, 3 on the GPU, 1 on its core; its deadline is 4. C has only the GPU, twice. */
static void calls_come_in_order(void) {
    static const struct call expected[] = {
        {'r', A, 0},  {'q', A, 2},  {'m', A, 4},  {'d', A, 5},  {'e', A, 6},  {'r', C, 10}, {'q', C, 10},
        {'d', C, 14}, {'q', C, 14}, {'d', C, 18}, {'e', C, 18}, {'r', B, 20}, {'e', B, 21},
    };
    struct grt_builder *builder = three_tasks();
    struct log log = {0};
    grt_builder_cpu(builder, &builder->tasks[A], 2);
    grt_builder_whole(builder, &builder->tasks[A], 3);
    grt_builder_cpu(builder, &builder->tasks[A], 1);
    builder->tasks[A].deadline = 4;
    grt_builder_at(builder, &builder->tasks[C], 10);
    grt_builder_whole(builder, &builder->tasks[C], 4);
    grt_builder_gpu_segment(builder, &builder->tasks[C]);
    grt_builder_whole(builder, &builder->tasks[C], 4);
    grt_builder_at(builder, &builder->tasks[B], 20);
    grt_builder_cpu(builder, &builder->tasks[B], 1);
    run(builder, &log);
    told(&log, expected, sizeof expected / sizeof expected[0]);
    grt_builder_free(builder);
}

/* At 5 the policy aborts A on the GPU until 10, B before its submission; at 7 C, queued on the device behind A: gone at
 * once. A's deadline, 6, passes while it is leaving the device: nobody hears of it. */
static void a_policy_aborts(void) {
    static const struct call expected[] = {
        {'r', A, 0}, {'q', A, 0}, {'r', B, 1}, {'q', B, 1},  {'r', C, 2},
        {'q', C, 2}, {'t', A, 5}, {'t', B, 5}, {'w', B, 5},  {'e', B, 5},
        {'t', C, 7}, {'d', C, 7}, {'e', C, 7}, {'d', A, 10}, {'e', A, 10},
    };
    struct grt_builder *builder = three_tasks();
    struct log log = {.abort_at = {5, 5, 7}};
    for (int i = 0; i < 3; i++) {
        grt_builder_at(builder, &builder->tasks[i], i);
        grt_builder_whole(builder, &builder->tasks[i], 10);
    }
    builder->tasks[A].deadline = 6;
    run(builder, &log);
    told(&log, expected, sizeof expected / sizeof expected[0]);
    grt_builder_free(builder);
}

/* A is aborted on its core; the task's next job, released at 3, comes at that instant. */
static void an_abort_makes_room_for_the_next_job(void) {
    static const struct call expected[] = {{'r', A, 0}, {'t', A, 5}, {'e', A, 5}, {'r', A, 5}, {'e', A, 15}};
    static const grt_time times[] = {0, 3};
    struct grt_builder *builder = three_tasks();
    struct log log = {.abort_at = {5, 0, 0}};
    grt_builder_times(builder, &builder->tasks[A], times, 2);
    grt_builder_cpu(builder, &builder->tasks[A], 10);
    for (int i = 1; i < 3; i++) {
        grt_builder_times(builder, &builder->tasks[i], NULL, 0);
        grt_builder_cpu(builder, &builder->tasks[i], 10);
    }
    run(builder, &log);
    told(&log, expected, sizeof expected / sizeof expected[0]);
    grt_builder_free(builder);
}

/* Job k of A has the same key whether the jobs before it were skipped or not; the keys are those of the named stream. */
static void shuffled_ties_belong_to_the_job(void) {
    struct grt_builder *builder = three_tasks();
    struct log log = {0};
    struct grt_random keys = grt_random_stream(7, "tie", A, 0);
    builder->scenario.seed = 7;
    builder->scenario.ties = GRT_TIES_SHUFFLE;
    grt_builder_periodic(&builder->tasks[A], 10, 0);
    builder->tasks[A].on_miss = GRT_MISS_SKIP_NEXT;
    for (int i = 0; i < 3; i++) {
        grt_builder_cpu(builder, &builder->tasks[i], 12);
    }
    run(builder, &log);
    for (int job = 0; job < 10; job++) { /* every other one is skipped */
        uint64_t key = grt_random_bits(&keys);
        CU_ASSERT_EQUAL(log.ties[job], job % 2 == 0 ? key : 0);
    }
    grt_builder_free(builder);
}

/* ---- what is prepared ---- */

struct preparing {
    int64_t given;
    int *prepared;        /* how often */
    const void **started; /* what the world had for it */
};

static const void *prepare(const struct grt_scenario *scenario, const void *parameters,
                           struct grt_arena *arena) {
    const struct preparing *given = parameters;
    int64_t *sum = grt_arena_new(arena, int64_t);
    *sum = given->given + (int64_t)scenario->task_count;
    ++*given->prepared;
    return sum;
}

static bool start_prepared(void *state, struct grt_world *world, struct grt_errors *errors) {
    (void)state, (void)errors;
    *((const struct preparing *)grt_policy_parameters(world))->started = grt_policy_prepared(world);
    return true;
}

static void decide_nothing(void *state, struct grt_world *world) {
    (void)state, (void)world;
}

/* Of a world that has it made for itself; it is gone with that. */
static int64_t seen_by(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                       const struct preparing *given, const void *prepared) {
    struct grt_world_options options = {.prepared = prepared};
    struct grt_errors errors = {0};
    struct grt_world *world = grt_world_create(scenario, policy, given, &options, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(world);
    int64_t seen = *given->started != NULL ? *(const int64_t *)*given->started : -1;
    grt_world_free(world);
    return seen;
}

static void what_is_prepared_is_shared(void) {
    struct grt_policy_ops policy = {.name = "preparing",
                                    .summary = "prepares",
                                    .parameters_size = sizeof(struct preparing),
                                    .prepare = prepare,
                                    .start = start_prepared,
                                    .decide = decide_nothing};
    int count = 0;
    const void *started = NULL;
    const struct preparing given = {.given = 40, .prepared = &count, .started = &started};
    struct grt_builder *builder = grt_builder_create(10);
    struct grt_arena arena = {0};
    grt_builder_gpu(builder, grt_built_exclusive());
    for (int i = 0; i < 2; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_builder_at(builder, task, 0);
        grt_builder_cpu(builder, task, 1);
    }
    CU_ASSERT_EQUAL(seen_by(&builder->scenario, &policy, &given, NULL), 42);
    CU_ASSERT_EQUAL(count, 1);
    const void *prepared = grt_world_prepare(&builder->scenario, &policy, &given, &arena);
    CU_ASSERT_EQUAL(count, 2);
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(seen_by(&builder->scenario, &policy, &given, prepared), 42);
        CU_ASSERT_PTR_EQUAL(started, prepared);
    }
    CU_ASSERT_EQUAL(count, 2);
    policy.prepare = NULL;
    CU_ASSERT_PTR_NULL(grt_world_prepare(&builder->scenario, &policy, &given, &arena));
    CU_ASSERT_EQUAL(seen_by(&builder->scenario, &policy, &given, NULL), -1);
    grt_arena_clear(&arena);
    grt_builder_free(builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"calls come in order", calls_come_in_order},
        {"a policy aborts", a_policy_aborts},
        {"an abort makes room for the next job", an_abort_makes_room_for_the_next_job},
        {"shuffled ties belong to the job", shuffled_ties_belong_to_the_job},
        {"what is prepared is shared", what_is_prepared_is_shared},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("what a policy is told and may do", tests);
}
