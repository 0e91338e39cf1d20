/* labels: soak */
/* scenarios/experiments: all policies on the same random task sets. None is left out, and what is proven of a set is not seen to fail. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/suite.h"
#include "tests/support/swept.h"

#define EXPERIMENT(name) "scenarios/experiments/" name ".json"

static bool takes_part(const struct grt_experiment *experiment, const struct grt_policy_ops *policy) {
    for (size_t i = 0; i < experiment->evaluation_count; i++) {
        if (experiment->points[0].evaluations[i].policy == policy) {
            return true;
        }
    }
    fprintf(stderr, "%s is left out\n", policy->name);
    return false;
}

/* At every utilisation, and no set is refused but by tdm, which says what it cannot guarantee. */
static void every_policy_takes_part(void) {
    struct swept *all = swept_open(EXPERIMENT("every-policy"), grt_suite_cases(3, 100), NULL);
    const struct grt_experiment *experiment = &all->experiment;
    for (size_t i = 0; grt_policies[i] != NULL; i++) {
        CU_ASSERT_TRUE(takes_part(experiment, grt_policies[i]));
    }
    for (size_t point = 0; point < experiment->point_count; point++) {
        char pair[64];
        snprintf(pair, sizeof pair, "utilisation=%s", experiment->axes[0].values[point]);
        for (size_t i = 0; i < experiment->evaluation_count; i++) {
            const char *name = experiment->points[0].evaluations[i].name;
            const struct grt_tally *tally = SWEPT(all, name, pair);
            uint64_t ran = tally->outcomes[GRT_OUTCOME_YES] + tally->outcomes[GRT_OUTCOME_NO];
            bool tdm = strcmp(name, "tdm") == 0;
            CU_ASSERT(tdm ? tally->outcomes[GRT_OUTCOME_NO] == 0 : ran == (uint64_t)experiment->samples);
        }
    }
    swept_close(all);
}

/* The two experiments have the same sets: a simulation that is in both finds the same. */
static void both_have_the_same_sets(void) {
    int sets = grt_suite_cases(20, 500);
    struct swept *all = swept_open(EXPERIMENT("every-policy"), sets, NULL);
    struct swept *proven = swept_open(EXPERIMENT("every-policy-proven"), sets, NULL);
    CU_ASSERT_EQUAL(swept_ratio_of(SWEPT(all, "np-edf", "utilisation=0.7")),
                    swept_ratio_of(SWEPT(proven, "np-edf-seen", "utilisation=0.7")));
    CU_ASSERT_EQUAL(swept_ratio_of(SWEPT(all, "mpcp", "utilisation=0.8")),
                    swept_ratio_of(SWEPT(proven, "mpcp-seen", "utilisation=0.8")));
    swept_close(all);
    swept_close(proven);
}

/* Evaluations come in pairs: the analysis, and the simulation. */
static void what_is_proven_does_not_miss(void) {
    struct swept *experiment = swept_open(EXPERIMENT("every-policy-proven"), 1, NULL);
    size_t count = experiment->experiment.evaluation_count, sets = (size_t)grt_suite_cases(50, 1000);
    struct grt_found *found = grt_allocate(count * sizeof *found);
    size_t proven = 0;
    for (size_t point = 0; point < experiment->experiment.point_count; point++) {
        for (size_t set = 0; set < sets; set++) {
            grt_sampler_run(experiment->sampler, point, set, found);
            for (size_t i = 0; i + 1 < count; i += 2) {
                bool yes = found[i].outcome == GRT_OUTCOME_YES;
                CU_ASSERT(!yes || found[i + 1].outcome == GRT_OUTCOME_YES);
                proven += yes;
            }
        }
    }
    CU_ASSERT(proven > 0);
    free(found);
    swept_close(experiment);
}

/* The example of the documentation: with cheap pieces time division schedules what one long kernel spoils otherwise. */
static void first_example(void) {
    int sets = grt_suite_all_cases(200, 1000);
    struct swept *first = swept_open(EXPERIMENT("first"), sets, NULL);
    CU_ASSERT(swept_ratio_of(SWEPT(first, "tdm", "utilisation=0.5")) >
              swept_ratio_of(SWEPT(first, "np-edf", "utilisation=0.5")) + 0.1);
    CU_ASSERT(swept_ratio_of(SWEPT(first, "tdm", "utilisation=0.9")) <
              swept_ratio_of(SWEPT(first, "np-edf", "utilisation=0.9")) - 0.1);
    CU_ASSERT(swept_ratio_of(SWEPT(first, "np-edf", "utilisation=0.8")) >=
              swept_ratio_of(SWEPT(first, "np-fp", "utilisation=0.8")));
    swept_close(first);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"every policy takes part", every_policy_takes_part},
        {"both experiments have the same sets", both_have_the_same_sets},
        {"what is proven does not miss", what_is_proven_does_not_miss},
        {"the first example", first_example},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("every policy, swept", tests);
}
