/* The run loop: the order of events, rounds of an instant, and a random script that runs on a plain loop as well. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "sim/loop.h"
#include "sim/random.h"
#include "tests/support/suite.h"

/* --- Small worlds that write down what happens: "3@10 " for source 3 at 10, "D@10 " for a decision. */

enum { MOST_SOURCES = 8, LOG_SIZE = 1000 };

struct world {
    struct grt_loop loop;
    grt_source sources[MOST_SOURCES];
    void (*on_event)(struct world *world, uint32_t index, grt_time now); /* may be NULL */
    void (*on_decision)(struct world *world, grt_time now);              /* may be NULL */
    int decisions;
    char log[LOG_SIZE];
};

static void note(struct world *world, char what, grt_time now) {
    size_t used = strlen(world->log);
    snprintf(world->log + used, LOG_SIZE - used, "%c@%lld ", what, (long long)now);
}

static void tell(void *owner, uint32_t index, grt_time now) {
    struct world *world = owner;
    note(world, (char)('0' + index), now);
    CU_ASSERT_EQUAL(world->loop.now, now);
    CU_ASSERT_EQUAL(grt_loop_pending(&world->loop, world->sources[index]), GRT_TIME_NEVER);
    if (world->on_event != NULL) {
        world->on_event(world, index, now);
    }
}

static void decide(void *owner, grt_time now) {
    struct world *world = owner;
    note(world, 'D', now);
    world->decisions++;
    if (world->on_decision != NULL) {
        world->on_decision(world, now);
    }
}

/* A world with one source for each class in `classes`, a text of "CDRT"; a small letter makes a front source. */
static void start(struct world *world, const char *classes) {
    static const char letters[] = "CDRTcdrt";
    *world = (struct world){0};
    grt_loop_start(&world->loop, decide, world);
    for (uint32_t i = 0; classes[i] != '\0'; i++) {
        size_t letter = (size_t)(strchr(letters, classes[i]) - letters);
        enum grt_event_class event_class = (enum grt_event_class)(letter % 4);
        world->sources[i] = letter < 4 ? grt_loop_add(&world->loop, event_class, tell, world, i)
                                       : grt_loop_add_front(&world->loop, event_class, tell, world, i);
    }
}

static void schedule(struct world *world, uint32_t index, grt_time instant) {
    grt_loop_schedule(&world->loop, world->sources[index], instant);
    CU_ASSERT_EQUAL(grt_loop_pending(&world->loop, world->sources[index]), instant);
}

/* One digit for each source: the instant of its event. */
static void schedule_all(struct world *world, const char *instants) {
    for (uint32_t i = 0; instants[i] != '\0'; i++) {
        schedule(world, i, instants[i] - '0');
    }
}

static void finish(struct world *world, const char *log) {
    CU_ASSERT_STRING_EQUAL(world->log, log);
    grt_loop_free(&world->loop);
}

/* --- Order. */

static void events_go_by_time_class_and_source(void) {
    static const char *const all_classes[] = {"TRDCTRDC", "TRDcTRDC", "tRDCTRDC", "TRDCTRDc", "trdctrdc"};
    for (size_t i = 0; i < 5; i++) {
        struct world world;
        start(&world, all_classes[i]);
        schedule_all(&world, "45555555");
        grt_loop_run(&world.loop, 100);
        CU_ASSERT_EQUAL(world.loop.event_count, 8);
        finish(&world, "D@0 0@4 D@4 3@5 7@5 2@5 6@5 1@5 5@5 4@5 D@5 ");
    }
}

/* Two sources of the same classes, without a front source, with the first or the second as front source. */
static const char *const pairs[] = {"TR", "tR", "Tr"};

static void runs_up_to_and_including_the_end(void) {
    struct world world;
    start(&world, "TT");
    schedule(&world, 0, 10);
    schedule(&world, 1, 11);
    grt_loop_run(&world.loop, 9);
    grt_loop_run(&world.loop, 10);
    CU_ASSERT_STRING_EQUAL(world.log, "D@0 D@0 0@10 ");
    CU_ASSERT_EQUAL(world.loop.now, 10);
    CU_ASSERT_EQUAL(grt_loop_pending(&world.loop, world.sources[1]), 11);
    grt_loop_run(&world.loop, GRT_TIME_LIMIT);
    finish(&world, "D@0 D@0 0@10 D@10 1@11 D@11 ");
}

static void a_run_without_end_ends_when_nothing_is_pending(void) {
    struct world world;
    start(&world, "");
    grt_loop_run(&world.loop, GRT_TIME_NEVER);
    finish(&world, "D@0 ");
    for (size_t i = 0; i < 3; i++) {
        start(&world, pairs[i]);
        schedule(&world, 0, 10);
        grt_loop_run(&world.loop, GRT_TIME_NEVER);
        CU_ASSERT_EQUAL(world.loop.event_count, 1);
        finish(&world, "D@0 0@10 D@10 ");
    }
}

/* --- What owners may do while they are told. */

static void wake_earlier_classes(struct world *world, uint32_t index, grt_time now) {
    if (index == 1) {
        schedule(world, 0, now); /* a completion, though releases are being told */
        schedule(world, 3, now);
        schedule(world, 2, now + 5);
    }
}

static void new_events_come_before_the_decision(void) {
    struct world world;
    start(&world, "CRRT");
    world.on_event = wake_earlier_classes;
    schedule(&world, 1, 7);
    schedule(&world, 2, 7);
    grt_loop_run(&world.loop, 100);
    finish(&world, "D@0 1@7 0@7 3@7 D@7 2@12 D@12 ");
}

static void repeat_twice(struct world *world, uint32_t index, grt_time now) {
    if (world->loop.event_count < 3) {
        schedule(world, index, now);
    } else if (world->loop.event_count < 5) {
        schedule(world, index, now + 2);
    }
}

static void a_source_may_schedule_itself(void) {
    for (size_t i = 0; i < 3; i++) {
        struct world world;
        start(&world, pairs[i]);
        world.on_event = repeat_twice;
        schedule(&world, 0, 7);
        grt_loop_run(&world.loop, 100);
        finish(&world, "D@0 0@7 0@7 0@7 D@7 0@9 D@9 0@11 D@11 ");
    }
}

static void cancel_the_rest(struct world *world, uint32_t index, grt_time now) {
    if (index == 0) {
        grt_loop_cancel(&world->loop, world->sources[1]);
        grt_loop_cancel(&world->loop, world->sources[2]);
        grt_loop_cancel(&world->loop, world->sources[0]);
        schedule(world, 3, now + 1);
    }
}

static void a_cancelled_event_is_not_told(void) {
    static const char *const all_classes[] = {"CRTT", "cRTT", "CrTT", "CRTt"};
    for (size_t i = 0; i < 4; i++) {
        struct world world;
        start(&world, all_classes[i]);
        world.on_event = cancel_the_rest;
        schedule_all(&world, "5595");
        grt_loop_run(&world.loop, 100);
        CU_ASSERT_EQUAL(grt_loop_pending(&world.loop, world.sources[1]), GRT_TIME_NEVER);
        finish(&world, "D@0 0@5 D@5 3@6 D@6 ");
    }
}

static void a_later_call_replaces_an_event(void) {
    struct world world;
    start(&world, "TT");
    schedule(&world, 0, 5);
    schedule(&world, 1, 6);
    schedule(&world, 0, 9);
    schedule(&world, 1, 2);
    grt_loop_cancel(&world.loop, world.sources[1]);
    grt_loop_cancel(&world.loop, world.sources[1]);
    grt_loop_run(&world.loop, 100);
    finish(&world, "D@0 0@9 D@9 ");
}

/* --- Decisions and rounds. */

static void ask_for_rounds(struct world *world, grt_time now) {
    if (world->decisions == 1) {
        schedule(world, 1, now); /* set up before the run */
    } else if (world->decisions == 3 || world->decisions == 4) {
        schedule(world, 1, now);
        schedule(world, 0, now);
    }
}

static void decisions_may_ask_for_further_rounds(void) {
    static const char *const all_classes[] = {"CT", "cT", "Ct"};
    for (size_t i = 0; i < 3; i++) {
        struct world world;
        start(&world, all_classes[i]);
        world.on_decision = ask_for_rounds;
        schedule(&world, 0, 8);
        grt_loop_run(&world.loop, 100);
        finish(&world, "D@0 1@0 D@0 0@8 D@8 0@8 1@8 D@8 0@8 1@8 D@8 ");
    }
}

static void stop_at_source_0(struct world *world, uint32_t index, grt_time now) {
    (void)now;
    if (index == 0) {
        grt_loop_stop(&world->loop);
    }
}

static void stop_at_decision_2(struct world *world, grt_time now) {
    (void)now;
    if (world->decisions == 2) {
        grt_loop_stop(&world->loop);
    }
}

static void stops_after_what_ends_at_the_instant(void) {
    struct world world;
    start(&world, "CTT");
    world.on_event = stop_at_source_0;
    schedule_all(&world, "334");
    grt_loop_run(&world.loop, 100);
    CU_ASSERT_EQUAL(grt_loop_pending(&world.loop, world.sources[2]), 4);
    finish(&world, "D@0 0@3 ");
    start(&world, "CCT");
    world.on_event = stop_at_source_0;
    schedule_all(&world, "333");
    grt_loop_run(&world.loop, 100);
    finish(&world, "D@0 0@3 1@3 ");
    start(&world, "TT");
    world.on_decision = stop_at_decision_2;
    schedule_all(&world, "34");
    grt_loop_run(&world.loop, 100);
    finish(&world, "D@0 0@3 D@3 ");
}

/* --- A random script on three engines: the loop, the loop with a front source, and a plain search. */

enum { ACTORS = 23, ENTRIES = 20000, SCRIPT_EVENTS = 5000 };

struct script {
    struct grt_loop loop;
    bool plain; /* instead of the loop: */
    grt_time pending[ACTORS], now;
    bool stopped;
    struct grt_random random;
    grt_time log[ENTRIES][2]; /* the instant and the actor, ACTORS for a decision */
    uint32_t used, events;
};

static enum grt_event_class class_of(uint32_t actor) {
    return (enum grt_event_class)(actor * 7 % 4);
}

static void script_schedule(struct script *script, uint32_t actor, grt_time instant) {
    if (script->plain) {
        script->pending[actor] = instant;
    } else {
        grt_loop_schedule(&script->loop, actor, instant); /* sources are numbered from 0 */
    }
}

static void script_note(struct script *script, uint32_t who, grt_time now) {
    if (script->used < ENTRIES) {
        script->log[script->used][0] = now;
        script->log[script->used++][1] = who;
    }
}

/* Schedules, moves and cancels some actors, itself included; most often soon, so that instants are shared. */
static void act(struct script *script, uint32_t self, grt_time now) {
    for (uint64_t acts = grt_random_below(&script->random, 4); acts > 0; acts--) {
        bool itself = grt_random_below(&script->random, 3) == 0;
        uint32_t actor = itself && self < ACTORS ? self : (uint32_t)grt_random_below(&script->random, ACTORS);
        uint64_t choice = grt_random_below(&script->random, 10);
        grt_time soon = now + 1 + (grt_time)grt_random_below(&script->random, 5);
        script_schedule(script, actor, choice == 0 ? GRT_TIME_NEVER : choice < 3 ? now : soon);
    }
}

static void script_tell(void *owner, uint32_t actor, grt_time now) {
    struct script *script = owner;
    script_note(script, actor, now);
    if (++script->events < SCRIPT_EVENTS) {
        act(script, actor, now);
    } else if (script->plain) {
        script->stopped = true;
    } else {
        grt_loop_stop(&script->loop);
    }
}

static void script_decide(void *owner, grt_time now) {
    struct script *script = owner;
    script_note(script, ACTORS, now);
    act(script, ACTORS, now);
}

/* The actor whose event is first by (time, class, source); ACTORS if none is pending. */
static uint32_t plain_first(const struct script *script) {
    uint32_t first = ACTORS;
    for (uint32_t actor = 0; actor < ACTORS; actor++) {
        grt_time time = script->pending[actor], best = first < ACTORS ? script->pending[first] : INT64_MAX;
        if (time < best || (time == best && time < GRT_TIME_NEVER && class_of(actor) < class_of(first))) {
            first = actor;
        }
    }
    return first;
}

static void plain_run(struct script *script) {
    script_decide(script, 0);
    uint32_t first;
    while ((first = plain_first(script)) < ACTORS && !script->stopped) {
        script->now = script->pending[first];
        for (; first < ACTORS && script->pending[first] == script->now; first = plain_first(script)) {
            if (script->stopped && class_of(first) >= GRT_CLASS_BOUNDARY) {
                break;
            }
            script->pending[first] = GRT_TIME_NEVER;
            script_tell(script, first, script->now);
        }
        if (!script->stopped) {
            script_decide(script, script->now);
        }
    }
}

static void start_script(struct script *script, uint64_t number, bool plain) {
    memset(script, 0, sizeof *script);
    script->plain = plain;
    script->random = grt_random_stream(1, "test loop", number, 0);
    if (!plain) {
        grt_loop_start(&script->loop, script_decide, script);
    }
}

/* With the loop; actors of the bits in `front` are added as front sources, of which the first becomes one. */
static void run_script(struct script *script, uint64_t number, uint32_t front) {
    start_script(script, number, false);
    for (uint32_t actor = 0; actor < ACTORS; actor++) {
        bool is_front = (front >> actor & 1u) != 0;
        grt_source source = (is_front ? grt_loop_add_front : grt_loop_add)(&script->loop, class_of(actor),
                                                                           script_tell, script, actor);
        CU_ASSERT_EQUAL(source, actor);
        script_schedule(script, actor, actor % 3);
    }
    grt_loop_run(&script->loop, GRT_TIME_LIMIT);
    CU_ASSERT_EQUAL(script->loop.event_count, script->events);
    grt_loop_free(&script->loop);
}

static bool same_log(const struct script *a, const struct script *b) {
    return a->used == b->used && memcmp(a->log, b->log, a->used * sizeof a->log[0]) == 0;
}

static void a_random_script_goes_the_same_way(void) {
    static struct script plain, looped;
    for (uint64_t number = 0; number < 10; number++) {
        start_script(&plain, number, true);
        for (uint32_t actor = 0; actor < ACTORS; actor++) {
            script_schedule(&plain, actor, actor % 3);
        }
        plain_run(&plain);
        CU_ASSERT(plain.events >= SCRIPT_EVENTS);
        CU_ASSERT(plain.used < ENTRIES);
        uint32_t fronts[] = {0, 1, 1u << (ACTORS - 1), 1u << (number * 2), UINT32_MAX, 0x2a8};
        for (size_t i = 0; i < sizeof fronts / sizeof fronts[0]; i++) {
            run_script(&looped, number, fronts[i]);
            CU_ASSERT(same_log(&plain, &looped));
        }
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"events go by time, class and source", events_go_by_time_class_and_source},
        {"runs up to and including the end", runs_up_to_and_including_the_end},
        {"a run without end ends when nothing is pending", a_run_without_end_ends_when_nothing_is_pending},
        {"new events come before the decision", new_events_come_before_the_decision},
        {"a source may schedule itself", a_source_may_schedule_itself},
        {"a cancelled event is not told", a_cancelled_event_is_not_told},
        {"a later call replaces an event", a_later_call_replaces_an_event},
        {"decisions may ask for further rounds", decisions_may_ask_for_further_rounds},
        {"stops after what ends at the instant", stops_after_what_ends_at_the_instant},
        {"a random script goes the same way", a_random_script_goes_the_same_way},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("loop", tests);
}
