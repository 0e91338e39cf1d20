/* Every name by which a policy or an analysis says a number is a measure that an experiment may ask for. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "scenarios/text_file.h"
#include "study/evaluate/sample.h"
#include "tests/support/suite.h"

enum { PATH_SIZE = 1024 };

struct search {
    const char *call; /* the function whose argument is a name */
    int64_t kind;     /* of evaluations that have it */
    bool is_time;
    int found;
};

/* The first quoted text of the call that begins at `text`, in `name`; false where it has none, before its semicolon. */
static bool find_name(const char *text, char name[64]) {
    size_t end = strcspn(text, ";"), quote = strcspn(text, "\"");
    size_t length = quote < end ? strcspn(text + quote + 1, "\"") : 0;
    if (quote >= end || length == 0 || length >= 64) {
        return false;
    }
    memcpy(name, text + quote + 1, length);
    name[length] = '\0';
    return true;
}

static void look_in_text(struct search *search, const char *text) {
    static const struct grt_path no_path = {0};
    char name[64];
    for (const char *at = text; (at = strstr(at, search->call)) != NULL; at++) {
        if (!find_name(at, name)) {
            continue; /* a definition, or a name that is passed on */
        }
        const char *const wanted[] = {name};
        const struct grt_evaluation evaluation = {
            .kind = search->kind, .measures = wanted, .measure_count = 1};
        struct grt_errors errors = {0};
        bool known = grt_evaluation_check(&evaluation, &errors, &no_path);
        grt_errors_clear(&errors);
        CU_ASSERT(known);
        if (!known) {
            fprintf(stderr, "no measure: %s (%s)\n", name, search->call);
        }
        CU_ASSERT_EQUAL(grt_measure_is_time(name), search->is_time);
        if (grt_measure_is_time(name) != search->is_time) {
            fprintf(stderr, "a time or not: %s (%s)\n", name, search->call);
        }
        search->found++;
    }
}

static void look_in_file(struct search *search, const char *path) {
    struct grt_errors errors = {0};
    size_t size, length = strlen(path);
    if (length > 2 && strcmp(path + length - 2, ".c") == 0) {
        char *text = grt_text_file_read(path, &size, &errors);
        CU_ASSERT_FATAL(text != NULL);
        look_in_text(search, text);
        free(text);
    }
}

static void look_in_folder(struct search *search, const char *folder) {
    DIR *open = opendir(folder);
    CU_ASSERT_FATAL(open != NULL);
    for (struct dirent *entry = readdir(open); entry != NULL; entry = readdir(open)) {
        char path[PATH_SIZE];
        struct stat info;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || stat(path, &info) != 0) {
            continue;
        }
        if (S_ISDIR(info.st_mode)) {
            look_in_folder(search, path);
        } else {
            look_in_file(search, path);
        }
    }
    closedir(open);
}

static void look_for(const char *call, int64_t kind, bool is_time) {
    struct search search = {call, kind, is_time, 0};
    look_in_folder(&search, GRT_SOURCE_DIR "/policies");
    CU_ASSERT(search.found > 0); /* else it is called otherwise by now */
}

static void names_of_analyses(void) {
    look_for("grt_analysis_add_time(", GRT_EVALUATE_ANALYSIS, true);
    look_for("grt_analysis_add_number(", GRT_EVALUATE_ANALYSIS, false);
}

static void names_of_policies(void) {
    look_for("grt_policy_counter(", GRT_EVALUATE_SIMULATION, false);
    look_for("grt_describe_time(", GRT_EVALUATE_SIMULATION, true);
    look_for("grt_describe_number(", GRT_EVALUATE_SIMULATION, false);
}

/* Of one task as well; not of quotients, whatever they are of. */
static void times_are_told_from_numbers(void) {
    static const char *const times[] = {"tardiness", "response_p99:control", "slack", "gap_deviation:t1",
                                        "root_mean_square"};
    static const char *const numbers[] = {"jobs",       "late",  "response_ratio", "miss_ratio:t1",
                                          "slack/jobs", "steps", "end/tardiness",  "wait_of_all"};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        CU_ASSERT(grt_measure_is_time(times[i]));
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        CU_ASSERT_FALSE(grt_measure_is_time(numbers[i]));
    }
}

/* Each in backquotes in the row of its kind, the first such row behind `table`. */
static void are_in_row(const char *table, const struct grt_evaluation_ops *kind, const char *const *names) {
    char begin[64], name[64];
    snprintf(begin, sizeof begin, "\n| `%s` |", kind->name);
    const char *row = strstr(table, begin);
    CU_ASSERT_PTR_NOT_NULL_FATAL(row);
    const char *end = row + 1 + strcspn(row + 1, "\n");
    for (; *names != NULL; names++) {
        snprintf(name, sizeof name, "`%s`", *names);
        const char *at = strstr(row, name);
        CU_ASSERT(at != NULL && at < end);
        if (at == NULL || at >= end) {
            fprintf(stderr, "not in the table of %s: %s\n", kind->name, *names);
        }
    }
}

/* docs/sweeps.md lists all that kinds have by themselves. */
static void names_are_documented(void) {
    size_t size;
    struct grt_errors errors = {0};
    char *page = grt_text_file_read(GRT_SOURCE_DIR "/docs/sweeps.md", &size, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(page);
    const char *of_all = strstr(page, "\n| kind | its measures, of all tasks together");
    const char *of_task = strstr(page, "\n| kind | its measures of one task");
    CU_ASSERT_FATAL(of_all != NULL && of_task != NULL);
    for (int kind = GRT_EVALUATE_ANALYSIS; kind <= GRT_EVALUATE_TRAINING; kind++) {
        const struct grt_evaluation_ops *ops = grt_evaluation_kinds[kind];
        are_in_row(of_all, ops, ops->measures);
        if (ops->of_task != ops->measures) { /* else the row says "all of it" */
            are_in_row(of_task, ops, ops->of_task);
        }
    }
    free(page);
}

static void refused(int64_t kind, const char *measure, const char *message) {
    static const struct grt_path path = {.key = "m"};
    const struct grt_evaluation evaluation = {.kind = kind};
    struct grt_errors errors = {0};
    CU_ASSERT_FALSE(grt_measure_check(&evaluation, measure, &errors, &path));
    CU_ASSERT_FATAL(errors.count == 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], message);
    if (strcmp(errors.messages[0], message) != 0) {
        fprintf(stderr, "\n%s\n", errors.messages[0]);
    }
    grt_errors_clear(&errors);
}

/* What is near, and what there is of this kind: of all tasks, or of one. */
static void misspelt_names_get_a_hint(void) {
    refused(GRT_EVALUATE_VERIFY, "closenes",
            "no verify has this measure (got \"closenes\") (did you mean \"closeness\"?); by itself it has "
            "patterns, violations, jobs, response_ratio and closeness; of two: ONE/OTHER");
    refused(GRT_EVALUATE_VERIFY, "jobs:t1",
            "no verify has this measure (got \"jobs:t1\"); it has none of one task");
    refused(
        GRT_EVALUATE_ANALYSIS, "slot_lenght",
        "no analysis has this measure (got \"slot_lenght\") (did you mean \"slot_length\"?); by itself it "
        "has response_ratio and steps, besides what analyses say; of two: ONE/OTHER");
    refused(GRT_EVALUATE_ANALYSIS, "response_ratio:t1",
            "no analysis has this measure (got \"response_ratio:t1\"); of one task it has only what the "
            "analyses say of each");
    refused(GRT_EVALUATE_SIMULATION, "response_max",
            "no simulation has this measure (got \"response_max\"); it is one of a single task, as in "
            "response_max:TASK");
    refused(GRT_EVALUATE_TRAINING, "eror:lavamd",
            "no training has this measure (got \"eror:lavamd\") (did you mean \"error\"?); of one kernel "
            "it has "
            "error, error_of_estimate, error_largest, root_mean_square, extrapolated and rules");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"of analyses", names_of_analyses},
        {"of policies", names_of_policies},
        {"times are told from numbers", times_are_told_from_numbers},
        {"names are documented", names_are_documented},
        {"misspelt names get a hint", misspelt_names_get_a_hint},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("measure_names", tests);
}
