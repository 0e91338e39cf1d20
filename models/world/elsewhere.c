#include "models/elsewhere.h"

#include <stdlib.h>

#include "models/world/internal.h"
#include "sim/check.h"

struct told {
    grt_time instant;
    uint32_t owner;
    bool last;
};

struct elsewhere {
    const struct grt_elsewhere *executor;
    struct grt_world *world;
    grt_source source;
    struct told *told; /* that were not yet passed on, in the order in which they were told */
    uint32_t count, capacity;
};

static void schedule(struct elsewhere *self) {
    grt_time first = GRT_TIME_NEVER;
    for (uint32_t i = 0; i < self->count; i++) {
        first = self->told[i].instant < first ? self->told[i].instant : first;
    }
    grt_loop_schedule(&self->world->loop, self->source, first);
}

/* Passes on the first that is due; others of the instant follow, as events of their own. */
static void due(void *owner, uint32_t index, grt_time now) {
    struct elsewhere *self = owner;
    (void)index;
    uint32_t place = 0;
    while (self->told[place].instant > now) {
        place++;
    }
    struct told told = self->told[place];
    self->count--;
    for (; place < self->count; place++) {
        self->told[place] = self->told[place + 1];
    }
    schedule(self);
    (told.last ? submission_completed : submission_returned)(self->world, told.owner, now);
}

void elsewhere_create(struct grt_world *world, const struct grt_elsewhere *executor) {
    struct elsewhere *self = grt_arena_new(&world->arena, struct elsewhere);
    *self = (struct elsewhere){.executor = executor, .world = world};
    self->source = grt_loop_add(&world->loop, GRT_CLASS_COMPLETION, due, self, 0);
    world->elsewhere = self;
}

void grt_world_complete(struct grt_world *world, uint32_t owner, bool last, grt_time instant) {
    struct elsewhere *self = world->elsewhere;
    GRT_REQUIRE(self != NULL && instant >= world->loop.now,
                "grt_world_complete tells what has completed elsewhere, not before the present instant");
    self->told = grt_array_grow(self->told, &self->capacity, self->count + 1, sizeof *self->told);
    self->told[self->count++] = (struct told){instant, owner, last};
    schedule(self);
}

void grt_world_stop_waiting(struct grt_world *world) {
    grt_loop_stop(&world->loop);
}

static bool wait(void *state, grt_time next) {
    struct elsewhere *self = state;
    return self->executor->wait(self->executor->state, self->world, next);
}

void elsewhere_run(struct grt_world *world, grt_time until) {
    grt_loop_run_paced(&world->loop, until, wait, world->elsewhere);
}

void elsewhere_free(struct grt_world *world) {
    if (world->elsewhere != NULL) {
        free(world->elsewhere->told);
    }
}
