#include "policies/analyses/lock_set.h"

#include <stdio.h>
#include <stdlib.h>

#include "models/span.h"

const char *const lock_requests_words[] = {"declared", "budget", NULL};

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static void add_segment(struct grt_lock_task *task, const struct grt_analysis_segment *segment,
                        int64_t length) {
    int64_t host = grt_span_sum(segment->host_before, segment->host_after);
    task->requests++;
    task->segments = grt_span_sum(task->segments, length);
    task->longest_segment = larger(task->longest_segment, length);
    task->host = grt_span_sum(task->host, host);
    task->longest_host = larger(task->longest_host, host);
}

static struct grt_lock_task compact(const struct grt_analysis_task *from, int64_t every) {
    struct grt_lock_task task = {.period = from->period,
                                 .deadline = from->deadline,
                                 .jitter = from->jitter,
                                 .priority = from->priority,
                                 .core = from->core,
                                 .gpu = from->gpu};
    if (from->deadline_from_release) {
        task.deadline = grt_span_sum(from->deadline, from->jitter);
    }
    task.deadline = task.deadline < GRT_LOCK_LONGEST ? task.deadline : GRT_LOCK_LONGEST;
    for (size_t i = 0; i < from->segment_count; i++) {
        const struct grt_analysis_segment *segment = &from->segments[i];
        if (segment->on_gpu) {
            add_segment(&task, segment, every > 0 ? every : segment->longest);
        } else {
            task.normal = grt_span_sum(task.normal, segment->longest);
        }
    }
    return task;
}

static bool is_long(const struct grt_lock_task *task) {
    return task->period > GRT_LOCK_LONGEST || task->normal > GRT_LOCK_LONGEST ||
           task->jitter > GRT_LOCK_LONGEST || task->segments > GRT_LOCK_LONGEST ||
           task->host > GRT_LOCK_LONGEST;
}

/* The longest GPU segment, without host costs. */
static int64_t longest_of(const struct grt_analysis_task *task) {
    int64_t longest = 0;
    for (size_t i = 0; i < task->segment_count; i++) {
        longest = larger(longest, task->segments[i].on_gpu ? task->segments[i].longest : 0);
    }
    return longest;
}

static void fail_cut(const struct grt_analysis_set *set, uint32_t task, struct grt_analysis_result *result) {
    grt_analysis_fail(result, GRT_VERDICT_UNKNOWN, task, "a request of task %s may be cut by the budget",
                      set->tasks[task].name);
}

bool lock_set_take(struct lock_set *it, const struct grt_analysis_set *set, int64_t budget, int64_t requests,
                   struct grt_analysis_result *result) {
    int64_t every = requests == LOCK_REQUESTS_BUDGET ? budget : 0;
    size_t arrays = sizeof *it->tasks + 3 * sizeof *it->result.response;
    *it = (struct lock_set){.costs = {set->platform.context_switch, set->platform.wake_up}, .budget = budget};
    if (requests == LOCK_REQUESTS_BUDGET && budget == 0) {
        grt_analysis_refuse(result, "the policy has no budget that could cut requests");
        return false;
    }
    it->tasks = grt_analysis_memory(set->count + 1, arrays);
    it->result.response = (int64_t *)(void *)(it->tasks + set->count);
    it->result.wait = it->result.response + set->count;
    it->result.held = budget > 0 ? it->result.wait + set->count : NULL;
    it->result.most_steps = set->most_steps > 0 ? set->most_steps : GRT_ANALYSIS_STEPS;
    for (uint32_t i = 0; i < set->count; i++) {
        it->tasks[i] = compact(&set->tasks[i], every);
        if (is_long(&it->tasks[i])) {
            grt_analysis_refuse(result, "task %s has times above 10^18 ns", set->tasks[i].name);
        } else if (budget > 0 && longest_of(&set->tasks[i]) > budget) {
            fail_cut(set, i, result);
        } else {
            continue;
        }
        free(it->tasks);
        return false;
    }
    return true;
}

/* The first task one of whose requests may last longer than the budget, with all that delays its end, if it lasts as declared; or their number. */
static uint32_t first_cut(const struct lock_set *it, const struct grt_analysis_set *set) {
    uint32_t task = 0;
    for (; task < set->count; task++) {
        const struct grt_lock_task *own = &it->tasks[task];
        int64_t assumed_more = own->longest_segment - longest_of(&set->tasks[task]);
        if (it->budget > 0 && own->requests > 0 && it->result.held[task] - assumed_more > it->budget) {
            break;
        }
    }
    return task;
}

static void say_bounds(const struct lock_set *it, const struct grt_analysis_set *set,
                       struct grt_analysis_result *result) {
    for (uint32_t i = 0; i < set->count; i++) {
        result->response[i] = it->result.response[i];
        if (it->tasks[i].requests > 0 && it->result.response[i] < GRT_LOCK_NEVER) {
            grt_analysis_add_time(result, "wait", i, it->result.wait[i]);
        }
    }
}

void lock_set_finish(struct lock_set *it, const struct grt_analysis_set *set, const char *how,
                     struct grt_analysis_result *result) {
    const struct grt_lock_result *found = &it->result;
    uint32_t cut = found->schedulable ? first_cut(it, set) : (uint32_t)set->count;
    result->steps = found->steps;
    result->unsound = found->unsound;
    say_bounds(it, set, result);
    if (cut < set->count) {
        fail_cut(set, cut, result);
    } else if (found->schedulable) {
        result->verdict = GRT_VERDICT_SCHEDULABLE;
        snprintf(result->reason, sizeof result->reason,
                 "%s; each bound holds because all tasks end within deadline and period", how);
    } else if (found->gave_up) {
        grt_analysis_fail(result, GRT_VERDICT_UNKNOWN, GRT_ANALYSIS_NO_TASK, "it takes too many steps");
    } else {
        grt_analysis_fail(result, GRT_VERDICT_UNKNOWN, found->failing,
                          "no response within period and deadline is proven for task %s",
                          set->tasks[found->failing].name);
    }
    free(it->tasks);
}
