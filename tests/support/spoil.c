#include "tests/support/spoil.h"

#include <string.h>

#include "tests/support/pick.h"

size_t spoil_choose(struct grt_spoilt *spoilt, spoil_chooser *takes) {
    size_t chosen = spoilt->count;
    int64_t seen = 0;
    for (size_t i = 0; i < spoilt->count; i++) {
        if (takes(spoilt, i) && grt_pick(spoilt->random, 0, seen++) == 0) {
            chosen = i;
        }
    }
    return chosen;
}

void spoil_drop(struct grt_spoilt *spoilt, size_t index) {
    spoilt->count--;
    memmove(spoilt->records + index, spoilt->records + index + 1,
            (spoilt->count - index) * sizeof *spoilt->records);
}
