#include "sim/ready_queue.h"

#include "sim/check.h"

static bool before(const struct grt_ready_entry *a, const struct grt_ready_entry *b) {
    if (a->key != b->key) {
        return a->key < b->key;
    }
    return a->tie != b->tie ? a->tie < b->tie : a->item < b->item;
}

struct grt_ready_queue grt_ready_queue_create(struct grt_arena *arena, uint32_t capacity) {
    struct grt_ready_entry *entries = grt_arena_array(arena, capacity, sizeof *entries);
    return (struct grt_ready_queue){.entries = entries, .capacity = capacity};
}

static void sift_up(struct grt_ready_queue *queue, uint32_t place, struct grt_ready_entry entry) {
    while (place > 0 && before(&entry, &queue->entries[(place - 1) / 2])) {
        queue->entries[place] = queue->entries[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    queue->entries[place] = entry;
}

static void sift_down(struct grt_ready_queue *queue, uint32_t place, struct grt_ready_entry entry) {
    for (uint32_t child = 2 * place + 1; child < queue->count; child = 2 * place + 1) {
        child += child + 1 < queue->count && before(&queue->entries[child + 1], &queue->entries[child]);
        if (!before(&queue->entries[child], &entry)) {
            break;
        }
        queue->entries[place] = queue->entries[child];
        place = child;
    }
    queue->entries[place] = entry;
}

void grt_ready_queue_push(struct grt_ready_queue *queue, int64_t key, uint64_t tie, uint32_t item) {
    GRT_REQUIRE(queue->count < queue->capacity, "create the ready queue with room for every item");
    sift_up(queue, queue->count++, (struct grt_ready_entry){key, tie, item});
}

static void remove_at(struct grt_ready_queue *queue, uint32_t place) {
    struct grt_ready_entry last = queue->entries[--queue->count];
    if (place == queue->count) {
        return;
    }
    if (place > 0 && before(&last, &queue->entries[(place - 1) / 2])) {
        sift_up(queue, place, last);
    } else {
        sift_down(queue, place, last);
    }
}

uint32_t grt_ready_queue_pop(struct grt_ready_queue *queue) {
    GRT_REQUIRE(queue->count > 0, "ask grt_ready_queue_is_empty before taking an item");
    uint32_t item = queue->entries[0].item;
    remove_at(queue, 0);
    return item;
}

bool grt_ready_queue_remove(struct grt_ready_queue *queue, uint32_t item) {
    for (uint32_t place = 0; place < queue->count; place++) {
        if (queue->entries[place].item == item) {
            remove_at(queue, place);
            return true;
        }
    }
    return false;
}
