/* labels: soak branches */
/* The auditor accepts the schedulers of batches and PRUDA's strategies, with parameters of all kinds, in random worlds. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "policies/batch/parameters.h"
#include "policies/pruda/parameters.h"
#include "policies/registry.h"
#include "tests/support/batched_world.h"
#include "tests/support/pick.h"
#include "tests/support/pruda_tasks.h"
#include "tests/support/suite.h"
#include "verify/play.h"

static struct grt_audit_tally tally;
static int ran, refused; /* worlds */

static struct grt_builder *make_world(uint64_t number) {
    struct grt_builder *builder =
        grt_batched_world(number, number % 4 == 3 ? GRT_AUDITED_CALLS : GRT_AUDITED_PLAIN);
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        builder->gpus[i].priority_levels = 1 + (int64_t)(number / 7 % 3);
    }
    return builder;
}

static bool is_sound(const struct grt_builder *builder, const char *name, const void *parameters,
                     uint64_t number) {
    struct grt_audited_run audited;
    const struct grt_policy_ops *policy = grt_policy_find(name);
    grt_audited_run_start(&audited, &builder->scenario, policy, parameters);
    ran += audited.run.result != NULL;
    refused += audited.run.result == NULL;
    bool good = grt_audited_run_is_sound(&audited, &tally);
    if (!good) {
        fprintf(stderr, "world %" PRIu64 " under %s\n", number, name);
    }
    grt_audited_run_free(&audited);
    return good;
}

/* What was refused was not audited. */
static bool most_ran(void) {
    bool most = ran > 4 * refused;
    if (!most) {
        fprintf(stderr, "%d worlds, %d more were refused\n", ran, refused);
    }
    ran = refused = 0;
    return most;
}

static grt_time cost(struct grt_random *random) {
    return grt_pick(random, 0, 1) * grt_pick(random, 1, 9);
}

/* In every third world the scheduler works for nothing: then all is known to the nanosecond. */
static struct batch_parameters batch_of(uint64_t number) {
    struct grt_random random = grt_random_stream(number, "batch", 0, 0);
    struct batch_parameters given = batch_permissive;
    given.batch = grt_pick(&random, 1, 4);
    given.profile_runs = grt_pick(&random, 1, 3);
    given.atomic_time = grt_pick(&random, 0, 1);
    given.zero_copy_percent = grt_pick(&random, 100, 150);
    if (number % 3 != 0) {
        given.decision_time = cost(&random);
        given.issue_time = cost(&random);
        given.poll_interval = cost(&random);
        given.scheduler_blocks = grt_pick(&random, 0, 1);
        given.scheduler_threads = 32;
        given.device_issue_time = cost(&random);
        given.device_decision_time = cost(&random);
        given.message_time = cost(&random);
        given.synchronize_time = cost(&random);
    }
    return given;
}

static bool batches_are_sound(uint64_t number) {
    static const char *const names[] = {"cpu-traditional", "cpu-interleave",  "cpu-concurrent",
                                        "cpu-order",       "gpu-synchronize", "gpu-atomics"};
    struct grt_builder *builder = make_world(number);
    struct batch_parameters given = batch_of(number);
    bool good = true;
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        builder->gpus[i].max_pending_launches = 2048;
        builder->gpus[i].device_launch = (grt_time)(number % 5);
    }
    for (size_t i = 0; good && i < sizeof names / sizeof names[0]; i++) {
        good = is_sound(builder, names[i], &given, number);
    }
    grt_builder_free(builder);
    return good;
}

static void batches_are_accepted(void) {
    int cases = grt_suite_all_cases(200, 100000);
    bool good = true;
    for (uint64_t i = 0; good && i < (uint64_t)cases; i++) {
        good = batches_are_sound(7400000 + i);
    }
    CU_ASSERT(good && most_ran());
}

static bool pruda_is_sound(uint64_t number) {
    static const char *const names[] = {"pruda-single", "pruda-multi"};
    struct grt_builder *builder = make_world(number);
    struct pruda_parameters given = {.order = (int64_t)(number % 3),
                                     .abort = (int64_t)(number / 3 % 2),
                                     .memory = (int64_t)(number / 6 % 2),
                                     .co_run = (int64_t)(number / 12 % 2),
                                     .one_level = PRUDA_ONE_LEVEL_ACCEPTED};
    struct pruda_server_fields servers[8];
    bool good = true;
    given.servers =
        (struct grt_field_list){servers, given.order == PRUDA_GRUB ? grt_serve_tasks(builder, servers) : 0};
    for (size_t i = 0; good && i < sizeof names / sizeof names[0]; i++) {
        good = is_sound(builder, names[i], &given, number);
    }
    grt_builder_free(builder);
    return good;
}

static void pruda_is_accepted(void) {
    int cases = grt_suite_cases(400, 100000);
    bool good = true;
    for (uint64_t i = 0; good && i < (uint64_t)cases; i++) {
        good = pruda_is_sound(7600000 + i);
    }
    CU_ASSERT(good && most_ran());
}

static void pinned_ones_are_accepted(void) {
    int cases = grt_suite_cases(400, 100000);
    bool good = true;
    for (uint64_t i = 0; good && i < (uint64_t)cases; i++) {
        uint64_t number = 7800000 + i;
        struct grt_builder *builder = make_world(number);
        struct grt_random random = grt_random_stream(number, "pins", 0, 0);
        struct pruda_pin_fields pins[8];
        struct pruda_server_fields servers[8];
        struct pruda_parameters given = {.order = (int64_t)(number % 3),
                                         .abort = number % 8 == 0,
                                         .one_level = PRUDA_ONE_LEVEL_ACCEPTED,
                                         .pins = {.items = pins},
                                         .exit_time = grt_pick(&random, 1, 3)};
        given.pins.count = grt_pin_tasks(builder, &random, pins);
        given.servers = (struct grt_field_list){
            servers, given.order == PRUDA_GRUB ? grt_serve_tasks(builder, servers) : 0};
        good = is_sound(builder, "pruda-sm", &given, number);
        grt_builder_free(builder);
    }
    CU_ASSERT(good && most_ran());
}

/* Average runtimes are found by profiling runs: each pattern has its own. */
static void patterns_have_averages_of_their_own(void) {
    struct grt_builder *builder = grt_builder_create(100000);
    struct grt_errors errors = {0};
    struct grt_subject subject;
    struct grt_pattern pattern;
    grt_builder_gpu(builder, grt_built_tx2());
    for (int i = 0; i < 2; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_builder_periodic(task, 1000, 0);
        struct grt_kernel *kernel = grt_builder_kernel(builder, task, 4, 1024, 900);
        kernel->block_time.kind = GRT_UNIFORM;
        kernel->block_time.min = 1;
    }
    struct batch_parameters given = batch_permissive;
    given.batch = 1;
    grt_subject_start(&subject, &builder->scenario, grt_policy_find("cpu-concurrent"), &given);
    grt_pattern_start(&pattern, builder->scenario.task_count);
    struct grt_player *player = grt_player_create(&subject);
    for (uint64_t i = 0; i < 40; i++) {
        grt_pattern_clear(&pattern, &builder->scenario);
        pattern.seed = i;
        pattern.horizon = 100000;
        for (size_t j = 0; j < pattern.task_count; j++) {
            pattern.tasks[j].times = (enum grt_pattern_times)((i >> j) % GRT_PATTERN_TIMES);
            grt_releases_add_periodic(&pattern.tasks[j], 0, 1000, 100000, 0);
        }
        const struct grt_seen *seen = grt_player_play(player, &pattern, true, &errors);
        CU_ASSERT_FATAL(seen != NULL);
        CU_ASSERT_EQUAL(seen->finding_count, 0);
    }
    grt_player_free(player);
    grt_pattern_free(&pattern);
    grt_subject_free(&subject);
    grt_errors_clear(&errors);
    grt_builder_free(builder);
}

/* After all of the above. */
static void every_rule_had_something_to_check(void) {
    for (size_t i = 0; i < tally.count; i++) {
        bool own = strncmp(tally.rule[i], "batches", 7) == 0 || strncmp(tally.rule[i], "pruda", 5) == 0 ||
                   strncmp(tally.rule[i], "cpu-", 4) == 0;
        if (own && tally.checked[i] < 50) {
            fprintf(stderr, "%s: checked %" PRIu64 " times\n", tally.rule[i], tally.checked[i]);
        }
        CU_ASSERT(!own || tally.checked[i] >= 50);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"schedulers of batches are accepted", batches_are_accepted},
        {"PRUDA's strategies are accepted", pruda_is_accepted},
        {"pinned tasks are accepted", pinned_ones_are_accepted},
        {"patterns have averages of their own", patterns_have_averages_of_their_own},
        {"every rule had something to check", every_rule_had_something_to_check},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("the auditor accepts policies with parameters", tests);
}
