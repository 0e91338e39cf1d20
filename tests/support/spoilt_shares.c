#include "tests/support/spoilt_shares.h"

#include <string.h>

#include "tests/support/pick.h"
#include "tests/support/spoil.h"

static struct grt_device *device_of(const struct grt_spoilt *spoilt, const struct grt_trace_record *record) {
    return &spoilt->builder->gpus[spoilt->builder->tasks[record->task].gpu];
}

static void insert(struct grt_spoilt *spoilt, size_t index, struct grt_trace_record record) {
    memmove(spoilt->records + index + 1, spoilt->records + index,
            (spoilt->count - index) * sizeof *spoilt->records);
    spoilt->records[index] = record;
    spoilt->count++;
}

/* ---- kernels ---- */

CHOOSER(kernel, record->kind == GRT_TRACE_KERNEL && record->flags == 0 && record->time - record->other > 4)
CHOOSER(timed_kernel, kernel(spoilt, index) && device_of(spoilt, record)->share_interval == 0)
CHOOSER(short_kernel, timed_kernel(spoilt, index) && record->time - record->other < 100000 &&
                          device_of(spoilt, record)->share_mode != GRT_SHARE_MODE_LEFT_OVER)
CHOOSER(left_over_kernel,
        timed_kernel(spoilt, index) && device_of(spoilt, record)->share_mode == GRT_SHARE_MODE_LEFT_OVER)
CHOOSER(cut_kernel, record->kind == GRT_TRACE_KERNEL && (record->flags & GRT_TRACE_ABORTED))
CHOOSER(follower, kernel(spoilt, index) && grt_trace_command(record->detail) > 0)

/* One that is still behind what comes before it when it ends earlier. */
CHOOSER(kernel_apart, short_kernel(spoilt, index) && index > 0 && record[-1].time + 2 <= record->time)

SPOIL(end_early, kernel_apart, record->time -= 2)
SPOIL(end_late, short_kernel, record->time += 2)
SPOIL(end_early_at_any_speed, timed_kernel, record->time -= 2)
SPOIL(end_late_left_over, left_over_kernel, record->time += 2)
SPOIL(begin_late, follower, record->other += 1)
SPOIL(drag_out, cut_kernel, record->time += 1)
SPOIL(not_aborted, cut_kernel, record->flags &= (uint8_t)~GRT_TRACE_ABORTED)
SPOIL(add_block, kernel, {
    struct grt_trace_record block = *record;
    block.kind = GRT_TRACE_BLOCK;
    block.row = 0;
    insert(spoilt, index, block);
})

/* A kernel beside which there is nothing, nor in front of it. */
static bool lonely(const struct grt_spoilt *spoilt, size_t index) {
    const struct grt_trace_record *record = &spoilt->records[index];
    if (!short_kernel(spoilt, index)) {
        return false;
    }
    for (size_t i = 0; i < spoilt->count; i++) {
        const struct grt_trace_record *other = &spoilt->records[i];
        bool beside = other->kind == GRT_TRACE_KERNEL && i != index && other->other < record->time + 3 &&
                      other->time > record->other;
        bool changed =
            other->kind == GRT_TRACE_SHARE && other->time > record->other && other->time < record->time + 3;
        if (beside || changed) {
            return false;
        }
    }
    return true;
}
SPOIL(alone_late, lonely, record->time += 3)
SPOIL(alone_early, lonely, record->other += 3)

/* ---- shares ---- */

CHOOSER(mark, record->kind == GRT_TRACE_SHARE)

/* One in the middle of a kernel of its stream, which ends. */
static bool marks_kernel(const struct grt_spoilt *spoilt, size_t index) {
    const struct grt_trace_record *record = &spoilt->records[index];
    for (size_t i = index + 1; record->kind == GRT_TRACE_SHARE && i < spoilt->count; i++) {
        const struct grt_trace_record *later = &spoilt->records[i];
        if (later->kind == GRT_TRACE_KERNEL && grt_trace_row(later->row) == record->row) {
            return timed_kernel(spoilt, i) && later->other < record->time && later->time > record->time + 2;
        }
    }
    return false;
}
SPOIL(drop_mark, marks_kernel, spoil_drop(spoilt, index))
SPOIL(change_mark, marks_kernel, record->other = record->other > 50 ? 10 : 90)
SPOIL(too_large, mark, record->other = 101)
SPOIL(negative, mark, record->other = -1)
SPOIL(repeat_mark, mark, insert(spoilt, index, *record))

/* ---- beside another scenario ---- */

/* All devices, and the usages of all kernels, which are the builder's own. */
typedef void change_device(struct grt_device *device);
typedef void change_usage(struct grt_usage *usage);

static bool change_devices(const struct grt_spoilt *spoilt, int64_t kind, change_device *change) {
    bool any = false;
    for (size_t i = 0; i < spoilt->builder->scenario.gpu_count; i++) {
        struct grt_device *device = &spoilt->builder->gpus[i];
        if (device->contention == kind && device->share_mode != GRT_SHARE_MODE_TIME_SLICING) {
            change(device);
            any = true;
        }
    }
    return any;
}

static bool change_usages(const struct grt_spoilt *spoilt, change_usage *change) {
    bool any = false;
    for (size_t i = 0; i < spoilt->builder->scenario.task_count; i++) {
        const struct grt_task *task = &spoilt->builder->tasks[i];
        for (size_t j = 0; j < task->segment_count; j++) {
            for (size_t k = 0; k < task->segments[j].command_count; k++) {
                struct grt_usage *usage =
                    (struct grt_usage *)(uintptr_t)task->segments[j].commands[k].kernel.usage;
                if (usage != NULL) {
                    change(usage);
                    any = true;
                }
            }
        }
    }
    return any;
}

static void to_none(struct grt_device *device) {
    device->contention = GRT_CONTENTION_NONE;
}

static void to_max_min(struct grt_device *device) {
    device->contention = GRT_CONTENTION_MAX_MIN;
}

static void to_saturation(struct grt_device *device) {
    device->contention = GRT_CONTENTION_SATURATION;
}

static void less_hidden(struct grt_device *device) {
    device->contention_exponent += device->contention_exponent > 0.5 ? -0.1 : 0.1;
}

static void more_latency(struct grt_device *device) {
    device->contention_latency.dram += 0.1;
}

static void more_host(struct grt_usage *usage) {
    usage->host_fraction += usage->host_fraction > 0.5 ? -0.2 : 0.2;
}

static void more_demand(struct grt_usage *usage) {
    for (int i = 0; i < GRT_RESOURCES; i++) {
        usage->demand[i] += usage->demand[i] > 0.5 ? -0.2 : 0.2;
    }
}

static void nothing_measured(struct grt_usage *usage) {
    usage->share_factors.count = 0;
}

static bool without_saturation(struct grt_spoilt *spoilt) {
    return change_devices(spoilt, GRT_CONTENTION_SATURATION, to_none);
}

static bool saturation_is_max_min(struct grt_spoilt *spoilt) {
    return change_devices(spoilt, GRT_CONTENTION_SATURATION, to_max_min);
}

static bool max_min_is_saturation(struct grt_spoilt *spoilt) {
    return change_devices(spoilt, GRT_CONTENTION_MAX_MIN, to_saturation);
}

static bool without_max_min(struct grt_spoilt *spoilt) {
    return change_devices(spoilt, GRT_CONTENTION_MAX_MIN, to_none);
}

static bool without_table(struct grt_spoilt *spoilt) {
    return change_devices(spoilt, GRT_CONTENTION_SLOWDOWNS, to_none);
}

static bool other_exponent(struct grt_spoilt *spoilt) {
    return change_devices(spoilt, GRT_CONTENTION_SATURATION, less_hidden);
}

static bool other_latency(struct grt_spoilt *spoilt) {
    return change_devices(spoilt, GRT_CONTENTION_SATURATION, more_latency);
}

static bool other_host(struct grt_spoilt *spoilt) {
    return change_usages(spoilt, more_host);
}

static bool other_demand(struct grt_spoilt *spoilt) {
    return change_usages(spoilt, more_demand);
}

static bool other_factors(struct grt_spoilt *spoilt) {
    return change_usages(spoilt, nothing_measured);
}

static bool change_mode(const struct grt_spoilt *spoilt, int64_t from, int64_t to) {
    bool any = false;
    for (size_t i = 0; i < spoilt->builder->scenario.gpu_count; i++) {
        if (spoilt->builder->gpus[i].share_mode == from) {
            spoilt->builder->gpus[i].share_mode = to;
            any = true;
        }
    }
    return any;
}

static bool no_turns(struct grt_spoilt *spoilt) {
    return change_mode(spoilt, GRT_SHARE_MODE_TIME_SLICING, GRT_SHARE_MODE_CONCURRENT);
}

static bool nothing_left_over(struct grt_spoilt *spoilt) {
    return change_mode(spoilt, GRT_SHARE_MODE_LEFT_OVER, GRT_SHARE_MODE_CONCURRENT);
}

/* Five times the tokens that were given. */
static bool fewer_tokens(struct grt_spoilt *spoilt) {
    bool any = false;
    for (size_t i = 0; i < spoilt->count; i++) {
        struct grt_trace_record *record = &spoilt->records[i];
        any |= record->kind == GRT_TRACE_SHARE;
        record->other = record->kind == GRT_TRACE_SHARE ? record->other / 5 : record->other;
    }
    for (size_t i = 0; any && i < spoilt->builder->scenario.gpu_count; i++) {
        if (spoilt->builder->gpus[i].share_interval > 0) {
            spoilt->builder->gpus[i].share_interval /= 5;
            spoilt->builder->gpus[i].share_launch = 1;
            return true;
        }
    }
    return false;
}

/* A longer kernel than the one that was executed. */
static bool more_work(struct grt_spoilt *spoilt) {
    size_t index = spoil_choose(spoilt, short_kernel);
    if (index == spoilt->count) {
        return false;
    }
    const struct grt_trace_record *record = &spoilt->records[index];
    const struct grt_segment *segment =
        &spoilt->builder->tasks[record->task].segments[grt_trace_segment(record->detail)];
    struct grt_kernel *long_kernel = /* the builder's own copy: it lives in its arena */
        (struct grt_kernel *)(uintptr_t)&segment->commands[grt_trace_command(record->detail)].kernel;
    long_kernel->block_time.max += 2;
    return true;
}

#define WORK "shares: kernels end when their work is done"
#define ALONE "shares: a kernel alone takes as long as its share says"
#define MARKS "shares: shares are part of a GPU, and marked when they change"

const struct grt_shares_spoiling grt_shares_spoilings[] = {
    {"a kernel ends 2 ns early", WORK, end_early, 100},
    {"a kernel ends 2 ns late", WORK, end_late, 100},
    {"a kernel of any length ends 2 ns early", WORK, end_early_at_any_speed, 70},
    {"a kernel ends 2 ns late, left over", WORK, end_late_left_over, 70},
    {"a kernel has more work", WORK, more_work, 100},
    {"a kernel begins late", "shares: kernels begin as soon as they can", begin_late, 20},
    {"a kernel begins late, and works less", WORK, begin_late, 50},
    {"an aborted kernel goes on", "shares: aborted kernels end at once", drag_out, 100},
    {"an aborted kernel is done", WORK, not_aborted, 90},
    {"a kernel has a block", "gpu: every block once", add_block, 100},
    {"a kernel alone ends late", ALONE, alone_late, 100},
    {"a kernel alone begins late", ALONE, alone_early, 100},
    {"a share is not counted", WORK, drop_mark, 35},
    {"a share is another", WORK, change_mark, 40},
    {"shares give fewer tokens", "shares: kernels take no more than their tokens", fewer_tokens, 5},
    {"a share is above all of a GPU", MARKS, too_large, 100},
    {"a share is below nothing", MARKS, negative, 100},
    {"a share is marked twice", MARKS, repeat_mark, 100},
    {"no contention instead of saturation", WORK, without_saturation, 20},
    {"max-min instead of saturation", WORK, saturation_is_max_min, 20},
    {"saturation instead of max-min", WORK, max_min_is_saturation, 20},
    {"no contention instead of max-min", WORK, without_max_min, 10},
    {"no contention instead of a table", WORK, without_table, 10},
    {"another exponent", WORK, other_exponent, 10},
    {"another latency", WORK, other_latency, 5},
    {"another host fraction", WORK, other_host, 30},
    {"another demand", WORK, other_demand, 2},
    {"no measured factors", WORK, other_factors, 5},
    {"concurrent instead of turns", WORK, no_turns, 30},
    {"concurrent instead of left over", WORK, nothing_left_over, 25},
    {NULL, NULL, NULL, 0},
};
