/* Grids and all that their blocks launched, as a whole: aborts, the end of the run, the state. */
#include "models/gpu/family.h"

#include "models/gpu/cohort.h"
#include "models/gpu/execute.h"
#include "models/gpu/internal.h"
#include "models/gpu/trace.h"
#include "models/gpu/waiting.h"
#include "sim/hash.h"

/* A launched grid is complete, or was dropped. */
void gpu_family_remove(struct grt_gpu *gpu, uint32_t number) {
    if (gpu->families[number].number < GRT_DEVICE_MAX_LAUNCHES) {
        gpu->free_numbers[gpu->free_number_count++] = gpu->families[number].number;
    }
    gpu_command_free(gpu, number);
}

/* ---- aborts ---- */

static bool descends(const struct grt_gpu *gpu, uint32_t number, uint32_t root) {
    if (!gpu->families[number].used) {
        return false;
    }
    while (number != root && number != NONE) {
        number = gpu->families[number].parent;
    }
    return number == root;
}

/* A launched grid that has not begun: nobody waits for it any more. */
static void drop_waiting(struct grt_gpu *gpu, uint32_t number) {
    struct family *family = &gpu->families[number];
    if (gpu->commands[number].state == COMMAND_QUEUED) {
        gpu_execute_drop(gpu, number);
    } else if (family->in_flight) {
        list_remove(&gpu->in_flight, gpu->commands, number, queue_link);
    }
    gpu->families[family->parent].live -= !(family->is_tail && family->held);
    process_of(gpu, number)->pending_launches--;
    gpu_family_remove(gpu, number);
}

/* One that has begun: its remaining blocks are dropped. */
static void drop_rest(struct grt_gpu *gpu, uint32_t number) {
    struct family *family = &gpu->families[number];
    gpu_execute_drop(gpu, number);
    gpu_waiting_drop(gpu, number);
    if (gpu->commands[number].running == 0 && !family->ended) {
        family->ended = true; /* its blocks ended or waited, the rest found no room */
        context_of(gpu, number)->resident_kernels -= !family->away;
        family->away = false;
    }
}

static void drop(struct grt_gpu *gpu, uint32_t number) {
    gpu->commands[number].aborted = true;
    gpu->families[number].tails = (struct command_list){NONE, NONE};
    gpu->families[number].follower = NONE;
    if (gpu->commands[number].state == COMMAND_RUNNING) {
        drop_rest(gpu, number);
    } else {
        drop_waiting(gpu, number);
    }
}

static bool is_over(const struct grt_gpu *gpu, uint32_t number) {
    return gpu->families[number].ended && gpu->families[number].live == 0;
}

/* Takes a grid of which no block runs away, and those that launched it, up to the root, where that was the last. */
static void take_away(struct grt_gpu *gpu, uint32_t number, uint32_t root) {
    while (number != root && is_over(gpu, number)) {
        uint32_t parent = gpu->families[number].parent;
        gpu_trace_kernel(gpu, number, GRT_TRACE_ABORTED);
        gpu_family_remove(gpu, number);
        gpu->families[parent].live--;
        number = parent;
    }
}

/* What has not begun of a kernel and of all that it launched is dropped, what runs runs out; true if nothing is left. */
bool gpu_family_cancel(struct grt_gpu *gpu, uint32_t root) {
    if (gpu->commands[root].state != COMMAND_RUNNING) {
        gpu_execute_drop(gpu, root);
        return true;
    }
    for (uint32_t number = 0; number < gpu->command_count; number++) {
        if (descends(gpu, number, root)) {
            drop(gpu, number);
        }
    }
    gpu_children_schedule_arrivals(gpu);
    for (uint32_t number = 0; number < gpu->command_count; number++) {
        if (descends(gpu, number, root)) {
            take_away(gpu, number, root);
        }
    }
    if (!is_over(gpu, root)) {
        return false;
    }
    gpu_trace_kernel(gpu, root, GRT_TRACE_ABORTED);
    return true;
}

/* ---- the end of the run ---- */

/* Open slices of grids whose blocks have ended, or wait, while what they launched has not. */
void gpu_family_finish(struct grt_gpu *gpu) {
    for (uint32_t number = 0; number < gpu->command_count; number++) {
        const struct family *family = &gpu->families[number];
        if (family->used && (family->ended || family->away)) {
            gpu_trace_kernel(gpu, number,
                             gpu->commands[number].aborted ? GRT_TRACE_OPEN | GRT_TRACE_ABORTED
                                                           : GRT_TRACE_OPEN);
        }
    }
}

/* ---- the state ---- */

static uint64_t hash_family(const struct grt_gpu *gpu, uint32_t number) {
    const struct family *family = &gpu->families[number];
    const struct command *command = &gpu->commands[number];
    grt_time now = gpu->options.loop->now;
    uint64_t hash = grt_hash_add((uint64_t)command->task << 32 | command->place, age_of(gpu, number));
    hash = grt_hash_add(hash, age_of(gpu, family->parent));
    hash = grt_hash_add(hash, age_of(gpu, family->follower));
    hash = grt_hash_add(hash, (uint64_t)command->state << 5 | (uint64_t)command->aborted << 4 |
                                  (uint64_t)family->ended << 3 | (uint64_t)family->in_flight << 2 |
                                  (uint64_t)family->held << 1 | family->is_tail);
    hash = grt_hash_add(hash, (uint64_t)family->live << 32 | gpu_waiting_block_of(gpu, number));
    if (command->kind == GRT_COMMAND_KERNEL) {
        hash = grt_hash_add(hash, (uint64_t)command->next_block << 32 | command->block_end);
        hash = grt_hash_add(hash, command->running);
    }
    return grt_hash_add(hash, family->in_flight ? (uint64_t)(command->arrival - now) : 0);
}

/* Commands are numbered by chance, so their hashes are added up. */
uint64_t gpu_family_state(const struct grt_gpu *gpu, uint64_t hash) {
    uint64_t sum = 0;
    for (uint32_t number = 0; number < gpu->command_count; number++) {
        if (gpu->families[number].used) {
            sum += hash_family(gpu, number);
        }
    }
    hash = grt_hash_add(hash, sum);
    for (uint32_t i = 0; i < gpu->context_count; i++) {
        hash = gpu_waiting_state(gpu, gpu->contexts[i], hash);
    }
    return hash;
}

/* What a cohort's blocks have still to launch, when, and behind what. */
uint64_t gpu_family_cohort_state(const struct grt_gpu *gpu, const struct context *context, uint32_t number,
                                 uint64_t hash) {
    const struct cohort *cohort = &context->cohorts[number];
    const struct launching *launching = &context->launching[number];
    if (gpu->commands[cohort->command].kernel->launches == NULL) {
        return hash;
    }
    grt_time moment = grt_event_time(&context->moments, number);
    hash = grt_hash_add(hash, launching->next);
    hash = grt_hash_add(hash, (uint64_t)launching->had);
    hash = grt_hash_add(hash, moment != GRT_TIME_NEVER ? (uint64_t)(moment - cohort->began) : UINT64_MAX);
    for (uint32_t i = 0; i < cohort->count; i++) {
        uint32_t last = launching->streams[i].command;
        bool alive = last != NONE && gpu->families[last].used &&
                     gpu->commands[last].launch == launching->streams[i].launch;
        hash = grt_hash_add(hash, age_of(gpu, alive ? last : NONE));
    }
    return hash;
}
