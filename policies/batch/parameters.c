/* The parameters of the batch schedulers as scenario files give them. */
#include "policies/batch/parameters.h"

#include <stddef.h>

#include "models/demand/profile.h"

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
    {.name = "scheduler_blocks",
     .type = GRT_FIELD_INTEGER,
     .offset = AT(scheduler_blocks),
     .fallback = "1",
     .max = 1024,
     .help = "gpu-synchronize, gpu-atomics: the blocks of the kernel that is the scheduler, which stay on "
             "the GPU. 0: none; the scheduler takes no room, "
             "and its kernels are launched as if by the host."},
    {.name = "scheduler_threads",
     .type = GRT_FIELD_INTEGER,
     .offset = AT(scheduler_threads),
     .fallback = "256",
     .min = 1,
     .max = 1024,
     .help = "gpu-synchronize, gpu-atomics: the threads of each of them."},
    {.name = "device_issue_time",
     .type = GRT_FIELD_TIME,
     .offset = AT(device_issue_time),
     .fallback = "\"10us\"",
     .max = GRT_TIME_LIMIT,
     .help = "gpu-synchronize, gpu-atomics: what every launch and every beginning of a copy takes the thread "
             "of the scheduler's kernel, in place of "
             "`issue_time`; what it takes the device to launch comes on top of it. Not measured."},
    {.name = "device_decision_time",
     .type = GRT_FIELD_TIME,
     .offset = AT(device_decision_time),
     .fallback = "\"100us\"",
     .max = GRT_TIME_LIMIT,
     .help = "gpu-synchronize, gpu-atomics: what it takes that thread to choose a batch, in place of "
             "`decision_time`: one thread of a GPU is about ten "
             "times slower than one of a CPU. Not measured."},
    {.name = "message_time",
     .type = GRT_FIELD_TIME,
     .offset = AT(message_time),
     .fallback = "\"10us\"",
     .max = GRT_TIME_LIMIT,
     .help = "gpu-synchronize, gpu-atomics: what a message between host and device takes, over zero-copy "
             "memory: that data has arrived, that it is done. "
             "Some round trips over PCIe; not measured."},
    {.name = "synchronize_time",
     .type = GRT_FIELD_TIME,
     .offset = AT(synchronize_time),
     .fallback = "\"100us\"",
     .max = GRT_TIME_LIMIT,
     .help = "gpu-synchronize: the time from the end of a kernel until the device's synchronisation with it "
             "returns. Not measured."},
    {.name = "zero_copy_percent",
     .type = GRT_FIELD_INTEGER,
     .offset = AT(zero_copy_percent),
     .fallback = "104",
     .min = 100,
     .max = 10000,
     .help = "gpu-synchronize, gpu-atomics: how many bytes copies take over zero-copy memory, in percent of "
             "their own. Not measured."},
};

#define RECORD(of)                                                                                           \
    {                                                                                                        \
        .name = of, .size = sizeof(struct batch_parameters), .fields = fields,                               \
        .field_count = GRT_FIELD_COUNT(fields),                                                              \
        .help = "Parameters of the batch schedulers. All of them take all: what one has no use for changes " \
                "nothing."                                                                                   \
    }

const struct grt_record batch_parameters_record = RECORD("batch schedulers");
const struct grt_record batch_device_parameters_record = RECORD("batch schedulers on the device");

const struct batch_parameters batch_permissive = {
    .batch = 2, .core = -1, .profile_runs = 1, .scheduler_threads = 1, .zero_copy_percent = 100};

bool batch_can_be_profiled(const struct grt_scenario *scenario, uint32_t task,
                           const struct batch_parameters *given) {
    return grt_profile_blocks(scenario, task, (uint32_t)given->profile_runs) <= BATCH_MOST_PROFILED;
}

struct batch_parameters batch_default_parameters(void) {
    struct batch_parameters parameters;
    grt_record_defaults(&batch_parameters_record, &parameters);
    return parameters;
}
