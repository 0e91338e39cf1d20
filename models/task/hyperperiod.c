#include <stdlib.h>

#include "models/world.h"
#include "sim/divisor.h"
#include "sim/wide.h"

grt_time grt_scenario_hyperperiod(const struct grt_scenario *scenario) {
    grt_time multiple = 1, offset = 0;
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        if (task->arrival == GRT_ARRIVAL_AFTER) {
            continue; /* it comes as its predecessors do */
        }
        if (task->arrival != GRT_ARRIVAL_PERIODIC || grt_task_drifts(task)) {
            return 0;
        }
        uint64_t period = (uint64_t)task->period;
        grt_wide next = /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a period is 1 or more */
            (grt_wide)((uint64_t)multiple / grt_common_divisor((uint64_t)multiple, period)) * period;
        if (next > (grt_wide)GRT_TIME_LIMIT) {
            return 0;
        }
        multiple = (grt_time)next;
        offset = task->offset > offset ? task->offset : offset;
    }
    return offset + multiple <= GRT_TIME_LIMIT ? offset + multiple : 0;
}

grt_time grt_scenario_largest_offset(const struct grt_scenario *scenario) {
    grt_time offset = 0;
    for (size_t i = 0; i < scenario->task_count; i++) {
        offset = scenario->tasks[i].offset > offset ? scenario->tasks[i].offset : offset;
    }
    return offset;
}
