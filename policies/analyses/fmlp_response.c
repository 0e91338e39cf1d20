/* Response times under FMLP+ (partitioned, suspension-aware) with a lock for each GPU: requests in the order in which they come, the holder
 * boosted.
 *
 * Source: B. Brandenburg, "The FMLP+: An Asymptotically Optimal Real-Time Locking Protocol for Suspension-Aware Analysis", ECRTS 2014, and
 * his dissertation, 2011; J.-J. Chen and others, "Many suspensions, many problems", Real-Time Systems 55, 2019: the jitter.
 * Implements: with n_x(w) = ceil((w + R_x) / T_x),
 *     W_i = C_i + G_i + B^r_i + B^l_i + sum over hpp(i) of ceil((W_i + J_h) / T_h) E_h
 *     B^r_i = sum over users x of the lock on other cores of min(eta_i max W'_x, n_x(W_i) eta_x W'_x)
 *     B^l_i = sum over lpp(i) of min((eta_i + 1) max b_l, n_l(W_i) b_l)
 * with R_x = D_x first, then the W_x found, until nothing changes: each is a bound while no deadline was missed, so that the next one is too.
 * Assumes: what lock.h says; docs/locks.md proves it.
 * Deviates: 1. A job's requests count with their sum, not each as the longest. 2. Jobs that suspend, or several locks: requests of
 *   local tasks count in B^r, too; several: W' as in mpcp_response.c with all local tasks of other locks. 3. No cap of eta_i + 1 by the number of conflicts. */
#include "policies/analyses/lock_equation.h"

static int64_t held_longer(const struct lock_work *work, const struct lock_stream *stream, int64_t waiting) {
    int64_t longer = 0;
    if (work->result->locks <= 1) {
        return 0;
    }
    for (uint32_t i = 0; i < work->count; i++) {
        const struct lock_stream *other = &work->streams[i];
        if (other != stream && lock_same_core(stream, other) && !lock_same_gpu(stream, other)) {
            int64_t times = waiting == GRT_LOCK_SUSPEND ? 2 : 1;
            longer = lock_sum(longer, lock_product(other->longest_boosted, times));
        }
    }
    return longer;
}

/* A local holder that spins does so in B^l and in the interference; else its wait for the GPU, or for its core, is to be waited for. */
static void add_requests(struct lock_work *work, const struct lock_stream *stream, int64_t waiting) {
    bool local_too = waiting == GRT_LOCK_SUSPEND || work->result->locks > 1;
    for (uint32_t i = 0; i < work->count; i++) {
        const struct lock_stream *other = &work->streams[i];
        bool elsewhere = !lock_same_core(stream, other) || local_too;
        if (other != stream && elsewhere && lock_same_gpu(stream, other)) {
            int64_t most = lock_product(lock_longest_hold(other), stream->task->requests);
            lock_add(&work->equation.ahead, other, other->assumed, lock_hold(other), most);
        }
    }
}

static void bound_task(struct lock_work *work, struct lock_stream *stream,
                       const struct grt_fmlp_rules *rules) {
    lock_equation_of(work, stream, GRT_LOCK_BY_JOB);
    add_requests(work, stream, rules->waiting);
    lock_add_preemption(work, stream, rules->jitter);
    lock_add_boosted(work, stream, lock_times_ready(work, stream, rules->waiting), true);
    lock_solve(work, stream);
}

/* One more round; whether a bound has changed. */
static bool bound_all(struct lock_work *work, const struct grt_fmlp_rules *rules) {
    bool changed = false;
    work->result->schedulable = true;
    work->result->failing = UINT32_MAX;
    for (uint32_t i = 0; i < work->count; i++) {
        bound_task(work, &work->streams[i], rules);
    }
    for (uint32_t i = 0; i < work->count; i++) {
        changed |= work->streams[i].assumed != work->streams[i].response;
        work->streams[i].assumed = work->streams[i].response;
    }
    return changed;
}

void grt_lock_fmlp(const struct grt_lock_task *tasks, uint32_t count, const struct grt_lock_costs *costs,
                   const struct grt_fmlp_rules *rules, struct grt_lock_result *result) {
    struct lock_work work;
    lock_begin(&work, tasks, count, result);
    lock_holders_prepare(&work, costs, rules->waiting);
    for (uint32_t i = 0; i < count; i++) {
        work.streams[i].extra = held_longer(&work, &work.streams[i], rules->waiting);
    }
    lock_holders_say(&work, costs, rules->waiting);
    while (bound_all(&work, rules) && !rules->once && !result->gave_up) {
    }
    result->unsound = rules->jitter == GRT_LOCK_JITTER_BLOCKING;
    lock_end(&work);
}
