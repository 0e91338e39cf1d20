/* A hash of everything in a GPU that its future depends on, with all instants relative to now. */
#include "models/gpu/call.h"
#include "models/gpu/cohort.h"
#include "models/gpu/family.h"
#include "models/gpu/internal.h"
#include "models/gpu/pin.h"
#include "models/gpu/share.h"
#include "sim/hash.h"

static uint64_t hash_call(const struct grt_gpu *gpu, uint64_t hash, const struct command *call) {
    hash = grt_hash_add(hash, (uint64_t)call->kind << 16 | (uint64_t)call->queue << 8 |
                                  (uint64_t)call->waits << 2 | (uint64_t)call->queued << 1 | call->barrier);
    bool is_head = call->since != GRT_TIME_NEVER;
    hash = grt_hash_add(hash, is_head ? (uint64_t)(gpu->options.loop->now - call->since) : UINT64_MAX);
    hash = grt_hash_add(hash, (uint64_t)call->takes);
    return grt_hash_add(hash, age_of(gpu, call->awaits));
}

static uint64_t hash_command(const struct grt_gpu *gpu, uint64_t hash, const struct command *command) {
    grt_time now = gpu->options.loop->now;
    hash = grt_hash_add(hash, (uint64_t)command->task << 32 | command->place);
    hash = grt_hash_add(hash, (uint64_t)command->state << 3 | (uint64_t)command->begins << 2 |
                                  (uint64_t)command->last << 1 | command->aborted);
    hash = grt_hash_add(hash, gpu->launches - command->launch);
    hash = grt_hash_add(hash, command->arrival > now ? (uint64_t)(command->arrival - now) : 0);
    if (command->kind == GRT_COMMAND_KERNEL) {
        hash = grt_hash_add(hash, (uint64_t)command->next_block << 32 | command->block_end);
        hash = grt_hash_add(hash, (uint64_t)gpu_pin_items_left(command) << 32 | command->running);
    } else if (grt_command_is_call(command->kind)) {
        hash = hash_call(gpu, hash, command);
    } else {
        hash = grt_hash_add(hash, command->waits);
    }
    return hash;
}

static uint64_t hash_streams(const struct grt_gpu *gpu, uint64_t hash) {
    grt_time now = gpu->options.loop->now;
    for (uint32_t i = 0; i < gpu->stream_count; i++) {
        const struct stream *stream = &gpu->streams[i];
        hash = grt_hash_add(hash, (uint64_t)stream->hardware_queue << 2 | (uint64_t)stream->unchecked << 1 |
                                      stream->has_queue);
        hash = grt_hash_add(hash, stream->last_arrival > now ? (uint64_t)(stream->last_arrival - now) : 0);
        for (uint32_t at = stream->commands.head; at != NONE; at = gpu->commands[at].next) {
            hash = hash_command(gpu, hash, &gpu->commands[at]);
        }
        hash = grt_hash_add(hash, UINT64_MAX);
    }
    return hash;
}

/* Which command it is: a job may have several of one place where blocks launch them. */
static uint64_t name_of(const struct grt_gpu *gpu, uint32_t number) {
    const struct command *command = &gpu->commands[number];
    uint64_t name = (uint64_t)command->task << 32 | command->place;
    return gpu->uses.launches ? grt_hash_add(name, gpu->launches - command->launch) : name;
}

static uint64_t hash_queue(const struct grt_gpu *gpu, uint64_t hash, const struct command_list *list) {
    for (uint32_t at = list->head; at != NONE; at = gpu->commands[at].queue_next) {
        hash = grt_hash_add(hash, name_of(gpu, at));
    }
    return grt_hash_add(hash, UINT64_MAX);
}

/* Which blocks a cohort is, and where. */
static uint64_t hash_blocks(const struct grt_gpu *gpu, const struct context *context,
                            const struct cohort *cohort) {
    uint64_t hash = grt_hash_add(0, name_of(gpu, cohort->command));
    hash = grt_hash_add(hash, (uint64_t)cohort->first << 32 | cohort->count);
    hash = grt_hash_add(hash, (uint64_t)gpu_pin_flags(gpu, cohort) << 32 | cohort->place);
    for (uint32_t i = 0; cohort->place == NONE && i < grt_placement_count(context->placement); i++) {
        hash = grt_hash_add(hash, cohort->per_place[i]);
    }
    return hash;
}

/* The same with the `left` ns of work that it still has, as the `rank`-th of the context's starts. Where blocks may be thrown
 * away it counts how long they take, too. */
static uint64_t hash_cohort(const struct grt_gpu *gpu, const struct context *context, uint32_t number,
                            grt_time left, uint64_t rank) {
    const struct cohort *cohort = &context->cohorts[number];
    bool resets = gpu->device->context_preemption == GRT_CONTEXT_PREEMPTION_RESET;
    uint64_t hash = hash_blocks(gpu, context, cohort);
    hash = grt_hash_add(hash, (uint64_t)left);
    hash = grt_hash_add(hash, resets ? (uint64_t)cohort->time : 0);
    if (gpu->uses.launches) {
        hash = gpu_family_cohort_state(gpu, context, number, hash);
    }
    return grt_hash_add(hash, context->starts - rank);
}

/* The same with what the work of its clock has beyond whole ns; speeds follow from what runs. */
static uint64_t hash_clock(const struct grt_gpu *gpu, const struct context *context,
                           const struct clock *clock) {
    struct grt_progress progress = clock->progress;
    uint64_t sum = 0;
    grt_progress_advance(&progress, any_clock_of(gpu, context));
    for (uint32_t i = 0; i < clock->ends.count; i++) {
        const struct grt_ready_entry *end = &clock->ends.entries[i];
        if (gpu_clock_is_moment(end)) {
            continue; /* follows from what the cohort has launched */
        }
        sum += hash_cohort(gpu, context, end->item, end->key - progress.done, end->tie);
    }
    return grt_hash_add(sum, progress.fraction);
}

/* The cohorts that begin again, in their order. */
static uint64_t hash_thrown(const struct grt_gpu *gpu, const struct context *context, uint64_t hash) {
    for (uint32_t at = context->thrown; at != NONE; at = context->cohorts[at].next_free) {
        const struct cohort *cohort = &context->cohorts[at];
        hash = grt_hash_add(hash, hash_blocks(gpu, context, cohort));
        hash = grt_hash_add(hash, (uint64_t)cohort->time);
    }
    return grt_hash_add(hash, NONE);
}

/* Slots are numbered by chance, so the cohorts' hashes are added up. */
static uint64_t hash_cohorts(const struct grt_gpu *gpu, const struct context *context, uint64_t hash) {
    const struct grt_event_queue *ends = &context->ends;
    uint64_t sum = 0;
    for (uint32_t slot = 0; slot < ends->capacity; slot++) {
        const struct grt_event *end = &ends->nodes[ends->capacity + slot];
        if (end->time != GRT_TIME_NEVER) {
            sum += gpu->uses.contention
                       ? hash_clock(gpu, context, &context->clocks[slot])
                       : hash_cohort(gpu, context, slot, end->time - any_clock_of(gpu, context),
                                     end->order >> GRT_EVENT_SLOT_BITS);
        }
    }
    return grt_hash_add(hash, sum);
}

/* A copy that has begun; what it has `had` of its engine since it last went on is not yet taken off `remaining`. */
static uint64_t hash_copy(const struct grt_gpu *gpu, uint32_t number, grt_time had, uint64_t hash) {
    if (number == NONE) {
        return grt_hash_add(hash, NONE);
    }
    const struct command *copy = &gpu->commands[number];
    hash = grt_hash_add(hash, (uint64_t)copy->task << 32 | copy->place);
    hash = grt_hash_add(hash, (uint64_t)had);
    return grt_hash_add(hash, (uint64_t)(copy->remaining - had));
}

static uint64_t hash_engine(const struct grt_gpu *gpu, const struct engine *engine, uint64_t hash) {
    grt_time end = grt_loop_pending(gpu->options.loop, engine->source), now = gpu->options.loop->now;
    struct grt_progress progress = engine->progress;
    grt_progress_advance(&progress, now);
    hash = hash_copy(gpu, engine->running, progress.done, hash);
    hash = grt_hash_add(hash, engine->running != NONE ? progress.fraction : 0);
    hash = grt_hash_add(hash, (uint64_t)engine->active->label << 1 | engine->held);
    return grt_hash_add(hash, end != GRT_TIME_NEVER ? (uint64_t)(end - now) : UINT64_MAX);
}

static uint64_t hash_context(const struct grt_gpu *gpu, const struct context *context, uint64_t hash) {
    hash = grt_hash_add(hash, grt_placement_state(context->placement));
    hash = hash_thrown(gpu, context, hash_cohorts(gpu, context, hash));
    for (uint32_t level = 0; level < gpu->level_count; level++) {
        hash = hash_queue(gpu, hash, &context->levels[level]);
    }
    for (uint32_t i = 0; i < gpu->engine_count; i++) {
        hash = hash_queue(gpu, hash, &context->copies[i]);
        hash = hash_copy(gpu, context->suspended[i], 0, hash);
    }
    return hash;
}

/* Who waits for a hardware queue. On which TPCs a limited client is follows from its blocks. */
static uint64_t hash_pool(const struct queue_pool *pool, uint64_t hash) {
    hash = grt_hash_add(hash, pool->random.counter);
    for (uint32_t i = 0; i < pool->waiting_count; i++) {
        hash = grt_hash_add(hash, pool->waiting[i]);
    }
    return hash;
}

static uint64_t ahead(const struct grt_gpu *gpu, grt_time instant) {
    grt_time now = gpu->options.loop->now;
    return instant != GRT_TIME_NEVER && instant > now ? (uint64_t)(instant - now) : 0;
}

static uint64_t label_of(const struct context *context) {
    return context != NULL ? context->label : UINT64_MAX;
}

static uint64_t hash_runlists(const struct grt_gpu *gpu, uint64_t hash) {
    hash = grt_hash_add(hash, label_of(gpu->active));
    hash = grt_hash_add(hash, (uint64_t)gpu->held << 1 | gpu->used);
    hash = grt_hash_add(hash, ahead(gpu, gpu->ready_at));
    for (uint32_t i = 0; i < gpu->runlist_count; i++) {
        const struct runlist *runlist = &gpu->runlists[i];
        hash = grt_hash_add(hash, label_of(runlist->current));
        hash = grt_hash_add(hash, label_of(runlist->next));
        hash = grt_hash_add(hash, (uint64_t)runlist->position << 2 | (uint64_t)runlist->goes_on << 1 |
                                      runlist->idle);
        hash = grt_hash_add(hash, (uint64_t)gpu_runlist_turn_left(gpu, runlist));
        hash = grt_hash_add(hash, (uint64_t)runlist->priority);
        hash = grt_hash_add(hash, ahead(gpu, runlist->update_ends));
    }
    return hash;
}

static uint64_t hash_calls(const struct grt_gpu *gpu, uint64_t hash) {
    for (uint32_t i = 0; i < gpu->event_count; i++) {
        hash = grt_hash_add(hash, age_of(gpu, gpu->events[i]));
    }
    for (uint32_t i = 0; i < gpu->process_count; i++) {
        hash = hash_queue(gpu, hash, &gpu->processes[i]->callbacks);
    }
    for (uint32_t at = gpu->telling.head; at != NONE; at = gpu->commands[at].queue_next) {
        hash = hash_command(gpu, hash, &gpu->commands[at]);
    }
    for (uint32_t i = 0; i < gpu->stream_count; i++) {
        const struct stream *stream = &gpu->streams[i];
        grt_time end = gpu_call_is_running(gpu, stream)
                           ? grt_loop_pending(gpu->options.loop, stream->source) - gpu->options.loop->now
                           : -1;
        hash = grt_hash_add(hash, (uint64_t)end);
    }
    return hash;
}

uint64_t grt_gpu_state(const struct grt_gpu *gpu) {
    uint64_t hash = hash_streams(gpu, 0);
    for (uint32_t i = 0; i < gpu->context_count; i++) {
        hash = hash_context(gpu, gpu->contexts[i], hash);
    }
    for (uint32_t i = 0; gpu->uses.hardware_queues && i < gpu->process_count; i++) {
        hash = hash_pool(gpu->processes[i]->pool, hash);
    }
    if (gpu->shares != NULL) {
        hash = gpu_shares_state(gpu, hash);
    }
    if (gpu->uses.calls) {
        hash = hash_calls(gpu, hash);
    }
    if (gpu->runlist_count > 0) {
        hash = hash_runlists(gpu, hash);
    }
    if (gpu->uses.launches) {
        hash = gpu_family_state(gpu, hash);
    }
    for (uint32_t i = 0; i < gpu->touched_count; i++) {
        hash = grt_hash_add(hash, gpu->touched[i]);
    }
    for (uint32_t i = 0; i < gpu->called_count; i++) {
        hash = grt_hash_add(hash, gpu->called[i]);
    }
    for (uint32_t i = 0; i < gpu->engine_count; i++) {
        hash = hash_engine(gpu, &gpu->engines[i], hash);
    }
    return hash;
}
