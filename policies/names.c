#include "policies/names.h"

#include <stdio.h>

const char *policy_name_of_gpu(const struct grt_world *world, const char *what, uint32_t gpu,
                               char text[POLICY_NAME_SIZE]) {
    snprintf(text, POLICY_NAME_SIZE, "%s of gpu %u", what, gpu);
    return grt_policy_scenario(world)->gpu_count > 1 ? text : what;
}

uint32_t policy_row_of_gpu(struct grt_world *world, const char *what, uint32_t gpu) {
    char text[POLICY_NAME_SIZE];
    return grt_policy_row(world, policy_name_of_gpu(world, what, gpu, text));
}

uint32_t policy_label_of_task(struct grt_world *world, uint32_t task, const char *what) {
    char text[128];
    snprintf(text, sizeof text, "%s%s%s", grt_policy_scenario(world)->tasks[task].name,
             what[0] != '\0' ? " " : "", what);
    return grt_policy_label(world, text);
}

uint32_t *policy_labels_of_tasks(struct grt_world *world, const char *what) {
    uint32_t count = (uint32_t)grt_policy_scenario(world)->task_count;
    uint32_t *labels = grt_policy_memory(world, count, sizeof *labels);
    for (uint32_t task = 0; task < count; task++) {
        labels[task] = policy_label_of_task(world, task, what);
    }
    return labels;
}
