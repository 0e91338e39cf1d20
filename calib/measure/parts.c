/* Kernels on some of the SMs, alone and beside each other. */
#include <math.h>
#include <string.h>

#include "calib/measure/internal.h"

enum { MOST_LAUNCHES = 256, SETUP_BITS = 14 };

/* Large devices put SMs together in eights where their sizes allow it, which is better than pairs glued together (CUDA Driver API, green contexts). */
enum { LARGE = 64, LIKED = 8 };

static grt_time until_it_runs(const struct measure *measure) {
    return (grt_time)grt_measure_slowed(measure, 10 * GRT_MICROSECOND);
}

/* Makes a green context of half the device, with a stream and kernels in it, where the driver has such: some refuse one or the other (MPS, virtual machines). */
static void try_green(struct measure *measure) {
    static const char partition[] = "partition";
    const char *why = "the driver has no green contexts";
    uint32_t half = grt_part_size(measure, GRT_PARTITION_GREEN, measure->device->sm_count / 2.0);
    struct grt_partition made;
    bool works = measure->device->partition_least > 0 &&
                 grt_bench_partition(measure->bench, GRT_PARTITION_GREEN, &half, 1, &made, &why);
    measure->how = works ? GRT_PARTITION_GREEN : GRT_PARTITION_FILTER;
    if (works) {
        grt_bench_unpartition(measure->bench);
    } else if (!grt_bench_is_lost(measure->bench)) {
        grt_measure_skip(measure, partition, "how green: %s; the filter takes their place", why);
    }
}

enum grt_partition_how grt_part_how(struct measure *measure) {
    if (measure->how == GRT_PARTITION_NONE) {
        try_green(measure);
    }
    return measure->how;
}

uint32_t grt_part_size(const struct measure *measure, enum grt_partition_how how, double wanted) {
    uint32_t sms = (uint32_t)measure->device->sm_count, least = 1, step = 1;
    if (how == GRT_PARTITION_GREEN) {
        least = (uint32_t)measure->device->partition_least;
        step = measure->device->partition_step > 0 ? (uint32_t)measure->device->partition_step : 1;
    }
    if (least > sms) {
        return 0;
    }
    double steps = fmax(0, round((wanted - least) / step));
    uint32_t most = (sms - least) / step;
    return least + (uint32_t)fmin(steps, most) * step;
}

/* The largest size that is no larger; 0: none. */
static uint32_t size_within(const struct measure *measure, enum grt_partition_how how, uint32_t most) {
    uint32_t size = grt_part_size(measure, how, most);
    if (size > most && size > (uint32_t)measure->device->partition_step) {
        size = grt_part_size(measure, how, size - (uint32_t)measure->device->partition_step);
    }
    return size <= most ? size : 0;
}

bool grt_part_pair(struct measure *measure, double part, uint32_t sizes[2]) {
    enum grt_partition_how how = grt_part_how(measure);
    uint32_t sms = (uint32_t)measure->device->sm_count, least = grt_part_size(measure, how, 0);
    if (least == 0 || 2 * least > sms) {
        return false;
    }
    uint32_t unit = sms >= LARGE ? LIKED : 1, room = size_within(measure, how, sms - least);
    uint32_t mine = grt_part_size(measure, how, round(sms * part / unit) * unit);
    mine = mine < room ? mine : room;
    uint32_t left = sms - mine, whole = left / unit * unit;
    sizes[0] = mine;
    sizes[1] = size_within(measure, how, whole >= least ? whole : left);
    return sizes[1] > 0;
}

/* ---- cells ---- */

/* How long a workload takes on so many SMs, roughly. */
static double span_on(const struct measure *measure, const struct workload *workload, int64_t sms) {
    return workload->span_ns * measure->device->sm_count / (double)(sms > 0 ? sms : 1);
}

struct cell *grt_part_cell(struct measure *measure, const struct workload *workload,
                           const struct workload *beside, const int64_t numbers[PART_LAUNCHES],
                           uint32_t rank) {
    double span = span_on(measure, workload, numbers[PART_SMS]);
    struct cell *cell = grt_cell_add(measure, rank, beside != NULL ? 4 * span : span);
    cell->workload = workload;
    cell->beside = beside;
    for (int i = 0; i < PART_LAUNCHES; i++) {
        cell->numbers[i] = numbers[i];
    }
    if (beside != NULL) {
        int64_t sms = numbers[PART_BESIDE_SMS];
        double other = span_on(measure, beside, sms > 0 ? sms : numbers[PART_SMS]);
        cell->numbers[PART_LAUNCHES] =
            (int64_t)fmin(MOST_LAUNCHES, 3 + ceil((2 * span + 2 * (double)until_it_runs(measure)) / other));
    }
    if (numbers[PART_HOW] != GRT_PARTITION_NONE) {
        uint64_t setup = (uint64_t)numbers[PART_HOW] << (2 * SETUP_BITS) |
                         (uint64_t)numbers[PART_SMS] << SETUP_BITS | (uint64_t)numbers[PART_BESIDE_SMS];
        cell->setup = (uint32_t)setup;
    }
    return cell;
}

/* ---- partitions ---- */

/* Writes which SMs they have, the first time that a setup of the experiment is made. */
static void tell(struct measure *measure, const struct cell *cell, size_t count) {
    for (uint32_t i = 0; i < measure->cell_count; i++) {
        struct cell *other = &measure->cells[i];
        if (other->setup == cell->setup && other->told) {
            return;
        }
    }
    for (uint32_t i = 0; i < measure->cell_count; i++) {
        measure->cells[i].told = measure->cells[i].told || measure->cells[i].setup == cell->setup;
    }
    for (size_t i = 0; i < count && !measure->unwritten; i++) {
        measure->unwritten = !grt_raw_write_partition(measure->writer, &measure->partitions[i]);
    }
}

bool grt_part_setup(struct measure *measure, const struct cell *cell, const char **why) {
    uint32_t sms[2] = {(uint32_t)cell->numbers[PART_SMS], (uint32_t)cell->numbers[PART_BESIDE_SMS]};
    size_t count = sms[1] > 0 ? 2 : 1;
    enum grt_partition_how how = (enum grt_partition_how)cell->numbers[PART_HOW];
    if (!grt_bench_partition(measure->bench, how, sms, count, measure->partitions, why)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (measure->partitions[i].sm_count != sms[i]) {
            grt_bench_unpartition(measure->bench);
            *why = "the driver gives partitions of another size";
            return false;
        }
        if (!grt_bench_stream_try(measure->bench, &measure->partitions[i], measure->device->priority_least,
                                  &measure->partition_streams[i])) {
            grt_bench_unpartition(measure->bench);
            *why = "the driver refuses streams in such a partition";
            return false;
        }
    }
    memset(measure->inside, 0, sizeof measure->inside);
    for (uint32_t i = 0; i < sms[0]; i++) {
        uint16_t sm = measure->partitions[0].sms[i];
        measure->inside[sm / 64] |= UINT64_C(1) << sm % 64;
    }
    if (grt_bench_is_lost(measure->bench)) {
        return false;
    }
    tell(measure, cell, count);
    return true;
}

void grt_part_teardown(struct measure *measure) {
    grt_bench_unpartition(measure->bench);
}

/* ---- samples ---- */

static const uint32_t *streams_of(const struct measure *measure, const struct cell *cell) {
    return cell->setup != 0 ? measure->partition_streams : measure->streams;
}

static bool is_inside(const struct measure *measure, const struct cell *cell,
                      const struct grt_block_record *records, uint32_t count) {
    bool inside = true;
    for (uint32_t i = 0; i < count && cell->setup != 0; i++) {
        inside = inside && (measure->inside[records[i].sm / 64] >> records[i].sm % 64 & 1) != 0;
    }
    return inside;
}

/* Starts the other one, so often that it lasts; only the first and the last launch leave records, behind those of the first kernel. */
static void start_beside(struct measure *measure, const struct cell *cell, uint32_t stream, uint32_t base) {
    uint32_t blocks = cell->beside->raw.blocks;
    for (int64_t i = 0; i < cell->numbers[PART_LAUNCHES]; i++) {
        struct grt_bench_launch launch = grt_take_workload(cell->beside, blocks, 1);
        bool is_last = i + 1 == cell->numbers[PART_LAUNCHES];
        launch.record = i == 0 || is_last;
        launch.record_base = base + (is_last ? blocks : 0);
        grt_bench_launch(measure->bench, stream, &launch);
    }
}

/* Whether the other kernel was there before the first one started and still when that had ended; if not at the end, it gets more launches. */
static bool covers(struct cell *cell, const struct grt_block_record *records, const struct span *span) {
    uint32_t blocks = cell->beside->raw.blocks;
    uint64_t start = UINT64_MAX, end = 0;
    for (uint32_t i = 0; i < blocks; i++) {
        start = records[i].start_ns < start ? records[i].start_ns : start;
        end = records[blocks + i].end_ns > end ? records[blocks + i].end_ns : end;
    }
    if (end < span->end) {
        int64_t more = 2 * cell->numbers[PART_LAUNCHES];
        cell->numbers[PART_LAUNCHES] = more < MOST_LAUNCHES ? more : MOST_LAUNCHES;
    }
    return start <= span->start && end >= span->end;
}

static void wait_until_it_runs(struct measure *measure, const struct cell *cell) {
    struct grt_host_clock *clock = &grt_bench_driver(measure->bench)->clock;
    double phase = cell->beside->span_ns * grt_random_uniform(&measure->random);
    clock->wait_until(clock->state, clock->now(clock->state) + until_it_runs(measure) + (grt_time)phase);
}

enum taken grt_part_sample(struct measure *measure, struct cell *cell, bool flush) {
    struct grt_bench *bench = measure->bench;
    const uint32_t *streams = streams_of(measure, cell);
    uint32_t blocks = cell->workload->raw.blocks, all = blocks;
    all += cell->beside != NULL ? 2 * cell->beside->raw.blocks : 0;
    grt_bench_clear_records(bench, 0, all);
    if (flush) {
        grt_bench_flush_l2(bench, streams[0]);
        grt_bench_sync_stream(bench, streams[0]);
    }
    if (cell->beside != NULL) {
        start_beside(measure, cell, streams[1], blocks);
        wait_until_it_runs(measure, cell);
    }
    struct grt_bench_launch launch = grt_take_workload(cell->workload, blocks, 0);
    grt_bench_launch(bench, streams[0], &launch);
    grt_bench_sync(bench);
    const struct grt_block_record *records = grt_bench_records(bench, 0, all);
    struct span span;
    if (!grt_take_records(measure, records, blocks, &span)) {
        return UNRECORDED;
    }
    if (!is_inside(measure, cell, records, blocks)) {
        return MISPLACED;
    }
    if (cell->beside != NULL && !covers(cell, records + blocks, &span)) {
        return APART;
    }
    return grt_take_value(measure, (int64_t)(span.end - span.start));
}
