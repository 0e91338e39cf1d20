#include "cli/terminal/same_file.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/terminal/command_line.h"
#include "sim/memory.h"

static bool find(const struct grt_named_file *file, struct stat *status) {
    return (strcmp(file->path, "-") == 0 ? fstat(file->standard, status) : stat(file->path, status)) == 0;
}

static bool is_one(const struct stat *first, const struct stat *second) {
    return first->st_dev == second->st_dev && first->st_ino == second->st_ino;
}

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static bool find_folder(struct grt_arena *arena, const char *path, struct stat *status) {
    char *folder = grt_arena_text(arena, path);
    size_t length = (size_t)(name_of(path) - path);
    folder[length] = '\0';
    return stat(length > 0 ? folder : ".", status) == 0;
}

/* Of files that are not there yet: the same name in the same folder. */
static bool will_be_one(const char *first, const char *second) {
    struct grt_arena arena = {0};
    struct stat a, b;
    bool same = strcmp(name_of(first), name_of(second)) == 0 && find_folder(&arena, first, &a) &&
                find_folder(&arena, second, &b) && is_one(&a, &b);
    grt_arena_clear(&arena);
    return same;
}

bool grt_same_file(const struct grt_named_file *first, const struct grt_named_file *second) {
    struct stat a, b;
    if (first->path == NULL || second->path == NULL) {
        return false;
    }
    bool has_first = find(first, &a), has_second = find(second, &b);
    if (has_first && has_second) {
        return is_one(&a, &b) && !S_ISCHR(a.st_mode) && !S_ISSOCK(a.st_mode);
    }
    return !has_first && !has_second && will_be_one(first->path, second->path);
}

static struct grt_named_file written_file(const struct grt_output_option *output) {
    return (struct grt_named_file){output->path, STDOUT_FILENO};
}

void grt_check_output_list(const char *what, const char *input, const struct grt_output_option *outputs,
                           size_t count, const struct argp_state *state) {
    const struct grt_named_file read = {input, STDIN_FILENO};
    for (size_t i = 0; i < count; i++) {
        const struct grt_named_file written = written_file(&outputs[i]);
        for (size_t k = i + 1; k < count; k++) {
            const struct grt_named_file other = written_file(&outputs[k]);
            if (grt_same_file(&written, &other)) {
                grt_argp_error(state, "%s and %s cannot both write '%s'", outputs[i].option,
                               outputs[k].option, outputs[i].path);
            }
        }
        if (grt_same_file(&read, &written)) {
            grt_argp_error(state, "%s would overwrite the %s '%s'", outputs[i].option, what, input);
        }
    }
}

void grt_check_outputs(const char *what, const char *input, const struct grt_output_option outputs[2],
                       const struct argp_state *state) {
    grt_check_output_list(what, input, outputs, 2, state);
}
