/* Raw files of measurements: read, and what is accepted is fitted. */
#include "calib/fit/fit.h"
#include "calib/program/files/raw_read.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    const struct grt_raw *raw = grt_raw_read_text((const char *)data, size, "fuzz.jsonl", &arena, &errors);
    if (fuzz_judge(raw != NULL, &errors)) {
        grt_fit_all(raw, &arena);
    }
    grt_arena_clear(&arena);
    return 0;
}
