/* The names that a world gives to its trace: tasks, kernels, cores, streams, engines, SMs. */
#include <stdio.h>
#include <stdlib.h>

#include "models/world/internal.h"

struct names {
    struct grt_trace_name *items;
    uint32_t count, capacity;
    struct grt_arena arena;
};

static void add(struct names *names, struct grt_trace_name name) {
    names->items = grt_array_grow(names->items, &names->capacity, names->count + 1, sizeof *names->items);
    names->items[names->count++] = name;
}

static const char *numbered(struct names *names, const char *prefix, const char *what, size_t number) {
    char text[96];
    snprintf(text, sizeof text, "%s%s%zu", prefix, what, number);
    return grt_arena_text(&names->arena, text);
}

static const char *joined(struct names *names, const char *first, const char *second) {
    char text[128];
    snprintf(text, sizeof text, "%s%s", first, second);
    return grt_arena_text(&names->arena, text);
}

/* What a kernel's blocks launch. */
static void add_launches(struct names *names, const struct grt_gpu_kernel *kernel, uint32_t task) {
    for (uint32_t i = 0; i < kernel->launch_count; i++) {
        const struct grt_gpu_launch *launch = &kernel->launches[i];
        add(names,
            (struct grt_trace_name){GRT_NAME_KERNEL, task, grt_trace_segment(launch->place),
                                    grt_trace_command(launch->place), launch->kernel.threads, launch->name});
        add_launches(names, &launch->kernel, task);
    }
}

/* What a call is, for people. */
static const char *call_name(struct names *names, const struct grt_command_spec *call) {
    static const char *const words[GRT_COMMAND_KINDS] = {
        [GRT_COMMAND_RECORD] = "record",
        [GRT_COMMAND_WAIT] = "wait",
        [GRT_COMMAND_QUERY] = "query stream",
        [GRT_COMMAND_CALLBACK] = "callback",
        [GRT_COMMAND_SYNCHRONIZE] = "synchronize stream",
        [GRT_COMMAND_SYNCHRONIZE_DEVICE] = "synchronize device",
        [GRT_COMMAND_MALLOC] = "malloc",
        [GRT_COMMAND_MALLOC_HOST] = "malloc_host",
        [GRT_COMMAND_FREE] = "free",
        [GRT_COMMAND_MEMSET] = "memset",
        [GRT_COMMAND_D2D] = "d2d",
    };
    if (call->event == NULL) {
        return words[call->kind];
    }
    char text[96];
    const char *word = call->kind == GRT_COMMAND_QUERY ? "query" : words[call->kind];
    snprintf(text, sizeof text, "%s %s", word, call->event);
    return grt_arena_text(&names->arena, text);
}

/* Kernels that have no blocks, on GPUs of granularity shares, have no threads. */
static void add_kernels(struct names *names, const struct task_run *task, uint32_t number, bool blocks) {
    for (size_t i = 0; i < task->spec->segment_count; i++) {
        const struct grt_segment *segment = &task->spec->segments[i];
        for (size_t j = 0; segment->kind == GRT_SEGMENT_GPU && j < segment->command_count; j++) {
            if (segment->commands[j].kind == GRT_COMMAND_KERNEL) {
                add(names, (struct grt_trace_name){GRT_NAME_KERNEL, number, (uint16_t)i, (uint16_t)j,
                                                   blocks ? task->commands[i][j].kernel->threads : 0,
                                                   segment->commands[j].kernel.name});
                add_launches(names, task->commands[i][j].kernel, number);
            } else if (grt_command_is_call(segment->commands[j].kind)) {
                add(names, (struct grt_trace_name){GRT_NAME_CALL, number, (uint16_t)i, (uint16_t)j, 0,
                                                   call_name(names, &segment->commands[j])});
            }
        }
    }
}

static const char *engine_name(const struct grt_device *device, uint32_t engine) {
    if (device->copy_engines < 2) {
        return "copy";
    }
    return engine == 0 ? "copy h2d" : "copy d2h";
}

static void add_gpu(struct names *names, const struct grt_world *world, size_t index, uint32_t *sm_row,
                    uint32_t *engine_row) {
    const struct grt_device *device = &world->scenario->gpus[index];
    char prefix[32] = "";
    if (world->scenario->gpu_count > 1) {
        snprintf(prefix, sizeof prefix, "gpu%zu ", index);
    }
    uint32_t engines = grt_device_engines(device);
    for (uint32_t i = 0; i < engines; i++) {
        char text[96];
        snprintf(text, sizeof text, "%s%s", prefix, engine_name(device, i));
        add(names, (struct grt_trace_name){GRT_NAME_ENGINE, (*engine_row)++, 0, 0, 0,
                                           grt_arena_text(&names->arena, text)});
    }
    for (uint32_t i = 0; i < device->sm_count && !grt_device_has_shares(device); i++) {
        add(names,
            (struct grt_trace_name){GRT_NAME_SM, (*sm_row)++, 0, 0, (uint32_t)device->max_threads_per_sm,
                                    numbered(names, prefix, "SM ", i)});
    }
}

/* Cores that are not of the platform, but some thread's or task's own, are named where threads of the policy have any. */
static void add_own_cores(struct names *names, const struct grt_world *world) {
    const struct grt_scenario *scenario = world->scenario;
    bool any = false;
    for (uint32_t i = 0; i < world->thread_count; i++) {
        any |= world->threads[i].own_core != UINT32_MAX;
    }
    for (uint32_t i = 0; i < scenario->task_count && any && scenario->core_count == 0; i++) {
        add(names, (struct grt_trace_name){GRT_NAME_CORE, i, 0, 0, 0,
                                           joined(names, "cpu of ", scenario->tasks[i].name)});
    }
    for (uint32_t i = 0; i < world->thread_count; i++) {
        const struct policy_thread *thread = &world->threads[i];
        if (thread->own_core != UINT32_MAX) {
            add(names, (struct grt_trace_name){GRT_NAME_CORE, thread->own_core, 0, 0, 0,
                                               joined(names, "cpu of ", thread->name)});
        }
    }
}

static void add_cores(struct names *names, const struct grt_world *world) {
    for (uint32_t i = 0; i < world->scenario->core_count; i++) {
        add(names, (struct grt_trace_name){GRT_NAME_CORE, i, 0, 0, 0, numbered(names, "", "cpu ", i)});
    }
    add_own_cores(names, world);
}

static bool has_host_parts(const struct grt_scenario *scenario) {
    for (size_t i = 0; i < scenario->task_count; i++) {
        for (size_t j = 0; j < scenario->tasks[i].segment_count; j++) {
            if (grt_segment_has_host_parts(&scenario->tasks[i].segments[j])) {
                return true;
            }
        }
    }
    return false;
}

/* Whether processes take turns on some GPU. */
static bool any_turns(const struct grt_world *world) {
    bool any = false;
    for (size_t i = 0; i < world->scenario->gpu_count; i++) {
        any = any || grt_gpu_takes_turns(world->gpus[i]);
    }
    return any;
}

void world_trace_names(struct grt_world *world) {
    struct names names = {0};
    const struct grt_scenario *scenario = world->scenario;
    uint32_t sm_row = 0, engine_row = 0;
    add(&names, (struct grt_trace_name){
                    .kind = GRT_NAME_RUN, .weight = has_host_parts(scenario), .text = scenario->name});
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        add(&names,
            (struct grt_trace_name){.kind = GRT_NAME_TASK, .index = i, .text = scenario->tasks[i].name});
        add_kernels(&names, &world->tasks[i], i,
                    !grt_device_has_shares(&scenario->gpus[scenario->tasks[i].gpu]));
    }
    add_cores(&names, world);
    for (uint32_t i = 0; any_turns(world) && i < world->process_count; i++) {
        char prefix[32] = "";
        if (scenario->gpu_count > 1) {
            snprintf(prefix, sizeof prefix, "gpu%u ", world->processes[i].gpu);
        }
        char text[128];
        snprintf(text, sizeof text, "%s%s", prefix, world->processes[i].name);
        add(&names, (struct grt_trace_name){
                        .kind = GRT_NAME_CONTEXT, .index = i, .text = grt_arena_text(&names.arena, text)});
    }
    for (uint32_t i = 0; i < world->stream_count; i++) {
        bool turns = grt_gpu_takes_turns(world->gpus[world->streams[i].gpu]);
        add(&names, (struct grt_trace_name){.kind = GRT_NAME_STREAM,
                                            .index = i,
                                            .weight = turns ? 1 + world->streams[i].process : 0,
                                            .text = world->streams[i].name});
    }
    for (uint32_t i = 0; i < world->name_count; i++) {
        const struct policy_name *name = &world->names[i];
        add(&names, (struct grt_trace_name){.kind = name->kind, .index = name->index, .text = name->text});
        if (name->kind == GRT_NAME_LABEL &&
            world->policy->gpu_call_done != NULL) { /* calls of its own have it */
            add(&names,
                (struct grt_trace_name){GRT_NAME_CALL, GRT_TRACE_NO_TASK, grt_trace_segment(name->index),
                                        grt_trace_command(name->index), 0, name->text});
        }
    }
    for (uint32_t i = 0; i < world->thread_count; i++) {
        add(&names,
            (struct grt_trace_name){.kind = GRT_NAME_THREAD, .index = i, .text = world->threads[i].name});
    }
    for (size_t i = 0; i < scenario->gpu_count; i++) {
        add_gpu(&names, world, i, &sm_row, &engine_row);
    }
    grt_trace_names(world->trace, names.items, names.count);
    free(names.items);
    grt_arena_clear(&names.arena);
}
