/* A library with the CUDA driver's functions, of which none does anything, and some of the management library's: for tests of how libraries are opened. What its
 * functions answer can be set in the environment: FAKE_cuInit=34. Without FAKE_OLD it has all functions; compiled with it, as old drivers, it lacks one that is required and all optional ones. */
#include <stdlib.h>
#include <string.h>

#include "calib/driver/cuda.h"

static int answer(const char *name, int usual) {
    char variable[80] = "FAKE_";
    strncat(variable, name, sizeof variable - sizeof "FAKE_");
    const char *text = getenv(variable);
    return text ? atoi(text) : usual;
}

#define DECLARE(name, parameters) grt_cuda_result name parameters;
#define DEFINE(name, parameters)                                                                             \
    grt_cuda_result name parameters {                                                                        \
        return answer(#name, 0);                                                                             \
    }

GRT_CUDA_REQUIRED(DECLARE)
#define cuDriverGetVersion not_this_one
#define cuDeviceGetCount nor_this_one
#ifdef FAKE_OLD
#define cuDevicePrimaryCtxRelease_v2 only_older_ones_are_there
#endif
GRT_CUDA_REQUIRED(DECLARE)
GRT_CUDA_REQUIRED(DEFINE) /* parameters are for real ones: NOLINT(misc-unused-parameters) */
#undef cuDriverGetVersion
#undef cuDeviceGetCount
#ifndef FAKE_OLD
GRT_CUDA_OPTIONAL(DECLARE)
GRT_CUDA_OPTIONAL(DEFINE) /* NOLINT(misc-unused-parameters): as above */
#endif

grt_cuda_result cuDriverGetVersion(int *version) {
    *version = answer("version", 12040);
    return 0;
}

grt_cuda_result cuDeviceGetCount(int *count) {
    *count = answer("count", 1);
    return 0;
}

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus_id, void **device);
int nvmlDeviceGetClockInfo(void *device, int type, unsigned *mhz);
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons);
int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *celsius);
int nvmlDeviceGetCurrPcieLinkGeneration(void *device, unsigned *generation);
int nvmlDeviceGetCurrPcieLinkWidth(void *device, unsigned *lanes);
int nvmlDeviceGetMaxPcieLinkGeneration(void *device, unsigned *generation);
int nvmlDeviceGetMaxPcieLinkWidth(void *device, unsigned *lanes);

int nvmlInit_v2(void) {
    return answer("nvmlInit_v2", 0);
}

int nvmlShutdown(void) {
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus_id, void **device) {
    *device = NULL;
    return strcmp(bus_id, "0000:01:00.0") == 0 ? 0 : 6;
}

int nvmlDeviceGetClockInfo(void *device, int type, unsigned *mhz) {
    (void)device;
    *mhz = type == 1 ? 1980 : 2619;
    return 0;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons) {
    (void)device;
    *reasons = (unsigned long long)answer("reasons", 1);
    return 0;
}

int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *celsius) {
    (void)device;
    *celsius = 40 + (unsigned)sensor;
    return 0;
}

int nvmlDeviceGetCurrPcieLinkGeneration(void *device, unsigned *generation) {
    (void)device;
    *generation = (unsigned)answer("CurrPcieLinkGeneration", 4);
    return 0;
}

int nvmlDeviceGetCurrPcieLinkWidth(void *device, unsigned *lanes) {
    (void)device;
    *lanes = (unsigned)answer("CurrPcieLinkWidth", 8);
    return 0;
}

int nvmlDeviceGetMaxPcieLinkGeneration(void *device, unsigned *generation) {
    (void)device;
    *generation = (unsigned)answer("MaxPcieLinkGeneration", 5);
    return 0;
}

int nvmlDeviceGetMaxPcieLinkWidth(void *device, unsigned *lanes) {
    (void)device;
    *lanes = (unsigned)answer("MaxPcieLinkWidth", 16);
    return 0;
}
