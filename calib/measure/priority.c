/* E9: how long an urgent kernel waits that comes late, while another one with many waves of blocks is running. */
#include "calib/measure/internal.h"

/* Waves of the first kernel: the second one's call comes up to two blocks and a launch behind the first one's, and takes a launch; so it begins with the fourth wave at the latest, or with the fifth one where the host is late by a block. */
enum { WAVES = 5, THREADS = 256, EXCHANGES = 5 };
enum { LOW, HIGH };

static const uint64_t until_it_runs_ns = 20000;

/* How long after its call the first kernel runs for certain: no launch takes longer than a launch, a kernel of nothing and the wait for its end do together, as a rule. */
static uint64_t until_it_runs(const struct measure *measure) {
    uint64_t usual = grt_measure_slowed(measure, until_it_runs_ns);
    return measure->overhead_ns > (double)usual ? (uint64_t)measure->overhead_ns : usual;
}

/* What a block of the first kernel takes: with launches much shorter than that, the end of the block that runs when the second one is called is most often the one that it waits for. */
static uint64_t block_of(const struct measure *measure) {
    enum { LAUNCHES = 4 };
    return LAUNCHES * until_it_runs(measure);
}

static void add_cell(struct measure *measure, int low, int high, uint32_t rank) {
    struct cell *cell = grt_cell_add(measure, rank, (WAVES + 2) * (double)block_of(measure));
    grt_cell_number(cell, "low", low);
    grt_cell_number(cell, "high", high);
    cell->numbers[LOW] = low;
    cell->numbers[HIGH] = high;
    cell->setup = measure->cell_count;
}

static uint32_t threads_of(const struct measure *measure) {
    return measure->device->max_threads_per_block < THREADS ? (uint32_t)measure->device->max_threads_per_block
                                                            : THREADS;
}

static bool plan(struct measure *measure, const char **why) {
    int least = measure->device->priority_least, greatest = measure->device->priority_greatest;
    if (least <= greatest) {
        *why = "the device has no priorities";
        return false;
    }
    add_cell(measure, least, greatest, 0);
    add_cell(measure, least, least, 0);
    add_cell(measure, greatest, greatest, 1);
    add_cell(measure, greatest, least, 1);
    for (int level = least; level - 1 >= greatest && least - greatest > 1; level--) {
        add_cell(measure, level, level - 1, 1);
    }
    return true;
}

static bool setup(struct measure *measure, const struct cell *cell, const char **why) {
    (void)why;
    for (int i = 0; i < 2; i++) {
        measure->partition_streams[i] = grt_bench_stream(measure->bench, NULL, (int)cell->numbers[i]);
    }
    return !grt_bench_is_lost(measure->bench);
}

static void teardown(struct measure *measure) {
    for (int i = 0; i < 2; i++) {
        grt_bench_stream_end(measure->bench, measure->partition_streams[i]);
    }
}

/* What the device's timer is ahead of the host's clock now. */
static int64_t look_at_offset(struct measure *measure) {
    struct grt_bench_exchange best = grt_bench_exchange(measure->bench);
    for (int i = 1; i < EXCHANGES && !grt_bench_is_lost(measure->bench); i++) {
        struct grt_bench_exchange other = grt_bench_exchange(measure->bench);
        best = other.after - other.before < best.after - best.before ? other : best;
    }
    return (int64_t)(best.device_ns - (uint64_t)best.before) - (best.after - best.before) / 2;
}

/* From the records of both kernels and the instant of the call, by the device's timer. */
static enum taken judge(struct measure *measure, const struct grt_block_record *low, uint32_t blocks,
                        const struct grt_block_record *high, int64_t call) {
    int64_t first_end = INT64_MAX, start = (int64_t)high->start_ns;
    bool overtook = false;
    for (uint32_t i = 0; i < blocks; i++) {
        int64_t begun = (int64_t)low[i].start_ns, ended = (int64_t)low[i].end_ns;
        if (begun <= call && call < ended && ended < first_end) {
            first_end = ended;
        }
        overtook = overtook || begun > start;
    }
    if (first_end == INT64_MAX) {
        return APART;
    }
    int64_t row[] = {start - call, first_end - call, overtook};
    grt_cell_row(measure, row, 3);
    return TAKEN;
}

static enum taken sample(struct measure *measure, struct cell *cell) {
    struct grt_bench *bench = measure->bench;
    struct grt_host_clock *clock = &grt_bench_driver(bench)->clock;
    uint32_t threads = threads_of(measure), sms = (uint32_t)measure->device->sm_count;
    int fits = grt_bench_occupancy(bench, GRT_KERNEL_SPIN_NS, threads, 0);
    uint32_t most = grt_bench_record_count(bench) - 1;
    uint32_t blocks = WAVES * sms * (uint32_t)(fits > 0 ? fits : 1);
    blocks = blocks < most ? blocks : most;
    struct grt_bench_launch launch = {.kernel = GRT_KERNEL_SPIN_NS,
                                      .amount = block_of(measure),
                                      .blocks = blocks,
                                      .threads = threads,
                                      .record = true};
    (void)cell;
    grt_bench_clear_records(bench, 0, blocks + 1);
    int64_t offset = look_at_offset(measure);
    uint64_t into = until_it_runs(measure) + grt_random_below(&measure->random, 2 * launch.amount);
    grt_bench_launch(bench, measure->partition_streams[LOW], &launch);
    clock->wait_until(clock->state, clock->now(clock->state) + (grt_time)into);
    launch.blocks = 1;
    launch.record_base = blocks;
    grt_time call = grt_bench_now(bench);
    grt_bench_launch(bench, measure->partition_streams[HIGH], &launch);
    grt_bench_sync(bench);
    const struct grt_block_record *records = grt_bench_records(bench, 0, blocks + 1);
    return records != NULL ? judge(measure, records, blocks, &records[blocks], call + offset) : UNRECORDED;
}

/* The wait is spread over a block's length: its median is not what is sought. */
const struct experiment grt_experiment_priority = {
    .weight = 3, .most = 100, .plan = plan, .sample = sample, .setup = setup, .teardown = teardown};
