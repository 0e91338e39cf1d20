/* The shapes of task sets that gpurt can draw, by name: each with its parameters as a record, so that one table makes the fields of an
 * experiment's "generator", the options of `gpurt generate`, and the reference.
 *
 * To add one: a file scenarios/generate/NAME.c that defines `const struct grt_generator_ops grt_generator_NAME`, listed in generators.c. */
#ifndef GRT_SCENARIOS_GENERATE_GENERATORS_H
#define GRT_SCENARIOS_GENERATE_GENERATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/policy.h"
#include "models/task.h"
#include "scenarios/complete.h"
#include "sim/error.h"
#include "sim/field.h"
#include "sim/memory.h"

/* A number that goes with a drawn set, and that policies take that have a parameter of this name, where the user gave none: the core of
 * Kim et al.'s server, its epsilon. */
struct grt_set_value {
    const char *name; /* "cpu" */
    int64_t value;    /* as the parameter's field has it: ns where it is a time */
};

enum { GRT_SET_VALUES = 4 };

/* A task set that was drawn. All in the arena that it was made in. */
struct grt_drawn_set {
    /* name, tasks with priorities, core_count, horizon (a fixed one), seed; the platform, processes and networks too where `whole`; else the caller
     * gives the GPUs before use */
    struct grt_scenario scenario;
    bool whole;                          /* it is a whole scenario, with its platform and policy */
    const struct grt_policy_ops *policy; /* of a whole one; else NULL */
    const void *parameters;              /* of that policy; NULL: the defaults */
    /* of a whole one: the rules that its file has for priorities and cores; its scenario is as the file has it, before them */
    struct grt_scenario_assignment assignment;
    struct grt_set_value values[GRT_SET_VALUES];
    size_t value_count;
};

/* In what surroundings sets are drawn. */
struct grt_generator_place {
    uint64_t seed;
    const struct grt_device *device; /* on which kernels given by blocks run; NULL: not known */
    const char *folder;              /* where relative file names start */
};

struct grt_generator_ops {
    const char *name;                /* "independent" */
    const char *summary;             /* one line */
    const char *source;              /* authors, title, venue, year */
    const struct grt_record *record; /* the parameters; all but files have defaults */

    /* A maker of sets; read-only once made, so that threads may share it. The parameters (record->size bytes) are copied. NULL after adding errors
     * at `path` and its fields. */
    void *(*create)(const void *parameters, const struct grt_generator_place *place,
                    struct grt_errors *errors, const struct grt_path *path);

    /* Whether for some parameters it finds no set. Then it draws tasks alone, and puts them on no cores. */
    bool may_find_none;

    /* Set number `number`, from 0: depends on the parameters, the place and the number alone. False where no set could be found (vectors
     * thrown away too often). */
    bool (*make)(const void *maker, uint64_t number, struct grt_arena *arena, struct grt_drawn_set *set);

    /* Fills in `*names` (in the arena) with the names of the files that the maker has read, as seen from the place's folder, and returns how many: for
     * the identity of results. NULL: it reads none. */
    size_t (*files)(const void *maker, struct grt_arena *arena, const char *const **names);

    void (*destroy)(void *maker);
};

/* Fills in the defaults of a generator's parameters, ops->record->size bytes. Its defaults may be ranges, so that grt_record_defaults does
 * not do. False if a field is required; the rest is filled in all the same. */
bool grt_generator_defaults(const struct grt_generator_ops *ops, void *parameters);

/* All of them, NULL-terminated. */
extern const struct grt_generator_ops *const *const grt_generators;

/* The one of that name, or NULL. */
const struct grt_generator_ops *grt_generator_find(const char *name);

/* The policy's parameters with the set's values put where the user gave none: `given` has record->field_count bits, bit i for field i of
 * policy->parameters. A copy in the arena, or `parameters` itself where nothing is to be changed. */
const void *grt_set_parameters(const struct grt_drawn_set *set, const struct grt_policy_ops *policy,
                               const void *parameters, uint64_t given, struct grt_arena *arena);

#endif
