#include "scenarios/policy_names.h"

#include "policies/registry.h"

const char *grt_scenario_policy_name(size_t number) {
    for (size_t i = 0; i < number; i++) {
        if (grt_policies[i] == NULL) {
            return NULL;
        }
    }
    return grt_policies[number] != NULL ? grt_policies[number]->name : NULL;
}
