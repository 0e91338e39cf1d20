/* From a scenario file to the structs that a world is built from. Strict: every unknown or repeated key, wrong type
 * or unit and impossible value is an error; all errors of a file are found at once. The fields and their defaults
 * are described in docs/scenario-reference.md, which is made from the same tables that drive the reading. */
#ifndef GRT_SCENARIOS_SCENARIO_H
#define GRT_SCENARIOS_SCENARIO_H

#include <stddef.h>
#include <stdio.h>

#include "models/analysis.h"
#include "models/policy.h"
#include "models/task.h"
#include "scenarios/complete.h"
#include "scenarios/expect.h"
#include "sim/error.h"

/* Everything that a file says. Strings and lists belong to `arena`. */
struct grt_scenario_file {
    struct grt_arena arena;
    struct grt_scenario scenario; /* as it is executed under the policy (models/adapt.h) */
    /* as the file has it; rules for priorities and cores may not have been applied */
    struct grt_scenario written;
    const struct grt_policy_ops *policy;
    void *policy_parameters; /* policy->parameters_size bytes */
    struct grt_scenario_assignment assignment;
    struct grt_expect expect;
    const char *description;  /* free text, or "" */
    const char *const *notes; /* what is not wrong, but may be a mistake: sentences for people */
    size_t note_count;
};

/* What errors call the members of a struct of changes; a program names its options. NULL: as C does, "changes.policy". */
struct grt_change_names {
    const char *policy, *seed, *horizon, *sets, *samples;
};

/* Changes to make before the checks: what the command line says. */
struct grt_scenario_changes {
    /* --policy: replaces the policy, without parameters: a name, or the file of a plug-in (scenarios/plugin.h); NULL: as in the file */
    const char *policy;
    /* where it starts, if it is the file of a plug-in; NULL: the working directory */
    const char *policy_folder;
    const struct grt_change_names *names; /* for errors; NULL: none is given */
    const char *seed;                     /* --seed */
    const char *horizon;                  /* --until */
    /* --set: `set_count` texts "path=value"; the value is JSON, or else a plain text */
    const char *const *sets;
    size_t set_count;
    bool without_networks; /* as if "networks" was not there: the file that it names is yet to be trained */
};

/* Reads a scenario from a file ("-" for standard input). On failure returns false with every error added to `errors`
 * and an empty *out. Syntax errors read "12:7: ..." (line and column); content errors start with a path. Device files
 * and others that it names are sought relative to the scenario's folder. `changes` may be NULL. */
bool grt_scenario_read(const char *path, const struct grt_scenario_changes *changes,
                       struct grt_scenario_file *out, struct grt_errors *errors);

/* The same from a text in memory; `folder` is where relative device files are sought ("." if NULL). */
bool grt_scenario_parse(const char *text, size_t size, const char *folder,
                        const struct grt_scenario_changes *changes, struct grt_scenario_file *out,
                        struct grt_errors *errors);

void grt_scenario_file_free(struct grt_scenario_file *file);

/* Reads a device by preset name, alias, or path of a file ending in ".json" (relative to `folder`). */
bool grt_device_find(const char *name, const char *folder, struct grt_arena *arena, struct grt_device *device,
                     struct grt_errors *errors, const struct grt_path *path);

/* Writes the JSON Schema (draft 2020-12) of scenario files, and the reference in Markdown. */
void grt_scenario_write_schema(FILE *out);
void grt_scenario_write_reference(FILE *out);

/* The same of kernel files. */
void grt_kernels_write_schema(FILE *out);
void grt_kernels_write_reference(FILE *out);

#endif
