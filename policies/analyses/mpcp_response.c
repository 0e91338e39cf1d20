/* Response times under MPCP with a lock for each GPU.
 *
 * Source: K. Lakshmanan, D. de Niz, R. Rajkumar, "Coordinated Task Scheduling, Allocation and Synchronization on Multiprocessors", RTSS 2009:
 * the terms; J.-J. Chen and others, "Many suspensions, many problems", Real-Time Systems 55, 2019: the jitter; P. Patel, I. Baek, H. Kim,
 * R. Rajkumar, "Analytical Enhancements and Practical Insights for MPCP with Self-Suspensions", RTAS 2018: the smaller of two bounds.
 * Implements: with n_x(w) = ceil((w + W_x) / T_x), all x by request or by job,
 *     W_i = C_i + G_i + B^r_i + B^l_i + sum over hpp(i) of ceil((W_i + J_h) / T_h) E_h
 *     B^r_i = min(eta_i B, eta_i max over lp(i) of W'_l + sum over hp(i) of n_h(W_i) eta_h W'_h),  B = max W'_l + sum of n_h(B) eta_h W'_h
 *     B^l_i = sum over lpp(i) of min((eta_i + 1) max b_l, n_l(W_i) b_l)
 * where a job that spins has E = C + G, b = G; one that suspends E = C + G^m, b = G^m. hp, lp: users of the lock on all cores; hpp, lpp:
 * tasks of the own core.
 * Assumes: what lock.h says; docs/locks.md proves it.
 * Deviates: 1. One lock: W' = G, since none but its holder is boosted. 2. n_h, min in B^l. 3. Several locks: W' = G + what each local task that
 *   may be boosted as high by another lock executes at a time; a job that suspends gets ready 2 eta + 1 times, then, and a holder twice. */
#include "policies/analyses/lock_equation.h"

/* A lock without users on other cores: what its holders' priority is then, no source says, so that they count as the least urgent holders and as the
 * most urgent others. */
struct ceiling {
    int64_t priority;
    bool none;
};

static struct ceiling ceiling_of(const struct lock_work *work, const struct lock_stream *stream,
                                 int64_t boost) {
    if (boost == GRT_LOCK_BOOST_OWN) {
        return (struct ceiling){.priority = stream->task->priority};
    }
    for (uint32_t i = 0; i < work->count; i++) { /* the first is the most urgent */
        const struct lock_stream *user = &work->streams[i];
        if (lock_same_gpu(user, stream) && user != stream && !lock_same_core(user, stream)) {
            return (struct ceiling){.priority = user->task->priority};
        }
    }
    return (struct ceiling){.none = true};
}

/* Whether a task's segment counts in W' of another one's. */
static bool goes_before(const struct lock_work *work, const struct lock_stream *stream,
                        const struct lock_stream *other, const struct grt_mpcp_rules *rules) {
    bool higher = other->task->priority >= stream->task->priority;
    bool local = lock_same_core(stream, other);
    switch (rules->holding) {
    case GRT_LOCK_HOLDING_LOCAL_HIGHER:
        return local && higher;
    case GRT_LOCK_HOLDING_LOCAL:
        return local;
    case GRT_LOCK_HOLDING_ANY_CORE:
        return higher;
    default:
        break;
    }
    if (!local || lock_same_gpu(stream, other)) {
        return false;
    }
    struct ceiling own = ceiling_of(work, stream, rules->boost);
    struct ceiling its = ceiling_of(work, other, rules->boost);
    return own.none || its.none || its.priority >= own.priority;
}

/* W' - G of a request. */
static int64_t held_longer(const struct lock_work *work, const struct lock_stream *stream,
                           const struct grt_mpcp_rules *rules) {
    bool sound = rules->holding == GRT_LOCK_HOLDING_SOUND;
    bool twice = sound && rules->waiting == GRT_LOCK_SUSPEND;
    int64_t longer = 0;
    if (sound && work->result->locks <= 1) {
        return 0;
    }
    for (uint32_t i = 0; i < work->count; i++) {
        const struct lock_stream *other = &work->streams[i];
        if (other != stream && other->task->requests > 0 && goes_before(work, stream, other, rules)) {
            int64_t each = sound ? other->longest_boosted : other->longest_hold;
            longer = lock_sum(longer, lock_product(each, twice ? 2 : 1));
        }
    }
    return longer;
}

static bool is_unsound(const struct grt_mpcp_rules *rules, uint32_t locks) {
    bool by_own = rules->holding == GRT_LOCK_HOLDING_LOCAL || rules->boost == GRT_LOCK_BOOST_OWN;
    bool holding =
        rules->holding == GRT_LOCK_HOLDING_SOUND || locks <= 1 || (rules->waiting == GRT_LOCK_SPIN && by_own);
    return rules->jitter == GRT_LOCK_JITTER_BLOCKING || !holding;
}

/* The requests of others, on all cores, that a request waits for. */
static void add_requests(struct lock_work *work, const struct lock_stream *stream, int64_t carry) {
    struct lock_equation *equation = &work->equation;
    for (uint32_t i = 0; i < work->count; i++) {
        const struct lock_stream *other = &work->streams[i];
        if (other == stream || !lock_same_gpu(stream, other)) {
            continue;
        }
        if (other->task->priority >= stream->task->priority) {
            lock_add(&equation->ahead, other, lock_carry(other, stream, carry), lock_hold(other),
                     LOCK_BEYOND);
        } else if (lock_longest_hold(other) > equation->first) {
            equation->first = lock_longest_hold(other);
        }
    }
}

static void bound_task(struct lock_work *work, struct lock_stream *stream,
                       const struct grt_mpcp_rules *rules) {
    lock_equation_of(work, stream, rules->bound);
    add_requests(work, stream, rules->carry);
    lock_add_preemption(work, stream, rules->jitter);
    lock_add_boosted(work, stream, lock_times_ready(work, stream, rules->waiting),
                     rules->boosted == GRT_LOCK_BOOSTED_CAPPED);
    lock_solve(work, stream);
}

void grt_lock_mpcp(const struct grt_lock_task *tasks, uint32_t count, const struct grt_lock_costs *costs,
                   const struct grt_mpcp_rules *rules, struct grt_lock_result *result) {
    struct lock_work work;
    lock_begin(&work, tasks, count, result);
    lock_holders_prepare(&work, costs, rules->waiting);
    for (uint32_t i = 0; i < count; i++) {
        work.streams[i].extra = held_longer(&work, &work.streams[i], rules);
    }
    lock_holders_say(&work, costs, rules->waiting);
    for (uint32_t i = 0; i < count; i++) {
        bound_task(&work, &work.streams[i], rules);
    }
    result->unsound = is_unsound(rules, result->locks);
    lock_end(&work);
}
