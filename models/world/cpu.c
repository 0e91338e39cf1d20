#include "models/world/cpu.h"

#include <string.h>

#include "models/device/progress.h"
#include "sim/check.h"
#include "sim/hash.h"
#include "sim/inlining.h"
#include "sim/ready_queue.h"

#define NONE UINT32_MAX

struct thread {
    struct grt_cpu_work work; /* amount: what is left */
    uint32_t core;
    grt_time overhead;  /* what is left of switches and wake-ups in front of the work */
    grt_time idle_from; /* the instant at which it had no work any more */
};

struct core {
    struct grt_ready_queue ready;
    uint32_t running; /* thread or NONE */
    uint32_t last;    /* thread that it had last, or NONE */
    uint32_t thread_count;
    bool in_overhead;             /* of the running thread */
    grt_time since;               /* when the running thread began with its overhead, or its work */
    struct grt_progress progress; /* of its work since then */
    struct grt_core_times times;
    grt_source source;
    bool touched;
};

struct grt_cpu {
    struct grt_cpu_options options;
    struct core *cores;
    struct thread *threads;
    uint32_t *touched; /* cores on which something changed */
    uint32_t touched_count;
    bool has_costs;
};

static void touch(struct grt_cpu *cpu, uint32_t core) {
    *cpu->options.changed = true;
    if (!cpu->cores[core].touched) {
        cpu->cores[core].touched = true;
        cpu->touched[cpu->touched_count++] = core;
    }
}

/* ---- slices ---- */

/* Writes what the running thread did since `since`. */
static void write_slice(struct grt_cpu *cpu, uint32_t core_number, const struct grt_cpu_work *work,
                        uint8_t flags) {
    if (cpu->options.trace != NULL) {
        grt_trace_add(cpu->options.trace, (struct grt_trace_record){.time = cpu->options.loop->now,
                                                                    .other = cpu->cores[core_number].since,
                                                                    .job = work->job,
                                                                    .detail = work->detail,
                                                                    .row = core_number,
                                                                    .task = work->task,
                                                                    .kind = work->kind,
                                                                    .flags = work->flags | flags});
    }
}

/* Accounts for overhead that was executed until now. */
static GRT_APART void leave_overhead(struct grt_cpu *cpu, uint32_t core_number, uint8_t flags) {
    struct core *core = &cpu->cores[core_number];
    struct thread *thread = &cpu->threads[core->running];
    grt_time passed = cpu->options.loop->now - core->since;
    struct grt_cpu_work work = thread->work;
    work.flags = GRT_TRACE_OVERHEAD;
    thread->overhead -= passed;
    core->times.busy += passed;
    core->times.overhead += passed;
    core->in_overhead = false;
    if (passed > 0) {
        write_slice(cpu, core_number, &work, flags);
    }
}

/* Ends the running thread's stay on its core: accounts for it and writes the slice. Work that takes no time leaves none. */
static inline void leave_core(struct grt_cpu *cpu, uint32_t core_number, uint8_t flags) {
    struct core *core = &cpu->cores[core_number];
    struct grt_cpu_work *work = &cpu->threads[core->running].work;
    grt_time now = cpu->options.loop->now, passed = now - core->since;
    if (core->in_overhead) {
        leave_overhead(cpu, core_number, flags);
        core->running = NONE;
        return;
    }
    grt_progress_advance(&core->progress, now);
    core->times.busy += passed;
    if (work->amount == GRT_TIME_NEVER) {
        core->times.spinning += passed;
    } else {
        work->amount -= core->progress.done;
    }
    if (passed > 0) {
        write_slice(cpu, core_number, work, flags);
    }
    core->running = NONE;
}

/* The running thread goes on with its work, after its overhead if there was any. */
static inline void begin_work(struct grt_cpu *cpu, struct core *core) {
    grt_time amount = cpu->threads[core->running].work.amount;
    core->since = cpu->options.loop->now;
    core->progress = grt_progress_start(core->since);
    grt_loop_schedule(cpu->options.loop, core->source,
                      amount != GRT_TIME_NEVER ? core->since + amount : GRT_TIME_NEVER);
}

static GRT_APART void overhead_done(struct grt_cpu *cpu, uint32_t core_number) {
    struct core *core = &cpu->cores[core_number];
    leave_overhead(cpu, core_number, 0);
    begin_work(cpu, core);
    *cpu->options.changed = true; /* it may draw from the bus now */
}

static void stay_ends(void *owner, uint32_t core_number, grt_time now) {
    struct grt_cpu *cpu = owner;
    uint32_t thread = cpu->cores[core_number].running;
    if (cpu->cores[core_number].in_overhead) {
        overhead_done(cpu, core_number);
        return;
    }
    leave_core(cpu, core_number, 0);
    cpu->threads[thread].idle_from = now;
    touch(cpu, core_number);
    cpu->options.completed(cpu->options.listener, thread, now);
}

/* ---- the memory bus (B2) ---- */

static bool draws(const struct grt_cpu *cpu, const struct core *core) {
    return core->running != NONE && !core->in_overhead && cpu->threads[core->running].work.bandwidth > 0;
}

static void ask(void *owner, struct grt_memory_bus *bus) {
    const struct grt_cpu *cpu = owner;
    for (uint32_t i = 0; i < cpu->options.core_count; i++) {
        if (draws(cpu, &cpu->cores[i])) {
            grt_bus_request(bus, (uint64_t)cpu->threads[cpu->cores[i].running].work.bandwidth, 1);
        }
    }
}

static void granted(void *owner, const uint64_t *shares) {
    struct grt_cpu *cpu = owner;
    for (uint32_t i = 0; i < cpu->options.core_count; i++) {
        struct core *core = &cpu->cores[i];
        if (!draws(cpu, core) || *shares++ == core->progress.speed) {
            continue;
        }
        grt_progress_change(&core->progress, cpu->options.loop->now, shares[-1]);
        grt_loop_schedule(cpu->options.loop, core->source,
                          grt_progress_end(&core->progress, cpu->threads[core->running].work.amount));
    }
}

/* ---- life ---- */

static void count_threads(struct grt_cpu *cpu, const uint32_t *core_of) {
    for (uint32_t thread = 0; thread < cpu->options.thread_count; thread++) {
        cpu->threads[thread].idle_from = -1;
        if (core_of[thread] != NONE) {
            GRT_REQUIRE(core_of[thread] < cpu->options.core_count, "put threads on cores that exist");
            cpu->threads[thread].core = core_of[thread];
            cpu->cores[core_of[thread]].thread_count++;
        }
    }
}

/* A core without threads costs no event source. */
static void prepare_core(struct grt_cpu *cpu, uint32_t number) {
    struct core *core = &cpu->cores[number];
    if (core->thread_count > 0) {
        core->ready = grt_ready_queue_create(cpu->options.arena, core->thread_count);
        core->source = grt_loop_add(cpu->options.loop, GRT_CLASS_COMPLETION, stay_ends, cpu, number);
    }
}

struct grt_cpu *grt_cpu_create(const struct grt_cpu_options *options) {
    struct grt_cpu *cpu = grt_arena_new(options->arena, struct grt_cpu);
    cpu->options = *options;
    cpu->has_costs = options->context_switch > 0 || options->wake_up > 0;
    cpu->cores = grt_arena_array(options->arena, options->core_count, sizeof *cpu->cores);
    cpu->threads = grt_arena_array(options->arena, options->thread_count, sizeof *cpu->threads);
    cpu->touched = grt_arena_array(options->arena, options->core_count, sizeof *cpu->touched);
    count_threads(cpu, options->core_of);
    for (uint32_t i = 0; i < options->core_count; i++) {
        cpu->cores[i].running = cpu->cores[i].last = NONE;
        prepare_core(cpu, i);
    }
    if (options->bus != NULL) {
        grt_bus_add_user(options->bus, &(struct grt_bus_user){cpu, ask, granted});
    }
    return cpu;
}

/* A longer copy of an array of the arena. */
static void *longer(struct grt_cpu *cpu, const void *items, uint32_t count, size_t size) {
    void *copy = grt_arena_array(cpu->options.arena, (size_t)count + 1, size);
    if (count > 0) {
        memcpy(copy, items, count * size);
    }
    return copy;
}

uint32_t grt_cpu_add_core(struct grt_cpu *cpu) {
    uint32_t number = cpu->options.core_count;
    cpu->cores = longer(cpu, cpu->cores, number, sizeof *cpu->cores);
    cpu->touched = longer(cpu, cpu->touched, number, sizeof *cpu->touched);
    cpu->cores[number].running = cpu->cores[number].last = NONE;
    cpu->options.core_count++;
    return number;
}

uint32_t grt_cpu_add_thread(struct grt_cpu *cpu, uint32_t core_number) {
    GRT_REQUIRE(core_number < cpu->options.core_count, "put threads on cores that exist");
    uint32_t number = cpu->options.thread_count++;
    struct core *core = &cpu->cores[core_number];
    cpu->threads = longer(cpu, cpu->threads, number, sizeof *cpu->threads);
    cpu->threads[number] = (struct thread){.core = core_number, .idle_from = -1};
    if (core->thread_count++ == 0) {
        prepare_core(cpu, core_number);
    } else {
        core->ready = grt_ready_queue_create(cpu->options.arena, core->thread_count);
    }
    return number;
}

/* Costs that a thread has to pay. What switches were interrupted in stays owed: often enough, that would overflow. */
static void owe(struct thread *thread, grt_time cost) {
    grt_time room = GRT_TIME_LIMIT - thread->overhead;
    thread->overhead += cost < room ? cost : room;
}

void grt_cpu_start(struct grt_cpu *cpu, uint32_t number, const struct grt_cpu_work *work) {
    struct thread *thread = &cpu->threads[number];
    thread->work = *work;
    if (cpu->has_costs && thread->idle_from != cpu->options.loop->now) {
        owe(thread, cpu->options.wake_up);
    }
    grt_ready_queue_push(&cpu->cores[thread->core].ready, -work->priority, work->tie, number);
    touch(cpu, thread->core);
}

bool grt_cpu_is_running(const struct grt_cpu *cpu, uint32_t thread) {
    const struct core *core = &cpu->cores[cpu->threads[thread].core];
    return core->running == thread && !core->in_overhead;
}

bool grt_cpu_owes_nothing(const struct grt_cpu *cpu, uint32_t number) {
    const struct thread *thread = &cpu->threads[number];
    bool switches = cpu->options.context_switch > 0 && cpu->cores[thread->core].last != number;
    return thread->overhead == 0 && !switches;
}

/* Takes a thread from its core, or from those that are ready. */
static void take_away(struct grt_cpu *cpu, uint32_t number, uint8_t flags) {
    struct thread *thread = &cpu->threads[number];
    struct core *core = &cpu->cores[thread->core];
    if (core->running == number) {
        grt_loop_cancel(cpu->options.loop, core->source);
        leave_core(cpu, thread->core, flags);
        touch(cpu, thread->core);
    } else {
        bool was_ready = grt_ready_queue_remove(&core->ready, number);
        GRT_REQUIRE(was_ready, "stop only a thread that has work");
    }
    thread->idle_from = cpu->options.loop->now;
}

void grt_cpu_stop(struct grt_cpu *cpu, uint32_t number, uint8_t flags) {
    take_away(cpu, number, flags);
}

void grt_cpu_abort(struct grt_cpu *cpu, uint32_t number) {
    take_away(cpu, number, GRT_TRACE_ABORTED);
    cpu->threads[number].overhead = 0;
}

grt_time grt_cpu_interrupt(struct grt_cpu *cpu, uint32_t number) {
    take_away(cpu, number, GRT_TRACE_PREEMPTED);
    return cpu->threads[number].work.amount;
}

void grt_cpu_set_priority(struct grt_cpu *cpu, uint32_t number, int64_t priority) {
    struct thread *thread = &cpu->threads[number];
    struct core *core = &cpu->cores[thread->core];
    if (thread->work.priority == priority) {
        return;
    }
    thread->work.priority = priority;
    if (core->running != number) {
        bool was_ready = grt_ready_queue_remove(&core->ready, number);
        GRT_REQUIRE(was_ready, "change the priority only of a thread that has work");
        grt_ready_queue_push(&core->ready, -priority, thread->work.tie, number);
    }
    touch(cpu, thread->core);
}

/* A core takes up a thread. */
static inline void take_up(struct grt_cpu *cpu, struct core *core, uint32_t number) {
    core->running = number;
    if (__builtin_expect(cpu->has_costs, 0)) {
        struct thread *thread = &cpu->threads[number];
        owe(thread, core->last != number ? cpu->options.context_switch : 0);
        core->last = number;
        if (thread->overhead > 0) {
            core->in_overhead = true;
            core->since = cpu->options.loop->now;
            grt_loop_schedule(cpu->options.loop, core->source, core->since + thread->overhead);
            return;
        }
    }
    begin_work(cpu, core);
}

static void dispatch(struct grt_cpu *cpu, uint32_t core_number) {
    struct core *core = &cpu->cores[core_number];
    if (grt_ready_queue_is_empty(&core->ready)) {
        return;
    }
    if (core->running == NONE) {
        take_up(cpu, core, grt_ready_queue_pop(&core->ready));
        return;
    }
    uint32_t thread = core->running;
    const struct grt_cpu_work *work = &cpu->threads[thread].work;
    if (grt_ready_queue_top(&core->ready)->key >= -work->priority) {
        return;
    }
    leave_core(cpu, core_number, GRT_TRACE_PREEMPTED);
    uint32_t next = grt_ready_queue_pop(&core->ready);
    grt_ready_queue_push(&core->ready, -work->priority, work->tie, thread);
    take_up(cpu, core, next);
}

void grt_cpu_decide(struct grt_cpu *cpu) {
    for (uint32_t i = 0; i < cpu->touched_count; i++) {
        cpu->cores[cpu->touched[i]].touched = false;
        dispatch(cpu, cpu->touched[i]);
    }
    cpu->touched_count = 0;
    if (cpu->options.bus != NULL) {
        grt_bus_settle(cpu->options.bus);
    }
}

static uint64_t hash_thread(const struct grt_cpu *cpu, uint32_t number, uint64_t hash) {
    const struct thread *thread = &cpu->threads[number];
    hash = grt_hash_add(hash, number);
    hash = grt_hash_add(hash, (uint64_t)thread->overhead);
    return grt_hash_add(hash, (uint64_t)thread->work.priority);
}

/* The heap's layout is no part of the state, so the ready threads' hashes are added up. */
static uint64_t hash_core(const struct grt_cpu *cpu, const struct core *core, uint64_t hash) {
    uint64_t ready = 0;
    for (uint32_t i = 0; i < core->ready.count; i++) {
        const struct grt_ready_entry *entry = &core->ready.entries[i];
        uint64_t thread = hash_thread(cpu, entry->item, 0);
        ready += grt_hash_add(thread, (uint64_t)cpu->threads[entry->item].work.amount);
    }
    hash = grt_hash_add(hash, ready);
    hash = grt_hash_add(hash, (uint64_t)core->last << 32 | core->running);
    if (core->running != NONE) {
        const struct thread *thread = &cpu->threads[core->running];
        grt_time passed = cpu->options.loop->now - core->since;
        struct grt_progress progress = core->progress;
        hash = hash_thread(cpu, core->running, hash);
        if (core->in_overhead) {
            return grt_hash_add(grt_hash_add(hash, (uint64_t)thread->work.amount), (uint64_t)passed);
        }
        grt_progress_advance(&progress, cpu->options.loop->now);
        bool spins = thread->work.amount == GRT_TIME_NEVER;
        hash = grt_hash_add(hash, spins ? UINT64_MAX : (uint64_t)(thread->work.amount - progress.done));
        hash = grt_hash_add(hash, progress.fraction);
    }
    return hash;
}

uint64_t grt_cpu_state(const struct grt_cpu *cpu) {
    uint64_t hash = 0;
    for (uint32_t core = 0; core < cpu->options.core_count; core++) {
        hash = hash_core(cpu, &cpu->cores[core], hash);
    }
    for (uint32_t thread = 0; cpu->has_costs && thread < cpu->options.thread_count; thread++) {
        hash = grt_hash_add(hash, cpu->threads[thread].idle_from == cpu->options.loop->now); /* no wake-up */
    }
    return hash;
}

void grt_cpu_finish(struct grt_cpu *cpu) {
    for (uint32_t core = 0; core < cpu->options.core_count; core++) {
        if (cpu->cores[core].running != NONE) {
            leave_core(cpu, core, GRT_TRACE_OPEN);
        }
    }
}

struct grt_core_times grt_cpu_times(const struct grt_cpu *cpu, uint32_t core) {
    return cpu->cores[core].times;
}
