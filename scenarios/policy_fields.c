/* The policy: its name, and the parameters that the policy itself describes. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "scenarios/records.h"
#include "scenarios/spelling.h"

static const struct grt_field policy_fields[] = {
    {.name = "name",
     .type = GRT_FIELD_CUSTOM,
     .offset = 0,
     .custom = GRT_CUSTOM_POLICY_NAME,
     .help = "Which policy; `gpurt policies` lists them."},
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

static void add_unknown(struct grt_reader *reader, const cJSON *value, const struct grt_path *path) {
    char known[512] = "", shown[GRT_JSON_SHOWN_SIZE], hint[GRT_GUESS_TEXT_SIZE];
    struct grt_guess guess = grt_guess_start(value->valuestring);
    size_t used = 0;
    for (size_t i = 0; grt_policies[i] != NULL; i++) {
        grt_guess_try(&guess, grt_policies[i]->name);
        int more =
            snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", grt_policies[i]->name);
        used += (size_t)more < sizeof known - used ? (size_t)more : 0;
    }
    grt_error_add(reader->errors, path, "unknown policy %s%s; known are %s", grt_json_show(value, shown),
                  grt_guess_text(&guess, hint), known);
}

GRT_READER(grt_read_policy_name) {
    (void)field;
    struct grt_policy_fields *policy = out;
    policy->ops = find(value);
    if (!cJSON_IsString(value)) {
        grt_read_error(reader, path, value, "must be a text");
    } else if (policy->ops == NULL) {
        add_unknown(reader, value, path);
    }
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

GRT_READER(grt_read_policy) {
    (void)field;
    struct grt_policy_fields *policy = out;
    const struct grt_policy_ops *ops = find(grt_json_find(value, "name"));
    if (ops == NULL) {
        read_name_only(reader, value, path);
        return;
    }
    policy->parameters = grt_arena_array(reader->arena, 1, ops->parameters_size);
    const struct grt_read_part parts[] = {
        {.record = &grt_policy_record, .out = policy},
        {.record = ops->parameters, .out = policy->parameters},
    };
    grt_read_parts(reader, parts, ops->parameters != NULL ? 2 : 1, value, path);
}
