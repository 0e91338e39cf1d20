#include "tests/support/batch_play.h"

#include "sim/check.h"

enum { MOST_CALLS = 256, STREAMS = 3 * GRT_PLAYED_JOBS };
enum kind { COPY, KERNEL, RECORD, WAIT, QUERY };
enum place { IN, RUN, OUT }; /* streams of a job; and its stop events */

struct one {
    enum kind kind;
    int stream, queue, event; /* event: the stop event of a stream, or -1 */
    int engine;
    int awaits; /* WAIT: the record */
    grt_time length, since, end;
    int blocks, given; /* KERNEL */
    bool ready, popped, complete;
};

struct player {
    const struct grt_played_batch *batch;
    struct one calls[MOST_CALLS];
    int count;
    int last_record[STREAMS]; /* of every stop event; -1: none */
    int queue_of[STREAMS];    /* of the last command of the stream */
    grt_time now, free_at;    /* the host can make its next call */
    grt_time ends[64];        /* of the slots */
    grt_time engine_end[2];
};

/* ---- the device ---- */

static bool before_it_is_complete(const struct player *player, int call) {
    for (int i = 0; i < call; i++) {
        if (player->calls[i].stream == player->calls[call].stream && !player->calls[i].complete) {
            return false;
        }
    }
    return true;
}

static bool is_front(const struct player *player, int call) {
    for (int i = 0; i < call; i++) {
        if (player->calls[i].queue == player->calls[call].queue && !player->calls[i].popped) {
            return false;
        }
    }
    return true;
}

/* Of those that are ready and want the same engine, or slots, the one that was ready first. */
static bool is_its_turn(const struct player *player, int call) {
    const struct one *it = &player->calls[call];
    for (int i = 0; i < player->count; i++) {
        const struct one *other = &player->calls[i];
        bool rivals = other->kind == it->kind && (it->kind == KERNEL || other->engine == it->engine);
        bool first = other->since < it->since ||
                     (other->since == it->since && (i < call) != player->batch->last_first);
        if (i != call && rivals && other->ready && !other->popped && first) {
            return false;
        }
    }
    return true;
}

/* Gives it slots; true once it has all. */
static bool give_slots(struct player *player, struct one *kernel) {
    for (int slot = 0; slot < player->batch->slots && kernel->given < kernel->blocks; slot++) {
        if (player->ends[slot] <= player->now) {
            player->ends[slot] = kernel->end = player->now + kernel->length;
            kernel->given++;
        }
    }
    return kernel->given == kernel->blocks;
}

static bool advance(struct player *player, int call) {
    struct one *it = &player->calls[call];
    if (!it->ready) {
        it->ready = is_front(player, call) && before_it_is_complete(player, call) &&
                    (it->kind != WAIT || it->awaits < 0 || player->calls[it->awaits].complete);
        it->since = player->now;
        return it->ready;
    }
    switch (it->kind) {
    case COPY:
        if (player->engine_end[it->engine] > player->now || !is_its_turn(player, call)) {
            return false;
        }
        it->end = player->engine_end[it->engine] = player->now + it->length;
        it->popped = true;
        return true;
    case KERNEL:
        it->popped = is_its_turn(player, call) && give_slots(player, it);
        return it->popped;
    default:
        it->popped = it->complete = true;
        return true;
    }
}

static bool end_something(struct player *player) {
    bool any = false;
    for (int i = 0; i < player->count; i++) {
        struct one *it = &player->calls[i];
        if (it->popped && !it->complete && it->end <= player->now) {
            it->complete = any = true;
        }
    }
    return any;
}

/* One thing that goes on now: a command that is ready, of an engine or not. */
static bool advance_one(struct player *player, bool of_engine) {
    bool any = false;
    for (int i = 0; i < player->count && !any; i++) {
        const struct one *it = &player->calls[i];
        any = it->ready && !it->popped && (it->kind <= KERNEL) == of_engine && advance(player, i);
    }
    return any;
}

static bool one_is_ready(struct player *player) {
    bool any = false;
    for (int i = 0; i < player->count && !any; i++) {
        any = !player->calls[i].ready && advance(player, i);
    }
    return any;
}

/* Everything that happens at this instant: engines begin when all that can be ready is. */
static void settle(struct player *player) {
    while (end_something(player) || one_is_ready(player) || advance_one(player, false) ||
           advance_one(player, true)) {
    }
}

static grt_time least(grt_time a, grt_time b) {
    return a < b ? a : b;
}

/* The next instant at which something ends, at most `until`. */
static grt_time next_instant(const struct player *player, grt_time until) {
    for (int i = 0; i < player->batch->slots; i++) {
        until = player->ends[i] > player->now ? least(until, player->ends[i]) : until;
    }
    for (int i = 0; i < 2; i++) {
        until = player->engine_end[i] > player->now ? least(until, player->engine_end[i]) : until;
    }
    return until;
}

static void play_until(struct player *player, grt_time instant) {
    while (player->now < instant) {
        player->now = next_instant(player, instant);
        settle(player);
    }
}

/* ---- the host ---- */

static void add(struct player *player, struct one call) {
    GRT_REQUIRE(player->count < MOST_CALLS, "play shorter batches");
    player->free_at += player->batch->issue;
    play_until(player, player->free_at);
    call.queue = !player->batch->single ? call.stream
                 : call.kind == COPY    ? 1 + call.engine
                 : call.kind == KERNEL  ? 0
                 : call.kind == QUERY   ? 0
                                        : player->queue_of[call.stream];
    if (call.kind == COPY || call.kind == KERNEL) {
        player->queue_of[call.stream] = call.queue;
    }
    player->calls[player->count++] = call;
    if (call.kind == RECORD && call.event >= 0) {
        player->last_record[call.event] = player->count - 1;
    }
    settle(player);
}

static int stream_of(int job, enum place place) {
    return 3 * job + (int)place;
}

static void record(struct player *player, int stream, int event) {
    add(player, (struct one){.kind = RECORD, .stream = stream, .event = event});
}

static void wait(struct player *player, int stream, int event) {
    add(player,
        (struct one){.kind = WAIT, .stream = stream, .event = -1, .awaits = player->last_record[event]});
}

static void start(struct player *player, int job, enum place place) {
    int stream = stream_of(job, place);
    record(player, stream, -1); /* the start event, which nobody waits for */
    if (place == RUN) {
        add(player, (struct one){.kind = KERNEL,
                                 .stream = stream,
                                 .blocks = player->batch->jobs[job].blocks,
                                 .length = player->batch->jobs[job].block});
    } else {
        grt_time length = place == IN ? player->batch->jobs[job].in : player->batch->jobs[job].out;
        int engine = place == OUT && player->batch->copy_engines == 2;
        add(player, (struct one){.kind = COPY, .stream = stream, .engine = engine, .length = length});
    }
}

static void whole(struct player *player, int job, enum place place) {
    int stream = stream_of(job, place);
    if (place != IN) {
        wait(player, stream, stream - 1);
    }
    start(player, job, place);
    record(player, stream, stream);
}

static void after(struct player *player, int job, enum place place) {
    if (job > 0) {
        wait(player, stream_of(job, place), stream_of(job - 1, place));
    }
}

/* The instant at which the last copy or kernel of a stream of a job is complete; plays on until then. */
static grt_time complete_at(struct player *player, int job, enum place place) {
    for (;;) {
        for (int i = 0; i < player->count; i++) {
            const struct one *it = &player->calls[i];
            if (it->stream == stream_of(job, place) && it->kind <= KERNEL && it->complete) {
                return it->end;
            }
        }
        play_until(player, next_instant(player, GRT_TIME_NEVER));
    }
}

static void traditional(struct player *player) {
    for (int job = 0; job < player->batch->count; job++) {
        whole(player, job, IN);
        whole(player, job, RUN);
        whole(player, job, OUT);
        grt_time end = complete_at(player, job, OUT);
        player->free_at = end > player->free_at ? end : player->free_at;
    }
}

static void interleave(struct player *player) {
    for (int place = IN; place <= OUT; place++) {
        for (int job = 0; job < player->batch->count; job++) {
            if (place != OUT) {
                after(player, job, (enum place)place);
            }
            whole(player, job, (enum place)place);
        }
    }
}

static void launch_all(struct player *player) {
    for (int job = 0; job < player->batch->count; job++) {
        after(player, job, IN);
        whole(player, job, IN);
    }
    for (int job = 0; job < player->batch->count; job++) {
        wait(player, stream_of(job, RUN), stream_of(job, IN));
        start(player, job, RUN);
    }
}

static void concurrent(struct player *player) {
    launch_all(player);
    for (int job = 0; job < player->batch->count; job++) {
        record(player, stream_of(job, RUN), stream_of(job, RUN));
    }
    for (int job = 0; job < player->batch->count; job++) {
        whole(player, job, OUT);
    }
}

/* ---- the order by the ends of kernels ---- */

static bool has_ended(const struct player *player, int job) {
    for (int i = 0; i < player->count; i++) {
        const struct one *it = &player->calls[i];
        if (it->stream == stream_of(job, RUN) && it->kind == KERNEL) {
            return it->complete;
        }
    }
    return false;
}

static int first_ended(const struct player *player, const bool *found) {
    for (int job = 0; job < player->batch->count; job++) {
        if (!found[job] && has_ended(player, job)) {
            return job;
        }
    }
    return -1;
}

/* Looks every `poll` until a kernel that has not been found has ended. */
static int look(struct player *player, const bool *found) {
    grt_time since = player->now;
    for (;;) {
        int job = player->batch->poll == 0 || player->now > since ? first_ended(player, found) : -1;
        if (job >= 0) {
            return job;
        }
        grt_time next = player->batch->poll > 0 ? player->now + player->batch->poll
                                                : next_instant(player, GRT_TIME_NEVER);
        play_until(player, next);
        player->free_at = player->now;
    }
}

static int only_one_left(const bool *found, int count) {
    int left = -1, how_many = 0;
    for (int job = 0; job < count; job++) {
        left = found[job] ? left : job;
        how_many += !found[job];
    }
    return how_many == 1 ? left : -1;
}

static void order(struct player *player) {
    bool found[GRT_PLAYED_JOBS] = {false};
    int count = player->batch->count, last = only_one_left(found, count);
    launch_all(player);
    add(player, (struct one){.kind = QUERY, .stream = stream_of(0, RUN), .event = -1});
    while (last < 0) {
        int first = look(player, found);
        found[first] = true;
        last = only_one_left(found, count);
        record(player, stream_of(first, OUT), stream_of(first, RUN)); /* in the stream of the copy */
        if (last >= 0) {
            record(player, stream_of(last, RUN), stream_of(last, RUN));
        }
        whole(player, first, OUT);
    }
    if (count == 1) {
        record(player, stream_of(last, RUN), stream_of(last, RUN));
    }
    whole(player, last, OUT);
}

void grt_batch_play(const struct grt_played_batch *batch, grt_time done[GRT_PLAYED_JOBS]) {
    static void (*const plays[])(struct player *) = {traditional, interleave, concurrent, order};
    struct player player = {.batch = batch};
    for (int i = 0; i < STREAMS; i++) { /* the dummy commands */
        player.last_record[i] = -1;
        player.queue_of[i] = i % 3 == RUN ? 0 : 1 + (i % 3 == OUT && batch->copy_engines == 2);
    }
    plays[batch->how](&player);
    for (int job = 0; job < batch->count; job++) {
        done[job] = complete_at(&player, job, OUT);
    }
}
