/* How kernels of a scenario are executed: by spinning blocks that need as much of an SM, or by measuring kernels. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "calib/replay/internal.h"

enum { NOTE_SIZE = 512 };

/* A read over PCIe takes 1 to 2 us, and more where many wait. */
#define SHORT_BLOCK (5 * GRT_MICROSECOND)

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

/* Whether each block has a time of its own. */
static bool has_own_times(const struct grt_kernel *kernel) {
    return !kernel->whole_device && kernel->draw_per == GRT_DRAW_PER_BLOCK &&
           !grt_distribution_is_constant(&kernel->block_time);
}

/* What a spinning kernel cannot imitate, because it touches no memory but for what it is told. */
static void note_what_is_lost(struct replay_run *run, const struct grt_kernel *kernel) {
    if (kernel->bandwidth > 0) {
        replay_note(run->out, "kernel \"%s\": spinning blocks draw no memory bandwidth", kernel->name);
    }
    if (has_own_times(kernel) && kernel->block_time.min < SHORT_BLOCK &&
        grt_bench_device(run->bench)->integrated == 0) {
        replay_note(run->out,
                    "kernel \"%s\": each block reads how long it takes from the host's memory: those of less "
                    "than a few "
                    "microseconds take as long as that does",
                    kernel->name);
    }
    if (run->options->scenario->gpus[0].slowdowns.count > 0) {
        replay_note(run->out,
                    "kernel \"%s\": spinning blocks take as long as they are told, whatever runs beside them",
                    kernel->name);
    }
}

/* Spinning blocks of as many threads and as much shared memory; what registers they need is seen to when all are known. */
static bool imitate_needs(struct replay_run *run, const struct grt_kernel *kernel, uint32_t stream,
                          struct imitation *imitation) {
    const struct grt_bench_device *real = grt_bench_device(run->bench);
    int64_t own = grt_bench_kernel(run->bench, imitation->id)->shared_bytes;
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
    }
    run->residents[run->resident_count++] = (struct resident){kernel, imitation, stream};
    return grt_bench_occupancy(run->bench, imitation->id, imitation->threads, imitation->shared_bytes) > 0;
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
static const char *imitate_kernel(struct replay_run *run, const struct grt_kernel *kernel, uint32_t stream,
                                  struct imitation *imitation) {
    const struct grt_replay_real *real = find_real(run, kernel);
    if (real == NULL) {
        *imitation =
            (struct imitation){.id = has_own_times(kernel) ? GRT_KERNEL_SPIN_TABLE : GRT_KERNEL_SPIN_NS};
        note_what_is_lost(run, kernel);
        return imitate_needs(run, kernel, stream, imitation) ? NULL : "such a block fits on no SM";
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

static void imitate_segment(struct replay_run *run, const struct grt_segment *segment, uint32_t stream,
                            struct imitation *imitations, const struct grt_path *path) {
    struct grt_path gpu = {path, "gpu", 0}, command = {&gpu, NULL, 0};
    for (; segment->kind == GRT_SEGMENT_GPU && command.index < segment->command_count; command.index++) {
        const struct grt_command_spec *spec = &segment->commands[command.index];
        const char *why = spec->kind == GRT_COMMAND_KERNEL
                              ? imitate_kernel(run, &spec->kernel, stream, &imitations[command.index])
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

/* The first task of those that share a task's stream. */
static uint32_t stream_of(const struct grt_scenario *scenario, size_t task) {
    const char *name = scenario->tasks[task].stream;
    for (size_t i = 0; name != NULL && i < task; i++) {
        if (scenario->tasks[i].stream != NULL && strcmp(scenario->tasks[i].stream, name) == 0) {
            return (uint32_t)i;
        }
    }
    return (uint32_t)task;
}

static size_t count_commands(const struct grt_scenario *scenario) {
    size_t count = 0;
    for (size_t i = 0; i < scenario->task_count; i++) {
        for (size_t j = 0; j < scenario->tasks[i].segment_count; j++) {
            count += scenario->tasks[i].segments[j].command_count;
        }
    }
    return count;
}

static void imitate_task(struct replay_run *run, size_t number, const struct grt_path *path) {
    const struct grt_task *task = &run->options->scenario->tasks[number];
    uint32_t stream = stream_of(run->options->scenario, number);
    struct grt_path segments = {path, "segments", 0}, segment = {&segments, NULL, 0};
    run->imitations[number] = grt_arena_array(&run->arena, task->segment_count, sizeof **run->imitations);
    for (; segment.index < task->segment_count; segment.index++) {
        const struct grt_segment *spec = &task->segments[segment.index];
        struct imitation *imitations = grt_arena_array(&run->arena, spec->command_count, sizeof *imitations);
        run->imitations[number][segment.index] = imitations;
        imitate_segment(run, spec, stream, imitations, &segment);
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
    run->residents = grt_arena_array(&run->arena, count_commands(scenario), sizeof *run->residents);
    for (; task.index < scenario->task_count; task.index++) {
        imitate_task(run, task.index, &task);
    }
    if (run->errors->count > before || grt_bench_is_lost(run->bench)) {
        return false;
    }
    replay_suit_residency(run);
    return !grt_bench_is_lost(run->bench);
}
