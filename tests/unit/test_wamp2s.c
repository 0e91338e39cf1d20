/* `wamp2s` and `static-shares`, one small case each, with times and shares worked out by hand. */
#include <math.h>
#include <string.h>

#include "policies/registry.h"
#include "policies/shares/allocate.h"
#include "policies/shares/parameters.h"
#include "policies/shares/predictor.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { A, B, C };

static struct grt_builder *on_shares(void) {
    struct grt_builder *builder = grt_builder_create(100000);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_device(10));
    device->granularity = GRT_GRANULARITY_SHARES;
    device->contention = GRT_CONTENTION_NONE;
    return builder;
}

/* A task with one kernel that fills the GPU, released once. */
static struct grt_task *add(struct grt_builder *builder, grt_time at, grt_time work, grt_time deadline,
                            int64_t priority) {
    static const char *const names[] = {"a", "b", "c", "d"};
    struct grt_task *task = grt_builder_task(builder, names[builder->scenario.task_count]);
    grt_builder_at(builder, task, at);
    task->deadline = deadline;
    task->priority = priority;
    grt_builder_whole(builder, task, work);
    return task;
}

static struct wamp2s_parameters plain(void) {
    return (struct wamp2s_parameters){.variant = SHARES_CORRECTED,
                                      .predictor = SHARES_NONE,
                                      .wdc = true,
                                      .threshold = 0.75,
                                      .rounds = 1,
                                      .run_time = 10};
}

static void run_with(struct grt_built_run *run, const struct grt_builder *builder,
                     const struct wamp2s_parameters *given) {
    grt_built_run_start_with(run, &builder->scenario, grt_policy_find("wamp2s"), given, false);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run->result);
}

/* The share of a task from an instant on; the streams are in the order of the tasks. */
static int64_t share_at(const struct grt_built_run *run, uint32_t task, grt_time instant) {
    int64_t share = 100;
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if (record->kind == GRT_TRACE_SHARE && record->row == task && record->time <= instant) {
            share = record->other;
        }
    }
    return share;
}

static uint64_t counted(const struct grt_built_run *run, const char *name) {
    for (size_t i = 0; i < run->result->counter_count; i++) {
        if (strcmp(run->result->counters[i].name, name) == 0) {
            return run->result->counters[i].count;
        }
    }
    return UINT64_MAX;
}

static int64_t measured(const struct grt_built_run *run, const char *name, uint32_t task) {
    for (size_t i = 0; i < run->result->measure_count; i++) {
        const struct grt_number_result *measure = &run->result->measures[i];
        if (strcmp(measure->name, name) == 0 && measure->task == task) {
            return measure->value;
        }
    }
    return -1;
}

/* ---- operations ---- */

static void alone(void) {
    struct grt_builder *builder = on_shares();
    struct wamp2s_parameters given = plain();
    struct grt_built_run run;
    add(builder, 100, 1000, 4000, 1);
    run_with(&run, builder, &given);
    CU_ASSERT_EQUAL(share_at(&run, A, 109), 0);
    CU_ASSERT_EQUAL(share_at(&run, A, 110), 100);
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 110, 1110));
    CU_ASSERT_EQUAL(share_at(&run, A, 1110), 0);
    CU_ASSERT_EQUAL(counted(&run, "scheduling_runs"), 1); /* nobody is left at its end */
    CU_ASSERT_EQUAL(measured(&run, "overhead_of_a_job", A), 10);
    grt_built_run_end(&run, builder);
}

/* a has half of its 1000 ns behind it at 510, when b comes. From 520 on it needs 15: 500 ns alone, 6667 times as long with 15 vprocessors as 1000 with all,
 * in 3480. b, predicted with 50, needs 51 for 1000 in 1990. Of the 34 that are left a has two thirds, 22, and one more, b 11. */
static struct grt_builder *two(void) {
    struct grt_builder *builder = on_shares();
    add(builder, 0, 1000, 4000, 2);
    add(builder, 510, 1000, 2000, 1);
    return builder;
}

static void two_of_them(void) {
    struct grt_builder *builder = two();
    struct wamp2s_parameters given = plain();
    struct grt_built_run run;
    run_with(&run, builder, &given);
    CU_ASSERT_EQUAL(share_at(&run, A, 519), 100);
    CU_ASSERT_EQUAL(share_at(&run, B, 519), 0);
    CU_ASSERT_EQUAL(share_at(&run, A, 520), 38);
    CU_ASSERT_EQUAL(share_at(&run, B, 520), 62);
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, A, 0), 1810); /* 490 ns are left at 520, with 38 */
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, B, 0), 2133);
    CU_ASSERT_EQUAL(share_at(&run, B, 2000), 62); /* WDC */
    CU_ASSERT_EQUAL(counted(&run, "scheduling_runs"), 2);
    CU_ASSERT_EQUAL(counted(&run, "predictions"), 3);
    CU_ASSERT_EQUAL(counted(&run, "runs_skipped_by_wdc"), 1);
    CU_ASSERT_EQUAL(measured(&run, "overhead_of_a_job", A), 20);
    CU_ASSERT_EQUAL(measured(&run, "overhead_of_a_job", B), 10);
    CU_ASSERT_EQUAL(measured(&run, "mean_overhead", GRT_NUMBER_OF_NONE), 15);
    CU_ASSERT_EQUAL(measured(&run, "saved_by_wdc", GRT_NUMBER_OF_NONE), 10);
    grt_built_run_end(&run, builder);
}

/* b has done 0.62 of 1290 ns when a ends, and what of its 1000 is left takes that long from 1820 on. */
static void without_wdc(void) {
    struct grt_builder *builder = two();
    struct wamp2s_parameters given = plain();
    struct grt_built_run run;
    given.wdc = false;
    run_with(&run, builder, &given);
    CU_ASSERT_EQUAL(share_at(&run, B, 1819), 62);
    CU_ASSERT_EQUAL(share_at(&run, B, 1820), 100);
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, B, 0), 1820 + 194);
    CU_ASSERT_EQUAL(counted(&run, "scheduling_runs"), 3);
    CU_ASSERT_EQUAL(measured(&run, "overhead_of_a_job", B), 20);
    grt_built_run_end(&run, builder);
}

/* Predictions take 7 ns each: the first is over at 17, the second, of two, at 510 + 24. With AETC and a threshold of 0.4 a's is kept at 510. */
static void predictions_take_time(void) {
    for (int aetc = 0; aetc < 2; aetc++) {
        struct grt_builder *builder = two();
        struct wamp2s_parameters given = plain();
        struct grt_built_run run;
        given.aetc = aetc > 0;
        given.threshold = 0.4;
        given.prediction_time = 7;
        run_with(&run, builder, &given);
        CU_ASSERT_EQUAL(share_at(&run, A, 16), 0);
        CU_ASSERT_EQUAL(share_at(&run, A, 17), 100);
        CU_ASSERT_EQUAL(share_at(&run, B, aetc ? 526 : 533), 0);
        CU_ASSERT(share_at(&run, B, aetc ? 527 : 534) > 0);
        CU_ASSERT_EQUAL(counted(&run, "predictions_skipped_by_aetc"), (uint64_t)aetc);
        CU_ASSERT_EQUAL(measured(&run, "saved_by_aetc", GRT_NUMBER_OF_NONE), 7 * aetc);
        grt_built_run_end(&run, builder);
    }
}

/* c comes while the operation for b is going on: it waits until that one is over, and the next. */
static void events_in_an_operation(void) {
    struct grt_builder *builder = two();
    struct wamp2s_parameters given = plain();
    struct grt_built_run run;
    add(builder, 515, 1000, 50000, 3);
    run_with(&run, builder, &given);
    CU_ASSERT_EQUAL(share_at(&run, A, 520), 38);
    CU_ASSERT_EQUAL(share_at(&run, B, 520), 62);
    CU_ASSERT_EQUAL(share_at(&run, C, 529), 0);
    CU_ASSERT(share_at(&run, C, 530) > 0);
    CU_ASSERT_EQUAL(counted(&run, "scheduling_runs"), 3);
    grt_built_run_end(&run, builder);
}

/* ---- who cannot meet his deadline ---- */

/* a needs all of the GPU for longer than there is. As printed it stands still for ever, and b behind it; corrected it has what there is. */
static void too_much(void) {
    for (int variant = SHARES_CORRECTED; variant <= SHARES_LISTING; variant++) {
        struct grt_builder *builder = on_shares();
        struct wamp2s_parameters given = plain();
        struct grt_built_run run;
        given.variant = variant;
        add(builder, 0, 1000, 900, 2);
        add(builder, 5, 100, 10000, 1);
        run_with(&run, builder, &given);
        bool corrected = variant == SHARES_CORRECTED;
        CU_ASSERT_EQUAL(run.result->tasks[A].finished, corrected);
        CU_ASSERT_EQUAL(run.result->tasks[B].finished, corrected);
        CU_ASSERT(counted(&run, "not_schedulable") > 0);
        grt_built_run_end(&run, builder);
    }
}

/* Finding 5: b has next to nothing until a ends at 1000. Then it has 1200 ns left, and needs 83. As printed there are 2200 less what it has executed, 46 would do,
 * and it gets 8 of the 53 that c leaves: it is late. */
static void waiting_counts(void) {
    for (int variant = SHARES_CORRECTED; variant <= SHARES_PAPER; variant++) {
        struct grt_builder *builder = on_shares();
        struct wamp2s_parameters given = plain();
        struct grt_built_run run;
        given.variant = variant;
        given.run_time = 0;
        add(builder, 0, 990, 1001, 9); /* it needs 99 */
        add(builder, 0, 1000, 2200, 1);
        add(builder, 990, 400, 100000, 5);
        run_with(&run, builder, &given);
        CU_ASSERT_EQUAL(share_at(&run, B, 500), variant == SHARES_CORRECTED);
        CU_ASSERT_EQUAL(share_at(&run, B, 1010), variant == SHARES_CORRECTED ? 83 + 2 : 46 + 8);
        CU_ASSERT_EQUAL(run.result->tasks[B].missed, variant == SHARES_PAPER);
        grt_built_run_end(&run, builder);
    }
}

/* ---- segments ---- */

/* A copy needs no share; behind the kernel 300 ns are still to come, so that it shall be done 300 ns before the deadline. */
static void segments(void) {
    struct grt_builder *builder = on_shares();
    struct wamp2s_parameters given = plain();
    struct grt_built_run run;
    struct grt_task *task = grt_builder_task(builder, "a");
    grt_builder_at(builder, task, 0);
    task->deadline = 2340;
    task->priority = 9;
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 30);
    grt_builder_cpu(builder, task, 50);
    grt_builder_whole(builder, task, 1000);
    grt_builder_cpu(builder, task, 250);
    grt_builder_copy(builder, task, GRT_COMMAND_D2H, 50);
    struct grt_task *other = add(builder, 80, 1000, 90000, 1);
    other->priority = 1000;
    run_with(&run, builder, &given);
    CU_ASSERT(grt_built_copy_ran(&run, A, 0, 0, 30));
    CU_ASSERT_EQUAL(counted(&run, "predictions"), 2);
    /* 1950 ns from 90 on: 52 at least, and the other 2, of which the last 46 are nearly all for the other */
    CU_ASSERT_EQUAL(share_at(&run, A, 90), 52);
    CU_ASSERT_EQUAL(share_at(&run, B, 90), 48);
    CU_ASSERT(grt_built_run_finish(&run, A, 0) <= 2340);
    grt_built_run_end(&run, builder);
}

/* a is aborted while it waits for its first share, b while it runs. */
static void aborts(void) {
    struct grt_builder *builder = on_shares();
    struct wamp2s_parameters given = plain();
    struct grt_built_run run;
    add(builder, 0, 1000, 5, 1)->on_miss = GRT_MISS_ABORT;
    add(builder, 100, 1000, 500, 1)->on_miss = GRT_MISS_ABORT;
    add(builder, 2000, 1000, 5000, 1);
    run_with(&run, builder, &given);
    CU_ASSERT_EQUAL(grt_built_run_abort(&run, A, 0), 5);
    CU_ASSERT_EQUAL(grt_built_run_abort(&run, B, 0), 600);
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, C, 0), 3010);
    CU_ASSERT_EQUAL(share_at(&run, B, 600), 0);
    grt_built_run_end(&run, builder);
}

/* Two GPUs have a scheduler each. */
static void two_gpus(void) {
    struct grt_builder *builder = on_shares();
    struct wamp2s_parameters given = plain();
    struct grt_built_run run;
    *grt_builder_gpu(builder, grt_built_device(10)) = builder->gpus[0];
    add(builder, 0, 1000, 4000, 2);
    add(builder, 5, 1000, 4000, 1)->gpu = 1;
    run_with(&run, builder, &given);
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 10, 1010));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 15, 1015));
    grt_built_run_end(&run, builder);
}

/* ---- networks ---- */

/* One rule, linear in the warps: e^(ln 1000 + warps / 100), whatever the share. */
static void by_networks(void) {
    static const double centre[GRT_NETWORK_INPUTS],
        width[GRT_NETWORK_INPUTS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const double consequents[1 + GRT_NETWORK_INPUTS] = {0, [1 + GRT_INDICATOR_WARPS] = 1};
    static const struct grt_usage usage = {.sm_utilisation = 1, .counters = {[GRT_INDICATOR_WARPS] = 50}};
    struct grt_builder *builder = two();
    struct wamp2s_parameters given = plain();
    struct grt_built_run run;
    struct grt_network network = {.kernel = "kernel",
                                  .rules = 1,
                                  .order = 1,
                                  .mean = log(1000),
                                  .deviation = 1,
                                  .centres = centre,
                                  .widths = width,
                                  .consequents = consequents};
    struct grt_networks networks = {&network, 1};
    for (int i = 0; i < GRT_NETWORK_INPUTS; i++) {
        network.high[i] = 100;
    }
    grt_network_finish(&network, &builder->arena);
    for (int i = 0; i < 2; i++) {
        struct grt_kernel *kernel =
            (struct grt_kernel *)(uintptr_t)&builder->segments[i][0].commands[0].kernel;
        kernel->usage = &usage;
        kernel->name = "kernel";
    }
    builder->scenario.networks = &networks;
    given.predictor = SHARES_SOFNN;
    run_with(&run, builder, &given);
    /* At 510 a, with all of the GPU, has 51 % behind it by its own prediction, 500 of 1000 ns; beside b, which would go at half of its speed and make 25
     * warps, it would take 1284, and 642 are left: in 3480 that is 19 vprocessors. b is predicted with 50 beside a's 50 warps: 1649; 1990 is enough for that
     * with 42. Of the 39 that are left, a has 26, b 13. */
    CU_ASSERT_EQUAL(share_at(&run, A, 520), 19 + 26);
    CU_ASSERT_EQUAL(share_at(&run, B, 520), 42 + 13);
    grt_built_run_free(&run);
    network.kernel = "another";
    grt_built_run_start_with(&run, &builder->scenario, grt_policy_find("wamp2s"), &given, false);
    CU_ASSERT_PTR_NULL(run.result);
    CU_ASSERT(run.errors.count == 1 &&
              strstr(run.errors.messages[0], "networks: has none of kernel \"kernel\"") != NULL);
    grt_built_run_end(&run, builder);
}

static void parameters_are_checked(void) {
    struct grt_builder *builder = two();
    struct wamp2s_parameters given = plain();
    struct grt_built_run run;
    given.threshold = 1.5;
    given.margin = 1;
    grt_built_run_start_with(&run, &builder->scenario, grt_policy_find("wamp2s"), &given, false);
    CU_ASSERT_PTR_NULL(run.result);
    CU_ASSERT_EQUAL_FATAL(run.errors.count, 2);
    CU_ASSERT_STRING_EQUAL(run.errors.messages[0], "policy.margin: must be 0 or more, and below 1 (got 1)");
    CU_ASSERT_STRING_EQUAL(run.errors.messages[1], "policy.threshold: must be from 0 to 1 (got 1.5)");
    grt_built_run_end(&run, builder);
}

/* ---- static shares ---- */

static void static_run(struct grt_built_run *run, const struct grt_builder *builder,
                       struct static_share *shares, size_t count) {
    struct static_parameters given = {.shares = {shares, count}};
    grt_built_run_start_with(run, &builder->scenario, grt_policy_find("static-shares"), &given, false);
}

static void equal_parts(void) {
    struct grt_builder *builder = on_shares();
    struct grt_built_run run;
    add(builder, 0, 100, 4000, 1);
    add(builder, 0, 100, 4000, 2);
    add(builder, 50, 100, 4000, 3);
    static_run(&run, builder, NULL, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run.result);
    CU_ASSERT_EQUAL(share_at(&run, A, 0), 34);
    CU_ASSERT_EQUAL(share_at(&run, B, 0), 33);
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 295));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 50, 354));
    grt_built_run_end(&run, builder);
}

static void given_parts(void) {
    struct static_share shares[] = {{"b", 50}, {"c", 40}};
    struct grt_builder *builder = on_shares();
    struct grt_built_run run;
    for (int i = 0; i < 3; i++) {
        add(builder, 0, 100, 4000, i);
    }
    static_run(&run, builder, shares, 2);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run.result);
    CU_ASSERT_EQUAL(share_at(&run, A, 0), 10);
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, B, 0), 200);
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, C, 0), 250);
    grt_built_run_free(&run);
    shares[1].share = 50;
    static_run(&run, builder, shares, 2);
    CU_ASSERT_PTR_NULL(run.result);
    CU_ASSERT_STRING_EQUAL(
        run.errors.messages[0],
        "policy.shares: shares of GPU 0 must leave at least 1 of 100 for each of the other 1 "
        "tasks (0 are left)");
    grt_built_run_free(&run);
    shares[1].task = "x";
    static_run(&run, builder, shares, 2);
    CU_ASSERT_STRING_EQUAL(run.errors.messages[0],
                           "policy.shares[1].task: there is no task \"x\" that uses a GPU");
    grt_built_run_free(&run);
    shares[1].task = "b";
    static_run(&run, builder, shares, 2);
    CU_ASSERT_STRING_EQUAL(run.errors.messages[0], "policy.shares[1].task: \"b\" has a share already");
    grt_built_run_end(&run, builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"alone", alone},
        {"two of them", two_of_them},
        {"without WDC", without_wdc},
        {"predictions take time", predictions_take_time},
        {"events in an operation", events_in_an_operation},
        {"too much", too_much},
        {"waiting counts", waiting_counts},
        {"segments", segments},
        {"aborts", aborts},
        {"two GPUs", two_gpus},
        {"networks", by_networks},
        {"parameters are checked", parameters_are_checked},
        {"equal parts", equal_parts},
        {"given parts", given_parts},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("wamp2s and static-shares", tests);
}
