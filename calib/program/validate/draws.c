/* Whether a run depends on the seed. */
#include "calib/program/validate/fingerprint.h"
#include "models/task/kernel_walk.h"

static bool segment_draws(const struct grt_segment *segment) {
    if (segment->kind == GRT_SEGMENT_CPU) {
        return !grt_distribution_is_constant(&segment->cpu_time);
    }
    bool draws = !grt_distribution_is_constant(&segment->host_part[GRT_HOST_BEFORE]) ||
                 !grt_distribution_is_constant(&segment->host_part[GRT_HOST_AFTER]);
    for (size_t i = 0; i < segment->command_count && !draws; i++) {
        draws = grt_command_is_random(&segment->commands[i]);
    }
    return draws;
}

static bool arrivals_draw(const struct grt_task *task) {
    bool gaps = task->arrival == GRT_ARRIVAL_SPORADIC && task->times == NULL &&
                !grt_distribution_is_constant(&task->extra_gap);
    return gaps || task->arrival == GRT_ARRIVAL_POISSON || (task->jitter > 0 && task->delays == NULL);
}

static bool task_draws(const struct grt_task *task) {
    bool draws = arrivals_draw(task);
    for (size_t i = 0; i < task->segment_count && !draws; i++) {
        draws = segment_draws(&task->segments[i]);
    }
    return draws;
}

bool grt_scenario_draws(const struct grt_scenario *scenario) {
    bool draws = scenario->ties == GRT_TIES_SHUFFLE;
    for (size_t i = 0; i < scenario->gpu_count && !draws; i++) {
        draws = scenario->gpus[i].placement == GRT_PLACEMENT_RANDOM;
    }
    for (size_t i = 0; i < scenario->task_count && !draws; i++) {
        draws = task_draws(&scenario->tasks[i]);
    }
    return draws;
}
