#include "scenarios/networks_format.h"

#include <math.h>
#include <stddef.h>

#include "scenarios/records.h"

const char *const grt_network_input_names[] = {"instructions",
                                               "warps",
                                               "l2_read",
                                               "l2_write",
                                               "global_load",
                                               "global_store",
                                               "shared_load",
                                               "shared_store",
                                               "shared_load_conflicts",
                                               "shared_store_conflicts",
                                               "texture_load",
                                               "share",
                                               NULL};

#define NUMBER(owner, key, member, text)                                                                     \
    { .name = key, .type = GRT_FIELD_NUMBER, .offset = offsetof(owner, member), .help = text }
#define COUNT(owner, key, member, text)                                                                      \
    {                                                                                                        \
        .name = key, .type = GRT_FIELD_INTEGER, .offset = offsetof(owner, member), .max = GRT_INTEGER_LIMIT, \
        .help = text                                                                                         \
    }
#define REALS(owner, key, member, least, most, text)                                                         \
    {                                                                                                        \
        .name = key, .type = GRT_FIELD_CUSTOM, .custom = GRT_CUSTOM_REALS,                                   \
        .offset = offsetof(owner, member), .min = least, .max = most, .help = text                           \
    }
#define RECORD(key, owner, list, text)                                                                       \
    { .name = key, .size = sizeof(owner), .fields = list, .field_count = GRT_FIELD_COUNT(list), .help = text }

#define ACCURACY(key, member, text) NUMBER(struct grt_accuracy, key, member, text)

static const struct grt_field accuracy_fields[] = {
    COUNT(struct grt_accuracy, "samples", samples, "How many."),
    ACCURACY("mape", error, "Mean of |m - e| / m."),
    ACCURACY("mape_of_estimate", error_of_estimate, "Mean of |m - e| / e."),
    ACCURACY("largest", largest, "Largest |m - e| / m."),
    ACCURACY("rmse_ns", root_mean_square, "Root of the mean of (m - e)^2."),
    ACCURACY("unknown", unknown, "Part of the samples of which the network says that it extrapolates."),
};
const struct grt_record grt_accuracy_record =
    RECORD("accuracy", struct grt_accuracy, accuracy_fields, "Estimates e of measured times m.");

#define OPTION(key, member, text) NUMBER(struct grt_network_history, key, options.member, text)
#define NATURAL(key, member, text) COUNT(struct grt_network_history, key, member, text)
#define PART(key, member, text)                                                                              \
    {                                                                                                        \
        .name = key, .type = GRT_FIELD_OBJECT,                                                               \
        .offset = offsetof(struct grt_network_history, report.member), .record = &grt_accuracy_record,       \
        .help = text                                                                                         \
    }

static const struct grt_field training_fields[] = {
    NATURAL("seed", options.seed, "Of the shuffles."),
    OPTION("width", width, "Of new rules."),
    OPTION("fall", fall, "alpha_1 of equation (7)."),
    OPTION("rise", rise, "alpha_2."),
    OPTION("critical", critical, "Critical degree of a new rule."),
    OPTION("least_critical", least_critical, "Where a rule is deleted."),
    NATURAL("epochs", options.epochs, "Turns of least squares and descent."),
    NATURAL("batch", options.batch, "Samples per step of the descent."),
    OPTION("rate", rate, "Of the descent in the first epoch."),
    OPTION("decay", decay, "By what the next one's is multiplied."),
    OPTION("ridge", ridge, "Of the least squares, per sample."),
    NATURAL("best_epoch", report.best_epoch, "Whose rules these are."),
    NATURAL("grown", report.grown, "Rules that were made."),
    NATURAL("pruned", report.pruned, "Rules that were deleted again."),
    PART("training", training, "On the samples of the training."),
    PART("validation", validation, "On those that chose the epoch."),
    PART("test", test, "On those that it has not seen."),
};
const struct grt_record grt_network_training_record =
    RECORD("training", struct grt_network_history, training_fields, "How a network came to be.");

static const struct grt_field input_fields[] = {
    {.name = "name",
     .type = GRT_FIELD_CHOICE,
     .offset = offsetof(struct grt_network_input_fields, name),
     .choices = grt_network_input_names,
     .help = "An indicator of the workload, in events per second, or share: the logarithm of it."},
    NUMBER(struct grt_network_input_fields, "low", low, "What becomes 0."),
    NUMBER(struct grt_network_input_fields, "high", high, "What becomes 1; the same as low: always 0."),
};
const struct grt_record grt_network_input_record =
    RECORD("input", struct grt_network_input_fields, input_fields, "An input.");

static const struct grt_field rule_fields[] = {
    REALS(struct grt_network_rule_fields, "centre", centre, GRT_NETWORK_INPUTS, GRT_NETWORK_INPUTS,
          "One number per input."),
    REALS(struct grt_network_rule_fields, "width", width, GRT_NETWORK_INPUTS, GRT_NETWORK_INPUTS,
          "One number above 0 per input."),
    REALS(struct grt_network_rule_fields, "consequent", consequent, 1, 1 + GRT_NETWORK_INPUTS,
          "Order 0: one number. Order 1: a number, and one per input."),
};
const struct grt_record grt_network_rule_record =
    RECORD("rule", struct grt_network_rule_fields, rule_fields, "A rule.");

static const struct grt_field network_fields[] = {
    {.name = "kernel",
     .type = GRT_FIELD_NAME,
     .offset = offsetof(struct grt_network_fields, kernel),
     .help = "Whose time it predicts."},
    {.name = "order",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(struct grt_network_fields, order),
     .max = 1,
     .help = "Of the consequents: 0 or 1."},
    NUMBER(struct grt_network_fields, "threshold", threshold,
           "A rule that fires as strongly knows its input."),
    NUMBER(struct grt_network_fields, "mean", mean, "Of the logarithm of the time in ns."),
    NUMBER(struct grt_network_fields, "deviation", deviation, "Of the same."),
    {.name = "inputs",
     .type = GRT_FIELD_LIST,
     .offset = offsetof(struct grt_network_fields, inputs),
     .min = GRT_NETWORK_INPUTS,
     .max = GRT_NETWORK_INPUTS,
     .record = &grt_network_input_record,
     .help = "The indicators in the order of Table 1 of Yao et al., then the share."},
    {.name = "rules",
     .type = GRT_FIELD_LIST,
     .offset = offsetof(struct grt_network_fields, rules),
     .min = 1,
     .max = GRT_NETWORK_MOST_RULES,
     .record = &grt_network_rule_record,
     .help = "The rules."},
    {.name = "training",
     .type = GRT_FIELD_OBJECT,
     .offset = offsetof(struct grt_network_fields, training),
     .fallback = "",
     .record = &grt_network_training_record,
     .help = "How it came to be."},
};
const struct grt_record grt_network_record =
    RECORD("network", struct grt_network_fields, network_fields, "The model of a kernel.");

static const struct grt_field file_fields[] = {
    {.name = "gpurt",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(struct grt_networks_fields, version),
     .min = 1,
     .max = 1,
     .help = "Version of the format: 1."},
    {.name = "networks",
     .type = GRT_FIELD_LIST,
     .offset = offsetof(struct grt_networks_fields, networks),
     .min = 1,
     .max = 4096,
     .record = &grt_network_record,
     .help = "One per kernel."},
};
const struct grt_record grt_networks_file_record =
    RECORD("networks_file", struct grt_networks_fields, file_fields, "Trained networks.");

GRT_READER(grt_read_reals) {
    const struct grt_field number = {.name = field->name, .type = GRT_FIELD_NUMBER};
    struct grt_real_list *list = out;
    size_t count;
    if (!grt_read_list(reader, value, path, field->min, field->max, &count)) {
        return;
    }
    *list = (struct grt_real_list){grt_arena_array(reader->arena, count, sizeof(double)), count};
    struct grt_path place = {.parent = path};
    for (const cJSON *element = value->child; element != NULL; element = element->next, place.index++) {
        grt_read_plain_value(reader, &number, element, &place, &list->items[place.index]);
    }
}
