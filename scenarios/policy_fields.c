/* The policy: its name or its plug-in, and the parameters that the policy itself describes. */
#include <stddef.h>

#include "policies/registry.h"
#include "scenarios/plugin.h"
#include "scenarios/policy_names.h"
#include "scenarios/records.h"
#include "scenarios/text_file.h"

static const struct grt_field policy_fields[] = {
    {.name = "name",
     .type = GRT_FIELD_CUSTOM,
     .fallback = "",
     .custom = GRT_CUSTOM_POLICY_NAME,
     .help = "Which policy; `gpurt policies` lists them."},
    {.name = "plugin",
     .type = GRT_FIELD_CUSTOM,
     .fallback = "",
     .custom = GRT_CUSTOM_POLICY_PLUGIN,
     .help = "Instead of the name: the shared object of a policy outside gpurt, relative to the file's "
             "folder. Its code is "
             "executed. `gpurt policies FILE` shows its parameters."},
};

const struct grt_record grt_policy_record = {
    .name = "policy",
    .size = sizeof(struct grt_policy_fields),
    .fields = policy_fields,
    .field_count = GRT_FIELD_COUNT(policy_fields),
    .help = "A policy and its own parameters, if it has any; the tables below give the parameters of each.",
};

static const struct grt_policy_ops *find(const cJSON *name) {
    return cJSON_IsString(name) ? grt_policy_find(name->valuestring) : NULL;
}

GRT_READER(grt_read_policy_name) {
    (void)field;
    struct grt_policy_fields *policy = out;
    policy->ops = find(value);
    if (!cJSON_IsString(value)) {
        grt_read_error(reader, path, value, "must be a text");
    } else if (policy->ops == NULL) {
        grt_read_unknown(reader, value, path, "policy", grt_scenario_policy_name);
    }
}

/* It was loaded before: the policy says which other fields there are. */
GRT_READER(grt_read_policy_plugin) {
    (void)reader;
    (void)field;
    (void)value;
    (void)path;
    (void)out;
}

static const struct grt_policy_ops *load(struct grt_reader *reader, const cJSON *plugin,
                                         const struct grt_path *path) {
    const struct grt_path place = {.parent = path, .key = "plugin"};
    enum { LONGEST_NAME = 1000 };
    if (!cJSON_IsString(plugin)) {
        grt_read_error(reader, &place, plugin, "must be the name of a file");
        return NULL;
    }
    const char *folder = reader->policy_folder != NULL ? reader->policy_folder : reader->folder;
    return grt_read_text_is_good(reader, plugin, &place, 1, LONGEST_NAME)
               ? grt_plugin_load(grt_path_in_folder(reader->arena, folder, plugin->valuestring),
                                 plugin->valuestring, reader->arena, reader->errors, &place)
               : NULL;
}

/* Without a known name nobody can say which parameters are right: then only the name is an error. */
static void read_name_only(struct grt_reader *reader, const cJSON *object, const struct grt_path *path) {
    struct grt_path place = {.parent = path, .key = "name"};
    const cJSON *name = grt_json_find(object, "name");
    if (!cJSON_IsObject(object)) {
        grt_read_error(reader, path, object, "must be an object such as {\"name\":\"fifo\"}");
    } else if (name == NULL) {
        grt_error_add(reader->errors, &place, "required");
    } else {
        struct grt_policy_fields nothing;
        grt_read_policy_name(reader, &policy_fields[0], name, &place, &nothing);
    }
}

/* The policy that an object names; NULL after adding an error. */
static const struct grt_policy_ops *choose(struct grt_reader *reader, const cJSON *object,
                                           const struct grt_path *path) {
    const cJSON *name = grt_json_find(object, "name"), *plugin = grt_json_find(object, "plugin");
    if (plugin == NULL) {
        const struct grt_policy_ops *ops = find(name);
        if (ops == NULL) {
            read_name_only(reader, object, path);
        }
        return ops;
    }
    if (name != NULL) {
        grt_error_add(reader->errors, path, "takes only one of \"name\" and \"plugin\"");
        return NULL;
    }
    return load(reader, plugin, path);
}

GRT_READER(grt_read_policy) {
    (void)field;
    struct grt_policy_fields *policy = out;
    const struct grt_policy_ops *ops = choose(reader, value, path);
    if (ops == NULL) {
        return;
    }
    policy->parameters = grt_arena_array(reader->arena, 1, ops->parameters_size);
    const struct grt_read_part parts[] = {
        {.record = &grt_policy_record, .out = policy},
        {.record = ops->parameters, .out = policy->parameters},
    };
    grt_read_parts(reader, parts, ops->parameters != NULL ? 2 : 1, value, path);
    policy->ops = ops;
}
