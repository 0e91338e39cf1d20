/* How kernels use a GPU that is simulated by shares, as files say it: by preset, by file, or in place. */
#ifndef GRT_SCENARIOS_USAGES_H
#define GRT_SCENARIOS_USAGES_H

#include <stdbool.h>

#include "models/usage.h"
#include "scenarios/embedded.h"
#include "sim/error.h"
#include "sim/memory.h"
#include "sim/time.h"

/* A usage file. */
struct grt_usage_fields {
    int64_t version; /* of the format of usage files */
    const char *description;
    /* what the kernel took alone where it was measured; 0: not said. For people and tables: a kernel says its own time */
    grt_time measured_time;
    struct grt_usage usage; /* usage.name: as the file says it, else as it was asked for; NULL in place */
};

/* The preset that has this name or alias; NULL. (usage_find.c) */
const struct grt_embedded_file *grt_usage_preset(const char *name);

/* Reads a usage by preset name, alias, or path of a file ending in ".json" (relative to `folder`, "." if NULL). What is read
 * lives as long as the arena. False after adding errors at `path`. */
bool grt_usage_find(const char *name, const char *folder, struct grt_arena *arena,
                    struct grt_usage_fields *out, struct grt_errors *errors, const struct grt_path *path);

#endif
