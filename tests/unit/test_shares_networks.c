/* The networks that policies of shares predict by: the scenario's, or some that are trained here, and why there are none. */
#include <stdio.h>

#include "models/learning/network.h"
#include "models/policy.h"
#include "policies/shares/prepared.h"
#include "tests/support/scenario_text.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

#define WAMP2S "\"name\":\"wamp2s\",\"predictor\":\"sofnn\""
#define STATIC "\"name\":\"static-shares\",\"estimate_errors\":true,\"predictor\":\"sofnn\""
#define TASK(name, kernel)                                                                                   \
    "{\"name\":\"" name "\",\"period\":\"20ms\",\"segments\":[{\"gpu\":[{\"kernel\":" kernel "}]}]}"
#define GAUSSIAN "\"g\",\"time\":\"2ms\",\"usage\":\"gaussian\""
#define KMEANS "\"k\",\"time\":\"3ms\",\"usage\":\"kmeans\""
#define PLAIN "\"p\",\"time\":\"3ms\""

/* A scenario on a GPU of shares, with more fields of the GPU where `gpu` begins with a comma. */
#define SET(policy, gpu, tasks)                                                                              \
    "{\"gpurt\":1,\"name\":\"s\",\"horizon\":\"100ms\",\"platform\":{\"gpus\":[{\"device\":\"gtx1060_6gb\"," \
    "\"granularity\":\"shares\",\"contention\":\"saturation\"" gpu "}]},\"policy\":{" policy                 \
    "},\"tasks\":[" tasks "]}"

struct played {
    struct grt_scenario_file file;
    struct grt_built_run run;
};

/* Runs it with its own networks where `networks` is NULL. */
static void play(const char *text, const struct grt_networks *networks, struct played *played) {
    grt_scenario_text_load(text, NULL, &played->file);
    if (networks != NULL) {
        played->file.scenario.networks = networks;
    }
    grt_built_run_start_with(&played->run, &played->file.scenario, played->file.policy,
                             played->file.policy_parameters, false);
}

static void end(struct played *played) {
    grt_built_run_free(&played->run);
    grt_scenario_file_free(&played->file);
}

/* Expects the world to be refused with this only. */
static void refuses(const char *text, const struct grt_networks *networks, const char *message) {
    struct played played;
    play(text, networks, &played);
    CU_ASSERT_PTR_NULL(played.run.result);
    CU_ASSERT_EQUAL_FATAL(played.run.errors.count, 1);
    CU_ASSERT_STRING_EQUAL(played.run.errors.messages[0], message);
    end(&played);
}

static void accepts(const char *text, const struct grt_networks *networks) {
    struct played played;
    play(text, networks, &played);
    CU_ASSERT_PTR_NOT_NULL(played.run.result);
    CU_ASSERT_EQUAL(played.run.errors.count, 0);
    end(&played);
}

/* Of the two kernels one has counters: it gets a network, which knows how long the kernel takes alone, 2 ms. */
static void trains_one_of_two(const char *text) {
    static const double nobody[GRT_INDICATORS] = {0};
    struct played played;
    play(text, NULL, &played);
    CU_ASSERT_PTR_NOT_NULL_FATAL(played.run.result);
    const struct shares_prepared *prepared = grt_policy_prepared(played.run.world);
    const struct grt_network *network = shares_matrix_at(prepared->matrix, 0, 0)->kernels[0].network;
    CU_ASSERT_PTR_NOT_NULL_FATAL(network);
    double time = grt_network_predict(network, nobody, 100, NULL);
    CU_ASSERT(time > 1.9e6 && time < 2.1e6);
    CU_ASSERT_PTR_NULL(shares_matrix_at(prepared->matrix, 1, 0)->kernels[0].network);
    end(&played);
}

static void what_has_counters_is_trained(void) {
    trains_one_of_two(SET(WAMP2S, "", TASK("a", GAUSSIAN) "," TASK("b", PLAIN)));
    trains_one_of_two(SET(STATIC, "", TASK("a", GAUSSIAN) "," TASK("b", PLAIN)));
}

/* A kernel alone takes what it says; nobody needs a network for that. */
static void without_counters_nothing_is_needed(void) {
    static const struct grt_networks none = {0};
    accepts(SET(WAMP2S, "", TASK("a", PLAIN)), NULL);
    accepts(SET(WAMP2S, "", TASK("a", PLAIN)), &none);
    accepts(SET("\"name\":\"wamp2s\",\"predictor\":\"none\"", "", TASK("a", GAUSSIAN)), &none);
}

static void networks_have_to_know_every_kernel(void) {
    static const struct grt_networks none = {0};
    refuses(SET(WAMP2S, "", TASK("a", PLAIN) "," TASK("b", KMEANS) "," TASK("c", GAUSSIAN)), &none,
            "networks: has none of kernel \"k\", which policy wamp2s has to predict; train it as well, or "
            "set the policy's \"predictor\" to \"none\"");
    refuses(SET(STATIC, "", TASK("c", GAUSSIAN)), &none,
            "networks: has none of kernel \"g\", which policy static-shares has to predict; train it as "
            "well, or set the policy's \"predictor\" to \"none\"");
}

static void tokens_are_not_trained_for(void) {
    refuses(SET(WAMP2S, ",\"share_interval\":\"1ms\"", TASK("a", GAUSSIAN)), NULL,
            "policy.predictor: no networks could be trained: with \"share_interval\" that takes long; name "
            "\"networks\" of `gpurt train`, or set \"predictor\" to \"perfect\" or \"none\"");
    accepts(SET(WAMP2S, ",\"share_interval\":\"1ms\"", TASK("a", PLAIN)), NULL);
}

static void two_kernels_of_a_name_are_not_trained_for(void) {
    refuses(SET(WAMP2S, "", TASK("a", GAUSSIAN) "," TASK("b", "\"g\",\"time\":\"3ms\",\"usage\":\"kmeans\"")),
            NULL,
            "policy.predictor: no networks could be trained: tasks[1]: its kernel \"g\" is not the one of "
            "task \"a\": networks are found by the names of kernels, so that two that differ in time or "
            "usage, or in their GPU, need two names");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"what has counters is trained", what_has_counters_is_trained},
        {"without counters nothing is needed", without_counters_nothing_is_needed},
        {"networks have to know every kernel", networks_have_to_know_every_kernel},
        {"tokens are not trained for", tokens_are_not_trained_for},
        {"two kernels of a name are not trained for", two_kernels_of_a_name_are_not_trained_for},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("networks of shares", tests);
}
