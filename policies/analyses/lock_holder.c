/* What MPCP and FMLP+ have in common: the holder of a lock is boosted above all base priorities of its core (docs/locks.md). */
#include "policies/analyses/lock_equation.h"

static void prepare(struct lock_stream *stream, const struct grt_lock_costs *costs, int64_t waiting) {
    const struct grt_lock_task *task = stream->task;
    bool suspends = waiting == GRT_LOCK_SUSPEND;
    int64_t activation = lock_activation(costs);
    int64_t request = lock_sum(lock_product(activation, suspends ? 2 : 1), costs->context_switch);
    bool any = task->requests > 0;
    stream->hold = lock_sum(task->segments, lock_product(request, task->requests));
    stream->longest_hold = any ? lock_sum(task->longest_segment, request) : 0;
    stream->boosted = suspends ? lock_sum(task->host, lock_product(request, task->requests)) : stream->hold;
    stream->longest_boosted = suspends && any ? lock_sum(task->longest_host, request) : stream->longest_hold;
    stream->cost = lock_sum(lock_sum(task->normal, activation), stream->boosted);
    stream->demand = lock_sum(lock_sum(task->normal, activation), stream->hold);
}

void lock_holders_prepare(struct lock_work *work, const struct grt_lock_costs *costs, int64_t waiting) {
    for (uint32_t i = 0; i < work->count; i++) {
        prepare(&work->streams[i], costs, waiting);
    }
}

/* A thread that comes back, or has costs to pay, may have its end, of no length, still before it at the last instant: a budget that ends then
 * cuts it. */
void lock_holders_say(struct lock_work *work, const struct grt_lock_costs *costs, int64_t waiting) {
    bool exact = waiting == GRT_LOCK_SPIN && costs->context_switch == 0 && costs->wake_up == 0;
    for (uint32_t i = 0; i < work->count && work->result->held != NULL; i++) {
        const struct lock_stream *stream = &work->streams[i];
        work->result->held[stream->number] = lock_sum(lock_longest_hold(stream), exact ? 0 : 1);
    }
}

int64_t lock_times_ready(const struct lock_work *work, const struct lock_stream *stream, int64_t waiting) {
    bool twice = waiting == GRT_LOCK_SUSPEND && work->result->locks > 1;
    return (twice ? 2 : 1) * stream->task->requests + 1;
}

void lock_add_boosted(struct lock_work *work, const struct lock_stream *stream, int64_t times, bool capped) {
    for (uint32_t i = 0; i < work->count; i++) {
        const struct lock_stream *other = &work->streams[i];
        if (other->task->priority >= stream->task->priority || !lock_same_core(stream, other) ||
            other->longest_boosted == 0) {
            continue;
        }
        int64_t most = lock_product(other->longest_boosted, times);
        lock_add(&work->equation.interference, other, other->response, capped ? other->boosted : most, most);
    }
}
