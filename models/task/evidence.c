#include "models/task/evidence.h"

#include <string.h>

/* Those that were found. */
struct list {
    struct grt_unfounded *items;
    size_t count, most;
};

static bool is_in(const struct list *list, const char *name) {
    for (size_t i = 0; i < list->count; i++) {
        const char *other = list->items[i].name;
        if (name == other || (name != NULL && other != NULL && strcmp(name, other) == 0)) {
            return true;
        }
    }
    return false;
}

static void look_at(struct list *list, const struct grt_distribution *time, const char *name) {
    if (grt_distribution_is_unfounded(time) && list->count < list->most && !is_in(list, name)) {
        list->items[list->count++] = (struct grt_unfounded){name, time->evidence};
    }
}

static void look_at_kernel(struct list *list, const struct grt_kernel *kernel) {
    const struct grt_launch_spec *launches = kernel->launches.items;
    look_at(list, &kernel->block_time, kernel->name);
    for (size_t i = 0; i < kernel->launches.count; i++) {
        look_at_kernel(list, &launches[i].kernel); /* as deep as files may be */
    }
}

static void look_at_segment(struct list *list, const struct grt_segment *segment) {
    if (segment->kind == GRT_SEGMENT_CPU) {
        look_at(list, &segment->cpu_time, NULL);
        return;
    }
    look_at(list, &segment->host_part[GRT_HOST_BEFORE], NULL);
    look_at(list, &segment->host_part[GRT_HOST_AFTER], NULL);
    for (size_t i = 0; i < segment->command_count; i++) {
        const struct grt_command_spec *command = &segment->commands[i];
        if (command->kind == GRT_COMMAND_KERNEL) {
            look_at_kernel(list, &command->kernel);
        }
        look_at(list, &command->callback_time, NULL);
    }
}

size_t grt_task_unfounded(const struct grt_task *task, struct grt_unfounded *out, size_t most) {
    struct list list = {.items = out, .most = most};
    for (size_t i = 0; i < task->segment_count; i++) {
        look_at_segment(&list, &task->segments[i]);
    }
    return list.count;
}

const char *grt_unfounded_reason(int64_t evidence) {
    return evidence == GRT_EVIDENCE_REFUSED
               ? "rests on no model: its measured times allow no extrapolation, and it is a choice"
               : "rests on no model: methods did not agree on its measured times, none fitted, or other runs "
                 "took longer, and it is a choice";
}
