#include <errno.h>
#include <stdlib.h>

#include "calib/pretend/threads_internal.h"
#include "sim/check.h"

/* Workers need little: there may be thousands. */
enum { STACK_BYTES = 256 * 1024 };

static void give(struct threads_worker *worker, struct threads_block *block) {
    worker->block = block;
    sem_post(&worker->wake);
}

/* Where the system has no more threads, blocks have waited for one. */
static void become_idle(struct threads_worker *worker) {
    struct grt_threads *threads = worker->threads;
    struct threads_block *block = threads->first_block;
    if (block == NULL) {
        worker->next = threads->idle;
        threads->idle = worker;
        return;
    }
    threads->first_block = block->next;
    threads->last_block = block->next == NULL ? &threads->first_block : threads->last_block;
    give(worker, block);
}

/* It is idle before others are told, and so the first to get a block that finds room now: it goes on without being woken. */
static void end_block(struct threads_worker *worker) {
    struct grt_threads *threads = worker->threads;
    struct threads_block *block = worker->block;
    worker->block = NULL;
    pthread_mutex_lock(&threads->lock);
    if (atomic_load(&threads->ended)) { /* nothing begins any more */
        free(block);
    } else {
        become_idle(worker);
        grt_threads_block_ended(threads, block);
    }
    pthread_mutex_unlock(&threads->lock);
}

/* A worker stands for a slot of an SM while it executes a block. */
static void *work(void *argument) {
    struct threads_worker *worker = argument;
    grt_threads_be_exact();
    for (;;) {
        while (sem_wait(&worker->wake) != 0 && errno == EINTR) {
        }
        if (atomic_load(&worker->threads->ended)) {
            return NULL;
        }
        grt_threads_block(worker->threads, worker->block);
        end_block(worker);
    }
}

/* NULL: the system has no more threads. */
static struct threads_worker *add_worker(struct grt_threads *threads) {
    struct threads_worker *worker = grt_allocate(sizeof *worker);
    *worker = (struct threads_worker){.threads = threads};
    sem_init(&worker->wake, 0, 0);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    int error = pthread_create(&worker->thread, &attributes, work, worker);
    pthread_attr_destroy(&attributes);
    if (error != 0) {
        GRT_REQUIRE(threads->worker_count > 0, "let the process have at least one more thread");
        sem_destroy(&worker->wake);
        free(worker);
        return NULL;
    }
    threads->workers = grt_array_grow(threads->workers, &threads->worker_capacity, threads->worker_count + 1,
                                      sizeof threads->workers[0]);
    threads->workers[threads->worker_count++] = worker;
    return worker;
}

void grt_threads_offer(struct grt_threads *threads, struct threads_block *block) {
    struct threads_worker *worker = threads->idle;
    if (worker != NULL) {
        threads->idle = worker->next;
    } else {
        worker = add_worker(threads);
    }
    if (worker != NULL) {
        give(worker, block);
        return;
    }
    *threads->last_block = block;
    threads->last_block = &block->next;
}

void grt_threads_workers_join(struct grt_threads *threads) {
    for (uint32_t i = 0; i < threads->worker_count; i++) {
        sem_post(&threads->workers[i]->wake);
    }
    for (uint32_t i = 0; i < threads->worker_count; i++) {
        struct threads_worker *worker = threads->workers[i];
        pthread_join(worker->thread, NULL);
        sem_destroy(&worker->wake);
        free(worker->block);
        free(worker);
    }
}
