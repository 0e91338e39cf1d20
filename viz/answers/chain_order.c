/* The order of a chain's steps, what came after what, and the waits between them. */
#include <stdlib.h>

#include "sim/memory.h"
#include "viz/answers/chain_internal.h"

/* Shorter ones are what launches and copies take to begin. */
enum { SHORTEST_WAIT = 10 * GRT_MICROSECOND };

static int compare_times(grt_time a, grt_time b) {
    return (a > b) - (a < b);
}

/* Blocks stand behind their kernel, which may end later than they do. */
static int by_begin(const void *a, const void *b) {
    const struct grt_chain_step *left = a, *right = b;
    int order = compare_times(left->begin, right->begin);
    order = order != 0 ? order : (left->kind == GRT_STEP_BLOCKS) - (right->kind == GRT_STEP_BLOCKS);
    order = order != 0 ? order : compare_times(left->end, right->end);
    order = order != 0 ? order : (int)left->kind - (int)right->kind;
    order = order != 0 ? order : compare_times(left->place.row, right->place.row);
    return order != 0 ? order : compare_times(left->place.number, right->place.number);
}

/* What something else can come after. */
static bool leads_on(const struct grt_chain_step *step) {
    switch (step->kind) {
    case GRT_STEP_RELEASE:
    case GRT_STEP_CPU:
    case GRT_STEP_REQUEST:
    case GRT_STEP_COPY:
    case GRT_STEP_KERNEL:
    case GRT_STEP_CALL:
    case GRT_STEP_HOST:
    case GRT_STEP_OVERHEAD:
    case GRT_STEP_THREAD:
        return true;
    default:
        return false;
    }
}

struct ending {
    grt_time end;
    uint32_t step;
};

static int by_end(const void *a, const void *b) {
    const struct ending *left = a, *right = b;
    int order = compare_times(left->end, right->end);
    return order != 0 ? order : compare_times(left->step, right->step);
}

/* Each step came after the one, of those before it, that ended last. */
static void link_steps(struct grt_chain *chain) {
    struct ending *endings = grt_allocate((chain->count + 1) * sizeof *endings);
    uint32_t count = 0, passed = 0, last = GRT_NO_STEP;
    for (uint32_t i = 0; i < chain->count; i++) {
        if (leads_on(&chain->steps[i])) {
            endings[count++] = (struct ending){chain->steps[i].end, i};
        }
    }
    qsort(endings, count, sizeof *endings, by_end);
    for (uint32_t i = 0; i < chain->count; i++) {
        struct grt_chain_step *step = &chain->steps[i];
        while (passed < count && (endings[passed].end < step->begin ||
                                  (endings[passed].end == step->begin && endings[passed].step < i))) {
            last = endings[passed++].step;
        }
        bool aside = step->kind == GRT_STEP_DEADLINE || step->kind == GRT_STEP_MISS ||
                     step->kind == GRT_STEP_BLOCKS || step->kind == GRT_STEP_WAIT;
        step->after = aside ? GRT_NO_STEP : last;
    }
    free(endings);
}

static void link_blocks(struct grt_chain *chain) {
    for (uint32_t i = 0; i < chain->count; i++) {
        if (chain->steps[i].kind != GRT_STEP_KERNEL) {
            continue;
        }
        bool lead = true;
        for (uint32_t j = i + 1; j < chain->count; j++) {
            struct grt_chain_step *step = &chain->steps[j];
            if (step->kind == GRT_STEP_BLOCKS && grt_place_is(step->home, chain->steps[i].home)) {
                step->after = i;
                step->lead = lead;
                lead = false;
            }
        }
    }
}

void chain_order(struct grt_chain *chain, bool with_blocks) {
    if (chain->count > 0) { /* qsort is not to have NULL */
        qsort(chain->steps, chain->count, sizeof *chain->steps, by_begin);
    }
    link_steps(chain);
    if (with_blocks) {
        link_blocks(chain);
    }
}

/* ---- waits ---- */

/* The place of the GPU segment that lasts for all of a span; none if there is none, or the span is told of already: as one
 * that it was blocked, or waited. */
static struct grt_place untold_segment(const struct grt_timeline *timeline, const struct grt_chain *chain,
                                       grt_time begin, grt_time end) {
    struct grt_place found = grt_place_none();
    for (uint32_t i = 0; i < chain->count; i++) {
        const struct grt_chain_step *step = &chain->steps[i];
        if (step->kind == GRT_STEP_REQUEST && step->begin <= begin &&
            grt_place_slice(timeline, step->home).end >= end) {
            found = step->place;
        } else if ((step->kind == GRT_STEP_BLOCKED && step->begin <= begin && step->end >= end) ||
                   (step->kind == GRT_STEP_WAIT && step->begin == begin && step->end == end)) {
            return grt_place_none();
        }
    }
    return found;
}

/* Before what the host put into a stream: a block's launch waits for other things. What a core does that follows something else than the
 * request waits for the core. */
static bool may_wait(const struct grt_timeline *timeline, const struct grt_chain *chain,
                     const struct grt_chain_step *step) {
    if (step->after == GRT_NO_STEP) {
        return false;
    }
    switch (step->kind) {
    case GRT_STEP_THREAD:
        return true;
    case GRT_STEP_HOST:
    case GRT_STEP_OVERHEAD:
        return chain->steps[step->after].kind == GRT_STEP_REQUEST;
    case GRT_STEP_COPY:
    case GRT_STEP_KERNEL:
        return grt_place_slice(timeline, step->home).grid == 0;
    default:
        return false;
    }
}

void chain_add_waits(const struct grt_timeline *timeline, struct grt_chain *chain) {
    uint32_t steps = chain->count;
    for (uint32_t i = 0; i < steps; i++) {
        const struct grt_chain_step *step = &chain->steps[i];
        if (!may_wait(timeline, chain, step)) {
            continue;
        }
        grt_time begin = chain->steps[step->after].end, end = step->begin;
        if (end - begin < SHORTEST_WAIT) {
            continue;
        }
        struct grt_place segment = untold_segment(timeline, chain, begin, end);
        if (grt_place_is_some(&segment)) {
            chain_add_step(chain, GRT_STEP_WAIT, segment, begin, end);
        }
    }
    if (chain->count > steps) {
        chain_order(chain, true);
    }
}
