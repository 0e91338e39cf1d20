#include "verify/pattern.h"

#include <stdlib.h>
#include <string.h>

/* ---- the subject ---- */

static grt_time smaller(grt_time a, grt_time b) {
    return a < b ? a : b;
}

/* A time as a pattern has it: never above the declared worst case, since overruns are nothing that analyses speak of. That stays declared: policies and
 * analyses know no better. */
static struct grt_distribution held(const struct grt_distribution *time, enum grt_pattern_times times) {
    struct grt_distribution result = *time;
    grt_time worst = grt_distribution_worst(time);
    result.max = smaller(time->max, worst);
    result.min = smaller(time->kind == GRT_CONSTANT ? time->max : time->min, worst);
    result.declared = worst;
    if (times != GRT_PATTERN_DRAWN) {
        result.kind = GRT_CONSTANT;
        result.min = result.max = times == GRT_PATTERN_LONGEST ? worst : result.min;
    }
    return result;
}

static void hold_kernel(struct grt_kernel *kernel, enum grt_pattern_times times, struct grt_arena *arena) {
    kernel->block_time = held(&kernel->block_time, times);
    size_t count = kernel->launches.count;
    if (count == 0) {
        return;
    }
    struct grt_launch_spec *launches = grt_arena_array(arena, count, sizeof *launches);
    memcpy(launches, kernel->launches.items, count * sizeof *launches);
    for (size_t i = 0; i < count; i++) {
        hold_kernel(&launches[i].kernel, times, arena);
    }
    kernel->launches.items = launches;
}

static void hold_commands(struct grt_segment *segment, enum grt_pattern_times times,
                          struct grt_arena *arena) {
    struct grt_command_spec *commands = grt_arena_array(arena, segment->command_count, sizeof *commands);
    for (size_t i = 0; i < segment->command_count; i++) {
        commands[i] = segment->commands[i];
        commands[i].callback_time = held(&commands[i].callback_time, times);
        if (commands[i].kind == GRT_COMMAND_KERNEL) {
            hold_kernel(&commands[i].kernel, times, arena);
        }
    }
    segment->commands = commands;
}

static const struct grt_segment *held_segments(const struct grt_task *task, enum grt_pattern_times times,
                                               struct grt_arena *arena) {
    struct grt_segment *segments = grt_arena_array(arena, task->segment_count, sizeof *segments);
    for (size_t i = 0; i < task->segment_count; i++) {
        segments[i] = task->segments[i];
        segments[i].cpu_time = held(&segments[i].cpu_time, times);
        if (segments[i].kind == GRT_SEGMENT_GPU) {
            segments[i].host_part[GRT_HOST_BEFORE] = held(&segments[i].host_part[GRT_HOST_BEFORE], times);
            segments[i].host_part[GRT_HOST_AFTER] = held(&segments[i].host_part[GRT_HOST_AFTER], times);
            hold_commands(&segments[i], times, arena);
        }
    }
    return segments;
}

/* Whether patterns have it in another way than the scenario. */
static bool is_varied(const struct grt_distribution *time) {
    return !grt_distribution_is_constant(time) || grt_distribution_worst(time) != time->max;
}

static bool kernel_is_varied(const struct grt_kernel *kernel) {
    const struct grt_launch_spec *launches = kernel->launches.items;
    bool varied = is_varied(&kernel->block_time);
    for (size_t i = 0; i < kernel->launches.count; i++) {
        varied |= kernel_is_varied(&launches[i].kernel);
    }
    return varied;
}

static bool task_is_varied(const struct grt_task *task) {
    bool varied = false;
    for (size_t i = 0; i < task->segment_count; i++) {
        const struct grt_segment *segment = &task->segments[i];
        varied |= segment->kind == GRT_SEGMENT_CPU && is_varied(&segment->cpu_time);
        varied |= segment->kind == GRT_SEGMENT_GPU && (is_varied(&segment->host_part[GRT_HOST_BEFORE]) ||
                                                       is_varied(&segment->host_part[GRT_HOST_AFTER]));
        for (size_t j = 0; segment->kind == GRT_SEGMENT_GPU && j < segment->command_count; j++) {
            const struct grt_command_spec *command = &segment->commands[j];
            varied |= command->kind == GRT_COMMAND_KERNEL && kernel_is_varied(&command->kernel);
            varied |= command->kind == GRT_COMMAND_CALLBACK && is_varied(&command->callback_time);
        }
    }
    return varied;
}

void grt_subject_start(struct grt_subject *subject, const struct grt_scenario *scenario,
                       const struct grt_policy_ops *policy, const void *parameters) {
    size_t count = scenario->task_count;
    *subject = (struct grt_subject){.scenario = scenario, .policy = policy, .parameters = parameters};
    for (int times = 0; times < GRT_PATTERN_TIMES; times++) {
        subject->segments[times] = grt_arena_array(&subject->arena, count, sizeof **subject->segments);
    }
    subject->varied = grt_arena_array(&subject->arena, count, sizeof *subject->varied);
    for (size_t i = 0; i < count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        subject->varied[i] = task_is_varied(task);
        for (int times = 0; times < GRT_PATTERN_TIMES; times++) {
            subject->segments[times][i] =
                subject->varied[i] ? held_segments(task, (enum grt_pattern_times)times, &subject->arena)
                                   : task->segments;
        }
    }
}

void grt_subject_free(struct grt_subject *subject) {
    grt_arena_clear(&subject->arena);
    *subject = (struct grt_subject){0};
}

/* ---- patterns ---- */

bool grt_pattern_chooses(const struct grt_task *task) {
    return task->arrival == GRT_ARRIVAL_PERIODIC || task->arrival == GRT_ARRIVAL_SPORADIC;
}

void grt_pattern_start(struct grt_pattern *pattern, size_t task_count) {
    *pattern = (struct grt_pattern){.task_count = task_count};
    pattern->tasks = grt_allocate(task_count * sizeof *pattern->tasks);
    memset(pattern->tasks, 0, task_count * sizeof *pattern->tasks);
}

void grt_pattern_clear(struct grt_pattern *pattern, const struct grt_scenario *scenario) {
    for (size_t i = 0; i < pattern->task_count; i++) {
        struct grt_releases *task = &pattern->tasks[i];
        task->count = 0;
        task->times = GRT_PATTERN_LONGEST;
        task->absent = false;
        task->own = !grt_pattern_chooses(&scenario->tasks[i]);
    }
    pattern->stop = false;
    pattern->name[0] = '\0';
}

static void make_room(struct grt_releases *releases, uint32_t needed) {
    uint32_t capacity = releases->capacity;
    if (needed > capacity) {
        releases->arrivals =
            grt_array_grow(releases->arrivals, &releases->capacity, needed, sizeof *releases->arrivals);
        releases->delays = grt_array_grow(releases->delays, &capacity, needed, sizeof *releases->delays);
    }
}

static void copy_releases(struct grt_releases *to, const struct grt_releases *from) {
    make_room(to, from->count);
    for (uint32_t i = 0; i < from->count; i++) {
        to->arrivals[i] = from->arrivals[i];
        to->delays[i] = from->delays[i];
    }
    to->count = from->count;
    to->times = from->times;
    to->own = from->own;
    to->absent = from->absent;
}

void grt_pattern_copy(struct grt_pattern *to, const struct grt_pattern *from) {
    for (size_t i = 0; i < from->task_count; i++) {
        copy_releases(&to->tasks[i], &from->tasks[i]);
    }
    to->horizon = from->horizon;
    to->seed = from->seed;
    to->stop = from->stop;
    memcpy(to->name, from->name, sizeof to->name);
}

void grt_pattern_free(struct grt_pattern *pattern) {
    for (size_t i = 0; i < pattern->task_count; i++) {
        free(pattern->tasks[i].arrivals);
        free(pattern->tasks[i].delays);
    }
    free(pattern->tasks);
    *pattern = (struct grt_pattern){0};
}

void grt_releases_add(struct grt_releases *releases, grt_time arrival, grt_time delay) {
    make_room(releases, releases->count + 1);
    releases->arrivals[releases->count] = arrival;
    releases->delays[releases->count++] = delay;
}

void grt_releases_add_periodic(struct grt_releases *releases, grt_time first, grt_time period, grt_time end,
                               grt_time delay) {
    for (grt_time arrival = first; arrival < end; arrival += period) {
        grt_releases_add(releases, arrival, delay);
        delay = 0;
    }
    grt_releases_settle(releases);
}

void grt_releases_settle(struct grt_releases *releases) {
    for (uint32_t i = 1; i < releases->count; i++) {
        grt_time before = releases->arrivals[i - 1] + releases->delays[i - 1];
        grt_time least = before - releases->arrivals[i];
        releases->delays[i] = releases->delays[i] > least ? releases->delays[i] : least;
    }
}

static bool releases_are_legal(const struct grt_releases *releases, const struct grt_task *task) {
    for (uint32_t i = 0; i < releases->count; i++) {
        grt_time arrival = releases->arrivals[i], delay = releases->delays[i];
        if (arrival < 0 || delay < 0 || delay > task->jitter) {
            return false;
        }
        if (i > 0 && (arrival - releases->arrivals[i - 1] < task->period ||
                      arrival + delay < releases->arrivals[i - 1] + releases->delays[i - 1])) {
            return false;
        }
    }
    return true;
}

bool grt_pattern_is_legal(const struct grt_pattern *pattern, const struct grt_scenario *scenario) {
    for (size_t i = 0; i < pattern->task_count; i++) {
        bool counts = !pattern->tasks[i].own && !pattern->tasks[i].absent;
        if (counts && !releases_are_legal(&pattern->tasks[i], &scenario->tasks[i])) {
            return false;
        }
    }
    return pattern->horizon > 0;
}

/* ---- as a scenario ---- */

void grt_played_start(struct grt_played *played, const struct grt_subject *subject) {
    size_t count = subject->scenario->task_count, after = 0;
    for (size_t i = 0; i < count; i++) {
        after += subject->scenario->tasks[i].after_count;
    }
    *played = (struct grt_played){.tasks = grt_allocate(count * sizeof *played->tasks),
                                  .numbers = grt_allocate(count * sizeof *played->numbers),
                                  .places = grt_allocate(count * sizeof *played->places),
                                  .after = grt_allocate(after * sizeof *played->after)};
}

/* Predecessors have other numbers where tasks are absent. */
static void renumber(struct grt_played *played) {
    uint32_t *next = played->after;
    for (size_t i = 0; i < played->scenario.task_count; i++) {
        struct grt_task *task = &played->tasks[i];
        size_t kept = 0;
        for (size_t j = 0; j < task->after_count; j++) {
            uint32_t place = played->places[task->after[j]];
            if (place != UINT32_MAX) {
                next[kept++] = place;
            }
        }
        task->after = next;
        task->after_count = kept;
        next += kept;
    }
}

static void set_task(struct grt_task *task, const struct grt_subject *subject, uint32_t number,
                     const struct grt_pattern *pattern) {
    static const grt_time none[1] = {0};
    const struct grt_releases *releases = &pattern->tasks[number];
    *task = subject->scenario->tasks[number];
    task->segments = subject->segments[releases->times][number];
    if (pattern->stop && task->deadline != GRT_TIME_NEVER) {
        task->on_miss = GRT_MISS_STOP;
    }
    if (!releases->own) {
        task->arrival = GRT_ARRIVAL_SPORADIC;
        task->clock = GRT_CLOCK_ABSOLUTE;
        task->extra_gap = (struct grt_distribution){.kind = GRT_CONSTANT};
        task->offset = 0;
        task->times = releases->count > 0 ? releases->arrivals : none;
        task->delays = releases->count > 0 ? releases->delays : none;
        task->time_count = releases->count;
    }
}

void grt_played_set(struct grt_played *played, const struct grt_subject *subject,
                    const struct grt_pattern *pattern) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < pattern->task_count; i++) {
        played->places[i] = pattern->tasks[i].absent ? UINT32_MAX : count;
        if (!pattern->tasks[i].absent) {
            set_task(&played->tasks[count], subject, i, pattern);
            played->numbers[count++] = i;
        }
    }
    played->scenario = *subject->scenario;
    played->scenario.seed = pattern->seed;
    played->scenario.horizon_kind = GRT_HORIZON_FIXED;
    played->scenario.horizon = pattern->horizon;
    played->scenario.tasks = played->tasks;
    played->scenario.task_count = count;
    renumber(played);
}

void grt_played_free(struct grt_played *played) {
    free(played->tasks);
    free(played->numbers);
    free(played->places);
    free(played->after);
    *played = (struct grt_played){0};
}
