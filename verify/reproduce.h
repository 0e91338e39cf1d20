/* A violation as a scenario file: the original file, changed so that a plain run of it shows what was seen. */
#ifndef GRT_VERIFY_REPRODUCE_H
#define GRT_VERIFY_REPRODUCE_H

#include "scenarios/scenario.h"
#include "verify/claim.h"

/* Where the subject came from. */
struct grt_reproduction_source {
    const char *text; /* of the file */
    size_t size;
    const char *folder;                         /* where its relative device files are sought */
    const struct grt_scenario_changes *changes; /* NULL: none */
};

/* The text of a scenario file that shows the violation, to be freed with free: tasks that are absent in the pattern are gone; tasks with a
 * least gap are sporadic with the pattern's arrivals and delays (the witness of an analysis: periodic, without jitter); times that the
 * pattern holds constant are constants; `expect` says what happens. It has been read again and simulated, its expectations hold, and it
 * shows the violation: a missed deadline, a response above violation->bound, a broken rule (the trace is audited), or the absence of a
 * miss. NULL after adding errors: it cannot be said in a file. */
char *grt_reproduce(const struct grt_reproduction_source *source, const struct grt_subject *subject,
                    const struct grt_pattern *pattern, const struct grt_violation *violation,
                    struct grt_errors *errors);

#endif
