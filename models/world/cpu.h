/* CPU cores with partitioned, preemptive fixed-priority scheduling of threads. It knows no job and no GPU: a thread
 * is given an amount of work, and its owner hears when that is done. Priorities of threads with work may change at any time, and
 * work may have no end: a thread that busy-waits. */
#ifndef GRT_MODELS_WORLD_CPU_H
#define GRT_MODELS_WORLD_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "models/device/memory_bus.h"
#include "sim/loop.h"
#include "sim/memory.h"
#include "sim/trace.h"

struct grt_cpu;

struct grt_cpu_options {
    struct grt_loop *loop;
    struct grt_arena *arena; /* holds everything */
    struct grt_trace *trace; /* or NULL */
    void *listener;
    void (*completed)(void *listener, uint32_t thread, grt_time now); /* the thread's work is done */
    bool *changed; /* set whenever grt_cpu_decide has something to decide */
    uint32_t core_count, thread_count;
    struct grt_memory_bus *bus; /* that the threads' demands go to; NULL: they are never slowed */
    const uint32_t *core_of;    /* of each thread, UINT32_MAX: none; needed during the creation only */

    /* ns, 0: none. What a core executes at the head of a stay whenever it takes up another thread than the one it had last, in the
     * thread's time and at its priority; and what a thread executes in front of its work whenever it becomes ready after having been
     * idle. */
    grt_time context_switch, wake_up;
};

/* Work for a thread. */
struct grt_cpu_work {
    /* ns of computing; 0 still waits until the thread is dispatched once; GRT_TIME_NEVER: until stopped */
    grt_time amount;
    int64_t priority; /* larger is more urgent; equal priorities do not preempt each other */
    uint64_t tie; /* among ready threads of equal priority the smaller goes first, then the lower thread */
    int64_t bandwidth; /* bytes per second that it draws from the bus at full speed */

    /* labels for the trace: the kind of its slices, GRT_TRACE_CPU or GRT_TRACE_THREAD, with these fields and flags */
    uint32_t job, detail;
    uint16_t task;
    uint8_t kind, flags;
};

/* Makes the cores; before the loop's first event. */
struct grt_cpu *grt_cpu_create(const struct grt_cpu_options *options);

/* Makes one more thread, or core; before the loop's first event. Returns its number: they go on behind those of the options. */
uint32_t grt_cpu_add_thread(struct grt_cpu *cpu, uint32_t core);
uint32_t grt_cpu_add_core(struct grt_cpu *cpu);

/* Makes a thread ready with some work; it must have none. Takes effect at the next grt_cpu_decide. */
void grt_cpu_start(struct grt_cpu *cpu, uint32_t thread, const struct grt_cpu_work *work);

/* Takes a thread's work away; `flags` are those of the slice that ends where it is running: GRT_TRACE_ABORTED, or 0 where its busy-waiting has
 * come to its end. What is left of switches and wake-ups stays in front of its next work; not so where it is aborted, and has none. */
void grt_cpu_stop(struct grt_cpu *cpu, uint32_t thread, uint8_t flags);
void grt_cpu_abort(struct grt_cpu *cpu, uint32_t thread);

/* Takes a thread's work away for now; returns how much of it is left (GRT_TIME_NEVER of busy-waiting), without what is left of switches and wake-ups,
 * which stays in front of its next work. */
grt_time grt_cpu_interrupt(struct grt_cpu *cpu, uint32_t thread);

/* Whether a core has the thread now. */
bool grt_cpu_is_running(const struct grt_cpu *cpu, uint32_t thread);

/* Whether a thread that has work would begin with it as soon as its core takes it up now: no switch and no wake-up comes first. */
bool grt_cpu_owes_nothing(const struct grt_cpu *cpu, uint32_t thread);

/* Changes the priority of a thread that has work. Takes effect at the next grt_cpu_decide. */
void grt_cpu_set_priority(struct grt_cpu *cpu, uint32_t thread, int64_t priority);

/* Decides who runs. Cheap if nothing has changed. */
void grt_cpu_decide(struct grt_cpu *cpu);

/* A hash of everything that the cores' future depends on, with instants relative to now. */
uint64_t grt_cpu_state(const struct grt_cpu *cpu);

/* Closes the statistics and the trace's open slices at the end of the run. */
void grt_cpu_finish(struct grt_cpu *cpu);

/* What a core did. */
struct grt_core_times {
    grt_time busy;     /* it had a thread */
    grt_time spinning; /* of that: the thread busy-waited */
    grt_time overhead; /* of that: context switches and wake-ups */
};
struct grt_core_times grt_cpu_times(const struct grt_cpu *cpu, uint32_t core);

#endif
