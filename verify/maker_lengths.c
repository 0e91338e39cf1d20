/* How long patterns are. */
#include "verify/maker_internal.h"

enum { MOST_JOBS = 20000 };

/* How many jobs arrive within `window`, about; or UINT64_MAX where they are too many to count. */
static double jobs_within(const struct grt_scenario *scenario, grt_time window) {
    double jobs = 0;
    for (size_t i = 0; i < scenario->task_count; i++) {
        if (grt_pattern_chooses(&scenario->tasks[i])) {
            jobs += (double)window / (double)scenario->tasks[i].period + 1;
        }
    }
    return jobs;
}

grt_time maker_window(const struct grt_scenario *scenario, double jobs, grt_time least) {
    grt_time low = 1, high = GRT_TIME_LIMIT;
    if (jobs_within(scenario, 0) == 0) {
        return scenario->horizon_kind == GRT_HORIZON_AUTO ? GRT_SECOND : scenario->horizon;
    }
    while (low < high) {
        grt_time middle = low + (high - low + 1) / 2;
        if (jobs_within(scenario, middle) <= jobs) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    if (low < least) {
        return jobs_within(scenario, least) <= MOST_JOBS ? least : maker_window(scenario, MOST_JOBS, 0);
    }
    return low;
}

grt_time maker_shorter(grt_time a, grt_time b) {
    return a < b ? a : b;
}

/* How long a scenario goes on until tasks, all or only those whose arrivals no pattern chooses, have had so many jobs. */
static grt_time longest(const struct grt_scenario *scenario, bool all, double jobs) {
    double rate = 0; /* jobs per ns */
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        rate += task->period > 0 && (all || !grt_pattern_chooses(task)) ? 1.0 / (double)task->period : 0;
    }
    double end = rate > 0 ? jobs / rate : (double)GRT_TIME_LIMIT;
    return end < (double)GRT_TIME_LIMIT ? 1 + (grt_time)end : GRT_TIME_LIMIT;
}

grt_time maker_longest(const struct grt_scenario *scenario) {
    return longest(scenario, false, MOST_JOBS);
}

grt_time maker_horizon_itself(const struct grt_scenario *scenario, double jobs) {
    grt_time end = longest(scenario, true, jobs < MOST_JOBS ? jobs : MOST_JOBS);
    return scenario->horizon_kind == GRT_HORIZON_AUTO ? end : maker_shorter(end, scenario->horizon);
}

void maker_set_lengths(struct grt_pattern_maker *maker, uint32_t jobs) {
    const struct grt_scenario *scenario = maker->subject->scenario;
    grt_time deadline = 1;
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        maker->jitter = task->jitter > maker->jitter ? task->jitter : maker->jitter;
        if (grt_pattern_chooses(task) && task->deadline != GRT_TIME_NEVER && task->deadline > deadline) {
            deadline = task->deadline;
        }
    }
    size_t least = 4 * scenario->task_count;
    maker->window = maker_window(scenario, (double)(jobs > least ? jobs : least), deadline);
    maker->tail = deadline + 2 * maker->jitter;
    maker->horizon = maker_shorter(maker->window + maker->tail, maker_longest(scenario));
}
