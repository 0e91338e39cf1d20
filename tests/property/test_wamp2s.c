/* labels: soak */
/* `wamp2s` on random worlds: every share at every instant as the second version has it (tests/support/reference_wamp2s.h), never more than 100 in
 * sum, and what is promised of progress. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/registry.h"
#include "policies/shares/allocate.h"
#include "policies/shares/predictor.h"
#include "sim/random.h"
#include "tests/support/hosted_world.h"
#include "tests/support/job_checks.h"
#include "tests/support/reference_wamp2s.h"
#include "tests/support/shared_world.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

/* Both ends included. */
static int64_t range(struct grt_random *random, int64_t least, int64_t most) {
    return least + (int64_t)grt_random_below(random, (uint64_t)(most - least + 1));
}

static double part(struct grt_random *random) {
    return grt_random_uniform(random);
}

/* ---- worlds ---- */

static struct grt_usage *draw_usage(struct grt_random *random, struct grt_arena *arena) {
    struct grt_usage *usage = grt_arena_new(arena, struct grt_usage);
    usage->host_fraction = range(random, 0, 2) == 0 ? 0 : 0.5 * part(random);
    usage->sm_utilisation = range(random, 0, 2) == 0 ? 1 : 0.05 + 0.95 * part(random);
    double left = 1;
    for (int i = 0; i < GRT_RESOURCES; i++) {
        usage->demand[i] = part(random);
        usage->bound[i] = left * part(random);
        left -= usage->bound[i];
    }
    return usage;
}

static void draw_task(struct grt_random *random, struct grt_builder *builder, int number, int64_t *ranks) {
    struct grt_task *task = grt_builder_task(builder, "");
    char *name = grt_arena_array(&builder->arena, 16, 1);
    snprintf(name, 16, "t%d", number);
    task->name = name;
    task->priority = ranks[number];
    int64_t work = range(random, 1000, 40000), copy = range(random, 0, 2) == 0 ? range(random, 1, 3000) : 0;
    grt_time offset = range(random, 0, 50000);
    grt_builder_periodic(task, work * range(random, 12, 90) / 10 + copy, offset);
    task->deadline = task->period * range(random, 50, 110) / 100;
    task->on_miss = range(random, 0, 3) == 0 ? GRT_MISS_ABORT : GRT_MISS_CONTINUE;
    if (copy > 0) {
        grt_builder_copy(builder, task, GRT_COMMAND_H2D, copy);
    }
    grt_builder_whole(builder, task, work)->usage = draw_usage(random, &builder->arena);
}

static struct grt_builder *draw_world(struct grt_random *random) {
    static const enum grt_contention_kind kinds[] = {GRT_CONTENTION_NONE, GRT_CONTENTION_SATURATION,
                                                     GRT_CONTENTION_MAX_MIN};
    struct grt_builder *builder = grt_builder_create(1000000);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_device(10));
    device->granularity = GRT_GRANULARITY_SHARES;
    device->contention = kinds[range(random, 0, 2)];
    device->contention_latency = (struct grt_resource_numbers){.15, .3, .5, .1, .15};
    device->contention_exponent = 0.9;
    int count = (int)range(random, 1, REFERENCE_TASKS);
    int64_t ranks[REFERENCE_TASKS];
    bool positive = range(random, 0, 2) > 0;
    for (int i = 0; i < count; i++) {
        ranks[i] = i + 1 - (positive ? 0 : 3);
        int64_t place = range(random, 0, i), kept = ranks[i];
        ranks[i] = ranks[place];
        ranks[place] = kept;
    }
    for (int i = 0; i < count; i++) {
        draw_task(random, builder, i, ranks);
    }
    return builder;
}

static struct wamp2s_parameters draw_parameters(struct grt_random *random) {
    bool costs = range(random, 0, 2) > 0;
    return (struct wamp2s_parameters){
        .variant = range(random, 0, 3) == 0 ? range(random, SHARES_PAPER, SHARES_LISTING) : SHARES_CORRECTED,
        .predictor = range(random, SHARES_PERFECT, SHARES_NONE),
        .wdc = range(random, 0, 1) == 0,
        .aetc = range(random, 0, 1) == 0,
        .threshold = part(random),
        .rounds = range(random, 1, 3),
        .margin = range(random, 0, 1) == 0 ? 0 : 0.2 * part(random),
        .run_time = costs ? range(random, 0, 400) : 0,
        .prediction_time = costs ? range(random, 0, 100) : 0,
    };
}

/* ---- what the trace says ---- */

enum { MOST = 65536 };

/* Ends go first: a task's next job asks behind the end of its last. */
static int compare(const void *left, const void *right) {
    const struct reference_event *a = left, *b = right;
    if (a->at != b->at) {
        return a->at < b->at ? -1 : 1;
    }
    return a->asks != b->asks ? (a->asks ? 1 : -1) : (int)a->task - (int)b->task;
}

/* Whether a job was aborted that waited for a share. Others leave the device first. */
static bool is_withdrawn(const struct grt_built_run *run, const struct grt_trace_record *record) {
    return record->kind == GRT_TRACE_ABORT &&
           grt_built_run_find(run, GRT_TRACE_GPU_SEGMENT, record->task, record->job, 0) == NULL;
}

static size_t read_events(const struct grt_built_run *run, struct reference_event *events) {
    grt_time deadlines[REFERENCE_TASKS] = {0};
    bool open[REFERENCE_TASKS] = {false};
    size_t count = 0;
    for (size_t i = 0; i < run->kept.record_count && count < MOST; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        struct reference_event event = {.at = record->time, .task = record->task};
        bool ends = (record->kind == GRT_TRACE_GPU_SEGMENT && (record->flags & GRT_TRACE_OPEN) == 0) ||
                    is_withdrawn(run, record);
        if (record->kind == GRT_TRACE_GPU_REQUEST) {
            const struct grt_trace_record *release =
                grt_built_run_find(run, GRT_TRACE_RELEASE, record->task, record->job, 0);
            deadlines[record->task] = release->other;
            event.asks = open[record->task] = true;
            event.deadline = deadlines[record->task];
            events[count++] = event;
        } else if (ends && open[record->task]) {
            open[record->task] = false;
            events[count++] = event;
        }
    }
    qsort(events, count, sizeof *events, compare);
    return count;
}

static uint32_t task_of_stream(const struct grt_built_run *run, const struct grt_scenario *scenario,
                               uint32_t row) {
    const char *name = grt_trace_memory_name(&run->kept, GRT_NAME_STREAM, row, 0, 0);
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        if (strcmp(scenario->tasks[i].name, name) == 0) {
            return i;
        }
    }
    return UINT32_MAX;
}

/* Whether the shares in the trace are the expected ones, up to `until`. Several of an instant may be in any order. */
static bool shares_are(const struct grt_built_run *run, const struct grt_scenario *scenario,
                       const struct reference_change *changes, size_t count, grt_time until, size_t *seen) {
    bool used[MOST] = {false};
    size_t first = 0, shares = 0;
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if (record->kind != GRT_TRACE_SHARE || record->time >= until) {
            continue;
        }
        uint32_t task = task_of_stream(run, scenario, record->row);
        size_t place = first;
        while (place < count && (used[place] || changes[place].at != record->time ||
                                 changes[place].task != task || changes[place].share != record->other)) {
            place++;
        }
        if (place == count) {
            fprintf(stderr, "at %lld %s has %lld, which is not expected\n", (long long)record->time,
                    scenario->tasks[task].name, (long long)record->other);
            return false;
        }
        used[place] = true;
        for (; first < count && used[first]; first++) {
        }
        shares++;
    }
    *seen += shares;
    while (first < count && used[first]) {
        first++;
    }
    if (first < count && changes[first].at < until) {
        fprintf(stderr, "at %lld task %u should have %lld\n", (long long)changes[first].at,
                changes[first].task, (long long)changes[first].share);
    }
    return first == count || changes[first].at >= until;
}

/* At no instant more than 100 in sum, once all streams have been set. */
static bool sums_are_good(const struct grt_built_run *run, const struct grt_scenario *scenario) {
    int64_t shares[REFERENCE_TASKS] = {0}, sum = 0;
    bool good = true;
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if (record->kind == GRT_TRACE_SHARE) {
            uint32_t task = task_of_stream(run, scenario, record->row);
            sum += record->other - shares[task];
            shares[task] = record->other;
        }
        bool last = i + 1 == run->kept.record_count || run->kept.records[i + 1].time > record->time;
        good &= !last || sum <= GRT_FULL_SHARE;
    }
    return good;
}

/* ---- worlds against the second version ---- */

struct tally {
    size_t changes, edges;
    uint64_t counters[8];
};

static bool world_is_right(uint64_t number, struct tally *tally) {
    static struct reference_event events[MOST];
    static struct reference_change changes[MOST];
    struct grt_random random = grt_random_of_key(number);
    struct grt_builder *builder = draw_world(&random);
    struct wamp2s_parameters given = draw_parameters(&random);
    struct grt_built_run run;
    bool edge = false;
    grt_built_run_start_with(&run, &builder->scenario, grt_policy_find("wamp2s"), &given, false);
    bool good = run.result != NULL;
    if (good) {
        size_t count = read_events(&run, events);
        size_t found = reference_wamp2s(&builder->scenario, &given, events, count, run.result->end - 1,
                                        changes, MOST, &edge);
        grt_time until = run.result->end;
        if (edge) { /* what is decided at its last instant means nothing */
            until = found > 0 ? changes[found - 1].at : 0;
        }
        good = shares_are(&run, &builder->scenario, changes, found, until, &tally->changes) &&
               sums_are_good(&run, &builder->scenario);
        tally->edges += edge;
        for (size_t i = 0; i < run.result->counter_count && i < 8; i++) {
            tally->counters[i] += run.result->counters[i].count;
        }
    }
    if (!good) {
        grt_errors_print(&run.errors, stderr, "refused: ");
        fprintf(stderr, "world %llu: variant %d predictor %d wdc %d aetc %d costs %lld %lld\n",
                (unsigned long long)number, (int)given.variant, (int)given.predictor, given.wdc, given.aetc,
                (long long)given.run_time, (long long)given.prediction_time);
    }
    grt_built_run_free(&run);
    grt_builder_free(builder);
    return good;
}

static void worlds(void) {
    struct tally tally = {0};
    int cases = grt_suite_cases(400, 20000);
    bool good = true;
    for (int i = 0; i < cases && good; i++) {
        good = world_is_right(4000000 + (uint64_t)i, &tally);
    }
    CU_ASSERT(good);
    CU_ASSERT(tally.changes > 50 * (size_t)cases);
    CU_ASSERT(tally.edges < (size_t)cases / 10);
    for (int i = 0; i < 5; i++) { /* runs, predictions, WDC, AETC, failures: all of them happen */
        CU_ASSERT(tally.counters[i] > (uint64_t)cases);
    }
}

/* Its scheduler has a thread; the host's side of segments stays with the jobs, which do all of it. */
static void host_parts_are_the_jobs(void) {
    int cases = grt_suite_cases(100, 5000), runs = 0, bad = 0;
    for (int i = 0; bad < 3 && i < cases; i++) {
        struct grt_random random = grt_random_of_key(8200000 + (uint64_t)i);
        struct grt_builder *builder = grt_hosted_world(8200000 + (uint64_t)i);
        struct wamp2s_parameters given = draw_parameters(&random);
        struct grt_built_run run;
        given.run_time = 10;
        given.predictor = SHARES_PERFECT;
        const struct grt_scenario *scenario = grt_shared_world(builder);
        grt_built_run_start_with(&run, scenario, grt_policy_find("wamp2s"), &given, false);
        runs += run.world != NULL;
        bad += run.world != NULL && !grt_job_checks_pass(scenario, &run);
        grt_built_run_free(&run);
        grt_builder_free(builder);
    }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT(runs > cases / 2);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"worlds against the second version", worlds},
        {"host parts are the jobs'", host_parts_are_the_jobs},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("wamp2s", tests);
}
