/* labels: soak */
/* Policies that are nearly np-edf, audited as np-edf. With ties by task or by arrival np-edf is one schedule, so the auditor must refuse every
 * trace that differs from np-edf's own, and accept those that do not. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/audited_world.h"
#include "tests/support/suite.h"

/* ---- the policies ---- */

enum fault {
    NO_FAULT,
    LATEST_FIRST,  /* the latest deadline goes first */
    TIES_REVERSED, /* of equal deadlines the higher task goes first */
    IDLES,         /* lets the GPU rest for 3 ns after every segment */
    TWO_AT_A_TIME,
    PREEMPTS, /* in pieces, each of the earliest deadline at that time */
    FAULTS
};

static const char *const rules[FAULTS] = {
    [LATEST_FIRST] = "policy: earliest deadline first",   [TIES_REVERSED] = "policy: earliest deadline first",
    [IDLES] = "policy: never idle while a segment waits", [TWO_AT_A_TIME] = "policy: one segment at a time",
    [PREEMPTS] = "policy: one segment at a time",
};

struct nearly {
    int64_t fault; /* enum fault */
    struct nearly_gpu {
        grt_stream stream;
        bool waiting[GRT_BUILDER_TASKS];
        uint32_t running;
        grt_time rests_until;
        uint32_t timer;
    } gpus[GRT_MAX_GPUS];
};

static struct nearly_gpu *gpu_of(struct nearly *self, const struct grt_world *world, grt_job job) {
    return &self->gpus[grt_policy_scenario(world)->tasks[grt_policy_job(world, job)->task].gpu];
}

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct nearly *self = state;
    (void)errors;
    *self = *(const struct nearly *)grt_policy_parameters(world);
    for (uint32_t i = 0; i < grt_policy_scenario(world)->gpu_count; i++) {
        self->gpus[i].stream = grt_policy_stream(world, i, 0, "gpu");
        self->gpus[i].timer = grt_policy_new_timer(world);
    }
    return true;
}

static void request(void *state, struct grt_world *world, grt_job job) {
    gpu_of(state, world, job)->waiting[job] = true;
}

static void withdrawn(void *state, struct grt_world *world, grt_job job) {
    gpu_of(state, world, job)->waiting[job] = false;
}

static void done(void *state, struct grt_world *world, grt_job job) {
    struct nearly *self = state;
    struct nearly_gpu *gpu = gpu_of(self, world, job);
    gpu->running--;
    gpu->rests_until = grt_policy_now(world) + (self->fault == IDLES ? 3 : 0);
}

static void piece_done(void *state, struct grt_world *world, grt_job job) {
    done(state, world, job);
    request(state, world, job);
}

static bool outranks(const void *state, const struct grt_world *world, grt_job a, grt_job b) {
    (void)state;
    return grt_policy_job(world, a)->deadline < grt_policy_job(world, b)->deadline;
}

static bool goes_first(const struct nearly *self, const struct grt_world *world, grt_job a, grt_job b) {
    const struct grt_job_view *one = grt_policy_job(world, a), *other = grt_policy_job(world, b);
    if (one->deadline != other->deadline) {
        return (one->deadline < other->deadline) != (self->fault == LATEST_FIRST);
    }
    bool first = one->tie != other->tie ? one->tie < other->tie : one->task < other->task;
    return first != (self->fault == TIES_REVERSED);
}

static grt_job first_of(const struct nearly *self, const struct nearly_gpu *gpu,
                        const struct grt_world *world) {
    grt_job first = GRT_NO_JOB;
    for (grt_job job = 0; job < GRT_BUILDER_TASKS; job++) {
        if (gpu->waiting[job] && (first == GRT_NO_JOB || goes_first(self, world, job, first))) {
            first = job;
        }
    }
    return first;
}

static void submit(const struct nearly *self, struct nearly_gpu *gpu, struct grt_world *world, grt_job job) {
    gpu->waiting[job] = false;
    gpu->running++;
    if (self->fault == PREEMPTS) {
        struct grt_piece piece = grt_policy_piece_within(world, job, 30, NULL);
        bool fits = piece.commands > 0 || piece.units > 0;
        grt_policy_submit_piece(world, job, gpu->stream, fits ? piece : (struct grt_piece){.commands = 1});
    } else {
        grt_policy_submit(world, job, gpu->stream);
    }
}

static void decide(void *state, struct grt_world *world) {
    struct nearly *self = state;
    for (uint32_t i = 0; i < grt_policy_scenario(world)->gpu_count; i++) {
        struct nearly_gpu *gpu = &self->gpus[i];
        uint32_t most = self->fault == TWO_AT_A_TIME ? 2 : 1;
        grt_job job;
        if (grt_policy_now(world) < gpu->rests_until) {
            grt_policy_timer(world, gpu->timer, gpu->rests_until);
            continue;
        }
        while (gpu->running < most && (job = first_of(self, gpu, world)) != GRT_NO_JOB) {
            submit(self, gpu, world, job);
        }
    }
}

#define NEARLY                                                                                               \
    .name = "nearly-np-edf", .summary = "np-edf with a fault", .state_size = sizeof(struct nearly),          \
    .parameters_size = sizeof(struct nearly), .start = start, .gpu_request = request,                        \
    .gpu_withdrawn = withdrawn, .gpu_done = done, .outranks = outranks, .decide = decide

static const struct grt_policy_ops whole = {NEARLY};
static const struct grt_policy_ops in_pieces = {NEARLY, .gpu_piece_done = piece_done};

/* ---- what the auditor makes of them ---- */

/* The next record from one on that says what jobs and devices did: not who blocked whom, which also says what was submitted to a stream
 * behind others. */
static size_t next_of(const struct grt_trace_memory *kept, size_t from) {
    while (from < kept->record_count && kept->records[from].kind == GRT_TRACE_BLOCKED) {
        from++;
    }
    return from;
}

static bool same(const struct grt_trace_memory *one, const struct grt_trace_memory *other) {
    size_t i = next_of(one, 0), j = next_of(other, 0);
    while (i < one->record_count && j < other->record_count &&
           memcmp(&one->records[i], &other->records[j], sizeof one->records[i]) == 0) {
        i = next_of(one, i + 1);
        j = next_of(other, j + 1);
    }
    return i >= one->record_count && j >= other->record_count;
}

/* A run under the policy, which the caller frees. */
static void play(struct grt_built_run *run, const struct grt_builder *builder, enum fault fault) {
    struct nearly parameters = {.fault = fault};
    *run = (struct grt_built_run){.trace = grt_trace_create()};
    grt_trace_add_sink(run->trace, &grt_trace_memory_sink, &run->kept);
    run->world = grt_world_create(&builder->scenario, fault == PREEMPTS ? &in_pieces : &whole, &parameters,
                                  &(struct grt_world_options){.trace = run->trace}, &run->errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run->world);
    grt_world_run(run->world);
    grt_trace_finish(run->trace);
}

/* Whether the auditor finds something if np-edf is promised, but for `never_idle`; *under becomes how often under the fault's rule. */
static bool is_found(const struct grt_builder *builder, const struct grt_built_run *run, enum fault fault,
                     bool never_idle, uint64_t *under) {
    struct grt_audit_tally tally = {0};
    struct grt_audit_promise promise = {.policy = grt_policy_find("np-edf")->promise,
                                        .end = grt_world_result(run->world)->end};
    promise.policy.never_idle = never_idle;
    bool found = grt_audit_records(&builder->scenario, &promise, run->kept.records, run->kept.record_count,
                                   &tally, true) > 0;
    size_t place = fault != NO_FAULT ? grt_audit_tally_find(&tally, rules[fault]) : tally.count;
    *under = place < tally.count ? tally.broken[place] : 0;
    return found;
}

/* Whether the policy's trace is refused exactly if it is not np-edf's; counts those that are refused under the fault's rule. */
static bool is_judged(const struct grt_builder *builder, enum fault fault, int *refused) {
    struct grt_built_run own, run;
    uint64_t under;
    grt_built_run_start(&own, &builder->scenario, grt_policy_find("np-edf"), false);
    play(&run, builder, fault);
    bool found = is_found(builder, &run, fault, true, &under), differs = !same(&own.kept, &run.kept);
    *refused += under > 0;
    grt_built_run_free(&own);
    grt_built_run_free(&run);
    /* A piece after which the job was aborted may have been the whole kernel. */
    return (found == differs || (fault == PREEMPTS && !found)) && (fault != NO_FAULT || !differs);
}

static void what_differs_from_np_edf_is_refused(void) {
    int cases = grt_suite_all_cases(300, 20000);
    for (int fault = NO_FAULT; fault < FAULTS; fault++) {
        int refused = 0;
        bool good = true;
        for (uint64_t i = 0; good && i < (uint64_t)cases; i++) {
            struct grt_builder *builder = grt_audited_world(5000000 + i, GRT_AUDITED_PLAIN);
            builder->scenario.ties = i % 2 == 0 ? GRT_TIES_TASK : GRT_TIES_ARRIVAL;
            good = is_judged(builder, (enum fault)fault, &refused);
            grt_builder_free(builder);
            if (!good) {
                fprintf(stderr, "fault %d, world %" PRIu64 "\n", fault, 5000000 + i);
            }
        }
        CU_ASSERT(good);
        if (fault != NO_FAULT && refused < cases / 200) {
            fprintf(stderr, "fault %d: refused only %d times\n", fault, refused);
        }
        CU_ASSERT(fault == NO_FAULT || refused >= cases / 200);
    }
}

/* Who may leave a GPU idle is accepted as he rests; his other faults are found as well as anybody's. */
static void who_may_rest_is_accepted(void) {
    int cases = grt_suite_all_cases(200, 10000);
    for (int fault = NO_FAULT; fault < FAULTS; fault++) {
        bool may = fault == NO_FAULT || fault == IDLES;
        int found = 0;
        for (uint64_t i = 0; i < (uint64_t)cases; i++) {
            struct grt_builder *builder = grt_audited_world(5100000 + i, GRT_AUDITED_PLAIN);
            struct grt_built_run run;
            uint64_t under;
            play(&run, builder, (enum fault)fault);
            bool any = is_found(builder, &run, (enum fault)fault, false, &under);
            found += may ? any : under > 0;
            grt_built_run_free(&run);
            grt_builder_free(builder);
        }
        CU_ASSERT(may ? found == 0 : found >= cases / 200);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"what differs from np-edf is refused", what_differs_from_np_edf_is_refused},
        {"who may rest is accepted", who_may_rest_is_accepted},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("the auditor refuses wrong policies", tests);
}
