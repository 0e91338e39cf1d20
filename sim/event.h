/* The queue of pending events: a winner tree (a tournament) with one slot per source of events. Scheduling,
 * moving and cancelling are the same single pass from a leaf to the root; there are no event objects and nothing is
 * allocated while it runs. Keys are (time, order), compared as one 128-bit number. */
#ifndef GRT_SIM_EVENT_H
#define GRT_SIM_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/check.h"
#include "sim/time.h"

/* The low bits of an order hold the slot; what stands above them decides between events of equal time. */
enum { GRT_EVENT_SLOT_BITS = 20, GRT_EVENT_MAX_SLOTS = 1 << GRT_EVENT_SLOT_BITS };

struct grt_event {
    uint64_t order;
    grt_time time; /* GRT_TIME_NEVER: nothing pending */
};

struct grt_event_queue {
    struct grt_event *nodes; /* nodes[1] is the root, the leaf of slot s is nodes[capacity + s] */
    uint32_t capacity;       /* a power of two; 0 before the first slot */
};

/* An empty queue is {0}. Frees its memory. */
void grt_event_queue_free(struct grt_event_queue *queue);

/* Makes room for slots 0 .. slots - 1, all idle at first; keeps what is pending. */
void grt_event_queue_reserve(struct grt_event_queue *queue, uint32_t slots);

/* The order of an event: `rank` decides between events of equal time, then the slot. rank < 2^44. */
static inline uint64_t grt_event_order(uint64_t rank, uint32_t slot) {
    return rank << GRT_EVENT_SLOT_BITS | slot;
}

static inline uint32_t grt_event_slot(const struct grt_event *event) {
    return (uint32_t)(event->order & (GRT_EVENT_MAX_SLOTS - 1));
}

/* The earliest event; its time is GRT_TIME_NEVER if nothing is pending. The queue must have a slot. */
static inline const struct grt_event *grt_event_top(const struct grt_event_queue *queue) {
    return &queue->nodes[1];
}

/* The instant at which a slot is pending, or GRT_TIME_NEVER. */
static inline grt_time grt_event_time(const struct grt_event_queue *queue, uint32_t slot) {
    return queue->nodes[queue->capacity + slot].time;
}

/* The smaller of two events. The choice is made without a branch, which could not be predicted. */
static inline struct grt_event grt_event_min(struct grt_event a, struct grt_event b) {
#if defined(__x86_64__)
    /* compilers turn the plain choice into a branch: 3 to 5 times slower at these mispredictions */
    grt_time difference = b.time;
    __asm__(
        "cmpq %[order], %[b_order]\n\t"
        "sbbq %[time], %[difference]\n\t"
        "cmovb %[b_order], %[order]\n\t"
        "cmovb %[b_time], %[time]"
        /* &: b.time may equal a.order, but must not share the register, which is written before b.time is read */
        : [order] "+&r"(a.order), [time] "+r"(a.time), [difference] "+&r"(difference)
        : [b_order] "r"(b.order), [b_time] "r"(b.time)
        : "cc");
    return a;
#else
    bool second = b.time < a.time || (b.time == a.time && b.order < a.order);
    uint64_t mask = 0 - (uint64_t)second;
    return (struct grt_event){a.order ^ ((a.order ^ b.order) & mask),
                              (grt_time)((uint64_t)a.time ^ (((uint64_t)a.time ^ (uint64_t)b.time) & mask))};
#endif
}

/* Replaces what a slot has pending: an instant and the event's order (grt_event_order with this slot). */
static inline void grt_event_set(struct grt_event_queue *queue, uint32_t slot, grt_time time,
                                 uint64_t order) {
    GRT_ASSERT(slot < queue->capacity && time >= 0, "reserve the slot and give an instant of the run");
    struct grt_event *nodes = queue->nodes, winner = {order, time};
    size_t node = (size_t)queue->capacity + slot;
    nodes[node] = winner;
    for (; node > 1; node >>= 1) {
        winner = grt_event_min(winner, nodes[node ^ 1]);
        nodes[node >> 1] = winner;
    }
}

/* Makes a slot idle. */
static inline void grt_event_cancel(struct grt_event_queue *queue, uint32_t slot) {
    grt_event_set(queue, slot, GRT_TIME_NEVER, grt_event_order(0, slot));
}

/* Makes a slot idle without the pass to the root, which the next grt_event_set of this slot makes up for: one pass instead
 * of two for what is likely to be pending again. Until then the top is not to be used. */
static inline void grt_event_vacate(struct grt_event_queue *queue, uint32_t slot) {
    queue->nodes[queue->capacity + slot].time = GRT_TIME_NEVER;
}

/* Whether another slot is pending at the instant of the earliest. */
static inline bool grt_event_is_tied(const struct grt_event_queue *queue) {
    struct grt_event top = *grt_event_top(queue);
    for (size_t node = (size_t)queue->capacity + grt_event_slot(&top); node > 1; node >>= 1) {
        if (queue->nodes[node ^ 1].time == top.time) {
            return true;
        }
    }
    return false;
}

#endif
