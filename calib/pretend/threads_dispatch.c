#include <stdlib.h>
#include <string.h>

#include "calib/pretend/threads_internal.h"

/* Urgent kernels come first, then those that began first. */
void grt_threads_grid_begin(struct grt_threads *threads, struct threads_grid *grid) {
    struct threads_grid **place = &threads->grids;
    while (*place != NULL && (*place)->command->stream->priority <= grid->command->stream->priority) {
        place = &(*place)->next;
    }
    grid->next = *place;
    *place = grid;
}

static uint16_t take_slot(struct grt_threads *threads, uint32_t place) {
    uint64_t *slots = &threads->free_slots[place];
    uint16_t slot = (uint16_t)__builtin_ctzll(*slots);
    *slots &= *slots - 1;
    return slot;
}

static void start_block(struct grt_threads *threads, struct threads_grid *grid, uint32_t place) {
    struct threads_block *block = grt_allocate(sizeof *block);
    *block = (struct threads_block){.grid = grid,
                                    .number = grid->dispatched++,
                                    .place = place,
                                    .sm = (uint16_t)grt_placement_sm(threads->placement, place),
                                    .slot = take_slot(threads, place)};
    grt_threads_offer(threads, block);
}

/* Dispatches all blocks that find room; true where that was all of them. */
static bool dispatch_grid(struct grt_threads *threads, struct threads_grid *grid, const uint64_t *places) {
    if (threads->placed_last != grid->command->serial + 1) { /* the rooms of another kernel are forgotten */
        threads->placed_last = grid->command->serial + 1;
        grt_placement_restrict(threads->placement, places);
    }
    while (grid->dispatched < grid->kernel.blocks) {
        uint32_t place = grt_placement_take(threads->placement, &grid->costs, grt_threads_now(threads));
        if (place == GRT_NO_PLACE) {
            return false;
        }
        start_block(threads, grid, place);
    }
    return true;
}

static bool meet(const uint64_t *left, const uint64_t *right) {
    uint64_t both = 0;
    for (uint32_t i = 0; i < GRT_PLACE_WORDS; i++) {
        both |= left[i] & right[i];
    }
    return both != 0;
}

/* Behind a kernel whose blocks find no room wait all those that could use its SMs. */
void grt_threads_dispatch(struct grt_threads *threads) {
    uint64_t stuck[GRT_PLACE_WORDS] = {0}, all[GRT_PLACE_WORDS];
    memset(all, 0xff, sizeof all);
    struct threads_grid **next = &threads->grids;
    while (*next != NULL) {
        struct threads_grid *grid = *next;
        const struct threads_stream *stream = grid->command->stream;
        const uint64_t *places = stream->kept ? stream->places : all;
        if (!meet(places, stuck) && dispatch_grid(threads, grid, stream->kept ? places : NULL)) {
            *next = grid->next;
            continue;
        }
        for (uint32_t i = 0; i < GRT_PLACE_WORDS; i++) {
            stuck[i] |= places[i];
        }
        next = &grid->next;
    }
}

void grt_threads_block_ended(struct grt_threads *threads, struct threads_block *block) {
    struct threads_grid *grid = block->grid;
    grt_placement_release(threads->placement, &grid->costs, block->place, 1, grt_threads_now(threads));
    threads->free_slots[block->place] |= UINT64_C(1) << block->slot;
    free(block);
    if (++grid->ended == grid->kernel.blocks) {
        grt_threads_complete(threads, grid->command);
    }
    grt_threads_progress(threads);
}
