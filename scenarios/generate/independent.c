/* The generator `independent`: every task is one kernel on one GPU (generate.h). */
#include "scenarios/generate/independent.h"

#include <stdlib.h>

#include "scenarios/generate/generated_scenario.h"
#include "scenarios/generate/shape.h"
#include "scenarios/records.h"
#include "sim/memory.h"

enum { MOST_THREADS = 1024, USUAL_THREADS = 256 };

static const char *const deadline_kinds[] = {"implicit", "factor", "slack", NULL};

#define NUMBER(key, member, usual, low, high, text)                                                          \
    {                                                                                                        \
        .name = key, .type = GRT_FIELD_NUMBER, .offset = offsetof(struct grt_independent, member),           \
        .fallback = usual, .min = low, .max = high, .help = text                                             \
    }
#define RANGE(key, member, kind, usual, text)                                                                \
    {                                                                                                        \
        .name = key, .type = GRT_FIELD_CUSTOM, .offset = offsetof(struct grt_independent, member),           \
        .fallback = usual, .custom = kind, .help = text                                                      \
    }
#define SPAN(key, member, usual, text)                                                                       \
    {                                                                                                        \
        .name = key, .type = GRT_FIELD_TIME, .offset = offsetof(struct grt_independent, member),             \
        .fallback = usual, .max = GRT_TIME_LIMIT, .help = text                                               \
    }

static const struct grt_field fields[] = {
    {.name = "tasks",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(struct grt_independent, tasks),
     .fallback = "10",
     .min = 1,
     .max = GRT_MAX_TASKS,
     .help = "Tasks of a set."},
    NUMBER("utilisation", spec.utilisation, "0.5", 0, GRT_MAX_TASKS, "Utilisation of all tasks together."),
    {.name = "method",
     .type = GRT_FIELD_CHOICE,
     .offset = offsetof(struct grt_independent, spec.method),
     .fallback = "\"uunifast-discard\"",
     .choices = grt_utilisation_method_names,
     .help = "How it is shared."},
    NUMBER("min_utilisation", spec.least, "0", 0, GRT_MAX_TASKS,
           "Smallest utilisation of a task; `uunifast-discard` and `randfixedsum` only."),
    NUMBER("max_utilisation", spec.most, "1", 0, GRT_MAX_TASKS,
           "Largest utilisation of a task; `uunifast-discard` and `randfixedsum` only."),
    GRT_PERIOD_FIELDS(struct grt_independent, spec.periods, "\"log-uniform\"", "\"10ms\"", "\"1s\""),
    SPAN("hyperperiod_below", spec.hyperperiod_below, "",
         "Periods are drawn again until their least common multiple is below this. Default: it may be any."),
    {.name = "deadlines",
     .type = GRT_FIELD_CHOICE,
     .offset = offsetof(struct grt_independent, spec.deadlines),
     .fallback = "\"implicit\"",
     .choices = deadline_kinds,
     .help =
         "implicit: the period. factor: `deadline_factor` times the period. slack: the execution time, and "
         "`deadline_factor` times what the period has beyond it."},
    RANGE("deadline_factor", spec.deadline_factor, GRT_CUSTOM_RANGE, "1",
          "Drawn for each task, uniformly; with `deadlines` `factor` or `slack`."),
    RANGE("jitter", spec.jitter, GRT_CUSTOM_RANGE, "0",
          "Release jitter as a share of the period, drawn for each task."),
    SPAN("split_overhead", spec.overhead, "\"0s\"", "`split_overhead` of tasks is uniform from 0 to this."),
    {.name = "random_offsets",
     .type = GRT_FIELD_BOOLEAN,
     .offset = offsetof(struct grt_independent, spec.random_offsets),
     .fallback = "false",
     .help = "Offsets are multiples of `granularity` below the period, drawn for each task; else 0."},
    RANGE(
        "blocks", spec.blocks, GRT_CUSTOM_COUNTS, "0",
        "The work of a task is so many blocks, uniformly, which take whole waves of the first GPU. 0: it is "
        "given as a time."),
    {.name = "threads",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(struct grt_independent, threads),
     .fallback = "256",
     .min = 1,
     .max = MOST_THREADS,
     .help = "Threads of each block; with `blocks`."},
    NUMBER("takes", takes, "1", 0, 1,
           "Every kernel takes this share of its declared longest time, above 0; policies and analyses go by "
           "the latter."),
};

static const struct grt_record record = {
    .name = "independent",
    .size = sizeof(struct grt_independent),
    .fields = fields,
    .field_count = GRT_FIELD_COUNT(fields),
    .help =
        "Tasks that have nothing to do with each other: every one is one kernel on one GPU, with periods, "
        "utilisations, deadlines, jitter and offsets drawn apart.",
};

/* ---- Making ---- */

struct maker {
    struct grt_independent parameters;
    struct grt_generator *generator;
    uint64_t seed;
};

static const struct grt_option_field names[] = {
    {"overhead", "split_overhead"}, {"deadlines", "deadline_factor"}, {0}};

static void add(struct grt_errors *errors, const struct grt_path *path, const char *key,
                const char *sentence) {
    const struct grt_path place = {.parent = path, .key = key};
    grt_error_add(errors, &place, "%s", sentence);
}

/* What the makers of generate.h do not know of. */
static void check(const struct grt_independent *parameters, struct grt_errors *errors,
                  const struct grt_path *path) {
    const struct grt_generator_spec *spec = &parameters->spec, usual = grt_generator_spec_default();
    bool implicit = spec->deadlines == GRT_DEADLINES_IMPLICIT;
    grt_shape_check_periods(&spec->periods, &usual.periods, errors, path);
    if (implicit && (spec->deadline_factor.low != 1 || spec->deadline_factor.high != 1)) {
        add(errors, path, "deadline_factor", "has no meaning with \"deadlines\": \"implicit\"");
    }
    if (spec->blocks.high == 0 && parameters->threads != USUAL_THREADS) {
        add(errors, path, "threads", "has a meaning only with \"blocks\"");
    }
    if (!(parameters->takes > 0 && parameters->takes <= 1)) {
        const struct grt_path place = {.parent = path, .key = "takes"};
        grt_error_add(errors, &place, "must be above 0 and at most 1 (got %g)", parameters->takes);
    }
}

/* How many blocks run at a time on the device of the place. */
static int64_t find_blocks(const struct grt_independent *parameters, const struct grt_generator_place *place,
                           struct grt_errors *errors, const struct grt_path *path) {
    if (parameters->spec.blocks.high == 0) {
        return 1;
    }
    if (place->device == NULL) {
        add(errors, path, "blocks", "needs a platform: the work is whole waves of its first GPU");
        return 1;
    }
    struct grt_errors found = {0};
    int64_t at_a_time = grt_generated_blocks_at_a_time(place->device, parameters->threads, &found);
    bool runs = found.count == 0;
    grt_shape_errors(&found, names, errors, path);
    return runs ? at_a_time : 1;
}

static void *create(const void *given, const struct grt_generator_place *place, struct grt_errors *errors,
                    const struct grt_path *path) {
    size_t before = errors->count;
    struct grt_errors found = {0};
    struct maker *maker = grt_allocate(sizeof *maker);
    *maker = (struct maker){.parameters = *(const struct grt_independent *)given, .seed = place->seed};
    struct grt_generator_spec *spec = &maker->parameters.spec;
    spec->seed = place->seed;
    spec->task_count = (size_t)maker->parameters.tasks;
    check(&maker->parameters, errors, path);
    spec->blocks_at_a_time = find_blocks(&maker->parameters, place, errors, path);
    maker->generator = grt_generator_create(spec, &found);
    grt_shape_errors(&found, names, errors, path);
    if (errors->count > before) {
        grt_generator_free(maker->generator);
        free(maker);
        return NULL;
    }
    return maker;
}

static void destroy(void *state) {
    struct maker *maker = state;
    if (maker != NULL) {
        grt_generator_free(maker->generator);
        free(maker);
    }
}

static bool make(const void *state, uint64_t number, struct grt_arena *arena, struct grt_drawn_set *set) {
    const struct maker *maker = state;
    size_t count = maker->parameters.spec.task_count;
    struct grt_generated_task *tasks = grt_arena_array(arena, count, sizeof *tasks);
    *set = (struct grt_drawn_set){0};
    if (!grt_generator_make(maker->generator, number + 1, tasks)) {
        return false;
    }
    const struct grt_generated_frame frame = {.name = grt_shape_name(maker->seed, number, arena),
                                              .seed = grt_generated_seed(maker->seed, number + 1),
                                              .threads = maker->parameters.threads,
                                              .takes = maker->parameters.takes};
    set->scenario = grt_generated_scenario(&frame, tasks, count, arena);
    set->scenario.gpu_count = 0; /* the caller's */
    return true;
}

const struct grt_generator_ops grt_generator_independent = {
    .name = "independent",
    .summary = "tasks that are one kernel each, of a given utilisation together",
    .source = "E. Bini, G. C. Buttazzo, Measuring the performance of schedulability tests, Real-Time Systems "
              "30, 2005; P. Emberson, R. Stafford, R. I. Davis, Techniques for the synthesis of "
              "multiprocessor tasksets, WATERS 2010",
    .record = &record,
    .create = create,
    .may_find_none = true,
    .make = make,
    .destroy = destroy,
};
