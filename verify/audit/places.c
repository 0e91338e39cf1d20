/* Policies that pin segments to parts of a GPU, one at a time on each: the strategy "SMs as cores" of R. Tekin, H.-E. Zahaf, G. Lipari, "PRUDA: An API
 * for Time and Space Predictible Programming in NVIDIA GPUs using CUDA", JRWRTC 2019, section 4.3. A segment that is not pinned is exclusive: no
 * pinned one goes on beside it, and of exclusive ones at most two, in a stream of low and one of high priority.
 *
 * On a GPU of pinned tasks alone every part is a processor of its own, and it follows who has it. Where there are exclusive ones the paper leaves
 * open which of the queues goes first; then what shows is held against what else shows, and against those who waited all the time. That blocks
 * do their work on the right SMs is a rule of kernels. */
#include "verify/audit/internal.h"

enum { ONE_EACH, EXCLUSIVE, FIRST_GOES, NEVER_IDLE, RULES };

static const char *const names[RULES] = {
    "places: one pinned segment at a time on each part",
    "places: nothing pinned beside an exclusive segment",
    "places: the most urgent goes first",
    "places: never idle while a segment waits",
};

struct place {
    uint32_t occupant; /* where it is known */
    grt_time free;     /* since when nothing of its segments goes on */
};

struct places_gpu {
    bool pinned_only;
    uint32_t asked; /* open requests */
    /* since nobody asked: */
    grt_time from;  /* the first request */
    grt_time begun; /* the first command */
    bool cut;       /* somebody was aborted before he began, or began with a call */
};

struct places_task {
    uint32_t place; /* its own, or that of all exclusive ones of its GPU */
    bool exclusive, waits, open;
    grt_time given; /* AUDIT_UNKNOWN: not known */
    bool alone;     /* given then, when nobody had any part of the GPU */
    grt_time begun; /* when its first command was called; AUDIT_UNKNOWN: has none */
    grt_time ended; /* the segment before */
};

struct places {
    uint32_t rules;
    bool has_order;
    uint32_t place_count;
    struct place *places; /* behind those of the promise: one for the exclusive tasks of each GPU */
    struct places_gpu *gpus;
    struct places_task *tasks;
};

static bool applies(const struct grt_audit *audit) {
    return audit->promise.policy.gpu == GRT_PROMISE_PLACES && audit->promise.places != NULL;
}

static uint32_t count_places(const struct grt_audit *audit, const uint32_t *places) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < audit->scenario->task_count; i++) {
        count = places[i] != AUDIT_NONE && places[i] >= count ? places[i] + 1 : count;
    }
    return count;
}

static void create(struct grt_audit *audit, void *state) {
    struct places *self = state;
    const struct grt_scenario *scenario = audit->scenario;
    const uint32_t *places = audit->promise.places->places;
    uint32_t pinned = count_places(audit, places);
    self->rules = audit_add_rules(audit, names, RULES);
    self->has_order = audit_knows_order(audit);
    self->place_count = pinned + (uint32_t)scenario->gpu_count;
    self->places = grt_arena_array(&audit->arena, self->place_count, sizeof *self->places);
    self->gpus = grt_arena_array(&audit->arena, scenario->gpu_count, sizeof *self->gpus);
    self->tasks = grt_arena_array(&audit->arena, scenario->task_count, sizeof *self->tasks);
    for (uint32_t i = 0; i < self->place_count; i++) {
        self->places[i].occupant = AUDIT_NONE;
    }
    for (uint32_t i = 0; i < scenario->gpu_count; i++) {
        self->gpus[i].pinned_only = self->has_order && scenario->ties != GRT_TIES_SHUFFLE;
    }
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        bool exclusive = places[i] == AUDIT_NONE;
        self->tasks[i] = (struct places_task){.place = exclusive ? pinned + (uint32_t)task->gpu : places[i],
                                              .exclusive = exclusive,
                                              .begun = AUDIT_UNKNOWN,
                                              .ended = AUDIT_UNKNOWN};
        self->gpus[task->gpu].pinned_only &= !exclusive || !grt_task_uses_gpu(task);
    }
}

static void request(struct grt_audit *audit, void *state, struct audit_task *task,
                    const struct grt_trace_record *record) {
    struct places *self = state;
    struct places_gpu *gpu = &self->gpus[task->spec->gpu];
    struct places_task *own = &self->tasks[task->number];
    (void)audit;
    own->waits = own->open = true;
    own->alone = false;
    own->begun = own->given = AUDIT_UNKNOWN;
    if (gpu->asked++ == 0) {
        gpu->from = record->time;
        gpu->begun = GRT_TIME_NEVER;
        gpu->cut = false;
    }
}

/* ---- who has a part, where it follows ---- */

/* Whether nobody has a part of the GPU. Who has one, and has not reached the device, is not alone any more: somebody comes. */
static bool take_company(const struct grt_audit *audit, struct places *self, int64_t gpu, grt_time now) {
    bool any = false;
    for (uint32_t i = 0; i < audit->scenario->task_count; i++) {
        struct places_task *task = &self->tasks[i];
        if (audit->scenario->tasks[i].gpu == gpu && task->open && !task->waits) {
            task->alone = task->alone && task->given + audit->scenario->gpus[gpu].kernel_launch < now;
            any = true;
        }
    }
    return !any;
}

static void give(struct grt_audit *audit, struct places *self, grt_time now) {
    bool any = true;
    while (any) {
        const struct audit_task *first = NULL;
        for (uint32_t i = 0; i < audit->scenario->task_count; i++) {
            const struct audit_task *task = &audit->tasks[i];
            const struct places_task *own = &self->tasks[i];
            bool may = self->gpus[task->spec->gpu].pinned_only && own->waits &&
                       self->places[own->place].occupant == AUDIT_NONE;
            first = may && (first == NULL || audit_goes_before(audit, task, first)) ? task : first;
        }
        any = first != NULL;
        if (any) {
            struct places_task *own = &self->tasks[first->number];
            own->alone = take_company(audit, self, first->spec->gpu, now);
            own->given = now;
            own->waits = false;
            self->places[own->place].occupant = first->number;
        }
    }
}

static void settle(struct grt_audit *audit, void *state, grt_time now) {
    if (now < audit->promise.end) {
        give(audit, state, now);
    }
}

/* ---- the first command of a segment ---- */

/* Against another segment that went on at that instant. */
static void check_beside(struct grt_audit *audit, const struct places *self, uint32_t number, uint32_t other,
                         const struct grt_trace_record *record) {
    const struct places_task *one = &self->tasks[number], *two = &self->tasks[other];
    if (one->place == two->place && !one->exclusive) {
        audit_check(audit, self->rules + ONE_EACH, false, record,
                    "is executed on its part of the GPU before another one has left it");
    }
    audit_check(audit, self->rules + EXCLUSIVE, one->exclusive == two->exclusive, record,
                one->exclusive ? "has all of the GPU while a pinned segment goes on"
                               : "goes on while a segment has all of the GPU");
}

/* Nobody of the same queue who goes first waited from the instant on at which it could have been given the part. */
static void check_first(struct grt_audit *audit, const struct places *self, const struct audit_task *task,
                        const struct grt_trace_record *record) {
    const struct places_task *own = &self->tasks[task->number];
    grt_time free = self->places[own->place].free, could = task->since > free ? task->since : free;
    audit->checked[self->rules + FIRST_GOES]++;
    for (uint32_t i = 0; i < audit->scenario->task_count; i++) {
        const struct audit_task *other = &audit->tasks[i];
        const struct places_task *others = &self->tasks[i];
        bool waited =
            others->place == own->place && others->waits && other->since <= could && i != task->number;
        if (waited && other->state == AUDIT_ON_GPU && audit_goes_before(audit, other, task)) {
            audit_find(audit, self->rules + FIRST_GOES, record->time, record->task, record->job,
                       "is executed although \"%s\" waits, which goes first", other->spec->name);
        }
    }
}

static void begin(struct grt_audit *audit, struct places *self, struct audit_task *task,
                  const struct grt_trace_record *record) {
    struct places_gpu *gpu = &self->gpus[task->spec->gpu];
    struct places_task *own = &self->tasks[task->number];
    const struct grt_device *device = audit->gpus[task->spec->gpu].device;
    bool parts = grt_segment_has_host_parts(&task->spec->segments[task->segment]); /* which come first */
    bool exact = record->kind != GRT_TRACE_CALL && !parts && device->queue_model != GRT_QUEUE_MODEL_SINGLE &&
                 device->hardware_queues == 0; /* else others may have what leads to the device: Q1, Q4 */
    bool mine = self->places[own->place].occupant == task->number;
    own->begun = record->other - (record->kind == GRT_TRACE_KERNEL ? device->kernel_launch : 0);
    if (gpu->pinned_only) {
        audit_check(audit, self->rules + ONE_EACH, mine, record,
                    "is executed while it has to wait for its part of the GPU");
        audit_check(audit, self->rules + NEVER_IDLE,
                    !mine || (own->alone && exact ? own->begun == own->given : own->begun >= own->given),
                    record, "begins at another instant than it is given its part of the GPU");
    }
    for (uint32_t i = 0; i < audit->scenario->task_count; i++) {
        const struct places_task *other = &self->tasks[i];
        bool here = i != task->number && audit->scenario->tasks[i].gpu == task->spec->gpu;
        bool beside = other->open ? other->begun != AUDIT_UNKNOWN && other->begun <= record->time
                                  : other->ended != AUDIT_UNKNOWN && other->ended > own->begun;
        if (here && beside) {
            check_beside(audit, self, task->number, i, record);
        }
    }
    if (self->has_order && !own->exclusive) {
        check_first(audit, self, task, record);
    }
    own->waits = false;
    gpu->cut |= !exact;
    gpu->begun = own->begun < gpu->begun ? own->begun : gpu->begun;
}

static void command(struct grt_audit *audit, void *state, struct audit_task *task,
                    const struct grt_trace_record *record) {
    struct places *self = state;
    struct places_task *own = &self->tasks[task->number];
    if (own->waits && record->other == record->time) {
        give(audit, self, record->time); /* a call that takes no time, in the instant in which it is made */
    }
    if (own->begun == AUDIT_UNKNOWN) {
        begin(audit, self, task, record);
    }
}

/* ---- ends ---- */

static void segment_end(struct grt_audit *audit, void *state, struct audit_task *task,
                        const struct grt_trace_record *record) {
    struct places *self = state;
    struct places_gpu *gpu = &self->gpus[task->spec->gpu];
    struct places_task *own = &self->tasks[task->number];
    struct place *place = &self->places[own->place];
    if (record->flags & GRT_TRACE_OPEN) {
        return;
    }
    bool shown = own->begun != AUDIT_UNKNOWN;
    audit_check(audit, self->rules + ONE_EACH, shown || (record->flags & GRT_TRACE_ABORTED), record,
                "ends without having been executed");
    if (gpu->pinned_only && !own->waits) {
        place->occupant = AUDIT_NONE;
    }
    place->free = shown || record->row != GRT_TRACE_NO_ROW ? record->time : place->free;
    own->ended = shown ? record->time : own->ended;
    own->open = own->waits = false;
    gpu->cut |= !shown;
    gpu->asked -= gpu->asked > 0;
    if (gpu->asked == 0 && !gpu->cut) {
        audit_check(audit, self->rules + NEVER_IDLE, gpu->begun == gpu->from, record,
                    "is one of those for whom the GPU was idle when the first of them asked");
    }
}

const struct audit_family audit_places = {
    .state_size = sizeof(struct places),
    .applies = applies,
    .create = create,
    .request = request,
    .command = command,
    .segment_end = segment_end,
    .settle = settle,
};
