/* What executes the commands that a pretended driver is given: gpurt's model of a GPU with a clock of its own (model.c), or threads that stand for SMs (threads.c). The
 * driver (pretend.h) knows handles, memory, modules and parameters; an engine knows streams, kernels, copies, events and time. Streams and events are
 * small numbers of the engine's. */
#ifndef GRT_CALIB_PRETEND_ENGINE_H
#define GRT_CALIB_PRETEND_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "calib/driver/driver.h"
#include "calib/kernels/kernels.h"
#include "calib/pretend/spec.h"

/* A kernel to execute, copied by the engine. */
struct grt_engine_kernel {
    const struct grt_pretend_kernel *spec; /* how long its blocks take */
    enum grt_kernel_id id;
    struct grt_kernel_control control; /* addresses are pointers of this process */
    uint64_t amount;
    uint32_t blocks;                /* of the grid */
    uint32_t threads, shared_bytes; /* of a block; shared_bytes: static and dynamic */
    uint64_t *out;                  /* TICK: where its values go */
    const uint64_t *table;          /* SPIN_TABLE: read when it is launched */
    volatile uint32_t *ready,
        *go; /* LATCH: the engine sets ready when it begins; it ends when the host has set go, or after `amount` ns */
};

enum grt_engine_copy { GRT_ENGINE_H2D, GRT_ENGINE_D2H, GRT_ENGINE_D2D, GRT_ENGINE_MEMSET };

struct grt_engine_transfer {
    enum grt_engine_copy kind;
    void *to;
    const void *from; /* MEMSET: NULL */
    uint32_t value;   /* MEMSET: of every 4 bytes */
    size_t bytes;     /* MEMSET: a multiple of 4 */
    bool pageable;    /* of the host's end; then `from` of a copy to the device is read at once */
};

/* Copies or fills the memory of a transfer; its ends may overlap. (transfer.c) */
void grt_engine_move(const struct grt_engine_transfer *transfer);

/* The calls that take the host's time. */
enum grt_engine_call { GRT_ENGINE_CALL_LAUNCH, GRT_ENGINE_CALL_COPY, GRT_ENGINE_CALL_OTHER };

/* Instants of the engine with a clock of its own are those of the simulator: all that has ended at an instant is told first, then the host acts, and only when the
 * host's clock leaves the instant does the device decide what begins at it. So the host's clock stops (idle) at every instant at which a command has completed or
 * an event is done; an event is done at the instant at which the last command before it in its stream has completed, and the host sees that at this very
 * instant; and several calls that are made at one instant reach the device together, in their order. Traces of scenarios are exact for that reason. A spinning block
 * (SPIN_NS, SPIN_TABLE) of the default takes exactly its amount, 1 ns at least. */
struct grt_engine_ops {
    const char *name;
    /* NULL after adding errors. `spec` stays. */
    void *(*create)(const struct grt_pretend_spec *spec, struct grt_errors *errors);
    void (*destroy)(void *engine);
    struct grt_host_clock clock; /* its state is the engine */
    /* Told at the start of every call of the driver, before anything else. */
    void (*call)(void *engine, enum grt_engine_call what);
    /* A stream of this priority whose kernels stay on some SMs: a bit each, NULL: all. False: there are no more. */
    bool (*stream)(void *engine, int priority, const uint64_t *sms, uint32_t *stream);
    void (*stream_end)(void *engine, uint32_t stream); /* it is idle */
    bool (*event)(void *engine, uint32_t *event);
    /* Its time will never be asked for: it only orders streams. NULL: it makes no difference. */
    void (*event_untimed)(void *engine, uint32_t event);
    void (*event_end)(void *engine,
                      uint32_t event); /* it may be recorded and not done: it ends once it is done */
    /* The driver has checked that a block fits on an SM. */
    void (*kernel)(void *engine, uint32_t stream, const struct grt_engine_kernel *kernel);
    void (*transfer)(void *engine, uint32_t stream, const struct grt_engine_transfer *transfer);
    void (*record)(void *engine, uint32_t stream, uint32_t event);
    void (*wait)(void *engine, uint32_t stream, uint32_t event);
    bool (*event_done)(void *engine, uint32_t event); /* true as well if it was never recorded */
    double (*event_ns)(void *engine, uint32_t event); /* by the device's event clock, once it is done */
    bool (*stream_done)(void *engine, uint32_t stream);
    void (*wait_event)(void *engine, uint32_t event); /* the host waits */
    void (*wait_stream)(void *engine, uint32_t stream);
    void (*wait_all)(void *engine);
};

extern const struct grt_engine_ops grt_engine_model, grt_engine_threads;

#endif
