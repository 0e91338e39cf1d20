/* A priority queue of small numbers (tasks, jobs, threads) with up to three keys: the smallest (key, tie, item)
 * comes first. Its size is bounded by the number of items, so that it never allocates after its creation. */
#ifndef GRT_SIM_READY_QUEUE_H
#define GRT_SIM_READY_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/memory.h"

struct grt_ready_entry {
    int64_t key;
    uint64_t tie;
    uint32_t item;
};

/* The memory belongs to the arena that was given at the creation. */
struct grt_ready_queue {
    struct grt_ready_entry *entries; /* a binary heap */
    uint32_t count, capacity;
};

/* An empty queue for up to `capacity` items at a time. */
struct grt_ready_queue grt_ready_queue_create(struct grt_arena *arena, uint32_t capacity);

/* Adds an item that is not in the queue. */
void grt_ready_queue_push(struct grt_ready_queue *queue, int64_t key, uint64_t tie, uint32_t item);

static inline bool grt_ready_queue_is_empty(const struct grt_ready_queue *queue) {
    return queue->count == 0;
}

/* The first entry; the queue must not be empty. */
static inline const struct grt_ready_entry *grt_ready_queue_top(const struct grt_ready_queue *queue) {
    return &queue->entries[0];
}

/* Removes the first entry and returns its item; the queue must not be empty. */
uint32_t grt_ready_queue_pop(struct grt_ready_queue *queue);

/* Removes an item wherever it is; false if it is not in the queue. Takes time linear in the queue's length. */
bool grt_ready_queue_remove(struct grt_ready_queue *queue, uint32_t item);

#endif
