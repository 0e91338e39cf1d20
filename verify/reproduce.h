/* A violation as a scenario file: the original file, changed so that a plain run of it shows what was seen. */
#ifndef GRT_VERIFY_REPRODUCE_H
#define GRT_VERIFY_REPRODUCE_H

#include "scenarios/scenario_tree.h"
#include "verify/claim.h"

/* The text of a scenario file that shows the violation, to be freed with free: tasks that are absent in the pattern are gone; tasks with a
 * least gap are sporadic with the pattern's arrivals and delays (the witness of an analysis: periodic, without jitter); times that the
 * pattern holds constant are constants; `expect` says what happens. It has been read again and simulated, its expectations hold, and it
 * shows the violation: a missed deadline, a response above violation->bound, a broken rule (the trace is audited), or the absence of a
 * miss. NULL after adding errors: it cannot be said in a file. */
char *grt_reproduce(const struct grt_scenario_source *source, const struct grt_subject *subject,
                    const struct grt_pattern *pattern, const struct grt_violation *violation,
                    struct grt_errors *errors);

#endif
