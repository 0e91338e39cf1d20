/* Chunks as lines: "chunk 7 20,0,0,0,0,0 20:0x1.8p+3,0x0p+0,0x1p+3,0x1p-1,0x1p+0 ... #0123456789abcdef". A measure without values is "0". */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/hash.h"
#include "study/sweep/chunks.h"

enum { COUNT_CELLS = 21, DOUBLE_CELLS = 26, HEAD_CELLS = 32 };

/* FNV-1a (Fowler, Noll, Vo), mixed at the end. */
uint64_t grt_line_hash(const char *line, size_t length) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)line[i]) * UINT64_C(0x100000001b3);
    }
    return grt_hash_mix(hash);
}

size_t grt_line_seal(char *line, size_t length) {
    uint64_t hash = grt_line_hash(line, length);
    return length + (size_t)snprintf(line + length, GRT_SEAL_SIZE + 2, " #%016" PRIx64 "\n", hash);
}

bool grt_line_unseal(char *line, size_t *length) {
    if (*length < GRT_SEAL_SIZE || strlen(line) != *length) {
        return false;
    }
    char seal[GRT_SEAL_SIZE + 1];
    size_t rest = *length - GRT_SEAL_SIZE;
    snprintf(seal, sizeof seal, " #%016" PRIx64, grt_line_hash(line, rest));
    if (memcmp(seal, line + rest, GRT_SEAL_SIZE) != 0) {
        return false;
    }
    line[rest] = '\0';
    *length = rest;
    return true;
}

size_t grt_chunk_text_size(const struct grt_chunk_shape *shape) {
    size_t size = HEAD_CELLS + GRT_SEAL_SIZE + 2;
    for (size_t i = 0; i < shape->evaluation_count; i++) {
        size += GRT_OUTCOMES * COUNT_CELLS + shape->measure_counts[i] * (COUNT_CELLS + 5 * DOUBLE_CELLS);
    }
    return size;
}

static size_t write_moments(const struct grt_moments *moments, char *text) {
    if (moments->count == 0) {
        memcpy(text, " 0", 2);
        return 2;
    }
    return (size_t)sprintf(text, " %" PRIu64 ":%a,%a,%a,%a,%a", moments->count, moments->sum, moments->rest,
                           moments->squares, moments->least, moments->most);
}

size_t grt_chunk_write(const struct grt_chunk *chunk, const struct grt_chunk_shape *shape, char *text) {
    size_t length = (size_t)sprintf(text, "chunk %" PRIu64, chunk->number);
    for (size_t i = 0; i < shape->evaluation_count; i++) {
        const struct grt_tally *tally = &chunk->tallies[i];
        for (size_t j = 0; j < GRT_OUTCOMES; j++) {
            length += (size_t)sprintf(text + length, "%c%" PRIu64, j == 0 ? ' ' : ',', tally->outcomes[j]);
        }
        for (size_t j = 0; j < shape->measure_counts[i]; j++) {
            length += write_moments(&tally->moments[j], text + length);
        }
    }
    return grt_line_seal(text, length);
}

/* ---- read again ---- */

/* Reading moves along the text; a failure stays one. */
struct reading {
    char *at;
    bool good;
};

static void take_character(struct reading *reading, char wanted) {
    reading->good = reading->good && *reading->at == wanted;
    reading->at += reading->good;
}

static uint64_t take_count(struct reading *reading, uint64_t most) {
    char *end = reading->at;
    bool digit = reading->good && *reading->at >= '0' && *reading->at <= '9';
    errno = 0;
    unsigned long long number = digit ? strtoull(reading->at, &end, 10) : 0;
    reading->good = digit && errno == 0 && number <= most;
    reading->at = end;
    return number;
}

static double take_number(struct reading *reading, char before) {
    take_character(reading, before);
    char *end = reading->at;
    double number = reading->good ? strtod(reading->at, &end) : 0;
    reading->good = reading->good && end != reading->at;
    reading->at = end;
    return number;
}

static struct grt_moments take_moments(struct reading *reading, uint64_t most) {
    struct grt_moments moments = {0};
    take_character(reading, ' ');
    moments.count = take_count(reading, most);
    if (reading->good && moments.count > 0) {
        moments.sum = take_number(reading, ':');
        moments.rest = take_number(reading, ',');
        moments.squares = take_number(reading, ',');
        moments.least = take_number(reading, ',');
        moments.most = take_number(reading, ',');
    }
    return moments;
}

static void take_tally(struct reading *reading, struct grt_tally *tally, size_t measures, uint32_t size) {
    uint64_t sets = 0;
    for (size_t j = 0; j < GRT_OUTCOMES; j++) {
        take_character(reading, j == 0 ? ' ' : ',');
        tally->outcomes[j] = take_count(reading, size);
        sets += tally->outcomes[j];
    }
    reading->good = reading->good && sets == size;
    for (size_t j = 0; j < measures && reading->good; j++) {
        tally->moments[j] = take_moments(reading, size);
    }
}

bool grt_chunk_read(struct grt_chunk *chunk, const struct grt_chunk_shape *shape,
                    const struct grt_chunk_plan *plan, char *line, size_t length) {
    static const char word[] = "chunk ";
    if (!grt_line_unseal(line, &length) || strncmp(line, word, sizeof word - 1) != 0 || plan->total == 0) {
        return false;
    }
    struct reading reading = {.at = line + sizeof word - 1, .good = true};
    uint64_t number = take_count(&reading, plan->total - 1);
    if (!reading.good) {
        return false;
    }
    grt_chunk_clear(chunk, shape, number);
    uint32_t size = grt_chunk_size(plan, number);
    for (size_t i = 0; i < shape->evaluation_count && reading.good; i++) {
        take_tally(&reading, &chunk->tallies[i], shape->measure_counts[i], size);
    }
    return reading.good && *reading.at == '\0';
}
