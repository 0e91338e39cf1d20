/* Files that scenarios and programs name: devices, usages, kernels, networks, pretended devices. */
#include "calib/program/files/pretend_read.h"
#include "scenarios/file_check.h"
#include "scenarios/networks.h"
#include "tests/fuzz/target.h"

static bool read_one(const char *text, size_t size, struct grt_arena *arena, struct grt_errors *errors) {
    enum grt_file_kind kind = grt_file_kind_of_text(text, size);
    if (grt_file_can_be_checked(kind)) {
        return grt_file_check(kind, text, size, errors);
    }
    if (kind == GRT_FILE_NETWORKS) {
        struct grt_networks networks;
        return grt_networks_parse(text, size, arena, &networks, errors);
    }
    struct grt_pretend_spec spec;
    return grt_pretend_read_text(text, size, GRT_SOURCE_DIR "/scenarios", arena, &spec, errors);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    fuzz_judge(read_one((const char *)data, size, &arena, &errors), &errors);
    grt_arena_clear(&arena);
    return 0;
}
