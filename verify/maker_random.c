/* Random patterns, and mutations of the worst ones: what was bad for a task is often close to what is worse. */
#include <string.h>

#include "verify/maker_internal.h"

/* ---- random releases ---- */

/* A span in [0, limit], often one of its ends. */
static grt_time span_within(struct grt_random *random, grt_time limit) {
    switch (grt_random_below(random, 4)) {
    case 0:
        return 0;
    case 1:
        return limit;
    default:
        return (grt_time)grt_random_below(random, (uint64_t)limit + 1);
    }
}

/* How much longer than the least one gaps are: not at all, a little, or up to twice. */
static grt_time extra_gap(struct grt_random *random, uint64_t style, grt_time period) {
    grt_time most = style == 0 ? 0 : style == 1 ? period / 16 : period;
    return most > 0 ? (grt_time)grt_random_below(random, (uint64_t)most + 1) : 0;
}

static void draw_releases(const struct grt_pattern_maker *maker, struct grt_random *random, uint32_t number,
                          struct grt_releases *releases) {
    const struct grt_task *task = &maker->subject->scenario->tasks[number];
    uint64_t style = grt_random_below(random, 3);
    grt_time most = task->period < maker->window ? task->period : maker->window - 1;
    for (grt_time arrival = span_within(random, most); arrival < maker->window;
         arrival += task->period + extra_gap(random, style, task->period)) {
        grt_releases_add(releases, arrival, span_within(random, task->jitter));
    }
    grt_releases_settle(releases);
}

static void draw_times(const struct grt_pattern_maker *maker, struct grt_random *random,
                       struct grt_pattern *pattern) {
    uint64_t style = grt_random_below(random, 4);
    for (uint32_t i = 0; i < pattern->task_count && style > 1; i++) {
        if (maker->subject->varied[i]) {
            pattern->tasks[i].times =
                style == 2 ? GRT_PATTERN_DRAWN : (enum grt_pattern_times)grt_random_below(random, 3);
        }
    }
}

static void make_random(struct grt_pattern_maker *maker, struct grt_random *random,
                        struct grt_pattern *pattern) {
    maker_begin(maker, pattern, "random releases");
    for (uint32_t i = 0; i < pattern->task_count; i++) {
        if (!pattern->tasks[i].own) {
            draw_releases(maker, random, i, &pattern->tasks[i]);
        }
    }
    draw_times(maker, random, pattern);
}

/* ---- mutations ---- */

/* Shifts all arrivals of a task; those that would be before 0 do not come. */
static void shift(struct grt_releases *releases, grt_time by) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < releases->count; i++) {
        if (releases->arrivals[i] + by >= 0) {
            releases->delays[kept] = releases->delays[i];
            releases->arrivals[kept++] = releases->arrivals[i] + by;
        }
    }
    releases->count = kept;
}

static void shift_randomly(const struct grt_pattern_maker *maker, struct grt_random *random, uint32_t number,
                           struct grt_releases *releases) {
    grt_time period = maker->subject->scenario->tasks[number].period;
    grt_time most = grt_random_below(random, 2) == 0 ? period : 1 + period / 64;
    most = most < maker->window ? most : maker->window;
    grt_time by = 1 + (grt_time)grt_random_below(random, (uint64_t)most);
    shift(releases, grt_random_below(random, 2) == 0 ? by : -by);
}

/* A job of the task arrives just behind something that began in the pattern. */
static void shift_behind_start(const struct grt_pattern_maker *maker, struct grt_random *random,
                               uint32_t worst, struct grt_releases *releases) {
    if (maker->start_counts[worst] == 0 || releases->count == 0) {
        return;
    }
    uint64_t place = worst * (uint64_t)BEST_INSTANTS + grt_random_below(random, maker->start_counts[worst]);
    uint32_t job = (uint32_t)grt_random_below(random, releases->count);
    shift(releases, maker->starts[place].time + 1 - releases->arrivals[job]);
}

static void drop_job(struct grt_random *random, struct grt_releases *releases) {
    if (releases->count > 1) {
        uint32_t job = (uint32_t)grt_random_below(random, releases->count);
        uint32_t behind = releases->count - job - 1;
        memmove(releases->arrivals + job, releases->arrivals + job + 1, behind * sizeof *releases->arrivals);
        memmove(releases->delays + job, releases->delays + job + 1, behind * sizeof *releases->delays);
        releases->count--;
    }
}

/* As often as possible from the first arrival on. */
static void tighten(const struct grt_pattern_maker *maker, uint32_t number, struct grt_releases *releases) {
    grt_time first = releases->count > 0 ? releases->arrivals[0] : 0;
    releases->count = 0;
    grt_releases_add_periodic(releases, first, maker->subject->scenario->tasks[number].period, maker->window,
                              0);
}

static void change_delay(const struct grt_pattern_maker *maker, struct grt_random *random, uint32_t number,
                         struct grt_releases *releases) {
    if (releases->count > 0) {
        uint64_t job = grt_random_below(random, releases->count);
        releases->delays[job] = span_within(random, maker->subject->scenario->tasks[number].jitter);
    }
}

static void mutate_task(const struct grt_pattern_maker *maker, struct grt_random *random, uint32_t worst,
                        uint32_t number, struct grt_pattern *pattern) {
    struct grt_releases *releases = &pattern->tasks[number];
    switch (grt_random_below(random, 7)) {
    case 0:
        tighten(maker, number, releases);
        break;
    case 1:
        drop_job(random, releases);
        break;
    case 2:
        change_delay(maker, random, number, releases);
        break;
    case 3:
        if (maker->subject->varied[number]) {
            releases->times = (enum grt_pattern_times)grt_random_below(random, 3);
        }
        break;
    case 4:
        shift_behind_start(maker, random, worst, releases);
        break;
    default:
        shift_randomly(maker, random, number, releases);
        break;
    }
    grt_releases_settle(releases);
}

/* Drops what comes too late to be seen to its end. */
static void trim(const struct grt_pattern_maker *maker, struct grt_pattern *pattern) {
    for (uint32_t i = 0; i < pattern->task_count; i++) {
        struct grt_releases *releases = &pattern->tasks[i];
        while (!releases->own && releases->count > 0 &&
               releases->arrivals[releases->count - 1] >= maker->window) {
            releases->count--;
        }
    }
}

static void mutate(struct grt_pattern_maker *maker, struct grt_random *random, uint32_t worst,
                   struct grt_pattern *pattern) {
    maker_begin(maker, pattern, "a mutation of the worst pattern for %s", maker_name(maker, worst));
    const struct grt_pattern *best = &maker->best[worst];
    uint64_t seed = grt_random_below(random, 2) == 0 ? best->seed : pattern->seed;
    char name[GRT_PATTERN_NAME_SIZE];
    memcpy(name, pattern->name, sizeof name);
    grt_pattern_copy(pattern, best);
    memcpy(pattern->name, name, sizeof name);
    pattern->seed = seed;
    for (uint64_t changes = 1 + grt_random_below(random, 3); changes > 0; changes--) {
        uint32_t number = (uint32_t)grt_random_below(random, pattern->task_count);
        if (!pattern->tasks[number].own) {
            mutate_task(maker, random, worst, number, pattern);
        }
    }
    trim(maker, pattern);
}

void maker_random(struct grt_pattern_maker *maker, struct grt_pattern *pattern) {
    struct grt_random random = grt_random_stream(maker->seed, "pattern", maker->done, 0);
    uint32_t worst = (uint32_t)grt_random_below(&random, pattern->task_count);
    bool mutation = grt_random_below(&random, 2) == 0;
    if (mutation && maker->best != NULL && maker->best_response[worst] >= 0) {
        mutate(maker, &random, worst, pattern);
    } else {
        make_random(maker, &random, pattern);
    }
}

/* ---- what was seen ---- */

static void keep_starts(struct grt_pattern_maker *maker, uint32_t task, const struct grt_seen *seen) {
    size_t count = seen->instant_count < BEST_INSTANTS ? seen->instant_count : BEST_INSTANTS;
    memcpy(&maker->starts[task * (size_t)BEST_INSTANTS], seen->instants, count * sizeof *seen->instants);
    maker->start_counts[task] = (uint32_t)count;
}

void grt_maker_learn(struct grt_pattern_maker *maker, const struct grt_pattern *pattern,
                     const struct grt_seen *seen) {
    bool chosen = true; /* patterns of the scenario's own arrivals have nothing to mutate */
    for (uint32_t i = 0; i < pattern->task_count; i++) {
        bool can = grt_pattern_chooses(&maker->subject->scenario->tasks[i]);
        chosen = chosen && pattern->tasks[i].own == !can;
    }
    for (uint32_t i = 0; i < pattern->task_count && maker->best != NULL && chosen; i++) {
        if (seen->tasks[i].response > maker->best_response[i]) {
            maker->best_response[i] = seen->tasks[i].response;
            grt_pattern_copy(&maker->best[i], pattern);
            keep_starts(maker, i, seen);
        }
    }
}
