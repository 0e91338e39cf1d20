#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/result/ideal.h"
#include "models/result/slack.h"
#include "models/world.h"
#include "study/evaluate/evaluate.h"

/* As many as gpurt compare draws average times of. */
enum { PROFILE_RUNS = 200 };

static const char *const measures[] = {
    "jobs",         "missed",   "miss_ratio",    "aborted", "skipped", "response_ratio",
    "tardiness",    "gpu_busy", "core_busy",     "end",     "events",  "slack",
    "beyond_ideal", "late",     "lateness_mean", NULL};
static const char *const of_task[] = {
    "jobs",          "missed",       "miss_ratio",   "aborted",       "skipped",       "response_ratio",
    "tardiness",     "response_max", "response_min", "response_mean", "response_p50",  "response_p95",
    "response_p99",  "blocking_max", "gpu_wait_max", "gpu_wait_mean", "slack",         "late",
    "lateness_mean", "lateness_max", "gap_mean",     "gap_max",       "gap_deviation", NULL};
static const char *const usual[] = {"miss_ratio", "response_ratio", "gpu_busy", NULL};

static double share(double part, double whole) {
    return whole > 0 ? part / whole : (double)NAN;
}

/* ---- of one task ---- */

static double response_ratio(const struct grt_task *task, const struct grt_task_result *result) {
    bool other_origin = task->deadline_from == GRT_DEADLINE_FROM_RELEASE && task->jitter > 0;
    bool known = task->deadline != GRT_TIME_NEVER && !other_origin && result->response.count > 0;
    return known ? share((double)result->response.max, (double)task->deadline) : (double)NAN;
}

/* Where there are none of what is counted there is no value. */
static double of(const struct grt_stats *stats, double value) {
    return stats->count > 0 ? value : (double)NAN;
}

static void put_task(const struct grt_asked *asked, struct grt_found *found, const struct grt_task *task,
                     const struct grt_task_result *result) {
    const struct grt_stats *response = &result->response, *gaps = &result->ends.gaps;
    const struct grt_slack *slack = &result->slack;
    bool due = task->deadline != GRT_TIME_NEVER, slacks = slack->count > 0;
    const struct {
        const char *name;
        double value;
    } values[] = {
        {"jobs", (double)result->released},
        {"missed", (double)result->missed},
        {"miss_ratio", due ? share((double)result->missed, (double)result->released) : (double)NAN},
        {"aborted", (double)result->aborted},
        {"skipped", (double)result->skipped},
        {"response_ratio", response_ratio(task, result)},
        {"tardiness", due && response->count > 0 ? (double)result->worst_tardiness : (double)NAN},
        {"response_max", of(response, (double)response->max)},
        {"response_min", of(response, (double)response->min)},
        {"response_mean", of(response, grt_stats_mean(response))},
        {"response_p50", of(response, (double)grt_stats_quantile(response, 0.5))},
        {"response_p95", of(response, (double)grt_stats_quantile(response, 0.95))},
        {"response_p99", of(response, (double)grt_stats_quantile(response, 0.99))},
        {"blocking_max", of(&result->blocking, (double)result->blocking.max)},
        {"gpu_wait_max", of(&result->gpu_wait, (double)result->gpu_wait.max)},
        {"gpu_wait_mean", of(&result->gpu_wait, grt_stats_mean(&result->gpu_wait))},
        {"slack", slacks ? (double)slack->accumulated : (double)NAN},
        {"late", slacks ? (double)slack->late : (double)NAN},
        {"lateness_mean", slacks ? grt_slack_mean_lateness(slack) : (double)NAN},
        {"lateness_max", slacks ? (double)slack->worst : (double)NAN},
        {"gap_mean", of(gaps, grt_stats_mean(gaps))},
        {"gap_max", of(gaps, (double)gaps->max)},
        {"gap_deviation", of(gaps, grt_gap_deviation(&result->ends))},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        grt_found_put_task(asked, found, values[i].name, result->name, values[i].value);
    }
}

/* ---- of all ---- */

struct sums {
    uint64_t jobs, due, missed, aborted, skipped; /* due: jobs of tasks with deadlines */
    double ratio, tardiness;
    struct grt_slack slack;
    const char *missing; /* the first task that missed a deadline */
};

static struct sums sum_up(const struct grt_scenario *scenario, const struct grt_result *result) {
    struct sums sums = {.ratio = (double)NAN, .tardiness = (double)NAN};
    for (size_t i = 0; i < result->task_count; i++) {
        const struct grt_task_result *task = &result->tasks[i];
        double ratio = response_ratio(&scenario->tasks[i], task);
        bool due = scenario->tasks[i].deadline != GRT_TIME_NEVER;
        sums.jobs += task->released;
        sums.due += due ? task->released : 0;
        sums.missed += task->missed;
        sums.aborted += task->aborted;
        sums.skipped += task->skipped;
        sums.ratio = ratio <= sums.ratio || isnan(ratio) ? sums.ratio : ratio;
        if (due && task->response.count > 0 && !((double)task->worst_tardiness <= sums.tardiness)) {
            sums.tardiness = (double)task->worst_tardiness;
        }
        grt_slack_add(&sums.slack, &task->slack);
        sums.missing = sums.missing == NULL && task->missed > 0 ? task->name : sums.missing;
    }
    return sums;
}

/* By how much the slack is beyond that of an ideal system (docs/metrics.md), where that is known. */
static double beyond_ideal(const struct grt_asked *asked, const struct grt_result *result,
                           const struct sums *sums) {
    const struct grt_ideal_times ideal = grt_ideal_times(asked->drawn, GRT_IDEAL_ALONE, PROFILE_RUNS);
    grt_signed_wide beyond = sums->slack.accumulated;
    bool known = sums->slack.count > 0;
    for (uint32_t i = 0; i < asked->drawn->task_count && known; i++) {
        grt_signed_wide own;
        known = grt_ideal_slack(asked->drawn, &ideal, result, i, &own);
        beyond -= known ? own : 0;
    }
    free(ideal.times);
    return known ? (double)beyond : (double)NAN;
}

static bool is_asked(const struct grt_asked *asked, const char *name) {
    bool is = false;
    for (size_t i = 0; i < asked->measure_count; i++) {
        is = is || strcmp(asked->measures[i], name) == 0;
    }
    return is;
}

static double gpu_busy(const struct grt_result *result) {
    double busy = 0;
    for (size_t i = 0; i < result->gpu_count; i++) {
        busy += (double)result->gpus[i].busy;
    }
    return share(busy, (double)result->end * (double)result->gpu_count);
}

static double core_busy(const struct grt_result *result) {
    double busy = 0;
    for (size_t i = 0; i < result->core_count; i++) {
        busy += (double)result->cores[i].busy;
    }
    return share(busy, (double)result->end * (double)result->core_count);
}

static void put_sums(const struct grt_asked *asked, struct grt_found *found, const struct sums *sums,
                     const struct grt_result *result) {
    bool slacks = sums->slack.count > 0;
    const struct {
        const char *name;
        double value;
    } values[] = {
        {"jobs", (double)sums->jobs},
        {"missed", (double)sums->missed},
        {"miss_ratio", share((double)sums->missed, (double)sums->due)},
        {"aborted", (double)sums->aborted},
        {"skipped", (double)sums->skipped},
        {"response_ratio", sums->ratio},
        {"tardiness", sums->tardiness},
        {"gpu_busy", gpu_busy(result)},
        {"core_busy", core_busy(result)},
        {"end", (double)result->end},
        {"events", (double)result->events},
        {"slack", slacks ? (double)sums->slack.accumulated : (double)NAN},
        {"late", slacks ? (double)sums->slack.late : (double)NAN},
        {"lateness_mean", slacks ? grt_slack_mean_lateness(&sums->slack) : (double)NAN},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        grt_found_put(asked, found, values[i].name, NULL, values[i].value);
    }
}

static void put_numbers(const struct grt_asked *asked, struct grt_found *found,
                        const struct grt_result *result, const struct grt_number_result *numbers,
                        size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct grt_number_result *number = &numbers[i];
        const char *task = number->task != GRT_NUMBER_OF_NONE ? result->tasks[number->task].name : NULL;
        bool none = number->is_time && number->value == GRT_TIME_NEVER;
        double value = number->is_percent ? (double)number->value / 1e4 : (double)number->value;
        grt_found_put(asked, found, number->name, task, none ? (double)NAN : value);
    }
}

static void put_all(const struct grt_asked *asked, struct grt_found *found,
                    const struct grt_scenario *scenario, const struct grt_result *result,
                    const struct sums *sums) {
    put_sums(asked, found, sums, result);
    if (is_asked(asked, "beyond_ideal")) {
        grt_found_put(asked, found, "beyond_ideal", NULL, beyond_ideal(asked, result, sums));
    }
    for (size_t i = 0; i < result->task_count && grt_asked_of_tasks(asked); i++) {
        put_task(asked, found, &scenario->tasks[i], &result->tasks[i]);
    }
    for (size_t i = 0; i < result->counter_count; i++) {
        grt_found_put(asked, found, result->counters[i].name, NULL, (double)result->counters[i].count);
    }
    put_numbers(asked, found, result, result->numbers, result->number_count);
    put_numbers(asked, found, result, result->measures, result->measure_count);
}

/* ---- running ---- */

/* The scenario with all tasks that have deadlines ending the run at a miss. */
static struct grt_scenario stopping(const struct grt_scenario *scenario, struct grt_arena *arena) {
    struct grt_scenario stops = *scenario;
    struct grt_task *tasks = grt_adapt_tasks(&stops, 0, arena);
    for (size_t i = 0; i < stops.task_count; i++) {
        tasks[i].on_miss = tasks[i].deadline != GRT_TIME_NEVER ? GRT_MISS_STOP : tasks[i].on_miss;
    }
    return stops;
}

static void say(struct grt_found *found, const struct sums *sums) {
    if (sums->missed > 0) {
        grt_found_say(found, GRT_OUTCOME_NO, "task %s misses a deadline", sums->missing);
    } else if (sums->aborted > 0) {
        grt_found_say(found, GRT_OUTCOME_NO, "the policy aborts jobs");
    } else {
        grt_found_say(found, GRT_OUTCOME_YES, "%s", "");
    }
}

static void evaluate(const struct grt_asked *asked, struct grt_found *found) {
    struct grt_errors errors = {0};
    struct grt_scenario scenario =
        asked->evaluation->stop_at_miss ? stopping(asked->scenario, asked->arena) : *asked->scenario;
    const struct grt_world_options options = {.store = asked->arena->store};
    struct grt_world *world =
        grt_world_create(&scenario, asked->policy, asked->parameters, &options, &errors);
    if (world == NULL) {
        grt_found_refuse(found, &errors);
        return;
    }
    grt_world_run(world);
    const struct grt_result *result = grt_world_result(world);
    if (!grt_world_is_whole(world, &errors)) {
        grt_found_refuse(found, &errors);
        grt_world_free(world);
        return;
    }
    const struct grt_scenario *run = grt_world_scenario(world);
    struct sums sums = sum_up(run, result);
    put_all(asked, found, run, result, &sums);
    say(found, &sums);
    grt_world_free(world);
}

const struct grt_evaluation_ops grt_evaluate_simulation = {.name = "simulation",
                                                           .measures = measures,
                                                           .of_task = of_task,
                                                           .usual = usual,
                                                           .runs_worlds = true,
                                                           .evaluate = evaluate};
