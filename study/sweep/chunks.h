/* What a sweep is cut into: chunks of up to GRT_CHUNK_SAMPLES samples of one point, numbered through all points. A chunk is what threads, ranks
 * and shards take, what the journal has a line of, and what is added up, in the order of the numbers. */
#ifndef GRT_STUDY_SWEEP_CHUNKS_H
#define GRT_STUDY_SWEEP_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "study/evaluate/sample.h"
#include "study/tally.h"

/* ---- which there are ---- */

/* Which chunks an experiment has, and which of them one shard has: every `shards`-th, so that shards take about equally long. */
struct grt_chunk_plan {
    uint64_t points, samples;     /* of an experiment, of a point */
    uint64_t per_point;           /* chunks */
    uint64_t total;               /* chunks of the experiment */
    uint32_t chunk_samples;       /* of all but the last of a point */
    uint32_t shard, shard_stride; /* this one has the numbers shard, shard + stride, ... */
};

/* `shards` 0 or 1: all of them. */
struct grt_chunk_plan grt_chunk_plan(uint64_t points, uint64_t samples, uint32_t shard, uint32_t shards);

/* How many chunks the shard has, and the number of its i-th, from 0. */
uint64_t grt_chunk_plan_count(const struct grt_chunk_plan *plan);
uint64_t grt_chunk_plan_number(const struct grt_chunk_plan *plan, uint64_t i);

/* Whether a chunk is one of the shard's. */
bool grt_chunk_plan_has(const struct grt_chunk_plan *plan, uint64_t number);

/* Of a chunk: its point, its first sample, how many it has. */
uint64_t grt_chunk_point(const struct grt_chunk_plan *plan, uint64_t number);
uint64_t grt_chunk_first(const struct grt_chunk_plan *plan, uint64_t number);
uint32_t grt_chunk_size(const struct grt_chunk_plan *plan, uint64_t number);

/* ---- what comes out of one ---- */

/* How many numbers a set has: the same at every point. */
struct grt_chunk_shape {
    size_t evaluation_count;
    const size_t *measure_counts; /* by evaluation */
};

/* The tallies of one chunk, in one block of memory. */
struct grt_chunk {
    uint64_t number;
    struct grt_tally tallies[]; /* by evaluation */
};

/* One without samples; to be freed with free. */
struct grt_chunk *grt_chunk_create(const struct grt_chunk_shape *shape, uint64_t number);

/* Makes it one without samples. */
void grt_chunk_clear(struct grt_chunk *chunk, const struct grt_chunk_shape *shape, uint64_t number);

/* Adds what was found of one set. */
void grt_chunk_add(struct grt_chunk *chunk, const struct grt_chunk_shape *shape,
                   const struct grt_found *found);

/* ---- as a line of text, with exact numbers and a checksum ---- */

/* The longest that a line of this shape can be, with its end and a zero byte. */
size_t grt_chunk_text_size(const struct grt_chunk_shape *shape);

/* Writes the line, "\n" included; returns its length. `text` has grt_chunk_text_size bytes. */
size_t grt_chunk_write(const struct grt_chunk *chunk, const struct grt_chunk_shape *shape, char *text);

/* Reads a line without its "\n" and checks it: its sum, that the chunk is one of the plan, and that its counts are those of the number of its samples.
 * False where it is damaged; then the chunk's content is of no use. Changes the text. */
bool grt_chunk_read(struct grt_chunk *chunk, const struct grt_chunk_shape *shape,
                    const struct grt_chunk_plan *plan, char *line, size_t length);

/* ---- lines with a checksum: what all lines of journals are ---- */

enum { GRT_SEAL_SIZE = 18 }; /* " #" and 16 digits */

/* Appends the seal to a line of `length` bytes, and "\n" and a zero byte; returns the new length. */
size_t grt_line_seal(char *line, size_t length);

/* Whether a line without its "\n" has its seal; takes it off. */
bool grt_line_unseal(char *line, size_t *length);

/* The hash in the seal. */
uint64_t grt_line_hash(const char *line, size_t length);

#endif
