/* Random task sets for analyses of locks, in the form of the reference and in that of the analyses. */
#ifndef GRT_TESTS_SUPPORT_LOCK_CASE_H
#define GRT_TESTS_SUPPORT_LOCK_CASE_H

#include "policies/analyses/lock.h"
#include "sim/random.h"
#include "tests/support/reference_lock.h"

/* A set in both forms, and what comes out. */
struct lock_case {
    struct grt_reference_lock reference;
    struct grt_lock_task tasks[GRT_REFERENCE_LOCK_TASKS];
    struct grt_lock_costs costs;
    struct grt_mpcp_rules mpcp;
    struct grt_fmlp_rules fmlp;
    struct grt_server_rules server;
    struct grt_lock_result result;
    int64_t response[GRT_REFERENCE_LOCK_TASKS], wait[GRT_REFERENCE_LOCK_TASKS];
};

/* Draws up to seven tasks on up to three cores and two GPUs, costs of the platform now and then; no rules. */
void lock_case_draw(struct lock_case *it, struct grt_random *random);

/* Makes the analyses' tasks of the reference's. */
void lock_case_take(struct lock_case *it);

/* Runs the analysis of reference.protocol. */
void lock_case_analyse(struct lock_case *it);

#endif
