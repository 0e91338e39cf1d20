/* The run loop: takes the earliest event, tells its owner, and once all events of an instant have been told, lets the
 * decisions be made. Events are ordered by (time, class, source); sources of a class by the order of their creation. */
#ifndef GRT_SIM_LOOP_H
#define GRT_SIM_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/event.h"
#include "sim/time.h"

/* Classes in the order in which events of one instant are told. A boundary is where a run may end: what has happened
 * until then has been told, what begins there has not. */
enum grt_event_class {
    GRT_CLASS_COMPLETION,
    GRT_CLASS_DEADLINE,
    GRT_CLASS_BOUNDARY,
    GRT_CLASS_RELEASE,
    GRT_CLASS_TIMER
};

/* A source of events: something that has at most one event pending. A small number; valid for the loop's life. */
typedef uint32_t grt_source;

/* Tells the owner that its event is due. `index` is the number given at the creation. */
typedef void (*grt_event_function)(void *owner, uint32_t index, grt_time now);

struct grt_loop_handler {
    grt_event_function function;
    void *owner;
    uint32_t index;
    uint64_t order;
};

struct grt_loop {
    struct grt_event_queue queue;
    struct grt_loop_handler *handlers; /* one per source */
    uint32_t source_count, handler_capacity;
    struct grt_event front; /* of the source that is kept outside the queue, if there is one */
    void (*decide)(void *owner, grt_time now);
    void *decision_owner;
    grt_time now;
    uint64_t event_count;
    bool stopped;
};

/* Makes the loop ready for sources. `decide` is called once after all events of an instant; it may schedule events
 * at `now`, which are then told and decided upon in a further round of the same instant. */
void grt_loop_start(struct grt_loop *loop, void (*decide)(void *owner, grt_time now), void *owner);

/* Makes a source; before the first event is told. */
grt_source grt_loop_add(struct grt_loop *loop, enum grt_event_class event_class, grt_event_function function,
                        void *owner, uint32_t index);

/* The same for the one source that is scheduled most: its event is kept outside the queue and compared with the
 * queue's first, which saves it the passes through the tree. Later calls make ordinary sources. */
grt_source grt_loop_add_front(struct grt_loop *loop, enum grt_event_class event_class,
                              grt_event_function function, void *owner, uint32_t index);

/* Sets the instant of a source's event, replacing what it had pending. Not before `now`. */
static inline void grt_loop_schedule(struct grt_loop *loop, grt_source source, grt_time instant) {
    GRT_ASSERT(instant >= loop->now, "schedule events at the present instant or later");
    uint64_t order = loop->handlers[source].order;
    if (order == loop->front.order) {
        loop->front.time = instant;
    } else {
        grt_event_set(&loop->queue, source, instant, order);
    }
}

static inline void grt_loop_cancel(struct grt_loop *loop, grt_source source) {
    grt_loop_schedule(loop, source, GRT_TIME_NEVER);
}

/* The instant of a source's pending event, or GRT_TIME_NEVER. */
static inline grt_time grt_loop_pending(const struct grt_loop *loop, grt_source source) {
    return loop->handlers[source].order == loop->front.order ? loop->front.time
                                                             : grt_event_time(&loop->queue, source);
}

/* The instant of the earliest pending event; in `decide`, later than `now` if nothing more happens at this instant. */
grt_time grt_loop_next(const struct grt_loop *loop);

/* Handles all events up to and including `until`, or until grt_loop_stop. Calls `decide` first at the present
 * instant, so that what was set up before the run is decided upon, and not at `until`: what would begin there is not part
 * of the run, and a further call decides upon it. */
void grt_loop_run(struct grt_loop *loop, grt_time until);

/* The same where instants come by themselves: before anything is told of the instant `next`, `wait` waits until it has come and returns true; or it schedules
 * something that has happened before, or at it, and returns false. Also called for `until`. */
void grt_loop_run_paced(struct grt_loop *loop, grt_time until, bool (*wait)(void *state, grt_time next),
                        void *state);

/* Ends grt_loop_run, for good, once the completions and deadlines of the present instant have been told; no decisions
 * follow. */
static inline void grt_loop_stop(struct grt_loop *loop) {
    loop->stopped = true;
}

void grt_loop_free(struct grt_loop *loop);

#endif
