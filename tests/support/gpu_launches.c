#include "tests/support/gpu_launches.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the reading stands: the launches of each task's present segment. */
struct reader {
    struct grt_launches *all;
    uint32_t first[GRT_BUILDER_TASKS], count[GRT_BUILDER_TASKS], ended[GRT_BUILDER_TASKS];
};

static bool wrong(const struct grt_trace_record *record, const char *sentence) {
    fprintf(stderr, "at %" PRId64 ", task %u job %u kind %u: %s\n", record->time, record->task, record->job,
            record->kind, sentence);
    return false;
}

/* ---- the commands of a request ---- */

static uint32_t stream_of(const struct grt_scenario *scenario, uint32_t task) {
    const struct grt_task *own = &scenario->tasks[task];
    for (uint32_t i = 0; i < task && own->stream != NULL; i++) {
        const struct grt_task *other = &scenario->tasks[i];
        if (other->gpu == own->gpu && other->process == own->process && other->stream != NULL &&
            strcmp(other->stream, own->stream) == 0) {
            return i;
        }
    }
    return task;
}

static uint32_t level_of(const struct grt_scenario *scenario, const struct grt_launch *launch) {
    int64_t lowest = scenario->gpus[launch->gpu].priority_levels - 1;
    int64_t priority = launch->is_null ? 0 : scenario->tasks[launch->task].stream_priority;
    return (uint32_t)(priority < -lowest ? 0 : lowest + priority);
}

static uint32_t engines_of(const struct grt_device *device) {
    return device->copy_engines >= 2 ? 2 : 1;
}

static uint32_t engine_of(const struct grt_scenario *scenario, const struct grt_launch *launch) {
    uint32_t row = 0;
    for (uint32_t gpu = 0; gpu < launch->gpu; gpu++) {
        row += engines_of(&scenario->gpus[gpu]);
    }
    bool second = engines_of(&scenario->gpus[launch->gpu]) == 2 && launch->kind == GRT_COMMAND_D2H;
    return row + second;
}

static void add_launch(struct grt_launches *all, const struct grt_trace_record *request, uint32_t command) {
    const struct grt_task *task = &all->scenario->tasks[request->task];
    const struct grt_command_spec *spec = &task->segments[request->detail].commands[command];
    all->launches =
        grt_array_grow(all->launches, &all->launch_capacity, all->launch_count + 1, sizeof *all->launches);
    struct grt_launch *launch = &all->launches[all->launch_count++];
    *launch = (struct grt_launch){
        .task = request->task,
        .job = request->job,
        .segment = request->detail,
        .command = command,
        .kind = (enum grt_command_kind)spec->kind,
        .gpu = (uint32_t)task->gpu,
        .process = task->process,
        .stream = stream_of(all->scenario, request->task),
        .is_null = task->stream != NULL && strcmp(task->stream, "null") == 0,
        .bytes = spec->bytes,
        .submitted = request->time,
        .aborted = GRT_TIME_NEVER,
        .start = GRT_TIME_NEVER,
        .end = GRT_TIME_NEVER,
        .first_start = GRT_TIME_NEVER,
        .last_start = GRT_TIME_NEVER,
        .left_queue = GRT_TIME_NEVER,
        .gone = GRT_TIME_NEVER,
    };
    launch->level = level_of(all->scenario, launch);
    if (launch->kind == GRT_COMMAND_KERNEL) {
        launch->kernel = &spec->kernel;
        grt_gpu_kernel_prepare(&all->scenario->gpus[launch->gpu], &spec->kernel, &launch->charges);
        launch->blocks = launch->charges.blocks;
    } else {
        launch->engine = engine_of(all->scenario, launch);
    }
}

static void read_request(struct reader *reader, const struct grt_trace_record *record) {
    uint32_t task = record->task;
    reader->first[task] = reader->all->launch_count;
    reader->ended[task] = 0;
    reader->count[task] = (uint32_t)reader->all->scenario->tasks[task].segments[record->detail].command_count;
    for (uint32_t i = 0; i < reader->count[task]; i++) {
        add_launch(reader->all, record, i);
    }
}

/* ---- what became of them ---- */

static struct grt_launch *present(struct reader *reader, const struct grt_trace_record *record) {
    uint32_t task = record->task;
    if (reader->ended[task] >= reader->count[task]) {
        return NULL;
    }
    struct grt_launch *launch = &reader->all->launches[reader->first[task] + reader->ended[task]];
    return launch->job == record->job ? launch : NULL;
}

static bool read_block(struct reader *reader, const struct grt_trace_record *record) {
    struct grt_launches *all = reader->all;
    struct grt_launch *launch = present(reader, record);
    if (launch == NULL || launch->kind != GRT_COMMAND_KERNEL) {
        return wrong(record, "a block of a job that has no kernel on the device");
    }
    all->blocks =
        grt_array_grow(all->blocks, &all->block_capacity, all->block_count + 1, sizeof *all->blocks);
    all->blocks[all->block_count++] = (struct grt_seen_block){
        .launch = (uint32_t)(launch - all->launches),
        .index = record->detail,
        .sm = record->row,
        .start = record->other,
        .end = record->flags & GRT_TRACE_OPEN ? GRT_TIME_NEVER : record->time,
    };
    bool first = launch->blocks_seen++ == 0;
    launch->first_start = first || record->other < launch->first_start ? record->other : launch->first_start;
    launch->last_start = first || record->other > launch->last_start ? record->other : launch->last_start;
    return true;
}

static bool read_end(struct reader *reader, const struct grt_trace_record *record) {
    struct grt_launch *launch = present(reader, record);
    bool copy = record->kind == GRT_TRACE_COPY;
    if (launch == NULL || grt_trace_place(launch->segment, launch->command) != record->detail ||
        copy != (launch->kind != GRT_COMMAND_KERNEL)) {
        return wrong(record, "not the command of the job that comes next");
    }
    if (copy && (launch->engine != record->row ||
                 ((record->flags & GRT_TRACE_D2H) != 0) != (launch->kind == GRT_COMMAND_D2H))) {
        return wrong(record, "a copy on the wrong engine");
    }
    launch->start = record->other;
    if (!(record->flags & GRT_TRACE_OPEN)) {
        launch->end = launch->gone = record->time;
    }
    reader->ended[record->task]++;
    return true;
}

/* The job is aborted: commands that have not begun vanish at once, and those of the same instant's request were never
 * submitted. Which have begun is known when the segment's last record has been read. */
static void read_abort(struct reader *reader, const struct grt_trace_record *record) {
    uint32_t task = record->task;
    for (uint32_t i = reader->ended[task]; i < reader->count[task]; i++) {
        struct grt_launch *launch = &reader->all->launches[reader->first[task] + i];
        if (launch->job == record->job) {
            launch->aborted = record->time;
            launch->dropped = launch->submitted == record->time;
        }
    }
}

static bool read_record(struct reader *reader, const struct grt_trace_record *record) {
    switch (record->kind) {
    case GRT_TRACE_GPU_REQUEST:
        read_request(reader, record);
        return true;
    case GRT_TRACE_BLOCK:
        return read_block(reader, record);
    case GRT_TRACE_KERNEL:
    case GRT_TRACE_COPY:
        return read_end(reader, record);
    case GRT_TRACE_GPU_SEGMENT:
        if (!(record->flags & (GRT_TRACE_ABORTED | GRT_TRACE_OPEN)) &&
            reader->ended[record->task] != reader->count[record->task]) {
            return wrong(record, "a segment that ended before its commands");
        }
        reader->count[record->task] = 0;
        return true;
    case GRT_TRACE_ABORT:
        read_abort(reader, record);
        return true;
    default:
        return true;
    }
}

/* ---- what follows from the rules ---- */

static void finish_launch(struct grt_launch *launch) {
    if (launch->aborted != GRT_TIME_NEVER && launch->start == GRT_TIME_NEVER) {
        launch->gone = launch->left_queue = launch->aborted;
    } else if (launch->kind == GRT_COMMAND_KERNEL && launch->blocks_seen == launch->blocks) {
        launch->left_queue = launch->last_start;
    } else if (launch->aborted != GRT_TIME_NEVER) {
        launch->left_queue = launch->aborted;
    }
}

/* Requests of one instant go to the device by task. Blocks keep pointing to their launches. */
static void sort(struct grt_launches *all) {
    uint32_t *new_place = grt_allocate((all->launch_count + 1) * sizeof *new_place);
    struct grt_launch *sorted = grt_allocate((all->launch_count + 1) * sizeof *sorted);
    for (uint32_t i = 0; i < all->launch_count; i++) {
        const struct grt_launch *launch = &all->launches[i];
        new_place[i] = 0;
        for (uint32_t j = 0; j < all->launch_count; j++) {
            const struct grt_launch *other = &all->launches[j];
            bool before = other->submitted != launch->submitted ? other->submitted < launch->submitted
                          : other->task != launch->task         ? other->task < launch->task
                                                                : j < i;
            new_place[i] += before;
        }
        sorted[new_place[i]] = *launch;
    }
    for (uint32_t i = 0; i < all->block_count; i++) {
        all->blocks[i].launch = new_place[all->blocks[i].launch];
    }
    free(all->launches);
    free(new_place);
    all->launches = sorted;
    all->launch_capacity = all->launch_count + 1;
}

static grt_time later(grt_time a, grt_time b) {
    return a > b ? a : b;
}

/* Whether `earlier`, launched before, keeps `launch` out of its queue until it is gone (G2, C1, N1, N2). */
static bool holds_back(const struct grt_launch *earlier, const struct grt_launch *launch) {
    return earlier->gpu == launch->gpu && earlier->process == launch->process &&
           (earlier->stream == launch->stream || earlier->is_null || launch->is_null);
}

/* When the calls that were made before in the stream are through; those of launches that were dropped by an abort are
 * not made, or broken off. */
static grt_time calls_made(const struct grt_launches *all, uint32_t number) {
    const struct grt_launch *launch = &all->launches[number];
    grt_time made = launch->submitted;
    for (uint32_t i = 0; i < number; i++) {
        const struct grt_launch *earlier = &all->launches[i];
        bool taken_back = earlier->start == GRT_TIME_NEVER && earlier->gone < earlier->arrival;
        if (earlier->gpu == launch->gpu && earlier->stream == launch->stream && !earlier->dropped) {
            made = later(made, taken_back ? earlier->gone : earlier->arrival);
        }
    }
    return made;
}

static void compute_entries(struct grt_launches *all) {
    for (uint32_t i = 0; i < all->launch_count; i++) {
        struct grt_launch *launch = &all->launches[i];
        grt_time overhead = all->scenario->gpus[launch->gpu].kernel_launch;
        if (launch->dropped) {
            continue;
        }
        launch->arrival = calls_made(all, i) + (launch->kind == GRT_COMMAND_KERNEL ? overhead : 0);
        launch->entered = launch->arrival;
        for (uint32_t j = 0; j < i; j++) {
            const struct grt_launch *earlier = &all->launches[j];
            if (!earlier->dropped && holds_back(earlier, launch)) {
                launch->entered = later(launch->entered, earlier->gone);
            }
        }
    }
}

bool grt_launches_read(struct grt_launches *all, const struct grt_scenario *scenario,
                       const struct grt_built_run *run) {
    struct reader reader = {.all = all};
    *all = (struct grt_launches){.scenario = scenario};
    for (size_t gpu = 0; gpu < scenario->gpu_count; gpu++) {
        all->first_sm[gpu + 1] = all->first_sm[gpu] + (uint32_t)scenario->gpus[gpu].sm_count;
    }
    for (size_t i = 0; i < run->kept.record_count; i++) {
        if (!read_record(&reader, &run->kept.records[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < all->launch_count; i++) {
        finish_launch(&all->launches[i]);
    }
    sort(all);
    compute_entries(all);
    return true;
}

void grt_launches_free(struct grt_launches *all) {
    free(all->launches);
    free(all->blocks);
    *all = (struct grt_launches){0};
}
