/* Tables and lists of numbers: samples for training, values for worst cases, results of sweeps. */
#include <string.h>

#include "calib/program/series.h"
#include "scenarios/samples.h"
#include "study/results/results.h"
#include "tests/fuzz/target.h"

/* A series is a text with an end. */
static void read_series(const uint8_t *data, size_t size, int column) {
    const struct grt_series_format format = {.column = column, .unit = 1e3};
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_series series;
    char *text = grt_arena_array(&arena, size + 1, 1);
    if (size > 0) {
        memcpy(text, data, size);
    }
    fuzz_judge(grt_series_parse(text, size, &format, &arena, &series, &errors), &errors);
    grt_arena_clear(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_sample_file samples;
    struct grt_result_table table;
    fuzz_judge(grt_samples_parse(text, size, &arena, &samples, &errors), &errors);
    if (fuzz_judge(grt_result_table_parse(text, size, &table, &errors), &errors)) {
        grt_result_table_free(&table);
    }
    grt_arena_clear(&arena);
    read_series(data, size, GRT_SERIES_ANY);
    read_series(data, size, 2);
    return 0;
}
