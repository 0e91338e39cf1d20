#include "policies/shares/predictor.h"

#include <string.h>

struct shares_predictor {
    enum shares_predictor_kind kind;
    const struct shares_active *active;
    uint32_t count;
    const struct grt_device *device;
    struct grt_contention *contention; /* the rest: SHARES_PERFECT */
    struct grt_sharer *sharers;        /* in the order of their beginnings */
    uint32_t *place_of;                /* of an active one among them */
    double *now, *then; /* speeds: as all are, and with one of them at another of its kernels */
};

struct shares_predictor *shares_predictor_create(enum shares_predictor_kind kind,
                                                 const struct grt_device *device, uint32_t capacity,
                                                 struct grt_arena *arena) {
    struct shares_predictor *predictor = grt_arena_new(arena, struct shares_predictor);
    predictor->kind = kind;
    predictor->device = device;
    if (kind == SHARES_PERFECT) {
        predictor->contention = grt_contention_create(device, arena);
        predictor->sharers = grt_arena_array(arena, capacity, sizeof *predictor->sharers);
        predictor->place_of = grt_arena_array(arena, capacity, sizeof *predictor->place_of);
        predictor->now = grt_arena_array(arena, capacity, sizeof *predictor->now);
        predictor->then = grt_arena_array(arena, capacity, sizeof *predictor->then);
    }
    return predictor;
}

uint32_t shares_current_kernel(const struct shares_active *active) {
    const struct shares_segment *segment = active->segment;
    double all = 0, before = 0;
    for (uint32_t i = 0; i < segment->kernel_count; i++) {
        all += segment->kernels[i].time * grt_usage_share_factor(&segment->kernels[i].usage, active->share);
    }
    for (uint32_t i = 0; i + 1 < segment->kernel_count; i++) {
        before +=
            segment->kernels[i].time * grt_usage_share_factor(&segment->kernels[i].usage, active->share);
        if (active->done * all < before) {
            return i;
        }
    }
    return segment->kernel_count - 1;
}

/* ---- as the simulator has it ---- */

static struct grt_sharer sharer_of(const struct shares_predictor *predictor,
                                   const struct shares_kernel *kernel, int64_t share) {
    const char *name = kernel->kernel->class_name != NULL ? kernel->kernel->class_name : kernel->kernel->name;
    return (struct grt_sharer){
        .usage = &kernel->usage, .class_number = grt_device_class(predictor->device, name), .share = share};
}

static void look_at_contention(struct shares_predictor *predictor) {
    const struct shares_active *active = predictor->active;
    for (uint32_t i = 0; i < predictor->count; i++) {
        uint32_t place = 0;
        for (uint32_t j = 0; j < predictor->count; j++) {
            place += active[j].order < active[i].order;
        }
        const struct shares_kernel *kernel = &active[i].segment->kernels[shares_current_kernel(&active[i])];
        predictor->place_of[i] = place;
        predictor->sharers[place] = sharer_of(predictor, kernel, active[i].share);
    }
    grt_contention_speeds(predictor->contention, predictor->sharers, predictor->count, predictor->now);
}

/* The speed of one of its kernels beside those at which the others are. */
static double speed_of(struct shares_predictor *predictor, uint32_t number,
                       const struct shares_kernel *kernel) {
    uint32_t place = predictor->place_of[number];
    struct grt_sharer *sharer = &predictor->sharers[place], kept = *sharer;
    if (sharer->usage == &kernel->usage) { /* it is at that one */
        return predictor->now[place];
    }
    *sharer = sharer_of(predictor, kernel, kept.share);
    grt_contention_speeds(predictor->contention, predictor->sharers, predictor->count, predictor->then);
    *sharer = kept;
    return predictor->then[place];
}

static double predict_perfectly(struct shares_predictor *predictor, uint32_t number) {
    const struct shares_segment *segment = predictor->active[number].segment;
    double time = segment->fixed;
    for (uint32_t i = 0; i < segment->kernel_count; i++) {
        double speed = speed_of(predictor, number, &segment->kernels[i]);
        time += speed > 0 ? segment->kernels[i].time / speed : (double)GRT_TIME_LIMIT;
    }
    return time;
}

/* ---- by networks ---- */

/* What others do that nobody sees. */
static void add_others(const struct shares_predictor *predictor, uint32_t number, double *indicators) {
    for (uint32_t i = 0; i < predictor->count; i++) {
        const struct shares_active *other = &predictor->active[i];
        if (i == number || other->seen) {
            continue;
        }
        const struct grt_usage *usage = &other->segment->kernels[shares_current_kernel(other)].usage;
        for (int indicator = 0; indicator < GRT_INDICATORS; indicator++) {
            indicators[indicator] += other->speed * usage->counters[indicator];
        }
    }
}

static double predict_by_networks(const struct shares_predictor *predictor, uint32_t number,
                                  const double *measured, bool *knows) {
    const struct shares_active *active = &predictor->active[number];
    double indicators[GRT_INDICATORS], time = active->segment->fixed;
    memcpy(indicators, measured, sizeof indicators);
    add_others(predictor, number, indicators);
    for (uint32_t i = 0; i < active->segment->kernel_count; i++) {
        const struct shares_kernel *kernel = &active->segment->kernels[i];
        bool known = true;
        time += kernel->network != NULL
                    ? grt_network_predict(kernel->network, indicators, active->share, &known)
                    : kernel->time * grt_usage_share_factor(&kernel->usage, active->share);
        *knows &= known;
    }
    return time;
}

/* ---- all of them ---- */

void shares_predictor_look(struct shares_predictor *predictor, const struct shares_active *active,
                           uint32_t count) {
    predictor->active = active;
    predictor->count = count;
    if (predictor->kind == SHARES_PERFECT) {
        look_at_contention(predictor);
    }
}

double shares_predict(struct shares_predictor *predictor, uint32_t number, const double *measured,
                      bool *knows) {
    const struct shares_active *active = &predictor->active[number];
    *knows = true;
    switch (predictor->kind) {
    case SHARES_SOFNN:
        return predict_by_networks(predictor, number, measured, knows);
    case SHARES_PERFECT:
        return predict_perfectly(predictor, number);
    case SHARES_NONE:
        break;
    }
    return (double)active->segment->times[active->share];
}
