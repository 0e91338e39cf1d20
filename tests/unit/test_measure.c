/* Measuring pretended devices, in virtual time: what is in the file is what the device is. */
#include <stdio.h>
#include <stdlib.h>

#include "calib/raw/raw_shapes.h"
#include "tests/support/file_text.h"
#include "tests/support/measuring.h"

#define US GRT_MICROSECOND

/* ---- everything is there ---- */

static bool has_key_value(const struct grt_raw *raw, const struct grt_raw_shape *shape, const char *key,
                          const char *word) {
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(raw, shape->experiment, cell)) != NULL) {
        const char *text = grt_raw_text(cell, key);
        if (text != NULL && strcmp(text, word) == 0 && cell->count > 0) {
            return true;
        }
    }
    return false;
}

static void check_words(const struct grt_raw *raw, const struct grt_raw_shape *shape) {
    for (size_t i = 0; i < shape->key_count; i++) {
        const struct grt_raw_shape_key *key = &shape->keys[i];
        char words[128];
        snprintf(words, sizeof words, "%s", key->choices != NULL ? key->choices : "");
        for (char *rest = words, *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
            bool cannot_be = strcmp(shape->experiment, "worst") == 0 && strcmp(word, "filter") == 0;
            cannot_be =
                cannot_be || (strcmp(shape->experiment, "together") == 0 && strcmp(word, "filter") == 0);
            bool found = has_key_value(raw, shape, key->name, word);
            if (!found && !cannot_be) {
                fprintf(stderr, "%s: no cell with %s %s\n", shape->experiment, key->name, word);
            }
            CU_ASSERT(found || cannot_be);
        }
    }
}

static void test_everything_is_there(void) {
    grt_measured_spec(4, &spec);
    struct grt_plan plan = grt_measured_plan();
    struct grt_raw *raw = measure(&plan);
    CU_ASSERT(raw->complete && raw->stopped == NULL);
    CU_ASSERT_EQUAL(raw->skipped_count, 0);
    CU_ASSERT_EQUAL(raw->workload_count, 8);
    const struct grt_raw_shape *shape;
    for (size_t i = 0; (shape = grt_raw_shape(i)) != NULL; i++) {
        check_words(raw, shape);
        size_t cells = 0;
        for (size_t j = 0; j < raw->cell_count; j++) {
            const struct grt_raw_cell *cell = &raw->cells[j];
            bool same = strcmp(cell->experiment, shape->experiment) == 0 &&
                        cell->column_count == shape->column_count &&
                        strcmp(cell->columns[0].name, shape->columns[0]) == 0;
            cells += same && cell->count > 0;
            CU_ASSERT(!same || cell->dropped == 0);
        }
        CU_ASSERT(cells > 0);
    }
    grt_arena_clear(&arena);
}

/* ---- what the page says ---- */

/* The next word in backticks of a text before `end`, cut out into `word`; returns what is behind it, or NULL. */
static const char *next_word(const char *at, const char *end, char word[64]) {
    const char *from = memchr(at, '`', (size_t)(end - at));
    const char *to = from != NULL ? memchr(from + 1, '`', (size_t)(end - from - 1)) : NULL;
    if (to == NULL) {
        return NULL;
    }
    snprintf(word, 64, "%.*s", (int)(to - from - 1), from + 1);
    return to + 1;
}

static bool is_column(const struct grt_raw_shape *shape, const char *word) {
    for (size_t i = 0; i < shape->column_count; i++) {
        if (strcmp(shape->columns[i], word) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_of_key(const struct grt_raw_shape *shape, const char *word) {
    for (size_t i = 0; i < shape->key_count; i++) {
        const struct grt_raw_shape_key *key = &shape->keys[i];
        bool other = key->kind == GRT_RAW_KEY_BESIDE && strcmp(word, "nothing") == 0;
        bool choice = key->choices != NULL && strstr(key->choices, word) != NULL;
        if (strcmp(key->name, word) == 0 || other || choice) {
            return true;
        }
    }
    return false;
}

/* All backticked words of a column of the table's row are the shape's, and the shape's are all there, in its order. */
static void check_row(const struct grt_raw_shape *shape, const char *keys, const char *columns,
                      const char *end) {
    char word[64];
    size_t next = 0;
    const char *at = keys;
    while ((at = next_word(at, columns, word)) != NULL) {
        CU_ASSERT(is_of_key(shape, word));
        next += next < shape->key_count && strcmp(shape->keys[next].name, word) == 0;
    }
    CU_ASSERT_EQUAL(next, shape->key_count);
    next = 0;
    at = columns;
    while ((at = next_word(at, end, word)) != NULL) {
        CU_ASSERT(is_column(shape, word) || is_of_key(shape, word));
        next += next < shape->column_count && strcmp(shape->columns[next], word) == 0;
    }
    CU_ASSERT_EQUAL(next, shape->column_count);
}

static void test_the_page(void) {
    size_t size;
    char *page = grt_file_text("docs/raw-measurements.md", &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(page);
    const char *line = strstr(page, "| experiment | cell | columns |");
    CU_ASSERT_PTR_NOT_NULL_FATAL(line);
    line = strchr(strchr(line, '\n') + 1, '\n') + 1;
    size_t number = 0;
    for (; *line == '|'; number++) {
        const char *end = strchr(line, '\n'), *keys = strchr(line + 1, '|');
        const char *columns = keys != NULL ? strchr(keys + 1, '|') : NULL;
        const struct grt_raw_shape *shape = grt_raw_shape(number);
        CU_ASSERT_FATAL(shape != NULL && columns != NULL && columns < end);
        char word[64];
        bool named = next_word(line, keys, word) != NULL;
        bool new_one = number == 0 || strcmp(grt_raw_shape(number - 1)->experiment, shape->experiment) != 0;
        CU_ASSERT_EQUAL(named, new_one);
        CU_ASSERT(!named || strcmp(word, shape->experiment) == 0);
        check_row(shape, keys, columns, end);
        line = end + 1;
    }
    CU_ASSERT_PTR_NULL(grt_raw_shape(number));
    free(page);
}

/* ---- the values are the device's ---- */

static const int64_t *only(const struct grt_raw_cell *cell, const char *column) {
    const int64_t *values = grt_raw_values(cell, column);
    CU_ASSERT_FATAL(values != NULL && cell->count > 0);
    for (size_t i = 1; i < cell->count; i++) {
        CU_ASSERT_EQUAL(values[i], values[0]);
    }
    return values;
}

static void check_residency(const struct grt_raw *raw) {
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(raw, "residency", cell)) != NULL) {
        int64_t expected = *only(cell, "expected"), most = *only(cell, "most_per_sm");
        int64_t blocks = grt_raw_number(cell, "blocks", 0), even = (blocks + 3) / 4;
        CU_ASSERT_EQUAL(most, even < expected ? even : expected);
        CU_ASSERT_EQUAL(*only(cell, "sms_used"), 4);
    }
}

/* So many rows of each launch, and so many launches of each visit, in the order of measuring. */
static void check_rows(const struct grt_raw_cell *cell, size_t rows, size_t per_visit) {
    const int64_t *launch = grt_raw_values(cell, "launch");
    CU_ASSERT_FATAL(launch != NULL && cell->visits != NULL);
    for (size_t i = 0; i < cell->count; i++) {
        CU_ASSERT_EQUAL(launch[i], (int64_t)(i / rows));
        CU_ASSERT_EQUAL(cell->visits[i], (int64_t)(i / rows / per_visit));
    }
}

static void check_spans(const struct grt_raw *raw) {
    const int64_t wave = 4 * grt_raw_workload(raw, "spin")->occupancy;
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(raw, "waves", cell)) != NULL) {
        int64_t waves = (grt_raw_number(cell, "blocks", 0) + wave - 1) / wave;
        CU_ASSERT_EQUAL(*only(cell, "span_ns"), waves * 25 * US);
    }
    while ((cell = grt_raw_next(raw, "partition", cell)) != NULL) {
        int64_t share = wave / 4 * grt_raw_number(cell, "sms", 0);
        int64_t waves = (grt_raw_workload(raw, "spin")->blocks + share - 1) / share;
        bool filter = strcmp(grt_raw_text(cell, "how"), "filter") == 0;
        CU_ASSERT(filter || *only(cell, "span_ns") == waves * 25 * US);
    }
    while ((cell = grt_raw_next(raw, "coresidency", cell)) != NULL) {
        CU_ASSERT_EQUAL(*only(cell, "block_ns"), 25 * US);
        check_rows(cell, (size_t)(4 * grt_raw_number(cell, "per_sm", 0)), 2);
    }
    while ((cell = grt_raw_next(raw, "split", cell)) != NULL) {
        bool whole = grt_raw_number(cell, "whole_waves", -1) == 1;
        CU_ASSERT(!whole || *only(cell, "span_ns") == 16 * 25 * US);
        CU_ASSERT(!whole || *only(cell, "gap_ns") == 0);
    }
}

static void check_copies(const struct grt_raw *raw) {
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(raw, "copy", cell)) != NULL) {
        bool pinned = strcmp(grt_raw_text(cell, "memory"), "pinned") == 0;
        int64_t bytes = grt_raw_number(cell, "bytes", 0), took = *only(cell, "elapsed_ns");
        CU_ASSERT(!pinned || took == bytes + spec.device.copy_latency);
    }
    while ((cell = grt_raw_next(raw, "engines", cell)) != NULL) {
        const char *first = grt_raw_text(cell, "first"), *second = grt_raw_text(cell, "second");
        int64_t a = *only(cell, "first_ns"), b = *only(cell, "second_ns"), both = *only(cell, "together_ns");
        bool is_host = strcmp(first, "d2d") != 0 && strcmp(second, "d2d") != 0;
        CU_ASSERT(!is_host || both == (strcmp(first, second) == 0 ? a + b : a > b ? a : b));
    }
}

static void check_priorities(const struct grt_raw *raw) {
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(raw, "priority", cell)) != NULL) {
        bool urgent = grt_raw_number(cell, "high", 0) < grt_raw_number(cell, "low", 0);
        CU_ASSERT_EQUAL(*only(cell, "overtook"), urgent);
        const int64_t *wait = grt_raw_values(cell, "wait_ns"), *left = grt_raw_values(cell, "left_ns");
        for (size_t i = 0; i < cell->count; i++) {
            CU_ASSERT(urgent ? wait[i] == left[i] : wait[i] > left[i]);
        }
    }
}

static void check_launches(const struct grt_raw *raw) {
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(raw, "launch", cell)) != NULL) {
        const char *what = grt_raw_text(cell, "what");
        if (strcmp(what, "call") == 0) {
            CU_ASSERT_EQUAL(*only(cell, "call_ns"), spec.launch_call);
            check_rows(cell, strcmp(grt_raw_text(cell, "queue"), "deep") == 0 ? 16 : 1, 5);
        } else if (strcmp(what, "sync") == 0) {
            const int64_t *end = grt_raw_values(cell, "end_ns"), *back = grt_raw_values(cell, "return_ns");
            for (size_t i = 0; i < cell->count; i++) {
                CU_ASSERT_EQUAL(back[i] - end[i], spec.sync_return);
            }
        }
    }
}

static void test_values(void) {
    grt_measured_spec(4, &spec);
    spec.launch_call = 2 * US;
    spec.sync_return = 7 * US;
    spec.device.kernel_launch = 0;
    spec.timer_offset = GRT_TIME_LIMIT / 2;
    struct grt_plan plan = plan_of("spin", 0);
    struct grt_raw *raw = measure(&plan);
    CU_ASSERT_EQUAL(raw->skipped_count, 0);
    check_residency(raw);
    check_spans(raw);
    check_copies(raw);
    check_priorities(raw);
    check_launches(raw);
    grt_arena_clear(&arena);
}

/* ---- order ---- */

static void test_order_is_seeded(void) {
    char *texts[3];
    size_t size;
    for (int i = 0; i < 3; i++) {
        grt_measured_spec(4, &spec);
        struct grt_plan plan = plan_of("spin", 1u << GRT_EXPERIMENT_WAVES | 1u << GRT_EXPERIMENT_PARTITION);
        plan.seed = i < 2 ? 5 : 6;
        measure(&plan);
        texts[i] = grt_file_text(path, &size);
        grt_arena_clear(&arena);
    }
    CU_ASSERT_STRING_EQUAL(texts[0], texts[1]);
    CU_ASSERT_STRING_NOT_EQUAL(texts[0], texts[2]);
    /* Another order of the same cells: the first one of the waves differs or the second one does. */
    CU_ASSERT(strcmp(strstr(texts[0], "\"waves\""), strstr(texts[2], "\"waves\"")) != 0);
    for (int i = 0; i < 3; i++) {
        free(texts[i]);
    }
}

static void test_bad_plans(void) {
    struct grt_plan good = grt_plan_default(false), plans[] = {good, good, good, good, good, good, good};
    struct grt_errors errors = {0};
    CU_ASSERT(grt_plan_check(&good, &errors));
    plans[0].seed = UINT64_MAX;
    plans[1].budget_s = 0;
    plans[2].most_samples = 29;
    plans[3].workloads[0] = "fmaa";
    plans[3].workload_count = 1;
    plans[4].experiments = 1u << GRT_EXPERIMENTS;
    plans[5].workload_count = 17;
    plans[6].user_blocks = GRT_PLAN_USER_BLOCKS + 1;
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        errors = (struct grt_errors){0};
        CU_ASSERT_FALSE(grt_plan_check(&plans[i], &errors));
        CU_ASSERT(errors.count >= 1);
        grt_errors_clear(&errors);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"every experiment has its cells and columns", test_everything_is_there},
        {"the page has every cell and column", test_the_page},
        {"values are the device's", test_values},
        {"the order is seeded", test_order_is_seeded},
        {"bad plans", test_bad_plans},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("measuring", tests);
}
