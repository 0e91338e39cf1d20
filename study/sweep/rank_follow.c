#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/memory.h"
#include "sim/time.h"
#include "study/sweep/ranks_internal.h"

enum { FIRST_CAPACITY = 4096, ASK_MS = 100 };
#define RESERVE_SECONDS 0.02 /* work that waits here, so that threads do not wait for rank 0 */

/* Between this rank's threads and its messages. */
struct counter {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t queue[2 * GRT_RANK_MOST_HANDED]; /* chunks to do, a ring */
    uint32_t first, count;
    uint32_t idle;         /* threads that wait for one */
    uint64_t taken, given; /* chunks: by threads, and done */
    bool ended;            /* no more will come */
    bool asked;            /* for more */
    char *outbox;          /* "d" and lines */
    uint32_t size, capacity;
    int64_t start;
};

void grt_rank_rest(void) {
    nanosleep(&(struct timespec){.tv_nsec = GRT_MILLISECOND}, NULL);
}

static void say(const struct grt_ranks *ranks, const char *text) {
    ranks->send(ranks->state, 0, text, strlen(text));
}

/* ---- the threads' side ---- */

static bool next(void *state, uint64_t *number) {
    struct counter *counter = state;
    pthread_mutex_lock(&counter->mutex);
    counter->idle++;
    while (counter->count == 0 && !counter->ended) {
        pthread_cond_wait(&counter->changed, &counter->mutex);
    }
    counter->idle--;
    bool got = counter->count > 0;
    if (got) {
        *number = counter->queue[counter->first];
        counter->first = (counter->first + 1) % (2 * GRT_RANK_MOST_HANDED);
        counter->count--;
        counter->taken++;
    }
    pthread_mutex_unlock(&counter->mutex);
    return got;
}

static void give(void *state, const struct grt_done_chunk *done) {
    struct counter *counter = state;
    pthread_mutex_lock(&counter->mutex);
    uint32_t needed = counter->size + (uint32_t)done->size, first = GRT_FIRST_CAPACITY(FIRST_CAPACITY);
    counter->outbox = grt_array_grow(counter->outbox, &counter->capacity, needed > first ? needed : first, 1);
    memcpy(counter->outbox + counter->size, done->line, done->size);
    counter->size = needed;
    counter->given++;
    pthread_mutex_unlock(&counter->mutex);
}

/* ---- the messages' side ---- */

static void send_done(struct counter *counter, const struct grt_ranks *ranks) {
    pthread_mutex_lock(&counter->mutex);
    char *text = counter->outbox;
    uint32_t size = counter->size;
    counter->outbox = NULL;
    counter->size = counter->capacity = 0;
    pthread_mutex_unlock(&counter->mutex);
    if (size > 0) {
        char *message = grt_allocate((size_t)size + 1);
        message[0] = 'd';
        memcpy(message + 1, text, size);
        ranks->send(ranks->state, 0, message, (size_t)size + 1);
        free(message);
    }
    free(text);
}

/* How many chunks to ask for: one for each thread that has none, and what takes about as long as an answer. */
static uint32_t wish(struct counter *counter) {
    pthread_mutex_lock(&counter->mutex);
    double seconds = (double)(grt_monotonic() - counter->start) / (double)GRT_SECOND;
    double rate = seconds > 0 ? (double)counter->given / seconds : 0;
    double level = (double)counter->idle + rate * RESERVE_SECONDS;
    uint32_t most = GRT_RANK_MOST_HANDED;
    uint32_t wanted = level < (double)most ? (uint32_t)level : most;
    bool ask = !counter->asked && !counter->ended && 2 * counter->count < wanted;
    counter->asked = counter->asked || ask;
    uint32_t count = ask ? wanted - counter->count : 0;
    pthread_mutex_unlock(&counter->mutex);
    return count;
}

static void ask(struct counter *counter, const struct grt_ranks *ranks) {
    uint32_t count = wish(counter);
    if (count > 0) {
        char text[32];
        snprintf(text, sizeof text, "r%" PRIu32, count);
        say(ranks, text);
    }
}

static void put_numbers(struct counter *counter, const char *text) {
    char *end = NULL;
    for (unsigned long long number = strtoull(text, &end, 10);
         end != text && counter->count < 2 * GRT_RANK_MOST_HANDED; number = strtoull(text, &end, 10)) {
        counter->queue[(counter->first + counter->count++) % (2 * GRT_RANK_MOST_HANDED)] = number;
        text = end;
    }
}

/* Takes what has arrived; false where rank 0 says to give up. */
static bool hear(struct counter *counter, const struct grt_ranks *ranks) {
    struct grt_rank_message message;
    bool good = true;
    while (good && ranks->receive(ranks->state, &message)) {
        pthread_mutex_lock(&counter->mutex);
        good = message.text[0] != 'x';
        if (message.text[0] == 'w') {
            counter->asked = false;
            put_numbers(counter, message.text + 1);
        } else {
            counter->ended = true;
        }
        pthread_cond_broadcast(&counter->changed);
        pthread_mutex_unlock(&counter->mutex);
        free(message.text);
    }
    return good;
}

static bool is_done(struct counter *counter) {
    pthread_mutex_lock(&counter->mutex);
    bool done = counter->ended && counter->count == 0 && counter->taken == counter->given;
    pthread_mutex_unlock(&counter->mutex);
    return done;
}

static bool may_go_on(const struct grt_sweep_options *options, int64_t *asked) {
    int64_t now = grt_monotonic();
    if (options->go_on == NULL || now - *asked < ASK_MS * GRT_MILLISECOND) {
        return true;
    }
    *asked = now;
    return options->go_on(options->state, &(struct grt_sweep_progress){0});
}

static void talk(struct counter *counter, struct grt_workers *workers,
                 const struct grt_sweep_options *options) {
    int64_t asked = counter->start;
    while (!is_done(counter)) {
        send_done(counter, options->ranks);
        ask(counter, options->ranks);
        if (!hear(counter, options->ranks) || !may_go_on(options, &asked)) {
            grt_workers_stop(workers);
            break;
        }
        grt_rank_rest();
    }
    pthread_mutex_lock(&counter->mutex);
    counter->ended = true;
    counter->count = 0;
    pthread_cond_broadcast(&counter->changed);
    pthread_mutex_unlock(&counter->mutex);
}

/* ---- the whole ---- */

void grt_rank_leave(const struct grt_ranks *ranks) {
    int64_t start = grt_monotonic();
    bool told = false;
    say(ranks, "b");
    while (!told && grt_monotonic() - start < GRT_RANK_PATIENCE_MS * GRT_MILLISECOND) {
        struct grt_rank_message message;
        while (!told && ranks->receive(ranks->state, &message)) {
            told = message.text[0] == 'z';
            free(message.text);
        }
        if (!told) {
            grt_rank_rest();
        }
    }
}

bool grt_rank_follow(const struct grt_sweep_work *work, const struct grt_sweep_options *options,
                     struct grt_errors *errors) {
    const struct grt_ranks *ranks = options->ranks;
    struct counter *counter = grt_allocate(sizeof *counter);
    *counter = (struct counter){.start = grt_monotonic()};
    pthread_mutex_init(&counter->mutex, NULL);
    pthread_cond_init(&counter->changed, NULL);
    struct grt_chunk_supply supply = {counter, next, give};
    size_t threads = options->threads > 0 ? options->threads : grt_workers_usual();
    struct grt_workers *workers = grt_workers_start(work, &supply, threads, errors);
    if (workers != NULL) {
        char hello[32];
        snprintf(hello, sizeof hello, "h%016" PRIx64, work->experiment->identity);
        say(ranks, hello);
        talk(counter, workers, options);
        grt_workers_join(workers);
        send_done(counter, ranks);
        grt_rank_leave(ranks);
    } else {
        grt_ranks_give_up(ranks, errors);
    }
    pthread_cond_destroy(&counter->changed);
    pthread_mutex_destroy(&counter->mutex);
    free(counter->outbox);
    free(counter);
    return workers != NULL;
}

void grt_ranks_give_up(const struct grt_ranks *ranks, const struct grt_errors *errors) {
    if (ranks->rank == 0) {
        struct grt_rank_lead lead;
        grt_rank_lead_start(&lead, ranks, NULL);
        grt_rank_lead_end(&lead, true);
        return;
    }
    const char *reason = errors->count > 0 ? errors->messages[0] : "failed";
    size_t size = strlen(reason) + 2;
    char *text = grt_allocate(size);
    snprintf(text, size, "e%s", reason);
    say(ranks, text);
    free(text);
    grt_rank_leave(ranks);
}
