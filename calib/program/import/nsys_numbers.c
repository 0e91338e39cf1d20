#include "calib/program/import/nsys_numbers.h"

#include <ctype.h>
#include <string.h>

enum { FEW = 3 };

/* The length of a name without its number; 0: it is nothing else. */
static size_t length_without_number(const char *name) {
    size_t length = strlen(name), end = length;
    while (end > 0 && strchr(")]} ", name[end - 1]) != NULL) {
        end--;
    }
    size_t start = end;
    while (start > 0 && isdigit((unsigned char)name[start - 1])) {
        start--;
    }
    if (start == end) {
        return length;
    }
    while (start > 0 && strchr(" _-#:=.,/([{", name[start - 1]) != NULL) {
        start--;
    }
    return start;
}

const char *grt_nsys_cut_number(const char *name, struct grt_arena *arena) {
    size_t length = length_without_number(name);
    if (length == 0 || name[length] == '\0') {
        return name;
    }
    char *cut = grt_arena_text(arena, name);
    cut[length] = '\0';
    return cut;
}

/* Whether two tasks of one job are called the same but for numbers. */
static bool are_like(const struct grt_nsys_task *a, const struct grt_nsys_task *b) {
    size_t length = length_without_number(a->name);
    return length > 0 && a->name[length] != '\0' && length == length_without_number(b->name) &&
           a->job_count == 1 && b->job_count == 1 && strncmp(a->name, b->name, length) == 0;
}

void grt_nsys_warn_of_numbers(const struct grt_nsys_tasks *tasks, struct grt_errors *warnings) {
    for (size_t i = 0; i < tasks->count; i++) {
        size_t like = 0, before = 0, last = i;
        for (size_t j = 0; j < tasks->count; j++) {
            bool is_like = are_like(&tasks->items[i], &tasks->items[j]);
            like += is_like;
            before += is_like && j < i;
            last = is_like ? j : last;
        }
        if (like >= FEW && before == 0) {
            grt_error_add(
                warnings, NULL,
                "%zu tasks of one job each differ only by the number at the end of their names, from "
                "\"%s\" to \"%s\": with --cut-numbers they are jobs of one task",
                like, tasks->items[i].name, tasks->items[last].name);
        }
    }
}
