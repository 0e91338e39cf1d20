#include "study/sweep/desk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "sim/memory.h"
#include "sim/time.h"

#define MOST_WAITING ((size_t)2 * 1024 * 1024)
enum { USUAL_FLUSH_MS = 500 };

int64_t grt_monotonic(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * GRT_SECOND + now.tv_nsec;
}

bool grt_sweep_plan(const struct grt_experiment *experiment, uint32_t shard, uint32_t shards,
                    struct grt_chunk_plan *plan, struct grt_errors *errors) {
    *plan = grt_chunk_plan(experiment->point_count, (uint64_t)experiment->samples, shard, shards);
    if (plan->total > GRT_MOST_CHUNKS) {
        grt_error_add(errors, NULL,
                      "%zu points of %" PRId64 " samples are more than a sweep can have (%" PRIu64
                      " samples in all)",
                      experiment->point_count, experiment->samples, GRT_MOST_CHUNKS * GRT_CHUNK_SAMPLES);
        return false;
    }
    return true;
}

struct grt_journal_head grt_sweep_head(const struct grt_experiment *experiment,
                                       const struct grt_chunk_shape *shape, struct grt_chunk_plan plan) {
    return (struct grt_journal_head){.name = experiment->name,
                                     .identity = experiment->identity,
                                     .seed = experiment->seed,
                                     .plan = plan,
                                     .shape = *shape};
}

/* ---- opening ---- */

static bool take_old(void *state, struct grt_chunk *chunk, uint64_t hash,
                     const struct grt_journal_reader *reader, struct grt_errors *errors) {
    struct grt_desk *desk = state;
    if (grt_collector_take(&desk->collector, chunk, hash) == GRT_COLLECTOR_CONFLICT) {
        grt_error_add(errors, NULL,
                      "%s: line %" PRIu64 ": chunk %" PRIu64
                      " is there twice with different content; --restart throws the journal away",
                      grt_journal_reader_path(reader), grt_journal_reader_line(reader), chunk->number);
        return false;
    }
    return true;
}

static bool open_journal(struct grt_desk *desk, struct grt_errors *errors) {
    if (desk->options->journal == NULL) {
        return true;
    }
    struct grt_journal_options wanted = {.path = desk->options->journal,
                                         .head = &desk->head,
                                         .restart = desk->options->restart,
                                         .each = take_old,
                                         .state = desk};
    desk->journal = grt_journal_open(&wanted, errors);
    desk->resumed = desk->collector.done;
    return desk->journal != NULL;
}

static void start_lock(struct grt_desk *desk) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&desk->mutex, NULL);
    pthread_cond_init(&desk->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void end_lock(struct grt_desk *desk) {
    pthread_cond_destroy(&desk->changed);
    pthread_mutex_destroy(&desk->mutex);
}

bool grt_desk_open(struct grt_desk *desk, const struct grt_sweep_work *work,
                   const struct grt_sweep_options *options, struct grt_results *results,
                   struct grt_errors *errors) {
    struct grt_chunk_plan plan;
    *desk = (struct grt_desk){.options = options, .start = grt_monotonic()};
    desk->flushed = desk->start;
    if (!grt_sweep_plan(work->experiment, options->shard, options->shards, &plan, errors)) {
        return false;
    }
    desk->head = grt_sweep_head(work->experiment, &work->shape, plan);
    grt_collector_start(&desk->collector, &plan, &work->shape, work->experiment, results);
    if (!open_journal(desk, errors)) {
        grt_collector_end(&desk->collector);
        grt_results_free(results);
        return false;
    }
    start_lock(desk);
    return true;
}

/* ---- handing out, handing in ---- */

enum grt_collector_answer grt_desk_next(struct grt_desk *desk, uint64_t *number) {
    pthread_mutex_lock(&desk->mutex);
    enum grt_collector_answer answer =
        desk->stopped ? GRT_COLLECTOR_END : grt_collector_next(&desk->collector, number);
    pthread_mutex_unlock(&desk->mutex);
    return answer;
}

void grt_desk_give(struct grt_desk *desk, const struct grt_done_chunk *done) {
    uint64_t hash = grt_line_hash(done->line, done->size - 1);
    pthread_mutex_lock(&desk->mutex);
    uint64_t merged = desk->collector.merged;
    if (grt_collector_take(&desk->collector, done->chunk, hash) == GRT_COLLECTOR_NEW) {
        desk->samples += grt_chunk_size(&desk->collector.plan, done->chunk->number);
        if (desk->journal != NULL) {
            grt_journal_append(desk->journal, done->line, done->size);
        }
    }
    if (desk->collector.merged > merged || desk->collector.done == desk->collector.count) {
        pthread_cond_broadcast(&desk->changed);
    }
    pthread_mutex_unlock(&desk->mutex);
}

static bool next_for_thread(void *state, uint64_t *number) {
    struct grt_desk *desk = state;
    enum grt_collector_answer answer = GRT_COLLECTOR_END;
    pthread_mutex_lock(&desk->mutex);
    while (!desk->stopped && (answer = grt_collector_next(&desk->collector, number)) == GRT_COLLECTOR_WAIT) {
        pthread_cond_wait(&desk->changed, &desk->mutex);
    }
    bool got = !desk->stopped && answer == GRT_COLLECTOR_CHUNK;
    pthread_mutex_unlock(&desk->mutex);
    return got;
}

static void give_of_thread(void *state, const struct grt_done_chunk *done) {
    grt_desk_give(state, done);
}

struct grt_chunk_supply grt_desk_supply(struct grt_desk *desk) {
    return (struct grt_chunk_supply){desk, next_for_thread, give_of_thread};
}

bool grt_desk_wait(struct grt_desk *desk, uint32_t ms) {
    int64_t end = grt_monotonic() + (int64_t)ms * GRT_MILLISECOND;
    struct timespec until = {.tv_sec = (time_t)(end / GRT_SECOND), .tv_nsec = (long)(end % GRT_SECOND)};
    pthread_mutex_lock(&desk->mutex);
    int error = 0;
    while (desk->collector.done < desk->collector.count && !desk->stopped && error == 0) {
        error = pthread_cond_timedwait(&desk->changed, &desk->mutex, &until);
    }
    bool all = desk->collector.done == desk->collector.count;
    pthread_mutex_unlock(&desk->mutex);
    return all;
}

void grt_desk_stop(struct grt_desk *desk) {
    pthread_mutex_lock(&desk->mutex);
    desk->stopped = true;
    pthread_cond_broadcast(&desk->changed);
    pthread_mutex_unlock(&desk->mutex);
}

/* ---- the journal, and the end ---- */

bool grt_desk_flush(struct grt_desk *desk, struct grt_errors *errors) {
    if (desk->journal == NULL) {
        return true;
    }
    uint32_t ms = desk->options->flush_ms > 0 ? desk->options->flush_ms : USUAL_FLUSH_MS;
    int64_t now = grt_monotonic();
    bool good = true;
    pthread_mutex_lock(&desk->mutex);
    if (now - desk->flushed >= (int64_t)ms * GRT_MILLISECOND ||
        grt_journal_waiting(desk->journal) > MOST_WAITING) {
        desk->flushed = now;
        good = grt_journal_flush(desk->journal, errors);
    }
    pthread_mutex_unlock(&desk->mutex);
    return good;
}

struct grt_sweep_progress grt_desk_progress(struct grt_desk *desk) {
    pthread_mutex_lock(&desk->mutex);
    struct grt_sweep_progress progress = {.done = desk->collector.done,
                                          .total = desk->collector.count,
                                          .resumed = desk->resumed,
                                          .samples = desk->samples};
    pthread_mutex_unlock(&desk->mutex);
    progress.seconds = (double)(grt_monotonic() - desk->start) / (double)GRT_SECOND;
    return progress;
}

bool grt_desk_close(struct grt_desk *desk, struct grt_errors *errors) {
    bool all = desk->collector.done == desk->collector.count;
    bool good = true;
    if (all && !desk->options->keep_journal && desk->journal != NULL) {
        good = grt_journal_finish(desk->journal, errors);
    } else {
        good = grt_journal_close(desk->journal, errors);
    }
    grt_collector_end(&desk->collector);
    end_lock(desk);
    return good;
}
