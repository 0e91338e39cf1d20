#include "policies/pruda/records.h"

#include <stddef.h>

#include "models/task.h"
#include "sim/time.h"

static const char *const orders[] = {"edf", "fp", "grub", NULL};
static const char *const plain_orders[] = {"edf", "fp", NULL}; /* without servers */
static const char *const aborts[] = {"never", "best_effort", NULL};
static const char *const memories[] = {"explicit", "unified", NULL};
static const char *const co_runs[] = {"wait", "allowed", NULL};
static const char *const levels[] = {"refused", "accepted", NULL};

#define OF_SERVER(member) offsetof(struct pruda_server_fields, member)

static const struct grt_field server_fields[] = {
    {.name = "task",
     .type = GRT_FIELD_NAME,
     .offset = OF_SERVER(task),
     .min = 1,
     .max = 64,
     .help = "The name of its task."},
    {.name = "budget",
     .type = GRT_FIELD_TIME,
     .offset = OF_SERVER(budget),
     .fallback = "",
     .min = 1,
     .max = GRT_TIME_LIMIT,
     .help = "What it gets of the GPU in every period. Without: the longest time of a job's GPU segments."},
    {.name = "period",
     .type = GRT_FIELD_TIME,
     .offset = OF_SERVER(period),
     .fallback = "",
     .min = 1,
     .max = GRT_TIME_LIMIT,
     .help = "Its period. Without: the task's."},
};

static const struct grt_record server_record = {
    .name = "PRUDA server",
    .size = sizeof(struct pruda_server_fields),
    .fields = server_fields,
    .field_count = GRT_FIELD_COUNT(server_fields),
    .help = "A bandwidth server of the order `grub`.",
};

#define OF_PIN(member) offsetof(struct pruda_pin_fields, member)

static const struct grt_field pin_fields[] = {
    {.name = "task",
     .type = GRT_FIELD_NAME,
     .offset = OF_PIN(task),
     .min = 1,
     .max = 64,
     .help = "The name of a task."},
    {.name = "sm",
     .type = GRT_FIELD_INTEGER,
     .offset = OF_PIN(sm),
     .min = 0,
     .max = GRT_DEVICE_MAX_SMS - 1,
     .help = "The first SM on which its kernels work."},
    {.name = "sms",
     .type = GRT_FIELD_INTEGER,
     .offset = OF_PIN(sms),
     .fallback = "1",
     .min = 1,
     .max = GRT_DEVICE_MAX_SMS,
     .help = "On how many SMs they do, from that one on."},
};

static const struct grt_record pin_record = {
    .name = "PRUDA pin",
    .size = sizeof(struct pruda_pin_fields),
    .fields = pin_fields,
    .field_count = GRT_FIELD_COUNT(pin_fields),
    .help = "A task that is pinned to SMs.",
};

#define AT(member) offsetof(struct pruda_parameters, member)

#define CHOICE(field, first, words, text)                                                                    \
    {                                                                                                        \
        .name = #field, .type = GRT_FIELD_CHOICE, .offset = AT(field), .fallback = first, .choices = words,  \
        .help = text                                                                                         \
    }

#define ORDER                                                                                                \
    CHOICE(order, "\"edf\"", orders,                                                                         \
           "Who goes first: `edf`: the earliest absolute deadline. `fp`: the highest priority. `grub`: the " \
           "earliest deadline of the tasks' bandwidth servers, which share what others leave (Lipari and "   \
           "Baruah, ECRTS 2000).")
#define ABORT                                                                                                \
    CHOICE(abort, "\"never\"", aborts,                                                                       \
           "`best_effort`: a job without a deadline that has the GPU is aborted as soon as one with a "      \
           "deadline waits, and such jobs go behind all with deadlines. Blocks that run end first.")
#define MEMORY                                                                                               \
    CHOICE(                                                                                                  \
        memory, "\"explicit\"", memories,                                                                    \
        "`unified`: CPU and GPU see the same memory, and the copies between them, of all tasks, are left "   \
        "out. `explicit`: they are executed.")
#define CO_RUN                                                                                               \
    CHOICE(co_run, "\"wait\"", co_runs,                                                                      \
           "What happens where the preempted job ends before the one that preempted it, which the paper "    \
           "leaves open: `wait`: jobs wait until that one ends, too. `allowed`: the first of them goes to "  \
           "the stream of low priority, and uses what is left over.")
#define ONE_LEVEL                                                                                            \
    CHOICE(one_level, "\"refused\"", levels,                                                                 \
           "What becomes of GPUs with one level of stream priority. `accepted`: both streams have that "     \
           "one, and nobody is preempted.")
#define SERVERS                                                                                              \
    {                                                                                                        \
        .name = "servers", .type = GRT_FIELD_LIST, .offset = AT(servers), .fallback = "",                    \
        .max = GRT_MAX_TASKS, .record = &server_record,                                                      \
        .help = "Servers of the order `grub` that are not as their tasks are: by default a task has one "    \
                "with the longest time of its GPU segments as budget, and its period."                       \
    }

#define PLAIN_ORDER                                                                                          \
    CHOICE(order, "\"edf\"", plain_orders,                                                                   \
           "Who goes first: `edf`: the earliest absolute deadline. `fp`: the highest priority.")
#define PINS                                                                                                 \
    {                                                                                                        \
        .name = "pins", .type = GRT_FIELD_LIST, .offset = AT(pins), .fallback = "", .max = GRT_MAX_TASKS,    \
        .record = &pin_record,                                                                               \
        .help = "The tasks that are pinned to SMs. Tasks with the same SMs share a queue; different parts "  \
                "must not overlap. All other tasks need their GPU for themselves."                           \
    }
#define EXIT_TIME                                                                                            \
    {                                                                                                        \
        .name = "exit_time", .type = GRT_FIELD_TIME, .offset = AT(exit_time), .fallback = "\"1us\"",         \
        .min = 1, .max = GRT_TIME_LIMIT,                                                                     \
        .help = "What a block of a pinned kernel takes that finds itself on another SM, or no work left."    \
    }

static const struct grt_field single_fields[] = {ORDER, ABORT, MEMORY, SERVERS};
static const struct grt_field multi_fields[] = {ORDER, ABORT, MEMORY, SERVERS, CO_RUN, ONE_LEVEL};

static const struct grt_field sm_fields[] = {PLAIN_ORDER, ABORT, MEMORY, CO_RUN, ONE_LEVEL, PINS, EXIT_TIME};

const struct grt_record pruda_single_record = {
    .name = "pruda-single",
    .size = sizeof(struct pruda_parameters),
    .fields = single_fields,
    .field_count = GRT_FIELD_COUNT(single_fields),
    .help = "Parameters of `pruda-single`.",
};

const struct grt_record pruda_multi_record = {
    .name = "pruda-multi",
    .size = sizeof(struct pruda_parameters),
    .fields = multi_fields,
    .field_count = GRT_FIELD_COUNT(multi_fields),
    .help = "Parameters of `pruda-multi`.",
};

const struct grt_record pruda_sm_record = {
    .name = "pruda-sm",
    .size = sizeof(struct pruda_parameters),
    .fields = sm_fields,
    .field_count = GRT_FIELD_COUNT(sm_fields),
    .help = "Parameters of `pruda-sm`.",
};

const struct pruda_parameters pruda_multi_permissive = {.one_level = PRUDA_ONE_LEVEL_ACCEPTED};
