/* Networks of an experiment: trained once for what is the same, never shared by what is not, and of every kernel that sets have. */
#include <stdio.h>
#include <string.h>

#include "study/evaluate/networks.h"
#include "study/evaluate/sample.h"
#include "study/evaluate/training_key.h"
#include "tests/support/drawn_sets.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

/* Sets of `count` tasks of one kernel each, which have names of their own in each set where `fresh`. The last kernel of set number `odd` has another
 * usage, or another time. */
struct applications {
    size_t count;
    bool fresh;
    uint64_t odd;
    bool other_time;
    double instructions; /* of all */
};

static struct grt_usage *usage_of(double instructions, struct grt_arena *arena) {
    struct grt_usage *usage = grt_arena_new(arena, struct grt_usage);
    usage->sm_utilisation = 1;
    usage->demand[GRT_RESOURCE_SM] = 0.5;
    usage->bound[GRT_RESOURCE_SM] = 0.5;
    usage->counters[GRT_INDICATOR_INSTRUCTIONS] = instructions;
    return usage;
}

static void fill(struct grt_task *task, const char *name, grt_time time, const struct grt_usage *usage,
                 struct grt_arena *arena) {
    struct grt_segment *segment = grt_arena_new(arena, struct grt_segment);
    struct grt_command_spec *command = grt_arena_new(arena, struct grt_command_spec);
    command->kind = GRT_COMMAND_KERNEL;
    command->kernel.name = name;
    command->kernel.whole_device = true;
    command->kernel.block_time = (struct grt_distribution){.kind = GRT_CONSTANT, .max = time};
    command->kernel.usage = usage;
    *segment = (struct grt_segment){.kind = GRT_SEGMENT_GPU, .commands = command, .command_count = 1};
    *task = (struct grt_task){.name = name,
                              .arrival = GRT_ARRIVAL_PERIODIC,
                              .period = GRT_SECOND,
                              .deadline = GRT_SECOND,
                              .cpu = -1,
                              .segments = segment,
                              .segment_count = 1};
}

static bool make(const void *maker, uint64_t number, struct grt_arena *arena, struct grt_drawn_set *set) {
    const struct applications *it = maker;
    struct grt_task *tasks = grt_arena_array(arena, it->count, sizeof *tasks);
    for (size_t i = 0; i < it->count; i++) {
        bool odd = i + 1 == it->count && number == it->odd;
        char name[64];
        snprintf(name, sizeof name, "k%zu", i + (it->fresh ? (size_t)number * it->count : 0));
        fill(&tasks[i], grt_arena_text(arena, name),
             odd && it->other_time ? 2 * GRT_MILLISECOND : GRT_MILLISECOND,
             usage_of(odd && !it->other_time ? 2e9 : it->instructions, arena), arena);
    }
    *set = (struct grt_drawn_set){
        .scenario = {.name = "drawn", .horizon = GRT_SECOND, .tasks = tasks, .task_count = it->count}};
    return true;
}

static const struct grt_generator_ops generator = {.name = "applications", .make = make};

static struct grt_device shares(void) {
    struct grt_device gpu = grt_built_tx2();
    gpu.granularity = GRT_GRANULARITY_SHARES;
    return gpu;
}

static struct grt_evaluation evaluation_on(const struct grt_device *gpu) {
    struct grt_evaluation evaluation = drawn_simulation("wamp2s", gpu);
    evaluation.training = GRT_TRAIN_QUICK;
    return evaluation;
}

/* ---- kernels that contradict each other ---- */

/* Expects the check of an experiment with these sets to fail with this message; NULL: to succeed. */
static void check(struct applications applications, const char *message) {
    struct grt_device gpu = shares();
    const struct grt_evaluation evaluation = evaluation_on(&gpu);
    struct drawn_experiment drawn;
    struct grt_errors errors = {0};
    drawn_experiment_start(&drawn, &generator, &applications, &evaluation, 1);
    bool good = grt_study_check(&drawn.experiment, &errors);
    CU_ASSERT_EQUAL(good, message == NULL);
    CU_ASSERT_FATAL(errors.count == (message == NULL ? 0 : 1));
    if (message != NULL) {
        CU_ASSERT_STRING_EQUAL(errors.messages[0], message);
    }
    grt_errors_clear(&errors);
}

static void contradictions_are_refused(void) {
    static const char other[] =
        "evaluations[0]: no network can be trained for kernel \"k1\", which takes other times, has another "
        "usage or is on another GPU in other sets";
    check((struct applications){2, .odd = 99, .instructions = 1e9}, NULL);
    check((struct applications){2, .odd = 7, .instructions = 1e9}, other);
    check((struct applications){2, .odd = 7, .instructions = 1e9, .other_time = true}, other);
}

/* However many kernels there are before it. */
static void no_kernel_is_left_out(void) {
    check((struct applications){300, .odd = 99, .instructions = 1e9}, NULL);
    check(
        (struct applications){300, .odd = 7, .instructions = 1e9},
        "evaluations[0]: no network can be trained for kernel \"k299\", which takes other times, has another "
        "usage or is on another GPU in other sets");
    check((struct applications){300, .fresh = true, .odd = 99, .instructions = 1e9},
          "evaluations[0]: no network can be trained for kernel \"k4096\", which is one of more than a "
          "scenario "
          "may have tasks, in all sets together");
}

/* ---- what is trained once ---- */

static const struct grt_networks *train(struct grt_trainer *trainer, struct applications *applications,
                                        const struct grt_device *gpu, struct grt_arena *arena) {
    const struct grt_evaluation evaluation = evaluation_on(gpu);
    struct drawn_experiment drawn;
    struct grt_errors errors = {0};
    const struct grt_networks *networks = NULL;
    drawn_experiment_start(&drawn, &generator, applications, &evaluation, 1);
    CU_ASSERT(grt_train_for(trainer, &drawn.experiment, 0, 0, &networks, arena, &errors));
    grt_errors_print(&errors, stderr, "    ");
    CU_ASSERT_FATAL(networks != NULL);
    return networks;
}

static void the_same_is_trained_once(void) {
    struct grt_trainer trainer = {0};
    struct grt_arena arena = {0};
    struct applications some = {1, .odd = 99, .instructions = 1e9};
    const struct grt_device gpu = shares(), same = shares();
    const struct grt_networks *networks = train(&trainer, &some, &gpu, &arena);
    CU_ASSERT_EQUAL(networks->count, 1);
    CU_ASSERT_PTR_EQUAL(train(&trainer, &some, &same, &arena), networks); /* another copy of the GPU */
    grt_arena_clear(&arena);
}

/* ---- the key ---- */

static const char *key_of(const struct grt_kernel *kernel, const struct grt_device *gpu, uint64_t seed,
                          struct grt_arena *arena) {
    struct grt_command_spec command = {.kind = GRT_COMMAND_KERNEL, .kernel = *kernel};
    struct grt_segment segment = {.kind = GRT_SEGMENT_GPU, .commands = &command, .command_count = 1};
    struct grt_task task = {.name = "t", .segments = &segment, .segment_count = 1};
    const struct grt_scenario scenario = {.gpus = gpu, .gpu_count = 1, .tasks = &task, .task_count = 1};
    struct grt_errors errors = {0};
    const char *key = grt_training_key(&scenario, seed, GRT_TRAINING_QUICK, arena, &errors);
    CU_ASSERT_FATAL(key != NULL);
    return key;
}

static void everything_enters_the_key(void) {
    struct grt_arena arena = {0};
    struct grt_usage usage = *usage_of(1e9, &arena);
    const struct grt_share_factor factor = {50, 1.5};
    struct grt_device gpu = shares(), other = shares();
    const struct grt_kernel kernel = {
        .name = "k",
        .whole_device = true,
        .block_time = {.kind = GRT_CONSTANT, .max = GRT_MILLISECOND},
        .usage = &usage,
    };
    const char *key = key_of(&kernel, &gpu, 1, &arena);
    other.name = "renamed";
    CU_ASSERT_STRING_EQUAL(key_of(&kernel, &other, 1, &arena), key);
    CU_ASSERT_STRING_NOT_EQUAL(key_of(&kernel, &gpu, 2, &arena), key);
    other.contention_exponent += 0.125;
    CU_ASSERT_STRING_NOT_EQUAL(key_of(&kernel, &other, 1, &arena), key);
    struct grt_kernel changed = kernel;
    changed.name = "l";
    CU_ASSERT_STRING_NOT_EQUAL(key_of(&changed, &gpu, 1, &arena), key);
    changed = kernel;
    changed.class_name = "k2";
    CU_ASSERT_STRING_NOT_EQUAL(key_of(&changed, &gpu, 1, &arena), key);
    changed = kernel;
    changed.block_time.max++;
    CU_ASSERT_STRING_NOT_EQUAL(key_of(&changed, &gpu, 1, &arena), key);
    double *const numbers[] = {&usage.host_fraction, &usage.sm_utilisation,
                               &usage.demand[GRT_RESOURCE_TEXTURE], &usage.bound[GRT_RESOURCE_L2],
                               &usage.counters[GRT_INDICATOR_TEXTURE_LOAD]};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        double before = *numbers[i];
        *numbers[i] = before + 0x1p-50; /* the last digits count */
        CU_ASSERT_STRING_NOT_EQUAL(key_of(&kernel, &gpu, 1, &arena), key);
        *numbers[i] = before;
    }
    usage.share_factors = (struct grt_field_list){(void *)(size_t)&factor, 1};
    CU_ASSERT_STRING_NOT_EQUAL(key_of(&kernel, &gpu, 1, &arena), key);
    grt_arena_clear(&arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"contradictions", contradictions_are_refused},
        {"no kernel is left out", no_kernel_is_left_out},
        {"the same is trained once", the_same_is_trained_once},
        {"the key", everything_enters_the_key},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("networks of experiments", tests);
}
