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

static void look_for(const char *call, int64_t kind) {
    struct search search = {call, kind, 0};
    look_in_folder(&search, GRT_SOURCE_DIR "/policies");
    CU_ASSERT(search.found > 0); /* else it is called otherwise by now */
}

static void names_of_analyses(void) {
    look_for("grt_analysis_add_time(", GRT_EVALUATE_ANALYSIS);
    look_for("grt_analysis_add_number(", GRT_EVALUATE_ANALYSIS);
}

static void names_of_policies(void) {
    look_for("grt_policy_counter(", GRT_EVALUATE_SIMULATION);
    look_for("grt_describe_time(", GRT_EVALUATE_SIMULATION);
    look_for("grt_describe_number(", GRT_EVALUATE_SIMULATION);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"of analyses", names_of_analyses},
        {"of policies", names_of_policies},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("measure_names", tests);
}
