/* labels: soak */
/* Analyses of non-preemptive policies against simulations: what is bounded stays below its bound, what is exact is attained, and every
 * rejection that is proven comes with releases that miss a deadline. */
#include <inttypes.h>
#include <stdio.h>

#include "models/demand/demand.h"
#include "tests/support/analysis_case.h"
#include "tests/support/pick.h"
#include "tests/support/reference_analysis.h"
#include "tests/support/suite.h"

enum { MOST_TASKS = 6 };

static struct analysis_case it;
static size_t order[MOST_TASKS]; /* its tasks by rank, the first of which goes before all others */

/* ---- cases ---- */

static struct grt_random start_case(int number, const char *purpose) {
    struct grt_random random = grt_random_stream((uint64_t)number, purpose, 0, 0);
    bool small =
        grt_pick(&random, 0, 3) > 0; /* small numbers are the hard cases, the others are milliseconds */
    int64_t load = grt_pick(&random, 30, 110), longest = small ? grt_pick(&random, 8, 60) : 50000000;
    analysis_case_random(&it, &random, (size_t)grt_pick(&random, 1, MOST_TASKS), longest, load);
    return random;
}

static bool complain(int number, const char *policy, const struct analysis_simulation *seen) {
    fprintf(stderr, "set %d under %s: %s\n", number, policy, it.result.reason);
    for (size_t i = 0; i < it.set.count; i++) {
        const struct grt_analysis_task *task = &it.set.tasks[i];
        fprintf(stderr, "  T %" PRId64 " D %" PRId64 " J %" PRId64 " bound %" PRId64 ", seen %" PRId64 ":",
                task->period, task->deadline, task->jitter, it.response[i], seen->response[i]);
        for (size_t j = 0; j < task->segment_count; j++) {
            fprintf(stderr, " %s %" PRId64 "..%" PRId64, task->segments[j].on_gpu ? "gpu" : "cpu",
                    task->segments[j].shortest, task->segments[j].longest);
        }
        fprintf(stderr, "\n");
    }
    return false;
}

static int64_t longest_period(void) {
    int64_t longest = 0;
    for (size_t i = 0; i < it.set.count; i++) {
        longest = it.set.tasks[i].period > longest ? it.set.tasks[i].period : longest;
    }
    return longest;
}

/* Synchronous; one task a tick ahead of all others; any. */
static void pick_first_releases(struct grt_random *random, int64_t *first) {
    int64_t kind = grt_pick(random, 0, 3);
    size_t ahead = (size_t)grt_pick(random, 0, (int64_t)it.set.count - 1);
    for (size_t i = 0; i < it.set.count; i++) {
        first[i] = kind == 0   ? 0
                   : kind == 1 ? grt_pick(random, 0, it.set.tasks[i].period - 1)
                               : (i == ahead ? 0 : 1);
    }
}

static bool stays_below(const struct analysis_simulation *seen, const int64_t *bounds) {
    bool below = seen->missed == 0;
    for (size_t i = 0; i < it.set.count; i++) {
        below &= seen->response[i] <= bounds[i];
    }
    return below;
}

/* A set that is said to be schedulable keeps its deadlines and bounds. */
static bool holds(struct grt_builder *builder, struct grt_random *random, int number, const char *policy,
                  const int64_t *bounds, int patterns) {
    for (int i = 0; i < patterns; i++) {
        int64_t first[MOST_TASKS];
        struct analysis_simulation seen;
        pick_first_releases(random, first);
        struct analysis_pattern pattern = {.first_release = first,
                                           .horizon = 20 * longest_period(),
                                           .seed = (uint64_t)grt_pick(random, 1, 1000000),
                                           .sporadic = grt_pick(random, 0, 1) == 1,
                                           .shorter = grt_pick(random, 0, 3) == 0};
        analysis_case_simulate(builder, policy, &pattern, &seen);
        if (!stays_below(&seen, bounds)) {
            return complain(number, policy, &seen);
        }
    }
    return true;
}

/* Releases that are said to miss a deadline do, by when they are said to. */
static bool misses(struct grt_builder *builder, int number, const char *policy) {
    struct analysis_simulation seen;
    struct analysis_pattern pattern = {
        .first_release = it.first_release, .horizon = analysis_case_time(&it, "first_miss_by"), .seed = 1};
    if (!it.result.has_witness || pattern.horizon < 0) {
        return false;
    }
    analysis_case_simulate(builder, policy, &pattern, &seen);
    return seen.missed > 0 || complain(number, policy, &seen);
}

/* ---- plain sets ---- */

struct tally {
    int accepted, rejected, bounded, attained;
};

static bool try_np_edf(int number, int patterns, struct tally *tally) {
    struct grt_random random = start_case(number, "simulated np-edf");
    struct grt_builder *builder = analysis_case_build(&it);
    enum grt_verdict verdict = analysis_case_run(&it, "np-edf-exact");
    bool right;
    if (verdict == GRT_VERDICT_UNSCHEDULABLE) {
        tally->rejected++;
        right = misses(builder, number, "np-edf");
        right &= analysis_case_run(&it, "np-edf-response") != GRT_VERDICT_SCHEDULABLE;
    } else {
        tally->accepted++;
        tally->bounded += analysis_case_run(&it, "np-edf-response") == GRT_VERDICT_SCHEDULABLE;
        right = verdict == GRT_VERDICT_SCHEDULABLE &&
                holds(builder, &random, number, "np-edf", it.response, patterns);
    }
    grt_builder_free(builder);
    return right;
}

static void np_edf_is_exact(void) {
    struct tally tally = {0};
    int cases = grt_suite_cases(1000, 100000);
    bool right = true;
    for (int i = 0; right && i < cases; i++) {
        right = try_np_edf(i, 4, &tally);
    }
    CU_ASSERT(right);
    CU_ASSERT(tally.rejected > cases / 10 && tally.accepted > cases / 10);
    printf("\n    np-edf: %d accepted, %d of these by np-edf-response; %d rejected, all with a miss\n",
           tally.accepted, tally.bounded, tally.rejected);
}

/* All first releases within the period of each of up to three tasks with small periods. */
static void try_all_first_releases(struct grt_builder *builder, int64_t *longest) {
    int64_t first[MOST_TASKS] = {0};
    for (size_t i = 0; i < it.set.count;) {
        struct analysis_simulation seen;
        struct analysis_pattern pattern = {
            .first_release = first, .horizon = 12 * longest_period(), .seed = 1};
        analysis_case_simulate(builder, "np-edf", &pattern, &seen);
        for (size_t j = 0; j < it.set.count; j++) {
            longest[j] = seen.response[j] > longest[j] ? seen.response[j] : longest[j];
        }
        for (i = 0; i < it.set.count && ++first[i] == it.set.tasks[i].period; i++) {
            first[i] = 0;
        }
    }
}

/* A bound is not only kept, nearly all are attained with one pattern or another. */
static void np_edf_responses_are_attained(void) {
    int cases = grt_suite_cases(60, 3000), attained = 0, bounds = 0;
    bool right = true;
    for (int i = 0; right && i < cases; i++) {
        struct grt_random random = grt_random_stream((uint64_t)i, "attained", 0, 0);
        analysis_case_random(&it, &random, (size_t)grt_pick(&random, 2, 3), 10, 90);
        struct grt_builder *builder = analysis_case_build(&it);
        if (analysis_case_run(&it, "np-edf-response") == GRT_VERDICT_SCHEDULABLE) {
            int64_t longest[MOST_TASKS] = {0};
            try_all_first_releases(builder, longest);
            for (size_t j = 0; j < it.set.count; j++) {
                right &= longest[j] <= it.response[j];
                attained += longest[j] == it.response[j];
                bounds++;
            }
        }
        grt_builder_free(builder);
    }
    CU_ASSERT(right);
    CU_ASSERT(bounds > cases / 5);
    CU_ASSERT(attained * 10 >= bounds * 9);
    printf("\n    np-edf-response: %d of %d bounds attained\n", attained, bounds);
}

/* The end of the busy period of that rank, or as long as is simulated. */
static int64_t busy_until(size_t rank, int64_t blocking) {
    int64_t most = 20000 * longest_period();
    for (int64_t busy = 1;;) {
        int64_t next = blocking;
        for (size_t i = 0; i <= rank; i++) {
            const struct grt_analysis_task *task = &it.set.tasks[order[i]];
            next += (busy + task->period - 1) / task->period * task->segments[0].longest;
        }
        if (next == busy || next > most) {
            return next;
        }
        busy = next;
    }
}

/* The critical instant of a task: the longest lower one a tick ahead of all others. */
static bool attains(struct grt_builder *builder, size_t rank, int number, const char *policy) {
    int64_t first[MOST_TASKS], longest = 0;
    size_t blocker = order[rank];
    for (size_t i = 0; i < it.set.count; i++) {
        int64_t cost = it.set.tasks[order[i]].segments[0].longest;
        first[order[i]] = 1;
        if (i > rank && cost > longest) {
            blocker = order[i];
            longest = cost;
        }
    }
    first[blocker] = blocker == order[rank] ? 1 : 0;
    struct analysis_simulation seen;
    struct analysis_pattern pattern = {
        .first_release = first, .horizon = busy_until(rank, longest) + 2, .seed = 1};
    analysis_case_simulate(builder, policy, &pattern, &seen);
    return seen.response[order[rank]] == it.response[order[rank]] || complain(number, policy, &seen);
}

/* Ranks the tasks by priority; false where two have the same. */
static bool order_by(bool rates) {
    bool distinct = true;
    for (size_t i = 0; i < it.set.count; i++) {
        size_t at = i;
        for (; at > 0; at--) {
            const struct grt_analysis_task *a = &it.set.tasks[order[at - 1]], *b = &it.set.tasks[i];
            distinct &= rates ? a->period != b->period : a->priority != b->priority;
            if (rates ? a->period <= b->period : a->priority >= b->priority) {
                break;
            }
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    return distinct;
}

static bool try_fixed(int number, bool rates, int patterns, struct tally *tally) {
    const char *policy = rates ? "np-rm" : "np-fp";
    struct grt_random random = start_case(number, policy);
    for (size_t i = 0; !rates && i < it.set.count; i++) {
        it.tasks[i].priority = grt_pick(&random, 0, 20);
    }
    struct grt_builder *builder = analysis_case_build(&it);
    bool distinct = order_by(rates), right = true;
    enum grt_verdict verdict = analysis_case_run(&it, rates ? "np-rm-response" : "np-fp-response");
    if (verdict == GRT_VERDICT_SCHEDULABLE) {
        tally->accepted++;
        right = holds(builder, &random, number, policy, it.response, patterns);
    } else if (verdict == GRT_VERDICT_UNSCHEDULABLE) {
        tally->rejected++;
        right = misses(builder, number, policy);
    } else {
        right = verdict == GRT_VERDICT_UNKNOWN && !distinct;
    }
    for (size_t i = 0; right && i < it.set.count && distinct; i++) {
        if (it.response[order[i]] < GRT_ANALYSIS_NEVER) {
            right = attains(builder, i, number, policy);
            tally->attained += right;
        }
    }
    grt_builder_free(builder);
    return right;
}

static void try_many_fixed(bool rates) {
    struct tally tally = {0};
    int cases = grt_suite_cases(500, 50000);
    bool right = true;
    for (int i = 0; right && i < cases; i++) {
        right = try_fixed(i, rates, 4, &tally);
    }
    CU_ASSERT(right);
    CU_ASSERT(tally.rejected > cases / 10 && tally.accepted > cases / 10);
    printf("\n    %s: %d accepted, %d rejected with a miss, %d bounds attained\n", rates ? "np-rm" : "np-fp",
           tally.accepted, tally.rejected, tally.attained);
}

static void np_fp_is_attained(void) {
    try_many_fixed(false);
}

static void np_rm_is_attained(void) {
    try_many_fixed(true);
}

/* ---- segments of several commands, on a device that takes time for everything ---- */

static struct grt_builder *start_commands(struct grt_random *random) {
    static const char *const names[MOST_TASKS] = {"a", "b", "c", "d", "e", "f"};
    struct grt_builder *builder = grt_builder_create(1);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_tx2());
    int64_t count = grt_pick(random, 2, MOST_TASKS);
    device->kernel_launch = grt_pick(random, 0, 9);
    device->copy_latency = grt_pick(random, 0, 5);
    for (int64_t i = 0; i < count; i++) {
        struct grt_task *task = grt_builder_task(builder, names[i]);
        grt_builder_copy(builder, task, GRT_COMMAND_H2D, grt_pick(random, 1, 20));
        for (int64_t j = grt_pick(random, 0, 2); j > 0; j--) {
            int64_t time = grt_pick(random, 1, 20), threads = 32 * grt_pick(random, 1, 32);
            grt_builder_kernel(builder, task, grt_pick(random, 1, 20), threads, time);
        }
        grt_builder_sync_copy(builder, task, GRT_COMMAND_D2H, grt_pick(random, 1, 20));
    }
    for (int64_t i = 0; i < count; i++) {
        grt_time time = grt_segment_time(&builder->scenario, &builder->tasks[i], builder->tasks[i].segments);
        grt_builder_periodic(&builder->tasks[i], time * count + grt_pick(random, 0, 40 * count * i), 0);
        builder->tasks[i].priority = -i;
    }
    analysis_case_take(&it, builder);
    return builder;
}

static void commands_keep_and_attain_bounds(void) {
    int cases = grt_suite_cases(200, 20000), accepted = 0, attained = 0;
    bool right = true;
    for (int i = 0; right && i < cases; i++) {
        struct grt_random random = grt_random_stream((uint64_t)i, "commands", 0, 0);
        struct grt_builder *builder = start_commands(&random);
        if (analysis_case_run(&it, "np-edf-response") == GRT_VERDICT_SCHEDULABLE) {
            right = holds(builder, &random, i, "np-edf", it.response, 4);
        }
        bool distinct = order_by(false);
        if (right && analysis_case_run(&it, "np-fp-response") == GRT_VERDICT_SCHEDULABLE) {
            accepted++;
            right = distinct && holds(builder, &random, i, "np-fp", it.response, 4);
            for (size_t j = 0; right && j < it.set.count; j++) {
                right = attains(builder, j, i, "np-fp");
                attained += right;
            }
        }
        grt_builder_free(builder);
    }
    CU_ASSERT(right);
    CU_ASSERT(accepted > cases / 10);
    printf("\n    several commands: %d accepted of %d, %d bounds attained\n", accepted, cases, attained);
}

/* What Tindell and others said of messages in 1994, which Davis and others refuted: it is enough to look at the first request. Here it
 * is not either: the tests above could fail. */
static void the_first_request_is_not_enough(void) {
    int cases = grt_suite_cases(1000, 20000), exceeded = 0;
    for (int i = 0; i < cases; i++) {
        struct grt_reference_demand tasks[MOST_TASKS];
        start_case(i, "np-fp");
        size_t count = it.set.count;
        for (size_t j = 0; j < count; j++) {
            tasks[j] = (struct grt_reference_demand){analysis_case_cost(&it, j), it.tasks[j].period, 0};
        }
        if (longest_period() > 1000) {
            continue;
        }
        struct grt_builder *builder = analysis_case_build(&it);
        for (size_t j = 0; j < count; j++) {
            int64_t first[MOST_TASKS] = {0},
                    bound = grt_reference_response(tasks, count, j, false, true, NULL);
            struct analysis_simulation seen;
            struct analysis_pattern pattern = {
                .first_release = first, .horizon = 10 * longest_period(), .seed = 1};
            if (bound < INT64_MAX) {
                analysis_case_simulate(builder, "np-fp", &pattern, &seen);
                exceeded += seen.response[j] > bound;
            }
        }
        grt_builder_free(builder);
    }
    CU_ASSERT(exceeded > 0);
    printf("\n    first request only: exceeded for %d tasks\n", exceeded);
}

/* ---- jitter, and CPU segments around the GPU segment ---- */

static void add_cpu(struct grt_random *random, int64_t most) {
    int64_t shortest = grt_pick(random, 1, most);
    analysis_case_segment(&it, false, shortest, grt_pick(random, shortest, most));
}

/* The case's tasks again, with more in them. */
static void surround(struct grt_random *random, bool cpu_after) {
    struct grt_analysis_task plain[MOST_TASKS];
    int64_t cost[MOST_TASKS];
    size_t count = it.set.count;
    for (size_t i = 0; i < count; i++) {
        plain[i] = it.tasks[i];
        cost[i] = analysis_case_cost(&it, i);
    }
    analysis_case_start(&it);
    for (size_t i = 0; i < count; i++) {
        int64_t period = plain[i].period, part = period / 10 + 1;
        struct grt_analysis_task *task = analysis_case_add(&it, 0, period, plain[i].deadline);
        task->priority = grt_pick(random, 0, 20);
        task->jitter =
            grt_pick(random, 0, 1) * grt_pick(random, 0, grt_pick(random, 0, 3) > 0 ? part : 2 * period);
        task->deadline_from_release = grt_pick(random, 0, 1) == 1;
        if (grt_pick(random, 0, 1) == 0) {
            add_cpu(random, part);
        }
        if (grt_pick(random, 0, 9) > 0) {
            analysis_case_segment(&it, true, 1, cost[i]);
        }
        if (it.tasks[i].segment_count == 0 || (cpu_after && grt_pick(random, 0, 2) == 0)) {
            add_cpu(random, part);
        }
    }
}

static void sufficient_ones_hold(const char *analysis, const char *policy, bool cpu_after) {
    int cases = grt_suite_cases(1000, 100000), accepted = 0;
    bool right = true;
    for (int i = 0; right && i < cases; i++) {
        struct grt_random random = grt_random_stream((uint64_t)i, analysis, 0, 0);
        int64_t load = grt_pick(&random, 20, 80), longest = grt_pick(&random, 8, 60);
        analysis_case_random(&it, &random, (size_t)grt_pick(&random, 1, MOST_TASKS), longest, load);
        surround(&random, cpu_after);
        struct grt_builder *builder = analysis_case_build(&it);
        if (analysis_case_run(&it, analysis) == GRT_VERDICT_SCHEDULABLE) {
            accepted++;
            right = holds(builder, &random, i, policy, it.response, 8);
        }
        grt_builder_free(builder);
    }
    CU_ASSERT(right);
    CU_ASSERT(accepted > cases / 20);
    printf("\n    %s: %d accepted of %d with jitter and CPU segments\n", analysis, accepted, cases);
}

static void jitter_and_cpu_of_np_edf(void) {
    sufficient_ones_hold("np-edf-exact", "np-edf", false);
    sufficient_ones_hold("np-edf-response", "np-edf", true);
}

static void jitter_and_cpu_of_np_fp(void) {
    sufficient_ones_hold("np-fp-response", "np-fp", true);
}

static void jitter_and_cpu_of_np_rm(void) {
    sufficient_ones_hold("np-rm-response", "np-rm", true);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"np-edf is exact", np_edf_is_exact},
        {"np-edf responses are attained", np_edf_responses_are_attained},
        {"np-fp is attained", np_fp_is_attained},
        {"np-rm is attained", np_rm_is_attained},
        {"commands keep and attain bounds", commands_keep_and_attain_bounds},
        {"the first request is not enough", the_first_request_is_not_enough},
        {"jitter and CPU segments of np-edf", jitter_and_cpu_of_np_edf},
        {"jitter and CPU segments of np-fp", jitter_and_cpu_of_np_fp},
        {"jitter and CPU segments of np-rm", jitter_and_cpu_of_np_rm},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("analyses against simulations", tests);
}
