/* The parameters of `mpcp` and `fmlp+` as scenario files give them. */
#include <stddef.h>

#include "policies/locks/lock.h"

static const char *const waits[] = {"busy-wait", "suspend", NULL};
static const char *const boosts[] = {"remote-ceiling", "own-priority", NULL};

#define AT(member) offsetof(struct grt_lock_parameters, member)

#define WAITING                                                                                              \
    {                                                                                                        \
        .name = "waiting", .type = GRT_FIELD_CHOICE, .offset = AT(waiting), .fallback = "\"busy-wait\"",     \
        .choices = waits,                                                                                    \
        .help = "What the thread that holds the lock does while its commands are on the GPU. `busy-wait`: "  \
                "it keeps its core, as the protocols' analyses assume. `suspend`: it leaves its core and "   \
                "comes back at its raised priority."                                                         \
    }

#define BUDGET                                                                                               \
    {                                                                                                        \
        .name = "budget", .type = GRT_FIELD_TIME, .offset = AT(budget), .fallback = "\"0ns\"",               \
        .max = GRT_TIME_LIMIT,                                                                               \
        .help = "A job that has held the lock for so long is aborted, as if its task had crashed: what the " \
                "device has begun runs out, then the lock is free. 0: never."                                \
    }

static const struct grt_field mpcp_fields[] = {
    WAITING,
    {.name = "boost",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(boost),
     .fallback = "\"remote-ceiling\"",
     .choices = boosts,
     .help =
         "How urgent the thread that holds the lock is, above all tasks. `remote-ceiling`: as the most "
         "urgent "
         "task of another core that uses the GPU (Rajkumar 1990). `own-priority`: as its task (Kim et al. "
         "2017). It matters only where tasks of a core use different GPUs."},
    BUDGET,
};

static const struct grt_field fmlp_fields[] = {WAITING, BUDGET};

const struct grt_record lock_mpcp_record = {
    .name = "mpcp",
    .size = sizeof(struct grt_lock_parameters),
    .fields = mpcp_fields,
    .field_count = GRT_FIELD_COUNT(mpcp_fields),
    .help = "Parameters of `mpcp`.",
};

const struct grt_record lock_fmlp_record = {
    .name = "fmlp+",
    .size = sizeof(struct grt_lock_parameters),
    .fields = fmlp_fields,
    .field_count = GRT_FIELD_COUNT(fmlp_fields),
    .help = "Parameters of `fmlp+`.",
};
