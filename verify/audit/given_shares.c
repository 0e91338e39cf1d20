/* Policies that give shares of GPUs away: a stream per task, and never more than there is. Whose a stream is only shows when something of it has ended; so
 * what is given away is added up when nobody has a segment any more. */
#include <inttypes.h>
#include <stdlib.h>

#include "verify/audit/internal.h"

enum { SHARED_STREAMS, SHARED_SUM, SHARED_RULES };

static const char *const names[SHARED_RULES] = {
    [SHARED_STREAMS] = "shared: a stream per task",
    [SHARED_SUM] = "shared: never more than all of a GPU",
};

/* Something that changes what is given away: a segment asks or ends, or a share is set. */
struct shared_event {
    grt_time time;
    uint32_t task; /* AUDIT_NONE: a share */
    uint32_t stream;
    int64_t share;
    bool open;
};

struct shared_stream {
    int64_t share;
    uint32_t task; /* whose it is; AUDIT_NONE: not known */
};

struct shared {
    uint32_t rules, open; /* open: segments that asked and have not ended */
    uint32_t *stream_of;  /* by task; GRT_TRACE_NO_ROW: not known */
    bool *is_open;        /* by task: while events are added up */
    int64_t *given;       /* by GPU: the same */
    bool *changed;
    struct shared_stream *streams;
    uint32_t stream_count, stream_capacity;
    struct shared_event *events;
    uint32_t event_count, event_capacity;
};

static bool applies(const struct grt_audit *audit) {
    return audit->promise.policy.gpu == GRT_PROMISE_SHARES;
}

static void create(struct grt_audit *audit, void *state) {
    struct shared *self = state;
    size_t tasks = audit->scenario->task_count, gpus = audit->scenario->gpu_count;
    self->rules = audit_add_rules(audit, names, SHARED_RULES);
    self->stream_of = grt_arena_array(&audit->arena, tasks, sizeof *self->stream_of);
    self->is_open = grt_arena_array(&audit->arena, tasks, sizeof *self->is_open);
    self->given = grt_arena_array(&audit->arena, gpus, sizeof *self->given);
    self->changed = grt_arena_array(&audit->arena, gpus, sizeof *self->changed);
    for (size_t i = 0; i < tasks; i++) {
        self->stream_of[i] = GRT_TRACE_NO_ROW;
    }
}

static void release(struct grt_audit *audit, void *state) {
    struct shared *self = state;
    (void)audit;
    free(self->streams);
    free(self->events);
}

/* ---- records ---- */

static struct shared_stream *stream_at(struct shared *self, uint32_t number) {
    if (number >= self->stream_count) {
        self->streams =
            grt_array_grow(self->streams, &self->stream_capacity, number + 1, sizeof *self->streams);
        for (uint32_t i = self->stream_count; i <= number; i++) {
            self->streams[i] = (struct shared_stream){.share = GRT_FULL_SHARE, .task = AUDIT_NONE};
        }
        self->stream_count = number + 1;
    }
    return &self->streams[number];
}

static void keep(struct shared *self, struct shared_event event) {
    self->events =
        grt_array_grow(self->events, &self->event_capacity, self->event_count + 1, sizeof *self->events);
    self->events[self->event_count++] = event;
}

static void request(struct grt_audit *audit, void *state, struct audit_task *task,
                    const struct grt_trace_record *record) {
    struct shared *self = state;
    (void)audit;
    keep(self, (struct shared_event){.time = record->time, .task = task->number, .open = true});
    self->open++;
}

/* Something of a task was in a stream: that is its own from now on. */
static void see_stream(struct grt_audit *audit, struct shared *self, const struct audit_task *task,
                       const struct grt_trace_record *record) {
    uint32_t row = grt_trace_row(record->row);
    struct shared_stream *stream = stream_at(self, row);
    bool first = self->stream_of[task->number] == GRT_TRACE_NO_ROW && stream->task == AUDIT_NONE;
    audit_check(audit, self->rules + SHARED_STREAMS,
                first || (self->stream_of[task->number] == row && stream->task == task->number), record,
                "is in another stream than its own");
    if (first) {
        self->stream_of[task->number] = row;
        stream->task = task->number;
    }
}

static void command(struct grt_audit *audit, void *state, struct audit_task *task,
                    const struct grt_trace_record *record) {
    if (record->kind != GRT_TRACE_COPY) {
        see_stream(audit, state, task, record);
    }
}

static void segment_end(struct grt_audit *audit, void *state, struct audit_task *task,
                        const struct grt_trace_record *record) {
    struct shared *self = state;
    if (record->row != GRT_TRACE_NO_ROW) {
        see_stream(audit, self, task, record);
    }
    if ((record->flags & GRT_TRACE_OPEN) == 0) {
        keep(self, (struct shared_event){.time = record->time, .task = task->number});
        self->open--;
    }
}

static void share(struct grt_audit *audit, void *state, const struct grt_trace_record *record) {
    struct shared *self = state;
    (void)audit;
    keep(self, (struct shared_event){.time = record->time,
                                     .task = AUDIT_NONE,
                                     .stream = grt_trace_row(record->row),
                                     .share = record->other});
}

/* ---- adding up ---- */

static void take(struct grt_audit *audit, struct shared *self, const struct shared_event *event) {
    uint32_t stream = event->task == AUDIT_NONE ? event->stream : self->stream_of[event->task];
    if (stream == GRT_TRACE_NO_ROW) { /* nothing of the task was ever in one */
        return;
    }
    struct shared_stream *own = stream_at(self, stream);
    int64_t before = own->share;
    if (event->task == AUDIT_NONE) {
        own->share = event->share;
    }
    if (own->task == AUDIT_NONE) {
        return;
    }
    uint32_t gpu = (uint32_t)audit->scenario->tasks[own->task].gpu;
    int64_t given = self->is_open[own->task] ? before : 0;
    if (event->task != AUDIT_NONE) {
        self->is_open[own->task] = event->open;
    }
    self->given[gpu] += (self->is_open[own->task] ? own->share : 0) - given;
    self->changed[gpu] = true;
}

/* An instant is over. */
static void check_sums(struct grt_audit *audit, struct shared *self, grt_time time) {
    for (size_t i = 0; i < audit->scenario->gpu_count; i++) {
        if (self->changed[i]) {
            audit->checked[self->rules + SHARED_SUM]++;
            self->changed[i] = false;
            if (self->given[i] > GRT_FULL_SHARE) {
                audit_find(audit, self->rules + SHARED_SUM, time, AUDIT_NONE, 0,
                           "shares of those that have a segment on GPU %zu sum to %" PRId64, i,
                           self->given[i]);
            }
        }
    }
}

static void add_up(struct grt_audit *audit, struct shared *self) {
    for (uint32_t i = 0; i < self->event_count; i++) {
        take(audit, self, &self->events[i]);
        if (i + 1 == self->event_count || self->events[i + 1].time != self->events[i].time) {
            check_sums(audit, self, self->events[i].time);
        }
    }
    self->event_count = 0;
}

static void settle(struct grt_audit *audit, void *state, grt_time now) {
    struct shared *self = state;
    (void)now;
    if (self->open == 0 && self->event_count > 0) {
        add_up(audit, self);
    }
}

static void finish(struct grt_audit *audit, void *state) {
    add_up(audit, state);
}

const struct audit_family audit_shared = {
    .state_size = sizeof(struct shared),
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
