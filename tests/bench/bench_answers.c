/* Answers about ten million slices: statistics of a span of all, searches, and what differs between two such runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"
#include "sim/random.h"
#include "sim/ready_queue.h"
#include "tests/bench/bench.h"
#include "viz/answers/difference.h"
#include "viz/answers/search.h"
#include "viz/answers/span_statistics.h"

enum { SMS = 64, LANES = 4, TASKS = 7, SLICES = 10000000, BLOCKS_OF_KERNEL = 1000, LOT = 8192 };

static void tell_names(struct grt_timeline *timeline) {
    static struct grt_trace_name names[2 * TASKS + SMS + 1];
    static char texts[TASKS + SMS][16];
    size_t count = 0;
    for (uint32_t i = 0; i < TASKS; i++, count++) {
        snprintf(texts[count], sizeof texts[count], "task %u", (unsigned)i);
        names[count] = (struct grt_trace_name){.kind = GRT_NAME_TASK, .index = i, .text = texts[count]};
    }
    for (uint32_t i = 0; i < SMS; i++, count++) {
        snprintf(texts[count], sizeof texts[count], "SM %u", (unsigned)i);
        names[count] =
            (struct grt_trace_name){.kind = GRT_NAME_SM, .index = i, .weight = 2048, .text = texts[count]};
    }
    for (uint32_t i = 0; i < TASKS; i++, count++) {
        names[count] =
            (struct grt_trace_name){.kind = GRT_NAME_KERNEL, .index = i, .weight = 512, .text = "kernel"};
    }
    names[count++] =
        (struct grt_trace_name){.kind = GRT_NAME_KERNEL, .index = 6, .command = 1, .text = "needle"};
    grt_timeline_sink.names(timeline, names, count);
}

/* Records on their way into a timeline. */
struct lot {
    struct grt_timeline *timeline;
    struct grt_trace_record records[LOT];
    size_t count;
};

static void flush(struct lot *lot) {
    grt_timeline_sink.write(lot->timeline, lot->records, lot->count);
    lot->count = 0;
}

static void add(struct lot *lot, struct grt_trace_record record) {
    lot->records[lot->count++] = record;
    if (lot->count == LOT) {
        flush(lot);
    }
}

/* Blocks on the lanes of SMs; each thousand that end one after the other are a kernel, of one task after the other. */
static void make_blocks(struct grt_timeline *timeline, uint64_t seed) {
    static struct lot lot;
    grt_time starts[SMS * LANES] = {0}, first = GRT_TIME_NEVER;
    struct grt_arena arena = {0};
    struct grt_random random = grt_random_of_key(seed);
    struct grt_ready_queue ends = grt_ready_queue_create(&arena, SMS * LANES);
    lot.timeline = timeline;
    tell_names(timeline);
    for (uint32_t lane = 0; lane < SMS * LANES; lane++) {
        grt_ready_queue_push(&ends, 5000 + (grt_time)grt_random_below(&random, 10000), 0, lane);
    }
    for (uint32_t i = 0; i < SLICES; i++) {
        uint32_t number = i / BLOCKS_OF_KERNEL;
        grt_time end = grt_ready_queue_top(&ends)->key;
        uint32_t lane = grt_ready_queue_pop(&ends);
        struct grt_trace_record record = {.time = end,
                                          .other = starts[lane],
                                          .job = number / TASKS,
                                          .detail = i % BLOCKS_OF_KERNEL,
                                          .row = lane / LANES,
                                          .task = (uint16_t)(number % TASKS),
                                          .kind = GRT_TRACE_BLOCK};
        first = starts[lane] < first ? starts[lane] : first;
        add(&lot, record);
        if (i % BLOCKS_OF_KERNEL == BLOCKS_OF_KERNEL - 1) {
            record.kind = GRT_TRACE_KERNEL;
            record.other = first;
            record.detail = 0;
            add(&lot, record);
            first = GRT_TIME_NEVER;
        }
        starts[lane] = end + (grt_time)grt_random_below(&random, 500);
        grt_ready_queue_push(&ends, starts[lane] + 5000 + (grt_time)grt_random_below(&random, 10000), 0,
                             lane);
    }
    flush(&lot);
    grt_timeline_sink.end(timeline);
    grt_arena_clear(&arena);
}

/* As many kernels or ends of jobs of tasks one after the other; the last of the kernels is the needle. */
static void make_row(struct grt_timeline *timeline, enum grt_trace_kind kind) {
    static struct lot lot;
    lot.timeline = timeline;
    tell_names(timeline);
    for (uint32_t i = 0; i < SLICES; i++) {
        add(&lot, (struct grt_trace_record){.time = 10 * (grt_time)i + 9,
                                            .other = 10 * (grt_time)i,
                                            .job = i / TASKS,
                                            .detail = i + 1 == SLICES,
                                            .task = i + 1 == SLICES ? 6 : (uint16_t)(i % TASKS),
                                            .kind = (uint8_t)kind});
    }
    flush(&lot);
    grt_timeline_sink.end(timeline);
}

struct answers {
    struct grt_timeline *a, *b;
    const char *text;
};

/* The least that must be done: to look at every slice. */
static uint64_t read_blocks(void *state) {
    const struct grt_timeline *timeline = ((struct answers *)state)->a;
    uint64_t sum = 0;
    for (uint32_t i = timeline->first_rows[GRT_ROW_SM]; i < timeline->first_rows[GRT_ROW_SM + 1]; i++) {
        const struct grt_track *track = grt_row_track(&timeline->rows[i], GRT_PART_BLOCK);
        for (uint32_t j = 0; j < track->count; j++) {
            sum += (uint64_t)grt_track_at(track, j).start;
        }
    }
    bench_use(sum);
    return SLICES;
}

static uint64_t count_blocks(void *state) {
    const struct grt_timeline *timeline = ((struct answers *)state)->a;
    struct grt_span_question question = {.from = 0, .to = timeline->end, .measure = GRT_MEASURE_BLOCK};
    struct grt_span_statistics statistics;
    grt_span_statistics_make(&statistics, timeline, &question);
    bench_use((uint64_t)statistics.all.p99);
    grt_span_statistics_free(&statistics);
    return SLICES;
}

static uint64_t find_first(void *state) {
    const struct answers *answers = state;
    struct grt_search search;
    struct grt_search_hit hit = {.number = 0};
    const struct grt_place nowhere = {GRT_NOWHERE, 0, 0};
    grt_search_make(&search, answers->a, answers->text);
    grt_search_next(&search, &nowhere, &hit);
    bench_use((uint64_t)hit.instant);
    grt_search_free(&search);
    return 1;
}

/* Enter, a thousand times: nanoseconds of one. */
static double find_next(const struct answers *answers) {
    struct grt_search search;
    struct grt_search_hit hit = {.place = {GRT_NOWHERE, 0, 0}};
    grt_search_make(&search, answers->a, "kernel");
    double before = bench_cpu_seconds();
    for (int i = 0; i < 1000; i++) {
        struct grt_place from = hit.place;
        grt_search_next(&search, &from, &hit);
    }
    double seconds = bench_cpu_seconds() - before;
    bench_use(hit.number);
    grt_search_free(&search);
    return seconds * 1e9 / 1000;
}

static uint64_t compare(void *state) {
    const struct answers *answers = state;
    struct grt_difference difference;
    const struct grt_difference_options options = {.tolerance = 0, .most_jobs = 10000};
    grt_difference_make(&difference, answers->a, answers->b, &options);
    bench_use((uint64_t)difference.first);
    grt_difference_free(&difference);
    return 1;
}

static double bytes_of_difference(const struct answers *answers) {
    struct grt_difference difference;
    const struct grt_difference_options options = {.tolerance = 0, .most_jobs = 10000};
    grt_difference_make(&difference, answers->a, answers->b, &options);
    uint64_t bytes = difference.job_capacity * sizeof *difference.jobs;
    for (uint32_t i = 0; i < difference.row_count; i++) {
        bytes += grt_track_bytes(&difference.rows[i].track);
    }
    grt_difference_free(&difference);
    return (double)bytes / SLICES / 2;
}

static void report_search(struct answers *answers, const char *name, const char *text, double reading) {
    answers->text = text;
    bench_report(name, bench_ns_per_unit(find_first, answers, 3), "10,000,000 slices read once",
                 reading * SLICES, "<= 100 ms");
}

void bench_answers(void) {
    struct grt_timeline a = {0}, b = {0};
    struct answers answers = {&a, &b, ""};
    make_blocks(&a, 1);
    double reading = bench_ns_per_unit(read_blocks, &answers, 3);
    bench_report("statistics of 10,000,000 blocks, per block", bench_ns_per_unit(count_blocks, &answers, 3),
                 "each read once", reading, "<= 20 ns");
    make_blocks(&b, 2);
    bench_report("difference of two runs of 10,000,000 blocks", bench_ns_per_unit(compare, &answers, 1),
                 "each read once", reading * 2 * SLICES, "a few seconds");
    bench_report("its memory, bytes per block", bytes_of_difference(&answers), "a record of the trace", 32,
                 "<= 16 bytes");
    answers.b = &a;
    bench_report("difference of a run and itself", bench_ns_per_unit(compare, &answers, 1), "each read once",
                 reading * 2 * SLICES, "a few seconds");
    answers.b = &b;
    grt_timeline_free(&a);
    grt_timeline_free(&b);
    make_row(&a, GRT_TRACE_KERNEL);
    report_search(&answers, "search for what nothing contains", "nothing", reading);
    report_search(&answers, "search for the last of 10,000,000 kernels", "needle", reading);
    report_search(&answers, "search for all but the last", "kernel", reading);
    bench_report("from hit to hit", find_next(&answers), "a slice read", reading, "<= 1 ms");
    grt_timeline_free(&a);
    make_row(&a, GRT_TRACE_FINISH);
    report_search(&answers, "search for a job that is not there", "#4000000000", reading);
    grt_timeline_free(&a);
}
