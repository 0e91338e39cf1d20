/* How costs grow: curves over the number of tasks, streams, SMs and blocks and over the horizon, as CSV for growth.gnuplot. Every
 * point is measured in a process of its own, so that its memory is known. Times are in event holds at 100 sources, measured
 * beside each point, because machines differ. */
#define _DEFAULT_SOURCE /* wait4 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "models/world.h"
#include "policies/registry.h"
#include "sim/event.h"
#include "tests/bench/bench.h"
#include "tests/support/world_builder.h"

enum {
    JOBS = 100000,
    JOBS_OF_A_TASK = 100,
    KERNELS = 32768,
    MOST_COMMANDS = 1024,
    BLOCKS = 400000,
    HOLDS = 1000000,
    SOURCES = 100,
    TRIES = 3,
    SMS = 132
};

static const struct grt_distribution own_times = {.kind = GRT_UNIFORM, .min = 100000, .max = 200000};
static const struct grt_distribution equal_times = {.kind = GRT_CONSTANT, .max = 100000};

/* A task set of any size. */
struct set {
    struct grt_arena arena;
    struct grt_scenario scenario;
    struct grt_device device;
    struct grt_task *tasks;
};

static void set_start(struct set *set, uint64_t tasks, struct grt_device device, grt_time horizon) {
    *set = (struct set){.device = device};
    set->tasks = grt_arena_array(&set->arena, tasks, sizeof *set->tasks);
    set->scenario = (struct grt_scenario){.name = "growth",
                                          .seed = 1,
                                          .horizon = horizon,
                                          .gpus = &set->device,
                                          .gpu_count = 1,
                                          .tasks = set->tasks,
                                          .task_count = tasks};
}

/* Task `i` of `segments` segments: released once, on no core. */
static struct grt_segment *set_task(struct set *set, uint64_t i, size_t segments) {
    static const grt_time at_zero[] = {0};
    struct grt_segment *all = grt_arena_array(&set->arena, segments, sizeof *all);
    set->tasks[i] = (struct grt_task){.name = "t",
                                      .arrival = GRT_ARRIVAL_TIMES,
                                      .times = at_zero,
                                      .time_count = 1,
                                      .deadline = GRT_TIME_NEVER,
                                      .cpu = -1,
                                      .segments = all,
                                      .segment_count = segments};
    return all;
}

static void set_periodic(struct set *set, uint64_t i, grt_time period) {
    struct grt_task *task = &set->tasks[i];
    task->arrival = GRT_ARRIVAL_PERIODIC;
    task->period = task->deadline = period;
    task->offset = (grt_time)i * 37;
    task->times = NULL;
    task->time_count = 0;
}

/* Makes a segment of so many equal kernels. */
static void set_kernels(struct set *set, struct grt_segment *segment, size_t count,
                        struct grt_kernel kernel) {
    struct grt_command_spec *commands = grt_arena_array(&set->arena, count, sizeof *commands);
    for (size_t i = 0; i < count; i++) {
        commands[i] = (struct grt_command_spec){.kind = GRT_COMMAND_KERNEL, .kernel = kernel};
    }
    *segment = (struct grt_segment){.kind = GRT_SEGMENT_GPU, .commands = commands, .command_count = count};
}

static struct grt_kernel kernel_of(int64_t blocks, struct grt_distribution time) {
    return (struct grt_kernel){.name = "k",
                               .blocks = blocks,
                               .needs = {.threads = 256, .registers_per_thread = 32},
                               .block_time = time};
}

/* One of task `i`: not all need the same of an SM. */
static struct grt_kernel kernel_of_task(uint64_t i, int64_t blocks, struct grt_distribution time) {
    struct grt_kernel kernel = kernel_of(blocks, time);
    kernel.needs.registers_per_thread = 16 + 8 * (int64_t)(i % 4);
    return kernel;
}

struct counts {
    uint64_t jobs, kernels, blocks;
};

/* Runs the set, and frees it. */
static struct counts set_run(struct set *set, const char *policy) {
    struct grt_errors errors = {0};
    struct grt_world_options options = {0};
    struct grt_world *world =
        grt_world_create(&set->scenario, grt_policy_find(policy), NULL, &options, &errors);
    if (world == NULL) {
        grt_errors_print(&errors, stderr, "gpurt-bench: ");
        exit(1);
    }
    grt_world_run(world);
    const struct grt_result *result = grt_world_result(world);
    struct counts counts = {.kernels = result->gpus[0].kernels, .blocks = result->gpus[0].blocks};
    for (size_t i = 0; i < result->task_count; i++) {
        counts.jobs += result->tasks[i].finished;
    }
    grt_world_free(world);
    grt_arena_clear(&set->arena);
    return counts;
}

/* ---- the curves ---- */

/* Tasks whose periods differ by up to a factor of ten, and which together need 80 percent of the GPU. */
static grt_time period_of(uint64_t task, uint64_t tasks) {
    return (grt_time)(tasks * 1000 + 9000 * task);
}

static grt_time horizon_of(uint64_t tasks, uint64_t jobs) {
    double rate = 0;
    for (uint64_t i = 0; i < tasks; i++) {
        rate += 1 / (double)period_of(i, tasks);
    }
    return (grt_time)((double)jobs / rate);
}

/* So many that making the tasks is little of it. */
static uint64_t jobs_for(uint64_t tasks) {
    return tasks < JOBS / JOBS_OF_A_TASK ? JOBS : tasks * JOBS_OF_A_TASK;
}

static struct grt_kernel share_of(uint64_t task, uint64_t tasks) {
    grt_time time = period_of(task, tasks) * 4 / 5 / (grt_time)tasks;
    return (struct grt_kernel){
        .name = "k", .whole_device = true, .block_time = {.kind = GRT_CONSTANT, .max = time}};
}

static uint64_t run_np_edf(uint64_t tasks, uint64_t jobs) {
    struct set set;
    set_start(&set, tasks, grt_built_exclusive(), horizon_of(tasks, jobs));
    for (uint64_t i = 0; i < tasks; i++) {
        set_kernels(&set, set_task(&set, i, 1), 1, share_of(i, tasks));
        set_periodic(&set, i, period_of(i, tasks));
    }
    return set_run(&set, "np-edf").jobs;
}

static uint64_t np_edf(uint64_t tasks) {
    return run_np_edf(tasks, jobs_for(tasks));
}

/* The same with a segment on one of four cores before and behind. */
static uint64_t np_fp_on_cores(uint64_t tasks) {
    struct set set;
    set_start(&set, tasks, grt_built_exclusive(), horizon_of(tasks, jobs_for(tasks)));
    set.scenario.core_count = 4;
    for (uint64_t i = 0; i < tasks; i++) {
        struct grt_segment *segments = set_task(&set, i, 3);
        set_kernels(&set, &segments[1], 1, share_of(i, tasks));
        set_periodic(&set, i, period_of(i, tasks));
        grt_time time = period_of(i, tasks) / (grt_time)tasks;
        segments[0] = segments[2] =
            (struct grt_segment){.kind = GRT_SEGMENT_CPU, .cpu_time = {.kind = GRT_CONSTANT, .max = time}};
        set.tasks[i].cpu = (int64_t)(i % 4);
        set.tasks[i].priority = -(int64_t)i;
    }
    return set_run(&set, "np-fp").jobs;
}

/* A stream per task, half of which have a kernel of one block on the GPU at a time, at most a hundred. */
static uint64_t jobs_in_streams(uint64_t tasks) {
    struct set set;
    struct grt_device device = grt_built_device(SMS);
    device.max_resident_grids = 128;
    set_start(&set, tasks, device, horizon_of(tasks, jobs_for(tasks)));
    for (uint64_t i = 0; i < tasks; i++) {
        grt_time period = period_of(i, tasks);
        grt_time time = tasks < 200 ? period / 2 : period * 100 / (grt_time)tasks;
        set_kernels(&set, set_task(&set, i, 1), 1,
                    kernel_of_task(i, 1, (struct grt_distribution){.kind = GRT_CONSTANT, .max = time}));
        set_periodic(&set, i, period_of(i, tasks));
        set.tasks[i].priority = -(int64_t)i;
    }
    return set_run(&set, "hardware").jobs;
}

/* Streams that always have one of their jobs of 16 kernels of eight blocks on the GPU, or waiting for a place among the resident
 * grids. */
static uint64_t kernels_in_streams(uint64_t streams) {
    struct set set;
    struct grt_device device = grt_built_device(SMS);
    device.max_resident_grids = 128;
    uint64_t busy = streams < 128 ? 128 : streams;
    grt_time period = 16 * own_times.max * (grt_time)busy / 128;
    set_start(&set, streams, device, (grt_time)(KERNELS / 16 / streams + 2) * period);
    for (uint64_t i = 0; i < streams; i++) {
        set_kernels(&set, set_task(&set, i, 1), 16, kernel_of_task(i, 8, own_times));
        set_periodic(&set, i, period);
    }
    return set_run(&set, "hardware").kernels;
}

/* Kernels one after the other, as many segments as they need. */
static uint64_t run_blocks(uint64_t sms, uint64_t blocks, uint64_t kernels, struct grt_distribution time) {
    struct set set;
    uint64_t segments = (kernels + MOST_COMMANDS - 1) / MOST_COMMANDS;
    set_start(&set, 1, grt_built_device((int64_t)sms), GRT_TIME_LIMIT);
    struct grt_segment *all = set_task(&set, 0, segments);
    for (uint64_t i = 0; i < segments; i++) {
        uint64_t left = kernels - i * MOST_COMMANDS;
        set_kernels(&set, &all[i], left < MOST_COMMANDS ? left : MOST_COMMANDS,
                    kernel_of((int64_t)blocks, time));
    }
    return set_run(&set, "hardware").blocks;
}

static uint64_t own_blocks_on_sms(uint64_t sms) {
    return run_blocks(sms, BLOCKS, 1, own_times);
}

static uint64_t equal_blocks_on_sms(uint64_t sms) {
    return run_blocks(sms, 100 * BLOCKS, 1, equal_times);
}

static uint64_t kernels_for(uint64_t blocks) {
    uint64_t wanted = BLOCKS / blocks;
    return wanted == 0 ? 1 : wanted < KERNELS ? wanted : KERNELS;
}

static uint64_t own_blocks(uint64_t blocks) {
    return run_blocks(SMS, blocks, kernels_for(blocks), own_times);
}

static uint64_t equal_blocks(uint64_t blocks) {
    return run_blocks(SMS, blocks, kernels_for(blocks), equal_times);
}

static uint64_t horizon(uint64_t jobs) {
    return run_np_edf(20, jobs);
}

static const struct curve {
    const char *name; /* what it grows with, and of what the costs are */
    uint64_t (*work)(uint64_t size);
    uint64_t sizes[12]; /* up to the first 0 */
} curves[] = {
    {"tasks-np-edf", np_edf, {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 4096}},
    {"tasks-np-fp-cores", np_fp_on_cores, {4, 10, 20, 50, 100, 200, 500, 1000, 2000, 4096}},
    {"tasks-hardware", jobs_in_streams, {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 4096}},
    {"streams-kernel", kernels_in_streams, {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096}},
    {"sms-own-block", own_blocks_on_sms, {1, 2, 4, 8, 16, 32, 64, 132, 256, 512, 1024}},
    {"sms-equal-block", equal_blocks_on_sms, {1, 2, 4, 8, 16, 32, 64, 132, 256, 512, 1024}},
    {"blocks-own-block", own_blocks, {1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1000000}},
    {"blocks-equal-block", equal_blocks, {1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1000000}},
    {"horizon-job", horizon, {20, 100, 1000, 10000, 100000, 1000000, 10000000}},
};

/* ---- measuring ---- */

struct point {
    uint64_t units;
    double ns, hold_ns; /* of a unit, and of an event hold */
};

static double hold_ns(void) {
    struct grt_event_queue queue = {0};
    uint64_t state = 1;
    grt_event_queue_reserve(&queue, SOURCES);
    for (uint32_t i = 0; i < SOURCES; i++) {
        grt_event_set(&queue, i, i, grt_event_order(0, i));
    }
    double start = bench_cpu_seconds();
    for (uint32_t i = 0; i < HOLDS; i++) {
        struct grt_event event = *grt_event_top(&queue);
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        grt_event_set(&queue, grt_event_slot(&event), event.time + (grt_time)(state >> 44), event.order);
    }
    double ns = (bench_cpu_seconds() - start) * 1e9 / HOLDS;
    grt_event_queue_free(&queue);
    return ns;
}

static double least(double a, double b) {
    return a < b ? a : b;
}

static struct point measure(const struct curve *curve, uint64_t size) {
    struct point point = {.ns = 1e300, .hold_ns = hold_ns()};
    for (int i = 0; i < TRIES; i++) {
        double start = bench_cpu_seconds();
        point.units = curve->work(size);
        point.ns = least(point.ns, (bench_cpu_seconds() - start) * 1e9 / (double)point.units);
        point.hold_ns = least(point.hold_ns, hold_ns());
    }
    return point;
}

/* Has a point measured by a child, or nothing at all without a curve; returns the most memory that it had, in bytes. */
static long in_child(const struct curve *curve, uint64_t size, struct point *point) {
    int ends[2], status = 0;
    struct rusage usage = {0};
    fflush(stdout);
    pid_t child = pipe(ends) == 0 ? fork() : -1;
    if (child == 0) {
        *point = curve != NULL ? measure(curve, size) : (struct point){.hold_ns = hold_ns()};
        _exit(write(ends[1], point, sizeof *point) == (ssize_t)sizeof *point ? 0 : 1);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0 ||
        read(ends[0], point, sizeof *point) != (ssize_t)sizeof *point) {
        fprintf(stderr, "gpurt-bench: a point of growth was not measured\n");
        exit(1);
    }
    close(ends[0]);
    close(ends[1]);
    return usage.ru_maxrss * 1024;
}

void bench_growth(void) {
    struct point point;
    long none = in_child(NULL, 0, &point);
    printf("curve,size,units,holds,bytes\n");
    for (size_t i = 0; i < sizeof curves / sizeof curves[0]; i++) {
        for (size_t j = 0; j < 12 && curves[i].sizes[j] > 0; j++) {
            long bytes = in_child(&curves[i], curves[i].sizes[j], &point) - none;
            printf("%s,%llu,%llu,%.4g,%ld\n", curves[i].name, (unsigned long long)curves[i].sizes[j],
                   (unsigned long long)point.units, point.ns / point.hold_ns, bytes > 0 ? bytes : 0);
        }
    }
}
