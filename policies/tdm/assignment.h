/* The parameters of the reservation server of GPU-TDMh: its period T, how many slots m_i a job of each task is sure to get, and the length
 * o_i of each task's slot. Pure: no world, nothing of sim/; the policy `tdm` and its analysis both use it.
 *
 * Source: V. Golyanik, M. Nasri, D. Stricker, "Towards Scheduling Hard Real-Time Image Processing Tasks on a Single GPU", ICIP 2017,
 * section 3.2, equations (1) to (13). Symbols: C, T_i, D_i, delta_i, m_i, o_i, T as there. */
#ifndef GRT_POLICIES_TDM_ASSIGNMENT_H
#define GRT_POLICIES_TDM_ASSIGNMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/step.h"

/* A task as the server sees it. Times in ns. A job has to be done in the window from its latest release to its deadline, or to the next
 * arrival where that comes first: min(D_i, T_i) - J_i. Where deadlines count from the release, give D_i + J_i. */
struct tdm_task {
    int64_t period;   /* T_i, least distance of arrivals, above 0 */
    int64_t deadline; /* D_i, from the arrival, above 0 */
    int64_t jitter;   /* J_i: most that a release is later than the arrival; counted against the deadline */
    int64_t overhead; /* delta_i, of each slot */
    /* What a job executes on the GPU in the worst case; C_i is grt_steps_time of them. */
    const struct grt_step *steps;
    size_t step_count;
    const char *name; /* for messages; NULL: its number */
};

/* How T is found. */
enum tdm_method {
    TDM_CUBIC, /* the paper's cubic, equation (13), repaired: accepts the interval between its two positive roots */
    TDM_PAPER, /* the paper's literal rule: a real root that is at most 0.35 T_1, the least one above 0 that there is */
    TDM_EXACT, /* search over the points where a slot count changes: the least load, to within a hundredth */
    TDM_FIXED, /* T is given */
};

/* How many slots a job is counted to get before its deadline. With window = D_i - J_i: */
enum tdm_count {
    TDM_COUNT_PAPER, /* ceil(window / T) - 2, equation (1) */
    TDM_COUNT_SOUND, /* floor(window / T) - 1: one more where T divides the window */
    TDM_COUNT_TIGHT, /* packed: the most m with m T + sum of o_j of the tasks up to i <= window; table: the most m with
                        m T + o_i <= window */
    TDM_COUNT_UNSOUND, /* floor(window / T), one more than is sure: there to be refuted */
};

/* Where in the server's period the slots are. */
enum tdm_slots {
    TDM_SLOTS_PACKED, /* one behind the other; tasks without a job are passed over, and later ones move up */
    TDM_SLOTS_TABLE,  /* at fixed offsets */
};

struct tdm_rule {
    int64_t method; /* enum tdm_method */
    int64_t count;  /* enum tdm_count */
    int64_t slots;  /* enum tdm_slots */
    int64_t period; /* T for TDM_FIXED, ns */
};

/* What was found for one task. */
struct tdm_slot {
    int64_t count;  /* m_i */
    int64_t length; /* o_i, ns, with delta_i */
    int64_t offset; /* sum of the lengths before it in the server's period, ns */
    /* while T is searched for: the largest T below the one tried at which count or length change */
    int64_t change;
};

enum { TDM_REASON_SIZE = 256 };

struct tdm_assignment {
    bool feasible;
    int64_t period; /* T, ns */
    int64_t budget; /* sum of o_i, ns; at most T where feasible */
    double load;    /* budget / T */
    int64_t steps;  /* slots that were calculated on the way */
    /* a task that has no slot count of at least 1; UINT32_MAX: there is none, or the search saw it of the sums of all tasks */
    uint32_t failing;
    /* Why there is none, as a clause; "" where feasible. . */
    char reason[TDM_REASON_SIZE];
    /* For the output and for tests, TDM_CUBIC and TDM_PAPER only: the coefficients p, q of equation (13) and its real roots, ascending, in ns. */
    double p, q, roots[3];
    int root_count;
};

/* Finds T, m_i and o_i, in whole nanoseconds, and checks the load again with these. `slots`: one per task, filled in; `count` 1 or more.
 * The order of the tasks is that of their slots. False where there is none (`reason`). Allocates nothing that it keeps. */
bool tdm_assign(const struct tdm_task *tasks, size_t count, const struct tdm_rule *rule,
                struct tdm_slot *slots, struct tdm_assignment *assignment);

/* The load, slots, lengths and offsets for a given T; false where some task has no slot, or the load is above 1. */
bool tdm_evaluate(const struct tdm_task *tasks, size_t count, const struct tdm_rule *rule, int64_t period,
                  struct tdm_slot *slots, struct tdm_assignment *assignment);

/* The most from the release of a job of task `task` to its end, where every activation of the server ends within its period: with n slots needed,
 * n T + the slots up to its own (packed), n T + its own (table); without the jitter. GRT_STEP_NEVER where a unit fits into no slot. */
int64_t tdm_response(const struct tdm_task *tasks, uint32_t task, const struct tdm_rule *rule,
                     const struct tdm_slot *slots, int64_t period);

#endif
