/* Policies that keep a GPU to one segment at a time: if they say so, it is never idle while one waits, and the right one goes first.
 *
 * Nobody tells the auditor when a segment was submitted. On a GPU that it has to itself its first command shows it: a copy or a call
 * begins at that instant, a kernel a launch later. That is known when the command ends; until then the GPU counts as free, and requests
 * that are taken back are remembered if they came when it should have been given away. */
#include "verify/audit/internal.h"

enum { ONE_SEGMENT, NEVER_IDLE, RULES };

static const char *const names[RULES] = {"policy: one segment at a time",
                                         "policy: never idle while a segment waits"};

/* The orders that the auditor knows. */
static const char *const orders[] = {
    [GRT_ORDER_REQUEST] = "policy: first come, first served",
    [GRT_ORDER_DEADLINE] = "policy: earliest deadline first",
    [GRT_ORDER_PERIOD] = "policy: shortest period first",
    [GRT_ORDER_PRIORITY] = "policy: highest priority first",
};

struct order_gpu {
    uint32_t occupant;
    grt_time free_from;
    uint32_t *waiting, *gone; /* tasks whose segments wait, or were taken back since the GPU was free last */
    uint32_t waiting_count, gone_count;
    grt_time idle_since; /* since when one of the latter should have had it; NEVER: none */
};

struct order_task {
    grt_time begun;   /* when its segment was given the GPU */
    uint32_t wait_at; /* place in the GPU's list of segments that wait */
    bool withdrawn;   /* it is in the GPU's list of requests that were taken back */
    grt_time withdrawn_since, withdrawn_until, withdrawn_key;
    uint64_t withdrawn_tie;
};

struct order {
    uint32_t rules; /* the number of the first one */
    /* else the policy may leave a GPU idle while somebody waits, and there is no such rule */
    bool never_idle;
    uint32_t first_goes; /* that of the order's; AUDIT_NONE: it is one that the auditor does not know */
    struct order_gpu *gpus;
    struct order_task *tasks;
};

static bool applies(const struct grt_audit *audit) {
    return audit->promise.policy.gpu == GRT_PROMISE_ONE;
}

static void create(struct grt_audit *audit, void *state) {
    struct order *self = state;
    const struct grt_scenario *scenario = audit->scenario;
    self->never_idle = audit->promise.policy.never_idle;
    self->rules = audit_add_rules(audit, names, self->never_idle ? RULES : NEVER_IDLE);
    self->first_goes = audit_add_order(audit);
    self->gpus = grt_arena_array(&audit->arena, scenario->gpu_count, sizeof *self->gpus);
    self->tasks = grt_arena_array(&audit->arena, scenario->task_count, sizeof *self->tasks);
    for (uint32_t i = 0; i < scenario->gpu_count; i++) {
        self->gpus[i] = (struct order_gpu){
            .occupant = AUDIT_NONE,
            .waiting = grt_arena_array(&audit->arena, scenario->task_count, sizeof(uint32_t)),
            .gone = grt_arena_array(&audit->arena, scenario->task_count, sizeof(uint32_t)),
            .idle_since = GRT_TIME_NEVER,
        };
    }
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        self->tasks[i].wait_at = AUDIT_NONE;
    }
}

static grt_time later(grt_time a, grt_time b) {
    return a > b ? a : b;
}

bool audit_knows_order(const struct grt_audit *audit) {
    size_t order = (size_t)audit->promise.policy.order;
    return order < sizeof orders / sizeof orders[0] && orders[order] != NULL;
}

uint32_t audit_add_order(struct grt_audit *audit) {
    return audit_knows_order(audit) ? audit_add_rules(audit, &orders[audit->promise.policy.order], 1)
                                    : AUDIT_NONE;
}

int64_t audit_key_of(const struct grt_audit *audit, const struct audit_task *task) {
    const struct grt_task *spec = task->spec;
    switch (audit->promise.policy.order) {
    case GRT_ORDER_REQUEST:
        return task->since;
    case GRT_ORDER_DEADLINE:
        return audit_job_at(task, 0)->deadline;
    case GRT_ORDER_PERIOD:
        return spec->period > 0 ? spec->period : spec->deadline;
    default:
        return -spec->priority;
    }
}

/* Whether somebody with that key, tie and number goes before the task. With shuffled ties any of equals may. */
static bool goes_before(const struct grt_audit *audit, const struct audit_task *task, int64_t key,
                        uint64_t tie, uint32_t number) {
    int64_t own = audit_key_of(audit, task);
    if (key != own) {
        return key < own;
    }
    if (audit->scenario->ties == GRT_TIES_SHUFFLE) {
        return false;
    }
    return tie != task->tie ? tie < task->tie : number < task->number;
}

bool audit_goes_before(const struct grt_audit *audit, const struct audit_task *other,
                       const struct audit_task *task) {
    return goes_before(audit, task, audit_key_of(audit, other), other->tie, other->number);
}

static bool is_waiting(const struct order *self, const struct audit_task *task) {
    return self->tasks[task->number].wait_at != AUDIT_NONE;
}

static void request(struct grt_audit *audit, void *state, struct audit_task *task,
                    const struct grt_trace_record *record) {
    struct order *self = state;
    struct order_gpu *gpu = &self->gpus[task->spec->gpu];
    (void)audit;
    (void)record;
    if (is_waiting(self, task)) { /* of a spoilt trace */
        return;
    }
    self->tasks[task->number].wait_at = gpu->waiting_count;
    gpu->waiting[gpu->waiting_count++] = task->number;
}

static void stop_waiting(struct order *self, struct order_gpu *gpu, const struct audit_task *task) {
    struct order_task *own = &self->tasks[task->number];
    uint32_t last = gpu->waiting[--gpu->waiting_count];
    gpu->waiting[own->wait_at] = last;
    self->tasks[last].wait_at = own->wait_at;
    own->wait_at = AUDIT_NONE;
}

/* That no GPU is idle while somebody waits, and none goes on later than it could, if that is promised. */
static void check_idle(struct grt_audit *audit, const struct order *self, bool good,
                       const struct grt_trace_record *record, const char *sentence) {
    if (self->never_idle) {
        audit_check(audit, self->rules + NEVER_IDLE, good, record, sentence);
    }
}

/* The instant at which the GPU had to be given away, or could have been. */
static grt_time due(const struct grt_audit *audit, const struct order_gpu *gpu) {
    grt_time due = gpu->idle_since;
    for (uint32_t i = 0; i < gpu->waiting_count; i++) {
        grt_time could = later(gpu->free_from, audit->tasks[gpu->waiting[i]].since);
        due = could < due ? could : due;
    }
    return due;
}

static void check_order(struct grt_audit *audit, const struct order *self, const struct audit_task *task,
                        grt_time begun, const struct grt_trace_record *record) {
    const struct order_gpu *gpu = &self->gpus[task->spec->gpu];
    const struct audit_task *first = NULL;
    audit->checked[self->first_goes]++;
    for (uint32_t i = 0; i < gpu->waiting_count; i++) {
        const struct audit_task *other = &audit->tasks[gpu->waiting[i]];
        if (other != task && other->since <= begun && audit_goes_before(audit, other, task)) {
            first = other;
        }
    }
    for (uint32_t i = 0; i < gpu->gone_count; i++) {
        const struct audit_task *other = &audit->tasks[gpu->gone[i]];
        const struct order_task *gone = &self->tasks[other->number];
        if (other != task && gone->withdrawn_since <= begun && begun < gone->withdrawn_until &&
            goes_before(audit, task, gone->withdrawn_key, gone->withdrawn_tie, other->number)) {
            first = other;
        }
    }
    if (first != NULL) {
        audit_find(audit, self->first_goes, begun, record->task, record->job,
                   "is given the GPU although \"%s\" waits, which goes first", first->spec->name);
    }
}

/* Whether the host executes something between the submission and the first command. */
static bool has_first_part(const struct audit_task *task) {
    return task->spec->segments[task->segment].host_part[GRT_HOST_BEFORE].max > 0;
}

/* The task was given the GPU at that instant; where it does not show and GPUs may be idle, at the earliest. */
static void give(struct grt_audit *audit, struct order *self, const struct audit_task *task, grt_time begun,
                 const struct grt_trace_record *record) {
    struct order_gpu *gpu = &self->gpus[task->spec->gpu];
    bool was_free = gpu->occupant == AUDIT_NONE && begun >= gpu->free_from;
    grt_time had_to = due(audit, gpu);
    bool shows = record->kind != GRT_TRACE_GPU_SEGMENT && !has_first_part(task);
    audit_check(audit, self->rules + ONE_SEGMENT, was_free, record,
                "is given the GPU before the segment before has left it");
    if (was_free) {
        check_idle(audit, self, begun <= had_to, record, "is given the GPU later than it was free");
        if (self->first_goes != AUDIT_NONE && (shows || self->never_idle)) {
            check_order(audit, self, task, begun, record);
        }
    }
    stop_waiting(self, gpu, task);
    for (uint32_t i = 0; i < gpu->gone_count; i++) {
        self->tasks[gpu->gone[i]].withdrawn = false;
    }
    gpu->gone_count = 0;
    gpu->idle_since = GRT_TIME_NEVER;
    gpu->occupant = task->number;
    self->tasks[task->number].begun = begun;
}

/* Whether the host makes all calls of a segment at once, so that it is known when each of its kernels reaches the device. */
static bool is_called_at_once(const struct grt_segment *segment) {
    for (size_t i = 0; i < segment->command_count; i++) {
        const struct grt_command_spec *command = &segment->commands[i];
        if (grt_command_is_call(command->kind) || command->sync || command->pageable) {
            return false;
        }
    }
    return true;
}

/* What has the GPU to itself goes on as soon as it can. */
static void check_haste(struct grt_audit *audit, const struct order *self, const struct audit_task *task,
                        const struct grt_trace_record *record) {
    bool kernel = record->kind == GRT_TRACE_KERNEL;
    grt_time launch = audit->gpus[task->spec->gpu].device->kernel_launch;
    bool part = has_first_part(task), known = !part || task->called != AUDIT_UNKNOWN;
    grt_time called = part && known ? task->called : self->tasks[task->number].begun;
    grt_time reached = called + (kernel ? (task->launched + 1) * launch : 0);
    audit_check(
        audit, AUDIT_LAUNCHES, record->other >= reached, record,
        "has a command that begins before its launch can have reached the device, if the policy gives "
        "the GPU to one segment at a time, as it promises");
    if (known && is_called_at_once(&task->spec->segments[task->segment])) {
        check_idle(audit, self, record->other <= later(reached, task->command_free), record,
                   "executes a command later than it could");
    }
}

/* The first command of a segment shows when it was given the GPU. */
static void command(struct grt_audit *audit, void *state, struct audit_task *task,
                    const struct grt_trace_record *record) {
    struct order *self = state;
    const struct grt_device *device = audit->gpus[task->spec->gpu].device;
    grt_time launch = record->kind == GRT_TRACE_KERNEL ? device->kernel_launch : 0;
    if (is_waiting(self, task)) {
        grt_time begun = record->other - launch;
        if (has_first_part(task)) { /* which was executed before, from then on */
            begun = later(due(audit, &self->gpus[task->spec->gpu]), task->since);
        }
        give(audit, self, task, begun, record);
    }
    audit_check(audit, self->rules + ONE_SEGMENT, self->gpus[task->spec->gpu].occupant == task->number,
                record, "executes a command while another segment has the GPU");
    check_haste(audit, self, task, record);
}

/* A segment was submitted, but nothing of it was executed: there was no time for that. */
static void give_unseen(struct grt_audit *audit, struct order *self, const struct audit_task *task,
                        const struct grt_trace_record *record) {
    int64_t kind = task->spec->segments[task->segment].commands[0].kind;
    grt_time launch = audit->gpus[task->spec->gpu].device->kernel_launch;
    grt_time begun = due(audit, &self->gpus[task->spec->gpu]),
             shows = begun + (kind == GRT_COMMAND_KERNEL ? launch : 0);
    audit_check(audit, self->rules + ONE_SEGMENT, begun < record->time, record,
                "was submitted before the segment before had left the GPU");
    check_idle(audit, self,
               begun >= task->since &&
                   (shows >= record->time || grt_command_is_call(kind) || has_first_part(task)),
               record, "was submitted later than the GPU was free");
    give(audit, self, task, begun, record);
}

/* A request is taken back. It should have been given the GPU, or whoever has it now. */
static void withdraw(const struct grt_audit *audit, struct order *self, const struct audit_task *task,
                     grt_time now) {
    struct order_gpu *gpu = &self->gpus[task->spec->gpu];
    struct order_task *own = &self->tasks[task->number];
    grt_time could = later(gpu->free_from, task->since);
    stop_waiting(self, gpu, task);
    if (gpu->occupant != AUDIT_NONE || could >= now) {
        return;
    }
    gpu->idle_since = could < gpu->idle_since ? could : gpu->idle_since;
    if (!own->withdrawn) {
        own->withdrawn = true;
        own->withdrawn_since = task->since;
        own->withdrawn_until = now;
        own->withdrawn_key = audit_key_of(audit, task);
        own->withdrawn_tie = task->tie;
        gpu->gone[gpu->gone_count++] = task->number;
    }
}

static void segment_end(struct grt_audit *audit, void *state, struct audit_task *task,
                        const struct grt_trace_record *record) {
    struct order *self = state;
    struct order_gpu *gpu = &self->gpus[task->spec->gpu];
    bool open = (record->flags & GRT_TRACE_OPEN) != 0;
    if (is_waiting(self, task) && record->row == GRT_TRACE_NO_ROW) {
        audit_check(audit, self->rules + ONE_SEGMENT, open || (record->flags & GRT_TRACE_ABORTED), record,
                    "ends without having been submitted");
        if (!open) {
            withdraw(audit, self, task, record->time);
        }
        return;
    }
    if (is_waiting(self, task)) { /* it was submitted, but nothing of it was executed */
        give_unseen(audit, self, task, record);
    }
    if (!open) {
        gpu->occupant = gpu->occupant == task->number ? AUDIT_NONE : gpu->occupant;
        gpu->free_from = record->time;
    }
}

static void finish(struct grt_audit *audit, void *state) {
    struct order *self = state;
    if (!self->never_idle) {
        return;
    }
    for (uint32_t i = 0; i < audit->scenario->gpu_count; i++) {
        const struct order_gpu *gpu = &self->gpus[i];
        if (gpu->occupant == AUDIT_NONE && (gpu->waiting_count > 0 || gpu->idle_since != GRT_TIME_NEVER)) {
            audit->checked[self->rules + NEVER_IDLE]++;
            if (due(audit, gpu) < audit->promise.end) {
                uint32_t task = gpu->waiting_count > 0 ? gpu->waiting[0] : gpu->gone[0];
                audit_find(audit, self->rules + NEVER_IDLE, due(audit, gpu), task, 0,
                           "waits for an idle GPU at the end of the run");
            }
        }
    }
}

const struct audit_family audit_order = {
    .state_size = sizeof(struct order),
    .applies = applies,
    .create = create,
    .request = request,
    .command = command,
    .segment_end = segment_end,
    .finish = finish,
};
