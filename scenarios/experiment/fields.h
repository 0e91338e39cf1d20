/* The format of experiments as tables, and the structs into which its objects are read. An experiment's object holds the fields of three records: what is
 * the same for all points (experiment), and what axes may change: the sets (generator) and the plan. */
#ifndef GRT_SCENARIOS_EXPERIMENT_FIELDS_H
#define GRT_SCENARIOS_EXPERIMENT_FIELDS_H

#include "scenarios/experiment/experiment.h"
#include "scenarios/records.h"

/* What is read from values as they are: they live as long as the tree. NULL: absent. */
struct grt_axis_fields {
    const char *name, *label, *path;
    const cJSON *values, *from, *to, *step;
    bool same_sets;
};

struct grt_published_fields {
    const cJSON *at;
    const char *evaluation, *measure;
    double value, digits;
    int64_t samples, from;
    const char *source, *note;
};

struct grt_claim_fields {
    const char *text;
    const cJSON *at;
    const char *measure;
    struct grt_field_list order; /* of const char * */
    double margin, about;
    bool everywhere;
    const char *source, *note;
};

struct grt_plot_fields {
    const char *title, *x, *measure, *x_label, *y_label;
    bool x_log, y_log;
    const cJSON *panel, *style;
    double y[2]; /* equal: not given */
};

struct grt_experiment_fields {
    int64_t version;
    const char *name, *title, *description, *source;
    int64_t seed, samples;
    struct grt_field_list axes, published, claims; /* of the structs above */
    struct grt_plot_fields plot;
};

struct grt_sets_fields {
    const struct grt_generator_ops *generator; /* NULL: not known */
    void *parameters;
};

/* Where simulations end. Both 0: as it was drawn. */
struct grt_end_fields {
    grt_time horizon;
    double periods;
};

/* Surroundings of the tasks: of an evaluation, or of all that do not say otherwise. */
struct grt_setting_fields {
    const cJSON *object; /* that it is of */
    struct grt_platform_fields platform;
    int64_t priorities; /* index in the words of the field */
    const char *priority_analysis;
    const struct grt_networks *networks;
    int64_t train; /* 0: quick, 1: full */
    struct grt_end_fields end;
};

struct grt_evaluation_fields {
    const char *name, *label, *group;
    int64_t kind;
    struct grt_policy_fields policy;
    const cJSON *analysis, *options;
    bool stop_at_miss;
    struct grt_field_list measures; /* of const char * */
    int64_t patterns, jobs;
    const char *kernel;
    int64_t model;
    struct grt_setting_fields setting;
};

struct grt_plan_fields {
    struct grt_setting_fields setting;
    struct grt_field_list evaluations;
};

extern const struct grt_record grt_experiment_record, grt_sets_record, grt_plan_record;
extern const struct grt_record grt_axis_record, grt_evaluation_record, grt_published_record, grt_claim_record,
    grt_plot_record, grt_periods_record, grt_generator_record, grt_axis_value_record;

/* All of them, in the order of the documents, with those of scenarios that they use; NULL-terminated. The root is the first. */
extern const struct grt_record *const grt_experiment_records[];

/* Numbers of the fields that functions read. */
enum grt_experiment_custom {
    GRT_CUSTOM_AXIS_VALUES = 200, /* const cJSON * */
    GRT_CUSTOM_AXIS_BOUND,        /* const cJSON * */
    GRT_CUSTOM_AXIS_VALUE,        /* const cJSON * */
    GRT_CUSTOM_AXIS_SET,          /* const cJSON * */
    GRT_CUSTOM_AT,                /* const cJSON * */
    GRT_CUSTOM_ANALYSIS,          /* const cJSON * */
    GRT_CUSTOM_OPTIONS,           /* const cJSON * */
    GRT_CUSTOM_AXIS_OR_NULL,      /* const cJSON * */
    GRT_CUSTOM_NAME_LIST,         /* struct grt_field_list of const char * */
    GRT_CUSTOM_SPAN_OF_PLOT,      /* double[2] */
    GRT_CUSTOM_GENERATOR,         /* struct grt_sets_fields */
    GRT_CUSTOM_END,               /* struct grt_end_fields */
};

GRT_READER(grt_read_as_it_is);
GRT_READER(grt_read_name_list);
GRT_READER(grt_read_plot_span);
GRT_READER(grt_read_generator);
GRT_READER(grt_read_end);

GRT_FINISH(grt_finish_axis);
GRT_FINISH(grt_finish_evaluation);
GRT_FINISH(grt_finish_plan);

#endif
