/* Results of cuda_scheduling_examiner: read, and what is accepted becomes a trace. */
#include "scenarios/examiner.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct grt_examiner_options options = {0};
    struct grt_examiner_file file;
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    if (fuzz_judge(grt_examiner_parse("fuzz.json", (const char *)data, size, &arena, &file, &errors),
                   &errors) &&
        fuzz_judge(grt_examiner_check(&file, 1, &options, &errors), &errors)) {
        struct grt_trace *trace = grt_trace_create();
        grt_examiner_write(&file, 1, &options, trace);
        GRT_REQUIRE(grt_trace_finish(trace), "a trace without sinks cannot fail");
        grt_trace_free(trace);
    }
    grt_arena_clear(&arena);
    return 0;
}
