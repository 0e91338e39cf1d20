/* Blocks that wait inside for what they launched (the device synchronisation of old CUDA versions), and are off their SMs
 * meanwhile: rule D4.
 *
 * Source: NVIDIA, CUDA C++ Programming Guide, CUDA dynamic parallelism. That such a block is swapped out is the guide's; when
 * it comes back is a choice (docs/decisions).
 *
 * The cohort of such a block, which is always one block alone, keeps its number until the block has ended, so that what it
 * launched can tell it. */
#include "models/gpu/waiting.h"

#include "models/gpu/cohort.h"
#include "models/gpu/internal.h"
#include "models/gpu/limit.h"
#include "sim/hash.h"

void grt_gpu_use_waits(struct grt_gpu *gpu) {
    gpu->uses.apart = true; /* its dispatch looks at blocks that come back */
}

void gpu_waiting_create_context(struct grt_gpu *gpu, struct context *context) {
    context->returning = grt_arena_array(gpu->options.arena, gpu->level_count, sizeof *context->returning);
    for (uint32_t level = 0; level < gpu->level_count; level++) {
        context->returning[level] = (struct command_list){NONE, NONE};
    }
}

/* ---- blocks that come back, in the order in which they have nothing left to wait for ---- */

static struct command_list *list_of(const struct grt_gpu *gpu, const struct context *context,
                                    uint32_t cohort) {
    return &context->returning[gpu->streams[gpu->commands[context->cohorts[cohort].command].stream].level];
}

static void put_in(const struct grt_gpu *gpu, struct context *context, uint32_t number) {
    struct command_list *list = list_of(gpu, context, number);
    context->cohorts[number].next_free = NONE;
    if (list->head == NONE) {
        list->head = number;
    } else {
        context->cohorts[list->tail].next_free = number;
    }
    list->tail = number;
    context->launching[number].returns = true;
    context->returning_count++;
}

static void take_out(const struct grt_gpu *gpu, struct context *context, uint32_t number) {
    struct command_list *list = list_of(gpu, context, number);
    uint32_t before = NONE;
    for (uint32_t at = list->head; at != number; at = context->cohorts[at].next_free) {
        before = at;
    }
    if (before == NONE) {
        list->head = context->cohorts[number].next_free;
    } else {
        context->cohorts[before].next_free = context->cohorts[number].next_free;
    }
    list->tail = list->tail == number ? before : list->tail;
    context->launching[number].returns = false;
    context->returning_count--;
}

/* ---- the way off the SM and back ---- */

/* A grid that has only blocks that wait holds no place among the resident grids, and no task slot. */
static void leave_grid(struct grt_gpu *gpu, struct context *context, uint32_t number) {
    const struct command *command = &gpu->commands[number];
    if (command->running == 0 && command->next_block == command->block_end) {
        gpu->families[number].away = true;
        context->resident_kernels--;
    }
}

/* A block has made its launches from one up to but without another, which are of one moment. If one of them says that it
 * waits, and there is something to wait for, it leaves its SM; false if not. */
bool gpu_waiting_leave(struct grt_gpu *gpu, struct context *context, uint32_t number, uint32_t from,
                       uint32_t to) {
    struct cohort *cohort = &context->cohorts[number];
    struct launching *launching = &context->launching[number];
    const struct grt_gpu_launch *launches = gpu->commands[cohort->command].kernel->launches;
    bool waits = false;
    for (uint32_t i = from; i < to; i++) {
        waits |= launches[i].wait && (!launches[i].first_block_only || cohort->first == 0);
    }
    if (!waits || launching->live == 0) {
        return false;
    }
    gpu_cohort_leave(gpu, context, number);
    cohort->time -= launches[from].at - launching->had;
    launching->had = launches[from].at;
    launching->waits = true;
    gpu->families[cohort->command].waiting++;
    leave_grid(gpu, context, cohort->command);
    return true;
}

/* A launched grid is complete: the block that launched it may have waited for this. */
void gpu_waiting_completed(struct grt_gpu *gpu, uint32_t number) {
    struct context *context = context_of(gpu, number);
    uint32_t launcher = gpu->families[number].launcher;
    if (launcher == NONE || gpu->commands[number].launch < context->launching[launcher].since) {
        return; /* or that block has ended */
    }
    context->launching[launcher].live--;
    if (context->launching[launcher].live == 0 && context->launching[launcher].waits) {
        put_in(gpu, context, launcher);
        context->undispatched = true;
        *gpu->options.changed = true;
    }
}

/* Puts a block that comes back on an SM, for the rest of its time; false if none has room. */
bool gpu_waiting_dispatch(struct grt_gpu *gpu, struct context *context, uint32_t number) {
    struct cohort *cohort = &context->cohorts[number];
    struct command *command = &gpu->commands[cohort->command];
    struct family *family = &gpu->families[cohort->command];
    grt_time clock = clock_of(gpu, context);
    uint32_t place = grt_placement_take(context->placement, command->kernel, clock);
    if (place == GRT_NO_PLACE) {
        return false;
    }
    if (gpu->uses.limits) {
        gpu_limit_took(gpu, process_of(gpu, cohort->command), place);
    }
    take_out(gpu, context, number);
    context->launching[number].waits = false;
    context->resident_kernels += family->away;
    family->away = false;
    family->waiting--;
    cohort->place = place;
    gpu_cohort_enter(gpu, context, number, clock);
    gpu_children_set_moment(gpu, context, number);
    return true;
}

/* ---- aborts ---- */

/* The blocks of a grid that wait go on no more. */
void gpu_waiting_drop(struct grt_gpu *gpu, uint32_t number) {
    struct context *context = context_of(gpu, number);
    for (uint32_t i = 0; gpu->families[number].waiting > 0; i++) {
        struct launching *launching = &context->launching[i];
        if (!launching->waits || context->cohorts[i].command != number) {
            continue;
        }
        if (launching->returns) {
            take_out(gpu, context, i);
        }
        launching->waits = false;
        launching->since = gpu->launches;
        gpu_cohort_free(context, i);
        gpu->families[number].waiting--;
        context->undispatched = true; /* others may have stood behind it */
    }
}

/* ---- the state ---- */

/* Which block launched a grid, if that still runs or waits and its kernel waits. */
uint32_t gpu_waiting_block_of(const struct grt_gpu *gpu, uint32_t number) {
    const struct context *context = context_of(gpu, number);
    uint32_t launcher = gpu->families[number].launcher;
    bool lives = launcher != NONE && gpu->commands[number].launch >= context->launching[launcher].since;
    return lives ? context->cohorts[launcher].first : NONE;
}

/* A block that waits, and what it has still to do. What it waits for says so itself. */
static uint64_t hash_waiting(const struct grt_gpu *gpu, const struct context *context, uint32_t number) {
    const struct cohort *cohort = &context->cohorts[number];
    const struct launching *launching = &context->launching[number];
    uint64_t hash = grt_hash_add(0, gpu->launches - gpu->commands[cohort->command].launch);
    hash = grt_hash_add(hash, (uint64_t)cohort->first << 32 | launching->next);
    hash = grt_hash_add(hash, (uint64_t)launching->had);
    return grt_hash_add(hash, (uint64_t)cohort->time);
}

/* Slots are numbered by chance, so the hashes of those that wait are added up; those that come back have an order. */
uint64_t gpu_waiting_state(const struct grt_gpu *gpu, const struct context *context, uint64_t hash) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < context->cohort_count; i++) {
        sum += context->launching[i].waits ? hash_waiting(gpu, context, i) : 0;
    }
    hash = grt_hash_add(hash, sum);
    for (uint32_t level = 0; level < gpu->level_count; level++) {
        for (uint32_t at = context->returning[level].head; at != NONE; at = context->cohorts[at].next_free) {
            hash = grt_hash_add(hash, hash_waiting(gpu, context, at));
        }
    }
    return hash;
}
