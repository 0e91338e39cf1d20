/* labels: soak */
/* The same kernels, copies and events in a scenario under the policy `hardware`, and through the calls of a pretended driver: every block runs on the same SM from the same instant to
 * the same instant, and every copy ends at the same one. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "policies/registry.h"
#include "tests/support/pretend_device.h"
#include "tests/support/suite.h"

enum { STREAMS = 6, COMMANDS = 6, EVENTS = 4, PINNED_BYTES = 4096 };

struct planned {
    enum grt_command_kind kind;
    uint32_t blocks, threads, first_record;
    grt_time time;
    int64_t bytes;
    int event;
    bool filtered;
    uint32_t sm_low, sm_high, items;
};

/* What one stream is given, all of it at once. */
struct plan {
    grt_time at;
    int priority;
    uint32_t first_tpc, tpcs; /* 0: all */
    uint32_t count;
    struct planned commands[COMMANDS];
};

struct experiment {
    struct grt_device device;
    uint32_t stream_count, records;
    struct plan plans[STREAMS];
    int64_t bandwidth;
};

static const char *const event_names[EVENTS] = {"a", "b", "c", "d"};

/* ---- what is tried ---- */

static grt_time draw(struct grt_random *random, uint64_t low, uint64_t high) {
    return (grt_time)(low + grt_random_below(random, high - low + 1));
}

static bool one_in(struct grt_random *random, uint64_t count) {
    return grt_random_below(random, count) == 0;
}

static void draw_device(struct grt_random *random, struct experiment *experiment) {
    struct pretend_device described;
    int64_t blocks = draw(random, 1, 5);
    pretend_device_describe(&described, draw(random, 1, 7), blocks);
    struct grt_device *gpu = &experiment->device;
    *gpu = described.spec.device;
    gpu->sms_per_tpc = gpu->sm_count % 2 == 0 ? draw(random, 1, 2) : 1;
    gpu->sm_order = draw(random, GRT_SM_ORDER_ASCENDING, GRT_SM_ORDER_TPC_FIRST);
    gpu->placement = draw(random, GRT_PLACEMENT_MOST_ROOM, GRT_PLACEMENT_RANDOM);
    gpu->copy_engines = draw(random, 1, 2);
    gpu->copy_latency = draw(random, 0, 30);
    gpu->kernel_launch = one_in(random, 2) ? 0 : draw(random, 1, 80);
    gpu->memory_bytes_per_second = 2000000000;
    gpu->max_resident_grids = draw(random, 1, 8);
    if (one_in(random, 3)) {
        gpu->cores_per_sm = 32;
        gpu->threads_per_core = draw(random, 1, 3);
    }
    if (one_in(random, 3)) {
        gpu->bandwidth_sharing =
            draw(random, GRT_BANDWIDTH_SHARING_PROPORTIONAL, GRT_BANDWIDTH_SHARING_MAX_MIN);
        experiment->bandwidth = 1500000000;
    }
}

static struct planned draw_kernel(struct grt_random *random, struct experiment *experiment) {
    const struct grt_device *gpu = &experiment->device;
    uint32_t most = (uint32_t)gpu->max_threads_per_sm;
    struct planned kernel = {.kind = GRT_COMMAND_KERNEL,
                             .blocks = (uint32_t)draw(random, 1, 30),
                             .threads = (uint32_t)draw(random, 1, most < 128 ? most : 128),
                             .time = draw(random, 1, 200),
                             .first_record = experiment->records};
    kernel.items = kernel.blocks;
    experiment->records += kernel.blocks;
    return kernel;
}

static void draw_filter(struct grt_random *random, const struct experiment *experiment,
                        struct planned *kernel) {
    uint32_t sms = (uint32_t)experiment->device.sm_count;
    kernel->filtered = true;
    kernel->sm_low = (uint32_t)grt_random_below(random, sms);
    kernel->sm_high = kernel->sm_low + 1 + (uint32_t)grt_random_below(random, sms - kernel->sm_low);
    kernel->blocks = 60 + sms; /* enough that some come to where they work */
}

static struct planned draw_command(struct grt_random *random, struct experiment *experiment,
                                   const struct plan *plan) {
    struct planned call = {.bytes = draw(random, 1, 300) * 4, .event = (int)grt_random_below(random, EVENTS)};
    switch (grt_random_below(random, 9)) {
    case 0:
    case 1:
        call.kind = one_in(random, 2) ? GRT_COMMAND_H2D : GRT_COMMAND_D2H;
        return call;
    case 2:
        call.kind = one_in(random, 2) ? GRT_COMMAND_MEMSET : GRT_COMMAND_D2D;
        return call;
    case 3:
        call.kind = GRT_COMMAND_RECORD;
        return call;
    case 4:
        call.kind = GRT_COMMAND_WAIT;
        return call;
    default: {
        struct planned kernel = draw_kernel(random, experiment);
        if (plan->tpcs == 0 && one_in(random, 6)) {
            draw_filter(random, experiment, &kernel);
        }
        return kernel;
    }
    }
}

static void draw_experiment(struct experiment *experiment, uint64_t number) {
    struct grt_random random = grt_random_stream(number, "pretended", 0, 0);
    memset(experiment, 0, sizeof *experiment);
    draw_device(&random, experiment);
    int64_t tpcs = grt_device_tpcs(&experiment->device);
    bool whole_tpcs = experiment->device.sm_count % experiment->device.sms_per_tpc == 0;
    experiment->stream_count = (uint32_t)draw(&random, 1, STREAMS);
    grt_time at = 0;
    for (uint32_t i = 0; i < experiment->stream_count; i++) {
        struct plan *plan = &experiment->plans[i];
        at += one_in(&random, 3) ? 0 : draw(&random, 1, 150);
        plan->at = at;
        plan->priority = -(int)draw(&random, 0, 3);
        if (whole_tpcs && one_in(&random, 4)) {
            plan->first_tpc = (uint32_t)grt_random_below(&random, (uint64_t)tpcs);
            plan->tpcs = 1 + (uint32_t)grt_random_below(&random, (uint64_t)tpcs - plan->first_tpc);
        }
        plan->count = (uint32_t)draw(&random, 1, COMMANDS);
        for (uint32_t j = 0; j < plan->count; j++) {
            plan->commands[j] = draw_command(&random, experiment, plan);
        }
    }
}

/* ---- as a scenario ---- */

/* The numbers from `first` on. */
static struct grt_number_list numbers(struct grt_builder *builder, uint32_t first, uint32_t count) {
    int64_t *items = grt_arena_array(&builder->arena, count, sizeof *items);
    for (uint32_t i = 0; i < count; i++) {
        items[i] = first + i;
    }
    return (struct grt_number_list){.items = items, .count = count};
}

static void add_kernel(struct grt_builder *builder, struct grt_task *task,
                       const struct experiment *experiment, const struct plan *plan,
                       const struct planned *planned) {
    struct grt_kernel *kernel =
        grt_builder_kernel(builder, task, planned->blocks, planned->threads, planned->time);
    kernel->bandwidth = experiment->bandwidth;
    if (plan->tpcs > 0) {
        kernel->tpcs = numbers(builder, plan->first_tpc, plan->tpcs);
    }
    if (planned->filtered) {
        kernel->sms = numbers(builder, planned->sm_low, planned->sm_high - planned->sm_low);
        kernel->items = planned->items;
        kernel->exit_time = 500;
    }
}

static struct grt_builder *build(const struct experiment *experiment) {
    struct grt_builder *builder = grt_builder_create(GRT_SECOND);
    grt_builder_gpu(builder, experiment->device);
    for (uint32_t i = 0; i < experiment->stream_count; i++) {
        const struct plan *plan = &experiment->plans[i];
        struct grt_task *task = grt_builder_task(builder, "stream");
        grt_builder_at(builder, task, plan->at);
        task->stream_priority = plan->priority;
        for (uint32_t j = 0; j < plan->count; j++) {
            const struct planned *planned = &plan->commands[j];
            if (planned->kind == GRT_COMMAND_KERNEL) {
                add_kernel(builder, task, experiment, plan, planned);
            } else if (!grt_command_is_call(planned->kind)) {
                grt_builder_copy(builder, task, planned->kind, planned->bytes);
            } else {
                bool of_event = planned->kind <= GRT_COMMAND_WAIT;
                struct grt_command_spec *call = grt_builder_call(
                    builder, task, planned->kind, of_event ? event_names[planned->event] : NULL);
                call->bytes = of_event ? 0 : planned->bytes;
            }
        }
    }
    return builder;
}

/* ---- through the driver ---- */

static struct pretend_device device;
static grt_cuda_event events[EVENTS], after[STREAMS][COMMANDS], origin;

static grt_cuda_stream make_stream(const struct experiment *experiment, const struct plan *plan) {
    const struct grt_cuda *cuda = &device.cuda;
    if (plan->tpcs == 0) {
        return pretend_device_stream(&device, plan->priority);
    }
    struct grt_cuda_resource all, groups[8];
    unsigned count = (unsigned)grt_device_tpcs(&experiment->device);
    grt_cuda_description description;
    grt_cuda_green green;
    grt_cuda_stream stream;
    CU_OK(cuda->cuDeviceGetDevResource(0, &all, GRT_CUDA_RESOURCE_SM));
    CU_OK(cuda->cuDevSmResourceSplitByCount(groups, &count, &all, NULL, GRT_CUDA_SPLIT_IGNORE_COSCHEDULING,
                                            (unsigned)experiment->device.sms_per_tpc));
    CU_OK(cuda->cuDevResourceGenerateDesc(&description, groups + plan->first_tpc, plan->tpcs));
    CU_OK(cuda->cuGreenCtxCreate(&green, description, 0, GRT_CUDA_GREEN_DEFAULT_STREAM));
    CU_OK(cuda->cuGreenCtxStreamCreate(&stream, green, GRT_CUDA_STREAM_NON_BLOCKING, plan->priority));
    return stream;
}

static void issue_kernel(grt_cuda_stream stream, const struct planned *planned) {
    struct grt_kernel_control control =
        pretend_device_control(&device, planned->items, planned->first_record);
    control.counters = 0;
    if (planned->filtered) {
        control.mode = GRT_KERNEL_FILTER;
        control.sm_low = planned->sm_low;
        control.sm_high = planned->sm_high;
    }
    CU_OK(pretend_device_launch(&device, stream, GRT_KERNEL_SPIN_NS, control, planned->blocks,
                                planned->threads, (uint64_t)planned->time));
}

static void issue(grt_cuda_stream stream, const struct planned *planned, void *pinned) {
    const struct grt_cuda *cuda = &device.cuda;
    size_t bytes = (size_t)planned->bytes;
    switch (planned->kind) {
    case GRT_COMMAND_KERNEL:
        issue_kernel(stream, planned);
        break;
    case GRT_COMMAND_H2D:
        CU_OK(cuda->cuMemcpyHtoDAsync_v2(device.buffer, pinned, bytes, stream));
        break;
    case GRT_COMMAND_D2H:
        CU_OK(cuda->cuMemcpyDtoHAsync_v2(pinned, device.buffer, bytes, stream));
        break;
    case GRT_COMMAND_D2D:
        CU_OK(cuda->cuMemcpyDtoDAsync_v2(device.buffer + 8192, device.buffer, bytes, stream));
        break;
    case GRT_COMMAND_MEMSET:
        CU_OK(cuda->cuMemsetD32Async(device.buffer, 1, bytes / 4, stream));
        break;
    case GRT_COMMAND_RECORD:
        CU_OK(cuda->cuEventRecord(events[planned->event], stream));
        break;
    default:
        CU_OK(cuda->cuStreamWaitEvent(stream, events[planned->event], 0));
    }
}

/* Returns the instant at which the scenario's time 0 is. */
static grt_time drive(const struct experiment *experiment) {
    pretend_device_describe(&device, 1, 1);
    device.spec.device = experiment->device;
    device.spec.kernels[GRT_KERNEL_SPIN_NS].bandwidth = experiment->bandwidth;
    pretend_device_open(&device, &grt_engine_model);
    void *pinned = pretend_device_pinned(&device, PINNED_BYTES);
    grt_cuda_stream streams[STREAMS];
    for (int i = 0; i < EVENTS; i++) {
        events[i] = pretend_device_event(&device);
    }
    origin = pretend_device_event(&device);
    for (uint32_t i = 0; i < experiment->stream_count; i++) {
        streams[i] = make_stream(experiment, &experiment->plans[i]);
    }
    grt_time begin = pretend_device_now(&device);
    CU_OK(device.cuda.cuEventRecord(origin, NULL));
    for (uint32_t i = 0; i < experiment->stream_count; i++) {
        const struct plan *plan = &experiment->plans[i];
        device.driver.clock.wait_until(device.driver.clock.state, begin + plan->at);
        for (uint32_t j = 0; j < plan->count; j++) {
            issue(streams[i], &plan->commands[j], pinned);
            after[i][j] = pretend_device_event(&device);
            CU_OK(device.cuda.cuEventRecord(after[i][j], streams[i]));
        }
    }
    CU_OK(device.cuda.cuCtxSynchronize());
    return begin;
}

/* ---- whether it was the same ---- */

struct ran {
    grt_time start, end;
    uint32_t sm, block;
};

static int by_start(const void *a, const void *b) {
    const struct ran *first = a, *second = b;
    if (first->start != second->start) {
        return first->start < second->start ? -1 : 1;
    }
    if (first->sm != second->sm) {
        return first->sm < second->sm ? -1 : 1;
    }
    return first->end != second->end ? (first->end < second->end ? -1 : 1)
                                     : (first->block > second->block) - (first->block < second->block);
}

/* The blocks of a command in the scenario's trace, those of its pinned blocks that exit left out; pinned items have no number. */
static uint32_t collect(const struct grt_built_run *run, uint32_t task, grt_time from, grt_time to,
                        const struct planned *planned, struct ran *out) {
    uint32_t count = 0;
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if (record->kind == GRT_TRACE_BLOCK && record->task == task && record->other >= from &&
            record->time <= to && (record->flags & GRT_TRACE_EXITED) == 0 && count < planned->items) {
            out[count++] = (struct ran){record->other, record->time, grt_trace_row(record->row),
                                        planned->filtered ? 0 : record->detail};
        }
    }
    return count;
}

static bool same_kernel(const struct grt_built_run *run, const struct grt_trace_record *kernel,
                        const struct planned *planned, grt_time begin) {
    struct ran expected[32], seen[32];
    uint32_t count = collect(run, kernel->task, kernel->other, kernel->time, planned, expected), left = 0;
    for (uint32_t i = 0; i < planned->items; i++) {
        const struct grt_block_record *record = &device.records[planned->first_record + i];
        if (record->end_ns > 0) {
            seen[left++] = (struct ran){(grt_time)record->start_ns - begin, (grt_time)record->end_ns - begin,
                                        record->sm, planned->filtered ? 0 : i};
        }
    }
    qsort(expected, count, sizeof *expected, by_start);
    qsort(seen, left, sizeof *seen, by_start);
    bool same = count == left;
    for (uint32_t i = 0; same && i < count; i++) {
        same = by_start(&expected[i], &seen[i]) == 0;
        if (!same) {
            fprintf(
                stderr,
                "block %u: %" PRId64 " to %" PRId64 " on SM %u, not %" PRId64 " to %" PRId64 " on SM %u\n", i,
                seen[i].start, seen[i].end, seen[i].sm, expected[i].start, expected[i].end, expected[i].sm);
        }
    }
    if (count != left) {
        fprintf(stderr, "%u blocks, not %u\n", left, count);
    }
    return same;
}

/* The end of a command of the scenario. */
static const struct grt_trace_record *end_of(const struct grt_built_run *run, uint32_t task,
                                             uint32_t command) {
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        bool of_command = record->kind == GRT_TRACE_KERNEL || record->kind == GRT_TRACE_COPY ||
                          record->kind == GRT_TRACE_CALL;
        if (of_command && record->task == task && grt_trace_command(record->detail) == command) {
            return record;
        }
    }
    return NULL;
}

static bool same_command(const struct grt_built_run *run, uint32_t task, uint32_t number,
                         const struct planned *planned, grt_time begin) {
    const struct grt_trace_record *record = end_of(run, task, number);
    if (record == NULL) {
        return false;
    }
    if (planned->kind == GRT_COMMAND_KERNEL && !same_kernel(run, record, planned, begin)) {
        return false;
    }
    float milliseconds;
    CU_OK(device.cuda.cuEventElapsedTime(&milliseconds, origin, after[task][number]));
    grt_time end = (grt_time)((double)milliseconds * 1e6 + 0.5);
    if (end != record->time) {
        fprintf(stderr, "it ended at %" PRId64 ", not %" PRId64 "\n", end, record->time);
    }
    return end == record->time;
}

static bool same(const struct experiment *experiment, uint64_t number) {
    struct grt_builder *builder = build(experiment);
    struct grt_built_run run;
    grt_built_run_start(&run, &builder->scenario, grt_policy_find("hardware"), false);
    grt_errors_print(&run.errors, stderr, "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(run.result);
    grt_time begin = drive(experiment);
    bool all_same = true;
    for (uint32_t i = 0; all_same && i < experiment->stream_count; i++) {
        for (uint32_t j = 0; all_same && j < experiment->plans[i].count; j++) {
            all_same = same_command(&run, i, j, &experiment->plans[i].commands[j], begin);
            if (!all_same) {
                fprintf(stderr, "experiment %" PRIu64 ", stream %u, command %u of kind %d\n", number, i, j,
                        (int)experiment->plans[i].commands[j].kind);
            }
        }
    }
    pretend_device_close(&device);
    grt_built_run_end(&run, builder);
    return all_same;
}

static void test_same_as_scenario(void) {
    uint64_t count = (uint64_t)grt_suite_cases(600, 100000);
    for (uint64_t number = 0; number < count; number++) {
        struct experiment experiment;
        draw_experiment(&experiment, number);
        bool was_same = same(&experiment, number);
        CU_ASSERT_TRUE(was_same);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"the same as in a scenario", test_same_as_scenario},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("pretend_model", tests);
}
