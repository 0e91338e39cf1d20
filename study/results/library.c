#include "study/results/library.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *join(struct grt_arena *arena, const char *folder, const char *name) {
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = grt_arena_array(arena, size, 1);
    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Where `make install` puts it, seen from the program; NULL where that is not known. */
static const char *installed_folder(struct grt_arena *arena) {
    char program[4096];
    ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);
    if (size <= 0) {
        return NULL;
    }
    program[size] = '\0';
    char *slash = strrchr(program, '/');
    if (slash == NULL) {
        return NULL;
    }
    *slash = '\0';
    return join(arena, program, "../share/gpurt/scenarios");
}

static const char *find_folder(const char *given, struct grt_library *library, struct grt_errors *errors) {
    const char *named = given != NULL ? given : getenv("GPURT_LIBRARY");
    if (named != NULL && named[0] != '\0') {
        if (!is_folder(named)) {
            grt_error_add(errors, NULL, "%s: %s is no folder", given != NULL ? "--library" : "GPURT_LIBRARY",
                          named);
            return NULL;
        }
        return named;
    }
    const char *installed = installed_folder(&library->arena);
    if (installed != NULL && is_folder(installed)) {
        return installed;
    }
#ifdef GRT_LIBRARY_SOURCE
    if (is_folder(GRT_LIBRARY_SOURCE)) {
        return GRT_LIBRARY_SOURCE;
    }
#endif
    grt_error_add(errors, NULL,
                  "the library of experiments was not found: say where it is with --library FOLDER or "
                  "GPURT_LIBRARY");
    return NULL;
}

/* ---- files ---- */

static void add_item(struct grt_library *library, const char *paper, const char *folder, const char *name) {
    static const char end[] = ".json";
    size_t length = strlen(name);
    if (name[0] == '.' || length <= sizeof end - 1 || strcmp(name + length - (sizeof end - 1), end) != 0) {
        return;
    }
    library->items =
        grt_array_grow(library->items, &library->capacity, library->count + 1, sizeof *library->items);
    char *item = grt_arena_text(&library->arena, name);
    item[length - (sizeof end - 1)] = '\0';
    library->items[library->count++] =
        (struct grt_library_item){join(&library->arena, folder, name), paper, item};
}

/* A folder that is not there has nothing. */
static bool list_folder(struct grt_library *library, const char *paper, const char *folder,
                        struct grt_errors *errors) {
    DIR *files = opendir(folder);
    if (files == NULL) {
        if (errno != ENOENT && errno != ENOTDIR) {
            grt_error_add(errors, NULL, "%s: cannot read: %s", folder, strerror(errno));
            return false;
        }
        return true;
    }
    for (const struct dirent *file = readdir(files); file != NULL; file = readdir(files)) {
        add_item(library, paper, folder, file->d_name);
    }
    closedir(files);
    return true;
}

static bool list_papers(struct grt_library *library, struct grt_errors *errors) {
    const char *folder = join(&library->arena, library->folder, "papers");
    DIR *papers = opendir(folder);
    bool good = true;
    if (papers == NULL) {
        return true;
    }
    for (const struct dirent *paper = readdir(papers); paper != NULL && good; paper = readdir(papers)) {
        if (paper->d_name[0] != '.') {
            const char *name = grt_arena_text(&library->arena, paper->d_name);
            const char *inside = join(&library->arena, join(&library->arena, folder, name), "experiments");
            good = list_folder(library, name, inside, errors);
        }
    }
    closedir(papers);
    return good;
}

/* Names with numbers by their numbers: figure-9 before figure-10. */
static int compare_names(const char *a, const char *b) {
    for (; *a != '\0' && *b != '\0'; a++, b++) {
        if (*a >= '0' && *a <= '9' && *b >= '0' && *b <= '9') {
            char *after_a, *after_b;
            unsigned long one = strtoul(a, &after_a, 10), other = strtoul(b, &after_b, 10);
            if (one != other) {
                return one < other ? -1 : 1;
            }
            a = after_a - 1;
            b = after_b - 1;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        }
    }
    return (*a != '\0') - (*b != '\0');
}

static int compare_items(const void *a, const void *b) {
    const struct grt_library_item *one = a, *other = b;
    int papers = (one->paper[0] == '\0') - (other->paper[0] == '\0');
    papers = papers != 0 ? papers : strcmp(one->paper, other->paper);
    int items = papers != 0 ? papers : compare_names(one->item, other->item);
    return items != 0 ? items : strcmp(one->path, other->path);
}

bool grt_library_open(const char *given, struct grt_library *library, struct grt_errors *errors) {
    *library = (struct grt_library){0};
    library->folder = find_folder(given, library, errors);
    bool listed = library->folder != NULL && list_papers(library, errors) &&
                  list_folder(library, "", join(&library->arena, library->folder, "experiments"), errors);
    if (listed && library->count == 0) {
        grt_error_add(errors, NULL, "%s has no experiments", library->folder);
        listed = false;
    }
    if (!listed) {
        grt_library_free(library);
        return false;
    }
    qsort(library->items, library->count, sizeof *library->items, compare_items);
    return true;
}

void grt_library_free(struct grt_library *library) {
    free(library->items);
    grt_arena_clear(&library->arena);
    *library = (struct grt_library){0};
}
