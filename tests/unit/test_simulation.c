/* One scenario from file to result, in the order of calls of scenarios/simulation.h; another order aborts with a sentence. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/simulation.h"
#include "tests/support/child.h"
#include "tests/support/suite.h"

#define QUICKSTART GRT_SOURCE_DIR "/scenarios/quickstart.json"

static void load(struct grt_simulation *simulation) {
    struct grt_errors errors = {0};
    CU_ASSERT_FATAL(grt_simulation_load(simulation, QUICKSTART, NULL, &errors));
    grt_errors_clear(&errors);
}

static void run(struct grt_simulation *simulation) {
    struct grt_errors errors = {0};
    CU_ASSERT_FATAL(grt_simulation_run(simulation, false, &errors));
    grt_errors_clear(&errors);
}

static void prepare(struct grt_simulation *simulation) {
    struct grt_errors errors = {0};
    CU_ASSERT_FATAL(grt_simulation_prepare(simulation, false, &errors));
    CU_ASSERT_PTR_NULL(simulation->result);
    grt_errors_clear(&errors);
}

/* Under the sanitizers a second world would be a leak. */
static void a_prepared_world_is_the_one_that_runs(void) {
    struct grt_simulation simulation = {0}, other = {0};
    load(&simulation);
    prepare(&simulation);
    const struct grt_world *prepared = simulation.world;
    run(&simulation);
    CU_ASSERT_PTR_EQUAL(simulation.world, prepared);
    load(&other);
    run(&other);
    CU_ASSERT_EQUAL_FATAL(simulation.result->task_count, other.result->task_count);
    for (size_t i = 0; i < other.result->task_count; i++) {
        CU_ASSERT_EQUAL(simulation.result->tasks[i].response.max, other.result->tasks[i].response.max);
        CU_ASSERT_TRUE(other.result->tasks[i].released > 0);
    }
    grt_simulation_free(&simulation);
    grt_simulation_free(&other);
}

static void a_freed_one_is_used_again(void) {
    struct grt_simulation simulation = {0};
    struct grt_errors errors = {0};
    CU_ASSERT_FALSE(
        grt_simulation_load(&simulation, GRT_SOURCE_DIR "/scenarios/no-such.json", NULL, &errors));
    CU_ASSERT_EQUAL(errors.count, 1);
    grt_errors_clear(&errors);
    for (int i = 0; i < 2; i++) { /* the first time after a file that was not read */
        load(&simulation);
        run(&simulation);
        CU_ASSERT_PTR_NOT_NULL(simulation.result);
        grt_simulation_free(&simulation);
        CU_ASSERT_PTR_NULL(simulation.result);
    }
    grt_simulation_free(&simulation);
}

/* ---- orders that are none ---- */

static void load_twice(struct grt_simulation *simulation) {
    load(simulation);
    load(simulation);
}

static void prepare_nothing(struct grt_simulation *simulation) {
    prepare(simulation);
}

static void run_nothing(struct grt_simulation *simulation) {
    run(simulation);
}

static void prepare_twice(struct grt_simulation *simulation) {
    load(simulation);
    prepare(simulation);
    prepare(simulation);
}

static void run_twice(struct grt_simulation *simulation) {
    load(simulation);
    run(simulation);
    run(simulation);
}

static void listen_to_nothing(struct grt_simulation *simulation) {
    grt_simulation_add_sink(simulation, &grt_trace_memory_sink, &simulation->kept);
}

static void listen_late(struct grt_simulation *simulation) {
    load(simulation);
    prepare(simulation);
    grt_simulation_add_sink(simulation, &grt_trace_memory_sink, &simulation->kept);
}

static void expect_before_the_run(struct grt_simulation *simulation) {
    struct grt_errors errors = {0};
    load(simulation);
    prepare(simulation);
    grt_simulation_is_as_expected(simulation, &errors);
}

static void expect_twice(struct grt_simulation *simulation) {
    load(simulation);
    grt_simulation_expect(simulation);
    grt_simulation_expect(simulation);
}

static void expect_nothing(struct grt_simulation *simulation) {
    grt_simulation_expect(simulation);
}

/* Whether or not the file expects what needs a trace. */
static void expect_late(struct grt_simulation *simulation) {
    load(simulation);
    prepare(simulation);
    grt_simulation_expect(simulation);
}

static void check_what_nobody_expected(struct grt_simulation *simulation) {
    struct grt_errors errors = {0};
    load(simulation);
    run(simulation);
    grt_simulation_is_as_expected(simulation, &errors);
}

static void ask_before_the_run(struct grt_simulation *simulation) {
    struct grt_errors errors = {0};
    load(simulation);
    grt_simulation_is_whole(simulation, &errors);
}

static void ask_a_world_before_the_run(struct grt_simulation *simulation) {
    struct grt_errors errors = {0};
    load(simulation);
    prepare(simulation);
    grt_world_is_whole(simulation->world, &errors);
}

struct misuse {
    void (*wrong)(struct grt_simulation *simulation);
};

static void make(void *misuse) {
    struct grt_simulation simulation = {0};
    ((const struct misuse *)misuse)->wrong(&simulation);
}

/* Runs the calls in a child and expects it to abort with this sentence. */
static void refused(void (*wrong)(struct grt_simulation *simulation), const char *sentence) {
    char said[4096];
    CU_ASSERT_TRUE(
        grt_child_ended_by(grt_child_run(make, &(struct misuse){wrong}, said, sizeof said), SIGABRT));
    CU_ASSERT_PTR_NOT_NULL(strstr(said, sentence));
}

static void another_order_aborts_with_a_sentence(void) {
    refused(load_twice, "a simulation is loaded once");
    refused(prepare_nothing, "load a scenario before preparing its world");
    refused(run_nothing, "load a scenario before preparing its world");
    refused(prepare_twice, "a simulation has one world");
    refused(run_twice, "a simulation runs once");
    refused(listen_to_nothing, "load a scenario before asking for its trace");
    refused(listen_late, "ask for a trace before the run");
    refused(expect_twice, "say once that a simulation's expectations will be checked");
    refused(expect_nothing, "say once that a simulation's expectations will be checked");
    refused(expect_late, "say once that a simulation's expectations will be checked");
    refused(check_what_nobody_expected, "call grt_simulation_expect before the run");
    refused(ask_before_the_run, "run the simulation before asking whether it is whole");
    refused(ask_a_world_before_the_run, "run a world before asking whether its run is whole");
    refused(expect_before_the_run, "run the simulation before looking for what was expected");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"a prepared world is the one that runs", a_prepared_world_is_the_one_that_runs},
        {"a freed one is used again", a_freed_one_is_used_again},
        {"another order aborts with a sentence", another_order_aborts_with_a_sentence},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("simulation", tests);
}
