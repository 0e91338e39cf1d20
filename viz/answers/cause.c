#include "viz/answers/cause.h"

#include <stdlib.h>

#include "sim/memory.h"
#include "viz/answers/chain.h"
#include "viz/answers/core_users.h"
#include "viz/timeline/shares.h"

/* Kernels of others that are looked at, and questions who worked during a wait: beyond them an answer takes too long. */
enum { MOST_KERNELS = 1 << 12, MOST_QUESTIONS = 1 << 12, MOST_CORES = 8, MOST_SHARES = 1 << 12 };

/* What lasts for a while; OTHERS: another task's kernel. */
enum { OTHERS = GRT_CAUSE_PARTS, LAYERS };

/* Whose work is counted: of each part, and of BLOCKED and GPU together. */
enum { USERS = GRT_CAUSE_PARTS, COUNTS };

struct edge {
    grt_time time;
    int32_t change; /* 1: a layer begins, -1: it ends */
    uint32_t layer;
};

struct judge {
    const struct grt_timeline *timeline;
    const struct grt_chain *chain;
    struct grt_cause *cause;
    struct edge *edges;
    uint32_t edge_count, edge_capacity;
    const struct grt_row *cores[MOST_CORES]; /* on which the job computed */
    uint32_t core_count;
    uint32_t questions, kernels;
    grt_wide share_work; /* shares of the job's kernels times ns */
    grt_time share_time;
    grt_time *worked[COUNTS]; /* by task: how long it worked during waits of a part */
};

/* ---- the layers ---- */

/* Returns how much of it is in the job's time. */
static grt_time add_layer(struct judge *judge, uint32_t layer, grt_time begin, grt_time end) {
    const struct grt_cause *cause = judge->cause;
    begin = begin > cause->arrival ? begin : cause->arrival;
    end = end < cause->end ? end : cause->end;
    if (begin >= end) {
        return 0;
    }
    judge->edges =
        grt_array_grow(judge->edges, &judge->edge_capacity, judge->edge_count + 2, sizeof *judge->edges);
    judge->edges[judge->edge_count++] = (struct edge){begin, 1, layer};
    judge->edges[judge->edge_count++] = (struct edge){end, -1, layer};
    return end - begin;
}

static void note_core(struct judge *judge, struct grt_place place) {
    const struct grt_row *row = &judge->timeline->rows[place.row];
    for (uint32_t i = 0; i < judge->core_count; i++) {
        if (judge->cores[i] == row) {
            return;
        }
    }
    if (row->kind == GRT_ROW_CORE && judge->core_count < MOST_CORES) {
        judge->cores[judge->core_count++] = row;
    }
}

/* Kernels of other tasks while one of the job runs. */
static void add_others(struct judge *judge, grt_time begin, grt_time end) {
    uint32_t tasks = judge->timeline->first_rows[GRT_ROW_TASK + 1];
    for (uint32_t task = 0; task < tasks; task++) {
        const struct grt_track *track = grt_row_track(&judge->timeline->rows[task], GRT_PART_KERNEL);
        struct grt_track_cursor cursor = {0};
        uint32_t i = grt_track_first_after(track, &cursor, begin);
        for (; task != judge->cause->task; i++) {
            i = grt_track_next_before(track, i, end);
            if (i == GRT_NO_SLICE) {
                break;
            }
            if (judge->kernels++ >= MOST_KERNELS) {
                judge->cause->cut = true;
                return;
            }
            struct grt_slice kernel = grt_track_at(track, i);
            add_layer(judge, OTHERS, kernel.start > begin ? kernel.start : begin,
                      kernel.end < end ? kernel.end : end);
        }
    }
}

static void add_share(void *state, grt_time begin, grt_time end, uint32_t share) {
    struct judge *judge = state;
    grt_time time = end - begin;
    if (share < GRT_WHOLE_SHARE) {
        add_layer(judge, share == 0 ? GRT_CAUSE_STILL : GRT_CAUSE_LIMITED, begin, end);
    }
    judge->share_time += time;
    judge->share_work += (grt_wide)time * share;
}

/* Which share a kernel of the job had, in the row of its stream. */
static void add_shares(struct judge *judge, const struct grt_chain_step *step) {
    const struct grt_timeline *timeline = judge->timeline;
    struct grt_place place = timeline->rows[step->place.row].kind == GRT_ROW_STREAM
                                 ? step->place
                                 : grt_place_twin(timeline, step->home);
    if (grt_place_is_some(&place) && !grt_row_each_share(&timeline->rows[place.row], step->begin, step->end,
                                                         MOST_SHARES, add_share, judge)) {
        judge->cause->cut = true;
    }
}

static void add_step(struct judge *judge, const struct grt_chain_step *step) {
    struct grt_slice slice = grt_place_slice(judge->timeline, step->home);
    switch (step->kind) {
    case GRT_STEP_CPU:
    case GRT_STEP_HOST:
    case GRT_STEP_OVERHEAD:
        note_core(judge, step->place);
        add_layer(judge, GRT_CAUSE_COMPUTE, step->begin, step->end);
        break;
    case GRT_STEP_THREAD: /* what its own thread would have to do elsewhere */
        add_layer(judge, GRT_CAUSE_COMPUTE, step->begin, step->end);
        break;
    case GRT_STEP_KERNEL:
        add_layer(judge, GRT_CAUSE_KERNEL, step->begin, step->end);
        add_others(judge, step->begin, step->end);
        add_shares(judge, step);
        break;
    case GRT_STEP_COPY:
        add_layer(judge, GRT_CAUSE_COPY, step->begin, step->end);
        break;
    case GRT_STEP_CALL:
        add_layer(judge, GRT_CAUSE_CALL, step->begin, step->end);
        break;
    case GRT_STEP_BLOCKED:
        judge->cause->blocked += add_layer(judge, GRT_CAUSE_BLOCKED, step->begin, step->end);
        break;
    case GRT_STEP_REQUEST:
        add_layer(judge, GRT_CAUSE_GPU, step->begin, slice.end);
        break;
    default:
        break;
    }
}

/* Jobs of a task are in the order of their ends: only the one before ended last of those before. */
static void add_earlier_job(struct judge *judge) {
    struct grt_place place = judge->chain->story.whole;
    if (!grt_place_is_some(&place) || place.number == 0) {
        return;
    }
    place.number--;
    struct grt_slice before = grt_place_slice(judge->timeline, place);
    if (before.start <= judge->cause->arrival) {
        add_layer(judge, GRT_CAUSE_EARLIER, before.start, before.end);
    }
}

static int by_time(const void *a, const void *b) {
    const struct edge *left = a, *right = b;
    return (left->time > right->time) - (left->time < right->time);
}

/* ---- who else ---- */

static void note_worker(struct judge *judge, uint32_t count, uint32_t task, grt_time time) {
    uint32_t tasks = judge->timeline->first_rows[GRT_ROW_TASK + 1];
    if (task >= tasks || time == 0) {
        return;
    }
    if (judge->worked[count] == NULL) {
        judge->worked[count] = grt_allocate(tasks * sizeof *judge->worked[count]);
        for (uint32_t i = 0; i < tasks; i++) {
            judge->worked[count][i] = 0;
        }
    }
    judge->worked[count][task] += time; /* of spans that are apart: no more than the response time */
}

/* Whether one more may be asked. */
static bool may_ask(struct judge *judge) {
    return judge->questions++ < MOST_QUESTIONS;
}

/* Who ran kernels, and with `copies` who copied, during a part of the job's time. */
static void ask_gpu(struct judge *judge, uint32_t count, bool copies, grt_time begin, grt_time end) {
    const struct grt_timeline *timeline = judge->timeline;
    uint32_t tasks = timeline->first_rows[GRT_ROW_TASK + 1];
    for (uint32_t task = 0; task < tasks && may_ask(judge); task++) {
        if (task != judge->cause->task) {
            note_worker(judge, count, task, grt_time_on_gpu(timeline, task, copies, begin, end));
        }
    }
}

static void ask_blocker(struct judge *judge, grt_time begin, grt_time end) {
    for (uint32_t i = 0; i < judge->chain->count; i++) {
        const struct grt_chain_step *step = &judge->chain->steps[i];
        if (step->kind == GRT_STEP_BLOCKED && step->begin <= begin && step->end >= end) {
            uint32_t blocker = grt_place_slice(judge->timeline, step->home).detail;
            note_worker(judge, GRT_CAUSE_BLOCKED, blocker, end - begin);
            return;
        }
    }
}

/* Of those who had a core of the job's, the one who had one longest. */
static void ask_cores(struct judge *judge, grt_time begin, grt_time end) {
    const struct grt_cause *cause = judge->cause;
    struct grt_core_user best = {.task = GRT_TRACE_NO_TASK};
    for (uint32_t i = 0; i < judge->core_count && may_ask(judge); i++) {
        struct grt_core_user user = grt_core_user(judge->cores[i], cause->task, cause->job, begin, end);
        best = user.time > best.time ? user : best;
    }
    note_worker(judge, GRT_CAUSE_CORE, best.task, best.time);
}

static void ask_who(struct judge *judge, enum grt_cause_part part, grt_time begin, grt_time end) {
    switch (part) {
    case GRT_CAUSE_CORE:
        ask_cores(judge, begin, end);
        break;
    case GRT_CAUSE_STILL:
    case GRT_CAUSE_SHARED:
        ask_gpu(judge, part, false, begin, end);
        break;
    case GRT_CAUSE_BLOCKED:
        ask_blocker(judge, begin, end);
        ask_gpu(judge, USERS, true, begin, end);
        break;
    case GRT_CAUSE_GPU:
        ask_gpu(judge, USERS, true, begin, end);
        break;
    default:
        break;
    }
}

/* Who worked, by length; nobody where not all questions were asked: it may have been somebody else. */
static struct grt_users users_of(const struct judge *judge, uint32_t count) {
    uint32_t tasks = judge->timeline->first_rows[GRT_ROW_TASK + 1];
    struct grt_users users = grt_users_none();
    bool known = judge->worked[count] != NULL && judge->questions <= MOST_QUESTIONS;
    for (uint32_t i = 0; known && i < tasks; i++) {
        grt_users_add(&users, (struct grt_other){i, judge->worked[count][i]});
    }
    return users;
}

static void choose_others(struct judge *judge) {
    for (uint32_t part = 0; part < GRT_CAUSE_PARTS; part++) {
        judge->cause->others[part] = users_of(judge, part).longest[0];
    }
    judge->cause->users = users_of(judge, USERS);
    for (uint32_t count = 0; count < COUNTS; count++) {
        free(judge->worked[count]);
    }
}

/* ---- the sum ---- */

static enum grt_cause_part part_of(const struct judge *judge, grt_time begin, const int32_t layers[LAYERS]) {
    if (begin < judge->chain->story.release) {
        return GRT_CAUSE_JITTER;
    }
    if (layers[GRT_CAUSE_COMPUTE] > 0) {
        return GRT_CAUSE_COMPUTE;
    }
    if (layers[GRT_CAUSE_KERNEL] > 0) {
        bool limited = layers[GRT_CAUSE_LIMITED] + layers[GRT_CAUSE_STILL] >= layers[GRT_CAUSE_KERNEL];
        return layers[GRT_CAUSE_STILL] >= layers[GRT_CAUSE_KERNEL] ? GRT_CAUSE_STILL
               : layers[OTHERS] > 0                                ? GRT_CAUSE_SHARED
               : limited                                           ? GRT_CAUSE_LIMITED
                                                                   : GRT_CAUSE_KERNEL;
    }
    uint32_t part = GRT_CAUSE_COPY;
    while (part < GRT_CAUSE_CORE && layers[part] == 0) {
        part++;
    }
    return (enum grt_cause_part)part;
}

/* From edge to edge; neighbours of the same part are one wait. */
static void add_up(struct judge *judge) {
    int32_t layers[LAYERS] = {0};
    grt_time begin = judge->cause->arrival, time = begin;
    enum grt_cause_part part = GRT_CAUSE_PARTS;
    for (uint32_t i = 0; i < judge->edge_count; i++) {
        const struct edge *edge = &judge->edges[i];
        if (edge->time > time) {
            enum grt_cause_part next = part_of(judge, time, layers);
            if (next != part && part != GRT_CAUSE_PARTS) {
                ask_who(judge, part, begin, time);
                begin = time;
            }
            part = next;
            judge->cause->parts[part] += edge->time - time;
            time = edge->time;
        }
        layers[edge->layer] += edge->change;
    }
    if (part != GRT_CAUSE_PARTS) {
        ask_who(judge, part, begin, time);
    }
}

/* ---- the chief ---- */

static bool is_own(uint32_t part) {
    return part == GRT_CAUSE_COMPUTE || part == GRT_CAUSE_KERNEL || part == GRT_CAUSE_COPY ||
           part == GRT_CAUSE_CALL;
}

grt_time grt_cause_wait(const struct grt_cause *cause, enum grt_cause_part part) {
    bool of_gpu = part == GRT_CAUSE_BLOCKED || part == GRT_CAUSE_GPU;
    return of_gpu ? cause->parts[GRT_CAUSE_BLOCKED] + cause->parts[GRT_CAUSE_GPU] : cause->parts[part];
}

/* The longest part of the job's own work, or of the rest. */
static enum grt_cause_part longest_of(const struct grt_cause *cause, bool own) {
    enum grt_cause_part longest = own ? GRT_CAUSE_COMPUTE : GRT_CAUSE_CORE;
    for (enum grt_cause_part part = GRT_CAUSE_JITTER; part < GRT_CAUSE_PARTS; part++) {
        if (is_own(part) == own && grt_cause_wait(cause, part) > grt_cause_wait(cause, longest)) {
            longest = part;
        }
    }
    bool of_gpu =
        longest == GRT_CAUSE_BLOCKED && cause->parts[GRT_CAUSE_BLOCKED] < cause->parts[GRT_CAUSE_GPU];
    return of_gpu ? GRT_CAUSE_GPU : longest;
}

static void choose_chief(struct grt_cause *cause) {
    grt_time own = 0;
    for (uint32_t part = 0; part < GRT_CAUSE_PARTS; part++) {
        own += is_own(part) ? cause->parts[part] : 0;
    }
    enum grt_cause_part wait = longest_of(cause, false);
    cause->own_work = cause->deadline != GRT_TIME_NEVER && own > cause->deadline - cause->arrival;
    grt_time waited = grt_cause_wait(cause, wait);
    cause->chief = waited == 0 || (cause->own_work && own >= waited) ? longest_of(cause, true) : wait;
}

/* ---- all ---- */

static void judge_job(struct judge *judge) {
    for (uint32_t i = 0; i < judge->chain->count; i++) {
        add_step(judge, &judge->chain->steps[i]);
    }
    add_earlier_job(judge);
    add_layer(judge, GRT_CAUSE_JITTER, judge->cause->arrival, judge->chain->story.release);
    add_layer(judge, GRT_CAUSE_CORE, judge->cause->arrival, judge->cause->end); /* so that all has edges */
    if (judge->edge_count > 0) {
        qsort(judge->edges, judge->edge_count, sizeof *judge->edges, by_time);
        add_up(judge);
    }
    if (judge->share_time > 0) {
        grt_wide time = (grt_wide)judge->share_time;
        judge->cause->share = (uint32_t)((judge->share_work + time / 2) / time);
    }
    choose_others(judge);
    choose_chief(judge->cause);
    free(judge->edges);
}

bool grt_cause_of_job(const struct grt_timeline *timeline, uint32_t task, uint32_t job,
                      struct grt_cause *cause) {
    struct grt_chain chain = {.count = 0};
    bool found = grt_chain_outline(timeline, task, job, &chain);
    const struct grt_job_story *story = &chain.story;
    found = found && (grt_place_is_some(&story->window) || grt_place_is_some(&story->whole));
    *cause = (struct grt_cause){.task = task, .job = job, .share = GRT_CAUSE_NO_SHARE};
    if (found) {
        cause->arrival = story->arrival;
        cause->end = story->end > story->arrival ? story->end : story->arrival;
        cause->deadline = story->deadline;
        cause->kind = story->kind;
        cause->cut = chain.cut;
        struct judge judge = {.timeline = timeline, .chain = &chain, .cause = cause};
        judge_job(&judge);
    }
    grt_chain_free(&chain);
    return found;
}

bool grt_cause_find(const struct grt_timeline *timeline, uint32_t miss, struct grt_cause *cause) {
    return grt_cause_of_job(timeline, timeline->misses[miss].task, timeline->misses[miss].job, cause);
}
