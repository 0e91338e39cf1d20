#include "calib/program/import/nsys_scenario.h"

#include <string.h>

#include "calib/program/import/kernel_name.h"
#include "calib/program/import/measured.h"
#include "calib/program/import/median.h"
#include "models/occupancy.h"
#include "models/priority.h"
#include "policies/registry.h"
#include "scenarios/scenario_write.h"

enum { USUAL_VALUES = 1000 };

/* A task is periodic where nine tenths of its gaps are within this part of their median. */
static const double most_spread = 0.1;

struct maker {
    const struct grt_nsys *profile;
    const struct grt_nsys_tasks *tasks;
    const struct grt_nsys_scenario_options *options;
    struct grt_nsys_scenario *out;
    struct grt_errors *warnings, *errors;
    size_t most_values;
};

static const struct grt_nsys_operation *operation_of(const struct grt_nsys_task *task, size_t job,
                                                     size_t place) {
    return task->operations[job * task->length + place];
}

/* ---- commands ---- */

/* How often a kernel fills all SMs: its blocks, by how many run at a time. */
static int64_t waves_of(struct maker *maker, const struct grt_nsys_operation *kernel,
                        const struct grt_block_needs *needs) {
    const struct grt_device *device = maker->options->device;
    struct grt_occupancy occupancy = grt_occupancy_of(device, needs);
    if (occupancy.refusal != NULL) {
        grt_error_add(maker->errors, NULL,
                      "kernel %.80s cannot run on %s: %s; is that the device of the profile?", kernel->name,
                      device->name, occupancy.refusal);
        return 1;
    }
    int64_t at_a_time = device->sm_count * occupancy.blocks_per_sm;
    return (kernel->blocks + at_a_time - 1) / at_a_time;
}

/* What a kernel took is told of all of it; its blocks are taken as equally long, and one launch as one draw. */
static void set_kernel(struct maker *maker, const struct grt_nsys_task *task, size_t place,
                       struct grt_command_spec *command) {
    const struct grt_nsys_operation *like = operation_of(task, 0, place);
    grt_time *times = grt_arena_array(&maker->out->arena, task->job_count, sizeof times[0]);
    struct grt_kernel *kernel = &command->kernel;
    kernel->name = grt_kernel_name(&maker->out->arena, like->name);
    kernel->blocks = like->blocks;
    kernel->needs = (struct grt_block_needs){
        .threads = like->threads,
        .registers_per_thread = like->registers,
        .shared_memory = like->shared_bytes,
        .shared_memory_opt_in = like->shared_bytes > maker->options->device->shared_memory_per_block};
    int64_t waves = waves_of(maker, like, &kernel->needs);
    for (size_t job = 0; job < task->job_count; job++) {
        const struct grt_nsys_operation *operation = operation_of(task, job, place);
        grt_time time = (operation->end - operation->start + waves - 1) / waves;
        times[job] = time > 0 ? time : 1;
    }
    kernel->block_time = grt_measured_spans(times, task->job_count, maker->most_values, &maker->out->arena);
    bool constant = grt_distribution_is_constant(&kernel->block_time);
    kernel->draw_per = constant ? GRT_DRAW_PER_BLOCK : GRT_DRAW_PER_KERNEL;
}

static void set_command(struct maker *maker, const struct grt_nsys_task *task, size_t place,
                        struct grt_command_spec *command) {
    const struct grt_nsys_operation *like = operation_of(task, 0, place);
    if (like->kind == GRT_NSYS_KERNEL) {
        command->kind = GRT_COMMAND_KERNEL;
        set_kernel(maker, task, place, command);
        return;
    }
    command->kind = like->kind == GRT_NSYS_H2D ? GRT_COMMAND_H2D : GRT_COMMAND_D2H;
    command->bytes = like->bytes;
    command->pageable = like->pageable;
    command->sync = like->synchronous || like->pageable;
}

/* ---- segments ---- */

/* How long the thread took between the end of an operation, or the job's arrival, and its call for the next one; 0 where it called before. */
static grt_time pause_before(const struct grt_nsys_task *task, size_t job, size_t place) {
    const struct grt_nsys_operation *next = operation_of(task, job, place);
    grt_time from = place > 0 ? operation_of(task, job, place - 1)->end : task->arrivals[job];
    return next->called && next->call_start > from ? next->call_start - from : 0;
}

/* Whether the host was what the GPU waited for, most of the times. */
static bool host_is_between(const struct grt_nsys_task *task, size_t place) {
    size_t count = 0;
    for (size_t job = 0; job < task->job_count; job++) {
        count += pause_before(task, job, place) > 0;
    }
    return 2 * count > task->job_count;
}

static struct grt_distribution pause_time(struct maker *maker, const struct grt_nsys_task *task,
                                          size_t place) {
    grt_time *times = grt_arena_array(&maker->out->arena, task->job_count, sizeof times[0]);
    for (size_t job = 0; job < task->job_count; job++) {
        grt_time time = pause_before(task, job, place);
        times[job] = time > 0 ? time : 1;
    }
    return grt_measured_spans(times, task->job_count, maker->most_values, &maker->out->arena);
}

static void set_segments(struct maker *maker, const struct grt_nsys_task *from, struct grt_task *task) {
    struct grt_command_spec *commands = grt_arena_array(&maker->out->arena, from->length, sizeof commands[0]);
    struct grt_segment *segments = grt_arena_array(&maker->out->arena, 2 * from->length, sizeof segments[0]);
    size_t count = 0;
    for (size_t place = 0; place < from->length; place++) {
        set_command(maker, from, place, &commands[place]);
        bool room = count + 2 < GRT_MAX_SEGMENTS;
        if (room && host_is_between(from, place)) {
            segments[count++] =
                (struct grt_segment){.kind = GRT_SEGMENT_CPU, .cpu_time = pause_time(maker, from, place)};
        }
        if (count == 0 || segments[count - 1].kind == GRT_SEGMENT_CPU) {
            segments[count++] = (struct grt_segment){.kind = GRT_SEGMENT_GPU, .commands = &commands[place]};
        }
        segments[count - 1].command_count++;
    }
    task->segments = segments;
    task->segment_count = count;
}

static grt_time host_time(struct maker *maker, const struct grt_nsys_task *task) {
    grt_time *times = grt_arena_array(&maker->out->arena, task->job_count, sizeof times[0]);
    for (size_t job = 0; job < task->job_count; job++) {
        for (size_t place = 0; place < task->length; place++) {
            times[job] += pause_before(task, job, place);
        }
    }
    return grt_median_time(times, task->job_count);
}

/* ---- arrivals ---- */

static const struct grt_nsys_period *given_period(const struct maker *maker, const char *name) {
    for (size_t i = 0; i < maker->options->period_count; i++) {
        if (strcmp(maker->options->periods[i].task, name) == 0) {
            return &maker->options->periods[i];
        }
    }
    return NULL;
}

/* Gaps that are no gaps, since two jobs came at once, are 1 ns. */
static grt_time *gaps_of(struct maker *maker, const struct grt_nsys_task *task) {
    grt_time *gaps = grt_arena_array(&maker->out->arena, task->job_count, sizeof gaps[0]);
    for (size_t job = 1; job < task->job_count; job++) {
        grt_time gap = task->arrivals[job] - task->arrivals[job - 1];
        gaps[job - 1] = gap > 0 ? gap : 1;
    }
    return gaps;
}

static void set_sporadic(struct maker *maker, grt_time *gaps, size_t count, struct grt_task *task) {
    char shortest[GRT_TIME_TEXT_SIZE], longest[GRT_TIME_TEXT_SIZE];
    task->arrival = GRT_ARRIVAL_SPORADIC;
    task->period = task->deadline = gaps[0];
    grt_error_add(
        maker->warnings, NULL,
        "%s: is not periodic: gaps from %s to %s; it becomes sporadic, with these gaps (or give its period)",
        task->name, grt_time_text(gaps[0], shortest), grt_time_text(gaps[count - 1], longest));
    grt_time least = gaps[0];
    for (size_t i = 0; i < count; i++) {
        gaps[i] -= least;
    }
    task->extra_gap = grt_measured_spans(gaps, count, maker->most_values, &maker->out->arena);
}

static void set_arrival(struct maker *maker, const struct grt_nsys_task *from, struct grt_task *task,
                        struct grt_nsys_rhythm *rhythm) {
    const struct grt_nsys_period *given = given_period(maker, from->name);
    size_t count = from->job_count - 1;
    grt_time *gaps = gaps_of(maker, from);
    task->offset = from->arrivals[0] - maker->tasks->start;
    if (count > 0) {
        rhythm->median = grt_median_time(gaps, count); /* in ascending order from here on */
        rhythm->low = gaps[count / 20];
        rhythm->high = gaps[count - 1 - count / 20];
    }
    rhythm->given = given != NULL;
    rhythm->periodic =
        count > 0 && (double)(rhythm->high - rhythm->low) <= most_spread * (double)rhythm->median;
    if (given != NULL || rhythm->periodic) {
        task->arrival = GRT_ARRIVAL_PERIODIC;
        task->period = task->deadline = given != NULL ? given->period : rhythm->median;
    } else if (count > 0) {
        set_sporadic(maker, gaps, count, task);
    } else {
        grt_time *time = grt_arena_new(&maker->out->arena, grt_time);
        *time = task->offset;
        task->arrival = GRT_ARRIVAL_TIMES;
        task->times = time;
        task->time_count = 1;
        task->offset = 0;
        task->deadline = GRT_TIME_NEVER;
    }
}

/* ---- tasks ---- */

/* Numbers of processes are those of the system in their lower 24 bits. */
static int64_t priority_of(const struct maker *maker, const struct grt_nsys_stream *stream) {
    enum { PROCESS_MASK = 0xffffff };
    for (size_t i = 0; i < maker->profile->priority_count; i++) {
        const struct grt_nsys_priority *priority = &maker->profile->priorities[i];
        bool same_process = priority->stream.process == 0 ||
                            ((priority->stream.process ^ stream->process) & PROCESS_MASK) == 0;
        if (same_process && priority->stream.stream == stream->stream &&
            (priority->stream.context == 0 || priority->stream.context == stream->context)) {
            int64_t least = 1 - maker->options->device->priority_levels;
            return priority->priority > 0 ? 0 : priority->priority < least ? least : priority->priority;
        }
    }
    return 0;
}

/* The first task of a stream gives it its name. */
static const char *stream_name(struct maker *maker, size_t task) {
    const struct grt_nsys_task *items = maker->tasks->items;
    const struct grt_nsys_stream *stream = &items[task].stream;
    size_t first = 0;
    while (memcmp(&items[first].stream, stream, sizeof *stream) != 0) {
        first++;
    }
    char *name = grt_arena_array(&maker->out->arena, 32, 1);
    bool unique = true; /* other processes and contexts have the same numbers */
    for (size_t i = 0; i < first; i++) {
        unique = unique && items[i].stream.stream != stream->stream;
    }
    snprintf(name, 32, unique ? "s%lld" : "s%lld-%zu", (long long)stream->stream, first);
    return name;
}

static void check_periods(struct maker *maker) {
    for (size_t i = 0; i < maker->options->period_count; i++) {
        const struct grt_nsys_period *period = &maker->options->periods[i];
        size_t task = 0;
        while (task < maker->tasks->count && strcmp(maker->tasks->items[task].name, period->task) != 0) {
            task++;
        }
        if (task == maker->tasks->count) {
            grt_error_add(maker->errors, NULL, "there is no task \"%.64s\", whose period was given",
                          period->task);
        }
    }
}

static void set_task(struct maker *maker, size_t number, struct grt_task *task) {
    const struct grt_nsys_task *from = &maker->tasks->items[number];
    struct grt_nsys_rhythm *rhythm = &maker->out->rhythms[number];
    *task = (struct grt_task){.name = from->name,
                              .cpu = -1,
                              .stream = stream_name(maker, number),
                              .stream_priority = priority_of(maker, &from->stream)};
    set_arrival(maker, from, task, rhythm);
    set_segments(maker, from, task);
    rhythm->host = host_time(maker, from);
}

bool grt_nsys_scenario_make(const struct grt_nsys *profile, const struct grt_nsys_tasks *tasks,
                            const struct grt_nsys_scenario_options *options, struct grt_nsys_scenario *out,
                            struct grt_errors *warnings, struct grt_errors *errors) {
    size_t before = errors->count;
    *out = (struct grt_nsys_scenario){0};
    struct maker maker = {.profile = profile,
                          .tasks = tasks,
                          .options = options,
                          .out = out,
                          .warnings = warnings,
                          .errors = errors,
                          .most_values = options->most_values > 1 ? options->most_values : USUAL_VALUES};
    struct grt_task *list = grt_arena_array(&out->arena, tasks->count, sizeof list[0]);
    out->rhythms = grt_arena_array(&out->arena, tasks->count, sizeof out->rhythms[0]);
    if (tasks->count > GRT_MAX_TASKS) {
        grt_error_add(errors, NULL, "there are %zu tasks; a scenario has %d at most", tasks->count,
                      GRT_MAX_TASKS);
    }
    check_periods(&maker);
    grt_nsys_check_copies(tasks, options->device, warnings);
    for (size_t i = 0; i < tasks->count && errors->count == before; i++) {
        set_task(&maker, i, &list[i]);
    }
    if (errors->count > before) {
        grt_nsys_scenario_free(out);
        return false;
    }
    grt_priorities_set(list, tasks->count, grt_rate_key);
    out->scenario = (struct grt_scenario){.name = options->name,
                                          .seed = 1,
                                          .horizon_kind = GRT_HORIZON_FIXED,
                                          .horizon = tasks->end - tasks->start,
                                          .gpus = options->device,
                                          .gpu_count = 1,
                                          .tasks = list,
                                          .task_count = tasks->count};
    out->scenario.horizon = out->scenario.horizon > 0 ? out->scenario.horizon : 1;
    return true;
}

void grt_nsys_scenario_free(struct grt_nsys_scenario *scenario) {
    grt_arena_clear(&scenario->arena);
    *scenario = (struct grt_nsys_scenario){0};
}

bool grt_nsys_scenario_write(const struct grt_nsys_scenario *scenario, const char *description, FILE *out,
                             struct grt_errors *errors) {
    const struct grt_scenario_content content = {
        .scenario = &scenario->scenario, .policy = grt_policy_find("hardware"), .description = description};
    return grt_scenario_write(out, &content, errors);
}
