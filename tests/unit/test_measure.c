/* labels: soak */
/* Measuring pretended devices, in virtual time: what is in the file is what the device is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calib/kernels/user.h"
#include "calib/raw/raw_shapes.h"
#include "sim/random.h"
#include "tests/support/file_text.h"
#include "tests/support/measured.h"
#include "tests/support/suite.h"

#define US GRT_MICROSECOND

static const char path[] = GRT_SCRATCH_DIR "/raw.jsonl";

static struct grt_pretend_spec spec;
static struct grt_arena arena;

/* NULL where there is nothing to read. */
static struct grt_raw *try_it(const struct grt_plan *plan, const char *file,
                              enum grt_measure_result *result) {
    struct grt_measured_run run = {.spec = &spec, .engine = &grt_engine_model, .plan = plan, .path = file};
    return grt_measured(&run, &arena, result);
}

static struct grt_raw *measure(const struct grt_plan *plan, enum grt_measure_result wanted) {
    enum grt_measure_result result;
    struct grt_raw *raw = try_it(plan, path, &result);
    CU_ASSERT_EQUAL(result, wanted);
    CU_ASSERT_PTR_NOT_NULL_FATAL(raw);
    return raw;
}

static struct grt_plan plan_of(const char *workload, uint32_t experiments) {
    struct grt_plan plan = grt_measured_plan();
    plan.workloads[0] = workload;
    plan.workload_count = workload != NULL;
    plan.experiments = experiments;
    return plan;
}

static const struct grt_raw_skipped *skipped(const struct grt_raw *raw, const char *experiment) {
    for (size_t i = 0; i < raw->skipped_count; i++) {
        if (strcmp(raw->skipped[i].experiment, experiment) == 0) {
            return &raw->skipped[i];
        }
    }
    return NULL;
}

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
    struct grt_raw *raw = measure(&plan, GRT_MEASURE_DONE);
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
    struct grt_raw *raw = measure(&plan, GRT_MEASURE_DONE);
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
        measure(&plan, GRT_MEASURE_DONE);
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

/* ---- time ---- */

static double seconds_of(void) {
    size_t size;
    char *text = grt_file_text(path, &size), *at = strstr(text, "\"seconds\": ");
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    double seconds = strtod(at + strlen("\"seconds\": "), NULL);
    free(text);
    return seconds;
}

/* Whatever the budget, measuring ends with it, but for the sample that is under way and the clocks' last look; what it was too short for is said. */
static void test_budget(void) {
    static const double budgets[] = {0.01, 0.1, 0.5, 2};
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        grt_measured_spec(4, &spec);
        spec.launch_call = 5 * US;
        spec.other_call = 2 * US;
        struct grt_plan plan = grt_measured_plan();
        plan.budget_s = budgets[i];
        plan.most_samples = 300;
        plan.worst_samples = 100000;
        struct grt_raw *raw = measure(&plan, GRT_MEASURE_DONE);
        CU_ASSERT(seconds_of() < budgets[i] + 0.02);
        CU_ASSERT(seconds_of() > 0.9 * budgets[i]);
        CU_ASSERT(raw->complete && skipped(raw, "worst") != NULL);
        grt_arena_clear(&arena);
    }
}

struct patience {
    int left;
};

static bool is_impatient(void *state) {
    struct patience *patience = state;
    return patience->left-- <= 0;
}

static void test_interrupted(void) {
    for (int asked = 0; asked < 4000; asked = 2 * asked + 1) {
        struct patience patience = {.left = asked};
        grt_measured_spec(4, &spec);
        struct grt_plan plan = plan_of("fma", 0);
        plan.interrupted = is_impatient;
        plan.state = &patience;
        enum grt_measure_result result;
        struct grt_raw *raw = try_it(&plan, path, &result);
        CU_ASSERT_PTR_NOT_NULL_FATAL(raw);
        bool stopped = result == GRT_MEASURE_STOPPED;
        CU_ASSERT(stopped || (asked > 1000 && result == GRT_MEASURE_DONE));
        CU_ASSERT(raw->complete == !stopped && !raw->cut_off);
        CU_ASSERT(!stopped || strcmp(raw->stopped, "interrupted") == 0);
        grt_arena_clear(&arena);
    }
}

/* ---- what goes wrong ---- */

/* Loses the device at this call. NULL: the bench could not even be opened. */
static struct grt_raw *lose(int64_t call, enum grt_measure_result *result) {
    grt_measured_spec(2, &spec);
    spec.faults.lost_at_call = call;
    struct grt_plan plan = plan_of("spin", 0);
    plan.least_samples = plan.most_samples = plan.worst_samples = 1;
    return try_it(&plan, path, result);
}

/* A device that is lost at any call leaves a good file, which says so and has what was measured before: at every call of the beginning, where the clocks are compared and
 * workloads get their sizes, and at some of those behind. */
static void test_lost(void) {
    enum grt_measure_result result;
    struct grt_random random = grt_random_stream(1, "lost", 0, 0);
    int64_t first = 1, cases = grt_suite_cases(250, 6000);
    size_t files = 0, most_cells = 0;
    while (lose(first, &result) == NULL) {
        first += 20;
        grt_arena_clear(&arena);
    }
    for (int64_t i = 0; i < cases; i++) {
        struct grt_raw *raw =
            lose(first + (i % 5 != 0 ? i : (int64_t)grt_random_below(&random, 6000)), &result);
        CU_ASSERT_PTR_NOT_NULL_FATAL(raw);
        if (result != GRT_MEASURE_DONE) {
            files++;
            CU_ASSERT_EQUAL(result, GRT_MEASURE_LOST);
            CU_ASSERT(!raw->complete && !raw->cut_off && raw->stopped != NULL);
            CU_ASSERT(raw->stopped == NULL || strstr(raw->stopped, "interrupted") == NULL);
            most_cells = raw->cell_count > most_cells ? raw->cell_count : most_cells;
        }
        grt_arena_clear(&arena);
    }
    CU_ASSERT(files > (size_t)cases / 2);
    CU_ASSERT(most_cells > 20);
}

/* The filter takes the place of green contexts that there are not, and the file says why. */
static void expect_filter(const char *why) {
    struct grt_plan plan = plan_of("spin", 1u << GRT_EXPERIMENT_PARTITION | 1u << GRT_EXPERIMENT_TOGETHER);
    struct grt_raw *raw = measure(&plan, GRT_MEASURE_DONE);
    CU_ASSERT_EQUAL(raw->skipped_count, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(skipped(raw, "partition"));
    CU_ASSERT_STRING_EQUAL(skipped(raw, "partition")->why, why);
    const struct grt_raw_cell *cell = NULL;
    size_t sizes = 0, pairs = 0;
    while ((cell = grt_raw_next(raw, "partition", cell)) != NULL) {
        CU_ASSERT_STRING_NOT_EQUAL(grt_raw_text(cell, "how"), "green");
        sizes += strcmp(grt_raw_text(cell, "how"), "filter") == 0 && cell->count > 0;
    }
    while ((cell = grt_raw_next(raw, "together", cell)) != NULL) {
        CU_ASSERT_STRING_NOT_EQUAL(grt_raw_text(cell, "how"), "green");
        pairs += strcmp(grt_raw_text(cell, "how"), "filter") == 0 && cell->count > 0;
    }
    CU_ASSERT_EQUAL(sizes, 4);
    CU_ASSERT_EQUAL(pairs, 6);
    grt_arena_clear(&arena);
}

static void test_no_green_contexts(void) {
    grt_measured_spec(4, &spec);
    spec.faults.no_green_contexts = true;
    expect_filter("how green: the driver has no green contexts; the filter takes their place");
    grt_measured_spec(4, &spec);
    spec.faults.green_refused = true;
    expect_filter(
        "how green: the driver refused a green context (under MPS there are none); the filter takes "
        "their place");
    grt_measured_spec(4, &spec);
    spec.faults.green_no_streams = true;
    expect_filter("how green: the driver refuses streams in such a partition; the filter takes their place");
    grt_measured_spec(4, &spec);
    spec.faults.green_no_kernels = true;
    expect_filter("how green: the driver refuses kernels in such a partition; the filter takes their place");
}

/* One call in the middle fails: its cells are left out, and all others are measured. */
static grt_cuda_result (*make_green_stream)(grt_cuda_stream *stream, grt_cuda_green green, unsigned flags,
                                            int priority);
static int green_streams;

static grt_cuda_result refuse_one(grt_cuda_stream *stream, grt_cuda_green green, unsigned flags,
                                  int priority) {
    return ++green_streams == 6 ? GRT_CUDA_OUT_OF_MEMORY : make_green_stream(stream, green, flags, priority);
}

static void refuse_a_stream(struct grt_driver *driver) {
    make_green_stream = driver->cuda.cuGreenCtxStreamCreate;
    driver->cuda.cuGreenCtxStreamCreate = refuse_one;
    green_streams = 0;
}

static void test_refused_stream(void) {
    grt_measured_spec(8, &spec);
    struct grt_plan plan = plan_of("spin", 1u << GRT_EXPERIMENT_PARTITION | 1u << GRT_EXPERIMENT_WORST);
    struct grt_measured_run run = {
        .spec = &spec, .engine = &grt_engine_model, .plan = &plan, .path = path, .prepare = refuse_a_stream};
    enum grt_measure_result result;
    struct grt_raw *raw = grt_measured(&run, &arena, &result);
    CU_ASSERT_EQUAL(result, GRT_MEASURE_DONE);
    CU_ASSERT_PTR_NOT_NULL_FATAL(raw);
    CU_ASSERT_EQUAL(raw->skipped_count, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(skipped(raw, "partition"));
    CU_ASSERT_STRING_EQUAL(skipped(raw, "partition")->why,
                           "1 cells: the driver refuses streams in such a partition");
    size_t green = 0, worst = 0;
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(raw, "partition", cell)) != NULL) {
        green += strcmp(grt_raw_text(cell, "how"), "green") == 0 && cell->count > 0;
    }
    while ((cell = grt_raw_next(raw, "worst", cell)) != NULL) {
        worst += cell->count > 0 && grt_raw_text(cell, "run") == NULL;
    }
    CU_ASSERT_EQUAL(green, 7);
    CU_ASSERT_EQUAL(worst, 3);
    grt_arena_clear(&arena);
}

/* Parts beside each other: [SMs of the device][which] -> the sizes of both. */
static const struct parts {
    int sms, parts[3][2];
} parts_of[] = {
    {132, {{64, 64}, {32, 96}, {96, 32}}},
    {114, {{56, 56}, {32, 80}, {88, 24}}},
    {16, {{8, 8}, {4, 12}, {12, 4}}},
    {6, {{4, 2}, {2, 4}, {4, 2}}},
};

static bool has_parts(const struct grt_raw *raw, const int wanted[2]) {
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(raw, "together", cell)) != NULL) {
        if (grt_raw_number(cell, "sms", 0) == wanted[0] &&
            grt_raw_number(cell, "beside_sms", 0) == wanted[1] && cell->count > 0) {
            return true;
        }
    }
    return false;
}

static void test_parts(void) {
    for (size_t i = 0; i < sizeof parts_of / sizeof parts_of[0]; i++) {
        grt_measured_spec(parts_of[i].sms, &spec);
        spec.device.sms_per_tpc = 2;
        struct grt_plan plan = plan_of("fma", 1u << GRT_EXPERIMENT_TOGETHER);
        struct grt_raw *raw = measure(&plan, GRT_MEASURE_DONE);
        for (size_t j = 0; j < 3; j++) {
            CU_ASSERT(has_parts(raw, parts_of[i].parts[j]));
        }
        CU_ASSERT_EQUAL(raw->skipped_count, 0);
        grt_arena_clear(&arena);
    }
}

/* One SM, one block, no priorities: what is possible is measured. */
static void test_small_device(void) {
    grt_measured_spec(1, &spec);
    spec.device.priority_levels = 1;
    spec.device.max_blocks_per_sm = 1;
    struct grt_plan plan = grt_measured_plan();
    struct grt_raw *raw = measure(&plan, GRT_MEASURE_DONE);
    CU_ASSERT_PTR_NOT_NULL(skipped(raw, "priority"));
    CU_ASSERT_PTR_NOT_NULL(grt_raw_next(raw, "waves", NULL));
    CU_ASSERT_PTR_NOT_NULL(grt_raw_next(raw, "partition", NULL));
    CU_ASSERT_PTR_NOT_NULL(grt_raw_next(raw, "together", NULL));
    CU_ASSERT_PTR_NULL(grt_raw_next(raw, "priority", NULL));
    grt_arena_clear(&arena);
}

/* Blocks of 128 threads: kernels of larger ones are left out, with a line, and all experiments are there. */
static void test_small_blocks(void) {
    grt_measured_spec(4, &spec);
    spec.device.max_threads_per_block = 128;
    struct grt_plan plan = grt_measured_plan();
    struct grt_raw *raw = measure(&plan, GRT_MEASURE_DONE);
    CU_ASSERT_PTR_NOT_NULL_FATAL(skipped(raw, "fma"));
    CU_ASSERT_STRING_EQUAL(skipped(raw, "fma")->why, "no block of 256 threads fits on an SM");
    CU_ASSERT_PTR_NOT_NULL(grt_raw_workload(raw, "spin"));
    CU_ASSERT_PTR_NULL(grt_raw_workload(raw, "fma"));
    for (int i = 0; i < GRT_EXPERIMENTS; i++) {
        CU_ASSERT_PTR_NOT_NULL(grt_raw_next(raw, grt_experiment_names[i], NULL));
    }
    grt_arena_clear(&arena);
}

/* ---- kernels of the user's ---- */

static struct grt_raw *measure_user(struct grt_plan *plan, uint32_t blocks, enum grt_measure_result *result) {
    const struct grt_user_kernel user = {.name = "k_reduce",
                                         .ptx = (char *)(uintptr_t)grt_kernels_ptx(),
                                         .made_by = "the user",
                                         .threads = 256};
    struct grt_measured_run run = {.spec = &spec,
                                   .engine = &grt_engine_model,
                                   .plan = plan,
                                   .path = path,
                                   .record_count = 4096,
                                   .user = &user};
    plan->user_blocks = blocks;
    plan->user_amount = 256;
    struct grt_raw *raw = grt_measured(&run, &arena, result);
    CU_ASSERT_PTR_NOT_NULL_FATAL(raw);
    return raw;
}

/* As many blocks as were asked for, beside each other as well, or none and a line. */
static void test_user_kernel(void) {
    enum grt_measure_result result;
    grt_measured_spec(4, &spec);
    struct grt_plan plan = plan_of("spin", 1u << GRT_EXPERIMENT_TOGETHER);
    struct grt_raw *raw = measure_user(&plan, 1024, &result);
    CU_ASSERT_EQUAL(result, GRT_MEASURE_DONE);
    const struct grt_raw_workload *workload = grt_raw_workload(raw, "user");
    CU_ASSERT_PTR_NOT_NULL_FATAL(workload);
    CU_ASSERT(workload->blocks == 1024 && workload->ptx_version > 0 && workload->binary_version > 0);
    CU_ASSERT_EQUAL(strncmp(workload->made_by, "the user; hash ", 15), 0);
    CU_ASSERT_EQUAL(strlen(workload->made_by), 15 + 16);
    const struct grt_raw_cell *cell = NULL;
    size_t cells = 0;
    while ((cell = grt_raw_next(raw, "together", cell)) != NULL) {
        cells += strcmp(grt_raw_text(cell, "kernel"), "user") == 0 &&
                 strcmp(grt_raw_text(cell, "beside"), "user") == 0 && cell->count > 0;
    }
    CU_ASSERT_EQUAL(cells, 4);
    grt_arena_clear(&arena);
    raw = measure_user(&plan, 1025, &result);
    CU_ASSERT_EQUAL(result, GRT_MEASURE_DONE);
    CU_ASSERT_PTR_NULL(grt_raw_workload(raw, "user"));
    CU_ASSERT_PTR_NOT_NULL_FATAL(skipped(raw, "user"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(skipped(raw, "user")->why, "1025 blocks of 256 threads: there are records for fewer"));
    grt_arena_clear(&arena);
    plan.user_threads = 2048;
    raw = measure_user(&plan, 10, &result);
    CU_ASSERT_EQUAL(result, GRT_MEASURE_DONE);
    CU_ASSERT_PTR_NOT_NULL(skipped(raw, "user"));
    grt_arena_clear(&arena);
}

static void test_cycles(void) {
    grt_measured_spec(4, &spec);
    struct grt_plan plan = plan_of("cycles", 1u << GRT_EXPERIMENT_WAVES);
    struct grt_raw *raw = measure(&plan, GRT_MEASURE_DONE);
    const struct grt_raw_workload *workload = grt_raw_workload(raw, "cycles");
    CU_ASSERT_PTR_NOT_NULL_FATAL(workload);
    const struct grt_raw_cell *cell = NULL;
    do {
        cell = grt_raw_next(raw, "waves", cell);
        CU_ASSERT_PTR_NOT_NULL_FATAL(cell);
    } while (grt_raw_number(cell, "blocks", 0) != 1);
    CU_ASSERT_EQUAL((uint64_t)grt_raw_values(cell, "span_ns")[0], workload->amount); /* 1 GHz */
    grt_arena_clear(&arena);
}

static void test_full_disk(void) {
    grt_measured_spec(2, &spec);
    struct grt_plan plan = plan_of("spin", 0);
    enum grt_measure_result result;
    struct grt_raw *raw = try_it(&plan, "/dev/full", &result);
    CU_ASSERT_PTR_NULL(raw);
    CU_ASSERT_EQUAL(result, GRT_MEASURE_UNWRITTEN);
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
        {"the budget is kept", test_budget},
        {"interrupted anywhere", test_interrupted},
        {"lost anywhere", test_lost},
        {"no green contexts", test_no_green_contexts},
        {"a refused stream", test_refused_stream},
        {"parts beside each other", test_parts},
        {"one SM, one block", test_small_device},
        {"blocks of 128 threads", test_small_blocks},
        {"a kernel of the user's", test_user_kernel},
        {"cycles", test_cycles},
        {"a full disk", test_full_disk},
        {"bad plans", test_bad_plans},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("measuring", tests);
}
