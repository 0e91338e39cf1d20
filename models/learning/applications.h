/* The kernels of a scenario as each other's workload: what networks are trained of and with. */
#ifndef GRT_MODELS_LEARNING_APPLICATIONS_H
#define GRT_MODELS_LEARNING_APPLICATIONS_H

#include "models/task.h"
#include "sim/error.h"
#include "sim/memory.h"

/* A kernel of a task. */
struct grt_application {
    uint32_t task;
    const struct grt_kernel *kernel;
    struct grt_usage usage;
    /* ns alone with the whole GPU, in the worst case: its waves of blocks, each with the declared worst block time */
    grt_time work;
};

/* A kernel of a task on a device; its usage lives as long as the kernel. */
struct grt_application grt_application_of(const struct grt_device *device, uint32_t task,
                                          const struct grt_kernel *kernel);

/* Whether one network does for both: they have the same work and the same usage. */
bool grt_application_is_same(const struct grt_application *a, const struct grt_application *b);

/* All kernels of the tasks of one GPU, task by task in the scenario's order. */
struct grt_application_list {
    const struct grt_device *device;
    const struct grt_application *items;
    size_t count;
};

/* One kernel that gets a network, and the GPU on which it is. */
struct grt_learner {
    uint32_t gpu;
    const struct grt_application_list *all; /* of that GPU */
    size_t index;                           /* in `all` */
};

struct grt_learner_list {
    const struct grt_learner *items;
    size_t count;
};

/* The kernels of a scenario that a network can be trained for: those with a usage that has counters, each name once, in the order of the scenario; `name`: that one
 * only, NULL: all. Everything is in the arena. False after adding errors: there is none; it is on a GPU that is not simulated by shares; two kernels of one name are
 * not the same, while networks are found by name. */
bool grt_learners_find(const struct grt_scenario *scenario, const char *name, struct grt_arena *arena,
                       struct grt_learner_list *learners, struct grt_errors *errors);

static inline const struct grt_application *grt_learner_application(const struct grt_learner *learner) {
    return &learner->all->items[learner->index];
}

#endif
