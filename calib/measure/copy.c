/* E7: copies by direction, memory and size, alone, beside the other direction, and beside a kernel. */
#include <math.h>

#include "calib/measure/internal.h"

enum { BESIDE_NOTHING, BESIDE_OPPOSITE, BESIDE_KERNEL, BESIDES };
enum { DIRECTION, PAGEABLE, BYTES, BESIDE, LAUNCHES };
enum { START, END, OTHER_START, OTHER_END };      /* events */
enum { FIRST_LAUNCHES = 3, MOST_LAUNCHES = 256 }; /* of the other work */

static const char *const directions[] = {"h2d", "d2h", "d2d"}, *const besides[] = {"nothing", "opposite",
                                                                                   "kernel"};

/* Only guesses, for the cost. */
static const double pinned_per_ns = 10, pageable_per_ns = 4, least_beside_bytes = 65536;

static void add_cell(struct measure *measure, int direction, bool pageable, uint64_t bytes, int beside,
                     uint32_t rank) {
    if (bytes > grt_bench_buffer_bytes(measure->bench)) {
        return;
    }
    double span = (double)bytes * measure->plan->slowness / (pageable ? pageable_per_ns : pinned_per_ns);
    struct cell *cell = grt_cell_add(measure, rank, beside == BESIDE_NOTHING ? span : 4 * span);
    grt_cell_text(cell, "direction", directions[direction]);
    grt_cell_text(cell, "memory", direction == GRT_BENCH_D2D ? "device" : pageable ? "pageable" : "pinned");
    grt_cell_number(cell, "bytes", (int64_t)bytes);
    grt_cell_text(cell, "beside", besides[beside]);
    cell->numbers[DIRECTION] = direction;
    cell->numbers[PAGEABLE] = pageable;
    cell->numbers[BYTES] = (int64_t)bytes;
    cell->numbers[BESIDE] = beside;
    cell->numbers[LAUNCHES] = FIRST_LAUNCHES;
}

static void add_beside(struct measure *measure, int direction, uint64_t bytes, uint32_t rank) {
    if (direction != GRT_BENCH_D2D) {
        add_cell(measure, direction, false, bytes, BESIDE_OPPOSITE, rank);
    }
    if (measure->workload_count > 0) {
        add_cell(measure, direction, false, bytes, BESIDE_KERNEL, rank);
    }
}

/* Copies inside the device that the L2 cache keeps next to nothing of: what four times as much as it has is read and written by. */
static bool is_beyond_cache(const struct measure *measure, uint64_t bytes) {
    enum { BEYOND = 4 };
    return measure->device->l2_bytes > 0 && 2 * bytes >= BEYOND * (uint64_t)measure->device->l2_bytes;
}

/* Between the powers of 2, of which few are so large. */
static void add_beyond_cache(struct measure *measure) {
    static const uint64_t eighths[] = {5, 6, 7};
    for (size_t i = 0; i < sizeof eighths / sizeof eighths[0]; i++) {
        uint64_t bytes = grt_bench_buffer_bytes(measure->bench) / 8 * eighths[i];
        if (is_beyond_cache(measure, bytes)) {
            add_cell(measure, GRT_BENCH_D2D, false, bytes, BESIDE_NOTHING, 0);
        }
    }
}

/* Powers of 4 first, those of 2 between them where there is time. Pageable copies of up to 64 KiB return early: the sizes around it are always there. */
static bool plan(struct measure *measure, const char **why) {
    (void)why;
    for (int direction = 0; direction < GRT_BENCH_DIRECTIONS; direction++) {
        for (uint64_t bytes = 4; bytes <= grt_bench_buffer_bytes(measure->bench); bytes *= 2) {
            bool is_power_of_4 = (bytes & UINT64_C(0x5555555555555555)) != 0;
            bool is_wanted = is_power_of_4 || (direction == GRT_BENCH_D2D && is_beyond_cache(measure, bytes));
            uint32_t rank = is_wanted ? 0 : 2;
            add_cell(measure, direction, false, bytes, BESIDE_NOTHING, rank);
            if (direction != GRT_BENCH_D2D) {
                add_cell(measure, direction, true, bytes, BESIDE_NOTHING, rank);
            }
            if ((double)bytes >= least_beside_bytes && is_power_of_4) {
                add_beside(measure, direction, bytes, 1);
            }
        }
    }
    add_beyond_cache(measure);
    add_cell(measure, GRT_BENCH_H2D, true, 65536 + 4, BESIDE_NOTHING, 0);
    add_cell(measure, GRT_BENCH_D2H, true, 65536 + 4, BESIDE_NOTHING, 0);
    return true;
}

static const struct workload *partner(const struct measure *measure) {
    const struct workload *triad = grt_measure_workload(measure, "triad");
    return triad != NULL ? triad : &measure->workloads[0];
}

/* Gives the other stream work that lasts longer than the copy. */
static void issue_other(struct measure *measure, const struct cell *cell) {
    struct grt_bench *bench = measure->bench;
    uint32_t stream = measure->streams[1];
    grt_bench_record(bench, stream, OTHER_START);
    for (int64_t i = 0; i < cell->numbers[LAUNCHES]; i++) {
        if (cell->numbers[BESIDE] == BESIDE_OPPOSITE) {
            enum grt_bench_direction opposite =
                cell->numbers[DIRECTION] == GRT_BENCH_H2D ? GRT_BENCH_D2H : GRT_BENCH_H2D;
            grt_bench_copy(bench, stream, opposite, (size_t)cell->numbers[BYTES], false, 1);
        } else {
            const struct workload *workload = partner(measure);
            struct grt_bench_launch launch = grt_take_workload(workload, workload->raw.blocks, 1);
            launch.record = false;
            grt_bench_launch(bench, stream, &launch);
        }
    }
    grt_bench_record(bench, stream, OTHER_END);
}

/* Whether the other work was there before the copy and after it. If it ended too soon, it is issued more often from now on. */
static bool overlapped(struct measure *measure, struct cell *cell, double elapsed) {
    struct grt_bench *bench = measure->bench;
    double slack = fmax(2000, 0.05 * elapsed);
    double lasted = grt_bench_elapsed_ns(bench, OTHER_START, OTHER_END);
    double needed = grt_bench_elapsed_ns(bench, OTHER_START, END);
    if (lasted < needed) {
        double more = (double)cell->numbers[LAUNCHES] * 1.5 * needed / fmax(lasted, 1) + 1;
        cell->numbers[LAUNCHES] = (int64_t)fmin(MOST_LAUNCHES, more);
    }
    return grt_bench_elapsed_ns(bench, OTHER_START, START) >= -slack && lasted >= needed;
}

static enum taken sample(struct measure *measure, struct cell *cell) {
    struct grt_bench *bench = measure->bench;
    bool pageable = cell->numbers[PAGEABLE] != 0, beside = cell->numbers[BESIDE] != BESIDE_NOTHING;
    uint32_t stream = measure->streams[0];
    grt_bench_sync(bench);
    if (beside) {
        grt_bench_hold(bench, measure->streams[1]);
        issue_other(measure, cell);
    }
    if (!pageable) { /* the call for a pageable copy returns only when that has gone on */
        grt_bench_hold(bench, stream);
    }
    grt_bench_record(bench, stream, START);
    grt_time before = grt_bench_now(bench);
    grt_bench_copy(bench, stream, (enum grt_bench_direction)cell->numbers[DIRECTION],
                   (size_t)cell->numbers[BYTES], pageable, 0);
    grt_time call = grt_bench_now(bench) - before;
    grt_bench_record(bench, stream, END);
    if (!pageable) {
        grt_bench_release(bench);
    }
    grt_bench_sync(bench);
    double elapsed = grt_bench_elapsed_ns(bench, START, END);
    if (beside && !overlapped(measure, cell, elapsed)) {
        return APART;
    }
    int64_t row[] = {llround(elapsed), call};
    grt_cell_row(measure, row, 2);
    return TAKEN;
}

const struct experiment grt_experiment_copy = {.weight = 10, .plan = plan, .sample = sample};
