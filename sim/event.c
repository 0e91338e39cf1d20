#include "sim/event.h"

#include <stdlib.h>

#include "sim/memory.h"

void grt_event_queue_free(struct grt_event_queue *queue) {
    free(queue->nodes);
    *queue = (struct grt_event_queue){0};
}

static uint32_t power_of_two_above(uint32_t slots) {
    uint32_t capacity = 1;
    while (capacity < slots) {
        capacity *= 2;
    }
    return capacity;
}

void grt_event_queue_reserve(struct grt_event_queue *queue, uint32_t slots) {
    GRT_REQUIRE(slots <= GRT_EVENT_MAX_SLOTS, "keep event queues below 2^20 slots");
    uint32_t capacity = power_of_two_above(slots);
    if (capacity <= queue->capacity) {
        return;
    }
    struct grt_event *nodes = grt_allocate(2 * (size_t)capacity * sizeof *nodes);
    for (uint32_t slot = 0; slot < capacity; slot++) {
        nodes[capacity + slot] = slot < queue->capacity
                                     ? queue->nodes[queue->capacity + slot]
                                     : (struct grt_event){grt_event_order(0, slot), GRT_TIME_NEVER};
    }
    for (uint32_t node = capacity - 1; node >= 1; node--) {
        nodes[node] = grt_event_min(nodes[2 * node], nodes[2 * node + 1]);
    }
    nodes[0] = nodes[1];
    free(queue->nodes);
    *queue = (struct grt_event_queue){nodes, capacity};
}
