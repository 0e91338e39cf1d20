#include "calib/pretend/threads_internal.h"
#include "sim/random.h"

/* How often a latch looks whether it may go, and from which tick of the timer on TICK sleeps instead of looking all the time. */
#define LATCH_NAP (10 * GRT_MICROSECOND)
#define LONG_TICK (20 * GRT_MICROSECOND)

/* A block's place, and what it executes now. */
struct body {
    struct grt_threads *threads;
    const struct threads_block *block;
    uint32_t logical;
};

/* Of the control's counters. */
enum { BEGUN, TAKEN, CAME, WORK };

/* Words that blocks share are ordinary memory of the device. */
static uint32_t count_one(uint64_t address, uint32_t index) {
    _Atomic uint32_t *words = (_Atomic uint32_t *)(uintptr_t)address;
    return atomic_fetch_add(&words[index], 1);
}

static uint32_t read_count(uint64_t address, uint32_t index) {
    _Atomic uint32_t *words = (_Atomic uint32_t *)(uintptr_t)address;
    return atomic_load(&words[index]);
}

/* fixed + amount * per_unit, rounded up, and noise, which depends on nothing but the kernel's number and the block's. */
static grt_time block_time(const struct body *body) {
    const struct threads_grid *grid = body->block->grid;
    const struct grt_pretend_kernel *spec = grid->kernel.spec;
    uint64_t amount = grid->times != NULL ? grid->times[body->logical - grid->kernel.control.first_block]
                                          : grid->kernel.amount;
    grt_wide work_ps = (grt_wide)amount * (grt_wide)spec->per_unit_ps;
    grt_wide work_ns = (work_ps + 999) / 1000;
    grt_time time = work_ns > GRT_TIME_LIMIT ? GRT_TIME_LIMIT : (grt_time)work_ns;
    struct grt_random random =
        grt_random_stream(body->threads->spec->seed, "thread block", grid->command->serial, body->logical);
    return spec->fixed + time + grt_distribution_draw(&spec->noise, &random);
}

static void wait_for_go(const struct body *body) {
    const struct grt_engine_kernel *kernel = &body->block->grid->kernel;
    volatile _Atomic uint32_t *ready = (volatile _Atomic uint32_t *)kernel->ready,
                              *go = (volatile _Atomic uint32_t *)kernel->go;
    grt_time now = grt_threads_now(body->threads);
    grt_time limit = kernel->amount < GRT_TIME_LIMIT ? (grt_time)kernel->amount : GRT_TIME_LIMIT;
    grt_time end = now + limit;
    atomic_store(ready, 1);
    while (atomic_load(go) == 0 && now < end) {
        if (!grt_threads_sleep(body->threads, now + LATCH_NAP < end ? now + LATCH_NAP : end)) {
            return;
        }
        now = grt_threads_now(body->threads);
    }
}

static void see_ticks(const struct body *body) {
    const struct grt_engine_kernel *kernel = &body->block->grid->kernel;
    struct grt_threads *threads = body->threads;
    uint64_t last = 0;
    for (uint64_t seen = 0; seen < kernel->amount;) {
        grt_time now = grt_threads_now(threads);
        uint64_t value = grt_threads_timer(threads, now);
        if (value != last || seen == 0) {
            kernel->out[seen++] = last = value;
        } else if (threads->spec->timer_tick >= LONG_TICK) {
            grt_threads_sleep(threads, now + LONG_TICK / 4);
        }
        if (atomic_load_explicit(&threads->ended, memory_order_relaxed)) {
            return;
        }
    }
}

static void execute(const struct body *body, grt_time start) {
    switch (body->block->grid->kernel.id) {
    case GRT_KERNEL_LATCH:
        wait_for_go(body);
        break;
    case GRT_KERNEL_TICK:
        see_ticks(body);
        break;
    default:
        grt_threads_sleep(body->threads, start + block_time(body));
        break;
    }
}

static struct grt_block_record *record_of(const struct body *body) {
    const struct grt_kernel_control *control = &body->block->grid->kernel.control;
    uint32_t every = control->record_every > 0 ? control->record_every : 1;
    if (control->records == 0 || body->logical % every != 0) {
        return NULL;
    }
    return (struct grt_block_record *)(uintptr_t)control->records + body->logical / every;
}

/* One logical block. */
static void execute_logical(const struct body *body) {
    struct grt_threads *threads = body->threads;
    const struct threads_grid *grid = body->block->grid;
    const struct grt_kernel_control *control = &grid->kernel.control;
    uint32_t order = control->counters != 0 ? count_one(control->counters, BEGUN) : 0;
    struct grt_block_record *record = record_of(body);
    int64_t warps =
        (grid->kernel.threads + threads->spec->device.warp_size - 1) / threads->spec->device.warp_size;
    grt_time start = grt_threads_now(threads);
    execute(body, start);
    grt_time end = grt_threads_now(threads);
    if (record != NULL) {
        *record = (struct grt_block_record){.start_ns = grt_threads_timer(threads, start),
                                            .end_ns = grt_threads_timer(threads, end),
                                            .start_cycle = grt_threads_cycles(threads, start),
                                            .end_cycle = grt_threads_cycles(threads, end),
                                            .sm = body->block->sm,
                                            .slot = (uint16_t)(body->block->slot * warps),
                                            .order = order};
    }
    if (grid->kernel.id == GRT_KERNEL_LATCH) {
        atomic_store((volatile _Atomic uint32_t *)grid->kernel.ready, 2); /* its record is there */
    }
}

/* Takes logical blocks from the counter until none is left. */
static void execute_from_counter(struct body *body) {
    const struct grt_kernel_control *control = &body->block->grid->kernel.control;
    while (!atomic_load_explicit(&body->threads->ended, memory_order_relaxed)) {
        uint32_t next = count_one(control->counters, TAKEN);
        if (next >= control->block_count) {
            return;
        }
        body->logical = control->first_block + next;
        execute_logical(body);
    }
}

/* Whether a launched block that has just come works: if it is on the right SM; and the last one to come wherever it is, if nobody
 * works, as the kernels' code has it. */
static bool may_work(const struct body *body) {
    const struct grt_kernel_control *control = &body->block->grid->kernel.control;
    uint32_t sm = body->block->sm;
    bool works = sm >= control->sm_low && sm < control->sm_high;
    if (works) {
        count_one(control->counters, WORK);
    }
    uint32_t before = count_one(control->counters, CAME);
    bool last = before + 1 == body->block->grid->kernel.blocks;
    return works || (last && read_count(control->counters, WORK) == 0);
}

static void execute_filtered(struct body *body) {
    if (!may_work(body)) {
        grt_threads_sleep(body->threads, grt_threads_now(body->threads) + body->threads->spec->filter_exit);
        return;
    }
    execute_from_counter(body);
}

void grt_threads_block(struct grt_threads *threads, const struct threads_block *block) {
    const struct grt_kernel_control *control = &block->grid->kernel.control;
    struct body body = {.threads = threads, .block = block, .logical = control->first_block + block->number};
    if (control->mode == GRT_KERNEL_FILTER) {
        execute_filtered(&body);
    } else {
        execute_logical(&body);
    }
}
