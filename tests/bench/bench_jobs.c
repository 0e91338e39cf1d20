/* Jobs per second: 20 periodic tasks with one GPU segment each under np-edf, statistics on, without and with a trace,
 * against a bare state machine that schedules the same tasks without events, segments, device or statistics. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "models/world.h"
#include "policies/registry.h"
#include "sim/trace_file.h"
#include "tests/bench/bench.h"
#include "tests/support/world_builder.h"

enum { TASKS = 20, SCALE = 1000 };

static const int64_t periods[TASKS] = {5,  8,  10, 12, 16, 20, 24, 25,  30,  32,
                                       40, 48, 50, 60, 64, 75, 80, 100, 120, 160};

struct jobs {
    struct grt_scenario scenario;
    struct grt_device device;
    struct grt_task tasks[TASKS];
    struct grt_segment segments[TASKS];
    struct grt_command_spec commands[TASKS];
    const char *trace_path;
};

static void prepare(struct jobs *jobs, grt_time horizon) {
    *jobs = (struct jobs){.device = grt_built_exclusive()};
    for (int i = 0; i < TASKS; i++) {
        grt_time period = periods[i] * SCALE;
        jobs->commands[i] = (struct grt_command_spec){
            .kind = GRT_COMMAND_KERNEL,
            .kernel = {
                .name = "k", .whole_device = true, .block_time = {.kind = GRT_CONSTANT, .max = period / 25}}};
        jobs->segments[i] =
            (struct grt_segment){.kind = GRT_SEGMENT_GPU, .commands = &jobs->commands[i], .command_count = 1};
        jobs->tasks[i] = (struct grt_task){.name = "t",
                                           .arrival = GRT_ARRIVAL_PERIODIC,
                                           .period = period,
                                           .offset = i * 37,
                                           .deadline = period,
                                           .cpu = -1,
                                           .segments = &jobs->segments[i],
                                           .segment_count = 1};
    }
    jobs->scenario = (struct grt_scenario){.name = "bench",
                                           .seed = 1,
                                           .horizon = horizon,
                                           .gpus = &jobs->device,
                                           .gpu_count = 1,
                                           .tasks = jobs->tasks,
                                           .task_count = TASKS};
}

static uint64_t simulate(void *state) {
    struct jobs *jobs = state;
    struct grt_errors errors = {0};
    struct grt_world_options options = {0};
    struct grt_output *file = NULL;
    if (jobs->trace_path != NULL) {
        options.trace = grt_trace_create();
        file = grt_output_open(jobs->trace_path, &errors);
        grt_trace_add_sink(options.trace, &grt_trace_file_sink, file);
    }
    struct grt_world *world =
        grt_world_create(&jobs->scenario, grt_policy_find("np-edf"), NULL, &options, &errors);
    grt_world_run(world);
    const struct grt_result *result = grt_world_result(world);
    uint64_t count = 0;
    for (size_t i = 0; i < result->task_count; i++) {
        count += result->tasks[i].finished;
    }
    if (options.trace != NULL) {
        grt_trace_finish(options.trace);
        grt_output_close(file, &errors);
        grt_trace_free(options.trace);
    }
    grt_world_free(world);
    return count;
}

/* The reference: next releases in an array, ready jobs found by a scan, one running job. */
static uint64_t state_machine(void *state) {
    const struct jobs *jobs = state;
    grt_time release[TASKS], deadline[TASKS], end = GRT_TIME_NEVER;
    uint64_t count = 0, ready = 0;
    for (int i = 0; i < TASKS; i++) {
        release[i] = jobs->tasks[i].offset;
    }
    for (grt_time now = 0; now <= jobs->scenario.horizon;) {
        if (now == end) {
            count++;
            end = GRT_TIME_NEVER;
        }
        grt_time next = GRT_TIME_NEVER, best = GRT_TIME_NEVER;
        int chosen = -1;
        for (int i = 0; i < TASKS; i++) {
            if (release[i] == now) {
                ready |= UINT64_C(1) << i;
                deadline[i] = now + jobs->tasks[i].period;
                release[i] = deadline[i];
            }
            next = release[i] < next ? release[i] : next;
            if ((ready >> i & 1) != 0 && deadline[i] < best) {
                best = deadline[i];
                chosen = i;
            }
        }
        if (end == GRT_TIME_NEVER && chosen >= 0) {
            ready &= ~(UINT64_C(1) << chosen);
            end = now + jobs->tasks[chosen].period / 25;
        }
        now = end < next ? end : next;
    }
    return count;
}

void bench_jobs(void) {
    static struct jobs jobs;
    prepare(&jobs, 2 * GRT_SECOND);
    double reference = bench_ns_per_unit(state_machine, &jobs, 5);
    double ours = bench_ns_per_unit(simulate, &jobs, 5);
    bench_report("np-edf, 20 tasks, per job", ours, "bare state machine, per job", reference, "<= 100 ns");
    char path[64];
    snprintf(path, sizeof path, "/tmp/gpurt-bench-%ld.trace", (long)getpid());
    jobs.trace_path = path;
    bench_report("the same with a trace file, per job", bench_ns_per_unit(simulate, &jobs, 5),
                 "without the trace, per job", ours, "<= 200 ns");
    unlink(path);
}
