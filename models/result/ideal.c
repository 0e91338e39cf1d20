#include "models/result/ideal.h"

#include <stdlib.h>

#include "models/demand/profile.h"
#include "models/result/slack.h"
#include "models/span.h"
#include "sim/check.h"
#include "sim/memory.h"
#include "sim/random.h"

const char *const grt_ideal_names[] = {
    [GRT_IDEAL_ALONE] = "alone", [GRT_IDEAL_ARRIVAL] = "arrival", [GRT_IDEAL_ZERO] = "zero", NULL};

/* ---- a job's time alone ---- */

enum { DRAWS_PER_RUN = 50 };

static grt_time sum_of(grt_time a, grt_time b) {
    return grt_span_sum_within(a, b, GRT_TIME_LIMIT);
}

/* What a core computes. */
static grt_time mean_of(const struct grt_distribution *time, struct grt_random random, uint32_t runs) {
    if (grt_distribution_is_constant(time)) {
        return time->max;
    }
    if (time->kind == GRT_UNIFORM) {
        return time->min + (time->max - time->min + 1) / 2;
    }
    grt_wide sum = 0;
    uint64_t draws = (uint64_t)runs * DRAWS_PER_RUN;
    GRT_REQUIRE(draws > 0, "average over at least one profiling run");
    for (uint64_t i = 0; i < draws; i++) {
        sum += (uint64_t)grt_distribution_draw(time, &random);
    }
    return (grt_time)((sum + draws - 1) / draws);
}

static grt_time time_of_segment(const struct grt_scenario *scenario, uint32_t number, uint32_t index,
                                uint32_t runs) {
    const struct grt_segment *segment = &scenario->tasks[number].segments[index];
    struct grt_random random = grt_random_stream(scenario->seed, "ideal", number, index);
    if (segment->kind == GRT_SEGMENT_CPU) {
        grt_time time = mean_of(&segment->cpu_time, random, runs);
        return time > 0 ? time : 1; /* nothing takes no time: see decision 2 */
    }
    grt_time device = grt_profile_segment(scenario, number, index, runs);
    grt_time before = mean_of(&segment->host_part[GRT_HOST_BEFORE], random, runs),
             after = mean_of(&segment->host_part[GRT_HOST_AFTER], random, runs);
    bool beside = segment->host_mode == GRT_HOST_ASYNCHRONOUS;
    return sum_of(before, beside ? (device > after ? device : after) : sum_of(device, after));
}

grt_time grt_ideal_time(const struct grt_scenario *scenario, uint32_t task, uint32_t runs) {
    grt_time time = 0;
    for (uint32_t i = 0; i < scenario->tasks[task].segment_count; i++) {
        time = sum_of(time, time_of_segment(scenario, task, i, runs));
    }
    return time;
}

struct grt_ideal_times grt_ideal_times(const struct grt_scenario *scenario, enum grt_ideal ideal,
                                       uint32_t runs) {
    struct grt_ideal_times times = {.ideal = ideal};
    if (ideal != GRT_IDEAL_ZERO) {
        times.times = grt_allocate((scenario->task_count + 1) * sizeof *times.times);
    }
    for (uint32_t i = 0; i < scenario->task_count && ideal != GRT_IDEAL_ZERO; i++) {
        times.times[i] = ideal == GRT_IDEAL_ALONE ? grt_ideal_time(scenario, i, runs) : 0;
    }
    return times;
}

/* ---- a job's end ---- */

/* What an end is computed from. */
struct system {
    const struct grt_scenario *scenario;
    const grt_time *times;
    const struct grt_result *result;
    grt_time *responses; /* per task, from its jobs' arrivals to their ends; below 0: not computed yet */
};

/* How much later than they arrive jobs that wait for none are released, on average. */
static grt_time mean_delay(const struct grt_task_result *result) {
    return result->finished > 0 ? (grt_time)(result->ends.release_delay / result->finished) : 0;
}

/* Predecessors are never in a circle. */
static grt_time response_of(const struct system *system, uint32_t number) {
    const struct grt_task *task = &system->scenario->tasks[number];
    grt_time begin = task->arrival == GRT_ARRIVAL_AFTER ? 0 : mean_delay(&system->result->tasks[number]);
    if (system->responses[number] >= 0) {
        return system->responses[number];
    }
    for (size_t i = 0; i < task->after_count; i++) {
        grt_time end = response_of(system, task->after[i]);
        begin = end > begin ? end : begin;
    }
    return system->responses[number] = sum_of(begin, system->times[number]);
}

static grt_time response_after_all(const struct grt_scenario *scenario, const struct grt_ideal_times *ideal,
                                   const struct grt_result *result, uint32_t task) {
    struct system system = {scenario, ideal->times, result,
                            grt_allocate(scenario->task_count * sizeof *system.responses)};
    for (size_t i = 0; i < scenario->task_count; i++) {
        system.responses[i] = -1;
    }
    grt_time response = response_of(&system, task);
    free(system.responses);
    return response;
}

/* ---- slack ---- */

/* Ideal gaps are those between the instants at which the jobs are ready: all take the same. */
static grt_signed_wide slack_of_gaps(const struct grt_task *task, const struct grt_task_result *result) {
    const struct grt_slack_record *ends = &result->ends;
    return ends->last_ready - ends->first_ready - (grt_signed_wide)result->slack.count * task->separation;
}

/* With deadlines from the release nothing before that matters. */
static bool slack_of_ends(const struct grt_scenario *scenario, const struct grt_ideal_times *ideal,
                          const struct grt_result *result, uint32_t number, grt_signed_wide *sum) {
    const struct grt_task *task = &scenario->tasks[number];
    bool after = task->arrival == GRT_ARRIVAL_AFTER,
         from_release = task->deadline_from == GRT_DEADLINE_FROM_RELEASE;
    grt_time time =
        after && !from_release ? response_after_all(scenario, ideal, result, number) : ideal->times[number];
    grt_wide delay = after || from_release ? 0 : result->tasks[number].ends.release_delay;
    *sum =
        (grt_signed_wide)result->tasks[number].slack.count * (time - task->deadline) + (grt_signed_wide)delay;
    return time != GRT_TIME_NEVER;
}

bool grt_ideal_slack(const struct grt_scenario *scenario, const struct grt_ideal_times *ideal,
                     const struct grt_result *result, uint32_t task, grt_signed_wide *sum) {
    const struct grt_task_result *own = &result->tasks[task];
    *sum = 0;
    if (own->slack.count == 0 || ideal->ideal == GRT_IDEAL_ZERO) {
        return true;
    }
    if (own->slack.kind == GRT_SLACK_THROUGHPUT) {
        *sum = slack_of_gaps(&scenario->tasks[task], own);
        return true;
    }
    return slack_of_ends(scenario, ideal, result, task, sum);
}

struct grt_performance grt_performance_of(grt_signed_wide base, grt_signed_wide own) {
    struct grt_performance performance = {0};
    if (own <= 0) {
        performance.reason = "it is no worse than the ideal";
    } else if (base <= 0) {
        performance.reason = "the base is no worse than the ideal";
    } else {
        performance.ratio = (double)base / (double)own;
    }
    return performance;
}
