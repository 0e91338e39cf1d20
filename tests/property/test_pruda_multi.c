/* labels: soak */
/* The bounds of pruda-multi against simulations, and against the same written down a second time; and what is wrong without each of their
 * terms. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "policies/pruda/parameters.h"
#include "tests/support/analysis_case.h"
#include "tests/support/pick.h"
#include "tests/support/pruda_sets.h"
#include "tests/support/suite.h"

static struct analysis_case it;

/* A set and what is seen of it. */
struct trial {
    struct grt_builder *builder;
    struct pruda_parameters parameters;
    struct grt_random random;
    int number;
    int64_t longest[PRUDA_SET_TASKS]; /* responses */
};

struct tally {
    int bounded, sets;
    int64_t bounds, compared, attained, refuted[PRUDA_FAULTS];
};

static int64_t longest_period(void) {
    int64_t longest = 0;
    for (size_t i = 0; i < it.set.count; i++) {
        longest = it.set.tasks[i].period > longest ? it.set.tasks[i].period : longest;
    }
    return longest;
}

/* All at once; one, or two, ahead of the others; any. */
static void pick_first_releases(struct grt_random *random, int64_t *first) {
    int64_t kind = grt_pick(random, 0, 5), gap = grt_pick(random, 1, 12),
            later = gap + grt_pick(random, 1, 40);
    size_t ahead = (size_t)grt_pick(random, 0, (int64_t)it.set.count - 1);
    size_t second = (size_t)grt_pick(random, 0, (int64_t)it.set.count - 1);
    for (size_t i = 0; i < it.set.count; i++) {
        bool first_two = i == ahead || (kind >= 4 && i == second);
        first[i] = kind == 0   ? 0
                   : kind == 1 ? grt_pick(random, 0, it.set.tasks[i].period - 1)
                               : (i == ahead  ? 0
                                  : first_two ? gap
                                  : kind == 2 ? 1
                                              : later);
    }
}

static void simulate(struct trial *trial, int patterns) {
    memset(trial->longest, 0, sizeof trial->longest);
    for (int i = 0; i < patterns; i++) {
        int64_t first[PRUDA_SET_TASKS];
        struct analysis_simulation seen;
        pick_first_releases(&trial->random, first);
        struct analysis_pattern pattern = {.first_release = first,
                                           .horizon = 6 * longest_period(),
                                           .seed = (uint64_t)grt_pick(&trial->random, 1, 1000000),
                                           .sporadic = grt_pick(&trial->random, 0, 1) == 1,
                                           .shorter = grt_pick(&trial->random, 0, 2) == 0,
                                           .parameters = &trial->parameters};
        analysis_case_simulate(trial->builder, "pruda-multi", &pattern, &seen);
        for (size_t j = 0; j < it.set.count; j++) {
            trial->longest[j] = seen.response[j] > trial->longest[j] ? seen.response[j] : trial->longest[j];
        }
    }
}

static struct trial start_trial(int number, const char *purpose, enum pruda_set_kind kind) {
    struct trial trial = {.random = grt_random_stream((uint64_t)number, purpose, 0, 0), .number = number};
    trial.builder = pruda_set_start(&trial.random, kind);
    trial.parameters =
        (struct pruda_parameters){.order = PRUDA_FP, .co_run = grt_pick(&trial.random, 0, 2) == 0};
    analysis_case_take(&it, trial.builder);
    it.set.parameters = &trial.parameters;
    analysis_case_run(&it, "pruda-multi");
    return trial;
}

/* Bounds hold of a task whatever the others' deadlines are: where one has none, its own is not asked for. */
static bool keeps_bounds(const struct trial *trial, struct tally *tally) {
    bool good = it.result.verdict != GRT_VERDICT_INAPPLICABLE;
    for (size_t i = 0; i < it.set.count; i++) {
        if (trial->longest[i] > it.response[i]) {
            fprintf(stderr, "set %d (%s): task %s took %" PRId64 ", above its bound of %" PRId64 "\n",
                    trial->number, it.result.reason, it.set.tasks[i].name, trial->longest[i], it.response[i]);
            good = false;
        }
        tally->bounds += it.response[i] < GRT_ANALYSIS_NEVER;
        tally->attained += trial->longest[i] == it.response[i];
    }
    tally->bounded += it.result.verdict == GRT_VERDICT_SCHEDULABLE;
    tally->sets++;
    return good;
}

static bool is_as_written_again(const struct trial *trial, struct tally *tally) {
    bool same = true;
    for (size_t i = 0; i < it.set.count; i++) {
        int64_t again = pruda_set_bound(&trial->builder->scenario, i, trial->parameters.co_run, PRUDA_SOUND);
        tally->compared += again != INT64_MAX;
        if (again != INT64_MAX && again != it.response[i]) {
            fprintf(stderr, "set %d: task %s has the bound %" PRId64 ", written again %" PRId64 "\n",
                    trial->number, it.set.tasks[i].name, it.response[i], again);
            same = false;
        }
    }
    return same;
}

static void refute(const struct trial *trial, struct tally *tally) {
    for (int fault = PRUDA_SOUND; fault < PRUDA_FAULTS; fault++) {
        for (size_t i = 0; i < it.set.count; i++) {
            tally->refuted[fault] +=
                trial->longest[i] > pruda_set_bound(&trial->builder->scenario, i, trial->parameters.co_run,
                                                    (enum pruda_fault)fault);
        }
    }
}

static void bounds_hold_and_need_every_term(void) {
    int cases = grt_suite_cases(1000, 40000);
    struct tally tally = {0};
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        struct trial trial = start_trial(i, "pruda-multi", i % 4 == 0 ? PRUDA_SET_FINE : PRUDA_SET_PLAIN);
        simulate(&trial, 12);
        good = keeps_bounds(&trial, &tally) && is_as_written_again(&trial, &tally);
        refute(&trial, &tally);
        grt_builder_free(trial.builder);
    }
    CU_ASSERT(good);
    CU_ASSERT(tally.bounded > cases / 10);
    CU_ASSERT(tally.compared * 100 > tally.bounds * 98); /* others have busy periods of above a ms */
    printf("\n    %d sets, %d schedulable, %" PRId64 " bounds, %" PRId64 " attained; without terms refuted:",
           tally.sets, tally.bounded, tally.bounds, tally.attained);
    CU_ASSERT_EQUAL(tally.refuted[PRUDA_SOUND], 0);
    for (int fault = PRUDA_SOUND + 1; fault < PRUDA_FAULTS; fault++) {
        CU_ASSERT(tally.refuted[fault] > 0);
        printf(" %" PRId64, tally.refuted[fault]);
    }
    printf("\n");
}

static void bounds_hold_with_jitter_and_cpu_segments(void) {
    int cases = grt_suite_cases(400, 20000);
    struct tally tally = {0};
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        struct trial trial = start_trial(i, "rich pruda-multi", PRUDA_SET_RICH);
        if (it.result.verdict == GRT_VERDICT_SCHEDULABLE) {
            simulate(&trial, 12);
            good = keeps_bounds(&trial, &tally);
        }
        grt_builder_free(trial.builder);
    }
    CU_ASSERT(good);
    CU_ASSERT(tally.bounded > cases / 20);
    printf("\n    %d sets with more, %" PRId64 " bounds\n", tally.sets, tally.bounds);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"bounds hold and need every term", bounds_hold_and_need_every_term},
        {"bounds hold with jitter and CPU segments", bounds_hold_with_jitter_and_cpu_segments},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("bounds of pruda-multi", tests);
}
