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

/* How many jobs arrive before `end`, about: of all tasks, or only of those whose arrivals no pattern chooses. */
static double jobs_before(const struct grt_scenario *scenario, bool all, grt_time end) {
    double jobs = 0;
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        if (task->period > 0 && task->offset < end && (all || !grt_pattern_chooses(task))) {
            jobs += (double)(end - task->offset) / (double)task->period;
        }
    }
    return jobs;
}

/* How long a scenario goes on until so many jobs, and no more, have come. */
static grt_time longest(const struct grt_scenario *scenario, bool all, double jobs) {
    grt_time low = 1, high = GRT_TIME_LIMIT;
    while (low < high) {
        grt_time middle = low + (high - low) / 2;
        if (jobs_before(scenario, all, middle) <= jobs) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
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
