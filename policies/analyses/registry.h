/* The analyses that gpurt knows, by name. Those that a policy brings along are found by policies/analyses/run.h. */
#ifndef GRT_POLICIES_ANALYSES_REGISTRY_H
#define GRT_POLICIES_ANALYSES_REGISTRY_H

#include "models/analysis.h"

/* All analyses in the order in which they are listed, NULL-terminated. */
extern const struct grt_analysis_ops *const *const grt_analyses;

/* The analysis of that name, or NULL. */
const struct grt_analysis_ops *grt_analysis_find(const char *name);

/* Whether it speaks of no policy of gpurt: of schedules that none of them makes, whatever the policy. */
bool grt_analysis_is_of_none(const struct grt_analysis_ops *analysis);

#endif
