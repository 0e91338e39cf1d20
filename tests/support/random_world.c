#include "tests/support/random_world.h"
#include "tests/support/pick.h"

#include <inttypes.h>
#include <stdio.h>

#include "policies/registry.h"
#include "sim/random.h"

struct maker {
    struct grt_random random;
    struct grt_builder *builder;
};

static int64_t pick(struct maker *maker, int64_t from, int64_t to) {
    return grt_pick(&maker->random, from, to);
}

static bool one_in(struct maker *maker, int64_t count) {
    return pick(maker, 1, count) == 1;
}

static void make_device(struct maker *maker) {
    struct grt_device *device = grt_builder_gpu(maker->builder, grt_built_device(pick(maker, 1, 6)));
    device->max_threads_per_sm = one_in(maker, 3) ? 1024 : 2048;
    device->max_blocks_per_sm = one_in(maker, 3) ? pick(maker, 1, 4) : 32;
    device->max_resident_grids = one_in(maker, 2) ? pick(maker, 1, 3) : 16;
    device->placement = one_in(maker, 2) ? GRT_PLACEMENT_MOST_ROOM : pick(maker, 0, GRT_PLACEMENT_RANDOM);
    device->copy_engines = pick(maker, 0, 3);
    device->copy_latency = device->copy_engines == 0 || one_in(maker, 2) ? pick(maker, 1, 5) : 0;
    device->h2d_bytes_per_second = GRT_SECOND / pick(maker, 1, 3);
    device->kernel_launch = one_in(maker, 2) ? 0 : pick(maker, 1, 20);
    device->priority_levels = pick(maker, 1, 3);
    device->shared_memory_reserved = one_in(maker, 4) ? 1024 : 0;
    if (device->sm_count % 2 == 0 && one_in(maker, 2)) {
        device->sms_per_tpc = 2;
        device->sm_order = GRT_SM_ORDER_TPC_FIRST;
    }
}

static void make_times(struct maker *maker, struct grt_distribution *time, int64_t *draw_per) {
    switch (pick(maker, 0, 3)) {
    case 0:
        time->kind = GRT_UNIFORM;
        time->min = pick(maker, 1, time->max);
        break;
    case 1:
        time->kind = GRT_EXPONENTIAL;
        time->min = 1;
        time->scale = time->max;
        time->max *= 4;
        break;
    default:
        break;
    }
    if (draw_per != NULL) {
        *draw_per = one_in(maker, 2) ? GRT_DRAW_PER_KERNEL : GRT_DRAW_PER_BLOCK;
    }
}

static void make_command(struct maker *maker, struct grt_task *task) {
    if (one_in(maker, 3)) {
        int64_t bytes = pick(maker, 1, 40);
        grt_builder_copy(maker->builder, task, one_in(maker, 2) ? GRT_COMMAND_H2D : GRT_COMMAND_D2H, bytes);
        return;
    }
    if (one_in(maker, 8)) {
        struct grt_kernel *kernel = grt_builder_whole(maker->builder, task, pick(maker, 1, 40));
        make_times(maker, &kernel->block_time, &kernel->draw_per);
        return;
    }
    static const int64_t sizes[] = {1, 32, 33, 96, 128, 256, 512, 768, 1024};
    int64_t time = pick(maker, 1, 40), threads = sizes[pick(maker, 0, 8)], most = one_in(maker, 3) ? 60 : 8;
    struct grt_kernel *kernel = grt_builder_kernel(maker->builder, task, pick(maker, 1, most), threads, time);
    kernel->needs.registers_per_thread = one_in(maker, 2) ? pick(maker, 1, 32) : 0;
    kernel->needs.shared_memory = one_in(maker, 3) ? pick(maker, 1, 40000) : 0;
    make_times(maker, &kernel->block_time, &kernel->draw_per);
}

static void make_segments(struct maker *maker, struct grt_task *task) {
    int64_t count = pick(maker, 1, 3);
    for (int64_t i = 0; i < count; i++) {
        if (one_in(maker, 3)) {
            make_times(maker, &grt_builder_cpu(maker->builder, task, pick(maker, 1, 30))->cpu_time, NULL);
            continue;
        }
        grt_builder_gpu_segment(maker->builder, task);
        for (int64_t commands = pick(maker, 1, 4); commands > 0; commands--) {
            make_command(maker, task);
        }
    }
}

static void make_arrivals(struct maker *maker, struct grt_task *task) {
    static const grt_time together[] = {0, 0, 10, 10, 50, 100, 100, 100, 200};
    grt_time offset = one_in(maker, 2) ? 0 : pick(maker, 0, 50);
    grt_builder_periodic(task, pick(maker, 20, 300), offset);
    switch (pick(maker, 0, 5)) {
    case 0:
        task->jitter = pick(maker, 1, 60);
        task->clock = task->jitter % 3 == 0 ? GRT_CLOCK_RELATIVE : GRT_CLOCK_ABSOLUTE;
        break;
    case 1:
        task->arrival = GRT_ARRIVAL_SPORADIC;
        task->extra_gap = (struct grt_distribution){.kind = GRT_EXPONENTIAL, .max = GRT_SECOND, .scale = 50};
        break;
    case 2:
        grt_builder_times(maker->builder, task, together, sizeof together / sizeof together[0]);
        break;
    case 3:
        if (task > maker->builder->tasks) {
            grt_builder_after(maker->builder, task, task - 1);
            if (task - 1 > maker->builder->tasks && one_in(maker, 2)) {
                grt_builder_after(maker->builder, task, task - 2);
            }
            task->offset = 0;
        }
        break;
    default:
        break;
    }
}

static void make_stream(struct maker *maker, struct grt_task *task, bool null_streams) {
    switch (pick(maker, 0, 4)) {
    case 0:
        task->stream = "high";
        task->stream_priority = -2;
        break;
    case 1:
        task->stream = "low";
        break;
    case 2:
        task->stream = null_streams ? "null" : NULL;
        break;
    default:
        task->stream_priority = -pick(maker, 0, 3);
        break;
    }
}

struct grt_builder *grt_random_world(uint64_t number) {
    struct maker maker = {.random = grt_random_stream(number, "random-world", 0, 0)};
    maker.builder = grt_builder_create(pick(&maker, 1, 600));
    maker.builder->scenario.seed = number;
    for (int64_t gpus = one_in(&maker, 4) ? 2 : 1; gpus > 0; gpus--) {
        make_device(&maker);
    }
    maker.builder->scenario.core_count = one_in(&maker, 2) ? 2 : 0;
    bool null_streams = one_in(&maker, 3);
    for (int64_t tasks = pick(&maker, 1, 8); tasks > 0; tasks--) {
        struct grt_task *task = grt_builder_task(maker.builder, "t");
        task->cpu = pick(&maker, 0, 1);
        task->priority = pick(&maker, -2, 2);
        task->gpu = pick(&maker, 0, (int64_t)maker.builder->scenario.gpu_count - 1);
        make_arrivals(&maker, task);
        make_segments(&maker, task);
        make_stream(&maker, task, null_streams);
        task->deadline = pick(&maker, 1, 300);
        task->on_miss = one_in(&maker, 2) ? GRT_MISS_ABORT : pick(&maker, 0, one_in(&maker, 4) ? 3 : 2);
    }
    return maker.builder;
}

static void fix(struct grt_distribution *time) {
    time->kind = GRT_CONSTANT;
    time->min = time->max;
}

void grt_random_world_fix_times(struct grt_builder *builder) {
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        for (size_t j = 0; j < builder->tasks[i].segment_count; j++) {
            fix(&builder->segments[i][j].host_part[GRT_HOST_BEFORE]);
            fix(&builder->segments[i][j].host_part[GRT_HOST_AFTER]);
            for (size_t k = 0; k < builder->segments[i][j].command_count; k++) {
                /* the builder's own copy: it lives in its arena */
                fix((struct grt_distribution *)&builder->segments[i][j].commands[k].kernel.block_time);
            }
        }
    }
}

/* ---- calls ---- */

static struct grt_command_spec make_call(struct maker *maker) {
    static const char *const events[] = {"x", "y", "z"};
    struct grt_command_spec call = {.bytes = pick(maker, 1, 30)};
    call.kind = one_in(maker, 3) ? pick(maker, GRT_COMMAND_RECORD, GRT_COMMAND_D2D)
                                 : pick(maker, GRT_COMMAND_RECORD, GRT_COMMAND_WAIT);
    if (call.kind <= GRT_COMMAND_QUERY) {
        call.event = events[pick(maker, 0, 2)];
    }
    call.callback_time = (struct grt_distribution){.kind = GRT_CONSTANT, .max = pick(maker, 1, 20)};
    return call;
}

static void add_calls(struct maker *maker, struct grt_segment *segment) {
    /* the builder's own commands: they live in its arena, with room for GRT_BUILDER_COMMANDS */
    struct grt_command_spec *commands = (struct grt_command_spec *)(uintptr_t)segment->commands;
    for (size_t i = 0; i < segment->command_count; i++) {
        if (commands[i].kind == GRT_COMMAND_H2D || commands[i].kind == GRT_COMMAND_D2H) {
            commands[i].sync = one_in(maker, 3);
            commands[i].pageable = one_in(maker, 5);
        }
    }
    for (int64_t calls = pick(maker, 0, 4); calls > 0; calls--) {
        size_t place = (size_t)pick(maker, 0, (int64_t)segment->command_count);
        for (size_t i = segment->command_count++; i > place; i--) {
            commands[i] = commands[i - 1];
        }
        commands[place] = make_call(maker);
    }
}

void grt_random_world_add_calls(struct grt_builder *builder, uint64_t number) {
    struct maker maker = {.random = grt_random_stream(number, "calls", 0, 0), .builder = builder};
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        struct grt_device *device = &builder->gpus[i];
        device->hardware_queues = pick(&maker, 0, 3);
        device->queue_model = pick(&maker, 0, 2);
        device->queue_order = pick(&maker, 0, 2);
        device->dependency_check = one_in(&maker, 2);
        device->implicit_sync = pick(&maker, 0, 2);
        device->pageable_percent = pick(&maker, 1, 100);
        device->early_return_bytes = one_in(&maker, 2) ? 20 : 0;
        device->memory_bytes_per_second = one_in(&maker, 2) ? GRT_SECOND : 0;
    }
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        for (size_t j = 0; j < builder->tasks[i].segment_count; j++) {
            if (builder->segments[i][j].kind == GRT_SEGMENT_GPU) {
                add_calls(&maker, &builder->segments[i][j]);
            }
        }
    }
}

/* ---- host parts ---- */

static void add_host_parts(struct maker *maker, struct grt_segment *segment) {
    segment->host_mode = pick(maker, 0, 1);
    for (int part = 0; part < 2; part++) {
        segment->host_part[part] =
            (struct grt_distribution){.kind = GRT_CONSTANT, .max = pick(maker, 0, 1) * pick(maker, 0, 20)};
        if (one_in(maker, 3)) {
            segment->host_part[part].kind = GRT_UNIFORM;
        }
    }
}

void grt_random_world_add_host(struct grt_builder *builder, uint64_t number) {
    struct maker maker = {.random = grt_random_stream(number, "host", 0, 0), .builder = builder};
    builder->scenario.context_switch = pick(&maker, 0, 1) * pick(&maker, 0, 5);
    builder->scenario.wake_up = pick(&maker, 0, 1) * pick(&maker, 0, 5);
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        for (size_t j = 0; j < builder->tasks[i].segment_count; j++) {
            if (builder->segments[i][j].kind == GRT_SEGMENT_GPU) {
                add_host_parts(&maker, &builder->segments[i][j]);
            }
        }
    }
}

/* ---- pinned kernels ---- */

static void pin(struct maker *maker, const struct grt_device *device, struct grt_kernel *kernel) {
    int64_t *sms = grt_arena_array(&maker->builder->arena, (size_t)device->sm_count + 1, sizeof *sms);
    size_t count = 0;
    for (int64_t sm = 0; sm < device->sm_count; sm++) {
        if (one_in(maker, 2)) {
            sms[count++] = sm;
        }
    }
    if (count == 0 || one_in(maker, 10)) { /* once more, maybe */
        sms[count++] = pick(maker, 0, device->sm_count - 1);
    }
    kernel->sms = (struct grt_number_list){sms, count};
    kernel->items = one_in(maker, 3) ? 0 : pick(maker, 1, one_in(maker, 3) ? 60 : 8);
    kernel->exit_time = pick(maker, 0, one_in(maker, 3) ? 30 : 4);
}

void grt_random_world_pin(struct grt_builder *builder, uint64_t number) {
    struct maker maker = {.random = grt_random_stream(number, "pin", 0, 0), .builder = builder};
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        for (size_t j = 0; j < builder->tasks[i].segment_count; j++) {
            const struct grt_segment *segment = &builder->segments[i][j];
            for (size_t k = 0; k < segment->command_count; k++) {
                /* the builder's own copy: it lives in its arena */
                struct grt_kernel *kernel = (struct grt_kernel *)(uintptr_t)&segment->commands[k].kernel;
                bool grid = segment->commands[k].kind == GRT_COMMAND_KERNEL && !kernel->whole_device;
                if (grid && kernel->launches.count == 0 && builder->tasks[i].tpcs.count == 0 &&
                    one_in(&maker, 2)) {
                    pin(&maker, &builder->gpus[builder->tasks[i].gpu], kernel);
                }
            }
        }
    }
}

/* ---- sharing ---- */

void grt_random_turns(struct grt_random *random, struct grt_device *device) {
    device->context_preemption = grt_pick(random, 0, 3);
    device->context_save = grt_pick(random, 0, 1);
    device->memory_bytes_per_second = GRT_SECOND * grt_pick(random, 1000, 1000000);
    device->context_switch = grt_pick(random, 0, 1) * grt_pick(random, 1, 15);
    device->time_slice = grt_pick(random, 1, 120);
    device->runlist_update = device->time_slice / 3 % 9;
    device->copy_runlist = grt_pick(random, 0, 1);
    device->copy_time_slice = grt_pick(random, 1, 60);
    device->copy_chunk = grt_pick(random, 0, 1) * grt_pick(random, 1, 20);
    device->hardware_queues = grt_pick(random, 0, 3);
    device->queue_model = grt_pick(random, 0, 2);
    device->queue_order = grt_pick(random, 0, 2);
}

static bool has_whole_kernel(const struct grt_task *task) {
    for (size_t i = 0; i < task->segment_count; i++) {
        for (size_t j = 0; j < task->segments[i].command_count; j++) {
            if (task->segments[i].commands[j].kernel.whole_device) {
                return true;
            }
        }
    }
    return false;
}

void grt_random_partition(struct grt_random *random, const struct grt_builder *builder,
                          struct grt_task *task) {
    static const int64_t numbers[] = {0, 1, 2, 3, 4, 5};
    const struct grt_device *device = &builder->gpus[task->gpu];
    int64_t tpcs = device->sm_count / device->sms_per_tpc, first = grt_pick(random, 0, tpcs - 1);
    if (!has_whole_kernel(task)) {
        task->tpcs = (struct grt_number_list){numbers + first, (size_t)grt_pick(random, 1, tpcs - first)};
    }
}

bool grt_random_world_ends(struct grt_builder *builder, uint64_t number) {
    static const grt_time times[] = {0, 10, 10, 70};
    struct grt_built_run run;
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        struct grt_task *task = &builder->tasks[i];
        if (task->arrival != GRT_ARRIVAL_AFTER) {
            grt_builder_times(builder, task, times, 4);
        }
        task->on_miss = task->on_miss == GRT_MISS_STOP ? GRT_MISS_ABORT : task->on_miss;
    }
    grt_built_run_start(&run, &builder->scenario, grt_policy_find("hardware"), false);
    bool good = true;
    for (size_t i = 0; run.result != NULL && i < run.result->task_count; i++) {
        good = good && run.result->tasks[i].unfinished == 0;
    }
    if (!good) {
        fprintf(stderr, "world %" PRIu64 ": a job never ends\n", number);
    }
    grt_built_run_free(&run);
    grt_builder_free(builder);
    return good;
}
