/* The JSON Schemas of scenario files and of experiments, from the tables that drive the reading. */
#include <inttypes.h>
#include <string.h>

#include "policies/registry.h"
#include "scenarios/experiment/fields.h"
#include "scenarios/records.h"
#include "scenarios/scenario.h"
#include "sim/check.h"

static cJSON *record_schema(const struct grt_record *record);

static cJSON *parse_fragment(const char *text) {
    cJSON *fragment = cJSON_Parse(text);
    GRT_REQUIRE(fragment != NULL, "write defaults and fragments of the schema as JSON");
    return fragment;
}

static cJSON *reference_to(const char *name) {
    char target[160];
    snprintf(target, sizeof target, "#/$defs/%s", name);
    cJSON *schema = cJSON_CreateObject();
    cJSON_AddStringToObject(schema, "$ref", target);
    return schema;
}

static cJSON *typed(const char *type) {
    cJSON *schema = cJSON_CreateObject();
    cJSON_AddStringToObject(schema, "type", type);
    return schema;
}

static bool is_listed(const struct grt_record *const *records, const struct grt_record *record) {
    while (*records != NULL && *records != record) {
        records++;
    }
    return *records != NULL;
}

/* A record of its own, or one that is defined in the schema. */
static cJSON *nested_schema(const struct grt_record *record) {
    bool defined = is_listed(grt_records, record) || is_listed(grt_experiment_records, record);
    return defined ? reference_to(record->name) : record_schema(record);
}

/* As digits: the JSON library would round large numbers. */
static void add_number(cJSON *schema, const char *key, int64_t number) {
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRId64, number);
    cJSON_AddRawToObject(schema, key, digits);
}

static cJSON *bounded(const char *type, const struct grt_field *field, const char *least, const char *most) {
    cJSON *schema = typed(type);
    if (field->min != 0 || field->max != 0) {
        add_number(schema, least, field->min);
        add_number(schema, most, field->max);
    }
    return schema;
}

static cJSON *choice_schema(const struct grt_field *field) {
    cJSON *schema = cJSON_CreateObject(), *words = cJSON_AddArrayToObject(schema, "enum");
    for (size_t i = 0; field->choices[i] != NULL; i++) {
        cJSON_AddItemToArray(words, cJSON_CreateString(field->choices[i]));
    }
    return schema;
}

static cJSON *name_schema(const struct grt_field *field) {
    struct grt_field bounds = *field;
    if (field->min == 0 && field->max == 0) {
        bounds.min = 1;
        bounds.max = GRT_NAME_LENGTH;
    }
    return bounded("string", &bounds, "minLength", "maxLength");
}

static cJSON *list_schema(const struct grt_field *field) {
    struct grt_field bounds = *field;
    bounds.max = field->max > 0 ? field->max : GRT_LIST_LENGTH;
    cJSON *schema = bounded("array", &bounds, "minItems", "maxItems");
    cJSON_AddItemToObject(schema, "items", nested_schema(field->record));
    return schema;
}

static cJSON *type_schema(const struct grt_field *field) {
    switch (field->type) {
    case GRT_FIELD_TIME:
        return reference_to(field->min < 0 ? "signed_duration" : "duration");
    case GRT_FIELD_SIZE:
        return reference_to("size");
    case GRT_FIELD_RATE:
        return reference_to("rate");
    case GRT_FIELD_FREQUENCY:
        return reference_to("frequency");
    case GRT_FIELD_INTEGER:
        return bounded("integer", field, "minimum", "maximum");
    case GRT_FIELD_NUMBER:
        return bounded("number", field, "minimum", "maximum");
    case GRT_FIELD_BOOLEAN:
        return typed("boolean");
    case GRT_FIELD_CHOICE:
        return choice_schema(field);
    case GRT_FIELD_NAME:
        return name_schema(field);
    case GRT_FIELD_OBJECT:
        return nested_schema(field->record);
    case GRT_FIELD_LIST:
        return list_schema(field);
    case GRT_FIELD_CUSTOM:
        break;
    }
    return parse_fragment(grt_custom_find(field->custom)->schema);
}

static cJSON *field_schema(const struct grt_field *field) {
    cJSON *schema = type_schema(field);
    cJSON_AddStringToObject(schema, "description", field->help);
    if (field->fallback != NULL && field->fallback[0] != '\0') {
        cJSON_AddItemToObject(schema, "default", parse_fragment(field->fallback));
    }
    return schema;
}

static cJSON *begin_record(const char *help, cJSON **properties, cJSON **required) {
    cJSON *schema = typed("object");
    cJSON_AddStringToObject(schema, "description", help);
    *properties = cJSON_AddObjectToObject(schema, "properties");
    *required = cJSON_AddArrayToObject(schema, "required");
    cJSON_AddFalseToObject(schema, "additionalProperties");
    return schema;
}

static void add_fields(const struct grt_record *record, cJSON *properties, cJSON *required) {
    for (size_t i = 0; i < record->field_count; i++) {
        const struct grt_field *field = &record->fields[i];
        cJSON_AddItemToObject(properties, field->name, field_schema(field));
        if (field->fallback == NULL) {
            cJSON_AddItemToArray(required, cJSON_CreateString(field->name));
        }
    }
}

static void add_one_of(cJSON *schema, const char *const *names) {
    cJSON *alternatives = cJSON_AddArrayToObject(schema, "oneOf");
    for (; *names != NULL; names++) {
        cJSON *alternative = cJSON_CreateObject();
        cJSON_AddItemToArray(cJSON_AddArrayToObject(alternative, "required"), cJSON_CreateString(*names));
        cJSON_AddItemToArray(alternatives, alternative);
    }
}

static cJSON *record_schema(const struct grt_record *record) {
    cJSON *properties, *required, *schema = begin_record(record->help, &properties, &required);
    add_fields(record, properties, required);
    const struct grt_record_rule *rule = grt_record_rule_find(record);
    if (rule != NULL && rule->one_of != NULL) {
        add_one_of(schema, rule->one_of);
    }
    for (size_t i = 0; rule != NULL && rule->beside != NULL && rule->beside[i] != NULL; i++) {
        add_fields(rule->beside[i], properties, required);
    }
    return schema;
}

/* A device, and beside it any field of a device. */
static cJSON *gpu_schema(void) {
    cJSON *properties, *required, *schema = begin_record(grt_gpu_record.help, &properties, &required);
    add_fields(&grt_gpu_record, properties, required);
    for (size_t i = 0; i < grt_device_record.field_count; i++) {
        char target[128];
        snprintf(target, sizeof target, "device/properties/%s", grt_device_record.fields[i].name);
        cJSON_AddItemToObject(properties, grt_device_record.fields[i].name, reference_to(target));
    }
    return schema;
}

/* A name, and the parameters of what has it. */
static cJSON *one_named_schema(const char *name, const char *help, const struct grt_record *parameters) {
    cJSON *properties, *required, *schema = begin_record(help, &properties, &required);
    cJSON *word = cJSON_AddObjectToObject(properties, "name");
    cJSON_AddStringToObject(word, "const", name);
    cJSON_AddItemToArray(required, cJSON_CreateString("name"));
    if (parameters != NULL) {
        add_fields(parameters, properties, required);
    }
    return schema;
}

static cJSON *begin_choice(const char *help, cJSON **alternatives) {
    cJSON *schema = cJSON_CreateObject();
    cJSON_AddStringToObject(schema, "description", help);
    *alternatives = cJSON_AddArrayToObject(schema, "oneOf");
    return schema;
}

/* A policy outside gpurt, whose parameters only it knows. */
static cJSON *plugin_schema(void) {
    const struct grt_field *field = grt_policy_record.fields;
    while (field->custom != GRT_CUSTOM_POLICY_PLUGIN) {
        field++;
    }
    cJSON *properties, *required,
        *schema = begin_record("A policy outside gpurt, and its own parameters.", &properties, &required);
    cJSON_AddItemToObject(properties, field->name, field_schema(field));
    cJSON_AddItemToArray(required, cJSON_CreateString(field->name));
    cJSON_AddItemToObject(properties, "name", cJSON_CreateFalse());
    cJSON_DeleteItemFromObjectCaseSensitive(schema, "additionalProperties");
    return schema;
}

static cJSON *policy_schema(void) {
    cJSON *policies, *schema = begin_choice(grt_policy_record.help, &policies);
    for (size_t i = 0; grt_policies[i] != NULL; i++) {
        const struct grt_policy_ops *policy = grt_policies[i];
        cJSON_AddItemToArray(policies, one_named_schema(policy->name, policy->summary, policy->parameters));
    }
    cJSON_AddItemToArray(policies, plugin_schema());
    return schema;
}

static cJSON *generator_schema(void) {
    cJSON *generators, *schema = begin_choice(grt_generator_record.help, &generators);
    for (size_t i = 0; grt_generators[i] != NULL; i++) {
        const struct grt_generator_ops *generator = grt_generators[i];
        cJSON_AddItemToArray(generators,
                             one_named_schema(generator->name, generator->summary, generator->record));
    }
    return schema;
}

static cJSON *quantity_schema(const char *help, const char *pattern) {
    cJSON *schema = typed("string");
    cJSON_AddStringToObject(schema, "pattern", pattern);
    cJSON_AddStringToObject(schema, "description", help);
    return schema;
}

#define DECIMAL "[0-9]+(\\.[0-9]+)? *"

static const struct {
    const char *name, *help, *pattern;
} quantities[] = {
    {"duration", "A whole number of nanoseconds: \"250us\", \"1.5ms\".", "^" DECIMAL "(ns|us|ms|s|min|h)$"},
    {"signed_duration", "A whole number of nanoseconds: \"-250us\".", "^-?" DECIMAL "(ns|us|ms|s|min|h)$"},
    {"size", "A whole number of bytes: \"4MiB\".", "^" DECIMAL "(B|kB|MB|GB|TB|KiB|MiB|GiB|TiB)$"},
    {"rate", "A whole number of bytes per second: \"20GB/s\".",
     "^" DECIMAL "(B|kB|MB|GB|TB|KiB|MiB|GiB|TiB)/s$"},
    {"frequency", "A whole number of hertz: \"1300MHz\".", "^" DECIMAL "(Hz|kHz|MHz|GHz)$"},
};

static cJSON *definition_of(const struct grt_record *record) {
    return record == &grt_gpu_record         ? gpu_schema()
           : record == &grt_policy_record    ? policy_schema()
           : record == &grt_generator_record ? generator_schema()
                                             : record_schema(record);
}

/* Of all records but the root. */
static void add_definitions(cJSON *definitions, const struct grt_record *const *records) {
    for (size_t i = 0; i < sizeof quantities / sizeof quantities[0]; i++) {
        cJSON_AddItemToObject(definitions, quantities[i].name,
                              quantity_schema(quantities[i].help, quantities[i].pattern));
    }
    for (size_t i = 1; records[i] != NULL; i++) {
        cJSON_AddItemToObject(definitions, records[i]->name, definition_of(records[i]));
    }
}

static void write_schema(FILE *out, const char *title, const struct grt_record *const *records) {
    cJSON *schema = cJSON_CreateObject();
    cJSON_AddStringToObject(schema, "$schema", "https://json-schema.org/draft/2020-12/schema");
    cJSON_AddStringToObject(schema, "title", title);
    cJSON *root = record_schema(records[0]);
    while (root->child != NULL) {
        cJSON *item = cJSON_DetachItemViaPointer(root, root->child);
        char *key = item->string;
        item->string = NULL;
        cJSON_AddItemToObject(schema, key, item);
        cJSON_free(key);
    }
    cJSON_Delete(root);
    add_definitions(cJSON_AddObjectToObject(schema, "$defs"), records);
    char *text = cJSON_Print(schema);
    fprintf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(schema);
}

void grt_scenario_write_schema(FILE *out) {
    write_schema(out, "gpurt scenario", grt_records);
}

void grt_experiment_write_schema(FILE *out) {
    write_schema(out, "gpurt experiment", grt_experiment_records);
}

void grt_kernels_write_schema(FILE *out) {
    write_schema(out, "gpurt kernels", grt_kernel_records);
}
