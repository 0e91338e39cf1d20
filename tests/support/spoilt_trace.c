#include "tests/support/spoilt_trace.h"

#include <string.h>

#include "tests/support/pick.h"
#include "tests/support/spoil.h"

/* ---- about a record ---- */

static void repeat(struct grt_spoilt *spoilt, size_t index) {
    memmove(spoilt->records + index + 1, spoilt->records + index,
            (spoilt->count - index) * sizeof *spoilt->records);
    spoilt->count++;
}

static const struct grt_task *task_of(const struct grt_spoilt *spoilt, size_t index) {
    return &spoilt->builder->tasks[spoilt->records[index].task];
}

static grt_time time_before(const struct grt_spoilt *spoilt, size_t index) {
    return index > 0 ? spoilt->records[index - 1].time : spoilt->records[index].time;
}

/* The record before of the same kind and row, or NULL. */
static const struct grt_trace_record *before_on_row(const struct grt_spoilt *spoilt, size_t index) {
    const struct grt_trace_record *record = &spoilt->records[index];
    while (index-- > 0) {
        if (spoilt->records[index].kind == record->kind && spoilt->records[index].row == record->row) {
            return &spoilt->records[index];
        }
    }
    return NULL;
}

/* ---- time ---- */

CHOOSER(later_than_before, record->time > time_before(spoilt, index))
SPOIL(swap_records, later_than_before, {
    struct grt_trace_record other = *record;
    *record = spoilt->records[index - 1];
    spoilt->records[index - 1] = other;
})

CHOOSER(slice_before_end, record->kind == GRT_TRACE_KERNEL && record->time < spoilt->promise->end)
SPOIL(open_early, slice_before_end, record->flags |= GRT_TRACE_OPEN)

/* ---- jobs ---- */

CHOOSER(release, record->kind == GRT_TRACE_RELEASE)
SPOIL(renumber_job, release, record->job++)
SPOIL(drop_release, release, spoil_drop(spoilt, index))

/* A release of a sporadic task that comes too early at the instant of the record before it. */
static bool sporadic_release(const struct grt_spoilt *spoilt, size_t index) {
    const struct grt_trace_record *record = &spoilt->records[index];
    const struct grt_task *task = task_of(spoilt, index);
    if (record->kind != GRT_TRACE_RELEASE || task->arrival != GRT_ARRIVAL_SPORADIC || task->jitter > 0) {
        return false;
    }
    for (size_t i = index; i-- > 0;) {
        const struct grt_trace_record *earlier = &spoilt->records[i];
        bool comes = earlier->kind == GRT_TRACE_RELEASE || earlier->kind == GRT_TRACE_SKIP;
        if (comes && earlier->task == record->task) {
            return time_before(spoilt, index) - earlier->time < task->period;
        }
    }
    return false;
}
SPOIL(release_sporadic_early, sporadic_release, record->time = time_before(spoilt, index))

CHOOSER(periodic_release, record->kind == GRT_TRACE_RELEASE && record->time > time_before(spoilt, index) &&
                              task_of(spoilt, index)->arrival == GRT_ARRIVAL_PERIODIC &&
                              task_of(spoilt, index)->jitter == 0)
SPOIL(release_early, periodic_release, record->time = time_before(spoilt, index))

/* A release of a task with a relative clock that would be too late by an absolute one. */
static bool drifted_release(const struct grt_spoilt *spoilt, size_t index) {
    const struct grt_trace_record *record = &spoilt->records[index];
    const struct grt_task *task = task_of(spoilt, index);
    return record->kind == GRT_TRACE_RELEASE && grt_task_drifts(task) &&
           record->time > task->offset + (grt_time)record->job * task->period + task->jitter;
}
SPOIL(keep_step, drifted_release, spoilt->builder->tasks[record->task].clock = GRT_CLOCK_ABSOLUTE)

static bool is_predecessor(const struct grt_task *task, uint32_t number) {
    for (size_t i = 0; i < task->after_count; i++) {
        if (task->after[i] == number) {
            return true;
        }
    }
    return false;
}
CHOOSER(release_after, index > 0 && record->kind == GRT_TRACE_RELEASE &&
                           record[-1].kind == GRT_TRACE_FINISH && record[-1].job == record->job &&
                           is_predecessor(task_of(spoilt, index), record[-1].task))
SPOIL(release_before_predecessor, release_after, {
    struct grt_trace_record other = *record;
    *record = spoilt->records[index - 1];
    spoilt->records[index - 1] = other;
})

CHOOSER(release_with_deadline, record->kind == GRT_TRACE_RELEASE && record->other != GRT_TIME_NEVER)
SPOIL(move_deadline, release_with_deadline, record->other++)

CHOOSER(finish, record->kind == GRT_TRACE_FINISH)
SPOIL(finish_twice, finish, repeat(spoilt, index))
SPOIL(drop_finish, finish, spoil_drop(spoilt, index))
SPOIL(move_arrival, finish, record->other--)
SPOIL(turn_late, finish, record->flags ^= GRT_TRACE_LATE)

static bool is_missed_finish(const struct grt_spoilt *spoilt, size_t index) {
    const struct grt_trace_record *miss = &spoilt->records[index];
    if (miss->kind != GRT_TRACE_MISS) {
        return false;
    }
    for (size_t i = index; i < spoilt->count; i++) {
        const struct grt_trace_record *record = &spoilt->records[i];
        bool ended = record->kind == GRT_TRACE_FINISH || record->kind == GRT_TRACE_ABORT;
        if (ended && record->task == miss->task && record->job == miss->job) {
            return true;
        }
    }
    return false;
}
SPOIL(drop_miss, is_missed_finish, spoil_drop(spoilt, index))

CHOOSER(skip, record->kind == GRT_TRACE_SKIP)
SPOIL(release_skipped, skip, record->kind = GRT_TRACE_RELEASE)

/* ---- segments and cores ---- */

CHOOSER(request, record->kind == GRT_TRACE_GPU_REQUEST)
SPOIL(renumber_segment, request, record->detail++)
CHOOSER(segment_with_gap, record->kind == GRT_TRACE_GPU_SEGMENT && record->flags == 0 &&
                              index + 1 < spoilt->count && spoilt->records[index + 1].time > record->time)
SPOIL(end_segment_late, segment_with_gap, record->time++)

CHOOSER(cpu, record->kind == GRT_TRACE_CPU)
SPOIL(move_core, cpu, record->row++)
CHOOSER(cpu_behind, record->kind == GRT_TRACE_CPU && before_on_row(spoilt, index) != NULL &&
                        before_on_row(spoilt, index)->time == record->other)
SPOIL(overlap_threads, cpu_behind, record->other--)
CHOOSER(long_cpu, record->kind == GRT_TRACE_CPU && record->time - record->other > 1)
SPOIL(begin_cpu_late, long_cpu, record->other++)

static bool has(const struct grt_spoilt *spoilt, uint8_t kind, uint8_t flag) {
    for (size_t i = 0; i < spoilt->count; i++) {
        if (spoilt->records[i].kind == kind && (flag == 0 || (spoilt->records[i].flags & flag))) {
            return true;
        }
    }
    return false;
}

static bool reverse_priorities(struct grt_spoilt *spoilt) {
    for (size_t i = 0; i < spoilt->builder->scenario.task_count; i++) {
        spoilt->builder->tasks[i].priority *= -1;
    }
    return has(spoilt, GRT_TRACE_CPU, GRT_TRACE_PREEMPTED);
}

CHOOSER(complete_cpu, record->kind == GRT_TRACE_CPU && record->flags == 0)
SPOIL(lengthen_cpu, complete_cpu, {
    struct grt_segment *segment = &spoilt->builder->segments[record->task][record->detail];
    segment->cpu_time = (struct grt_distribution){.kind = GRT_CONSTANT, .max = 1000000};
})

/* ---- commands ---- */

CHOOSER(whole_copy, record->kind == GRT_TRACE_COPY && (record->flags & ~GRT_TRACE_D2H) == 0)
SPOIL(renumber_command, whole_copy, record->detail++)

static bool is_of_finished_segment(const struct grt_spoilt *spoilt, size_t index) {
    const struct grt_trace_record *record = &spoilt->records[index];
    for (size_t i = index; i < spoilt->count; i++) {
        const struct grt_trace_record *end = &spoilt->records[i];
        if (end->kind == GRT_TRACE_GPU_SEGMENT && end->task == record->task && end->job == record->job) {
            return end->flags == 0;
        }
    }
    return false;
}
CHOOSER(finished_copy,
        whole_copy(spoilt, index) && is_of_finished_segment(spoilt, index) && record->time >= 0)
SPOIL(drop_copy, finished_copy, spoil_drop(spoilt, index))

static bool slow_launches(struct grt_spoilt *spoilt) {
    for (size_t i = 0; i < spoilt->builder->scenario.gpu_count; i++) {
        spoilt->builder->gpus[i].kernel_launch += 100000;
    }
    return has(spoilt, GRT_TRACE_KERNEL, 0);
}

CHOOSER(kernel, record->kind == GRT_TRACE_KERNEL)
SPOIL(begin_kernel_early, kernel, record->other--)
CHOOSER(second_kernel, record->kind == GRT_TRACE_KERNEL && (record->detail & 0xffff) > 0)
SPOIL(begin_before_command, second_kernel, record->other -= record->time + 1)

SPOIL(overlap_copies_row, whole_copy, record->row++)
CHOOSER(copy_behind, record->kind == GRT_TRACE_COPY && before_on_row(spoilt, index) != NULL &&
                         before_on_row(spoilt, index)->time == record->other)
SPOIL(overlap_copies, copy_behind, record->other--)
SPOIL(lengthen_copy, whole_copy, record->other--)

/* ---- blocks ---- */

CHOOSER(finished_block,
        record->kind == GRT_TRACE_BLOCK && record->flags == 0 && is_of_finished_segment(spoilt, index))
SPOIL(drop_block, finished_block, spoil_drop(spoilt, index))
SPOIL(repeat_block, finished_block, repeat(spoilt, index))
SPOIL(renumber_block, finished_block, record->detail++)
SPOIL(lengthen_block, finished_block, record->other -= 1000)
SPOIL(move_block_off, finished_block, record->row |= 0xffff)

/* A block that fills more than half of its SM, and another one beside it elsewhere on the same GPU. */
static const struct grt_trace_record *large_beside(const struct grt_spoilt *spoilt, size_t index) {
    const struct grt_trace_record *block = &spoilt->records[index];
    const struct grt_task *task = task_of(spoilt, index);
    const struct grt_device *device = &spoilt->builder->gpus[task->gpu];
    for (size_t i = index + 1; i < spoilt->count; i++) {
        const struct grt_trace_record *kernel = &spoilt->records[i];
        if (kernel->kind == GRT_TRACE_KERNEL && kernel->task == block->task && kernel->job == block->job) {
            const struct grt_kernel *spec = &task->segments[grt_trace_segment(kernel->detail)]
                                                 .commands[grt_trace_command(kernel->detail)]
                                                 .kernel;
            if (!spec->whole_device && 2 * spec->needs.threads <= device->max_threads_per_sm) {
                return NULL;
            }
            break;
        }
    }
    for (size_t i = index; i-- > 0;) {
        const struct grt_trace_record *other = &spoilt->records[i];
        if (other->kind == GRT_TRACE_BLOCK && other->task == block->task && other->job == block->job &&
            other->row != block->row && other->time > block->other && other->other < block->time) {
            return other;
        }
    }
    return NULL;
}
CHOOSER(large_block, record->kind == GRT_TRACE_BLOCK && large_beside(spoilt, index) != NULL)
SPOIL(crowd_sm, large_block, record->row = large_beside(spoilt, index)->row)

static bool overlap(const struct grt_trace_record *a, const struct grt_trace_record *b) {
    return a->other < b->time && b->other < a->time;
}

/* Two kernels of different tasks at a time on one GPU. */
static bool is_beside_another(const struct grt_spoilt *spoilt, size_t index) {
    const struct grt_trace_record *kernel = &spoilt->records[index];
    for (size_t i = 0; kernel->kind == GRT_TRACE_KERNEL && i < index; i++) {
        const struct grt_trace_record *other = &spoilt->records[i];
        if (other->kind == GRT_TRACE_KERNEL && other->task != kernel->task && overlap(kernel, other) &&
            task_of(spoilt, i)->gpu == task_of(spoilt, index)->gpu) {
            return true;
        }
    }
    return false;
}
SPOIL(one_grid, is_beside_another, spoilt->builder->gpus[task_of(spoilt, index)->gpu].max_resident_grids = 1)

CHOOSER(second_stay, record->kind == GRT_TRACE_CONTEXT && before_on_row(spoilt, index) != NULL)
SPOIL(overlap_contexts, second_stay, record->other = before_on_row(spoilt, index)->time - 1)

/* ---- policies ---- */

CHOOSER(waited, record->kind == GRT_TRACE_GPU_SEGMENT && record->time > record->other)
SPOIL(never_submit, waited, record->row = GRT_TRACE_NO_ROW)
SPOIL(submit_late, waited, record->flags |= GRT_TRACE_HELD)
SPOIL(promise_fifo, is_beside_another,
      spoilt->promise->policy = ((struct grt_promise){.gpu = GRT_PROMISE_ONE, .order = GRT_ORDER_REQUEST}))

/* The first command of a segment that was given the GPU at the instant at which the one before left it begins a ns later. */
static bool is_first_behind(const struct grt_spoilt *spoilt, size_t index) {
    const struct grt_trace_record *copy = &spoilt->records[index];
    if (copy->kind != GRT_TRACE_COPY || (copy->detail & 0xffff) != 0 || copy->time - copy->other < 2) {
        return false;
    }
    for (size_t i = index; i-- > 0;) {
        const struct grt_trace_record *request = &spoilt->records[i];
        if (request->kind == GRT_TRACE_GPU_REQUEST && request->task == copy->task) {
            return true;
        }
    }
    return false;
}
SPOIL(begin_late, is_first_behind, record->other++)

/* The segments of a task are given to another one that waited: the records of both change places from the request on. That is seen where
 * the scenario's keys are turned round instead: whoever went first by deadline goes last. */
static bool hurry_others(struct grt_spoilt *spoilt) {
    size_t index = spoil_choose(spoilt, is_first_behind);
    if (index == spoilt->count) {
        return false;
    }
    const struct grt_trace_record *first = &spoilt->records[index];
    grt_time begun = first->other;
    for (size_t i = 0; i < index; i++) { /* somebody else asked before and is still waiting */
        const struct grt_trace_record *request = &spoilt->records[i];
        bool other = request->kind == GRT_TRACE_GPU_REQUEST && request->task != first->task &&
                     request->time <= begun && task_of(spoilt, i)->gpu == task_of(spoilt, index)->gpu;
        bool waits = other;
        for (size_t j = i + 1; waits && j < spoilt->count && spoilt->records[j].time <= first->time; j++) {
            waits = spoilt->records[j].task != request->task ||
                    spoilt->records[j].kind == GRT_TRACE_RELEASE || spoilt->records[j].kind == GRT_TRACE_MISS;
        }
        if (waits) {
            spoilt->builder->tasks[request->task].priority = 1000;
            return true;
        }
    }
    return false;
}

/* ---- slots of tdm ---- */

/* Somebody's slot is used to its last ns. */
static bool shorten_slots(struct grt_spoilt *spoilt) {
    grt_time *lengths = (grt_time *)(uintptr_t)spoilt->slots->lengths; /* the run's own */
    for (size_t i = 0; i < spoilt->slots->count; i++) {
        uint32_t task = spoilt->slots->tasks[i];
        grt_time most = 0;
        for (size_t j = 0; j < spoilt->count; j++) {
            const struct grt_trace_record *record = &spoilt->records[j];
            bool slot = record->kind == GRT_TRACE_ROW_SLICE && record->task == task;
            most = slot && record->time - record->other > most ? record->time - record->other : most;
        }
        if (most > 0 && most == lengths[i]) {
            lengths[i]--;
            return true;
        }
    }
    return false;
}

static bool shift_period(struct grt_spoilt *spoilt) {
    bool used = false;
    for (size_t i = 0; i < spoilt->count; i++) {
        used |= spoilt->records[i].kind == GRT_TRACE_KERNEL &&
                spoilt->records[i].other > 3 * spoilt->slots->period;
    }
    spoilt->slots->period++;
    return used;
}

/* A kernel in a slot of which nothing else is done begins a ns later, and so does its slot. */
static bool begin_slot_late(struct grt_spoilt *spoilt) {
    size_t index = spoil_choose(spoilt, is_first_behind);
    if (index == spoilt->count) {
        return false;
    }
    spoilt->records[index].other++;
    return true;
}

/* A task is left out of all activations from some instant on. */
static bool starve(struct grt_spoilt *spoilt) {
    size_t index = spoil_choose(spoilt, request), kept = 0;
    if (index == spoilt->count ||
        spoilt->records[index].time > spoilt->promise->end - 10 * spoilt->slots->period) {
        return false;
    }
    struct grt_trace_record asks = spoilt->records[index];
    for (size_t i = 0; i < spoilt->count; i++) {
        if (i <= index || spoilt->records[i].task != asks.task) {
            spoilt->records[kept++] = spoilt->records[i];
        }
    }
    spoilt->count = kept;
    return true;
}

static bool overlap_pieces(struct grt_spoilt *spoilt) {
    size_t index = spoil_choose(spoilt, second_kernel);
    if (index == spoilt->count) {
        return false;
    }
    for (size_t i = index; i-- > 0;) {
        const struct grt_trace_record *other = &spoilt->records[i];
        if (other->kind == GRT_TRACE_KERNEL && other->task != spoilt->records[index].task) {
            spoilt->records[index].other = other->time - 1;
            return true;
        }
    }
    return false;
}

/* ---- what nothing comes behind ---- */

CHOOSER(open_segment, record->kind == GRT_TRACE_GPU_SEGMENT && (record->flags & GRT_TRACE_OPEN))
SPOIL(drop_open_segment, open_segment, spoil_drop(spoilt, index))
SPOIL(repeat_open_segment, open_segment, repeat(spoilt, index))

CHOOSER(aborted_kernel, record->kind == GRT_TRACE_KERNEL && (record->flags & GRT_TRACE_ABORTED) &&
                            grt_trace_grid(record->row) == 0)
SPOIL(drop_aborted_kernel, aborted_kernel, spoil_drop(spoilt, index))

CHOOSER(launched_kernel, record->kind == GRT_TRACE_KERNEL && grt_trace_grid(record->row) != 0 &&
                             grt_trace_grid(record->row) < GRT_DEVICE_MAX_LAUNCHES)
SPOIL(drop_launched_kernel, launched_kernel, spoil_drop(spoilt, index))

static bool is_last_thread(const struct grt_spoilt *spoilt, size_t index) {
    const struct grt_trace_record *record = &spoilt->records[index];
    bool good = record->kind == GRT_TRACE_CPU && (record->flags & GRT_TRACE_ABORTED);
    for (size_t i = index + 1; good && i < spoilt->count; i++) {
        good = spoilt->records[i].kind != GRT_TRACE_CPU || spoilt->records[i].row != record->row;
    }
    return good;
}
SPOIL(drop_last_thread, is_last_thread, spoil_drop(spoilt, index))

/* A stay of a process in which blocks were executed that cannot be switched out. */
static bool is_stay_with_blocks(const struct grt_spoilt *spoilt, size_t index) {
    const struct grt_trace_record *stay = &spoilt->records[index];
    bool good = stay->kind == GRT_TRACE_CONTEXT &&
                spoilt->builder->gpus[stay->row].context_preemption != GRT_CONTEXT_PREEMPTION_INSTRUCTION;
    for (size_t i = 0; good && i < spoilt->count; i++) {
        const struct grt_trace_record *block = &spoilt->records[i];
        if (block->kind == GRT_TRACE_BLOCK && block->other >= stay->other && block->time <= stay->time &&
            task_of(spoilt, i)->gpu == stay->row) {
            return true;
        }
    }
    return false;
}
SPOIL(drop_stay, is_stay_with_blocks, spoil_drop(spoilt, index))
SPOIL(begin_stay_late, is_stay_with_blocks, record->other = record->time)

/* ---- pinned kernels ---- */

CHOOSER(item, record->kind == GRT_TRACE_BLOCK && (record->flags & GRT_TRACE_GOES_ON) &&
                  is_of_finished_segment(spoilt, index))
SPOIL(drop_item, item, spoil_drop(spoilt, index))
SPOIL(stop_after_item, item, record->flags = 0)

static bool movable_item(const struct grt_spoilt *spoilt, size_t index) {
    return item(spoilt, index) && task_of(spoilt, index)->gpu == 0 && spoilt->builder->gpus[0].sm_count > 1;
}
SPOIL(move_item, movable_item, record->row = (record->row + 1) % (uint32_t)spoilt->builder->gpus[0].sm_count)

CHOOSER(exit_of_block, record->kind == GRT_TRACE_BLOCK && (record->flags & GRT_TRACE_EXITED) &&
                           is_of_finished_segment(spoilt, index))
SPOIL(let_exit_work, exit_of_block, record->flags = 0)

CHOOSER(lost_items, record->kind == GRT_TRACE_LOST_ITEMS)
SPOIL(drop_lost, lost_items, spoil_drop(spoilt, index))
SPOIL(count_lost_wrong, lost_items, record->other++)

/* An item longer than 1 ns behind another one of its block. */
static bool follows_item(const struct grt_spoilt *spoilt, size_t index) {
    const struct grt_trace_record *record = &spoilt->records[index];
    for (size_t i = index; record->kind == GRT_TRACE_BLOCK && record->time > record->other + 1 && i-- > 0;) {
        const struct grt_trace_record *before = &spoilt->records[i];
        if (before->kind == GRT_TRACE_BLOCK && before->task == record->task && before->job == record->job &&
            before->detail == record->detail && before->row == record->row && before->time == record->other) {
            return (before->flags & GRT_TRACE_GOES_ON) != 0;
        }
    }
    return false;
}
SPOIL(pause_between_items, follows_item, record->other++)

#define PLAIN GRT_AUDITED_PLAIN

const struct grt_spoiling grt_spoilings[] = {
    {"two records change places", "time: never goes back", "fifo", PLAIN, swap_records},
    {"a slice is open before the end", "time: open slices end with the run", "fifo", PLAIN, open_early},
    {"a segment that goes on is missing", "time: open slices end with the run", "fifo", PLAIN,
     drop_open_segment},
    {"a segment that goes on is there twice", "segments: one after the other, without delay", "hardware",
     PLAIN, repeat_open_segment},
    {"a job has the next one's number", "jobs: numbered in turn", "fifo", PLAIN, renumber_job},
    {"a sporadic job comes too early", "jobs: arrivals keep their distance", "fifo", PLAIN,
     release_sporadic_early},
    {"a periodic job comes too early", "jobs: released within their jitter", "fifo", PLAIN, release_early},
    {"a task drifts", "jobs: released within their jitter", "fifo", PLAIN, keep_step},
    {"a job comes before its predecessor's end", "jobs: released when their predecessors have ended", "fifo",
     PLAIN, release_before_predecessor},
    {"a deadline is moved", "jobs: deadlines as declared", "np-edf", PLAIN, move_deadline},
    {"a job finishes twice", "jobs: end once, when their last segment does", "fifo", PLAIN, finish_twice},
    {"a finish is missing", "jobs: end once, when their last segment does", "fifo", PLAIN, drop_finish},
    {"a release is missing", "jobs: end once, when their last segment does", "fifo", PLAIN, drop_release},
    {"an arrival is moved", "jobs: responses count from the arrival", "hardware", PLAIN, move_arrival},
    {"a flag says the opposite", "jobs: late after the deadline", "np-rm", PLAIN, turn_late},
    {"a miss is missing", "jobs: misses are handled when the deadline passes", "fifo", PLAIN, drop_miss},
    {"a job that was skipped is released", "jobs: skipped for a reason", "np-fp", PLAIN, release_skipped},
    {"a request is of another segment", "segments: one after the other, without delay", "fifo", PLAIN,
     renumber_segment},
    {"a segment ends late", "segments: one after the other, without delay", "fifo", PLAIN, end_segment_late},
    {"a thread is on another core", "cpu: on the task's core", "fifo", PLAIN, move_core},
    {"two threads overlap", "cpu: one thread at a time", "fifo", PLAIN, overlap_threads},
    {"priorities are reversed", "cpu: the most urgent thread first", "fifo", PLAIN, reverse_priorities},
    {"a thread begins late", "cpu: never idle while a thread is ready", "fifo", PLAIN, begin_cpu_late},
    {"the last thread of a core is missing", "cpu: never idle while a thread is ready", "fifo", PLAIN,
     drop_last_thread},
    {"a thread computes too little", "cpu: times within their distribution", "fifo", PLAIN, lengthen_cpu},
    {"a command has the next one's number", "gpu: commands in order, one after the other", "fifo", PLAIN,
     renumber_command},
    {"a copy is missing", "gpu: commands in order, one after the other", "hardware", PLAIN, drop_copy},
    {"a kernel begins before the command before it", "gpu: commands in order, one after the other",
     "hardware", PLAIN, begin_before_command},
    {"launches are quicker than the device", "gpu: launches take their time", "fifo", PLAIN, slow_launches},
    {"a block is missing", "gpu: every block once", "hardware", PLAIN, drop_block},
    {"a block of tdm is missing", "gpu: every block once", "tdm", GRT_SPOILT_SLOTTED, drop_block},
    {"a block is there twice", "gpu: every block once", "fifo", PLAIN, repeat_block},
    {"a block has the next one's number", "gpu: every block once", "fifo", PLAIN, renumber_block},
    {"a block of a launched kernel is missing", "gpu: every block once", "hardware", GRT_AUDITED_LAUNCHES,
     drop_block},
    {"a block takes too long", "gpu: block times within their distribution", "fifo", PLAIN, lengthen_block},
    {"a kernel begins before its first block", "gpu: kernels last from their first block to their last",
     "fifo", PLAIN, begin_kernel_early},
    {"a kernel that was cut short is missing", "gpu: kernels last from their first block to their last",
     "hardware", PLAIN, drop_aborted_kernel},
    {"a launched kernel is missing", "gpu: kernels last from their first block to their last", "hardware",
     GRT_AUDITED_LAUNCHES, drop_launched_kernel},
    {"a block is on no SM", "gpu: blocks on SMs that the kernel may use", "hardware", GRT_AUDITED_MPS,
     move_block_off},
    {"an item is elsewhere", "gpu: blocks of pinned kernels work where they should", "hardware",
     GRT_AUDITED_PINNED, move_item},
    {"a block rests between items", "gpu: blocks of pinned kernels work where they should", "hardware",
     GRT_AUDITED_PINNED, pause_between_items},
    {"an item is missing", "gpu: every item of work once, or lost", "hardware", GRT_AUDITED_PINNED,
     drop_item},
    {"a block ends twice", "gpu: every block once", "hardware", GRT_AUDITED_PINNED, stop_after_item},
    {"a block that exits works", "gpu: every item of work once, or lost", "hardware", GRT_AUDITED_PINNED,
     let_exit_work},
    {"lost work is not told", "gpu: every item of work once, or lost", "hardware", GRT_AUDITED_PINNED,
     drop_lost},
    {"lost work is miscounted", "gpu: every item of work once, or lost", "hardware", GRT_AUDITED_PINNED,
     count_lost_wrong},
    {"blocks crowd an SM", "gpu: an SM holds no more than fits", "hardware", PLAIN, crowd_sm},
    {"two kernels where one may be", "gpu: no more kernels at a time than the device holds", "hardware",
     PLAIN, one_grid},
    {"a copy is on another engine", "gpu: an engine does one copy at a time", "fifo", PLAIN,
     overlap_copies_row},
    {"two copies overlap", "gpu: an engine does one copy at a time", "hardware", PLAIN, overlap_copies},
    {"a copy takes too long", "gpu: copies take their time", "hardware", GRT_AUDITED_CALLS, lengthen_copy},
    {"two processes have the SMs", "gpu: one process at a time", "hardware", GRT_AUDITED_TURNS,
     overlap_contexts},
    {"a stay is missing", "gpu: one process at a time", "hardware", GRT_AUDITED_TURNS, drop_stay},
    {"a stay begins late", "gpu: one process at a time", "hardware", GRT_AUDITED_TURNS, begin_stay_late},
    {"a segment is not submitted", "policy: submitted at the request", "hardware", PLAIN, never_submit},
    {"a segment is submitted late", "policy: submitted at the request", "hardware", PLAIN, submit_late},
    {"segments overlap", "policy: one segment at a time", "hardware", PLAIN, promise_fifo},
    {"a segment begins late", "policy: never idle while a segment waits", "fifo", PLAIN, begin_late},
    {"a segment begins late", "policy: never idle while a segment waits", "np-edf", PLAIN, begin_late},
    {"a segment begins late", "policy: never idle while a segment waits", "np-rm", PLAIN, begin_late},
    {"a segment begins late", "policy: never idle while a segment waits", "np-fp", PLAIN, begin_late},
    {"somebody more urgent waited", "policy: highest priority first", "np-fp", PLAIN, hurry_others},
    {"slots are shorter", "slots: slots no longer than their length", "tdm", GRT_SPOILT_SLOTTED,
     shorten_slots},
    {"the period is longer", "slots: slots begin in their turn", "tdm", GRT_SPOILT_SLOTTED, shift_period},
    {"a slot begins late", "slots: slots begin in their turn", "tdm", GRT_SPOILT_SLOTTED, begin_slot_late},
    {"a task has no slot", "slots: a slot in every period for who waits", "tdm", GRT_SPOILT_SLOTTED, starve},
    {"two pieces overlap", "slots: one piece at a time", "tdm", GRT_SPOILT_SLOTTED, overlap_pieces},
    {0},
};
