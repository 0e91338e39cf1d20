/* labels: soak */
/* Timelines of random runs against their traces and results. */
#include <inttypes.h>
#include <stdio.h>

#include "policies/registry.h"
#include "tests/support/pick.h"
#include "tests/support/random_world.h"
#include "tests/support/suite.h"
#include "viz/timeline/timeline.h"

static void build(struct grt_timeline *timeline, const struct grt_built_run *run) {
    *timeline = (struct grt_timeline){0};
    grt_timeline_sink.names(timeline, run->kept.names, run->kept.name_count);
    grt_timeline_sink.write(timeline, run->kept.records, run->kept.record_count);
    grt_timeline_sink.end(timeline);
}

static uint32_t rows_of(const struct grt_timeline *timeline, enum grt_row_kind kind) {
    return timeline->first_rows[kind + 1] - timeline->first_rows[kind];
}

static uint64_t busy_in_all(const struct grt_timeline *timeline, const struct grt_track *track) {
    struct grt_track_cursor cursor = {0};
    grt_wide before = grt_track_busy(track, &cursor, timeline->begin);
    return (uint64_t)(grt_track_busy(track, &cursor, timeline->end + 1) - before);
}

/* How long cores and copy engines worked is what the results say. */
static bool works_as_long(const struct grt_timeline *timeline, const struct grt_result *result) {
    bool good =
        rows_of(timeline, GRT_ROW_CORE) >= result->core_count; /* and those of the policy's own threads */
    for (uint32_t i = 0; i < result->core_count && good; i++) {
        const struct grt_row *row = grt_timeline_row(timeline, GRT_ROW_CORE, i);
        uint64_t busy = 0;
        for (uint32_t j = 0; j < row->track_count; j++) {
            busy += busy_in_all(timeline, row->tracks[j].track);
        }
        good =
            busy == (uint64_t)result->cores[i].busy &&
            busy_in_all(timeline, grt_row_track(row, GRT_PART_SPIN)) == (uint64_t)result->cores[i].spinning &&
            busy_in_all(timeline, grt_row_track(row, GRT_PART_OVERHEAD)) ==
                (uint64_t)result->cores[i].overhead;
    }
    uint32_t engine = 0;
    for (size_t i = 0; i < result->gpu_count; i++) {
        for (uint32_t j = 0; j < result->gpus[i].engine_count && good; j++) {
            const struct grt_row *row = grt_timeline_row(timeline, GRT_ROW_ENGINE, engine++);
            good = busy_in_all(timeline, grt_row_track(row, GRT_PART_COPY)) ==
                   (uint64_t)result->gpus[i].engine_busy[j];
        }
    }
    return good;
}

/* Every job that the results call missed, and no other, is in the list of misses and is a sign on its task's row. */
static bool knows_misses(const struct grt_timeline *timeline, const struct grt_result *result) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < result->task_count; i++) {
        const struct grt_track *signs =
            grt_row_track(grt_timeline_row(timeline, GRT_ROW_TASK, i), GRT_PART_MISS);
        for (uint32_t j = 0; j < signs->count; j++) {
            struct grt_slice sign = grt_track_at(signs, j);
            const struct grt_miss *miss = &timeline->misses[sign.detail];
            if (miss->job != sign.job || miss->task != i || miss->deadline != sign.end ||
                miss->end < miss->deadline || miss->kind == 0) {
                return false;
            }
        }
        if (signs->count != result->tasks[i].missed) {
            return false;
        }
        sum += signs->count;
    }
    return sum == timeline->miss_count;
}

/* The records of a trace that make slices in a kind of rows. */
static uint32_t slices_in(const struct grt_timeline *timeline, enum grt_row_kind kind,
                          enum grt_track_part part) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < rows_of(timeline, kind); i++) {
        sum += grt_row_track(grt_timeline_row(timeline, kind, i), part)->count;
    }
    return sum;
}

static bool has_all(const struct grt_timeline *timeline, const struct grt_built_run *run) {
    return slices_in(timeline, GRT_ROW_SM, GRT_PART_BLOCK) == grt_built_run_count(run, GRT_TRACE_BLOCK) &&
           slices_in(timeline, GRT_ROW_STREAM, GRT_PART_KERNEL) ==
               grt_built_run_count(run, GRT_TRACE_KERNEL) &&
           slices_in(timeline, GRT_ROW_STREAM, GRT_PART_CALL) == grt_built_run_count(run, GRT_TRACE_CALL) &&
           slices_in(timeline, GRT_ROW_TASK, GRT_PART_COPY) == grt_built_run_count(run, GRT_TRACE_COPY) &&
           slices_in(timeline, GRT_ROW_TASK, GRT_PART_CPU) +
                   slices_in(timeline, GRT_ROW_TASK, GRT_PART_HOST) +
                   slices_in(timeline, GRT_ROW_TASK, GRT_PART_SPIN) +
                   slices_in(timeline, GRT_ROW_TASK, GRT_PART_OVERHEAD) ==
               grt_built_run_count(run, GRT_TRACE_CPU) &&
           slices_in(timeline, GRT_ROW_TASK, GRT_PART_BLOCKED) ==
               grt_built_run_count(run, GRT_TRACE_BLOCKED) &&
           slices_in(timeline, GRT_ROW_TASK, GRT_PART_SUSPENDED) ==
               grt_built_run_count(run, GRT_TRACE_GPU_SEGMENT) &&
           slices_in(timeline, GRT_ROW_TASK, GRT_PART_WINDOW) ==
               grt_built_run_count(run, GRT_TRACE_RELEASE) &&
           slices_in(timeline, GRT_ROW_TASK, GRT_PART_JOB) ==
               grt_built_run_count(run, GRT_TRACE_FINISH) + grt_built_run_count(run, GRT_TRACE_ABORT) +
                   grt_built_run_count(run, GRT_TRACE_UNFINISHED) &&
           timeline->record_count == run->kept.record_count && timeline->left_out == 0;
}

/* Every block finds the next record of a kernel of its task, job and grid, and weighs what that kernel's blocks do. */
static bool knows_kernels(const struct grt_timeline *timeline, const struct grt_built_run *run) {
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i], *kernel = record + 1;
        if (record->kind != GRT_TRACE_BLOCK) {
            continue;
        }
        const struct grt_trace_record *end = run->kept.records + run->kept.record_count;
        while (kernel < end &&
               (kernel->kind != GRT_TRACE_KERNEL || kernel->task != record->task ||
                kernel->job != record->job || grt_trace_grid(kernel->row) != grt_trace_grid(record->row))) {
            kernel++;
        }
        struct grt_slice block = {.start = record->other,
                                  .end = record->time,
                                  .job = record->job,
                                  .task = record->task,
                                  .grid = (uint16_t)grt_trace_grid(record->row)};
        uint32_t number = grt_timeline_kernel_of(timeline, &block);
        const struct grt_row *task = grt_timeline_row(timeline, GRT_ROW_TASK, record->task);
        if (kernel == end || number == GRT_NO_SLICE ||
            grt_track_at(grt_row_track(task, GRT_PART_KERNEL), number).detail != kernel->detail) {
            return false;
        }
    }
    return true;
}

/* No two blocks are drawn over each other, and, where one kernel has the SM, none outside of it. */
static bool fits_sms(const struct grt_timeline *timeline) {
    for (uint32_t i = 0; i < rows_of(timeline, GRT_ROW_SM); i++) {
        const struct grt_track *track =
            grt_row_track(grt_timeline_row(timeline, GRT_ROW_SM, i), GRT_PART_BLOCK);
        if (track->crowded) {
            return false;
        }
    }
    return true;
}

/* What a random world gets besides. */
enum added { NOTHING, CALLS, HOSTS };

/* Gives every GPU segment of a world host parts, some asynchronous, and its cores costs. */
static void add_hosts(struct grt_builder *builder, uint64_t seed) {
    struct grt_random random = grt_random_stream(seed, "hosts", 0, 0);
    struct grt_scenario *scenario = &builder->scenario;
    scenario->context_switch = grt_pick(&random, 0, 20) * GRT_MICROSECOND;
    scenario->wake_up = grt_pick(&random, 0, 20) * GRT_MICROSECOND;
    for (size_t i = 0; i < scenario->task_count; i++) {
        for (size_t j = 0; j < builder->tasks[i].segment_count; j++) {
            struct grt_segment *segment = &builder->segments[i][j];
            for (int part = 0; part < 2 && segment->kind == GRT_SEGMENT_GPU; part++) {
                grt_time time = grt_pick(&random, 0, 200) * GRT_MICROSECOND;
                segment->host_part[part] = (struct grt_distribution){.kind = GRT_CONSTANT, .max = time};
                segment->host_mode = grt_pick(&random, GRT_HOST_SYNCHRONOUS, GRT_HOST_ASYNCHRONOUS);
            }
        }
    }
}

static void judge(int cases, uint64_t first, const char *name, enum added added) {
    for (int i = 0; i < cases; i++) {
        struct grt_builder *builder = grt_random_world(first + (uint64_t)i);
        if (added == CALLS) {
            grt_random_world_add_calls(builder, first + (uint64_t)i);
        } else if (added == HOSTS) {
            add_hosts(builder, first + (uint64_t)i);
        }
        struct grt_built_run run;
        grt_built_run_under(&run, builder, name);
        struct grt_timeline timeline;
        build(&timeline, &run);
        bool good = works_as_long(&timeline, run.result) && knows_misses(&timeline, run.result) &&
                    has_all(&timeline, &run) && knows_kernels(&timeline, &run) && fits_sms(&timeline);
        CU_ASSERT(good);
        if (!good) {
            fprintf(stderr, "world %" PRIu64 " under %s: %d %d %d %d %d, %" PRIu64 " left out\n",
                    first + (uint64_t)i, name, works_as_long(&timeline, run.result),
                    knows_misses(&timeline, run.result), has_all(&timeline, &run),
                    knows_kernels(&timeline, &run), fits_sms(&timeline), timeline.left_out);
            i = cases;
        }
        grt_timeline_free(&timeline);
        grt_built_run_end(&run, builder);
    }
}

static void random_worlds(void) {
    int cases = grt_suite_cases(60, 2000);
    judge(cases, 700000, "hardware", NOTHING);
    judge(cases, 710000, "np-edf", NOTHING);
}

static void random_calls(void) {
    judge(grt_suite_cases(60, 2000), 720000, "hardware", CALLS);
}

/* Host parts, priorities, busy-waiting, threads of the policy, costs on the cores. */
static void random_hosts(void) {
    static const char *const names[] = {"hardware", "mpcp", "fmlp+", "gpu-server"};
    int cases = grt_suite_cases(30, 1000);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        judge(cases, 730000 + 10000 * i, names[i], HOSTS);
    }
}

static CU_TestInfo tests[] = {
    {"timelines of random worlds say what trace and results say", random_worlds},
    {"the same with calls", random_calls},
    {"the same where cores serve the GPU", random_hosts},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("timeline", tests);
}
