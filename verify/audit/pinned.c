/* Pinned kernels (W8): blocks work on the SMs that the kernel is pinned to and exit on others, no item is left while a block looks for one
 * there, and what is lost is told.
 *
 * A block that works has a slice for each item, which follow each other on its SM; when a slice comes with which its block goes on, it is
 * noted that the next must begin there and then. */
#include <stdlib.h>

#include "verify/audit/internal.h"

/* A block that goes on with another item: where, and since when; or, its last one having been thrown away, later. */
struct worker {
    uint32_t block, row;
    grt_time since;
    bool later;
};

/* The present kernel of a task, if it is pinned. */
struct audit_pinned {
    uint64_t items; /* that were begun */
    grt_time last_item,
        first_without; /* latest start of one; earliest of a block that found none left on a right SM */
    uint64_t lost;     /* as the trace says */
    struct worker *workers;
    uint32_t count, capacity;
};

static void clear(struct audit_pinned *pinned) {
    pinned->items = pinned->lost = 0;
    pinned->last_item = 0;
    pinned->first_without = GRT_TIME_NEVER;
    pinned->count = 0;
}

void audit_pinned_create(struct grt_audit *audit, struct audit_task *task) {
    if (task->pinned == NULL) {
        task->pinned = grt_arena_array(&audit->arena, 1, sizeof *task->pinned);
        clear(task->pinned);
    }
}

void audit_pinned_free(struct audit_task *task) {
    if (task->pinned != NULL) {
        free(task->pinned->workers);
    }
}

/* A slice of a block: if another one must come before it, whether that did. *again: what the block did then was thrown away. */
static bool follows(struct audit_pinned *pinned, const struct grt_trace_record *record, bool *again) {
    *again = false;
    for (uint32_t i = 0; i < pinned->count; i++) {
        struct worker *worker = &pinned->workers[i];
        if (worker->block == record->detail) {
            bool good = worker->row == record->row &&
                        (worker->later ? worker->since <= record->other : worker->since == record->other);
            *again = worker->later;
            *worker = pinned->workers[--pinned->count];
            return good;
        }
    }
    return true;
}

static void note_worker(struct audit_pinned *pinned, const struct grt_trace_record *record, bool later) {
    pinned->workers =
        grt_array_grow(pinned->workers, &pinned->capacity, pinned->count + 1, sizeof *pinned->workers);
    pinned->workers[pinned->count++] =
        (struct worker){.block = record->detail, .row = record->row, .since = record->time, .later = later};
}

static void check_exit(struct grt_audit *audit, const struct audit_gpu *gpu, struct audit_pinned *pinned,
                       const struct audit_kernel *kernel, const struct grt_trace_record *record, bool again) {
    grt_time length = record->time - record->other;
    bool cut = (record->flags & (GRT_TRACE_PREEMPTED | GRT_TRACE_OPEN)) != 0;
    bool good = (length <= kernel->exit_time || gpu->stretched) && (cut || length >= kernel->exit_time);
    audit_check(audit, AUDIT_BLOCK_TIMES, good, record, "has a block that takes another time to exit");
    uint32_t sm = grt_trace_row(record->row) - gpu->first_sm;
    if (sm < gpu->device->sm_count && kernel->pinned_to[sm] && !again &&
        record->other < pinned->first_without) {
        pinned->first_without = record->other;
    }
}

static void check_item(struct grt_audit *audit, const struct audit_gpu *gpu, struct audit_pinned *pinned,
                       const struct audit_kernel *kernel, const struct grt_trace_record *record, bool again) {
    uint32_t sm = grt_trace_row(record->row) - gpu->first_sm;
    audit_check(audit, AUDIT_PINS, sm < gpu->device->sm_count && kernel->pinned_to[sm], record,
                "has a block that works on an SM that its kernel is not pinned to");
    pinned->items += !again;
    pinned->last_item = record->other > pinned->last_item && !again ? record->other : pinned->last_item;
}

void audit_pinned_block(struct grt_audit *audit, struct audit_task *task, const struct audit_kernel *kernel,
                        const struct grt_trace_record *record) {
    const struct audit_gpu *gpu = &audit->gpus[task->spec->gpu];
    struct audit_pinned *pinned = task->pinned;
    bool again;
    audit_check(audit, AUDIT_PINS, follows(pinned, record, &again), record,
                "has a block that does not take its next item where and when it is done with one");
    if (record->flags & GRT_TRACE_EXITED) {
        check_exit(audit, gpu, pinned, kernel, record, again);
    } else {
        check_item(audit, gpu, pinned, kernel, record, again);
    }
    if (record->flags & (GRT_TRACE_GOES_ON | GRT_TRACE_PREEMPTED)) {
        note_worker(pinned, record, (record->flags & GRT_TRACE_PREEMPTED) != 0);
    }
}

void audit_pinned_lost(struct grt_audit *audit, const struct grt_trace_record *record) {
    struct audit_task *task = &audit->tasks[record->task];
    bool good = task->state == AUDIT_ON_GPU && audit_current(task, record) != NULL && task->pinned != NULL &&
                grt_trace_segment(record->detail) == task->segment &&
                grt_trace_command(record->detail) == task->command;
    if (audit_check(audit, AUDIT_ITEMS, good, record, "loses items of work that it does not have")) {
        task->pinned->lost += (uint64_t)record->other;
    }
}

/* A pinned kernel is over. Where it was aborted, or the run ended, items may be left of which nobody says anything. */
void audit_pinned_end(struct grt_audit *audit, struct audit_task *task, const struct audit_kernel *kernel,
                      const struct grt_trace_record *record) {
    struct audit_pinned *pinned = task->pinned;
    bool whole = (record->flags & (GRT_TRACE_ABORTED | GRT_TRACE_OPEN)) == 0;
    bool sum = whole ? pinned->items + pinned->lost == kernel->items
                     : pinned->items <= kernel->items && pinned->lost == 0;
    audit_check(audit, AUDIT_ITEMS, sum, record, "has items of work that are neither done once nor lost");
    bool looked = pinned->first_without == GRT_TIME_NEVER ||
                  (pinned->items == kernel->items && pinned->last_item <= pinned->first_without);
    bool looped = !whole || pinned->items == 0 || pinned->lost == 0;
    audit_check(audit, AUDIT_PINS, looked && looped && (!whole || pinned->count == 0), record,
                "has a block on the right SM that exits while there is work");
    clear(pinned);
}
