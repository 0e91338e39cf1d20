/* The tasks and kernels that the expectations of a scenario name. */
#include <string.h>

#include "models/task/kernel_walk.h"
#include "scenarios/task_set.h"

/* All kernels by name; the index is the task's. */
struct kernels {
    struct grt_name_entry *entries; /* NULL while they are only counted */
    size_t count;
    uint32_t task; /* whose kernels are being added */
};

static void add_kernel(void *state, const struct grt_kernel *kernel, size_t level,
                       const struct grt_path *path) {
    struct kernels *kernels = state;
    (void)level;
    (void)path;
    if (kernels->entries != NULL) {
        kernels->entries[kernels->count] = (struct grt_name_entry){kernel->name, kernels->task};
    }
    kernels->count++;
}

static void add_kernels(struct kernels *kernels, const struct grt_task_set *set) {
    for (kernels->task = 0; kernels->task < set->count; kernels->task++) {
        grt_task_walk_kernels(&set->tasks[kernels->task].task, NULL, add_kernel, kernels);
    }
}

static struct kernels index_kernels(struct grt_reader *reader, const struct grt_task_set *set) {
    struct kernels kernels = {0};
    add_kernels(&kernels, set);
    kernels.entries = grt_arena_array(reader->arena, kernels.count, sizeof *kernels.entries);
    kernels.count = 0;
    add_kernels(&kernels, set);
    grt_name_index_sort(kernels.entries, kernels.count);
    return kernels;
}

static void check_task(struct grt_reader *reader, const struct grt_task_set *set, const char *name,
                       const struct grt_path *path) {
    struct grt_path place = {.parent = path, .key = "task"};
    if (name != NULL && grt_name_index_find(set->names, set->name_count, name) == NULL) {
        grt_task_set_add_unknown(reader, set, name, &place);
    }
}

static bool has_kernel(const struct kernels *kernels, const char *name, uint32_t task) {
    size_t place = grt_name_index_before(kernels->entries, kernels->count, name, task);
    const struct grt_name_entry *entry = &kernels->entries[place];
    return place < kernels->count && entry->index == task && strcmp(entry->name, name) == 0;
}

/* True if kernels of several tasks have the name of this entry, the first of its name. */
static bool is_ambiguous(const struct kernels *kernels, const struct grt_name_entry *first) {
    size_t end = grt_name_index_before(kernels->entries, kernels->count, first->name, UINT32_MAX);
    return kernels->entries[end - 1].index != first->index;
}

static void check_blocks(struct grt_reader *reader, const struct grt_task_set *set,
                         const struct kernels *kernels, const struct grt_expect_blocks *blocks,
                         const struct grt_path *path) {
    struct grt_path task = {.parent = path, .key = "task"}, kernel = {.parent = path, .key = "kernel"};
    char shown[GRT_JSON_SHOWN_SIZE], task_shown[GRT_JSON_SHOWN_SIZE];
    if (blocks->kernel == NULL) {
        return;
    }
    check_task(reader, set, blocks->task, path);
    const struct grt_name_entry *first =
        grt_name_index_find(kernels->entries, kernels->count, blocks->kernel);
    const struct grt_name_entry *owner =
        blocks->task != NULL ? grt_name_index_find(set->names, set->name_count, blocks->task) : NULL;
    if (first == NULL) {
        grt_error_add(reader->errors, &kernel, "no task has a kernel %s",
                      grt_text_show(blocks->kernel, shown));
    } else if (owner != NULL && !has_kernel(kernels, blocks->kernel, owner->index)) {
        grt_error_add(reader->errors, &kernel, "the task %s has no kernel %s",
                      grt_text_show(blocks->task, task_shown), grt_text_show(blocks->kernel, shown));
    } else if (blocks->task == NULL && is_ambiguous(kernels, first)) {
        grt_error_add(reader->errors, &task, "required because several tasks have a kernel %s",
                      grt_text_show(blocks->kernel, shown));
    }
}

void grt_task_set_expectations(struct grt_reader *reader, const struct grt_task_set *set,
                               const struct grt_expect_fields *expect, const struct grt_path *path) {
    const struct grt_expect_task *tasks = expect->tasks.items;
    const struct grt_expect_blocks *blocks = expect->blocks.items;
    const struct grt_expect_copy *copies = expect->copies.items;
    struct kernels kernels = expect->blocks.count > 0 ? index_kernels(reader, set) : (struct kernels){0};
    struct grt_path list = {.parent = path, .key = "tasks"}, place = {.parent = &list};
    for (place.index = 0; place.index < expect->tasks.count; place.index++) {
        check_task(reader, set, tasks[place.index].task, &place);
    }
    list.key = "copies";
    for (place.index = 0; place.index < expect->copies.count; place.index++) {
        check_task(reader, set, copies[place.index].task, &place);
    }
    list.key = "cores";
    for (place.index = 0; place.index < expect->cores.count; place.index++) {
        check_task(reader, set, ((const struct grt_expect_core *)expect->cores.items)[place.index].task,
                   &place);
    }
    list.key = "rows";
    for (place.index = 0; place.index < expect->rows.count; place.index++) {
        check_task(reader, set, ((const struct grt_expect_row *)expect->rows.items)[place.index].task,
                   &place);
    }
    list.key = "blocks";
    for (place.index = 0; place.index < expect->blocks.count; place.index++) {
        check_blocks(reader, set, &kernels, &blocks[place.index], &place);
    }
}
