/* labels: golden engine
 * Every scenario of the library, and those of tests/golden/scenarios, simulated by the program itself: the results (as
 * JSON) and the trace have the digests that tests/golden/digests.txt names, with cohorts and, unless there is little time, without. The same file
 * serves every compiler and optimisation level, so that equal digests mean byte-identical results everywhere.
 * GRT_UPDATE_GOLDEN=1 writes the file anew. */
#include <ftw.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"

enum { MOST_SCENARIOS = 512, PATH_SIZE = 256 };

struct golden {
    char path[PATH_SIZE];
    uint64_t json, trace;
};

static struct golden found[MOST_SCENARIOS], stored[MOST_SCENARIOS];
static size_t found_count, stored_count;

static int note_scenario(const char *path, const struct stat *status, int type) {
    size_t length = strlen(path);
    (void)status;
    bool is_scenario = type == FTW_F && length > 5 && strcmp(path + length - 5, ".json") == 0 &&
                       strstr(path, "/devices/") == NULL && strstr(path, "/usages/") == NULL &&
                       strstr(path, "/kernels/") == NULL && strstr(path, "/experiments/") == NULL &&
                       strcmp(path, "scenarios/scenario.schema.json") != 0;
    if (is_scenario && found_count < MOST_SCENARIOS && length < PATH_SIZE) {
        memcpy(found[found_count++].path, path, length + 1);
    }
    return 0;
}

static int by_path(const void *a, const void *b) {
    return strcmp(((const struct golden *)a)->path, ((const struct golden *)b)->path);
}

static void read_stored(void) {
    FILE *file = fopen("tests/golden/digests.txt", "r");
    struct golden *golden = stored;
    while (file != NULL && stored_count < MOST_SCENARIOS &&
           fscanf(file, "%255s %" SCNx64 " %" SCNx64, golden->path, &golden->json, &golden->trace) == 3) {
        golden++;
        stored_count++;
    }
    if (file != NULL) {
        fclose(file);
    }
}

/* FNV-1a over a file's bytes; 0 if it cannot be read. */
static uint64_t digest_of_file(const char *path) {
    FILE *file = fopen(path, "rb");
    uint64_t digest = UINT64_C(0xcbf29ce484222325);
    if (file == NULL) {
        return 0;
    }
    unsigned char bytes[8192];
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, file)) > 0;) {
        for (size_t i = 0; i < size; i++) {
            digest = (digest ^ bytes[i]) * UINT64_C(0x100000001b3);
        }
    }
    fclose(file);
    return digest;
}

static bool simulate(const char *path, const char *option, struct golden *golden) {
    char command[1024];
    remove(GRT_SCRATCH_DIR "/out.json");
    remove(GRT_SCRATCH_DIR "/out.trace");
    snprintf(command, sizeof command, "%s run %s %s --quiet --json %s/out.json --trace %s/out.trace",
             GRT_PROGRAM, path, option, GRT_SCRATCH_DIR, GRT_SCRATCH_DIR);
    bool good = system(command) == 0;
    golden->json = digest_of_file(GRT_SCRATCH_DIR "/out.json");
    golden->trace = digest_of_file(GRT_SCRATCH_DIR "/out.trace");
    return good;
}

static void check_scenario(struct golden *golden) {
    bool good = simulate(golden->path, "", golden);
    if (!grt_suite_is_brief()) {
        struct golden alone = *golden;
        good = good && simulate(golden->path, "--no-cohorts", &alone);
        CU_ASSERT_EQUAL(alone.json, golden->json);
        CU_ASSERT_EQUAL(alone.trace, golden->trace);
    }
    const struct golden *known = bsearch(golden, stored, stored_count, sizeof *stored, by_path);
    if (!good || known == NULL || known->json != golden->json || known->trace != golden->trace) {
        printf("\n    %s: %s ", golden->path,
               !good           ? "failed"
               : known == NULL ? "has no digest"
                               : "other digest");
    }
    CU_ASSERT_TRUE(good);
    if (getenv("GRT_UPDATE_GOLDEN") == NULL) {
        CU_ASSERT_PTR_NOT_NULL_FATAL(known);
        CU_ASSERT_EQUAL(known->json, golden->json);
        CU_ASSERT_EQUAL(known->trace, golden->trace);
    }
}

static void write_stored(void) {
    FILE *file = fopen("tests/golden/digests.txt", "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    for (size_t i = 0; i < found_count; i++) {
        fprintf(file, "%s %016" PRIx64 " %016" PRIx64 "\n", found[i].path, found[i].json, found[i].trace);
    }
    fclose(file);
}

static void test_every_scenario_has_its_digests(void) {
    ftw("scenarios", note_scenario, 16);
    ftw("tests/golden/scenarios", note_scenario, 16);
    qsort(found, found_count, sizeof *found, by_path);
    read_stored();
    CU_ASSERT_TRUE(found_count > 0);
    for (size_t i = 0; i < found_count; i++) {
        check_scenario(&found[i]);
    }
    if (getenv("GRT_UPDATE_GOLDEN") != NULL) {
        write_stored();
    } else {
        CU_ASSERT_EQUAL(found_count, stored_count);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"every scenario has its digests", test_every_scenario_has_its_digests},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("golden", tests);
}
