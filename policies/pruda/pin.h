/* Which task of `pruda-sm` is pinned to which SMs: the parts of a GPU, and the versions of kernels that work there. */
#ifndef GRT_POLICIES_PRUDA_PIN_H
#define GRT_POLICIES_PRUDA_PIN_H

#include "models/policy.h"
#include "policies/pruda/parameters.h"

/* Some SMs of a GPU that follow each other, with a queue of their own. */
struct pruda_part {
    uint32_t gpu;
    int64_t sm, sms; /* the first, and how many */
};

#define PRUDA_NO_PART UINT32_MAX

/* The pin of a task; NULL: it has none. */
const struct pruda_pin_fields *pruda_pin_of(const struct pruda_parameters *given,
                                            const struct grt_task *task);

/* Finds the parts, in the order of the tasks: `parts` has room for as many as there are tasks, `part_of` gets each task's, or PRUDA_NO_PART.
 * Returns how many there are. */
uint32_t pruda_find_parts(const struct grt_scenario *scenario, const struct pruda_parameters *given,
                          struct pruda_part *parts, uint32_t *part_of);

/* Pins the kernels of the tasks that have a pin: their blocks become items of work, and as many blocks are launched as there are items,
 * for each SM of the GPU. False after adding errors: unknown tasks, SMs that the GPU does not have, parts that overlap, kernels that cannot
 * be pinned. */
bool pruda_pin_kernels(struct grt_scenario *scenario, const struct pruda_parameters *given,
                       struct grt_arena *arena, struct grt_errors *errors);

#endif
