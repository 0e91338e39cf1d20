#include "viz/answers/row_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"

struct named {
    const char *name;
    uint32_t row;
};

static int by_name(const void *a, const void *b) {
    const struct named *left = a, *right = b;
    int order = strcmp(left->name, right->name);
    return order != 0 ? order : (left->row > right->row) - (left->row < right->row);
}

/* The rows of a kind by name; the caller frees them. */
static struct named *sorted(const struct grt_timeline *timeline, enum grt_row_kind kind, uint32_t *count) {
    uint32_t first = timeline->first_rows[kind];
    *count = timeline->first_rows[kind + 1] - first;
    struct named *rows = grt_allocate((*count + 1) * sizeof *rows);
    for (uint32_t i = 0; i < *count; i++) {
        rows[i] = (struct named){timeline->rows[first + i].name, first + i};
    }
    if (*count > 1) {
        qsort(rows, *count, sizeof *rows, by_name);
    }
    return rows;
}

/* Partners of A's rows and of B's, GRT_NO_ROW where there is none yet. */
struct partners {
    const struct grt_timeline *a, *b;
    uint32_t *of_a, *of_b;
};

static void join(struct partners *partners, uint32_t a, uint32_t b) {
    partners->of_a[a] = b;
    partners->of_b[b] = a;
}

static void join_names(struct partners *partners, enum grt_row_kind kind) {
    uint32_t a_count, b_count, i = 0, j = 0;
    struct named *a = sorted(partners->a, kind, &a_count), *b = sorted(partners->b, kind, &b_count);
    while (i < a_count && j < b_count) {
        int order = strcmp(a[i].name, b[j].name);
        if (order == 0) {
            join(partners, a[i++].row, b[j++].row);
        } else {
            i += order < 0;
            j += order > 0;
        }
    }
    free(a);
    free(b);
}

static bool is_hardware(enum grt_row_kind kind) {
    return kind == GRT_ROW_CORE || kind == GRT_ROW_ENGINE || kind == GRT_ROW_SM;
}

static void join_numbers(struct partners *partners, enum grt_row_kind kind) {
    uint32_t a = partners->a->first_rows[kind], b = partners->b->first_rows[kind];
    for (; a < partners->a->first_rows[kind + 1] && b < partners->b->first_rows[kind + 1]; a++, b++) {
        if (partners->of_a[a] == GRT_NO_ROW && partners->of_b[b] == GRT_NO_ROW) {
            join(partners, a, b);
        }
    }
}

/* From here on of_a and of_b are numbers of pairs. */
static void list_pairs(struct grt_row_pairs *pairs, struct partners *partners, enum grt_row_kind kind) {
    for (uint32_t a = partners->a->first_rows[kind]; a < partners->a->first_rows[kind + 1]; a++) {
        uint32_t b = partners->of_a[a];
        pairs->of_a[a] = pairs->count;
        if (b != GRT_NO_ROW) {
            pairs->of_b[b] = pairs->count;
        }
        pairs->pairs[pairs->count++] = (struct grt_row_pair){a, b};
    }
    for (uint32_t b = partners->b->first_rows[kind]; b < partners->b->first_rows[kind + 1]; b++) {
        if (partners->of_b[b] == GRT_NO_ROW) {
            pairs->of_b[b] = pairs->count;
            pairs->pairs[pairs->count++] = (struct grt_row_pair){GRT_NO_ROW, b};
        }
    }
}

static uint32_t *no_partners(uint32_t count) {
    uint32_t *partners = grt_allocate((count + 1) * sizeof *partners);
    for (uint32_t i = 0; i < count; i++) {
        partners[i] = GRT_NO_ROW;
    }
    return partners;
}

void grt_row_pairs_make(struct grt_row_pairs *pairs, const struct grt_timeline *a,
                        const struct grt_timeline *b) {
    struct partners partners = {a, b, no_partners(a->row_count), no_partners(b->row_count)};
    *pairs = (struct grt_row_pairs){
        .pairs = grt_allocate((a->row_count + b->row_count + 1) * sizeof *pairs->pairs),
        .of_a = no_partners(a->row_count),
        .of_b = no_partners(b->row_count)};
    for (int kind = 0; kind < GRT_ROW_KINDS; kind++) {
        join_names(&partners, (enum grt_row_kind)kind);
        if (is_hardware((enum grt_row_kind)kind)) {
            join_numbers(&partners, (enum grt_row_kind)kind);
        }
        list_pairs(pairs, &partners, (enum grt_row_kind)kind);
        pairs->task_count = kind == GRT_ROW_TASK ? pairs->count : pairs->task_count;
    }
    free(partners.of_a);
    free(partners.of_b);
}

void grt_row_pairs_free(struct grt_row_pairs *pairs) {
    free(pairs->pairs);
    free(pairs->of_a);
    free(pairs->of_b);
    *pairs = (struct grt_row_pairs){0};
}
