/* Kernels as the device executes them. */
#include "models/device/kernel_usage.h"
#include "models/gpu/internal.h"
#include "models/occupancy.h"

/* What a kernel's blocks do to others that run beside them (B1, B3), where `per_sm` of them fit on an SM, and at most `blocks` of
 * them do anything, on `sms` SMs. It is so little that they do nothing to each other, because what they do is in their times. */
static void prepare_contention(const struct grt_device *device, const struct grt_kernel *kernel,
                               int64_t per_sm, int64_t blocks, int64_t sms, struct grt_gpu_kernel *prepared) {
    int64_t threads = prepared->threads;
    int64_t together = blocks < per_sm * sms ? blocks : per_sm * sms;
    int64_t most_issue =
        device->cores_per_sm * device->threads_per_core / (blocks < per_sm ? blocks : per_sm);
    prepared->class_number =
        grt_device_class(device, kernel->class_name != NULL ? kernel->class_name : kernel->name);
    prepared->demand = (uint64_t)(kernel->bandwidth / together);
    prepared->issue_threads = (uint32_t)(threads < most_issue ? threads : most_issue);
}

/* T4s: the bytes of a block's registers, 4 each, and shared memory. Where registers are not known, those that its warps have
 * if all of an SM's warps share the registers equally. */
static int64_t state_of_block(const struct grt_device *device, const struct grt_gpu_kernel *kernel) {
    int64_t warps = device->max_threads_per_sm / device->warp_size;
    int64_t registers =
        kernel->registers > 0 ? kernel->registers : device->registers_per_sm * kernel->warps / warps;
    return 4 * registers + kernel->shared_memory;
}

const char *grt_gpu_kernel_prepare(const struct grt_device *device, const struct grt_kernel *kernel,
                                   struct grt_gpu_kernel *prepared) {
    bool same_time =
        kernel->draw_per == GRT_DRAW_PER_KERNEL || grt_distribution_is_constant(&kernel->block_time);
    *prepared = (struct grt_gpu_kernel){
        .launch = kernel->from_device ? device->device_launch : device->kernel_launch,
        .block_time = kernel->block_time,
        .same_time = same_time,
        .together = same_time,
    };
    if (kernel->whole_device) { /* one block per SM, which takes all its warps */
        prepared->blocks = (uint32_t)device->sm_count;
        prepared->threads = (uint32_t)device->max_threads_per_sm;
        prepared->warps = (int32_t)(device->max_threads_per_sm / device->warp_size);
        prepared->same_time = prepared->together = true;
        prepared->state_bytes = state_of_block(device, prepared);
        prepare_contention(device, kernel, 1, prepared->blocks, device->sm_count, prepared);
        return NULL;
    }
    struct grt_occupancy occupancy = grt_occupancy_of(device, &kernel->needs);
    if (occupancy.refusal != NULL) {
        return occupancy.refusal;
    }
    prepared->blocks = (uint32_t)kernel->blocks;
    prepared->threads = (uint32_t)kernel->needs.threads;
    prepared->warps = (int32_t)occupancy.warps;
    prepared->registers = (int32_t)occupancy.registers;
    prepared->shared_memory = (int32_t)occupancy.shared_memory;
    prepared->state_bytes = state_of_block(device, prepared);
    prepare_contention(device, kernel, occupancy.blocks_per_sm, prepared->blocks, device->sm_count, prepared);
    return NULL;
}

/* F1: all blocks of a launch take the same time, and none is told from another. */
void grt_gpu_kernel_share(const struct grt_device *device, const struct grt_kernel *kernel,
                          struct grt_arena *arena, struct grt_gpu_kernel *prepared) {
    struct grt_usage *usage = grt_arena_new(arena, struct grt_usage);
    grt_kernel_usage(device, kernel, usage);
    prepared->usage = usage;
    prepared->wave = (uint32_t)grt_kernel_wave(device, kernel);
    prepared->same_time = prepared->together = true;
}

const char *grt_gpu_kernel_restrict(const struct grt_device *device, const struct grt_number_list *tpcs,
                                    struct grt_arena *arena, struct grt_gpu_kernel *prepared) {
    int64_t tpc_count = (device->sm_count + device->sms_per_tpc - 1) / device->sms_per_tpc;
    uint16_t *order = grt_arena_array(arena, (size_t)device->sm_count, sizeof *order);
    uint64_t *places = grt_arena_array(arena, GRT_PLACE_WORDS, sizeof *places);
    grt_device_sm_order(device, order);
    for (size_t i = 0; i < tpcs->count; i++) {
        if (tpcs->items[i] < 0 || tpcs->items[i] >= tpc_count) {
            return "it is kept to a TPC that the device does not have";
        }
        for (uint32_t place = 0; place < device->sm_count; place++) {
            if (order[place] / device->sms_per_tpc == tpcs->items[i]) {
                places[place / 64] |= UINT64_C(1) << place % 64;
            }
        }
    }
    prepared->places = places;
    return NULL;
}

const char *grt_gpu_kernel_pin(const struct grt_device *device, const struct grt_kernel *kernel,
                               struct grt_arena *arena, struct grt_gpu_kernel *prepared) {
    uint16_t *order = grt_arena_array(arena, (size_t)device->sm_count, sizeof *order);
    uint64_t *places = grt_arena_array(arena, GRT_PLACE_WORDS, sizeof *places), reachable = 0;
    int64_t sms = 0, items = grt_kernel_items(kernel);
    grt_device_sm_order(device, order);
    for (size_t i = 0; i < kernel->sms.count; i++) {
        if (kernel->sms.items[i] < 0 || kernel->sms.items[i] >= device->sm_count) {
            return "it is pinned to an SM that the device does not have";
        }
        uint32_t place = 0;
        while (order[place] != kernel->sms.items[i]) {
            place++;
        }
        sms += (places[place / 64] >> place % 64 & 1) == 0;
        places[place / 64] |= UINT64_C(1) << place % 64;
    }
    for (uint32_t word = 0; word < GRT_PLACE_WORDS; word++) {
        reachable |= places[word] & (prepared->places != NULL ? prepared->places[word] : UINT64_MAX);
    }
    if (reachable == 0) {
        return "none of the SMs that it is pinned to is among the TPCs that it is kept to";
    }
    prepared->pinned_to = places;
    prepared->items = (uint32_t)items;
    prepared->exit_time = kernel->exit_time;
    prepared->together = false; /* what a block does is up to its SM */
    prepare_contention(device, kernel, grt_occupancy_of(device, &kernel->needs).blocks_per_sm,
                       items < kernel->blocks ? items : kernel->blocks, sms, prepared);
    return NULL;
}
