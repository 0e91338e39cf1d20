/* The inside of the engine on gpurt's model of a GPU: shared by model*.c.
 *
 * The host's clock moves only by calls and waits; the world behind it is brought up to it when somebody asks. What a stream is given stands in a list of its own until it has
 * completed. Kernels, copies and what fills memory go on to the GPU as soon as nothing that is the engine's own stands before them: latches, and waits for events that are
 * timed. Records of and waits for other events go on to the GPU, too, which lets commands behind them pass by rules V1 to V4; the host still sees them done as soon as what
 * was before them has completed. */
#ifndef GRT_CALIB_PRETEND_MODEL_INTERNAL_H
#define GRT_CALIB_PRETEND_MODEL_INTERNAL_H

#include "calib/pretend/engine.h"
#include "models/device/placement.h"
#include "models/gpu.h"

#define MODEL_NONE UINT32_MAX

/* When the host's clock and the world begin, so that no instant is 0. */
#define MODEL_START GRT_SECOND

enum model_kind { MODEL_KERNEL, MODEL_LATCH, MODEL_TRANSFER, MODEL_RECORD, MODEL_WAIT };

/* A block that runs: where, since when, and which logical one it is. */
struct model_block {
    uint32_t item, order;
    uint16_t sm, slot;
};

/* What a stream was given and has not completed. */
struct model_command {
    uint64_t serial; /* of all that were ever given; 0: the place is free */
    enum model_kind kind;
    uint32_t next; /* in its stream, or in the free list */
    uint32_t stream;
    grt_time arrival; /* when its call has reached the device */
    struct grt_engine_kernel kernel;
    struct grt_engine_transfer transfer;
    /* What a pageable copy to the device has read; owned; stays with the place, for the next. */
    void *staged;
    size_t staged_room;         /* bytes */
    struct model_block *blocks; /* of the grid; owned */
    grt_time *block_times;      /* of its logical blocks, where they are given one by one; owned */
    uint32_t event;             /* RECORD */
    uint32_t awaited;           /* WAIT: the command that records, and its serial */
    uint64_t awaited_serial;
    uint32_t waiters;     /* RECORD: the last that waits for it; WAIT: who waits for the same since before */
    bool begun, released; /* LATCH: it is there; the host has set go */
    bool in_gpu;          /* RECORD, WAIT: the GPU has it, too */
    grt_time begin;
};

struct model_stream {
    bool used, dirty;
    const uint64_t *places; /* that its kernels stay on; NULL: all */
    uint32_t first_sm;      /* of those */
    uint32_t head, tail;    /* of its commands */
    uint32_t next_to_give;  /* the first that nobody has given to the GPU yet, or MODEL_NONE */
    uint32_t latches;       /* in the list */
    grt_time last_arrival;  /* of its own calls */
    grt_time gpu_arrival;   /* the same as the GPU counts it */
    grt_time ordered;       /* when a record or wait was last over that the GPU has, too, until it decides */
    grt_source source;      /* when a latch's call arrives, or it has waited too long */
};

struct model_event {
    bool used, untimed;
    bool in_gpu;        /* its last record is */
    uint32_t gpu_event; /* of the GPU; MODEL_NONE: none yet */
    uint32_t command;   /* that recorded it last, and its serial; 0: never */
    uint64_t serial;
    grt_time time; /* of the last record, once it is done */
};

struct model_prepared;

struct model {
    const struct grt_pretend_spec *spec;
    struct grt_device device; /* with calls that synchronise nothing by themselves */
    struct grt_arena arena;
    struct grt_loop loop;
    struct grt_memory_bus bus;
    struct grt_trace *trace;
    struct grt_gpu *gpu;
    bool changed, deciding;
    grt_source clock;  /* takes the world to the host's instant */
    grt_time now;      /* the host's */
    uint64_t progress; /* counts what the host can see */

    struct model_command *commands;
    uint32_t command_count, command_capacity, free_command;
    uint64_t serials;
    struct model_stream *streams;
    uint32_t stream_count;
    uint32_t *dirty; /* streams to look at when the GPU decides */
    uint32_t dirty_count;
    uint32_t latches; /* in all lists */
    uint32_t *woken;  /* streams with waits that are over, while it is found out what follows from it */
    uint32_t woken_count, woken_capacity;
    struct model_event *events;
    uint32_t event_count, event_capacity;

    uint16_t *order;                  /* SM of each place */
    uint64_t *slots;                  /* of each SM: which are taken, a bit each */
    struct model_prepared **prepared; /* a table by hash */
    struct model_places *places;
    struct grt_random call_noise, copy_noise, keys;
};

/* ---- model.c ---- */

/* Brings the world to an instant; what happens at it has been told, nothing of it decided. */
void model_advance(struct model *model, grt_time instant);

/* ---- model_stream.c: lists of commands ---- */

void model_streams_create(struct model *model);
void model_streams_free(struct model *model);
void model_stream_touch(struct model *model, uint32_t stream);

/* A new command at the end of a stream. `launch`: how long its call takes to reach the device. The pool may move. */
struct model_command *model_append(struct model *model, uint32_t stream, enum model_kind kind,
                                   grt_time launch);

/* It is there: begins or goes on as soon as it may. */
void model_appended(struct model *model, uint32_t stream);

/* The first of a stream has completed, now. */
void model_complete(struct model *model, uint32_t command);

/* Gives the GPU what it may have of all streams that were touched. */
void model_give(struct model *model);

/* The same for a stream that was called, unless it is to wait for its turn. */
void model_give_called(struct model *model, uint32_t stream);

/* Gives the GPU a record of or a wait for one of its events. */
void model_give_call(struct model *model, uint32_t command, enum grt_command_kind kind, uint32_t event);

/* Looks whether the host has set go, for every latch. */
void model_poll(struct model *model);

bool model_event_is_done(const struct model *model, const struct model_event *event);

/* ---- model_kernel.c: kernels, blocks and records ---- */

void model_kernels_create(struct model *model);

/* Gets a kernel ready when it is called: its memory, its blocks' times. */
void model_kernel_called(struct model *model, struct model_command *command);
void model_kernel_give(struct model *model, uint32_t command, grt_time launch);

/* The parts of struct grt_gpu_listener and of a trace's sink that kernels need. */
void model_block_begins(void *model, uint32_t command, uint32_t block, uint32_t item, uint32_t sm);
bool model_blocks_end(void *model, const struct grt_trace_record *records, size_t count);

/* A latch has ended, or another kernel that is the engine's own: leaves the record of its only block. */
void model_latch_record(struct model *model, const struct model_command *latch);

/* The set of places of a set of SMs, the same for the same; NULL: all. */
const uint64_t *model_places(struct model *model, const uint64_t *sms, uint32_t *first_sm);

/* ---- model_clock.c: the device's clocks at an instant of the host ---- */

uint64_t model_timer(const struct grt_pretend_spec *spec, grt_time instant);
double model_event_clock(const struct grt_pretend_spec *spec, grt_time instant);
uint32_t model_cycles(const struct grt_pretend_spec *spec, uint32_t sm, grt_time instant);

#endif
