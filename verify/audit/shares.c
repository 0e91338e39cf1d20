/* GPUs of granularity shares: what holds under every policy, by rules F1 to F5 of docs/gpu-model.md. */
#include "verify/audit/shares.h"

#include <stdlib.h>
#include <string.h>

#include "models/occupancy.h"

static const char *const names[AUDIT_SHARES_RULES] = {
    [AUDIT_SHARES_AT_ONCE] = "shares: kernels begin as soon as they can",
    [AUDIT_SHARES_WORK] = "shares: kernels end when their work is done",
    [AUDIT_SHARES_ALONE] = "shares: a kernel alone takes as long as its share says",
    [AUDIT_SHARES_ABORTED] = "shares: aborted kernels end at once",
    [AUDIT_SHARES_TOKENS] = "shares: kernels take no more than their tokens",
    [AUDIT_SHARES_MARKS] = "shares: shares are part of a GPU, and marked when they change",
};

/* ---- what the scenario says ---- */

static grt_time at_least_one(grt_time time) {
    return time > 0 ? time : 1;
}

static grt_time times(grt_time time, int64_t count) {
    int64_t product;
    return __builtin_mul_overflow(time, count, &product) || product > GRT_TIME_LIMIT ? GRT_TIME_LIMIT
                                                                                     : product;
}

/* F1: waves of blocks that fit on the whole GPU, each of one draw. */
double audit_shares_work(const struct grt_device *device, const struct grt_kernel *kernel, grt_time *least,
                         grt_time *most) {
    bool constant = grt_distribution_is_constant(&kernel->block_time);
    int64_t waves = 1;
    double filled = 1;
    if (!kernel->whole_device) {
        int64_t fit = device->sm_count * grt_occupancy_of(device, &kernel->needs).blocks_per_sm;
        waves = (kernel->blocks + fit - 1) / fit;
        filled = waves > 1 ? 1 : (double)kernel->blocks / (double)fit;
    }
    *least = times(at_least_one(constant ? kernel->block_time.max : kernel->block_time.min), waves);
    *most = times(at_least_one(kernel->block_time.max), waves);
    return filled;
}

static void fill(const struct grt_device *device, const struct grt_kernel *kernel,
                 struct audit_shares_spec *spec) {
    double filled = audit_shares_work(device, kernel, &spec->least, &spec->most);
    spec->usage = kernel->usage != NULL ? *kernel->usage : audit_default_usage(filled);
    spec->class_name = kernel->class_name != NULL ? kernel->class_name : kernel->name;
}

static struct audit_shares_spec **specs_of(struct grt_audit *audit, const struct grt_device *device,
                                           const struct grt_task *task) {
    struct audit_shares_spec **specs =
        grt_arena_array(&audit->arena, task->segment_count, sizeof(struct audit_shares_spec *));
    for (size_t i = 0; i < task->segment_count; i++) {
        const struct grt_segment *segment = &task->segments[i];
        specs[i] = grt_arena_array(&audit->arena, segment->command_count + 1, sizeof **specs);
        for (size_t j = 0; j < segment->command_count; j++) {
            if (segment->commands[j].kind == GRT_COMMAND_KERNEL) {
                fill(device, &segment->commands[j].kernel, &specs[i][j]);
            }
        }
    }
    return specs;
}

/* Whether a task may keep kernels of others of its process, or its own, from beginning by other means than going first in a stream. */
static bool holds_others_up(const struct grt_task *task) {
    bool found = task->stream != NULL && strcmp(task->stream, "null") == 0;
    for (size_t i = 0; i < task->segment_count; i++) {
        for (size_t j = 0; j < task->segments[i].command_count; j++) {
            const struct grt_command_spec *command = &task->segments[i].commands[j];
            found |= grt_command_is_call(command->kind) || command->sync || command->pageable;
        }
    }
    return found;
}

/* Whether all of a segment is in one stream from its submission on, in which nothing else is. */
static bool is_by_itself(const struct grt_audit *audit, const struct grt_task *task) {
    const struct grt_promise *promise = &audit->promise.policy;
    switch (promise->gpu) {
    case GRT_PROMISE_AT_ONCE:
        return task->stream == NULL;
    case GRT_PROMISE_ONE:
    case GRT_PROMISE_LOCK:
    case GRT_PROMISE_SERVER:
    case GRT_PROMISE_SHARES:
        return promise->whole;
    default:
        return false;
    }
}

/* Whether a stream may have to wait for a hardware queue, or behind another one in the same. */
static bool has_few_queues(const struct grt_device *device, size_t streams) {
    bool few = device->queue_model == GRT_QUEUE_MODEL_SINGLE || (size_t)device->hardware_queues < streams;
    return device->hardware_queues > 0 && few;
}

static bool is_prompt(const struct grt_audit *audit, uint32_t number) {
    const struct grt_scenario *scenario = audit->scenario;
    const struct grt_task *task = &scenario->tasks[number];
    bool held_up = has_few_queues(&scenario->gpus[task->gpu], scenario->task_count) || audit->any_order;
    for (size_t i = 0; i < scenario->task_count; i++) {
        held_up |= scenario->tasks[i].gpu == task->gpu && holds_others_up(&scenario->tasks[i]);
    }
    return !held_up && is_by_itself(audit, task);
}

static bool applies(const struct grt_audit *audit) {
    for (size_t i = 0; i < audit->scenario->gpu_count; i++) {
        if (grt_device_has_shares(&audit->scenario->gpus[i])) {
            return true;
        }
    }
    return false;
}

static void create(struct grt_audit *audit, void *state) {
    struct audit_shares *self = state;
    const struct grt_scenario *scenario = audit->scenario;
    self->rule = audit_add_rules(audit, names, AUDIT_SHARES_RULES);
    self->gpus = grt_arena_array(&audit->arena, scenario->gpu_count, sizeof *self->gpus);
    self->specs = grt_arena_array(&audit->arena, scenario->task_count, sizeof *self->specs);
    self->prompt = grt_arena_array(&audit->arena, scenario->task_count, sizeof *self->prompt);
    self->submissions = grt_arena_array(&audit->arena, scenario->task_count, sizeof *self->submissions);
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        const struct grt_device *device = &scenario->gpus[scenario->tasks[i].gpu];
        if (grt_device_has_shares(device)) {
            self->specs[i] = specs_of(audit, device, &scenario->tasks[i]);
            self->prompt[i] = is_prompt(audit, i);
        }
    }
}

static void release(struct grt_audit *audit, void *state) {
    struct audit_shares *self = state;
    for (size_t i = 0; i < audit->scenario->gpu_count; i++) {
        free(self->gpus[i].kernels);
    }
    free(self->latest);
    free(self->shares);
    free(self->marks);
}

/* ---- records ---- */

static void request(struct grt_audit *audit, void *state, struct audit_task *task,
                    const struct grt_trace_record *record) {
    struct audit_shares *self = state;
    (void)record;
    if (self->specs[task->number] != NULL) {
        bool submitted = audit->promise.policy.gpu == GRT_PROMISE_AT_ONCE &&
                         !grt_segment_has_host_parts(&task->spec->segments[task->segment]);
        self->open++;
        self->submissions[task->number] =
            (struct audit_submission){submitted ? task->since : AUDIT_UNKNOWN, submitted};
    }
}

/* When the segment was submitted, as far as it is known: its first command shows by when at the latest. A kernel that was the first began then, but for
 * its launch; a copy may have waited for its engine, unless nobody else has the GPU. */
static void note_submission(const struct grt_audit *audit, struct audit_shares *self,
                            const struct audit_task *task, const struct grt_trace_record *record) {
    struct audit_submission *submission = &self->submissions[task->number];
    if (submission->latest == AUDIT_UNKNOWN) {
        const struct grt_device *device = audit->gpus[task->spec->gpu].device;
        submission->latest = record->other - (record->kind == GRT_TRACE_KERNEL ? device->kernel_launch : 0);
        bool alone = audit->promise.policy.gpu != GRT_PROMISE_AT_ONCE &&
                     audit->promise.policy.gpu != GRT_PROMISE_SHARES;
        submission->is_known = record->kind == GRT_TRACE_KERNEL || alone;
    }
}

/* F1. Launches take their time one after the other from the submission on. */
static void check_begin(struct grt_audit *audit, const struct audit_shares *self,
                        const struct audit_task *task, const struct grt_trace_record *record) {
    const struct audit_submission *submission = &self->submissions[task->number];
    if (record->kind == GRT_TRACE_KERNEL && self->prompt[task->number]) {
        grt_time launches =
            (grt_time)(task->launched + 1) * audit->gpus[task->spec->gpu].device->kernel_launch;
        grt_time launched = submission->latest + launches;
        grt_time can = launched > task->command_free ? launched : task->command_free;
        audit_check(audit, self->rule + AUDIT_SHARES_AT_ONCE,
                    submission->is_known ? record->other == can : record->other <= can, record,
                    "has a kernel that does not begin as soon as it is at the head of its stream");
    }
}

static void keep_kernel(struct audit_shares *self, const struct audit_task *task,
                        const struct grt_trace_record *record) {
    struct audit_shares_gpu *gpu = &self->gpus[task->spec->gpu];
    gpu->kernels = grt_array_grow(gpu->kernels, &gpu->capacity, gpu->count + 1, sizeof *gpu->kernels);
    gpu->kernels[gpu->count++] = (struct audit_shares_kernel){
        .spec = &self->specs[task->number][task->segment][grt_trace_command(record->detail)],
        .start = record->other,
        .end = record->time,
        .stream = grt_trace_row(record->row),
        .task = record->task,
        .job = record->job,
        .cut = (record->flags & (GRT_TRACE_ABORTED | GRT_TRACE_OPEN)) != 0};
}

static void command(struct grt_audit *audit, void *state, struct audit_task *task,
                    const struct grt_trace_record *record) {
    struct audit_shares *self = state;
    if (self->specs[task->number] == NULL) {
        return;
    }
    note_submission(audit, self, task, record);
    check_begin(audit, self, task, record);
    if (record->kind == GRT_TRACE_KERNEL) {
        if (task->state == AUDIT_DRAINING || (record->flags & GRT_TRACE_ABORTED)) { /* F5 */
            bool good = task->state == AUDIT_DRAINING && record->time == task->aborted;
            audit_check(audit, self->rule + AUDIT_SHARES_ABORTED, good, record,
                        "has a kernel that does not end when its job is aborted");
        }
        keep_kernel(self, task, record);
    }
}

static void segment_end(struct grt_audit *audit, void *state, struct audit_task *task,
                        const struct grt_trace_record *record) {
    struct audit_shares *self = state;
    (void)audit;
    if (self->specs[task->number] != NULL && (record->flags & GRT_TRACE_OPEN) == 0) {
        self->open--;
    }
}

/* Room for one more stream; those that are new have all of their GPU. */
static int64_t *with_stream(int64_t *shares, uint32_t *count, uint32_t *capacity, uint32_t stream) {
    if (stream >= *count) {
        shares = grt_array_grow(shares, capacity, stream + 1, sizeof *shares);
        for (uint32_t i = *count; i <= stream; i++) {
            shares[i] = GRT_FULL_SHARE;
        }
        *count = stream + 1;
    }
    return shares;
}

static void share(struct grt_audit *audit, void *state, const struct grt_trace_record *record) {
    struct audit_shares *self = state;
    uint32_t stream = grt_trace_row(record->row);
    bool possible = record->other >= 0 && record->other <= GRT_FULL_SHARE;
    self->latest = with_stream(self->latest, &self->latest_count, &self->latest_capacity, stream);
    audit_check(audit, self->rule + AUDIT_SHARES_MARKS, possible && record->other != self->latest[stream],
                record,
                possible ? "is marked a share that does not change" : "sets a share that is none of a GPU");
    if (possible) {
        self->latest[stream] = record->other;
        self->marks =
            grt_array_grow(self->marks, &self->mark_capacity, self->mark_count + 1, sizeof *self->marks);
        self->marks[self->mark_count++] = (struct audit_shares_mark){record->time, stream, record->other};
    }
}

/* ---- adding up ---- */

static void add_up(struct grt_audit *audit, struct audit_shares *self) {
    uint32_t count = self->latest_count;
    int64_t *working = grt_allocate((count + 1) * sizeof *working);
    if (count > 0) {
        self->shares = with_stream(self->shares, &self->share_count, &self->share_capacity, count - 1);
    }
    for (uint32_t i = 0; i < audit->scenario->gpu_count; i++) {
        if (self->gpus[i].count > 0) {
            for (uint32_t j = 0; j < count; j++) {
                working[j] = self->shares[j];
            }
            audit_shares_add_up(audit, self, i, working, count);
            self->gpus[i].count = 0;
        }
    }
    for (uint32_t i = 0; i < self->mark_count; i++) {
        self->shares[self->marks[i].stream] = self->marks[i].share;
    }
    self->mark_count = 0;
    free(working);
}

static void settle(struct grt_audit *audit, void *state, grt_time now) {
    struct audit_shares *self = state;
    bool any = self->mark_count > 0;
    (void)now;
    for (uint32_t i = 0; self->open == 0 && !any && i < audit->scenario->gpu_count; i++) {
        any = self->gpus[i].count > 0;
    }
    if (self->open == 0 && any) {
        add_up(audit, self);
    }
}

static void finish(struct grt_audit *audit, void *state) {
    add_up(audit, state);
}

const struct audit_family audit_shares = {
    .state_size = sizeof(struct audit_shares),
    .applies = applies,
    .create = create,
    .release = release,
    .request = request,
    .command = command,
    .segment_end = segment_end,
    .share = share,
    .settle = settle,
    .finish = finish,
};
