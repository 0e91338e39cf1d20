/* labels: soak once */
/* PRUDA's strategies on random task sets (scenarios/papers/pruda/experiments/strategies.json): what an analysis proves is never missed in the simulation of the same
 * set, and the strategies are for what the paper says. R. Tekin, H.-E. Zahaf, G. Lipari, "PRUDA: An API for Time and Space Predictible
 * Programming in NVIDIA GPUs using CUDA", JRWRTC 2019, section 4. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"
#include "tests/support/swept.h"

#define FILE_NAME "scenarios/papers/pruda/experiments/strategies.json"

static size_t number_of(const struct grt_experiment *experiment, const char *name) {
    size_t i = 0;
    while (strcmp(experiment->points[0].evaluations[i].name, name) != 0) {
        i++;
    }
    return i;
}

/* Set by set; there have to be proofs, and sets without. */
static void test_bounds_hold(void) {
    static const char *const pairs[][2] = {
        {"single-edf-bound", "single-edf"}, {"single-fp-bound", "single-fp"}, {"multi-fp-bound", "multi-fp"}};
    struct swept *swept = swept_open(FILE_NAME, 1, NULL);
    const struct grt_experiment *experiment = &swept->experiment;
    struct grt_sampler *sampler = grt_sampler_create(swept->study);
    struct grt_found *found = grt_allocate(experiment->evaluation_count * sizeof *found);
    int proven[3] = {0}, not_proven[3] = {0}, sets = grt_suite_all_cases(4, 300);
    for (size_t point = 0; point < experiment->point_count; point++) {
        for (int i = 0; i < sets; i++) {
            grt_sampler_run(sampler, point, (uint64_t)i, found);
            for (size_t j = 0; j < 3; j++) {
                bool is = found[number_of(experiment, pairs[j][0])].outcome == GRT_OUTCOME_YES;
                CU_ASSERT(!is || found[number_of(experiment, pairs[j][1])].outcome == GRT_OUTCOME_YES);
                proven[j] += is;
                not_proven[j] += !is;
            }
        }
    }
    for (size_t j = 0; j < 3; j++) {
        CU_ASSERT(proven[j] > 0 && not_proven[j] > 0);
    }
    free(found);
    grt_sampler_free(sampler);
    swept_close(swept);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"what is proven is never missed", test_bounds_hold},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("PRUDA's strategies", tests);
}
