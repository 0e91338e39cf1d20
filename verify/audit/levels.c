/* Policies that give a GPU to two segments, one in a stream of low and one in a stream of high priority: the strategy "multiple streams" of R. Tekin,
 * H.-E. Zahaf, G. Lipari, "PRUDA: An API for Time and Space Predictible Programming in NVIDIA GPUs using CUDA", JRWRTC 2019, section 4.2.
 *
 * Its two situations say at the end of each instant who is given what: with both streams empty the first goes to the low one; with
 * the high one empty it goes there if it is more urgent than who is in the low one. With the high one busy everybody waits; where the low one is
 * empty then, the paper says nothing, and the promise says it. So the auditor gives the streams, too, and holds commands against that. Where it cannot know
 * who is first, with shuffled ties, it looks on until nobody asks. */
#include "verify/audit/levels.h"

static const char *const names[LEVELS_RULES] = {
    "levels: at most two segments, one in each stream",
    "levels: the most urgent goes first",
    "levels: only who is more urgent goes beside another",
    "levels: never idle while a segment waits",
    "levels: blocks wait for those of the stream of high priority",
};

static bool applies(const struct grt_audit *audit) {
    return audit->promise.policy.gpu == GRT_PROMISE_TWO_LEVELS;
}

static void create(struct grt_audit *audit, void *state) {
    struct levels *self = state;
    const struct grt_scenario *scenario = audit->scenario;
    self->rules = audit_add_rules(audit, names, LEVELS_RULES);
    self->has_order = audit_knows_order(audit);
    self->co_run = audit->promise.policy.co_run;
    self->gpus = grt_arena_array(&audit->arena, scenario->gpu_count, sizeof *self->gpus);
    self->tasks = grt_arena_array(&audit->arena, scenario->task_count, sizeof *self->tasks);
    for (uint32_t i = 0; i < scenario->gpu_count; i++) {
        struct levels_gpu *gpu = &self->gpus[i];
        gpu->waiting = grt_arena_array(&audit->arena, scenario->task_count, sizeof(uint32_t));
        gpu->occupant[LOW] = gpu->occupant[HIGH] = AUDIT_NONE;
        gpu->row[LOW] = gpu->row[HIGH] = gpu->stream[LOW] = gpu->stream[HIGH] = GRT_TRACE_NO_ROW;
        gpu->unknown = !self->has_order;
        levels_blocks_create(audit, self, i);
    }
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        self->tasks[i].wait_at = AUDIT_NONE;
    }
}

static void request(struct grt_audit *audit, void *state, struct audit_task *task,
                    const struct grt_trace_record *record) {
    struct levels *self = state;
    struct levels_gpu *gpu = &self->gpus[task->spec->gpu];
    struct levels_task *own = &self->tasks[task->number];
    (void)audit;
    (void)record;
    if (own->wait_at != AUDIT_NONE) { /* of a spoilt trace */
        return;
    }
    own->begun = own->given = AUDIT_UNKNOWN;
    own->alone = false;
    own->wait_at = gpu->waiting_count;
    gpu->waiting[gpu->waiting_count++] = task->number;
    gpu->asked++;
}

static void stop_waiting(struct levels *self, struct levels_gpu *gpu, uint32_t task) {
    struct levels_task *own = &self->tasks[task];
    if (own->wait_at != AUDIT_NONE) {
        uint32_t last = gpu->waiting[--gpu->waiting_count];
        gpu->waiting[own->wait_at] = last;
        self->tasks[last].wait_at = own->wait_at;
        own->wait_at = AUDIT_NONE;
    }
}

/* Whom it is not known of goes on without: until nobody asks. */
static void lose_track(struct levels_gpu *gpu) {
    gpu->unknown = true;
    gpu->occupant[LOW] = gpu->occupant[HIGH] = AUDIT_NONE;
    gpu->window_count = gpu->start_count = 0;
    gpu->last_start = AUDIT_UNKNOWN;
}

/* ---- who is given what ---- */

/* The first of those that wait; AUDIT_NONE: it may be any of several. */
static uint32_t first_of(const struct grt_audit *audit, const struct levels_gpu *gpu) {
    const struct audit_task *first = &audit->tasks[gpu->waiting[0]];
    bool unique = true;
    for (uint32_t i = 1; i < gpu->waiting_count; i++) {
        const struct audit_task *other = &audit->tasks[gpu->waiting[i]];
        int64_t key = audit_key_of(audit, other), least = audit_key_of(audit, first);
        bool equal = key == least,
             ahead = other->tie != first->tie ? other->tie < first->tie : other->number < first->number;
        unique = key < least || (unique && !equal);
        first = key < least || (equal && ahead) ? other : first;
    }
    return unique || audit->scenario->ties != GRT_TIES_SHUFFLE ? first->number : AUDIT_NONE;
}

/* The stream to which that one goes now; LEVELS: it waits. */
static uint32_t level_for(const struct grt_audit *audit, const struct levels *self,
                          const struct levels_gpu *gpu, uint32_t task) {
    uint32_t low = gpu->occupant[LOW];
    if (gpu->occupant[HIGH] != AUDIT_NONE) {
        return low == AUDIT_NONE && self->co_run ? LOW : LEVELS;
    }
    if (low == AUDIT_NONE) {
        return LOW;
    }
    return audit_key_of(audit, &audit->tasks[task]) < audit_key_of(audit, &audit->tasks[low]) ? HIGH : LEVELS;
}

static void give(struct grt_audit *audit, struct levels *self, struct levels_gpu *gpu, grt_time now) {
    while (!gpu->unknown && gpu->waiting_count > 0) {
        uint32_t first = first_of(audit, gpu);
        bool alone = gpu->occupant[LOW] == AUDIT_NONE && gpu->occupant[HIGH] == AUDIT_NONE;
        uint32_t level = level_for(audit, self, gpu, first != AUDIT_NONE ? first : gpu->waiting[0]);
        if (first == AUDIT_NONE && (gpu->waiting_count > 1 || level < LEVELS)) {
            lose_track(gpu);
            return;
        }
        audit->checked[self->rules + LEVELS_MORE_URGENT] += !alone;
        if (level == LEVELS) {
            return;
        }
        audit->checked[self->rules + LEVELS_FIRST_GOES] += gpu->waiting_count > 1;
        gpu->occupant[level] = first;
        self->tasks[first].given = now;
        self->tasks[first].alone = alone;
        stop_waiting(self, gpu, first);
    }
}

static void settle(struct grt_audit *audit, void *state, grt_time now) {
    struct levels *self = state;
    for (uint32_t i = 0; i < audit->scenario->gpu_count && now < audit->promise.end; i++) {
        give(audit, self, &self->gpus[i], now);
    }
}

/* ---- commands ---- */

/* A command of somebody who was not given a stream. */
static void check_given(struct grt_audit *audit, struct levels *self, struct levels_gpu *gpu,
                        const struct audit_task *task, const struct grt_trace_record *record) {
    audit->checked[self->rules + LEVELS_TWO]++;
    if (levels_of(gpu, task->number) < LEVELS) {
        return;
    }
    bool low = gpu->occupant[LOW] != AUDIT_NONE, high = gpu->occupant[HIGH] != AUDIT_NONE;
    uint32_t rule = low && high ? LEVELS_TWO : LEVELS_MORE_URGENT;
    for (uint32_t i = 0; i < LEVELS; i++) { /* or instead of somebody who has not begun */
        uint32_t occupant = gpu->occupant[i];
        rule =
            occupant != AUDIT_NONE && self->tasks[occupant].begun == AUDIT_UNKNOWN ? LEVELS_FIRST_GOES : rule;
    }
    audit_find(audit, self->rules + rule, record->time, record->task, record->job,
               rule == LEVELS_TWO ? "executes a command while two others have the GPU"
               : rule == LEVELS_FIRST_GOES
                   ? "executes a command before who goes first"
                   : "executes a command although it has to wait for who has the GPU");
    lose_track(gpu);
}

/* The stream of a level is always the same, and not the other one's. */
static void check_row(struct grt_audit *audit, struct levels *self, struct levels_gpu *gpu, uint32_t level,
                      uint32_t row, const struct grt_trace_record *record) {
    gpu->row[level] = gpu->row[level] == GRT_TRACE_NO_ROW ? row : gpu->row[level];
    audit_check(audit, self->rules + LEVELS_TWO, gpu->row[level] == row && gpu->row[!level] != row, record,
                "is in another stream than it should be");
}

static void command(struct grt_audit *audit, void *state, struct audit_task *task,
                    const struct grt_trace_record *record) {
    struct levels *self = state;
    struct levels_gpu *gpu = &self->gpus[task->spec->gpu];
    struct levels_task *own = &self->tasks[task->number];
    const struct grt_device *device = audit->gpus[task->spec->gpu].device;
    grt_time launch = record->kind == GRT_TRACE_KERNEL ? device->kernel_launch : 0;
    bool first = own->begun == AUDIT_UNKNOWN;
    if (!gpu->unknown && own->wait_at != AUDIT_NONE && record->other == record->time) {
        give(audit, self, gpu,
             record->time); /* a call that takes no time, in the instant in which it is made */
    }
    if (!gpu->unknown) {
        check_given(audit, self, gpu, task, record);
    }
    stop_waiting(self, gpu, task->number);
    own->begun = first ? record->other - launch : own->begun;
    if (gpu->unknown) {
        return;
    }
    uint32_t level = levels_of(gpu, task->number);
    if (first) {
        bool parts = grt_segment_has_host_parts(&task->spec->segments[task->segment]); /* which come first */
        bool exact = own->alone && record->kind != GRT_TRACE_CALL && !parts && levels_have_queues(device);
        audit_check(audit, self->rules + LEVELS_NEVER_IDLE,
                    exact ? own->begun == own->given : own->begun >= own->given, record,
                    "begins at another instant than it is given the GPU");
    }
    if (record->kind != GRT_TRACE_COPY) {
        check_row(audit, self, gpu, level, grt_trace_row(record->row), record);
    }
    if (gpu->blocks && level == HIGH && record->kind == GRT_TRACE_KERNEL) {
        levels_kernel_end(audit, self, gpu, task, record);
    }
}

static void block(struct grt_audit *audit, void *state, struct audit_task *task,
                  const struct grt_trace_record *record) {
    levels_block(audit, state, task, record);
}

/* ---- ends ---- */

/* Whoever was in a stream came behind the one before it there. */
static void check_stream(struct grt_audit *audit, struct levels *self, struct levels_gpu *gpu,
                         const struct levels_task *own, const struct grt_trace_record *record) {
    uint32_t place = LOW;
    while (place < LEVELS && gpu->stream[place] != record->row && gpu->stream[place] != GRT_TRACE_NO_ROW) {
        place++;
    }
    audit_check(audit, self->rules + LEVELS_TWO,
                place < LEVELS && (own->begun == AUDIT_UNKNOWN || own->begun >= gpu->stream_free[place]),
                record, "was in a stream beside another segment, or in a third one");
    if (place < LEVELS) {
        gpu->stream[place] = record->row;
        gpu->stream_free[place] = record->time;
    }
}

/* Whether the policy itself aborted a job that had nothing on the device: when it had decided who goes where at this instant. */
static bool is_given_up(const struct audit_task *task, const struct grt_trace_record *record) {
    return (record->flags & GRT_TRACE_ABORTED) && task->aborted == record->time &&
           task->spec->deadline == GRT_TIME_NEVER;
}

static void segment_end(struct grt_audit *audit, void *state, struct audit_task *task,
                        const struct grt_trace_record *record) {
    struct levels *self = state;
    struct levels_gpu *gpu = &self->gpus[task->spec->gpu];
    struct levels_task *own = &self->tasks[task->number];
    bool open = (record->flags & GRT_TRACE_OPEN) != 0;
    if (open) {
        return;
    }
    if (!gpu->unknown && is_given_up(task, record)) {
        give(audit, self, gpu, record->time);
    }
    uint32_t level = levels_of(gpu, task->number);
    bool submitted = record->row != GRT_TRACE_NO_ROW;
    if (!gpu->unknown) {
        audit_check(audit, self->rules + LEVELS_TWO, (level < LEVELS) == submitted, record,
                    submitted ? "was submitted although it had to wait"
                              : "was given the GPU and not submitted");
    }
    if (submitted && !gpu->unknown && level < LEVELS) {
        check_row(audit, self, gpu, level, record->row, record);
    }
    if (submitted) {
        check_stream(audit, self, gpu, own, record);
    }
    if (level < LEVELS) {
        gpu->occupant[level] = AUDIT_NONE;
        gpu->window_count = level == LOW ? 0 : gpu->window_count;
        gpu->start_count = 0;
        gpu->last_start = level == HIGH ? AUDIT_UNKNOWN : gpu->last_start;
    }
    stop_waiting(self, gpu, task->number);
    gpu->asked -= gpu->asked > 0;
    gpu->unknown = gpu->unknown && (gpu->asked > 0 || !self->has_order);
}

/* Whether the GPU has nothing of a segment to do at first, or the cores have. A spoilt trace may name any segment. */
static bool may_wait(const struct audit_task *task) {
    if (task->segment >= task->spec->segment_count ||
        task->spec->segments[task->segment].kind != GRT_SEGMENT_GPU) {
        return true;
    }
    const struct grt_segment *segment = &task->spec->segments[task->segment];
    return grt_command_is_call(segment->commands[0].kind) || grt_segment_has_host_parts(segment);
}

static void finish(struct grt_audit *audit, void *state) {
    struct levels *self = state;
    for (uint32_t i = 0; i < audit->scenario->gpu_count; i++) {
        struct levels_gpu *gpu = &self->gpus[i];
        const struct grt_device *device = &audit->scenario->gpus[i];
        uint32_t low = gpu->occupant[LOW];
        if (low != AUDIT_NONE && self->tasks[low].alone && self->tasks[low].begun == AUDIT_UNKNOWN) {
            const struct audit_task *task = &audit->tasks[low];
            audit->checked[self->rules + LEVELS_NEVER_IDLE]++;
            if (self->tasks[low].given + device->kernel_launch < audit->promise.end && !may_wait(task) &&
                levels_have_queues(device)) {
                audit_find(audit, self->rules + LEVELS_NEVER_IDLE, self->tasks[low].given, low, 0,
                           "waits for an idle GPU at the end of the run");
            }
        }
        levels_blocks_free(gpu);
    }
}

const struct audit_family audit_levels = {
    .state_size = sizeof(struct levels),
    .applies = applies,
    .create = create,
    .request = request,
    .command = command,
    .segment_end = segment_end,
    .block = block,
    .settle = settle,
    .finish = finish,
};
