/* Experiment files. */
#include "scenarios/experiment/experiment.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct grt_experiment experiment;
    struct grt_errors errors = {0};
    bool accepted = grt_experiment_parse((const char *)data, size, "fuzz.json", GRT_SOURCE_DIR "/scenarios",
                                         NULL, &experiment, &errors);
    if (fuzz_judge(accepted, &errors)) {
        grt_experiment_free(&experiment);
    }
    return 0;
}
