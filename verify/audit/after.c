/* Jobs that come after others: for each edge, what the jobs of the one before left for the one behind. */
#include <stdlib.h>

#include "verify/audit/internal.h"

/* What job number first + i left; `there` is false while it has not ended. */
struct left {
    grt_time arrival, instant;
    bool there, lost;
};

struct audit_edge {
    struct left *items; /* a ring */
    uint32_t first, count, capacity;
    uint64_t first_job;
};

static struct left *at(const struct audit_edge *edge, uint32_t index) {
    return &edge->items[(edge->first + index) & (edge->capacity - 1)];
}

static void grow(struct audit_edge *edge) {
    uint32_t capacity = edge->capacity > 0 ? 2 * edge->capacity : GRT_FIRST_CAPACITY(4);
    struct left *items = grt_allocate(capacity * sizeof *items);
    for (uint32_t i = 0; i < edge->count; i++) {
        items[i] = *at(edge, i);
    }
    free(edge->items);
    edge->items = items;
    edge->first = 0;
    edge->capacity = capacity;
}

static void put(struct audit_edge *edge, uint64_t job, struct left item) {
    if (job < edge->first_job) { /* of a spoilt trace: it was taken already */
        return;
    }
    while (edge->first_job + edge->count <= job) {
        if (edge->count == edge->capacity) {
            grow(edge);
        }
        *at(edge, edge->count++) = (struct left){0};
    }
    *at(edge, (uint32_t)(job - edge->first_job)) = item;
}

void audit_hand_over(struct audit_task *task, uint64_t job, grt_time arrival, grt_time now, bool lost) {
    for (uint32_t i = 0; i < task->edge_count; i++) {
        put(&task->edges[i], job, (struct left){arrival, now, true, lost});
    }
}

bool audit_after_take(struct audit_task *task, grt_time *arrival, grt_time *instant, bool *lost) {
    *arrival = *instant = 0;
    *lost = false;
    for (uint32_t i = 0; i < task->incoming_count; i++) {
        const struct audit_edge *edge = task->incoming[i];
        if (edge->count == 0 || !at(edge, 0)->there) {
            return false;
        }
    }
    for (uint32_t i = 0; i < task->incoming_count; i++) {
        struct audit_edge *edge = task->incoming[i];
        struct left item = *at(edge, 0);
        edge->first = (edge->first + 1) & (edge->capacity - 1);
        edge->first_job++;
        edge->count--;
        *arrival = item.arrival > *arrival ? item.arrival : *arrival;
        *instant = item.instant > *instant ? item.instant : *instant;
        *lost |= item.lost;
    }
    return true;
}

void audit_after_create(struct grt_audit *audit) {
    const struct grt_scenario *scenario = audit->scenario;
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        for (size_t j = 0; j < scenario->tasks[i].after_count; j++) {
            audit->tasks[scenario->tasks[i].after[j]].edge_count++;
        }
    }
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        struct audit_task *task = &audit->tasks[i];
        task->edges = grt_arena_array(&audit->arena, task->edge_count, sizeof *task->edges);
        task->edge_count = 0;
    }
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        struct audit_task *task = &audit->tasks[i];
        task->incoming = grt_arena_array(&audit->arena, task->spec->after_count, sizeof *task->incoming);
        for (size_t j = 0; j < task->spec->after_count; j++) {
            struct audit_task *before = &audit->tasks[task->spec->after[j]];
            task->incoming[task->incoming_count++] = &before->edges[before->edge_count++];
        }
    }
}

void audit_after_free(struct grt_audit *audit) {
    for (uint32_t i = 0; i < audit->scenario->task_count; i++) {
        for (uint32_t j = 0; j < audit->tasks[i].edge_count; j++) {
            free(audit->tasks[i].edges[j].items);
        }
    }
}
