/* What is found once for all runs of a scenario by policies that predict: the matrix, and the networks of the kernels. */
#ifndef GRT_POLICIES_SHARES_PREPARED_H
#define GRT_POLICIES_SHARES_PREPARED_H

#include "policies/shares/matrix.h"
#include "policies/shares/predictor.h"
#include "sim/error.h"

struct shares_prepared {
    const struct shares_matrix *matrix;
    bool has_counters;   /* some kernel's usage has */
    const char *failure; /* why no networks could be trained; NULL: they were, or need not be */
    /* a kernel that has counters, and no network though the scenario has some; NULL: there is none */
    const char *without_network;
};

/* For `prepare` of a policy; it lives as long as the arena. */
const struct shares_prepared *shares_prepare(const struct grt_scenario *scenario,
                                             enum shares_predictor_kind kind, struct grt_arena *arena);

/* Whether a policy, whose name is for the error, can predict by that; false after adding an error. */
bool shares_prepared_check(const struct shares_prepared *prepared, const char *policy_name,
                           struct grt_errors *errors);

#endif
