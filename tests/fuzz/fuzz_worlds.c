/* Valid scenarios under every policy, with the auditor on. The bytes choose a random world, a policy and how its GPUs are simulated, then change tasks, the device and the
 * policy's parameters one by one; what the bytes end before is 0. Every run has to keep all rules, and has to be the same without cohorts. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/fuzz/target.h"
#include "tests/support/audited_world.h"
#include "tests/support/every_policy.h"
#include "tests/support/random_world.h"
#include "tests/support/shared_world.h"
#include "tests/support/shares_world.h"

struct input {
    const uint8_t *data;
    size_t size;
};

/* The next `bytes` bytes as a number below `bound`. */
static int64_t take(struct input *input, size_t bytes, int64_t bound) {
    uint64_t number = 0;
    for (size_t i = 0; i < bytes; i++) {
        number = number << 8 | (input->size > 0 ? *input->data : 0);
        input->data += input->size > 0;
        input->size -= input->size > 0;
    }
    assert(bound > 0);
    return (int64_t)(number % (uint64_t)bound);
}

/* ---- the world ---- */

enum { KIND_HOST = GRT_AUDITED_KINDS, KIND_SLOTTED, KINDS };

/* Kinds whose worlds every policy takes. */
static const int for_all[] = {GRT_AUDITED_PLAIN, GRT_AUDITED_CALLS, GRT_AUDITED_LAUNCHES};

static struct grt_builder *make(struct input *input, int kind) {
    uint64_t number = (uint64_t)take(input, 4, INT64_C(1) << 32);
    struct grt_builder *builder;
    if (kind < GRT_AUDITED_KINDS) {
        return grt_audited_world(number, (enum grt_audited_kind)kind);
    }
    if (kind == KIND_SLOTTED) {
        return grt_slotted_world(number);
    }
    builder = grt_random_world(number);
    grt_random_world_add_host(builder, number);
    return builder;
}

static void change_time(struct input *input, struct grt_distribution *span) {
    static const int kinds[] = {GRT_CONSTANT, GRT_UNIFORM, GRT_EXPONENTIAL};
    span->kind = kinds[take(input, 1, 3)];
    span->max = 1 + take(input, 2, 200);
    span->min = span->kind == GRT_CONSTANT ? span->max : take(input, 1, span->max) + 1;
    span->scale = span->kind == GRT_EXPONENTIAL ? 1 + take(input, 1, 100) : 0;
}

static void change_task(struct input *input, struct grt_builder *builder) {
    struct grt_task *task = &builder->tasks[take(input, 1, (int64_t)builder->scenario.task_count)];
    switch (take(input, 1, 9)) {
    case 0:
        task->period = task->arrival <= GRT_ARRIVAL_POISSON ? 1 + take(input, 2, 2000) : task->period;
        break;
    case 1:
        task->deadline = 1 + take(input, 2, 2000);
        break;
    case 2:
        task->priority = take(input, 1, 9) - 4;
        break;
    case 3:
        task->on_miss = take(input, 1, GRT_MISS_STOP + 1);
        break;
    case 4:
        task->jitter = task->arrival == GRT_ARRIVAL_PERIODIC ? take(input, 2, 500) : task->jitter;
        break;
    case 5:
        task->deadline_from = take(input, 1, 2);
        break;
    case 6:
        task->separation = take(input, 2, 500);
        break;
    case 7:
        task->split_overhead = take(input, 1, 30);
        break;
    default:
        task->offset = task->arrival == GRT_ARRIVAL_PERIODIC ? take(input, 2, 500) : task->offset;
        break;
    }
}

static void change_segment(struct input *input, struct grt_builder *builder) {
    int64_t number = take(input, 1, (int64_t)builder->scenario.task_count);
    struct grt_segment *segment =
        &builder->segments[number][take(input, 1, (int64_t)builder->tasks[number].segment_count)];
    if (segment->kind == GRT_SEGMENT_CPU) {
        change_time(input, &segment->cpu_time);
        return;
    }
    /* the builder's own commands: they live in its arena */
    struct grt_command_spec *command = (struct grt_command_spec *)(uintptr_t)&segment
                                           ->commands[take(input, 1, (int64_t)segment->command_count)];
    struct grt_kernel *kernel = &command->kernel;
    if (command->kind != GRT_COMMAND_KERNEL) {
        command->bytes = 1 + take(input, 2, 500);
    } else if (take(input, 1, 2) == 0) {
        change_time(input, &kernel->block_time);
    } else if (!kernel->whole_device) {
        kernel->blocks = 1 + take(input, 1, 100);
        kernel->needs.threads = 1 + take(input, 2, 1024);
    }
}

static void change_platform(struct input *input, struct grt_builder *builder) {
    struct grt_device *device = &builder->gpus[take(input, 1, (int64_t)builder->scenario.gpu_count)];
    switch (take(input, 1, 8)) {
    case 0:
        builder->scenario.horizon = 1 + take(input, 2, 2000);
        break;
    case 1:
        builder->scenario.context_switch = take(input, 1, 10);
        break;
    case 2:
        builder->scenario.wake_up = take(input, 1, 10);
        break;
    case 3:
        device->kernel_launch = take(input, 1, 40);
        break;
    case 4:
        device->max_resident_grids = 1 + take(input, 1, 20);
        break;
    case 5:
        device->max_blocks_per_sm = 1 + take(input, 1, 32);
        break;
    case 6:
        device->copy_latency = 1 + take(input, 1, 20);
        break;
    default:
        device->priority_levels = 1 + take(input, 1, 6);
        break;
    }
}

static void change_world(struct input *input, struct grt_builder *builder) {
    switch (take(input, 1, 4)) {
    case 0:
        change_platform(input, builder);
        break;
    case 1:
        change_segment(input, builder);
        break;
    default:
        change_task(input, builder);
        break;
    }
}

/* ---- the policy's parameters ---- */

static int64_t count_choices(const struct grt_field *field) {
    int64_t count = 0;
    while (field->choices[count] != NULL) {
        count++;
    }
    assert(count > 0);
    return count;
}

static void change_field(struct input *input, const struct grt_field *field, char *at) {
    int64_t most = field->max > field->min ? field->max : INT64_C(1000);
    int64_t value = field->min + take(input, 2, most - field->min < 2000 ? most - field->min + 1 : 2000);
    bool truth = value % 2 == 1;
    double number = (double)value;
    switch (field->type) {
    case GRT_FIELD_CHOICE:
        value %= count_choices(field);
        memcpy(at, &value, sizeof value);
        break;
    case GRT_FIELD_TIME:
    case GRT_FIELD_INTEGER:
        memcpy(at, &value, sizeof value);
        break;
    case GRT_FIELD_BOOLEAN:
        memcpy(at, &truth, sizeof truth);
        break;
    case GRT_FIELD_NUMBER:
        memcpy(at, &number, sizeof number);
        break;
    default: /* lists, and what policies read themselves */
        break;
    }
}

/* The permissive parameters with changes, or NULL where there are none to change. */
static const void *change_parameters(struct input *input, const struct grt_policy_ops *policy,
                                     struct grt_arena *arena) {
    const struct grt_record *record = policy->parameters;
    int64_t changes = take(input, 1, 4);
    if (record == NULL || changes == 0) {
        return policy->permissive;
    }
    char *parameters = grt_arena_array(arena, policy->parameters_size, 1);
    if (policy->permissive != NULL) {
        memcpy(parameters, policy->permissive, policy->parameters_size);
    } else if (!grt_record_defaults(record, parameters)) {
        return NULL;
    }
    for (; changes > 0; changes--) {
        const struct grt_field *field = &record->fields[take(input, 1, (int64_t)record->field_count)];
        change_field(input, field, parameters + field->offset);
    }
    return policy->trains != NULL && policy->trains(parameters) ? policy->permissive : parameters;
}

/* ---- runs ---- */

static void run_both(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                     const void *parameters, bool is_plain) {
    struct grt_built_run run, alone;
    grt_built_run_start_with(&run, scenario, policy, parameters, false);
    if (run.world != NULL) {
        bool good = is_plain ? grt_run_is_sound(scenario, &run, policy, parameters)
                             : grt_run_keeps_promises(scenario, &run, policy, parameters);
        if (!good) {
            fprintf(stderr, "under %s\n", policy->name);
            GRT_REQUIRE(false, "keep what is promised");
        }
        grt_built_run_start_with(&alone, scenario, policy, parameters, true);
        GRT_REQUIRE(grt_built_traces_equal(&run, &alone), "make the same trace without cohorts");
        GRT_REQUIRE(grt_built_results_equal(run.result, alone.result), "find the same without cohorts");
        grt_built_run_free(&alone);
    }
    fuzz_judge(run.world != NULL, &run.errors);
    grt_built_run_free(&run);
}

/* Whether a policy has put a call in: random worlds of the plain kind have none. */
static bool has_calls(const struct grt_scenario *scenario) {
    for (size_t i = 0; i < scenario->task_count; i++) {
        for (size_t j = 0; j < scenario->tasks[i].segment_count; j++) {
            const struct grt_segment *segment = &scenario->tasks[i].segments[j];
            for (size_t k = 0; k < segment->command_count; k++) {
                if (grt_command_is_call(segment->commands[k].kind)) {
                    return true;
                }
            }
        }
    }
    return false;
}

static const struct grt_policy_ops *take_policy(struct input *input) {
    int64_t count = 0;
    while (grt_policies[count] != NULL) {
        count++;
    }
    return grt_policies[take(input, 1, count)];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input input = {data, size};
    const struct grt_policy_ops *policy = take_policy(&input);
    int kind = (int)take(&input, 1, KINDS);
    bool is_hardware = strcmp(policy->name, "hardware") == 0;
    if (kind < GRT_AUDITED_KINDS && !is_hardware) { /* the others only run under that one */
        kind = for_all[kind % 3];
    }
    struct grt_builder *builder = make(&input, kind);
    builder->scenario.ties = take(&input, 1, GRT_TIES_SHUFFLE + 1);
    const void *parameters = change_parameters(&input, policy, &builder->arena);
    bool shares = policy->sets_shares || (take(&input, 1, 3) == 0 && !policy->needs_blocks && kind <= 1);
    while (input.size > 0) {
        change_world(&input, builder);
    }
    struct grt_errors errors = {0};
    const struct grt_scenario *scenario = shares ? grt_shared_world(builder) : &builder->scenario;
    scenario = grt_adapted(scenario, policy, parameters, &builder->arena, &errors);
    fuzz_judge(scenario != NULL, &errors);
    if (scenario != NULL) {
        run_both(scenario, policy, parameters, kind == GRT_AUDITED_PLAIN && !has_calls(scenario));
    }
    grt_builder_free(builder);
    return 0;
}
