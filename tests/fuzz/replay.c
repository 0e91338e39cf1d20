/* Feeds all files of folders to a fuzz target: what was found once stays mended. Ends with 0 where no input ends the program, and
 * something is accepted as often as accepted.txt says, of every file of corpus/ and of every other folder. FUZZ_TARGET is the target's name. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/memory.h"
#include "tests/fuzz/target.h"
#include "tests/support/file_text.h"

/* An exit inside of the target, even one with 0, is a finding. */
static bool inside;

static void look_at_exit(void) {
    if (inside) {
        fputs("the target called exit\n", stderr);
        abort();
    }
}

/* ---- how often something is accepted ---- */

#define CORPUS "tests/fuzz/corpus/"
#define ACCEPTED "tests/fuzz/accepted.txt"
#define TARGETS "tests/fuzz/targets.txt"

/* A list whose lines are "NAME ..."; freed by the caller. */
static char *read_list(const char *path) {
    size_t size;
    char full[4200];
    snprintf(full, sizeof full, "%s/%s", GRT_SOURCE_DIR, path);
    char *list = grt_file_text(full, &size);
    GRT_REQUIRE(list != NULL, "have the files " ACCEPTED " and " TARGETS);
    return list;
}

/* What stands behind a name of so many bytes; NULL where the list does not have it. */
static const char *behind(const char *list, const char *name, size_t size) {
    char line[4200];
    int length = snprintf(line, sizeof line, "\n%.*s ", (int)size, name);
    const char *found = strstr(list, line);
    return found != NULL ? found + length : NULL;
}

/* 0 where the list does not have it. */
static uint64_t wanted_of(const char *name) {
    char *list = read_list(ACCEPTED);
    const char *count = behind(list, name, strlen(name));
    uint64_t wanted = count != NULL ? strtoull(count, NULL, 10) : 0;
    free(list);
    return wanted;
}

static bool is_as_listed(const char *name, uint64_t accepted) {
    if (wanted_of(name) == accepted) {
        return true;
    }
    fprintf(stderr, "%s: %" PRIu64 " times something is accepted; " ACCEPTED " says %" PRIu64 "\n", name,
            accepted, wanted_of(name));
    return false;
}

static bool is_among(const char *folder, char *const *folders) {
    while (*folders != NULL && strcmp(*folders, folder) != 0) {
        folders++;
    }
    return *folders != NULL;
}

/* Whether there is what a line names, NAME/FILE of corpus/ or NAME:FOLDER; of another target's, whether there is that target. */
static bool is_there(const char *name, char *const *folders) {
    static const char ours[] = FUZZ_TARGET;
    size_t size = strcspn(name, "/:");
    char path[4200], separator = name[size];
    if (size != sizeof ours - 1 || strncmp(name, ours, size) != 0) {
        char *targets = read_list(TARGETS);
        bool found = separator != '\0' && behind(targets, name, size) != NULL;
        free(targets);
        return found;
    }
    snprintf(path, sizeof path, "%s%s", CORPUS, name);
    return separator == '/' ? access(path, R_OK) == 0
                            : separator == ':' && is_among(name + size + 1, folders);
}

static bool are_listed_there(char *const *folders) {
    char *list = read_list(ACCEPTED), *rest = list;
    bool good = true;
    for (char *line; (line = strtok_r(rest, "\n", &rest)) != NULL;) {
        line[strcspn(line, " ")] = '\0';
        if (line[0] != '#' && !is_there(line, folders)) {
            fprintf(stderr, ACCEPTED ": %s is not there\n", line);
            good = false;
        }
    }
    free(list);
    return good;
}

static bool is_of_corpus(const char *path) {
    return strncmp(path, CORPUS, sizeof CORPUS - 1) == 0;
}

/* ---- files ---- */

/* The input has a block of memory of its own size, so that a sanitizer sees any step beyond its end. */
static bool replay_file(const char *path) {
    size_t size;
    char *text = grt_file_text(path, &size);
    if (text == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    uint8_t *input = grt_allocate(size);
    memcpy(input, text, size);
    free(text);
    fprintf(stderr, "%s\n", path); /* the last one is the one to blame */
    uint64_t before = fuzz_accepted();
    inside = true;
    LLVMFuzzerTestOneInput(input, size);
    inside = false;
    free(input);
    if (!is_of_corpus(path)) {
        return true; /* their folder is asked for as a whole */
    }
    if (fuzz_why_cut_short() != NULL) {
        fprintf(stderr, "%s: only made use of until: %s\n", path, fuzz_why_cut_short());
        return false;
    }
    return is_as_listed(path + sizeof CORPUS - 1, fuzz_accepted() - before);
}

static bool replay_folder(const char *path, size_t *count) {
    struct dirent **entries;
    int found = scandir(path, &entries, NULL, alphasort);
    bool good = true;
    uint64_t before = fuzz_accepted();
    for (int i = 0; i < found; i++) {
        char file[4096];
        snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.') {
            good = replay_file(file) && good;
            (*count)++;
        }
        free(entries[i]);
    }
    if (found < 0) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    free(entries);
    char name[4096];
    snprintf(name, sizeof name, FUZZ_TARGET ":%s", path);
    return (is_of_corpus(path) || is_as_listed(name, fuzz_accepted() - before)) && good;
}

int main(int argc, char **argv) {
    bool good = are_listed_there(argv + 1);
    size_t count = 0;
    atexit(look_at_exit);
    LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        good = replay_folder(argv[i], &count) && good;
    }
    printf("%zu inputs\n", count);
    return good && count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
