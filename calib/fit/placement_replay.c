#include "calib/fit/placement_replay.h"

#include <stdlib.h>
#include <string.h>

#include "models/device/placement.h"

/* Blocks that are on their SMs, the next to end first. */
struct resident {
    int64_t end_ns;
    uint32_t place;
};

struct play {
    struct grt_placement *placement;
    struct grt_gpu_kernel kernel;
    struct resident *heap;
    size_t resident;
    uint32_t place_of[GRT_DEVICE_MAX_SMS]; /* by SM */
};

static void push(struct play *play, struct resident block) {
    size_t at = play->resident++;
    while (at > 0 && play->heap[(at - 1) / 2].end_ns > block.end_ns) {
        play->heap[at] = play->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    play->heap[at] = block;
}

static struct resident pop(struct play *play) {
    struct resident first = play->heap[0], last = play->heap[--play->resident];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < play->resident; at = child) {
        child += child + 1 < play->resident && play->heap[child + 1].end_ns < play->heap[child].end_ns;
        if (play->heap[child].end_ns >= last.end_ns) {
            break;
        }
        play->heap[at] = play->heap[child];
    }
    play->heap[at] = last;
    return first;
}

static uint32_t take_at(struct play *play, uint32_t place, grt_time now) {
    uint64_t only[GRT_PLACE_WORDS] = {0};
    only[place / 64] = UINT64_C(1) << place % 64;
    grt_placement_restrict(play->placement, only);
    uint32_t taken = grt_placement_take(play->placement, &play->kernel, now);
    grt_placement_restrict(play->placement, NULL);
    return taken;
}

/* Where it goes in turn depends on what was before the launch: the first block says it. */
static int64_t place_first(struct play *play, const struct grt_placed_block *block) {
    uint32_t place = take_at(play, play->place_of[block->sm], block->start_ns);
    push(play, (struct resident){block->end_ns, place});
    return block->sm;
}

/* What the rules say; then the block is put where it was, if there is room by the rules. */
static int64_t place_block(struct play *play, const struct grt_placed_block *block) {
    uint32_t is = play->place_of[block->sm];
    uint32_t should = grt_placement_take(play->placement, &play->kernel, block->start_ns);
    int64_t predicted = GRT_NO_SM;
    if (should != GRT_NO_PLACE) {
        predicted = grt_placement_sm(play->placement, should);
    }
    if (should != is) {
        if (should != GRT_NO_PLACE) {
            grt_placement_release(play->placement, &play->kernel, should, 1, block->start_ns);
        }
        is = take_at(play, is, block->start_ns);
    }
    if (is != GRT_NO_PLACE) {
        push(play, (struct resident){block->end_ns, is});
    }
    return predicted;
}

size_t grt_placement_differences(const struct grt_device *device, int64_t per_sm,
                                 const struct grt_placed_block *blocks, size_t count, int64_t *predicted) {
    struct grt_arena arena = {0};
    struct grt_device sms = *device; /* whose only limit is the number of blocks */
    sms.warp_size = 1;
    sms.max_threads_per_sm = sms.max_blocks_per_sm = per_sm;
    struct play play = {.kernel = {.warps = 1}};
    play.placement = grt_placement_create(&sms, &arena, (struct grt_random){0});
    play.heap = grt_arena_array(&arena, count > 0 ? count : 1, sizeof *play.heap);
    for (uint32_t place = 0; place < grt_placement_count(play.placement); place++) {
        play.place_of[grt_placement_sm(play.placement, place)] = place;
    }
    size_t differences = 0;
    for (size_t i = 0; i < count; i++) {
        while (play.resident > 0 && play.heap[0].end_ns <= blocks[i].start_ns) {
            struct resident ended = pop(&play);
            grt_placement_release(play.placement, &play.kernel, ended.place, 1, ended.end_ns);
        }
        bool in_turn = i == 0 && device->placement == GRT_PLACEMENT_ROUND_ROBIN;
        predicted[i] = in_turn ? place_first(&play, &blocks[i]) : place_block(&play, &blocks[i]);
        differences += predicted[i] != blocks[i].sm;
    }
    grt_arena_clear(&arena);
    return differences;
}
