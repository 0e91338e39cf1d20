/* The processes that the tasks name, with what the platform says of them. */
#include <string.h>

#include "scenarios/task_set.h"

const char *grt_process_of_task(const struct grt_task_fields *task) {
    return task->process != NULL ? task->process : "main";
}

static size_t find(const struct grt_process *processes, size_t count, const char *name) {
    size_t i = 0;
    while (i < count && (processes[i].name == NULL || strcmp(processes[i].name, name) != 0)) {
        i++;
    }
    return i;
}

size_t grt_listed_process(const struct grt_platform_fields *platform, const char *name) {
    return find(platform->processes.items, platform->processes.count, name);
}

/* Numbers the processes in the order in which tasks name them. */
static size_t number_processes(struct grt_reader *reader, struct grt_task_set *set,
                               struct grt_process *processes) {
    size_t count = 0;
    for (size_t i = 0; i < set->count; i++) {
        const char *name = grt_process_of_task(&set->tasks[i]);
        size_t process = find(processes, count, name);
        if (process == GRT_MAX_PROCESSES) {
            struct grt_path task = {.parent = set->path, .index = i},
                            place = {.parent = &task, .key = "process"};
            grt_error_add(reader->errors, &place, "must be one of at most %d processes", GRT_MAX_PROCESSES);
            return count;
        }
        if (process == count) {
            processes[count++].name = name;
        }
        set->tasks[i].task.process = (int64_t)process;
    }
    return count;
}

/* Takes over what the platform says of a process. */
static void describe(struct grt_reader *reader, const struct grt_platform_fields *platform, size_t index,
                     struct grt_process *processes, size_t count, const struct grt_path *path) {
    const struct grt_process *listed = platform->processes.items;
    struct grt_path list = {.parent = path, .key = "processes"}, item = {.parent = &list, .index = index};
    struct grt_path place = {.parent = &item, .key = "name"};
    char shown[GRT_JSON_SHOWN_SIZE];
    if (listed[index].name == NULL) {
        return; /* it could not be read */
    }
    size_t process = find(processes, count, listed[index].name),
           first = find(listed, index, listed[index].name);
    if (first < index) {
        grt_error_add(reader->errors, &place, "is already the name of platform.processes[%zu] (got %s)",
                      first, grt_text_show(listed[index].name, shown));
    } else if (process == count) {
        grt_error_add(reader->errors, &place, "must be the process of a task (got %s)",
                      grt_text_show(listed[index].name, shown));
    } else {
        processes[process].spec = listed[index].spec;
    }
}

struct grt_field_list grt_task_set_processes(struct grt_reader *reader, struct grt_task_set *set,
                                             const struct grt_platform_fields *platform,
                                             const struct grt_path *path) {
    struct grt_process *processes = grt_arena_array(reader->arena, GRT_MAX_PROCESSES, sizeof *processes);
    size_t count = number_processes(reader, set, processes);
    for (size_t i = 0; i < platform->processes.count; i++) {
        describe(reader, platform, i, processes, count, path);
    }
    return (struct grt_field_list){processes, count};
}
