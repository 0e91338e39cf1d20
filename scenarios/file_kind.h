/* What kind of file a tree is from, by what only files of that kind have: so that a file of another kind is named as such, instead of an error for
 * each field that it lacks. */
#ifndef GRT_SCENARIOS_FILE_KIND_H
#define GRT_SCENARIOS_FILE_KIND_H

#include <stdbool.h>
#include <stddef.h>

#include "scenarios/json_tree.h"

enum grt_file_kind {
    GRT_FILE_UNKNOWN, /* of no kind that is known */
    GRT_FILE_SCENARIO,
    GRT_FILE_DEVICE,
    GRT_FILE_USAGE,
    GRT_FILE_KERNELS,
    GRT_FILE_NETWORKS,
    GRT_FILE_EXPERIMENT,
};

enum grt_file_kind grt_file_kind_of(const cJSON *tree);

/* The same of a text; GRT_FILE_UNKNOWN where it is no JSON. */
enum grt_file_kind grt_file_kind_of_text(const char *text, size_t size);

/* What a file of the kind is and what takes it: "this is a scenario; `gpurt run` simulates it"; NULL: of no kind that is known. */
const char *grt_file_kind_sentence(enum grt_file_kind kind);

/* False after adding an error if the tree is of another kind than the wanted one: a sentence that says what it is for. */
bool grt_file_kind_check(const cJSON *tree, enum grt_file_kind wanted, struct grt_errors *errors);

#endif
