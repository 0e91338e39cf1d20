/* labels: soak */
/* How measuring ends: by its budget, because it was interrupted, with a lost device, on a full disk. The file is good until there. */
#include <stdlib.h>

#include "sim/random.h"
#include "tests/support/file_text.h"
#include "tests/support/measuring.h"

#define US GRT_MICROSECOND

/* ---- time ---- */

static double seconds_of(void) {
    size_t size;
    char *text = grt_file_text(path, &size), *at = strstr(text, "\"seconds\": ");
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    double seconds = strtod(at + strlen("\"seconds\": "), NULL);
    free(text);
    return seconds;
}

/* Whatever the budget, measuring ends with it, but for the sample that is under way and the clocks' last look; what it was too short for is said. */
static void test_budget(void) {
    static const double budgets[] = {0.01, 0.1, 0.5, 2};
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        grt_measured_spec(4, &spec);
        spec.launch_call = 5 * US;
        spec.other_call = 2 * US;
        struct grt_plan plan = grt_measured_plan();
        plan.budget_s = budgets[i];
        plan.most_samples = 300;
        plan.worst_samples = 100000;
        struct grt_raw *raw = measure(&plan);
        CU_ASSERT(seconds_of() < budgets[i] + 0.02);
        CU_ASSERT(seconds_of() > 0.9 * budgets[i]);
        CU_ASSERT(raw->complete && skipped(raw, "worst") != NULL);
        grt_arena_clear(&arena);
    }
}

struct patience {
    int left;
};

static bool is_impatient(void *state) {
    struct patience *patience = state;
    return patience->left-- <= 0;
}

static void test_interrupted(void) {
    for (int asked = 0; asked < 4000; asked = 2 * asked + 1) {
        struct patience patience = {.left = asked};
        grt_measured_spec(4, &spec);
        struct grt_plan plan = plan_of("fma", 0);
        plan.interrupted = is_impatient;
        plan.state = &patience;
        enum grt_measure_result result;
        struct grt_raw *raw = try_it(&plan, path, &result);
        CU_ASSERT_PTR_NOT_NULL_FATAL(raw);
        bool stopped = result == GRT_MEASURE_STOPPED;
        CU_ASSERT(stopped || (asked > 1000 && result == GRT_MEASURE_DONE));
        CU_ASSERT(raw->complete == !stopped && !raw->cut_off);
        CU_ASSERT(!stopped || strcmp(raw->stopped, "interrupted") == 0);
        grt_arena_clear(&arena);
    }
}

/* ---- what goes wrong ---- */

/* Loses the device at this call. NULL: the bench could not even be opened. */
static struct grt_raw *lose(int64_t call, enum grt_measure_result *result) {
    grt_measured_spec(2, &spec);
    spec.faults.lost_at_call = call;
    struct grt_plan plan = plan_of("spin", 0);
    plan.least_samples = plan.most_samples = plan.worst_samples = 1;
    return try_it(&plan, path, result);
}

/* A device that is lost at any call leaves a good file, which says so and has what was measured before: at every call of the beginning, where the clocks are compared and
 * workloads get their sizes, and at some of those behind. */
static void test_lost(void) {
    enum grt_measure_result result;
    struct grt_random random = grt_random_stream(1, "lost", 0, 0);
    int64_t first = 1, cases = grt_suite_cases(250, 6000);
    size_t files = 0, most_cells = 0;
    while (lose(first, &result) == NULL) {
        first += 20;
        grt_arena_clear(&arena);
    }
    for (int64_t i = 0; i < cases; i++) {
        struct grt_raw *raw =
            lose(first + (i % 5 != 0 ? i : (int64_t)grt_random_below(&random, 6000)), &result);
        CU_ASSERT_PTR_NOT_NULL_FATAL(raw);
        if (result != GRT_MEASURE_DONE) {
            files++;
            CU_ASSERT_EQUAL(result, GRT_MEASURE_LOST);
            CU_ASSERT(!raw->complete && !raw->cut_off && raw->stopped != NULL);
            CU_ASSERT(raw->stopped == NULL || strstr(raw->stopped, "interrupted") == NULL);
            most_cells = raw->cell_count > most_cells ? raw->cell_count : most_cells;
        }
        grt_arena_clear(&arena);
    }
    CU_ASSERT(files > (size_t)cases / 2);
    CU_ASSERT(most_cells > 20);
}

static void test_full_disk(void) {
    grt_measured_spec(2, &spec);
    struct grt_plan plan = plan_of("spin", 0);
    enum grt_measure_result result;
    struct grt_raw *raw = try_it(&plan, "/dev/full", &result);
    CU_ASSERT_PTR_NULL(raw);
    CU_ASSERT_EQUAL(result, GRT_MEASURE_UNWRITTEN);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"the budget is kept", test_budget},
        {"interrupted anywhere", test_interrupted},
        {"lost anywhere", test_lost},
        {"a full disk", test_full_disk},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("how measuring ends", tests);
}
