#include "models/adapt.h"

#include <string.h>

#include "models/world/policy_running.h"
#include "sim/check.h"
#include "sim/wide.h"

/* ---- adapting ---- */

bool grt_policy_take_parameters(const struct grt_policy_ops *policy, const void *given,
                                struct grt_arena *arena, void **parameters, struct grt_errors *errors) {
    const struct grt_record *record = policy->parameters;
    GRT_REQUIRE(record == NULL || record->size == policy->parameters_size,
                "a policy's parameters_size is the size of their table");
    *parameters = NULL;
    if (policy->parameters_size == 0) {
        return true;
    }
    *parameters = grt_arena_array(arena, 1, policy->parameters_size);
    if (given != NULL) {
        memcpy(*parameters, given, policy->parameters_size);
    } else if (record != NULL && !grt_record_defaults(record, *parameters)) {
        grt_error_add(errors, NULL, "policy: %s has parameters without a default, and they were not given",
                      policy->name);
        return false;
    }
    return true;
}

bool grt_policy_answered(const struct grt_policy_ops *policy, bool good, size_t before,
                         struct grt_errors *errors) {
    if (!good && errors->count == before) {
        grt_error_add(errors, NULL, "policy %s refuses the scenario, and does not say why", policy->name);
    }
    return good;
}

const struct grt_scenario *grt_adapted(const struct grt_scenario *scenario,
                                       const struct grt_policy_ops *policy, const void *given,
                                       struct grt_arena *arena, struct grt_errors *errors) {
    void *parameters;
    if (policy->adapt == NULL || scenario->adapted_for == policy) {
        return scenario;
    }
    GRT_REQUIRE(scenario->adapted_for == NULL, "a scenario is adapted for one policy");
    struct grt_scenario *adapted = grt_arena_array(arena, 1, sizeof *adapted);
    *adapted = *scenario;
    adapted->adapted_for = policy;
    const struct grt_running running = grt_policy_running(policy, NULL);
    const struct grt_running *before = grt_running_begin(&running);
    size_t error_count = errors->count;
    bool good = grt_policy_take_parameters(policy, given, arena, &parameters, errors) &&
                policy->adapt(adapted, parameters, arena, errors);
    grt_running_end(before);
    return grt_policy_answered(policy, good, error_count, errors) ? adapted : NULL;
}

/* ---- copies ---- */

static void *copy_of(const void *items, size_t count, size_t room, size_t size, struct grt_arena *arena) {
    void *copy = grt_arena_array(arena, room, size);
    if (count > 0) {
        memcpy(copy, items, count * size);
    }
    return copy;
}

struct grt_task *grt_adapt_tasks(struct grt_scenario *scenario, size_t further, struct grt_arena *arena) {
    size_t count = scenario->task_count;
    struct grt_task *tasks = copy_of(scenario->tasks, count, count + further, sizeof *scenario->tasks, arena);
    scenario->tasks = tasks;
    return tasks;
}

struct grt_segment *grt_adapt_segments(struct grt_task *task, struct grt_arena *arena) {
    size_t count = task->segment_count;
    struct grt_segment *segments = copy_of(task->segments, count, count, sizeof *task->segments, arena);
    for (size_t i = 0; i < count; i++) {
        size_t commands = segments[i].command_count;
        segments[i].commands =
            copy_of(segments[i].commands, commands, commands, sizeof *segments[i].commands, arena);
    }
    task->segments = segments;
    return segments;
}

/* They are the copies of grt_adapt_segments, which nobody else has. */
struct grt_command_spec *grt_adapt_commands(struct grt_segment *segment) {
    return (struct grt_command_spec *)segment->commands;
}

/* ---- spans ---- */

static grt_time longer(grt_time time, grt_time by) {
    return time > GRT_TIME_LIMIT - by ? GRT_TIME_LIMIT : time + by;
}

static grt_time percent_of(grt_time time, int64_t percent) {
    if (time <= 0) {
        return time;
    }
    grt_wide product = (grt_wide)time * (grt_wide)percent, scaled = (product + 99) / 100;
    return scaled > (grt_wide)GRT_TIME_LIMIT ? GRT_TIME_LIMIT : (grt_time)scaled;
}

/* To `percent` of them, then by `time`. */
static void lengthen_measured(struct grt_distribution *span, int64_t percent, grt_time time,
                              struct grt_arena *arena) {
    if (span->measured == NULL) {
        return;
    }
    struct grt_measured *measured = grt_arena_new(arena, struct grt_measured);
    grt_time *values = grt_arena_array(arena, span->measured->count, sizeof *values);
    for (size_t i = 0; i < span->measured->count; i++) {
        values[i] = longer(percent_of(span->measured->values[i], percent), time);
    }
    *measured = (struct grt_measured){values, span->measured->count};
    span->measured = measured;
    if (span->tail != NULL) {
        struct grt_tail *tail = grt_arena_new(arena, struct grt_tail);
        *tail = *span->tail;
        tail->threshold = longer(percent_of(tail->threshold, percent), time);
        tail->scale = percent_of(tail->scale, percent);
        span->tail = tail;
    }
}

void grt_adapt_add(struct grt_distribution *span, grt_time time, struct grt_arena *arena) {
    GRT_REQUIRE(time >= 0 && time <= GRT_TIME_LIMIT, "a span is made longer by a time within the limit");
    span->min = longer(span->min, time);
    span->max = longer(span->max, time);
    span->location = longer(span->location, time);
    span->declared = span->declared > 0 ? longer(span->declared, time) : 0;
    lengthen_measured(span, 100, time, arena);
}

void grt_adapt_percent(struct grt_distribution *span, int64_t percent, struct grt_arena *arena) {
    GRT_REQUIRE(percent >= 100 && percent <= 1000000,
                "a span is made longer, to a hundred percent of it or more");
    span->min = percent_of(span->min, percent);
    span->max = percent_of(span->max, percent);
    span->location = percent_of(span->location, percent);
    span->scale = percent_of(span->scale, percent);
    span->declared = percent_of(span->declared, percent);
    lengthen_measured(span, percent, 0, arena);
}
