#include "viz/export/lanes.h"

#include "sim/memory.h"

uint32_t grt_free_lanes_take(struct grt_free_lanes *lanes) {
    if (lanes->count == 0) {
        return lanes->opened++;
    }
    uint32_t lowest = lanes->items[0], moved = lanes->items[--lanes->count], place = 0;
    for (uint32_t child = 1; child < lanes->count; child = 2 * place + 1) {
        child += child + 1 < lanes->count && lanes->items[child + 1] < lanes->items[child];
        if (moved <= lanes->items[child]) {
            break;
        }
        lanes->items[place] = lanes->items[child];
        place = child;
    }
    lanes->items[place] = moved;
    return lowest;
}

void grt_free_lanes_give(struct grt_free_lanes *lanes, uint32_t lane) {
    if (lanes->count == lanes->capacity) {
        lanes->items = grt_array_grow(lanes->items, &lanes->capacity, lanes->count + 1, sizeof *lanes->items);
    }
    uint32_t place = lanes->count++;
    while (place > 0 && lanes->items[(place - 1) / 2] > lane) {
        lanes->items[place] = lanes->items[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    lanes->items[place] = lane;
}
