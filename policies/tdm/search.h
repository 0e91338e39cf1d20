/* What the ways of finding the server's period T share: inside of assignment.c, place.c, cubic.c and exact.c only.
 *
 * Everywhere the paper's T_i is the window of a job: from its latest release to its deadline, or to the next arrival where that comes first,
 * so that never two jobs of a task wait. */
#ifndef GRT_POLICIES_TDM_SEARCH_H
#define GRT_POLICIES_TDM_SEARCH_H

#include "policies/tdm/assignment.h"

/* Nanoseconds, of any type, as milliseconds for a reason. */
#define TDM_MS(time) ((double)(time) / 1e6)

/* A call of tdm_assign. */
struct tdm_search {
    const struct tdm_task *tasks;
    size_t count;
    const struct tdm_rule *rule;
    /* of the period tried last; a length is taken over where the count stays the same */
    struct tdm_slot *slots;
    struct tdm_assignment *assignment;
};

/* The task set as real numbers. For every T, load >= utilisation + overhead / T: a slot is at least work / m_i + overhead_i, and m_i T is at
 * most the window. Work and overhead are C_i and delta_i, but that a single kernel's launch, which is in C_i once and in each slot again,
 * counts as overhead. */
struct tdm_demand {
    double utilisation; /* U: sum of work / window */
    double square;      /* S: sum of work / window, each over (window / shortest)^2 */
    double overhead;    /* sum, ns */
    /* 1/ns: sum of work / window^2 where no count is above window / T - 1, so that load >= utilisation + slope T + overhead / T; else 0 */
    double slope;
    int64_t shortest; /* T_1: the least window, ns */
};

/* From a job's latest release to the instant at which it has to be done: min(D_i, T_i) - J_i, or 0 if that is less. */
int64_t tdm_window(const struct tdm_task *task);

struct tdm_demand tdm_demand_of(const struct tdm_search *search);

/* A task's count and length at a period, after slots of `before` ns; the count is 0 where it has none; and the next smaller period at which they
 * change. Does not touch the offset. What the slot was at another period saves divisions, and has no influence otherwise. */
void tdm_place(const struct tdm_task *task, const struct tdm_rule *rule, int64_t period, int64_t before,
               struct tdm_slot *slot);

/* Whether counts depend on the slots before. */
bool tdm_depends_on_place(const struct tdm_rule *rule);

/* Slots and load for the period; true where every task has a slot and they fit. Ends at the first task that has none. Writes no reason. */
bool tdm_try(const struct tdm_search *search, int64_t period);

/* Says why there is no assignment; printf-like. Returns false. */
bool tdm_refuse(struct tdm_assignment *assignment, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Says why the period tried last failed. Returns false. */
bool tdm_refuse_tried(const struct tdm_search *search);

/* The methods. */
bool tdm_cubic(const struct tdm_search *search);
bool tdm_paper(const struct tdm_search *search);
bool tdm_exact(const struct tdm_search *search);

#endif
