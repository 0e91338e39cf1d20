/* Policies with slots (tdm): each task has one slot in each period of its GPU's server, and nothing but its slot.
 *
 * A slot begins the overhead of a piece, and a launch where it begins with a kernel, before its first command. So the begins of all slots in
 * which something was executed follow from the commands. Where an aborted job's slot ends without a command, its abort shows the end.
 * Where times can be longer than they were declared, slots may be, too, and begin later: then only that no two pieces overlap is checked. */
#include "verify/audit/internal.h"

enum { ONE_PIECE, SLOT_LENGTH, SLOT_BEGIN, SLOT_GIVEN, RULES };

static const char *const names[RULES] = {
    "slots: one piece at a time",
    "slots: slots no longer than their length",
    "slots: slots begin in their turn",
    "slots: a slot in every period for who waits",
};

/* The server of a GPU. */
struct server {
    const struct grt_audit_slots *slots; /* NULL: not audited */
    bool exact; /* nothing can take longer than declared, so that all that follows is known */
    bool has_calls;
    uint32_t current;    /* place of the task whose slot it is, AUDIT_NONE: none yet */
    grt_time begin;      /* of that slot */
    grt_time activation; /* the instant at which its activation began */
    grt_time free_from;  /* when a command ended last */
    /* The first time since then that a job was aborted whose slot may have begun; NEVER: none. */
    grt_time withdrawn;
};

struct own {
    uint32_t at;  /* its place among the slots of its GPU's server, AUDIT_NONE: none */
    grt_time was; /* the begin of its last slot, or -1 */
};

struct slots {
    uint32_t rules;         /* the number of the first one */
    struct server *servers; /* by GPU */
    struct own *tasks;
};

static bool applies(const struct grt_audit *audit) {
    return audit->promise.policy.gpu == GRT_PROMISE_SLOTS;
}

static bool may_exceed(const struct grt_distribution *time) {
    return grt_distribution_worst(time) < time->max;
}

static bool may_overrun(const struct audit_gpu *gpu, const struct grt_task *task) {
    bool may = gpu->contended || gpu->has_launches;
    for (size_t i = 0; i < task->segment_count; i++) {
        for (size_t j = 0; j < task->segments[i].command_count; j++) {
            const struct grt_command_spec *command = &task->segments[i].commands[j];
            may |= may_exceed(&command->kernel.block_time) || may_exceed(&command->callback_time);
        }
    }
    return may;
}

static bool has_calls(const struct grt_task *task) {
    for (size_t i = 0; i < task->segment_count; i++) {
        for (size_t j = 0; j < task->segments[i].command_count; j++) {
            if (grt_command_is_call(task->segments[i].commands[j].kind)) {
                return true;
            }
        }
    }
    return false;
}

static void create_server(struct grt_audit *audit, struct slots *self, uint32_t gpu) {
    const struct grt_audit_slots *slots = &audit->promise.slots[gpu];
    struct server *server = &self->servers[gpu];
    grt_time sum = 0;
    *server = (struct server){.slots = slots,
                              .exact = slots->period > 0,
                              .current = AUDIT_NONE,
                              .activation = -1,
                              .withdrawn = GRT_TIME_NEVER};
    for (uint32_t i = 0; i < slots->count; i++) {
        const struct audit_task *task = &audit->tasks[slots->tasks[i]];
        self->tasks[task->number] = (struct own){.at = i, .was = -1};
        server->exact &= slots->lengths[i] <= slots->period && !may_overrun(&audit->gpus[gpu], task->spec);
        server->has_calls |= has_calls(task->spec);
        sum += server->exact ? slots->lengths[i] : 0;
    }
    server->exact &= sum <= slots->period;
}

static void create(struct grt_audit *audit, void *state) {
    struct slots *self = state;
    const struct grt_scenario *scenario = audit->scenario;
    self->rules = audit_add_rules(audit, names, RULES);
    self->servers = grt_arena_array(&audit->arena, scenario->gpu_count, sizeof *self->servers);
    self->tasks = grt_arena_array(&audit->arena, scenario->task_count, sizeof *self->tasks);
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        self->tasks[i].at = AUDIT_NONE;
    }
    for (uint32_t i = 0; audit->promise.slots != NULL && i < scenario->gpu_count; i++) {
        create_server(audit, self, i);
    }
}

/* ---- when a slot had to begin ---- */

static grt_time later(grt_time a, grt_time b) {
    return a > b ? a : b;
}

/* The first multiple of the period, shifted by an offset, from an instant on. */
static grt_time first_from(const struct server *server, grt_time offset, grt_time instant) {
    grt_time after = instant - offset, period = server->slots->period;
    return after <= 0 ? offset : offset + (after + period - 1) / period * period;
}

/* When a task that waits has its slot, if no slot before its own is used. */
static grt_time due(const struct slots *self, const struct server *server, const struct audit_task *task) {
    const struct own *own = &self->tasks[task->number];
    grt_time since = later(task->command_free, own->was + 1);
    if (server->slots->offsets != NULL) {
        return first_from(server, server->slots->offsets[own->at], since);
    }
    /* a slot may last a ns longer than its last call */
    return first_from(server, 0, later(since, server->free_from + server->has_calls));
}

static bool is_waiting(const struct audit_task *task, grt_time now) {
    return task->state == AUDIT_ON_GPU && task->command_free <= now;
}

/* ---- slots ---- */

/* Nobody who waited went before: in this activation, or because the server slept at the start of one. */
static void check_given(struct grt_audit *audit, const struct slots *self, const struct audit_task *task,
                        grt_time begin, uint32_t from, const struct grt_trace_record *record) {
    const struct server *server = &self->servers[task->spec->gpu];
    const struct grt_audit_slots *slots = server->slots;
    if (server->withdrawn <= begin) { /* a slot of which nothing shows may have come before */
        return;
    }
    audit_check(audit, self->rules + SLOT_GIVEN,
                begin <= later(due(self, server, task), server->free_from + server->has_calls), record,
                "has its slot later than it had to");
    for (uint32_t i = 0; slots->offsets == NULL && i < slots->count; i++) {
        const struct audit_task *other = &audit->tasks[slots->tasks[i]];
        if (other == task || !is_waiting(other, begin)) {
            continue;
        }
        bool slept = due(self, server, other) < begin && begin > server->free_from + server->has_calls;
        audit->checked[self->rules + SLOT_GIVEN]++;
        if (slept || (i >= from && i < self->tasks[task->number].at)) {
            audit_find(audit, self->rules + SLOT_GIVEN, begin, other->number, audit_job_at(other, 0)->number,
                       "waits while \"%s\", which comes after it, has its slot", task->spec->name);
        }
    }
}

/* Nobody was left out of the activation before: who waited when its last slot ended, and comes after that, went then. */
static void check_left_out(struct grt_audit *audit, const struct slots *self, const struct server *server,
                           grt_time now) {
    const struct grt_audit_slots *slots = server->slots;
    for (uint32_t i = server->current + 1; server->withdrawn == GRT_TIME_NEVER && i < slots->count; i++) {
        const struct audit_task *task = &audit->tasks[slots->tasks[i]];
        audit->checked[self->rules + SLOT_GIVEN]++;
        if (is_waiting(task, server->free_from) && server->free_from < now) {
            audit_find(audit, self->rules + SLOT_GIVEN, server->free_from, task->number,
                       audit_job_at(task, 0)->number, "waits, but is left out of an activation");
        }
    }
}

/* The slot of a task begins. */
static void begin_packed(struct grt_audit *audit, struct slots *self, const struct audit_task *task,
                         grt_time begin, const struct grt_trace_record *record) {
    struct server *server = &self->servers[task->spec->gpu];
    grt_time activation = begin - begin % server->slots->period;
    bool new_one = activation > server->activation, at_once = begin == activation;
    bool behind = begin >= server->free_from &&
                  (begin <= server->free_from + server->has_calls || server->withdrawn <= begin);
    uint32_t from = new_one || server->current == AUDIT_NONE ? 0 : server->current + 1;
    audit_check(
        audit, self->rules + SLOT_BEGIN, (behind || at_once) && self->tasks[task->number].at >= from, record,
        "has a slot that begins neither with an activation nor behind the slot before it, or out of order");
    check_given(audit, self, task, begin, from, record);
    if (new_one && server->current != AUDIT_NONE) {
        check_left_out(audit, self, server, begin);
    }
    server->activation = activation;
}

static void begin_of_table(struct grt_audit *audit, struct slots *self, const struct audit_task *task,
                           grt_time begin, const struct grt_trace_record *record) {
    struct server *server = &self->servers[task->spec->gpu];
    grt_time offset = server->slots->offsets[self->tasks[task->number].at];
    bool good = begin >= offset && (begin - offset) % server->slots->period == 0;
    audit_check(audit, self->rules + SLOT_BEGIN, good, record,
                "has a slot that begins at another instant than the table says");
    check_given(audit, self, task, begin, 0, record);
    server->activation = begin;
}

/* Whether a command that could have begun its slot at that instant is of a new slot. */
static bool is_new(const struct server *server, const struct own *own, grt_time begin) {
    return server->current != own->at || begin >= server->activation + server->slots->period;
}

static void check_slot(struct grt_audit *audit, struct slots *self, const struct audit_task *task,
                       const struct grt_trace_record *record) {
    struct server *server = &self->servers[task->spec->gpu];
    struct own *own = &self->tasks[task->number];
    const struct grt_device *device = audit->gpus[task->spec->gpu].device;
    grt_time launch = record->kind == GRT_TRACE_KERNEL ? device->kernel_launch : 0;
    grt_time begin = record->other - launch - task->spec->split_overhead;
    begin = begin > 0 ? begin : 0;
    if (is_new(server, own, begin)) {
        if (server->slots->offsets != NULL) {
            begin_of_table(audit, self, task, begin, record);
        } else {
            begin_packed(audit, self, task, begin, record);
        }
        server->current = own->at;
        server->begin = own->was = begin;
    }
    audit_check(audit, self->rules + SLOT_LENGTH,
                record->time - server->begin <= server->slots->lengths[own->at], record,
                "has a slot that lasts longer than its length");
}

static void command(struct grt_audit *audit, void *state, struct audit_task *task,
                    const struct grt_trace_record *record) {
    struct slots *self = state;
    struct server *server = &self->servers[task->spec->gpu];
    audit_check(audit, self->rules + ONE_PIECE, record->other >= server->free_from, record,
                "executes a command while a piece of another task has the GPU");
    if (server->slots != NULL && server->exact && self->tasks[task->number].at != AUDIT_NONE) {
        check_slot(audit, self, task, record);
    }
    server->free_from = later(server->free_from, record->time);
    server->withdrawn = GRT_TIME_NEVER;
}

/* A job is aborted in a GPU segment. Perhaps its slot had begun, but its piece had not. */
static void segment_end(struct grt_audit *audit, void *state, struct audit_task *task,
                        const struct grt_trace_record *record) {
    struct slots *self = state;
    struct server *server = &self->servers[task->spec->gpu];
    grt_time before = task->spec->split_overhead + audit->gpus[task->spec->gpu].device->kernel_launch;
    if ((record->flags & GRT_TRACE_ABORTED) && record->time < server->withdrawn && before > 0) {
        server->withdrawn = record->time;
    }
}

/* ---- the end of the run ---- */

static void finish_server(struct grt_audit *audit, const struct slots *self, uint32_t gpu) {
    const struct server *server = &self->servers[gpu];
    for (uint32_t i = 0; i < server->slots->count; i++) {
        const struct audit_task *task = &audit->tasks[server->slots->tasks[i]];
        if (is_waiting(task, audit->promise.end)) {
            grt_time shows = due(self, server, task) + server->slots->period + task->spec->split_overhead +
                             audit->gpus[gpu].device->kernel_launch;
            audit->checked[self->rules + SLOT_GIVEN]++;
            if (shows < audit->promise.end) {
                audit_find(audit, self->rules + SLOT_GIVEN, due(self, server, task), task->number,
                           audit_job_at(task, 0)->number, "waits for a slot at the end of the run");
            }
        }
    }
}

static void finish(struct grt_audit *audit, void *state) {
    const struct slots *self = state;
    for (uint32_t i = 0; i < audit->scenario->gpu_count; i++) {
        if (self->servers[i].slots != NULL && self->servers[i].exact) {
            finish_server(audit, self, i);
        }
    }
}

const struct audit_family audit_slots = {
    .state_size = sizeof(struct slots),
    .applies = applies,
    .create = create,
    .command = command,
    .segment_end = segment_end,
    .finish = finish,
};
