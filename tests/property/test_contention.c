/* labels: soak */
/* Random worlds in which blocks, copies and threads slow each other, against the definition of the speeds: a second way
 * reads who ran when from the trace, works out everybody's speed for every span in which nothing changed, in floating
 * point and by other means than the simulator, and adds up what everybody had done. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/contended_world.h"
#include "tests/support/gpu_launches.h"
#include "tests/support/suite.h"

enum { BLOCK, COPY, THREAD };

/* Somebody who ran from `start` to `end`. */
struct run {
    int kind;
    uint32_t gpu, sm, launch, task; /* launch: blocks and copies */
    const struct grt_gpu_kernel *charges;
    const char *class_name;
    grt_time start, end;
    double demand, own, speed, work;
};

struct fluid {
    const struct grt_scenario *scenario;
    struct run *runs;
    size_t count;
};

/* ---- who ran when ---- */

static void add_run(struct fluid *fluid, struct run run) {
    fluid->runs = realloc(fluid->runs, (fluid->count + 1) * sizeof *fluid->runs);
    fluid->runs[fluid->count++] = run;
}

static void read_gpu_runs(struct fluid *fluid, const struct grt_launches *all, grt_time end) {
    for (uint32_t i = 0; i < all->block_count; i++) {
        const struct grt_seen_block *block = &all->blocks[i];
        const struct grt_launch *launch = &all->launches[block->launch];
        const struct grt_kernel *kernel = launch->kernel;
        add_run(fluid,
                (struct run){.kind = BLOCK,
                             .gpu = launch->gpu,
                             .sm = block->sm,
                             .launch = block->launch,
                             .task = launch->task,
                             .charges = &launch->charges,
                             .class_name = kernel->class_name != NULL ? kernel->class_name : kernel->name,
                             .start = block->start,
                             .end = block->end < end ? block->end : end});
    }
    for (uint32_t i = 0; i < all->launch_count; i++) {
        const struct grt_launch *launch = &all->launches[i];
        if (launch->kind != GRT_COMMAND_KERNEL && launch->start != GRT_TIME_NEVER) {
            add_run(fluid, (struct run){.kind = COPY,
                                        .gpu = launch->gpu,
                                        .launch = i,
                                        .task = launch->task,
                                        .start = launch->start,
                                        .end = launch->end < end ? launch->end : end});
        }
    }
}

static void read_threads(struct fluid *fluid, const struct grt_built_run *run) {
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if (record->kind == GRT_TRACE_CPU) {
            add_run(fluid, (struct run){.kind = THREAD,
                                        .gpu = UINT32_MAX,
                                        .launch = record->job,
                                        .sm = record->detail, /* the segment */
                                        .task = record->task,
                                        .start = record->other,
                                        .end = record->time});
        }
    }
}

/* ---- speeds by their definition ---- */

static int64_t rate_of_copy(const struct grt_device *device, const struct grt_launch *launch) {
    return device->copy_engines == 0         ? 0
           : launch->kind == GRT_COMMAND_H2D ? device->h2d_bytes_per_second
                                             : device->d2h_bytes_per_second;
}

/* The blocks of the kernel that fit on an SM, or that there are. */
static int64_t most_on_an_sm(const struct grt_device *device, const struct grt_launch *launch) {
    int64_t fit =
        launch->kernel->whole_device ? 1 : grt_occupancy_of(device, &launch->kernel->needs).blocks_per_sm;
    return launch->blocks < fit ? launch->blocks : fit;
}

static double load_of(const struct grt_device *device, const struct grt_launch *launch) {
    double threads = launch->charges.threads;
    int64_t most = device->cores_per_sm * device->threads_per_core / most_on_an_sm(device, launch);
    return threads < (double)most ? threads : (double)most;
}

static double demand_of(const struct fluid *fluid, const struct grt_launches *all, const struct run *run) {
    if (run->kind == THREAD) {
        return (double)fluid->scenario->tasks[run->task].segments[run->sm].cpu_bandwidth;
    }
    const struct grt_device *device = &fluid->scenario->gpus[run->gpu];
    const struct grt_launch *launch = &all->launches[run->launch];
    if (run->kind == COPY) {
        return (double)rate_of_copy(device, launch) * (device->integrated ? 2 : 1);
    }
    int64_t fit =
        launch->kernel->whole_device ? 1 : grt_occupancy_of(device, &launch->kernel->needs).blocks_per_sm;
    int64_t together = fit * device->sm_count < launch->blocks ? fit * device->sm_count : launch->blocks;
    return floor((double)launch->kernel->bandwidth / (double)together);
}

static double factor_of(const struct grt_device *device, const char *class_name, const char *beside,
                        bool same_sm) {
    const struct grt_slowdown *rows = device->slowdowns.items;
    for (size_t i = 0; i < device->slowdowns.count; i++) {
        if (strcmp(rows[i].class_name, class_name) == 0 && strcmp(rows[i].beside, beside) == 0) {
            return same_sm && rows[i].same_sm != 0 ? rows[i].same_sm : rows[i].factor;
        }
    }
    return 1;
}

static bool is_running(const struct run *run, grt_time now) {
    return run->start <= now && now < run->end;
}

/* Beside every other kernel that runs on its GPU. */
static double speed_beside(const struct fluid *fluid, const struct run *run, grt_time now) {
    const struct grt_device *device = &fluid->scenario->gpus[run->gpu];
    double speed = 1;
    for (size_t i = 0; i < fluid->count; i++) {
        const struct run *other = &fluid->runs[i];
        if (other->kind != BLOCK || other->gpu != run->gpu || other->launch == run->launch ||
            !is_running(other, now)) {
            continue;
        }
        bool counted = false, same_sm = false; /* a kernel counts once */
        for (size_t j = 0; j < fluid->count; j++) {
            const struct run *sibling = &fluid->runs[j];
            bool of_it =
                sibling->kind == BLOCK && sibling->launch == other->launch && is_running(sibling, now);
            counted |= of_it && j < i;
            same_sm |= of_it && sibling->sm == run->sm;
        }
        speed /= counted ? 1 : factor_of(device, run->class_name, other->class_name, same_sm);
    }
    return speed;
}

static double speed_on_sm(const struct fluid *fluid, const struct grt_launches *all, const struct run *run,
                          grt_time now) {
    const struct grt_device *device = &fluid->scenario->gpus[run->gpu];
    double load = 0, capacity = (double)(device->cores_per_sm * device->threads_per_core);
    for (size_t i = 0; capacity > 0 && i < fluid->count; i++) {
        const struct run *other = &fluid->runs[i];
        if (other->kind == BLOCK && other->sm == run->sm && is_running(other, now)) {
            load += load_of(device, &all->launches[other->launch]);
        }
    }
    return load > capacity ? capacity / load : 1;
}

/* Whether somebody draws from the memory of a GPU. */
static bool is_on_bus(const struct fluid *fluid, const struct run *run, uint32_t gpu) {
    return run->gpu == gpu || (run->kind == THREAD && fluid->scenario->gpus[gpu].integrated);
}

/* What all draw together if nobody gets more than `level` bytes per second. */
static double drawn(const struct fluid *fluid, uint32_t gpu, grt_time now, double level) {
    double sum = 0;
    for (size_t i = 0; i < fluid->count; i++) {
        const struct run *run = &fluid->runs[i];
        if (is_running(run, now) && is_on_bus(fluid, run, gpu)) {
            sum += run->demand * run->own < level ? run->demand * run->own : level;
        }
    }
    return sum;
}

/* The level of max-min sharing, by bisection. */
static double fair_level(const struct fluid *fluid, uint32_t gpu, grt_time now, double capacity) {
    double low = 0, high = 2 * capacity;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        *(drawn(fluid, gpu, now, middle) > capacity ? &high : &low) = middle;
    }
    return low;
}

static void share_memory(struct fluid *fluid, uint32_t gpu, grt_time now) {
    const struct grt_device *device = &fluid->scenario->gpus[gpu];
    double capacity = (double)device->memory_bytes_per_second, total = drawn(fluid, gpu, now, INFINITY);
    if (device->bandwidth_sharing == GRT_BANDWIDTH_SHARING_NONE || total <= capacity) {
        return;
    }
    double level = fair_level(fluid, gpu, now, capacity);
    for (size_t i = 0; i < fluid->count; i++) {
        struct run *run = &fluid->runs[i];
        if (!is_running(run, now) || !is_on_bus(fluid, run, gpu) || run->demand == 0) {
            continue;
        }
        if (device->bandwidth_sharing == GRT_BANDWIDTH_SHARING_PROPORTIONAL) {
            run->speed = run->own * capacity / total;
        } else if (run->demand * run->own > level) {
            run->speed = level / run->demand;
        }
    }
}

/* Lets everybody work from `now` to `next`, between which nothing changes. */
static void integrate(struct fluid *fluid, const struct grt_launches *all, grt_time now, grt_time next) {
    for (size_t i = 0; i < fluid->count; i++) {
        struct run *run = &fluid->runs[i];
        if (is_running(run, now)) {
            run->own =
                run->kind == BLOCK ? speed_on_sm(fluid, all, run, now) * speed_beside(fluid, run, now) : 1;
            run->speed = run->own;
        }
    }
    for (uint32_t gpu = 0; gpu < fluid->scenario->gpu_count; gpu++) {
        share_memory(fluid, gpu, now);
    }
    for (size_t i = 0; i < fluid->count; i++) {
        if (is_running(&fluid->runs[i], now)) {
            fluid->runs[i].work += fluid->runs[i].speed * (double)(next - now);
        }
    }
}

static void integrate_all(struct fluid *fluid, const struct grt_launches *all) {
    for (grt_time now = 0, next; now != GRT_TIME_NEVER; now = next) {
        next = GRT_TIME_NEVER;
        for (size_t i = 0; i < fluid->count; i++) {
            const struct run *run = &fluid->runs[i];
            next = run->start > now && run->start < next ? run->start : next;
            next = run->end > now && run->end < next ? run->end : next;
        }
        if (next != GRT_TIME_NEVER) {
            integrate(fluid, all, now, next);
        }
    }
}

/* ---- what must hold ---- */

/* Whether what was done is what there was to do. Blocks begin and end at whole ns, so that up to a ns is lost at each end;
 * a thread loses one with every dispatch. */
static bool did(const struct run *run, double work, grt_time wanted, bool ended, int dispatches) {
    double most = (double)wanted + 1.001 + dispatches;
    if ((!ended || work > (double)wanted - 0.001) && work < most) {
        return true;
    }
    fprintf(stderr, "kind %d of task %u, %" PRId64 " to %" PRId64 ": did %.6f ns of %" PRId64 "\n", run->kind,
            run->task, run->start, run->end, work, wanted);
    return false;
}

static bool thread_did(const struct fluid *fluid, const struct grt_built_run *run, size_t first) {
    const struct run *thread = &fluid->runs[first];
    const struct grt_segment *segment = &fluid->scenario->tasks[thread->task].segments[thread->sm];
    double work = 0;
    int dispatches = 0;
    for (size_t i = 0; i < fluid->count; i++) {
        const struct run *other = &fluid->runs[i];
        bool same = other->kind == THREAD && other->task == thread->task && other->launch == thread->launch &&
                    other->sm == thread->sm;
        if (same && i < first) {
            return true; /* was looked at */
        }
        work += same ? other->work : 0;
        dispatches += same;
    }
    bool ended = false;
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        ended |= record->kind == GRT_TRACE_CPU && record->task == thread->task &&
                 record->job == thread->launch && record->detail == thread->sm && record->flags == 0;
    }
    return did(thread, work, segment->cpu_time.max, ended, dispatches);
}

static bool all_did(const struct fluid *fluid, const struct grt_launches *all,
                    const struct grt_built_run *run) {
    for (size_t i = 0; i < fluid->count; i++) {
        const struct run *one = &fluid->runs[i];
        if (one->kind == THREAD) {
            if (!thread_did(fluid, run, i)) {
                return false;
            }
            continue;
        }
        const struct grt_launch *launch = &all->launches[one->launch];
        const struct grt_device *device = &fluid->scenario->gpus[one->gpu];
        grt_time wanted = launch->charges.block_time.max;
        if (one->kind == COPY) {
            int64_t rate = rate_of_copy(device, launch);
            wanted = device->copy_latency + (rate > 0 ? grt_time_of_work(launch->bytes, rate) : 0);
            wanted = wanted > 0 ? wanted : 1;
        }
        if (!did(one, one->work, wanted, one->end < run->result->end, 1)) {
            return false;
        }
    }
    return true;
}

static bool follows_the_definition(const struct grt_builder *builder, const struct grt_built_run *run) {
    struct fluid fluid = {.scenario = &builder->scenario};
    struct grt_launches all;
    bool good = grt_launches_read(&all, &builder->scenario, run);
    if (good) {
        read_gpu_runs(&fluid, &all, run->result->end);
        read_threads(&fluid, run);
        for (size_t i = 0; i < fluid.count; i++) {
            fluid.runs[i].demand = demand_of(&fluid, &all, &fluid.runs[i]);
        }
        integrate_all(&fluid, &all);
        good = all_did(&fluid, &all, run);
    }
    free(fluid.runs);
    grt_launches_free(&all);
    return good;
}

static void everybody_works_at_the_defined_speed(void) {
    bool good = true;
    for (int i = 0, cases = grt_suite_cases(300, 5000); good && i < cases; i++) {
        struct grt_builder *builder = grt_contended_world((uint64_t)i);
        struct grt_built_run run;
        grt_built_run_start(&run, &builder->scenario, grt_policy_find("hardware"), i % 2 == 1);
        good = run.world != NULL && follows_the_definition(builder, &run);
        if (!good) {
            grt_errors_print(&run.errors, stderr, "refused: ");
            fprintf(stderr, "world %d\n", i);
        }
        grt_built_run_free(&run);
        grt_builder_free(builder);
    }
    CU_ASSERT(good);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"everybody works at the speed that the rules define", everybody_works_at_the_defined_speed},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("contention", tests);
}
