/* Groups of SMs (green contexts): parts of a process's SMs on a GPU, given as numbers of SMs (rule W5). A task of a group is
 * kept to the group's TPCs. */
#include <stddef.h>
#include <string.h>

#include "models/task/kernel_walk.h"
#include "scenarios/spelling.h"
#include "scenarios/task_set.h"

static const struct grt_field group_fields[] = {
    {.name = "name",
     .type = GRT_FIELD_NAME,
     .offset = offsetof(struct grt_group_fields, name),
     .help = "The group, as tasks name it; no two are equal."},
    {.name = "sms",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(struct grt_group_fields, sms),
     .min = 1,
     .max = GRT_DEVICE_MAX_SMS,
     .help = "Its number of SMs, which is rounded up to what the device can do: `group_minimum_sms` and "
             "`group_multiple_sms`. Groups of one process on one GPU are disjoint and lie in the order of "
             "this list, from the first TPC on."},
    {.name = "process",
     .type = GRT_FIELD_NAME,
     .offset = offsetof(struct grt_group_fields, process),
     .fallback = "\"main\"",
     .help = "The process that the group is a part of."},
    {.name = "gpu",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(struct grt_group_fields, gpu),
     .fallback = "0",
     .max = GRT_MAX_GPUS - 1,
     .help = "The GPU whose SMs they are, by its place in `platform.gpus`, from 0."},
};

const struct grt_record grt_group_record = {
    .name = "group",
    .size = sizeof(struct grt_group_fields),
    .fields = group_fields,
    .field_count = GRT_FIELD_COUNT(group_fields),
    .help = "A part of the SMs for some tasks of a process (CUDA: a green context). Rules W4 and W5.",
};

/* A group and the TPCs that it got; none where it was refused. */
struct place {
    const struct grt_group_fields *group;
    int64_t first_tpc, tpc_count;
};

static bool is_complete(const struct grt_group_fields *group) {
    return group->name != NULL && group->process != NULL && group->sms > 0;
}

/* The first TPC after the groups before that are of the same process and GPU. */
static int64_t first_free_tpc(const struct place *places, size_t index) {
    int64_t first = 0;
    for (size_t i = 0; i < index; i++) {
        if (places[i].tpc_count > 0 && places[i].group->gpu == places[index].group->gpu &&
            strcmp(places[i].group->process, places[index].group->process) == 0) {
            first = places[i].first_tpc + places[i].tpc_count;
        }
    }
    return first;
}

static void place_group(struct grt_reader *reader, const struct grt_platform_fields *platform,
                        struct place *places, size_t index, const struct grt_path *path) {
    const struct grt_group_fields *group = places[index].group;
    struct grt_path gpu = {.parent = path, .key = "gpu"}, sms = {.parent = path, .key = "sms"};
    if ((size_t)group->gpu >= platform->gpus.count) {
        grt_error_add(reader->errors, &gpu, "must be below the number of GPUs, which is %zu (got %lld)",
                      platform->gpus.count, (long long)group->gpu);
        return;
    }
    const struct grt_device *device = (const struct grt_device *)platform->gpus.items + group->gpu;
    if (device->sm_count == 0 || device->sms_per_tpc == 0) {
        return; /* it could not be read */
    }
    if (grt_device_has_shares(device)) {
        grt_error_add(reader->errors, path,
                      "not allowed on a GPU with \"granularity\": \"shares\": it has no SMs that tasks "
                      "could be kept to; a policy can set the shares of their streams");
        return;
    }
    int64_t rounded = grt_device_group_sms(device, group->sms);
    if (rounded == 0) {
        grt_error_add(reader->errors, &sms,
                      "GPU %lld, of compute capability %lld.%lld, has no groups; they begin with 6.0",
                      (long long)group->gpu, (long long)device->compute_capability / 10,
                      (long long)device->compute_capability % 10);
        return;
    }
    int64_t first = first_free_tpc(places, index);
    int64_t left = device->sm_count - first * device->sms_per_tpc;
    if (rounded > left) {
        grt_error_add(reader->errors, &sms,
                      "is rounded up to %lld SMs, but the groups before leave %lld of GPU %lld (got %lld)",
                      (long long)rounded, (long long)(left > 0 ? left : 0), (long long)group->gpu,
                      (long long)group->sms);
        return;
    }
    places[index].first_tpc = first;
    places[index].tpc_count = rounded / device->sms_per_tpc;
}

static size_t find_group(const struct place *places, size_t count, const char *name) {
    size_t i = 0;
    while (i < count && (places[i].group->name == NULL || strcmp(places[i].group->name, name) != 0)) {
        i++;
    }
    return i;
}

static struct place *place_groups(struct grt_reader *reader, const struct grt_platform_fields *platform,
                                  const struct grt_path *path) {
    const struct grt_group_fields *groups = platform->groups.items;
    size_t count = platform->groups.count;
    struct place *places = grt_arena_array(reader->arena, count, sizeof *places);
    struct grt_path list = {.parent = path, .key = "groups"};
    for (size_t i = 0; i < count; i++) {
        struct grt_path item = {.parent = &list, .index = i}, name = {.parent = &item, .key = "name"};
        char shown[GRT_JSON_SHOWN_SIZE];
        places[i].group = &groups[i];
        if (!is_complete(&groups[i])) {
            continue; /* it could not be read */
        }
        size_t first = find_group(places, i, groups[i].name);
        if (first < i) {
            grt_error_add(reader->errors, &name, "is already the name of platform.groups[%zu] (got %s)",
                          first, grt_text_show(groups[i].name, shown));
        }
        place_group(reader, platform, places, i, &item);
    }
    return places;
}

/* ---- tasks ---- */

static void add_unknown(struct grt_reader *reader, const struct place *places, size_t count, const char *name,
                        const struct grt_path *path) {
    struct grt_guess guess = grt_guess_start(name);
    for (size_t i = 0; i < count; i++) {
        if (places[i].group->name != NULL) {
            grt_guess_try(&guess, places[i].group->name);
        }
    }
    char shown[GRT_JSON_SHOWN_SIZE], hint[GRT_GUESS_TEXT_SIZE];
    grt_error_add(reader->errors, path, "unknown group %s%s", grt_text_show(name, shown),
                  grt_guess_text(&guess, hint));
}

/* A group's tasks are of its process and on its GPU. */
static bool belongs(struct grt_reader *reader, const struct grt_group_fields *group,
                    const struct grt_task_fields *task, const struct grt_path *path) {
    const char *process = grt_process_of_task(task);
    bool same_process = strcmp(group->process, process) == 0;
    if (!same_process) {
        char ours[GRT_JSON_SHOWN_SIZE], theirs[GRT_JSON_SHOWN_SIZE];
        grt_error_add(reader->errors, path, "is a group of process %s, but the task is in %s",
                      grt_text_show(group->process, theirs), grt_text_show(process, ours));
    } else if (group->gpu != task->task.gpu) {
        grt_error_add(reader->errors, path, "is a group of GPU %lld, but the task is on %lld",
                      (long long)group->gpu, (long long)task->task.gpu);
    }
    return same_process && group->gpu == task->task.gpu;
}

static void refuse_kernel_tpcs(void *reader, const struct grt_kernel *kernel, size_t level,
                               const struct grt_path *path) {
    struct grt_path tpcs = {.parent = path, .key = "tpcs"};
    (void)level;
    if (kernel->tpcs.count > 0) {
        grt_error_add(((struct grt_reader *)reader)->errors, &tpcs,
                      "does not go together with the task's \"group\"");
    }
}

/* Who names a group does not name TPCs. */
static void refuse_tpcs(struct grt_reader *reader, const struct grt_task *task, const struct grt_path *path) {
    struct grt_path own = {.parent = path, .key = "tpcs"};
    if (task->tpcs.count > 0) {
        grt_error_add(reader->errors, &own, "does not go together with \"group\"");
    }
    grt_task_walk_kernels(task, path, refuse_kernel_tpcs, reader);
}

static void keep_to_group(struct grt_reader *reader, const struct place *place, struct grt_task *task) {
    int64_t *tpcs = grt_arena_array(reader->arena, (size_t)place->tpc_count, sizeof *tpcs);
    for (int64_t i = 0; i < place->tpc_count; i++) {
        tpcs[i] = place->first_tpc + i;
    }
    task->tpcs = (struct grt_number_list){tpcs, (size_t)place->tpc_count};
}

void grt_task_set_groups(struct grt_reader *reader, struct grt_task_set *set,
                         const struct grt_platform_fields *platform, const struct grt_path *path) {
    size_t count = platform->groups.count;
    const struct place *places = place_groups(reader, platform, path);
    for (size_t i = 0; i < set->count; i++) {
        struct grt_task_fields *task = &set->tasks[i];
        struct grt_path item = {.parent = set->path, .index = i}, place = {.parent = &item, .key = "group"};
        if (task->group == NULL) {
            continue;
        }
        size_t group = find_group(places, count, task->group);
        if (group == count) {
            add_unknown(reader, places, count, task->group, &place);
            continue;
        }
        refuse_tpcs(reader, &task->task, &item);
        if (is_complete(places[group].group) && belongs(reader, places[group].group, task, &place)) {
            keep_to_group(reader, &places[group], &task->task);
        }
    }
}
