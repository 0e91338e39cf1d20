/* Scenario files: read, and what is accepted is run for a while. */
#include "scenarios/simulation.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct grt_scenario_text text = {
        .bytes = (const char *)data, .size = size, .folder = GRT_SOURCE_DIR "/scenarios"};
    struct grt_simulation simulation = {.ends_unheard = true};
    struct grt_errors errors = {0};
    struct fuzz_short_sink sink = {.lots = 1};
    if (fuzz_judge(grt_simulation_parse(&simulation, &text, NULL, &errors), &errors)) {
        grt_simulation_add_sink(&simulation, &fuzz_short_sink, &sink);
        fuzz_judge(grt_simulation_run(&simulation, false, &errors), &errors);
    }
    grt_simulation_free(&simulation);
    return 0;
}
