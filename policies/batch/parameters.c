/* The parameters of the batch schedulers as scenario files give them. */
#include "policies/batch/parameters.h"

#include <stddef.h>

static const struct grt_field average_fields[] = {
    {.name = "task",
     .type = GRT_FIELD_NAME,
     .offset = offsetof(struct batch_average, task),
     .min = 1,
     .max = 64,
     .help = "The name of the task."},
    {.name = "time",
     .type = GRT_FIELD_TIME,
     .offset = offsetof(struct batch_average, time),
     .max = GRT_TIME_LIMIT,
     .help = "The average runtime of its GPU segments, all together."},
};

static const struct grt_record average_record = {
    .name = "average runtime",
    .size = sizeof(struct batch_average),
    .fields = average_fields,
    .field_count = GRT_FIELD_COUNT(average_fields),
    .help = "The average runtime of a task in the priorities of batch schedulers.",
};

#define AT(member) offsetof(struct batch_parameters, member)

static const struct grt_field fields[] = {
    {.name = "batch",
     .type = GRT_FIELD_INTEGER,
     .offset = AT(batch),
     .fallback = "2",
     .min = 1,
     .max = BATCH_MOST,
     .help = "How many jobs a batch has at most; 2 in the paper."},
    {.name = "issue_time",
     .type = GRT_FIELD_TIME,
     .offset = AT(issue_time),
     .fallback = "\"4us\"",
     .max = GRT_TIME_LIMIT,
     .help = "What every call takes the thread of the scheduler: a copy, a launch, an event. 4 us is the "
             "least that a profiler showed for a launch on a "
             "computer of 2014 (NVIDIA's forum, topic 58104); not measured."},
    {.name = "decision_time",
     .type = GRT_FIELD_TIME,
     .offset = AT(decision_time),
     .fallback = "\"10us\"",
     .max = GRT_TIME_LIMIT,
     .help = "What it takes the thread to choose a batch. Not measured."},
    {.name = "cpu",
     .type = GRT_FIELD_INTEGER,
     .offset = AT(core),
     .fallback = "-1",
     .min = -1,
     .max = 4095,
     .help = "The core of the thread of the first GPU's scheduler, which is more urgent than every task "
             "there; those of other GPUs are on the "
             "cores behind it. -1: each has a core of its own."},
    {.name = "profile_runs",
     .type = GRT_FIELD_INTEGER,
     .offset = AT(profile_runs),
     .fallback = "20",
     .min = 1,
     .max = 1000,
     .help = "From how many executions alone, with times drawn, the average runtime of a task is computed. "
             "Not measured in the run."},
    {.name = "average_runtimes",
     .type = GRT_FIELD_LIST,
     .offset = AT(averages),
     .fallback = "",
     .record = &average_record,
     .max = 4096,
     .help = "Tasks whose average runtime is given; that of the others is profiled."},
    {.name = "poll_interval",
     .type = GRT_FIELD_TIME,
     .offset = AT(poll_interval),
     .fallback = "\"1us\"",
     .max = GRT_TIME_LIMIT,
     .help = "cpu-order: what it takes to look once whether a kernel has ended, over and over until one has. "
             "Not measured."},
    {.name = "atomic_time",
     .type = GRT_FIELD_TIME,
     .offset = AT(atomic_time),
     .fallback = "\"44ns\"",
     .max = GRT_SECOND,
     .help = "cpu-order, gpu-atomics: what counting itself takes each thread of a kernel at its end, one "
             "after the other: a block takes longer by this "
             "for every thread that is resident with it. 44 ns is a thirty-second of a round trip over PCIe "
             "of 1.4 us; not measured."},
};

const struct grt_record batch_parameters_record = {
    .name = "batch schedulers",
    .size = sizeof(struct batch_parameters),
    .fields = fields,
    .field_count = GRT_FIELD_COUNT(fields),
    .help =
        "Parameters of the batch schedulers. All of them take all: what one has no use for changes nothing.",
};

const struct batch_parameters batch_permissive = {.batch = 2, .core = -1, .profile_runs = 1};

struct batch_parameters batch_default_parameters(void) {
    struct batch_parameters parameters;
    grt_record_defaults(&batch_parameters_record, &parameters);
    return parameters;
}
