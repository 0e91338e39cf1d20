/* labels: soak */
/* All that cores do for random task sets with host parts, busy-waiting, boosts, servers, costs and aborts, slice by slice, against a
 * reference that goes from nanosecond to nanosecond. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/random.h"
#include "tests/support/host_case.h"
#include "tests/support/pick.h"
#include "tests/support/reference_host.h"
#include "tests/support/suite.h"

enum { MAX_SLICES = 4096 };

struct world {
    struct grt_random random; /* of the generator */
    struct grt_reference_host_set set;
    struct grt_builder *builder;
    union grt_test_host_parameters parameters;
    bool server_alone; /* it has a core of its own */
};

static int64_t pick(struct world *world, int64_t from, int64_t to) {
    return grt_pick(&world->random, from, to);
}

/* Often 0. */
static int64_t pick_some(struct world *world, int64_t most) {
    return pick(world, 0, 1) * pick(world, 0, most);
}

/* ---- generation ---- */

static void make_segment(struct world *world, struct grt_reference_host_segment *segment,
                         struct grt_task *task) {
    segment->gpu = pick(world, 0, 2) > 0;
    segment->time = pick(world, 1, 8);
    if (!segment->gpu) {
        grt_builder_cpu(world->builder, task, segment->time);
        return;
    }
    segment->before = pick_some(world, 4);
    segment->after = pick_some(world, 12);
    segment->asynchronous = pick(world, 0, 1) == 1;
    host_segment(world->builder, task, segment->before, segment->time, segment->after, segment->asynchronous);
}

static void make_task(struct world *world, struct grt_reference_host_task *spec) {
    spec->core = (size_t)pick(world, 0, (int64_t)world->set.core_count - 1);
    spec->priority = pick(world, 0, 3);
    spec->offset = pick_some(world, 30);
    spec->period = pick(world, 12, 90);
    spec->aborts = pick(world, 0, 1) == 1;
    spec->deadline = pick(world, 1, spec->period + 20);
    spec->segment_count = (size_t)pick(world, 1, 4);
    struct grt_task *task = grt_builder_task(world->builder, "t");
    grt_builder_periodic(task, spec->period, spec->offset);
    task->cpu = (int64_t)spec->core;
    task->priority = spec->priority;
    task->deadline = spec->deadline;
    task->on_miss = spec->aborts ? GRT_MISS_ABORT : GRT_MISS_CONTINUE;
    for (size_t i = 0; i < spec->segment_count; i++) {
        make_segment(world, &spec->segments[i], task);
    }
}

/* How the host parts are executed, with the parameters of the policy. */
static void make_policy(struct world *world) {
    struct grt_reference_host_set *set = &world->set;
    set->by = (enum grt_reference_host_by)pick(world, 0, 2);
    if (set->by == GRT_REFERENCE_BY_THREAD) {
        set->boost = pick_some(world, 5);
        set->spins = pick(world, 0, 1) == 1;
        world->parameters.lock = (struct grt_test_lock_parameters){set->boost, set->spins};
    } else if (set->by == GRT_REFERENCE_BY_SERVER) {
        int64_t cores = (int64_t)set->core_count;
        world->server_alone = pick(world, 0, 2) == 0;
        set->server_core = (size_t)(world->server_alone ? cores : pick(world, 0, cores - 1));
        set->server_priority = pick(world, 0, 5);
        set->core_count += world->server_alone;
        world->parameters.server = (struct grt_test_server_parameters){
            world->server_alone ? -1 : (int64_t)set->server_core, set->server_priority};
    }
}

static void make_world(struct world *world, uint64_t number) {
    *world = (struct world){.random = grt_random_stream(number, "host-world", 0, 0)};
    struct grt_reference_host_set *set = &world->set;
    set->horizon = pick(world, 1, 300);
    set->core_count = (size_t)pick(world, 1, 3);
    set->task_count = (size_t)pick(world, 1, 6);
    set->context_switch = pick_some(world, 4);
    set->wake_up = pick_some(world, 4);
    world->builder = host_world((int64_t)set->core_count, set->horizon);
    world->builder->scenario.context_switch = set->context_switch;
    world->builder->scenario.wake_up = set->wake_up;
    for (size_t i = 0; i < set->task_count; i++) {
        make_task(world, &set->tasks[i]);
    }
    make_policy(world);
}

/* ---- comparison ---- */

static int compare(const void *left, const void *right) {
    const struct grt_reference_host_slice *a = left, *b = right;
    if (a->core != b->core) {
        return a->core < b->core ? -1 : 1;
    }
    return a->from != b->from ? (a->from < b->from ? -1 : 1) : 0;
}

/* The slices of the trace in the reference's words. */
static size_t seen_slices(const struct grt_built_run *run, size_t server,
                          struct grt_reference_host_slice *slices) {
    size_t count = 0;
    for (size_t i = 0; i < run->kept.record_count && count < MAX_SLICES; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        bool thread = record->kind == GRT_TRACE_THREAD;
        if (record->kind == GRT_TRACE_CPU || thread) {
            slices[count++] = (struct grt_reference_host_slice){
                .core = record->row,
                .task = thread ? server : record->task,
                .job = record->job,
                .segment = thread ? 0 : record->detail,
                .kind = record->flags & GRT_TRACE_OVERHEAD ? GRT_REFERENCE_OVERHEAD
                        : record->flags & GRT_TRACE_SPIN   ? GRT_REFERENCE_SPIN
                                                           : GRT_REFERENCE_WORK,
                .from = record->other,
                .to = record->time};
        }
    }
    return count;
}

static bool is_same(const struct grt_reference_host_slice *a, const struct grt_reference_host_slice *b) {
    return a->core == b->core && a->task == b->task && a->job == b->job && a->segment == b->segment &&
           a->kind == b->kind && a->from == b->from && a->to == b->to;
}

static void print(const char *whose, const struct grt_reference_host_slice *slice) {
    fprintf(stderr,
            "%s: core %zu, task %zu, job %" PRId64 ", segment %zu, kind %d, %" PRId64 " to %" PRId64 "\n",
            whose, slice->core, slice->task, slice->job, slice->segment, (int)slice->kind, slice->from,
            slice->to);
}

static bool same_slices(const struct grt_reference_host_slice *expected, size_t expected_count,
                        const struct grt_reference_host_slice *seen, size_t seen_count) {
    for (size_t i = 0; i < expected_count && i < seen_count; i++) {
        if (!is_same(&expected[i], &seen[i])) {
            print("expected", &expected[i]);
            print("seen", &seen[i]);
            return false;
        }
    }
    if (expected_count != seen_count) {
        fprintf(stderr, "%zu slices instead of %zu\n", seen_count, expected_count);
    }
    return expected_count == seen_count;
}

/* What the results say of cores is what the slices add up to. */
static bool sums_agree(const struct grt_result *result, const struct grt_reference_host_slice *slices,
                       size_t count) {
    struct grt_core_result sums[GRT_REFERENCE_HOST_TASKS + 1] = {0};
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        struct grt_core_result *sum = &sums[slices[i].core];
        grt_time length = slices[i].to - slices[i].from;
        sum->busy += length;
        sum->spinning += slices[i].kind == GRT_REFERENCE_SPIN ? length : 0;
        sum->overhead += slices[i].kind == GRT_REFERENCE_OVERHEAD ? length : 0;
    }
    for (size_t i = 0; i < result->core_count; i++) {
        good = good && sums[i].busy == result->cores[i].busy &&
               sums[i].spinning == result->cores[i].spinning && sums[i].overhead == result->cores[i].overhead;
    }
    return good;
}

/* How often each sort of slice was seen, so that none is missing by accident. */
struct tally {
    size_t kinds[3], by[3], servers;
};

static bool check_world(struct world *world, struct tally *tally) {
    static const struct grt_policy_ops *const policies[] = {&grt_test_job_policy, &grt_test_lock_policy,
                                                            &grt_test_server_policy};
    static struct grt_reference_host_slice expected[MAX_SLICES], seen[MAX_SLICES];
    struct grt_built_run run;
    size_t expected_count = grt_reference_host_run(&world->set, expected, MAX_SLICES);
    host_run(&run, world->builder, policies[world->set.by], &world->parameters);
    size_t seen_count = seen_slices(&run, world->set.task_count, seen);
    CU_ASSERT_FATAL(expected_count <= MAX_SLICES);
    qsort(expected, expected_count, sizeof *expected, compare);
    qsort(seen, seen_count, sizeof *seen, compare);
    bool same = same_slices(expected, expected_count, seen, seen_count) &&
                sums_agree(run.result, expected, expected_count);
    for (size_t i = 0; i < expected_count; i++) {
        tally->kinds[expected[i].kind]++;
        tally->servers += expected[i].task == world->set.task_count;
    }
    tally->by[world->set.by] += expected_count;
    grt_built_run_free(&run);
    return same;
}

static void cores_agree_with_the_reference(void) {
    struct world world;
    struct tally tally = {0};
    bool same = true;
    int cases = grt_suite_cases(400, 10000);
    for (int i = 0; same && i < cases; i++) {
        make_world(&world, (uint64_t)i);
        same = check_world(&world, &tally);
        if (!same) {
            fprintf(stderr, "world %d\n", i);
        }
        grt_builder_free(world.builder);
    }
    CU_ASSERT(same);
    for (int i = 0; i < 3; i++) {
        CU_ASSERT(tally.kinds[i] > (size_t)cases && tally.by[i] > (size_t)cases);
    }
    CU_ASSERT(tally.servers > (size_t)cases);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"cores agree with the reference", cores_agree_with_the_reference},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("the host against the reference", tests);
}
