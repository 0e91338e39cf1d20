/* labels: soak once */
/* The performance model: figures 1, 6, 11 to 13 and 16 of Y. Yao et al., "WAMP2S: Workload-Aware GPU Performance Model Based Pseudo-Preemptive
 * Real-Time Scheduling for the Airborne Embedded System", IEEE TPDS 33(11), 2022. The numbers are in docs/wamp2s-figures.md. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/suite.h"
#include "tests/support/wamp2s_figures.h"
#include "tests/support/wamp2s_models.h"
#include "tests/support/wamp2s_remaining.h"

/* ---- figures 1 and 6 ---- */

/* More and more beside it make it slower, in turns by its part that needs the GPU for each of them. */
static void test_figure_1(void) {
    const double host = 0.03; /* of the preset */
    for (size_t others = 1; others < RODINIA_APPLICATIONS; others++) {
        CU_ASSERT_TRUE(wamp2s_lavamd(others, GRT_SHARE_MODE_CONCURRENT) >
                       wamp2s_lavamd(others - 1, GRT_SHARE_MODE_CONCURRENT));
        CU_ASSERT_DOUBLE_EQUAL(wamp2s_lavamd(others, GRT_SHARE_MODE_TIME_SLICING),
                               448 * (host + (1 - host) * (double)(others + 1)), 1e-6);
    }
    CU_ASSERT_DOUBLE_EQUAL(wamp2s_lavamd(0, GRT_SHARE_MODE_CONCURRENT), 448, 1e-9);
}

/* A job of the application alone with a share, on the simulated GPU. */
static double simulated_alone(size_t application, int64_t share) {
    struct rodinia_set set = {.count = 1, .items = {{application, 300 * GRT_SECOND}}};
    struct grt_simulation simulation = {0};
    char policy[128];
    snprintf(policy, sizeof policy,
             "{\"name\": \"static-shares\", \"shares\": [{\"task\": \"%s\", \"share\": %d}]}",
             rodinia_applications[application].task, (int)share);
    const struct rodinia_setup setup = {"alone", policy, "\"kernel_launch\": \"0ns\""};
    rodinia_run(&set, &setup, &simulation);
    double time = (double)simulation.result->tasks[0].response.max;
    grt_simulation_free(&simulation);
    return time;
}

/* The engine takes as long as the closed form says, but that it rounds speeds up to 2^-32 and ends to whole ns. */
static void test_figure_6(void) {
    for (size_t i = 0; i < RODINIA_APPLICATIONS; i++) {
        for (int64_t share = 5; share <= 100; share += 19) {
            double factor = wamp2s_alone(i, share);
            double expected = factor * (double)rodinia_applications[i].worst;
            CU_ASSERT_DOUBLE_EQUAL(simulated_alone(i, share), expected, 2 + expected * factor * 0x1p-32);
            CU_ASSERT_TRUE(wamp2s_alone(i, share) <= wamp2s_alone(i, share - 1));
        }
        CU_ASSERT_DOUBLE_EQUAL(wamp2s_alone(i, 100), 1, 1e-12);
    }
}

/* ---- figures 11 and 16 ---- */

/* No error above 2 %, which is less than the paper's largest. */
static void check_models(const char *name, const struct wamp2s_effort *effort, int64_t least_rules) {
    static struct wamp2s_models models;
    wamp2s_train(name, effort, &models);
    for (size_t i = 0; i < models.count; i++) {
        const struct wamp2s_accuracy *accuracy = &models.accuracies[i];
        printf("\n    %s: %.2f %%, %d rules, log-linear %.2f, nearest %.2f ", models.networks[i].kernel,
               100 * accuracy->network.error, (int)models.networks[i].rules, 100 * accuracy->linear.error,
               100 * accuracy->nearest.error);
        CU_ASSERT_TRUE(accuracy->network.error <= 0.02 && accuracy->network.error_of_estimate <= 0.02);
        CU_ASSERT_TRUE(models.networks[i].rules >= least_rules && models.networks[i].rules <= 120);
        CU_ASSERT_TRUE(accuracy->network.error < accuracy->nearest.error);
        if (effort->samples >= wamp2s_full.samples) {
            CU_ASSERT_TRUE(accuracy->network.error < accuracy->linear.error);
        }
    }
}

static void test_figure_11(void) {
    if (grt_suite_is_long()) {
        check_models("rodinia-1.0-wamp2s", &wamp2s_full, 20);
    }
}

static void test_figure_16(void) {
    static const struct wamp2s_effort little = {400, 200, 12};
    bool full = grt_suite_is_long();
    check_models("airborne-wamp2s", full ? &wamp2s_full : &little, 1);
}

/* ---- figures 12 and 13 ---- */

/* The world in which estimates are measured is that of the engine: who is there at the beginning executes once, and nobody comes back. */
static void play_on_engine(size_t application, uint64_t number) {
    struct wamp2s_remaining_job job;
    struct rodinia_set set = {0};
    struct grt_simulation simulation = {0};
    char policy[1024] = "{\"name\": \"static-shares\", \"shares\": [";
    size_t length = strlen(policy), at = 0;
    wamp2s_remaining_job(application, number, 1e16, NULL, &job);
    for (size_t i = 0; i < RODINIA_APPLICATIONS; i++) {
        if (job.active[i]) {
            at = i == application ? set.count : at;
            set.items[set.count].application = i;
            set.items[set.count].period = 1000 * GRT_SECOND;
            length += (size_t)snprintf(policy + length, sizeof policy - length,
                                       "%s{\"task\": \"%s\", \"share\": %d}", set.count > 0 ? ", " : "",
                                       rodinia_applications[i].task, (int)job.shares[i]);
            set.count++;
        }
    }
    snprintf(policy + length, sizeof policy - length, "]}");
    const struct rodinia_setup setup = {"played", policy,
                                        "\"contention\": \"saturation\", \"kernel_launch\": \"0ns\""};
    rodinia_run(&set, &setup, &simulation);
    CU_ASSERT_DOUBLE_EQUAL((double)simulation.result->tasks[at].response.max, job.time,
                           1000); /* speeds of 0.01 and more are rounded up to 2^-32, in jobs of up to 40 s */
    grt_simulation_free(&simulation);
}

static void test_played_as_simulated(void) {
    for (int i = 0; i < grt_suite_all_cases(60, 3000); i++) {
        play_on_engine((size_t)i % RODINIA_APPLICATIONS, (uint64_t)i);
    }
}

/* Who knows everything but the future errs less and less, and by nothing if nothing changes any more. */
static void test_figure_13_perfect(void) {
    struct wamp2s_remaining errors;
    wamp2s_remaining(grt_suite_all_cases(60, 400), 4e9, NULL, &errors);
    double threshold = wamp2s_threshold(errors.of_remaining, errors.estimates, 0.01);
    printf("\n    below 1 %% from %.2f on ", threshold);
    CU_ASSERT_TRUE(threshold > 0.4 && threshold < 0.9); /* the paper: 0.7642 */
    for (int i = 1; i < WAMP2S_BINS; i += 2) {
        CU_ASSERT_TRUE(errors.of_time[i] < errors.of_time[1] + 0.002);
    }
    CU_ASSERT_TRUE(errors.of_remaining[WAMP2S_BINS - 1] < 0.005);
    struct wamp2s_remaining_job job;
    for (uint64_t i = 0; i < 50; i++) {
        wamp2s_remaining_job(7, i, 4e9, NULL, &job);
        const struct wamp2s_estimate_made *last = &job.items[job.count - 1];
        if (job.count < WAMP2S_MOST_ESTIMATES) {
            CU_ASSERT_DOUBLE_EQUAL(last->estimated, last->remained, 1e-6 * job.time);
        }
    }
}

/* Who errs by a part of the whole cannot err by less than that of the little that is left. */
static void test_figure_13_learnt(void) {
    struct wamp2s_remaining learnt, perfect;
    int jobs = grt_suite_all_cases(30, 400);
    wamp2s_remaining(jobs, 4e9, wamp2s_rodinia_networks(), &learnt);
    wamp2s_remaining(jobs, 4e9, NULL, &perfect);
    CU_ASSERT_TRUE(learnt.of_remaining[WAMP2S_BINS - 1] > 0.05);
    CU_ASSERT_TRUE(learnt.of_time[WAMP2S_BINS - 1] < learnt.of_time[1]);
    CU_ASSERT_TRUE(learnt.of_time[1] < perfect.of_time[1] + 0.01);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"figure 1: lavaMD beside more and more others", test_figure_1},
        {"figure 6: vprocessors against time", test_figure_6},
        {"figure 11: the Rodinia applications' networks", test_figure_11},
        {"figure 16: the airborne applications' networks", test_figure_16},
        {"figure 13: the world is that of the engine", test_played_as_simulated},
        {"figure 13: a perfect model", test_figure_13_perfect},
        {"figure 13: a learnt model", test_figure_13_learnt},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("yao_tpds_2022_model", tests);
}
