#include "tests/support/hosted_world.h"

#include "tests/support/pick.h"
#include "tests/support/random_world.h"

static struct grt_distribution some_time(struct grt_random *random) {
    grt_time most = grt_pick(random, 1, 12);
    switch (grt_pick(random, 0, 3)) {
    case 0:
        return (struct grt_distribution){.kind = GRT_CONSTANT};
    case 1:
        return (struct grt_distribution){.kind = GRT_UNIFORM, .min = grt_pick(random, 0, most), .max = most};
    default:
        return (struct grt_distribution){.kind = GRT_CONSTANT, .max = most};
    }
}

struct grt_builder *grt_hosted_world(uint64_t number) {
    struct grt_builder *builder = grt_random_world(number);
    struct grt_random random = grt_random_stream(number, "hosted", 0, 0);
    builder->scenario.core_count = grt_pick(&random, 0, 3);
    builder->scenario.context_switch = grt_pick(&random, 0, 1) * grt_pick(&random, 1, 3);
    builder->scenario.wake_up = grt_pick(&random, 0, 1) * grt_pick(&random, 1, 3);
    builder->scenario.ties = (int64_t)(number % 3);
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        struct grt_task *task = &builder->tasks[i];
        task->cpu =
            builder->scenario.core_count > 0 ? grt_pick(&random, 0, builder->scenario.core_count - 1) : 0;
        for (size_t j = 0; j < task->segment_count; j++) {
            struct grt_segment *segment = &builder->segments[i][j];
            if (segment->kind == GRT_SEGMENT_GPU && grt_pick(&random, 0, 3) > 0) {
                segment->host_part[GRT_HOST_BEFORE] = some_time(&random);
                segment->host_part[GRT_HOST_AFTER] = some_time(&random);
                segment->host_mode = grt_pick(&random, 0, 1);
            }
        }
    }
    return builder;
}
