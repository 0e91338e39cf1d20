/* The tables of the root and the platform. */
#include <stddef.h>
#include <string.h>

#include "models/allocation.h"
#include "models/task/rule_names.h"
#include "scenarios/assignment.h"
#include "scenarios/records.h"

static const char *const tie_rules[] = {"task", "arrival", "shuffle", NULL};
static const char *const allocation_counts[] = {"cpu", "cpu-and-gpu", NULL};

#define AT(member) offsetof(struct grt_scenario_fields, member)

static const struct grt_field scenario_fields[] = {
    {.name = "gpurt",
     .type = GRT_FIELD_INTEGER,
     .offset = AT(version),
     .min = 1,
     .max = 1,
     .help = "Version of the format."},
    {.name = "name",
     .type = GRT_FIELD_NAME,
     .offset = AT(name),
     .fallback = "\"unnamed\"",
     .help = "Name of the scenario, shown with its results."},
    {.name = "description",
     .type = GRT_FIELD_NAME,
     .offset = AT(description),
     .fallback = "\"\"",
     .max = 4096,
     .help = "What the scenario shows, for people."},
    {.name = "source",
     .type = GRT_FIELD_NAME,
     .offset = AT(source),
     .fallback = "\"\"",
     .max = 4096,
     .help = "Where the scenario comes from: a paper and figure, an experiment. For people."},
    {.name = "seed",
     .type = GRT_FIELD_INTEGER,
     .offset = AT(seed),
     .fallback = "1",
     .max = GRT_INTEGER_LIMIT,
     .help = "Start of all random numbers, from 0 to 2^53 - 1. Releases and execution times depend on it and "
             "not on the policy."},
    {.name = "horizon",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(horizon),
     .custom = GRT_CUSTOM_HORIZON,
     .help =
         "How long to simulate: the time from 0 up to, but without, the horizon. Jobs that would be released "
         "at the horizon itself are not, while what completes at it still counts. `\"hyperperiod\"`: the "
         "largest offset plus the least common multiple of the periods, which needs periodic tasks (and "
         "tasks after them). `\"auto\"`: until the state repeats, or for 100 hyperperiods if it does not, as "
         "the results then say; it also needs constant times, no jitter and a policy "
         "without a state of its own (not tdm, mpcp, fmlp+, gpu-server, pruda-multi, pruda-sm)."},
    {.name = "ties",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(ties),
     .fallback = "\"task\"",
     .choices = tie_rules,
     .help = "Who goes first among jobs that the policy holds equal: the task that comes first in the file, "
             "the job that "
             "was released first, or one drawn by chance."},
    {.name = "platform",
     .type = GRT_FIELD_OBJECT,
     .offset = AT(platform),
     .record = &grt_platform_record,
     .help = "CPU cores and GPUs."},
    {.name = "policy",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(policy),
     .fallback = "{\"name\":\"hardware\"}",
     .custom = GRT_CUSTOM_POLICY,
     .help = "Who may use the GPUs when."},
    {.name = "priorities",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(priorities),
     .fallback = "",
     .choices = grt_priority_choices,
     .help =
         "How the tasks' priorities are found, where they do not say them: by their periods "
         "(rate-monotonic), by their deadlines (deadline-monotonic), in both cases then by their place in "
         "the "
         "file, or by Audsley's algorithm, such that an analysis proves all deadlines; where there are none "
         "the scenario is refused. Default: as the tasks say, or rate monotonic."},
    {.name = "priority_analysis",
     .type = GRT_FIELD_NAME,
     .offset = AT(priority_analysis),
     .fallback = "",
     .help =
         "The analysis that Audsley's algorithm asks, as `gpurt analyze --list` names it; it must not depend "
         "on the order of higher or of lower tasks: np-fp-response, fp-response or gpu-server. Only with "
         "`priorities` "
         "audsley. Default: the first of the policy's that it may ask."},
    {.name = "kernels",
     .type = GRT_FIELD_CUSTOM,
     .fallback = "",
     .custom = GRT_CUSTOM_KERNELS,
     .help =
         "Definitions of kernels, which the tasks' kernels take by their name or by `like`: a kernel file as "
         "`gpurt-calib` writes it, relative to the scenario's folder, or a list of such files and of "
         "definitions in place. No two are of one name. Default: none."},
    {.name = "tasks",
     .type = GRT_FIELD_LIST,
     .offset = AT(tasks),
     .min = 1,
     .max = GRT_MAX_TASKS,
     .record = &grt_task_record,
     .help = "The tasks. Their order decides ties."},
    {.name = "networks",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(networks),
     .fallback = "",
     .custom = GRT_CUSTOM_NETWORKS,
     .help =
         "Performance models of kernels for policies that predict times (wamp2s): a file as `gpurt train` "
         "writes it, relative to the scenario's folder. One of them at least must be of a kernel of the "
         "tasks. Default: none; such a policy then trains its own."},
    {.name = "expect",
     .type = GRT_FIELD_OBJECT,
     .offset = AT(expect),
     .fallback = "{}",
     .record = &grt_expect_record,
     .help = "What should come out, checked where a scenario is run as a test."},
};

const struct grt_record grt_scenario_record = {
    .name = "scenario",
    .size = sizeof(struct grt_scenario_fields),
    .fields = scenario_fields,
    .field_count = GRT_FIELD_COUNT(scenario_fields),
    .help = "The whole file is one JSON object. Unknown and repeated fields are errors.",
};

static const struct grt_field platform_fields[] = {
    {.name = "cpus",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(struct grt_platform_fields, cpus),
     .fallback = "0",
     .max = GRT_MAX_CORES,
     .help = "Number of CPU cores, which the tasks share by priority. 0: every task has a core of its own."},
    {.name = "allocation",
     .type = GRT_FIELD_CHOICE,
     .offset = offsetof(struct grt_platform_fields, allocation),
     .fallback = "\"given\"",
     .choices = grt_allocation_rule_names,
     .help =
         "How tasks get their cores: each says its own (given), or they are put on cores by decreasing "
         "utilisation, each on the first core that has room, on the fullest of these or on the emptiest. No "
         "core gets more than it has time for; where one finds no room the scenario is refused."},
    {.name = "allocation_counts",
     .type = GRT_FIELD_CHOICE,
     .offset = offsetof(struct grt_platform_fields, allocation_counts),
     .fallback = "\"cpu\"",
     .choices = allocation_counts,
     .help =
         "What counts as a task's utilisation of its core: its CPU segments and the host's part of its GPU "
         "segments (cpu), or all of its GPU segments, too, for policies under which tasks busy-wait while "
         "the GPU works (cpu-and-gpu). Only with an `allocation` other than given."},
    {.name = "context_switch",
     .type = GRT_FIELD_TIME,
     .offset = offsetof(struct grt_platform_fields, context_switch),
     .fallback = "\"0ns\"",
     .max = GRT_TIME_LIMIT,
     .help = "What a core computes whenever it takes up another thread than the one that it had last, before "
             "that goes on: in its time and at its priority."},
    {.name = "wake_up",
     .type = GRT_FIELD_TIME,
     .offset = offsetof(struct grt_platform_fields, wake_up),
     .fallback = "\"0ns\"",
     .max = GRT_TIME_LIMIT,
     .help = "What a thread computes in front of its work whenever it becomes ready after it had none: when "
             "a job is released, a "
             "GPU has completed its commands, a thread of the policy is asked."},
    {.name = "gpus",
     .type = GRT_FIELD_CUSTOM,
     .offset = offsetof(struct grt_platform_fields, gpus),
     .min = 1,
     .max = GRT_MAX_GPUS,
     .custom = GRT_CUSTOM_GPUS,
     .help = "The GPUs. A task names its own by its place in this list, from 0; the instances of a GPU with "
             "`mig` have places of their own. There are at most 8, instances included."},
    {.name = "processes",
     .type = GRT_FIELD_LIST,
     .offset = offsetof(struct grt_platform_fields, processes),
     .fallback = "[]",
     .max = GRT_MAX_PROCESSES,
     .record = &grt_process_record,
     .help = "What is particular about processes that tasks name; the others need not be listed."},
    {.name = "groups",
     .type = GRT_FIELD_LIST,
     .offset = offsetof(struct grt_platform_fields, groups),
     .fallback = "[]",
     .max = GRT_MAX_GROUPS,
     .record = &grt_group_record,
     .help = "Parts of the SMs that tasks can be kept to. Not on GPUs with `granularity` shares."},
};

const struct grt_record grt_platform_record = {
    .name = "platform",
    .size = sizeof(struct grt_platform_fields),
    .fields = platform_fields,
    .field_count = GRT_FIELD_COUNT(platform_fields),
    .help = "What the tasks run on.",
};

/* Without the last two, which are of a scenario's own tasks. */
const struct grt_record grt_bare_platform_record = {
    .name = "platform",
    .size = sizeof(struct grt_platform_fields),
    .fields = platform_fields,
    .field_count = GRT_FIELD_COUNT(platform_fields) - 2,
    .help = "What the tasks run on.",
};

static const char *const interleaves[] = {"low", "medium", "high", NULL};

static const struct grt_field process_fields[] = {
    {.name = "name",
     .type = GRT_FIELD_NAME,
     .offset = offsetof(struct grt_process, name),
     .help = "The process, as tasks name it; `main` for those that name none."},
    {.name = "time_slice",
     .type = GRT_FIELD_TIME,
     .offset = offsetof(struct grt_process, spec.time_slice),
     .fallback = "",
     .min = 1,
     .max = GRT_TIME_LIMIT,
     .help =
         "The longest turn of the process while another one waits. Default: the device's `time_slice`, and "
         "`copy_time_slice` on copy engines with turns of their own. Rule T3r."},
    {.name = "interleave",
     .type = GRT_FIELD_CHOICE,
     .offset = offsetof(struct grt_process, spec.interleave),
     .fallback = "\"low\"",
     .choices = interleaves,
     .help =
         "How often it has its turn: once in a round (low), before each of those (medium), before each of "
         "all these (high). Rule T6r."},
    {.name = "priority",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(struct grt_process, spec.priority),
     .fallback = "0",
     .help =
         "Where processes differ in it, software keeps only the most urgent ones that have work for the SMs "
         "on their runlist, the others wait; larger is more urgent. Rule T9r."},
    {.name = "active_thread_percentage",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(struct grt_process, spec.active_thread_percentage),
     .fallback = "100",
     .min = 1,
     .max = 100,
     .help = "On a GPU with `mps`, the part of its TPCs on which the process may have blocks at a time; it "
             "reserves none. From compute capability 7.0 on. Without `mps` it is refused, unless the "
             "scenario writes "
             "that `mps` is `false`; with `granularity` shares in any case. Rule M3."},
};

const struct grt_record grt_process_record = {
    .name = "process",
    .size = sizeof(struct grt_process),
    .fields = process_fields,
    .field_count = GRT_FIELD_COUNT(process_fields),
    .help = "How a process shares the GPUs: its turns, or under MPS its part.",
};

GRT_READER(grt_read_horizon) {
    struct grt_horizon_fields *horizon = out;
    const char *text = cJSON_IsString(value) ? value->valuestring : "";
    if (strcmp(text, "hyperperiod") == 0) {
        horizon->kind = GRT_HORIZON_HYPERPERIOD;
    } else if (strcmp(text, "auto") == 0) {
        horizon->kind = GRT_HORIZON_AUTO;
    } else if (text[0] == '\0' || strchr("-0123456789", text[0]) == NULL) {
        grt_read_error(reader, path, value, "must be a duration such as \"2s\", \"hyperperiod\" or \"auto\"");
    } else {
        const struct grt_field span = {
            .name = field->name, .type = GRT_FIELD_TIME, .min = 1, .max = GRT_TIME_LIMIT};
        horizon->kind = GRT_HORIZON_FIXED;
        grt_read_plain_value(reader, &span, value, path, &horizon->span);
    }
}
