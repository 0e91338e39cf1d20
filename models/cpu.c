#include "models/cpu.h"

#include "models/progress.h"
#include "sim/check.h"
#include "sim/hash.h"
#include "sim/ready_queue.h"

#define NONE UINT32_MAX

struct thread {
    struct grt_cpu_work work; /* amount: what is left */
    uint32_t core;
};

struct core {
    struct grt_ready_queue ready;
    uint32_t running; /* thread or NONE */
    uint32_t thread_count;
    grt_time since;               /* when the running thread was dispatched */
    struct grt_progress progress; /* of its work since then */
    grt_time busy;
    grt_source source;
    bool touched;
};

struct grt_cpu {
    struct grt_cpu_options options;
    struct core *cores;
    struct thread *threads;
    uint32_t *touched; /* cores on which something changed */
    uint32_t touched_count;
};

static void touch(struct grt_cpu *cpu, uint32_t core) {
    *cpu->options.changed = true;
    if (!cpu->cores[core].touched) {
        cpu->cores[core].touched = true;
        cpu->touched[cpu->touched_count++] = core;
    }
}

/* Ends the running thread's stay on its core: accounts for it and writes the slice. */
static void leave_core(struct grt_cpu *cpu, uint32_t core_number, uint8_t flags) {
    struct core *core = &cpu->cores[core_number];
    struct grt_cpu_work *work = &cpu->threads[core->running].work;
    grt_time now = cpu->options.loop->now;
    grt_progress_advance(&core->progress, now);
    core->busy += now - core->since;
    work->amount -= core->progress.done;
    if (cpu->options.trace != NULL) {
        grt_trace_add(cpu->options.trace, (struct grt_trace_record){.time = now,
                                                                    .other = core->since,
                                                                    .job = work->job,
                                                                    .detail = work->segment,
                                                                    .row = core_number,
                                                                    .task = work->task,
                                                                    .kind = GRT_TRACE_CPU,
                                                                    .flags = flags});
    }
    core->running = NONE;
}

static void work_done(void *owner, uint32_t core, grt_time now) {
    struct grt_cpu *cpu = owner;
    uint32_t thread = cpu->cores[core].running;
    leave_core(cpu, core, 0);
    touch(cpu, core);
    cpu->options.completed(cpu->options.listener, thread, now);
}

/* ---- the memory bus (B2) ---- */

static bool draws(const struct grt_cpu *cpu, const struct core *core) {
    return core->running != NONE && cpu->threads[core->running].work.bandwidth > 0;
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
        if (core_of[thread] != NONE) {
            GRT_REQUIRE(core_of[thread] < cpu->options.core_count, "put threads on cores that exist");
            cpu->threads[thread].core = core_of[thread];
            cpu->cores[core_of[thread]].thread_count++;
        }
    }
}

struct grt_cpu *grt_cpu_create(const struct grt_cpu_options *options) {
    struct grt_cpu *cpu = grt_arena_new(options->arena, struct grt_cpu);
    cpu->options = *options;
    cpu->cores = grt_arena_array(options->arena, options->core_count, sizeof *cpu->cores);
    cpu->threads = grt_arena_array(options->arena, options->thread_count, sizeof *cpu->threads);
    cpu->touched = grt_arena_array(options->arena, options->core_count, sizeof *cpu->touched);
    count_threads(cpu, options->core_of);
    for (uint32_t i = 0; i < options->core_count; i++) {
        struct core *core = &cpu->cores[i];
        core->running = NONE;
        if (core->thread_count > 0) { /* a core without threads costs no event source */
            core->ready = grt_ready_queue_create(options->arena, core->thread_count);
            core->source = grt_loop_add(options->loop, GRT_CLASS_COMPLETION, work_done, cpu, i);
        }
    }
    if (options->bus != NULL) {
        grt_bus_add_user(options->bus, &(struct grt_bus_user){cpu, ask, granted});
    }
    return cpu;
}

void grt_cpu_start(struct grt_cpu *cpu, uint32_t thread, const struct grt_cpu_work *work) {
    struct core *core = &cpu->cores[cpu->threads[thread].core];
    cpu->threads[thread].work = *work;
    grt_ready_queue_push(&core->ready, -work->priority, work->tie, thread);
    touch(cpu, cpu->threads[thread].core);
}

void grt_cpu_stop(struct grt_cpu *cpu, uint32_t thread) {
    uint32_t core_number = cpu->threads[thread].core;
    struct core *core = &cpu->cores[core_number];
    if (core->running == thread) {
        grt_loop_cancel(cpu->options.loop, core->source);
        leave_core(cpu, core_number, GRT_TRACE_ABORTED);
        touch(cpu, core_number);
    } else {
        bool was_ready = grt_ready_queue_remove(&core->ready, thread);
        GRT_REQUIRE(was_ready, "stop only a thread that has work");
    }
}

static void dispatch(struct grt_cpu *cpu, uint32_t core_number) {
    struct core *core = &cpu->cores[core_number];
    if (grt_ready_queue_is_empty(&core->ready)) {
        return;
    }
    if (core->running != NONE) {
        uint32_t thread = core->running;
        const struct grt_cpu_work *work = &cpu->threads[thread].work;
        if (grt_ready_queue_top(&core->ready)->key >= -work->priority) {
            return;
        }
        leave_core(cpu, core_number, GRT_TRACE_PREEMPTED);
        uint32_t next = grt_ready_queue_pop(&core->ready);
        grt_ready_queue_push(&core->ready, -work->priority, work->tie, thread);
        core->running = next;
    } else {
        core->running = grt_ready_queue_pop(&core->ready);
    }
    core->since = cpu->options.loop->now;
    core->progress = grt_progress_start(core->since);
    grt_loop_schedule(cpu->options.loop, core->source, core->since + cpu->threads[core->running].work.amount);
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

/* The heap's layout is no part of the state, so the ready threads' hashes are added up. */
static uint64_t hash_core(const struct grt_cpu *cpu, const struct core *core, uint64_t hash) {
    uint64_t ready = 0;
    for (uint32_t i = 0; i < core->ready.count; i++) {
        const struct grt_ready_entry *entry = &core->ready.entries[i];
        ready += grt_hash_add(entry->item, (uint64_t)cpu->threads[entry->item].work.amount);
    }
    hash = grt_hash_add(hash, ready);
    hash = grt_hash_add(hash, core->running);
    if (core->running != NONE) {
        struct grt_progress progress = core->progress;
        grt_progress_advance(&progress, cpu->options.loop->now);
        hash = grt_hash_add(hash, (uint64_t)(cpu->threads[core->running].work.amount - progress.done));
        hash = grt_hash_add(hash, progress.fraction);
    }
    return hash;
}

uint64_t grt_cpu_state(const struct grt_cpu *cpu) {
    uint64_t hash = 0;
    for (uint32_t core = 0; core < cpu->options.core_count; core++) {
        hash = hash_core(cpu, &cpu->cores[core], hash);
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

grt_time grt_cpu_busy(const struct grt_cpu *cpu, uint32_t core) {
    return cpu->cores[core].busy;
}
