/* Where the library is. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/terminal/library_files.h"
#include "scenarios/text_file.h"

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* From the program's folder to where it is installed, unless the build says otherwise. */
#ifndef GRT_LIBRARY_INSTALLED
#define GRT_LIBRARY_INSTALLED "../share/gpurt/scenarios"
#endif

/* Where `cmake --install` puts it, seen from the program; NULL where it is not there. */
static const char *installed_folder(struct grt_arena *arena) {
    char program[4096];
    ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);
    if (size <= 0) {
        return NULL;
    }
    program[size] = '\0';
    const char *folder = grt_folder_of(arena, program);
    char *path = realpath(grt_path_in_folder(arena, folder, GRT_LIBRARY_INSTALLED), NULL);
    const char *kept = path != NULL && is_folder(path) ? grt_arena_text(arena, path) : NULL;
    free(path);
    return kept;
}

const char *grt_library_folder(const char *given, struct grt_arena *arena, struct grt_errors *errors) {
    const char *named = given != NULL ? given : getenv("GPURT_LIBRARY");
    if (named != NULL && named[0] != '\0') {
        if (!is_folder(named)) {
            grt_error_add(errors, NULL, "%s: %s is no folder", given != NULL ? "--library" : "GPURT_LIBRARY",
                          named);
            return NULL;
        }
        return grt_arena_text(arena, named);
    }
    const char *installed = installed_folder(arena);
    if (installed != NULL) {
        return installed;
    }
#ifdef GRT_LIBRARY_SOURCE
    if (is_folder(GRT_LIBRARY_SOURCE)) {
        return GRT_LIBRARY_SOURCE;
    }
#endif
    grt_error_add(errors, NULL,
                  "the library of scenarios and experiments was not found: GPURT_LIBRARY says where it is");
    return NULL;
}
