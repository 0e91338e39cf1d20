/* labels: alone */
/* Scenarios executed by pretended devices: what is refused, noted, recorded; noise, clocks, measuring kernels, a device that is lost. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/driver/nvml.h"
#include "calib/replay/internal.h"
#include "policies/registry.h"
#include "tests/support/replay_case.h"
#include "tests/support/suite.h"

#define US GRT_MICROSECOND
#define MS GRT_MILLISECOND

static struct grt_builder *world(void) {
    struct grt_builder *builder = grt_builder_create(20 * MS);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_tx2());
    device->kernel_launch = 5 * US;
    device->copy_engines = 2;
    device->h2d_bytes_per_second = device->d2h_bytes_per_second = GRT_SECOND;
    device->copy_latency = US;
    return builder;
}

static struct grt_task *add_task(struct grt_builder *builder, const char *name, int64_t blocks,
                                 grt_time block_time) {
    struct grt_task *task = grt_builder_task(builder, name);
    grt_builder_periodic(task, 2 * MS, 0);
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 2000);
    grt_builder_kernel(builder, task, blocks, 256, block_time)->name = "work";
    grt_builder_copy(builder, task, GRT_COMMAND_D2H, 1000);
    return task;
}

/* The builder's own: it lives in its arena. */
static struct grt_kernel *kernel_of(const struct grt_task *task) {
    return (struct grt_kernel *)(uintptr_t)&task->segments[0].commands[1].kernel;
}

/* ---- what is refused ---- */

static struct grt_errors refuse(const struct grt_builder *builder, const char *policy) {
    struct grt_errors errors = {0};
    struct grt_replay_needs needs;
    struct grt_replay_options options = {.scenario = &builder->scenario, .policy = grt_policy_find(policy)};
    CU_ASSERT_FALSE(grt_replay_plan(&options, &needs, &errors));
    return errors;
}

static void expect_refusal(struct grt_builder *builder, const char *policy, const char *part) {
    struct grt_errors errors = refuse(builder, policy);
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    if (strstr(errors.messages[0], part) == NULL) {
        fprintf(stderr, "got: %s\nnot: %s\n", errors.messages[0], part);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], part));
    grt_errors_clear(&errors);
    grt_builder_free(builder);
}

static void test_refusals(void) {
    struct grt_builder *builder = world();
    add_task(builder, "a", 4, MS);
    expect_refusal(builder, "pruda-sm", "policy: \"pruda-sm\" cannot be executed by a device");
    builder = world();
    add_task(builder, "a", 4, MS);
    expect_refusal(builder, "tdm", "policy: \"tdm\" cannot be executed by a device");
    builder = world();
    add_task(builder, "a", 4, MS)->on_miss = GRT_MISS_ABORT;
    expect_refusal(builder, "hardware", "tasks[0]: a device cannot take back what it was given");
    builder = world();
    add_task(builder, "a", 4, MS)->stream = "null";
    expect_refusal(builder, "hardware", "tasks[0]: the NULL stream synchronises");
    builder = world();
    struct grt_task *task = add_task(builder, "a", 4, MS);
    grt_builder_callback(builder, task, 10);
    expect_refusal(builder, "hardware",
                   "tasks[0].segments[0].gpu[3]: only kernels, copies, and records of and waits for events");
    builder = world();
    task = add_task(builder, "a", 4, MS);
    grt_builder_call(builder, task, GRT_COMMAND_H2D, NULL)->pageable = true;
    expect_refusal(builder, "hardware", "tasks[0].segments[0].gpu[3]: a copy of pageable memory");
    builder = world();
    add_task(builder, "a", 4, MS);
    grt_builder_gpu(builder, grt_built_tx2());
    expect_refusal(builder, "hardware", "platform: one GPU can be executed by a device, not 2");
    builder = world();
    add_task(builder, "a", 4, MS);
    builder->scenario.horizon_kind = GRT_HORIZON_AUTO;
    expect_refusal(builder, "hardware", "horizon: \"auto\"");
    builder = world();
    add_task(builder, "a", 40000000, US);
    expect_refusal(builder, "hardware", "horizon: up to 400000000 blocks of 30 commands would be executed");
    builder = world();
    for (int i = 0; i < 50; i++) {
        add_task(builder, "a", 4, MS);
    }
    expect_refusal(builder, "hardware", "tasks: 50 streams would be needed, and there are 48");
}

/* ---- what is needed ---- */

static void test_needs(void) {
    struct grt_builder *builder = world();
    struct grt_errors errors = {0};
    struct grt_replay_needs needs;
    add_task(builder, "a", 4, MS);
    struct grt_task *drawn = add_task(builder, "b", 3, MS), *after = grt_builder_task(builder, "c");
    struct grt_kernel *kernel = kernel_of(drawn);
    kernel->block_time = (struct grt_distribution){.kind = GRT_UNIFORM, .min = US, .max = MS};
    grt_builder_kernel(builder, after, 2, 32, US);
    grt_builder_after(builder, after, drawn);
    struct grt_replay_options options = {.scenario = &builder->scenario,
                                         .policy = grt_policy_find("hardware")};
    CU_ASSERT_TRUE(grt_replay_plan(&options, &needs, &errors));
    CU_ASSERT_EQUAL(needs.records, 10 * 4 + 10 * 3 + 10 * 2 + 1);
    CU_ASSERT_EQUAL(needs.table, 10 * 3);
    CU_ASSERT_EQUAL(needs.commands, 10 * 7);
    CU_ASSERT_EQUAL(needs.copy_bytes, 2000);
    CU_ASSERT_TRUE(needs.times_events);
    grt_builder_free(builder);
}

/* ---- what comes out ---- */

static const struct grt_validated_kind *kind_of(const struct replay_case *it, enum grt_paired_kind kind) {
    return &it->validation->kinds[kind];
}

static bool has_note(const struct grt_replay *replay, const char *part) {
    for (size_t i = 0; i < replay->note_count; i++) {
        if (strstr(replay->notes[i], part) != NULL) {
            return true;
        }
    }
    return false;
}

/* Clocks that run apart, ticks, calls that take time: nothing is farther off than they explain. */
static void test_clocks(void) {
    struct grt_builder *builder = world();
    add_task(builder, "a", 9, 300 * US);
    add_task(builder, "b", 3, 200 * US)->stream_priority = -1;
    struct replay_case it;
    replay_case_start(&it, &builder->scenario);
    it.spec.timer_offset = 123456789012;
    it.spec.timer_drift = 20e-6;
    it.spec.timer_tick = it.spec.event_tick = 32;
    it.spec.launch_call = 2 * US;
    it.spec.copy_call = it.spec.other_call = US;
    it.spec.sync_return = 3 * US;
    CU_ASSERT_TRUE_FATAL(replay_case_execute(&it, &builder->scenario));
    replay_case_compare(&it, &builder->scenario);
    CU_ASSERT_EQUAL(it.validation->unpaired, 0);
    CU_ASSERT_EQUAL(kind_of(&it, GRT_PAIRED_BLOCK)->pairs, 10 * 12);
    CU_ASSERT_TRUE(it.validation->most_absolute > 0 && it.validation->most_absolute < 60 * US);
    CU_ASSERT_TRUE(kind_of(&it, GRT_PAIRED_BLOCK)->duration.most_absolute <= 2 * 32);
    CU_ASSERT_TRUE(it.replay.clock_drift > 15e-6 && it.replay.clock_drift < 25e-6);
    CU_ASSERT_TRUE(it.replay.clock_error < 20 * US);
    CU_ASSERT_TRUE(it.replay.latest > 0 && it.replay.latest < 100 * US);
    CU_ASSERT_EQUAL(it.replay.late_count, 0);
    replay_case_end(&it);
    grt_builder_free(builder);
}

/* Times of the device become the host's: without that the last blocks would be 100 us off. */
static void test_drift(void) {
    struct grt_builder *builder = world();
    add_task(builder, "a", 9, 300 * US);
    struct replay_case it;
    replay_case_start(&it, &builder->scenario);
    it.spec.timer_offset = 987654321;
    it.spec.timer_drift = 5e-3;
    CU_ASSERT_TRUE_FATAL(replay_case_execute(&it, &builder->scenario));
    replay_case_compare(&it, &builder->scenario);
    CU_ASSERT_EQUAL(kind_of(&it, GRT_PAIRED_BLOCK)->pairs, 10 * 9);
    CU_ASSERT_TRUE(grt_validation_is_within(it.validation, 2 * US));
    CU_ASSERT_DOUBLE_EQUAL(it.replay.clock_drift, 5e-3, 1e-5);
    replay_case_end(&it);
    grt_builder_free(builder);
}

/* Calls of 150 us: the host is late, and says by how much and how often. */
static void test_lateness(void) {
    struct grt_builder *builder = world();
    add_task(builder, "a", 9, 300 * US);
    grt_builder_periodic(add_task(builder, "b", 9, 300 * US), 2 * MS, 20 * US);
    struct replay_case it;
    replay_case_start(&it, &builder->scenario);
    it.spec.launch_call = 150 * US;
    CU_ASSERT_TRUE_FATAL(replay_case_execute(&it, &builder->scenario));
    CU_ASSERT_EQUAL(it.replay.latest, 130 * US); /* the second task's releases, 20 us after the first one's */
    CU_ASSERT_EQUAL(it.replay.late_count, 10);
    replay_case_end(&it);
    grt_builder_free(builder);
}

/* An event that is done may have been before the newest mark: it is timed by the one before that, if that is known. */
static void test_marks(void) {
    struct grt_builder *builder = world();
    struct grt_pretend_spec spec;
    struct grt_driver driver;
    struct grt_errors errors = {0};
    enum { OLDEST, OLD, EVENT, NEW };
    grt_pretend_default(&builder->gpus[0], &spec);
    CU_ASSERT_TRUE_FATAL(grt_pretend_open(&spec, &grt_engine_model, &driver, &errors));
    driver.cuda.cuInit(0);
    struct grt_bench_options options = {.driver = &driver, .buffer_bytes = 1 << 20};
    struct grt_bench *bench = grt_bench_open(&options, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bench);
    struct grt_bench_launch spin = {.kernel = GRT_KERNEL_SPIN_NS, .amount = 1000, .blocks = 1};
    uint32_t stream = grt_bench_stream(bench, NULL, 0);
    for (uint32_t event = OLDEST; event <= NEW; event++) {
        grt_bench_launch(bench, stream, &spin);
        grt_bench_record(bench, stream, event);
    }
    grt_bench_sync(bench);
    int64_t apart = llround(grt_bench_elapsed_ns(bench, OLD, EVENT));
    CU_ASSERT_TRUE(apart >= 1000 && apart < 10000);
    struct replay_run run = {
        .bench = bench}; /* of marks with times of their own, which tell which of them was taken */
    struct replay_events *events = &run.events;
    CU_ASSERT_EQUAL(replay_event_time(&run, EVENT), NO_INSTANT);
    *events = (struct replay_events){.mark_count = 1, .marks = {{OLD, 5000000}}};
    CU_ASSERT_EQUAL(replay_event_time(&run, EVENT), 5000000 + apart);
    *events =
        (struct replay_events){.mark_count = 3, .marks = {{NEW, 9000000}, {OLD, 5000000}, {OLDEST, 1000000}}};
    CU_ASSERT_EQUAL(replay_event_time(&run, EVENT), 5000000 + apart);
    *events = (struct replay_events){.mark_count = 3,
                                     .marks = {{NEW, NO_INSTANT}, {OLDEST, 1000000}, {OLD, 5000000}}};
    CU_ASSERT_EQUAL(replay_event_time(&run, EVENT), 5000000 + apart);
    grt_bench_close(bench);
    driver.close(&driver);
    grt_builder_free(builder);
}

static size_t count_records(const struct grt_trace_memory *trace, enum grt_trace_kind kind) {
    size_t count = 0;
    for (size_t i = 0; i < trace->record_count; i++) {
        count += trace->records[i].kind == kind;
    }
    return count;
}

/* Who waited for whom is what the simulator makes of its own device: no such records come from another one. */
static void test_blocked(void) {
    struct grt_builder *builder = world();
    add_task(builder, "a", 9, 300 * US)->deadline = 3 * MS;
    grt_builder_periodic(add_task(builder, "b", 3, 200 * US), 2 * MS, 100 * US);
    struct replay_case it;
    replay_case_start(&it, &builder->scenario);
    it.policy = "np-edf";
    CU_ASSERT_TRUE_FATAL(replay_case_execute(&it, &builder->scenario));
    replay_case_compare(&it, &builder->scenario);
    CU_ASSERT_TRUE(count_records(&it.simulated.kept, GRT_TRACE_BLOCKED) > 0);
    CU_ASSERT_EQUAL(count_records(&it.measured, GRT_TRACE_BLOCKED), 0);
    CU_ASSERT_TRUE(count_records(&it.measured, GRT_TRACE_FINISH) > 0);
    replay_case_end(&it);
    grt_builder_free(builder);
}

static const char *label_of(const struct grt_trace_memory *trace, uint32_t index) {
    return grt_trace_memory_name(trace, GRT_NAME_LABEL, index, 0, 0);
}

/* The device is warm when the run begins, and what slows it is told, and kept in the trace. */
static void test_state(void) {
    struct grt_builder *builder = world();
    add_task(builder, "a", 9, 300 * US);
    struct grt_nvml *nvml = grt_nvml_open(GRT_FAKE_NVIDIA);
    CU_ASSERT_PTR_NOT_NULL_FATAL(nvml);
    setenv("FAKE_reasons", "4", 1);
    struct replay_case it;
    replay_case_start(&it, &builder->scenario);
    it.nvml = nvml;
    it.warm_up = 500 * MS;
    CU_ASSERT_TRUE_FATAL(replay_case_execute(&it, &builder->scenario));
    double hertz = (double)it.spec.cycles_per_second;
    CU_ASSERT_TRUE(it.replay.looked);
    CU_ASSERT_DOUBLE_EQUAL(it.replay.before.hertz, hertz, 1e-3 * hertz);
    CU_ASSERT_DOUBLE_EQUAL(it.replay.after.hertz, hertz, 1e-3 * hertz);
    CU_ASSERT_TRUE(it.replay.before.health.known && it.replay.after.health.reasons == 4);
    CU_ASSERT_TRUE(has_note(&it.replay, "warning: something slowed the device before the run (software power "
                                        "cap)"));
    CU_ASSERT_TRUE(
        has_note(&it.replay, "warning: something slowed the device after the run (software power"));
    CU_ASSERT_PTR_NOT_NULL_FATAL(label_of(&it.measured, 0));
    CU_ASSERT_PTR_NOT_NULL(strstr(label_of(&it.measured, 0), "before: SMs at "));
    CU_ASSERT_PTR_NOT_NULL(strstr(label_of(&it.measured, 1), "slowed: software power cap"));
    CU_ASSERT_EQUAL(it.measured.records[it.measured.record_count - 1].time, builder->scenario.horizon);
    replay_case_compare(&it, &builder->scenario);
    CU_ASSERT_TRUE(grt_validation_is_within(it.validation, 0));
    replay_case_end(&it);
    grt_nvml_close(nvml);
    unsetenv("FAKE_reasons");
    grt_builder_free(builder);
}

/* Blocks that take longer than they are told: each of them, by as much. */
static void test_longer_blocks(void) {
    struct grt_builder *builder = world();
    add_task(builder, "a", 9, 300 * US);
    struct replay_case it;
    replay_case_start(&it, &builder->scenario);
    it.spec.kernels[GRT_KERNEL_SPIN_NS].fixed = 7 * US;
    CU_ASSERT_TRUE_FATAL(replay_case_execute(&it, &builder->scenario));
    replay_case_compare(&it, &builder->scenario);
    CU_ASSERT_EQUAL(kind_of(&it, GRT_PAIRED_BLOCK)->duration.least, -7 * US);
    CU_ASSERT_EQUAL(kind_of(&it, GRT_PAIRED_BLOCK)->duration.most, -7 * US);
    CU_ASSERT_EQUAL(it.validation->responses[0].error.most, -7 * US); /* one wave */
    replay_case_end(&it);
    grt_builder_free(builder);
}

/* A run that ends in the midst of everything. */
static void test_horizon(void) {
    struct grt_builder *builder = world();
    add_task(builder, "a", 40, 300 * US);
    builder->scenario.horizon = 2 * MS + 500 * US;
    struct replay_case it;
    replay_case_start(&it, &builder->scenario);
    CU_ASSERT_TRUE_FATAL(replay_case_execute(&it, &builder->scenario));
    replay_case_compare(&it, &builder->scenario);
    CU_ASSERT_TRUE(grt_validation_is_within(it.validation, 0));
    bool open = false;
    for (size_t i = 0; i < it.measured.record_count; i++) {
        CU_ASSERT_TRUE(it.measured.records[i].time <= builder->scenario.horizon);
        open |= it.measured.records[i].kind == GRT_TRACE_BLOCK &&
                (it.measured.records[i].flags & GRT_TRACE_OPEN) != 0;
    }
    CU_ASSERT_TRUE(open);
    replay_case_end(&it);
    grt_builder_free(builder);
}

static bool is_asked_often(void *state) {
    int *asked = state;
    return ++*asked > 20;
}

/* A run that somebody ends: its trace is the simulation's until there. */
static void test_interruption(void) {
    struct grt_builder *builder = world();
    add_task(builder, "a", 40, 300 * US);
    struct replay_case it;
    int asked = 0;
    replay_case_start(&it, &builder->scenario);
    it.is_interrupted = is_asked_often;
    it.state = &asked;
    CU_ASSERT_TRUE_FATAL(replay_case_execute(&it, &builder->scenario));
    CU_ASSERT_TRUE(it.replay.interrupted && it.replay.end > 2 * MS &&
                   it.replay.end < builder->scenario.horizon);
    builder->scenario.horizon = it.replay.end;
    replay_case_compare(&it, &builder->scenario);
    CU_ASSERT_TRUE(grt_validation_is_within(it.validation, 0));
    CU_ASSERT_TRUE(kind_of(&it, GRT_PAIRED_BLOCK)->pairs > 0);
    replay_case_end(&it);
    grt_builder_free(builder);
}

/* Registers that a spinning block does not have become shared memory. */
static void test_registers(void) {
    struct grt_builder *builder = world();
    struct grt_task *task = add_task(builder, "a", 12, 300 * US);
    struct grt_kernel *kernel = kernel_of(task);
    kernel->needs.registers_per_thread = 64; /* 4 blocks of 256 threads */
    kernel->bandwidth = 1000;
    struct replay_case it;
    replay_case_start(&it, &builder->scenario);
    CU_ASSERT_TRUE_FATAL(replay_case_execute(&it, &builder->scenario));
    replay_case_compare(&it, &builder->scenario);
    CU_ASSERT_TRUE(grt_validation_is_within(it.validation, 0));
    CU_ASSERT_TRUE(has_note(&it.replay, "kernel \"work\": spinning blocks do not need its registers"));
    CU_ASSERT_TRUE(has_note(&it.replay, "kernel \"work\": spinning blocks draw no memory bandwidth"));
    replay_case_end(&it);
    grt_builder_free(builder);
}

static void expect_fit(const struct grt_replay *replay, const char *kernel, const char *fit) {
    bool said = false;
    for (size_t i = 0; i < replay->note_count; i++) {
        said |= strstr(replay->notes[i], kernel) != NULL && strstr(replay->notes[i], fit) != NULL;
    }
    CU_ASSERT_TRUE(said);
}

/* What stands for registers on the scenario's device takes too much of the shared memory of another, whose SMs have less: as many fit there all the same. */
static void test_registers_elsewhere(void) {
    const int64_t shared[] = {228, 164, 100, 96, 64};
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++) {
        struct grt_builder *builder = world();
        struct grt_kernel *first = kernel_of(add_task(builder, "a", 20, 300 * US));
        struct grt_kernel *second = kernel_of(add_task(builder, "b", 20, 300 * US));
        first->name = "first";
        first->needs = (struct grt_block_needs){.threads = 64, .registers_per_thread = 128};
        second->needs = (struct grt_block_needs){.threads = 128, .registers_per_thread = 128};
        struct grt_device *device = &builder->gpus[0];
        device->shared_memory_per_sm = 228 * 1024;
        device->shared_memory_per_block_opt_in = 227 * 1024;
        struct replay_case it;
        replay_case_start(&it, &builder->scenario);
        it.spec.device.shared_memory_per_sm = shared[i] * 1024;
        it.spec.device.shared_memory_per_block_opt_in = (shared[i] - 1) * 1024;
        it.spec.device.shared_memory_per_block = 48 * 1024;
        CU_ASSERT_TRUE_FATAL(replay_case_execute(&it, &builder->scenario));
        expect_fit(&it.replay, "\"first\"", "; 8 fit on an SM, as in the scenario");
        expect_fit(&it.replay, "\"work\"", "; 4 fit on an SM, as in the scenario");
        CU_ASSERT_FALSE(has_note(&it.replay, "fit on an SM of the device"));
        CU_ASSERT_EQUAL(shared[i] < 228,
                        has_note(&it.replay, "which blocks fit on an SM together may not be"));
        replay_case_end(&it);
        grt_builder_free(builder);
    }
}

/* Where not as many can fit, the notes say how many do. */
static void test_registers_that_cannot(void) {
    struct grt_builder *builder = world();
    struct grt_kernel *kernel = kernel_of(add_task(builder, "a", 20, 300 * US));
    kernel->needs = (struct grt_block_needs){.threads = 64, .registers_per_thread = 128};
    struct replay_case it;
    replay_case_start(&it, &builder->scenario);
    it.spec.device.max_blocks_per_sm = 5;
    CU_ASSERT_TRUE_FATAL(replay_case_execute(&it, &builder->scenario));
    CU_ASSERT_FALSE(has_note(&it.replay, "8 fit on an SM"));
    CU_ASSERT_FALSE(has_note(&it.replay, "do not need its registers"));
    CU_ASSERT_TRUE(has_note(&it.replay, "5 blocks fit on an SM of the device, and 8 in the scenario"));
    replay_case_end(&it);
    grt_builder_free(builder);
}

/* Two tasks at a time, of whose blocks the one's need registers and the other's registers and shared memory: the first have `threads` and `registers`. */
static struct grt_builder *beside(int64_t threads, int64_t registers) {
    struct grt_builder *builder = world();
    struct grt_kernel *first = kernel_of(add_task(builder, "a", 20, 300 * US));
    struct grt_kernel *second = kernel_of(add_task(builder, "b", 20, 300 * US));
    first->name = "first";
    first->needs.threads = threads;
    first->needs.registers_per_thread = registers;
    second->needs.registers_per_thread = 64;
    second->needs.shared_memory = 15 * 1024;
    return builder;
}

/* What fits on an SM together is as in the scenario. */
static void test_mixes(void) {
    struct grt_builder *builder = beside(256, 48);
    struct replay_case it;
    replay_case_start(&it, &builder->scenario);
    CU_ASSERT_TRUE_FATAL(replay_case_execute(&it, &builder->scenario));
    replay_case_compare(&it, &builder->scenario);
    CU_ASSERT_TRUE(grt_validation_is_within(it.validation, 0));
    CU_ASSERT_TRUE(has_note(&it.replay, "kernel \"first\": spinning blocks do not need its registers"));
    CU_ASSERT_FALSE(has_note(&it.replay, "is not always as in the scenario"));
    replay_case_end(&it);
    grt_builder_free(builder);
}

/* Where it cannot be, that is said, with a mix for which it is not. */
static void test_mixes_that_differ(void) {
    struct grt_builder *builder = beside(32, 40);
    kernel_of(&builder->tasks[0])->blocks = 40;
    kernel_of(&builder->tasks[1])->needs.shared_memory = 24 * 1024;
    struct replay_case it;
    replay_case_start(&it, &builder->scenario);
    CU_ASSERT_TRUE_FATAL(replay_case_execute(&it, &builder->scenario));
    CU_ASSERT_TRUE(
        has_note(&it.replay, "which blocks fit on an SM together is not always as in the scenario"));
    CU_ASSERT_TRUE(has_note(&it.replay, "26 of \"first\", 2 of \"work\", which do not fit there"));
    replay_case_end(&it);
    grt_builder_free(builder);
}

/* More priorities than the device tells apart. */
static void test_priorities(void) {
    struct grt_builder *builder = world();
    builder->gpus[0].priority_levels = 6;
    add_task(builder, "a", 2, 300 * US)->stream_priority = -4;
    struct replay_case it;
    replay_case_start(&it, &builder->scenario);
    it.spec.device.priority_levels = 2;
    CU_ASSERT_TRUE_FATAL(replay_case_execute(&it, &builder->scenario));
    CU_ASSERT_TRUE(has_note(&it.replay, "streams of priority -4 to -1 are all of priority -1 on the device"));
    replay_case_end(&it);
    grt_builder_free(builder);
}

/* More streams than the device has connections for, with that of the bench and that of the marks. */
static void test_connections(void) {
    for (int queues = 3; queues <= 6; queues++) {
        struct grt_builder *builder = world();
        builder->scenario.horizon = 3 * MS;
        add_task(builder, "a", 2, 300 * US);
        add_task(builder, "b", 2, 300 * US);
        add_task(builder, "c", 2, 300 * US);
        struct replay_case it;
        replay_case_start(&it, &builder->scenario);
        it.spec.device.hardware_queues = queues;
        CU_ASSERT_TRUE_FATAL(replay_case_execute(&it, &builder->scenario));
        CU_ASSERT_EQUAL(has_note(&it.replay, "warning: 3 streams, and 2 that trace needs, share"),
                        queues < 5);
        CU_ASSERT_EQUAL(has_note(&it.replay,
                                 "share 3 connections of the device (CUDA_DEVICE_MAX_CONNECTIONS, 32 "
                                 "at most): from stream \"b\" on, number 2,"),
                        queues == 3);
        CU_ASSERT_EQUAL(has_note(&it.replay, "from stream \"c\" on"), queues == 4);
        CU_ASSERT_FALSE(has_note(&it.replay, "were late"));
        replay_case_end(&it);
        grt_builder_free(builder);
    }
}

/* A kernel of a measuring kernel's name takes what that takes. */
static void test_real(void) {
    struct grt_builder *builder = world();
    add_task(builder, "a", 2, 300 * US);
    struct replay_case it;
    replay_case_start(&it, &builder->scenario);
    it.real[it.real_count++] = (struct grt_replay_real){"work", GRT_KERNEL_FMA, 1000};
    it.spec.kernels[GRT_KERNEL_FMA] =
        (struct grt_pretend_kernel){.registers = 16, .fixed = 5 * US, .per_unit_ps = 4000};
    CU_ASSERT_TRUE_FATAL(replay_case_execute(&it, &builder->scenario));
    replay_case_compare(&it, &builder->scenario);
    CU_ASSERT_EQUAL(it.validation->kernels[0].measured_most, 9 * US);
    CU_ASSERT_EQUAL(it.validation->kernels[0].simulated_most, 300 * US);
    replay_case_end(&it);
    grt_builder_free(builder);
}

static void expect_failure(struct replay_case *it, struct grt_builder *builder, const char *part) {
    CU_ASSERT_FALSE(replay_case_execute(it, &builder->scenario));
    CU_ASSERT_TRUE_FATAL(it->errors.count > 0);
    if (strstr(it->errors.messages[0], part) == NULL) {
        fprintf(stderr, "got: %s\nnot: %s\n", it->errors.messages[0], part);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(it->errors.messages[0], part));
    replay_case_end(it);
}

static void test_failures(void) {
    struct grt_builder *builder = world();
    struct grt_task *task = add_task(builder, "a", 4, 300 * US);
    struct replay_case it;
    replay_case_start(&it, &builder->scenario);
    it.spec.faults.lost_at_call = 1500; /* in the midst of it, or before */
    expect_failure(&it, builder, "cu");
    replay_case_start(&it, &builder->scenario);
    kernel_of(task)->needs.shared_memory = 30000;
    it.spec.faults.strict_occupancy = true;
    it.spec.device.shared_memory_per_sm = it.spec.device.shared_memory_per_block =
        it.spec.device.shared_memory_per_block_opt_in = 16384;
    expect_failure(&it, builder,
                   "tasks[0].segments[0].gpu[1]: the device cannot execute kernel \"work\": such a block "
                   "fits on no SM");
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, INT64_C(1) << 40);
    replay_case_start(&it, &builder->scenario);
    expect_failure(&it, builder, "a copy of 1099511627776 bytes is wanted, and there is memory for");
    grt_builder_free(builder);
}

/* By threads that pretend to be SMs, in real time: what is there, in which order, not when. */
static void test_threads(void) {
    struct grt_builder *builder = world();
    add_task(builder, "a", 4, 100 * US);
    builder->scenario.horizon = 7 * MS;
    struct replay_case it;
    replay_case_start(&it, &builder->scenario);
    it.engine = &grt_engine_threads;
    CU_ASSERT_TRUE_FATAL(replay_case_execute(&it, &builder->scenario));
    CU_ASSERT_EQUAL(it.replay.missing_blocks, 0);
    grt_time last = 0;
    for (size_t i = 0; i < it.measured.record_count; i++) {
        const struct grt_trace_record *record = &it.measured.records[i];
        CU_ASSERT_TRUE(record->time >= last);
        last = record->time;
        if (record->kind == GRT_TRACE_BLOCK) {
            CU_ASSERT_TRUE(grt_trace_row(record->row) < 2);
            CU_ASSERT_TRUE((record->flags & GRT_TRACE_OPEN) != 0 || record->time - record->other >= 99 * US);
        }
    }
    CU_ASSERT_TRUE(it.replay.kernels <= 4);
    replay_case_end(&it);
    grt_builder_free(builder);
}

int main(void) {
    CU_TestInfo tests[] = {{"what a device cannot be told to do", test_refusals},
                           {"what has to be there", test_needs},
                           {"clocks that run apart, ticks, calls that take time", test_clocks},
                           {"a clock that drifts", test_drift},
                           {"a host that is late", test_lateness},
                           {"events and the marks that they are timed by", test_marks},
                           {"who blocked whom", test_blocked},
                           {"the device's state", test_state},
                           {"blocks that take longer", test_longer_blocks},
                           {"a run that somebody ends", test_interruption},
                           {"more priorities than the device has", test_priorities},
                           {"fewer connections than streams", test_connections},
                           {"the end of the run", test_horizon},
                           {"registers and bandwidth", test_registers},
                           {"registers of another device", test_registers_elsewhere},
                           {"registers, and fewer blocks on an SM", test_registers_that_cannot},
                           {"kernels beside each other", test_mixes},
                           {"kernels that fit beside each other otherwise", test_mixes_that_differ},
                           {"measuring kernels", test_real},
                           {"lost, too small, too little memory", test_failures},
                           {"threads", test_threads},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("replay", tests);
}
