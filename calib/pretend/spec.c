/* Pretended devices: what is so as a rule, and what cannot be. */
#include "calib/pretend/spec.h"

#include <math.h>

/* Times of kernels, registers and shared memory are invented, in the order of magnitude of a present-day device: they are there to be found out, not to be believed. */
static const struct grt_pretend_kernel kernels[GRT_KERNEL_IDS] = {
    [GRT_KERNEL_SPIN_NS] = {.registers = 16, .per_unit_ps = 1000},
    [GRT_KERNEL_SPIN_CYCLES] = {.registers = 16, .per_unit_ps = 500},
    [GRT_KERNEL_FMA] = {.registers = 20, .fixed = 900, .per_unit_ps = 9000},
    [GRT_KERNEL_VADD] = {.registers = 18, .fixed = 1100, .per_unit_ps = 700},
    [GRT_KERNEL_TRIAD] = {.registers = 28, .fixed = 1200, .per_unit_ps = 2500},
    [GRT_KERNEL_MATMUL] = {.registers = 32, .shared_bytes = 2048, .fixed = 1500, .per_unit_ps = 21000},
    [GRT_KERNEL_STENCIL] = {.registers = 29, .shared_bytes = 1296, .fixed = 1300, .per_unit_ps = 2000},
    [GRT_KERNEL_REDUCE] = {.registers = 19, .shared_bytes = 1024, .fixed = 1400, .per_unit_ps = 600},
    [GRT_KERNEL_TEXTURE] = {.registers = 22, .fixed = 1000, .per_unit_ps = 15000},
    [GRT_KERNEL_CHASE] = {.registers = 14, .fixed = 700, .per_unit_ps = 450000},
    [GRT_KERNEL_LATCH] = {.registers = 16},
    [GRT_KERNEL_TICK] = {.registers = 16, .fixed = 100} /* and a tick of the timer per value */,
    [GRT_KERNEL_SPIN_TABLE] = {.registers = 16, .per_unit_ps = 1000},
    [GRT_KERNEL_CLOCKS] = {.registers = 16, .fixed = 300},
};

void grt_pretend_set_cycles(struct grt_pretend_spec *spec, int64_t cycles_per_second) {
    spec->cycles_per_second = cycles_per_second;
    if (cycles_per_second > 0) {
        spec->kernels[GRT_KERNEL_SPIN_CYCLES].per_unit_ps =
            (INT64_C(1000000000000) + cycles_per_second / 2) / cycles_per_second;
    }
}

void grt_pretend_default(const struct grt_device *device, struct grt_pretend_spec *spec) {
    *spec = (struct grt_pretend_spec){
        .device = *device,
        .seed = 1,
        .memory_bytes = INT64_C(1) << 32,
        .timer_tick = 1,
        .event_tick = 1,
        .cycles_per_second = device->core_hertz > 0 ? device->core_hertz : 1000000000,
        .filter_exit = 500,
    };
    for (int id = 0; id < GRT_KERNEL_IDS; id++) {
        spec->kernels[id] = kernels[id];
    }
    grt_pretend_set_cycles(spec, spec->cycles_per_second);
}

/* ---- checks ---- */

static const struct grt_path root;

static void check_span(grt_time value, grt_time low, const char *name, struct grt_errors *errors,
                       const struct grt_path *parent) {
    struct grt_path path = {.parent = parent, .key = name};
    if (value < low || value > GRT_SECOND) {
        grt_error_add(errors, &path, "must be from %lld ns to 1s, not %lld ns", (long long)low,
                      (long long)value);
    }
}

static void check_noise(const struct grt_distribution *noise, const char *name, struct grt_errors *errors,
                        const struct grt_path *parent) {
    struct grt_path path = {.parent = parent, .key = name};
    bool was_good = grt_distribution_check(noise, errors, &path);
    if (was_good && noise->max > GRT_SECOND) {
        grt_error_add(errors, &path, "may be 1s at most");
    }
}

static void check_kernel(const struct grt_pretend_spec *spec, int id, struct grt_errors *errors,
                         const struct grt_path *parent) {
    const struct grt_pretend_kernel *kernel = &spec->kernels[id];
    struct grt_path path = {.parent = parent, .key = grt_kernel_kinds[id].name};
    check_span(kernel->fixed, 0, "fixed", errors, &path);
    check_noise(&kernel->noise, "noise", errors, &path);
    if (kernel->per_unit_ps < 0 || kernel->per_unit_ps > INT64_C(1000000000)) {
        struct grt_path field = {.parent = &path, .key = "per_unit_ps"};
        grt_error_add(errors, &field, "must be from 0 to 1000000000 (1ms), not %lld",
                      (long long)kernel->per_unit_ps);
    }
    if (kernel->registers < 0 || kernel->registers > spec->device.max_registers_per_thread) {
        struct grt_path field = {.parent = &path, .key = "registers"};
        grt_error_add(errors, &field, "must be from 0 to the device's %lld, not %lld",
                      (long long)spec->device.max_registers_per_thread, (long long)kernel->registers);
    }
    if (kernel->shared_bytes < 0 || kernel->shared_bytes > spec->device.shared_memory_per_block) {
        struct grt_path field = {.parent = &path, .key = "shared_memory"};
        grt_error_add(errors, &field, "must be from 0 to the device's %lld bytes, not %lld",
                      (long long)spec->device.shared_memory_per_block, (long long)kernel->shared_bytes);
    }
    grt_device_check_demand(&spec->device, kernel->bandwidth, errors, &path);
}

static void check_clocks(const struct grt_pretend_spec *spec, struct grt_errors *errors) {
    struct grt_path path = {.parent = &root, .key = "clock"};
    check_span(spec->timer_tick, 1, "timer_tick", errors, &path);
    check_span(spec->event_tick, 1, "event_tick", errors, &path);
    if (spec->timer_offset < 0 || spec->timer_offset > GRT_TIME_LIMIT) {
        struct grt_path field = {.parent = &path, .key = "offset"};
        grt_error_add(errors, &field, "must be from 0 to %lld ns", (long long)GRT_TIME_LIMIT);
    }
    if (!(fabs(spec->timer_drift) <= 0.01)) {
        struct grt_path field = {.parent = &path, .key = "drift"};
        grt_error_add(errors, &field, "must be from -0.01 to 0.01, not %g", spec->timer_drift);
    }
    if (spec->cycles_per_second < 1000000 || spec->cycles_per_second > INT64_C(10000000000)) {
        struct grt_path field = {.parent = &path, .key = "cycles"};
        grt_error_add(errors, &field, "must be from 1MHz to 10GHz");
    }
}

bool grt_pretend_check(const struct grt_pretend_spec *spec, struct grt_errors *errors) {
    size_t before = errors->count;
    struct grt_path calls = {.parent = &root, .key = "calls"}, device = {.parent = &root, .key = "device"},
                    all = {.parent = &root, .key = "kernels"}, memory = {.parent = &root, .key = "memory"},
                    faults = {.parent = &root, .key = "faults"};
    if (grt_device_has_shares(&spec->device)) {
        grt_error_add(errors, &device, "must be a device of granularity blocks: kernels have blocks here");
    }
    if (spec->memory_bytes < 1 || spec->memory_bytes > INT64_C(1) << 42) {
        grt_error_add(errors, &memory, "must be from 1B to 4TiB");
    }
    for (int id = 0; id < GRT_KERNEL_IDS; id++) {
        check_kernel(spec, id, errors, &all);
    }
    check_span(spec->launch_call, 0, "launch", errors, &calls);
    check_span(spec->copy_call, 0, "copy", errors, &calls);
    check_span(spec->other_call, 0, "other", errors, &calls);
    check_span(spec->sync_return, 0, "sync_return", errors, &calls);
    check_span(spec->filter_exit, 0, "filter_exit", errors, &root);
    check_noise(&spec->call_noise, "noise", errors, &calls);
    check_noise(&spec->copy_noise, "copy_noise", errors, &root);
    check_clocks(spec, errors);
    if (spec->faults.lost_at_call < 0 || spec->faults.driver_version < 0 ||
        spec->faults.driver_version > 99990) {
        grt_error_add(errors, &faults,
                      "lost_at_call and driver_version cannot be below 0, nor a version above 99990");
    }
    return errors->count == before;
}
