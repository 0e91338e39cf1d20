/* What jobs with deadlines in a span ask of a GPU, and the search for a span in which it cannot be done: shared by the analyses of
 * earliest deadline first.
 *
 * Source: the processor demand of S. K. Baruah, L. E. Rosier, R. R. Howell, "Algorithms and Complexity Concerning the Preemptive
 * Scheduling of Periodic, Real-Time Tasks on One Processor", Real-Time Systems 2, 1990; the search of F. Zhang, A. Burns,
 * "Schedulability Analysis for Real-Time Systems with EDF Scheduling", IEEE Transactions on Computers 58(9), 2009 (QPA). */
#ifndef GRT_POLICIES_ANALYSIS_DEMAND_H
#define GRT_POLICIES_ANALYSIS_DEMAND_H

#include "policies/analysis_requests.h"

/* The most time that requests made within t ns, of jobs whose deadlines are within them, too, ask for; t >= 0. */
requests_wide demand_in(const struct request_stream *streams, size_t count, int64_t t);

/* The largest t at most `most` at which the demand steps up; below 0: there is none. */
int64_t demand_last_step(const struct request_stream *streams, size_t count, int64_t most);

/* A time t from which on the demand is at most t, or beyond which the GPU cannot have been busy all the time: the least of the
 * synchronous busy period and the bound of the load, sum of (T - D) C / T / (1 - U). REQUESTS_HORIZON: none was found. The load must
 * not be above one. */
int64_t demand_horizon(struct requests *requests);

enum demand_search { DEMAND_MET, DEMAND_EXCEEDED, DEMAND_TOO_LONG };

/* Whether demand + blocking <= t for all steps t in [from, to], from >= 0. Where not, `at` is one for which it is not.
 *
 * Downwards as QPA: if demand + blocking = h < t, then it is at most h < t' for all t' in (h, t), so that h is the next to look at. */
enum demand_search demand_search(struct requests *requests, int64_t from, int64_t to, int64_t blocking,
                                 int64_t *at);

/* The task of a stream with a deadline at step t. */
uint32_t demand_task_at(const struct requests *requests, int64_t t);

#endif
