/* P. Muyan-Ozcelik, J. D. Owens, "Multitasking Real-time Embedded GPU Computing Tasks", PMAM 2016: the orderings of table 2, the four conclusions and the
 * real-world case, one by one, of scenarios/papers/multitasking. The numbers beside the paper's are in docs/multitasking.md. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/file_text.h"
#include "tests/support/multitasking_claims.h"
#include "tests/support/suite.h"

static struct grt_workloads workloads;

static void test_all_run(void) {
    const struct grt_variation as_they_are = {.percent = 100};
    grt_workloads_run(&as_they_are, &workloads);
}

/* ---- the six cases differ in what the paper says that they differ in, and in nothing else ---- */

/* What may differ: words, the GPU, and of the commands the sizes of copies and what makes a kernel small or large, short or long. */
static bool may_differ(const char *path) {
    static const char command[] = ".tasks.item.segments.item.gpu.item.";
    static const char *const fields[] = {".name", ".description", ".source", ".platform.gpus", "h2d",
                                         "d2h",   "blocks",       "threads", "smem",           "block_time"};
    bool may = false, is_command = strncmp(path, command, sizeof command - 1) == 0;
    const char *rest = is_command ? path + sizeof command - 1 : path;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        may = may || strcmp(rest, fields[i]) == 0;
    }
    return may;
}

static bool same(const cJSON *a, const cJSON *b, const char *path) {
    if (may_differ(path)) {
        return true;
    }
    bool of_a_kind = a != NULL && b != NULL && a->type == b->type;
    if (!of_a_kind || (!cJSON_IsObject(a) && !cJSON_IsArray(a))) {
        bool equal = of_a_kind && cJSON_Compare(a, b, true);
        if (!equal) {
            printf("\n    %s differs ", path);
        }
        return equal;
    }
    bool equal = cJSON_IsObject(a) || cJSON_GetArraySize(a) == cJSON_GetArraySize(b);
    const cJSON *item;
    int index = 0;
    cJSON_ArrayForEach(item, a) {
        char below[256];
        snprintf(below, sizeof below, "%s.%s", path, item->string != NULL ? item->string : "item");
        const cJSON *other = item->string != NULL ? cJSON_GetObjectItemCaseSensitive(b, item->string)
                                                  : cJSON_GetArrayItem(b, index++);
        equal = same(item, other, below) && equal;
    }
    return equal;
}

static cJSON *read_case(int number) {
    char path[64];
    size_t size;
    snprintf(path, sizeof path, "scenarios/papers/multitasking/case-%d.json", number);
    char *text = grt_file_text(path, &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    cJSON *tree = cJSON_Parse(text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(tree);
    free(text);
    return tree;
}

static void test_cases_are_equal_but_for_what_they_compare(void) {
    cJSON *first = read_case(1);
    for (int i = 2; i <= GRT_CASES; i++) {
        cJSON *other = read_case(i);
        CU_ASSERT(same(first, other, ""));
        CU_ASSERT(same(other, first, "")); /* nothing more either */
        cJSON_Delete(other);
    }
    cJSON_Delete(first);
}

/* What the GPU, the copies of both directions, and the kernels of the tasks of higher and of lower priority are in a case. */
static void parts_of(int number, char *parts[3]) {
    cJSON *tree = read_case(number), *tasks = cJSON_GetObjectItem(tree, "tasks");
    char kernels[4][256], copies[4][64];
    for (int i = 0; i < 4; i++) {
        const cJSON *task = cJSON_GetArrayItem(tasks, i);
        cJSON *commands =
            cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(task, "segments"), 0), "gpu");
        cJSON *kernel = cJSON_GetArrayItem(commands, 1);
        snprintf(copies[i], sizeof copies[i], "%s %s",
                 cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetArrayItem(commands, 0), "h2d")),
                 cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetArrayItem(commands, 2), "d2h")));
        cJSON_DeleteItemFromObject(kernel, "kernel");
        char *text = cJSON_PrintUnformatted(kernel);
        snprintf(kernels[i], sizeof kernels[i], "%s", text);
        free(text);
        CU_ASSERT_STRING_EQUAL(copies[i], copies[0]);
        CU_ASSERT(i < 2 || strcmp(kernels[i], kernels[i - 2]) == 0);
    }
    parts[0] = cJSON_PrintUnformatted(cJSON_GetObjectItem(cJSON_GetObjectItem(tree, "platform"), "gpus"));
    parts[1] = strdup(copies[0]);
    parts[2] = malloc(sizeof kernels);
    snprintf(parts[2], sizeof kernels, "%s / %s", kernels[0], kernels[1]);
    cJSON_Delete(tree);
}

/* In case 3 the two kernels change places. */
static bool exchanged(const char *a, const char *b) {
    const char *middle = strstr(a, " / ");
    char other[1024];
    snprintf(other, sizeof other, "%s / %.*s", middle + 3, (int)(middle - a), a);
    return strcmp(other, b) == 0;
}

static void test_cases_differ_as_the_paper_says(void) {
    char *parts[GRT_CASES + 1][3];
    for (int i = 1; i <= GRT_CASES; i++) {
        parts_of(i, parts[i]);
    }
#define SAME(a, b, part) (strcmp(parts[a][part], parts[b][part]) == 0)
    CU_ASSERT(SAME(1, 4, 0) && SAME(2, 3, 0) && SAME(2, 5, 0) && SAME(2, 6, 0) && !SAME(1, 2, 0));
    CU_ASSERT(SAME(1, 2, 1) && SAME(1, 3, 1) && SAME(1, 4, 1) && SAME(1, 5, 1) && !SAME(1, 6, 1));
    CU_ASSERT(SAME(1, 2, 2) && SAME(4, 5, 2) && SAME(4, 6, 2) && !SAME(1, 4, 2));
#undef SAME
    CU_ASSERT(exchanged(parts[2][2], parts[3][2]));
    for (int i = 1; i <= GRT_CASES; i++) {
        free(parts[i][0]), free(parts[i][1]), free(parts[i][2]);
    }
}

/* ---- who runs ---- */

/* Schedulers on the GPU need dynamic parallelism, which a Fermi has not; everything else runs, and to its end. */
static void test_who_runs(void) {
    for (int i = 1; i < GRT_WORKLOADS; i++) {
        for (int scheduler = 0; scheduler < GRT_SCHEDULERS; scheduler++) {
            const struct grt_multitasking *run = &workloads.of[i][scheduler];
            bool kepler = i == 1 || i == 4 || i == GRT_REAL_WORLD;
            CU_ASSERT_EQUAL(run->runs, kepler || scheduler < GRT_SYNCHRONIZE);
            CU_ASSERT(!run->runs || run->finishes);
        }
    }
}

/* ---- the paper's claims ---- */

/* Asserts those of a place in the paper, and of a workload unless it is 0; there have to be some. */
static void check_claims(const char *where, int workload) {
    int count = 0;
    for (const struct grt_claim *claim = grt_claims; claim->where != NULL; claim++) {
        if (strcmp(claim->where, where) == 0 && (workload == 0 || claim->workload == workload)) {
            double shortfall;
            const char *link;
            bool holds = grt_claim_holds(claim, &workloads, &shortfall, &link);
            if (!holds) {
                printf("\n    %s, workload %d: %s fails at %.3s, by %.1f %% ", where, claim->workload,
                       claim->chain, link - 1, 100 * shortfall);
            }
            CU_ASSERT(holds);
            count++;
        }
    }
    CU_ASSERT(count > 0);
}

static void test_case_1(void) {
    check_claims("table 2", 1);
}

static void test_case_2(void) {
    check_claims("table 2", 2);
}

static void test_case_3(void) {
    check_claims("table 2", 3);
}

static void test_case_4(void) {
    check_claims("table 2", 4);
}

static void test_case_5(void) {
    check_claims("table 2", 5);
}

static void test_case_6(void) {
    check_claims("table 2", 6);
}

static void test_conclusion_1(void) {
    check_claims("conclusion 1", 0);
}

static void test_conclusion_2(void) {
    check_claims("conclusion 2", 0);
}

static void test_conclusion_3(void) {
    check_claims("conclusion 3", 0);
}

static void test_conclusion_4(void) {
    check_claims("conclusion 4", 0);
}

static void test_real_world(void) {
    check_claims("section 7", GRT_REAL_WORLD);
}

/* The claims are those of the paper: its own numbers fulfil them. */
static void test_claims_are_the_papers(void) {
    struct grt_workloads paper;
    for (int i = 0; i < GRT_WORKLOADS; i++) {
        for (int scheduler = 0; scheduler < GRT_SCHEDULERS; scheduler++) {
            paper.of[i][scheduler].performance = grt_published[i][scheduler];
        }
    }
    for (const struct grt_claim *claim = grt_claims; claim->where != NULL; claim++) {
        double shortfall;
        const char *link;
        CU_ASSERT(grt_claim_holds(claim, &paper, &shortfall, &link));
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"all run", test_all_run}, /* the tests below go by it */
        {"the cases are equal but for what they compare", test_cases_are_equal_but_for_what_they_compare},
        {"the cases differ as the paper says", test_cases_differ_as_the_paper_says},
        {"who runs", test_who_runs},
        {"the claims are the paper's", test_claims_are_the_papers},
        {"table 2, case 1", test_case_1},
        {"table 2, case 2", test_case_2},
        {"table 2, case 3", test_case_3},
        {"table 2, case 4", test_case_4},
        {"table 2, case 5", test_case_5},
        {"table 2, case 6", test_case_6},
        {"conclusion 1", test_conclusion_1},
        {"conclusion 2", test_conclusion_2},
        {"conclusion 3", test_conclusion_3},
        {"conclusion 4", test_conclusion_4},
        {"section 7: the order of the real-world case", test_real_world},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("Muyan-Ozcelik and Owens, PMAM 2016", tests);
}
