#include "tests/support/reference_analysis.h"

__extension__ typedef unsigned __int128 wide;

static wide divisor_of(wide a, wide b) {
    while (b > 0) {
        wide rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

bool grt_reference_overload(const struct grt_reference_demand *tasks, size_t count) {
    wide common = 1, sum = 0;
    for (size_t i = 0; i < count; i++) {
        common =
            common / divisor_of(common, (wide)(uint64_t)tasks[i].period) * (wide)(uint64_t)tasks[i].period;
    }
    for (size_t i = 0; i < count; i++) {
        sum += common / (wide)(uint64_t)tasks[i].period * (wide)(uint64_t)tasks[i].cost;
    }
    return sum > common;
}

static int64_t busy_period(const struct grt_reference_demand *tasks, size_t count) {
    for (int64_t length = 1;; length++) {
        int64_t sum = 0;
        for (size_t i = 0; i < count; i++) {
            sum += (length + tasks[i].period - 1) / tasks[i].period * tasks[i].cost;
        }
        if (sum <= length) {
            return length;
        }
    }
}

static bool met_at(const struct grt_reference_demand *tasks, size_t count, int64_t t, bool blocks,
                   int64_t tick) {
    int64_t sum = 0, blocking = 0;
    bool deadline = false;
    for (size_t i = 0; i < count; i++) {
        int64_t late = t - tasks[i].deadline;
        if (late >= 0) {
            deadline |= late % tasks[i].period == 0;
            sum += (late / tasks[i].period + 1) * tasks[i].cost;
        } else if (blocks && tasks[i].cost - tick > blocking) {
            blocking = tasks[i].cost - tick;
        }
    }
    return !deadline || sum + blocking <= t;
}

static bool met_everywhere(const struct grt_reference_demand *tasks, size_t count, bool blocks,
                           int64_t tick) {
    if (grt_reference_overload(tasks, count)) {
        return false;
    }
    int64_t last = busy_period(tasks, count);
    for (size_t i = 0; i < count; i++) {
        last = tasks[i].deadline > last ? tasks[i].deadline : last;
    }
    bool met = true;
    for (int64_t t = 1; t <= last; t++) {
        met &= met_at(tasks, count, t, blocks, tick);
    }
    return met;
}

bool grt_reference_np_edf(const struct grt_reference_demand *tasks, size_t count, int64_t tick) {
    return met_everywhere(tasks, count, true, tick);
}

bool grt_reference_edf(const struct grt_reference_demand *tasks, size_t count) {
    return met_everywhere(tasks, count, false, 0);
}

bool grt_reference_jeffay(const struct grt_reference_demand *tasks, size_t count) {
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        least = tasks[i].period < least ? tasks[i].period : least;
    }
    for (size_t i = 0; i < count; i++) {
        for (int64_t span = least + 1; span < tasks[i].period; span++) {
            int64_t sum = tasks[i].cost;
            for (size_t j = 0; j < count; j++) {
                sum += tasks[j].period < tasks[i].period ? (span - 1) / tasks[j].period * tasks[j].cost : 0;
            }
            if (sum > span) {
                return false;
            }
        }
    }
    return !grt_reference_overload(tasks, count);
}

static int64_t most_of(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* When a job of the task starts that is released at `at`: at the first tick from then on at which all is done that is there and goes
 * before it. */
static int64_t start_under_np_edf(const struct grt_reference_demand *tasks, size_t count, size_t task,
                                  int64_t at) {
    int64_t deadline = at + tasks[task].deadline, blocking = 0;
    for (size_t i = 0; i < count; i++) {
        blocking = tasks[i].deadline > deadline ? most_of(blocking, tasks[i].cost - 1) : blocking;
    }
    for (int64_t tick = at;; tick++) {
        int64_t work = blocking - tasks[task].cost;
        for (size_t i = 0; i < count; i++) {
            int64_t phase =
                i == task ? at % tasks[i].period : 0; /* the task's own earlier jobs, as late as may be */
            for (int64_t r = phase; r <= tick; r += tasks[i].period) {
                work += r + tasks[i].deadline <= deadline ? tasks[i].cost : 0;
            }
        }
        if (work <= tick) {
            return tick;
        }
    }
}

int64_t grt_reference_np_edf_response(const struct grt_reference_demand *tasks, size_t count, size_t task) {
    int64_t response = 0, busy = busy_period(tasks, count);
    for (int64_t at = 0; at < busy; at++) {
        int64_t end = start_under_np_edf(tasks, count, task, at) + tasks[task].cost;
        response = most_of(response, end - at);
    }
    return response;
}

/* How far the GPU gets through what tasks before `task` ask for, with `ahead` before it all, until none of that is left; the next
 * tick is the task's own. */
static int64_t first_free_tick(const struct grt_reference_demand *tasks, size_t task, int64_t ahead) {
    int64_t left = ahead;
    for (int64_t tick = 0;; tick++) {
        for (size_t i = 0; i < task; i++) {
            left += tick % tasks[i].period == 0 ? tasks[i].cost : 0;
        }
        if (left == 0) {
            return tick;
        }
        left--;
    }
}

/* The busy period of tasks up to `task`, tick by tick. */
static int64_t span_of(const struct grt_reference_demand *tasks, size_t task, int64_t blocking) {
    int64_t left = blocking;
    for (int64_t tick = 0;; tick++) {
        if (tick > 0 && left == 0) {
            return tick;
        }
        for (size_t i = 0; i <= task; i++) {
            left += tick % tasks[i].period == 0 ? tasks[i].cost : 0;
        }
        left--;
    }
}

int64_t grt_reference_response(const struct grt_reference_demand *tasks, size_t count, size_t task,
                               bool preemptive, bool first_only, int64_t *busy) {
    int64_t blocking = 0, response = 0;
    if (grt_reference_overload(tasks, task + 1)) {
        return INT64_MAX;
    }
    for (size_t i = task + 1; i < count && !preemptive; i++) {
        blocking = tasks[i].cost - 1 > blocking ? tasks[i].cost - 1 : blocking;
    }
    if (blocking > 0 && grt_reference_overload(tasks, count)) {
        return INT64_MAX; /* the busy period may have no end */
    }
    int64_t length = span_of(tasks, task, blocking), own = tasks[task].cost;
    for (int64_t job = 0; job * tasks[task].period < length && (job == 0 || !first_only); job++) {
        int64_t end = preemptive ? first_free_tick(tasks, task, (job + 1) * own - 1) + 1
                                 : first_free_tick(tasks, task, blocking + job * own) + own;
        int64_t this_response = end - job * tasks[task].period;
        response = this_response > response ? this_response : response;
    }
    if (busy != NULL) {
        *busy = length;
    }
    return response;
}
