/* The library of experiments: files papers/PAPER/experiments/ITEM.json and experiments/ITEM.json below a folder. */
#ifndef GRT_CLI_PAPERS_LIBRARY_H
#define GRT_CLI_PAPERS_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/error.h"
#include "sim/memory.h"

struct grt_library_item {
    const char *path;  /* of the file */
    const char *paper; /* the folder's name; "": of no paper */
    const char *item;  /* the file's name without ".json" */
};

struct grt_library {
    const char *folder;
    struct grt_library_item *items; /* by paper, then item; those of no paper last */
    uint32_t count, capacity;
    struct grt_arena arena;
};

/* Finds the library as grt_library_folder (cli/terminal/library_files.h) does, and lists its experiments, whose files it does not read. False
 * after adding an error: there is none, or a folder that cannot be read. Free it with grt_library_free. */
bool grt_library_open(const char *given, struct grt_library *library, struct grt_errors *errors);
void grt_library_free(struct grt_library *library);

#endif
