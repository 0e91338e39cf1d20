/* The generator `applications`: some of a list of measured applications, each a kernel whose usage is a preset. */
#include <stdlib.h>

#include "scenarios/generate/generated_scenario.h"
#include "scenarios/generate/shape.h"
#include "scenarios/generate/utilisation.h"
#include "scenarios/usages.h"
#include "sim/memory.h"
#include "sim/random.h"

enum { MOST = 10 };

/* Y. Yao et al., WAMP2S: Workload-Aware GPU Performance Model Based Pseudo-Preemptive Real-Time Scheduling for the Airborne Embedded System,
 * IEEE TPDS 33(11), 2022, Table 3: the longest time alone with the whole GPU, and the priority. `kernel` is also the preset of the usage. */
static const struct application {
    const char *task, *kernel;
    grt_time worst;
    int64_t priority;
} rodinia[MOST] = {
    {"GS", "gaussian", 261 * GRT_MILLISECOND, 10}, {"HW", "heart_wall", 356 * GRT_MILLISECOND, 9},
    {"CFD", "cfd", 2081 * GRT_MILLISECOND, 8},     {"KM", "kmeans", 79 * GRT_MILLISECOND, 7},
    {"LM", "lavamd", 448 * GRT_MILLISECOND, 6},    {"LC", "leukocyte", 144 * GRT_MILLISECOND, 5},
    {"LUD", "lud", 28 * GRT_MILLISECOND, 4},       {"MC", "myocyte", 531 * GRT_MILLISECOND, 3},
    {"SRD", "srad", 301 * GRT_MILLISECOND, 2},     {"ST", "streamcluster", 1444 * GRT_MILLISECOND, 1}};

static const char *const sets[] = {"rodinia", NULL};

struct parameters {
    int64_t set, count;
    double utilisation;
};

static const struct grt_field fields[] = {
    {.name = "set",
     .type = GRT_FIELD_CHOICE,
     .offset = offsetof(struct parameters, set),
     .fallback = "\"rodinia\"",
     .choices = sets,
     .help = "rodinia: the ten applications of Table 3 of the source."},
    {.name = "count",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(struct parameters, count),
     .fallback = "5",
     .min = 1,
     .max = MOST,
     .help = "Applications of a set, all choices equally likely."},
    {.name = "utilisation",
     .type = GRT_FIELD_NUMBER,
     .offset = offsetof(struct parameters, utilisation),
     .fallback = "0.5",
     .min = 0,
     .max = MOST,
     .help = "Utilisation of all of them together, shared by UUniFast-discard, with at most 1 each; periods "
             "follow from it."},
};

static const struct grt_record record = {
    .name = "applications",
    .size = sizeof(struct parameters),
    .fields = fields,
    .field_count = GRT_FIELD_COUNT(fields),
    .help =
        "Some of a list of measured applications, for GPUs of granularity shares. Each is a kernel whose "
        "usage "
        "is a preset, with its longest time and its priority of the list, and its deadline at the end of its "
        "period.",
};

struct maker {
    struct parameters parameters;
    uint64_t seed;
    const struct grt_usage *usages[MOST];
    struct grt_arena arena;
};

static void check(const struct parameters *parameters, struct grt_errors *errors,
                  const struct grt_path *path) {
    const struct grt_path place = {.parent = path, .key = "utilisation"};
    if (!(parameters->utilisation > 0)) {
        grt_error_add(errors, &place, "must be above 0 (got %g)", parameters->utilisation);
    } else if (parameters->utilisation > (double)parameters->count) {
        grt_error_add(errors, &place, "%lld applications cannot have %g together: at most 1 each",
                      (long long)parameters->count, parameters->utilisation);
    } else if (grt_uunifast_share_within((size_t)parameters->count, parameters->utilisation, 0, 1) < 1e-4) {
        grt_error_add(errors, &place, "nearly all vectors of %lld values with %g together have one above 1",
                      (long long)parameters->count, parameters->utilisation);
    }
}

static void destroy(void *state) {
    struct maker *maker = state;
    if (maker != NULL) {
        grt_arena_clear(&maker->arena);
        free(maker);
    }
}

static void *create(const void *parameters, const struct grt_generator_place *place,
                    struct grt_errors *errors, const struct grt_path *path) {
    size_t before = errors->count;
    struct maker *maker = grt_allocate(sizeof *maker);
    *maker = (struct maker){.parameters = *(const struct parameters *)parameters, .seed = place->seed};
    check(&maker->parameters, errors, path);
    for (size_t i = 0; i < MOST; i++) {
        struct grt_usage_fields *usage = grt_arena_new(&maker->arena, struct grt_usage_fields);
        grt_usage_find(rodinia[i].kernel, NULL, &maker->arena, usage, errors, path);
        maker->usages[i] = &usage->usage;
    }
    if (errors->count > before) {
        destroy(maker);
        return NULL;
    }
    return maker;
}

/* The applications in the order of the list: each next one with the probability that it is among those. */
static void choose(const struct maker *maker, uint64_t number, size_t *chosen) {
    struct grt_random random = grt_random_stream(maker->seed, "applications", number, 0);
    size_t count = (size_t)maker->parameters.count, found = 0;
    for (size_t i = 0; i < MOST; i++) {
        if (grt_random_below(&random, MOST - i) < count - found) {
            chosen[found++] = i;
        }
    }
}

static grt_time period_of(const struct application *application, double utilisation) {
    static const grt_time longest = 1000000 * GRT_SECOND;
    double period = (double)application->worst / utilisation;
    return period < (double)longest ? (grt_time)period : longest;
}

static struct grt_task make_task(const struct maker *maker, size_t chosen, double utilisation,
                                 struct grt_arena *arena) {
    const struct application *application = &rodinia[chosen];
    struct grt_segment *segment = grt_arena_new(arena, struct grt_segment);
    struct grt_command_spec *command = grt_arena_new(arena, struct grt_command_spec);
    grt_time period = period_of(application, utilisation);
    *command = (struct grt_command_spec){
        .kind = GRT_COMMAND_KERNEL,
        .kernel = {.name = application->kernel,
                   .whole_device = true,
                   .draw_per = GRT_DRAW_PER_KERNEL,
                   .block_time = {.kind = GRT_CONSTANT, .min = application->worst, .max = application->worst},
                   .usage = maker->usages[chosen]}};
    *segment = (struct grt_segment){.kind = GRT_SEGMENT_GPU, .commands = command, .command_count = 1};
    return (struct grt_task){.name = application->task,
                             .arrival = GRT_ARRIVAL_PERIODIC,
                             .period = period,
                             .deadline = period,
                             .priority = application->priority,
                             .cpu = -1,
                             .segments = segment,
                             .segment_count = 1};
}

/* Twice the longest period, so that every application has two jobs at least, but 60 s at least and 300 s at most: beyond that, it has one. */
static grt_time horizon_of(const struct grt_task *tasks, size_t count) {
    grt_time longest = 30 * GRT_SECOND;
    for (size_t i = 0; i < count; i++) {
        longest = tasks[i].period > longest ? tasks[i].period : longest;
    }
    return longest < 150 * GRT_SECOND ? 2 * longest : 300 * GRT_SECOND;
}

static bool make(const void *state, uint64_t number, struct grt_arena *arena, struct grt_drawn_set *set) {
    const struct maker *maker = state;
    size_t count = (size_t)maker->parameters.count, chosen[MOST];
    double utilisations[MOST];
    struct grt_random random = grt_random_stream(maker->seed, "applications utilisation", number, 0);
    *set = (struct grt_drawn_set){0};
    if (!grt_uunifast_discard(&random, utilisations, count, maker->parameters.utilisation, 0, 1,
                              GRT_GENERATOR_TRIES, NULL)) {
        return false;
    }
    choose(maker, number, chosen);
    struct grt_task *tasks = grt_arena_array(arena, count, sizeof *tasks);
    for (size_t i = 0; i < count; i++) {
        tasks[i] = make_task(maker, chosen[i], utilisations[i], arena);
    }
    set->scenario = (struct grt_scenario){.name = grt_shape_name(maker->seed, number, arena),
                                          .seed = grt_generated_seed(maker->seed, number + 1),
                                          .horizon = horizon_of(tasks, count),
                                          .tasks = tasks,
                                          .task_count = count};
    return true;
}

const struct grt_generator_ops grt_generator_applications = {
    .name = "applications",
    .summary = "some of a list of measured applications, whose kernels have usages",
    .source =
        "Y. Yao and others, WAMP2S: Workload-Aware GPU Performance Model Based Pseudo-Preemptive Real-Time "
        "Scheduling for the Airborne Embedded System, IEEE TPDS 33(11), 2022, section 6.1 and Table 3",
    .record = &record,
    .create = create,
    .may_find_none = true,
    .make = make,
    .destroy = destroy,
};
