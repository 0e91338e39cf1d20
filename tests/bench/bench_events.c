/* The event queue against a plain 4-ary heap: take the earliest event, schedule the same source again. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/event.h"
#include "sim/random.h"
#include "tests/bench/bench.h"

enum { DELAYS = 1 << 16, HOLDS = 5000000 };

static grt_time delays[DELAYS];

struct hold {
    uint32_t sources;
    struct grt_event_queue queue;
    struct grt_event *heap;
};

static uint64_t hold_queue(void *state) {
    struct hold *hold = state;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < HOLDS; i++) {
        struct grt_event event = *grt_event_top(&hold->queue);
        sum += (uint64_t)event.time;
        grt_event_set(&hold->queue, grt_event_slot(&event), event.time + delays[i % DELAYS], event.order);
    }
    bench_use(sum);
    return HOLDS;
}

static int before(struct grt_event a, struct grt_event b) {
    return a.time < b.time || (a.time == b.time && a.order < b.order);
}

static void sift_down(struct grt_event *heap, uint32_t count, uint32_t place, struct grt_event event) {
    for (uint32_t first = 4 * place + 1; first < count; first = 4 * place + 1) {
        uint32_t last = first + 4 < count ? first + 4 : count, best = first;
        for (uint32_t child = first + 1; child < last; child++) {
            best = before(heap[child], heap[best]) ? child : best;
        }
        if (!before(heap[best], event)) {
            break;
        }
        heap[place] = heap[best];
        place = best;
    }
    heap[place] = event;
}

static uint64_t hold_heap(void *state) {
    struct hold *hold = state;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < HOLDS; i++) {
        struct grt_event event = hold->heap[0];
        sum += (uint64_t)event.time;
        event.time += delays[i % DELAYS];
        sift_down(hold->heap, hold->sources, 0, event);
    }
    bench_use(sum);
    return HOLDS;
}

static void bench_hold(uint32_t sources, const char *target) {
    struct hold hold = {.sources = sources, .heap = malloc(sources * sizeof *hold.heap)};
    grt_event_queue_reserve(&hold.queue, sources);
    for (uint32_t i = 0; i < sources; i++) {
        hold.heap[i] = (struct grt_event){grt_event_order(0, i), delays[i]};
        grt_event_set(&hold.queue, i, delays[i], grt_event_order(0, i));
    }
    for (uint32_t i = sources; i-- > 0;) {
        sift_down(hold.heap, sources, i, hold.heap[i]);
    }
    char name[64];
    snprintf(name, sizeof name, "event hold, %u sources", sources);
    bench_report(name, bench_ns_per_unit(hold_queue, &hold, 5), "4-ary heap, replace the top",
                 bench_ns_per_unit(hold_heap, &hold, 5), target);
    grt_event_queue_free(&hold.queue);
    free(hold.heap);
}

void bench_events(void) {
    struct grt_random random = grt_random_stream(1, "bench", 0, 0);
    for (uint32_t i = 0; i < DELAYS; i++) {
        delays[i] = 1 + (grt_time)(-log(1 - grt_random_uniform(&random)) * 1e6);
    }
    bench_hold(10, "");
    bench_hold(100, "<= 0.5");
    bench_hold(1000, "");
    bench_hold(10000, "");
}
