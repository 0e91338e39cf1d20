/* Whether a trace is of the scenario that it is held beside. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/validate/report.h"
#include "cli/terminal/text_table.h"

const char *grt_validation_mismatch(const struct grt_validated_trace *trace, struct grt_arena *arena) {
    const char *scenario = trace->origin.values[GRT_ORIGIN_SCENARIO];
    const char *seed = trace->origin.values[GRT_ORIGIN_SEED];
    bool both = scenario != NULL && scenario[0] != '\0' && trace->fingerprint[0] != '\0';
    if (both && strcmp(scenario, trace->fingerprint) != 0) {
        return "the trace is of a scenario with other tasks, another policy or other cores than the one that "
               "was simulated";
    }
    if (trace->draws && seed != NULL && strtoull(seed, NULL, 10) != trace->seed) {
        return grt_format(arena,
                          "the trace is of seed %s, and %" PRIu64 " was simulated: times are drawn otherwise",
                          seed, trace->seed);
    }
    return NULL;
}
