/* NVIDIA's management library, opened at run time where it is; own declarations after the "NVML API Reference". It is only asked, nothing is ever set. */
#ifndef GRT_CALIB_DRIVER_NVML_H
#define GRT_CALIB_DRIVER_NVML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why clocks are not what they could be (nvmlClocksEventReasons): those that slow a device which has work. */
enum {
    GRT_NVML_POWER_CAP = 0x4,
    GRT_NVML_HARDWARE_SLOWDOWN = 0x8,
    GRT_NVML_SOFTWARE_THERMAL = 0x20,
    GRT_NVML_HARDWARE_THERMAL = 0x40,
    GRT_NVML_POWER_BRAKE = 0x80,
    GRT_NVML_SLOWING = 0xec
};

/* What it does not say is 0. */
struct grt_nvml_health {
    uint64_t reasons;
    int sm_mhz, memory_mhz, celsius, milliwatts;
    int pcie_generation, pcie_lanes;           /* of the link as it runs now: an idle one may run slower */
    int pcie_most_generation, pcie_most_lanes; /* that device and slot can have */
};

/* Those that slow a device in words, "software power cap, hardware heat limit"; "" for none. Returns `text`. */
const char *grt_nvml_reasons_text(uint64_t reasons, char *text, size_t size);

struct grt_nvml;

/* NULL: there is none, or it does not work. `path`: the library; NULL: the environment's GPURT_LIBNVML, else the system's. */
struct grt_nvml *grt_nvml_open(const char *path);
void grt_nvml_close(struct grt_nvml *nvml);

/* Asks about the device with this PCI bus id. False: it does not know it, or `nvml` is NULL. */
bool grt_nvml_ask(const struct grt_nvml *nvml, const char *bus_id, struct grt_nvml_health *health);

#endif
