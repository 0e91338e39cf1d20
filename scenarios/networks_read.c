#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/file_kind.h"
#include "scenarios/networks_format.h"
#include "scenarios/read_fields.h"
#include "scenarios/text_file.h"

/* Beyond these, what a network predicts has no meaning, or does not fit a double on the way. */
static const double most_input = 1e18, most_term = 1e6, least_width = 1e-6,
                    most_logarithm = 42; /* e^42 ns: 55 years */

/* One network in the checks. */
struct check {
    struct grt_reader *reader;
    const struct grt_path *path;
    const struct grt_network_fields *fields;
};

static void check_number(const struct check *check, const struct grt_path *parent, const char *key,
                         double value, double least, double most) {
    const struct grt_path path = {.parent = parent, .key = key};
    if (!(value >= least && value <= most)) { /* nor a NaN */
        grt_error_add(check->reader->errors, &path, "must be between %g and %g (got %g)", least, most, value);
    }
}

static void check_numbers(const struct check *check, const struct grt_path *parent, const char *key,
                          const struct grt_real_list *list, double least, double most) {
    const struct grt_path path = {.parent = parent, .key = key};
    for (size_t i = 0; i < list->count; i++) {
        const struct grt_path place = {.parent = &path, .index = i};
        if (!(list->items[i] >= least && list->items[i] <= most)) {
            grt_error_add(check->reader->errors, &place, "must be between %g and %g (got %g)", least, most,
                          list->items[i]);
        }
    }
}

static void check_inputs(const struct check *check) {
    const struct grt_path list = {.parent = check->path, .key = "inputs"};
    const struct grt_network_input_fields *inputs = check->fields->inputs.items;
    for (size_t i = 0; i < check->fields->inputs.count; i++) {
        const struct grt_path path = {.parent = &list, .index = i}, name = {.parent = &path, .key = "name"};
        if (inputs[i].name != (int64_t)i) {
            grt_error_add(check->reader->errors, &name, "must be \"%s\": inputs have an order",
                          grt_network_input_names[i]);
        }
        check_number(check, &path, "low", inputs[i].low, 0, most_input);
        check_number(check, &path, "high", inputs[i].high, inputs[i].low, most_input);
    }
}

static void check_rules(const struct check *check) {
    const struct grt_path list = {.parent = check->path, .key = "rules"};
    const struct grt_network_rule_fields *rules = check->fields->rules.items;
    size_t terms = grt_network_terms(check->fields->order);
    for (size_t i = 0; i < check->fields->rules.count; i++) {
        const struct grt_path path = {.parent = &list, .index = i},
                              consequent = {.parent = &path, .key = "consequent"};
        check_numbers(check, &path, "centre", &rules[i].centre, -most_term, most_term);
        check_numbers(check, &path, "width", &rules[i].width, least_width, most_term);
        check_numbers(check, &path, "consequent", &rules[i].consequent, -most_term, most_term);
        if (rules[i].consequent.count != terms) {
            grt_error_add(check->reader->errors, &consequent,
                          "must have %zu element%s for order %d (got %zu)", terms, terms == 1 ? "" : "s",
                          (int)check->fields->order, rules[i].consequent.count);
        }
    }
}

static bool check_network(const struct check *check) {
    size_t before = check->reader->errors->count;
    check_number(check, check->path, "threshold", check->fields->threshold, 1e-9, 1);
    check_number(check, check->path, "mean", check->fields->mean, 0, most_logarithm);
    check_number(check, check->path, "deviation", check->fields->deviation, 1e-12, most_logarithm);
    check_inputs(check);
    check_rules(check);
    return check->reader->errors->count == before;
}

/* Files name a kernel once. */
static void check_names(struct grt_reader *reader, const struct grt_networks_fields *file,
                        const struct grt_path *path) {
    const struct grt_network_fields *networks = file->networks.items;
    for (size_t i = 0; i < file->networks.count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (networks[i].kernel != NULL && networks[j].kernel != NULL &&
                strcmp(networks[i].kernel, networks[j].kernel) == 0) {
                const struct grt_path item = {.parent = path, .index = i},
                                      place = {.parent = &item, .key = "kernel"};
                grt_error_add(reader->errors, &place, "is the same as networks[%zu].kernel (got \"%s\")", j,
                              networks[i].kernel);
                break;
            }
        }
    }
}

static void copy_network(const struct grt_network_fields *fields, struct grt_arena *arena,
                         struct grt_network *network) {
    const struct grt_network_input_fields *inputs = fields->inputs.items;
    const struct grt_network_rule_fields *rules = fields->rules.items;
    size_t count = fields->rules.count, terms = grt_network_terms(fields->order),
           part = GRT_NETWORK_INPUTS * sizeof(double);
    double *centres = grt_arena_array(arena, count, part), *widths = grt_arena_array(arena, count, part);
    double *consequents = grt_arena_array(arena, count * terms, sizeof *consequents);
    for (size_t i = 0; i < count; i++) {
        memcpy(&centres[i * GRT_NETWORK_INPUTS], rules[i].centre.items, part);
        memcpy(&widths[i * GRT_NETWORK_INPUTS], rules[i].width.items, part);
        memcpy(&consequents[i * terms], rules[i].consequent.items, terms * sizeof *consequents);
    }
    *network = (struct grt_network){.kernel = fields->kernel,
                                    .rules = (int64_t)count,
                                    .order = fields->order,
                                    .mean = fields->mean,
                                    .deviation = fields->deviation,
                                    .threshold = fields->threshold,
                                    .centres = centres,
                                    .widths = widths,
                                    .consequents = consequents};
    for (size_t i = 0; i < GRT_NETWORK_INPUTS; i++) {
        network->low[i] = inputs[i].low;
        network->high[i] = inputs[i].high;
    }
    grt_network_finish(network, arena);
}

/* Numbers are checked where all of them were read. */
static bool read_tree(struct grt_reader *reader, const cJSON *tree, struct grt_networks *networks) {
    struct grt_networks_fields file = {0};
    struct grt_path root = {0}, list = {.parent = &root, .key = "networks"};
    bool good = grt_read_record(reader, &grt_networks_file_record, tree, &root, &file);
    check_names(reader, &file, &list);
    if (!good || reader->errors->count > 0) {
        return false;
    }
    const struct grt_network_fields *fields = file.networks.items;
    struct grt_network *items = grt_arena_array(reader->arena, file.networks.count, sizeof *items);
    for (size_t i = 0; i < file.networks.count; i++) {
        const struct grt_path path = {.parent = &list, .index = i};
        good = check_network(&(struct check){reader, &path, &fields[i]}) && good;
        if (good) {
            copy_network(&fields[i], reader->arena, &items[i]);
        }
    }
    *networks = (struct grt_networks){items, file.networks.count};
    return good;
}

bool grt_networks_parse(const char *text, size_t size, struct grt_arena *arena, struct grt_networks *networks,
                        struct grt_errors *errors) {
    struct grt_reader reader = {.arena = arena, .errors = errors, .folder = "."};
    size_t before = errors->count;
    cJSON *tree = grt_json_parse(text, size, errors);
    bool good = tree != NULL && grt_file_kind_check(tree, GRT_FILE_NETWORKS, errors) &&
                errors->count == before && read_tree(&reader, tree, networks);
    cJSON_Delete(tree);
    return good;
}

bool grt_networks_read(const char *name, const char *folder, struct grt_arena *arena,
                       struct grt_networks *networks, struct grt_errors *errors,
                       const struct grt_path *path) {
    struct grt_errors inner = {0};
    size_t size;
    const char *place =
        strcmp(name, "-") == 0 ? name : grt_path_in_folder(arena, folder != NULL ? folder : ".", name);
    char *text = grt_text_file_read(place, &size, &inner);
    if (text == NULL) {
        grt_error_add(errors, path, "the networks file %s %s", name, inner.messages[0]);
        grt_errors_clear(&inner);
        return false;
    }
    bool good = grt_networks_parse(text, size, arena, networks, &inner);
    for (size_t i = 0; i < inner.count && i < GRT_ERRORS_KEPT; i++) {
        grt_error_add(errors, path, "in %s: %s", name, inner.messages[i]);
    }
    grt_errors_clear(&inner);
    free(text);
    return good;
}
