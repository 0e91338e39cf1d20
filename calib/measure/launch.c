/* E1: what it takes from the host's call to a kernel's first block, between kernels, and from a kernel's last block to the host. */
#include <math.h>

#include "calib/measure/internal.h"

enum { CALL_EMPTY, CALL_DEEP, IDLE, GAP_SAME, GAP_OTHER, SYNC, WHATS, RECORDS = WHATS };
enum { DEPTH = 32, DEEP_CALLS = 16, KERNELS = 8 };

static const uint64_t short_ns = 5000, long_ns = 20000;
static const grt_time rest = 50 * GRT_MICROSECOND; /* until the device idles */

static bool plan(struct measure *measure, const char **why) {
    static const char *const keys[WHATS][3] = {
        [CALL_EMPTY] = {"call", "queue", "empty"},
        [CALL_DEEP] = {"call", "queue", "deep"},
        [IDLE] = {"idle", NULL, NULL},
        [GAP_SAME] = {"gap", "streams", "same"},
        [GAP_OTHER] = {"gap", "streams", "other"},
        [SYNC] = {"sync", NULL, NULL},
    };
    (void)why;
    for (int what = 0; what < WHATS; what++) {
        struct cell *cell = grt_cell_add(measure, 0, 2e5);
        grt_cell_text(cell, "what", keys[what][0]);
        if (keys[what][1] != NULL) {
            grt_cell_text(cell, keys[what][1], keys[what][2]);
        }
        cell->numbers[0] = what;
    }
    for (size_t i = 0; i < measure->workload_count; i++) {
        struct cell *cell = grt_cell_add(measure, i == 0 ? 0 : 1, 2 * measure->workloads[i].span_ns);
        grt_cell_text(cell, "what", "records");
        grt_cell_text(cell, "kernel", measure->workloads[i].raw.name);
        cell->workload = &measure->workloads[i];
        cell->numbers[0] = RECORDS;
    }
    return true;
}

static grt_time launch_timed(struct measure *measure, const struct grt_bench_launch *launch) {
    grt_time before = grt_bench_now(measure->bench);
    grt_bench_launch(measure->bench, measure->streams[0], launch);
    return grt_bench_now(measure->bench) - before;
}

static enum taken take_empty(struct measure *measure, const struct cell *cell) {
    struct grt_bench_launch launch = {.kernel = GRT_KERNEL_CLOCKS, .blocks = 1};
    grt_bench_sync(measure->bench);
    grt_time call = launch_timed(measure, &launch);
    grt_bench_sync(measure->bench);
    grt_take_of_launch(measure, cell, call);
    return TAKEN;
}

/* Behind others, which a latch keeps from beginning. */
static enum taken take_deep(struct measure *measure, const struct cell *cell) {
    struct grt_bench_launch launch = {.kernel = GRT_KERNEL_CLOCKS, .blocks = 1};
    grt_bench_hold(measure->bench, measure->streams[0]);
    for (int i = 0; i < DEPTH; i++) {
        grt_bench_launch(measure->bench, measure->streams[0], &launch);
    }
    for (int i = 0; i < DEEP_CALLS; i++) {
        grt_take_of_launch(measure, cell, launch_timed(measure, &launch));
    }
    grt_bench_release(measure->bench);
    grt_bench_sync(measure->bench);
    return TAKEN;
}

static enum taken take_idle(struct measure *measure) {
    struct grt_bench *bench = measure->bench;
    struct grt_bench_launch launch = {.kernel = GRT_KERNEL_CLOCKS, .blocks = 1, .record = true};
    struct grt_host_clock *clock = &grt_bench_driver(bench)->clock;
    grt_bench_clear_records(bench, 0, 1);
    clock->wait_until(clock->state, clock->now(clock->state) + rest);
    grt_time call = grt_bench_now(bench);
    grt_bench_launch(bench, measure->streams[0], &launch);
    grt_bench_sync(bench);
    struct span span;
    if (!grt_take_span(measure, 0, 1, &span)) {
        return UNRECORDED;
    }
    int64_t row[] = {call - measure->origin_host, (int64_t)(span.start - measure->origin_device)};
    grt_cell_row(measure, row, 2);
    measure->figure = (double)(row[1] - row[0]);
    return TAKEN;
}

static enum taken take_gaps(struct measure *measure, const struct cell *cell, bool other) {
    struct grt_bench *bench = measure->bench;
    grt_bench_clear_records(bench, 0, KERNELS);
    grt_bench_hold(bench, measure->streams[0]);
    for (uint32_t i = 0; i < KERNELS; i++) {
        struct grt_bench_launch launch = {
            .kernel = GRT_KERNEL_SPIN_NS, .amount = short_ns, .blocks = 1, .record = true, .record_base = i};
        uint32_t stream = measure->streams[other ? i % 2 : 0];
        if (other && i > 0) {
            grt_bench_wait(bench, stream, i - 1);
        }
        grt_bench_launch(bench, stream, &launch);
        if (other) {
            grt_bench_record(bench, stream, i);
        }
    }
    grt_bench_release(bench);
    grt_bench_sync(bench);
    const struct grt_block_record *records = grt_bench_records(bench, 0, KERNELS);
    for (uint32_t i = 1; records != NULL && i < KERNELS; i++) {
        grt_take_of_launch(measure, cell, (int64_t)(records[i].start_ns - records[i - 1].end_ns));
    }
    return records != NULL ? TAKEN : UNRECORDED;
}

static enum taken take_sync(struct measure *measure) {
    struct grt_bench *bench = measure->bench;
    struct grt_bench_launch launch = {
        .kernel = GRT_KERNEL_SPIN_NS, .amount = long_ns, .blocks = 1, .record = true};
    grt_bench_clear_records(bench, 0, 1);
    grt_bench_launch(bench, measure->streams[0], &launch);
    grt_bench_sync_stream(bench, measure->streams[0]);
    grt_time back = grt_bench_now(bench);
    struct span span;
    if (!grt_take_span(measure, 0, 1, &span)) {
        return UNRECORDED;
    }
    int64_t row[] = {(int64_t)(span.end - measure->origin_device), back - measure->origin_host};
    grt_cell_row(measure, row, 2);
    measure->figure = (double)(row[1] - row[0]);
    return TAKEN;
}

/* Alone on an idle device: what comes right behind another kernel has the gap between them in its time, too. */
static int64_t take_by_events(struct measure *measure, const struct grt_bench_launch *launch) {
    struct grt_bench *bench = measure->bench;
    uint32_t stream = measure->streams[0];
    grt_bench_hold(bench, stream);
    grt_bench_record(bench, stream, 0);
    grt_bench_launch(bench, stream, launch);
    grt_bench_record(bench, stream, 1);
    grt_bench_release(bench);
    grt_bench_sync_stream(bench, stream);
    return llround(grt_bench_elapsed_ns(bench, 0, 1));
}

/* The same with and without records. */
static enum taken take_records(struct measure *measure, const struct cell *cell) {
    uint32_t blocks = cell->workload->raw.blocks;
    uint32_t with = (uint32_t)grt_random_below(&measure->random, 2); /* which one has them */
    int64_t row[2] = {0, 0};
    grt_bench_clear_records(measure->bench, 0, blocks);
    for (uint32_t i = 0; i < 2; i++) {
        struct grt_bench_launch launch = grt_take_workload(cell->workload, blocks, 0);
        launch.record = i == with;
        row[launch.record ? 0 : 1] = take_by_events(measure, &launch);
    }
    struct span span;
    if (!grt_take_span(measure, 0, blocks, &span)) {
        return UNRECORDED;
    }
    grt_cell_row(measure, row, 2);
    return TAKEN;
}

static enum taken sample(struct measure *measure, struct cell *cell) {
    switch (cell->numbers[0]) {
    case CALL_EMPTY:
        return take_empty(measure, cell);
    case CALL_DEEP:
        return take_deep(measure, cell);
    case IDLE:
        return take_idle(measure);
    case SYNC:
        return take_sync(measure);
    case RECORDS:
        return take_records(measure, cell);
    default:
        return take_gaps(measure, cell, cell->numbers[0] == GAP_OTHER);
    }
}

const struct experiment grt_experiment_launch = {.weight = 3, .plan = plan, .sample = sample};
