#include "tests/support/file_sets.h"

static bool make(const void *maker, uint64_t number, struct grt_arena *arena, struct grt_drawn_set *set) {
    const struct grt_scenario_file *file = maker;
    (void)arena;
    *set = (struct grt_drawn_set){.scenario = file->written,
                                  .whole = true,
                                  .policy = file->policy,
                                  .parameters = file->policy_parameters,
                                  .assignment = file->assignment};
    set->scenario.seed = number + 1;
    return true;
}

const struct grt_generator_ops file_sets = {.name = "file", .make = make};
