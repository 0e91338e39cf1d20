/* What the reservation server of GPU-TDMh has to know of a task set.
 *
 * Deviates from the paper, where a task is one kernel: a task is one GPU segment of any commands, with CPU segments before and after it on a
 * core of its own. Their longest times are missing from the window in which the job gets its slots. */
#include <stdio.h>

#include "policies/tdm/tdm.h"

static size_t gpu_segments(const struct grt_analysis_task *task) {
    size_t count = 0;
    for (size_t i = 0; i < task->segment_count; i++) {
        count += task->segments[i].on_gpu;
    }
    return count;
}

int64_t tdm_cpu_time(const struct grt_analysis_task *task) {
    int64_t time = 0;
    for (size_t i = 0; i < task->segment_count; i++) {
        time = task->segments[i].on_gpu ? time : grt_span_sum(time, task->segments[i].longest);
    }
    return time;
}

static struct tdm_task task_of(const struct grt_analysis_task *task) {
    int64_t deadline =
        task->deadline_from_release ? grt_span_sum(task->deadline, task->jitter) : task->deadline;
    struct tdm_task slot = {.period = task->period,
                            .deadline =
                                (deadline < task->period ? deadline : task->period) - tdm_cpu_time(task),
                            .jitter = task->jitter,
                            .overhead = task->overhead,
                            .name = task->name};
    for (size_t i = 0; i < task->segment_count; i++) {
        if (task->segments[i].on_gpu) {
            slot.steps = task->segments[i].steps;
            slot.step_count = task->segments[i].step_count;
        }
    }
    return slot;
}

/* By Shell's method: thousands of tasks may come in the reverse order. */
static void sort_by_period(const struct grt_analysis_task *tasks, uint32_t *order, size_t count) {
    size_t gap = 1;
    while (gap < count / 3) {
        gap = 3 * gap + 1;
    }
    for (; gap > 0; gap /= 3) {
        for (size_t i = gap; i < count; i++) {
            uint32_t moved = order[i];
            int64_t period = tasks[moved].period;
            size_t at = i;
            for (; at >= gap; at -= gap) {
                uint32_t other = order[at - gap];
                if (tasks[other].period < period || (tasks[other].period == period && other < moved)) {
                    break;
                }
                order[at] = other;
            }
            order[at] = moved;
        }
    }
}

size_t tdm_tasks_of(const struct grt_analysis_set *set, struct tdm_task *tasks, uint32_t *order) {
    size_t count = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        if (gpu_segments(&set->tasks[i]) > 0) {
            order[count++] = i;
        }
    }
    sort_by_period(set->tasks, order, count);
    for (size_t i = 0; i < count; i++) {
        tasks[i] = task_of(&set->tasks[order[i]]);
    }
    return count;
}

/* Why nothing can be guaranteed to a task; NULL if something can be. */
static const char *refusal_of(const struct grt_analysis_task *task) {
    if (task->after_others) {
        return "is released by the ends of other jobs";
    }
    if (task->period == 0) {
        return "has no least distance between arrivals (\"sporadic\" with \"min_gap\" gives one)";
    }
    if (task->deadline == GRT_ANALYSIS_NEVER) {
        return "has no deadline";
    }
    if (gpu_segments(task) > 1) {
        return "has several GPU segments";
    }
    return task->shares_core ? "shares its core with other tasks" : NULL;
}

bool tdm_refusal(const struct grt_analysis_set *set, char text[TDM_REASON_SIZE]) {
    if (set->interference != NULL) {
        snprintf(text, TDM_REASON_SIZE, "%s", set->interference);
        return true;
    }
    for (size_t i = 0; i < set->count; i++) {
        const char *refusal = gpu_segments(&set->tasks[i]) > 0 ? refusal_of(&set->tasks[i]) : NULL;
        if (refusal != NULL) {
            snprintf(text, TDM_REASON_SIZE, "task %s %s", set->tasks[i].name, refusal);
            return true;
        }
    }
    return false;
}

bool tdm_period_refusal(const struct tdm_parameters *parameters, char text[TDM_REASON_SIZE]) {
    bool fixed = parameters->rule.method == TDM_FIXED, given = parameters->rule.period > 0;
    if (fixed && !given) {
        snprintf(text, TDM_REASON_SIZE, "policy.period: required for the assignment \"fixed\"");
    } else if (!fixed && given && parameters->admit == TDM_ADMIT_FEASIBLE) {
        snprintf(text, TDM_REASON_SIZE,
                 "policy.period: only for the assignment \"fixed\"; the others find it");
    } else {
        return false;
    }
    return true;
}
