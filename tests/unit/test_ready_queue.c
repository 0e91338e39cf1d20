/* The ready queue against a plain array that is searched, and against sorting. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/random.h"
#include "sim/ready_queue.h"
#include "tests/support/suite.h"

static int compare(const void *left, const void *right) {
    const struct grt_ready_entry *a = left, *b = right;
    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1;
    }
    if (a->tie != b->tie) {
        return a->tie < b->tie ? -1 : 1;
    }
    return (a->item > b->item) - (a->item < b->item);
}

static bool is_top(const struct grt_ready_queue *queue, const struct grt_ready_entry *expected) {
    const struct grt_ready_entry *top = grt_ready_queue_top(queue);
    return top->key == expected->key && top->tie == expected->tie && top->item == expected->item;
}

static void compares_key_then_tie_then_item(void) {
    static const struct grt_ready_entry sorted[] = {
        {INT64_MIN, UINT64_MAX, 9},
        {-1, 0, 8},
        {0, 0, 7},
        {0, 0, 10},
        {0, 1, 0},
        {0, UINT64_MAX, 1},
        {1, 0, 6},
        {INT64_MAX, 0, UINT32_MAX},
        {INT64_MAX, 1, 2},
        {INT64_MAX, UINT64_MAX, 3},
    };
    enum { COUNT = sizeof sorted / sizeof sorted[0] };
    struct grt_arena arena = {0};
    struct grt_ready_queue queue = grt_ready_queue_create(&arena, COUNT);
    CU_ASSERT(grt_ready_queue_is_empty(&queue));
    for (uint32_t i = 0; i < COUNT; i++) {
        const struct grt_ready_entry *entry = &sorted[i * 7 % COUNT];
        grt_ready_queue_push(&queue, entry->key, entry->tie, entry->item);
        CU_ASSERT(!grt_ready_queue_is_empty(&queue));
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        CU_ASSERT(is_top(&queue, &sorted[i]));
        CU_ASSERT_EQUAL(grt_ready_queue_pop(&queue), sorted[i].item);
    }
    CU_ASSERT(grt_ready_queue_is_empty(&queue));
    grt_arena_clear(&arena);
}

static void removes_items(void) {
    struct grt_arena arena = {0};
    struct grt_ready_queue queue = grt_ready_queue_create(&arena, 4);
    CU_ASSERT(!grt_ready_queue_remove(&queue, 0));
    for (uint32_t item = 0; item < 4; item++) {
        grt_ready_queue_push(&queue, 10 - (int64_t)item, 0, item);
    }
    CU_ASSERT(!grt_ready_queue_remove(&queue, 4));
    CU_ASSERT(grt_ready_queue_remove(&queue, 3)); /* the first */
    CU_ASSERT(!grt_ready_queue_remove(&queue, 3));
    CU_ASSERT(grt_ready_queue_remove(&queue, 0)); /* the last */
    grt_ready_queue_push(&queue, 9, 1, 0);        /* behind item 1, whose key is 9 with tie 0 */
    CU_ASSERT_EQUAL(grt_ready_queue_pop(&queue), 2);
    CU_ASSERT_EQUAL(grt_ready_queue_pop(&queue), 1);
    CU_ASSERT_EQUAL(grt_ready_queue_pop(&queue), 0);
    CU_ASSERT(grt_ready_queue_is_empty(&queue));
    CU_ASSERT(!grt_ready_queue_remove(&queue, 0));
    grt_arena_clear(&arena);
}

static void a_queue_may_have_no_room(void) {
    struct grt_arena arena = {0};
    struct grt_ready_queue queue = grt_ready_queue_create(&arena, 0);
    CU_ASSERT(grt_ready_queue_is_empty(&queue));
    CU_ASSERT(!grt_ready_queue_remove(&queue, 0));
    grt_arena_clear(&arena);
}

enum { SORTED = 5000 };

static void pops_in_sorted_order(void) {
    static const uint64_t keys[] = {1, 4, 1000, UINT64_C(1) << 63};
    static struct grt_ready_entry entries[SORTED];
    struct grt_random random = grt_random_stream(1, "test ready_queue", 0, 0);
    struct grt_arena arena = {0};
    struct grt_ready_queue queue = grt_ready_queue_create(&arena, SORTED);
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        for (uint32_t i = 0; i < SORTED; i++) {
            int64_t key = (int64_t)grt_random_below(&random, keys[k]) - (int64_t)(keys[k] / 2);
            entries[i] =
                (struct grt_ready_entry){key, grt_random_below(&random, 3), (i * 2099 + 17) % SORTED};
            grt_ready_queue_push(&queue, key, entries[i].tie, entries[i].item);
        }
        qsort(entries, SORTED, sizeof entries[0], compare);
        unsigned wrong = 0;
        for (uint32_t i = 0; i < SORTED; i++) {
            wrong += !is_top(&queue, &entries[i]);
            wrong += grt_ready_queue_pop(&queue) != entries[i].item;
        }
        CU_ASSERT_EQUAL(wrong, 0);
        CU_ASSERT(grt_ready_queue_is_empty(&queue));
    }
    grt_arena_clear(&arena);
}

/* --- Random operations beside a plain array. */

enum { ITEMS = 60, OPERATIONS = 100000 };

struct model {
    struct grt_ready_queue queue;
    struct grt_ready_entry entries[ITEMS]; /* of each item */
    bool inside[ITEMS];
    struct grt_random random;
    unsigned wrong;
};

static uint32_t plain_first(const struct model *model) {
    uint32_t first = ITEMS;
    for (uint32_t item = 0; item < ITEMS; item++) {
        if (model->inside[item] &&
            (first == ITEMS || compare(&model->entries[item], &model->entries[first]) < 0)) {
            first = item;
        }
    }
    return first;
}

static void operate(struct model *model) {
    uint32_t item = (uint32_t)grt_random_below(&model->random, ITEMS);
    uint64_t choice = grt_random_below(&model->random, 10);
    if (choice < 5 && !model->inside[item]) {
        int64_t key = (int64_t)grt_random_below(&model->random, 20) - 10;
        model->entries[item] = (struct grt_ready_entry){key, grt_random_below(&model->random, 2), item};
        model->inside[item] = true;
        grt_ready_queue_push(&model->queue, key, model->entries[item].tie, item);
    } else if (choice < 7) {
        model->wrong += grt_ready_queue_remove(&model->queue, item) != model->inside[item];
        model->inside[item] = false;
    } else {
        uint32_t first = plain_first(model);
        model->wrong += grt_ready_queue_is_empty(&model->queue) != (first == ITEMS);
        if (first < ITEMS) {
            model->wrong += !is_top(&model->queue, &model->entries[first]);
            model->wrong += grt_ready_queue_pop(&model->queue) != first;
            model->inside[first] = false;
        }
    }
}

static void agrees_with_a_plain_array(void) {
    struct grt_arena arena = {0};
    struct model model = {.queue = grt_ready_queue_create(&arena, ITEMS),
                          .random = grt_random_stream(1, "test ready_queue", 1, 0)};
    uint32_t longest = 0;
    for (int i = 0; i < OPERATIONS; i++) {
        operate(&model);
        longest = model.queue.count > longest ? model.queue.count : longest;
    }
    CU_ASSERT_EQUAL(model.wrong, 0);
    CU_ASSERT(longest > ITEMS / 3);
    grt_arena_clear(&arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"compares key, then tie, then item", compares_key_then_tie_then_item},
        {"removes items", removes_items},
        {"a queue may have no room", a_queue_may_have_no_room},
        {"pops in sorted order", pops_in_sorted_order},
        {"agrees with a plain array", agrees_with_a_plain_array},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("ready_queue", tests);
}
