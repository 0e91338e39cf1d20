#include "tests/support/batched_world.h"

#include "tests/support/pick.h"

static void make_copies(struct grt_random *random, const struct grt_segment *segment) {
    /* the builder's own commands: they live in its arena */
    struct grt_command_spec *commands = (struct grt_command_spec *)(uintptr_t)segment->commands;
    size_t count = segment->command_count;
    if (count >= 2 && grt_pick(random, 0, 3) > 0) {
        commands[0] = (struct grt_command_spec){.kind = GRT_COMMAND_H2D, .bytes = grt_pick(random, 1, 30)};
    }
    if (count >= 3 && grt_pick(random, 0, 3) > 0) {
        commands[count - 1] =
            (struct grt_command_spec){.kind = GRT_COMMAND_D2H, .bytes = grt_pick(random, 1, 30)};
    }
}

struct grt_builder *grt_batched_world(uint64_t number, enum grt_audited_kind kind) {
    struct grt_builder *builder = grt_audited_world(number, kind);
    struct grt_random random = grt_random_stream(number, "batched", 0, 0);
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        struct grt_task *task = &builder->tasks[i];
        int64_t wants = grt_pick(&random, 0, 5);
        if (wants <= 1) {
            task->deadline = GRT_TIME_NEVER;
            task->on_miss = GRT_MISS_CONTINUE;
            task->separation = wants == 0 ? grt_pick(&random, 1, 200) : 0;
        }
        for (size_t j = 0; j < task->segment_count; j++) {
            make_copies(&random, &task->segments[j]);
        }
    }
    return builder;
}
