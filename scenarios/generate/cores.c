/* The generator `cores`: tasks on several cores, some of which use the GPU (kim.h). */
#include <stdlib.h>

#include "scenarios/generate/kim.h"
#include "scenarios/generate/shape.h"
#include "scenarios/records.h"
#include "sim/memory.h"

#define RANGE(key, member, kind, usual, text)                                                                \
    {                                                                                                        \
        .name = key, .type = GRT_FIELD_CUSTOM, .offset = offsetof(struct grt_kim_spec, member),              \
        .fallback = usual, .custom = kind, .help = text                                                      \
    }

static const struct grt_field fields[] = {
    {.name = "cores",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(struct grt_kim_spec, cores),
     .fallback = "4",
     .min = 1,
     .max = GRT_MAX_CORES,
     .help = "CPU cores, N_P."},
    RANGE("tasks", tasks, GRT_CUSTOM_COUNTS, "[3, 5]", "Tasks of each core, drawn for each."),
    RANGE("gpu_tasks", gpu_tasks, GRT_CUSTOM_RANGE, "[0.1, 0.3]",
          "Share of the tasks that use the GPU, drawn for each set; their number is rounded."),
    RANGE("utilisation", utilisation, GRT_CUSTOM_RANGE, "[0.3, 0.5]",
          "Utilisation of each core, drawn for each; its tasks share it by UUniFast."),
    RANGE("gpu_ratio", gpu_ratio, GRT_CUSTOM_RANGE, "[0.1, 0.3]",
          "GPU segments of a task over its CPU segments, G / C, drawn for each task that uses the GPU."),
    RANGE("gpu_segments", segments, GRT_CUSTOM_COUNTS, "[1, 3]", "GPU segments of such a task."),
    RANGE("host_ratio", host_ratio, GRT_CUSTOM_RANGE, "[0.1, 0.2]",
          "Host parts of a GPU segment over the GPU's, G^m / G^e, drawn for each segment."),
    {.name = "epsilon",
     .type = GRT_FIELD_TIME,
     .offset = offsetof(struct grt_kim_spec, epsilon),
     .fallback = "\"50us\"",
     .max = GRT_TIME_LIMIT,
     .help =
         "For policies with a parameter of this name, where the file does not give it: the overhead of the "
         "GPU server. Nothing of a set depends on it."},
    GRT_PERIOD_FIELDS(struct grt_kim_spec, periods, "\"uniform\"", "\"100ms\"", "\"500ms\""),
};

static const struct grt_record record = {
    .name = "cores",
    .size = sizeof(struct grt_kim_spec),
    .fields = fields,
    .field_count = GRT_FIELD_COUNT(fields),
    .help = "Tasks on several cores, some of which compute and use the GPU by turns. Priorities are rate "
            "monotonic. Policies with the parameters `cpu` and `epsilon` get a core that is drawn, and "
            "`epsilon`. "
            "The defaults are those of Table II of the source.",
};

struct maker {
    struct grt_kim *kim;
    uint64_t seed;
};

static const struct grt_option_field names[] = {
    {"cpus", "cores"}, {"tasks-per-core", "tasks"}, {"core-utilisation", "utilisation"}, {0}};

static void *create(const void *parameters, const struct grt_generator_place *place,
                    struct grt_errors *errors, const struct grt_path *path) {
    struct grt_errors found = {0};
    size_t before = errors->count;
    struct grt_kim_spec spec = *(const struct grt_kim_spec *)parameters, usual = grt_kim_spec_default();
    spec.seed = place->seed;
    grt_shape_check_periods(&spec.periods, &usual.periods, errors, path);
    struct grt_kim *kim = grt_kim_create(&spec, &found);
    grt_shape_errors(&found, names, errors, path);
    if (errors->count > before) {
        grt_kim_free(kim);
        return NULL;
    }
    struct maker *maker = grt_allocate(sizeof *maker);
    *maker = (struct maker){.kim = kim, .seed = place->seed};
    return maker;
}

static void destroy(void *state) {
    struct maker *maker = state;
    if (maker != NULL) {
        grt_kim_free(maker->kim);
        free(maker);
    }
}

static bool make(const void *state, uint64_t number, struct grt_arena *arena, struct grt_drawn_set *set) {
    const struct maker *maker = state;
    /* Not of the arena, which would zero all of it: only so many tasks as there are are touched. */
    struct grt_kim_set drawn = {.tasks = grt_allocate(grt_kim_most_tasks(maker->kim) * sizeof *drawn.tasks)};
    grt_kim_make(maker->kim, number + 1, &drawn);
    const struct grt_generated_frame frame = {.name = grt_shape_name(maker->seed, number, arena),
                                              .seed = grt_generated_seed(maker->seed, number + 1)};
    *set = (struct grt_drawn_set){.scenario = grt_kim_scenario(&frame, &drawn, arena),
                                  .values = {{"cpu", drawn.server_core}, {"epsilon", drawn.epsilon}},
                                  .value_count = 2};
    set->scenario.gpu_count = 0; /* the caller's */
    free(drawn.tasks);
    return true;
}

const struct grt_generator_ops grt_generator_cores = {
    .name = "cores",
    .summary = "tasks on several cores, some of which use the GPU",
    .source = "H. Kim, P. Patel, S. Wang, R. Rajkumar, A Server-based Approach for Predictable GPU Access "
              "Control, RTCSA 2017, Table II",
    .record = &record,
    .create = create,
    .make = make,
    .destroy = destroy,
};
