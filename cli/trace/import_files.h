/* The files that a command line means: those that it names, and for each folder the .json files in it. */
#ifndef GRT_CLI_TRACE_IMPORT_FILES_H
#define GRT_CLI_TRACE_IMPORT_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "sim/error.h"
#include "sim/memory.h"

struct grt_import_files {
    const char **paths; /* the list and what was made are the arena's */
    uint32_t count, capacity;
};

/* Adds a path, or the files of a folder, ordered by their names with numbers as numbers. Adds an error for a folder that
 * cannot be read or has none; whether a file can be read shows when it is. */
void grt_import_files_add(struct grt_import_files *files, struct grt_arena *arena, const char *path,
                          struct grt_errors *errors);

void grt_import_files_free(struct grt_import_files *files);

/* Compares names as people order them: "run_2.json" before "run_10.json". */
int grt_import_files_compare(const char *first, const char *second);

#endif
