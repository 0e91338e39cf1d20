/* Processes that take turns on a GPU: one at a time has the SMs, and executes blocks only then (T2r). A stay comes when it ends; blocks
 * that are thrown away then come behind it. */
#include "verify/audit/internal.h"

void audit_stays_create(struct grt_audit *audit) {
    size_t count = audit->scenario->process_count;
    for (uint32_t i = 0; i < audit->scenario->gpu_count; i++) {
        struct audit_stays *stays = &audit->gpus[i].stays;
        stays->present = AUDIT_NONE;
        stays->labels = grt_arena_array(&audit->arena, count, sizeof *stays->labels);
        for (size_t j = 0; j < count; j++) {
            stays->labels[j] = AUDIT_NONE;
        }
    }
}

/* Whether a label can be that of a process: the records number processes in an order of their own. */
static bool can_be(const struct grt_audit *audit, struct audit_stays *stays, uint32_t label,
                   uint32_t process) {
    for (uint32_t i = 0; i < audit->scenario->process_count; i++) {
        if (i != process && stays->labels[i] == label) {
            return false;
        }
    }
    stays->labels[process] = stays->labels[process] == AUDIT_NONE ? label : stays->labels[process];
    return stays->labels[process] == label;
}

void audit_stay(struct grt_audit *audit, const struct grt_trace_record *record) {
    if (record->row >= audit->scenario->gpu_count) {
        return;
    }
    const struct audit_gpu *gpu = &audit->gpus[record->row];
    struct audit_stays *stays = &audit->gpus[record->row].stays;
    audit_check(audit, AUDIT_CONTEXTS, record->other >= stays->end, record,
                "a process has the SMs before the one before it has left them");
    if (stays->present != AUDIT_NONE && !gpu->stretched) {
        audit_check(audit, AUDIT_CONTEXTS,
                    can_be(audit, stays, record->detail, stays->present) && stays->from >= record->other,
                    record,
                    "a process has the SMs, but blocks of another one, or earlier ones, were on them");
    }
    stays->label = record->detail;
    stays->start = record->other;
    stays->end = record->time;
    stays->present = AUDIT_NONE;
}

/* Blocks that can be switched out last from their first stay to their last. */
void audit_stay_block(struct grt_audit *audit, struct audit_gpu *gpu, const struct audit_task *task,
                      const struct grt_trace_record *record) {
    struct audit_stays *stays = &gpu->stays;
    uint32_t process = (uint32_t)task->spec->process;
    if (!gpu->turns || gpu->stretched) {
        return;
    }
    bool good, at_end = record->other == record->time &&
                        record->time == stays->end; /* an item that was just begun */
    if (record->other < stays->end || at_end) {
        good = record->other >= stays->start && record->time <= stays->end &&
               can_be(audit, stays, stays->label, process);
    } else {
        bool first = stays->present == AUDIT_NONE;
        good = first || stays->present == process;
        stays->from = first || record->other < stays->from ? record->other : stays->from;
        stays->present = process;
    }
    audit_check(audit, AUDIT_CONTEXTS, good, record, "has a block while its process does not have the SMs");
}

void audit_stays_finish(struct grt_audit *audit) {
    for (uint32_t i = 0; i < audit->scenario->gpu_count; i++) {
        const struct audit_stays *stays = &audit->gpus[i].stays;
        if (stays->present != AUDIT_NONE) {
            audit_find(audit, AUDIT_CONTEXTS, stays->from, AUDIT_NONE, 0,
                       "blocks were executed, but no process had the SMs");
        }
    }
}
