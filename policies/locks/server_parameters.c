/* The parameters of `gpu-server` as scenario files give them. */
#include <stddef.h>

#include "policies/locks/server.h"

static const char *const costs[] = {"merged", "charged", NULL};

#define AT(member) offsetof(struct grt_server_parameters, member)

static const struct grt_field fields[] = {
    {.name = "cpu",
     .type = GRT_FIELD_INTEGER,
     .offset = AT(core),
     .fallback = "-1",
     .min = -1,
     .max = 4095,
     .help = "The core of the server's thread, which is more urgent than every task there. -1: a core of its "
             "own."},
    {.name = "epsilon",
     .type = GRT_FIELD_TIME,
     .offset = AT(epsilon),
     .fallback = "\"50us\"",
     .max = GRT_TIME_LIMIT,
     .help = "What the server computes to receive a request and to put it in the queue, and what it computes "
             "when one has "
             "been executed, to notify its task and to take the next: at most twice for each request (Kim et "
             "al., Lemma 1; "
             "50 us is their Table II)."},
    {.name = "enqueue_cost",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(enqueue_cost),
     .fallback = "\"charged\"",
     .choices = costs,
     .help = "`charged`: every request costs `epsilon` when it is received, as in figure 4 of the paper. "
             "`merged`: only one that finds the "
             "server asleep does; equations (1) to (4) of the paper hold for this."},
    {.name = "budget",
     .type = GRT_FIELD_TIME,
     .offset = AT(budget),
     .fallback = "\"0ns\"",
     .max = GRT_TIME_LIMIT,
     .help = "A request is cut when so much time has passed since the server took it and its task has not "
             "been notified, whatever the "
             "server computed meanwhile: its job is aborted, what the device has begun runs out, then the "
             "next request is taken. 0: never."},
};

const struct grt_record server_parameters_record = {
    .name = "gpu-server",
    .size = sizeof(struct grt_server_parameters),
    .fields = fields,
    .field_count = GRT_FIELD_COUNT(fields),
    .help = "Parameters of `gpu-server`.",
};

const struct grt_server_parameters server_permissive = {.core = -1};

struct grt_server_parameters grt_server_default_parameters(void) {
    struct grt_server_parameters parameters;
    grt_record_defaults(&server_parameters_record, &parameters);
    return parameters;
}
