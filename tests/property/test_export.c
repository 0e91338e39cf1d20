/* labels: soak */
/* Exports of random worlds, and of records that no world would make: every slice with its times, lanes on which nothing
 * overlaps, flows that run forward, every miss. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "policies/registry.h"
#include "sim/memory.h"
#include "sim/random.h"
#include "tests/support/export_check.h"
#include "tests/support/random_world.h"
#include "tests/support/suite.h"

#define PATH GRT_SCRATCH_DIR "/exported"

static bool all_hold(const struct grt_trace_memory *trace) {
    return grt_perfetto_holds(trace, PATH) && grt_chrome_holds(trace, PATH) && grt_csv_holds(trace, PATH);
}

/* ---- Worlds ---- */

static struct grt_builder *make_world(uint64_t number) {
    static const struct grt_process processes[] = {{.name = "p"}, {.name = "q"}};
    struct grt_builder *builder = grt_random_world(number);
    if (number % 2 == 0) {
        grt_random_world_add_calls(builder, number);
    }
    for (size_t i = 0; number % 3 == 0 && i < builder->scenario.gpu_count; i++) {
        builder->scenario.processes = processes;
        builder->scenario.process_count = 2;
        builder->gpus[i].time_slice = builder->gpus[i].copy_time_slice = 20 + (grt_time)(number % 40);
        builder->gpus[i].context_preemption = 2;
    }
    for (size_t i = 0; number % 3 == 0 && i < builder->scenario.task_count; i++) {
        builder->tasks[i].process = (int64_t)(i % 2);
    }
    return builder;
}

/* Every job that the results count as missed has a mark, and no other: of those whose deadline was within the run. */
static bool marks_every_miss(const struct grt_built_run *run) {
    size_t missed = 0;
    for (size_t i = 0; i < run->result->task_count; i++) {
        missed += run->result->tasks[i].missed;
    }
    size_t marks = grt_perfetto_marks(&run->kept, PATH, "miss");
    if (marks != missed) {
        fprintf(stderr, "%zu marks for %zu misses\n", marks, missed);
    }
    return marks == missed;
}

static void test_worlds(void) {
    static const char *const policies[] = {"hardware", "np-edf", "fifo", "np-fp", "np-rm"};
    size_t slices = 0, missed = 0;
    for (int i = 0; i < grt_suite_cases(60, 5000); i++) {
        uint64_t number = 7000 + (uint64_t)i;
        const struct grt_policy_ops *policy = grt_policy_find(policies[(size_t)i % 5]);
        struct grt_builder *builder = make_world(number);
        struct grt_built_run run;
        grt_built_run_start(&run, &builder->scenario, policy, false);
        bool good = run.result == NULL || (all_hold(&run.kept) && marks_every_miss(&run));
        slices += run.kept.record_count;
        for (size_t j = 0; run.result != NULL && j < run.result->task_count; j++) {
            missed += run.result->tasks[j].missed;
        }
        CU_ASSERT(good);
        if (!good) {
            fprintf(stderr, "world %" PRIu64 "\n", number);
        }
        grt_built_run_end(&run, builder);
    }
    CU_ASSERT(slices > 5000 && missed > 20); /* or the test holds nothing */
}

/* ---- Records that no world would make, but that the reader of files accepts ---- */

enum { TASKS = 3, RECORDS = 400 };

static void make_records(struct grt_trace_memory *trace, uint64_t number) {
    static const struct grt_trace_name names[] = {
        {GRT_NAME_RUN, 0, 0, 0, 0, "a \"run\", hostile\\"},
        {GRT_NAME_TASK, 0, 0, 0, 0, "zero"},
        {GRT_NAME_TASK, 2, 0, 0, 0, "\xff\xc0\x80, two"},
        {GRT_NAME_TASK, 2, 0, 0, 0, "again"},
        {GRT_NAME_SM, 1, 0, 0, 8, "same"},
        {GRT_NAME_SM, 2, 0, 0, 8, "same"},
        {GRT_NAME_KERNEL, 70000, 1, 1, 8, "far"},
        {GRT_NAME_KERNEL, 0, 0, 1, 8, "k\"k"},
        {GRT_NAME_CORE, UINT32_MAX, 0, 0, 0, ""},
    };
    struct grt_random random = grt_random_stream(number, "export", 0, 0);
    static const uint32_t rows[] = {0, 1, 2, 3, 0x10001, 0x20002, UINT32_MAX, 0x7fffffff};
    grt_time time = 0;
    trace->names = (struct grt_trace_name *)(size_t)names;
    trace->name_count = sizeof names / sizeof names[0];
    trace->records = grt_allocate(RECORDS * sizeof *trace->records);
    trace->record_count = RECORDS;
    for (int i = 0; i < RECORDS; i++) {
        struct grt_trace_record *record = &trace->records[i];
        time += grt_random_below(&random, 3) == 0 ? (grt_time)grt_random_below(&random, 5) : 0;
        *record = (struct grt_trace_record){
            .time = time,
            .other = (grt_time)grt_random_below(&random, (uint64_t)time + 1),
            .job = grt_random_below(&random, 9) == 0 ? UINT32_MAX : (uint32_t)grt_random_below(&random, 4),
            .detail = rows[grt_random_below(&random, 8)],
            .row = rows[grt_random_below(&random, 8)],
            .task = (uint16_t)grt_random_below(&random, TASKS),
            .kind = (uint8_t)(1 + grt_random_below(&random, GRT_TRACE_KINDS - 1)),
            .flags =
                (uint8_t)(grt_random_below(&random, 4) == 0 ? grt_random_below(&random, 256) & ~16u : 0)};
        bool none = record->kind == GRT_TRACE_ROW_SLICE || record->kind == GRT_TRACE_ROW_MARK ||
                    record->kind == GRT_TRACE_CONTEXT || record->kind == GRT_TRACE_THREAD ||
                    record->kind == GRT_TRACE_SHARE;
        record->task = none && grt_random_below(&random, 2) == 0 ? GRT_TRACE_NO_TASK : record->task;
        record->flags |= grt_random_below(&random, 30) == 0 ? GRT_TRACE_OPEN : 0;
    }
}

static void test_hostile_records(void) {
    for (int i = 0; i < grt_suite_cases(150, 10000); i++) {
        struct grt_trace_memory trace = {0};
        make_records(&trace, (uint64_t)i);
        bool good = grt_perfetto_holds(&trace, PATH) && grt_csv_holds(&trace, PATH);
        CU_ASSERT(good);
        if (!good) {
            fprintf(stderr, "records %d\n", i);
        }
        free(trace.records);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"worlds", test_worlds}, {"hostile records", test_hostile_records}, CU_TEST_INFO_NULL};
    return grt_suite_run("export", tests);
}
