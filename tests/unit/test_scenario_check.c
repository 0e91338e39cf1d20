/* The check of a whole scenario: whatever stands in a field of a device or a task, a world is refused with an error, or runs. */
#include <stdio.h>
#include <string.h>

#include "models/task/scenario_check.h"
#include "policies/registry.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

static const int64_t strange[] = {0, -1, INT64_MIN, INT64_MAX};
enum { STRANGE = sizeof strange / sizeof strange[0] };

/* A task of every way to arrive, with kernels, copies and CPU time, on a device with everything that divides. */
static struct grt_builder *rich_builder(void) {
    struct grt_builder *builder = grt_builder_create(60);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_tx2());
    device->memory_bytes_per_second = GRT_SECOND;
    device->hardware_queues = device->max_hardware_queues = 2;
    device->threads_per_core = 4;
    device->cores_per_sm = 64;
    builder->scenario.core_count = 2;
    for (int i = 0; i < 3; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_builder_periodic(task, 20 + i, i);
        task->cpu = i % 2;
        grt_builder_cpu(builder, task, 2);
        grt_builder_copy(builder, task, GRT_COMMAND_H2D, 2);
        grt_builder_kernel(builder, task, 3, 64, 2)->needs.registers_per_thread = 16;
        grt_builder_whole(builder, task, 1);
    }
    return builder;
}

/* Refused with errors that name the path, or run to the end; nothing else. */
static bool is_refused(const struct grt_builder *builder, const char *policy, const char *path) {
    struct grt_built_run run;
    grt_built_run_start(&run, &builder->scenario, grt_policy_find(policy), false);
    bool refused = run.world == NULL;
    CU_ASSERT_EQUAL(refused, run.errors.count > 0);
    for (size_t i = 0; i < run.errors.count && i < GRT_ERRORS_KEPT; i++) {
        CU_ASSERT(path == NULL || strncmp(run.errors.messages[i], path, strlen(path)) == 0 ||
                  strncmp(run.errors.messages[i], "tasks[", strlen("tasks[")) == 0);
    }
    grt_built_run_free(&run);
    return refused;
}

static void the_rich_scenario_is_good(void) {
    struct grt_builder *builder = rich_builder();
    for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
        CU_ASSERT_EQUAL(is_refused(builder, (*policy)->name, NULL), (*policy)->sets_shares);
    }
    grt_builder_free(builder);
}

/* Every figure of a device, by the table of its fields. */
static void devices_are_checked(void) {
    int refused = 0, accepted = 0;
    for (size_t i = 0; i < grt_device_record.field_count; i++) {
        const struct grt_field *field = &grt_device_record.fields[i];
        bool number =
            field->type != GRT_FIELD_NAME && field->type != GRT_FIELD_BOOLEAN &&
            field->type != GRT_FIELD_LIST &&
            (field->type != GRT_FIELD_CUSTOM || field->custom == GRT_DEVICE_CUSTOM_COMPUTE_CAPABILITY);
        bool is_real = field->type == GRT_FIELD_NUMBER || field->type == GRT_FIELD_OBJECT; /* of these */
        for (size_t j = 0; j < STRANGE && number; j++) {
            bool is_zero = strange[j] == 0 || (is_real && strange[j] == INT64_MIN); /* the bits of -0.0 */
            struct grt_builder *builder = rich_builder();
            memcpy((char *)&builder->gpus[0] + field->offset, &strange[j], sizeof strange[j]);
            for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
                bool no = is_refused(builder, (*policy)->name, "platform.gpus[0]");
                CU_ASSERT(is_zero || no); /* none of the others is a figure of anything */
                refused += no;
                accepted += !no;
            }
            grt_builder_free(builder);
        }
    }
    CU_ASSERT(refused > 500 && accepted > 100);
}

static void zeroed_devices_are_refused(void) {
    struct grt_builder *builder = rich_builder();
    struct grt_errors errors = {0};
    builder->gpus[0] = (struct grt_device){0};
    CU_ASSERT_FALSE(grt_scenario_check(&builder->scenario, &errors));
    CU_ASSERT_STRING_EQUAL(errors.messages[0], "platform.gpus[0].sm_count: must be 1 to 1024 (got 0)");
    grt_errors_clear(&errors);
    grt_builder_free(builder);
}

/* Lists that say that they have items, and have none. */
static void lists_without_items_are_refused(void) {
    struct grt_builder *builder = rich_builder();
    builder->gpus[0].slowdowns.count = 1;
    CU_ASSERT(is_refused(builder, "fifo", "platform.gpus[0].slowdowns: must be a list"));
    builder->gpus[0].slowdowns.count = 0;
    builder->gpus[0].name = NULL;
    CU_ASSERT(is_refused(builder, "fifo", "platform.gpus[0].name: required"));
    grt_builder_free(builder);
    struct grt_scenario nothing = {0};
    struct grt_errors errors = {0};
    CU_ASSERT_FALSE(grt_scenario_check(&nothing, &errors));
    CU_ASSERT_EQUAL(errors.count, 2);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], "tasks: must be a list of 1 to 4096 items (got 0)");
    CU_ASSERT_STRING_EQUAL(errors.messages[1], "platform.gpus: must be a list of 1 to 8 items (got 0)");
    grt_errors_clear(&errors);
}

#define NUMBER(member)                                                                                       \
    { #member, offsetof(struct grt_task, member) }

/* Every number of a task. Those that take the number as it is say so. */
static const struct number {
    const char *name;
    size_t offset;
} numbers[] = {
    NUMBER(arrival),
    NUMBER(period),
    NUMBER(offset),
    NUMBER(jitter),
    NUMBER(extra_gap.kind),
    NUMBER(extra_gap.min),
    NUMBER(extra_gap.max),
    NUMBER(extra_gap.declared),
    NUMBER(extra_gap.location),
    NUMBER(extra_gap.scale),
    NUMBER(time_count),
    NUMBER(after_count),
    NUMBER(deadline),
    NUMBER(deadline_from),
    NUMBER(on_miss),
    NUMBER(separation),
    NUMBER(priority),
    NUMBER(cpu),
    NUMBER(stream_priority),
    NUMBER(gpu),
    NUMBER(split_overhead),
    NUMBER(process),
    NUMBER(tpcs.count),
    NUMBER(segment_count),
};

/* How the tasks arrive, so that each field has a meaning somewhere. */
static void arrive(struct grt_builder *builder, int64_t arrival) {
    struct grt_task *task = &builder->tasks[1];
    static const uint32_t before[] = {0};
    static const grt_time times[] = {1, 5, 30};
    task->arrival = arrival;
    task->times = arrival == GRT_ARRIVAL_TIMES ? times : NULL;
    task->time_count = arrival == GRT_ARRIVAL_TIMES ? 3 : 0;
    task->after = arrival == GRT_ARRIVAL_AFTER ? before : NULL;
    task->after_count = arrival == GRT_ARRIVAL_AFTER;
    task->offset = task->jitter = 0;
}

static void try_number(size_t number, int64_t value, int64_t arrival, int counts[2]) {
    struct grt_builder *builder = rich_builder();
    arrive(builder, arrival);
    CU_ASSERT_FALSE(is_refused(builder, "np-edf", NULL));
    memcpy((char *)&builder->tasks[1] + numbers[number].offset, &value, sizeof value);
    for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
        counts[is_refused(builder, (*policy)->name, NULL)]++;
    }
    grt_builder_free(builder);
}

static void tasks_are_checked(void) {
    int counts[2] = {0};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        for (size_t j = 0; j < STRANGE; j++) {
            for (int64_t arrival = 0; arrival <= GRT_ARRIVAL_AFTER; arrival++) {
                try_number(i, strange[j], arrival, counts);
            }
        }
    }
    CU_ASSERT(counts[0] > 300 && counts[1] > 1000);
}

/* Where the lists of a task are NULL. */
static void tasks_need_their_lists(void) {
    struct grt_builder *builder = rich_builder();
    builder->tasks[0].segments = NULL;
    CU_ASSERT(is_refused(builder, "fifo", "tasks[0].segments: must be a list of 1 to 256 items (got 2)"));
    grt_builder_free(builder);
    builder = rich_builder();
    builder->tasks[2].name = NULL;
    CU_ASSERT(is_refused(builder, "fifo", "tasks[2].name: required"));
    builder->tasks[2].name = "t";
    struct grt_segment *segments = (struct grt_segment *)(size_t)builder->tasks[2].segments;
    segments[1].commands = NULL;
    CU_ASSERT(is_refused(builder, "fifo", "tasks[2].segments[1].gpu: must be a list"));
    grt_builder_free(builder);
}

/* Two processes need turns, but as clients of an MPS server. */
static void turns_need_a_length(void) {
    static const struct grt_process processes[] = {{.name = "a"}, {.name = "b"}};
    for (int mps = 0; mps < 2; mps++) {
        struct grt_builder *builder = rich_builder();
        builder->scenario.processes = processes;
        builder->scenario.process_count = 2;
        builder->tasks[1].process = 1;
        builder->gpus[0].compute_capability = 80;
        builder->gpus[0].mps = mps == 1;
        builder->gpus[0].copy_time_slice = 0;
        CU_ASSERT_EQUAL(is_refused(builder, "hardware", "platform.gpus[0]"), mps == 0);
        builder->gpus[0].time_slice = builder->gpus[0].copy_time_slice = 5;
        CU_ASSERT_FALSE(is_refused(builder, "hardware", NULL));
        grt_builder_free(builder);
    }
}

/* Spans of segments and kernels, and the numbers of a grid. */
static void work_is_checked(void) {
    for (size_t i = 0; i < STRANGE; i++) {
        struct grt_builder *builder = rich_builder();
        struct grt_segment *cpu = grt_builder_cpu(builder, &builder->tasks[0], 1);
        cpu->cpu_time.kind = strange[i];
        CU_ASSERT_EQUAL(is_refused(builder, "fifo", NULL), strange[i] != 0);
        cpu->cpu_time.kind = GRT_CONSTANT;
        cpu->cpu_time.max = strange[i];
        CU_ASSERT_EQUAL(is_refused(builder, "fifo", NULL), strange[i] != 0);
        cpu->cpu_time =
            (struct grt_distribution){.kind = GRT_GAMMA, .max = 2, .scale = strange[i], .shape = 1};
        CU_ASSERT(is_refused(builder, "fifo", "tasks[0].segments[2].cpu"));
        cpu->cpu_time = (struct grt_distribution){.max = 1};
        struct grt_kernel *kernel = grt_builder_kernel(builder, &builder->tasks[1], 1, 1, 1);
        kernel->blocks = strange[i];
        CU_ASSERT(is_refused(builder, "fifo", "tasks[1].segments[1].gpu[3].blocks: must be"));
        kernel->blocks = 1;
        kernel->needs.threads = strange[i];
        CU_ASSERT(is_refused(builder, "fifo", "tasks[1].segments[1].gpu[3].threads: must be"));
        kernel->needs.threads = 1;
        kernel->block_time.max = strange[i];
        CU_ASSERT_EQUAL(is_refused(builder, "fifo", NULL), strange[i] != 0);
        kernel->block_time.max = 1;
        kernel->launches.count = (size_t)strange[i];
        CU_ASSERT_EQUAL(is_refused(builder, "fifo", NULL), strange[i] != 0);
        grt_builder_free(builder);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"the rich scenario is good", the_rich_scenario_is_good},
        {"devices are checked", devices_are_checked},
        {"zeroed devices are refused", zeroed_devices_are_refused},
        {"lists without items are refused", lists_without_items_are_refused},
        {"tasks are checked", tasks_are_checked},
        {"tasks need their lists", tasks_need_their_lists},
        {"turns need a length", turns_need_a_length},
        {"work is checked", work_is_checked},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("scenario check", tests);
}
