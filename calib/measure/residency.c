/* E2: how many blocks are on an SM at a time, counted from records, beside what the driver says. */
#include <stdlib.h>

#include "calib/measure/crowd.h"
#include "calib/measure/internal.h"
#include "sim/memory.h"

/* Blocks go on for so long, and so much longer for each of them, that the first one is still there when the last one comes. */
static const uint64_t spin_ns = 50000, spin_ns_per_block = 20;

static uint64_t spin_for(const struct measure *measure, uint64_t blocks) {
    return grt_measure_slowed(measure, spin_ns + spin_ns_per_block * blocks);
}

static void add_cell(struct measure *measure, enum grt_kernel_id kernel, uint32_t threads, uint32_t shared,
                     uint64_t blocks, uint32_t rank) {
    if (blocks < 1 || blocks > grt_bench_record_count(measure->bench)) {
        return;
    }
    double span = (double)spin_for(measure, blocks) * 4;
    struct cell *cell = grt_cell_add(measure, rank, span);
    grt_cell_text(cell, "kernel", grt_kernel_kinds[kernel].name);
    grt_cell_number(cell, "threads", threads);
    grt_cell_number(cell, "shared_bytes", shared);
    grt_cell_number(cell, "blocks", (int64_t)blocks);
    cell->numbers[0] = kernel;
    cell->numbers[1] = threads;
    cell->numbers[2] = shared;
    cell->numbers[3] = (int64_t)blocks;
}

/* A full device, twice that, one block more; and fewer. */
static void add_counts(struct measure *measure, enum grt_kernel_id kernel, uint32_t threads, uint32_t shared,
                       uint32_t rank) {
    int fits = grt_bench_occupancy(measure->bench, kernel, threads, shared);
    if (fits < 1) {
        return;
    }
    uint64_t sms = (uint64_t)measure->device->sm_count, full = sms * (uint64_t)fits;
    add_cell(measure, kernel, threads, shared, 2 * full, rank);
    add_cell(measure, kernel, threads, shared, full + 1, rank + 1);
    add_cell(measure, kernel, threads, shared, sms, rank + 1);
}

static bool plan(struct measure *measure, const char **why) {
    const struct grt_bench_device *device = measure->device;
    uint32_t most = (uint32_t)device->max_threads_per_block;
    for (uint32_t threads = 32; threads <= most; threads *= 2) {
        add_counts(measure, GRT_KERNEL_SPIN_NS, threads, 0, 0);
    }
    uint32_t shared_most = (uint32_t)device->shared_memory_per_block, threads = most < 128 ? most : 128;
    for (uint32_t shared = shared_most; shared >= 1024; shared /= 2) {
        add_counts(measure, GRT_KERNEL_SPIN_NS, threads, shared, 0);
    }
    for (size_t i = 0; i < measure->workload_count; i++) {
        const struct grt_raw_workload *raw = &measure->workloads[i].raw;
        if (raw->kernel != GRT_KERNEL_SPIN_NS && raw->kernel != GRT_KERNEL_USER) {
            add_counts(measure, raw->kernel, raw->threads, raw->shared_bytes, 1);
        }
    }
    *why = "the driver says that no block fits on an SM";
    return measure->cell_count > 0;
}

/* ---- counting ---- */

struct change {
    uint64_t at;
    int by; /* ends come before starts of the same instant */
    uint16_t sm;
};

static int compare(const void *left, const void *right) {
    const struct change *a = left, *b = right;
    return a->at != b->at ? (a->at < b->at ? -1 : 1) : a->by - b->by;
}

static void count_blocks(const struct grt_block_record *records, uint32_t count, int64_t *most,
                         int64_t *used) {
    struct change *changes = grt_allocate(2 * (size_t)count * sizeof *changes);
    size_t sm_numbers = grt_crowd_sm_numbers(records, count);
    int *now = grt_allocate(sm_numbers * sizeof *now);
    for (size_t i = 0; i < sm_numbers; i++) {
        now[i] = -1; /* has had none */
    }
    for (uint32_t i = 0; i < count; i++) {
        changes[2 * i] = (struct change){records[i].start_ns, 1, records[i].sm};
        changes[2 * i + 1] = (struct change){records[i].end_ns, -1, records[i].sm};
    }
    qsort(changes, 2 * (size_t)count, sizeof *changes, compare);
    *most = *used = 0;
    for (size_t i = 0; i < 2 * (size_t)count; i++) {
        int *here = &now[changes[i].sm];
        *used += *here < 0;
        *here = (*here < 0 ? 0 : *here) + changes[i].by;
        *most = *here > *most ? *here : *most;
    }
    free(changes);
    free(now);
}

static enum taken sample(struct measure *measure, struct cell *cell) {
    enum grt_kernel_id kernel = (enum grt_kernel_id)cell->numbers[0];
    uint32_t blocks = (uint32_t)cell->numbers[3];
    struct grt_bench_launch launch = {.kernel = kernel,
                                      .amount = spin_for(measure, blocks),
                                      .blocks = blocks,
                                      .threads = (uint32_t)cell->numbers[1],
                                      .shared_bytes = (uint32_t)cell->numbers[2],
                                      .record = true};
    for (size_t i = 0; i < measure->workload_count; i++) {
        const struct grt_raw_workload *raw = &measure->workloads[i].raw;
        launch.amount = kernel != GRT_KERNEL_SPIN_NS && raw->kernel == kernel ? raw->amount : launch.amount;
    }
    struct span span;
    if (!grt_take_kernel(measure, measure->streams[0], &launch, &span)) {
        return UNRECORDED;
    }
    const struct grt_block_record *records = grt_bench_records(measure->bench, 0, blocks);
    int64_t row[3] = {0};
    if (records == NULL) {
        return UNRECORDED;
    }
    count_blocks(records, blocks, &row[0], &row[1]);
    row[2] = grt_bench_occupancy(measure->bench, kernel, launch.threads, launch.shared_bytes);
    grt_cell_row(measure, row, 3);
    return TAKEN;
}

/* The same again and again: few samples show whether it is. */
const struct experiment grt_experiment_residency = {
    .weight = 2, .least = 3, .most = 5, .plan = plan, .sample = sample};
