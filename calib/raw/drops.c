#include "calib/raw/drops.h"

#include <stdio.h>
#include <string.h>

/* Rows of a launch have its number, or are as many as it has blocks. */
static size_t samples_of(const struct grt_raw_cell *cell) {
    const int64_t *launches = grt_raw_values(cell, "launch");
    int64_t blocks = grt_raw_number(cell, "blocks", 1), last = -1;
    if (strcmp(cell->experiment, "dispatch") == 0 && blocks > 0) {
        return cell->count / (size_t)blocks;
    }
    for (size_t i = 0; launches != NULL && i < cell->count; i++) {
        last = launches[i] > last ? launches[i] : last;
    }
    return launches != NULL && last >= 0 && (uint64_t)last < cell->count ? (size_t)last + 1 : cell->count;
}

void grt_raw_sums_add(struct grt_raw_sums *sums, const struct grt_raw_cell *cell) {
    sums->cells++;
    sums->values += cell->count;
    sums->samples += samples_of(cell);
    sums->dropped += cell->dropped;
    for (int i = 0; i < GRT_RAW_DROPS; i++) {
        sums->dropped_for[i] += cell->dropped_for[i];
    }
}

struct grt_raw_sums grt_raw_sums_of(const struct grt_raw *raw, const char *experiment) {
    struct grt_raw_sums sums = {0};
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(raw, experiment, cell)) != NULL) {
        grt_raw_sums_add(&sums, cell);
    }
    return sums;
}

static void append(char text[GRT_RAW_DROPS_TEXT_SIZE], const char *what, size_t count) {
    size_t used = strlen(text);
    snprintf(text + used, GRT_RAW_DROPS_TEXT_SIZE - used, "%s%s %zu", used > 0 ? ", " : "", what, count);
}

const char *grt_raw_drops_text(const struct grt_raw_sums *sums, char text[GRT_RAW_DROPS_TEXT_SIZE]) {
    size_t left = sums->dropped;
    text[0] = '\0';
    for (int i = 0; i < GRT_RAW_DROPS; i++) {
        if (sums->dropped_for[i] > 0) {
            append(text, grt_raw_drop_names[i], sums->dropped_for[i]);
            left -= sums->dropped_for[i];
        }
    }
    if (left > 0) {
        append(text, "the file does not say why", left);
    }
    return text;
}
