/* GPU segments: the request, the commands in their order, and the completion. */
#include "models/device.h"
#include "verify/audit/cores.h"

/* ---- the segment ---- */

void audit_request(struct grt_audit *audit, const struct grt_trace_record *record) {
    struct audit_task *task = &audit->tasks[record->task];
    bool mine =
        audit_current(task, record) != NULL && task->state == AUDIT_ASKING && task->segment == record->detail;
    audit_check(audit, AUDIT_SEGMENTS, mine && audit_host_asks(audit, task, record), record,
                "asks for the GPU at another instant than its segment before ends");
    if (!mine) {
        return;
    }
    task->state = AUDIT_ON_GPU;
    task->since = task->command_free = record->time;
    task->command = task->launched = 0;
    task->copied = task->kernel_least = task->kernel_most = 0;
    task->blocks = task->block_sum = 0;
    task->in_kernel = false;
    audit_host_requested(audit, task);
    if (audit->any_order) {
        audit_scattered_request(task);
    }
    audit_families_request(audit, task, record);
}

/* Whether so many blocks with that sum are those of a grid, each once. */
static bool has_all(struct audit_kernel *kernel, uint64_t blocks, uint64_t sum) {
    if (kernel->sum == 0 && blocks == kernel->blocks) {
        kernel->sum = audit_sum_of_blocks(kernel->blocks);
    }
    return blocks == kernel->blocks && sum == kernel->sum;
}

/* The present kernel has come to its end: all its blocks were there, however many pieces it had. */
static void leave_kernel(struct grt_audit *audit, struct audit_task *task,
                         const struct grt_trace_record *record) {
    struct audit_kernel *kernel = &task->kernels[task->segment][task->command];
    const struct audit_gpu *gpu = &audit->gpus[task->spec->gpu];
    if (grt_device_has_shares(gpu->device) && audit->promise.policy.whole) {
        /* shares.c knows how fast it was */
    } else if (kernel->whole_device) {
        bool good = task->kernel_least >= kernel->least - gpu->rounding &&
                    (task->kernel_most <= kernel->most || gpu->contended || gpu->stretched);
        audit_check(audit, AUDIT_BLOCK_TIMES, good, record,
                    "has a kernel that takes another time than it can");
    } else {
        audit_check(audit, AUDIT_BLOCKS, has_all(kernel, task->blocks, task->block_sum), record,
                    "has a kernel that did not execute each of its blocks once");
    }
    task->command++;
    task->in_kernel = false;
    task->kernel_least = task->kernel_most = 0;
    task->blocks = task->block_sum = 0;
}

void audit_segment_end(struct grt_audit *audit, const struct grt_trace_record *record) {
    struct audit_task *task = &audit->tasks[record->task];
    bool on_gpu = task->state == AUDIT_ON_GPU || task->state == AUDIT_DRAINING;
    bool aborted = (record->flags & GRT_TRACE_ABORTED) != 0, open = (record->flags & GRT_TRACE_OPEN) != 0;
    bool good = audit_current(task, record) != NULL && on_gpu && task->segment == record->detail &&
                task->since == record->other && aborted == (task->state == AUDIT_DRAINING);
    audit_check(audit, AUDIT_SEGMENTS, good, record, "ends a GPU segment that it is not in");
    if (!good) {
        return;
    }
    audit_families_segment_end(audit, task, record);
    audit_check(audit, AUDIT_KERNELS, task->grid.first_start == GRT_TIME_NEVER, record,
                "leaves the GPU with blocks of which there is no kernel");
    audit_grid_clear(&task->grid);
    if (open) {
        audit_check(audit, AUDIT_SEGMENTS, !task->shown, record, "ends a GPU segment twice");
        task->shown = true;
        return;
    }
    if (aborted) {
        grt_time gone = task->aborted > task->command_free ? task->aborted : task->command_free;
        audit_check(audit, AUDIT_SEGMENTS, record->time == gone, record,
                    "leaves the GPU at another instant than its last command does");
        audit_next_job(audit, task, record->time);
        return;
    }
    const struct grt_segment *segment = &task->spec->segments[task->segment];
    if (task->in_kernel) {
        leave_kernel(audit, task, record);
    }
    bool call =
        segment->command_count > 0 && grt_command_is_call(segment->commands[segment->command_count - 1].kind);
    call |= audit->any_order; /* whichever was the last, it may have been one */
    bool in_time =
        audit_host_takes_part(audit, segment)
            ? audit_host_ends(audit, task, record)
            : record->time == task->command_free || (call && record->time == task->command_free + 1);
    bool all = audit->any_order ? audit_scattered_complete(task) : task->command == segment->command_count;
    audit_check(audit, AUDIT_COMMANDS, all, record, "ends a GPU segment without all of its commands");
    audit_check(audit, AUDIT_SEGMENTS, in_time, record,
                "ends a GPU segment at another instant than its last command");
    audit_advance(audit, task, record->time);
}

/* ---- commands ---- */

/* Whether the record is of the segment in which its job is. */
static bool is_present(struct grt_audit *audit, struct audit_task *task,
                       const struct grt_trace_record *record) {
    bool good = audit_current(task, record) != NULL &&
                (task->state == AUDIT_ON_GPU || task->state == AUDIT_DRAINING) &&
                grt_trace_segment(record->detail) == task->segment;
    return audit_check(audit, AUDIT_COMMANDS, good, record,
                       "executes a command of a segment that it is not in");
}

/* A command of the host comes in its turn. False if the record cannot be understood. */
static bool take_turn(struct grt_audit *audit, struct audit_task *task,
                      const struct grt_trace_record *record) {
    const struct grt_segment *segment = &task->spec->segments[task->segment];
    uint32_t command = grt_trace_command(record->detail);
    if (task->in_kernel && command != task->command) {
        leave_kernel(audit, task, record);
    }
    bool right_kind = command < segment->command_count;
    if (right_kind) {
        int64_t kind = segment->commands[command].kind;
        right_kind = record->kind == GRT_TRACE_CALL   ? grt_command_is_call(kind)
                     : record->kind == GRT_TRACE_COPY ? kind == GRT_COMMAND_H2D || kind == GRT_COMMAND_D2H
                                                      : kind == GRT_COMMAND_KERNEL;
    }
    if (right_kind && audit->any_order) {
        audit_families_command(audit, task, record);
        audit_scattered_turn(audit, task, record);
        return true;
    }
    bool in_order = right_kind && command == task->command && record->other >= task->command_free;
    audit_check(audit, AUDIT_COMMANDS, in_order, record, "executes a command before its turn");
    if (!right_kind) {
        return false;
    }
    audit_families_command(audit, task, record);
    task->command = command;
    task->command_free = record->time > task->command_free ? record->time : task->command_free;
    return true;
}

/* The present segment may have been executed: its job's thread may have to go on. */
static void check_done(struct grt_audit *audit, struct audit_task *task,
                       const struct grt_trace_record *record) {
    bool done = audit->any_order ? audit_scattered_complete(task)
                                 : task->command == task->spec->segments[task->segment].command_count;
    if (done && task->phase != AUDIT_NO_PHASE && task->state == AUDIT_ON_GPU) {
        audit_host_device_done(audit, task, record->time);
    }
}

/* ---- kernels ---- */

static void check_block_times(struct grt_audit *audit, const struct audit_gpu *gpu,
                              const struct audit_kernel *kernel, const struct audit_grid *grid,
                              const struct grt_trace_record *record) {
    bool slowed = gpu->contended || gpu->stretched;
    grt_time longest = grid->longest > grid->longest_cut ? grid->longest : grid->longest_cut;
    bool good = longest <= kernel->most || slowed;
    if (grid->shortest <= grid->longest && !kernel->waits) { /* some block has ended that did not exit */
        good &= grid->shortest >= kernel->least - gpu->rounding;
        good &= grid->shortest == grid->longest || slowed || !kernel->same_time;
    }
    audit_check(audit, AUDIT_BLOCK_TIMES, good, record, "has a block that takes another time than it can");
}

static void check_slice(struct grt_audit *audit, const struct audit_kernel *kernel,
                        const struct audit_grid *grid, const struct grt_trace_record *record) {
    bool exact = (record->flags & (GRT_TRACE_ABORTED | GRT_TRACE_OPEN)) == 0 && !kernel->launches;
    bool good = grid->first_start == record->other &&
                (exact ? grid->last_end == record->time : grid->last_end <= record->time);
    audit_check(audit, AUDIT_KERNELS, good, record,
                "has a kernel that does not last from its first block to its last");
}

static void end_launched(struct grt_audit *audit, struct audit_task *task,
                         const struct grt_trace_record *record) {
    struct audit_gpu *gpu = &audit->gpus[task->spec->gpu];
    const struct grt_segment *segment = &task->spec->segments[task->segment];
    struct audit_kernel *kernels = task->kernels[task->segment];
    uint32_t command = grt_trace_command(record->detail), last = (uint32_t)segment->command_count;
    while (kernels[last].blocks > 0) {
        last++;
    }
    bool known = command >= segment->command_count && command < last;
    audit_check(audit, AUDIT_COMMANDS, known && record->other >= task->since, record,
                "executes a kernel that none of its kernels launches");
    if (!known || grt_trace_grid(record->row) == GRT_DEVICE_MAX_LAUNCHES) { /* a number that several share */
        return;
    }
    struct audit_kernel *kernel = &kernels[command];
    const struct audit_grid *grid = audit_grid_of(audit, task, record);
    check_slice(audit, kernel, grid, record);
    check_block_times(audit, gpu, kernel, grid, record);
    if ((record->flags & (GRT_TRACE_ABORTED | GRT_TRACE_OPEN)) == 0) {
        audit_check(audit, AUDIT_BLOCKS, has_all(kernel, grid->count, grid->sum), record,
                    "has a launched kernel that did not execute each of its blocks once");
    }
    audit_grid_done(audit, task, record);
}

/* On a GPU of granularity shares a kernel has no blocks. Who cuts it into pieces has one piece at a time on the GPU, at full speed. */
static void end_of_shares(struct grt_audit *audit, struct audit_task *task,
                          const struct grt_trace_record *record) {
    const struct audit_kernel *kernel = &task->kernels[task->segment][task->command];
    task->in_kernel = (record->flags & (GRT_TRACE_ABORTED | GRT_TRACE_OPEN)) == 0;
    task->kernel_least += record->time - record->other;
    task->kernel_most += record->time - record->other;
    bool timed = !audit->gpus[task->spec->gpu].contended; /* else it shows from what comes next */
    if (task->in_kernel && (audit->promise.policy.whole || (timed && task->kernel_least >= kernel->most))) {
        leave_kernel(audit, task, record);
        check_done(audit, task, record);
    }
}

void audit_kernel_end(struct grt_audit *audit, const struct grt_trace_record *record) {
    struct audit_task *task = &audit->tasks[record->task];
    struct audit_gpu *gpu = &audit->gpus[task->spec->gpu];
    if (!is_present(audit, task, record)) {
        return;
    }
    if (grt_trace_grid(record->row) != 0) {
        end_launched(audit, task, record);
        return;
    }
    if (!take_turn(audit, task, record)) {
        return;
    }
    if (audit->any_order) {
        audit_scattered_kernel(audit, task, record);
        if ((record->flags & (GRT_TRACE_ABORTED | GRT_TRACE_OPEN)) == 0) {
            check_done(audit, task, record);
        }
        return;
    }
    struct audit_kernel *kernel = &task->kernels[task->segment][task->command];
    const struct audit_grid *grid = &task->grid;
    task->launched++;
    audit_check(audit, AUDIT_LAUNCHES,
                record->other - task->since >= task->launched * gpu->device->kernel_launch, record,
                "has a kernel that begins before its launch has reached the device");
    if (grt_device_has_shares(gpu->device)) {
        end_of_shares(audit, task, record);
        return;
    }
    if (!gpu->has_launches && !gpu->turns) {
        audit_check(audit, AUDIT_GRIDS, audit_room_take(&gpu->grids, record->other, record->time, 1), record,
                    "has a kernel for which there was no place on the device");
    }
    check_slice(audit, kernel, grid, record);
    if (!kernel->whole_device) {
        check_block_times(audit, gpu, kernel, grid, record);
    }
    if (kernel->items > 0) {
        audit_pinned_end(audit, task, kernel, record);
    }
    bool all = !kernel->whole_device || has_all(kernel, grid->count, grid->sum);
    task->blocks += grid->count;
    task->block_sum += grid->sum;
    task->kernel_least += grid->shortest < GRT_TIME_NEVER ? grid->shortest : 0;
    task->kernel_most += grid->longest;
    task->in_kernel = true;
    audit_grid_done(audit, task, record);
    if (record->flags & (GRT_TRACE_ABORTED | GRT_TRACE_OPEN)) {
        task->in_kernel = false;
        return;
    }
    audit_check(audit, AUDIT_BLOCKS, all, record, "has a kernel that did not execute a block on every SM");
    bool whole = kernel->whole_device ? task->kernel_least >= kernel->most : task->blocks >= kernel->blocks;
    if (whole || audit->promise.policy.whole) {
        leave_kernel(audit, task, record);
        check_done(audit, task, record);
    }
}

/* ---- copies and calls ---- */

static grt_time time_of_copy(const struct grt_device *device, const struct grt_command_spec *copy) {
    int64_t rate =
        copy->kind == GRT_COMMAND_H2D ? device->h2d_bytes_per_second : device->d2h_bytes_per_second;
    if (copy->pageable && rate > 0) { /* E7; in parts, which stay within 64 bits */
        rate = rate / 100 * device->pageable_percent + rate % 100 * device->pageable_percent / 100;
        rate = rate > 0 ? rate : 1;
    }
    bool moves = device->copy_engines > 0 && rate > 0;
    grt_time time = device->copy_latency + (moves ? grt_time_of_work(copy->bytes, rate) : 0);
    return time > 0 ? time : 1;
}

static void check_engine(struct grt_audit *audit, struct audit_gpu *gpu, bool d2h,
                         const struct grt_trace_record *record) {
    uint32_t engine = d2h && grt_device_engines(gpu->device) == 2 ? 1 : 0;
    bool right = record->row == gpu->first_engine + engine && d2h == ((record->flags & GRT_TRACE_D2H) != 0);
    audit_check(audit, AUDIT_ONE_COPY, right && record->other >= gpu->engine_free[engine], record,
                right ? "has a copy that begins before the one before it on its engine has ended"
                      : "has a copy on another engine than its direction's");
    gpu->engine_free[engine] = record->time;
}

void audit_copy_end(struct grt_audit *audit, const struct grt_trace_record *record) {
    struct audit_task *task = &audit->tasks[record->task];
    struct audit_gpu *gpu = &audit->gpus[task->spec->gpu];
    if (!is_present(audit, task, record) || !take_turn(audit, task, record)) {
        return;
    }
    const struct grt_command_spec *copy = &task->spec->segments[task->segment].commands[task->command];
    check_engine(audit, gpu, copy->kind == GRT_COMMAND_D2H, record);
    task->copied += record->time - record->other;
    grt_time takes = time_of_copy(gpu->device, copy);
    bool slowed =
        gpu->device->bandwidth_sharing != GRT_BANDWIDTH_SHARING_NONE && !grt_device_has_shares(gpu->device);
    bool complete = (record->flags & (GRT_TRACE_PREEMPTED | GRT_TRACE_OPEN)) == 0;
    audit_check(audit, AUDIT_COPY_TIMES,
                (!complete || task->copied >= takes - gpu->rounding) && (slowed || task->copied <= takes),
                record, "has a copy that takes another time than its bytes do");
    if (audit->any_order) {
        audit_scattered_copied(task, complete);
    } else if (complete) {
        task->command++;
        task->copied = 0;
    }
    if (complete) {
        check_done(audit, task, record);
    }
}

void audit_call_end(struct grt_audit *audit, const struct grt_trace_record *record) {
    struct audit_task *task = &audit->tasks[record->task];
    if (is_present(audit, task, record) && take_turn(audit, task, record) &&
        !(record->flags & GRT_TRACE_OPEN)) {
        if (audit->any_order) {
            audit_scattered_copied(task, true);
        } else {
            task->command++;
        }
        check_done(audit, task, record);
    }
}
