/* The parameters of the policies `pruda-single`, `pruda-multi` and `pruda-sm`, which their analyses read too. One struct for all: each
 * policy has those of its table, the others keep their defaults, which are zero. */
#ifndef GRT_POLICIES_PRUDA_PARAMETERS_H
#define GRT_POLICIES_PRUDA_PARAMETERS_H

#include <stdint.h>

#include "sim/field.h"

/* Who goes first. */
enum pruda_order { PRUDA_EDF, PRUDA_FP, PRUDA_GRUB };

/* Whether jobs that have the GPU are aborted. */
enum pruda_abort {
    PRUDA_ABORT_NEVER,
    PRUDA_ABORT_BEST_EFFORT, /* jobs without a deadline, as soon as one with a deadline waits; and they go behind those */
};

/* What becomes of copies between host and device. */
enum pruda_memory { PRUDA_EXPLICIT, PRUDA_UNIFIED };

/* Whether the head of rq may go to l-sq while that is empty and h-sq is not. */
enum pruda_co_run { PRUDA_CO_RUN_WAIT, PRUDA_CO_RUN_ALLOWED };

/* What becomes of GPUs with one level of stream priority. */
enum pruda_one_level { PRUDA_ONE_LEVEL_REFUSED, PRUDA_ONE_LEVEL_ACCEPTED };

/* The server of a task under PRUDA_GRUB: budget / period of the GPU. */
struct pruda_server_fields {
    const char *task;
    int64_t budget, period; /* ns; 0: the longest time of a job's GPU segments; the task's period */
};

/* The SMs of a task under `pruda-sm`: `sms` of them from `sm` on. */
struct pruda_pin_fields {
    const char *task;
    int64_t sm, sms;
};

struct pruda_parameters {
    int64_t order, abort, memory, co_run, one_level; /* the enums above */
    struct grt_field_list servers;                   /* of struct pruda_server_fields */
    struct grt_field_list pins; /* of struct pruda_pin_fields; the other tasks need the whole GPU */
    int64_t exit_time;          /* ns: what a block takes that finds itself on a wrong SM */
};

#endif
