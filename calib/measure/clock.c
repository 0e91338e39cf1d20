/* E0: the ticks of timer and events, which are also looked at when measuring begins, and the SMs' frequency. The clocks' offset is looked at in between (state.c). */
#include <math.h>

#include "calib/measure/internal.h"
#include "calib/measure/stop.h"

enum { TICK, EVENT, FREQUENCY, WHATS };
enum { VALUES = 65, PAIRS = 8, LONGEST_NS = 20000 };

static const char *const whats[WHATS] = {"tick", "event", "frequency"};

static bool plan(struct measure *measure, const char **why) {
    (void)why;
    for (int what = 0; what < WHATS; what++) {
        struct cell *cell = grt_cell_add(measure, 0, 1e6);
        grt_cell_text(cell, "what", whats[what]);
        cell->numbers[0] = what;
    }
    return true;
}

static enum taken take_ticks(struct measure *measure) {
    uint64_t values[VALUES] = {0};
    grt_bench_ticks(measure->bench, values, VALUES);
    for (int i = 1; i < VALUES; i++) {
        grt_take_value(measure, (int64_t)(values[i] - values[i - 1]));
    }
    return TAKEN;
}

/* Kernels of random lengths, so that events meet all parts of their tick. */
static enum taken take_events(struct measure *measure) {
    struct grt_bench *bench = measure->bench;
    uint32_t stream = measure->streams[0];
    grt_bench_hold(bench, stream);
    for (uint32_t i = 0; i < PAIRS; i++) {
        struct grt_bench_launch launch = {.kernel = GRT_KERNEL_SPIN_NS,
                                          .blocks = 1,
                                          .amount = grt_random_below(&measure->random, LONGEST_NS)};
        grt_bench_record(bench, stream, 2 * i);
        grt_bench_launch(bench, stream, &launch);
        grt_bench_record(bench, stream, 2 * i + 1);
    }
    grt_bench_release(bench);
    grt_bench_sync_stream(bench, stream);
    for (uint32_t i = 0; i < PAIRS; i++) {
        grt_take_value(measure, llround(grt_bench_elapsed_ns(bench, 2 * i, 2 * i + 1)));
    }
    measure->figure = 1; /* no median is sought */
    return TAKEN;
}

static enum taken take_frequency(struct measure *measure) {
    uint64_t cycles = 0, ns = 0;
    grt_bench_frequency(measure->bench, GRT_MILLISECOND, &cycles, &ns);
    int64_t row[] = {(int64_t)cycles, (int64_t)ns};
    grt_cell_row(measure, row, 2);
    measure->figure = ns > 0 ? (double)cycles / (double)ns : 0;
    return TAKEN;
}

static enum taken sample(struct measure *measure, struct cell *cell) {
    switch (cell->numbers[0]) {
    case TICK:
        return take_ticks(measure);
    case EVENT:
        return take_events(measure);
    default:
        return take_frequency(measure);
    }
}

/* ---- the beginning ---- */

/* The rows so far, as a visit of the experiment. */
static void write_visit(struct measure *measure, int what, const struct visited *visited) {
    struct cell cell = {0};
    grt_cell_text(&cell, "what", whats[what]);
    enum grt_experiment number = measure->number;
    measure->number = GRT_EXPERIMENT_CLOCK;
    if (grt_bench_is_lost(measure->bench)) {
        measure->row_count = 0; /* they are of no device */
    } else {
        grt_cell_write(measure, &cell, visited);
    }
    measure->number = number;
}

/* From which length on a block says how fast its SM is. */
static void note_tick(struct measure *measure) {
    double deltas[VALUES] = {0};
    for (uint32_t i = 0; i < measure->row_count && i < VALUES; i++) {
        deltas[i] = (double)measure->rows[i];
    }
    double median = grt_median(deltas, measure->row_count);
    measure->tick_ns = median > 1 ? (grt_time)median : 1;
}

void grt_measure_steps(struct measure *measure) {
    enum { EVENT_SAMPLES = 4 };
    measure->random = grt_random_stream(measure->plan->seed, "steps", 0, 0); /* experiments have their own */
    struct visited visited = grt_cell_visited(measure);
    take_ticks(measure);
    note_tick(measure);
    write_visit(measure, TICK, &visited);
    visited = grt_cell_visited(measure);
    for (int i = 0; i < EVENT_SAMPLES && !grt_bench_is_lost(measure->bench); i++) {
        take_events(measure);
    }
    write_visit(measure, EVENT, &visited);
}

const struct experiment grt_experiment_clock = {.weight = 2, .most = 100, .plan = plan, .sample = sample};
