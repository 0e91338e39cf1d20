/* A device of threads: what its files share. One lock guards everything but the bodies of blocks and copies, which sleep. Whoever changes something (a
 * call of the host, a block or a copy that has ended) calls grt_threads_progress under the lock: streams go on, blocks find places, and threads are woken.
 * There is no thread that only decides. */
#ifndef GRT_CALIB_PRETEND_THREADS_INTERNAL_H
#define GRT_CALIB_PRETEND_THREADS_INTERNAL_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "calib/pretend/engine.h"
#include "models/device/placement.h"
#include "models/gpu.h"
#include "sim/memory.h"

/* What an event was recorded with: stays while the event, the command that records it or one that waits for it needs it. */
struct threads_mark {
    uint32_t users;
    bool done;
    double ns; /* by the event clock, once it is done */
};

enum threads_kind { THREADS_KERNEL, THREADS_TRANSFER, THREADS_RECORD, THREADS_WAIT };

/* A command in its stream. */
struct threads_command {
    enum threads_kind kind;
    struct threads_command *next, *after; /* in its stream; a copy that has begun: in its engine's queue */
    struct threads_stream *stream;
    uint64_t serial; /* of all commands, in the order of the calls */
    struct grt_engine_transfer transfer;
    void *staged;              /* what `from` held when a pageable copy was called; owned */
    struct threads_mark *mark; /* record, wait */
    struct threads_grid *grid; /* kernel */
};

/* A kernel and its blocks. */
struct threads_grid {
    struct grt_engine_kernel kernel;
    struct grt_gpu_kernel costs;
    struct threads_command *command;
    struct threads_grid *next;  /* in the queue of those that have begun */
    uint32_t dispatched, ended; /* blocks */
    uint64_t *times;            /* SPIN_TABLE: of its logical blocks, in ns; owned; else NULL */
};

struct threads_stream {
    bool used, begun; /* begun: its first command */
    bool kept;        /* to the places below */
    int priority;
    uint64_t places[GRT_PLACE_WORDS];
    struct threads_command *first, **last;
};

struct threads_event {
    bool used;
    struct threads_mark *mark; /* of the latest record; NULL: there was none */
};

/* A block that has a place, until a thread takes it. */
struct threads_block {
    struct threads_grid *grid;
    uint32_t number; /* in the grid */
    uint32_t place;
    uint16_t sm, slot;
    struct threads_block *next;
};

enum { THREADS_COPY_ENGINES = 3, THREADS_MOST_STREAMS = 1024, THREADS_MOST_EVENTS = 4096 };

/* Executes blocks, each handed over by itself, so that it begins without the lock. */
struct threads_worker {
    struct grt_threads *threads;
    pthread_t thread;
    sem_t wake;                  /* there is a block, or the engine has ended */
    struct threads_block *block; /* to execute; NULL: none */
    struct threads_worker *next; /* of those that are idle */
};

/* Executes copies one after the other. */
struct threads_copier {
    struct grt_threads *threads;
    pthread_t thread;
    pthread_cond_t work;
    struct threads_command *first, **last;
};

struct grt_threads {
    const struct grt_pretend_spec *spec;
    grt_time origin; /* of its clock, on the system's */
    atomic_bool ended;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* something that the host may wait for */

    struct grt_arena arena;
    struct grt_placement *placement;
    /* the serial of the kernel whose blocks were placed last, and 1; 0: there was none */
    uint64_t placed_last;
    uint64_t free_slots[GRT_DEVICE_MAX_SMS]; /* by place: a bit for each slot */
    struct threads_stream streams[THREADS_MOST_STREAMS];
    struct threads_event events[THREADS_MOST_EVENTS];
    uint32_t stream_count, event_count; /* that have been used */
    uint64_t serial;
    /* that have begun and have blocks to dispatch: urgent ones first, then in turn */
    struct threads_grid *grids;
    struct threads_block *first_block, **last_block; /* that wait for a thread */
    struct threads_worker *idle, **workers;          /* the idle ones, the latest first; all of them */
    uint32_t worker_count, worker_capacity;
    uint32_t copier_count;
    struct threads_copier copiers[THREADS_COPY_ENGINES];
};

/* --- threads_clock.c: instants are ns since the engine was made. */

grt_time grt_threads_now(const struct grt_threads *threads);
uint64_t grt_threads_timer(const struct grt_threads *threads, grt_time now);  /* %globaltimer */
uint32_t grt_threads_cycles(const struct grt_threads *threads, grt_time now); /* %clock64, its low half */
double grt_threads_event_time(const struct grt_threads *threads, grt_time now);

/* Sleeps until an instant, or the end of the engine; false: the latter. */
bool grt_threads_sleep(const struct grt_threads *threads, grt_time until);

/* Makes the calling thread's sleeps as exact as the system can. */
void grt_threads_be_exact(void);

/* --- threads_stream.c, under the lock */

void grt_threads_append(struct grt_threads *threads, uint32_t stream, struct threads_command *command);

/* Begins whatever can begin, as often as something does, and dispatches blocks. */
void grt_threads_progress(struct grt_threads *threads);

/* The stream's first command has ended: removes and frees it. */
void grt_threads_complete(struct grt_threads *threads, struct threads_command *command);

void grt_threads_mark_leave(struct threads_mark *mark); /* NULL is fine */
void grt_threads_command_free(struct threads_command *command);

/* --- threads_dispatch.c, under the lock */

void grt_threads_grid_begin(struct grt_threads *threads, struct threads_grid *grid);
void grt_threads_dispatch(struct grt_threads *threads);
void grt_threads_block_ended(struct grt_threads *threads, struct threads_block *block);

/* --- threads_block.c: executes a block; without the lock */

void grt_threads_block(struct grt_threads *threads, const struct threads_block *block);

/* --- threads_worker.c, under the lock */

void grt_threads_offer(struct grt_threads *threads,
                       struct threads_block *block);        /* to a thread; one is made where none is idle */
void grt_threads_workers_join(struct grt_threads *threads); /* without the lock; `ended` is set */

/* --- threads_copy.c */

bool grt_threads_copiers_start(struct grt_threads *threads, struct grt_errors *errors);
void grt_threads_copiers_join(struct grt_threads *threads); /* without the lock; `ended` is set */
void grt_threads_copy(struct grt_threads *threads, struct threads_command *command); /* under the lock */

#endif
