/* A timeline of what cores do for GPU segments, and all that is told of it: worked out by hand from tests/support/host_trace.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/answer_trace.h"
#include "tests/support/export_check.h"
#include "tests/support/host_trace.h"
#include "tests/support/suite.h"
#include "viz/answers/cause.h"
#include "viz/answers/chain.h"
#include "viz/answers/core_users.h"
#include "viz/answers/difference.h"
#include "viz/answers/explain.h"
#include "viz/answers/search.h"
#include "viz/answers/span_statistics.h"
#include "viz/gantt/text_gantt.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define US GRT_MICROSECOND

/* ---- slices ---- */

struct span {
    enum grt_row_kind kind;
    uint32_t row;
    enum grt_track_part part;
    grt_time start, end; /* us */
    uint16_t task;
};

/* All slices of the parts that are told apart on cores. */
static const struct span spans[] = {
    {GRT_ROW_TASK, 0, GRT_PART_CPU, 100, 1000, 0},      {GRT_ROW_TASK, 0, GRT_PART_CPU, 4500, 5000, 0},
    {GRT_ROW_TASK, 0, GRT_PART_HOST, 1000, 1500, 0},    {GRT_ROW_TASK, 0, GRT_PART_HOST, 4000, 4500, 0},
    {GRT_ROW_TASK, 0, GRT_PART_SPIN, 1500, 4000, 0},    {GRT_ROW_TASK, 0, GRT_PART_OVERHEAD, 0, 100, 0},
    {GRT_ROW_TASK, 0, GRT_PART_BOOSTED, 1000, 4500, 0}, {GRT_ROW_TASK, 1, GRT_PART_CPU, 2200, 4500, 1},
    {GRT_ROW_TASK, 1, GRT_PART_CPU, 5000, 6000, 1},     {GRT_ROW_TASK, 2, GRT_PART_CPU, 0, 2000, 2},
    {GRT_ROW_TASK, 2, GRT_PART_CPU, 8500, 9000, 2},     {GRT_ROW_TASK, 2, GRT_PART_BOOSTED, 8500, 9000, 2},
    {GRT_ROW_CORE, 0, GRT_PART_CPU, 100, 1000, 0},      {GRT_ROW_CORE, 0, GRT_PART_CPU, 4500, 5000, 0},
    {GRT_ROW_CORE, 0, GRT_PART_HOST, 1000, 1500, 0},    {GRT_ROW_CORE, 0, GRT_PART_HOST, 4000, 4500, 0},
    {GRT_ROW_CORE, 0, GRT_PART_SPIN, 1500, 4000, 0},    {GRT_ROW_CORE, 0, GRT_PART_OVERHEAD, 0, 100, 0},
    {GRT_ROW_CORE, 1, GRT_PART_CPU, 0, 2000, 2},        {GRT_ROW_CORE, 1, GRT_PART_CPU, 2200, 4500, 1},
    {GRT_ROW_CORE, 1, GRT_PART_CPU, 5000, 6000, 1},     {GRT_ROW_CORE, 1, GRT_PART_CPU, 8500, 9000, 2},
    {GRT_ROW_CORE, 1, GRT_PART_THREAD, 2050, 2200, 2},  {GRT_ROW_CORE, 1, GRT_PART_THREAD, 4500, 5000, 2},
    {GRT_ROW_CORE, 1, GRT_PART_THREAD, 8000, 8500, 2},  {GRT_ROW_CORE, 1, GRT_PART_OVERHEAD, 2000, 2050, 2},
};

static bool is_of_cores(enum grt_track_part part) {
    return part == GRT_PART_CPU || part == GRT_PART_HOST || part == GRT_PART_SPIN ||
           part == GRT_PART_OVERHEAD || part == GRT_PART_THREAD || part == GRT_PART_BOOSTED;
}

static void test_parts(void) {
    struct grt_timeline timeline = host_timeline();
    uint32_t found = 0, all = 0;
    for (size_t i = 0; i < COUNT(spans); i++) {
        const struct span *span = &spans[i];
        const struct grt_track *track =
            grt_row_track(grt_timeline_row(&timeline, span->kind, span->row), span->part);
        for (uint32_t j = 0; j < track->count; j++) {
            struct grt_slice slice = grt_track_at(track, j);
            found +=
                slice.start == span->start * US && slice.end == span->end * US && slice.task == span->task;
        }
    }
    for (uint32_t i = 0; i < timeline.row_count; i++) {
        for (uint32_t j = 0; j < timeline.rows[i].track_count; j++) {
            all += is_of_cores(timeline.rows[i].tracks[j].part) ? timeline.rows[i].tracks[j].track->count : 0;
        }
    }
    CU_ASSERT_EQUAL(found, COUNT(spans));
    CU_ASSERT_EQUAL(all, COUNT(spans));
    struct grt_slice boost = grt_track_at(grt_row_track(&timeline.rows[HOST_TAU_L], GRT_PART_BOOSTED), 0);
    CU_ASSERT_EQUAL(boost.flags, 0); /* the job's end is its end, not the run's */
    CU_ASSERT_EQUAL(timeline.left_out, 0);
    CU_ASSERT_EQUAL(timeline.beyond, 0);
    CU_ASSERT_EQUAL_FATAL(timeline.priority_count, 2);
    CU_ASSERT(timeline.priorities[0] == 1003 && timeline.priorities[1] == 7);
    CU_ASSERT_EQUAL_FATAL(timeline.thread_count, 1);
    CU_ASSERT_STRING_EQUAL(timeline.threads[0], "server");
    grt_timeline_free(&timeline);
}

/* Priorities of any size, one right behind the other, of another job, and to the end of the run; a thread without task, name or label; flags
 * of all kinds, which must not reach the packed slices. */
static void test_odd_records(void) {
    static const struct grt_trace_name names[] = {{GRT_NAME_TASK, 0, 0, 0, 0, "a"},
                                                  {GRT_NAME_CORE, 0, 0, 0, 0, "cpu 0"}};
    static const struct grt_trace_record records[] = {
        {.time = 10, .other = INT64_MIN, .kind = GRT_TRACE_PRIORITY, .flags = GRT_TRACE_BOOSTED},
        {.time = 20, .other = INT64_MAX - 1, .kind = GRT_TRACE_PRIORITY, .flags = GRT_TRACE_BOOSTED},
        {.time = 20, .other = 5, .kind = GRT_TRACE_PRIORITY, .flags = GRT_TRACE_BOOSTED},
        {.time = 30, .other = 0, .job = 1, .kind = GRT_TRACE_FINISH},
        {.time = 40, .other = 20, .task = GRT_TRACE_NO_TASK, .detail = 7 << 16 | 9, .kind = GRT_TRACE_THREAD},
        {.time = 50, .other = 40, .kind = GRT_TRACE_CPU, .flags = GRT_TRACE_BOOSTED},
    };
    struct grt_timeline timeline = {.run = NULL};
    char text[GRT_EXPLAIN_SIZE];
    grt_timeline_sink.names(&timeline, names, COUNT(names));
    grt_timeline_sink.write(&timeline, records, COUNT(records));
    grt_timeline_sink.end(&timeline);
    const struct grt_row *task = &timeline.rows[0], *core = &timeline.rows[1];
    const struct grt_track *boosts = grt_row_track(task, GRT_PART_BOOSTED);
    CU_ASSERT_EQUAL_FATAL(boosts->count, 2);
    struct grt_slice first = grt_track_at(boosts, 0), last = grt_track_at(boosts, 1);
    CU_ASSERT(first.start == 10 && first.end == 20 && timeline.priorities[first.detail] == INT64_MIN);
    CU_ASSERT(last.start == 20 && last.end == 50 && timeline.priorities[last.detail] == 5);
    CU_ASSERT_EQUAL(last.flags, GRT_TRACE_OPEN);
    struct grt_slice stay = grt_track_at(grt_row_track(task, GRT_PART_CPU), 0);
    CU_ASSERT(stay.weight == 1 && stay.lane == 0 && stay.flags == 0);
    CU_ASSERT_EQUAL(timeline.beyond, 0);
    grt_explain(&timeline, grt_place_in(&timeline, core, GRT_PART_THREAD, 0), text, sizeof text);
    grt_expect_text(text, "thread 9: label 7: 20 ns on cpu 0, 20 to 40 ns.");
    grt_timeline_free(&timeline);
}

/* What was measured does not say whether a core worked for a GPU segment or slept in a call. */
static void test_without_host_parts(void) {
    struct grt_trace_memory trace = host_trace();
    struct grt_timeline timeline = {.run = NULL};
    trace.names[0].weight = 0;
    grt_timeline_sink.names(&timeline, trace.names, trace.name_count);
    grt_timeline_sink.write(&timeline, trace.records, trace.record_count);
    grt_timeline_sink.end(&timeline);
    CU_ASSERT_EQUAL(grt_row_track(&timeline.rows[0], GRT_PART_HOST)->count, 0);
    CU_ASSERT_EQUAL(grt_row_track(&timeline.rows[0], GRT_PART_CPU)->count, 4);
    CU_ASSERT_EQUAL(grt_row_track(&timeline.rows[0], GRT_PART_SPIN)->count, 1);
    grt_timeline_free(&timeline);
    grt_trace_memory_free(&trace);
}

/* ---- sentences ---- */

static void expect(const struct grt_timeline *timeline, enum grt_row_kind kind, uint32_t index,
                   enum grt_track_part part, uint32_t number, const char *expected) {
    char text[GRT_EXPLAIN_SIZE];
    const struct grt_row *row = grt_timeline_row(timeline, kind, index);
    grt_explain(timeline, grt_place_in(timeline, row, part, number), text, sizeof text);
    grt_expect_text(text, expected);
}

static void test_sentences(void) {
    struct grt_timeline timeline = host_timeline();
    for (int i = 0; i < 2; i++) { /* equal in both rows */
        enum grt_row_kind kind = i == 0 ? GRT_ROW_TASK : GRT_ROW_CORE;
        expect(&timeline, kind, 0, GRT_PART_HOST, 1,
               "Job 0 of tau_h executed a host part of GPU segment 1 for 500 us on cpu 0, 4.0 to 4.5 ms.");
        expect(&timeline, kind, 0, GRT_PART_SPIN, 0,
               "Job 0 of tau_h busy-waited for the GPU for 2.5 ms on cpu 0, 1.5 to 4.0 ms. Its kernels and "
               "copies ran "
               "for 2.5 ms of that.");
        expect(&timeline, kind, 0, GRT_PART_OVERHEAD, 0,
               "Overhead on cpu 0: 100 us, 0 to 100 us: a context switch to job 0 of tau_h, its wake-up, or "
               "both.");
    }
    expect(&timeline, GRT_ROW_TASK, 0, GRT_PART_BOOSTED, 0,
           "Job 0 of tau_h was boosted to priority 1003 for 3.5 ms, 1.0 to 4.5 ms.");
    expect(&timeline, GRT_ROW_CORE, 1, GRT_PART_THREAD, 0,
           "thread server: receives, for tau_l, job 0: 150 us on cpu 1, 2.05 to 2.20 ms.");
    expect(
        &timeline, GRT_ROW_TASK, HOST_TAU_H, GRT_PART_SUSPENDED, 0,
        "GPU segment 1 of tau_h, job 0: 3.5 ms from request to completion, 1.0 to 4.5 ms. Its first kernel "
        "began 500 us after the request.");
    expect(
        &timeline, GRT_ROW_TASK, HOST_TAU_L, GRT_PART_SUSPENDED, 0,
        "GPU segment 1 of tau_l, job 0: 6.5 ms from request to completion, 2.0 to 8.5 ms. Its first kernel "
        "began 3 ms after the request; meanwhile kernel near of tau_h ran for 2 ms. In all, thread server "
        "computed 1.15 ms for it.");
    expect(&timeline, GRT_ROW_CORE, 1, GRT_PART_OVERHEAD, 0,
           "Overhead on cpu 1: 50 us, 2000 to 2050 us: a context switch to thread server, its wake-up, or "
           "both.");
    expect(
        &timeline, GRT_ROW_CORE, 1, GRT_PART_CPU, 1,
        "Job 0 of tau_m computed for 2.3 ms on cpu 1, 2.2 to 4.5 ms. It had waited 2.2 ms since its release; "
        "meanwhile tau_l computed there for 2 ms. Then it was preempted; thread server ran next there.");
    expect(
        &timeline, GRT_ROW_TASK, 1, GRT_PART_CPU, 1,
        "Job 0 of tau_m computed for 1 ms on cpu 1, 5 to 6 ms. It had waited 500 us since it was preempted; "
        "meanwhile thread server computed there for 500 us.");
    grt_timeline_free(&timeline);
}

/* Whoever waits for a core learns that it was busy with waiting. */
static void test_core_users(void) {
    struct grt_timeline timeline = host_timeline();
    const struct grt_row *core = grt_timeline_row(&timeline, GRT_ROW_CORE, 0);
    struct grt_core_user user = grt_core_user(core, 1, 0, 1000 * US, 4200 * US);
    CU_ASSERT(user.task == 0 && user.thread == GRT_NO_THREAD);
    CU_ASSERT(user.time == 3200 * US && user.spinning == 2500 * US);
    user = grt_core_user(core, 0, 0, 1000 * US, 4200 * US);
    CU_ASSERT(user.task == GRT_TRACE_NO_TASK && user.thread == GRT_NO_THREAD && user.time == 0);
    user = grt_core_user(grt_timeline_row(&timeline, GRT_ROW_CORE, 1), 1, 0, 4500 * US, 8600 * US);
    CU_ASSERT(user.task == GRT_TRACE_NO_TASK && user.thread == 0 && user.time == 1000 * US);
    grt_timeline_free(&timeline);
}

/* ---- a job's way ---- */

struct step {
    enum grt_chain_step_kind kind;
    grt_time begin, end; /* us */
    uint32_t after;
    const char *text;
};

static void expect_chain(const struct grt_timeline *timeline, uint32_t task, const struct step *steps,
                         uint32_t count) {
    struct grt_chain chain = {.count = 0};
    char text[GRT_STEP_TEXT];
    CU_ASSERT_FATAL(grt_chain_find(timeline, task, 0, &chain) && chain.count == count);
    for (uint32_t i = 0; i < count; i++) {
        const struct grt_chain_step *step = &chain.steps[i];
        CU_ASSERT(step->kind == steps[i].kind && step->after == steps[i].after);
        CU_ASSERT(step->begin == steps[i].begin * US && step->end == steps[i].end * US);
        grt_step_text(timeline, &chain, i, text, sizeof text);
        grt_expect_text(text, steps[i].text);
    }
    grt_chain_free(&chain);
}

static void test_chains(void) {
    static const struct step of_h[] = {
        {GRT_STEP_RELEASE, 0, 0, GRT_NO_STEP, "release"},
        {GRT_STEP_OVERHEAD, 0, 100, 0, "context switch or wake-up"},
        {GRT_STEP_CPU, 100, 1000, 1, "computes"},
        {GRT_STEP_REQUEST, 1000, 1000, 2, "asks for the GPU"},
        {GRT_STEP_HOST, 1000, 1500, 3, "computes for its GPU segment"},
        {GRT_STEP_KERNEL, 1500, 4000, 4, "kernel near"},
        {GRT_STEP_SPIN, 1500, 4000, 4, "busy-waits for the GPU"},
        {GRT_STEP_BLOCKS, 1500, 4000, 5, "1 block on SM 0"},
        {GRT_STEP_HOST, 4000, 4500, 5, "computes for its GPU segment"},
        {GRT_STEP_CPU, 4500, 5000, 8, "computes"},
        {GRT_STEP_FINISH, 5000, 5000, 9, "completion"},
        {GRT_STEP_DEADLINE, 8000, 8000, GRT_NO_STEP, "deadline"},
    };
    static const struct step of_l[] = {
        {GRT_STEP_RELEASE, 0, 0, GRT_NO_STEP, "release"},
        {GRT_STEP_CPU, 0, 2000, 0, "computes"},
        {GRT_STEP_REQUEST, 2000, 2000, 1, "asks for the GPU"},
        {GRT_STEP_WAIT, 2000, 2050, GRT_NO_STEP, "waits 50 us for thread server, the GPU used by tau_h"},
        {GRT_STEP_THREAD, 2050, 2200, 2, "thread server: receives"},
        {GRT_STEP_WAIT, 2200, 4500, GRT_NO_STEP, "waits 2.3 ms for thread server, the GPU used by tau_h"},
        {GRT_STEP_THREAD, 4500, 5000, 4, "thread server: copies in"},
        {GRT_STEP_KERNEL, 5000, 8000, 6, "kernel far"},
        {GRT_STEP_BLOCKS, 5000, 8000, 7, "1 block on SM 0"},
        {GRT_STEP_THREAD, 8000, 8500, 7, "thread server: notifies"},
        {GRT_STEP_CPU, 8500, 9000, 9, "computes"},
        {GRT_STEP_FINISH, 9000, 9000, 10, "completion"},
        {GRT_STEP_DEADLINE, 10000, 10000, GRT_NO_STEP, "deadline"},
    };
    struct grt_timeline timeline = host_timeline();
    struct grt_cause cause;
    expect_chain(&timeline, HOST_TAU_H, of_h, COUNT(of_h));
    expect_chain(&timeline, HOST_TAU_L, of_l, COUNT(of_l));
    CU_ASSERT(grt_cause_of_job(&timeline, HOST_TAU_H, 0, &cause));
    CU_ASSERT(cause.parts[GRT_CAUSE_COMPUTE] == 2500 * US && cause.parts[GRT_CAUSE_KERNEL] == 2500 * US);
    CU_ASSERT(grt_cause_of_job(&timeline, HOST_TAU_L, 0, &cause));
    CU_ASSERT(cause.parts[GRT_CAUSE_COMPUTE] == 3650 * US && cause.parts[GRT_CAUSE_GPU] == 2350 * US);
    grt_timeline_free(&timeline);
}

/* ---- statistics ---- */

static grt_time sum_of(const struct grt_timeline *timeline, enum grt_measure measure, const bool *rows,
                       uint32_t task, uint64_t *count) {
    struct grt_span_question question = {0, 10000 * US, measure, rows};
    struct grt_span_statistics statistics;
    grt_span_statistics_make(&statistics, timeline, &question);
    grt_time sum = (grt_time)statistics.tasks[task].sum;
    *count = statistics.all.count;
    grt_span_statistics_free(&statistics);
    return sum / US;
}

static void test_statistics(void) {
    struct grt_timeline timeline = host_timeline();
    bool rows[16] = {false};
    uint64_t count;
    CU_ASSERT(sum_of(&timeline, GRT_MEASURE_HOST, NULL, 0, &count) == 1000 && count == 2);
    CU_ASSERT(sum_of(&timeline, GRT_MEASURE_SPIN, NULL, 0, &count) == 2500 && count == 1);
    CU_ASSERT(sum_of(&timeline, GRT_MEASURE_THREAD, NULL, 2, &count) == 1150 && count == 3);
    CU_ASSERT(sum_of(&timeline, GRT_MEASURE_OVERHEAD, NULL, 0, &count) == 100 && count == 2);
    CU_ASSERT(sum_of(&timeline, GRT_MEASURE_OVERHEAD, NULL, 2, &count) == 50);
    CU_ASSERT(sum_of(&timeline, GRT_MEASURE_CPU, NULL, 1, &count) == 3300 && count == 6);
    rows[2] = true; /* tau_l: what was done for it, too */
    CU_ASSERT(sum_of(&timeline, GRT_MEASURE_OVERHEAD, rows, 2, &count) == 50 && count == 1);
    CU_ASSERT(sum_of(&timeline, GRT_MEASURE_THREAD, rows, 2, &count) == 1150 && count == 3);
    CU_ASSERT(sum_of(&timeline, GRT_MEASURE_SPIN, rows, 0, &count) == 0 && count == 0);
    rows[2] = false;
    rows[timeline.first_rows[GRT_ROW_CORE]] = true; /* cpu 0 */
    CU_ASSERT(sum_of(&timeline, GRT_MEASURE_OVERHEAD, rows, 0, &count) == 100 && count == 1);
    CU_ASSERT(sum_of(&timeline, GRT_MEASURE_SPIN, rows, 0, &count) == 2500 && count == 1);
    rows[timeline.first_rows[GRT_ROW_CORE]] = false;
    rows[timeline.first_rows[GRT_ROW_CORE] + 1] = true;
    CU_ASSERT(sum_of(&timeline, GRT_MEASURE_OVERHEAD, rows, 2, &count) == 50 && count == 1);
    rows[HOST_TAU_L] = true; /* and the task that it was for: it counts once */
    CU_ASSERT(sum_of(&timeline, GRT_MEASURE_OVERHEAD, rows, 2, &count) == 50 && count == 1);
    CU_ASSERT_DOUBLE_EQUAL(grt_row_busy_share(grt_timeline_row(&timeline, GRT_ROW_CORE, 0), 0, 10000 * US),
                           0.5, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(grt_row_busy_share(grt_timeline_row(&timeline, GRT_ROW_CORE, 1), 0, 10000 * US),
                           0.7, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(grt_row_busy_share(grt_timeline_row(&timeline, GRT_ROW_TASK, 0), 0, 10000 * US),
                           0.24, 1e-12);
    for (enum grt_measure measure = GRT_MEASURE_RESPONSE; measure < GRT_MEASURES; measure++) {
        CU_ASSERT(grt_measure_applies(&timeline, measure));
    }
    grt_timeline_free(&timeline);
    CU_ASSERT(grt_measure_applies(&timeline, GRT_MEASURE_OWN));
    CU_ASSERT_FALSE(grt_measure_applies(&timeline, GRT_MEASURE_SPIN));
}

/* ---- search and differences ---- */

static uint64_t hits(const struct grt_timeline *timeline, const char *text) {
    struct grt_search search;
    grt_search_make(&search, timeline, text);
    uint64_t count = search.hit_count;
    grt_search_free(&search);
    return count;
}

static void test_search(void) {
    struct grt_timeline timeline = host_timeline();
    CU_ASSERT_EQUAL(hits(&timeline, "SERVER"), 3);
    CU_ASSERT_EQUAL(hits(&timeline, "notif"), 1);
    CU_ASSERT_EQUAL(hits(&timeline, "e"),
                    5); /* the thread once for all that it did, "held", the kernel near */
    grt_timeline_free(&timeline);
}

/* Another run in which one record is another; which rows of B differ. */
static uint32_t rows_that_differ(size_t record, const struct grt_trace_record *other) {
    struct grt_timeline a = host_timeline(), b = {.run = NULL};
    struct grt_trace_memory trace = host_trace();
    struct grt_difference difference;
    struct grt_difference_options options = {.tolerance = 0, .most_jobs = 1};
    uint32_t rows = 0;
    trace.records[record] = *other;
    grt_timeline_sink.names(&b, trace.names, trace.name_count);
    grt_timeline_sink.write(&b, trace.records, trace.record_count);
    grt_timeline_sink.end(&b);
    grt_difference_make(&difference, &a, &b, &options);
    for (uint32_t i = 0; i < difference.row_count; i++) {
        rows += difference.rows[i].track.count > 0;
    }
    grt_difference_free(&difference);
    grt_trace_memory_free(&trace);
    grt_timeline_free(&a);
    grt_timeline_free(&b);
    return rows;
}

static size_t find(const struct grt_trace_memory *trace, enum grt_trace_kind kind, uint8_t flags) {
    size_t i = 0;
    while (trace->records[i].kind != kind || (trace->records[i].flags & flags) != flags) {
        i++;
    }
    return i;
}

static void test_differences(void) {
    struct grt_trace_memory trace = host_trace();
    size_t boost = find(&trace, GRT_TRACE_PRIORITY, 0), spin = find(&trace, GRT_TRACE_CPU, GRT_TRACE_SPIN),
           overhead = find(&trace, GRT_TRACE_THREAD, GRT_TRACE_OVERHEAD),
           thread = find(&trace, GRT_TRACE_THREAD, 0) + 1;
    struct grt_trace_record record = trace.records[0];
    CU_ASSERT_EQUAL(rows_that_differ(0, &record), 0);
    record = trace.records[boost];
    record.other++;
    CU_ASSERT_EQUAL(rows_that_differ(boost, &record), 1); /* the task's */
    record = trace.records[spin];
    record.flags = 0;
    CU_ASSERT_EQUAL(rows_that_differ(spin, &record), 2); /* and the core's */
    record = trace.records[thread];
    record.detail ^= 3 << 16;
    CU_ASSERT_EQUAL(rows_that_differ(thread, &record), 1); /* another label */
    record = trace.records[thread];
    record.detail++;
    CU_ASSERT_EQUAL(rows_that_differ(thread, &record), 1); /* another thread */
    record = trace.records[overhead];
    record.detail ^= 3 << 16;
    CU_ASSERT_EQUAL(rows_that_differ(overhead, &record), 0); /* the switch is the same */
    record.detail++;
    CU_ASSERT_EQUAL(rows_that_differ(overhead, &record), 1);
    grt_trace_memory_free(&trace);
}

/* ---- text ---- */

static void test_gantt(void) {
    static const char expected[] =
        "hosts: 0s to 10ms, a column is 125us\n"
        "      ms  0       1       2       3       4       5       6       7       8       9\n"
        "          +-------+-------+-------+-------+-------+-------+-------+-------+-------+-------\n"
        "          ^       ****************************    :       :       :       v       :\n"
        "A tau_h   ,=======++++$$$$$$$$$$$$$$$$$$$$++++====:       :       :       :       :\n"
        "          ^       :       :       :       :       :       :       :       :       v\n"
        "B tau_m   -----------------===================----========:       :       :       :\n"
        "          ^       :       :       :       :       :       :       :       :   ****:      v\n"
        "C tau_l   ================&&..................&&&&########################&&&&====:\n"
        "          :       :       :       :       :       :       :       :       :       :\n"
        "lock      :       AAAAAAAAAAAAAAAAAAAAAAAAAAAA    :       :       :       :       :\n"
        "cpu 0     ,AAAAAAAAAAA@@@@@@@@@@@@@@@@@@@@AAAAAAAA:       :       :       :       :\n"
        "cpu 1     CCCCCCCCCCCCCCCCDDBBBBBBBBBBBBBBBBBBDDDDBBBBBBBB:       :       DDDDCCCC:\n"
        "SM 0      :       :   88888888888888888888:       888888888888888888888888:       :\n"
        "          :       :   AAAAAAAAAAAAAAAAAAAA:       CCCCCCCCCCCCCCCCCCCCCCCC:       :\n"
        "* boosted priority  ^ release  v deadline  - ready, waits for a core  . waits for the GPU\n"
        "& a thread of the policy computes for it  , context switch or wake-up\n"
        "@ busy-waits for the GPU  + host part of a GPU segment  = on a core  # kernel\n"
        "$ kernel, busy-waits for it  D thread server of the policy  1 to 8 share of the SM's threads\n";
    struct grt_trace_memory trace = host_trace();
    struct grt_text_gantt_options options = {.to = 10000 * US, .width = 92};
    char *drawing = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&drawing, &size);
    grt_text_gantt_write(&trace, &options, out);
    fclose(out);
    grt_expect_text(drawing, expected);
    free(drawing);
    grt_trace_memory_free(&trace);
}

/* The end of a job, whichever it is, ends its priority. */
static void test_gantt_of_ends(void) {
    static const uint8_t kinds[] = {GRT_TRACE_FINISH, GRT_TRACE_ABORT, GRT_TRACE_UNFINISHED};
    static const char *const expected[] = {"   ****:      v\n", "   ****X      v\n", "   ****:      v\n"};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct grt_trace_memory trace = host_trace();
        struct grt_text_gantt_options options = {.to = 10000 * US, .width = 92};
        char *drawing = NULL;
        size_t size = 0;
        trace.records[trace.record_count - 1].kind = kinds[i];
        FILE *out = open_memstream(&drawing, &size);
        grt_text_gantt_write(&trace, &options, out);
        fclose(out);
        CU_ASSERT_PTR_NOT_NULL(strstr(drawing, expected[i]));
        free(drawing);
        grt_trace_memory_free(&trace);
    }
}

/* ---- exports ---- */

static bool has_lines(const char *text, const char *const *lines, size_t count) {
    bool all = true;
    for (size_t i = 0; i < count; i++) {
        if (strstr(text, lines[i]) == NULL) {
            printf("no line %s\n", lines[i]);
            all = false;
        }
    }
    return all;
}

static void test_exports(void) {
    static const char *const csv[] = {
        "\ncpu,tau_h,0,0,100000,cpu 0,,0,,,,,overhead\n",
        "\npriority,tau_h,0,1000000,1000000,,1003,1,,,,,boosted\n",
        "\npriority,tau_h,0,4500000,4500000,,3,1,,,,,\n",
        "\nthread,tau_l,0,2000000,2050000,cpu 1,server: overhead,,,,,,overhead\n",
        "\nthread,tau_l,0,8000000,8500000,cpu 1,server: notifies,,,,,,\n",
        "\ncpu,tau_h,0,1500000,4000000,cpu 0,,1,,,,,spin\n",
    };
    static const char *const chrome[] = {
        "\"dur\":2500,\"name\":\"tau_h: busy-waits\",\"cat\":\"busy-wait\",\"args\":{\"job\":0}},",
        "\"dur\":100,\"name\":\"tau_h: overhead\",\"cat\":\"overhead\",\"args\":{\"job\":0}},",
        "\"dur\":50,\"name\":\"server: overhead\",\"cat\":\"overhead\",\"args\":{\"job\":0}},",
        "\"dur\":500,\"name\":\"server: copies in\",\"cat\":\"thread\",\"args\":{\"job\":0}},",
        "\"name\":\"boosted\",\"args\":{\"job\":0,\"priority\":1003}},",
        "\"name\":\"base priority\",\"args\":{\"job\":0,\"priority\":3}},",
    };
    const struct grt_export_options all = grt_export_all();
    const char *path = GRT_SCRATCH_DIR "/exported";
    struct grt_trace_memory trace = host_trace();
    size_t size;
    char *text = grt_exported(grt_export_csv, &trace, &all, path, &size);
    CU_ASSERT(has_lines(text, csv, COUNT(csv)));
    free(text);
    text = grt_exported(grt_export_chrome, &trace, &all, path, &size);
    CU_ASSERT(has_lines(text, chrome, COUNT(chrome)));
    free(text);
    CU_ASSERT(grt_perfetto_holds(&trace, path) && grt_chrome_holds(&trace, path) &&
              grt_csv_holds(&trace, path));
    CU_ASSERT_EQUAL(grt_perfetto_marks(&trace, path, "boosted"), 2);
    grt_trace_memory_free(&trace);
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"parts", test_parts},
        {"odd records", test_odd_records},
        {"without host parts", test_without_host_parts},
        {"sentences", test_sentences},
        {"users of cores", test_core_users},
        {"chains", test_chains},
        {"statistics", test_statistics},
        {"search", test_search},
        {"differences", test_differences},
        {"text Gantt", test_gantt},
        {"text Gantt: ends of jobs", test_gantt_of_ends},
        {"exports", test_exports},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("host_timeline", tests);
}
