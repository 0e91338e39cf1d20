/* How kernels of a scenario are executed: by spinning blocks that need as much of an SM, or by measuring kernels. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "calib/replay/internal.h"

enum { NOTE_SIZE = 512 };

void replay_note(struct grt_replay *replay, const char *format, ...) {
    char text[NOTE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < replay->note_count; i++) {
        if (strcmp(replay->notes[i], text) == 0) {
            return;
        }
    }
    const char **notes = grt_arena_array(&replay->arena, replay->note_count + 1, sizeof *notes);
    for (size_t i = 0; i < replay->note_count; i++) {
        notes[i] = replay->notes[i];
    }
    notes[replay->note_count++] = grt_arena_text(&replay->arena, text);
    replay->notes = notes;
}

/* What a spinning kernel cannot imitate, because it touches no memory. */
static void note_what_is_lost(struct replay_run *run, const struct grt_kernel *kernel) {
    if (kernel->bandwidth > 0) {
        replay_note(run->out, "kernel \"%s\": spinning blocks draw no memory bandwidth", kernel->name);
    }
    if (run->options->scenario->gpus[0].slowdowns.count > 0) {
        replay_note(run->out,
                    "kernel \"%s\": spinning blocks take as long as they are told, whatever runs beside them",
                    kernel->name);
    }
}

static int occupancy(struct replay_run *run, const struct imitation *imitation) {
    return grt_bench_occupancy(run->bench, imitation->id, imitation->threads, imitation->shared_bytes);
}

/* The least dynamic shared memory with which no more than `wanted` blocks fit on an SM. */
static void pad(struct replay_run *run, struct imitation *imitation, int wanted) {
    const struct grt_bench_device *device = grt_bench_device(run->bench);
    int most = device->shared_memory_per_block_opt_in > 0 ? device->shared_memory_per_block_opt_in
                                                          : device->shared_memory_per_block;
    uint32_t low = imitation->shared_bytes;
    uint32_t own = (uint32_t)grt_bench_kernel(run->bench, imitation->id)->shared_bytes;
    uint32_t high = (uint32_t)most > own ? (uint32_t)most - own : 0;
    while (low < high) {
        struct imitation middle = *imitation;
        middle.shared_bytes = low + (high - low) / 2;
        if (occupancy(run, &middle) > wanted) {
            low = middle.shared_bytes + 1;
        } else {
            high = middle.shared_bytes;
        }
    }
    imitation->shared_bytes = low;
}

/* Spinning blocks of so many threads and so much shared memory, made larger until no more of them fit than of the scenario's. */
static bool imitate_needs(struct replay_run *run, const struct grt_kernel *kernel,
                          struct imitation *imitation) {
    const struct grt_device *device = &run->options->scenario->gpus[0];
    const struct grt_bench_device *real = grt_bench_device(run->bench);
    int64_t own = grt_bench_kernel(run->bench, imitation->id)->shared_bytes;
    int wanted = 1;
    if (kernel->whole_device) {
        imitation->threads = (uint32_t)real->max_threads_per_block;
        imitation->shared_bytes = 0;
        if (real->max_threads_per_block < real->max_threads_per_sm) {
            replay_note(run->out,
                        "kernel \"%s\": its blocks, which fill their SMs, are executed as blocks of %d "
                        "threads and as much "
                        "shared memory as there is, beside which blocks without any may find room",
                        kernel->name, real->max_threads_per_block);
        }
    } else {
        imitation->threads = (uint32_t)kernel->needs.threads;
        imitation->shared_bytes =
            kernel->needs.shared_memory > own ? (uint32_t)(kernel->needs.shared_memory - own) : 0;
        wanted = (int)grt_occupancy_of(device, &kernel->needs).blocks_per_sm;
    }
    int had = occupancy(run, imitation);
    if (had > wanted) {
        pad(run, imitation, wanted);
        if (!kernel->whole_device) {
            replay_note(run->out,
                        "kernel \"%s\": %d blocks fit on an SM, because of its registers; spinning blocks "
                        "use fewer, and "
                        "have %u bytes of shared memory instead",
                        kernel->name, wanted, imitation->shared_bytes);
        }
        had = occupancy(run, imitation);
    }
    if (had > 0 && had != wanted) {
        replay_note(run->out, "kernel \"%s\": %d blocks fit on an SM of the device, and %d in the scenario",
                    kernel->name, had, wanted);
    }
    return had > 0;
}

static const struct grt_replay_real *find_real(const struct replay_run *run,
                                               const struct grt_kernel *kernel) {
    for (size_t i = 0; i < run->options->real_count; i++) {
        if (strcmp(run->options->real[i].name, kernel->name) == 0) {
            return &run->options->real[i];
        }
    }
    return NULL;
}

/* Why the device cannot execute it; NULL: it can. */
static const char *imitate_kernel(struct replay_run *run, const struct grt_kernel *kernel,
                                  struct imitation *imitation) {
    const struct grt_replay_real *real = find_real(run, kernel);
    if (real == NULL) {
        bool own_times = !kernel->whole_device && kernel->draw_per == GRT_DRAW_PER_BLOCK &&
                         !grt_distribution_is_constant(&kernel->block_time);
        *imitation = (struct imitation){.id = own_times ? GRT_KERNEL_SPIN_TABLE : GRT_KERNEL_SPIN_NS};
        note_what_is_lost(run, kernel);
        return imitate_needs(run, kernel, imitation) ? NULL : "such a block fits on no SM";
    }
    const struct grt_kernel_kind *kind = &grt_kernel_kinds[real->kernel];
    *imitation = (struct imitation){.real = true, .id = real->kernel, .amount = real->amount};
    bool other_threads = kernel->whole_device || kernel->needs.threads != kind->threads;
    if (!kind->fixed_threads && !kernel->whole_device) {
        imitation->threads = (uint32_t)kernel->needs.threads;
    } else if (other_threads) {
        replay_note(run->out,
                    "kernel \"%s\": it is executed with %u threads a block, which its code relies on",
                    kernel->name, kind->threads);
    }
    struct grt_bench_launch launch = {.kernel = real->kernel,
                                      .amount = real->amount,
                                      .blocks = kernel->blocks > 0 ? (uint32_t)kernel->blocks : 1,
                                      .threads = imitation->threads};
    return grt_bench_launch_problem(run->bench, &launch);
}

static void imitate_segment(struct replay_run *run, const struct grt_segment *segment,
                            struct imitation *imitations, const struct grt_path *path) {
    struct grt_path gpu = {path, "gpu", 0}, command = {&gpu, NULL, 0};
    for (; segment->kind == GRT_SEGMENT_GPU && command.index < segment->command_count; command.index++) {
        const struct grt_command_spec *spec = &segment->commands[command.index];
        const char *why = spec->kind == GRT_COMMAND_KERNEL
                              ? imitate_kernel(run, &spec->kernel, &imitations[command.index])
                              : NULL;
        if (why != NULL && !grt_bench_is_lost(run->bench)) {
            grt_error_add(run->errors, &command, "the device cannot execute kernel \"%s\": %s",
                          spec->kernel.name, why);
        }
    }
}

/* Streams whose priorities the device does not tell apart, although the scenario's does. */
static void note_priorities(struct replay_run *run) {
    const struct grt_scenario *scenario = run->options->scenario;
    int most_urgent = grt_bench_device(run->bench)->priority_greatest;
    int64_t wanted = 0, of_scenario = 1 - scenario->gpus[0].priority_levels;
    for (size_t i = 0; i < scenario->task_count; i++) {
        int64_t priority = scenario->tasks[i].stream_priority;
        wanted = priority < wanted ? priority : wanted;
    }
    wanted = wanted < of_scenario ? of_scenario : wanted;
    if (wanted < most_urgent) {
        replay_note(run->out, "streams of priority %lld to %d are all of priority %d on the device",
                    (long long)wanted, most_urgent, most_urgent);
    }
}

bool replay_imitate(struct replay_run *run) {
    const struct grt_scenario *scenario = run->options->scenario;
    const struct grt_bench_device *real = grt_bench_device(run->bench);
    static const struct grt_path root = {0};
    struct grt_path tasks = {&root, "tasks", 0}, task = {&tasks, NULL, 0};
    size_t before = run->errors->count;
    if (real->sm_count != scenario->gpus[0].sm_count) {
        replay_note(run->out, "the device has %d SMs, and that of the scenario %lld", real->sm_count,
                    (long long)scenario->gpus[0].sm_count);
    }
    note_priorities(run);
    run->imitations = grt_arena_array(&run->arena, scenario->task_count, sizeof *run->imitations);
    for (; task.index < scenario->task_count; task.index++) {
        const struct grt_task *spec = &scenario->tasks[task.index];
        struct grt_path segments = {&task, "segments", 0}, segment = {&segments, NULL, 0};
        run->imitations[task.index] =
            grt_arena_array(&run->arena, spec->segment_count, sizeof **run->imitations);
        for (; segment.index < spec->segment_count; segment.index++) {
            struct imitation *imitations =
                grt_arena_array(&run->arena, spec->segments[segment.index].command_count, sizeof *imitations);
            run->imitations[task.index][segment.index] = imitations;
            imitate_segment(run, &spec->segments[segment.index], imitations, &segment);
        }
    }
    return run->errors->count == before && !grt_bench_is_lost(run->bench);
}
