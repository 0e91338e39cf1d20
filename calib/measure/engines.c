/* E8: two copies at the same time: which of them share an engine. */
#include <math.h>

#include "calib/measure/internal.h"

enum { START, END, OTHER_START, OTHER_END }; /* events */

static const size_t wanted_bytes = 16u << 20;

static bool plan(struct measure *measure, const char **why) {
    static const char *const names[] = {"h2d", "d2h", "d2d"};
    size_t most = grt_bench_buffer_bytes(measure->bench), bytes = most < wanted_bytes ? most : wanted_bytes;
    (void)why;
    for (int first = 0; first < GRT_BENCH_DIRECTIONS; first++) {
        for (int second = first; second < GRT_BENCH_DIRECTIONS; second++) {
            struct cell *cell = grt_cell_add(measure, 0, 4 * (double)bytes * measure->plan->slowness / 10);
            grt_cell_text(cell, "first", names[first]);
            grt_cell_text(cell, "second", names[second]);
            grt_cell_number(cell, "bytes", (int64_t)bytes);
            cell->numbers[0] = first;
            cell->numbers[1] = second;
            cell->numbers[2] = (int64_t)bytes;
        }
    }
    return true;
}

static void issue(struct measure *measure, const struct cell *cell, int which) {
    struct grt_bench *bench = measure->bench;
    uint32_t stream = measure->streams[which], event = which == 0 ? START : OTHER_START;
    grt_bench_record(bench, stream, event);
    grt_bench_copy(bench, stream, (enum grt_bench_direction)cell->numbers[which], (size_t)cell->numbers[2],
                   false, (uint32_t)which);
    grt_bench_record(bench, stream, event + 1);
}

static double alone(struct measure *measure, const struct cell *cell, int which) {
    uint32_t event = which == 0 ? START : OTHER_START;
    grt_bench_hold(measure->bench, measure->streams[which]);
    issue(measure, cell, which);
    grt_bench_release(measure->bench);
    grt_bench_sync(measure->bench);
    return grt_bench_elapsed_ns(measure->bench, event, event + 1);
}

static enum taken sample(struct measure *measure, struct cell *cell) {
    struct grt_bench *bench = measure->bench;
    double first = alone(measure, cell, 0), second = alone(measure, cell, 1);
    grt_bench_hold(bench, measure->streams[0]);
    grt_bench_hold(bench, measure->streams[1]);
    issue(measure, cell, 0);
    issue(measure, cell, 1);
    grt_bench_release(bench);
    grt_bench_sync(bench);
    double end = fmax(grt_bench_elapsed_ns(bench, START, END), grt_bench_elapsed_ns(bench, START, OTHER_END));
    double start = fmin(0, grt_bench_elapsed_ns(bench, START, OTHER_START));
    int64_t row[] = {llround(first), llround(second), llround(end - start)};
    grt_cell_row(measure, row, 3);
    measure->figure = end - start;
    return TAKEN;
}

const struct experiment grt_experiment_engines = {.weight = 2, .plan = plan, .sample = sample};
