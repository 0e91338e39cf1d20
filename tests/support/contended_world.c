#include "tests/support/contended_world.h"

#include "sim/random.h"
#include "tests/support/pick.h"
#include "tests/support/random_world.h"

static const char *const classes[] = {"x", "y", "z"};

static void contend_device(struct grt_random *random, struct grt_arena *arena, struct grt_device *device,
                           bool first) {
    struct grt_slowdown *rows = grt_arena_array(arena, 4, sizeof *rows);
    device->memory_bytes_per_second = 8 * GRT_SECOND;
    device->bandwidth_sharing = grt_pick(random, 0, 2);
    device->integrated = first && grt_pick(random, 0, 1) == 0;
    device->cores_per_sm = 64;
    device->threads_per_core = grt_pick(random, 0, 2) == 0 ? grt_pick(random, 4, 24) : 0;
    for (int i = 0; i < 4; i++) {
        rows[i] = (struct grt_slowdown){.class_name = classes[grt_pick(random, 0, 2)],
                                        .beside = classes[grt_pick(random, 0, 2)],
                                        .factor = 1 + (double)grt_pick(random, 0, 20) / 16};
        rows[i].same_sm =
            grt_pick(random, 0, 1) == 0 ? 0 : rows[i].factor + (double)grt_pick(random, 0, 8) / 8;
        for (int j = 0; j < i; j++) { /* a pair stands once */
            if (rows[j].class_name == rows[i].class_name && rows[j].beside == rows[i].beside) {
                rows[i--] = (struct grt_slowdown){0};
                break;
            }
        }
    }
    device->slowdowns = (struct grt_field_list){rows, grt_pick(random, 0, 2) == 0 ? 4 : 0};
}

static void contend_kernel(struct grt_random *random, struct grt_kernel *kernel) {
    struct grt_launch_spec *launches = kernel->launches.items;
    kernel->bandwidth = grt_pick(random, 0, 3) == 0 ? 0 : grt_pick(random, 1, 8 * GRT_SECOND);
    kernel->class_name = grt_pick(random, 0, 3) == 0 ? NULL : classes[grt_pick(random, 0, 2)];
    for (size_t i = 0; i < kernel->launches.count; i++) {
        contend_kernel(random, &launches[i].kernel);
    }
}

static void contend_task(struct grt_random *random, struct grt_builder *builder, size_t number) {
    for (size_t i = 0; i < builder->tasks[number].segment_count; i++) {
        struct grt_segment *segment = &builder->segments[number][i];
        segment->cpu_time =
            (struct grt_distribution){.max = segment->cpu_time.max, .min = segment->cpu_time.max};
        segment->cpu_bandwidth = grt_pick(random, 0, 1) * grt_pick(random, 1, 8) * GRT_SECOND;
        for (size_t j = 0; j < segment->command_count; j++) {
            struct grt_kernel *kernel =
                (struct grt_kernel *)&segment->commands[j].kernel; /* the builder's own */
            contend_kernel(random, kernel);
            kernel->block_time.max *= grt_pick(random, 1, 50);
        }
    }
}

void grt_contend(struct grt_builder *builder, uint64_t number) {
    struct grt_random random = grt_random_stream(number, "contention", 0, 0);
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        contend_device(&random, &builder->arena, &builder->gpus[i], i == 0);
    }
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        contend_task(&random, builder, i);
    }
    grt_random_world_fix_times(builder);
}

struct grt_builder *grt_contended_world(uint64_t number) {
    struct grt_builder *builder = grt_random_world(number);
    grt_contend(builder, number);
    builder->scenario.horizon *= 10;
    return builder;
}

struct grt_builder *grt_contended_processes(uint64_t number) {
    static const struct grt_process processes[] = {{.name = "p"}, {.name = "q", .spec = {.time_slice = 37}}};
    struct grt_builder *builder = grt_contended_world(number);
    builder->scenario.processes = processes;
    builder->scenario.process_count = 2;
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        builder->gpus[i].context_preemption = (int64_t)(number % 4);
        builder->gpus[i].mps = number % 5 == 0;
        builder->gpus[i].context_save = (int64_t)(number % 2);
        builder->gpus[i].time_slice = builder->gpus[i].copy_time_slice = 20 + (int64_t)(number % 7);
        builder->gpus[i].context_switch = (int64_t)(number / 3 % 4) * 5;
        builder->gpus[i].copy_runlist = (int64_t)(number / 2 % 2);
        builder->gpus[i].copy_chunk = (int64_t)(number / 7 % 3) * 10;
    }
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        builder->tasks[i].process = (int64_t)(i % 2);
    }
    return builder;
}
