/* A set of Kim et al.'s parameters as a scenario in memory. */
#include "models/priority.h"
#include "scenarios/generate/frame.h"
#include "scenarios/generate/kim.h"

static struct grt_distribution constant(grt_time span) {
    return (struct grt_distribution){.kind = GRT_CONSTANT, .min = span, .max = span};
}

static size_t segment_count(const struct grt_kim_set *set) {
    size_t count = 0;
    for (size_t i = 0; i < set->count; i++) {
        count += (size_t)(2 * set->tasks[i].segments + 1);
    }
    return count;
}

/* Names of tasks and kernels, as many as there are tasks, in one piece: sets are made by the thousand. */
struct names {
    char (*task)[GRT_GENERATED_NAME], (*kernel)[GRT_GENERATED_NAME];
};

static struct names make_names(size_t count, struct grt_arena *arena) {
    struct names names = {grt_arena_array(arena, count, GRT_GENERATED_NAME),
                          grt_arena_array(arena, count, GRT_GENERATED_NAME)};
    for (size_t i = 0; i < count; i++) {
        grt_generated_name(names.task[i], 't', i);
        grt_generated_name(names.kernel[i], 'k', i);
    }
    return names;
}

static void make_gpu_segment(const struct grt_kim_task *task, int64_t number, const char *kernel,
                             struct grt_segment *segment, struct grt_command_spec *command) {
    *command = (struct grt_command_spec){.kind = GRT_COMMAND_KERNEL,
                                         .kernel = {.name = kernel,
                                                    .whole_device = true,
                                                    .draw_per = GRT_DRAW_PER_KERNEL,
                                                    .block_time = constant(task->device[number])}};
    *segment = (struct grt_segment){.kind = GRT_SEGMENT_GPU,
                                    .commands = command,
                                    .command_count = 1,
                                    .host_part = {[GRT_HOST_BEFORE] = constant(task->before[number]),
                                                  [GRT_HOST_AFTER] = constant(task->after[number])}};
}

/* Fills the segments of a task, and returns how many. */
static size_t make_segments(const struct grt_kim_task *task, const char *kernel, struct grt_segment *segments,
                            struct grt_command_spec *commands) {
    size_t count = 0;
    for (int64_t i = 0; i <= task->segments; i++) {
        segments[count++] =
            (struct grt_segment){.kind = GRT_SEGMENT_CPU, .cpu_time = constant(task->normal[i])};
        if (i < task->segments) {
            make_gpu_segment(task, i, kernel, &segments[count++], &commands[i]);
        }
    }
    return count;
}

static grt_time default_horizon(const struct grt_kim_set *set) {
    grt_time longest = 0;
    for (size_t i = 0; i < set->count; i++) {
        longest = set->tasks[i].period > longest ? set->tasks[i].period : longest;
    }
    return grt_generated_horizon(longest);
}

struct grt_scenario grt_kim_scenario(const struct grt_generated_frame *frame, const struct grt_kim_set *set,
                                     struct grt_arena *arena) {
    size_t all = segment_count(set);
    struct grt_task *tasks = grt_arena_array(arena, set->count, sizeof *tasks);
    struct grt_segment *segments = grt_arena_array(arena, all, sizeof *segments);
    struct grt_command_spec *commands = grt_arena_array(arena, (all - set->count) / 2, sizeof *commands);
    struct names names = make_names(set->count, arena);
    for (size_t i = 0; i < set->count; i++) {
        const struct grt_kim_task *task = &set->tasks[i];
        tasks[i] = (struct grt_task){.name = names.task[i],
                                     .arrival = GRT_ARRIVAL_PERIODIC,
                                     .period = task->period,
                                     .deadline = task->period,
                                     .cpu = task->core,
                                     .segments = segments};
        tasks[i].segment_count = make_segments(task, names.kernel[i], segments, commands);
        segments += tasks[i].segment_count;
        commands += task->segments;
    }
    grt_priorities_set(tasks, set->count, grt_rate_key);
    return (struct grt_scenario){.name = frame->name,
                                 .seed = frame->seed,
                                 .horizon = default_horizon(set),
                                 .core_count = set->cores,
                                 .gpus = frame->gpu,
                                 .gpu_count = 1,
                                 .tasks = tasks,
                                 .task_count = set->count};
}
