#include <string.h>

#include "calib/pretend/threads_internal.h"
#include "sim/random.h"

/* Copies to the host have an engine of their own where there are two. What stays on the device has one that the device does not count. */
static struct threads_copier *copier_of(struct grt_threads *threads, enum grt_engine_copy kind) {
    uint32_t last = threads->copier_count - 1;
    switch (kind) {
    case GRT_ENGINE_H2D:
        return &threads->copiers[0];
    case GRT_ENGINE_D2H:
        return &threads->copiers[last == 2 ? 1 : 0];
    default:
        return &threads->copiers[last];
    }
}

/* Bytes that cross its memory or the bus, at which rate; 0: not known, no time. */
static grt_time transfer_time(const struct grt_device *device, const struct grt_engine_transfer *transfer) {
    int64_t rate = transfer->kind == GRT_ENGINE_H2D   ? device->h2d_bytes_per_second
                   : transfer->kind == GRT_ENGINE_D2H ? device->d2h_bytes_per_second
                                                      : device->memory_bytes_per_second;
    int64_t bytes = (int64_t)transfer->bytes * (transfer->kind == GRT_ENGINE_D2D ? 2 : 1);
    if (transfer->pageable && device->pageable_percent > 0) {
        rate = rate / 100 * device->pageable_percent;
    }
    return device->copy_latency + (rate > 0 ? grt_time_of_work(bytes, rate) : 0);
}

static void execute(struct grt_threads *threads, const struct threads_command *command) {
    const struct grt_pretend_spec *spec = threads->spec;
    struct grt_random random = grt_random_stream(spec->seed, "thread copy", command->serial, 0);
    grt_time end = grt_threads_now(threads) + transfer_time(&spec->device, &command->transfer) +
                   grt_distribution_draw(&spec->copy_noise, &random);
    grt_engine_move(&command->transfer);
    grt_threads_sleep(threads, end);
}

static void *copy(void *argument) {
    struct threads_copier *copier = argument;
    struct grt_threads *threads = copier->threads;
    grt_threads_be_exact();
    pthread_mutex_lock(&threads->lock);
    while (!atomic_load(&threads->ended)) {
        struct threads_command *command = copier->first;
        if (command == NULL) {
            pthread_cond_wait(&copier->work, &threads->lock);
            continue;
        }
        copier->first = command->after;
        copier->last = copier->first == NULL ? &copier->first : copier->last;
        pthread_mutex_unlock(&threads->lock);
        execute(threads, command);
        pthread_mutex_lock(&threads->lock);
        if (!atomic_load(&threads->ended)) {
            grt_threads_complete(threads, command);
            grt_threads_progress(threads);
        }
    }
    pthread_mutex_unlock(&threads->lock);
    return NULL;
}

void grt_threads_copy(struct grt_threads *threads, struct threads_command *command) {
    struct threads_copier *copier = copier_of(threads, command->transfer.kind);
    command->after = NULL;
    *copier->last = command;
    copier->last = &command->after;
    pthread_cond_signal(&copier->work);
}

bool grt_threads_copiers_start(struct grt_threads *threads, struct grt_errors *errors) {
    uint32_t count = grt_device_engines(&threads->spec->device) + 1;
    for (uint32_t i = 0; i < count; i++) {
        struct threads_copier *copier = &threads->copiers[i];
        copier->threads = threads;
        copier->last = &copier->first;
        pthread_cond_init(&copier->work, NULL);
        int error = pthread_create(&copier->thread, NULL, copy, copier);
        if (error != 0) {
            grt_error_add(errors, NULL, "no thread can be started for copies: %s", strerror(error));
            pthread_cond_destroy(&copier->work);
            return false;
        }
        threads->copier_count++;
    }
    return true;
}

void grt_threads_copiers_join(struct grt_threads *threads) {
    for (uint32_t i = 0; i < threads->copier_count; i++) {
        pthread_join(threads->copiers[i].thread, NULL);
        pthread_cond_destroy(&threads->copiers[i].work);
    }
}
