/* Release patterns: what is legal, how they become scenarios, what patterns are made. */
#include <stdlib.h>
#include <string.h>

#include "policies/batch/parameters.h"
#include "policies/registry.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"
#include "verify/maker.h"

enum { A, B, C };

/* Two periodic tasks, 10 and 25 ns, the first with a jitter of 4 and a drawn time, and one that comes once, after the first. */
static struct grt_builder *three_tasks(void) {
    struct grt_builder *builder = grt_builder_create(100);
    grt_builder_gpu(builder, grt_built_exclusive());
    grt_builder_periodic(grt_builder_task(builder, "a"), 10, 3);
    grt_builder_periodic(grt_builder_task(builder, "b"), 25, 0);
    grt_builder_task(builder, "c");
    grt_builder_whole(builder, &builder->tasks[A], 3)->block_time =
        (struct grt_distribution){.kind = GRT_UNIFORM, .min = 1, .max = 6, .declared = 4};
    grt_builder_whole(builder, &builder->tasks[B], 5);
    grt_builder_whole(builder, &builder->tasks[C], 2);
    builder->tasks[A].jitter = 4;
    return builder;
}

static void start(struct grt_subject *subject, const struct grt_builder *builder) {
    grt_subject_start(subject, &builder->scenario, grt_policy_find("np-edf"), NULL);
}

static void legality(void) {
    struct grt_builder *builder = three_tasks();
    struct grt_pattern pattern;
    grt_pattern_start(&pattern, 3);
    grt_pattern_clear(&pattern, &builder->scenario);
    pattern.horizon = 100;
    CU_ASSERT(!pattern.tasks[A].own && !pattern.tasks[B].own && pattern.tasks[C].own);
    grt_releases_add(&pattern.tasks[A], 0, 4);
    grt_releases_add(&pattern.tasks[A], 10, 0);
    CU_ASSERT(grt_pattern_is_legal(&pattern, &builder->scenario));
    pattern.tasks[A].arrivals[1] = 9; /* too close */
    CU_ASSERT(!grt_pattern_is_legal(&pattern, &builder->scenario));
    pattern.tasks[A].arrivals[1] = 10;
    pattern.tasks[A].delays[0] = 5; /* more than the jitter */
    CU_ASSERT(!grt_pattern_is_legal(&pattern, &builder->scenario));
    pattern.tasks[A].delays[0] = -1;
    CU_ASSERT(!grt_pattern_is_legal(&pattern, &builder->scenario));
    pattern.tasks[A].delays[0] = 0;
    grt_releases_add(&pattern.tasks[B], 3, 1); /* has no jitter */
    CU_ASSERT(!grt_pattern_is_legal(&pattern, &builder->scenario));
    pattern.tasks[B].delays[0] = 0;
    CU_ASSERT(grt_pattern_is_legal(&pattern, &builder->scenario));
    grt_pattern_free(&pattern);
    grt_builder_free(builder);
}

/* A job does not overtake the one before it: it is delayed by as much as that one is later. */
static void settling(void) {
    struct grt_releases releases = {0};
    grt_releases_add(&releases, 0, 12);
    grt_releases_add(&releases, 5, 0);
    grt_releases_add(&releases, 10, 1);
    grt_releases_add(&releases, 20, 0);
    grt_releases_settle(&releases);
    static const grt_time delays[] = {12, 7, 2, 0};
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(releases.delays[i], delays[i]);
    }
    free(releases.arrivals);
    free(releases.delays);
}

static const struct grt_distribution *time_of(const struct grt_task *task) {
    return &task->segments[0].commands[0].kernel.block_time;
}

/* Times are the longest, the shortest, or drawn, never above the declared worst case, which stays what is declared. */
static void held_times(void) {
    struct grt_builder *builder = three_tasks();
    struct grt_subject subject;
    struct grt_pattern pattern;
    struct grt_played played;
    start(&subject, builder);
    grt_pattern_start(&pattern, 3);
    grt_played_start(&played, &subject);
    static const grt_time least[] = {4, 1, 1}, most[] = {4, 4, 1};
    for (int times = 0; times < GRT_PATTERN_TIMES; times++) {
        grt_pattern_clear(&pattern, &builder->scenario);
        pattern.tasks[A].times = (enum grt_pattern_times)times;
        grt_played_set(&played, &subject, &pattern);
        CU_ASSERT_EQUAL(time_of(&played.tasks[A])->min, least[times]);
        CU_ASSERT_EQUAL(time_of(&played.tasks[A])->max, most[times]);
        CU_ASSERT_EQUAL(grt_distribution_worst(time_of(&played.tasks[A])), 4);
        CU_ASSERT_EQUAL(time_of(&played.tasks[B])->max, 5);
    }
    grt_played_free(&played);
    grt_pattern_free(&pattern);
    grt_subject_free(&subject);
    grt_builder_free(builder);
}

/* What a pattern may do with a time: {longest, drawn, shortest}; what is declared may be above or below all that is drawn. */
static void held_as_declared(void) {
    static const struct {
        struct grt_distribution time;
        grt_time least[GRT_PATTERN_TIMES], most[GRT_PATTERN_TIMES];
    } cases[] = {
        {{.kind = GRT_UNIFORM, .min = 1, .max = 6, .declared = 9}, {9, 1, 1}, {9, 6, 1}},
        {{.kind = GRT_UNIFORM, .min = 3, .max = 6, .declared = 2}, {2, 2, 2}, {2, 2, 2}},
        {{.kind = GRT_UNIFORM, .min = 5, .max = 5, .declared = 7}, {7, 5, 5}, {7, 5, 5}},
        {{.kind = GRT_CONSTANT, .min = 5, .max = 5, .declared = 7}, {7, 5, 5}, {7, 5, 5}},
        {{.kind = GRT_CONSTANT, .min = 5, .max = 5, .declared = 3}, {3, 3, 3}, {3, 3, 3}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct grt_builder *builder = grt_builder_create(100);
        grt_builder_gpu(builder, grt_built_exclusive());
        grt_builder_periodic(grt_builder_task(builder, "a"), 10, 0);
        grt_builder_whole(builder, &builder->tasks[A], 1)->block_time = cases[i].time;
        struct grt_subject subject;
        struct grt_pattern pattern;
        struct grt_played played;
        start(&subject, builder);
        CU_ASSERT(subject.varied[A]);
        grt_pattern_start(&pattern, 1);
        grt_played_start(&played, &subject);
        for (int times = 0; times < GRT_PATTERN_TIMES; times++) {
            grt_pattern_clear(&pattern, &builder->scenario);
            pattern.tasks[A].times = (enum grt_pattern_times)times;
            grt_played_set(&played, &subject, &pattern);
            const struct grt_distribution *time = time_of(&played.tasks[A]);
            CU_ASSERT_EQUAL(time->min, cases[i].least[times]);
            CU_ASSERT_EQUAL(time->max, cases[i].most[times]);
            CU_ASSERT_EQUAL(grt_distribution_worst(time), cases[i].time.declared);
        }
        grt_played_free(&played);
        grt_pattern_free(&pattern);
        grt_subject_free(&subject);
        grt_builder_free(builder);
    }
}

/* Absent tasks are left out, and others find their predecessors at their new places. */
static void absent_tasks(void) {
    struct grt_builder *builder = three_tasks();
    struct grt_subject subject;
    struct grt_pattern pattern;
    struct grt_played played;
    grt_builder_after(builder, &builder->tasks[C], &builder->tasks[A]);
    grt_builder_after(builder, &builder->tasks[C], &builder->tasks[B]);
    start(&subject, builder);
    grt_pattern_start(&pattern, 3);
    grt_played_start(&played, &subject);
    grt_pattern_clear(&pattern, &builder->scenario);
    pattern.tasks[A].absent = true;
    grt_played_set(&played, &subject, &pattern);
    CU_ASSERT_EQUAL(played.scenario.task_count, 2);
    CU_ASSERT_EQUAL(played.numbers[0], B);
    CU_ASSERT_EQUAL(played.places[A], UINT32_MAX);
    CU_ASSERT_EQUAL(played.tasks[1].after_count, 1);
    CU_ASSERT_EQUAL(played.tasks[1].after[0], 0);
    grt_played_free(&played);
    grt_pattern_free(&pattern);
    grt_subject_free(&subject);
    grt_builder_free(builder);
}

/* What is played is what the pattern says: releases at arrival plus delay, responses from the arrival. */
static void playing(void) {
    struct grt_builder *builder = three_tasks();
    struct grt_subject subject;
    struct grt_pattern pattern;
    struct grt_errors errors = {0};
    start(&subject, builder);
    grt_pattern_start(&pattern, 3);
    grt_pattern_clear(&pattern, &builder->scenario);
    pattern.horizon = 100;
    grt_releases_add(&pattern.tasks[A], 2, 0);
    grt_releases_add(&pattern.tasks[A], 20, 4);
    grt_releases_add(&pattern.tasks[B], 23, 0); /* has the GPU until 28 */
    struct grt_player *player = grt_player_create(&subject);
    const struct grt_seen *seen = grt_player_play(player, &pattern, true, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(seen);
    CU_ASSERT_EQUAL(seen->finding_count, 0);
    CU_ASSERT_EQUAL(seen->tasks[A].jobs, 2);
    CU_ASSERT_EQUAL(seen->tasks[A].response, 12); /* 20 to 32 */
    CU_ASSERT_EQUAL(seen->tasks[A].job, 1);
    CU_ASSERT_EQUAL(seen->tasks[A].end, 32);
    CU_ASSERT_TRUE(seen->tasks[A].ended);
    CU_ASSERT_EQUAL(seen->tasks[A].missed, 1); /* its deadline is its period */
    CU_ASSERT_EQUAL(seen->tasks[A].missing_job, 1);
    CU_ASSERT_EQUAL(seen->tasks[B].response, 5);
    CU_ASSERT_EQUAL(seen->tasks[C].jobs, 1);
    CU_ASSERT_EQUAL(seen->jobs, 4);
    size_t rules = 0;
    CU_ASSERT_PTR_NOT_NULL(grt_player_counts(player, &rules));
    CU_ASSERT(rules > 0);
    grt_player_free(player);
    grt_pattern_free(&pattern);
    grt_subject_free(&subject);
    grt_builder_free(builder);
}

/* The calls that a scheduler of batches makes are of no task: they are no starts of anybody's segment, nor is anything written down for them. */
static void calls_of_the_policy(void) {
    struct grt_builder *builder = three_tasks();
    struct grt_subject subject;
    struct grt_pattern pattern;
    struct grt_errors errors = {0};
    grt_subject_start(&subject, &builder->scenario, grt_policy_find("cpu-traditional"), &batch_permissive);
    grt_pattern_start(&pattern, 3);
    grt_pattern_clear(&pattern, &builder->scenario);
    pattern.horizon = 100;
    grt_releases_add(&pattern.tasks[A], 2, 0);
    grt_releases_add(&pattern.tasks[B], 50, 0);
    struct grt_player *player = grt_player_create(&subject);
    const struct grt_seen *seen = grt_player_play(player, &pattern, true, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(seen);
    size_t starts = 0;
    for (size_t i = 0; i < seen->instant_count; i++) {
        starts += !seen->instants[i].is_row;
        CU_ASSERT(seen->instants[i].is_row || seen->instants[i].task <= C);
    }
    CU_ASSERT_EQUAL(starts, 3);
    CU_ASSERT_EQUAL(seen->jobs, 3);
    CU_ASSERT_EQUAL(seen->finding_count, 0);
    grt_player_free(player);
    grt_pattern_free(&pattern);
    grt_subject_free(&subject);
    grt_builder_free(builder);
}

static int preparations;

static const void *prepare_count(const struct grt_scenario *scenario, const void *parameters,
                                 struct grt_arena *arena) {
    size_t *count = grt_arena_new(arena, size_t);
    (void)parameters;
    *count = scenario->task_count;
    preparations++;
    return count;
}

static bool start_prepared(void *state, struct grt_world *world, struct grt_errors *errors) {
    const size_t *prepared = grt_policy_prepared(world);
    (void)state, (void)errors;
    CU_ASSERT(prepared != NULL && *prepared == grt_policy_scenario(world)->task_count);
    return true;
}

static void decide_nothing(void *state, struct grt_world *world) {
    (void)state, (void)world;
}

/* What a policy prepares is kept as long as the same tasks are played. */
static void preparing(void) {
    static const struct grt_policy_ops policy = {.name = "preparing",
                                                 .summary = "prepares",
                                                 .prepare = prepare_count,
                                                 .start = start_prepared,
                                                 .decide = decide_nothing};
    static const bool absent[] = {false, false, true, true, false};
    static const int expected[] = {1, 1, 2, 2, 3};
    struct grt_builder *builder = three_tasks();
    struct grt_subject subject;
    struct grt_pattern pattern;
    struct grt_errors errors = {0};
    grt_subject_start(&subject, &builder->scenario, &policy, NULL);
    grt_pattern_start(&pattern, 3);
    grt_pattern_clear(&pattern, &builder->scenario);
    pattern.horizon = 100;
    struct grt_player *player = grt_player_create(&subject);
    preparations = 0;
    for (size_t i = 0; i < 5; i++) {
        pattern.tasks[A].absent = absent[i];
        CU_ASSERT_PTR_NOT_NULL(grt_player_play(player, &pattern, false, &errors));
        CU_ASSERT_EQUAL(preparations, expected[i]);
    }
    grt_player_free(player);
    grt_pattern_free(&pattern);
    grt_subject_free(&subject);
    grt_builder_free(builder);
}

/* Every pattern is legal, they are the same for the same seed, and every kind comes. */
static void made_patterns(void) {
    struct grt_builder *builder = three_tasks();
    struct grt_subject subject;
    struct grt_pattern pattern;
    struct grt_errors errors = {0};
    struct grt_pattern_maker makers[2];
    start(&subject, builder);
    grt_pattern_start(&pattern, 3);
    struct grt_player *player = grt_player_create(&subject);
    char names[2][400][GRT_PATTERN_NAME_SIZE];
    grt_time sums[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_FATAL(grt_maker_start(&makers[i], &subject, 7, 20, 400, player, &errors));
        for (int j = 0; j < 400; j++) {
            grt_maker_next(&makers[i], &pattern);
            CU_ASSERT(grt_pattern_is_legal(&pattern, &builder->scenario));
            memcpy(names[i][j], pattern.name, sizeof pattern.name);
            for (uint32_t k = 0; k < pattern.tasks[A].count; k++) {
                sums[i] = sums[i] * 31 + pattern.tasks[A].arrivals[k] + 7 * pattern.tasks[A].delays[k];
                sums[i] %= 1000003;
            }
            grt_maker_learn(&makers[i], &pattern, grt_player_play(player, &pattern, false, &errors));
        }
        grt_maker_free(&makers[i]);
    }
    CU_ASSERT_EQUAL(sums[0], sums[1]);
    int random = 0, mutated = 0, behind = 0;
    for (int j = 0; j < 400; j++) {
        CU_ASSERT_STRING_EQUAL(names[0][j], names[1][j]);
        random += strstr(names[0][j], "random") != NULL;
        mutated += strstr(names[0][j], "mutation") != NULL;
        behind += strstr(names[0][j], "1 ns behind") != NULL;
    }
    CU_ASSERT_STRING_EQUAL(names[0][0], "the scenario's own offsets and gaps");
    CU_ASSERT(random > 50 && mutated > 50 && behind >= 4);
    grt_player_free(player);
    grt_pattern_free(&pattern);
    grt_subject_free(&subject);
    grt_builder_free(builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"what is legal", legality},
        {"no job overtakes another", settling},
        {"preparing", preparing},
        {"times", held_times},
        {"times as declared", held_as_declared},
        {"absent tasks", absent_tasks},
        {"playing", playing},
        {"made patterns", made_patterns},
        {"calls of the policy", calls_of_the_policy},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("patterns of gpurt verify", tests);
}
