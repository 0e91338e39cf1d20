#include "tests/support/analysis_case.h"

#include <string.h>

#include "models/analysis_set.h"
#include "policies/analyses/registry.h"
#include "policies/registry.h"
#include "sim/check.h"
#include "tests/support/pick.h"

static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};

void analysis_case_start(struct analysis_case *it) {
    it->set = (struct grt_analysis_set){.tasks = it->tasks};
}

struct grt_analysis_task *analysis_case_add(struct analysis_case *it, int64_t cost, int64_t period,
                                            int64_t deadline) {
    size_t index = it->set.count++;
    GRT_REQUIRE(index < ANALYSIS_CASE_TASKS, "add fewer tasks");
    it->segments[index][0] =
        (struct grt_analysis_segment){.on_gpu = true, .shortest = 1, .longest = cost, .device_longest = cost};
    it->tasks[index] = (struct grt_analysis_task){.name = index < 8 ? names[index] : "more",
                                                  .number = (uint32_t)index,
                                                  .period = period,
                                                  .deadline = deadline,
                                                  .priority = -(int64_t)index,
                                                  .core = -1,
                                                  .segments = it->segments[index],
                                                  .segment_count = cost > 0};
    return &it->tasks[index];
}

void analysis_case_segment(struct analysis_case *it, bool on_gpu, int64_t shortest, int64_t longest) {
    size_t index = it->set.count - 1;
    GRT_REQUIRE(it->tasks[index].segment_count < 8, "add fewer segments");
    it->segments[index][it->tasks[index].segment_count++] = (struct grt_analysis_segment){
        .on_gpu = on_gpu, .shortest = shortest, .longest = longest, .device_longest = on_gpu ? longest : 0};
}

enum grt_verdict analysis_case_run(struct analysis_case *it, const char *analysis) {
    const struct grt_analysis_ops *ops = grt_analysis_find(analysis);
    GRT_REQUIRE(ops != NULL, "name an analysis that is registered");
    memset(&it->result, 0, sizeof it->result);
    it->result.failing = GRT_ANALYSIS_NO_TASK;
    it->result.response = it->response;
    it->result.first_release = it->first_release;
    it->result.values = it->values;
    it->result.value_capacity = sizeof it->values / sizeof *it->values;
    for (size_t i = 0; i < it->set.count; i++) {
        it->response[i] = it->first_release[i] = GRT_ANALYSIS_NEVER;
    }
    grt_analysis_run(ops, &it->set, &it->result);
    return it->result.verdict;
}

int64_t analysis_case_time(const struct analysis_case *it, const char *name) {
    for (size_t i = 0; i < it->result.value_count; i++) {
        if (it->values[i].is_time && strcmp(it->values[i].name, name) == 0) {
            return it->values[i].time;
        }
    }
    return -1;
}

int64_t analysis_case_cost(const struct analysis_case *it, size_t task) {
    return it->segments[task][0].longest;
}

void analysis_case_random(struct analysis_case *it, struct grt_random *random, size_t count, int64_t longest,
                          int64_t load) {
    analysis_case_start(it);
    int64_t kind = grt_pick(random, 0, 3); /* of deadlines */
    for (size_t i = 0; i < count; i++) {
        int64_t period = grt_pick(random, longest / 10 + 1, longest);
        int64_t most = period * load * 2 / 100 / (int64_t)count;
        int64_t cost = grt_pick(random, 1, most > 1 ? most : 1);
        int64_t deadline = period;
        if (kind == 1 || (kind == 2 && grt_pick(random, 0, 1) == 0)) {
            deadline = grt_pick(random, cost < period ? cost : period, period);
        } else if (kind == 3) {
            deadline = grt_pick(random, cost, 2 * period + cost);
        }
        analysis_case_add(it, cost, period, deadline);
    }
}

/* ---- the same sets, simulated ---- */

void analysis_case_take(struct analysis_case *it, struct grt_builder *builder) {
    it->set = grt_analysis_set_of(&builder->scenario, 0, NULL, &builder->arena);
}

struct grt_builder *analysis_case_build(struct analysis_case *it) {
    struct grt_builder *builder = grt_builder_create(1);
    grt_builder_gpu(builder, grt_built_exclusive());
    for (size_t i = 0; i < it->set.count; i++) {
        const struct grt_analysis_task *from = &it->set.tasks[i];
        struct grt_task *task = grt_builder_task(builder, from->name);
        grt_builder_periodic(task, from->period, 0);
        task->deadline = from->deadline;
        task->jitter = from->jitter;
        task->priority = from->priority;
        task->deadline_from =
            from->deadline_from_release ? GRT_DEADLINE_FROM_RELEASE : GRT_DEADLINE_FROM_ARRIVAL;
        for (size_t j = 0; j < from->segment_count; j++) {
            const struct grt_analysis_segment *segment = &from->segments[j];
            if (segment->on_gpu) {
                grt_builder_gpu_segment(builder, task);
                grt_builder_whole(builder, task, segment->longest);
            } else {
                grt_builder_cpu(builder, task, segment->longest)->cpu_time = (struct grt_distribution){
                    .kind = segment->shortest < segment->longest ? GRT_UNIFORM : GRT_CONSTANT,
                    .min = segment->shortest,
                    .max = segment->longest};
            }
        }
    }
    analysis_case_take(it, builder);
    return builder;
}

/* The commands are the builder's own, made writable again. */
static void draw_kernels(struct grt_segment *segment, bool shorter) {
    size_t count = segment->kind == GRT_SEGMENT_GPU ? segment->command_count : 0;
    struct grt_command_spec *commands = (struct grt_command_spec *)(uintptr_t)segment->commands;
    for (size_t i = 0; i < count; i++) {
        commands[i].kernel.block_time.kind = shorter ? GRT_UNIFORM : GRT_CONSTANT;
        commands[i].kernel.block_time.min = 1;
    }
}

static void follow(struct grt_builder *builder, const struct analysis_pattern *pattern) {
    builder->scenario.horizon = pattern->horizon;
    builder->scenario.seed = pattern->seed;
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        struct grt_task *task = &builder->tasks[i];
        int64_t first = pattern->first_release[i];
        task->offset = first < pattern->horizon ? first : pattern->horizon;
        task->arrival = pattern->sporadic ? GRT_ARRIVAL_SPORADIC : GRT_ARRIVAL_PERIODIC;
        task->extra_gap = (struct grt_distribution){.kind = GRT_UNIFORM, .max = task->period / 2};
        for (size_t j = 0; j < task->segment_count; j++) {
            draw_kernels(&builder->segments[i][j], pattern->shorter);
        }
    }
}

void analysis_case_simulate(struct grt_builder *builder, const char *policy,
                            const struct analysis_pattern *pattern, struct analysis_simulation *simulation) {
    struct grt_errors errors = {0};
    follow(builder, pattern);
    struct grt_world *world = grt_world_create(&builder->scenario, grt_policy_find(policy),
                                               pattern->parameters, &(struct grt_world_options){0}, &errors);
    GRT_REQUIRE(world != NULL, "simulate what the world accepts");
    grt_world_run(world);
    const struct grt_result *result = grt_world_result(world);
    simulation->missed = 0;
    for (size_t i = 0; i < result->task_count; i++) {
        simulation->missed += result->tasks[i].missed;
        simulation->response[i] = result->tasks[i].response.max;
    }
    grt_world_free(world);
}
