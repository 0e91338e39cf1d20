#include "scenarios/generate/generated_scenario.h"

#include <inttypes.h>
#include <math.h>

#include "models/occupancy.h"
#include "models/priority.h"
#include "scenarios/generate/frame.h"
#include "sim/random.h"

uint64_t grt_generated_seed(uint64_t seed, uint64_t number) {
    struct grt_random random = grt_random_stream(seed, "generate run", number, 0);
    return grt_random_bits(&random) >> 32;
}

int64_t grt_generated_blocks_at_a_time(const struct grt_device *device, int64_t threads,
                                       struct grt_errors *errors) {
    struct grt_occupancy occupancy = grt_occupancy_of(device, &(struct grt_block_needs){.threads = threads});
    if (occupancy.blocks_per_sm == 0) {
        static const struct grt_path root = {0}, path = {.parent = &root, .key = "threads"};
        grt_error_add(errors, &path, "a block of %" PRId64 " threads cannot run on %s: %s", threads,
                      device->name, occupancy.refusal);
    }
    return occupancy.blocks_per_sm * device->sm_count;
}

static grt_time default_horizon(const struct grt_generated_task *tasks, size_t count) {
    grt_time longest = 0;
    for (size_t i = 0; i < count; i++) {
        longest = tasks[i].period > longest ? tasks[i].period : longest;
    }
    return grt_generated_horizon(longest);
}

/* A constant span, at least 1 ns, whose declared worst case is the longest. */
static struct grt_distribution part_of(grt_time longest, double takes) {
    if (takes <= 0 || takes >= 1) {
        return (struct grt_distribution){.kind = GRT_CONSTANT, .min = longest, .max = longest};
    }
    grt_time span = (grt_time)floor((double)longest * takes + 0.5);
    span = span < 1 ? 1 : span;
    return (struct grt_distribution){.kind = GRT_CONSTANT, .min = span, .max = span, .declared = longest};
}

static struct grt_kernel make_kernel(const struct grt_generated_frame *frame,
                                     const struct grt_generated_task *task) {
    if (task->blocks == 0) {
        return (struct grt_kernel){.whole_device = true,
                                   .block_time = part_of(task->execution, frame->takes),
                                   .draw_per = GRT_DRAW_PER_KERNEL};
    }
    return (struct grt_kernel){.blocks = task->blocks,
                               .needs = {.threads = frame->threads},
                               .block_time = part_of(task->block_time, frame->takes)};
}

struct grt_scenario grt_generated_scenario(const struct grt_generated_frame *frame,
                                           const struct grt_generated_task *tasks, size_t count,
                                           struct grt_arena *arena) {
    struct grt_task *list = grt_arena_array(arena, count, sizeof *list);
    struct grt_segment *segments = grt_arena_array(arena, count, sizeof *segments);
    struct grt_command_spec *commands = grt_arena_array(arena, count, sizeof *commands);
    char text[GRT_GENERATED_NAME];
    for (size_t i = 0; i < count; i++) {
        commands[i] =
            (struct grt_command_spec){.kind = GRT_COMMAND_KERNEL, .kernel = make_kernel(frame, &tasks[i])};
        commands[i].kernel.name = grt_arena_text(arena, grt_generated_name(text, 'k', i));
        segments[i] =
            (struct grt_segment){.kind = GRT_SEGMENT_GPU, .commands = &commands[i], .command_count = 1};
        list[i] = (struct grt_task){.name = grt_arena_text(arena, grt_generated_name(text, 't', i)),
                                    .arrival = GRT_ARRIVAL_PERIODIC,
                                    .period = tasks[i].period,
                                    .offset = tasks[i].offset,
                                    .jitter = tasks[i].jitter,
                                    .deadline = tasks[i].deadline,
                                    .cpu = -1,
                                    .split_overhead = tasks[i].overhead,
                                    .segments = &segments[i],
                                    .segment_count = 1};
    }
    grt_priorities_set(list, count, grt_rate_key); /* as files without priorities are read */
    return (struct grt_scenario){.name = frame->name,
                                 .seed = frame->seed,
                                 .horizon = default_horizon(tasks, count),
                                 .gpus = frame->gpu,
                                 .gpu_count = 1,
                                 .tasks = list,
                                 .task_count = count};
}
