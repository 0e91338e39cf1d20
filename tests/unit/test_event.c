/* The event queue against a plain array that is searched from end to end. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "sim/event.h"
#include "sim/random.h"
#include "tests/support/suite.h"

/* --- The smaller of two events. */

static bool same(struct grt_event a, struct grt_event b) {
    return a.time == b.time && a.order == b.order;
}

static void expect_min(struct grt_event a, struct grt_event b, struct grt_event expected) {
    CU_ASSERT(same(grt_event_min(a, b), expected));
    CU_ASSERT(same(grt_event_min(b, a), expected));
}

static void min_compares_time_then_order(void) {
    struct grt_event early = {9, 5}, late = {1, 6}, low = {3, 7}, high = {4, 7};
    struct grt_event never = {0, GRT_TIME_NEVER}, last = {UINT64_MAX, GRT_TIME_NEVER};
    expect_min(early, late, early);
    expect_min(low, high, low);
    expect_min(low, low, low);
    expect_min(never, last, never);
    expect_min(high, never, high);
    expect_min((struct grt_event){UINT64_MAX, 0}, (struct grt_event){0, 1},
               (struct grt_event){UINT64_MAX, 0});
    expect_min((struct grt_event){UINT64_MAX, 1}, (struct grt_event){UINT64_MAX - 1, 1},
               (struct grt_event){UINT64_MAX - 1, 1});
    expect_min((struct grt_event){UINT64_C(1) << 63, 1}, (struct grt_event){1, 1}, (struct grt_event){1, 1});
}

/* A compiler that knows two of the four numbers to be equal may keep them in one register. The functions are reached
 * through volatile pointers so that they are compiled on their own. */
static void min_of_equal_order_and_time(struct grt_event *out, uint64_t x) {
    *out = grt_event_min((struct grt_event){x, 100}, (struct grt_event){3, (grt_time)x});
}

static void min_of_equal_time_and_order(struct grt_event *out, uint64_t x) {
    *out = grt_event_min((struct grt_event){5, (grt_time)x}, (struct grt_event){x, 4});
}

static void min_of_equal_times(struct grt_event *out, uint64_t x) {
    *out = grt_event_min((struct grt_event){x, (grt_time)x}, (struct grt_event){3, (grt_time)x});
}

static void min_of_equal_orders(struct grt_event *out, uint64_t x) {
    *out = grt_event_min((struct grt_event){x, (grt_time)x}, (struct grt_event){x, 3});
}

static void min_keeps_equal_numbers_apart(void) {
    void (*volatile order_and_time)(struct grt_event *, uint64_t) = min_of_equal_order_and_time;
    void (*volatile time_and_order)(struct grt_event *, uint64_t) = min_of_equal_time_and_order;
    void (*volatile times)(struct grt_event *, uint64_t) = min_of_equal_times;
    void (*volatile orders)(struct grt_event *, uint64_t) = min_of_equal_orders;
    struct grt_event out;
    order_and_time(&out, 7);
    CU_ASSERT(same(out, (struct grt_event){3, 7}));
    order_and_time(&out, 200);
    CU_ASSERT(same(out, (struct grt_event){200, 100}));
    time_and_order(&out, 9);
    CU_ASSERT(same(out, (struct grt_event){9, 4}));
    time_and_order(&out, 2);
    CU_ASSERT(same(out, (struct grt_event){5, 2}));
    times(&out, 8);
    CU_ASSERT(same(out, (struct grt_event){3, 8}));
    orders(&out, 8);
    CU_ASSERT(same(out, (struct grt_event){8, 3}));
}

static void min_agrees_on_random_events(void) {
    struct grt_random random = grt_random_stream(1, "test event", 0, 0);
    unsigned wrong = 0;
    for (int i = 0; i < 200000; i++) {
        unsigned narrow = (unsigned)grt_random_below(&random, 2) * 60,
                 shift = 1 + (unsigned)grt_random_below(&random, 3);
        struct grt_event a = {grt_random_bits(&random) >> narrow,
                              (grt_time)(grt_random_bits(&random) >> (59 + shift))};
        struct grt_event b = {grt_random_bits(&random) >> narrow,
                              (grt_time)(grt_random_bits(&random) >> (59 + shift))};
        bool first = a.time < b.time || (a.time == b.time && a.order <= b.order);
        wrong += !same(grt_event_min(a, b), first ? a : b);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

/* --- The queue. */

static void orders_hold_the_slot(void) {
    CU_ASSERT_EQUAL(GRT_EVENT_MAX_SLOTS, 1 << 20);
    CU_ASSERT_EQUAL(grt_event_order(0, 0), 0);
    CU_ASSERT(grt_event_order(1, 0) > grt_event_order(0, GRT_EVENT_MAX_SLOTS - 1));
    struct grt_event last = {.order = grt_event_order((UINT64_C(1) << 44) - 1, GRT_EVENT_MAX_SLOTS - 1)};
    CU_ASSERT_EQUAL(last.order, UINT64_MAX);
    CU_ASSERT_EQUAL(grt_event_slot(&last), GRT_EVENT_MAX_SLOTS - 1);
    struct grt_event event = {.order = grt_event_order(77, 12345)};
    CU_ASSERT_EQUAL(grt_event_slot(&event), 12345);
}

static void new_slots_are_idle(void) {
    struct grt_event_queue queue = {0};
    grt_event_queue_reserve(&queue, 5);
    CU_ASSERT_EQUAL(grt_event_top(&queue)->time, GRT_TIME_NEVER);
    for (uint32_t slot = 0; slot < 5; slot++) {
        CU_ASSERT_EQUAL(grt_event_time(&queue, slot), GRT_TIME_NEVER);
    }
    grt_event_set(&queue, 3, 40, grt_event_order(2, 3));
    grt_event_queue_reserve(&queue, 3); /* room is never taken away */
    grt_event_queue_reserve(&queue, 1000);
    CU_ASSERT_EQUAL(grt_event_time(&queue, 3), 40);
    CU_ASSERT(same(*grt_event_top(&queue), (struct grt_event){grt_event_order(2, 3), 40}));
    CU_ASSERT_EQUAL(grt_event_time(&queue, 999), GRT_TIME_NEVER);
    grt_event_cancel(&queue, 3);
    CU_ASSERT_EQUAL(grt_event_top(&queue)->time, GRT_TIME_NEVER);
    grt_event_queue_free(&queue);
    CU_ASSERT(queue.nodes == NULL && queue.capacity == 0);
    grt_event_queue_free(&queue);
    grt_event_queue_reserve(&queue, 1);
    CU_ASSERT_EQUAL(grt_event_top(&queue)->time, GRT_TIME_NEVER);
    grt_event_queue_free(&queue);
}

static void ties_go_by_rank_then_slot(void) {
    struct grt_event_queue queue = {0};
    grt_event_queue_reserve(&queue, 4);
    static const uint64_t ranks[] = {7, 2, 7, 2};
    static const uint32_t expected[] = {1, 3, 0, 2};
    for (uint32_t slot = 4; slot-- > 0;) {
        grt_event_set(&queue, slot, 10, grt_event_order(ranks[slot], slot));
    }
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t slot = grt_event_slot(grt_event_top(&queue));
        CU_ASSERT_EQUAL(slot, expected[i]);
        grt_event_cancel(&queue, slot);
    }
    grt_event_queue_free(&queue);
}

static void takes_the_most_slots(void) {
    struct grt_event_queue queue = {0};
    grt_event_queue_reserve(&queue, GRT_EVENT_MAX_SLOTS);
    grt_event_set(&queue, GRT_EVENT_MAX_SLOTS - 1, 8, grt_event_order(0, GRT_EVENT_MAX_SLOTS - 1));
    grt_event_set(&queue, 0, 9, grt_event_order(0, 0));
    CU_ASSERT_EQUAL(grt_event_slot(grt_event_top(&queue)), GRT_EVENT_MAX_SLOTS - 1);
    grt_event_queue_free(&queue);
}

/* --- Against the plain array. */

enum { MOST_SLOTS = 300, OPERATIONS = 200000 };

struct model {
    struct grt_event_queue queue;
    struct grt_event plain[MOST_SLOTS]; /* of each slot; only the time counts while it is idle */
    uint32_t slots;
    unsigned wrong;
    struct grt_random random;
};

static struct grt_event plain_top(const struct model *model) {
    struct grt_event top = {0, GRT_TIME_NEVER};
    for (uint32_t slot = 0; slot < model->slots; slot++) {
        struct grt_event event = model->plain[slot];
        if (event.time < top.time ||
            (event.time == top.time && event.time != GRT_TIME_NEVER && event.order < top.order)) {
            top = event;
        }
    }
    return top;
}

static void check_top(struct model *model) {
    struct grt_event expected = plain_top(model), top = *grt_event_top(&model->queue);
    model->wrong += top.time != expected.time || (top.time != GRT_TIME_NEVER && top.order != expected.order);
}

static void set(struct model *model, uint32_t slot, grt_time time, uint64_t rank) {
    model->plain[slot] = (struct grt_event){grt_event_order(rank, slot), time};
    grt_event_set(&model->queue, slot, time, grt_event_order(rank, slot));
}

static void grow(struct model *model) {
    uint32_t more = model->slots + 1 + (uint32_t)grt_random_below(&model->random, 3);
    for (; model->slots < more && model->slots < MOST_SLOTS; model->slots++) {
        model->plain[model->slots] = (struct grt_event){0, GRT_TIME_NEVER};
    }
    grt_event_queue_reserve(&model->queue, model->slots);
    for (uint32_t slot = 0; slot < model->slots; slot++) {
        model->wrong += grt_event_time(&model->queue, slot) != model->plain[slot].time;
    }
}

/* Whether a slot other than the earliest is pending at its instant. */
static void check_tied(struct model *model) {
    struct grt_event top = *grt_event_top(&model->queue);
    unsigned equal = 0;
    for (uint32_t slot = 0; slot < model->slots; slot++) {
        equal += model->plain[slot].time == top.time;
    }
    model->wrong += grt_event_is_tied(&model->queue) != (equal > 1);
}

/* The earliest makes room, others are set or the queue grows meanwhile, and it is set or cancelled in the end. */
static void replace_top(struct model *model, grt_time time, uint64_t rank) {
    uint32_t slot = grt_event_slot(grt_event_top(&model->queue));
    grt_event_vacate(&model->queue, slot);
    model->plain[slot].time = GRT_TIME_NEVER;
    for (uint64_t others = grt_random_below(&model->random, 3); others > 0; others--) {
        uint32_t other = (uint32_t)grt_random_below(&model->random, model->slots);
        if (other != slot) {
            set(model, other, time + (grt_time)others, rank);
        }
    }
    if (grt_random_below(&model->random, 20) == 0) {
        grow(model);
    }
    if (grt_random_below(&model->random, 3) == 0) {
        grt_event_cancel(&model->queue, slot);
    } else {
        set(model, slot, time, rank);
    }
}

/* One operation; few distinct instants and ranks, so that ties are many. Returns true if the top was compared. */
static bool operate(struct model *model, uint64_t instants) {
    struct grt_random *random = &model->random;
    uint32_t slot = (uint32_t)grt_random_below(random, model->slots);
    uint64_t choice = grt_random_below(random, 100), rank = grt_random_below(random, 4);
    grt_time time = (grt_time)grt_random_below(random, instants);
    if (choice < 1) {
        grow(model);
    } else if (choice < 40) {
        set(model, slot, time, choice < 2 ? (UINT64_C(1) << 44) - 1 - rank : rank);
    } else if (choice < 60) {
        grt_event_cancel(&model->queue, slot);
        model->plain[slot].time = GRT_TIME_NEVER;
    } else {
        check_top(model);
        struct grt_event top = *grt_event_top(&model->queue);
        if (top.time < GRT_TIME_NEVER && choice < 80) { /* what the run loop does */
            set(model, grt_event_slot(&top), top.time < 4 * GRT_TIME_LIMIT ? top.time + time : time, rank);
        } else if (top.time < GRT_TIME_NEVER) {
            check_tied(model);
            if (choice < 90) {
                replace_top(model, time, rank);
            }
        }
        return true;
    }
    return false;
}

static void agrees_with_a_plain_array(void) {
    static const uint64_t instants[] = {1, 3, 50, (uint64_t)GRT_TIME_LIMIT};
    for (size_t k = 0; k < 4; k++) {
        static struct model model;
        model = (struct model){.random = grt_random_stream(1, "test event", 1, k)};
        grow(&model);
        unsigned compared = 0;
        for (int i = 0; i < OPERATIONS / 4; i++) {
            compared += operate(&model, instants[k]);
        }
        CU_ASSERT_EQUAL(model.wrong, 0);
        CU_ASSERT_EQUAL(model.slots, MOST_SLOTS);
        CU_ASSERT(compared > OPERATIONS / 12);
        grt_event_queue_free(&model.queue);
    }
}

/* Takes all events out of a full queue: sorted, every slot once. */
static void empties_in_order(void) {
    struct grt_random random = grt_random_stream(1, "test event", 2, 0);
    struct grt_event_queue queue = {0};
    enum { SLOTS = 5000 };
    grt_event_queue_reserve(&queue, SLOTS);
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        grt_event_set(&queue, slot, (grt_time)grt_random_below(&random, 2000),
                      grt_event_order(slot % 3, slot));
    }
    unsigned taken = 0, wrong = 0;
    struct grt_event last = {0, 0};
    for (; grt_event_top(&queue)->time < GRT_TIME_NEVER; taken++) {
        struct grt_event top = *grt_event_top(&queue);
        wrong += taken > 0 && !(last.time < top.time || (last.time == top.time && last.order < top.order));
        last = top;
        grt_event_cancel(&queue, grt_event_slot(&top));
    }
    CU_ASSERT_EQUAL(taken, SLOTS);
    CU_ASSERT_EQUAL(wrong, 0);
    grt_event_queue_free(&queue);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"min compares time, then order", min_compares_time_then_order},
        {"min keeps equal numbers apart", min_keeps_equal_numbers_apart},
        {"min agrees on random events", min_agrees_on_random_events},
        {"orders hold the slot", orders_hold_the_slot},
        {"new slots are idle", new_slots_are_idle},
        {"ties go by rank, then slot", ties_go_by_rank_then_slot},
        {"takes the most slots", takes_the_most_slots},
        {"agrees with a plain array", agrees_with_a_plain_array},
        {"empties in order", empties_in_order},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("event", tests);
}
