/* labels: no-branches */
/* Samples from the simulated GPU, against the contention models by themselves and against a plain fixed point; what situations are drawn; which kernels get networks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/device/contention.h"
#include "models/learning/collect.h"
#include "models/learning/train.h"
#include "tests/support/contended.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { MOST_TASKS = GRT_CONTENDED };

/* A scenario with one task per application, each with one kernel. */
struct made {
    struct grt_arena arena;
    struct grt_device device;
    struct grt_usage usages[MOST_TASKS];
    struct grt_command_spec commands[MOST_TASKS];
    struct grt_segment segments[MOST_TASKS];
    struct grt_task tasks[MOST_TASKS];
    struct grt_scenario scenario;
    struct grt_learner_list learners;
};

static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};

static void make(struct made *made, int64_t mode, int64_t contention) {
    memset(made, 0, sizeof *made);
    made->device = grt_built_device(10);
    made->device.contention_latency = (struct grt_resource_numbers){.15, .3, .5, .1, .15};
    made->device.contention_exponent = .9;
    made->device.granularity = GRT_GRANULARITY_SHARES;
    made->device.share_mode = mode;
    made->device.contention = contention;
    made->device.kernel_launch = 5000;
    for (size_t i = 0; i < MOST_TASKS; i++) {
        made->usages[i] = grt_contended_usage(i);
        made->commands[i] = (struct grt_command_spec){
            .kind = GRT_COMMAND_KERNEL,
            .kernel = {.name = names[i],
                       .whole_device = true,
                       .block_time = {.kind = GRT_CONSTANT, .max = (grt_time)grt_contended_time(i)},
                       .usage = &made->usages[i]}};
        made->segments[i] =
            (struct grt_segment){.kind = GRT_SEGMENT_GPU, .commands = &made->commands[i], .command_count = 1};
        made->tasks[i] = (struct grt_task){.name = names[i],
                                           .period = 1000000000,
                                           .deadline = 1000000000,
                                           .cpu = -1,
                                           .segments = &made->segments[i],
                                           .segment_count = 1};
    }
    made->scenario = (struct grt_scenario){.name = "made",
                                           .horizon = 1000000000,
                                           .gpus = &made->device,
                                           .gpu_count = 1,
                                           .tasks = made->tasks,
                                           .task_count = MOST_TASKS};
}

static void find(struct made *made) {
    struct grt_errors errors = {0};
    CU_ASSERT_FATAL(grt_learners_find(&made->scenario, NULL, &made->arena, &made->learners, &errors));
}

/* What the contention model says of a situation. */
static double expected_time(const struct made *made, const struct grt_learner *learner,
                            const struct grt_situation *situation, double *indicators) {
    struct grt_arena arena = {0};
    struct grt_contention *contention = grt_contention_create(&made->device, &arena);
    struct grt_sharer sharers[GRT_SITUATION_MOST];
    double speeds[GRT_SITUATION_MOST];
    for (size_t i = 0; i < situation->count; i++) {
        sharers[i] = (struct grt_sharer){.usage = &situation->running[i]->usage,
                                         .class_number = GRT_NO_CLASS,
                                         .share = situation->shares[i]};
    }
    grt_contention_speeds(contention, sharers, (uint32_t)situation->count, speeds);
    memset(indicators, 0, GRT_INDICATORS * sizeof *indicators);
    for (size_t i = 0; i < situation->count; i++) {
        for (size_t k = 0; i != situation->measured && k < GRT_INDICATORS; k++) {
            indicators[k] += speeds[i] * situation->running[i]->usage.counters[k];
        }
    }
    grt_arena_clear(&arena);
    return (double)grt_learner_application(learner)->work / speeds[situation->measured];
}

static bool near(const double *a, const double *b, size_t count, double relative) {
    for (size_t i = 0; i < count; i++) {
        if (fabs(a[i] - b[i]) > relative * fmax(fabs(a[i]), fabs(b[i]))) {
            return false;
        }
    }
    return true;
}

/* The engine's speeds are rounded up to 2^-32, so that what is slow is a little less so. */
static void hold_engine_to_model(int64_t mode, int64_t contention) {
    struct made made;
    struct grt_random random = grt_random_of_key(5);
    make(&made, mode, contention);
    find(&made);
    for (int i = 0; i < 200; i++) {
        const struct grt_learner *learner = &made.learners.items[i % MOST_TASKS];
        struct grt_situation situation = grt_situation_draw(learner, &random);
        double engine[GRT_INDICATORS], model[GRT_INDICATORS];
        double expected = expected_time(&made, learner, &situation, model);
        grt_time time = grt_collect_one(learner, &situation, engine);
        if (isinf(expected)) { /* left-over: nothing was left for it */
            CU_ASSERT(time == GRT_TIME_NEVER);
            continue;
        }
        CU_ASSERT(fabs((double)time - expected) < 2 + 1e-7 * expected);
        CU_ASSERT(near(engine, model, GRT_INDICATORS, 1e-7));
    }
    grt_arena_clear(&made.arena);
}

static void engine_and_model_agree(void) {
    hold_engine_to_model(GRT_SHARE_MODE_CONCURRENT, GRT_CONTENTION_SATURATION);
    hold_engine_to_model(GRT_SHARE_MODE_CONCURRENT, GRT_CONTENTION_MAX_MIN);
    hold_engine_to_model(GRT_SHARE_MODE_LEFT_OVER, GRT_CONTENTION_SATURATION);
    hold_engine_to_model(GRT_SHARE_MODE_TIME_SLICING, GRT_CONTENTION_NONE);
}

/* The same against the fixed point of tests/support, which shares no code with the models. */
static void engine_and_plain_fixed_point_agree(void) {
    struct made made;
    struct grt_random random = grt_random_of_key(6);
    make(&made, GRT_SHARE_MODE_CONCURRENT, GRT_CONTENTION_SATURATION);
    find(&made);
    for (int i = 0; i < 200; i++) {
        const struct grt_learner *learner = &made.learners.items[i % MOST_TASKS];
        struct grt_situation situation = grt_situation_draw(learner, &random);
        size_t numbers[GRT_CONTENDED];
        double speeds[GRT_CONTENDED], indicators[GRT_INDICATORS], sums[GRT_INDICATORS] = {0};
        for (size_t k = 0; k < situation.count; k++) {
            numbers[k] = situation.running[k]->task;
        }
        grt_contended_speeds(numbers, situation.shares, situation.count, speeds);
        for (size_t k = 0; k < situation.count; k++) {
            for (size_t c = 0; k != situation.measured && c < GRT_INDICATORS; c++) {
                sums[c] += speeds[k] * made.usages[numbers[k]].counters[c];
            }
        }
        double expected = grt_contended_time(numbers[situation.measured]) / speeds[situation.measured];
        grt_time time = grt_collect_one(learner, &situation, indicators);
        CU_ASSERT(fabs((double)time / expected - 1) < 1e-7);
        CU_ASSERT(near(indicators, sums, GRT_INDICATORS, 1e-7));
    }
    grt_arena_clear(&made.arena);
}

/* Tokens make speeds vary with time: alone, a kernel of utilisation 1 with 50 vprocessors takes twice as long, but for the first interval. */
static void tokens_count(void) {
    struct made made;
    make(&made, GRT_SHARE_MODE_CONCURRENT, GRT_CONTENTION_MAX_MIN);
    made.device.share_interval = 1000000;
    made.device.share_launch = 10000;
    find(&made);
    struct grt_situation alone = {.count = 1, .shares = {50}};
    alone.running[0] = grt_learner_application(&made.learners.items[2]);
    double indicators[GRT_INDICATORS];
    double time = (double)grt_collect_one(&made.learners.items[2], &alone, indicators);
    CU_ASSERT(fabs(time / (2 * grt_contended_time(2)) - 1) < .05);
    struct grt_situation both = {.count = 2, .shares = {50, 10}}, whole = {.count = 2, .shares = {100, 100}};
    both.running[0] = whole.running[0] = alone.running[0];
    both.running[1] = whole.running[1] = grt_learner_application(&made.learners.items[0]);
    double model[GRT_INDICATORS]; /* at the beginning both have tokens */
    expected_time(&made, &made.learners.items[2], &whole, model);
    grt_collect_one(&made.learners.items[2], &both, indicators);
    CU_ASSERT(near(indicators, model, GRT_INDICATORS, 1e-7));
    grt_arena_clear(&made.arena);
}

/* A kernel of 1 ns is over when the counters are read: they show the others all the same. */
static void short_kernels_have_indicators(void) {
    struct made made;
    struct grt_random random = grt_random_of_key(9);
    make(&made, GRT_SHARE_MODE_CONCURRENT, GRT_CONTENTION_SATURATION);
    made.commands[2].kernel.block_time.max = 1;
    find(&made);
    for (int i = 0; i < 50; i++) {
        struct grt_situation situation = grt_situation_draw(&made.learners.items[2], &random);
        double engine[GRT_INDICATORS] = {-1}, model[GRT_INDICATORS];
        double expected = expected_time(&made, &made.learners.items[2], &situation, model);
        grt_time time = grt_collect_one(&made.learners.items[2], &situation, engine);
        CU_ASSERT(time >= 1 && fabs((double)time - expected) < 2);
        CU_ASSERT(near(engine, model, GRT_INDICATORS, 1e-7));
    }
    grt_arena_clear(&made.arena);
}

/* Shares are 100 or less in sum, each number of kernels comes as often, every task, every place. */
static void situations_are_as_said(void) {
    struct made made;
    struct grt_random random = grt_random_of_key(7);
    enum { DRAWS = 20000 };
    int counts[MOST_TASKS + 1] = {0}, tasks[MOST_TASKS] = {0}, whole = 0, alone = 0, places = 0;
    make(&made, GRT_SHARE_MODE_CONCURRENT, GRT_CONTENTION_NONE);
    find(&made);
    for (int i = 0; i < DRAWS; i++) {
        struct grt_situation situation = grt_situation_draw(&made.learners.items[3], &random);
        int64_t sum = 0;
        bool seen[MOST_TASKS] = {false};
        for (size_t k = 0; k < situation.count; k++) {
            uint32_t task = situation.running[k]->task;
            CU_ASSERT(!seen[task] && situation.shares[k] >= 1);
            CU_ASSERT((task == 3) == (k == situation.measured));
            seen[task] = true;
            tasks[task]++;
            sum += situation.shares[k];
        }
        CU_ASSERT(sum <= 100);
        whole += sum == 100 ? 1 : 0;
        counts[situation.count]++;
        places += situation.measured == 0 ? 1 : 0;
        alone += situation.count == 1 && situation.shares[0] < 100 ? 1 : 0;
    }
    for (size_t k = 1; k <= MOST_TASKS; k++) {
        CU_ASSERT(abs(counts[k] - DRAWS / 10) < 250); /* 6 deviations */
        CU_ASSERT(k == 4 || abs(tasks[k - 1] - DRAWS / 2) < 450);
    }
    CU_ASSERT(abs(whole - DRAWS / 2) < 450);
    CU_ASSERT(alone > 800 && alone < 1200);
    CU_ASSERT(places > 5400 && places < 6300); /* (1 + 1/2 + ... + 1/10) / 10 */
    grt_arena_clear(&made.arena);
}

static void noise_is_normal(void) {
    struct grt_random random = grt_random_of_key(8);
    double sum = 0, squares = 0, most = 0;
    for (int i = 0; i < 100000; i++) {
        double off = grt_noise_draw(&random, .01) - 1;
        sum += off;
        squares += off * off;
        most = fmax(most, fabs(off));
    }
    CU_ASSERT(fabs(sum / 100000) < 2e-4);
    CU_ASSERT(fabs(sqrt(squares / 100000) - .01) < 2e-4);
    CU_ASSERT(most > .03 && most < .04);
    CU_ASSERT(grt_noise_draw(&random, 0) == 1);
}

/* Samples follow from their numbers: any part of them can be collected by itself. */
static void samples_follow_from_their_numbers(void) {
    struct made made;
    struct grt_errors errors = {0};
    struct grt_sample items[40], part[10], other[10];
    make(&made, GRT_SHARE_MODE_CONCURRENT, GRT_CONTENTION_SATURATION);
    find(&made);
    struct grt_collection collection = {.seed = 3, .noise = .01};
    const struct grt_learner *learner = &made.learners.items[1];
    CU_ASSERT(grt_collect(learner, &collection, 0, &(struct grt_samples){items, 40}, &errors));
    CU_ASSERT(grt_collect(learner, &collection, 30, &(struct grt_samples){part, 10}, &errors));
    CU_ASSERT(memcmp(&items[30], part, sizeof part) == 0);
    collection.seed = 4;
    CU_ASSERT(grt_collect(learner, &collection, 30, &(struct grt_samples){other, 10}, &errors));
    CU_ASSERT(memcmp(part, other, sizeof part) != 0);
    grt_arena_clear(&made.arena);
}

static void finds_kernels(void) {
    struct made made;
    struct grt_errors errors = {0};
    make(&made, GRT_SHARE_MODE_CONCURRENT, GRT_CONTENTION_NONE);
    made.commands[4].kernel.name = "b"; /* another kernel of that name */
    made.commands[5].kernel.usage = NULL;
    memset(made.usages[6].counters, 0, sizeof made.usages[6].counters);
    made.commands[8].kernel = made.commands[7].kernel; /* the same kernel in two tasks */
    made.commands[9].kernel.whole_device = false;
    made.commands[9].kernel.blocks = 25;
    made.commands[9].kernel.needs.threads = 1024; /* waves of 20 */
    CU_ASSERT(!grt_learners_find(&made.scenario, NULL, &made.arena, &made.learners, &errors));
    CU_ASSERT(errors.count == 1);
    CU_ASSERT(strstr(errors.messages[0], "tasks[4]: its kernel \"b\" is not the one of task \"b\"") != NULL);
    grt_errors_clear(&errors);
    made.commands[4].kernel = made.commands[1].kernel; /* the same one, but for its time */
    made.commands[4].kernel.block_time.max++;
    CU_ASSERT(!grt_learners_find(&made.scenario, NULL, &made.arena, &made.learners, &errors));
    CU_ASSERT(errors.count == 1);
    grt_errors_clear(&errors);
    made.commands[4].kernel.name = "e";
    find(&made);
    CU_ASSERT(made.learners.count == 7);
    const struct grt_learner *last = &made.learners.items[6];
    CU_ASSERT_STRING_EQUAL(grt_learner_application(last)->kernel->name, "j");
    CU_ASSERT(last->all->count == MOST_TASKS);
    CU_ASSERT(grt_learner_application(last)->work == 2 * made.commands[9].kernel.block_time.max);
    CU_ASSERT(grt_learners_find(&made.scenario, "c", &made.arena, &made.learners, &errors));
    CU_ASSERT(made.learners.count == 1 && made.learners.items[0].index == 2);
    CU_ASSERT(!grt_learners_find(&made.scenario, "x", &made.arena, &made.learners, &errors));
    CU_ASSERT_STRING_EQUAL(errors.messages[0],
                           "no kernel \"x\" has a usage with counters: there is nothing to train");
    grt_errors_clear(&errors);
    made.device.granularity = GRT_GRANULARITY_BLOCKS;
    CU_ASSERT(!grt_learners_find(&made.scenario, NULL, &made.arena, &made.learners, &errors));
    CU_ASSERT(errors.count == 1 && strncmp(errors.messages[0], "platform.gpus[0]: ", 18) == 0);
    grt_errors_clear(&errors);
    grt_arena_clear(&made.arena);
}

/* What `prepare` of a policy asks for. */
static void trains_a_scenario(void) {
    struct made made;
    struct grt_errors errors = {0};
    make(&made, GRT_SHARE_MODE_CONCURRENT, GRT_CONTENTION_SATURATION);
    made.scenario.task_count = 2;
    const struct grt_networks *networks =
        grt_networks_train(&made.scenario, 1, GRT_TRAINING_FULL, &made.arena, &errors);
    CU_ASSERT_FATAL(networks != NULL);
    const struct grt_network *network = grt_networks_find(networks, "b");
    CU_ASSERT(networks->count == 2 && network != NULL);
    double none[GRT_INDICATORS] = {0}; /* alone with a half: h = .1, u = .6 */
    double expected = grt_contended_time(1) * (.1 + .9 * 100 * .6 / 50);
    CU_ASSERT(fabs(grt_network_predict(network, none, 50, NULL) / expected - 1) < .02);
    grt_arena_clear(&made.arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"engine and model agree", engine_and_model_agree},
        {"engine and plain fixed point agree", engine_and_plain_fixed_point_agree},
        {"tokens count", tokens_count},
        {"short kernels have indicators", short_kernels_have_indicators},
        {"situations are as said", situations_are_as_said},
        {"noise is normal", noise_is_normal},
        {"samples follow from their numbers", samples_follow_from_their_numbers},
        {"finds kernels", finds_kernels},
        {"trains a scenario", trains_a_scenario},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("collecting samples", tests);
}
