#include "study/sweep/chunks.h"

#include <math.h>
#include <string.h>

#include "sim/check.h"
#include "sim/memory.h"
#include "study/sweep/sweep.h"

struct grt_chunk_plan grt_chunk_plan(uint64_t points, uint64_t samples, uint32_t shard, uint32_t shards) {
    GRT_REQUIRE(shards < 2 || shard < shards, "number shards from 0");
    struct grt_chunk_plan plan = {.points = points,
                                  .samples = samples,
                                  .chunk_samples = GRT_CHUNK_SAMPLES,
                                  .shard = shards < 2 ? 0 : shard,
                                  .shard_stride = shards < 2 ? 1 : shards};
    plan.per_point = (samples + plan.chunk_samples - 1) / plan.chunk_samples;
    plan.total = points * plan.per_point;
    return plan;
}

uint64_t grt_chunk_plan_count(const struct grt_chunk_plan *plan) {
    return plan->total > plan->shard ? (plan->total - plan->shard - 1) / plan->shard_stride + 1 : 0;
}

uint64_t grt_chunk_plan_number(const struct grt_chunk_plan *plan, uint64_t i) {
    return plan->shard + i * plan->shard_stride;
}

bool grt_chunk_plan_has(const struct grt_chunk_plan *plan, uint64_t number) {
    return number < plan->total && number % plan->shard_stride == plan->shard;
}

uint64_t grt_chunk_point(const struct grt_chunk_plan *plan, uint64_t number) {
    return number / plan->per_point;
}

uint64_t grt_chunk_first(const struct grt_chunk_plan *plan, uint64_t number) {
    return number % plan->per_point * plan->chunk_samples;
}

uint32_t grt_chunk_size(const struct grt_chunk_plan *plan, uint64_t number) {
    uint64_t left = plan->samples - grt_chunk_first(plan, number);
    return left < plan->chunk_samples ? (uint32_t)left : plan->chunk_samples;
}

static size_t moment_count(const struct grt_chunk_shape *shape) {
    size_t count = 0;
    for (size_t i = 0; i < shape->evaluation_count; i++) {
        count += shape->measure_counts[i];
    }
    return count;
}

/* The moments of all tallies are behind the last tally: both have the same alignment, that of 64-bit numbers. */
struct grt_chunk *grt_chunk_create(const struct grt_chunk_shape *shape, uint64_t number) {
    struct grt_chunk *chunk =
        grt_allocate(sizeof *chunk + shape->evaluation_count * sizeof chunk->tallies[0] +
                     moment_count(shape) * sizeof *chunk->tallies[0].moments);
    grt_chunk_clear(chunk, shape, number);
    return chunk;
}

void grt_chunk_clear(struct grt_chunk *chunk, const struct grt_chunk_shape *shape, uint64_t number) {
    struct grt_moments *moments = (void *)&chunk->tallies[shape->evaluation_count];
    memset(moments, 0, moment_count(shape) * sizeof *moments);
    chunk->number = number;
    for (size_t i = 0; i < shape->evaluation_count; i++) {
        chunk->tallies[i] = (struct grt_tally){.moments = moments};
        moments += shape->measure_counts[i];
    }
}

void grt_chunk_add(struct grt_chunk *chunk, const struct grt_chunk_shape *shape,
                   const struct grt_found *found) {
    for (size_t i = 0; i < shape->evaluation_count; i++) {
        chunk->tallies[i].outcomes[found[i].outcome]++;
        for (size_t j = 0; j < shape->measure_counts[i]; j++) {
            grt_moments_add(&chunk->tallies[i].moments[j], found[i].values[j]);
        }
    }
}
