/* What `wamp2s` finds once for all runs of a scenario: the matrix, and the networks of the kernels. */
#ifndef GRT_POLICIES_SHARES_PREPARED_H
#define GRT_POLICIES_SHARES_PREPARED_H

#include "policies/shares/matrix.h"
#include "policies/shares/parameters.h"
#include "sim/error.h"

struct wamp2s_prepared {
    const struct shares_matrix *matrix;
    bool has_counters;   /* some kernel's usage has */
    const char *failure; /* why no networks could be trained; NULL: they were, or need not be */
    const char *
        without_network; /* a kernel that has counters, and no network though the scenario has some; NULL: there is none */
};

/* A struct wamp2s_prepared: `prepare` of the policy. */
const void *wamp2s_prepare(const struct grt_scenario *scenario, const void *parameters,
                           struct grt_arena *arena);

/* Whether the policy can run by that; false after adding an error. */
bool wamp2s_check(const struct wamp2s_parameters *given, const struct wamp2s_prepared *prepared,
                  struct grt_errors *errors);

#endif
