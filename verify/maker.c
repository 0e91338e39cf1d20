/* Patterns made on purpose; random ones and mutations are in maker_random.c. */
#include "verify/maker.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/maker_internal.h"

/* Most plans that are kept: of many tasks there are more pairs than anybody waits for. */
enum { MOST_PLANS = 100000, MOST_ROW_INSTANTS = 24, MOST_BESTS = 64 };

/* Seeds of scenario files are below 2^53. */
#define MOST_SEED ((UINT64_C(1) << 53) - 1)

/* ---- what plans become ---- */

void maker_begin(const struct grt_pattern_maker *maker, struct grt_pattern *pattern, const char *format,
                 ...) {
    va_list arguments;
    grt_pattern_clear(pattern, maker->subject->scenario);
    pattern->horizon = maker->horizon;
    pattern->seed = (maker->seed + maker->done) & MOST_SEED;
    va_start(arguments, format);
    vsnprintf(pattern->name, sizeof pattern->name, format, arguments);
    va_end(arguments);
}

const char *maker_name(const struct grt_pattern_maker *maker, uint32_t task) {
    return maker->subject->scenario->tasks[task].name;
}

/* Gives a task jobs that are released from `instant` on: with `late`, the first one as late after its arrival as its jitter lets it. */
static void release_from(const struct grt_pattern_maker *maker, struct grt_pattern *pattern, uint32_t number,
                         grt_time instant, bool late) {
    const struct grt_task *task = &maker->subject->scenario->tasks[number];
    struct grt_releases *releases = &pattern->tasks[number];
    if (releases->own) {
        return;
    }
    grt_time delay = late ? (task->jitter < instant ? task->jitter : instant) : 0;
    releases->count = 0;
    grt_releases_add_periodic(releases, instant - delay, task->period, maker->window, delay);
}

static void make_together(struct grt_pattern_maker *maker, const struct grt_plan *plan,
                          struct grt_pattern *pattern) {
    bool late = plan->kind == GRT_PLAN_TOGETHER_LATE;
    maker_begin(maker, pattern, "all tasks together%s", late ? ", as late as their jitter lets them" : "");
    for (uint32_t i = 0; i < pattern->task_count; i++) {
        release_from(maker, pattern, i, late ? maker->jitter : 0, late);
    }
}

/* The jobs that the scenario lists. */
static void add_listed(const struct grt_pattern_maker *maker, struct grt_releases *releases,
                       const struct grt_task *task) {
    for (size_t i = 0; i < task->time_count && task->times[i] < maker->window; i++) {
        grt_releases_add(releases, task->times[i], task->delays != NULL ? task->delays[i] : 0);
    }
}

/* By the scenario's offsets or lists, with gaps and delays drawn as it says. */
static void make_own(struct grt_pattern_maker *maker, struct grt_pattern *pattern) {
    const struct grt_scenario *scenario = maker->subject->scenario;
    struct grt_random random = grt_random_stream(maker->seed, "own", 0, 0);
    maker_begin(maker, pattern, "the scenario's own offsets and gaps");
    pattern->seed = scenario->seed;
    for (uint32_t i = 0; i < pattern->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        struct grt_releases *releases = &pattern->tasks[i];
        bool listed = !releases->own && task->times != NULL;
        releases->times = GRT_PATTERN_DRAWN;
        if (listed) {
            add_listed(maker, releases, task);
        }
        for (grt_time arrival = task->offset; !releases->own && !listed && arrival < maker->window;) {
            grt_releases_add(releases, arrival,
                             (grt_time)grt_random_below(&random, (uint64_t)task->jitter + 1));
            bool sporadic = task->arrival == GRT_ARRIVAL_SPORADIC;
            arrival += task->period + (sporadic ? grt_distribution_draw(&task->extra_gap, &random) : 0);
        }
        grt_releases_settle(releases);
    }
}

/* Variations: the others come with the victim; they do not come at all; late by their jitter; the victim's deadline is that of a job of
 * another task, which all come together. */
enum { WITH_OTHERS, WITHOUT_OTHERS, LATE, SAME_DEADLINE, VARIATIONS };

/* When the victim has to arrive so that its deadline is that of some job of another task that comes from `instant` on. */
static grt_time same_deadline(const struct grt_pattern_maker *maker, uint32_t victim, grt_time instant) {
    const struct grt_scenario *scenario = maker->subject->scenario;
    struct grt_random random = grt_random_stream(maker->seed, "same deadline", maker->done, 0);
    grt_time best = instant;
    for (int tries = 0; tries < 16 && best == instant; tries++) {
        const struct grt_task *other = &scenario->tasks[grt_random_below(&random, scenario->task_count)];
        bool has = grt_pattern_chooses(other) && other->deadline != GRT_TIME_NEVER;
        if (has && other != &scenario->tasks[victim]) {
            grt_time jobs = (maker->window - instant) / other->period;
            grt_time number = jobs > 0 ? (grt_time)grt_random_below(&random, (uint64_t)jobs + 1) : 0;
            grt_time arrival =
                instant + number * other->period + other->deadline - scenario->tasks[victim].deadline;
            best = arrival > instant && arrival < maker->window ? arrival : instant;
        }
    }
    return best;
}

/* The victim arrives at `instant` and every period before and behind it, but not before `from`. */
static void release_around(const struct grt_pattern_maker *maker, struct grt_pattern *pattern,
                           uint32_t victim, grt_time from, grt_time instant) {
    grt_time period = maker->subject->scenario->tasks[victim].period;
    release_from(maker, pattern, victim, instant - (instant - from) / period * period, false);
}

static void make_behind(struct grt_pattern_maker *maker, const struct grt_plan *plan,
                        struct grt_pattern *pattern) {
    grt_time begin = plan->variation == LATE ? maker->jitter : 0, instant = begin + plan->instant + 1;
    maker_begin(maker, pattern, "%s 1 ns behind the start of a segment of %s, %s",
                maker_name(maker, plan->victim), maker_name(maker, plan->other),
                plan->variation == WITH_OTHERS      ? "the others with it"
                : plan->variation == WITHOUT_OTHERS ? "alone"
                : plan->variation == LATE           ? "the others with it, all late"
                                                    : "its deadline that of another");
    for (uint32_t i = 0; i < pattern->task_count; i++) {
        if (plan->variation != WITHOUT_OTHERS || i == plan->victim) {
            release_from(maker, pattern, i, instant, plan->variation == LATE);
        }
    }
    if (plan->variation == SAME_DEADLINE) {
        release_around(maker, pattern, plan->victim, instant, same_deadline(maker, plan->victim, instant));
    }
    release_from(maker, pattern, plan->other, begin, false);
}

/* Variations: the others from 0 on, at the same instant, or not at all; each at the instant and 1 ns behind it. */
static void make_row(struct grt_pattern_maker *maker, const struct grt_plan *plan,
                     struct grt_pattern *pattern) {
    grt_time instant = plan->instant + plan->variation / 3;
    uint32_t others = plan->variation % 3;
    maker_begin(maker, pattern, "%s %s something on the policy's rows, %s", maker_name(maker, plan->victim),
                plan->variation < 3 ? "at" : "1 ns behind",
                others == 0   ? "the others pending"
                : others == 1 ? "the others with it"
                              : "alone");
    for (uint32_t i = 0; i < pattern->task_count; i++) {
        if (i == plan->victim || others < 2) {
            release_from(maker, pattern, i, i == plan->victim || others == 1 ? instant : 0, false);
        }
    }
}

static void make_planned(struct grt_pattern_maker *maker, const struct grt_plan *plan,
                         struct grt_pattern *pattern) {
    switch (plan->kind) {
    case GRT_PLAN_OWN:
        make_own(maker, pattern);
        break;
    case GRT_PLAN_TOGETHER:
    case GRT_PLAN_TOGETHER_LATE:
        make_together(maker, plan, pattern);
        break;
    case GRT_PLAN_BEHIND:
        make_behind(maker, plan, pattern);
        break;
    case GRT_PLAN_ROW:
        make_row(maker, plan, pattern);
        break;
    }
}

void grt_maker_itself(const struct grt_pattern_maker *maker, uint64_t jobs, struct grt_pattern *pattern) {
    const struct grt_scenario *scenario = maker->subject->scenario;
    maker_begin(maker, pattern, "the scenario itself");
    pattern->seed = scenario->seed;
    pattern->horizon = maker_horizon_itself(scenario, (double)jobs);
    for (uint32_t i = 0; i < pattern->task_count; i++) {
        pattern->tasks[i].own = true;
        pattern->tasks[i].times = GRT_PATTERN_DRAWN;
    }
}

grt_time grt_maker_witness(const struct grt_pattern_maker *maker, const struct grt_claim *claim,
                           uint64_t jobs, struct grt_pattern *pattern) {
    const struct grt_scenario *scenario = maker->subject->scenario;
    grt_time window = maker_window(scenario, (double)jobs, 0);
    maker_begin(maker, pattern, "the witness of %s", claim->analysis->name);
    window = window > maker->window ? window : maker->window;
    pattern->horizon = maker_shorter(window + maker->tail, maker_longest(scenario));
    pattern->stop = true;
    for (uint32_t i = 0; i < pattern->task_count; i++) {
        struct grt_releases *releases = &pattern->tasks[i];
        if (!releases->own && claim->witness[i] != GRT_ANALYSIS_NEVER) {
            grt_releases_add_periodic(releases, claim->witness[i], scenario->tasks[i].period, window, 0);
        }
    }
    return maker_shorter(window, pattern->horizon);
}

/* ---- plans ---- */

static void add_plan(struct grt_pattern_maker *maker, struct grt_plan plan) {
    if (maker->plan_count == MOST_PLANS) {
        return;
    }
    if (maker->plan_count == maker->plan_capacity) {
        maker->plans =
            grt_array_grow(maker->plans, &maker->plan_capacity, maker->plan_count + 1, sizeof *maker->plans);
    }
    maker->plans[maker->plan_count++] = plan;
}

static void plan_behind(struct grt_pattern_maker *maker, const struct grt_seen *seen, uint32_t other) {
    const struct grt_scenario *scenario = maker->subject->scenario;
    for (size_t i = 0; i < seen->instant_count; i++) {
        const struct grt_seen_instant *instant = &seen->instants[i];
        for (uint32_t victim = 0; victim < scenario->task_count && !instant->is_row; victim++) {
            if (instant->task != other || victim == other || !grt_pattern_chooses(&scenario->tasks[victim])) {
                continue;
            }
            for (uint32_t variation = 0; variation < VARIATIONS; variation++) {
                if (variation != LATE || maker->jitter > 0) {
                    add_plan(maker,
                             (struct grt_plan){GRT_PLAN_BEHIND, victim, other, instant->time, variation});
                }
            }
        }
    }
}

static void plan_rows(struct grt_pattern_maker *maker, const struct grt_seen *seen, uint32_t victim) {
    uint32_t rows = 0;
    grt_time latest = -1;
    for (size_t i = 0; i < seen->instant_count && rows < MOST_ROW_INSTANTS; i++) {
        const struct grt_seen_instant *instant = &seen->instants[i];
        bool concerns = instant->task == victim || instant->task == GRT_ANALYSIS_NO_TASK;
        if (instant->is_row && concerns && instant->time != latest) {
            for (uint32_t variation = 0; variation < 6; variation++) {
                add_plan(maker, (struct grt_plan){GRT_PLAN_ROW, victim, victim, instant->time, variation});
            }
            latest = instant->time;
            rows++;
        }
    }
}

/* Plays every task alone, and all together, and plans by what was seen. */
static bool learn_plans(struct grt_pattern_maker *maker, struct grt_player *player,
                        struct grt_errors *errors) {
    const struct grt_scenario *scenario = maker->subject->scenario;
    struct grt_pattern pattern;
    const struct grt_seen *seen = NULL;
    grt_pattern_start(&pattern, scenario->task_count);
    make_together(maker, &(struct grt_plan){.kind = GRT_PLAN_TOGETHER}, &pattern);
    seen = grt_player_play(player, &pattern, false, errors);
    for (uint32_t i = 0; i < scenario->task_count && seen != NULL; i++) {
        if (grt_pattern_chooses(&scenario->tasks[i])) {
            plan_rows(maker, seen, i);
        }
    }
    for (uint32_t i = 0; i < scenario->task_count && seen != NULL && maker->plan_count < MOST_PLANS; i++) {
        if (grt_pattern_chooses(&scenario->tasks[i])) {
            maker_begin(maker, &pattern, "alone");
            grt_releases_add(&pattern.tasks[i], 0, 0);
            seen = grt_player_play(player, &pattern, false, errors);
            if (seen != NULL) {
                plan_rows(maker, seen, i);
                plan_behind(maker, seen, i);
            }
        }
    }
    grt_pattern_free(&pattern);
    return seen != NULL;
}

/* Puts the plans into a random order, so that those that are left out are of no special kind. */
static void shuffle(struct grt_pattern_maker *maker) {
    struct grt_random random = grt_random_stream(maker->seed, "plans", 0, 0);
    for (uint32_t i = maker->plan_count; i > 1; i--) {
        uint32_t other = (uint32_t)grt_random_below(&random, i);
        struct grt_plan plan = maker->plans[i - 1];
        maker->plans[i - 1] = maker->plans[other];
        maker->plans[other] = plan;
    }
}

bool grt_maker_start(struct grt_pattern_maker *maker, const struct grt_subject *subject, uint64_t seed,
                     uint32_t jobs, uint64_t total, struct grt_player *player, struct grt_errors *errors) {
    size_t count = subject->scenario->task_count;
    *maker = (struct grt_pattern_maker){.subject = subject, .seed = seed};
    maker_set_lengths(maker, jobs);
    if (!learn_plans(maker, player, errors)) {
        return false;
    }
    shuffle(maker);
    maker->planned = total / 2 < maker->plan_count ? total / 2 : maker->plan_count;
    maker->best_response = grt_allocate(count * sizeof *maker->best_response);
    for (size_t i = 0; i < count; i++) {
        maker->best_response[i] = -1;
    }
    if (count <= MOST_BESTS) {
        maker->best = grt_allocate(count * sizeof *maker->best);
        maker->starts = grt_allocate(count * BEST_INSTANTS * sizeof *maker->starts);
        maker->start_counts = grt_allocate(count * sizeof *maker->start_counts);
        for (size_t i = 0; i < count; i++) {
            grt_pattern_start(&maker->best[i], count);
            maker->start_counts[i] = 0;
        }
    }
    return true;
}

void grt_maker_free(struct grt_pattern_maker *maker) {
    for (size_t i = 0; maker->best != NULL && i < maker->subject->scenario->task_count; i++) {
        grt_pattern_free(&maker->best[i]);
    }
    free(maker->best);
    free(maker->starts);
    free(maker->start_counts);
    free(maker->best_response);
    free(maker->plans);
    *maker = (struct grt_pattern_maker){0};
}

/* ---- one after the other ---- */

void grt_maker_next(struct grt_pattern_maker *maker, struct grt_pattern *pattern) {
    static const enum grt_plan_kind first[] = {GRT_PLAN_OWN, GRT_PLAN_TOGETHER, GRT_PLAN_TOGETHER_LATE};
    uint32_t fixed = maker->jitter > 0 ? 3 : 2, number = maker->done;
    if (number < fixed) {
        make_planned(maker, &(struct grt_plan){.kind = first[number]}, pattern);
    } else if (number - fixed < maker->planned) {
        make_planned(maker, &maker->plans[number - fixed], pattern);
    } else {
        maker_random(maker, pattern);
    }
    maker->done++;
}
