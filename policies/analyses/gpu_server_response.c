/* Response times where a server thread, the most urgent of its core, executes GPU segments for all tasks.
 *
 * Source: H. Kim, P. Patel, S. Wang, R. Rajkumar, "A Server-based Approach for Predictable GPU Access Control", RTCSA 2017, Eqs. (1) to (4);
 * P. Patel, I. Baek, H. Kim, R. Rajkumar, "Analytical Enhancements and Practical Insights for MPCP with Self-Suspensions", RTAS 2018: the smaller of
 * two bounds.
 * Implements: with n_x(w) = ceil((w + W_x) / T_x), e_x = G^m_x + 2 eta_x eps, all x by request or by job,
 *     W_i = C_i + G_i + 2 eta_i eps + B_i + sum over hpp(i) of ceil((W_i + J_h) / T_h) C_h
 *           + on the server's core: sum over x other than i of ceil((W_i + W_x - e_x) / T_x) e_x
 *   printed:   B_i = min(eta_i B, ...), B = max over lp(i) of (G_l + eps) + sum over hp(i) of n_h(B) (G_h + eta_h eps)      Eqs. (1) to (4)
 *   repaired:  with 2 eps in place of eps and, for requests that arrive while the server works, also sum over lp(i) of n_l(B) eta_l eps;
 *              by request, sum over x other than i of n_x(W_i) eta_x eps once, for those that hit i's own segments.
 * Assumes: what lock.h says; the printed equations, that a request which arrives while the server works costs nothing on the way. docs/locks.md
 *   proves it.
 * Deviates: 1. The repair. 2. J_h = 0 of tasks that never suspend themselves. 3. n_h, and W_x in place of D_x where it is known. */
#include "policies/analyses/lock_equation.h"

/* A server is activated by a request and by its end. A task is activated by its release and by each end. */
static void prepare(struct lock_stream *stream, const struct grt_lock_costs *costs, int64_t epsilon,
                    bool repaired) {
    const struct grt_lock_task *task = stream->task;
    int64_t activation = lock_activation(costs);
    stream->cost = lock_sum(task->normal, lock_product(activation, task->requests + 1));
    stream->hold = task->segments;
    stream->longest_hold = task->longest_segment;
    stream->extra = lock_product(epsilon, repaired ? 2 : 1);
    stream->boosted = lock_sum(task->host, lock_product(epsilon, 2 * task->requests)); /* e */
    stream->demand =
        lock_sum(lock_sum(stream->cost, task->segments), lock_product(epsilon, 2 * task->requests));
}

/* The requests of others that a request waits for. Lemma 2. */
static void add_requests(struct lock_work *work, const struct lock_stream *stream, int64_t carry,
                         int64_t enqueue) {
    struct lock_equation *equation = &work->equation;
    for (uint32_t i = 0; i < work->count; i++) {
        const struct lock_stream *other = &work->streams[i];
        if (other == stream || !lock_same_gpu(stream, other)) {
            continue;
        }
        int64_t add = lock_carry(other, stream, carry);
        int64_t arrivals = lock_product(enqueue, other->task->requests);
        if (other->task->priority >= stream->task->priority) {
            lock_add(&equation->ahead, other, add, lock_hold(other), LOCK_BEYOND);
        } else {
            int64_t hold = lock_longest_hold(other);
            equation->first = hold > equation->first ? hold : equation->first;
            if (enqueue > 0) {
                lock_add(&equation->ahead, other, add, arrivals, LOCK_BEYOND);
            }
        }
        if (enqueue > 0) {
            lock_add(&equation->beside, other, add, arrivals, LOCK_BEYOND);
        }
    }
}

/* The server's work for others, on its core. Eq. (4). */
static void add_server(struct lock_work *work, const struct lock_stream *stream, int64_t rule) {
    for (uint32_t i = 0; i < work->count; i++) {
        const struct lock_stream *other = &work->streams[i];
        bool known = rule == GRT_LOCK_SERVER_RESPONSE && other->task->priority > stream->task->priority;
        int64_t end = known ? other->response : other->limit;
        if (other != stream && other->task->requests > 0) {
            lock_add(&work->equation.interference, other, end > other->boosted ? end - other->boosted : 0,
                     other->boosted, LOCK_BEYOND);
        }
    }
}

static void bound_task(struct lock_work *work, struct lock_stream *stream,
                       const struct grt_server_rules *rules, int64_t enqueue) {
    lock_equation_of(work, stream, rules->bound);
    add_requests(work, stream, rules->carry, enqueue);
    lock_add_preemption(work, stream, rules->jitter);
    if (rules->core >= 0 && stream->task->core == rules->core) {
        add_server(work, stream, rules->server);
    }
    lock_solve(work, stream);
}

/* From taking a request to its end's having been told, which is where the budget ends: a segment, epsilon, and what receiving others costs meanwhile. An
 * end that takes no time (not `exact`) may still be ahead at the last instant. */
static int64_t served(struct lock_work *work, const struct lock_stream *stream, int64_t epsilon,
                      bool charged) {
    struct lock_equation *equation = lock_equation_of(work, stream, GRT_LOCK_BY_REQUEST);
    equation->first = lock_sum(stream->longest_hold, epsilon);
    for (uint32_t i = 0; i < work->count && charged; i++) {
        const struct lock_stream *other = &work->streams[i];
        if (other != stream && other->task->requests > 0) {
            lock_add(&equation->ahead, other, other->limit, lock_product(epsilon, other->task->requests),
                     LOCK_BEYOND);
        }
    }
    return lock_wait_of_one(equation, work->result);
}

static void say_served(struct lock_work *work, int64_t epsilon, bool charged, bool exact) {
    for (uint32_t i = 0; i < work->count && work->result->held != NULL; i++) {
        const struct lock_stream *stream = &work->streams[i];
        work->result->held[stream->number] =
            stream->task->requests > 0 ? lock_sum(served(work, stream, epsilon, charged), exact ? 0 : 1) : 0;
    }
}

void grt_lock_server(const struct grt_lock_task *tasks, uint32_t count, const struct grt_lock_costs *costs,
                     const struct grt_server_rules *rules, struct grt_lock_result *result) {
    struct lock_work work;
    bool charged = rules->enqueue == GRT_LOCK_ENQUEUE_CHARGED;
    bool repaired = rules->equations == GRT_LOCK_EQUATIONS_REPAIRED ||
                    (rules->equations == GRT_LOCK_EQUATIONS_AUTO && charged);
    int64_t epsilon = lock_sum(rules->epsilon, lock_activation(costs));
    lock_begin(&work, tasks, count, result);
    for (uint32_t i = 0; i < count; i++) {
        prepare(&work.streams[i], costs, epsilon, repaired);
    }
    for (uint32_t i = 0; i < count; i++) {
        bound_task(&work, &work.streams[i], rules, repaired ? epsilon : 0);
    }
    say_served(&work, epsilon, charged, rules->epsilon > 0);
    result->unsound = (charged && !repaired) || rules->jitter == GRT_LOCK_JITTER_BLOCKING;
    lock_end(&work);
}
