#include "models/device/kernel_usage.h"

int64_t grt_kernel_wave(const struct grt_device *device, const struct grt_kernel *kernel) {
    if (kernel->whole_device) {
        return device->sm_count;
    }
    int64_t wave = device->sm_count * grt_occupancy_of(device, &kernel->needs).blocks_per_sm;
    return wave > 0 ? wave : 1;
}

void grt_kernel_usage(const struct grt_device *device, const struct grt_kernel *kernel,
                      struct grt_usage *usage) {
    if (kernel->usage != NULL) {
        *usage = *kernel->usage;
        return;
    }
    int64_t wave = grt_kernel_wave(device, kernel);
    bool fills = kernel->whole_device || kernel->blocks >= wave;
    double filled = fills ? 1 : (double)kernel->blocks / (double)wave;
    *usage = (struct grt_usage){
        .sm_utilisation = filled, .demand = {[GRT_RESOURCE_SM] = filled}, .bound = {[GRT_RESOURCE_SM] = 1}};
}
