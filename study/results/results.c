#include "study/results/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct grt_tally *grt_results_tally(const struct grt_results *results, size_t point,
                                          size_t evaluation) {
    return &results->tallies[point * results->experiment->evaluation_count + evaluation];
}

void grt_results_free(struct grt_results *results) {
    grt_arena_clear(&results->arena);
    *results = (struct grt_results){0};
}

char *grt_double_text(double value, char text[GRT_DOUBLE_TEXT_SIZE]) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, GRT_DOUBLE_TEXT_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    return text;
}
