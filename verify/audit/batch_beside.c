/* What the segments of a batch do beside each other: algorithms 1 to 4 of P. Muyan-Ozcelik, J. D. Owens, "Multitasking Real-time Embedded GPU
 * Computing Tasks", PMAM 2016. In CPU-TRADITIONAL one segment comes after the other; in CPU-INTERLEAVE the kernels of the second wait for those of the
 * first; in all of these the copies in of the second wait for those of the first. */
#include "verify/audit/batch.h"

/* Against another one of the batch. */
static void check_beside(struct grt_audit *audit, struct batch *self, const struct audit_task *task,
                         uint32_t number, const struct grt_trace_record *record) {
    const struct batch_task *own = &self->tasks[task->number], *other = &self->tasks[number];
    bool draining = audit->tasks[number].state == AUDIT_DRAINING;
    bool waits_for = !other->ended && !draining && batch_surely_before(audit, &other->key, &own->key);
    bool copy_in = record->kind == GRT_TRACE_COPY && (record->flags & GRT_TRACE_D2H) == 0 &&
                   grt_trace_command(record->detail) < own->first_kernel;
    switch (audit->promise.policy.overlap) {
    case GRT_OVERLAP_NONE:
        audit_check(audit, self->rules + BATCH_APART, !other->begun || other->ended, record,
                    "executes a command while another segment of the batch is not done");
        if (!own->begun) {
            audit_check(audit, self->rules + BATCH_FIRST_GO, !waits_for, record,
                        "executes its first command before one of the batch that is more urgent");
        }
        break;
    case GRT_OVERLAP_COPIES:
        if (record->kind == GRT_TRACE_KERNEL) {
            audit_check(audit, self->rules + BATCH_APART,
                        other->kernel_end == AUDIT_UNKNOWN || record->other >= other->kernel_end, record,
                        "has a kernel beside one of another segment of the batch");
        }
        break;
    default:
        break;
    }
    if (copy_in && waits_for && audit->promise.policy.copies_follow) {
        audit_check(audit, self->rules + BATCH_COPIES_FOLLOW,
                    other->next >= other->first_kernel && other->copied <= record->other, record,
                    "has a copy in front of its kernels before those of a more urgent segment are done");
    }
}

void batch_check_beside(struct grt_audit *audit, struct batch *self, struct batch_gpu *gpu,
                        const struct audit_task *task, const struct grt_trace_record *record) {
    for (uint32_t i = 0; i < gpu->member_count; i++) {
        if (gpu->members[i] != task->number) {
            check_beside(audit, self, task, gpu->members[i], record);
        }
    }
    if (audit->promise.policy.overlap == GRT_OVERLAP_NONE) {
        audit_check(audit, self->rules + BATCH_APART, record->other >= gpu->end, record,
                    "began a command while another segment of the batch was not done");
    }
}
