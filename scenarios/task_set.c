#include "scenarios/task_set.h"

#include <stdlib.h>
#include <string.h>

#include "models/allocation.h"
#include "models/priority.h"
#include "models/task/rule_names.h"
#include "scenarios/spelling.h"

static struct grt_path task_path(const struct grt_task_set *set, size_t index) {
    return (struct grt_path){.parent = set->path, .index = index};
}

static void check_unique(struct grt_reader *reader, const struct grt_task_set *set) {
    for (size_t i = 1, first = 0; i < set->name_count; i++) {
        if (strcmp(set->names[first].name, set->names[i].name) != 0) {
            first = i;
            continue;
        }
        struct grt_path task = task_path(set, set->names[i].index), place = {.parent = &task, .key = "name"};
        char shown[GRT_JSON_SHOWN_SIZE];
        grt_error_add(reader->errors, &place, "is already the name of tasks[%u] (got %s)",
                      set->names[first].index, grt_text_show(set->names[i].name, shown));
    }
}

struct grt_task_set grt_task_set_create(struct grt_reader *reader, const struct grt_scenario_fields *fields,
                                        const struct grt_path *path) {
    size_t count = fields->tasks.count;
    struct grt_task_set set = {.tasks = fields->tasks.items, .count = count, .path = path};
    set.names = grt_arena_array(reader->arena, count, sizeof *set.names);
    for (size_t i = 0; i < count; i++) {
        if (set.tasks[i].task.name != NULL) {
            set.names[set.name_count++] = (struct grt_name_entry){set.tasks[i].task.name, (uint32_t)i};
        }
    }
    grt_name_index_sort(set.names, set.name_count);
    check_unique(reader, &set);
    return set;
}

void grt_task_set_add_unknown(struct grt_reader *reader, const struct grt_task_set *set, const char *name,
                              const struct grt_path *path) {
    if (reader->errors->count >= GRT_ERRORS_KEPT) {
        reader->errors->count++;
        return;
    }
    struct grt_guess guess = grt_guess_start(name);
    for (size_t i = 0; i < set->name_count; i++) {
        grt_guess_try(&guess, set->names[i].name);
    }
    char shown[GRT_JSON_SHOWN_SIZE], hint[GRT_GUESS_TEXT_SIZE];
    grt_error_add(reader->errors, path, "unknown task %s%s", grt_text_show(name, shown),
                  grt_guess_text(&guess, hint));
}

/* Ranks by rate. */
static void set_by_rate(struct grt_task_set *set) {
    grt_time *keys = grt_allocate(set->count * sizeof *keys);
    int64_t *priorities = grt_allocate(set->count * sizeof *priorities);
    for (size_t i = 0; i < set->count; i++) {
        keys[i] = grt_rate_key(&set->tasks[i].task);
    }
    grt_priorities_by_key(keys, set->count, priorities);
    for (size_t i = 0; i < set->count; i++) {
        set->tasks[i].task.priority = priorities[i];
    }
    free(keys);
    free(priorities);
}

/* Where the file says how they are found, no task says its own. */
static void refuse_given(struct grt_reader *reader, const struct grt_task_set *set) {
    for (size_t i = 0; i < set->count; i++) {
        struct grt_path task = task_path(set, i), place = {.parent = &task, .key = "priority"};
        if (set->tasks[i].has_priority) {
            grt_error_add(reader->errors, &place, "does not go together with the scenario's \"priorities\"");
        }
    }
}

void grt_task_set_priorities(struct grt_reader *reader, struct grt_task_set *set, const cJSON *tree) {
    size_t given = 0, first = 0;
    if (grt_json_find(tree, "priorities") != NULL) {
        refuse_given(reader, set);
        return;
    }
    for (size_t i = set->count; i-- > 0;) {
        given += set->tasks[i].has_priority;
        first = set->tasks[i].has_priority ? i : first;
    }
    if (given == 0) {
        set_by_rate(set);
    }
    for (size_t i = 0; i < set->count && given > 0; i++) {
        struct grt_path task = task_path(set, i), place = {.parent = &task, .key = "priority"};
        if (!set->tasks[i].has_priority) {
            grt_error_add(reader->errors, &place, "required because tasks[%zu] has a priority", first);
        }
    }
}

static void set_core(struct grt_reader *reader, struct grt_task_fields *fields,
                     const struct grt_platform_fields *platform, const struct grt_policy_ops *policy,
                     const struct grt_path *path) {
    struct grt_task *task = &fields->task;
    struct grt_path place = {.parent = path, .key = "cpu"};
    int64_t cpus = platform->cpus;
    if (platform->cpus_refused) {
        return; /* an error that there is already */
    }
    if (platform->allocation != GRT_ALLOCATION_GIVEN) { /* it gets one in assignment.c */
        if (fields->has_cpu) {
            grt_error_add(reader->errors, &place, "not allowed because platform.allocation is %s",
                          grt_allocation_rule_names[platform->allocation]);
        }
        task->cpu = -1;
    } else if (!fields->has_cpu) {
        task->cpu = cpus == 1 ? 0 : -1;
        if (cpus > 1) {
            grt_check_core_given(reader, task, policy, cpus, &place);
        }
    } else if (cpus == 0) {
        grt_error_add(reader->errors, &place,
                      "not allowed because platform.cpus is 0: every task has a core of its own (got %lld)",
                      (long long)task->cpu);
        task->cpu = -1;
    } else if (task->cpu >= cpus) {
        grt_error_add(reader->errors, &place, "must be below platform.cpus, which is %lld (got %lld)",
                      (long long)cpus, (long long)task->cpu);
    }
}

static void check_gpu(struct grt_reader *reader, const struct grt_task *task, size_t gpus,
                      const struct grt_path *path) {
    struct grt_path place = {.parent = path, .key = "gpu"};
    if (gpus > 0 && (size_t)task->gpu >= gpus) {
        grt_error_add(reader->errors, &place, "must be below the number of GPUs, which is %zu (got %lld)",
                      gpus, (long long)task->gpu);
    }
}

void grt_task_set_processors(struct grt_reader *reader, struct grt_task_set *set,
                             const struct grt_platform_fields *platform,
                             const struct grt_policy_ops *policy) {
    for (size_t i = 0; i < set->count; i++) {
        struct grt_path path = task_path(set, i);
        if (set->tasks[i].clean) {
            set_core(reader, &set->tasks[i], platform, policy, &path);
            check_gpu(reader, &set->tasks[i].task, platform->gpus.count, &path);
        }
    }
}
