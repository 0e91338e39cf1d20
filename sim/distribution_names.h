/* The words by which scenario files name what a distribution has. Lists that grow: libgpurt does not show them. */
#ifndef GRT_SIM_DISTRIBUTION_NAMES_H
#define GRT_SIM_DISTRIBUTION_NAMES_H

/* Of enum grt_distribution_kind, in its order, NULL-terminated. */
extern const char *const grt_distribution_names[];
/* The same of enum grt_evidence. */
extern const char *const grt_evidence_names[];

#endif
