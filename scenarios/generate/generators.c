#include "scenarios/generate/generators.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/generate/shape.h"
#include "scenarios/read_fields.h"
#include "sim/check.h"
#include "sim/error_path.h"

static const struct grt_generator_ops *const generators[] = {&grt_generator_independent, &grt_generator_cores,
                                                             &grt_generator_applications,
                                                             &grt_generator_scenario, NULL};

const struct grt_generator_ops *const *const grt_generators = generators;

const struct grt_generator_ops *grt_generator_find(const char *name) {
    for (size_t i = 0; grt_generators[i] != NULL; i++) {
        if (strcmp(grt_generators[i]->name, name) == 0) {
            return grt_generators[i];
        }
    }
    return NULL;
}

bool grt_generator_defaults(const struct grt_generator_ops *ops, void *parameters) {
    struct grt_arena arena = {0}; /* no default is a text */
    struct grt_errors errors = {0};
    const struct grt_path root = {0};
    struct grt_reader reader = {.arena = &arena, .errors = &errors, .folder = "."};
    const struct grt_read_part part = {.record = ops->record, .out = parameters};
    cJSON *empty = cJSON_CreateObject();
    memset(parameters, 0, ops->record->size);
    bool complete = grt_read_parts(&reader, &part, 1, empty, &root);
    cJSON_Delete(empty);
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
    return complete;
}

/* ---- Values for policies ---- */

static bool holds_whole(const struct grt_field *field) {
    return field->type <= GRT_FIELD_INTEGER; /* the quantities, and whole numbers */
}

static const struct grt_set_value *value_of(const struct grt_drawn_set *set, const struct grt_field *field) {
    for (size_t i = 0; i < set->value_count && holds_whole(field); i++) {
        if (strcmp(set->values[i].name, field->name) == 0) {
            return &set->values[i];
        }
    }
    return NULL;
}

/* The parameters, or the defaults; for policies whose parameters have any. */
static char *copy_parameters(const struct grt_policy_ops *policy, const void *parameters,
                             struct grt_arena *arena) {
    char *copy = grt_arena_array(arena, 1, policy->parameters_size);
    if (parameters != NULL) {
        memcpy(copy, parameters, policy->parameters_size);
    } else {
        grt_record_defaults(policy->parameters, copy);
    }
    return copy;
}

const void *grt_set_parameters(const struct grt_drawn_set *set, const struct grt_policy_ops *policy,
                               const void *parameters, uint64_t given, struct grt_arena *arena) {
    const struct grt_record *record = policy->parameters;
    char *copy = NULL;
    for (size_t i = 0; record != NULL && i < record->field_count; i++) {
        const struct grt_field *field = &record->fields[i];
        const struct grt_set_value *value = value_of(set, field);
        GRT_REQUIRE(i < 64, "a policy has up to 64 parameters");
        if (value != NULL && (given >> i & 1) == 0) {
            copy = copy != NULL ? copy : copy_parameters(policy, parameters, arena);
            memcpy(copy + field->offset, &value->value, sizeof value->value);
        }
    }
    return copy != NULL ? copy : parameters;
}

/* ---- What the generators share ---- */

static void name_field(const struct grt_option_field *names, const char *option, char *field, size_t size) {
    snprintf(field, size, "%s", option);
    for (; names->option != NULL; names++) {
        if (strcmp(names->option, option) == 0) {
            snprintf(field, size, "%s", names->field);
        }
    }
    for (char *letter = strchr(field, '-'); letter != NULL; letter = strchr(letter, '-')) {
        *letter = '_';
    }
}

void grt_shape_errors(struct grt_errors *from, const struct grt_option_field *names, struct grt_errors *to,
                      const struct grt_path *path) {
    for (size_t i = 0; i < from->count && i < GRT_ERRORS_KEPT; i++) {
        char option[64], field[64];
        size_t length = grt_error_first_key(from->messages[i]);
        const char *sentence = from->messages[i] + length;
        GRT_REQUIRE(*sentence == ':' && length < sizeof option, "errors of makers have the paths of options");
        snprintf(option, sizeof option, "%.*s", (int)length, from->messages[i]);
        name_field(names, option, field, sizeof field);
        const struct grt_path place = {.parent = path, .key = field};
        grt_error_add(to, &place, "%s", sentence + sizeof ": " - 1);
    }
    grt_errors_clear(from);
}

static void refuse_unused(bool differs, const char *key, const char *method, struct grt_errors *errors,
                          const struct grt_path *path) {
    const struct grt_path place = {.parent = path, .key = key};
    if (differs) {
        grt_error_add(errors, &place, "has no meaning with \"periods\": \"%s\"", method);
    }
}

void grt_shape_check_periods(const struct grt_period_spec *periods, const struct grt_period_spec *usual,
                             struct grt_errors *errors, const struct grt_path *path) {
    const char *method = grt_period_method_names[periods->method];
    bool fixed = periods->method >= GRT_PERIODS_AUTOMOTIVE;
    refuse_unused(fixed && periods->least != usual->least, "min_period", method, errors, path);
    refuse_unused(fixed && periods->most != usual->most, "max_period", method, errors, path);
    refuse_unused(periods->method != GRT_PERIODS_DIVISORS && periods->hyperperiod != 0, "hyperperiod", method,
                  errors, path);
}

const char *grt_shape_name(uint64_t seed, uint64_t number, struct grt_arena *arena) {
    char text[64];
    snprintf(text, sizeof text, "seed %" PRIu64 " set %" PRIu64, seed, number + 1);
    return grt_arena_text(arena, text);
}
