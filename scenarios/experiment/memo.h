/* What was made of a text, so that equal texts share it: points of an experiment are alike for the most part. */
#ifndef GRT_SCENARIOS_EXPERIMENT_MEMO_H
#define GRT_SCENARIOS_EXPERIMENT_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/error.h"

/* One text. */
struct grt_memo_entry {
    char *text;
    uint64_t hash;
    void *value;              /* the owner's; NULL: it could not be made */
    struct grt_errors errors; /* why */
};

/* Starts as {0}. */
struct grt_memo {
    struct grt_memo_entry **slots; /* a power of two of them, half of them free */
    size_t slot_count, count;
};

/* The entry of a text, which stays where it is. *fresh: it is new, and its value NULL. */
struct grt_memo_entry *grt_memo_find(struct grt_memo *memo, const char *text, bool *fresh);

/* Frees all but the values. */
void grt_memo_clear(struct grt_memo *memo);

#endif
