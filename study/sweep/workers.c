#define _GNU_SOURCE /* sched_getaffinity */
#include "study/sweep/workers.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/crash.h"
#include "sim/memory.h"

struct grt_workers {
    const struct grt_sweep_work *work;
    struct grt_chunk_supply supply;
    atomic_bool stopped;
    atomic_uint_fast64_t samples;
    size_t count;
    pthread_t threads[];
};

/* One thread's. */
struct worker {
    struct grt_workers *workers;
    void *own;
    struct grt_found *found;
    struct grt_chunk *chunk;
    char *line;
};

/* False where it was told to stop. */
static bool evaluate(struct worker *worker, const struct grt_chunk_plan *plan, uint64_t number) {
    const struct grt_sweep_work *work = worker->workers->work;
    uint64_t point = grt_chunk_point(plan, number), first = grt_chunk_first(plan, number);
    uint32_t size = grt_chunk_size(plan, number);
    grt_chunk_clear(worker->chunk, &work->shape, number);
    for (uint32_t i = 0; i < size; i++) {
        if (atomic_load_explicit(&worker->workers->stopped, memory_order_relaxed)) {
            return false;
        }
        work->run(worker->own, point, first + i, worker->found);
        grt_chunk_add(worker->chunk, &work->shape, worker->found);
        atomic_fetch_add_explicit(&worker->workers->samples, 1, memory_order_relaxed);
    }
    return true;
}

static void work_on(struct worker *worker) {
    struct grt_workers *workers = worker->workers;
    const struct grt_experiment *experiment = workers->work->experiment;
    struct grt_chunk_plan plan = grt_chunk_plan(experiment->point_count, (uint64_t)experiment->samples, 0, 1);
    uint64_t number = 0;
    while (workers->supply.next(workers->supply.state, &number) && evaluate(worker, &plan, number)) {
        struct grt_done_chunk done = {.chunk = worker->chunk, .line = worker->line};
        done.size = grt_chunk_write(worker->chunk, &workers->work->shape, worker->line);
        workers->supply.give(workers->supply.state, &done);
    }
}

static void *run_thread(void *argument) {
    struct grt_workers *workers = argument;
    const struct grt_sweep_work *work = workers->work;
    struct grt_crash_stack stack;
    grt_crash_stack_use(&stack);
    struct worker worker = {.workers = workers, .own = work->start(work->state)};
    worker.found = grt_allocate(work->shape.evaluation_count * sizeof *worker.found);
    memset(worker.found, 0, work->shape.evaluation_count * sizeof *worker.found);
    worker.chunk = grt_chunk_create(&work->shape, 0);
    worker.line = grt_allocate(grt_chunk_text_size(&work->shape));
    work_on(&worker);
    work->end(worker.own);
    free(worker.found);
    free(worker.chunk);
    free(worker.line);
    grt_crash_stack_end(&stack);
    return NULL;
}

struct grt_workers *grt_workers_start(const struct grt_sweep_work *work,
                                      const struct grt_chunk_supply *supply, size_t threads,
                                      struct grt_errors *errors) {
    struct grt_workers *workers = grt_allocate(sizeof *workers + threads * sizeof workers->threads[0]);
    workers->work = work;
    workers->supply = *supply;
    workers->count = 0;
    atomic_init(&workers->stopped, false);
    atomic_init(&workers->samples, 0);
    int error = 0;
    while (workers->count < threads && error == 0) {
        error = pthread_create(&workers->threads[workers->count], NULL, run_thread, workers);
        workers->count += error == 0;
    }
    if (workers->count == 0) {
        grt_error_add(errors, NULL, "no thread can be started: %s", strerror(error));
        free(workers);
        return NULL;
    }
    return workers;
}

uint64_t grt_workers_samples(const struct grt_workers *workers) {
    return atomic_load(&workers->samples);
}

void grt_workers_stop(struct grt_workers *workers) {
    atomic_store(&workers->stopped, true);
}

uint64_t grt_workers_join(struct grt_workers *workers) {
    for (size_t i = 0; workers != NULL && i < workers->count; i++) {
        pthread_join(workers->threads[i], NULL);
    }
    uint64_t samples = workers != NULL ? grt_workers_samples(workers) : 0;
    free(workers);
    return samples;
}

size_t grt_workers_usual(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) {
        return (size_t)CPU_COUNT(&set);
    }
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (size_t)cores : 1;
}
