#include "tests/support/synthetic_device.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

#include "models/device/placement.h"
#include "models/gpu.h"
#include "sim/random_gsl.h"

enum { THREADS = 256 };

struct synthetic_device synthetic_default(void) {
    return (struct synthetic_device){
        .timer_step = 1,
        .event_step = 1,
        .clock_offset = 1000,
        .cycles_per_second = 1980000000,
        .launch = 5000,
        .launch_call = 2300,
        .gap = 900,
        .sync_return = 7000,
        .copy_latency = 5000,
        .h2d = 55000000000,
        .d2h = 52000000000,
        .memory = 4800000000000,
        .pageable_percent = 50,
        .early_return = 65536,
        .copy_engines = 2,
        .priority_levels = 6,
        .placement = {.sm_count = 12, .sms_per_tpc = 2, .sm_order = GRT_SM_ORDER_TPC_FIRST},
        .per_sm = 8,
        .block_time = 100000,
        .split_overhead = 1500,
        .capacity = 512,
        .slowdown = 1.25,
        .samples = 30,
    };
}

struct synthetic_device synthetic_drawn(struct grt_random *random) {
    struct synthetic_device device = synthetic_default();
#define DRAW(low, high) ((int64_t)(low) + (int64_t)grt_random_below(random, (uint64_t)((high) - (low) + 1)))
    device.launch = DRAW(500, 60000);
    device.launch_call = DRAW(100, 9000);
    device.gap = DRAW(0, 3000);
    device.sync_return = DRAW(0, 20000);
    device.copy_latency = DRAW(500, 20000);
    device.h2d = DRAW(10, 700) * 100000000; /* to 0.1 GB/s */
    device.d2h = DRAW(10, 700) * 100000000;
    device.memory = DRAW(10, 800) * 10000000000;
    device.pageable_percent = DRAW(5, 100);
    device.early_return = (int64_t)1024 << 2 * DRAW(0, 4); /* a size that is measured */
    device.copy_engines = DRAW(1, 2);
    device.priority_levels = DRAW(1, 8);
    device.placement.sm_count = 2 * DRAW(2, 20);
    device.placement.sm_order = DRAW(0, 1);
    device.placement.placement = DRAW(0, 2);
    device.per_sm = DRAW(1, 16);
    device.block_time = DRAW(2000, 300000);
    device.split_overhead = DRAW(0, 5000);
    device.slowdown = 1 + (double)DRAW(0, 200) / 100;
    device.clock_offset = DRAW(-1000000, 1000000);
#undef DRAW
    return device;
}

/* ---- samples ---- */

struct measuring {
    const struct synthetic_device *device;
    struct raw_samples *samples;
    struct grt_random *random;
};

/* Of the gamma distribution. */
#define GAMMA_SHAPE 2.0

static double noise(struct measuring *it) {
    double deviation = it->device->noise;
    if (!(deviation > 0)) {
        return 0;
    }
    gsl_rng rng = grt_random_gsl(it->random);
    switch (it->device->noise_kind) {
    case SYNTHETIC_UNIFORM:
        return deviation * sqrt(12) * grt_random_uniform(it->random);
    case SYNTHETIC_GAMMA:
        return gsl_ran_gamma(&rng, GAMMA_SHAPE, deviation / sqrt(GAMMA_SHAPE));
    case SYNTHETIC_EXPONENTIAL:
        return gsl_ran_exponential(&rng, deviation);
    default:
        return gsl_ran_gaussian(&rng, deviation);
    }
}

double synthetic_shift(const struct synthetic_device *device) {
    switch (device->noise_kind) {
    case SYNTHETIC_UNIFORM:
        return device->noise * sqrt(12) / 2;
    case SYNTHETIC_GAMMA:
        return gsl_cdf_gamma_Pinv(0.5, GAMMA_SHAPE, device->noise / sqrt(GAMMA_SHAPE));
    case SYNTHETIC_EXPONENTIAL:
        return device->noise * log(2);
    default:
        return 0;
    }
}

static int64_t uniform(struct measuring *it, int64_t bound) {
    return bound > 0 ? (int64_t)grt_random_below(it->random, (uint64_t)bound) : 0;
}

/* A span as two stamps of a clock show it. */
static int64_t stamped(struct measuring *it, double span, int64_t step) {
    int64_t from = uniform(it, step), to = from + llround(span + noise(it));
    return to / step * step - from / step * step;
}

static void spans(struct measuring *it, struct grt_raw_cell *cell, const char *column, double span,
                  int64_t step) {
    int64_t *values = raw_column(it->samples, cell, column);
    for (size_t i = 0; i < cell->count; i++) {
        values[i] = stamped(it, span, step);
    }
}

/* The device's timer at an instant of the host's. */
static int64_t timer(const struct measuring *it, double host) {
    double time = host * (1 + it->device->clock_drift) + (double)it->device->clock_offset;
    return (int64_t)floor(time / (double)it->device->timer_step) * it->device->timer_step;
}

/* ---- clocks and launches ---- */

static void measure_clock(struct measuring *it) {
    const struct synthetic_device *device = it->device;
    struct grt_raw_cell *cell = raw_cell(it->samples, "clock", 1000, "what=tick");
    int64_t *values = raw_column(it->samples, cell, "delta_ns");
    for (size_t i = 0; i < cell->count; i++) {
        values[i] = device->timer_step * (1 + uniform(it, 3));
    }
    cell = raw_cell(it->samples, "clock", 200, "what=event");
    values = raw_column(it->samples, cell, "elapsed_ns");
    for (size_t i = 0; i < cell->count; i++) {
        values[i] = device->event_step * (5 + uniform(it, 40));
    }
    cell = raw_cell(it->samples, "clock", 60, "what=offset");
    int64_t *before = raw_column(it->samples, cell, "before_ns");
    int64_t *after = raw_column(it->samples, cell, "after_ns");
    int64_t *read = raw_column(it->samples, cell, "device_ns");
    for (size_t i = 0; i < cell->count; i++) {
        before[i] = (int64_t)i * 1000000000;
        after[i] =
            before[i] + device->round_trip + (device->noise > 0 ? uniform(it, device->round_trip + 1) : 0);
        read[i] = timer(it, (double)(before[i] + uniform(it, after[i] - before[i] + 1)));
    }
    cell = raw_cell(it->samples, "clock", 20, "what=frequency");
    int64_t *cycles = raw_column(it->samples, cell, "cycles"), *ns = raw_column(it->samples, cell, "ns");
    for (size_t i = 0; i < cell->count; i++) {
        int64_t window = 100000000 + uniform(it, 1000000);
        cycles[i] = llround(((double)window + noise(it)) * 1e-9 * (double)device->cycles_per_second);
        ns[i] = stamped(it, 0, device->timer_step) + window / device->timer_step * device->timer_step;
    }
}

static void measure_launch(struct measuring *it) {
    const struct synthetic_device *device = it->device;
    size_t count = device->samples;
    spans(it, raw_cell(it->samples, "launch", count, "what=call,queue=empty"), "call_ns",
          (double)device->launch_call, 1);
    spans(it, raw_cell(it->samples, "launch", count, "what=call,queue=deep"), "call_ns",
          (double)device->launch_call, 1);
    spans(it, raw_cell(it->samples, "launch", count, "what=gap,streams=same"), "gap_ns", (double)device->gap,
          device->timer_step);
    struct grt_raw_cell *idle = raw_cell(it->samples, "launch", count, "what=idle");
    struct grt_raw_cell *sync = raw_cell(it->samples, "launch", count, "what=sync");
    int64_t *call = raw_column(it->samples, idle, "call_ns"),
            *start = raw_column(it->samples, idle, "start_ns");
    int64_t *end = raw_column(it->samples, sync, "end_ns"),
            *back = raw_column(it->samples, sync, "return_ns");
    for (size_t i = 0; i < count; i++) {
        call[i] = (int64_t)i * 1700000011;
        start[i] = timer(it, (double)call[i] + (double)device->launch + noise(it));
        end[i] = timer(it, (double)(i * 1500000007));
        back[i] = (int64_t)i * 1500000007 + llround((double)device->sync_return + noise(it));
    }
}

/* ---- blocks ---- */

/* B(r). */
static double block_time(const struct synthetic_device *device, int64_t per_sm) {
    double threads = (double)(per_sm * THREADS);
    double slower = device->capacity > 0 && threads > device->capacity ? threads / device->capacity : 1;
    return (double)device->block_time * slower;
}

int64_t synthetic_kernel_time(const struct synthetic_device *device, int64_t blocks) {
    int64_t wave = device->placement.sm_count * device->per_sm, full = (blocks - 1) / wave;
    int64_t last = (blocks - full * wave + device->placement.sm_count - 1) / device->placement.sm_count;
    return llround((double)full * block_time(device, device->per_sm) + block_time(device, last));
}

/* Columns of a cell of experiment dispatch. */
struct blocks {
    int64_t *block, *sm, *start, *end, *slot, *order;
};

static void leave(struct grt_placement *placement, const struct grt_gpu_kernel *kernel, int64_t sm,
                  int64_t now) {
    for (uint32_t place = 0; place < grt_placement_count(placement); place++) {
        if (grt_placement_sm(placement, place) == sm) {
            grt_placement_release(placement, kernel, place, 1, now);
        }
    }
}

/* When the next block ends, of those from `first` to `last` that have not left; all that end then leave. */
static int64_t leave_next(struct blocks *blocks, int64_t first, int64_t last, struct grt_placement *placement,
                          const struct grt_gpu_kernel *kernel, int64_t *resident) {
    int64_t now = INT64_MAX;
    for (int64_t k = first; k < last; k++) {
        now = blocks->slot[k] == 0 && blocks->end[k] < now ? blocks->end[k] : now;
    }
    for (int64_t k = first; k < last; k++) {
        if (blocks->slot[k] == 0 && blocks->end[k] == now) {
            blocks->slot[k] = 1;
            leave(placement, kernel, blocks->sm[k], now);
            (*resident)--;
        }
    }
    return now;
}

/* A launch whose blocks, of different lengths, go where the rule says, by the placement of the simulator itself. */
static void measure_launch_of(struct measuring *it, struct blocks *blocks, int64_t first, int64_t count) {
    const struct synthetic_device *device = it->device;
    struct grt_device sms = device->placement;
    sms.warp_size = 1;
    sms.max_threads_per_sm = sms.max_blocks_per_sm = device->per_sm;
    struct grt_placement *placement = grt_placement_create(&sms, &it->samples->arena, (struct grt_random){0});
    struct grt_gpu_kernel kernel = {.warps = 1};
    int64_t resident = 0, now = 0;
    for (int64_t i = first; i < first + count; i++) {
        if (resident == device->placement.sm_count * device->per_sm) {
            now = leave_next(blocks, first, i, placement, &kernel, &resident);
        }
        blocks->block[i] = blocks->order[i] = i - first;
        blocks->sm[i] = grt_placement_sm(placement, grt_placement_take(placement, &kernel, now));
        blocks->start[i] = now;
        blocks->end[i] = now + (100000 + 37 * (i - first) % 5003) * device->timer_step;
        resident++;
    }
}

static void measure_dispatch(struct measuring *it) {
    enum { WAVES = 3, LAUNCHES = 2 };
    int64_t count = WAVES * it->device->placement.sm_count * it->device->per_sm;
    struct grt_raw_cell *cell = raw_cell(it->samples, "dispatch", (size_t)(LAUNCHES * count),
                                         "kernel=spin,threads=%d,blocks=%d", THREADS, (int)count);
    struct blocks blocks = {
        raw_column(it->samples, cell, "block"),    raw_column(it->samples, cell, "sm"),
        raw_column(it->samples, cell, "start_ns"), raw_column(it->samples, cell, "end_ns"),
        raw_column(it->samples, cell, "slot"),     raw_column(it->samples, cell, "order")};
    for (int64_t launch = 0; launch < LAUNCHES; launch++) {
        measure_launch_of(it, &blocks, launch * count, count);
    }
    memset(blocks.slot, 0, cell->count * sizeof *blocks.slot);
}

static void measure_residency(struct measuring *it) {
    const struct synthetic_device *device = it->device;
    int64_t blocks = device->placement.sm_count * device->per_sm;
    struct grt_raw_cell *cell =
        raw_cell(it->samples, "residency", 5, "kernel=spin,threads=%d,shared_bytes=0,blocks=%d", THREADS,
                 (int)(2 * blocks));
    int64_t *most = raw_column(it->samples, cell, "most_per_sm"),
            *used = raw_column(it->samples, cell, "sms_used");
    int64_t *expected = raw_column(it->samples, cell, "expected");
    for (size_t i = 0; i < cell->count; i++) {
        most[i] = expected[i] = device->per_sm;
        used[i] = device->placement.sm_count;
    }
}

/* Each part waits for the last block of the one before, so that noise makes parts longer, not only gaps. */
static void measure_split(struct measuring *it, struct grt_raw_cell *cell, double whole) {
    const struct synthetic_device *device = it->device;
    int64_t parts = grt_raw_number(cell, "parts", 1);
    int64_t *spans_ns = raw_column(it->samples, cell, "span_ns"),
            *gaps = raw_column(it->samples, cell, "gap_ns");
    for (size_t i = 0; i < cell->count; i++) {
        for (int64_t k = 1; k < parts; k++) {
            gaps[i] += stamped(it, (double)device->split_overhead, device->timer_step);
            spans_ns[i] += llround(fabs(noise(it)));
        }
        spans_ns[i] += gaps[i] + stamped(it, whole, device->timer_step);
    }
}

double synthetic_gap_shift(const struct synthetic_device *device) {
    static const double gaps = SYNTHETIC_MOST_PARTS - 1;
    switch (device->noise_kind) {
    case SYNTHETIC_GAMMA:
        return gsl_cdf_gamma_Pinv(0.5, gaps * GAMMA_SHAPE, device->noise / sqrt(GAMMA_SHAPE)) / gaps;
    case SYNTHETIC_EXPONENTIAL:
        return gsl_cdf_gamma_Pinv(0.5, gaps, device->noise) / gaps;
    default: /* symmetric */
        return synthetic_shift(device);
    }
}

static void measure_workload(struct measuring *it, const char *name) {
    const struct synthetic_device *device = it->device;
    size_t count = device->samples;
    for (int64_t r = 1; r <= device->per_sm; r++) {
        spans(it, raw_cell(it->samples, "coresidency", 4 * count, "kernel=%s,per_sm=%d", name, (int)r),
              "block_ns", block_time(device, r), device->timer_step);
    }
    int64_t wave = device->placement.sm_count * device->per_sm;
    for (int64_t blocks = 1; blocks <= 3 * wave; blocks += 1 + wave / 4) {
        spans(it, raw_cell(it->samples, "waves", count, "kernel=%s,blocks=%d", name, (int)blocks), "span_ns",
              (double)synthetic_kernel_time(device, blocks), device->timer_step);
    }
    for (int64_t parts = 1; parts <= SYNTHETIC_MOST_PARTS; parts *= 2) {
        struct grt_raw_cell *cell =
            raw_cell(it->samples, "split", count, "kernel=%s,parts=%d,whole_waves=1", name, (int)parts);
        measure_split(it, cell, (double)synthetic_kernel_time(device, SYNTHETIC_MOST_PARTS * wave));
    }
}

static void measure_partition(struct measuring *it) {
    const struct synthetic_device *device = it->device;
    for (int64_t sms = 2; sms <= device->placement.sm_count; sms += 2) {
        double span = 1e6 * (double)device->placement.sm_count / (double)sms;
        spans(it,
              raw_cell(it->samples, "partition", device->samples, "kernel=fma,sms=%d,how=green", (int)sms),
              "span_ns", span, device->timer_step);
    }
}

double synthetic_half_span(const struct synthetic_device *device) {
    int64_t half = device->placement.sm_count / 2, places = half * device->per_sm;
    int64_t waves = (64 + places - 1) / places;
    return 1e6 * ceil((double)waves * block_time(device, device->per_sm) / 1e6);
}

static void measure_together(struct measuring *it) {
    const struct synthetic_device *device = it->device;
    const char *const names[] = {"fma", "triad"};
    int half = (int)(device->placement.sm_count / 2);
    double span = synthetic_half_span(device);
    for (int i = 0; i < 2; i++) {
        spans(it,
              raw_cell(it->samples, "together", device->samples,
                       "kernel=%s,beside=nothing,sms=%d,beside_sms=%d,how=green", names[i], half, half),
              "span_ns", span, device->timer_step);
        for (int k = 0; k < 2; k++) {
            double factor = i == 0 && k == 1 ? device->slowdown : 1;
            spans(it,
                  raw_cell(it->samples, "together", device->samples,
                           "kernel=%s,beside=%s,sms=%d,beside_sms=%d,how=green", names[i], names[k], half,
                           half),
                  "span_ns", span * factor, device->timer_step);
        }
    }
}

/* ---- copies and priorities ---- */

static double copy_time(const struct synthetic_device *device, int64_t bytes, int64_t rate) {
    return (double)(device->copy_latency + grt_time_of_work(bytes, rate));
}

static void measure_size(struct measuring *it, const char *direction, int64_t bytes, int64_t rate) {
    const struct synthetic_device *device = it->device;
    bool to_device = strcmp(direction, "h2d") == 0;
    struct grt_raw_cell *cell =
        raw_cell(it->samples, "copy", device->samples, "direction=%s,memory=pinned,bytes=%lld,beside=nothing",
                 direction, (long long)bytes);
    spans(it, cell, "elapsed_ns", copy_time(device, bytes, rate), device->event_step);
    spans(it, cell, "call_ns", 800, 1);
    cell = raw_cell(it->samples, "copy", device->samples,
                    "direction=%s,memory=pageable,bytes=%lld,beside=nothing", direction, (long long)bytes);
    double time = copy_time(device, bytes, rate / 100 * device->pageable_percent);
    spans(it, cell, "elapsed_ns", time, device->event_step);
    spans(it, cell, "call_ns", to_device && bytes <= device->early_return ? 900 : time + 2000, 1);
}

static void measure_copies(struct measuring *it) {
    const struct synthetic_device *device = it->device;
    for (int64_t bytes = 4; bytes <= 256 << 20; bytes *= 4) {
        measure_size(it, "h2d", bytes, device->h2d);
        measure_size(it, "d2h", bytes, device->d2h);
        struct grt_raw_cell *cell =
            raw_cell(it->samples, "copy", device->samples,
                     "direction=d2d,memory=device,bytes=%lld,beside=nothing", (long long)bytes);
        spans(it, cell, "elapsed_ns", 2 * (double)grt_time_of_work(bytes, device->memory),
              device->event_step);
    }
    struct grt_raw_cell *cell =
        raw_cell(it->samples, "engines", device->samples, "first=h2d,second=d2h,bytes=1000000");
    spans(it, cell, "first_ns", 20000, device->event_step);
    spans(it, cell, "second_ns", 22000, device->event_step);
    spans(it, cell, "together_ns", device->copy_engines == 2 ? 22000 : 42000, device->event_step);
}

static void measure_priority(struct measuring *it) {
    const struct synthetic_device *device = it->device;
    for (int64_t level = 0; level + 1 < device->priority_levels || level == 0; level++) {
        int high = device->priority_levels > 1 ? -(int)level - 1 : 0;
        struct grt_raw_cell *cell =
            raw_cell(it->samples, "priority", device->samples, "low=%d,high=%d", -(int)level, high);
        int64_t *left = raw_column(it->samples, cell, "left_ns"),
                *overtook = raw_column(it->samples, cell, "overtook");
        int64_t *wait = raw_column(it->samples, cell, "wait_ns");
        for (size_t i = 0; i < cell->count; i++) {
            left[i] = 20000 + uniform(it, 70000);
            wait[i] = left[i] > device->launch ? left[i] : device->launch;
            overtook[i] = device->priority_levels > 1;
        }
    }
}

void synthetic_measure(const struct synthetic_device *device, struct raw_samples *samples,
                       struct grt_random *random) {
    struct measuring it = {device, samples, random};
    raw_start(samples, (int)device->placement.sm_count);
    samples->raw.device.compute_capability = 80;
    samples->raw.device.async_engines = 2;
    samples->raw.device.priority_greatest = 1 - (int)device->priority_levels;
    raw_workload(samples, "fma", GRT_KERNEL_FMA, THREADS, (int)device->per_sm);
    raw_workload(samples, "triad", GRT_KERNEL_TRIAD, THREADS, (int)device->per_sm);
    measure_clock(&it);
    measure_launch(&it);
    measure_residency(&it);
    measure_dispatch(&it);
    measure_workload(&it, "fma");
    measure_copies(&it);
    measure_priority(&it);
    measure_partition(&it);
    measure_together(&it);
}
