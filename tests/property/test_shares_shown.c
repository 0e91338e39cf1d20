/* labels: soak */
/* What is shown of random worlds on GPUs of granularity shares, under a policy that sets shares at random: each answer against one that is found
 * in the records, one by one. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/policy.h"
#include "policies/request_list.h"
#include "tests/support/export_check.h"
#include "tests/support/pick.h"
#include "tests/support/random_world.h"
#include "tests/support/shared_world.h"
#include "tests/support/suite.h"
#include "viz/answers/cause.h"
#include "viz/answers/explain.h"
#include "viz/gantt/text_gantt.h"
#include "viz/timeline/shares.h"

#define PATH GRT_SCRATCH_DIR "/shown"

/* ---- The policy ---- */

/* Submits at once, each task in a stream of its own, and sets shares without any reason. */
struct random_shares {
    struct grt_random random;
    grt_stream *streams; /* by task */
    struct request_list requests;
    uint32_t task_count;
};

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct random_shares *self = state;
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    (void)errors;
    self->task_count = (uint32_t)scenario->task_count;
    self->random = grt_random_stream(scenario->seed, "random shares", 0, 0);
    self->streams = grt_policy_memory(world, self->task_count, sizeof *self->streams);
    self->requests = request_list_for(world);
    for (uint32_t i = 0; i < self->task_count; i++) {
        self->streams[i] =
            grt_policy_stream(world, (uint32_t)scenario->tasks[i].gpu, 0, scenario->tasks[i].name);
    }
    return true;
}

static void request(void *state, struct grt_world *world, grt_job job) {
    struct random_shares *self = state;
    (void)world;
    request_list_add(&self->requests, job);
}

static void withdrawn(void *state, struct grt_world *world, grt_job job) {
    struct random_shares *self = state;
    (void)world;
    request_list_remove(&self->requests, job);
}

static void decide(void *state, struct grt_world *world) {
    static const int64_t shares[] = {0, 1, 30, 50, 99, 100};
    struct random_shares *self = state;
    for (uint32_t i = 0; i < self->requests.count; i++) {
        grt_policy_submit(world, self->requests.jobs[i],
                          self->streams[grt_policy_job(world, self->requests.jobs[i])->task]);
    }
    self->requests.count = 0;
    if (grt_pick(&self->random, 0, 1) == 0) {
        grt_stream stream = self->streams[grt_pick(&self->random, 0, self->task_count - 1)];
        grt_policy_set_share(world, stream, shares[grt_pick(&self->random, 0, 5)]);
    }
}

static const struct grt_policy_ops random_shares = {.name = "random-shares",
                                                    .summary = "sets shares without any reason",
                                                    .state_size = sizeof(struct random_shares),
                                                    .sets_shares = true,
                                                    .start = start,
                                                    .gpu_request = request,
                                                    .gpu_withdrawn = withdrawn,
                                                    .decide = decide};

/* ---- By the records ---- */

/* The share of a stream behind what was said until an instant; 101: it is never said in the whole trace. */
static uint32_t share_at(const struct grt_trace_memory *trace, uint32_t stream, grt_time instant) {
    uint32_t share = 101;
    for (size_t i = 0; i < trace->record_count; i++) {
        const struct grt_trace_record *record = &trace->records[i];
        if (record->kind == GRT_TRACE_SHARE && record->row == stream) {
            share = share == 101 ? 100 : share;
            share = record->time <= instant ? (uint32_t)record->other : share;
        }
    }
    return share;
}

/* What is said of a span, from change to change. */
static bool shares_of(const struct grt_trace_memory *trace, uint32_t stream, grt_time from, grt_time to,
                      struct grt_shares *shares) {
    grt_wide work = 0;
    *shares = (struct grt_shares){.least = 100};
    if (from >= to || share_at(trace, stream, from) == 101) {
        return false;
    }
    for (grt_time begin = from, end = to; begin < to; begin = end, end = to) {
        uint32_t share = share_at(trace, stream, begin);
        for (size_t i = 0; i < trace->record_count; i++) {
            const struct grt_trace_record *record = &trace->records[i];
            if (record->kind == GRT_TRACE_SHARE && record->row == stream && record->time > begin &&
                record->time < end) {
                end = record->time;
            }
        }
        shares->least = share < shares->least ? share : shares->least;
        shares->most = share > shares->most ? share : shares->most;
        shares->still += share == 0 ? end - begin : 0;
        work += (grt_wide)(end - begin) * share;
    }
    shares->mean = (uint32_t)((double)work / (double)(to - from) + 0.5);
    return true;
}

/* ---- What is held ---- */

static uint32_t spans, changes, still, limited;

static bool same_shares(const struct grt_timeline *timeline, const struct grt_trace_memory *trace,
                        const struct grt_trace_record *kernel) {
    uint32_t stream = grt_trace_row(kernel->row);
    struct grt_shares got, expected;
    bool any =
        grt_row_shares(grt_timeline_row(timeline, GRT_ROW_STREAM, stream), kernel->other, kernel->time, &got);
    if (any != shares_of(trace, stream, kernel->other, kernel->time, &expected)) {
        return false;
    }
    spans += any;
    changes += any && got.least != got.most;
    uint32_t apart = got.mean > expected.mean ? got.mean - expected.mean : expected.mean - got.mean;
    return !any || (got.least == expected.least && got.most == expected.most && got.still == expected.still &&
                    apart <= 1 && !got.cut); /* means are rounded otherwise */
}

/* The shares of a stream lie one behind the other from the beginning to the end of the trace. */
static bool is_tiled(const struct grt_row *row, grt_time end) {
    const struct grt_track *track = grt_row_track(row, GRT_PART_SHARE);
    for (uint32_t i = 0; i < track->count; i++) {
        struct grt_slice slice = grt_track_at(track, i);
        grt_time before = i > 0 ? grt_track_at(track, i - 1).end : 0;
        if (slice.start != before || slice.end <= slice.start || slice.detail > 100) {
            return false;
        }
    }
    return track->count == 0 || grt_track_end(track, track->count - 1) == end;
}

/* Of each job its time at kernels without a share, and with a part of the GPU, cannot be more than its streams had; and the parts add up. */
static bool is_explained(const struct grt_timeline *timeline, const struct grt_trace_record *end) {
    struct grt_cause cause;
    char text[GRT_CAUSE_TEXT];
    grt_time sum = 0;
    if (!grt_cause_of_job(timeline, end->task, end->job, &cause)) {
        return false;
    }
    for (uint32_t part = 0; part < GRT_CAUSE_PARTS; part++) {
        sum += cause.parts[part];
    }
    still += cause.parts[GRT_CAUSE_STILL] > 0;
    limited += cause.parts[GRT_CAUSE_LIMITED] > 0;
    grt_cause_text(timeline, &cause, text);
    return sum == cause.end - cause.arrival && text[strlen(text) - 1] == '.' &&
           cause.share <= GRT_CAUSE_NO_SHARE;
}

/* Kernels of a job do not overlap in its one stream, so that what stood still and what had a part are sums over its records. */
static bool has_parts(const struct grt_timeline *timeline, const struct grt_trace_memory *trace,
                      const struct grt_trace_record *end) {
    grt_time without = 0;
    struct grt_cause cause;
    struct grt_shares shares;
    grt_cause_of_job(timeline, end->task, end->job, &cause);
    for (size_t i = 0; i < trace->record_count; i++) {
        const struct grt_trace_record *record = &trace->records[i];
        if (record->kind == GRT_TRACE_KERNEL && record->task == end->task && record->job == end->job &&
            shares_of(trace, grt_trace_row(record->row), record->other, record->time, &shares)) {
            without += shares.still;
        }
    }
    return cause.cut || cause.parts[GRT_CAUSE_STILL] == without;
}

static bool is_shown(const struct grt_trace_memory *trace) {
    struct grt_timeline timeline = {.begin = 0};
    grt_time end = trace->record_count > 0 ? trace->records[trace->record_count - 1].time : 0;
    bool good = true;
    grt_timeline_sink.names(&timeline, trace->names, trace->name_count);
    grt_timeline_sink.write(&timeline, trace->records, trace->record_count);
    grt_timeline_sink.end(&timeline);
    for (uint32_t i = timeline.first_rows[GRT_ROW_STREAM]; i < timeline.first_rows[GRT_ROW_STREAM + 1]; i++) {
        good = good && is_tiled(&timeline.rows[i], end);
    }
    for (size_t i = 0; i < trace->record_count && good; i++) {
        const struct grt_trace_record *record = &trace->records[i];
        if (record->kind == GRT_TRACE_KERNEL) {
            good = same_shares(&timeline, trace, record);
        } else if (record->kind == GRT_TRACE_FINISH || record->kind == GRT_TRACE_UNFINISHED) {
            good = is_explained(&timeline, record) && has_parts(&timeline, trace, record);
        }
    }
    good = good && timeline.left_out == 0 && timeline.beyond == 0;
    grt_timeline_free(&timeline);
    return good;
}

/* A chart is drawn of any window. */
static bool is_drawn(const struct grt_trace_memory *trace, struct grt_random *random) {
    char *drawing = NULL;
    size_t size = 0;
    grt_time end = trace->record_count > 0 ? trace->records[trace->record_count - 1].time : 0;
    grt_time from = grt_pick(random, 0, end);
    FILE *out = open_memstream(&drawing, &size);
    struct grt_text_gantt_options options = {
        .from = from, .to = from + grt_pick(random, 1, end + 1), .width = (int)grt_pick(random, 40, 120)};
    grt_text_gantt_write(trace, &options, out);
    fclose(out);
    free(drawing);
    return size > 0;
}

static void random_worlds(void) {
    for (int i = 0; i < grt_suite_cases(400, 10000); i++) {
        struct grt_builder *builder = grt_random_world(880000 + (uint64_t)i);
        struct grt_random random = grt_random_stream((uint64_t)i, "shown", 0, 0);
        struct grt_built_run run;
        builder->scenario.seed = (uint64_t)i;
        grt_built_run_start(&run, grt_shared_world(builder), &random_shares, false);
        CU_ASSERT_PTR_NOT_NULL_FATAL(run.result);
        bool good = is_shown(&run.kept) && is_drawn(&run.kept, &random) &&
                    grt_perfetto_holds(&run.kept, PATH) && grt_chrome_holds(&run.kept, PATH) &&
                    grt_csv_holds(&run.kept, PATH);
        CU_ASSERT(good);
        if (!good) {
            fprintf(stderr, "world %d\n", i);
        }
        grt_built_run_end(&run, builder);
    }
    CU_ASSERT(spans > 300 && changes > 100 && still > 30 && limited > 30); /* or the test holds nothing */
}

int main(void) {
    CU_TestInfo tests[] = {{"random worlds", random_worlds}, CU_TEST_INFO_NULL};
    return grt_suite_run("what is shown of random shares", tests);
}
