/* The parameters of the policies `gpu-server`, `mpcp` and `fmlp+`, which their analyses read too. */
#ifndef GRT_POLICIES_LOCKS_PARAMETERS_H
#define GRT_POLICIES_LOCKS_PARAMETERS_H

#include <stdint.h>

#include "policies/analyses/lock.h"

struct grt_server_parameters {
    int64_t core;         /* of the server's thread; -1: one of its own */
    int64_t epsilon;      /* ns: what the server computes for a request, at its begin and at its end */
    int64_t enqueue_cost; /* enum grt_lock_enqueue */
    int64_t budget;       /* ns: after which a request is cut; 0: never */
};

/* `mpcp` and `fmlp+`. Zero is the default of all. */
struct grt_lock_parameters {
    int64_t waiting; /* enum grt_lock_waiting */
    int64_t boost;   /* enum grt_lock_boost; mpcp only */
    int64_t budget;  /* ns: after which a holder's request is cut; 0: never */
};

/* What holds where no parameters are given. */
struct grt_server_parameters grt_server_default_parameters(void);

#endif
