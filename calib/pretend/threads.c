/* The engine of threads: see threads_internal.h for how it works. Blocks find their SMs by the placement of gpurt's model, kernels begin in the order of their streams'
 * priorities, then of their turn; blocks run for as long as the pretended device says, by sleeping, so that many SMs need little of a processor. What takes
 * other times than that is what it is there for: it comes from the system that it runs on. Launches take what waking a thread takes; blocks do
 * not slow each other. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "calib/pretend/threads_internal.h"
#include "sim/check.h"

static void start_lock(struct grt_threads *threads) {
    pthread_mutex_init(&threads->lock, NULL);
    pthread_cond_init(&threads->changed, NULL);
}

static void destroy(void *engine) {
    struct grt_threads *threads = engine;
    pthread_mutex_lock(&threads->lock);
    atomic_store(&threads->ended, true);
    for (uint32_t i = 0; i < threads->copier_count; i++) {
        pthread_cond_broadcast(&threads->copiers[i].work);
    }
    pthread_mutex_unlock(&threads->lock);
    grt_threads_workers_join(threads);
    grt_threads_copiers_join(threads);
    for (struct threads_block *block = threads->first_block, *next; block != NULL; block = next) {
        next = block->next;
        free(block);
    }
    for (uint32_t i = 0; i < threads->stream_count; i++) {
        for (struct threads_command *command = threads->streams[i].first, *next; command != NULL;
             command = next) {
            next = command->next;
            grt_threads_command_free(command);
        }
    }
    for (uint32_t i = 0; i < threads->event_count; i++) {
        grt_threads_mark_leave(threads->events[i].mark);
    }
    pthread_cond_destroy(&threads->changed);
    pthread_mutex_destroy(&threads->lock);
    free(threads->workers);
    grt_arena_clear(&threads->arena);
    free(threads);
}

static void *create(const struct grt_pretend_spec *spec, struct grt_errors *errors) {
    struct grt_threads *threads = grt_allocate(sizeof *threads);
    memset(threads, 0, sizeof *threads);
    threads->spec = spec;
    threads->last_block = &threads->first_block;
    threads->origin = grt_threads_now(threads);
    threads->placement = grt_placement_create(&spec->device, &threads->arena,
                                              grt_random_stream(spec->seed, "thread placement", 0, 0));
    memset(threads->free_slots, 0xff, sizeof threads->free_slots);
    atomic_init(&threads->ended, false);
    start_lock(threads);
    if (!grt_threads_copiers_start(threads, errors)) {
        destroy(threads);
        return NULL;
    }
    return threads;
}

/* --- The clock. */

static grt_time now(void *state) {
    return grt_threads_now(state);
}

static void wait_until(void *state, grt_time instant) {
    grt_threads_sleep(state, instant);
}

static void idle(void *state, grt_time instant) {
    (void)state;
    (void)instant;
    sched_yield();
}

static void call(void *engine, enum grt_engine_call what) { /* takes what it takes */
    (void)engine;
    (void)what;
}

/* --- Streams and events. */

static void keep_to(struct grt_threads *threads, struct threads_stream *stream, const uint64_t *sms) {
    stream->kept = sms != NULL;
    for (uint32_t place = 0; sms != NULL && place < grt_placement_count(threads->placement); place++) {
        uint32_t sm = grt_placement_sm(threads->placement, place);
        stream->places[place / 64] |= (sms[sm / 64] >> sm % 64 & 1) << place % 64;
    }
}

static bool make_stream(void *engine, int priority, const uint64_t *sms, uint32_t *number) {
    struct grt_threads *threads = engine;
    uint32_t i = 0;
    pthread_mutex_lock(&threads->lock);
    while (i < threads->stream_count && threads->streams[i].used) {
        i++;
    }
    bool found = i < THREADS_MOST_STREAMS;
    if (found) {
        threads->stream_count += i == threads->stream_count;
        threads->streams[i] = (struct threads_stream){.used = true, .priority = priority};
        threads->streams[i].last = &threads->streams[i].first;
        keep_to(threads, &threads->streams[i], sms);
        *number = i;
    }
    pthread_mutex_unlock(&threads->lock);
    return found;
}

static void end_stream(void *engine, uint32_t stream) {
    struct grt_threads *threads = engine;
    pthread_mutex_lock(&threads->lock);
    GRT_REQUIRE(threads->streams[stream].first == NULL, "wait for a stream before it ends");
    threads->streams[stream].used = false;
    pthread_mutex_unlock(&threads->lock);
}

static bool make_event(void *engine, uint32_t *number) {
    struct grt_threads *threads = engine;
    uint32_t i = 0;
    pthread_mutex_lock(&threads->lock);
    while (i < threads->event_count && threads->events[i].used) {
        i++;
    }
    bool found = i < THREADS_MOST_EVENTS;
    if (found) {
        threads->event_count += i == threads->event_count;
        threads->events[i] = (struct threads_event){.used = true};
        *number = i;
    }
    pthread_mutex_unlock(&threads->lock);
    return found;
}

static void end_event(void *engine, uint32_t event) {
    struct grt_threads *threads = engine;
    pthread_mutex_lock(&threads->lock);
    grt_threads_mark_leave(threads->events[event].mark);
    threads->events[event] = (struct threads_event){0};
    pthread_mutex_unlock(&threads->lock);
}

/* --- Commands. */

static struct threads_command *new_command(enum threads_kind kind) {
    struct threads_command *command = grt_allocate(sizeof *command);
    *command = (struct threads_command){.kind = kind};
    return command;
}

static void submit(struct grt_threads *threads, uint32_t stream, struct threads_command *command) {
    grt_threads_append(threads, stream, command);
    grt_threads_progress(threads);
}

/* The host may change its table once it has launched. */
static uint64_t *table_of(const struct grt_engine_kernel *kernel) {
    if (kernel->id != GRT_KERNEL_SPIN_TABLE) {
        return NULL;
    }
    bool plain = kernel->control.mode == GRT_KERNEL_PLAIN;
    size_t size = (plain ? kernel->blocks : kernel->control.block_count) * sizeof(uint64_t);
    uint64_t *times = grt_allocate(size > 0 ? size : sizeof(uint64_t));
    memcpy(times, kernel->table + kernel->amount + kernel->control.first_block, size);
    return times;
}

static void launch(void *engine, uint32_t stream, const struct grt_engine_kernel *kernel) {
    struct grt_threads *threads = engine;
    struct threads_command *command = new_command(THREADS_KERNEL);
    struct threads_grid *grid = grt_allocate(sizeof *grid);
    *grid = (struct threads_grid){.kernel = *kernel, .command = command};
    grid->times = table_of(kernel);
    struct grt_kernel description = {.blocks = kernel->blocks,
                                     .needs = {.threads = kernel->threads,
                                               .registers_per_thread = kernel->spec->registers,
                                               .shared_memory = kernel->shared_bytes,
                                               .shared_memory_opt_in = true}};
    const char *refusal = grt_gpu_kernel_prepare(&threads->spec->device, &description, &grid->costs);
    GRT_REQUIRE(refusal == NULL && kernel->blocks > 0, "launch only kernels whose blocks fit on an SM");
    command->grid = grid;
    pthread_mutex_lock(&threads->lock);
    submit(threads, stream, command);
    pthread_mutex_unlock(&threads->lock);
}

static void transfer(void *engine, uint32_t stream, const struct grt_engine_transfer *what) {
    struct grt_threads *threads = engine;
    struct threads_command *command = new_command(THREADS_TRANSFER);
    command->transfer = *what;
    if (what->pageable && what->kind == GRT_ENGINE_H2D && what->bytes > 0) {
        command->staged = grt_allocate(what->bytes);
        memcpy(command->staged, what->from, what->bytes);
        command->transfer.from = command->staged;
    }
    pthread_mutex_lock(&threads->lock);
    submit(threads, stream, command);
    pthread_mutex_unlock(&threads->lock);
}

static void record(void *engine, uint32_t stream, uint32_t event) {
    struct grt_threads *threads = engine;
    struct threads_command *command = new_command(THREADS_RECORD);
    command->mark = grt_allocate(sizeof *command->mark);
    *command->mark = (struct threads_mark){.users = 2};
    pthread_mutex_lock(&threads->lock);
    grt_threads_mark_leave(threads->events[event].mark);
    threads->events[event].mark = command->mark;
    submit(threads, stream, command);
    pthread_mutex_unlock(&threads->lock);
}

/* For the event's latest record so far. */
static void wait(void *engine, uint32_t stream, uint32_t event) {
    struct grt_threads *threads = engine;
    pthread_mutex_lock(&threads->lock);
    struct threads_mark *mark = threads->events[event].mark;
    if (mark != NULL) {
        struct threads_command *command = new_command(THREADS_WAIT);
        command->mark = mark;
        mark->users++;
        submit(threads, stream, command);
    }
    pthread_mutex_unlock(&threads->lock);
}

/* --- What the host asks and waits for. */

static bool is_recorded(const struct grt_threads *threads, uint32_t event) {
    const struct threads_mark *mark = threads->events[event].mark;
    return mark == NULL || mark->done;
}

static bool event_done(void *engine, uint32_t event) {
    struct grt_threads *threads = engine;
    pthread_mutex_lock(&threads->lock);
    bool done = is_recorded(threads, event);
    pthread_mutex_unlock(&threads->lock);
    return done;
}

static double event_ns(void *engine, uint32_t event) {
    struct grt_threads *threads = engine;
    pthread_mutex_lock(&threads->lock);
    const struct threads_mark *mark = threads->events[event].mark;
    double ns = mark != NULL ? mark->ns : 0;
    pthread_mutex_unlock(&threads->lock);
    return ns;
}

static bool stream_done(void *engine, uint32_t stream) {
    struct grt_threads *threads = engine;
    pthread_mutex_lock(&threads->lock);
    bool done = threads->streams[stream].first == NULL;
    pthread_mutex_unlock(&threads->lock);
    return done;
}

static void wait_event(void *engine, uint32_t event) {
    struct grt_threads *threads = engine;
    pthread_mutex_lock(&threads->lock);
    while (!is_recorded(threads, event)) {
        pthread_cond_wait(&threads->changed, &threads->lock);
    }
    pthread_mutex_unlock(&threads->lock);
}

static void wait_in(struct grt_threads *threads, uint32_t stream) { /* under the lock */
    while (threads->streams[stream].first != NULL) {
        pthread_cond_wait(&threads->changed, &threads->lock);
    }
}

static void wait_stream(void *engine, uint32_t stream) {
    struct grt_threads *threads = engine;
    pthread_mutex_lock(&threads->lock);
    wait_in(threads, stream);
    pthread_mutex_unlock(&threads->lock);
}

static void wait_all(void *engine) {
    struct grt_threads *threads = engine;
    pthread_mutex_lock(&threads->lock);
    for (uint32_t i = 0; i < threads->stream_count; i++) {
        wait_in(threads, i);
    }
    pthread_mutex_unlock(&threads->lock);
}

const struct grt_engine_ops grt_engine_threads = {
    .name = "host",
    .create = create,
    .destroy = destroy,
    .clock = {.now = now, .wait_until = wait_until, .idle = idle},
    .call = call,
    .stream = make_stream,
    .stream_end = end_stream,
    .event = make_event,
    .event_end = end_event,
    .kernel = launch,
    .transfer = transfer,
    .record = record,
    .wait = wait,
    .event_done = event_done,
    .event_ns = event_ns,
    .stream_done = stream_done,
    .wait_event = wait_event,
    .wait_stream = wait_stream,
    .wait_all = wait_all,
};
