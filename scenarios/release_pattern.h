/* A scenario turned into one that shows a certain release pattern: the same file, but every task arrives first at a given instant and then
 * every period, or not at all, without jitter, and every random span of its segments is its worst case. */
#ifndef GRT_SCENARIOS_RELEASE_PATTERN_H
#define GRT_SCENARIOS_RELEASE_PATTERN_H

#include "scenarios/scenario_tree.h"

struct grt_release_pattern {
    const char *description;        /* the new one */
    grt_time horizon;               /* the new one; what does not come comes then, which is too late */
    const grt_time *first_releases; /* of each task; GRT_TIME_NEVER: it does not come */
    bool stops_at_miss;             /* every task with a deadline stops the simulation when it misses it */
};

/* The new scenario as JSON, to be freed with free. The source must have been read without errors (grt_scenario_parse) into `scenario`.
 * Tasks that arrive neither by `period` nor by `sporadic` do not come, whatever the pattern says. */
char *grt_release_pattern_write(const struct grt_scenario_source *source, const struct grt_scenario *scenario,
                                const struct grt_release_pattern *pattern);

#endif
