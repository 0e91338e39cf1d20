/* The device's state besides what is measured: its frequency, its clock against the host's, and its health. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calib/driver/nvml.h"
#include "calib/measure/internal.h"

enum {
    LOT = 125, /* exchanges, of which the quickest is kept */
};

static const grt_time between_offsets = 30 * GRT_SECOND;
static const grt_time between_health = 100 * GRT_MILLISECOND, between_health_lines = 5 * GRT_SECOND;
static const grt_time shortest_pause = 50 * GRT_MILLISECOND, longest_pause = 500 * GRT_MILLISECOND;

/* So much longer than asked for it may take until the frequency is steady. */
static const double most_patience = 6;

/* The part of the budget that warming up may take, steady or not; and pauses. */
static const double most_of_budget = 0.1, most_rested = 0.1;

static bool goes_on(void *state) {
    return grt_measure_goes_on(state);
}

void grt_measure_warm_up(struct measure *measure) {
    double allowed = measure->plan->budget_s * most_of_budget;
    struct grt_bench_warm_up how = {
        .least = (grt_time)(fmin(measure->plan->warm_up_s, allowed) * 1e9),
        .most = (grt_time)(fmin(measure->plan->warm_up_s * most_patience, allowed) * 1e9),
        .goes_on = goes_on,
        .state = measure,
    };
    struct grt_bench_warmth warmth;
    bool whole = grt_bench_warm_up(measure->bench, &how, &warmth);
    measure->warm_hertz = warmth.hertz;
    measure->warm_at = grt_measure_now(measure);
    if (whole && !warmth.steady) {
        grt_measure_skip(measure, "warm-up",
                         "the frequency did not stand still: it was between %.0f and %.0f MHz",
                         warmth.low_hertz / 1e6, warmth.hertz / 1e6);
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
    struct visited visited = grt_cell_visited(measure);
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
    grt_cell_write(measure, &cell, &visited);
    measure->number = number;
    measure->offset_at = visited.at;
}

void grt_measure_offset_if_due(struct measure *measure) {
    if (is_due(grt_measure_now(measure), measure->offset_at, between_offsets)) {
        grt_measure_offset(measure, measure->plan->exchanges < LOT ? measure->plan->exchanges : LOT);
    }
}

/* ---- health ---- */

/* Takes reasons for what is so all the time. */
static void accept(struct measure *measure, uint64_t accepted, const char *since) {
    char names[256];
    measure->usual_reasons |= accepted;
    grt_measure_skip(
        measure, "health",
        "warning: something slows the device %s (%s): samples are kept all the same, and are those of "
        "a device in this state",
        since, grt_nvml_reasons_text(accepted, names, sizeof names));
}

/* Asks, and writes a line if there is news. */
static struct grt_bench_health look(struct measure *measure, grt_time now) {
    struct grt_bench_health health = grt_bench_health(measure->bench);
    measure->health_at = now;
    if (health.known &&
        (is_due(now, measure->health_written_at, between_health_lines) ||
         health.reasons != measure->health_reasons || health.pcie_generation != measure->pcie_generation ||
         health.pcie_lanes != measure->pcie_lanes)) {
        measure->unwritten =
            measure->unwritten || !grt_raw_write_health(measure->writer, now - measure->origin_host, &health);
        measure->health_written_at = now;
        measure->health_reasons = health.reasons;
        measure->pcie_generation = health.pcie_generation;
        measure->pcie_lanes = health.pcie_lanes;
    }
    return health;
}

void grt_measure_note_health(struct measure *measure) {
    struct grt_bench_health health = look(measure, grt_measure_now(measure));
    uint64_t slowing = health.known ? health.reasons & GRT_NVML_SLOWING : 0;
    if (slowing != 0) {
        accept(measure, slowing, "when it is warm, before anything is measured");
    }
}

static void rest(struct measure *measure) {
    struct grt_host_clock *clock = &grt_bench_driver(measure->bench)->clock;
    grt_time from = clock->now(clock->state);
    clock->wait_until(clock->state, from + measure->pause);
    measure->rested += clock->now(clock->state) - from;
    measure->pause = 2 * measure->pause < longest_pause ? 2 * measure->pause : longest_pause;
}

bool grt_measure_is_throttled(struct measure *measure) {
    grt_time now = grt_measure_now(measure);
    bool is_long = measure->experiment->keeps_slow; /* of long times nothing else tells what slowed them */
    if (!is_long && !is_due(now, measure->health_at, between_health)) {
        return false;
    }
    struct grt_bench_health health = look(measure, now);
    uint64_t slowing = health.known ? health.reasons & GRT_NVML_SLOWING & ~measure->usual_reasons : 0;
    if (slowing == 0) {
        measure->pause = shortest_pause;
        return false;
    }
    if ((double)measure->rested >= most_rested * measure->plan->budget_s * 1e9) {
        accept(measure, slowing, "and pauses of a tenth of the budget have not ended it");
        return false;
    }
    measure->health_at = GRT_TIME_NEVER; /* every visit is looked at until it is over */
    rest(measure);
    return true;
}
