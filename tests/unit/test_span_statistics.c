/* Statistics of a span, worked out by hand. */
#include <stdlib.h>
#include <string.h>

#include "sim/random.h"
#include "tests/support/small_timeline.h"
#include "tests/support/suite.h"
#include "viz/answers/rank.h"
#include "viz/answers/span_statistics.h"

/* Two tasks, two cores, an SM. Task a computes in [0, 10) and [20, 50), b in [10, 20) and [30, 40); blocks of a in [5, 15), of b in
 * [12, 22), one of no task in [30, 31). Jobs of a: [0, 10), [15, 50), late at its deadline of 40; of b: [8, 40), one unfinished. */
static const struct grt_trace_name names[] = {
    {.kind = GRT_NAME_TASK, .index = 0, .text = "a"},
    {.kind = GRT_NAME_TASK, .index = 1, .text = "b"},
    {.kind = GRT_NAME_CORE, .index = 0, .text = "c 0"},
    {.kind = GRT_NAME_CORE, .index = 1, .text = "c 1"},
    {.kind = GRT_NAME_SM, .index = 0, .weight = 64, .text = "SM 0"},
};
enum { ROW_A, ROW_B, ROW_CORE_0, ROW_CORE_1, ROW_SM, ROWS };

static const struct grt_trace_record records[] = {
    {.time = 0, .other = 12, .task = 0, .job = 0, .kind = GRT_TRACE_RELEASE},
    {.time = 10, .other = 0, .task = 0, .job = 0, .kind = GRT_TRACE_CPU, .row = 0},
    {.time = 10, .other = 0, .task = 0, .job = 0, .kind = GRT_TRACE_FINISH},
    {.time = 15, .other = 5, .task = 0, .kind = GRT_TRACE_BLOCK},
    {.time = 15, .other = 40, .task = 0, .job = 1, .kind = GRT_TRACE_RELEASE},
    {.time = 20, .other = 10, .task = 1, .kind = GRT_TRACE_CPU, .row = 0},
    {.time = 22, .other = 12, .task = 1, .kind = GRT_TRACE_BLOCK},
    {.time = 31, .other = 30, .task = GRT_TRACE_NO_TASK, .kind = GRT_TRACE_BLOCK},
    {.time = 40, .other = 30, .task = 1, .kind = GRT_TRACE_CPU, .row = 1},
    {.time = 40, .other = 8, .task = 1, .job = 0, .kind = GRT_TRACE_FINISH},
    {.time = 50, .other = 20, .task = 0, .job = 1, .kind = GRT_TRACE_CPU, .row = 0},
    {.time = 50, .other = 15, .task = 0, .job = 1, .kind = GRT_TRACE_FINISH, .flags = GRT_TRACE_LATE},
    {.time = 50, .other = 45, .task = 1, .job = 1, .kind = GRT_TRACE_UNFINISHED, .flags = GRT_TRACE_OPEN},
};

static struct grt_timeline timeline;

static bool line_is(const struct grt_span_line *line, uint64_t count, uint64_t sum, grt_time min,
                    grt_time mean, grt_time p50, grt_time p99, grt_time max) {
    return line->count == count && line->sum == (grt_wide)sum && line->min == min && line->mean == mean &&
           line->p50 == p50 && line->p99 == p99 && line->max == max;
}

static struct grt_span_statistics ask(enum grt_measure measure, grt_time from, grt_time to,
                                      const bool *rows) {
    struct grt_span_statistics statistics;
    struct grt_span_question question = {.from = from, .to = to, .measure = measure, .rows = rows};
    grt_span_statistics_make(&statistics, &timeline, &question);
    return statistics;
}

/* [8, 30): of a's stays 2 and 10 ns, both cut; of b's 10 ns. */
static void parts_inside(void) {
    struct grt_span_statistics all = ask(GRT_MEASURE_CPU, 8, 30, NULL);
    CU_ASSERT(line_is(&all.tasks[0], 2, 12, 2, 6, 2, 10, 10));
    CU_ASSERT(line_is(&all.tasks[1], 1, 10, 10, 10, 10, 10, 10));
    CU_ASSERT(line_is(&all.tasks[2], 0, 0, 0, 0, 0, 0, 0));
    CU_ASSERT(line_is(&all.all, 3, 22, 2, 7, 10, 10, 10));
    CU_ASSERT_EQUAL(all.tasks[0].cut, 2);
    CU_ASSERT_EQUAL(all.all.cut, 2);
    grt_span_statistics_free(&all);
}

/* A span does not touch what ends where it begins, nor what begins where it ends. */
static void borders(void) {
    struct grt_span_statistics all = ask(GRT_MEASURE_CPU, 10, 20, NULL);
    CU_ASSERT(line_is(&all.all, 1, 10, 10, 10, 10, 10, 10));
    CU_ASSERT_EQUAL(all.all.cut, 0);
    grt_span_statistics_free(&all);
    all = ask(GRT_MEASURE_CPU, 20, 20, NULL);
    CU_ASSERT_EQUAL(all.all.count, 0);
    grt_span_statistics_free(&all);
}

/* Jobs that finish in [10, 40): a's first, whole; in [11, 50]: b's first, and a's second, which ends with the trace. */
static void response_times(void) {
    struct grt_span_statistics all = ask(GRT_MEASURE_RESPONSE, 10, 40, NULL);
    CU_ASSERT(line_is(&all.all, 1, 10, 10, 10, 10, 10, 10));
    grt_span_statistics_free(&all);
    all = ask(GRT_MEASURE_RESPONSE, 11, 50, NULL);
    CU_ASSERT(line_is(&all.tasks[0], 1, 35, 35, 35, 35, 35, 35));
    CU_ASSERT(line_is(&all.tasks[1], 1, 32, 32, 32, 32, 32, 32));
    CU_ASSERT(line_is(&all.all, 2, 67, 32, 34, 32, 35, 35));
    grt_span_statistics_free(&all);
}

/* a's second job finishes 40 after its first, which may be before the span. Nothing is before the first, and b has one only. */
static void gaps(void) {
    struct grt_span_statistics whole = ask(GRT_MEASURE_GAP, 0, 50, NULL);
    CU_ASSERT(line_is(&whole.tasks[0], 1, 40, 40, 40, 40, 40, 40));
    CU_ASSERT(line_is(&whole.tasks[1], 0, 0, 0, 0, 0, 0, 0));
    grt_span_statistics_free(&whole);
    struct grt_span_statistics later = ask(GRT_MEASURE_GAP, 45, 50, NULL);
    CU_ASSERT(line_is(&later.tasks[0], 1, 40, 40, 40, 40, 40, 40));
    CU_ASSERT(line_is(&later.all, 1, 40, 40, 40, 40, 40, 40));
    grt_span_statistics_free(&later);
    struct grt_span_statistics before = ask(GRT_MEASURE_GAP, 0, 49, NULL);
    CU_ASSERT_EQUAL(before.all.count, 0);
    grt_span_statistics_free(&before);
}

static void misses(void) {
    static const bool only_b[ROWS] = {[ROW_B] = true}, only_sm[ROWS] = {[ROW_SM] = true};
    struct grt_span_statistics all = ask(GRT_MEASURE_CPU, 40, 41, NULL);
    CU_ASSERT(all.tasks[0].misses == 1 && all.tasks[1].misses == 0 && all.all.misses == 1);
    grt_span_statistics_free(&all);
    all = ask(GRT_MEASURE_CPU, 0, 40, NULL);
    CU_ASSERT_EQUAL(all.all.misses, 0);
    grt_span_statistics_free(&all);
    all = ask(GRT_MEASURE_CPU, 0, 50, only_b);
    CU_ASSERT_EQUAL(all.all.misses, 0);
    grt_span_statistics_free(&all);
    all = ask(GRT_MEASURE_BLOCK, 0, 50, only_sm);
    CU_ASSERT_EQUAL(all.all.misses, 1);
    grt_span_statistics_free(&all);
}

/* Core 0 has 40 ns of a and 10 of b; with b's row besides, the 10 ns count once, and b's 10 on core 1 too. */
static void rows(void) {
    static const bool core_0[ROWS] = {[ROW_CORE_0] = true},
                      with_b[ROWS] = {[ROW_CORE_0] = true, [ROW_B] = true}, b[ROWS] = {[ROW_B] = true},
                      sm[ROWS] = {[ROW_SM] = true}, both[ROWS] = {[ROW_B] = true, [ROW_SM] = true};
    struct grt_span_statistics all = ask(GRT_MEASURE_CPU, 0, 50, core_0);
    CU_ASSERT(all.tasks[0].sum == 40u && all.tasks[1].sum == 10u && all.all.count == 3);
    grt_span_statistics_free(&all);
    all = ask(GRT_MEASURE_CPU, 0, 50, with_b);
    CU_ASSERT(all.tasks[0].sum == 40u && all.tasks[1].sum == 20u && all.all.count == 4);
    grt_span_statistics_free(&all);
    all = ask(GRT_MEASURE_BLOCK, 0, 50, b);
    CU_ASSERT(all.all.count == 1 && all.tasks[1].sum == 10u);
    grt_span_statistics_free(&all);
    all = ask(GRT_MEASURE_BLOCK, 0, 50, sm);
    CU_ASSERT(all.all.count == 3 && all.tasks[2].sum == 1u);
    grt_span_statistics_free(&all);
    all = ask(GRT_MEASURE_BLOCK, 0, 50, both);
    CU_ASSERT(all.all.count == 3 && all.all.sum == 21u);
    grt_span_statistics_free(&all);
}

/* Core 0 works 50 of 50 ns; the SM of 2 lanes has blocks of one lane each: 3 + 10 of the 2 x 15 ns. */
static void shares(void) {
    CU_ASSERT_DOUBLE_EQUAL(grt_row_busy_share(&timeline.rows[ROW_CORE_0], 0, 50), 1.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(grt_row_busy_share(&timeline.rows[ROW_CORE_1], 0, 50), 0.2, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(grt_row_busy_share(&timeline.rows[ROW_SM], 12, 27), 13.0 / 30, 1e-12);
    CU_ASSERT_EQUAL(grt_row_busy_share(&timeline.rows[ROW_SM], 27, 27), 0);
}

static void ranks(void) {
    struct grt_values lists[2] = {{0}};
    const uint64_t wanted[] = {1, 2, 4, 5};
    grt_time found[4];
    CU_ASSERT_EQUAL(grt_rank_of(1, 50), 1);
    CU_ASSERT_EQUAL(grt_rank_of(4, 50), 2);
    CU_ASSERT_EQUAL(grt_rank_of(5, 50), 3);
    CU_ASSERT_EQUAL(grt_rank_of(100, 99), 99);
    CU_ASSERT_EQUAL(grt_rank_of(101, 99), 100);
    CU_ASSERT_EQUAL(grt_rank_of(70, 99), 70);
    CU_ASSERT_EQUAL(grt_rank_of(10, 1), 1);
    grt_values_add(&lists[0], 7);
    grt_values_add(&lists[0], GRT_TIME_LIMIT);
    grt_values_add(&lists[1], 0);
    grt_values_add(&lists[1], 7);
    grt_values_add(&lists[1], 8);
    grt_values_ranks(lists, 2, wanted, 4, found);
    CU_ASSERT(found[0] == 0 && found[1] == 7 && found[2] == 8 && found[3] == GRT_TIME_LIMIT);
    grt_values_free(&lists[0]);
    grt_values_free(&lists[1]);
}

static int by_size(const void *a, const void *b) {
    grt_time left = *(const grt_time *)a, right = *(const grt_time *)b;
    return (left > right) - (left < right);
}

/* All alike, of two sizes, close together, far apart. */
static grt_time some_value(struct grt_random *random, uint64_t kind) {
    switch (kind) {
    case 0:
        return 5000;
    case 1:
        return grt_random_below(random, 2) == 0 ? 5 : 10000000;
    case 2:
        return 1000 + (grt_time)grt_random_below(random, 300);
    default:
        return (grt_time)(grt_random_bits(random) >> (4 + grt_random_below(random, 60)));
    }
}

enum { LISTS = 5, MOST = 6000 };

/* Lists of none, few and many values against sorting them. */
static void quantiles(void) {
    static grt_time sorted[LISTS + 1][LISTS * MOST];
    static const uint32_t hundredths[2] = {50, 99};
    for (uint64_t number = 0; number < 60; number++) {
        struct grt_random random = grt_random_of_key(number);
        struct grt_values lists[LISTS] = {{0}};
        uint32_t count = 0;
        for (uint32_t i = 0; i < LISTS; i++) {
            uint64_t size = grt_random_below(&random, 3) * grt_random_below(&random, MOST / 2),
                     kind = number % 5;
            for (uint64_t j = 0; j < size; j++) {
                grt_values_add(&lists[i], some_value(&random, kind < 4 ? kind : i));
                sorted[i][j] = sorted[LISTS][count++] = grt_values_at(&lists[i], (uint32_t)j);
            }
            qsort(sorted[i], lists[i].count, sizeof sorted[i][0], by_size);
        }
        qsort(sorted[LISTS], count, sizeof sorted[LISTS][0], by_size);
        grt_time of_lists[LISTS][2], of_all[2];
        grt_values_quantiles(lists, LISTS, hundredths, of_lists, of_all);
        for (uint32_t i = 0; i <= LISTS; i++) {
            uint32_t size = i < LISTS ? lists[i].count : count;
            const grt_time *found = i < LISTS ? of_lists[i] : of_all;
            CU_ASSERT_EQUAL(found[0], size > 0 ? sorted[i][grt_rank_of(size, 50) - 1] : 0);
            CU_ASSERT_EQUAL(found[1], size > 0 ? sorted[i][grt_rank_of(size, 99) - 1] : 0);
        }
        for (uint32_t i = 0; i < LISTS; i++) {
            grt_values_free(&lists[i]);
        }
    }
}

static void words(void) {
    for (int i = 0; i < GRT_MEASURES; i++) {
        CU_ASSERT(strlen(grt_measure_name((enum grt_measure)i)) > 3);
        CU_ASSERT(strlen(grt_measure_explanation((enum grt_measure)i)) < 100);
    }
}

static CU_TestInfo tests[] = {
    {"slices count by their part inside", parts_inside},
    {"the borders of the span", borders},
    {"response times of jobs that finish", response_times},
    {"gaps between finishes", gaps},
    {"misses by their deadlines", misses},
    {"only some rows, each slice once", rows},
    {"busy shares of rows", shares},
    {"values by rank", ranks},
    {"quantiles of many lists at once", quantiles},
    {"measures have names and explanations", words},
    CU_TEST_INFO_NULL,
};

int main(void) {
    grt_small_timeline(&timeline, names, sizeof names / sizeof names[0], records,
                       sizeof records / sizeof records[0]);
    int result = grt_suite_run("span statistics", tests);
    grt_timeline_free(&timeline);
    return result;
}
