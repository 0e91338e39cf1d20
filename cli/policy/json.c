#include "cli/policy/json.h"

void grt_json_add_policy(cJSON *object, const struct grt_policy_ops *policy) {
    cJSON_AddStringToObject(object, "policy", policy->name);
    if (policy->plugin != NULL) {
        cJSON_AddStringToObject(object, "plugin", policy->plugin);
    }
}
