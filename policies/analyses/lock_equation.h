/* What the analyses of locks and of the server have in common: tasks in the order of their urgency, and the solution of
 *     w = fixed + wait(w) + sum over interference of min(ceil((w + add) / T) cost, most)
 * where wait is the smaller of
 *     eta B + sum over beside,   B the least with  B = first + sum over ahead of ceil((B + add) / T) cost     by request
 *     eta first + sum over ahead of ceil((w + add) / T) cost                                                  by job
 * All of it grows with w, so the steps from below reach the least solution. (lock.h has the sources.) */
#ifndef GRT_POLICIES_ANALYSES_LOCK_EQUATION_H
#define GRT_POLICIES_ANALYSES_LOCK_EQUATION_H

#include <stddef.h>

#include "models/span.h"
#include "policies/analyses/lock.h"

/* Beyond every bound, with room for sums of two. */
#define LOCK_BEYOND (4 * GRT_LOCK_LONGEST)

/* What others ask for in a span of x: ceil((x + add) / T) times `cost`, but no more than `most`. */
struct lock_term {
    uint64_t inverse; /* (2^64 - 1) / T */
    int64_t period, add, cost, most;
};

struct lock_terms {
    struct lock_term *items;
    size_t count;
};

/* A task as the equations of a protocol see it. Costs of the platform are included. */
struct lock_stream {
    const struct grt_lock_task *task;
    uint32_t number; /* in the caller's array */
    uint64_t inverse;
    int64_t limit;        /* min(D, T) */
    int64_t response;     /* W; `limit` until it is known */
    int64_t assumed;      /* W of the round before (FMLP+); `limit` in the first */
    int64_t wait;         /* B^r: of all its requests */
    int64_t demand;       /* what a job needs at least until it ends, alone */
    int64_t cost;         /* E: what it executes on its core at its own priority, or boosted */
    int64_t hold;         /* how long a job's requests have the GPU, alone */
    int64_t longest_hold; /* one of them, at most */
    int64_t extra;        /* by how much each takes longer from those who wait for it */
    int64_t boosted;      /* what its requests of a job execute boosted on its core */
    int64_t longest_boosted;
};

struct lock_equation {
    int64_t fixed, requests, first, limit;
    int64_t bound; /* enum grt_lock_bound */
    struct lock_terms interference, ahead, beside;
};

/* Room for small sets, so that they need no memory. */
enum { LOCK_FEW = 32 };

struct lock_work {
    struct lock_stream *streams; /* the most urgent first; equal ones in the caller's order */
    uint32_t count;
    struct lock_equation equation;
    struct grt_lock_result *result;
    void *memory; /* NULL: `few` are used */
    struct lock_stream few[LOCK_FEW];
    struct lock_term few_terms[4 * LOCK_FEW];
};

/* Sorts the tasks, clears the result. lock_end frees. */
void lock_begin(struct lock_work *work, const struct grt_lock_task *tasks, uint32_t count,
                struct grt_lock_result *result);
void lock_end(struct lock_work *work);

/* Empties the equation for the job of a stream. */
struct lock_equation *lock_equation_of(struct lock_work *work, const struct lock_stream *stream,
                                       int64_t bound);

/* Adds a term. */
void lock_add(struct lock_terms *terms, const struct lock_stream *stream, int64_t add, int64_t cost,
              int64_t most);

/* Solves the equation for a stream; stores its response and wait, in the result, too. Where there is no solution within the
 * limit the response, and the wait, become the limit, in the result it is GRT_LOCK_NEVER, and the task is named as failing if it is the first. */
void lock_solve(struct lock_work *work, struct lock_stream *stream);

/* B by request: the least B = first + sum over ahead; LOCK_BEYOND where it is above the limit. */
int64_t lock_wait_of_one(const struct lock_equation *equation, struct grt_lock_result *result);

/* a + b and count * a, no more than LOCK_BEYOND. */
static inline int64_t lock_sum(int64_t a, int64_t b) {
    return a < LOCK_BEYOND - b ? a + b : LOCK_BEYOND;
}

static inline int64_t lock_product(int64_t a, int64_t count) {
    grt_wide product = (grt_wide)(uint64_t)a * (uint64_t)count;
    return product < (grt_wide)(uint64_t)LOCK_BEYOND ? (int64_t)product : LOCK_BEYOND;
}

/* Whether two streams share a core, or a GPU that both use. */
static inline bool lock_same_core(const struct lock_stream *a, const struct lock_stream *b) {
    return a->task->core >= 0 && a->task->core == b->task->core;
}

static inline bool lock_same_gpu(const struct lock_stream *a, const struct lock_stream *b) {
    return a->task->requests > 0 && b->task->requests > 0 && a->task->gpu == b->task->gpu;
}

/* What a job's requests, and the longest of them, take from those who wait. */
static inline int64_t lock_hold(const struct lock_stream *stream) {
    return lock_sum(stream->hold, lock_product(stream->extra, stream->task->requests));
}

static inline int64_t lock_longest_hold(const struct lock_stream *stream) {
    return lock_sum(stream->longest_hold, stream->extra);
}

/* Adds the work of more urgent tasks of the core, those of the same priority with `limit` for W (enum grt_lock_jitter). */
void lock_add_preemption(struct lock_work *work, const struct lock_stream *stream, int64_t jitter);

/* What a span of requests is longer by for those of a more urgent, or as urgent, task (enum grt_lock_carry). */
static inline int64_t lock_carry(const struct lock_stream *other, const struct lock_stream *stream,
                                 int64_t rule) {
    if (rule == GRT_LOCK_CARRY_ONE_MORE) {
        return other->task->period;
    }
    return other->task->priority > stream->task->priority ? other->response : other->limit;
}

/* ---- protocols that boost a lock's holder (lock_holder.c) ---- */

/* Fills in what streams execute and hold, `extra` apart: a job that spins executes its segments whole. */
void lock_holders_prepare(struct lock_work *work, const struct grt_lock_costs *costs, int64_t waiting);

/* Stores how long requests hold their locks, once `extra` is filled in. */
void lock_holders_say(struct lock_work *work, const struct grt_lock_costs *costs, int64_t waiting);

/* Adds what boosted segments of less urgent tasks of the core execute while a job is ready: each up to `times` of them, where `capped` no more than
 * there are. */
void lock_add_boosted(struct lock_work *work, const struct lock_stream *stream, int64_t times, bool capped);

/* How often a job gets ready at which boosted segments may be ahead. */
int64_t lock_times_ready(const struct lock_work *work, const struct lock_stream *stream, int64_t waiting);

/* What an activation of a thread costs at most: docs/locks.md, section on costs. */
static inline int64_t lock_activation(const struct grt_lock_costs *costs) {
    return lock_sum(lock_product(costs->context_switch, 3), costs->wake_up);
}

#endif
