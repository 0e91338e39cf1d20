/* How much of the SMs a client of an MPS server may use.
 *
 * Source: NVIDIA, "Multi-Process Service" guide: an active thread percentage limits a client to a portion of the device. It
 * reserves nothing, and clients may sit on one SM. In which SMs the portion lies is not published: here a client may have
 * blocks on so many TPCs at a time, whichever they are (M3). */
#include "models/gpu/limit.h"

#include "models/gpu/cohort.h"
#include "models/gpu/internal.h"

static uint32_t tpc_of(const struct grt_gpu *gpu, const struct process *process, uint32_t place) {
    return grt_placement_sm(process->context->placement, place) / (uint32_t)gpu->device->sms_per_tpc;
}

void gpu_limit_create(struct grt_gpu *gpu, struct process *process, int64_t percentage) {
    uint32_t tpcs = (uint32_t)grt_device_tpcs(gpu->device);
    uint32_t most = (uint32_t)grt_device_mps_tpcs(gpu->device, percentage);
    if (most < tpcs) {
        process->most_tpcs = most;
        process->blocks_on = grt_arena_array(gpu->options.arena, tpcs, sizeof *process->blocks_on);
        process->places = grt_arena_array(gpu->options.arena, GRT_PLACE_WORDS, sizeof *process->places);
        gpu->uses.limits = gpu->uses.apart = true;
    }
}

bool gpu_limit_is_reached(const struct process *process) {
    return process->most_tpcs > 0 && process->tpcs_used == process->most_tpcs;
}

/* Writes down whether a process uses a TPC. */
static void mark(const struct grt_gpu *gpu, struct process *process, uint32_t tpc, bool used) {
    for (uint32_t place = 0; place < gpu->device->sm_count; place++) {
        if (tpc_of(gpu, process, place) == tpc) {
            uint64_t bit = UINT64_C(1) << place % 64;
            process->places[place / 64] = (process->places[place / 64] & ~bit) | (used ? bit : 0);
        }
    }
    process->tpcs_used += used ? 1 : UINT32_MAX;
}

/* A block was placed; the last TPC that the process may use closes the others to it. */
void gpu_limit_took(struct grt_gpu *gpu, struct process *process, uint32_t place) {
    if (process->most_tpcs == 0) {
        return;
    }
    uint32_t tpc = tpc_of(gpu, process, place);
    if (process->blocks_on[tpc]++ == 0) {
        mark(gpu, process, tpc, true);
        if (gpu_limit_is_reached(process)) {
            grt_placement_restrict_further(process->context->placement, process->places);
        }
    }
}

void gpu_limit_released(struct grt_gpu *gpu, struct process *process, uint32_t place, uint32_t count) {
    if (process->most_tpcs == 0) {
        return;
    }
    uint32_t tpc = tpc_of(gpu, process, place);
    process->blocks_on[tpc] -= count;
    if (process->blocks_on[tpc] == 0) {
        mark(gpu, process, tpc, false);
    }
}

/* grt_placement_take_many for a client that may be limited: one block after the other, since any may close TPCs. */
uint32_t gpu_limit_take_many(struct grt_gpu *gpu, struct process *process,
                             const struct grt_gpu_kernel *kernel, uint32_t count, struct cohort *cohort,
                             grt_time clock) {
    struct grt_placement *placement = process->context->placement;
    if (process->most_tpcs == 0) {
        return grt_placement_take_many(placement, kernel, count, cohort->per_place, cohort->places, clock);
    }
    for (uint32_t taken = 0; taken < count; taken++) {
        uint32_t place = grt_placement_take(placement, kernel, clock);
        if (place == GRT_NO_PLACE) {
            return taken;
        }
        cohort->per_place[place]++;
        if (cohort->places != NULL) {
            cohort->places[taken] = (uint16_t)place;
        }
        gpu_limit_took(gpu, process, place);
    }
    return count;
}
