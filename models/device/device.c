/* What follows from the fields of a device. Their table is in fields.c, what contradicts each other in
 * check.c. */
#include "models/device.h"

#include <string.h>

int64_t grt_device_mps_tpcs(const struct grt_device *device, int64_t percentage) {
    if (!device->mps || percentage == 0) {
        return grt_device_tpcs(device);
    }
    int64_t up = device->mps_rounding == GRT_MPS_ROUNDING_UP ? 99 : 0;
    int64_t tpcs = (grt_device_tpcs(device) * percentage + up) / 100;
    return tpcs > 0 ? tpcs : 1;
}

int64_t grt_device_mps_clients(const struct grt_device *device) {
    return device->mps_clients > 0 ? device->mps_clients : grt_device_is_before_volta(device) ? 16 : 48;
}

/* NVIDIA, CUDA C++ Programming Guide, table of green contexts: the least number and the step by compute capability. */
int64_t grt_device_group_sms(const struct grt_device *device, int64_t sms) {
    static const struct {
        int64_t capability, minimum, multiple;
    } rows[] = {{90, 8, 8}, {80, 4, 2}, {60, 2, 2}, {1, 0, 0}, {0, 1, 1}};
    size_t row = 0;
    while (device->compute_capability < rows[row].capability) {
        row++;
    }
    int64_t minimum = device->group_minimum_sms > 0 ? device->group_minimum_sms : rows[row].minimum;
    int64_t multiple = device->group_multiple_sms > 0 ? device->group_multiple_sms : rows[row].multiple;
    if (minimum == 0 || multiple == 0) {
        return 0;
    }
    sms = sms > minimum ? sms : minimum;
    do {
        sms = (sms + multiple - 1) / multiple * multiple;
        sms = (sms + device->sms_per_tpc - 1) / device->sms_per_tpc * device->sms_per_tpc;
    } while (sms % multiple != 0);
    return sms;
}

void grt_device_sm_order(const struct grt_device *device, uint16_t *order) {
    int64_t step = device->sm_order == GRT_SM_ORDER_TPC_FIRST ? device->sms_per_tpc : 1;
    size_t position = 0;
    for (int64_t first = 0; first < step; first++) {
        for (int64_t sm = first; sm < device->sm_count; sm += step) {
            order[position++] = (uint16_t)sm;
        }
    }
}

static const char *mention(const struct grt_device *device, uint32_t number) {
    const struct grt_slowdown *row = &((const struct grt_slowdown *)device->slowdowns.items)[number / 2];
    return number % 2 == 0 ? row->class_name : row->beside;
}

uint32_t grt_device_class(const struct grt_device *device, const char *name) {
    for (uint32_t i = 0; name != NULL && i < 2 * device->slowdowns.count; i++) {
        if (strcmp(mention(device, i), name) == 0) {
            return i;
        }
    }
    return GRT_NO_CLASS;
}
