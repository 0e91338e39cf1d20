/* labels: soak once */
/* H. Kim and others, "A Server-based Approach for Predictable GPU Access Control", RTCSA 2017, figures 8 to 14, as
 * scenarios/papers/gpu-server/experiments draws them again: the shares of a calculation apart from gpurt, and what the
 * paper's text says of several points of a figure, which the files cannot say. */
#include "tests/support/suite.h"
#include "tests/support/swept.h"

#define FIGURE(number) "scenarios/papers/gpu-server/experiments/figure-" #number ".json"

/* How far a share of `sets` sets may be above another one that it is said to be below. */
static double doubt(int sets) {
    return 3.0 * swept_error(0.5, sets, sets);
}

static double ratio(struct swept *figure, const char *evaluation, const char *cores, const char *x) {
    return swept_ratio_of(SWEPT(figure, evaluation, cores, x));
}

/* ---- Figure 9 ---- */

static void published_shares(void) {
    struct swept *figure = swept_open(FIGURE(9), grt_suite_all_cases(600, 10000), NULL);
    CU_ASSERT_EQUAL(swept_check_published(figure), 15);
    swept_close(figure);
}

/* On the same sets a W' that is larger proves no more, nor does an analysis that knows less. */
static void tighter_proves_no_less(void) {
    static const char *const chains[][5] = {
        {"mpcp-local", "mpcp-local-higher", "mpcp", "mpcp-smaller", "mpcp-tight"},
        {"mpcp-any-core", "mpcp-local-higher", "mpcp", "mpcp-smaller", "mpcp-tight"},
        {"server", "server-smaller", "server-no-jitter", "server-tight", "server-tight"}};
    struct swept *figure = swept_open(FIGURE(9), grt_suite_all_cases(200, 2000), NULL);
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
        for (size_t j = 0; j + 1 < 5; j++) {
            CU_ASSERT(ratio(figure, chains[i][j], "cores=4", "gpu_tasks=0.5") <=
                      ratio(figure, chains[i][j + 1], "cores=4", "gpu_tasks=0.5"));
        }
    }
    swept_close(figure);
}

/* ---- Curves ---- */

/* "In general, the percentage of schedulable tasksets is higher when N_P = 4", and the curves fall. */
static void expect_falling(const char *file, const char *first, const char *last) {
    static const char *const evaluations[] = {"mpcp", "mpcp-local-higher", "server", "server-tight"};
    int sets = grt_suite_all_cases(100, 2000);
    struct swept *figure = swept_open(file, sets, NULL);
    for (size_t i = 0; i < 4; i++) {
        const char *name = evaluations[i];
        CU_ASSERT(ratio(figure, name, "cores=4", last) <=
                  ratio(figure, name, "cores=4", first) + doubt(sets));
        CU_ASSERT(ratio(figure, name, "cores=8", last) <=
                  ratio(figure, name, "cores=8", first) + doubt(sets));
        CU_ASSERT(ratio(figure, name, "cores=8", first) <=
                  ratio(figure, name, "cores=4", first) + doubt(sets));
        CU_ASSERT(ratio(figure, name, "cores=8", last) <= ratio(figure, name, "cores=4", last) + doubt(sets));
    }
    swept_close(figure);
}

static void more_of_anything_is_worse(void) {
    expect_falling(FIGURE(8), "gpu_ratio=0.1", "gpu_ratio=1.5");
    expect_falling(FIGURE(9), "gpu_tasks=0", "gpu_tasks=1");
    expect_falling(FIGURE(11), "gpu_segments=1", "gpu_segments=16");
    expect_falling(FIGURE(12), "utilisation=0.1", "utilisation=0.9");
}

static void nothing_passes_at_ninety_percent(void) {
    struct swept *figure = swept_open(FIGURE(12), grt_suite_all_cases(200, 10000), NULL);
    CU_ASSERT(ratio(figure, "mpcp", "cores=4", "utilisation=0.9") < 0.02);
    CU_ASSERT(ratio(figure, "server", "cores=4", "utilisation=0.9") < 0.02);
    CU_ASSERT(ratio(figure, "mpcp", "cores=4", "utilisation=0.4") > 0.9);
    swept_close(figure);
}

/* Figures 13 and 14: what makes the server worse leaves MPCP as it is; `off`: by how much shares may differ. */
static void expect_mpcp_unaffected(struct swept *figure, const char *first, const char *last, double off) {
    static const char *const locks[] = {"mpcp", "mpcp-local-higher", "mpcp-local", "mpcp-tight", "fmlp"};
    static const char *const cores[] = {"cores=4", "cores=8"};
    for (size_t i = 0; i < 2; i++) {
        for (size_t j = 0; j < sizeof locks / sizeof locks[0]; j++) {
            CU_ASSERT_DOUBLE_EQUAL(ratio(figure, locks[j], cores[i], first),
                                   ratio(figure, locks[j], cores[i], last), off);
        }
    }
    CU_ASSERT(ratio(figure, "server", "cores=8", last) < ratio(figure, "server", "cores=8", first) - off);
}

static void overhead_of_the_server(void) {
    struct swept *figure = swept_open(FIGURE(13), grt_suite_all_cases(100, 2000), NULL);
    expect_mpcp_unaffected(figure, "epsilon=0.05", "epsilon=5", 0.0); /* the same sets */
    swept_close(figure);
}

static void work_of_the_server(void) {
    int sets = grt_suite_all_cases(1000, 10000);
    struct swept *figure = swept_open(FIGURE(14), sets, NULL);
    expect_mpcp_unaffected(figure, "host_ratio=0.1", "host_ratio=9", doubt(sets));
    swept_close(figure);
}

/* Figure 10: "affected less by the increase in task counts". With W' = G it is not so; with longer ones it is. */
static void many_tasks(void) {
    int sets = grt_suite_all_cases(200, 5000);
    struct swept *figure = swept_open(FIGURE(10), sets, NULL);
    double server = ratio(figure, "server", "cores=4", "tasks=12");
    CU_ASSERT(server > ratio(figure, "mpcp-local-higher", "cores=4", "tasks=12") + doubt(sets));
    CU_ASSERT(server <= ratio(figure, "mpcp", "cores=4", "tasks=12") + doubt(sets));
    swept_close(figure);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"the shares of a calculation apart from gpurt", published_shares},
        {"who knows more proves no less", tighter_proves_no_less},
        {"more of anything is worse, and more cores are", more_of_anything_is_worse},
        {"at 90 % nothing passes", nothing_passes_at_ninety_percent},
        {"the server's overhead leaves MPCP as it is", overhead_of_the_server},
        {"so does work that is the server's", work_of_the_server},
        {"many tasks", many_tasks},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("Kim et al., RTCSA 2017, figures 8 to 14", tests);
}
