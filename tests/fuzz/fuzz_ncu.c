/* Exports of Nsight Compute: read, and made into usages, of an unknown device and of a known one. */
#include "calib/program/import/ncu_usage.h"
#include "tests/fuzz/target.h"
#include "tests/support/world_builder.h"

static void make_usages(const struct grt_ncu *ncu, const struct grt_device *device) {
    struct grt_ncu_usages usages;
    struct grt_errors errors = {0}, warnings = {0};
    if (fuzz_judge(grt_ncu_usages_make(ncu, device, &usages, &warnings, &errors), &errors)) {
        grt_ncu_usages_free(&usages);
    }
    fuzz_judge_texts(&warnings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct grt_ncu ncu = {0};
    struct grt_errors errors = {0};
    if (fuzz_judge(grt_ncu_read((const char *)data, size, &ncu, &errors), &errors)) {
        struct grt_device device = grt_built_device(132);
        device.memory_bytes_per_second = INT64_C(4800000000000);
        device.compute_capability = 90;
        make_usages(&ncu, NULL);
        make_usages(&ncu, &device);
        grt_ncu_free(&ncu);
    }
    return 0;
}
