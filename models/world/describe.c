/* The numbers that a policy works with, as it tells them. */
#include <math.h>
#include <stdlib.h>

#include "models/world/internal.h"
#include "sim/check.h"
#include "sim/word.h"

static void add(struct grt_description *out, struct grt_number_result number) {
    GRT_REQUIRE((number.gpu == GRT_NUMBER_OF_NONE || number.gpu < out->scenario->gpu_count) &&
                    (number.task == GRT_NUMBER_OF_NONE || number.task < out->scenario->task_count),
                "a policy tells numbers of the scenario's GPUs and tasks, or of GRT_NUMBER_OF_NONE");
    GRT_REQUIRE(grt_word_is_valid(number.name, "_"),
                "a policy gives its numbers names that are keys: letters, digits and \"_\" in lower case, a "
                "letter first, at most 32");
    out->items = grt_array_grow(out->items, &out->capacity, out->count + 1, sizeof *out->items);
    out->items[out->count++] = number;
}

void grt_describe_time(struct grt_description *out, const char *name, uint32_t gpu, uint32_t task,
                       grt_time time) {
    add(out,
        (struct grt_number_result){.name = name, .gpu = gpu, .task = task, .is_time = true, .value = time});
}

void grt_describe_number(struct grt_description *out, const char *name, uint32_t gpu, uint32_t task,
                         int64_t number) {
    add(out, (struct grt_number_result){.name = name, .gpu = gpu, .task = task, .value = number});
}

void grt_describe_percent(struct grt_description *out, const char *name, uint32_t gpu, uint32_t task,
                          double percent) {
    int64_t parts = (int64_t)(fmin(percent, 1e11) * 1e4 + 0.5);
    add(out, (struct grt_number_result){
                 .name = name, .gpu = gpu, .task = task, .is_percent = true, .value = parts});
}

void world_describe(struct grt_world *world) {
    world->description.scenario = world->scenario;
    if (world->policy->describe != NULL) {
        world->policy->describe(world->policy_state, world, &world->description);
    }
    world->result.numbers = world->description.items;
    world->result.number_count = world->description.count;
}

void world_conclude(struct grt_world *world) {
    world->conclusion.scenario = world->scenario;
    if (world->policy->conclude != NULL) {
        world->policy->conclude(world->policy_state, world, &world->conclusion);
    }
    world->result.measures = world->conclusion.items;
    world->result.measure_count = world->conclusion.count;
}
