/* Analyses of earliest deadline first by demand: what jobs with deadlines in a span ask of a GPU, and the search for a span in which it
 * cannot be done.
 *
 * Source: S. K. Baruah, L. E. Rosier, R. R. Howell, "Algorithms and Complexity Concerning the Preemptive Scheduling of Periodic, Real-Time
 * Tasks on One Processor", Real-Time Systems 2, 1990: the demand; L. George, N. Rivierre, M. Spuri, "Preemptive and Non-Preemptive Real-Time
 * Uniprocessor Scheduling", INRIA research report 2966, 1996: what blocks; F. Zhang, A. Burns, "Schedulability Analysis for Real-Time
 * Systems with EDF Scheduling", IEEE Transactions on Computers 58(9), 2009: the search (QPA).
 *
 * U <= 1, and for all t
 *     sum of (floor((t - D_i) / T_i) + 1) C_i over D_i <= t  +  max of C_j - tick over D_j > t  <=  t.
 * Symbols: C cost, T period, D deadline of struct request_stream. Spans below the least deadline have no demand; those above the longest
 * have no blocking, and need to be looked at up to the synchronous busy period, or to sum of (T - D) C / T / (1 - U), only. */
#ifndef GRT_POLICIES_ANALYSES_DEMAND_H
#define GRT_POLICIES_ANALYSES_DEMAND_H

#include "policies/analyses/requests.h"

/* How much of a request has passed when those come that it blocks: a nanosecond in a world of whole nanoseconds; nothing in one without
 * ticks; all, where it is preempted. */
enum { DEMAND_CONTINUOUS = 0, DEMAND_WHOLE = 1 };
#define DEMAND_PREEMPTIVE REQUESTS_LONGEST

/* Stores the verdict. Where the requests are plain and `tick` is not DEMAND_CONTINUOUS it is exact: the witness releases the longest
 * request that blocks at 0 and all others at 1 (all at 0 where none blocks). Release jitter and CPU segments ahead bring deadlines closer to
 * requests; other CPU segments are refused. */
void demand_analyse(const struct grt_analysis_set *set, struct grt_analysis_result *result, int64_t tick);

#endif
