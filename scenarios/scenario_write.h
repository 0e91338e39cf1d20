/* A scenario in memory as the text of a file: what the file is read as is the scenario. */
#ifndef GRT_SCENARIOS_SCENARIO_WRITE_H
#define GRT_SCENARIOS_SCENARIO_WRITE_H

#include <stdbool.h>
#include <stdio.h>

#include "models/policy.h"
#include "models/task.h"
#include "sim/error.h"

/* What a file says. */
struct grt_scenario_content {
    const struct grt_scenario *scenario;
    const struct grt_policy_ops *policy;
    const void *parameters;  /* of the policy; NULL: the defaults */
    const char *description; /* NULL: none */
};

/* Writes the file: exact, durations with units, a line for each task, what is as usual left out, as are rate-monotonic priorities; other priorities, and
 * cores, as they are. False after adding errors, and then nothing is written: calls of the host, tasks after others, several processes, groups of TPCs,
 * trained networks, and scenarios that a policy has adapted cannot be written. */
bool grt_scenario_write(FILE *out, const struct grt_scenario_content *content, struct grt_errors *errors);

#endif
