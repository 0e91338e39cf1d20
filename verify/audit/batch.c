/* Policies that execute batches: the schedulers of P. Muyan-Ozcelik, J. D. Owens, "Multitasking Real-time Embedded GPU Computing Tasks", PMAM
 * 2016, sections 3 and 4 and algorithms 1 to 4.
 *
 * Nobody tells the auditor when a batch is chosen. But it follows: as soon as somebody waits and none goes on, up to what the scheduler
 * takes for it. So the auditor chooses it, too, and holds every command against that. */
#include "verify/audit/batch.h"

static const char *const names[][BATCH_RULES] = {
    [GRT_OVERLAP_NONE] = {"batches: nothing of others until all of a batch are done",
                          "batches: the latest go first",
                          "batches: one is formed when somebody waits and none goes on",
                          "batches: the operations of a segment in order",
                          "batches: copies in follow those of who is more urgent",
                          "batches: one segment after the other"},
    [GRT_OVERLAP_COPIES] = {"batches: nothing of others until all of a batch are done",
                            "batches: the latest go first",
                            "batches: one is formed when somebody waits and none goes on",
                            "batches: the operations of a segment in order",
                            "batches: copies in follow those of who is more urgent",
                            "batches: kernels of two segments never overlap"},
    [GRT_OVERLAP_ALL] = {"batches: nothing of others until all of a batch are done",
                         "batches: the latest go first",
                         "batches: one is formed when somebody waits and none goes on",
                         "batches: the operations of a segment in order",
                         "batches: copies in follow those of who is more urgent"},
};

static bool applies(const struct grt_audit *audit) {
    return audit->promise.policy.gpu == GRT_PROMISE_BATCHES && audit->promise.batches != NULL;
}

/* Whether a command for a GPU may hold up the host's next call. */
static bool holds_host_up(const struct grt_scenario *scenario, uint32_t gpu) {
    bool any = false;
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        for (size_t j = 0; task->gpu == gpu && j < task->segment_count; j++) {
            for (size_t k = 0; k < task->segments[j].command_count; k++) {
                const struct grt_command_spec *command = &task->segments[j].commands[k];
                any |= grt_command_is_call(command->kind) || command->sync || command->pageable;
            }
        }
    }
    return any;
}

static void create(struct grt_audit *audit, void *state) {
    struct batch *self = state;
    const struct grt_scenario *scenario = audit->scenario;
    self->promise = audit->promise.batches;
    self->rules =
        audit_add_rules(audit, names[audit->promise.policy.overlap],
                        audit->promise.policy.overlap == GRT_OVERLAP_ALL ? BATCH_APART : BATCH_RULES);
    self->gpus = grt_arena_array(&audit->arena, scenario->gpu_count, sizeof *self->gpus);
    self->tasks = grt_arena_array(&audit->arena, scenario->task_count, sizeof *self->tasks);
    for (uint32_t i = 0; i < scenario->gpu_count; i++) {
        struct batch_gpu *gpu = &self->gpus[i];
        gpu->waiting = grt_arena_array(&audit->arena, scenario->task_count, sizeof *gpu->waiting);
        gpu->at_once = self->promise->at_once && self->promise->choice == 0 &&
                       audit->promise.policy.overlap != GRT_OVERLAP_NONE && !holds_host_up(scenario, i);
        gpu->members = grt_arena_array(&audit->arena, scenario->task_count, sizeof *gpu->members);
    }
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        self->tasks[i].wait_at = AUDIT_NONE;
    }
}

static bool is_outside(const struct batch *self, const struct audit_task *task) {
    return self->promise->outside != NULL && self->promise->outside[task->number];
}

/* The time goes on: what had to be chosen by now was. */
static void pass(struct grt_audit *audit, struct batch *self, struct batch_gpu *gpu, grt_time now) {
    if (gpu->state == BATCH_CHOOSING && now > gpu->until) {
        batch_choose(audit, self, gpu);
    }
}

static void request(struct grt_audit *audit, void *state, struct audit_task *task,
                    const struct grt_trace_record *record) {
    struct batch *self = state;
    struct batch_gpu *gpu = &self->gpus[task->spec->gpu];
    struct batch_task *own = &self->tasks[task->number];
    if (is_outside(self, task) || own->wait_at != AUDIT_NONE) { /* the latter of a spoilt trace */
        return;
    }
    pass(audit, self, gpu, record->time);
    const struct grt_segment *segment = &task->spec->segments[task->segment];
    uint32_t first = 0, count = (uint32_t)segment->command_count;
    while (first < count && segment->commands[first].kind != GRT_COMMAND_KERNEL) {
        first++;
    }
    for (uint32_t i = 0; first == count && i < count; i++) { /* no kernel: its copies out are no copies in */
        first = segment->commands[i].kind == GRT_COMMAND_D2H ? i : first;
    }
    own->next = 0;
    own->first_kernel = first;
    own->free = own->copied = record->time;
    own->kernel_end = AUDIT_UNKNOWN;
    own->begun = own->may = false;
    own->wait_at = gpu->waiting_count;
    gpu->waiting[gpu->waiting_count++] = (struct batch_asker){.key = batch_key_of(audit, self, task),
                                                              .since = record->time + self->promise->told};
    if (gpu->state == BATCH_NONE) {
        batch_choosing(self, gpu);
    }
}

/* ---- commands ---- */

/* When the first command of a segment was called. */
static grt_time called(const struct grt_audit *audit, const struct audit_task *task,
                       const struct grt_trace_record *record) {
    const struct grt_device *device = audit->gpus[task->spec->gpu].device;
    const struct grt_command_spec *command =
        &task->spec->segments[task->segment].commands[grt_trace_command(record->detail)];
    bool by_device = command->kernel.from_device;
    return record->kind != GRT_TRACE_KERNEL
               ? record->other
               : record->other - (by_device ? device->device_launch : device->kernel_launch);
}

/* The first command of a segment of the batch. */
static void show(const struct grt_audit *audit, struct batch_gpu *gpu, const struct audit_task *task,
                 const struct grt_trace_record *record) {
    grt_time begin = called(audit, task, record);
    bool exact = record->kind != GRT_TRACE_CALL &&
                 !grt_device_checks_dependencies(audit->gpus[task->spec->gpu].device);
    gpu->begun = begin < gpu->begun ? begin : gpu->begun;
    gpu->cut |= !exact; /* a call shows when it was its turn, not when it was called */
}

/* Whether it is known when the batch has to have begun. */
static bool is_due(const struct batch *self, const struct batch_gpu *gpu) {
    return gpu->gone_count == 0 && !gpu->doubtful && !gpu->cut && self->promise->begin != GRT_TIME_NEVER;
}

/* Somebody executes a command who is not known to be of the batch. */
static void join(struct grt_audit *audit, struct batch *self, struct batch_gpu *gpu,
                 const struct audit_task *task, const struct grt_trace_record *record) {
    struct batch_task *own = &self->tasks[task->number];
    if (own->may && gpu->untaken > 0) {
        batch_take(self, gpu, task->number);
        gpu->untaken--;
        batch_take_rest(self, gpu);
        return;
    }
    bool early = gpu->untaken > 0,
         waited = own->wait_at != AUDIT_NONE && gpu->waiting[own->wait_at].since <= gpu->from;
    for (uint32_t i = 0; i < gpu->member_count; i++) {
        early |= !self->tasks[gpu->members[i]].begun;
    }
    audit_find(audit, self->rules + (early && waited ? BATCH_FIRST_GO : BATCH_AT_MOST), record->time,
               record->task, record->job,
               early && waited ? "executes a command although others go before it that are not in the batch"
                               : "executes a command while a batch goes on that it is not of");
    batch_lose_track(self, gpu);
}

/* Where it is not known who is in a batch: not more than may be. */
static void stray(struct grt_audit *audit, struct batch *self, struct batch_gpu *gpu,
                  const struct audit_task *task, const struct grt_trace_record *record) {
    struct batch_task *own = &self->tasks[task->number];
    uint32_t begun = 0;
    if (!own->member && own->wait_at != AUDIT_NONE) {
        batch_take(self, gpu, task->number);
    }
    own->begun = true;
    for (uint32_t i = 0; i < gpu->member_count; i++) {
        begun += self->tasks[gpu->members[i]].begun;
    }
    audit_check(audit, self->rules + BATCH_AT_MOST, begun <= self->promise->most, record,
                "executes a command although a whole batch goes on");
}

static void find_batch(struct grt_audit *audit, struct batch *self, struct batch_gpu *gpu,
                       const struct audit_task *task, const struct grt_trace_record *record) {
    if (gpu->state == BATCH_CHOOSING) {
        grt_time begin = called(audit, task, record);
        if (!audit_check(audit, self->rules + BATCH_AT_MOST, begin >= gpu->from, record,
                         "executes a command before all of the batch before it are done")) {
            batch_lose_track(self, gpu);
        } else {
            gpu->until = begin < gpu->until ? begin : gpu->until;
            batch_choose(audit, self, gpu);
        }
    }
    if (gpu->state == BATCH_GOES && (!self->tasks[task->number].member || self->tasks[task->number].ended)) {
        join(audit, self, gpu, task, record);
    }
    if (gpu->state == BATCH_GOES && !self->tasks[task->number].begun) {
        show(audit, gpu, task, record);
    }
    if (gpu->state == BATCH_UNKNOWN || gpu->state == BATCH_NONE) {
        stray(audit, self, gpu, task, record);
    }
}

static void command(struct grt_audit *audit, void *state, struct audit_task *task,
                    const struct grt_trace_record *record) {
    struct batch *self = state;
    struct batch_gpu *gpu = &self->gpus[task->spec->gpu];
    struct batch_task *own = &self->tasks[task->number];
    uint32_t number = grt_trace_command(record->detail);
    if (is_outside(self, task)) {
        return;
    }
    pass(audit, self, gpu, record->time);
    find_batch(audit, self, gpu, task, record);
    if (gpu->state == BATCH_GOES) {
        batch_check_beside(audit, self, gpu, task, record);
    }
    own->begun = true;
    audit_check(audit, self->rules + BATCH_IN_ORDER, number == own->next && record->other >= own->free,
                record, "executes a command before the one in front of it is done");
    own->next = number + ((record->flags & GRT_TRACE_PREEMPTED) == 0);
    own->free = record->time;
    own->copied = number < own->first_kernel ? record->time : own->copied;
    own->kernel_end = record->kind == GRT_TRACE_KERNEL ? record->time : own->kernel_end;
}

/* ---- ends ---- */

/* Of the batch nobody is left. */
static void over(struct grt_audit *audit, struct batch *self, struct batch_gpu *gpu,
                 const struct grt_trace_record *record) {
    if (is_due(self, gpu) && gpu->begun != GRT_TIME_NEVER) {
        audit_check(audit, self->rules + BATCH_NEVER_IDLE, gpu->begun <= gpu->from + self->promise->begin,
                    record, "is the last of a batch that was formed later than it could be");
    }
    for (uint32_t i = 0; i < gpu->member_count; i++) {
        self->tasks[gpu->members[i]].member = false;
    }
    gpu->state = BATCH_NONE;
    gpu->member_count = 0;
    gpu->free = record->time;
    if (gpu->waiting_count > 0) {
        batch_choosing(self, gpu);
    }
}

/* A request is taken back that may have been chosen. */
static void withdraw(struct batch *self, struct batch_gpu *gpu, uint32_t task,
                     const struct grt_trace_record *record) {
    struct batch_task *own = &self->tasks[task];
    bool in_doubt = own->may && gpu->untaken > 0;
    batch_stop_waiting(self, gpu, task);
    own->may = false;
    if (gpu->state == BATCH_GOES && in_doubt) {
        if (!gpu->at_once) {
            batch_lose_track(self, gpu);
            return;
        }
        if (record->row != GRT_TRACE_NO_ROW) { /* it was one: who is, was submitted at once */
            gpu->untaken--;
            gpu->left--;
            gpu->cut = true;
        }
        batch_take_rest(self, gpu);
    }
    if (gpu->state == BATCH_CHOOSING && record->time > gpu->from) {
        gpu->gone_count++;
        gpu->doubtful = true;
    }
    if (gpu->state == BATCH_CHOOSING && gpu->waiting_count == 0) {
        gpu->state = BATCH_NONE;
    } else if (gpu->state == BATCH_CHOOSING && record->time <= gpu->from) {
        batch_choosing(self, gpu); /* it may not have been told of anybody yet */
    }
}

static void leave_unknown(struct batch *self, struct batch_gpu *gpu, uint32_t task, grt_time now) {
    batch_stop_waiting(self, gpu, task);
    for (uint32_t i = 0; i < gpu->member_count; i++) {
        if (gpu->members[i] == task) {
            gpu->members[i--] = gpu->members[--gpu->member_count];
        }
    }
    self->tasks[task].member = false;
    if (gpu->member_count == 0 && gpu->waiting_count == 0) {
        gpu->state = BATCH_NONE;
        gpu->free = now;
    }
}

static void segment_end(struct grt_audit *audit, void *state, struct audit_task *task,
                        const struct grt_trace_record *record) {
    struct batch *self = state;
    struct batch_gpu *gpu = &self->gpus[task->spec->gpu];
    struct batch_task *own = &self->tasks[task->number];
    bool aborted = (record->flags & GRT_TRACE_ABORTED) != 0;
    if (is_outside(self, task) || (record->flags & GRT_TRACE_OPEN)) {
        return;
    }
    pass(audit, self, gpu, record->time);
    audit_check(audit, self->rules + BATCH_AT_MOST, aborted || own->begun, record,
                "ends without having been in a batch");
    if (gpu->state == BATCH_UNKNOWN) {
        leave_unknown(self, gpu, task->number, record->time);
        return;
    }
    if (own->wait_at != AUDIT_NONE) {
        withdraw(self, gpu, task->number, record);
    } else if (own->member && !own->ended) {
        own->ended = true;
        gpu->cut |= !own->begun;
        gpu->left--;
        gpu->end = own->begun ? record->time : gpu->end;
    }
    if (gpu->state == BATCH_GOES && gpu->left == 0) {
        over(audit, self, gpu, record);
    }
}

/* ---- the end of an instant ---- */

static void settle(struct grt_audit *audit, void *state, grt_time now) {
    struct batch *self = state;
    for (uint32_t i = 0; i < audit->scenario->gpu_count; i++) {
        struct batch_gpu *gpu = &self->gpus[i];
        if (gpu->state == BATCH_CHOOSING && gpu->until == now && now < audit->promise.end) {
            batch_choose(audit, self, gpu);
        }
    }
}

/* Whether the first command of somebody who may be in the batch is a call, which shows late. */
static bool may_begin_with_call(const struct grt_audit *audit, uint32_t gpu) {
    for (uint32_t i = 0; i < audit->scenario->task_count; i++) {
        const struct audit_task *task = &audit->tasks[i];
        bool on_gpu = task->spec->gpu == gpu && task->state == AUDIT_ON_GPU;
        if (on_gpu && grt_command_is_call(task->spec->segments[task->segment].commands[0].kind)) {
            return true;
        }
    }
    return false;
}

/* A batch of which nothing shows was not begun: what goes on at the end of the run has been said by now. */
static void finish(struct grt_audit *audit, void *state) {
    struct batch *self = state;
    for (uint32_t i = 0; i < audit->scenario->gpu_count; i++) {
        struct batch_gpu *gpu = &self->gpus[i];
        const struct grt_device *device = &audit->scenario->gpus[i];
        bool chosen = gpu->state == BATCH_GOES || gpu->state == BATCH_CHOOSING;
        if (!chosen || !is_due(self, gpu) || grt_device_checks_dependencies(device) ||
            may_begin_with_call(audit, i)) {
            continue;
        }
        grt_time due = gpu->from + self->promise->begin;
        audit->checked[self->rules + BATCH_NEVER_IDLE]++;
        if (due + device->kernel_launch < audit->promise.end && gpu->begun > due) {
            uint32_t task = gpu->member_count > 0    ? gpu->members[0]
                            : gpu->waiting_count > 0 ? gpu->waiting[0].key.task
                                                     : AUDIT_NONE;
            audit_find(audit, self->rules + BATCH_NEVER_IDLE, due, task, 0,
                       "waits at the end of the run, and no batch was formed when it could be");
        }
    }
}

const struct audit_family audit_batch = {
    .state_size = sizeof(struct batch),
    .applies = applies,
    .create = create,
    .request = request,
    .command = command,
    .segment_end = segment_end,
    .settle = settle,
    .finish = finish,
};
