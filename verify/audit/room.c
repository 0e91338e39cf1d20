/* How many units of something are taken at a time, found from slices in the order of their ends. Each slice takes the units that became
 * free last before its start. With that choice it finds too few exactly if at some instant more were taken than there are: the greedy
 * colouring of intervals by their ends (U. Faigle, W. Nawijn, "Note on scheduling intervals on-line", Discrete Applied Mathematics 58, 1995;
 * K. Bouzina, H. Emmons, "Interval scheduling on identical machines", Journal of Global Optimization 9, 1996). */
#include <string.h>

#include "verify/audit/internal.h"

void audit_room_start(struct audit_room *room, int64_t units) {
    room->units = grt_array_grow(NULL, &room->capacity, GRT_FIRST_CAPACITY(8), sizeof *room->units);
    room->units[0] = (struct audit_room_units){AUDIT_UNKNOWN, units};
    room->count = 1;
}

/* Notes that units became free, later than all others. */
static void give_back(struct audit_room *room, grt_time end, int64_t units) {
    if (units == 0) {
        return;
    }
    if (room->count > 0 && room->units[room->count - 1].free_from >= end) {
        room->units[room->count - 1].units += units;
        return;
    }
    if (room->count == room->capacity) {
        room->units = grt_array_grow(room->units, &room->capacity, room->count + 1, sizeof *room->units);
    }
    room->units[room->count++] = (struct audit_room_units){end, units};
}

bool audit_room_take(struct audit_room *room, grt_time start, grt_time end, int64_t units) {
    uint32_t behind = room->count, kept;
    while (behind > 0 && room->units[behind - 1].free_from > start) {
        behind--;
    }
    int64_t missing = units;
    for (kept = behind; kept > 0 && missing >= room->units[kept - 1].units; kept--) {
        missing -= room->units[kept - 1].units;
    }
    if (kept > 0) {
        room->units[kept - 1].units -= missing;
        missing = 0;
    }
    if (kept < behind) {
        memmove(room->units + kept, room->units + behind, (room->count - behind) * sizeof *room->units);
        room->count -= behind - kept;
    }
    give_back(room, end, units - missing);
    return missing == 0;
}
