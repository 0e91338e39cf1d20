#include "calib/program/import/pattern.h"

/* The longest piece that repeats with this length, in whole patterns. */
static struct grt_pattern longest(const uint32_t *marks, size_t count, size_t length) {
    struct grt_pattern best = {0, length, 0};
    size_t run = 0;
    for (size_t i = length; i <= count; i++) {
        if (i < count && marks[i] == marks[i - length]) {
            run++;
            continue;
        }
        if (run >= length && (run + length) / length > best.count) {
            best = (struct grt_pattern){i - run - length, length, (run + length) / length};
        }
        run = 0;
    }
    return best;
}

bool grt_pattern_find(const uint32_t *marks, size_t count, size_t most, struct grt_pattern *out) {
    *out = (struct grt_pattern){0};
    for (size_t length = 1; length <= most && length <= count / 2; length++) {
        struct grt_pattern found = longest(marks, count, length);
        size_t covered = found.length * found.count, before = out->length * out->count;
        if (covered > 0 && before * 10 < covered * 9) {
            *out = found;
        }
    }
    return out->count >= 2 && 2 * out->length * out->count >= count;
}
