/* A radix sort from the lowest digit: starts of a trace differ in few digits, and each pass keeps the order of equals. */
#include "viz/export/order.h"

#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

static uint32_t digit_of(const struct grt_export_start *start, grt_time earliest, int shift) {
    return shift < 0 ? start->rank
                     : (uint32_t)((uint64_t)(start->time - earliest) >> shift) & (uint32_t)(DIGITS - 1);
}

/* One pass by the digit at `shift`, or by rank where that is negative. */
static void pass(const struct grt_export_start *from, struct grt_export_start *to, uint32_t count,
                 grt_time earliest, int shift) {
    uint32_t places[DIGITS] = {0}, sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        places[digit_of(&from[i], earliest, shift)]++;
    }
    for (int digit = 0; digit < DIGITS; digit++) {
        uint32_t size = places[digit];
        places[digit] = sum;
        sum += size;
    }
    for (uint32_t i = 0; i < count; i++) {
        to[places[digit_of(&from[i], earliest, shift)]++] = from[i];
    }
}

void grt_export_sort(struct grt_export_start *starts, uint32_t count) {
    if (count == 0) {
        return;
    }
    grt_time earliest = starts[0].time, latest = starts[0].time;
    for (uint32_t i = 1; i < count; i++) {
        earliest = starts[i].time < earliest ? starts[i].time : earliest;
        latest = starts[i].time > latest ? starts[i].time : latest;
    }
    struct grt_export_start *other = grt_allocate(count * sizeof *other), *from = starts, *to = other;
    for (int shift = -1; shift < 0 || (shift < 64 && (uint64_t)(latest - earliest) >> shift > 0);
         shift = shift < 0 ? 0 : shift + DIGIT_BITS) {
        pass(from, to, count, earliest, shift);
        struct grt_export_start *last = from;
        from = to;
        to = last;
    }
    if (from != starts) {
        memcpy(starts, from, count * sizeof *starts);
    }
    free(other);
}
