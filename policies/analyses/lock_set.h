/* From an analysis's set to the tasks of lock.h, and from what comes out there to its result: shared by the analyses of locks and of the
 * server. */
#ifndef GRT_POLICIES_ANALYSES_LOCK_SET_H
#define GRT_POLICIES_ANALYSES_LOCK_SET_H

#include "models/analysis.h"
#include "policies/analyses/lock.h"

/* What they cover, but for several GPUs. */
#define LOCK_COVERED                                                                                         \
    (GRT_COVERS_NO_DEADLINE | GRT_COVERS_SEVERAL_SEGMENTS | GRT_COVERS_SHARED_CORES |                        \
     GRT_COVERS_HOST_PARTS | GRT_COVERS_JITTER | GRT_COVERS_CPU_SEGMENTS | GRT_COVERS_LATE_DEADLINES |       \
     GRT_COVERS_DEADLINES_FROM_RELEASES | GRT_COVERS_HOST_COSTS | GRT_COVERS_CPU_ONLY)

/* How long requests last: as declared; or, all of them, until the budget cuts them. */
enum lock_requests { LOCK_REQUESTS_DECLARED, LOCK_REQUESTS_BUDGET };
extern const char *const lock_requests_words[];
#define LOCK_REQUESTS_HELP                                                                                   \
    "`declared`: requests last as long as their segments. `budget`: every request lasts until the policy's " \
    "`budget` cuts it, so that the bounds hold whatever requests do."

struct lock_set {
    struct grt_lock_task *tasks;
    struct grt_lock_costs costs;
    struct grt_lock_result result;
    int64_t budget;
};

/* Takes the set; `budget` in ns, 0: none. Refuses times that are too long, or fails tasks whose requests may be cut, and returns false. Else
 * call lock_set_finish. */
bool lock_set_take(struct lock_set *it, const struct grt_analysis_set *set, int64_t budget, int64_t requests,
                   struct grt_analysis_result *result);

/* Fails what the budget may cut. Stores verdict, responses, waits, and `how` the bounds came about as the reason of a pass; frees. */
void lock_set_finish(struct lock_set *it, const struct grt_analysis_set *set, const char *how,
                     struct grt_analysis_result *result);

#endif
