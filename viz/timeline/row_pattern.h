/* Which rows of a timeline are wanted, as people write it: "detect,SM*,!SM 3,stream:*". Pictures and exports read it
 * alike. */
#ifndef GRT_VIZ_TIMELINE_ROW_PATTERN_H
#define GRT_VIZ_TIMELINE_ROW_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/error.h"
#include "viz/timeline/row_kind.h"

/* What a kind is called in patterns: "task", "policy", "core", "stream", "copy", "sm", "process". */
const char *grt_row_kind_name(enum grt_row_kind kind);

struct grt_row_pattern {
    char *text;   /* owned: of the name, with * and ? */
    int kind;     /* enum grt_row_kind, or -1: any */
    bool without; /* written with "!" */
    bool used;    /* it has matched a row */
};

/* A list of patterns. Start it as {0}, which shows all rows; free it with grt_row_patterns_free. */
struct grt_row_patterns {
    struct grt_row_pattern *items;
    uint32_t count, capacity;
};

/* Adds the patterns of a list with commas. Each is [!][KIND:]NAME; in NAME * stands for any text, ? for any character,
 * a backslash takes its special meaning from the next character (also from a comma or colon), and the case of ASCII
 * letters makes no difference. Adds errors and returns false where a pattern is empty or a KIND unknown. */
bool grt_row_patterns_add(struct grt_row_patterns *patterns, const char *list, struct grt_errors *errors);
void grt_row_patterns_free(struct grt_row_patterns *patterns);

/* Whether a row is shown: a pattern with ! that matches hides it; else it is shown if one without ! matches, or if there
 * are none without. Marks the patterns that match as used. */
bool grt_row_patterns_show(const struct grt_row_patterns *patterns, enum grt_row_kind kind, const char *name);

/* After all rows were tried: adds an error for each pattern that matched none, which is most likely misspelt, and returns
 * false if there is one. */
bool grt_row_patterns_check_used(const struct grt_row_patterns *patterns, struct grt_errors *errors);

#endif
