/* The parameters of the policy `tdm`, which its analysis reads too. */
#ifndef GRT_POLICIES_TDM_TDM_H
#define GRT_POLICIES_TDM_TDM_H

#include "models/analysis.h"
#include "policies/tdm/assignment.h"

/* Which task sets run. */
enum tdm_admit {
    TDM_ADMIT_FEASIBLE, /* only those for which parameters were found, so that no deadline is missed */
    TDM_ADMIT_ALL, /* where there are none, each task gets an equal part of the period, and no guarantee */
};

struct tdm_parameters {
    struct tdm_rule rule;
    int64_t admit; /* enum tdm_admit */
};

/* What holds where no parameters are given. */
struct tdm_parameters tdm_default_parameters(void);

/* The tasks of a set that have a slot, those with GPU segments, in the order of their slots: by period, as the paper numbers them, ties by the
 * scenario's order. `order`: their indices in the set; both have room for set->count. Returns how many there are. The tasks' times mean
 * nothing where tdm_refusal is not NULL. */
size_t tdm_tasks_of(const struct grt_analysis_set *set, struct tdm_task *tasks, uint32_t *order);

/* Why nothing can be guaranteed to a set, whatever the parameters, as a clause in `text`; false if something can be. */
bool tdm_refusal(const struct grt_analysis_set *set, char text[TDM_REASON_SIZE]);

/* Why the parameters contradict each other, in `text`; false if they do not. */
bool tdm_period_refusal(const struct tdm_parameters *parameters, char text[TDM_REASON_SIZE]);

/* What a job of a task computes on its core, at most: it is missing from the window of the slots. */
int64_t tdm_cpu_time(const struct grt_analysis_task *task);

#endif
