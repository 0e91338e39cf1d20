/* Feeds all files of folders to a fuzz target: what was found once stays mended. Ends with 0 where no input ends the program, and in those of corpus/ as
 * often something is accepted as accepted.txt says. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- how often something of a file is accepted ---- */

#define CORPUS "tests/fuzz/corpus/"
#define ACCEPTED "tests/fuzz/accepted.txt"

/* Of a file of corpus/: 0 where the list does not have it. */
static uint64_t wanted_of(const char *name) {
    size_t size;
    char *list = grt_file_text(GRT_SOURCE_DIR "/" ACCEPTED, &size), line[4200];
    GRT_REQUIRE(list != NULL, "have a file " ACCEPTED);
    snprintf(line, sizeof line, "\n%s ", name);
    const char *found = strstr(list, line);
    uint64_t wanted = found != NULL ? strtoull(found + strlen(line), NULL, 10) : 0;
    free(list);
    return wanted;
}

static bool is_as_listed(const char *path, uint64_t accepted) {
    bool listed = strncmp(path, CORPUS, sizeof CORPUS - 1) == 0;
    const char *name = path + sizeof CORPUS - 1;
    if (!listed || wanted_of(name) == accepted) {
        return true;
    }
    fprintf(stderr, "%s: %" PRIu64 " times something is accepted; " ACCEPTED " says %" PRIu64 "\n", name,
            accepted, wanted_of(name));
    return false;
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
    return is_as_listed(path, fuzz_accepted() - before);
}

static bool replay_folder(const char *path, size_t *count) {
    struct dirent **entries;
    int found = scandir(path, &entries, NULL, alphasort);
    bool good = true;
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
    return good;
}

int main(int argc, char **argv) {
    bool good = true;
    size_t count = 0;
    atexit(look_at_exit);
    LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        good = replay_folder(argv[i], &count) && good;
    }
    printf("%zu inputs\n", count);
    return good && count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
