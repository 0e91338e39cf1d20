/* The format of files of networks as tables, for reading and writing. */
#ifndef GRT_SCENARIOS_NETWORKS_FORMAT_H
#define GRT_SCENARIOS_NETWORKS_FORMAT_H

#include "models/learning/measure.h"
#include "scenarios/networks.h"
#include "sim/field.h"

/* A list of numbers, all finite. */
struct grt_real_list {
    double *items;
    size_t count;
};

struct grt_network_input_fields {
    int64_t name; /* enum grt_indicator; GRT_INDICATORS: the share */
    double low, high;
};

struct grt_network_rule_fields {
    struct grt_real_list centre, width, consequent;
};

struct grt_network_fields {
    const char *kernel;
    int64_t order;
    double threshold, mean, deviation;
    struct grt_field_list inputs, rules; /* of the structs above */
    struct grt_network_history training;
};

struct grt_networks_fields {
    int64_t version;
    struct grt_field_list networks; /* of struct grt_network_fields */
};

/* The root is networks_file. */
extern const struct grt_record grt_networks_file_record, grt_network_record, grt_network_input_record,
    grt_network_rule_record, grt_network_training_record, grt_accuracy_record;

/* The inputs' names, in the order of x; NULL-terminated. */
extern const char *const grt_network_input_names[];

#endif
