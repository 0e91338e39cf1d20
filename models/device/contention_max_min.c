/* Max-min fair speeds by progressive filling.
 *
 * Source: D. Bertsekas, R. Gallager, "Data Networks", Prentice Hall, 2nd edition, 1992, section 6.5.2: max-min flow control.
 * Implements: the speeds of all kernels rise together. Who is at its speed alone stays there; when a resource is full, who uses it
 * stays where it is. So nobody's speed could be raised but by lowering one that is not higher.
 * Assumes: demands of at most 1 each, so that a kernel alone fits. */
#include <stdbool.h>

#include "models/device/contention_kinds.h"

struct filling {
    struct contender *contenders;
    uint32_t count;               /* of those that still rise; they stand first */
    double free[GRT_RESOURCES];   /* what those that stay leave of each resource */
    double rising[GRT_RESOURCES]; /* the demands of those that rise */
    double level;                 /* to which all have risen; never falls, whatever is rounded */
};

static void sum_demands(struct filling *filling) {
    for (int r = 0; r < GRT_RESOURCES; r++) {
        filling->rising[r] = 0;
        for (uint32_t i = 0; i < filling->count; i++) {
            filling->rising[r] += filling->contenders[i].usage->demand[r];
        }
    }
}

/* Rises to the speed at which the next resource is full and returns which that is; to 1 at most, since nobody is faster. */
static int rise(struct filling *filling) {
    double level = 1;
    int full = GRT_RESOURCES;
    for (int r = 0; r < GRT_RESOURCES; r++) {
        if (filling->rising[r] > 0 && filling->free[r] < filling->rising[r] * level) {
            level = filling->free[r] / filling->rising[r];
            full = r;
        }
    }
    filling->level = level > filling->level ? level : filling->level;
    return full;
}

static void stay(struct filling *filling, uint32_t index, double speed) {
    struct contender staying = filling->contenders[index];
    staying.speed = speed;
    for (int r = 0; r < GRT_RESOURCES; r++) {
        filling->free[r] -= speed * staying.usage->demand[r];
    }
    filling->count--;
    filling->contenders[index] = filling->contenders[filling->count];
    filling->contenders[filling->count] = staying;
}

/* Those whose speed alone is not above the level stay at it: what stays below leaves the others more, so that none of them can
 * be held up at less. */
static bool stay_alone(struct filling *filling) {
    uint32_t before = filling->count;
    for (uint32_t i = before; i > 0; i--) {
        if (filling->contenders[i - 1].speed <= filling->level) {
            stay(filling, i - 1, filling->contenders[i - 1].speed);
        }
    }
    return filling->count < before;
}

static void stay_at_full(struct filling *filling, int full) {
    for (uint32_t i = filling->count; i > 0; i--) {
        if (filling->contenders[i - 1].usage->demand[full] > 0) {
            stay(filling, i - 1, filling->level);
        }
    }
}

void grt_contention_max_min(struct contender *contenders, uint32_t count) {
    struct filling filling = {.contenders = contenders, .count = count, .free = {1, 1, 1, 1, 1}};
    while (filling.count > 0) {
        sum_demands(&filling);
        int full = rise(&filling);
        if (!stay_alone(&filling)) {
            stay_at_full(&filling, full); /* somebody is above the level, 1 at most: a resource is full */
        }
    }
}
