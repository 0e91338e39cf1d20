/* The hash of a GPU's state, part by part: two GPUs are led to states that differ in one thing on which the future depends, and
 * have different hashes; where nothing differs, the hashes are equal. Each test says by which part the states differ.
 * One SM with two block slots; a copy of n bytes takes n ns, and memset n ns. */
#include "models/gpu.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { STREAMS = 4, A = 0, B, C, URGENT };

/* A GPU and what it needs; stream URGENT has a priority above that of the others. */
struct rig {
    struct grt_loop loop;
    struct grt_arena arena;
    struct grt_device device;
    struct grt_memory_bus bus;
    struct grt_gpu *gpu;
    bool changed;
    uint32_t events[2], place;
    uint32_t completed; /* owners that heard that all of theirs has completed */
};

static void decide(void *owner, grt_time now) {
    struct rig *rig = owner;
    (void)now;
    if (rig->changed) {
        rig->changed = false;
        grt_gpu_decide(rig->gpu);
    }
}

static void nobody_listens(void *state, uint32_t owner, grt_time now) {
    (void)state, (void)owner, (void)now;
}

static void count_completed(void *state, uint32_t owner, grt_time now) {
    struct rig *rig = state;
    nobody_listens(state, owner, now);
    rig->completed++;
}

static void start(struct rig *rig) {
    *rig = (struct rig){.device = grt_built_device(1)};
    rig->device.max_blocks_per_sm = 2;
    rig->device.memory_bytes_per_second = GRT_SECOND;
    rig->device.implicit_sync = GRT_IMPLICIT_SYNC_GUIDE;
    rig->device.max_pending_launches = 100;
    rig->device.max_sync_depth = 2;
}

/* What will be submitted besides kernels and copies. Where there are barriers, streams are looked at in another order. */
enum features { CALLS, CALLS_AND_BARRIERS, LAUNCHES, PINS };

/* Makes the GPU, once its device is as it shall be. */
static void power_on(struct rig *rig, enum features features) {
    static const struct grt_process_spec plain = {0};
    grt_loop_start(&rig->loop, decide, rig);
    grt_bus_create(&rig->bus, &rig->device);
    struct grt_gpu_options options = {
        .loop = &rig->loop,
        .arena = &rig->arena,
        .listener = {rig, nobody_listens, count_completed, nobody_listens, NULL},
        .changed = &rig->changed,
        .seed = 1,
        .bus = &rig->bus,
    };
    rig->gpu = grt_gpu_create(&rig->device, &options);
    for (int kind = GRT_COMMAND_RECORD; kind <= GRT_COMMAND_CALLBACK && features != LAUNCHES; kind++) {
        grt_gpu_use_call(rig->gpu, (enum grt_command_kind)kind);
    }
    if (features == CALLS_AND_BARRIERS) {
        grt_gpu_use_call(rig->gpu, GRT_COMMAND_MEMSET);
    } else if (features == LAUNCHES) {
        grt_gpu_use_launches(rig->gpu);
        grt_gpu_use_waits(rig->gpu);
    } else if (features == PINS) {
        grt_gpu_use_pins(rig->gpu);
    }
    grt_gpu_process_create(rig->gpu, &plain, 0);
    for (uint32_t i = 0; i < STREAMS; i++) {
        grt_gpu_stream_create(rig->gpu, 0, i == URGENT ? -1 : 0, false, i);
    }
    for (int i = 0; i < 2; i++) {
        rig->events[i] = grt_gpu_event(rig->gpu);
    }
}

static void run_to(struct rig *rig, grt_time instant) {
    grt_loop_run(&rig->loop, instant);
    rig->loop.now = instant;
}

/* The state; nothing is asked of the GPU after it. */
static uint64_t end(struct rig *rig) {
    uint64_t state = grt_gpu_state(rig->gpu);
    grt_gpu_free(rig->gpu);
    grt_bus_free(&rig->bus);
    grt_loop_free(&rig->loop);
    grt_arena_clear(&rig->arena);
    return state;
}

/* ---- commands ---- */

static void submit(struct rig *rig, uint32_t stream, struct grt_gpu_command command) {
    command.owner = stream;
    command.place = rig->place++;
    grt_gpu_submit(rig->gpu, stream, &command, 0, 0);
}

/* Blocks of 32 threads; `demand`: bytes per second that the kernel draws. */
static struct grt_gpu_kernel *prepare(struct rig *rig, int64_t blocks, grt_time time, int64_t demand) {
    struct grt_gpu_kernel *prepared = grt_arena_new(&rig->arena, struct grt_gpu_kernel);
    struct grt_kernel kernel = {.name = "k",
                                .blocks = blocks,
                                .needs.threads = 32,
                                .block_time = {.kind = GRT_CONSTANT, .min = time, .max = time},
                                .bandwidth = demand};
    CU_ASSERT_PTR_NULL(grt_gpu_kernel_prepare(&rig->device, &kernel, prepared));
    return prepared;
}

static void kernel(struct rig *rig, uint32_t stream, grt_time time) {
    submit(rig, stream,
           (struct grt_gpu_command){.kind = GRT_COMMAND_KERNEL, .kernel = prepare(rig, 1, time, 0)});
}

static void event(struct rig *rig, uint32_t stream, enum grt_command_kind kind, int number) {
    submit(rig, stream, (struct grt_gpu_command){.kind = kind, .event = rig->events[number]});
}

static void callback(struct rig *rig, uint32_t stream, grt_time time, bool waits) {
    struct grt_distribution *distribution = grt_arena_new(&rig->arena, struct grt_distribution);
    *distribution = (struct grt_distribution){.kind = GRT_CONSTANT, .min = time, .max = time};
    submit(rig, stream,
           (struct grt_gpu_command){.kind = GRT_COMMAND_CALLBACK, .time = distribution, .waits = waits});
}

/* ---- pairs of states ---- */

/* Each leads a GPU to a state; `other` chooses which of two. */
typedef void (*history)(struct rig *rig, int other);

static uint64_t state_after(history lead, int other, enum features features) {
    struct rig rig;
    start(&rig);
    power_on(&rig, features);
    lead(&rig, other);
    return end(&rig);
}

static void expect_different(history lead, enum features features) {
    CU_ASSERT_EQUAL(state_after(lead, 0, features), state_after(lead, 0, features));
    CU_ASSERT_EQUAL(state_after(lead, 1, features), state_after(lead, 1, features));
    CU_ASSERT_NOT_EQUAL(state_after(lead, 0, features), state_after(lead, 1, features));
}

/* ---- calls ---- */

static void by_kind(struct rig *rig, int other) {
    kernel(rig, A, 50);
    event(rig, A, other ? GRT_COMMAND_QUERY : GRT_COMMAND_WAIT, 0);
    run_to(rig, 20);
}

static void by_host_that_waits(struct rig *rig, int other) {
    kernel(rig, A, 50);
    callback(rig, A, 5, other);
    run_to(rig, 20);
}

static void by_time_of_a_call(struct rig *rig, int other) {
    kernel(rig, A, 50);
    callback(rig, A, other ? 7 : 5, false);
    run_to(rig, 20);
}

/* C waits for A's record, or for B's. */
static void by_awaited_record(struct rig *rig, int other) {
    kernel(rig, A, 50);
    event(rig, A, GRT_COMMAND_RECORD, 0);
    kernel(rig, B, 50);
    event(rig, B, GRT_COMMAND_RECORD, 1);
    event(rig, C, GRT_COMMAND_WAIT, other);
    run_to(rig, 20);
}

/* The record that is pending is of one event or of the other: later waits will mean it or not. */
static void by_pending_record(struct rig *rig, int other) {
    kernel(rig, A, 50);
    event(rig, A, GRT_COMMAND_RECORD, other);
    run_to(rig, 20);
}

/* A's host function runs meanwhile; B's has been ready since 5, or 7. */
static void by_since(struct rig *rig, int other) {
    callback(rig, A, 50, false);
    kernel(rig, B, other ? 7 : 5);
    callback(rig, B, 5, false);
    run_to(rig, 20);
}

/* B's and C's host functions are ready at the same instant, in the order in which their kernels began. */
static void by_order_of_host_functions(struct rig *rig, int other) {
    callback(rig, A, 50, false);
    rig->place = other ? 2 : 1; /* the kernels' own names do not matter once they have ended */
    kernel(rig, other ? C : B, 5);
    kernel(rig, other ? B : C, 5);
    rig->place = 5;
    callback(rig, B, 5, false);
    callback(rig, C, 5, false);
    run_to(rig, 20);
}

/* B's memset, a barrier, has been at the head since 0 and began at 5, or 7. */
static void by_end_of_a_call(struct rig *rig, int other) {
    kernel(rig, A, other ? 7 : 5);
    submit(rig, B, (struct grt_gpu_command){.kind = GRT_COMMAND_MEMSET, .bytes = 50});
    run_to(rig, 20);
}

/* A's record has passed; its owner hears of it, or only waits for it, in 1 ns. */
static void by_what_is_still_told(struct rig *rig, int other) {
    kernel(rig, A, 20);
    submit(rig, A, (struct grt_gpu_command){.kind = GRT_COMMAND_RECORD, .last = !other, .waits = other});
    run_to(rig, 20);
    grt_gpu_decide(rig->gpu);
}

/* The stream of a call that is over goes on, but its owner has not heard: what is taken back then is told as the end of all of it. */
static void calls_are_told_though_taken_back(void) {
    struct rig rig;
    start(&rig);
    power_on(&rig, CALLS);
    submit(&rig, A, (struct grt_gpu_command){.kind = GRT_COMMAND_RECORD, .waits = true});
    grt_gpu_decide(rig.gpu);
    CU_ASSERT_TRUE(grt_gpu_event_is_complete(rig.gpu, 0));
    CU_ASSERT_FALSE(grt_gpu_cancel(rig.gpu, A, A));
    CU_ASSERT_TRUE(grt_gpu_cancel(rig.gpu, B, B));
    CU_ASSERT_EQUAL(rig.completed, 0);
    run_to(&rig, 2);
    CU_ASSERT_EQUAL(rig.completed, 1);
    CU_ASSERT_TRUE(grt_gpu_cancel(rig.gpu, A, A));
    end(&rig);
}

static void states_of_calls(void) {
    expect_different(by_kind, CALLS);
    expect_different(by_host_that_waits, CALLS);
    expect_different(by_time_of_a_call, CALLS);
    expect_different(by_awaited_record, CALLS);
    expect_different(by_pending_record, CALLS);
    expect_different(by_since, CALLS);
    expect_different(by_what_is_still_told, CALLS);
    expect_different(by_order_of_host_functions, CALLS);
    expect_different(by_end_of_a_call, CALLS_AND_BARRIERS);
}

/* ---- pinned kernels (W8) ---- */

/* One block takes items of 10; the second is under way, and one or two are left. */
static void by_items_left(struct rig *rig, int other) {
    static const int64_t sms[] = {0};
    const struct grt_kernel pinned = {.name = "k",
                                      .blocks = 1,
                                      .needs.threads = 32,
                                      .block_time = {.kind = GRT_CONSTANT, .min = 10, .max = 10},
                                      .sms = {sms, 1},
                                      .items = other ? 4 : 3,
                                      .exit_time = 1};
    struct grt_gpu_kernel *prepared = prepare(rig, 1, 10, 0);
    CU_ASSERT_PTR_NULL(grt_gpu_kernel_pin(&rig->device, &pinned, &rig->arena, prepared));
    submit(rig, A, (struct grt_gpu_command){.kind = GRT_COMMAND_KERNEL, .kernel = prepared});
    run_to(rig, 15);
}

static void states_of_pinned_kernels(void) {
    expect_different(by_items_left, PINS);
}

/* ---- blocks that launch, and may wait (D4) ---- */

/* A parent's block of `time`, which launches a child of `child` at `at`, and may wait for it. */
static void launch(struct rig *rig, uint32_t stream, grt_time time, grt_time at, grt_time child, bool wait) {
    struct grt_gpu_kernel *kernel = prepare(rig, 1, time, 0);
    struct grt_gpu_launch *launch = grt_arena_new(&rig->arena, struct grt_gpu_launch);
    *launch = (struct grt_gpu_launch){.kernel = *prepare(rig, 1, child, 0),
                                      .at = at,
                                      .wait = wait,
                                      .stream = GRT_LAUNCH_STREAM_BLOCK,
                                      .place = 100,
                                      .name = "c"};
    kernel->launches = launch;
    kernel->launch_count = 1;
    kernel->waits = wait;
    kernel->together = false;
    submit(rig, stream, (struct grt_gpu_command){.kind = GRT_COMMAND_KERNEL, .kernel = kernel});
}

static void parent(struct rig *rig, uint32_t stream, grt_time time, grt_time at, grt_time child) {
    launch(rig, stream, time, at, child, true);
}

/* A block that runs until 20 has still to launch, at 5 or 7. */
static void by_launch_to_come(struct rig *rig, int other) {
    launch(rig, A, 20, other ? 7 : 5, 10, false);
    run_to(rig, 3);
}

/* Its child still runs, in the block's stream, or has ended. */
static void by_child_alive(struct rig *rig, int other) {
    launch(rig, A, 20, 1, other ? 3 : 10, false);
    run_to(rig, 6);
}

static void states_of_blocks_that_launch(void) {
    expect_different(by_launch_to_come, LAUNCHES);
    expect_different(by_child_alive, LAUNCHES);
}

/* The block has had 5, or 7, and has 15 to go; its child ends at 50 either way. */
static void by_time_had(struct rig *rig, int other) {
    parent(rig, A, other ? 22 : 20, other ? 7 : 5, other ? 43 : 45);
    run_to(rig, 20);
}

/* It has had 5, and has 15 or 17 to go. */
static void by_time_taken(struct rig *rig, int other) {
    parent(rig, A, other ? 22 : 20, 5, 45);
    run_to(rig, 20);
}

/* A's and B's blocks have waited and come back, A's first or B's; two urgent blocks have taken their room. */
static void by_order_of_those_that_come_back(struct rig *rig, int other) {
    parent(rig, A, 20, 5, other ? 7 : 5);
    parent(rig, B, 20, 5, other ? 5 : 7);
    run_to(rig, 8);
    submit(rig, URGENT,
           (struct grt_gpu_command){.kind = GRT_COMMAND_KERNEL, .kernel = prepare(rig, 2, 50, 0)});
    run_to(rig, 20);
}

static void states_of_blocks_that_wait(void) {
    expect_different(by_time_had, LAUNCHES);
    expect_different(by_time_taken, LAUNCHES);
    expect_different(by_order_of_those_that_come_back, LAUNCHES);
}

/* ---- fractions of a ns ---- */

/* A memory of 8 bytes a ns. B's kernel of 1 ns draws 4, or 2, beside what draws 8 for long: both end at 2, and by then the
 * other has had 4/3 ns, or 8/5, of its time: 1 whole one and a fraction. */
static uint64_t state_of_fractions(bool copy, int64_t drawn) {
    struct rig rig;
    start(&rig);
    rig.device.memory_bytes_per_second = 8 * GRT_SECOND;
    rig.device.h2d_bytes_per_second = 8 * GRT_SECOND;
    rig.device.bandwidth_sharing = GRT_BANDWIDTH_SHARING_PROPORTIONAL;
    power_on(&rig, CALLS);
    struct grt_gpu_command long_one = {.kind = copy ? GRT_COMMAND_H2D : GRT_COMMAND_KERNEL,
                                       .kernel = prepare(&rig, 1, 20, 8 * GRT_SECOND),
                                       .bytes = 160};
    struct grt_gpu_command short_one = {.kind = GRT_COMMAND_KERNEL,
                                        .kernel = prepare(&rig, 1, 1, drawn * GRT_SECOND)};
    submit(&rig, A, long_one);
    submit(&rig, B, short_one);
    run_to(&rig, 3);
    return end(&rig);
}

static void states_of_fractions(void) {
    for (int copy = 0; copy < 2; copy++) {
        CU_ASSERT_EQUAL(state_of_fractions(copy, 4), state_of_fractions(copy, 4));
        CU_ASSERT_NOT_EQUAL(state_of_fractions(copy, 4), state_of_fractions(copy, 2));
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"states of calls", states_of_calls},
        {"calls that are over and told later", calls_are_told_though_taken_back},
        {"states of pinned kernels", states_of_pinned_kernels},
        {"states of blocks that launch", states_of_blocks_that_launch},
        {"states of blocks that wait", states_of_blocks_that_wait},
        {"states of fractions", states_of_fractions},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("state of a GPU", tests);
}
