#include <stdlib.h>

#include "calib/pretend/threads_internal.h"
#include "sim/check.h"

static struct threads_block *take_block(struct grt_threads *threads) {
    struct threads_block *block = threads->first_block;
    if (block != NULL) {
        threads->first_block = block->next;
        threads->last_block = block->next == NULL ? &threads->first_block : threads->last_block;
        threads->waiting_blocks--;
    }
    return block;
}

/* Where the engine has ended nothing begins any more. */
static void end_block(struct grt_threads *threads, struct threads_block *block) {
    if (atomic_load(&threads->ended)) {
        free(block);
    } else {
        grt_threads_block_ended(threads, block);
    }
}

/* A worker stands for a slot of an SM while it executes a block. */
static void *work(void *argument) {
    struct grt_threads *threads = argument;
    grt_threads_be_exact();
    pthread_mutex_lock(&threads->lock);
    while (!atomic_load(&threads->ended)) {
        struct threads_block *block = take_block(threads);
        if (block == NULL) {
            threads->idle_workers++;
            pthread_cond_wait(&threads->work, &threads->lock);
            threads->idle_workers--;
            continue;
        }
        pthread_mutex_unlock(&threads->lock);
        grt_threads_block(threads, block);
        pthread_mutex_lock(&threads->lock);
        end_block(threads, block);
    }
    pthread_mutex_unlock(&threads->lock);
    return NULL;
}

/* Workers need little: there may be thousands. */
enum { STACK_BYTES = 256 * 1024 };

/* Where the system has no more threads, blocks wait for those that there are. */
static void add_worker(struct grt_threads *threads) {
    threads->workers = grt_array_grow(threads->workers, &threads->worker_capacity, threads->worker_count + 1,
                                      sizeof threads->workers[0]);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    int error = pthread_create(&threads->workers[threads->worker_count], &attributes, work, threads);
    threads->worker_count += error == 0;
    pthread_attr_destroy(&attributes);
    GRT_REQUIRE(threads->worker_count > 0, "let the process have at least one more thread");
}

void grt_threads_offer(struct grt_threads *threads, struct threads_block *block) {
    *threads->last_block = block;
    threads->last_block = &block->next;
    if (++threads->waiting_blocks > threads->idle_workers) {
        add_worker(threads);
    }
    pthread_cond_signal(&threads->work);
}

void grt_threads_workers_join(struct grt_threads *threads) {
    for (uint32_t i = 0; i < threads->worker_count; i++) {
        pthread_join(threads->workers[i], NULL);
    }
}
