#include "calib/driver/nvml.h"
#include "calib/driver/library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"

typedef int nvml_return; /* 0 is success */
typedef struct nvml_device_handle *nvml_device;

enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEMORY = 2, NVML_TEMPERATURE_GPU = 0 };

/* More is no generation and no number of lanes. */
enum { MOST_OF_A_LINK = 256 };

struct grt_nvml {
    void *library;
    nvml_return (*init)(void);
    nvml_return (*shut_down)(void);
    nvml_return (*device_by_bus_id)(const char *bus_id, nvml_device *device);
    nvml_return (*clock)(nvml_device device, int type, unsigned *mhz);
    nvml_return (*reasons)(nvml_device device, unsigned long long *reasons);
    nvml_return (*temperature)(nvml_device device, int sensor, unsigned *celsius);
    nvml_return (*power)(nvml_device device, unsigned *milliwatts);
    nvml_return (*link_generation)(nvml_device device, unsigned *generation);
    nvml_return (*link_lanes)(nvml_device device, unsigned *lanes);
    nvml_return (*most_generation)(nvml_device device, unsigned *generation);
    nvml_return (*most_lanes)(nvml_device device, unsigned *lanes);
};

#define FIND(nvml, member, name)                                                                             \
    grt_library_find((nvml)->library, (name), &(nvml)->member, sizeof(nvml)->member)

static bool find_all(struct grt_nvml *nvml) {
    FIND(nvml, clock, "nvmlDeviceGetClockInfo");
    if (!FIND(nvml, reasons, "nvmlDeviceGetCurrentClocksEventReasons")) {
        FIND(nvml, reasons, "nvmlDeviceGetCurrentClocksThrottleReasons"); /* before 12.2 */
    }
    FIND(nvml, temperature, "nvmlDeviceGetTemperature");
    FIND(nvml, power, "nvmlDeviceGetPowerUsage");
    FIND(nvml, link_generation, "nvmlDeviceGetCurrPcieLinkGeneration");
    FIND(nvml, link_lanes, "nvmlDeviceGetCurrPcieLinkWidth");
    FIND(nvml, most_generation, "nvmlDeviceGetMaxPcieLinkGeneration");
    FIND(nvml, most_lanes, "nvmlDeviceGetMaxPcieLinkWidth");
    return FIND(nvml, init, "nvmlInit_v2") && FIND(nvml, shut_down, "nvmlShutdown") &&
           FIND(nvml, device_by_bus_id, "nvmlDeviceGetHandleByPciBusId_v2");
}

struct grt_nvml *grt_nvml_open(const char *path) {
    if (!path) {
        path = getenv("GPURT_LIBNVML");
    }
    struct grt_nvml *nvml = grt_allocate(sizeof *nvml);
    *nvml = (struct grt_nvml){.library = dlopen(path ? path : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)};
    if (nvml->library && find_all(nvml) && nvml->init() == 0) {
        return nvml;
    }
    if (nvml->library) {
        dlclose(nvml->library);
    }
    free(nvml);
    return NULL;
}

void grt_nvml_close(struct grt_nvml *nvml) {
    if (!nvml) {
        return;
    }
    nvml->shut_down();
    dlclose(nvml->library);
    free(nvml);
}

/* 0 where the library lacks the function, or the function an answer. */
static int ask_number(nvml_return (*function)(nvml_device device, unsigned *value), nvml_device device,
                      unsigned most) {
    unsigned value = 0;
    return function && function(device, &value) == 0 && value <= most ? (int)value : 0;
}

bool grt_nvml_ask(const struct grt_nvml *nvml, const char *bus_id, struct grt_nvml_health *health) {
    nvml_device device;
    unsigned value = 0;
    unsigned long long reasons = 0;
    *health = (struct grt_nvml_health){.reasons = 0};
    if (!nvml || nvml->device_by_bus_id(bus_id, &device) != 0) {
        return false;
    }
    if (nvml->reasons && nvml->reasons(device, &reasons) == 0) {
        health->reasons = reasons;
    }
    if (nvml->clock && nvml->clock(device, NVML_CLOCK_SM, &value) == 0) {
        health->sm_mhz = (int)value;
    }
    if (nvml->clock && nvml->clock(device, NVML_CLOCK_MEMORY, &value) == 0) {
        health->memory_mhz = (int)value;
    }
    if (nvml->temperature && nvml->temperature(device, NVML_TEMPERATURE_GPU, &value) == 0) {
        health->celsius = (int)value;
    }
    health->milliwatts = ask_number(nvml->power, device, INT_MAX);
    health->pcie_generation = ask_number(nvml->link_generation, device, MOST_OF_A_LINK);
    health->pcie_lanes = ask_number(nvml->link_lanes, device, MOST_OF_A_LINK);
    health->pcie_most_generation = ask_number(nvml->most_generation, device, MOST_OF_A_LINK);
    health->pcie_most_lanes = ask_number(nvml->most_lanes, device, MOST_OF_A_LINK);
    return true;
}

const char *grt_nvml_reasons_text(uint64_t reasons, char *text, size_t size) {
    static const struct {
        uint64_t bit;
        const char *name;
    } names[] = {
        {GRT_NVML_POWER_CAP, "software power cap"},
        {GRT_NVML_HARDWARE_SLOWDOWN, "hardware slowdown"},
        {GRT_NVML_SOFTWARE_THERMAL, "software heat limit"},
        {GRT_NVML_HARDWARE_THERMAL, "hardware heat limit"},
        {GRT_NVML_POWER_BRAKE, "hardware power brake"},
    };
    text[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t length = strlen(text);
        if ((reasons & names[i].bit) != 0) {
            snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "", names[i].name);
        }
    }
    return text;
}
