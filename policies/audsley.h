/* Priorities that an analysis proves: Audsley's algorithm (models/priority.h) over an analysis's response bounds. */
#ifndef GRT_POLICIES_AUDSLEY_H
#define GRT_POLICIES_AUDSLEY_H

#include "models/analysis.h"
#include "models/policy.h"
#include "models/task.h"
#include "sim/error.h"

/* Most tasks for which it is tried: it asks for up to n (n + 1) / 2 analyses. */
enum { GRT_AUDSLEY_MOST_TASKS = 128 };

/* Why an analysis must not be asked by the algorithm, as a clause of which it is the subject ("goes by the bounds of higher tasks,
 * ..."); NULL where it keeps the conditions of grt_priorities_audsley, as it says itself (ops->suits_audsley). */
const char *grt_audsley_objection(const struct grt_analysis_ops *analysis);

/* The first analysis of the policy that it may ask; NULL: there is none. */
const struct grt_analysis_ops *grt_audsley_analysis_of(const struct grt_policy_ops *policy,
                                                       const void *parameters);

/* The options with which it asks an analysis, in `options` (GRT_ANALYSIS_OPTIONS_SIZE bytes), as set->options wants them; NULL where it has
 * none: the defaults, but for ops->audsley_options. */
const void *grt_audsley_options(const struct grt_analysis_ops *analysis, void *options);

/* Sets the priorities of `tasks`, which are the scenario's, to such with which the analysis proves all deadlines. False after adding an
 * error at `path`: the analysis is not compatible or does not apply, or there are no such priorities. `parameters`: of the policy, or
 * NULL. */
bool grt_audsley_assign(const struct grt_scenario *scenario, struct grt_task *tasks,
                        const struct grt_analysis_ops *analysis, const void *parameters,
                        struct grt_errors *errors, const struct grt_path *path);

/* Those that it may ask and that apply to the scenario, of whichever policies: "np-fp-response or fp-response", in the order of the registry;
 * "" where none does. `text` must hold GRT_AUDSLEY_TEXT_SIZE bytes; returns it. */
enum { GRT_AUDSLEY_TEXT_SIZE = 256 };
const char *grt_audsley_candidates(const struct grt_scenario *scenario, char text[GRT_AUDSLEY_TEXT_SIZE]);

#endif
