/* Policies with a lock on every GPU: MPCP, and FMLP+, which differ in who goes first.
 *
 * Source: R. Rajkumar, L. Sha, J. Lehoczky, "Real-Time Synchronization Protocols for Multiprocessors", RTSS 1988, as section IV of H. Kim, P. Patel,
 * S. Wang, R. Rajkumar, "A Server-based Approach for Predictable GPU Access Control", RTCSA 2017, has it for GPUs; B. Brandenburg, "The FMLP+: An
 * Asymptotically Optimal Real-Time Locking Protocol for Suspension-Aware Analysis", ECRTS 2014.
 *
 * A lock is taken in the instant of a request if it is free, or else in that of a release; the raised priority of its new holder's thread shows it.
 * So everything that follows is known: when the thread is ready, and when it has to have its core. */
#include "verify/audit/cores.h"

enum { ONE_HOLDER, NEVER_FREE, BOOSTED, WAITS, RULES };

static const char *const names[RULES] = {
    "lock: one holder at a time",
    "lock: no GPU is free while somebody asks for it",
    "lock: boosted exactly while it holds",
    "lock: waits for the GPU as stated",
};

struct lock_gpu {
    uint32_t holder;
    uint32_t *waiting; /* tasks */
    uint32_t waiting_count;
    bool overdue; /* it was said that it is free although somebody waits */
};

struct lock_task {
    uint32_t wait_at;               /* place in the GPU's list, AUDIT_NONE: not there */
    bool boosted, said, spun, held; /* held: the lock was, when it asked */
};

struct lock {
    uint32_t rules;      /* the number of the first one */
    uint32_t first_goes; /* that of the order's; AUDIT_NONE: it is one that the auditor does not know */
    int64_t highest;     /* priority of all tasks */
    int64_t base;        /* what is added to ceilings, once it is known */
    bool has_base;
    struct lock_gpu *gpus;
    struct lock_task *tasks;
};

static bool applies(const struct grt_audit *audit) {
    return audit->promise.policy.gpu == GRT_PROMISE_LOCK;
}

static void create(struct grt_audit *audit, void *state) {
    struct lock *self = state;
    const struct grt_scenario *scenario = audit->scenario;
    self->rules = audit_add_rules(audit, names, RULES);
    self->first_goes = audit_add_order(audit);
    self->gpus = grt_arena_array(&audit->arena, scenario->gpu_count, sizeof *self->gpus);
    self->tasks = grt_arena_array(&audit->arena, scenario->task_count, sizeof *self->tasks);
    self->highest = INT64_MIN;
    for (uint32_t i = 0; i < scenario->gpu_count; i++) {
        self->gpus[i].holder = AUDIT_NONE;
        self->gpus[i].waiting = grt_arena_array(&audit->arena, scenario->task_count, sizeof(uint32_t));
    }
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        int64_t priority = scenario->tasks[i].priority;
        self->tasks[i].wait_at = AUDIT_NONE;
        self->highest = priority > self->highest ? priority : self->highest;
    }
}

/* ---- who holds it ---- */

static void request(struct grt_audit *audit, void *state, struct audit_task *task,
                    const struct grt_trace_record *record) {
    struct lock *self = state;
    struct lock_gpu *gpu = &self->gpus[task->spec->gpu];
    (void)audit;
    (void)record;
    self->tasks[task->number].held = gpu->holder != AUDIT_NONE;
    if (self->tasks[task->number].wait_at == AUDIT_NONE) {
        self->tasks[task->number].wait_at = gpu->waiting_count;
        gpu->waiting[gpu->waiting_count++] = task->number;
    }
}

static void stop_waiting(struct lock *self, struct lock_gpu *gpu, const struct audit_task *task) {
    struct lock_task *own = &self->tasks[task->number];
    if (own->wait_at != AUDIT_NONE) {
        uint32_t last = gpu->waiting[--gpu->waiting_count];
        gpu->waiting[own->wait_at] = last;
        self->tasks[last].wait_at = own->wait_at;
        own->wait_at = AUDIT_NONE;
    }
}

static void check_order(struct grt_audit *audit, const struct lock *self, const struct audit_task *task,
                        const struct grt_trace_record *record) {
    const struct lock_gpu *gpu = &self->gpus[task->spec->gpu];
    audit->checked[self->first_goes]++;
    for (uint32_t i = 0; i < gpu->waiting_count; i++) {
        const struct audit_task *other = &audit->tasks[gpu->waiting[i]];
        if (other != task && audit_goes_before(audit, other, task)) {
            audit_find(audit, self->first_goes, record->time, record->task, record->job,
                       "is given the GPU although \"%s\" waits, which goes first", other->spec->name);
        }
    }
}

/* The thread of a job is raised: its job has the lock from now on. */
static void take(struct grt_audit *audit, struct lock *self, struct audit_task *task,
                 const struct grt_trace_record *record) {
    struct lock_gpu *gpu = &self->gpus[task->spec->gpu];
    const struct grt_audit_lock *lock = audit->promise.lock;
    bool waits = self->tasks[task->number].wait_at != AUDIT_NONE;
    bool stated = record->other > self->highest;
    if (lock != NULL && lock->ceilings != NULL && waits) {
        int64_t base = record->other - lock->ceilings[task->number];
        stated = stated && (!self->has_base || base == self->base);
        self->base = self->has_base ? self->base : base;
        self->has_base = true;
    }
    audit_check(audit, self->rules + BOOSTED, waits && stated, record,
                waits ? "is boosted to another priority than it should be"
                      : "is boosted although it does not wait for a GPU");
    audit_check(audit, self->rules + ONE_HOLDER, gpu->holder == AUDIT_NONE, record,
                "is given the GPU before the one before has left it");
    if (!waits) {
        return;
    }
    if (self->first_goes != AUDIT_NONE) {
        check_order(audit, self, task, record);
    }
    stop_waiting(self, gpu, task);
    gpu->holder = task->number;
    gpu->overdue = false;
    audit_host_submitted(audit, task, record->time);
    audit->threads[task->number].apart = self->tasks[task->number].held;
}

static void priority(struct grt_audit *audit, void *state, struct audit_task *task,
                     const struct grt_trace_record *record) {
    struct lock *self = state;
    struct lock_task *own = &self->tasks[task->number];
    bool boosted = record->other != task->spec->priority;
    if (boosted) {
        take(audit, self, task, record);
    }
    own->boosted = boosted;
    own->said = false;
}

/* ---- what the holder does ---- */

/* Its first command begins as soon as it was called, for it has the GPU to itself. */
static void command(struct grt_audit *audit, void *state, struct audit_task *task,
                    const struct grt_trace_record *record) {
    const struct lock *self = state;
    const struct grt_device *device = audit->gpus[task->spec->gpu].device;
    grt_time launch = record->kind == GRT_TRACE_KERNEL ? device->kernel_launch : 0;
    bool first = grt_trace_command(record->detail) == 0 && task->launched == 0 && task->copied == 0;
    audit_check(audit, self->rules + ONE_HOLDER, self->gpus[task->spec->gpu].holder == task->number, record,
                "executes a command although it does not hold the GPU");
    if (!first || record->kind == GRT_TRACE_CALL || task->state != AUDIT_ON_GPU) {
        return;
    }
    if (task->called != AUDIT_UNKNOWN) {
        audit_check(audit, self->rules + WAITS, record->other == task->called + launch, record,
                    "has a command that begins at another instant than it is called");
    } else {
        audit_check(audit, self->rules + WAITS, audit->threads[task->number].unsure || task->guessed, record,
                    "has a command that its thread has not called");
    }
}

/* Busy-waiting where it should leave its core. */
static void slice(struct grt_audit *audit, void *state, struct audit_task *task,
                  const struct grt_trace_record *record) {
    struct lock *self = state;
    if (record->flags & GRT_TRACE_SPIN) {
        self->tasks[task->number].spun = true;
        audit_check(audit, self->rules + WAITS, audit->promise.lock == NULL || audit->promise.lock->spins,
                    record, "busy-waits although it should leave its core");
    }
}

/* Or the other way round: whoever should busy-wait, with the only lock there is, is seen to. */
static void check_spun(struct grt_audit *audit, struct lock *self, const struct audit_task *task,
                       const struct grt_trace_record *record) {
    struct lock_task *own = &self->tasks[task->number];
    if (audit->promise.lock != NULL && audit->promise.lock->spins && audit->scenario->gpu_count == 1 &&
        task->called != AUDIT_UNKNOWN && task->waited > 0) {
        audit_check(audit, self->rules + WAITS, own->spun, record,
                    "left its core although it should busy-wait");
    }
    own->spun = false;
}

static void segment_end(struct grt_audit *audit, void *state, struct audit_task *task,
                        const struct grt_trace_record *record) {
    struct lock *self = state;
    struct lock_gpu *gpu = &self->gpus[task->spec->gpu];
    bool open = (record->flags & GRT_TRACE_OPEN) != 0, aborted = (record->flags & GRT_TRACE_ABORTED) != 0;
    bool holds = gpu->holder == task->number;
    audit_check(audit, self->rules + ONE_HOLDER, holds || aborted || open, record,
                "ends without having held the GPU");
    if (open) {
        return;
    }
    check_spun(audit, self, task, record);
    stop_waiting(self, gpu, task);
    gpu->holder = holds ? AUDIT_NONE : gpu->holder;
}

/* ---- the end of an instant ---- */

static void check_boost(struct grt_audit *audit, struct lock *self, const struct audit_task *task,
                        grt_time now) {
    struct lock_task *own = &self->tasks[task->number];
    bool holds = self->gpus[task->spec->gpu].holder == task->number;
    if (own->boosted && !holds && !own->said) {
        own->said = true;
        audit_find(audit, self->rules + BOOSTED, now, task->number,
                   task->count > 0 ? audit_job_at(task, 0)->number : 0,
                   "is boosted although it does not hold a GPU");
    }
}

static void settle(struct grt_audit *audit, void *state, grt_time now) {
    struct lock *self = state;
    for (uint32_t i = 0; i < audit->scenario->gpu_count; i++) {
        struct lock_gpu *gpu = &self->gpus[i];
        audit->checked[self->rules + NEVER_FREE]++;
        if (gpu->holder == AUDIT_NONE && gpu->waiting_count > 0 && !gpu->overdue &&
            now < audit->promise.end) {
            gpu->overdue = true;
            audit_find(audit, self->rules + NEVER_FREE, now, gpu->waiting[0], 0,
                       "waits for a GPU that nobody holds");
        }
    }
    for (uint32_t i = 0; i < audit->scenario->task_count; i++) {
        check_boost(audit, self, &audit->tasks[i], now);
    }
}

const struct audit_family audit_lock = {
    .state_size = sizeof(struct lock),
    .applies = applies,
    .create = create,
    .request = request,
    .command = command,
    .segment_end = segment_end,
    .priority = priority,
    .slice = slice,
    .settle = settle,
};
