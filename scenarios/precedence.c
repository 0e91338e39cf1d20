/* Which task waits for which. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/task_set.h"

/* Names of a circle that a message shows. */
enum { CIRCLE_SHOWN = 6 };

static int compare_indices(const void *left, const void *right) {
    const uint32_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* Looks the names of one task up; returns how many are known. */
static size_t find_tasks(struct grt_reader *reader, const struct grt_task_set *set,
                         const struct grt_path *path, const struct grt_field_list *names, uint32_t *indices) {
    struct grt_path place = {.parent = path};
    size_t count = 0;
    for (; place.index < names->count; place.index++) {
        const char *name = ((const char *const *)names->items)[place.index];
        const struct grt_name_entry *found =
            name != NULL ? grt_name_index_find(set->names, set->name_count, name) : NULL;
        if (found != NULL) {
            indices[count++] = found->index;
        } else if (name != NULL) {
            grt_task_set_add_unknown(reader, set, name, &place);
        }
    }
    return count;
}

static void check_repeated(struct grt_reader *reader, const struct grt_task_set *set,
                           const struct grt_path *path, const uint32_t *indices, size_t count) {
    uint32_t *sorted = grt_allocate(count * sizeof *sorted);
    if (count > 0) {
        memcpy(sorted, indices, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, compare_indices);
    }
    for (size_t i = 1; i < count; i++) {
        if (sorted[i] == sorted[i - 1] && (i == 1 || sorted[i] != sorted[i - 2])) {
            char shown[GRT_JSON_SHOWN_SIZE];
            grt_error_add(reader->errors, path, "names the task %s twice",
                          grt_text_show(set->tasks[sorted[i]].task.name, shown));
        }
    }
    free(sorted);
}

/* Kahn's topological sort: marks all tasks that no circle keeps waiting. */
struct sort {
    uint32_t *waiting; /* per task: predecessors that are not marked */
    uint32_t *first;   /* per task: where its successors begin in `successors`; one more at the end */
    uint32_t *successors, *queue;
    size_t marked;
};

static void collect_successors(const struct grt_task_set *set, struct sort *sort) {
    for (size_t i = 0; i < set->count; i++) {
        for (size_t k = 0; k < set->tasks[i].task.after_count; k++) {
            sort->first[set->tasks[i].task.after[k] + 1]++;
        }
    }
    for (size_t i = 0; i < set->count; i++) {
        sort->first[i + 1] += sort->first[i];
    }
    for (size_t i = set->count; i-- > 0;) {
        for (size_t k = 0; k < set->tasks[i].task.after_count; k++) {
            uint32_t before = set->tasks[i].task.after[k];
            sort->successors[sort->first[before] + sort->waiting[before]++] = (uint32_t)i;
        }
    }
}

static void mark_all(const struct grt_task_set *set, struct sort *sort) {
    size_t queued = 0;
    for (size_t i = 0; i < set->count; i++) {
        sort->waiting[i] = (uint32_t)set->tasks[i].task.after_count;
        if (sort->waiting[i] == 0) {
            sort->queue[queued++] = (uint32_t)i;
        }
    }
    for (; sort->marked < queued; sort->marked++) {
        uint32_t task = sort->queue[sort->marked];
        for (uint32_t k = sort->first[task]; k < sort->first[task + 1]; k++) {
            if (--sort->waiting[sort->successors[k]] == 0) {
                sort->queue[queued++] = sort->successors[k];
            }
        }
    }
}

/* A predecessor that is not marked either; there is one of every task that is not marked. */
static uint32_t unmarked_before(const struct grt_task *task, const struct sort *sort) {
    size_t k = 0;
    while (sort->waiting[task->after[k]] == 0) {
        k++;
    }
    return task->after[k];
}

/* Goes back from task to task until one comes again: that one is on a circle. */
static uint32_t find_circle(const struct grt_task_set *set, const struct sort *sort) {
    uint32_t task = 0;
    while (sort->waiting[task] == 0) {
        task++;
    }
    for (size_t steps = 0; steps < set->count; steps++) {
        task = unmarked_before(&set->tasks[task].task, sort);
    }
    return task;
}

static void add_circle(struct grt_reader *reader, const struct grt_task_set *set, const struct sort *sort) {
    uint32_t start = find_circle(set, sort), task = start;
    struct grt_path place = {.parent = set->path, .index = start}, after = {.parent = &place, .key = "after"};
    char names[CIRCLE_SHOWN * (GRT_JSON_SHOWN_SIZE + 8)], shown[GRT_JSON_SHOWN_SIZE];
    size_t used = 0, count = 0;
    do {
        used += (size_t)snprintf(names + used, sizeof names - used, "%s after ",
                                 grt_text_show(set->tasks[task].task.name, shown));
        task = unmarked_before(&set->tasks[task].task, sort);
    } while (task != start && ++count < CIRCLE_SHOWN - 1);
    const char *last = task == start ? grt_text_show(set->tasks[start].task.name, shown) : "...";
    grt_error_add(reader->errors, &after, "tasks wait for each other in a circle: %s%s", names, last);
}

static void check_circles(struct grt_reader *reader, const struct grt_task_set *set, size_t edges) {
    struct sort sort = {.waiting = grt_arena_array(reader->arena, set->count, sizeof(uint32_t)),
                        .first = grt_arena_array(reader->arena, set->count + 1, sizeof(uint32_t)),
                        .successors = grt_arena_array(reader->arena, edges, sizeof(uint32_t)),
                        .queue = grt_arena_array(reader->arena, set->count, sizeof(uint32_t))};
    collect_successors(set, &sort);
    mark_all(set, &sort);
    if (sort.marked < set->count) {
        add_circle(reader, set, &sort);
    }
}

void grt_task_set_precedence(struct grt_reader *reader, struct grt_task_set *set) {
    size_t edges = 0;
    for (size_t i = 0; i < set->count; i++) {
        const struct grt_field_list *names = &set->tasks[i].after;
        struct grt_path task = {.parent = set->path, .index = i}, path = {.parent = &task, .key = "after"};
        uint32_t *indices =
            names->count > 0 ? grt_arena_array(reader->arena, names->count, sizeof *indices) : NULL;
        size_t count = 0;
        if (indices != NULL) {
            count = find_tasks(reader, set, &path, names, indices);
            check_repeated(reader, set, &path, indices, count);
        }
        set->tasks[i].task.after = indices;
        set->tasks[i].task.after_count = count;
        edges += count;
    }
    if (edges > 0) {
        check_circles(reader, set, edges);
    }
}
