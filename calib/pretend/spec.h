/* A device that is only pretended: all that gpurt-calib should find out about it, known beforehand. */
#ifndef GRT_CALIB_PRETEND_SPEC_H
#define GRT_CALIB_PRETEND_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "calib/kernels/kernels.h"
#include "models/device.h"
#include "sim/distribution.h"
#include "sim/field.h"
#include "sim/time.h"

/* How long a block of a kernel takes alone on its SM: fixed + amount * per_unit_ps, plus a draw of noise. What others on its SM add is the device model's. */
struct grt_pretend_kernel {
    int64_t registers, shared_bytes; /* what the driver says of it */
    grt_time fixed;                  /* ns */
    int64_t per_unit_ps;             /* picoseconds per unit of its amount */
    int64_t bandwidth;               /* bytes per second that it draws: see struct grt_kernel */
    struct grt_distribution noise;   /* ns, added to each block; constant 0: none */
    const char *class_name;          /* in the device's slowdowns; NULL: its name */
};

/* What goes wrong, and when: calls of the driver are counted from 1; 0: never. */
struct grt_pretend_faults {
    int64_t lost_at_call;   /* from then on every call fails: the device is gone */
    int64_t driver_version; /* instead of 13000 */
    bool no_green_contexts; /* an older driver */
    bool green_refused;     /* cuGreenCtxCreate fails, as under MPS: GRT_CUDA_NOT_SUPPORTED */
    bool green_no_streams;  /* cuGreenCtxStreamCreate fails: the same */
    /* kernels of the primary context do in streams of green ones: GRT_CUDA_INVALID_HANDLE */
    bool green_no_kernels;
    /* asked for blocks of more shared memory than there is for one the driver says GRT_CUDA_INVALID_VALUE, not 0 */
    bool strict_occupancy;
    bool stub; /* cuInit fails with GRT_CUDA_STUB_LIBRARY */
};

struct grt_pretend_spec {
    struct grt_device device; /* of granularity blocks */
    uint64_t seed;
    int64_t memory_bytes; /* of the device */
    struct grt_pretend_kernel kernels[GRT_KERNEL_IDS];

    grt_time launch_call, copy_call, other_call; /* the host's time in calls */
    struct grt_distribution call_noise;          /* added to each */
    grt_time sync_return;                        /* from the end of what the host waits for to its return */
    grt_time timer_tick;                         /* of %globaltimer; 1 or more */
    grt_time event_tick;                         /* of events; 1 or more */
    grt_time timer_offset;                       /* of the device's clock against the host's */
    double timer_drift;                          /* it runs 1 + drift times as fast */
    int64_t cycles_per_second;                   /* of %clock64 */
    struct grt_distribution copy_noise;          /* added to each copy */
    grt_time filter_exit; /* what a block takes that leaves at once; see GRT_KERNEL_FILTER */
    struct grt_pretend_faults faults;
};

/* Beyond these the pretended driver does not launch: GRT_CUDA_NOT_SUPPORTED. */
#define GRT_PRETEND_MOST_AMOUNT INT64_C(1000000000000)
#define GRT_PRETEND_MOST_BLOCKS 16777216

/* Whether the numbers make sense together, for specifications that were made by hand: adds an error for each that does not. */
bool grt_pretend_check(const struct grt_pretend_spec *spec, struct grt_errors *errors);

/* A device that does what its preset says: no noise, ticks of 1 ns, calls that take no time, kernels with plausible times. */
void grt_pretend_default(const struct grt_device *device, struct grt_pretend_spec *spec);

/* A small and slow device, of which threads keep up with the times: 4 SMs of 4 blocks, blocks of milliseconds, copies of 250 MB/s. Texts are constants. */
void grt_pretend_small(struct grt_pretend_spec *spec);

/* Says how fast its SMs count, and with it how long the kernel spins that counts cycles, to the picosecond. */
void grt_pretend_set_cycles(struct grt_pretend_spec *spec, int64_t cycles_per_second);

#endif
