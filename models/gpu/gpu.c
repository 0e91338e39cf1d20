/* The outside of a GPU: its creation, its decisions, its result. */
#include "models/gpu.h"

#include <stdlib.h>

#include "models/gpu/call.h"
#include "models/gpu/execute.h"
#include "models/gpu/family.h"
#include "models/gpu/internal.h"
#include "models/gpu/process.h"
#include "models/gpu/share.h"
#include "models/gpu/speed.h"

struct grt_gpu *grt_gpu_create(const struct grt_device *device, const struct grt_gpu_options *options) {
    struct grt_gpu *gpu = grt_arena_new(options->arena, struct grt_gpu);
    gpu->device = device;
    gpu->options = *options;
    gpu->free_command = NONE;
    gpu->uses.hardware_queues = device->hardware_queues > 0;
    gpu_speeds_create(gpu);
    gpu->uses.own_places = device->mps && device->mps_priorities == GRT_MPS_PRIORITIES_CLIENT;
    gpu->uses.checks = grt_device_checks_dependencies(device);
    gpu_shares_create(gpu);
    gpu_execute_create(gpu);
    gpu_copy_create(gpu);
    return gpu;
}

uint32_t grt_gpu_process_create(struct grt_gpu *gpu, const struct grt_process_spec *spec, uint32_t label) {
    gpu_process_create(gpu, spec, label);
    return gpu->process_count - 1;
}

bool grt_gpu_takes_turns(const struct grt_gpu *gpu) {
    return gpu->runlist_count > 0;
}

void grt_gpu_use_partitions(struct grt_gpu *gpu) {
    gpu->uses.apart = true;
}

static inline void decide_kernels(struct grt_gpu *gpu) {
    if (gpu->shares == NULL) {
        gpu_execute_decide(gpu);
    } else {
        gpu_shares_decide(gpu);
    }
}

/* Again where a command that was dispatched has freed a hardware queue. */
GRT_APART void grt_gpu_decide(struct grt_gpu *gpu) {
    do {
        if ((gpu->touched_count | gpu->called_count) > 0) {
            gpu_streams_advance(gpu);
        }
        if (gpu->runlist_count > 0) {
            gpu_runlists_decide(gpu);
        }
        if (gpu->uncopied) {
            gpu_copy_decide(gpu);
        }
        if (gpu->active->undispatched) {
            decide_kernels(gpu);
        }
    } while (gpu->touched_count > 0);
    if (gpu->shares != NULL) {
        gpu_shares_settle(gpu);
    }
    if (gpu->uses.contention) {
        gpu_speeds_settle(gpu);
    }
}

void grt_gpu_finish(struct grt_gpu *gpu, struct grt_gpu_result *result) {
    grt_time *engine_busy = grt_arena_array(gpu->options.arena, gpu->engine_count, sizeof *engine_busy);
    *result = (struct grt_gpu_result){
        .device = gpu->device->name,
        .sm_count = (uint32_t)gpu->device->sm_count,
        .engine_count = gpu->engine_count,
        .engine_busy = engine_busy,
        .kernels = gpu->kernels,
        .blocks = gpu->blocks,
        .copies = gpu->copies,
    };
    gpu_runlists_finish(gpu);
    for (uint32_t i = 0; i < gpu->context_count; i++) {
        struct context *context = gpu->contexts[i];
        gpu_execute_finish(gpu, context);
        result->busy += context->busy;
        result->sm_busy += grt_placement_busy(context->placement, clock_of(gpu, context));
    }
    if (gpu->shares != NULL) {
        gpu_shares_finish(gpu, result);
    }
    if (gpu->uses.launches) {
        gpu_family_finish(gpu);
        result->launches = true;
        result->failed_launches = gpu->failed_launches;
    }
    result->pins = gpu->uses.pins;
    result->lost_items = gpu->lost_items;
    gpu_copy_finish(gpu);
    gpu_call_finish(gpu);
    for (uint32_t i = 0; i < gpu->engine_count; i++) {
        engine_busy[i] = gpu->engines[i].busy;
    }
    result->thread_time += (double)gpu->thread_time / (double)gpu->device->max_threads_per_sm;
}

void grt_gpu_free(struct grt_gpu *gpu) {
    free(gpu->commands);
    free(gpu->streams);
    free(gpu->touched);
    free(gpu->called);
    free(gpu->events);
    for (uint32_t i = 0; i < gpu->context_count; i++) {
        free(gpu->contexts[i]->cohorts);
        free(gpu->contexts[i]->clocks);
        grt_event_queue_free(&gpu->contexts[i]->ends);
        grt_event_queue_free(&gpu->contexts[i]->moments);
        free(gpu->contexts[i]->launching);
    }
    for (uint32_t i = 0; i < gpu->process_count; i++) {
        struct queue_pool *pool = gpu->processes[i]->pool;
        if (pool != NULL && (i == 0 || pool != gpu->processes[0]->pool)) {
            free(pool->waiting);
        }
    }
    gpu_shares_free(gpu);
    free(gpu->families);
    free(gpu->free_numbers);
    free(gpu->contexts);
    free(gpu->processes);
}
