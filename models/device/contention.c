#include "models/device/contention.h"

#include <math.h>
#include <string.h>

#include "models/device/contention_kinds.h"

struct grt_contention {
    const struct grt_device *device;
    struct grt_arena *arena;
    double *slowdowns; /* classes x classes: of one beside another */
    uint32_t classes, capacity;
    struct contender *contenders;
    struct saturated *scratch;
};

/* ---- the table of slowdowns ---- */

static double *slowdown(const struct grt_contention *contention, uint32_t class_number, uint32_t beside) {
    return &contention->slowdowns[(size_t)class_number * contention->classes + beside];
}

struct grt_contention *grt_contention_create(const struct grt_device *device, struct grt_arena *arena) {
    struct grt_contention *contention = grt_arena_new(arena, struct grt_contention);
    const struct grt_slowdown *rows = device->slowdowns.items;
    *contention = (struct grt_contention){
        .device = device, .arena = arena, .classes = 2 * (uint32_t)device->slowdowns.count};
    size_t cells = (size_t)contention->classes * contention->classes;
    contention->slowdowns = grt_arena_array(arena, cells, sizeof *contention->slowdowns);
    for (size_t i = 0; i < cells; i++) {
        contention->slowdowns[i] = 1;
    }
    for (size_t i = 0; i < device->slowdowns.count; i++) {
        *slowdown(contention, grt_device_class(device, rows[i].class_name),
                  grt_device_class(device, rows[i].beside)) = rows[i].factor;
    }
    return contention;
}

static void slow_by_table(const struct grt_contention *contention, uint32_t count) {
    struct contender *contenders = contention->contenders;
    for (uint32_t i = 0; i < count; i++) {
        double factor = 1;
        for (uint32_t j = 0; j < count; j++) {
            if (j != i && contenders[i].class_number != GRT_NO_CLASS &&
                contenders[j].class_number != GRT_NO_CLASS) {
                factor *= *slowdown(contention, contenders[i].class_number, contenders[j].class_number);
            }
        }
        contenders[i].speed /= factor;
    }
}

/* ---- who has how much ---- */

/* The least number of vprocessors that are all that a kernel fills. 100 u may be rounded up beyond a whole number that it is. */
static int64_t filled_share(const struct grt_usage *usage) {
    int64_t share = (int64_t)ceil(GRT_FULL_SHARE * usage->sm_utilisation);
    if ((double)(share - 1) / GRT_FULL_SHARE >= usage->sm_utilisation) {
        share--;
    }
    return share < 1 ? 1 : share > GRT_FULL_SHARE ? GRT_FULL_SHARE : share;
}

static void reserve(struct grt_contention *contention, uint32_t count) {
    if (count > contention->capacity) {
        uint32_t first = GRT_FIRST_CAPACITY(16), doubled = 2 * contention->capacity;
        contention->capacity = doubled > first ? doubled : first;
        contention->capacity = count > contention->capacity ? count : contention->capacity;
        contention->contenders =
            grt_arena_array(contention->arena, contention->capacity, sizeof *contention->contenders);
        contention->scratch =
            grt_arena_array(contention->arena, contention->capacity, sizeof *contention->scratch);
    }
}

/* Those that do not stand still, with their speeds alone. */
static uint32_t admit(struct grt_contention *contention, const struct grt_sharer *sharers, uint32_t count) {
    bool leaves = contention->device->share_mode == GRT_SHARE_MODE_LEFT_OVER;
    int64_t left = GRT_FULL_SHARE;
    uint32_t admitted = 0;
    for (uint32_t i = 0; i < count; i++) {
        int64_t share = leaves && sharers[i].share > left ? left : sharers[i].share;
        if (share <= 0) {
            continue;
        }
        double factor = grt_usage_share_factor(sharers[i].usage, share);
        contention->contenders[admitted++] = (struct contender){.usage = sharers[i].usage,
                                                                .number = i,
                                                                .class_number = sharers[i].class_number,
                                                                .factor = factor,
                                                                .speed = 1 / factor};
        if (leaves) {
            int64_t filled = filled_share(sharers[i].usage);
            left -= filled < share ? filled : share;
        }
    }
    return admitted;
}

/* ---- speeds ---- */

/* Turns of equal length: the part on the SMs takes as many times as long as there are kernels, or as its share makes it, whichever is
 * longer. */
static void take_turns(struct contender *contenders, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        double host = contenders[i].usage->host_fraction;
        double in_turn = host + (1 - host) * (double)count;
        contenders[i].speed = 1 / fmax(in_turn, contenders[i].factor);
    }
}

static void contend(struct grt_contention *contention, uint32_t count) {
    switch ((enum grt_contention_kind)contention->device->contention) {
    case GRT_CONTENTION_NONE:
        break;
    case GRT_CONTENTION_SATURATION:
        grt_contention_saturate(contention->device, contention->contenders, count, contention->scratch);
        break;
    case GRT_CONTENTION_MAX_MIN:
        grt_contention_max_min(contention->contenders, count);
        break;
    case GRT_CONTENTION_SLOWDOWNS:
        slow_by_table(contention, count);
        break;
    }
}

void grt_contention_speeds(struct grt_contention *contention, const struct grt_sharer *sharers,
                           uint32_t count, double *speeds) {
    reserve(contention, count);
    uint32_t admitted = admit(contention, sharers, count);
    if (contention->device->share_mode == GRT_SHARE_MODE_TIME_SLICING) {
        take_turns(contention->contenders, admitted);
    } else if (admitted > 1) {
        contend(contention, admitted);
    }
    for (uint32_t i = 0; i < count; i++) {
        speeds[i] = 0;
    }
    for (uint32_t i = 0; i < admitted; i++) {
        speeds[contention->contenders[i].number] = contention->contenders[i].speed;
    }
}
