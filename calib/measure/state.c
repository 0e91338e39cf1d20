/* The device's state besides what is measured: its frequency, its clock against the host's, and its health. */
#include <math.h>

#include "calib/measure/internal.h"

enum {
    STEADY_WINDOWS = 5,
    LOT = 125, /* exchanges, of which the quickest is kept */
};

static const grt_time window = 20 * GRT_MILLISECOND;
static const grt_time between_offsets = 30 * GRT_SECOND;
static const grt_time between_health = 100 * GRT_MILLISECOND, between_health_lines = 5 * GRT_SECOND;
static const grt_time shortest_pause = 50 * GRT_MILLISECOND, longest_pause = 500 * GRT_MILLISECOND;

/* Windows whose frequencies differ by less are steady; and so much longer than asked for it may take until they are. */
static const double steady_ratio = 0.005, most_patience = 6;

/* The part of the budget that warming up may take, steady or not. */
static const double most_of_budget = 0.1;

void grt_measure_warm_up(struct measure *measure) {
    double hertz[STEADY_WINDOWS] = {0};
    grt_time from = grt_measure_now(measure);
    double allowed = measure->plan->budget_s * most_of_budget;
    grt_time least = (grt_time)(fmin(measure->plan->warm_up_s, allowed) * 1e9);
    grt_time most = (grt_time)(fmin(measure->plan->warm_up_s * most_patience, allowed) * 1e9);
    for (uint32_t i = 0; grt_measure_goes_on(measure); i++) {
        uint64_t cycles = 0, ns = 0;
        grt_time span = least < STEADY_WINDOWS * window ? least / STEADY_WINDOWS + GRT_MICROSECOND : window;
        grt_bench_frequency(measure->bench, span, &cycles, &ns);
        hertz[i % STEADY_WINDOWS] = ns > 0 ? (double)cycles * 1e9 / (double)ns : 0;
        double low = hertz[0], high = hertz[0];
        for (int j = 1; j < STEADY_WINDOWS; j++) {
            low = fmin(low, hertz[j]);
            high = fmax(high, hertz[j]);
        }
        measure->warm_hertz = high;
        grt_time gone = grt_measure_now(measure) - from;
        if (i + 1 >= STEADY_WINDOWS && high - low < steady_ratio * high && gone >= least) {
            return;
        }
        if (i + 1 >= STEADY_WINDOWS && (gone > most || high == 0)) {
            grt_measure_skip(measure, "warm-up",
                             "the frequency did not stand still: it was between %.0f and %.0f MHz", low / 1e6,
                             high / 1e6);
            return;
        }
    }
}

static bool is_due(grt_time at, grt_time last, grt_time between) {
    return last == GRT_TIME_NEVER || at - last >= between;
}

/* ---- the clocks' offset ---- */

static struct grt_bench_exchange quickest(struct measure *measure, uint32_t exchanges) {
    struct grt_bench_exchange best = grt_bench_exchange(measure->bench);
    for (uint32_t i = 1; i < exchanges && !grt_bench_is_lost(measure->bench); i++) {
        struct grt_bench_exchange other = grt_bench_exchange(measure->bench);
        if (other.after - other.before < best.after - best.before) {
            best = other;
        }
    }
    return best;
}

void grt_measure_offset(struct measure *measure, uint32_t exchanges) {
    grt_time at = grt_measure_now(measure);
    uint32_t lots = (exchanges + LOT - 1) / LOT;
    for (uint32_t i = 0; i < lots && !grt_bench_is_lost(measure->bench); i++) {
        uint32_t size = exchanges - i * LOT < LOT ? exchanges - i * LOT : LOT;
        struct grt_bench_exchange best = quickest(measure, size);
        if (grt_bench_is_lost(measure->bench)) {
            break;
        }
        int64_t row[] = {best.before - measure->origin_host, best.after - measure->origin_host,
                         (int64_t)(best.device_ns - measure->origin_device)};
        grt_cell_row(measure, row, 3);
    }
    struct cell cell = {0};
    grt_cell_text(&cell, "what", "offset");
    enum grt_experiment number = measure->number;
    measure->number = GRT_EXPERIMENT_CLOCK;
    grt_cell_write(measure, &cell, at, 0, 0);
    measure->number = number;
    measure->offset_at = at;
}

void grt_measure_offset_if_due(struct measure *measure) {
    if (is_due(grt_measure_now(measure), measure->offset_at, between_offsets)) {
        grt_measure_offset(measure, measure->plan->exchanges < LOT ? measure->plan->exchanges : LOT);
    }
}

/* ---- health ---- */

bool grt_measure_is_throttled(struct measure *measure) {
    grt_time now = grt_measure_now(measure);
    if (!is_due(now, measure->health_at, between_health)) {
        return false;
    }
    struct grt_bench_health health = grt_bench_health(measure->bench);
    measure->health_at = now;
    if (!health.known) {
        return false;
    }
    if (is_due(now, measure->health_written_at, between_health_lines) ||
        health.reasons != measure->health_reasons) {
        measure->unwritten =
            measure->unwritten || !grt_raw_write_health(measure->writer, now - measure->origin_host, &health);
        measure->health_written_at = now;
        measure->health_reasons = health.reasons;
    }
    if (!health.throttled) {
        measure->pause = shortest_pause;
        return false;
    }
    measure->health_at = GRT_TIME_NEVER; /* every visit is looked at until it is over */
    struct grt_host_clock *clock = &grt_bench_driver(measure->bench)->clock;
    clock->wait_until(clock->state, clock->now(clock->state) + measure->pause);
    measure->pause = 2 * measure->pause < longest_pause ? 2 * measure->pause : longest_pause;
    return true;
}
