/* Response times under fixed priorities on a GPU that executes one segment at a time, preemptively or not: shared by the analyses of
 * these.
 *
 * Symbols, for a task i: C, T, J, D of struct request_stream; hp(i) all others of higher priority or the same, which may go either way;
 * B_i what lower ones block. Within the longest span during which the GPU executes only hp(i), i and one blocking request (the level-i busy
 * period, from its start at 0) request q of i, from 0, ends at
 *     not preemptive:  s + C_i, s the least with  s = B_i + q C_i + sum of (floor((s + J_k) / T_k) + 1) C_k
 *     preemptive:      e,       e the least with  e = (q + 1) C_i + sum of ceil((e + J_k) / T_k) C_k
 *     blocked once:    the same with B_i besides
 * at the latest. */
#ifndef GRT_POLICIES_ANALYSES_FIXED_PRIORITY_H
#define GRT_POLICIES_ANALYSES_FIXED_PRIORITY_H

#include "policies/analyses/requests.h"

/* How priorities are given, and what they do. */
struct fixed_priority {
    int64_t (*key)(const struct grt_analysis_task *task); /* the smaller goes first */
    bool preemptive;

    /* Preemptive, but lower requests may block a busy period once: called when the streams are sorted, makes costs longer, and sets
     * `longest_behind` to what each may be blocked for, and a nanosecond. False after refusing. Then no failure is proven. NULL: nothing
     * blocks. */
    bool (*prepare)(struct requests *requests, const struct grt_analysis_set *set,
                    struct grt_analysis_result *result);
};

/* Stores responses and the verdict. Where the requests are plain and no other task's key is the same, what is said of a task is
 * exact: the witness releases the longest lower request at 0 and all others at 1 (all at 0 where none blocks). */
void fixed_priority_analyse(const struct fixed_priority *rules, const struct grt_analysis_set *set,
                            struct grt_analysis_result *result);

#endif
