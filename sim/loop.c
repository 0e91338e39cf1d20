#include "sim/loop.h"

#include <stdlib.h>

#include "sim/memory.h"

/* No source has this order: it stands for "no front source". */
static const struct grt_event no_front = {UINT64_MAX, GRT_TIME_NEVER};

void grt_loop_start(struct grt_loop *loop, void (*decide)(void *owner, grt_time now), void *owner) {
    *loop = (struct grt_loop){.decide = decide, .decision_owner = owner, .front = no_front};
    grt_event_queue_reserve(&loop->queue, 1);
}

grt_source grt_loop_add(struct grt_loop *loop, enum grt_event_class event_class, grt_event_function function,
                        void *owner, uint32_t index) {
    GRT_REQUIRE(loop->event_count == 0, "make event sources before the first event is told");
    grt_source source = loop->source_count++;
    loop->handlers =
        grt_array_grow(loop->handlers, &loop->handler_capacity, loop->source_count, sizeof *loop->handlers);
    loop->handlers[source] =
        (struct grt_loop_handler){function, owner, index, grt_event_order((uint64_t)event_class, source)};
    grt_event_queue_reserve(&loop->queue, loop->source_count);
    return source;
}

grt_source grt_loop_add_front(struct grt_loop *loop, enum grt_event_class event_class,
                              grt_event_function function, void *owner, uint32_t index) {
    grt_source source = grt_loop_add(loop, event_class, function, owner, index);
    if (loop->front.order == no_front.order) {
        loop->front.order = loop->handlers[source].order;
    }
    return source;
}

/* Tells one event. The source is idle meanwhile, but the pass to the root waits until the owner has had the chance to
 * schedule it again. */
static void tell(struct grt_loop *loop, struct grt_event event) {
    grt_source source = grt_event_slot(&event);
    const struct grt_loop_handler *handler = &loop->handlers[source];
    loop->event_count++;
    if (event.order == loop->front.order) {
        loop->front.time = GRT_TIME_NEVER;
        handler->function(handler->owner, handler->index, event.time);
        return;
    }
    grt_event_vacate(&loop->queue, source);
    handler->function(handler->owner, handler->index, event.time);
    if (grt_event_time(&loop->queue, source) == GRT_TIME_NEVER) {
        grt_event_set(&loop->queue, source, GRT_TIME_NEVER, event.order);
    }
}

static struct grt_event earliest(const struct grt_loop *loop) {
    return grt_event_min(*grt_event_top(&loop->queue), loop->front);
}

grt_time grt_loop_next(const struct grt_loop *loop) {
    return earliest(loop).time;
}

/* A stopped run still hears what ends at its last instant, but of nothing that begins there. */
static bool is_over(const struct grt_loop *loop, struct grt_event next) {
    return loop->stopped && next.order >= grt_event_order(GRT_CLASS_BOUNDARY, 0);
}

/* All events of the instant of the first one, and the decision. Returns the first event after it. */
static inline struct grt_event handle_instant(struct grt_loop *loop, struct grt_event event, grt_time until) {
    loop->now = event.time;
    do {
        tell(loop, event);
        event = earliest(loop);
    } while (event.time == loop->now && !is_over(loop, event));
    if (!loop->stopped && loop->now < until) {
        loop->decide(loop->decision_owner, loop->now);
        event = earliest(loop);
    }
    return event;
}

void grt_loop_run(struct grt_loop *loop, grt_time until) {
    grt_time last = until < GRT_TIME_NEVER ? until : GRT_TIME_NEVER - 1; /* an idle source is no event */
    loop->decide(loop->decision_owner, loop->now);
    struct grt_event event = earliest(loop);
    while (!loop->stopped && event.time <= last) {
        event = handle_instant(loop, event, until);
    }
}

void grt_loop_run_paced(struct grt_loop *loop, grt_time until, bool (*wait)(void *state, grt_time next),
                        void *state) {
    loop->decide(loop->decision_owner, loop->now);
    while (!loop->stopped) {
        grt_time first = earliest(loop).time, next = first < until ? first : until;
        if (!wait(state, next)) {
            continue;
        }
        if (first > until) {
            return;
        }
        handle_instant(loop, earliest(loop), until);
    }
}

void grt_loop_free(struct grt_loop *loop) {
    grt_event_queue_free(&loop->queue);
    free(loop->handlers);
    *loop = (struct grt_loop){0};
}
