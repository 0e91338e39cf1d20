/* The tables of what axes may change: generator, surroundings, evaluations. */
#include <stddef.h>

#include "models/priority.h"
#include "models/task/rule_names.h"
#include "scenarios/experiment/fields.h"

static const char *const kinds[] = {"analysis", "simulation", "verify", "training", NULL};
static const char *const models[] = {"network", "linear", "nearest", NULL};
static const char *const trainings[] = {"quick", "full", NULL};

enum { MOST_PATTERNS = 1000000, MOST_JOBS = 1000000, MOST_PERIODS = 1000000 };

static const struct grt_field sets_fields[] = {
    {.name = "generator",
     .type = GRT_FIELD_CUSTOM,
     .offset = 0,
     .custom = GRT_CUSTOM_GENERATOR,
     .help = "How the task sets are drawn."},
};

const struct grt_record grt_sets_record = {
    .name = "sets",
    .size = sizeof(struct grt_sets_fields),
    .fields = sets_fields,
    .field_count = GRT_FIELD_COUNT(sets_fields),
    .help = "Which task sets there are.",
};

static const struct grt_field generator_fields[] = {
    {.name = "name",
     .type = GRT_FIELD_NAME,
     .offset = 0,
     .help = "Which generator; the tables below give the parameters of each."},
};

const struct grt_record grt_generator_record = {
    .name = "generator",
    .size = sizeof(const char *),
    .fields = generator_fields,
    .field_count = GRT_FIELD_COUNT(generator_fields),
    .help = "A generator and its own parameters.",
};

/* Of an evaluation and of all; `in` is the member of the struct that has them. */
#define SETTING_FIELDS(owner, in, otherwise)                                                                 \
    {.name = "platform",                                                                                     \
     .type = GRT_FIELD_OBJECT,                                                                               \
     .offset = offsetof(struct owner, in.platform),                                                          \
     .fallback = "",                                                                                         \
     .record = &grt_bare_platform_record,                                                                    \
     .help = "What the tasks run on; where whole scenarios are drawn, only in an evaluation, instead of "    \
             "theirs. " otherwise},                                                                          \
        {.name = "priorities",                                                                               \
         .type = GRT_FIELD_CHOICE,                                                                           \
         .offset = offsetof(struct owner, in.priorities),                                                    \
         .fallback = "",                                                                                     \
         .choices = &grt_priority_rule_names[1],                                                             \
         .help = "By which rule priorities are given instead of those that were drawn, as in scenarios. "    \
                 "" otherwise},                                                                              \
        {.name = "priority_analysis",                                                                        \
         .type = GRT_FIELD_NAME,                                                                             \
         .offset = offsetof(struct owner, in.priority_analysis),                                             \
         .fallback = "",                                                                                     \
         .help = "The analysis that Audsley's algorithm asks. Only with `priorities` audsley. " otherwise},  \
        {.name = "networks",                                                                                 \
         .type = GRT_FIELD_CUSTOM,                                                                           \
         .offset = offsetof(struct owner, in.networks),                                                      \
         .fallback = "",                                                                                     \
         .custom = GRT_CUSTOM_NETWORKS,                                                                      \
         .help = "Performance models for policies that predict times (wamp2s): a file as `gpurt train` "     \
                 "writes it, relative to the experiment's folder. " otherwise},                              \
        {.name = "train",                                                                                    \
         .type = GRT_FIELD_CHOICE,                                                                           \
         .offset = offsetof(struct owner, in.train),                                                         \
         .fallback = "",                                                                                     \
         .choices = trainings,                                                                               \
         .help = "How well such models are trained, once for all task sets, where there is no such file. "   \
                 "" otherwise},                                                                              \
    {                                                                                                        \
        .name = "horizon", .type = GRT_FIELD_CUSTOM, .offset = offsetof(struct owner, in.end),               \
        .fallback = "", .custom = GRT_CUSTOM_END,                                                            \
        .help = "How long simulations go, where that is not left to the generator: ten longest periods of "  \
                "the set; with `applications` two, but from 60 s to 300 s; with `scenario` as its file "     \
                "says. " otherwise                                                                           \
    }

static const struct grt_field plan_fields[] = {
    SETTING_FIELDS(grt_plan_fields, setting, "Of all evaluations that do not say otherwise."),
    {.name = "evaluations",
     .type = GRT_FIELD_LIST,
     .offset = offsetof(struct grt_plan_fields, evaluations),
     .min = 1,
     .max = GRT_MOST_EVALUATIONS,
     .record = &grt_evaluation_record,
     .help = "What is asked of every task set. All evaluations of a point see the same sets."},
};

const struct grt_record grt_plan_record = {
    .name = "plan",
    .size = sizeof(struct grt_plan_fields),
    .fields = plan_fields,
    .field_count = GRT_FIELD_COUNT(plan_fields),
    .help = "What is done with the task sets.",
};

#define AT(member) offsetof(struct grt_evaluation_fields, member)

static const struct grt_field evaluation_fields[] = {
    {.name = "name",
     .type = GRT_FIELD_NAME,
     .offset = AT(name),
     .help = "Name of the evaluation in results."},
    {.name = "label",
     .type = GRT_FIELD_NAME,
     .offset = AT(label),
     .fallback = "",
     .min = 1,
     .max = 200,
     .help = "The evaluation in legends; of no other evaluation of the same `group`. Default: the name."},
    {.name = "group",
     .type = GRT_FIELD_NAME,
     .offset = AT(group),
     .fallback = "",
     .min = 1,
     .max = 200,
     .help = "The panel of figures in which the evaluation is drawn, by its title. All evaluations have "
             "one, or none. Default: all evaluations in one panel."},
    {.name = "kind",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(kind),
     .choices = kinds,
     .help = "Whether analyses prove the set, a simulation misses a deadline, or simulations of several "
             "release patterns contradict the analyses; or how good performance models of its kernels are."},
    {.name = "policy",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(policy),
     .fallback = "",
     .custom = GRT_CUSTOM_POLICY,
     .help =
         "Who may use the GPUs when. Default: that of a scenario that is drawn whole; else of an analysis "
         "the first that it speaks of; one that speaks of none is asked whatever the policy is."},
    {.name = "analysis",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(analysis),
     .fallback = "",
     .custom = GRT_CUSTOM_ANALYSIS,
     .help = "Which analyses are asked, as `gpurt analyze --list` names them: the answer is yes where one of "
             "them proves each GPU's tasks. Not of simulations. Default: all that speak of the policy."},
    {.name = "options",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(options),
     .fallback = "",
     .custom = GRT_CUSTOM_OPTIONS,
     .help = "Options of the analysis, as `gpurt analyze --list` shows them; only where one is named."},
    {.name = "stop_at_miss",
     .type = GRT_FIELD_BOOLEAN,
     .offset = AT(stop_at_miss),
     .fallback = "false",
     .help = "Of simulations: they end at the first missed deadline."},
    {.name = "measures",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(measures),
     .fallback = "",
     .min = 1,
     .max = GRT_MOST_MEASURES,
     .custom = GRT_CUSTOM_NAME_LIST,
     .help = "Of what means are wanted: a measure, that of a task as `MEASURE:TASK`, or a quotient of two "
             "under a "
             "name, `NAME=ONE/OTHER`, of which each may be another evaluation's, `EVALUATION.MEASURE`. "
             "Default: the usual ones of the kind."},
    {.name = "patterns",
     .type = GRT_FIELD_INTEGER,
     .offset = AT(patterns),
     .fallback = "20",
     .min = 1,
     .max = MOST_PATTERNS,
     .help = "Of verify: how many release patterns are simulated."},
    {.name = "jobs",
     .type = GRT_FIELD_INTEGER,
     .offset = AT(jobs),
     .fallback = "0",
     .min = 1,
     .max = MOST_JOBS,
     .help = "Of verify: of how many jobs a pattern is about. Default: as `gpurt verify`."},
    {.name = "kernel",
     .type = GRT_FIELD_NAME,
     .offset = AT(kernel),
     .fallback = "",
     .help = "Of training: the kernel that a model is trained for. Default: all that have a usage with "
             "counters, one after the other; a measure is the largest of theirs."},
    {.name = "model",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(model),
     .fallback = "\"network\"",
     .choices = models,
     .help = "Of training: the network that `gpurt train` makes, or what it is held against there."},
    SETTING_FIELDS(grt_evaluation_fields, setting, "Default: the experiment's."),
};

const struct grt_record grt_evaluation_record = {
    .name = "evaluation",
    .size = sizeof(struct grt_evaluation_fields),
    .fields = evaluation_fields,
    .field_count = GRT_FIELD_COUNT(evaluation_fields),
    .help = "One question to every task set.",
};

static const struct grt_field periods_fields[] = {
    {.name = "periods",
     .type = GRT_FIELD_NUMBER,
     .offset = 0,
     .min = 0,
     .max = MOST_PERIODS,
     .help = "So many times the longest period of the set, above 0."},
};

const struct grt_record grt_periods_record = {
    .name = "periods",
    .size = sizeof(double),
    .fields = periods_fields,
    .field_count = GRT_FIELD_COUNT(periods_fields),
    .help = "An end of simulations that goes by the tasks.",
};
