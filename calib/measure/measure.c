#include "calib/measure/measure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "calib/measure/internal.h"
#include "calib/measure/stop.h"

enum { TRIES = 9 };

grt_time grt_measure_now(const struct measure *measure) {
    return grt_bench_now(measure->bench);
}

bool grt_measure_goes_on(struct measure *measure) {
    const struct grt_plan *plan = measure->plan;
    if (plan->interrupted != NULL && !measure->stopped) {
        measure->stopped = plan->interrupted(plan->state);
    }
    return !measure->stopped && !measure->unwritten && !grt_bench_is_lost(measure->bench);
}

void grt_measure_skip(struct measure *measure, const char *experiment, const char *format, ...) {
    char why[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    measure->unwritten = measure->unwritten || !grt_raw_write_skipped(measure->writer, experiment, why);
}

static double seconds_since(const struct measure *measure, grt_time instant) {
    return (double)(grt_measure_now(measure) - instant) / 1e9;
}

void grt_measure_progress(struct measure *measure, const char *experiment, size_t cells, size_t done) {
    const struct grt_plan *plan = measure->plan;
    if (plan->progress != NULL) {
        struct grt_measure_progress progress = {.experiment = experiment,
                                                .cells = cells,
                                                .done = done,
                                                .seconds = seconds_since(measure, measure->start)};
        plan->progress(plan->state, &progress);
    }
}

/* ---- the beginning ---- */

static void set_origin(struct measure *measure) {
    struct grt_bench_exchange exchange = grt_bench_exchange(measure->bench);
    measure->origin_host = exchange.before;
    measure->origin_device = exchange.device_ns;
    measure->unwritten = measure->unwritten ||
                         !grt_raw_write_origin(measure->writer, measure->origin_host, measure->origin_device);
}

/* What a sample costs besides its kernel. */
static void look_at_overhead(struct measure *measure) {
    double costs[TRIES] = {0};
    for (size_t i = 0; i < TRIES && !grt_bench_is_lost(measure->bench); i++) {
        struct grt_bench_launch launch = {.kernel = GRT_KERNEL_CLOCKS, .blocks = 1, .record = true};
        struct span span;
        grt_time from = grt_measure_now(measure);
        grt_take_kernel(measure, measure->streams[0], &launch, &span);
        costs[i] = (double)(grt_measure_now(measure) - from);
    }
    measure->overhead_ns = grt_median(costs, TRIES);
}

static void begin(struct measure *measure, const struct grt_raw_head *given, const struct host_state *host) {
    struct grt_raw_head head = *given;
    char text[512];
    head.host = grt_host_text(host, given->host, text, sizeof text);
    head.seed = (int64_t)measure->plan->seed;
    head.budget_s = measure->plan->budget_s;
    measure->unwritten = !grt_raw_write_head(measure->writer, &head) ||
                         !grt_raw_write_device(measure->writer, measure->device);
    grt_measure_progress(measure, "warm-up", 0, 0);
    for (size_t i = 0; i < 2; i++) {
        measure->streams[i] = grt_bench_stream(measure->bench, NULL, measure->device->priority_least);
    }
    grt_measure_warm_up(measure);
    if (grt_measure_goes_on(measure)) {
        set_origin(measure);
        grt_measure_steps(measure);
        look_at_overhead(measure);
    }
    if (grt_measure_goes_on(measure)) {
        grt_measure_note_health(measure);
        grt_measure_offset(measure, measure->plan->exchanges);
        grt_measure_workloads(measure);
    }
}

/* ---- the experiments ---- */

static bool is_wanted(const struct grt_plan *plan, int number) {
    return plan->experiments == 0 || (plan->experiments >> number & 1) != 0;
}

/* A part of what is left, by its weight among those that are still to come. */
static grt_time part_of(const struct measure *measure, int number) {
    double all = 0;
    for (int i = number; i < GRT_EXPERIMENTS; i++) {
        all += is_wanted(measure->plan, i) ? grt_experiment_weight((enum grt_experiment)i) : 0;
    }
    double left = (double)(measure->end - grt_measure_now(measure));
    double part = left * grt_experiment_weight((enum grt_experiment)number) / all;
    return part > 0 ? (grt_time)part : 0;
}

static void run(struct measure *measure) {
    for (int i = 0; i < GRT_EXPERIMENTS && grt_measure_goes_on(measure); i++) {
        if (!is_wanted(measure->plan, i)) {
            continue;
        }
        grt_time part = part_of(measure, i);
        if (part == 0) {
            grt_measure_skip(measure, grt_experiment_names[i], "the budget of %.6g s was used up before",
                             measure->plan->budget_s);
            continue;
        }
        grt_measure_experiment(measure, (enum grt_experiment)i, part);
    }
}

static enum grt_measure_result finish(struct measure *measure) {
    double seconds = seconds_since(measure, measure->start);
    const struct grt_errors *errors = measure->errors;
    if (grt_bench_is_lost(measure->bench)) {
        size_t kept = errors->count < GRT_ERRORS_KEPT ? errors->count : GRT_ERRORS_KEPT;
        const char *why = kept > 0 ? errors->messages[kept - 1] : "the device is lost";
        grt_raw_write_stopped(measure->writer, why, seconds);
        return GRT_MEASURE_LOST;
    }
    if (measure->stopped) {
        grt_measure_offset(measure, measure->plan->exchanges);
        grt_raw_write_stopped(measure->writer, "interrupted", seconds);
        return measure->unwritten ? GRT_MEASURE_UNWRITTEN : GRT_MEASURE_STOPPED;
    }
    grt_measure_offset(measure, measure->plan->exchanges);
    if (grt_bench_is_lost(measure->bench)) {
        return finish(measure);
    }
    bool good = !measure->unwritten && grt_raw_write_end(measure->writer, seconds);
    return good ? GRT_MEASURE_DONE : GRT_MEASURE_UNWRITTEN;
}

enum grt_measure_result grt_measure_device(struct grt_bench *bench, const struct grt_plan *plan,
                                           const struct grt_raw_head *head, struct grt_raw_writer *writer,
                                           const struct grt_errors *errors) {
    struct measure measure = {.bench = bench,
                              .device = grt_bench_device(bench),
                              .plan = plan,
                              .writer = writer,
                              .errors = errors,
                              .offset_at = GRT_TIME_NEVER,
                              .health_at = GRT_TIME_NEVER,
                              .health_written_at = GRT_TIME_NEVER,
                              .pause = GRT_MILLISECOND,
                              .tick_ns = 1};
    measure.start = grt_measure_now(&measure);
    measure.end = measure.start + (grt_time)(plan->budget_s * 1e9);
    bool pins = plan->pin && !grt_bench_is_simulated(bench);
    struct host_state *host = pins ? grt_host_prepare() : NULL;
    begin(&measure, head, host);
    run(&measure);
    enum grt_measure_result result = finish(&measure);
    grt_host_restore(host);
    free(measure.cells);
    free(measure.rows);
    return result;
}
