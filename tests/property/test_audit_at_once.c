/* labels: soak branches */
/* Policies that promise to submit every segment in the instant of its request, and hold some back: the auditor finds it in exactly those runs in
 * which they did, whatever else is on the GPUs. */
#include <inttypes.h>
#include <stdio.h>

#include "models/policy.h"
#include "tests/support/audited_world.h"
#include "tests/support/suite.h"

enum how {
    AT_ONCE,
    TWO_AT_A_TIME,
    SECONDS_LATER, /* each second segment 3 ns later */
    BY_DEADLINE,   /* one at a time, the earliest deadline first */
    APART,         /* never while a segment of another task is executed */
    IN_PARTS,      /* the first command at once, the rest when that has ended */
    HOWS
};

/* The policy's parameters: how it goes, and where it counts the segments that it held back. */
struct holding_parameters {
    int64_t how;
    uint64_t *held;
};

struct holding {
    struct grt_ready_queue waiting;
    grt_stream streams[GRT_BUILDER_TASKS];
    uint32_t timer, asked;
    bool executing[GRT_BUILDER_TASKS];
    bool in_part[GRT_BUILDER_TASKS]; /* the first command alone, of several */
    uint32_t count;                  /* of those that are executing */
};

static const struct holding_parameters *given(const struct grt_world *world) {
    return grt_policy_parameters(world);
}

static void note(const struct grt_world *world, grt_job job) {
    *given(world)->held += grt_policy_now(world) > grt_policy_job(world, job)->requested;
}

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct holding *self = state;
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    (void)errors;
    self->waiting = grt_policy_ready_queue(world, GRT_BUILDER_TASKS);
    self->timer = grt_policy_new_timer(world);
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        self->streams[i] = grt_policy_stream(world, (uint32_t)scenario->tasks[i].gpu, 0, "own");
    }
    return true;
}

static void request(void *state, struct grt_world *world, grt_job job) {
    struct holding *self = state;
    const struct grt_job_view *view = grt_policy_job(world, job);
    bool later = given(world)->how == SECONDS_LATER && self->asked++ % 2 == 1;
    grt_time key = given(world)->how == BY_DEADLINE ? view->deadline : view->requested + (later ? 3 : 0);
    grt_ready_queue_push(&self->waiting, key, view->tie, job);
}

static void withdrawn(void *state, struct grt_world *world, grt_job job) {
    note(world, job);
    grt_ready_queue_remove(&((struct holding *)state)->waiting, job);
}

static void done(void *state, struct grt_world *world, grt_job job) {
    struct holding *self = state;
    if (self->in_part[job] && !grt_policy_is_alive(world, job)) {
        note(world, job); /* aborted, the rest never went */
    }
    self->in_part[job] = false;
    self->executing[job] = false;
    self->count--;
}

static void piece_done(void *state, struct grt_world *world, grt_job job) {
    struct holding *self = state;
    const struct grt_job_view *view = grt_policy_job(world, job);
    done(state, world, job);
    grt_ready_queue_push(&self->waiting, view->requested, view->tie, job);
}

static bool may_go(const struct holding *self, const struct grt_world *world) {
    switch (given(world)->how) {
    case TWO_AT_A_TIME:
        return self->count < 2;
    case SECONDS_LATER:
        return grt_ready_queue_top(&self->waiting)->key <= grt_policy_now(world);
    case BY_DEADLINE:
    case APART:
        return self->count == 0;
    default:
        return true;
    }
}

static void submit(struct holding *self, struct grt_world *world, grt_job job) {
    note(world, job);
    self->executing[job] = true;
    self->count++;
    if (given(world)->how == IN_PARTS && grt_policy_progress(world, job).step == 0) {
        const struct grt_task *task = &grt_policy_scenario(world)->tasks[job];
        self->in_part[job] = task->segments[grt_policy_job(world, job)->segment].command_count > 1;
        grt_policy_submit_piece(world, job, self->streams[job], (struct grt_piece){.commands = 1});
    } else {
        grt_policy_submit(world, job, self->streams[job]);
    }
}

static void decide(void *state, struct grt_world *world) {
    struct holding *self = state;
    while (!grt_ready_queue_is_empty(&self->waiting) && may_go(self, world)) {
        submit(self, world, grt_ready_queue_pop(&self->waiting));
    }
    if (given(world)->how == SECONDS_LATER && !grt_ready_queue_is_empty(&self->waiting)) {
        grt_policy_timer(world, self->timer, grt_ready_queue_top(&self->waiting)->key);
    }
}

/* Those that wait when the run ends; and those of which it has submitted a part. */
static void conclude(const void *state, const struct grt_world *world, struct grt_description *out) {
    const struct holding *self = state;
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    (void)out;
    for (uint32_t i = 0; i < self->waiting.count; i++) {
        note(world, self->waiting.entries[i].item);
    }
    for (grt_job job = 0; job < scenario->task_count; job++) {
        if (self->in_part[job]) {
            note(world, job);
        }
    }
}

#define HOLDING                                                                                              \
    .name = "holding", .summary = "holds segments back", .state_size = sizeof(struct holding),               \
    .parameters_size = sizeof(struct holding_parameters), .promise = {.gpu = GRT_PROMISE_AT_ONCE},           \
    .start = start, .gpu_request = request, .gpu_withdrawn = withdrawn, .gpu_done = done, .decide = decide,  \
    .conclude = conclude

static const struct grt_policy_ops whole = {HOLDING};
static const struct grt_policy_ops in_parts = {HOLDING, .gpu_piece_done = piece_done};

/* Whether the auditor finds in a world's run that segments were held back, exactly if some were; *held counts those. */
static bool is_judged(uint64_t number, enum how how, uint64_t *held) {
    static const char rule[] = "policy: submitted at the request";
    struct grt_builder *builder = grt_audited_world(number, GRT_AUDITED_PLAIN);
    struct holding_parameters parameters = {.how = how, .held = held};
    struct grt_audited_run audited;
    struct grt_audit_tally tally = {0};
    uint64_t before = *held, found;
    grt_audited_run_start(&audited, &builder->scenario, how == IN_PARTS ? &in_parts : &whole, &parameters);
    CU_ASSERT_PTR_NOT_NULL_FATAL(audited.run.result);
    found = grt_audit_records(&builder->scenario, &audited.promise, audited.run.kept.records,
                              audited.run.kept.record_count, &tally, true);
    size_t place = grt_audit_tally_find(&tally, rule);
    CU_ASSERT_FATAL(place < tally.count);
    bool good = found == tally.broken[place] && (found > 0) == (*held > before);
    grt_audited_run_free(&audited);
    grt_builder_free(builder);
    return good;
}

static void who_holds_segments_back_is_found(void) {
    int cases = grt_suite_cases(300, 20000);
    for (int how = AT_ONCE; how < HOWS; how++) {
        uint64_t held = 0;
        for (uint64_t i = 0; i < (uint64_t)cases; i++) {
            bool good = is_judged(5200000 + i, (enum how)how, &held);
            if (!good) {
                fprintf(stderr, "way %d, world %" PRIu64 "\n", how, 5200000 + i);
            }
            CU_ASSERT_FATAL(good);
        }
        CU_ASSERT(how == AT_ONCE ? held == 0 : held >= (uint64_t)cases);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"who holds segments back is found", who_holds_segments_back_is_found},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("the auditor sees what is submitted late", tests);
}
