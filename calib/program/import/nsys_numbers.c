#include "calib/program/import/nsys_numbers.h"

#include <ctype.h>
#include <stdlib.h>
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

/* A task of one job whose name ends with a number. */
struct numbered {
    const struct grt_nsys_task *task;
    size_t length; /* of its name without the number */
};

/* By what the names have before their numbers, then as the tasks are listed. */
static int compare(const void *left, const void *right) {
    const struct numbered *a = left, *b = right;
    int order = strncmp(a->task->name, b->task->name, a->length < b->length ? a->length : b->length);
    order = order != 0 ? order : (a->length > b->length) - (a->length < b->length);
    return order != 0 ? order : (a->task > b->task) - (a->task < b->task);
}

/* Groups of tasks, by their first ones. */
struct group {
    const struct grt_nsys_task *first, *last;
    size_t count;
};

static int compare_groups(const void *left, const void *right) {
    const struct group *a = left, *b = right;
    return (a->first > b->first) - (a->first < b->first);
}

static size_t find_numbered(const struct grt_nsys_tasks *tasks, struct numbered *found) {
    size_t count = 0;
    for (size_t i = 0; i < tasks->count; i++) {
        const struct grt_nsys_task *task = &tasks->items[i];
        size_t length = length_without_number(task->name);
        if (task->job_count == 1 && length > 0 && task->name[length] != '\0') {
            found[count++] = (struct numbered){task, length};
        }
    }
    qsort(found, count, sizeof *found, compare);
    return count;
}

/* Those whose names differ only by their numbers; in the order of the tasks. */
static size_t find_groups(const struct numbered *numbered, size_t count, struct group *groups) {
    size_t group_count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct numbered *one = &numbered[i];
        bool is_like = i > 0 && one->length == one[-1].length &&
                       strncmp(one->task->name, one[-1].task->name, one->length) == 0;
        if (!is_like) {
            groups[group_count++] = (struct group){.first = one->task};
        }
        groups[group_count - 1].last = one->task;
        groups[group_count - 1].count++;
    }
    qsort(groups, group_count, sizeof *groups, compare_groups);
    return group_count;
}

void grt_nsys_warn_of_numbers(const struct grt_nsys_tasks *tasks, struct grt_errors *warnings) {
    struct grt_arena arena = {0};
    struct numbered *numbered = grt_arena_array(&arena, tasks->count, sizeof *numbered);
    struct group *groups = grt_arena_array(&arena, tasks->count, sizeof *groups);
    size_t count = find_numbered(tasks, numbered), group_count = find_groups(numbered, count, groups);
    for (size_t i = 0; i < group_count; i++) {
        if (groups[i].count >= FEW) {
            grt_error_add(
                warnings, NULL,
                "%zu tasks of one job each differ only by the number at the end of their names, from "
                "\"%s\" to \"%s\": with --cut-numbers they are jobs of one task",
                groups[i].count, groups[i].first->name, groups[i].last->name);
        }
    }
    grt_arena_clear(&arena);
}
