/* What the driver says about the device: not measured, but part of its description. */
#include <math.h>

#include "calib/fit/build.h"

struct told {
    const char *name; /* and field of device files */
    double value;
    enum grt_finding_unit unit;
};

static void add(struct grt_fit_build *build, const struct told *told) {
    if (!(told->value > 0)) {
        return; /* it does not say */
    }
    struct grt_finding finding =
        grt_fit_measured("device", told->name, told->unit, grt_ranged_exactly(told->value), 0);
    finding.status = GRT_FINDING_TOLD;
    finding.how = "the driver says so";
    finding.field = told->name;
    grt_fit_add(build, finding);
}

static void add_capability(struct grt_fit_build *build, int capability) {
    struct grt_finding finding =
        grt_fit_measured("device", "compute_capability", GRT_UNIT_NONE, grt_ranged_exactly(capability), 0);
    finding.status = GRT_FINDING_TOLD;
    finding.word = grt_fit_text(build, "%d.%d", capability / 10, capability % 10);
    finding.how = "the driver says so";
    finding.field = finding.name;
    grt_fit_add(build, finding);
}

static const char *range_text(struct grt_fit_build *build, int low, int high) {
    return low == high ? grt_fit_text(build, "%d", low) : grt_fit_text(build, "%d to %d", low, high);
}

/* What device and slot can have; NULL: the library says neither. */
static const char *most_link(struct grt_fit_build *build, const struct grt_raw_health_range *health) {
    bool generation = health->pcie_most_generation > 0, lanes = health->pcie_most_lanes > 0;
    if (generation && lanes) {
        return grt_fit_text(build, "generation %d and %d lanes", health->pcie_most_generation,
                            health->pcie_most_lanes);
    }
    if (generation) {
        return grt_fit_text(build, "generation %d", health->pcie_most_generation);
    }
    return lanes ? grt_fit_text(build, "%d lanes", health->pcie_most_lanes) : NULL;
}

static void warn_of_slow_link(struct grt_fit_build *build, const struct grt_raw_health_range *health,
                              const char *most) {
    if (health->pcie_generation_high < health->pcie_most_generation ||
        health->pcie_lanes_high < health->pcie_most_lanes) {
        grt_fit_warn(build,
                     grt_fit_text(build,
                                  "the PCIe link never ran faster than with generation %d and %d lanes, "
                                  "where device and slot can have %s: copies are measured over "
                                  "the slower one",
                                  health->pcie_generation_high, health->pcie_lanes_high, most));
    }
}

/* What copies between host and device went over. */
static void add_link(struct grt_fit_build *build) {
    const struct grt_raw_health_range *health = &build->raw->health;
    if (health->pcie_generation_high == 0 || health->pcie_lanes_high == 0) {
        return;
    }
    struct grt_finding finding = grt_fit_measured("device", "pcie_link", GRT_UNIT_NONE,
                                                  grt_ranged_exactly(health->pcie_generation_high), 0);
    const char *most = most_link(build, health);
    finding.status = GRT_FINDING_TOLD;
    finding.word = grt_fit_text(build, "generation %s, %s lanes",
                                range_text(build, health->pcie_generation_low, health->pcie_generation_high),
                                range_text(build, health->pcie_lanes_low, health->pcie_lanes_high));
    finding.how = grt_fit_text(build, "the management library says so, while measuring; %s%s",
                               most != NULL ? "device and slot can have "
                                            : "it does not say what device and slot can have",
                               most != NULL ? most : "");
    grt_fit_add(build, finding);
    warn_of_slow_link(build, health, most);
}

void grt_fit_told(struct grt_fit_build *build) {
    const struct grt_bench_device *device = &build->raw->device;
    const struct told all[] = {
        {"sm_count", device->sm_count, GRT_UNIT_NONE},
        {"warp_size", device->warp_size, GRT_UNIT_NONE},
        {"max_threads_per_block", device->max_threads_per_block, GRT_UNIT_NONE},
        {"max_threads_per_sm", device->max_threads_per_sm, GRT_UNIT_NONE},
        {"max_blocks_per_sm", device->max_blocks_per_sm, GRT_UNIT_NONE},
        {"registers_per_sm", device->registers_per_sm, GRT_UNIT_NONE},
        {"registers_per_block", device->registers_per_block, GRT_UNIT_NONE},
        {"shared_memory_per_sm", device->shared_memory_per_sm, GRT_UNIT_BYTES},
        {"shared_memory_per_block", device->shared_memory_per_block, GRT_UNIT_BYTES},
        {"shared_memory_per_block_opt_in", device->shared_memory_per_block_opt_in, GRT_UNIT_BYTES},
        {"shared_memory_reserved", device->shared_memory_reserved, GRT_UNIT_BYTES},
        {"l2", device->l2_bytes, GRT_UNIT_BYTES},
        {"core_clock", device->core_khz * 1e3, GRT_UNIT_HERTZ},
        {"memory_clock", device->memory_khz * 1e3, GRT_UNIT_HERTZ},
        {"memory_bus_bits", device->memory_bus_bits, GRT_UNIT_NONE},
    };
    if (device->priority_least == device->priority_greatest) { /* several are measured */
        add(build, &(struct told){"priority_levels", 1, GRT_UNIT_NONE});
    }
    if (device->compute_capability > 0) {
        add_capability(build, device->compute_capability);
    }
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        add(build, &all[i]);
    }
    add_link(build);
}
