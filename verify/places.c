#include "verify/places.h"

#include <string.h>

#include "policies/pruda/parameters.h"
#include "policies/pruda/records.h"

static const struct pruda_pin_fields *pin_of(const struct pruda_parameters *given, const char *task) {
    const struct pruda_pin_fields *pins = given->pins.items;
    for (size_t i = 0; i < given->pins.count; i++) {
        if (strcmp(pins[i].task, task) == 0) {
            return &pins[i];
        }
    }
    return NULL;
}

const struct grt_audit_places *grt_places_of(const struct grt_scenario *scenario,
                                             const struct grt_policy_ops *policy, const void *parameters,
                                             struct grt_arena *arena) {
    static const struct pruda_parameters defaults; /* nothing is pinned */
    const struct pruda_parameters *given = parameters != NULL ? parameters : &defaults;
    if (policy->parameters != &pruda_sm_record) {
        return NULL;
    }
    struct grt_audit_places *result = grt_arena_array(arena, 1, sizeof *result);
    uint32_t *places = grt_arena_array(arena, scenario->task_count, sizeof *places), count = 0;
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        const struct pruda_pin_fields *pin = pin_of(given, task->name);
        places[i] = pin == NULL ? UINT32_MAX : count;
        for (size_t j = 0; pin != NULL && j < i && places[i] == count; j++) {
            const struct pruda_pin_fields *other = pin_of(given, scenario->tasks[j].name);
            bool same = other != NULL && scenario->tasks[j].gpu == task->gpu && other->sm == pin->sm;
            places[i] = same ? places[j] : count;
        }
        count += places[i] == count;
    }
    result->places = places;
    return result;
}
