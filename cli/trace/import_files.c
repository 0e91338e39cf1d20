#include "cli/trace/import_files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "scenarios/text_file.h"

static bool is_digit(char character) {
    return isdigit((unsigned char)character) != 0;
}

/* The length of the number at the beginning of a text, without its zeroes in front, which are skipped. */
static size_t take_number(const char **text) {
    while (**text == '0' && is_digit((*text)[1])) {
        ++*text;
    }
    size_t length = 0;
    while (is_digit((*text)[length])) {
        length++;
    }
    return length;
}

int grt_import_files_compare(const char *first, const char *second) {
    const char *a = first, *b = second;
    while (*a != '\0' && *b != '\0') {
        if (is_digit(*a) && is_digit(*b)) {
            size_t a_length = take_number(&a), b_length = take_number(&b);
            int order = a_length != b_length ? (a_length < b_length ? -1 : 1) : strncmp(a, b, a_length);
            if (order != 0) {
                return order;
            }
            a += a_length;
            b += b_length;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    int order = (*a != '\0') - (*b != '\0');
    return order != 0 ? order : strcmp(first, second); /* 01 and 1 */
}

static int compare_paths(const void *left, const void *right) {
    const char *const *a = left, *const *b = right;
    return grt_import_files_compare(*a, *b);
}

static void add(struct grt_import_files *files, const char *path) {
    if (files->count == files->capacity) {
        files->paths =
            grt_array_grow((void *)files->paths, &files->capacity, files->count + 1, sizeof *files->paths);
    }
    files->paths[files->count++] = path;
}

static bool is_result(const char *name) {
    size_t length = strlen(name);
    return name[0] != '.' && length > 5 && strcmp(name + length - 5, ".json") == 0;
}

static void add_folder(struct grt_import_files *files, struct grt_arena *arena, const char *path,
                       struct grt_errors *errors) {
    DIR *entries = opendir(path);
    if (entries == NULL) {
        grt_error_add(errors, NULL, "%s: cannot be opened: %s", path, strerror(errno));
        return;
    }
    uint32_t before = files->count;
    for (const struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        if (is_result(entry->d_name)) {
            add(files, grt_path_in_folder(arena, path, entry->d_name));
        }
    }
    closedir(entries);
    if (files->count == before) {
        grt_error_add(errors, NULL, "%s: has no file that ends in .json", path);
    } else {
        qsort((void *)(files->paths + before), files->count - before, sizeof *files->paths, compare_paths);
    }
}

void grt_import_files_add(struct grt_import_files *files, struct grt_arena *arena, const char *path,
                          struct grt_errors *errors) {
    struct stat status;
    if (strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        add_folder(files, arena, path, errors);
    } else {
        add(files, path);
    }
}

void grt_import_files_free(struct grt_import_files *files) {
    free((void *)files->paths);
    *files = (struct grt_import_files){0};
}
