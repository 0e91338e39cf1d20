/* Small policies that use the cores, locks and a server as the papers have them, and may be told to do something wrong, for the tests of the auditor. They are a second
 * hand beside policies/: plain, with loops instead of queues. */
#ifndef GRT_TESTS_SUPPORT_FAULTY_POLICIES_H
#define GRT_TESTS_SUPPORT_FAULTY_POLICIES_H

#include "models/policy.h"

/* What a policy does wrong. */
enum grt_host_fault {
    GRT_HOST_NO_FAULT,
    GRT_HOST_LAST_FIRST,     /* the one that should be the last goes first */
    GRT_HOST_TWO_AT_A_TIME,  /* two have the GPU */
    GRT_HOST_LEAVES_IDLE,    /* a released GPU rests for 5 ns */
    GRT_HOST_NOT_BOOSTED,    /* every third holder keeps its priority */
    GRT_HOST_BOOSTED_LONG,   /* every third one keeps the raised one */
    GRT_HOST_BOOSTED_BADLY,  /* every third one to 1 less than stated */
    GRT_HOST_WAITS_BADLY,    /* suspends where it should busy-wait, or the other way round */
    GRT_HOST_COST_FORGOTTEN, /* server: every third request costs nothing at its end */
    GRT_HOST_PART_CHANGED,   /* server: a host part takes 1 ns longer */
    GRT_HOST_SLOW,           /* server: it rests for 5 ns before it executes a request */
    GRT_HOST_FAULTS
};

/* Locks: one holder per GPU. */
struct grt_host_lock {
    bool by_request; /* else by priority */
    bool spins;
    int64_t boost; /* priority of holders: this plus the task's */
    int64_t fault; /* enum grt_host_fault */
};
extern const struct grt_policy_ops grt_host_mpcp, grt_host_fmlp; /* parameters: struct grt_host_lock */

/* A server per GPU. */
struct grt_host_server {
    int64_t core;  /* of their threads; -1: cores of their own */
    grt_time cost; /* epsilon */
    bool charged;  /* a request costs epsilon even if the server is busy */
    int64_t fault;
};
extern const struct grt_policy_ops grt_host_server; /* parameters: struct grt_host_server */

#endif
