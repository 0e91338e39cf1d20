/* Profiles of Nsight Systems. An input is SQL that makes one, so that changes of it are changes of its tables: SQLite's own reader of files is not what is tried here.
 * What is accepted becomes a scenario. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calib/program/import/nsys_scenario.h"
#include "sim/memory.h"
#include "tests/fuzz/target.h"
#include "tests/support/world_builder.h"

/* No input computes for long, or stores more than some values that are too long for the reader. */
enum { STEPS = 20, STEP = 1000, MOST_VALUE = 17 << 20 };
#define SETTINGS "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA max_page_count = 16384"

static int has_had_enough(void *steps) {
    return ++*(int *)steps > STEPS;
}

/* SQLite makes their texts some bytes longer at a time, which takes minutes with a sanitizer's realloc, within a single step. */
static bool is_slow(const char *function) {
    return sqlite3_stricmp(function, "printf") == 0 || sqlite3_stricmp(function, "format") == 0;
}

/* No files beside this one, no settings that change what is stored where. */
static int is_allowed(void *unused, int action, const char *one, const char *two, const char *database,
                      const char *trigger) {
    (void)unused, (void)one, (void)database, (void)trigger;
    return action == SQLITE_ATTACH || action == SQLITE_PRAGMA || (action == SQLITE_FUNCTION && is_slow(two))
               ? SQLITE_DENY
               : SQLITE_OK;
}

static void make_profile(const char *path, const char *sql) {
    sqlite3 *database = NULL;
    int steps = 0;
    unlink(path);
    GRT_REQUIRE(sqlite3_open(path, &database) == SQLITE_OK, "have a folder for files that are made");
    sqlite3_exec(database, SETTINGS, NULL, NULL, NULL);
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, MOST_VALUE);
    sqlite3_set_authorizer(database, is_allowed, NULL);
    sqlite3_progress_handler(database, STEP, has_had_enough, &steps);
    fuzz_cut_short(sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK ? sqlite3_errmsg(database)
                                                                              : NULL);
    sqlite3_close(database);
}

static void make_scenario(const struct grt_nsys *profile, const struct grt_nsys_tasks *tasks) {
    struct grt_device device = grt_built_device(132);
    device.name = "exclusive";
    device.copy_engines = 2;
    device.max_resident_grids = 128;
    const struct grt_nsys_scenario_options options = {.device = &device, .name = "fuzz"};
    struct grt_nsys_scenario scenario;
    struct grt_errors errors = {0}, warnings = {0};
    if (fuzz_judge(grt_nsys_scenario_make(profile, tasks, &options, &scenario, &warnings, &errors),
                   &errors)) {
        FILE *out = fopen("/dev/null", "w");
        GRT_REQUIRE(out != NULL, "have a /dev/null");
        fuzz_judge(grt_nsys_scenario_write(&scenario, "", out, &errors), &errors);
        fclose(out);
        grt_nsys_scenario_free(&scenario);
    }
    fuzz_judge_texts(&warnings);
}

static void make_tasks(const struct grt_nsys *profile, const struct grt_nsys_options *options) {
    struct grt_nsys_tasks tasks;
    struct grt_errors errors = {0}, warnings = {0};
    if (fuzz_judge(grt_nsys_tasks_make(profile, options, &tasks, &warnings, &errors), &errors)) {
        make_scenario(profile, &tasks);
        grt_nsys_tasks_free(&tasks);
    }
    fuzz_judge_texts(&warnings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[FUZZ_PATH_SIZE], *sql = grt_allocate(size + 1);
    fuzz_path("sqlite", path);
    memcpy(sql, data, size);
    sql[size] = '\0';
    make_profile(path, sql);
    struct grt_nsys profile;
    struct grt_errors errors = {0};
    if (fuzz_judge(grt_nsys_read(path, &profile, &errors), &errors)) {
        make_tasks(&profile, &(struct grt_nsys_options){.by = GRT_NSYS_BY_STREAM, .device = -1});
        make_tasks(&profile,
                   &(struct grt_nsys_options){.by = GRT_NSYS_BY_RANGE, .cut_numbers = true, .device = -1});
        grt_nsys_free(&profile);
    }
    unlink(path);
    free(sql);
    return 0;
}
