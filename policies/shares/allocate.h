/* Algorithm 1 of Y. Yao et al., "WAMP2S: Workload-Aware GPU Performance Model Based Pseudo-Preemptive Real-Time Scheduling for the Airborne
 * Embedded System", IEEE TPDS 33(11), 2022, from its line 11 on: how the 100 vprocessors of a GPU are shared out among those that are active, the
 * highest priority first, each as few as suffice for its deadline, and what is left over in proportion to the priorities. A pure function. Its findings
 * and what was decided of each: docs/decisions/0030-wamp2s.md. */
#ifndef GRT_POLICIES_SHARES_ALLOCATE_H
#define GRT_POLICIES_SHARES_ALLOCATE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/time.h"

/* How the listing is read. */
enum shares_variant {
    /* Shares may sum to 100. Who does not fit, or cannot meet his deadline any more, even without his margin, is passed over; what is left over goes to those first: one
     * vprocessor each, and more in the order of their priorities, as much as each can use; then to all in proportion, and what rounding leaves to the
     * highest priority. */
    SHARES_CORRECTED,

    /* As printed, but for line 25, which stands where the text contradicts it: shares sum to less than 100 (lines 15 and 28), the first one that
     * does not fit ends the pass, with nothing for himself and all below, and what rounding leaves stays idle. */
    SHARES_PAPER,

    /* With line 25 where it is printed, inside the branch of those that are active: what was found to be needed is set to 0 again, and only what
     * is left over is ever shared out. */
    SHARES_LISTING
};

/* Nobody needs as much: no share suffices. */
#define SHARES_NEVER 101

/* One that is active. */
struct shares_demand {
    const grt_time *times; /* M_WCET: as in struct shares_segment */
    int64_t enough;        /* the same */
    int64_t share;         /* 1 to 100: for which `remaining` was predicted */
    double remaining;      /* ns until it is done with that share; above 0 */
    grt_time slack;        /* ns in which it shall be done; GRT_TIME_NEVER: it has no deadline */
    /* ns by which it may come out later all the same, where it would not fit otherwise: SHARES_CORRECTED; 0 or more */
    grt_time margin;
    uint64_t weight; /* its priority in the proportion; 1 or more */
};

/* The least share with which it is done in time by equations (12) and (13), 1 to 100, or SHARES_NEVER. */
int64_t shares_needed(const struct shares_demand *demand);

/* Fills shares[0 .. count), 0 to 100 each and at most 100 in sum, of demands that are sorted by priority, the highest first. Returns the verdict:
 * whether everybody has what he needs ("schedulable"). */
bool shares_allocate(const struct shares_demand *demands, uint32_t count, enum shares_variant variant,
                     int64_t *shares);

#endif
