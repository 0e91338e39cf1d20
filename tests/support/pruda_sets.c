#include "tests/support/pruda_sets.h"

#include <assert.h>

#include "models/demand/demand.h"
#include "tests/support/pick.h"

/* ---- sets ---- */

static void add_commands(struct grt_builder *builder, struct grt_task *task, struct grt_random *random) {
    int64_t copies = grt_pick(random, 0, 1), most = grt_pick(random, 0, 2) == 0 ? 40 : 12;
    grt_builder_gpu_segment(builder, task);
    if (copies > 0 && grt_pick(random, 0, 1) == 0) {
        grt_builder_copy(builder, task, GRT_COMMAND_H2D, grt_pick(random, 1, most));
    }
    for (int64_t j = grt_pick(random, copies > 0 ? 0 : 1, 3); j > 0; j--) {
        if (grt_pick(random, 0, 5) == 0) {
            grt_builder_whole(builder, task, grt_pick(random, 1, most));
        } else {
            int64_t time = grt_pick(random, 1, most), threads = 256 * grt_pick(random, 1, 4);
            grt_builder_kernel(builder, task, grt_pick(random, 1, 12), threads, time);
        }
        if (copies > 0 && grt_pick(random, 0, 1) == 0) {
            grt_builder_copy(builder, task, GRT_COMMAND_H2D, grt_pick(random, 1, most));
        }
    }
    if (copies > 0) {
        grt_builder_sync_copy(builder, task, GRT_COMMAND_D2H, grt_pick(random, 1, most));
    }
}

static void add_task(struct grt_builder *builder, struct grt_random *random, enum pruda_set_kind kind) {
    bool rich = kind == PRUDA_SET_RICH;
    static const char *const names[PRUDA_SET_TASKS] = {"a", "b", "c", "d", "e", "f"};
    struct grt_task *task = grt_builder_task(builder, names[builder->scenario.task_count]);
    if (rich && grt_pick(random, 0, 2) == 0) {
        grt_builder_cpu(builder, task, grt_pick(random, 1, 30));
    }
    if (kind == PRUDA_SET_FINE) {
        grt_builder_kernel(builder, task, grt_pick(random, 1, 200), 1024, 1);
    } else {
        add_commands(builder, task, random);
    }
    if (rich && grt_pick(random, 0, 2) == 0) {
        grt_builder_cpu(builder, task, grt_pick(random, 1, 30));
    }
    task->priority = grt_pick(random, 0, 4) == 0 ? 0 : -(int64_t)builder->scenario.task_count;
}

static const struct grt_segment *gpu_segment(const struct grt_task *task) {
    const struct grt_segment *segment = task->segments;
    for (; segment->kind != GRT_SEGMENT_GPU; segment++) {
    }
    return segment;
}

static grt_time time_of(const struct grt_scenario *scenario, const struct grt_task *task) {
    return grt_segment_device_time(scenario, task, gpu_segment(task));
}

struct grt_builder *pruda_set_start(struct grt_random *random, enum pruda_set_kind kind) {
    bool rich = kind == PRUDA_SET_RICH, fine = kind == PRUDA_SET_FINE;
    struct grt_builder *builder = grt_builder_create(1);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_device(grt_pick(random, 1, 3)));
    int64_t count = grt_pick(random, 2, PRUDA_SET_TASKS),
            load = grt_pick(random,
                            fine   ? 90
                            : rich ? 10
                                   : 30,
                            fine   ? 99
                            : rich ? 50
                                   : 110),
            weights = 0;
    device->kernel_launch = fine ? 0 : grt_pick(random, 0, 2) * grt_pick(random, 0, 9);
    device->copy_latency = grt_pick(random, 0, 1) * grt_pick(random, 0, 5);
    device->copy_engines = grt_pick(random, 1, 2);
    int64_t weight[PRUDA_SET_TASKS];
    for (int64_t i = 0; i < count; i++) {
        add_task(builder, random, kind);
        weights += weight[i] = grt_pick(random, 1, 20);
    }
    for (int64_t i = 0; i < count; i++) {
        struct grt_task *task = &builder->tasks[i];
        grt_time time = time_of(&builder->scenario, task);
        grt_builder_periodic(task, time * 100 * weights / (load * weight[i]) + 1, 0);
        task->deadline = task->period * grt_pick(random, 1, 8);
        task->jitter = rich ? grt_pick(random, 0, 1) * grt_pick(random, 0, 2 * task->period) : 0;
    }
    return builder;
}

/* ---- the bound ---- */

struct demand {
    int64_t cost, period, jitter, priority;
    int64_t kernels, copies, block, copy;
};

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static struct demand demand_of(const struct grt_scenario *scenario, const struct grt_task *task) {
    const struct grt_device *device = &scenario->gpus[0];
    const struct grt_segment *segment = gpu_segment(task);
    struct demand demand = {.cost = time_of(scenario, task),
                            .period = task->period,
                            .jitter = task->jitter,
                            .priority = task->priority};
    for (size_t i = 0; i < segment->command_count; i++) {
        const struct grt_command_spec *command = &segment->commands[i];
        if (command->kind == GRT_COMMAND_KERNEL) {
            demand.kernels++;
            demand.block = larger(demand.block, command->kernel.block_time.max);
        } else { /* a byte a ns */
            demand.copies++;
            demand.copy = larger(demand.copy, command->bytes + device->copy_latency);
        }
    }
    return demand;
}

struct set {
    struct demand demands[PRUDA_SET_TASKS];
    size_t count;
    bool co_run;
    enum pruda_fault fault;
};

/* C', or C where a fault says so. */
static int64_t cost_of(const struct set *set, size_t index, bool own) {
    const struct demand *self = &set->demands[index];
    int64_t block = 0, copy = 0;
    for (size_t i = 0; i < set->count; i++) {
        if (i != index && (set->co_run || set->demands[i].priority < self->priority)) {
            block = larger(block, set->demands[i].block - 1);
            copy = larger(copy, set->demands[i].copy);
        }
    }
    block -= set->fault == PRUDA_SHORT_BLOCKS && block > 0;
    copy -= set->fault == PRUDA_SHORT_COPIES && copy > 0;
    bool plain = set->fault == PRUDA_ONCE || (set->fault == PRUDA_OWN_ONLY && !own) ||
                 (set->fault == PRUDA_OTHERS_ONLY && own);
    int64_t kernels = set->fault == PRUDA_NO_BLOCKS ? 0 : set->fault == PRUDA_ONE_BLOCK ? 1 : self->kernels;
    int64_t copies = set->fault == PRUDA_NO_COPIES ? 0 : set->fault == PRUDA_ONE_COPY ? 1 : self->copies;
    kernels = kernels < self->kernels ? kernels : self->kernels;
    copies = copies < self->copies ? copies : self->copies;
    return self->cost + (plain ? 0 : kernels * block + copies * copy);
}

static int64_t blocking_of(const struct set *set, size_t index) {
    int64_t longest = 0, lowest = INT64_MAX, priority = set->demands[index].priority;
    for (size_t i = 0; i < set->count; i++) {
        lowest = set->demands[i].priority < lowest ? set->demands[i].priority : lowest;
    }
    for (size_t i = 0; i < set->count; i++) {
        const struct demand *other = &set->demands[i];
        bool preempts = other->priority < priority && other->priority > lowest;
        int64_t cost = set->fault == PRUDA_PLAIN_BLOCKING ? other->cost : cost_of(set, i, false);
        longest = preempts ? larger(longest, cost - 1) : longest;
        if (set->fault == PRUDA_ONCE && other->priority < priority) {
            longest = larger(longest, other->block - 1);
        }
    }
    return set->fault == PRUDA_NO_BLOCKING ? 0 : longest;
}

/* When `jobs` requests of the task, or with 0 all of the busy period, have ended. */
static int64_t end_of(const struct set *set, size_t index, int64_t jobs) {
    for (int64_t end = 1;;) {
        int64_t next = blocking_of(set, index);
        for (size_t i = 0; i < set->count; i++) {
            const struct demand *other = &set->demands[i];
            int64_t many = (end + other->jitter + other->period - 1) / other->period;
            if (i == index) {
                next += (jobs > 0 ? jobs : many) * cost_of(set, i, true);
            } else if (other->priority >= set->demands[index].priority) {
                next += many * cost_of(set, i, false);
            }
        }
        if (next == end) {
            return end;
        }
        if (next > 1000000) {
            return INT64_MAX;
        }
        end = next;
    }
}

int64_t pruda_set_bound(const struct grt_scenario *scenario, size_t index, bool co_run,
                        enum pruda_fault fault) {
    struct set set = {.count = scenario->task_count, .co_run = co_run, .fault = fault};
    for (size_t i = 0; i < set.count; i++) {
        set.demands[i] = demand_of(scenario, &scenario->tasks[i]);
    }
    const struct demand *self = &set.demands[index];
    int64_t busy = end_of(&set, index, 0), bound = 0;
    if (busy == INT64_MAX) {
        return INT64_MAX;
    }
    assert(self->period > 0);
    int64_t jobs = fault == PRUDA_FIRST_ONLY ? 1 : (busy - 1 + self->jitter) / self->period + 1;
    for (int64_t job = 0; job < jobs; job++) {
        bound = larger(bound, end_of(&set, index, job + 1) - job * self->period + self->jitter);
    }
    return bound;
}
