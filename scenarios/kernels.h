/* Kernels as entities: definitions, in files or in the scenario, that its commands and launches take by name. What a definition says is put
 * into the tree of the scenario before that is read: so whatever reads scenarios sees commands that are written out, and all is
 * checked in one way. Definitions are put in by reference, and lists in them are read once (scenarios/shared_lists.h). */
#ifndef GRT_SCENARIOS_KERNELS_H
#define GRT_SCENARIOS_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#include "models/device.h"
#include "scenarios/read_fields.h"

/* Of a scenario, all files together; launches of all tasks, where definitions are used. */
enum { GRT_MOST_DEFINITIONS = 4096, GRT_MOST_LAUNCHES_IN_ALL = 1000000 };

/* The definitions of a scenario; to be freed after the tree that they were put into, and after all reading. */
struct grt_kernels;

/* Finds the definitions of a scenario's tree, which may have none, and reads its kernel files, from the reader's folder. NULL
 * after adding errors: what is wrong with the definitions themselves is not yet looked at. */
struct grt_kernels *grt_kernels_find(struct grt_reader *reader, cJSON *root);

/* Checks all definitions, and puts them into the commands and launches of the tree's tasks. False after adding errors: reading the
 * tree would only repeat them. */
bool grt_kernels_put(struct grt_reader *reader, struct grt_kernels *kernels, cJSON *root);

/* How many notes there are on kernels that run on another device than that which their file was measured on, each a text in the
 * arena; *notes is the list. */
size_t grt_kernels_notes(const struct grt_kernels *kernels, const struct grt_device *gpus, size_t gpu_count,
                         struct grt_arena *arena, const char *const **notes);

/* All definitions as a list in place of the files' names, to be freed with cJSON_Delete; NULL where there are none. Not after
 * grt_kernels_put. */
cJSON *grt_kernels_in_place(const struct grt_kernels *kernels);

void grt_kernels_free(struct grt_kernels *kernels);

/* Reads a kernel file on its own; false after adding errors. */
bool grt_kernel_file_check(const char *text, size_t size, struct grt_errors *errors);

#endif
