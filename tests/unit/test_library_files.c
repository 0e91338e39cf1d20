/* Files of the library by their names: which are there, what a name means, what is refused. */
#include "cli/terminal/library_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/suite.h"

static struct grt_arena arena;
static struct grt_errors errors;

static void put_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    fputs(text, file);
    fclose(file);
}

static void put(const char *path) {
    put_text(path, "{}");
}

/* The tests run in a folder of their own, with a library beside the user's files. */
static int enter(void) {
    static const char *const folders[] = {"lib",         "lib/a",           "lib/a/b", "lib/a/b/experiments",
                                          "lib/devices", "lib/experiments", "lib/c",   "taken"};
    static const char *const files[] = {"lib/quickstart.json",  "lib/zero.json",
                                        "lib/a/figure-9.json",  "lib/a/figure-10.json",
                                        "lib/c/figure-9.json",  "lib/a/.hidden.json",
                                        "lib/a/README.md",      "lib/a/b/experiments/first.json",
                                        "lib/devices/gpu.json", "lib/experiments/second.json",
                                        "lib/a/zero.json",      "lib/a/rodinia-1.5-paper.json",
                                        "lib/a/mine.json",      "mine",
                                        "lib/a/taken.json"};
    if (chdir(GRT_SCRATCH_DIR) != 0) {
        return 1;
    }
    unlink("quickstart"); /* of a test that failed */
    unlink("lib/c/loop");
    unlink("lib/a/c");
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        mkdir(folders[i], 0700);
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        put(files[i]);
    }
    return setenv("GPURT_LIBRARY", "lib", 1);
}

static void end(void) {
    grt_arena_clear(&arena);
    grt_errors_clear(&errors);
}

static void means_of_kind(const char *name, unsigned kind, const char *path) {
    const char *got = grt_library_path(name, kind, &arena, &errors);
    CU_ASSERT(got != NULL && strcmp(got, path) == 0);
    CU_ASSERT_EQUAL(errors.count, 0);
    end();
}

static void means(const char *name, const char *path) {
    means_of_kind(name, GRT_LIBRARY_SCENARIO, path);
}

static void means_experiment(const char *name, const char *path) {
    means_of_kind(name, GRT_LIBRARY_EXPERIMENT, path);
}

static void is_refused(const char *name, const char *sentence) {
    CU_ASSERT_PTR_NULL(grt_library_path(name, GRT_LIBRARY_SCENARIO, &arena, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], sentence);
    end();
}

static void test_list(void) {
    static const char *const scenarios[] = {"quickstart",  "zero",   "a/figure-9",
                                            "a/figure-10", "a/mine", "a/rodinia-1.5-paper",
                                            "a/taken",     "a/zero", "c/figure-9"};
    struct grt_library_files files;
    CU_ASSERT_TRUE_FATAL(grt_library_files_list(NULL, GRT_LIBRARY_SCENARIO, &files, &arena, &errors));
    CU_ASSERT_STRING_EQUAL(files.folder, "lib");
    CU_ASSERT_EQUAL_FATAL(files.count, sizeof scenarios / sizeof scenarios[0]);
    for (uint32_t i = 0; i < files.count; i++) {
        CU_ASSERT_STRING_EQUAL(files.items[i].name, scenarios[i]);
    }
    grt_library_files_free(&files);
    CU_ASSERT_TRUE_FATAL(grt_library_files_list("lib", GRT_LIBRARY_EXPERIMENT, &files, &arena, &errors));
    CU_ASSERT_EQUAL_FATAL(files.count, 2);
    CU_ASSERT_STRING_EQUAL(files.items[0].name, "a/b/experiments/first");
    CU_ASSERT_STRING_EQUAL(files.items[1].path, "lib/experiments/second.json");
    grt_library_files_free(&files);
    end();
}

static void test_names(void) {
    means("quickstart", "lib/quickstart.json");
    means("a/figure-9", "lib/a/figure-9.json");
    means("figure-10", "lib/a/figure-10.json");
    means("rodinia-1.5-paper", "lib/a/rodinia-1.5-paper.json");
    means("zero", "lib/zero.json");                 /* a whole name before last parts */
    means("second", "lib/experiments/second.json"); /* whose reader says what it is */
    means("taken", "lib/a/taken.json");             /* a folder is no file */
    const char *path = grt_library_path("first", GRT_LIBRARY_EXPERIMENT, &arena, &errors);
    CU_ASSERT(path != NULL && strcmp(path, "lib/a/b/experiments/first.json") == 0);
    end();
}

static void test_files_first(void) {
    means("mine", "mine");
    put("quickstart");
    means("quickstart", "quickstart");
    unlink("quickstart");
    static const char *const paths[] = {"-",         "/quickstart", "./quickstart",
                                        "../a/zero", "quick.json",  "lib/zero.json",
                                        "old.trace", "x/y",         "lib"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        means(paths[i], paths[i]);
    }
}

static void test_refused(void) {
    is_refused("quikstart",
               "there is no such file, and no scenario of that name in the library lib (did you mean "
               "\"quickstart\"?); `gpurt scenarios` lists it");
    is_refused("rodinia",
               "there is no such file, and no scenario of that name in the library lib (did you mean "
               "\"rodinia-1.5-paper\"?); `gpurt scenarios` lists it");
    is_refused("a/figure-8",
               "there is no such file, and no scenario of that name in the library lib (did you mean "
               "\"a/figure-9\"?); `gpurt scenarios` lists it");
    is_refused("nothing", "there is no such file, and no scenario of that name in the library lib; `gpurt "
                          "scenarios` lists it");
    is_refused("figure-9", "is the name of several files of the library: a/figure-9, c/figure-9");
    static const char called[] =
        "there is no such file; that of the library is called %s, and `gpurt scenarios` lists it";
    char sentence[200];
    snprintf(sentence, sizeof sentence, called, "quickstart");
    is_refused("scenarios/quickstart.json", sentence);
    is_refused("./quickstart.json", sentence);
    is_refused("/x/lib/quickstart.json", sentence);
    snprintf(sentence, sizeof sentence, called, "a/figure-9");
    is_refused("../lib/a/figure-9.json", sentence);
    is_refused("x/figure-9.json", "there is no such file; its last part is the name of several files of the "
                                  "library: a/figure-9, c/figure-9");
    setenv("GPURT_LIBRARY", "nowhere", 1);
    means("quickstart.json", "quickstart.json");
    is_refused("quickstart", "there is no such file; GPURT_LIBRARY: nowhere is no folder");
    means("a/zero", "a/zero"); /* a path, and no library that could have it */
    means("lib", "lib");       /* a folder */
    setenv("GPURT_LIBRARY", "lib", 1);
}

static uint32_t count(void) {
    struct grt_library_files files;
    CU_ASSERT_TRUE_FATAL(grt_library_files_list("lib", GRT_LIBRARY_SCENARIO, &files, &arena, &errors));
    uint32_t count = files.count;
    grt_library_files_free(&files);
    end();
    return count;
}

/* Where links lead back nothing is found twice; other links to folders are as good as folders. */
static void test_links(void) {
    uint32_t before = count();
    CU_ASSERT_EQUAL_FATAL(symlink("..", "lib/c/loop"), 0);
    CU_ASSERT_EQUAL(count(), before);
    means("quickstart", "lib/quickstart.json");
    means("figure-10", "lib/a/figure-10.json");
    unlink("lib/c/loop");
    CU_ASSERT_EQUAL_FATAL(symlink("../c", "lib/a/c"), 0);
    CU_ASSERT_EQUAL(count(), before + 1);
    means("a/c/figure-9", "lib/a/c/figure-9.json");
    unlink("lib/a/c");
}

/* Experiments have a name in their files, too. */
static void test_names_in_files(void) {
    const char *path;
    setenv("GPURT_LIBRARY", GRT_SOURCE_DIR "/scenarios", 1);
    path = grt_library_path("kim-2017-figure-9", GRT_LIBRARY_EXPERIMENT, &arena, &errors);
    CU_ASSERT(path != NULL &&
              strcmp(path, GRT_SOURCE_DIR "/scenarios/papers/gpu-server/experiments/figure-9.json") == 0);
    CU_ASSERT_PTR_NULL(grt_library_path("kim-2017-figure-99", GRT_LIBRARY_EXPERIMENT, &arena, &errors));
    CU_ASSERT_PTR_NULL(grt_library_path("kim-2017-figure-9", GRT_LIBRARY_SCENARIO, &arena, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], "(did you mean \"kim-2017-figure-9\"?)"));
    end();
    setenv("GPURT_LIBRARY", "lib", 1);
}

static void test_one_name_in_two_files(void) {
    put_text("lib/a/b/experiments/first.json", "{\"name\": \"twin\"}");
    means_experiment("twin", "lib/a/b/experiments/first.json");
    put_text("lib/experiments/second.json", "{\"name\": \"twin\"}");
    CU_ASSERT_PTR_NULL(grt_library_path("twin", GRT_LIBRARY_EXPERIMENT, &arena, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], "is the name of several experiments of the library: in "
                                               "a/b/experiments/first and experiments/second");
    end();
    means_experiment("second", "lib/experiments/second.json"); /* the name of a file comes first */
}

int main(void) {
    CU_TestInfo tests[] = {{"list", test_list},
                           {"names", test_names},
                           {"files first", test_files_first},
                           {"refused", test_refused},
                           {"links", test_links},
                           {"names in files", test_names_in_files},
                           {"one name in two files", test_one_name_in_two_files},
                           CU_TEST_INFO_NULL};
    if (enter() != 0) {
        return 1;
    }
    return grt_suite_run("files of the library", tests);
}
