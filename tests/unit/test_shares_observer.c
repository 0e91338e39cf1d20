/* How wrong estimates of remaining times are under `static-shares`, in small cases that are worked out by hand. */
#include <math.h>
#include <string.h>

#include "policies/registry.h"
#include "policies/shares/parameters.h"
#include "policies/shares/predictor.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { A, B };

static struct grt_builder *on_shares(int64_t contention) {
    struct grt_builder *builder = grt_builder_create(100000);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_device(10));
    device->granularity = GRT_GRANULARITY_SHARES;
    device->contention = contention;
    return builder;
}

static void add(struct grt_builder *builder, grt_time at, grt_time work, const struct grt_usage *usage) {
    struct grt_task *task = grt_builder_task(builder, builder->scenario.task_count == A ? "a" : "b");
    grt_builder_at(builder, task, at);
    task->deadline = 50000;
    grt_builder_whole(builder, task, work)->usage = usage;
}

static struct static_parameters estimating(int64_t predictor) {
    return (struct static_parameters){
        .estimate_errors = true, .estimates = {0, 1, 0}, .predictor = predictor};
}

static void run_with(struct grt_built_run *run, const struct grt_builder *builder,
                     const struct static_parameters *given) {
    grt_built_run_start_with(run, &builder->scenario, grt_policy_find("static-shares"), given, false);
}

static double measured(const struct grt_built_run *run, const char *name, uint32_t task) {
    for (size_t i = 0; i < run->result->measure_count; i++) {
        const struct grt_number_result *measure = &run->result->measures[i];
        if (strcmp(measure->name, name) == 0 && measure->task == task) {
            return measure->is_percent ? (double)measure->value / 1e4 : (double)measure->value;
        }
    }
    return -1;
}

/* The mean error of the estimates that are chosen, of all or of a task, and how many there are. */
static void expect(const struct grt_builder *builder, struct static_parameters given, uint32_t task,
                   double percent, int count) {
    struct grt_built_run run;
    run_with(&run, builder, &given);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run.result);
    bool all = task == GRT_NUMBER_OF_NONE;
    CU_ASSERT_DOUBLE_EQUAL(measured(&run, all ? "estimate_error_percent" : "estimate_error_percent_of", task),
                           percent, 1e-4);
    CU_ASSERT_EQUAL(measured(&run, "estimates", GRT_NUMBER_OF_NONE), count);
    grt_built_run_free(&run);
}

/* Both use all of the DRAM, and a tenth of the SMs: with half of the GPU they are as fast as with all, and beside each other half as fast. a begins at 0 and has
 * done 400 of 1000 ns when b comes, which takes until 800 for its 200; a ends at 1200. */
static const struct grt_usage dram = {.sm_utilisation = 0.1, .demand = {[GRT_RESOURCE_DRAM] = 1}};

static struct grt_builder *two(void) {
    struct grt_builder *builder = on_shares(GRT_CONTENTION_MAX_MIN);
    add(builder, 0, 1000, &dram);
    add(builder, 400, 200, &dram);
    return builder;
}

/* Of a 1000 are estimated at 0, and 1200 come; at 400, with 0.4 done, 0.6 of 2000, and 800 come; at 800, with 0.6 done, 400, and these come. b is right. */
static void what_is_ahead_is_not_known(void) {
    struct grt_builder *builder = two();
    struct static_parameters given = estimating(SHARES_PERFECT);
    expect(builder, given, GRT_NUMBER_OF_NONE, (100.0 / 6 + 50) / 4, 4);
    expect(builder, given, A, (100.0 / 6 + 50) / 3, 4);
    expect(builder, given, B, 0, 4);
    static const double of_a[] = {100.0 / 6, 50, 0};
    for (int i = 0; i < 3; i++) {
        given.estimates.number = i + 1;
        expect(builder, given, A, of_a[i], i == 0 ? 2 : 1);
    }
    given.estimates = (struct shares_choice){0.3, 0.5, 0};
    expect(builder, given, GRT_NUMBER_OF_NONE, 50, 1);
    given.estimates = (struct shares_choice){0.5, 1, 0};
    expect(builder, given, GRT_NUMBER_OF_NONE, 0, 1);
    grt_builder_free(builder);
}

/* As if alone: at 400 a seems to have 600 left of 800 that come; at 800 0.8 seems to be done, and 200 left of 400. b has 200 left of 400. */
static void as_if_alone(void) {
    struct grt_builder *builder = two();
    struct static_parameters given = estimating(SHARES_NONE);
    expect(builder, given, A, (100.0 / 6 + 25 + 50) / 3, 4);
    expect(builder, given, B, 50, 4);
    grt_builder_free(builder);
}

/* Where nobody is in another's way there is nothing that a perfect model does not know. */
static void nothing_to_know(void) {
    static const struct grt_usage all = {.sm_utilisation = 1};
    struct grt_builder *builder = on_shares(GRT_CONTENTION_NONE);
    add(builder, 0, 1000, &all);
    add(builder, 500, 100, &all);
    expect(builder, estimating(SHARES_PERFECT), GRT_NUMBER_OF_NONE, 0, 4);
    grt_builder_free(builder);
}

/* One rule, linear in the warps: e^(ln 1000 + warps / 100), whatever the share. */
static void set_network(struct grt_builder *builder, struct grt_network *network,
                        struct grt_networks *networks) {
    static const double centre[GRT_NETWORK_INPUTS],
        width[GRT_NETWORK_INPUTS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const double consequents[1 + GRT_NETWORK_INPUTS] = {0, [1 + GRT_INDICATOR_WARPS] = 1};
    *network = (struct grt_network){.kernel = "kernel",
                                    .rules = 1,
                                    .order = 1,
                                    .mean = log(1000),
                                    .deviation = 1,
                                    .centres = centre,
                                    .widths = width,
                                    .consequents = consequents};
    for (int i = 0; i < GRT_NETWORK_INPUTS; i++) {
        network->high[i] = 100;
    }
    grt_network_finish(network, &builder->arena);
    for (int i = 0; i < 2; i++) {
        ((struct grt_kernel *)(uintptr_t)&builder->segments[i][0].commands[0].kernel)->name = "kernel";
    }
    *networks = (struct grt_networks){network, 1};
    builder->scenario.networks = networks;
}

/* Each takes 2000 ns for 1000 with its half. When b comes, at 500, each is at first predicted beside 25 warps, with which it would take 1000 e^0.25 and make
 * 50 e^-0.25; beside these it is predicted again. By 1000 ns alone a has half behind it, and 1500 come. */
static void by_networks(void) {
    static const struct grt_usage usage = {.sm_utilisation = 1, .counters = {[GRT_INDICATOR_WARPS] = 50}};
    struct grt_builder *builder = on_shares(GRT_CONTENTION_NONE);
    struct static_parameters given = estimating(SHARES_SOFNN);
    struct grt_network network;
    struct grt_networks networks;
    struct grt_built_run run;
    add(builder, 0, 1000, &usage);
    add(builder, 500, 1000, &usage);
    set_network(builder, &network, &networks);
    given.estimates.number = 2;
    double predicted = 1000 * exp(0.5 * exp(-0.25));
    expect(builder, given, A, 100 * (1500 - predicted / 2) / 1500, 2);
    network.kernel = "another";
    run_with(&run, builder, &given);
    CU_ASSERT_PTR_NULL(run.result);
    CU_ASSERT(run.errors.count == 1 &&
              strstr(run.errors.messages[0], "which policy static-shares has to predict") != NULL);
    grt_built_run_free(&run);
    given.estimate_errors = false; /* nobody asks it */
    run_with(&run, builder, &given);
    CU_ASSERT_PTR_NOT_NULL(run.result);
    grt_built_run_end(&run, builder);
}

static void nothing_else_changes(void) {
    struct grt_builder *builder = two();
    struct static_parameters given = estimating(SHARES_PERFECT);
    struct grt_built_run with, without;
    run_with(&with, builder, &given);
    given.estimate_errors = false;
    run_with(&without, builder, &given);
    CU_ASSERT_EQUAL_FATAL(with.kept.record_count, without.kept.record_count);
    CU_ASSERT_EQUAL(
        memcmp(with.kept.records, without.kept.records, with.kept.record_count * sizeof *with.kept.records),
        0);
    CU_ASSERT_EQUAL(grt_built_run_finish(&without, A, 0), 1200);
    CU_ASSERT_EQUAL(without.result->measure_count, 0);
    grt_built_run_free(&with);
    grt_built_run_end(&without, builder);
}

static void is_refused(const struct grt_builder *builder, double from, double to, const char *sentence) {
    struct static_parameters given = estimating(SHARES_PERFECT);
    struct grt_built_run run;
    given.estimates.from = from;
    given.estimates.to = to;
    run_with(&run, builder, &given);
    CU_ASSERT_PTR_NULL(run.result);
    CU_ASSERT_EQUAL_FATAL(run.errors.count, 1);
    CU_ASSERT_STRING_EQUAL(run.errors.messages[0], sentence);
    grt_built_run_free(&run);
}

static void parts_are_checked(void) {
    struct grt_builder *builder = two();
    is_refused(builder, 1, 1, "policy.estimates_from: must be 0 or more, and below 1 (got 1)");
    is_refused(builder, -0.1, 1, "policy.estimates_from: must be 0 or more, and below 1 (got -0.1)");
    is_refused(builder, 0.5, 0.5,
               "policy.estimates_to: must be above \"estimates_from\", and at most 1 (got 0.5)");
    is_refused(builder, 0.5, 1.5,
               "policy.estimates_to: must be above \"estimates_from\", and at most 1 (got 1.5)");
    grt_builder_free(builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"what is ahead is not known", what_is_ahead_is_not_known},
        {"as if alone", as_if_alone},
        {"nothing to know", nothing_to_know},
        {"by networks", by_networks},
        {"nothing else changes", nothing_else_changes},
        {"parts are checked", parts_are_checked},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("Estimates under static-shares", tests);
}
