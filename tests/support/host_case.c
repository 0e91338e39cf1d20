#include "tests/support/host_case.h"

#include <inttypes.h>
#include <stdio.h>

#include "tests/support/cunit.h"

struct grt_builder *host_world(int64_t cores, grt_time horizon) {
    struct grt_builder *builder = grt_builder_create(horizon);
    grt_builder_gpu(builder, grt_built_exclusive());
    builder->scenario.core_count = cores;
    return builder;
}

struct grt_task *host_task(struct grt_builder *builder, int64_t core, int64_t priority, grt_time at) {
    struct grt_task *task = grt_builder_task(builder, "t");
    task->cpu = core;
    task->priority = priority;
    grt_builder_at(builder, task, at);
    return task;
}

struct grt_segment *host_segment(struct grt_builder *builder, struct grt_task *task, grt_time before,
                                 grt_time device, grt_time after, int64_t mode) {
    grt_builder_gpu_segment(builder, task);
    grt_builder_whole(builder, task, device);
    struct grt_segment *segment = &builder->segments[task - builder->tasks][task->segment_count - 1];
    segment->host_part[GRT_HOST_BEFORE] = (struct grt_distribution){.kind = GRT_CONSTANT, .max = before};
    segment->host_part[GRT_HOST_AFTER] = (struct grt_distribution){.kind = GRT_CONSTANT, .max = after};
    segment->host_mode = mode;
    return segment;
}

void host_run(struct grt_built_run *run, const struct grt_builder *builder,
              const struct grt_policy_ops *policy, const union grt_test_host_parameters *parameters) {
    CU_ASSERT_FATAL(policy->parameters_size <= sizeof *parameters);
    grt_built_run_start_with(run, &builder->scenario, policy, parameters, false);
    grt_errors_print(&run->errors, stdout, "\n    ");
    CU_ASSERT_PTR_NOT_NULL_FATAL(run->result);
}

static bool is_on(const struct grt_trace_record *record, uint32_t core) {
    return (record->kind == GRT_TRACE_CPU || record->kind == GRT_TRACE_THREAD) && record->row == core;
}

static void print_core(const struct grt_built_run *run, uint32_t core) {
    printf("\n    core %" PRIu32 ":", core);
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if (is_on(record, core)) {
            printf(" {%u, %" PRId64 ", %" PRId64 ", %u}", record->task, record->other, record->time,
                   record->flags);
        }
    }
}

static bool matches(const struct grt_trace_record *record, const struct host_slice *slice) {
    bool thread = slice->task == GRT_TRACE_NO_TASK;
    return record->kind == (thread ? GRT_TRACE_THREAD : GRT_TRACE_CPU) &&
           (thread || record->task == slice->task) && record->other == slice->from &&
           record->time == slice->to && record->flags == slice->flags;
}

void host_check_core(const struct grt_built_run *run, uint32_t core, const struct host_slice *slices,
                     size_t count) {
    size_t found = 0;
    bool same = true;
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if (is_on(record, core)) {
            same = same && found < count && matches(record, &slices[found]);
            found++;
        }
    }
    if (!same || found != count) {
        print_core(run, core);
    }
    CU_ASSERT(same && found == count);
}
