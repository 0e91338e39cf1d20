/* The slack of jobs, computed once more from the records of a kept trace, naively. */
#ifndef GRT_TESTS_SUPPORT_SLACK_CHECKS_H
#define GRT_TESTS_SUPPORT_SLACK_CHECKS_H

#include "tests/support/world_builder.h"

/* Whether the results of all tasks say of slacks, gaps and jobs that did not finish what the trace says. Deadlines are taken from the
 * records of releases. Writes the first difference to standard error. */
bool grt_slack_checks_pass(const struct grt_scenario *scenario, const struct grt_built_run *run);

#endif
