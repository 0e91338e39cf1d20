/* What repeats in a sequence. */
#ifndef GRT_CALIB_PROGRAM_IMPORT_PATTERN_H
#define GRT_CALIB_PROGRAM_IMPORT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `count` times the same `length` marks, from `first` on. */
struct grt_pattern {
    size_t first, length, count;
};

/* Finds the shortest pattern of at most `most` marks that covers nearly as much, in one piece, as any: nine tenths. False where none comes twice, or none covers half of the
 * marks. */
bool grt_pattern_find(const uint32_t *marks, size_t count, size_t most, struct grt_pattern *out);

#endif
