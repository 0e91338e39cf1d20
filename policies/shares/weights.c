#include "policies/shares/weights.h"

uint64_t shares_weight(const struct grt_scenario *scenario, uint32_t number) {
    const struct grt_task *task = &scenario->tasks[number];
    bool positive = true;
    uint64_t lower = 0;
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *other = &scenario->tasks[i];
        if (other->gpu == task->gpu && grt_task_uses_gpu(other)) {
            positive &= other->priority > 0;
            lower += other->priority < task->priority;
        }
    }
    return positive ? (uint64_t)task->priority : lower + 1;
}
