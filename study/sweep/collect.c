#include "study/sweep/collect.h"

#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "sim/memory.h"

#define MOST_WAITING_BYTES (UINT64_C(256) * 1024 * 1024)
enum { LEAST_WINDOW = 4096 };

static void start_results(struct grt_results *results, const struct grt_chunk_shape *shape,
                          const struct grt_experiment *experiment) {
    *results = (struct grt_results){.experiment = experiment};
    size_t points = experiment->point_count, evaluations = shape->evaluation_count;
    results->tallies = grt_arena_array(&results->arena, points * evaluations, sizeof *results->tallies);
    results->samples = grt_arena_array(&results->arena, points, sizeof *results->samples);
    for (size_t i = 0; i < points * evaluations; i++) {
        results->tallies[i].moments = grt_arena_array(&results->arena, shape->measure_counts[i % evaluations],
                                                      sizeof(struct grt_moments));
    }
}

void grt_collector_start(struct grt_collector *collector, const struct grt_chunk_plan *plan,
                         const struct grt_chunk_shape *shape, const struct grt_experiment *experiment,
                         struct grt_results *results) {
    start_results(results, shape, experiment);
    *collector = (struct grt_collector){
        .plan = *plan, .shape = *shape, .results = results, .count = grt_chunk_plan_count(plan)};
    collector->window = MOST_WAITING_BYTES / grt_chunk_text_size(shape);
    collector->window = collector->window > LEAST_WINDOW ? collector->window : LEAST_WINDOW;
    collector->digests = calloc(plan->total > 0 ? plan->total : 1, sizeof *collector->digests);
    if (collector->digests == NULL) {
        collector->digests = grt_allocate(plan->total * sizeof *collector->digests); /* says so, and ends */
        memset(collector->digests, 0, plan->total * sizeof *collector->digests);
    }
}

enum grt_collector_answer grt_collector_next(struct grt_collector *collector, uint64_t *number) {
    while (collector->cursor < collector->count) {
        *number = grt_chunk_plan_number(&collector->plan, collector->cursor);
        if (collector->digests[*number] == 0) {
            if (collector->cursor - collector->merged >= collector->window) {
                return GRT_COLLECTOR_WAIT;
            }
            collector->cursor++;
            return GRT_COLLECTOR_CHUNK;
        }
        collector->cursor++;
    }
    return GRT_COLLECTOR_END;
}

/* ---- the heap of what waits ---- */

static void swap(struct grt_chunk **heap, size_t a, size_t b) {
    struct grt_chunk *kept = heap[a];
    heap[a] = heap[b];
    heap[b] = kept;
}

static void push(struct grt_collector *collector, struct grt_chunk *chunk) {
    collector->waiting = grt_array_grow(collector->waiting, &collector->waiting_capacity,
                                        collector->waiting_count + 1, sizeof *collector->waiting);
    struct grt_chunk **heap = collector->waiting;
    size_t at = collector->waiting_count++;
    heap[at] = chunk;
    for (; at > 0 && heap[at]->number < heap[(at - 1) / 2]->number; at = (at - 1) / 2) {
        swap(heap, at, (at - 1) / 2);
    }
}

static struct grt_chunk *pop(struct grt_collector *collector) {
    struct grt_chunk **heap = collector->waiting, *first = heap[0];
    size_t count = --collector->waiting_count, at = 0;
    heap[0] = heap[count];
    for (;;) {
        size_t least = at, left = 2 * at + 1, right = left + 1;
        least = left < count && heap[left]->number < heap[least]->number ? left : least;
        least = right < count && heap[right]->number < heap[least]->number ? right : least;
        if (least == at) {
            return first;
        }
        swap(heap, at, least);
        at = least;
    }
}

/* ---- adding up ---- */

static void merge(struct grt_collector *collector, const struct grt_chunk *chunk) {
    struct grt_results *results = collector->results;
    uint64_t point = grt_chunk_point(&collector->plan, chunk->number);
    results->samples[point] += grt_chunk_size(&collector->plan, chunk->number);
    struct grt_tally *tallies = results->tallies + point * collector->shape.evaluation_count;
    for (size_t i = 0; i < collector->shape.evaluation_count; i++) {
        for (size_t j = 0; j < GRT_OUTCOMES; j++) {
            tallies[i].outcomes[j] += chunk->tallies[i].outcomes[j];
        }
        for (size_t j = 0; j < collector->shape.measure_counts[i]; j++) {
            grt_moments_merge(&tallies[i].moments[j], &chunk->tallies[i].moments[j]);
        }
    }
}

static void merge_first(struct grt_collector *collector) {
    struct grt_chunk *chunk = pop(collector);
    merge(collector, chunk);
    free(chunk);
    collector->merged++;
}

static struct grt_chunk *copy(const struct grt_chunk *chunk, const struct grt_chunk_shape *shape) {
    struct grt_chunk *copied = grt_chunk_create(shape, chunk->number);
    for (size_t i = 0; i < shape->evaluation_count; i++) {
        memcpy(copied->tallies[i].outcomes, chunk->tallies[i].outcomes, sizeof chunk->tallies[i].outcomes);
        if (shape->measure_counts[i] > 0) {
            memcpy(copied->tallies[i].moments, chunk->tallies[i].moments,
                   shape->measure_counts[i] * sizeof *chunk->tallies[i].moments);
        }
    }
    return copied;
}

enum grt_collector_taken grt_collector_take(struct grt_collector *collector, const struct grt_chunk *chunk,
                                            uint64_t hash) {
    GRT_REQUIRE(chunk->number < collector->plan.total, "give chunks of the plan");
    uint32_t digest = (uint32_t)(hash >> 32) | 1, *known = &collector->digests[chunk->number];
    if (*known != 0) {
        return *known == digest ? GRT_COLLECTOR_KNOWN : GRT_COLLECTOR_CONFLICT;
    }
    *known = digest;
    if (!grt_chunk_plan_has(&collector->plan, chunk->number)) {
        return GRT_COLLECTOR_NEW;
    }
    collector->done++;
    push(collector, copy(chunk, &collector->shape));
    while (collector->waiting_count > 0 &&
           collector->waiting[0]->number == grt_chunk_plan_number(&collector->plan, collector->merged)) {
        merge_first(collector);
    }
    return GRT_COLLECTOR_NEW;
}

void grt_collector_end(struct grt_collector *collector) {
    while (collector->waiting_count > 0) {
        merge_first(collector);
    }
    collector->results->complete = collector->done == collector->plan.total;
    free(collector->waiting);
    free(collector->digests);
    collector->waiting = NULL;
    collector->digests = NULL;
}
