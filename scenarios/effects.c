/* Settings that have no effect and can only be mistakes: see docs/decisions/0015-settings-without-effect.md. */
#include <stdlib.h>
#include <string.h>

#include "models/task/kernel_walk.h"
#include "scenarios/spelling.h"
#include "scenarios/task_set.h"

/* ---- fields of a device that say how something works which is off ---- */

static bool has_queues(const struct grt_device *device) {
    return device->hardware_queues > 0;
}

static bool is_dynamic(const struct grt_device *device) {
    return device->queue_model == GRT_QUEUE_MODEL_DYNAMIC;
}

static bool is_single(const struct grt_device *device) {
    return device->queue_model == GRT_QUEUE_MODEL_SINGLE;
}

static bool has_mps(const struct grt_device *device) {
    return device->mps;
}

static bool ends_turns_inside_blocks(const struct grt_device *device) {
    return device->context_preemption == GRT_CONTEXT_PREEMPTION_INSTRUCTION;
}

static bool is_saturated(const struct grt_device *device) {
    return device->contention == GRT_CONTENTION_SATURATION;
}

static bool is_contended_in_shares(const struct grt_device *device) {
    return device->share_mode != GRT_SHARE_MODE_TIME_SLICING;
}

static bool has_tokens(const struct grt_device *device) {
    return device->share_interval > 0;
}

static bool has_blocks(const struct grt_device *device) {
    return !grt_device_has_shares(device);
}

static bool uses_slowdowns(const struct grt_device *device) {
    return !grt_device_has_shares(device) || device->contention == GRT_CONTENTION_SLOWDOWNS;
}

static const struct {
    const char *field, *needs;
    bool (*works)(const struct grt_device *device);
    const char *reason; /* why it does not */
} settings[] = {
    {"queue_model", "hardware_queues", has_queues, "is 0"},
    {"queue_order", "hardware_queues", has_queues, "is 0"},
    {"queue_order", "queue_model", is_dynamic, "is not \"dynamic\""},
    {"dependency_check", "hardware_queues", has_queues, "is 0"},
    {"dependency_check", "queue_model", is_single, "is not \"single\""},
    {"mps_clients", "mps", has_mps, "is false"},
    {"mps_priorities", "mps", has_mps, "is false"},
    {"mps_rounding", "mps", has_mps, "is false"},
    {"context_save", "context_preemption", ends_turns_inside_blocks, "is not \"instruction\""},
    {"placement", "granularity", has_blocks, "is \"shares\""},
    {"bandwidth_sharing", "granularity", has_blocks, "is \"shares\""},
    {"threads_per_core", "granularity", has_blocks, "is \"shares\""},
    {"share_mode", "granularity", grt_device_has_shares, "is \"blocks\""},
    {"contention", "granularity", grt_device_has_shares, "is \"blocks\""},
    {"contention", "share_mode", is_contended_in_shares, "is \"time-slicing\""},
    {"contention_latency", "granularity", grt_device_has_shares, "is \"blocks\""},
    {"contention_latency", "contention", is_saturated, "is not \"saturation\""},
    {"contention_exponent", "granularity", grt_device_has_shares, "is \"blocks\""},
    {"contention_exponent", "contention", is_saturated, "is not \"saturation\""},
    {"share_interval", "granularity", grt_device_has_shares, "is \"blocks\""},
    {"share_launch", "granularity", grt_device_has_shares, "is \"blocks\""},
    {"share_launch", "share_interval", has_tokens, "is 0"},
    {"slowdowns", "contention", uses_slowdowns, "is not \"slowdowns\""},
};

void grt_check_gpu_effects(struct grt_reader *reader, const cJSON *gpu, const struct grt_device *device,
                           const struct grt_path *path) {
    const cJSON *inside = grt_json_find(gpu, "device"); /* a text where it is a preset or a file */
    const struct grt_path inner = {.parent = path, .key = "device"};
    bool is_new = path->index < 64 && (reader->new_devices >> path->index & 1) != 0;
    const char *last = "";
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const char *field = settings[i].field, *needs = settings[i].needs;
        bool beside = !is_new && grt_json_find(gpu, field) != NULL;
        bool within = grt_json_find(inside, field) != NULL;
        bool meant = grt_json_find(gpu, needs) != NULL || grt_json_find(inside, needs) != NULL;
        if ((beside || within) && !meant && !settings[i].works(device) && strcmp(last, field) != 0) {
            struct grt_path place = {.parent = beside ? path : &inner, .key = field};
            grt_error_add(reader->errors, &place,
                          "has no effect because %s %s; if that is meant, write %s here, too", needs,
                          settings[i].reason, needs);
            last = field;
        }
    }
}

/* ---- percentages of processes that are under no MPS server ---- */

/* Whether the file says of a GPU of the platform, which may be a MIG instance, whether it has MPS, or `--set` put another
 * device in its place. */
static bool is_meant(const struct grt_reader *reader, const cJSON *platform, int64_t number) {
    const cJSON *gpu = cJSON_GetArrayItem(grt_json_find(platform, "gpus"), 0);
    uint64_t new_devices = reader->new_devices;
    for (; gpu != NULL; gpu = gpu->next, new_devices >>= 1) {
        int instances = cJSON_GetArraySize(grt_json_find(gpu, "mig"));
        number -= instances > 0 ? instances : 1;
        if (number < 0) {
            const cJSON *device = grt_json_find(gpu, "device");
            return grt_json_find(gpu, "mps") != NULL || grt_json_find(device, "mps") != NULL ||
                   (new_devices & 1) != 0;
        }
    }
    return false;
}

static bool may_have_percentage(const struct grt_reader *reader, const struct grt_task_set *set,
                                const struct grt_device *gpus, const cJSON *platform, const char *process) {
    for (size_t i = 0; i < set->count; i++) {
        const struct grt_task_fields *task = &set->tasks[i];
        int64_t gpu = task->task.gpu;
        if (strcmp(grt_process_of_task(task), process) == 0 &&
            (gpus[gpu].mps || is_meant(reader, platform, gpu))) {
            return true;
        }
    }
    return false;
}

static void check_percentages(struct grt_reader *reader, const struct grt_task_set *set,
                              const struct grt_device *gpus, const cJSON *platform,
                              const struct grt_path *path) {
    const cJSON *process;
    struct grt_path list = {path, "processes", 0}, item = {&list, NULL, 0};
    struct grt_path place = {&item, "active_thread_percentage", 0};
    cJSON_ArrayForEach(process, grt_json_find(platform, "processes")) {
        const char *name = cJSON_GetStringValue(grt_json_find(process, "name"));
        if (grt_json_find(process, place.key) != NULL &&
            !may_have_percentage(reader, set, gpus, platform, name)) {
            grt_error_add(reader->errors, &place,
                          "has no effect because mps is false on the GPUs of the process; if that is meant, "
                          "write mps there, too");
        }
        item.index++;
    }
}

/* ---- names that nobody has ---- */

struct names {
    struct grt_name_entry *entries;
    uint32_t count, capacity;
};

static void add_name(struct names *names, const char *name, uint32_t index) {
    names->entries =
        grt_array_grow(names->entries, &names->capacity, names->count + 1, sizeof *names->entries);
    names->entries[names->count++] = (struct grt_name_entry){name, index};
}

/* Counts a further error where no more are kept, whose text need not be made. */
static bool is_only_counted(struct grt_reader *reader) {
    bool full = reader->errors->count >= GRT_ERRORS_KEPT;
    reader->errors->count += full;
    return full;
}

/* Adds "<path>: <sentence> <name>" and the closest name, if the name is not there. */
static void check_name(struct grt_reader *reader, const struct names *names, const char *name,
                       const char *sentence, const struct grt_path *path) {
    if (grt_name_index_find(names->entries, names->count, name) != NULL) {
        return;
    }
    if (is_only_counted(reader)) {
        return;
    }
    struct grt_guess guess = grt_guess_start(name);
    for (uint32_t i = 0; i < names->count; i++) {
        grt_guess_try(&guess, names->entries[i].name);
    }
    char shown[GRT_JSON_SHOWN_SIZE], hint[GRT_GUESS_TEXT_SIZE];
    grt_error_add(reader->errors, path, "%s %s%s", sentence, grt_text_show(name, shown),
                  grt_guess_text(&guess, hint));
}

/* ---- events ---- */

/* Events are a process's own, on each GPU (V1): the number of the place that a task's events belong to. */
static uint32_t place_of_events(const struct grt_task *task) {
    return (uint32_t)(task->process * GRT_MAX_GPUS + task->gpu);
}

/* Says where an event is recorded that nobody records where the task could wait for it. */
static void add_elsewhere(struct grt_reader *reader, const struct grt_task_set *set,
                          const struct grt_task_fields *task, const struct grt_name_entry *found,
                          const struct grt_path *path) {
    char name[GRT_JSON_SHOWN_SIZE], ours[GRT_JSON_SHOWN_SIZE], theirs[GRT_JSON_SHOWN_SIZE];
    const struct grt_task_fields *other = set->tasks;
    if (is_only_counted(reader)) {
        return;
    }
    while (place_of_events(&other->task) != found->index) {
        other++;
    }
    grt_error_add(reader->errors, path,
                  "no task of process %s on GPU %lld records an event %s, but one of process %s on GPU %lld "
                  "does; events are a process's own, on each GPU",
                  grt_text_show(grt_process_of_task(task), ours), (long long)task->task.gpu,
                  grt_text_show(found->name, name), grt_text_show(grt_process_of_task(other), theirs),
                  (long long)other->task.gpu);
}

/* A wait for an event, or a query of one. */
static void check_event(struct grt_reader *reader, const struct grt_task_set *set,
                        const struct grt_task_fields *task, const char *event, const struct names *names,
                        const struct grt_path *path) {
    uint32_t place = place_of_events(&task->task);
    size_t at = grt_name_index_before(names->entries, names->count, event, place);
    const struct grt_name_entry *found = grt_name_index_find(names->entries, names->count, event);
    if (found == NULL) {
        check_name(reader, names, event, "no task records an event", path);
    } else if (at == names->count || names->entries[at].index != place ||
               strcmp(names->entries[at].name, event) != 0) {
        add_elsewhere(reader, set, task, found, path);
    }
}

/* Goes through the commands of a task: adds the events that they record to the names, or where `check`, checks those that
 * others speak of. */
static void visit_events(struct grt_reader *reader, const struct grt_task_set *set, bool check,
                         const struct grt_path *path, struct names *names) {
    const struct grt_task_fields *task = &set->tasks[path->index];
    struct grt_path segments = {path, "segments", 0}, segment = {&segments, NULL, 0};
    for (; segment.index < task->task.segment_count; segment.index++) {
        const struct grt_segment *spec = &task->task.segments[segment.index];
        struct grt_path gpu = {&segment, "gpu", 0}, item = {&gpu, NULL, 0};
        for (; item.index < spec->command_count; item.index++) {
            const struct grt_command_spec *command = &spec->commands[item.index];
            bool records = command->kind == GRT_COMMAND_RECORD;
            struct grt_path place = {&item, command->kind == GRT_COMMAND_WAIT ? "wait" : "query", 0};
            if (command->event != NULL && records && !check) {
                add_name(names, command->event, place_of_events(&task->task));
            } else if (command->event != NULL && !records && check) {
                check_event(reader, set, task, command->event, names, &place);
            }
        }
    }
}

static void check_events(struct grt_reader *reader, const struct grt_task_set *set) {
    struct names events = {0};
    struct grt_path task = {.parent = set->path};
    for (; task.index < set->count; task.index++) {
        visit_events(reader, set, false, &task, &events);
    }
    grt_name_index_sort(events.entries, events.count);
    for (task.index = 0; task.index < set->count; task.index++) {
        visit_events(reader, set, true, &task, &events);
    }
    free(events.entries);
}

/* ---- slowdowns ---- */

static void add_class(void *names, const struct grt_kernel *kernel, size_t level,
                      const struct grt_path *path) {
    (void)level;
    (void)path;
    add_name(names, kernel->class_name != NULL ? kernel->class_name : kernel->name, 0);
}

static void check_rows(struct grt_reader *reader, const cJSON *rows, const struct names *classes,
                       const struct grt_path *path) {
    static const char *const keys[] = {"class", "beside"};
    struct grt_path list = {path, "slowdowns", 0}, row = {&list, NULL, 0};
    for (const cJSON *item = rows->child; item != NULL; item = item->next, row.index++) {
        for (size_t i = 0; i < 2; i++) {
            struct grt_path place = {&row, keys[i], 0};
            const char *name = cJSON_GetStringValue(grt_json_find(item, keys[i]));
            if (name != NULL) {
                check_name(reader, classes, name, "no task has a kernel of class", &place);
            }
        }
    }
}

/* Of the tables that the scenario itself holds; that of a device file may be of many kernels. */
static void check_slowdowns(struct grt_reader *reader, const struct grt_task_set *set, const cJSON *platform,
                            const struct grt_path *path) {
    const cJSON *gpus = grt_json_find(platform, "gpus"), *gpu;
    struct grt_path list = {path, "gpus", 0}, item = {&list, NULL, 0}, inside = {&item, "device", 0};
    struct names classes = {0};
    for (size_t i = 0; i < set->count; i++) {
        grt_task_walk_kernels(&set->tasks[i].task, NULL, add_class, &classes);
    }
    grt_name_index_sort(classes.entries, classes.count);
    cJSON_ArrayForEach(gpu, gpus) {
        const cJSON *beside = grt_json_find(gpu, "slowdowns");
        const cJSON *within = grt_json_find(grt_json_find(gpu, "device"), "slowdowns");
        if (beside != NULL || within != NULL) {
            check_rows(reader, beside != NULL ? beside : within, &classes, beside != NULL ? &item : &inside);
        }
        item.index++;
    }
    free(classes.entries);
}

void grt_task_set_check_effects(struct grt_reader *reader, const struct grt_task_set *set,
                                const struct grt_device *gpus, const cJSON *platform,
                                const struct grt_path *path) {
    check_percentages(reader, set, gpus, platform, path);
    check_events(reader, set);
    check_slowdowns(reader, set, platform, path);
}
