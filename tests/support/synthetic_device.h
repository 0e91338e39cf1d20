/* Raw files as a device with known parameters would give them, with or without noise: samples by formulas, without a driver or an engine. */
#ifndef GRT_TESTS_SUPPORT_SYNTHETIC_DEVICE_H
#define GRT_TESTS_SUPPORT_SYNTHETIC_DEVICE_H

#include "models/device.h"
#include "sim/random.h"
#include "tests/support/raw_samples.h"

/* Of noise: a normal one, and three that only ever add. */
enum synthetic_noise {
    SYNTHETIC_NORMAL,
    SYNTHETIC_UNIFORM,
    SYNTHETIC_GAMMA,
    SYNTHETIC_EXPONENTIAL,
    SYNTHETIC_NOISES
};

/* What fits should find. Times in ns. */
struct synthetic_device {
    int64_t timer_step, event_step;
    int64_t clock_offset, round_trip; /* device's minus host's; of an exchange */
    double clock_drift;
    int64_t cycles_per_second;
    int64_t launch, launch_call, gap, sync_return;
    int64_t copy_latency, h2d, d2h, memory, pageable_percent, early_return;
    int64_t copy_engines, priority_levels;
    struct grt_device placement; /* sm_count, sms_per_tpc, sm_order, placement */
    int64_t per_sm, block_time, split_overhead;
    double capacity; /* threads of an SM at full speed; 0: any number */
    double slowdown;
    double noise; /* standard deviation of every sample, ns */
    enum synthetic_noise noise_kind;
    size_t samples; /* of a cell */
};

/* A device by the numbers of an H200, roughly, without noise and with clocks of 1 ns. */
struct synthetic_device synthetic_default(void);

/* One whose parameters are drawn: the same numbers that people write, or any. */
struct synthetic_device synthetic_drawn(struct grt_random *random);

/* Measures it. */
void synthetic_measure(const struct synthetic_device *device, struct raw_samples *samples,
                       struct grt_random *random);

/* By how much the device's noise shifts medians, ns. */
double synthetic_shift(const struct synthetic_device *device);

/* A kernel is split into as many parts, at most; each gap between them has its own noise. By how much that shifts the median of a sample's gaps, taken together: less skewed than single ones, ns
 * a gap. */
enum { SYNTHETIC_MOST_PARTS = 16 };
double synthetic_gap_shift(const struct synthetic_device *device);

/* How long a workload takes alone on half of its SMs: not less than its blocks by themselves, and with few digits, so that its slowdowns are exact. */
double synthetic_half_span(const struct synthetic_device *device);

/* How long n blocks take on it alone, one after the other on their SMs. */
int64_t synthetic_kernel_time(const struct synthetic_device *device, int64_t blocks);

#endif
