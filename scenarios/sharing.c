/* What processes, groups and devices say of each other: who may share a GPU and how. */
#include <stddef.h>

#include "scenarios/task_set.h"

static const struct grt_device *gpu_of(const struct grt_task *task,
                                       const struct grt_platform_fields *platform) {
    const struct grt_device *gpus = platform->gpus.items;
    return (size_t)task->gpu < platform->gpus.count ? &gpus[task->gpu] : NULL;
}

/* ---- MPS ---- */

/* M3: a percentage needs GPUs of Volta or later, with blocks. That it needs MPS is looked at in effects.c. */
static void check_percentage(struct grt_reader *reader, const struct grt_task_set *set,
                             const struct grt_platform_fields *platform, size_t process,
                             const struct grt_path *path) {
    for (size_t i = 0; i < set->count; i++) {
        const struct grt_task *task = &set->tasks[i].task;
        const struct grt_device *gpu = gpu_of(task, platform);
        if ((size_t)task->process != process || gpu == NULL) {
            continue;
        }
        if (grt_device_has_shares(gpu)) {
            grt_error_add(reader->errors, path,
                          "not allowed because tasks[%zu] is on GPU %lld with \"granularity\": \"shares\"; a "
                          "policy can set the shares of its streams",
                          i, (long long)task->gpu);
            return;
        }
        if (!gpu->mps) {
            continue;
        }
        if (grt_device_is_before_volta(gpu)) {
            grt_error_add(reader->errors, path,
                          "needs a GPU of compute capability 7.0 or later, but tasks[%zu] is on GPU %lld of "
                          "%lld.%lld",
                          i, (long long)task->gpu, (long long)gpu->compute_capability / 10,
                          (long long)gpu->compute_capability % 10);
            return;
        }
    }
}

/* M5, T8r: how many different processes the tasks of a GPU are in. */
static int64_t count_clients(const struct grt_task_set *set, int64_t gpu) {
    int64_t count = 0;
    for (size_t i = 0; i < set->count; i++) {
        size_t first = 0;
        while (set->tasks[first].task.gpu != set->tasks[i].task.gpu ||
               set->tasks[first].task.process != set->tasks[i].task.process) {
            first++;
        }
        count += set->tasks[i].task.gpu == gpu && first == i;
    }
    return count;
}

static void check_clients(struct grt_reader *reader, const struct grt_task_set *set,
                          const struct grt_platform_fields *platform, const struct grt_path *path) {
    const struct grt_device *gpus = platform->gpus.items;
    struct grt_path place = {.parent = path, .key = "gpus"};
    for (size_t i = 0; i < platform->gpus.count; i++) {
        int64_t processes = count_clients(set, (int64_t)i), most = gpus[i].max_contexts;
        if (gpus[i].mps && processes > grt_device_mps_clients(&gpus[i])) {
            grt_error_add(reader->errors, &place,
                          "tasks of %lld processes are on GPU %zu, whose MPS server has at most %lld clients",
                          (long long)processes, i, (long long)grt_device_mps_clients(&gpus[i]));
        } else if (!gpus[i].mps && most > 0 && processes > most) {
            grt_error_add(reader->errors, &place,
                          "tasks of %lld processes are on GPU %zu, whose max_contexts is %lld",
                          (long long)processes, i, (long long)most);
        }
    }
}

void grt_task_set_check_sharing(struct grt_reader *reader, const struct grt_task_set *set,
                                const struct grt_platform_fields *platform,
                                const struct grt_field_list *processes, const struct grt_path *path) {
    const struct grt_process *all = processes->items;
    for (size_t i = 0; i < processes->count; i++) {
        int64_t percentage = all[i].spec.active_thread_percentage;
        if (percentage > 0 && percentage < 100) {
            struct grt_path list = {.parent = path, .key = "processes"};
            struct grt_path item = {.parent = &list, .index = grt_listed_process(platform, all[i].name)};
            struct grt_path place = {.parent = &item, .key = "active_thread_percentage"};
            check_percentage(reader, set, platform, i, &place);
        }
    }
    check_clients(reader, set, platform, path);
}
