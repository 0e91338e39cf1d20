/* Which times of a task declare a worst case that no model stands behind: measured ones that were refused, or that methods did not agree on (sim/distribution.h). */
#ifndef GRT_MODELS_TASK_EVIDENCE_H
#define GRT_MODELS_TASK_EVIDENCE_H

#include "models/task.h"

/* One of them. */
struct grt_unfounded {
    const char *name; /* of the kernel; NULL: times of the task's own code */
    int64_t evidence; /* enum grt_evidence: no model, or refused */
};

/* The first `most` of a task's: each kernel once, those that blocks launch as well. Returns how many. */
size_t grt_task_unfounded(const struct grt_task *task, struct grt_unfounded *out, size_t most);

/* What such a time rests on, after its name: "rests on no model: ...". Static. */
const char *grt_unfounded_reason(int64_t evidence);

#endif
