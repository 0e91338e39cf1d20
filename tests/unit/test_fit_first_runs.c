/* What fits say of the first runs of visits, which are in no series, and of the link that copies went over. */
#include <string.h>

#include "calib/program/files/kernels_write_worst.h"
#include "tests/support/findings.h"
#include "tests/support/raw_samples.h"
#include "tests/support/suite.h"

enum { RUNS = 2000, FIRSTS = 20, USUAL_NS = 100000 };

static struct raw_samples samples;

static int64_t *column(size_t count, const char *keys) {
    struct grt_raw_cell *cell = raw_cell(&samples, "worst", count, "%s", keys);
    int64_t *spans = raw_column(&samples, cell, "span_ns");
    for (size_t i = 0; i < count; i++) {
        spans[i] = USUAL_NS;
    }
    return spans;
}

/* A series of equal times, with another one beside it; and first runs of both, of which the longest of the first one takes so long. 0: as in an older file. */
static const struct grt_fitted_worst *fit_with(int64_t longest, const struct grt_fit **fit) {
    raw_start(&samples, 4);
    raw_workload(&samples, "fma", GRT_KERNEL_FMA, 256, 8);
    if (longest > 0) {
        column(FIRSTS, "kernel=fma,sms=4,beside=nothing,state=cold,run=first")[3] = 2 * longest;
    }
    column(RUNS, "kernel=fma,sms=4,beside=nothing,state=hot");
    if (longest > 0) {
        column(FIRSTS, "kernel=fma,sms=4,beside=nothing,state=hot,run=first")[7] = longest;
    }
    *fit = grt_fit_all(&samples.raw, &samples.arena);
    CU_ASSERT_EQUAL_FATAL((*fit)->worst_count, 1);
    return &(*fit)->worst[0];
}

static bool all_say(const struct grt_fit *fit, const char *text) {
    size_t said = 0, findings = 0;
    for (size_t i = 0; i < fit->finding_count; i++) {
        const struct grt_finding *finding = &fit->findings[i];
        if (strcmp(finding->experiment, "worst") == 0) {
            findings++;
            said += strstr(finding->how, text) != NULL;
        }
    }
    return findings > 0 && said == findings;
}

/* What the kernel file declares. */
static void expect_declared(const struct grt_fit *fit, const char *declared, bool is_taken,
                            const char *text) {
    cJSON *kernel = grt_worst_kernel(fit, &fit->worst[0], &samples.arena);
    CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
    const cJSON *time = cJSON_GetObjectItem(kernel, "time");
    const char *source =
        cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetObjectItem(kernel, "sources"), "time"));
    CU_ASSERT_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(time, "declared")), declared);
    CU_ASSERT_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(time, "max")), "100us");
    CU_ASSERT_EQUAL(strstr(source, "a run behind other work and a pause took longer, which is taken") != NULL,
                    is_taken);
    CU_ASSERT_PTR_NOT_NULL(strstr(source, text));
    const char *evidence = cJSON_GetStringValue(cJSON_GetObjectItem(time, "evidence"));
    CU_ASSERT_STRING_EQUAL(evidence, is_taken ? "no-model" : "constant");
    cJSON_Delete(kernel);
}

static void longer_first_runs_are_declared(void) {
    const struct grt_fit *fit;
    const struct grt_fitted_worst *worst = fit_with(150000, &fit);
    const char *said = "of 20 such runs the longest took 150us, which is LONGER than all of these";
    CU_ASSERT_EQUAL(worst->first_longest, 150000);
    CU_ASSERT_EQUAL(worst->pwcet->count, RUNS); /* without them */
    CU_ASSERT_PTR_NOT_NULL(strstr(worst->pwcet->apart, said));
    CU_ASSERT(all_say(fit, said));
    CU_ASSERT(is_warned(fit, "of 20 runs behind other work and a pause the longest took 150us, of 2000 right "
                             "behind each other 100us"));
    expect_declared(fit, "150us", true, said);
    grt_arena_clear(&samples.arena);
}

static void other_first_runs_are_said(void) {
    const struct grt_fit *fit;
    fit_with(USUAL_NS, &fit);
    const char *said = "the longest took 100us, which is no longer than the longest of these";
    CU_ASSERT(all_say(fit, said));
    CU_ASSERT_FALSE(is_warned(fit, "behind other work"));
    expect_declared(fit, "100us", false, said);
    grt_arena_clear(&samples.arena);
}

static void older_files_do_not_say(void) {
    const struct grt_fit *fit;
    const struct grt_fitted_worst *worst = fit_with(0, &fit);
    CU_ASSERT(worst->first == NULL && worst->first_longest == 0);
    CU_ASSERT(all_say(fit, "is not among these, and the file does not say how long it took"));
    expect_declared(fit, "100us", false, "the file does not say how long it took");
    grt_arena_clear(&samples.arena);
}

/* ---- the link ---- */

/* Old management libraries do not know what device and slot can have, or one of the two. */
static void unknown_maxima_are_not_zero(void) {
    static const struct {
        int generation, lanes;
        const char *how, *warning;
    } cases[] = {
        {0, 0, "it does not say what device and slot can have", NULL},
        {3, 0, "device and slot can have generation 3", NULL},
        {0, 16, "device and slot can have 16 lanes", "device and slot can have 16 lanes: copies"},
        {4, 0, "device and slot can have generation 4", "device and slot can have generation 4: copies"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        raw_start(&samples, 4);
        samples.raw.health = (struct grt_raw_health_range){.count = 3,
                                                           .pcie_generation_low = 3,
                                                           .pcie_generation_high = 3,
                                                           .pcie_lanes_low = 8,
                                                           .pcie_lanes_high = 8,
                                                           .pcie_most_generation = cases[i].generation,
                                                           .pcie_most_lanes = cases[i].lanes};
        const struct grt_fit *fit = grt_fit_all(&samples.raw, &samples.arena);
        const struct grt_finding *link = grt_fit_find(fit, "pcie_link");
        CU_ASSERT_PTR_NOT_NULL_FATAL(link);
        const char *how = strstr(link->how, "; ");
        CU_ASSERT_PTR_NOT_NULL_FATAL(how);
        CU_ASSERT_STRING_EQUAL(how + 2, cases[i].how);
        CU_ASSERT_EQUAL(is_warned(fit, "PCIe"), cases[i].warning != NULL);
        CU_ASSERT(cases[i].warning == NULL || is_warned(fit, cases[i].warning));
        grt_arena_clear(&samples.arena);
    }
}

static void links_are_told(void) {
    raw_start(&samples, 4);
    samples.raw.health = (struct grt_raw_health_range){.count = 3,
                                                       .pcie_generation_low = 1,
                                                       .pcie_generation_high = 4,
                                                       .pcie_lanes_low = 16,
                                                       .pcie_lanes_high = 16,
                                                       .pcie_most_generation = 5,
                                                       .pcie_most_lanes = 16};
    const struct grt_fit *fit = grt_fit_all(&samples.raw, &samples.arena);
    const struct grt_finding *link = grt_fit_find(fit, "pcie_link");
    CU_ASSERT_PTR_NOT_NULL_FATAL(link);
    CU_ASSERT_EQUAL(link->status, GRT_FINDING_TOLD);
    CU_ASSERT_STRING_EQUAL(link->word, "generation 1 to 4, 16 lanes");
    CU_ASSERT(is_warned(fit,
                        "never ran faster than with generation 4 and 16 lanes, where device and slot can "
                        "have generation 5 and 16 lanes"));
    CU_ASSERT_STRING_EQUAL(link->how,
                           "the management library says so, while measuring; device and slot can have "
                           "generation 5 and 16 lanes");
    samples.raw.health.pcie_generation_high = 5;
    CU_ASSERT_FALSE(is_warned(grt_fit_all(&samples.raw, &samples.arena), "PCIe"));
    samples.raw.health = (struct grt_raw_health_range){.count = 3};
    CU_ASSERT_PTR_NULL(grt_fit_find(grt_fit_all(&samples.raw, &samples.arena), "pcie_link"));
    grt_arena_clear(&samples.arena);
}

/* ---- the thread ---- */

static void moves_are_warned_of(void) {
    raw_start(&samples, 4);
    samples.raw.backend = "cuda";
    struct grt_raw_cell *cells[2] = {raw_cell(&samples, "launch", 1, "what=call,queue=empty"),
                                     raw_cell(&samples, "launch", 1, "what=call,queue=deep")};
    for (int i = 0; i < 2; i++) {
        raw_column(&samples, cells[i], "call_ns")[0] = 2000;
        cells[i]->cpu_batches = 1;
        cells[i]->cpu_low = cells[i]->cpu_high = 2 + i;
    }
    CU_ASSERT(is_warned(grt_fit_all(&samples.raw, &samples.arena), "moved among processors 2 to 3"));
    cells[1]->cpu_low = cells[1]->cpu_high = 2;
    CU_ASSERT_FALSE(is_warned(grt_fit_all(&samples.raw, &samples.arena), "processors"));
    grt_arena_clear(&samples.arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"longer first runs are declared", longer_first_runs_are_declared},
        {"other first runs are said", other_first_runs_are_said},
        {"older files do not say", older_files_do_not_say},
        {"links are told", links_are_told},
        {"unknown maxima are not zero", unknown_maxima_are_not_zero},
        {"moves of the thread are warned of", moves_are_warned_of},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("first runs", tests);
}
