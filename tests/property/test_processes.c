/* labels: soak */
/* Random worlds whose tasks are in several processes, and what must hold whatever the turns are: a process's blocks
 * progress while it has the SMs and only then, limits hold within a process, and copies have an engine to themselves. */
#include <inttypes.h>
#include <stdio.h>

#include "policies/registry.h"
#include "sim/random.h"
#include "tests/support/pick.h"
#include "tests/support/random_world.h"
#include "tests/support/suite.h"

enum { PROCESSES = 3 };

static const struct grt_process processes[PROCESSES] = {
    {.name = "p"},
    {.name = "q", .spec = {.time_slice = 37, .interleave = GRT_INTERLEAVE_HIGH}},
    {.name = "r", .spec = {.interleave = GRT_INTERLEAVE_MEDIUM}},
};

/* The same, of which one is more urgent. */
static const struct grt_process ranked[PROCESSES] = {
    {.name = "p"}, {.name = "q", .spec = {.time_slice = 37, .priority = 1}}, {.name = "r"}};

static struct grt_builder *make_world(uint64_t number) {
    struct grt_builder *builder = grt_random_world(number);
    struct grt_random random = grt_random_stream(number, "processes", 0, 0);
    builder->scenario.processes = number % 5 == 0 ? ranked : processes;
    builder->scenario.process_count = PROCESSES;
    struct grt_random slots = grt_random_stream(number, "task-slots", 0, 0);
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        grt_random_turns(&random, &builder->gpus[i]);
        builder->gpus[i].task_slots = grt_pick(&slots, 0, 3);
    }
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        builder->tasks[i].process = grt_pick(&random, 0, PROCESSES - 1);
        if (builder->tasks[i].stream == NULL) {
            builder->tasks[i].stream_priority = -grt_pick(&random, 0, 2);
        }
    }
    for (size_t i = 0; number % 2 == 0 && i < builder->scenario.task_count; i++) {
        if (grt_pick(&random, 0, 2) > 0) {
            grt_random_partition(&random, builder, &builder->tasks[i]);
        }
    }
    grt_random_world_fix_times(builder); /* what a block must have had of the SMs is known */
    return builder;
}

/* ---- the trace ---- */

struct checks {
    const struct grt_scenario *scenario;
    const struct grt_built_run *run;
};

static bool fail(const struct grt_trace_record *record, const char *sentence) {
    fprintf(stderr, "at %" PRId64 ", task %u job %u kind %u: %s\n", record->time, record->task, record->job,
            record->kind, sentence);
    return false;
}

static const struct grt_task *task_of(const struct checks *checks, const struct grt_trace_record *record) {
    return &checks->scenario->tasks[record->task];
}

/* Contexts are made in the order in which the tasks bring up a process on a GPU. */
static uint32_t context_of(const struct checks *checks, uint32_t task) {
    const struct grt_task *tasks = checks->scenario->tasks;
    uint32_t contexts = 0;
    for (uint32_t i = 0; i <= task; i++) {
        uint32_t earlier = 0;
        while (tasks[earlier].gpu != tasks[i].gpu || tasks[earlier].process != tasks[i].process) {
            earlier++;
        }
        if (tasks[i].gpu == tasks[task].gpu && tasks[i].process == tasks[task].process) {
            return contexts;
        }
        contexts += earlier == i;
    }
    return contexts;
}

static bool is_shared(const struct checks *checks, int64_t gpu) {
    int64_t process = -1;
    for (size_t i = 0; i < checks->scenario->task_count; i++) {
        const struct grt_task *task = &checks->scenario->tasks[i];
        if (task->gpu == gpu && process >= 0 && task->process != process) {
            return true;
        }
        process = task->gpu == gpu ? task->process : process;
    }
    return false;
}

/* How long a context had the SMs of its GPU from one instant to another. */
static grt_time stayed(const struct checks *checks, uint32_t context, grt_time from, grt_time to) {
    grt_time sum = 0;
    for (size_t i = 0; i < checks->run->kept.record_count; i++) {
        const struct grt_trace_record *record = &checks->run->kept.records[i];
        if (record->kind == GRT_TRACE_CONTEXT && record->detail == context) {
            grt_time start = record->other > from ? record->other : from;
            grt_time end = record->time < to ? record->time : to;
            sum += end > start ? end - start : 0;
        }
    }
    return sum;
}

/* The kernel record of a block: the next of its task and job. */
static const struct grt_kernel *kernel_of(const struct checks *checks, size_t block) {
    const struct grt_trace_record *record = &checks->run->kept.records[block];
    for (size_t i = block; i < checks->run->kept.record_count; i++) {
        const struct grt_trace_record *other = &checks->run->kept.records[i];
        if (other->kind == GRT_TRACE_KERNEL && other->task == record->task && other->job == record->job) {
            const struct grt_task *task = task_of(checks, record);
            return &task->segments[grt_trace_segment(other->detail)]
                        .commands[grt_trace_command(other->detail)]
                        .kernel;
        }
    }
    return NULL;
}

/* A block takes its time of its process's stays; where it cannot be interrupted, one stay holds it whole. */
static bool block_progressed(const struct checks *checks, size_t index) {
    const struct grt_trace_record *record = &checks->run->kept.records[index];
    const struct grt_task *task = task_of(checks, record);
    const struct grt_kernel *kernel = kernel_of(checks, index);
    bool open = (record->flags & GRT_TRACE_OPEN) != 0;
    if (kernel == NULL) {
        return fail(record, "a block of no kernel");
    }
    grt_time had = is_shared(checks, task->gpu)
                       ? stayed(checks, context_of(checks, record->task), record->other, record->time)
                       : record->time - record->other;
    bool lost = (record->flags & GRT_TRACE_PREEMPTED) != 0;
    bool fits = open   ? had <= kernel->block_time.max
                : lost ? had < kernel->block_time.max
                       : had == kernel->block_time.max;
    if (!fits) {
        return fail(record, "a block that had more or less of the SMs than it takes");
    }
    bool whole = checks->scenario->gpus[task->gpu].context_preemption != GRT_CONTEXT_PREEMPTION_INSTRUCTION;
    return !whole || had == record->time - record->other || fail(record, "a block that was interrupted");
}

/* Every block of a kernel that ended ran to its end exactly once, however often it was thrown away before. */
static bool kernel_is_whole(const struct checks *checks, size_t index) {
    const struct grt_trace_record *record = &checks->run->kept.records[index];
    const struct grt_task *task = task_of(checks, record);
    const struct grt_kernel *kernel =
        &task->segments[grt_trace_segment(record->detail)].commands[grt_trace_command(record->detail)].kernel;
    int64_t blocks = kernel->whole_device ? checks->scenario->gpus[task->gpu].sm_count : kernel->blocks;
    uint64_t ended = 0;
    bool once = true;
    for (size_t i = index; i-- > 0;) {
        const struct grt_trace_record *other = &checks->run->kept.records[i];
        bool same_job = other->task == record->task && other->job == record->job;
        if (same_job && other->kind == GRT_TRACE_KERNEL) {
            break;
        }
        if (same_job && other->kind == GRT_TRACE_BLOCK && !(other->flags & GRT_TRACE_PREEMPTED)) {
            once = once && (ended >> other->detail & 1) == 0;
            ended |= UINT64_C(1) << other->detail;
        }
    }
    bool cut = (record->flags & (GRT_TRACE_ABORTED | GRT_TRACE_OPEN)) != 0;
    return (once && (cut || ended == (UINT64_C(1) << blocks) - 1)) ||
           fail(record, "a kernel whose blocks did not all end once");
}

/* Slices of one row, which come in the order of their ends, do not overlap. */
static bool goes_alone(grt_time *free_from, const struct grt_trace_record *record) {
    bool good = record->other >= free_from[record->row];
    free_from[record->row] = record->time;
    return good || fail(record, "two slices of one row overlap");
}

/* The threads of a process's blocks on an SM never exceed it, at the start of each. */
static bool has_room(const struct checks *checks, size_t index) {
    const struct grt_trace_record *block = &checks->run->kept.records[index];
    const struct grt_task *task = task_of(checks, block);
    const struct grt_device *device = &checks->scenario->gpus[task->gpu];
    int64_t blocks = 0;
    for (size_t i = 0; i < checks->run->kept.record_count; i++) {
        const struct grt_trace_record *other = &checks->run->kept.records[i];
        blocks += other->kind == GRT_TRACE_BLOCK && other->row == block->row &&
                  task_of(checks, other)->process == task->process && other->other <= block->other &&
                  (other->time > block->other || (other->flags & GRT_TRACE_OPEN));
    }
    return blocks <= device->max_blocks_per_sm || fail(block, "more blocks on an SM than it holds");
}

/* Q10: kernels of a process that have begun are never more than its task slots, at the start of each. */
static bool has_slot(const struct checks *checks, size_t index) {
    const struct grt_trace_record *kernel = &checks->run->kept.records[index];
    const struct grt_task *task = task_of(checks, kernel);
    int64_t slots = checks->scenario->gpus[task->gpu].task_slots, begun = 0;
    for (size_t i = 0; slots > 0 && i < checks->run->kept.record_count; i++) {
        const struct grt_trace_record *other = &checks->run->kept.records[i];
        begun += other->kind == GRT_TRACE_KERNEL && task_of(checks, other)->process == task->process &&
                 task_of(checks, other)->gpu == task->gpu && other->other <= kernel->other &&
                 (other->time > kernel->other || (other->flags & GRT_TRACE_OPEN));
    }
    return begun <= slots || fail(kernel, "more kernels have begun than there are task slots");
}

/* A block of a task that is kept to TPCs is on one of them. */
static bool is_in_partition(const struct checks *checks, const struct grt_trace_record *block) {
    const struct grt_task *task = task_of(checks, block);
    uint32_t first_row = 0;
    for (int64_t i = 0; i < task->gpu; i++) {
        first_row += (uint32_t)checks->scenario->gpus[i].sm_count;
    }
    int64_t tpc = (block->row - first_row) / checks->scenario->gpus[task->gpu].sms_per_tpc;
    for (size_t i = 0; i < task->tpcs.count; i++) {
        if (task->tpcs.items[i] == tpc) {
            return true;
        }
    }
    return task->tpcs.count == 0 || fail(block, "a block on another's TPC");
}

/* What a copy has had of its engine in all its stays is its time. */
static bool copy_is_whole(const struct checks *checks, size_t index) {
    const struct grt_trace_record *last = &checks->run->kept.records[index];
    const struct grt_task *task = task_of(checks, last);
    const struct grt_device *device = &checks->scenario->gpus[task->gpu];
    const struct grt_command_spec *copy =
        &task->segments[grt_trace_segment(last->detail)].commands[grt_trace_command(last->detail)];
    int64_t rate = last->flags & GRT_TRACE_D2H ? device->d2h_bytes_per_second : device->h2d_bytes_per_second;
    grt_time had = 0, moves = (copy->bytes * GRT_SECOND + rate - 1) / rate;
    for (size_t i = 0; i <= index; i++) {
        const struct grt_trace_record *record = &checks->run->kept.records[i];
        if (record->kind == GRT_TRACE_COPY && record->task == last->task && record->job == last->job &&
            record->detail == last->detail) {
            had += record->time - record->other;
        }
    }
    grt_time takes = device->copy_latency + (device->copy_engines > 0 ? moves : 0);
    return had == (takes > 0 ? takes : 1) ||
           fail(last, "a copy that had more or less of its engine than it takes");
}

static bool record_is_right(const struct checks *checks, size_t index, grt_time *engines, grt_time *gpus) {
    const struct grt_trace_record *record = &checks->run->kept.records[index];
    switch (record->kind) {
    case GRT_TRACE_BLOCK:
        return block_progressed(checks, index) && has_room(checks, index) && is_in_partition(checks, record);
    case GRT_TRACE_KERNEL:
        return kernel_is_whole(checks, index) && has_slot(checks, index);
    case GRT_TRACE_COPY:
        return goes_alone(engines, record) &&
               ((record->flags & (GRT_TRACE_PREEMPTED | GRT_TRACE_OPEN)) != 0 ||
                copy_is_whole(checks, index));
    case GRT_TRACE_CONTEXT:
        return goes_alone(gpus, record);
    default:
        return true;
    }
}

static bool trace_is_right(const struct checks *checks) {
    grt_time engines[2 * GRT_MAX_GPUS] = {0}, gpus[GRT_MAX_GPUS] = {0};
    for (size_t i = 0; i < checks->run->kept.record_count; i++) {
        if (!record_is_right(checks, i, engines, gpus)) {
            return false;
        }
    }
    return true;
}

/* ---- worlds ---- */

static bool world_is_right(uint64_t number) {
    struct grt_builder *builder = make_world(number);
    struct grt_built_run runs[2];
    for (int i = 0; i < 2; i++) {
        grt_built_run_start(&runs[i], &builder->scenario, grt_policy_find("hardware"), i == 1);
    }
    bool refused =
        runs[0].result == NULL; /* streams of one name and two priorities, kernels that do not fit */
    bool good = refused ? runs[1].result == NULL
                        : grt_built_traces_equal(&runs[0], &runs[1]) &&
                              grt_built_results_equal(runs[0].result, runs[1].result);
    struct checks checks = {&builder->scenario, &runs[0]};
    good = good && (refused || trace_is_right(&checks));
    if (!good) {
        fprintf(stderr, "world %" PRIu64 "\n", number);
    }
    grt_built_run_free(&runs[0]);
    grt_built_run_free(&runs[1]);
    grt_builder_free(builder);
    return good;
}

static void laws_hold_for_processes(void) {
    int cases = grt_suite_cases(400, 10000);
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        good = world_is_right(7000000 + (uint64_t)i);
    }
    CU_ASSERT(good);
}

/* ---- nothing is forgotten ---- */

/* Blocks that are thrown away may never end where they are longer than a turn: here turns are longer. */
static void lengthen_turns(struct grt_builder *builder) {
    static const struct grt_process plain[PROCESSES] = {{.name = "p"}, {.name = "q"}, {.name = "r"}};
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        if (builder->gpus[i].context_preemption == GRT_CONTEXT_PREEMPTION_RESET) {
            builder->gpus[i].time_slice = 200;
            builder->scenario.processes = plain;
        }
    }
}

/* A few jobs early in a long run: whatever the turns, queues and aborts, all come to an end. */
static bool everything_ends(uint64_t number) {
    struct grt_builder *builder = make_world(number);
    builder->scenario.horizon = 1000000;
    lengthen_turns(builder);
    return grt_random_world_ends(builder, number);
}

static void nothing_is_forgotten(void) {
    int cases = grt_suite_cases(1000, 20000);
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        good = everything_ends(8000000 + (uint64_t)i);
    }
    CU_ASSERT(good);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"laws hold for processes", laws_hold_for_processes},
        {"nothing is forgotten", nothing_is_forgotten},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("processes", tests);
}
