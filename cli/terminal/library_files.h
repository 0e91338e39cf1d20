/* The library of scenarios: the folder of files that gpurt comes with, and its files by their names, so that a command line may say "quickstart". */
#ifndef GRT_CLI_TERMINAL_LIBRARY_FILES_H
#define GRT_CLI_TERMINAL_LIBRARY_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "scenarios/spelling.h"
#include "sim/error.h"
#include "sim/memory.h"

/* What a file is, by the folders in which it is: experiments in "experiments", parts of scenarios in "devices", "usages" and "kernels", scenarios
 * anywhere else. A set of kinds is their sum. */
enum grt_library_kind {
    GRT_LIBRARY_SCENARIO = 1,
    GRT_LIBRARY_EXPERIMENT = 2,
    GRT_LIBRARY_PART = 4,
    GRT_LIBRARY_ALL = 7,
};

/* A file ITEM.json of the library. */
struct grt_library_file {
    const char *name; /* its path below the library's folder without ".json": "rules/q7-static-queues" */
    const char *path;
    enum grt_library_kind kind;
};

/* Belongs to the arena with which it was made, but for `items`. */
struct grt_library_files {
    const char *folder;
    struct grt_library_file *items; /* by name, numbers in names by their values; those in no folder first */
    uint32_t count, capacity;
};

/* Finds the library's folder: `given` (what --library says; NULL: nothing); else $GPURT_LIBRARY; else share/gpurt/scenarios beside the folder of the program;
 * else the source tree that it was built from. NULL after adding an error. */
const char *grt_library_folder(const char *given, struct grt_arena *arena, struct grt_errors *errors);

/* Lists the files of the kinds, at most 4 folders deep, hidden ones apart; reads none. False after adding an error: no library, or a folder of it that cannot
 * be read. Free the list with grt_library_files_free. */
bool grt_library_files_list(const char *given, unsigned kinds, struct grt_library_files *files,
                            struct grt_arena *arena, struct grt_errors *errors);
void grt_library_files_free(struct grt_library_files *files);

/* The file that a user calls `name`: its whole name, or its last part where no other file of the list ends so. NULL: there is none, or, after adding an error,
 * there are several. */
const struct grt_library_file *grt_library_files_find(const struct grt_library_files *files, const char *name,
                                                      struct grt_errors *errors);

/* " (did you mean "quickstart"?)", of names and last parts of names, or one that goes on as `name` does; "" where there is none. Returns `text`. */
const char *grt_library_files_suggest(const struct grt_library_files *files, const char *name,
                                      char text[GRT_GUESS_TEXT_SIZE]);

/* The path of the file that a command line names, `name` itself or the arena's. A file that is there is meant before one of the library.
 * A name, but - and "", that begins with no / or . and does not end in ".json" is looked for in the library: experiments also by the name that `gpurt papers --list` shows;
 * files of other kinds come last, for their reader to refuse. NULL after adding an error, without the name, if several files are called so, or none, unless it
 * is a folder's name, or has a / or . in it and resembles none.
 * A path to nothing that ends in ".json" and whose end is the name of one file of the library, or of several, ends in NULL and an error as well.
 * Everything else stays as it is, to be refused by its reader. */
const char *grt_library_path(const char *name, unsigned kinds, struct grt_arena *arena,
                             struct grt_errors *errors);

#endif
