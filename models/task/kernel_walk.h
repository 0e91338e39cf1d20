/* Goes through kernels as a scenario describes them: those that the host launches, and those that their blocks launch,
 * however deep. */
#ifndef GRT_MODELS_TASK_KERNEL_WALK_H
#define GRT_MODELS_TASK_KERNEL_WALK_H

#include "models/task.h"
#include "sim/error.h"

/* Called for a kernel. `level`: 0 where the host launches it, else one more than that of the kernel whose blocks do. `path`:
 * its place in the file, under the one that the walk was given; valid during the call. */
typedef void grt_kernel_visitor(void *state, const struct grt_kernel *kernel, size_t level,
                                const struct grt_path *path);

/* Visits a kernel, then each that its blocks launch with all that follows from it, in the order of the file. `path`: its
 * place; NULL where the visitor needs none. */
void grt_kernel_walk(const struct grt_kernel *kernel, const struct grt_path *path, grt_kernel_visitor *visit,
                     void *state);

/* The same for every kernel of a task. `path`: the task's. */
void grt_task_walk_kernels(const struct grt_task *task, const struct grt_path *path,
                           grt_kernel_visitor *visit, void *state);

/* Where grt_task_next_kernel goes on; starts as {0}. */
struct grt_kernel_place {
    size_t segment, command;
};

/* The kernels that the host launches in a task, one after the other, in the order of the file; NULL after the last. */
const struct grt_kernel *grt_task_next_kernel(const struct grt_task *task, struct grt_kernel_place *place);

/* How many launches are in a kernel, and how deep they are nested. */
size_t grt_launches_count(const struct grt_kernel *kernel);
size_t grt_launches_depth(const struct grt_kernel *kernel);

/* Whether a command draws random numbers: a kernel whose blocks do not all take one constant time, or launch such, or such a
 * callback. */
bool grt_command_is_random(const struct grt_command_spec *command);

#endif
