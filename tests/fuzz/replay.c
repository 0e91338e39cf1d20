/* Feeds files, and all files of folders that are there, to a fuzz target: what was found once stays mended, on every compiler. Ends with 0 where no input ends the program. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    inside = true;
    LLVMFuzzerTestOneInput(input, size);
    inside = false;
    free(input);
    return true;
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
    if (found >= 0) {
        free(entries);
    }
    return good;
}

int main(int argc, char **argv) {
    bool good = true;
    size_t count = 0;
    atexit(look_at_exit);
    LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        struct stat status;
        bool is_there = stat(argv[i], &status) == 0;
        if (is_there && !S_ISDIR(status.st_mode)) {
            good = replay_file(argv[i]) && good;
            count++;
        } else if (is_there) {
            good = replay_folder(argv[i], &count) && good;
        }
    }
    printf("%zu inputs\n", count);
    return good && count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
