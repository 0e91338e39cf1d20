/* Policies with a server: a thread of the policy's own executes the host parts of one request at a time, the most urgent one first.
 *
 * Source: H. Kim, P. Patel, S. Wang, R. Rajkumar, "A Server-based Approach for Predictable GPU Access Control", RTCSA 2017, section V: the server
 * spends epsilon when it is asked while it has nothing to do, and again behind every request, before the next one: lemmas 1 and 2, and figure 4.
 * Where enqueueing is charged, it spends epsilon for every other request, too, as in the figure at time 3.
 *
 * The slices of its thread show it all: what it executed, and that it never paused. They are kept until the request is over, because the first command,
 * which shows when a request's commands were called, comes when it ends.
 * Nothing is said of requests around an abort: what a server does for a job that is gone is not in the paper. */
#include "verify/audit/internal.h"

enum { ONE_REQUEST, NEVER_IDLE, NEVER_DELAYED, AMOUNTS, TASKS, RULES };

static const char *const names[RULES] = {
    "server: one request at a time",
    "server: never idle while a request waits",
    "server: the server is never delayed",
    "server: host parts and epsilon as stated",
    "server: tasks neither busy-wait nor are boosted",
};

/* What the server's thread did without a pause. */
struct piece {
    grt_time start, end;
    bool overhead;
};

struct server {
    uint32_t served;   /* the task whose request is executed; AUDIT_NONE: none */
    uint32_t *waiting; /* tasks */
    uint32_t waiting_count;
    /* a request was taken back: what the server does is not known until it has executed another one */
    bool lost;
    bool idle;     /* it has nothing to do */
    bool begins;   /* it was woken up for the next request, and spends epsilon first */
    bool hurries;  /* or not, for it was asked in the instant in which it was done with another one */
    bool executed; /* it has been done with one */
    int64_t least,
        most;   /* how often it has still to spend epsilon for requests that came, as far as that is known */
    bool vague; /* their number is not known since it was lost */
    grt_time trigger;     /* since when it has had to work for the next request */
    grt_time called;      /* when the commands of the present one were called */
    grt_time done;        /* when they had completed */
    bool cut;             /* its last slice was cut off, */
    grt_time cut_at;      /* at this instant */
    struct piece *pieces; /* since the trigger */
    uint32_t piece_count, piece_capacity;
};

struct serving {
    uint32_t rules;      /* the number of the first one */
    uint32_t first_goes; /* that of the order's; AUDIT_NONE: it is one that the auditor does not know */
    struct server *servers;
    uint32_t server_count;
    uint32_t *wait_at; /* by task: place in its server's list, AUDIT_NONE: not there */
};

static bool applies(const struct grt_audit *audit) {
    return audit->promise.policy.gpu == GRT_PROMISE_SERVER;
}

static void create(struct grt_audit *audit, void *state) {
    struct serving *self = state;
    const struct grt_scenario *scenario = audit->scenario;
    self->rules = audit_add_rules(audit, names, RULES);
    self->first_goes = audit_add_order(audit);
    self->server_count = audit->promise.threads == scenario->gpu_count ? (uint32_t)scenario->gpu_count : 1;
    self->servers = grt_arena_array(&audit->arena, self->server_count, sizeof *self->servers);
    self->wait_at = grt_arena_array(&audit->arena, scenario->task_count, sizeof *self->wait_at);
    for (uint32_t i = 0; i < self->server_count; i++) {
        self->servers[i].served = AUDIT_NONE;
        self->servers[i].idle = true;
        self->servers[i].waiting = grt_arena_array(&audit->arena, scenario->task_count, sizeof(uint32_t));
    }
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        self->wait_at[i] = AUDIT_NONE;
    }
}

static struct server *server_of(const struct serving *self, const struct audit_task *task) {
    return &self->servers[self->server_count > 1 ? task->spec->gpu : 0];
}

/* ---- what its thread did ---- */

static void keep(struct grt_audit *audit, struct server *server, struct piece piece) {
    if (server->piece_count == server->piece_capacity) {
        uint32_t capacity = server->piece_capacity > 0 ? 2 * server->piece_capacity : 16;
        struct piece *pieces = grt_arena_array(&audit->arena, capacity, sizeof *pieces);
        for (uint32_t i = 0; i < server->piece_count; i++) {
            pieces[i] = server->pieces[i];
        }
        server->pieces = pieces;
        server->piece_capacity = capacity;
    }
    server->pieces[server->piece_count++] = piece;
}

/* How long it was on its core between two instants, and how long of that it worked. */
static void sum_up(const struct server *server, grt_time from, grt_time to, grt_time *there,
                   grt_time *worked) {
    *there = *worked = 0;
    for (uint32_t i = 0; i < server->piece_count; i++) {
        const struct piece *piece = &server->pieces[i];
        grt_time start = piece->start > from ? piece->start : from, end = piece->end < to ? piece->end : to;
        if (start < end) {
            *there += end - start;
            *worked += piece->overhead ? 0 : end - start;
        }
    }
}

/* Nobody is more urgent than a server, but another one on its core may have been there before. */
static void check_prompt(struct grt_audit *audit, uint32_t rule, bool good,
                         const struct grt_trace_record *record, const char *text) {
    if (audit->promise.server == NULL || !audit->promise.server->shared) {
        audit_check(audit, rule, good, record, text);
    }
}

static void thread(struct grt_audit *audit, void *state, const struct grt_trace_record *record) {
    struct serving *self = state;
    uint32_t number = record->detail & 0xffff;
    struct server *server = &self->servers[number < self->server_count ? number : 0];
    check_prompt(audit, self->rules + NEVER_DELAYED, !server->cut || record->other == server->cut_at, record,
                 "goes on later than it was cut off");
    server->cut = (record->flags & GRT_TRACE_PREEMPTED) != 0; /* it may have interrupted itself */
    server->cut_at = record->time;
    keep(audit, server,
         (struct piece){record->other, record->time, (record->flags & GRT_TRACE_OVERHEAD) != 0});
}

/* ---- requests ---- */

static void request(struct grt_audit *audit, void *state, struct audit_task *task,
                    const struct grt_trace_record *record) {
    struct serving *self = state;
    struct server *server = server_of(self, task);
    const struct grt_audit_server *stated = audit->promise.server;
    if (self->wait_at[task->number] != AUDIT_NONE) { /* of a spoilt trace */
        return;
    }
    self->wait_at[task->number] = server->waiting_count;
    server->waiting[server->waiting_count++] = task->number;
    if (server->idle) {
        audit_check(audit, self->rules + AMOUNTS, server->least == 0 || server->lost || server->vague, record,
                    "comes to a server that has not spent what requests before it cost");
        server->idle = false;
        server->begins = true;
        server->hurries =
            server->executed && record->time == server->trigger && (stated == NULL || !stated->charged);
        server->least = server->most = 0;
        server->trigger = record->time;
        server->piece_count = 0;
    } else {
        bool costs = stated != NULL && stated->charged && stated->cost > 0;
        server->least += costs;
        server->most += costs;
    }
}

static void stop_waiting(struct serving *self, struct server *server, const struct audit_task *task) {
    uint32_t at = self->wait_at[task->number];
    if (at != AUDIT_NONE) {
        uint32_t last = server->waiting[--server->waiting_count];
        server->waiting[at] = last;
        self->wait_at[last] = at;
        self->wait_at[task->number] = AUDIT_NONE;
    }
}

/* It chooses at some instant from the trigger on: nobody who waited before that was passed over. */
static void check_order(struct grt_audit *audit, const struct serving *self, const struct server *server,
                        const struct audit_task *task, const struct grt_trace_record *record) {
    audit->checked[self->first_goes]++;
    for (uint32_t i = 0; i < server->waiting_count; i++) {
        const struct audit_task *other = &audit->tasks[server->waiting[i]];
        if (other != task && other->since < server->trigger && audit_goes_before(audit, other, task)) {
            audit_find(audit, self->first_goes, record->other, record->task, record->job,
                       "is executed although \"%s\" waits, which goes first", other->spec->name);
        }
    }
}

/* Whether it worked as long as a part and `costs` times epsilon take, and that for some of the requests that came. */
static bool worked(const struct grt_audit *audit, struct server *server, grt_time time,
                   const struct grt_distribution *part, int64_t costs) {
    grt_time least = part->kind == GRT_CONSTANT ? part->max : part->min;
    const struct grt_audit_server *stated = audit->promise.server;
    if (stated == NULL || server->vague) {
        return true;
    }
    grt_time rest = time - costs * stated->cost;
    if (stated->cost == 0 || rest < least) {
        return rest >= least && rest <= part->max;
    }
    int64_t fewest = rest > part->max ? (rest - part->max + stated->cost - 1) / stated->cost : 0;
    int64_t often = (rest - least) / stated->cost;
    often = often < server->most ? often : server->most;
    server->least = server->least > often ? server->least - often : 0;
    server->most -= fewest <= often ? fewest : server->most;
    return fewest <= often;
}

/* The first command of a request shows when its commands were called. */
static void begin(struct grt_audit *audit, struct serving *self, struct server *server,
                  const struct audit_task *task, grt_time called, const struct grt_trace_record *record) {
    const struct grt_distribution *before = &task->spec->segments[task->segment].host_part[GRT_HOST_BEFORE];
    grt_time there, time;
    audit_check(audit, self->rules + ONE_REQUEST,
                server->served == AUDIT_NONE && self->wait_at[task->number] != AUDIT_NONE, record,
                "executes a command while the server executes another request");
    if (self->first_goes != AUDIT_NONE) {
        check_order(audit, self, server, task, record);
    }
    stop_waiting(self, server, task);
    server->served = task->number;
    server->called = called;
    if (server->vague &&
        server->begins) { /* it has nothing left of what was not known if it had nothing to do */
        server->vague = server->piece_count > 0 && server->pieces[0].start < server->trigger;
    }
    if (!server->lost) {
        sum_up(server, server->trigger, called, &there, &time);
        check_prompt(audit, self->rules + NEVER_IDLE, there == called - server->trigger, record,
                     "is executed later than the server could have");
        bool good = (server->begins && server->hurries && worked(audit, server, time, before, 0)) ||
                    worked(audit, server, time, before, server->begins);
        audit_check(audit, self->rules + AMOUNTS, good, record,
                    "is executed behind another host part, or for another epsilon, than stated");
    }
    server->begins = false;
}

static void command(struct grt_audit *audit, void *state, struct audit_task *task,
                    const struct grt_trace_record *record) {
    struct serving *self = state;
    struct server *server = server_of(self, task);
    const struct grt_device *device = audit->gpus[task->spec->gpu].device;
    grt_time launch = record->kind == GRT_TRACE_KERNEL ? device->kernel_launch : 0;
    bool first = grt_trace_command(record->detail) == 0 && task->launched == 0 && task->copied == 0;
    if (first) {
        bool known = record->kind != GRT_TRACE_CALL;
        server->lost |= !known || task->state != AUDIT_ON_GPU;
        begin(audit, self, server, task, record->other - launch, record);
    }
    audit_check(audit, self->rules + ONE_REQUEST, server->served == task->number, record,
                "executes a command while the server executes another request");
    server->done = record->time;
}

/* The server is done with a request, and its task goes on: it has executed the second part, and epsilon. */
static void check_end(struct grt_audit *audit, struct serving *self, struct server *server,
                      const struct audit_task *task, const struct grt_trace_record *record) {
    const struct grt_segment *segment = &task->spec->segments[task->segment];
    bool call =
        segment->command_count > 0 && grt_command_is_call(segment->commands[segment->command_count - 1].kind);
    grt_time there, time, rest;
    sum_up(server, server->called, record->time, &rest, &time);
    audit_check(audit, self->rules + AMOUNTS,
                worked(audit, server, time, &segment->host_part[GRT_HOST_AFTER], 1), record,
                "is done behind another host part, or for another epsilon, than stated");
    sum_up(server, server->done, record->time, &there, &time);
    grt_time passed = record->time - server->done;
    check_prompt(audit, self->rules + NEVER_IDLE, there == passed || (call && there == passed - 1), record,
                 "is done later than the server could have been");
}

static void segment_end(struct grt_audit *audit, void *state, struct audit_task *task,
                        const struct grt_trace_record *record) {
    struct serving *self = state;
    struct server *server = server_of(self, task);
    bool served = server->served == task->number;
    if (record->flags & GRT_TRACE_OPEN) {
        return;
    }
    if (record->flags & GRT_TRACE_ABORTED) {
        server->lost = true;
        server->cut &= !served || server->cut_at != record->time; /* it need not go on */
    } else {
        audit_check(audit, self->rules + ONE_REQUEST, served, record, "ends without having been executed");
        if (served && !server->lost) {
            check_end(audit, self, server, task, record);
        }
        server->vague |= server->lost && audit->promise.server != NULL && audit->promise.server->charged;
        server->lost = false;
    }
    stop_waiting(self, server, task);
    if (served) {
        server->served = AUDIT_NONE;
        server->executed = true;
        server->trigger = record->time;
        server->piece_count = 0;
    }
    server->idle = server->served == AUDIT_NONE && server->waiting_count == 0;
}

/* ---- tasks ---- */

static void slice(struct grt_audit *audit, void *state, struct audit_task *task,
                  const struct grt_trace_record *record) {
    const struct serving *self = state;
    (void)task;
    audit_check(audit, self->rules + TASKS, (record->flags & GRT_TRACE_SPIN) == 0, record,
                "busy-waits although there is a server");
}

static void priority(struct grt_audit *audit, void *state, struct audit_task *task,
                     const struct grt_trace_record *record) {
    const struct serving *self = state;
    (void)task;
    audit_check(audit, self->rules + TASKS, false, record,
                "has its priority changed although there is a server");
}

static void finish(struct grt_audit *audit, void *state) {
    const struct serving *self = state;
    for (uint32_t i = 0; i < self->server_count; i++) {
        const struct server *server = &self->servers[i];
        grt_time there, time;
        bool shared = audit->promise.server != NULL && audit->promise.server->shared;
        bool waits = server->waiting_count > 0 && server->served == AUDIT_NONE && !server->lost && !shared;
        audit->checked[self->rules + NEVER_IDLE] += waits;
        sum_up(server, server->trigger, audit->promise.end, &there, &time);
        if (waits && there < audit->promise.end - server->trigger &&
            audit->tasks[server->waiting[0]].command == 0) {
            grt_time launch = audit->gpus[audit->tasks[server->waiting[0]].spec->gpu].device->kernel_launch;
            if (server->trigger + there + launch < audit->promise.end) {
                audit_find(audit, self->rules + NEVER_IDLE, server->trigger + there, server->waiting[0], 0,
                           "waits for a server that has nothing to do at the end of the run");
            }
        }
    }
}

const struct audit_family audit_server = {
    .state_size = sizeof(struct serving),
    .applies = applies,
    .create = create,
    .request = request,
    .command = command,
    .segment_end = segment_end,
    .slice = slice,
    .priority = priority,
    .thread = thread,
    .finish = finish,
};
