#include "cli/terminal/library_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenarios/json_tree.h"
#include "scenarios/text_file.h"

enum { DEEPEST = 4 };

static const char ending[] = ".json";
enum { ENDING = sizeof ending - 1 };

static bool has_ending(const char *name) {
    size_t length = strlen(name);
    return length > ENDING && strcmp(name + length - ENDING, ending) == 0;
}

static const char *last_part(const char *name) {
    const char *slash = strrchr(name, '/');
    return slash != NULL ? slash + 1 : name;
}

/* ---- Listing ---- */

struct lister {
    struct grt_library_files *files;
    unsigned kinds;
    struct grt_arena *arena;
    struct grt_errors *errors;
};

/* What files in a folder of that name are; those of a folder inside are the same. */
static enum grt_library_kind kind_in(const char *folder, enum grt_library_kind kind) {
    static const struct {
        const char *name;
        enum grt_library_kind kind;
    } folders[] = {{"experiments", GRT_LIBRARY_EXPERIMENT},
                   {"devices", GRT_LIBRARY_PART},
                   {"usages", GRT_LIBRARY_PART},
                   {"kernels", GRT_LIBRARY_PART}};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        if (strcmp(folder, folders[i].name) == 0) {
            return folders[i].kind;
        }
    }
    return kind;
}

static void add_file(struct lister *lister, const char *path, const char *name, enum grt_library_kind kind) {
    struct grt_library_files *files = lister->files;
    if (!has_ending(name) || (lister->kinds & kind) == 0) {
        return;
    }
    char *bare = grt_arena_text(lister->arena, name);
    bare[strlen(bare) - ENDING] = '\0';
    files->items = grt_array_grow(files->items, &files->capacity, files->count + 1, sizeof *files->items);
    files->items[files->count++] = (struct grt_library_file){bare, path, kind};
}

/* A folder, and the one that it was found in. */
struct place {
    const char *name; /* as seen from the library; "." is the library itself */
    enum grt_library_kind kind;
    const struct place *above;
    struct stat status;
};

/* Not where it is too deep, or the same as one that it is in: a link leads back. */
static bool is_to_be_listed(const struct place *place) {
    int depth = 0;
    for (const struct place *above = place->above; above != NULL; above = above->above) {
        if (above->status.st_dev == place->status.st_dev && above->status.st_ino == place->status.st_ino) {
            return false;
        }
        depth++;
    }
    return depth <= DEEPEST;
}

static bool list_folder(struct lister *lister, const struct place *place) {
    const char *path = grt_path_in_folder(lister->arena, lister->files->folder, place->name);
    DIR *folder = opendir(path);
    bool good = folder != NULL;
    if (!good) {
        grt_error_add(lister->errors, NULL, "%s: cannot be read: %s", path, strerror(errno));
        return false;
    }
    for (const struct dirent *entry = readdir(folder); entry != NULL && good; entry = readdir(folder)) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        struct place inside = {.name = grt_path_in_folder(lister->arena, place->name, entry->d_name),
                               .kind = kind_in(entry->d_name, place->kind),
                               .above = place};
        const char *whole = grt_path_in_folder(lister->arena, lister->files->folder, inside.name);
        if (stat(whole, &inside.status) != 0) {
            continue; /* it has gone, or is a link to what has */
        }
        if (!S_ISDIR(inside.status.st_mode)) {
            add_file(lister, whole, inside.name, place->kind);
        } else if (is_to_be_listed(&inside)) {
            good = list_folder(lister, &inside);
        }
    }
    closedir(folder);
    return good;
}

/* Numbers in names by their values: figure-9 before figure-10. */
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

static int compare_files(const void *a, const void *b) {
    const struct grt_library_file *one = a, *other = b;
    int folders = (strchr(one->name, '/') != NULL) - (strchr(other->name, '/') != NULL);
    int names = folders != 0 ? folders : compare_names(one->name, other->name);
    return names != 0 ? names : strcmp(one->name, other->name);
}

bool grt_library_files_list(const char *given, unsigned kinds, struct grt_library_files *files,
                            struct grt_arena *arena, struct grt_errors *errors) {
    *files = (struct grt_library_files){.folder = grt_library_folder(given, arena, errors)};
    struct lister lister = {files, kinds, arena, errors};
    struct place library = {.name = ".", .kind = GRT_LIBRARY_SCENARIO};
    if (files->folder != NULL) {
        (void)stat(files->folder,
                   &library.status); /* where it fails, so does opendir, which has a sentence */
    }
    if (files->folder == NULL || !list_folder(&lister, &library)) {
        grt_library_files_free(files);
        return false;
    }
    if (files->count > 0) {
        qsort(files->items, files->count, sizeof *files->items, compare_files);
    }
    return true;
}

void grt_library_files_free(struct grt_library_files *files) {
    free(files->items);
    *files = (struct grt_library_files){0};
}

/* ---- By name ---- */

/* "papers/gpu-server/figure-2 and papers/pruda/figure-2": the files that end so, some of them. */
static void add_several(const struct grt_library_files *files, const char *name, struct grt_errors *errors) {
    enum { SHOWN = 5 };
    char list[800] = "";
    size_t used = 0, shown = 0;
    for (uint32_t i = 0; i < files->count && used < sizeof list; i++) {
        if (strcmp(last_part(files->items[i].name), name) == 0 && shown++ < SHOWN) {
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "",
                                     files->items[i].name);
        }
    }
    grt_error_add(errors, NULL, "is the name of several files of the library: %s%s", list,
                  shown > SHOWN ? ", and more" : "");
}

const struct grt_library_file *grt_library_files_find(const struct grt_library_files *files, const char *name,
                                                      struct grt_errors *errors) {
    const struct grt_library_file *found = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < files->count; i++) {
        if (strcmp(files->items[i].name, name) == 0) {
            return &files->items[i];
        }
        if (strcmp(last_part(files->items[i].name), name) == 0) {
            found = &files->items[i];
            count++;
        }
    }
    if (count > 1) {
        add_several(files, name, errors);
    }
    return count == 1 ? found : NULL;
}

static bool is_file(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

static bool may_be_name(const char *name) {
    return name[0] != '\0' && strcmp(name, "-") != 0 && name[0] != '/' && name[0] != '.' && !has_ending(name);
}

static const char *kinds_text(unsigned kinds) {
    return kinds == GRT_LIBRARY_SCENARIO     ? "scenario"
           : kinds == GRT_LIBRARY_EXPERIMENT ? "experiment"
                                             : "file";
}

static const char *list_of(unsigned kinds) {
    return kinds == GRT_LIBRARY_EXPERIMENT ? "`gpurt papers --list`" : "`gpurt scenarios`";
}

const char *grt_library_files_suggest(const struct grt_library_files *files, const char *name,
                                      char text[GRT_GUESS_TEXT_SIZE]) {
    struct grt_guess guess = grt_guess_start(name);
    for (uint32_t i = 0; i < files->count; i++) {
        grt_guess_try(&guess, files->items[i].name);
        grt_guess_try(&guess, last_part(files->items[i].name));
    }
    for (uint32_t i = 0; i < files->count && guess.best == NULL && name[0] != '\0'; i++) {
        const char *last = last_part(files->items[i].name);
        guess.best = strncmp(last, name, strlen(name)) == 0 ? last : NULL;
    }
    return grt_guess_text(&guess, text);
}

/* What an experiment is called in its file, as by `gpurt papers --list`: that is not the file's name. NULL: nothing can be read there. */
static const char *experiment_name(const char *path, struct grt_arena *arena) {
    struct grt_errors ignored = {0};
    size_t size;
    char *text = grt_text_file_read(path, &size, &ignored);
    cJSON *tree = text != NULL ? grt_json_parse(text, size, &ignored) : NULL;
    const char *name = cJSON_GetStringValue(grt_json_find(tree, "name"));
    name = name != NULL ? grt_arena_text(arena, name) : NULL;
    cJSON_Delete(tree);
    free(text);
    grt_errors_clear(&ignored);
    return name;
}

/* The path of the experiment that is called so in its file. NULL, after adding an error: several are; or, after writing what may have been meant, as
 * by grt_library_files_suggest: none is. */
static const char *find_experiment(const struct grt_library_files *files, const char *name,
                                   struct grt_arena *arena, char suggestion[GRT_GUESS_TEXT_SIZE],
                                   struct grt_errors *errors) {
    struct grt_guess guess = grt_guess_start(name);
    const struct grt_library_file *found = NULL;
    for (uint32_t i = 0; i < files->count && errors->count == 0; i++) {
        const char *own = experiment_name(files->items[i].path, arena);
        bool is_it = own != NULL && strcmp(own, name) == 0;
        if (is_it && found != NULL) {
            grt_error_add(errors, NULL, "is the name of several experiments of the library: in %s and %s",
                          found->name, files->items[i].name);
        }
        found = is_it ? &files->items[i] : found;
        if (own != NULL) {
            grt_guess_try(&guess, own);
        }
    }
    grt_guess_text(&guess, suggestion);
    return found != NULL && errors->count == 0 ? found->path : NULL;
}

static bool is_bare(const char *name) {
    return strpbrk(name, "/.") == NULL;
}

/* Says that there is none, unless there is something, as a folder, or the name looks like a path and is like no other. `experiment`: what find_experiment suggests, or "". */
static const char *refuse(const struct grt_library_files *files, const char *name, unsigned kinds,
                          const char *experiment, struct grt_errors *errors) {
    char text[GRT_GUESS_TEXT_SIZE];
    const char *file = grt_library_files_suggest(files, name, text);
    const char *suggestion = file[0] != '\0' ? file : experiment;
    if (access(name, F_OK) == 0 || (suggestion[0] == '\0' && !is_bare(name))) {
        return name;
    }
    grt_error_add(errors, NULL,
                  "there is no such file, and no %s of that name in the library %s%s; %s lists it",
                  kinds_text(kinds), files->folder, suggestion, list_of(kinds));
    return NULL;
}

/* The path of the file of that name; NULL, after adding an error or not, where there is none. */
static const char *find_path(const struct grt_library_files *files, const char *name,
                             struct grt_errors *errors) {
    const struct grt_library_file *file = grt_library_files_find(files, name, errors);
    return file != NULL ? file->path : NULL;
}

/* A file of another kind: whoever reads it says what takes it. */
static const char *find_other(const char *name, struct grt_arena *arena) {
    struct grt_errors ignored = {0};
    struct grt_library_files files;
    const char *path = NULL;
    if (grt_library_files_list(NULL, GRT_LIBRARY_ALL, &files, arena, &ignored)) {
        path = find_path(&files, name, &ignored);
        grt_library_files_free(&files);
    }
    grt_errors_clear(&ignored);
    return path;
}

/* What the library calls the file that a path would be, were it there: by as much of the path's end as says so. NULL: nothing, or, after adding an error,
 * several files. */
static const struct grt_library_file *find_by_end(const struct grt_library_files *files, const char *path,
                                                  struct grt_arena *arena, struct grt_errors *errors) {
    char *rest = grt_arena_text(arena, path);
    const struct grt_library_file *found = NULL;
    rest[strlen(rest) - ENDING] = '\0';
    while (rest != NULL && found == NULL && errors->count == 0) {
        found = grt_library_files_find(files, rest, errors);
        rest = strchr(rest, '/');
        rest += rest != NULL;
    }
    return found;
}

/* A path that leads nowhere, as one in the sources does elsewhere. It stays as it is unless the library has a file that is called so. */
static const char *refuse_path(const char *path, unsigned kinds, struct grt_arena *arena,
                               struct grt_errors *errors) {
    struct grt_library_files files;
    struct grt_errors found = {0};
    if (!has_ending(path) || access(path, F_OK) == 0 ||
        !grt_library_files_list(NULL, kinds, &files, arena, &found)) {
        grt_errors_clear(&found);
        return path;
    }
    const struct grt_library_file *file = find_by_end(&files, path, arena, &found);
    bool is_known = file != NULL || found.count > 0;
    if (file != NULL) {
        const char *name = grt_library_files_find(&files, last_part(file->name), &found) == file
                               ? last_part(file->name)
                               : file->name;
        grt_error_add(errors, NULL,
                      "there is no such file; that of the library is called %s, and %s lists it", name,
                      list_of(kinds));
    } else if (is_known) {
        grt_error_add(errors, NULL, "there is no such file; its last part %s", found.messages[0]);
    }
    grt_errors_clear(&found);
    grt_library_files_free(&files);
    return is_known ? NULL : path;
}

const char *grt_library_path(const char *name, unsigned kinds, struct grt_arena *arena,
                             struct grt_errors *errors) {
    if (is_file(name)) {
        return name;
    }
    if (!may_be_name(name)) {
        return refuse_path(name, kinds, arena, errors);
    }
    struct grt_library_files files;
    struct grt_errors found = {0};
    if (!grt_library_files_list(NULL, kinds, &files, arena, &found)) {
        bool refused = is_bare(name) && access(name, F_OK) != 0;
        if (refused) {
            grt_error_add(errors, NULL, "there is no such file; %s", found.messages[0]);
        }
        grt_errors_clear(&found);
        return refused ? NULL : name;
    }
    char experiment[GRT_GUESS_TEXT_SIZE] = "";
    const char *path = find_path(&files, name, &found);
    if (path == NULL && found.count == 0 && kinds == GRT_LIBRARY_EXPERIMENT) {
        path = find_experiment(&files, name, arena, experiment, &found);
    }
    if (path == NULL && found.count == 0) {
        path = find_other(name, arena);
        path = path != NULL ? path : refuse(&files, name, kinds, experiment, &found);
    }
    grt_errors_move(&found, errors);
    grt_library_files_free(&files);
    return path;
}
