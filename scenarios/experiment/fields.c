/* The tables of the root, the axes, and what is said of the results. */
#include "scenarios/experiment/fields.h"

#include <stddef.h>

#define AT(member) offsetof(struct grt_experiment_fields, member)

enum { TEXT_LENGTH = 4096, TITLE_LENGTH = 200, MOST_SAID = 10000 };

static const struct grt_field experiment_fields[] = {
    {.name = "gpurt_experiment",
     .type = GRT_FIELD_INTEGER,
     .offset = AT(version),
     .min = 1,
     .max = 1,
     .help = "Version of the format."},
    {.name = "name",
     .type = GRT_FIELD_NAME,
     .offset = AT(name),
     .help = "Name of the experiment, for files and for `gpurt papers`: without `/`, not beginning with `.` "
             "or `-`."},
    {.name = "title",
     .type = GRT_FIELD_NAME,
     .offset = AT(title),
     .fallback = "",
     .min = 1,
     .max = TITLE_LENGTH,
     .help = "What is found out, in a line. Default: the name."},
    {.name = "description",
     .type = GRT_FIELD_NAME,
     .offset = AT(description),
     .fallback = "\"\"",
     .max = TEXT_LENGTH,
     .help = "More of it, for people."},
    {.name = "source",
     .type = GRT_FIELD_NAME,
     .offset = AT(source),
     .fallback = "\"\"",
     .max = TEXT_LENGTH,
     .help = "Whose experiment it is: a paper and figure. For people."},
    {.name = "seed",
     .type = GRT_FIELD_INTEGER,
     .offset = AT(seed),
     .fallback = "1",
     .max = GRT_INTEGER_LIMIT,
     .help = "Start of all random numbers, from 0 to 2^53 - 1. Set k of a point depends on the seed, the "
             "values of the axes without `same_sets` and k."},
    {.name = "samples",
     .type = GRT_FIELD_INTEGER,
     .offset = AT(samples),
     .fallback = "100",
     .min = 1,
     .max = GRT_MOST_SAMPLES,
     .help = "Task sets of each point."},
    {.name = "axes",
     .type = GRT_FIELD_LIST,
     .offset = AT(axes),
     .fallback = "",
     .min = 1,
     .max = GRT_MOST_AXES,
     .record = &grt_axis_record,
     .help = "What is varied. The points are all combinations of values, of the last axis fastest, at most "
             "100000. Default: one point."},
    {.name = "published",
     .type = GRT_FIELD_LIST,
     .offset = AT(published),
     .fallback = "",
     .max = MOST_SAID,
     .record = &grt_published_record,
     .help = "Numbers of others, to be held against the results."},
    {.name = "claims",
     .type = GRT_FIELD_LIST,
     .offset = AT(claims),
     .fallback = "",
     .max = MOST_SAID,
     .record = &grt_claim_record,
     .help = "What others say of the results that is no number."},
    {.name = "plot",
     .type = GRT_FIELD_OBJECT,
     .offset = AT(plot),
     .fallback = "{}",
     .record = &grt_plot_record,
     .help = "How the results are drawn."},
};

const struct grt_record grt_experiment_record = {
    .name = "experiment",
    .size = sizeof(struct grt_experiment_fields),
    .fields = experiment_fields,
    .field_count = GRT_FIELD_COUNT(experiment_fields),
    .help = "The whole file is one JSON object. Unknown and repeated fields are errors.",
};

#undef AT
#define AT(member) offsetof(struct grt_axis_fields, member)

static const struct grt_field axis_fields[] = {
    {.name = "name",
     .type = GRT_FIELD_NAME,
     .offset = AT(name),
     .help =
         "Name of the column: letters, digits, `_`, `-` and `.`; of no other column of the results, also not "
         "in capital letters, and of no measure."},
    {.name = "label",
     .type = GRT_FIELD_NAME,
     .offset = AT(label),
     .fallback = "",
     .min = 1,
     .max = TITLE_LENGTH,
     .help = "The axis for people. Default: the name."},
    {.name = "path",
     .type = GRT_FIELD_NAME,
     .offset = AT(path),
     .fallback = "",
     .min = 1,
     .max = TITLE_LENGTH,
     .help = "Where in this file the values are put, as in `generator.utilisation` or "
             "`evaluations[0].policy.epsilon`. What is there already is replaced, except what an axis "
             "before has put there: that is an error. Default: nowhere; then every value has a `set`."},
    {.name = "values",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(values),
     .fallback = "",
     .custom = GRT_CUSTOM_AXIS_VALUES,
     .help = "The values. A plain one is its own text in results."},
    {.name = "from",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(from),
     .fallback = "",
     .custom = GRT_CUSTOM_AXIS_BOUND,
     .help = "Instead of `values`: the first of them."},
    {.name = "to",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(to),
     .fallback = "",
     .custom = GRT_CUSTOM_AXIS_BOUND,
     .help = "The last one; so many steps have to lead to it. In decimals: from 0.1 to 0.9 in steps of 0.1 "
             "are nine values."},
    {.name = "step",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(step),
     .fallback = "",
     .custom = GRT_CUSTOM_AXIS_BOUND,
     .help = "What lies between two of them, above 0."},
    {.name = "same_sets",
     .type = GRT_FIELD_BOOLEAN,
     .offset = AT(same_sets),
     .fallback = "false",
     .help = "The values see the same task sets: they change something else than the generator."},
};

const struct grt_record grt_axis_record = {
    .name = "axis",
    .size = sizeof(struct grt_axis_fields),
    .fields = axis_fields,
    .field_count = GRT_FIELD_COUNT(axis_fields),
    .help = "One thing that is varied: `values`, or `from`, `to` and `step`.",
};

#undef AT
#define AT(member) offsetof(struct grt_published_fields, member)

#define AT_FIELD                                                                                             \
    {                                                                                                        \
        .name = "at", .type = GRT_FIELD_CUSTOM, .offset = AT(at), .fallback = "", .custom = GRT_CUSTOM_AT,   \
        .help = "Of which points: values of some of the axes, as in `{\"cores\": \"4\"}`. Default: all of "  \
                "them."                                                                                      \
    }
#define MEASURE_FIELD                                                                                        \
    {                                                                                                        \
        .name = "measure", .type = GRT_FIELD_NAME, .offset = AT(measure), .fallback = "\"ratio\"",           \
        .help = "Of what: `ratio`, of sets for which the answer is yes, or a measure of the evaluation."     \
    }
#define SOURCE_AND_NOTE_FIELDS                                                                               \
    {.name = "source",                                                                                       \
     .type = GRT_FIELD_NAME,                                                                                 \
     .offset = AT(source),                                                                                   \
     .fallback = "\"\"",                                                                                     \
     .max = TEXT_LENGTH,                                                                                     \
     .help = "Where it is said."},                                                                           \
    {                                                                                                        \
        .name = "note", .type = GRT_FIELD_NAME, .offset = AT(note), .fallback = "\"\"", .max = TEXT_LENGTH,  \
        .help = "Why it does not come out, where it does not."                                               \
    }

static const char *const from_names[] = {"paper", "recalculation", NULL};
const char *const *const grt_published_from_names = from_names;

static const struct grt_field published_fields[] = {
    AT_FIELD,
    {.name = "evaluation",
     .type = GRT_FIELD_NAME,
     .offset = AT(evaluation),
     .help = "Of which evaluation it is."},
    MEASURE_FIELD,
    {.name = "value", .type = GRT_FIELD_NUMBER, .offset = AT(value), .help = "The number."},
    {.name = "digits",
     .type = GRT_FIELD_NUMBER,
     .offset = AT(digits),
     .fallback = "0",
     .max = INT64_C(1000000000000000000),
     .help = "Half of its last digit: how far it may be off by rounding alone."},
    {.name = "samples",
     .type = GRT_FIELD_INTEGER,
     .offset = AT(samples),
     .fallback = "0",
     .max = GRT_INTEGER_LIMIT,
     .help = "Of how many task sets it is; 0: nobody knows."},
    {.name = "from",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(from),
     .fallback = "\"paper\"",
     .choices = from_names,
     .help = "Who says it: a paper, which prints it or what it follows from; or a calculation apart from "
             "gpurt, where no paper prints it. Both are "
             "counted by themselves."},
    SOURCE_AND_NOTE_FIELDS,
};

const struct grt_record grt_published_record = {
    .name = "published",
    .size = sizeof(struct grt_published_fields),
    .fields = published_fields,
    .field_count = GRT_FIELD_COUNT(published_fields),
    .help = "A number of a paper, or one that was calculated apart from gpurt.",
};

#undef AT
#define AT(member) offsetof(struct grt_claim_fields, member)

static const struct grt_field claim_fields[] = {
    {.name = "text",
     .type = GRT_FIELD_NAME,
     .offset = AT(text),
     .min = 1,
     .max = TEXT_LENGTH,
     .help = "What is claimed, in short."},
    AT_FIELD,
    MEASURE_FIELD,
    {.name = "order",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(order),
     .min = 2,
     .max = GRT_MOST_EVALUATIONS,
     .custom = GRT_CUSTOM_NAME_LIST,
     .help = "Evaluations, that with the largest measure first."},
    {.name = "margin",
     .type = GRT_FIELD_NUMBER,
     .offset = AT(margin),
     .fallback = "0",
     .help = "By how much each has to be above the next, at least; negative: by how much it may be below."},
    {.name = "about",
     .type = GRT_FIELD_NUMBER,
     .offset = AT(about),
     .fallback = "0",
     .max = 1,
     .help = "Above 0: they are about the same instead, all within this part of the largest of them."},
    {.name = "everywhere",
     .type = GRT_FIELD_BOOLEAN,
     .offset = AT(everywhere),
     .fallback = "true",
     .help = "At all of the points; else at one of them at least."},
    SOURCE_AND_NOTE_FIELDS,
};

const struct grt_record grt_claim_record = {
    .name = "claim",
    .size = sizeof(struct grt_claim_fields),
    .fields = claim_fields,
    .field_count = GRT_FIELD_COUNT(claim_fields),
    .help = "An order of evaluations.",
};

#undef AT
#define AT(member) offsetof(struct grt_plot_fields, member)

static const struct grt_field plot_fields[] = {
    {.name = "title",
     .type = GRT_FIELD_NAME,
     .offset = AT(title),
     .fallback = "",
     .min = 1,
     .max = TITLE_LENGTH,
     .help = "Above the figure. Default: none."},
    {.name = "x",
     .type = GRT_FIELD_NAME,
     .offset = AT(x),
     .fallback = "",
     .help = "The axis whose values lie along the x axis. Default: the first."},
    {.name = "measure",
     .type = GRT_FIELD_NAME,
     .offset = AT(measure),
     .fallback = "\"ratio\"",
     .help = "What is drawn over them: `ratio`, or a measure of the evaluations."},
    {.name = "x_label",
     .type = GRT_FIELD_NAME,
     .offset = AT(x_label),
     .fallback = "",
     .min = 1,
     .max = TITLE_LENGTH,
     .help = "Default: the label of that axis."},
    {.name = "y_label",
     .type = GRT_FIELD_NAME,
     .offset = AT(y_label),
     .fallback = "",
     .min = 1,
     .max = TITLE_LENGTH,
     .help = "Default: the measure in words."},
    {.name = "x_log",
     .type = GRT_FIELD_BOOLEAN,
     .offset = AT(x_log),
     .fallback = "false",
     .help = "A logarithmic x axis."},
    {.name = "y_log",
     .type = GRT_FIELD_BOOLEAN,
     .offset = AT(y_log),
     .fallback = "false",
     .help = "A logarithmic y axis."},
    {.name = "panel",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(panel),
     .fallback = "",
     .custom = GRT_CUSTOM_AXIS_OR_NULL,
     .help = "The axis whose values have a panel each; `null`: none, as long as what else varies has a part "
             "without. Groups of evaluations have a panel each unless an axis is named here or more than one "
             "varies besides x. Default: `null` "
             "where there are groups; else the first that is neither x nor style."},
    {.name = "style",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(style),
     .fallback = "",
     .custom = GRT_CUSTOM_AXIS_OR_NULL,
     .help = "The axis whose values are styles of lines. Default: none."},
    {.name = "y",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(y),
     .fallback = "",
     .custom = GRT_CUSTOM_SPAN_OF_PLOT,
     .help = "From where to where the y axis goes. Default: 0 to 1 for ratios, else as far as the results."},
};

const struct grt_record grt_plot_record = {
    .name = "plot",
    .size = sizeof(struct grt_plot_fields),
    .fields = plot_fields,
    .field_count = GRT_FIELD_COUNT(plot_fields),
    .help = "The usual figure of the experiment; options of `gpurt plot` replace it.",
};
