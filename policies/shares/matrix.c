#include "policies/shares/matrix.h"

#include <math.h>
#include <stdlib.h>

#include "models/demand/demand.h"
#include "models/device/kernel_usage.h"

/* ---- one segment ---- */

/* Shares never make longer: whatever the factors say, a line falls (finding 7 of docs/wamp2s.md). */
void shares_segment_fill(struct shares_segment *segment) {
    segment->times[0] = GRT_TIME_NEVER;
    for (int64_t share = 1; share <= GRT_FULL_SHARE; share++) {
        double time = segment->fixed;
        for (uint32_t i = 0; i < segment->kernel_count; i++) {
            const struct shares_kernel *kernel = &segment->kernels[i];
            time += kernel->time * grt_usage_share_factor(&kernel->usage, share);
        }
        grt_time whole = grt_time_of_double(time), before = segment->times[share - 1];
        segment->times[share] = whole < before ? whole : before;
    }
    segment->enough = GRT_FULL_SHARE;
    while (segment->enough > 1 && segment->times[segment->enough - 1] == segment->times[GRT_FULL_SHARE]) {
        segment->enough--;
    }
}

static uint32_t count_kernels(const struct grt_segment *segment) {
    uint32_t count = 0;
    for (size_t i = 0; segment->kind == GRT_SEGMENT_GPU && i < segment->command_count; i++) {
        count += segment->commands[i].kind == GRT_COMMAND_KERNEL;
    }
    return count;
}

static double time_of_step(const struct grt_step *step) {
    double time = step->each == GRT_STEP_NEVER ? (double)GRT_TIME_LIMIT : (double)step->each;
    return fmin(time * (double)step->units, (double)GRT_TIME_LIMIT);
}

static struct shares_segment *make_segment(const struct grt_scenario *scenario, const struct grt_task *task,
                                           const struct grt_segment *segment, uint32_t kernel_count,
                                           struct grt_arena *arena) {
    const struct grt_device *device = &scenario->gpus[task->gpu];
    struct shares_segment *line = grt_arena_new(arena, struct shares_segment);
    struct shares_kernel *kernels = grt_arena_array(arena, kernel_count, sizeof *kernels);
    struct grt_step *steps = grt_allocate(segment->command_count * sizeof *steps);
    grt_time whole = grt_segment_time(scenario, task, segment);
    grt_segment_steps(scenario, task, segment, steps);
    line->fixed = whole == GRT_TIME_NEVER ? (double)GRT_TIME_LIMIT : (double)whole;
    for (size_t i = 0; i < segment->command_count; i++) {
        if (segment->commands[i].kind == GRT_COMMAND_KERNEL) {
            struct shares_kernel *kernel = &kernels[line->kernel_count++];
            kernel->kernel = &segment->commands[i].kernel;
            kernel->time = time_of_step(&steps[i]);
            grt_kernel_usage(device, kernel->kernel, &kernel->usage);
            line->fixed -= kernel->time;
        }
    }
    line->fixed = fmax(line->fixed, 0); /* below it only where it was cut off at the limit */
    line->kernels = kernels;
    shares_segment_fill(line);
    free(steps);
    return line;
}

/* ---- all of them ---- */

struct shares_matrix {
    const struct shares_segment ***segments; /* by task, by segment */
};

const struct shares_matrix *shares_matrix_create(const struct grt_scenario *scenario,
                                                 struct grt_arena *arena) {
    struct shares_matrix *matrix = grt_arena_new(arena, struct shares_matrix);
    matrix->segments = grt_arena_array(arena, scenario->task_count, sizeof *matrix->segments);
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        matrix->segments[i] = grt_arena_array(arena, task->segment_count, sizeof *matrix->segments[i]);
        for (size_t j = 0; j < task->segment_count; j++) {
            uint32_t kernel_count = count_kernels(&task->segments[j]);
            if (kernel_count > 0) {
                matrix->segments[i][j] =
                    make_segment(scenario, task, &task->segments[j], kernel_count, arena);
            }
        }
    }
    return matrix;
}

const struct shares_segment *shares_matrix_at(const struct shares_matrix *matrix, uint32_t task,
                                              uint32_t segment) {
    return matrix->segments[task][segment];
}
