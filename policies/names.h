/* How policies name what they show of their own: rows and threads by GPU, labels by task. */
#ifndef GRT_POLICIES_NAMES_H
#define GRT_POLICIES_NAMES_H

#include "models/policy.h"

enum { POLICY_NAME_SIZE = 64 };

/* "server", or "server of gpu 1" where there are several. `text` holds it. */
const char *policy_name_of_gpu(const struct grt_world *world, const char *what, uint32_t gpu,
                               char text[POLICY_NAME_SIZE]);

/* A row of that name. */
uint32_t policy_row_of_gpu(struct grt_world *world, const char *what, uint32_t gpu);

/* The label "T overruns" of a task, or only its name where `what` is "". The name first: what does not fit into a picture is cut off at the end. */
uint32_t policy_label_of_task(struct grt_world *world, uint32_t task, const char *what);

/* Such labels of all tasks, by task. */
uint32_t *policy_labels_of_tasks(struct grt_world *world, const char *what);

#endif
