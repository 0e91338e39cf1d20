#include "tests/support/pruda_tasks.h"

#include "tests/support/pick.h"

static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};

static bool can_be_pinned(const struct grt_task *task) {
    for (size_t i = 0; i < task->segment_count; i++) {
        for (size_t j = 0; j < task->segments[i].command_count; j++) {
            if (task->segments[i].commands[j].kernel.whole_device) {
                return false;
            }
        }
    }
    return grt_task_uses_gpu(task);
}

size_t grt_pin_tasks(struct grt_builder *builder, struct grt_random *random, struct pruda_pin_fields *pins) {
    size_t count = 0;
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        struct grt_task *task = &builder->tasks[i];
        int64_t sms = builder->gpus[task->gpu].sm_count;
        task->name = names[i];
        if (can_be_pinned(task) && grt_pick(random, 0, 7) > 0) {
            pins[count++] =
                (struct pruda_pin_fields){.task = names[i], .sm = grt_pick(random, 0, sms - 1), .sms = 1};
        }
    }
    return count;
}

size_t grt_serve_tasks(struct grt_builder *builder, struct pruda_server_fields *servers) {
    size_t count = 0;
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        builder->tasks[i].name = names[i];
        if (grt_task_uses_gpu(&builder->tasks[i])) {
            servers[count++] =
                (struct pruda_server_fields){.task = names[i], .budget = 10 + (int64_t)i, .period = 200};
        }
    }
    return count;
}
