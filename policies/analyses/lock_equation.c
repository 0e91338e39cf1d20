#include "policies/analyses/lock_equation.h"

#include <stdlib.h>

#include "models/analysis.h"

/* ---- tasks ---- */

static int more_urgent_first(const void *a, const void *b) {
    const struct lock_stream *left = a, *right = b;
    if (left->task->priority != right->task->priority) {
        return left->task->priority > right->task->priority ? -1 : 1;
    }
    return left->number < right->number ? -1 : 1;
}

/* Small sets are sorted in place: a call of qsort takes longer than all of that. */
static void sort(struct lock_stream *streams, uint32_t count) {
    if (count > LOCK_FEW) {
        qsort(streams, count, sizeof *streams, more_urgent_first);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        struct lock_stream moved = streams[i];
        uint32_t to = i;
        for (; to > 0 && streams[to - 1].task->priority < moved.task->priority; to--) {
            streams[to] = streams[to - 1];
        }
        streams[to] = moved;
    }
}

static uint32_t count_locks(const struct lock_stream *streams, uint32_t count) {
    uint32_t locks = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool first = streams[i].task->requests > 0;
        for (uint32_t j = 0; j < i && first; j++) {
            first = !lock_same_gpu(&streams[i], &streams[j]);
        }
        locks += first;
    }
    return locks;
}

void lock_begin(struct lock_work *work, const struct grt_lock_task *tasks, uint32_t count,
                struct grt_lock_result *result) {
    struct lock_term *terms = work->few_terms;
    work->streams = work->few;
    work->memory = NULL;
    work->count = count;
    work->result = result;
    if (count > LOCK_FEW) {
        work->memory = grt_analysis_memory(count, sizeof *work->streams + 4 * sizeof *terms);
        work->streams = work->memory;
        terms = (struct lock_term *)(void *)(work->streams + count);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct grt_lock_task *task = &tasks[i];
        int64_t limit = task->deadline < task->period ? task->deadline : task->period;
        work->streams[i] = (struct lock_stream){.task = task,
                                                .number = i,
                                                .inverse = UINT64_MAX / (uint64_t)task->period,
                                                .limit = limit,
                                                .response = limit,
                                                .assumed = limit,
                                                .wait = limit};
        result->response[i] = GRT_LOCK_NEVER;
        if (result->wait != NULL) {
            result->wait[i] = 0;
        }
    }
    sort(work->streams, count);
    work->equation.interference.items = terms; /* others' work and the server's: two for each task */
    work->equation.ahead.items = terms + 2 * (size_t)count;
    work->equation.beside.items = terms + 3 * (size_t)count;
    result->schedulable = true;
    result->unsound = false;
    result->gave_up = false;
    result->failing = UINT32_MAX;
    result->locks = count_locks(work->streams, count);
    result->steps = 0;
}

void lock_end(struct lock_work *work) {
    free(work->memory);
}

/* ---- the equation ---- */

struct lock_equation *lock_equation_of(struct lock_work *work, const struct lock_stream *stream,
                                       int64_t bound) {
    struct lock_equation *equation = &work->equation;
    equation->fixed = stream->demand;
    equation->requests = stream->task->requests;
    equation->limit = stream->limit - stream->task->jitter;
    equation->first = 0;
    equation->bound = bound;
    equation->interference.count = equation->ahead.count = equation->beside.count = 0;
    return equation;
}

void lock_add(struct lock_terms *terms, const struct lock_stream *stream, int64_t add, int64_t cost,
              int64_t most) {
    terms->items[terms->count++] = (struct lock_term){.inverse = stream->inverse,
                                                      .period = stream->task->period,
                                                      .add = add < LOCK_BEYOND ? add : LOCK_BEYOND,
                                                      .cost = cost,
                                                      .most = most};
}

/* The jitter of a more urgent, or as urgent, task's work on its core; `response`: its W as far as known. */
static int64_t jitter_of(const struct lock_stream *stream, int64_t rule, int64_t response) {
    if (rule == GRT_LOCK_JITTER_BLOCKING) {
        return lock_sum(stream->task->jitter, stream->wait);
    }
    if (rule == GRT_LOCK_JITTER_SUSPENDING && stream->task->requests == 0) {
        return stream->task->jitter;
    }
    int64_t end = rule == GRT_LOCK_JITTER_DEADLINE ? stream->limit : response;
    return end > stream->cost ? end - stream->cost : 0;
}

void lock_add_preemption(struct lock_work *work, const struct lock_stream *stream, int64_t jitter) {
    for (uint32_t i = 0; i < work->count; i++) {
        const struct lock_stream *other = &work->streams[i];
        if (other->task->priority < stream->task->priority) {
            return;
        }
        if (other != stream && lock_same_core(stream, other)) {
            bool higher = other->task->priority > stream->task->priority;
            int64_t response = higher ? other->response : other->limit;
            lock_add(&work->equation.interference, other, jitter_of(other, jitter, response), other->cost,
                     LOCK_BEYOND);
        }
    }
}

/* ceil(x / T). A division by multiplying: the high half of x times 2^64 / T is the quotient or, since x is below 2^63, one less. */
static inline uint64_t periods_begun(const struct lock_term *term, uint64_t x) {
    uint64_t quotient = (uint64_t)(((grt_wide)x * term->inverse) >> 64);
    uint64_t rest = x - quotient * (uint64_t)term->period;
    return quotient + (rest > 0) + (rest > (uint64_t)term->period);
}

static grt_wide sum_of(struct grt_lock_result *result, const struct lock_terms *terms, int64_t x) {
    grt_wide sum = 0;
    for (size_t i = 0; i < terms->count; i++) {
        const struct lock_term *term = &terms->items[i];
        grt_wide cost = (grt_wide)periods_begun(term, (uint64_t)(x + term->add)) * (uint64_t)term->cost;
        sum += cost < (grt_wide)(uint64_t)term->most ? cost : (grt_wide)(uint64_t)term->most;
    }
    result->steps += (int64_t)terms->count;
    return sum;
}

static inline int64_t as_time(grt_wide sum) {
    return sum < (grt_wide)(uint64_t)LOCK_BEYOND ? (int64_t)sum : LOCK_BEYOND;
}

/* Whether the analysis has taken too long. */
static bool gives_up(struct grt_lock_result *result) {
    result->gave_up |= result->steps > result->most_steps;
    return result->gave_up;
}

int64_t lock_wait_of_one(const struct lock_equation *equation, struct grt_lock_result *result) {
    int64_t wait = equation->first;
    while (wait <= equation->limit && !gives_up(result)) {
        int64_t next = as_time((grt_wide)(uint64_t)equation->first + sum_of(result, &equation->ahead, wait));
        if (next == wait) {
            return wait;
        }
        wait = next;
    }
    return LOCK_BEYOND;
}

/* The wait of all requests of a job that lives for w; `by_request`: eta B. */
static int64_t wait_within(const struct lock_equation *equation, struct grt_lock_result *result,
                           int64_t by_request, int64_t w) {
    int64_t request = LOCK_BEYOND, job = LOCK_BEYOND;
    if (equation->requests == 0) {
        return 0;
    }
    if (by_request < LOCK_BEYOND) {
        request = as_time((grt_wide)(uint64_t)by_request + sum_of(result, &equation->beside, w));
    }
    if (equation->bound != GRT_LOCK_BY_REQUEST) {
        job = as_time((grt_wide)(uint64_t)equation->first * (uint64_t)equation->requests +
                      sum_of(result, &equation->ahead, w));
    }
    return request < job ? request : job;
}

static int64_t waits_by_request(const struct lock_equation *equation, struct grt_lock_result *result) {
    if (equation->bound == GRT_LOCK_BY_JOB || equation->requests == 0) {
        return LOCK_BEYOND;
    }
    return lock_product(lock_wait_of_one(equation, result), equation->requests);
}

static void fail(struct lock_work *work, struct lock_stream *stream) {
    struct grt_lock_result *result = work->result;
    stream->wait = stream->limit; /* what less urgent tasks go by, were this one in time after all */
    result->schedulable = false;
    result->response[stream->number] = GRT_LOCK_NEVER;
    if (result->failing == UINT32_MAX) {
        result->failing = stream->number;
    }
}

void lock_solve(struct lock_work *work, struct lock_stream *stream) {
    const struct lock_equation *equation = &work->equation;
    struct grt_lock_result *result = work->result;
    int64_t by_request = waits_by_request(equation, result), w = equation->fixed;
    stream->response = stream->limit;
    while (w <= equation->limit && !gives_up(result)) {
        int64_t wait = wait_within(equation, result, by_request, w);
        int64_t next = as_time((grt_wide)(uint64_t)equation->fixed + (uint64_t)wait +
                               sum_of(result, &equation->interference, w));
        stream->wait = wait;
        if (result->wait != NULL) {
            result->wait[stream->number] = wait;
        }
        if (next == w) {
            stream->response = stream->task->jitter + w;
            result->response[stream->number] = stream->response;
            return;
        }
        w = next;
    }
    fail(work, stream);
}
