/* A policy in the JSON of reports. */
#ifndef GRT_CLI_POLICY_JSON_H
#define GRT_CLI_POLICY_JSON_H

#include <cjson/cJSON.h>

#include "models/policy.h"

/* Adds "policy", its name, and where it comes from a plug-in "plugin", the file. */
void grt_json_add_policy(cJSON *object, const struct grt_policy_ops *policy);

#endif
