/* Names that stand in results: of columns, evaluations, the experiment. */
#ifndef GRT_SCENARIOS_EXPERIMENT_NAMES_H
#define GRT_SCENARIOS_EXPERIMENT_NAMES_H

#include <stdbool.h>

#include "scenarios/read_fields.h"

/* Whether people would take two names for one: they differ at most in capital and small letters of ASCII. */
bool grt_names_are_alike(const char *a, const char *b);

/* Whether the CSV of results has a column that reads like this name: those that it has besides axes and measures. */
bool grt_name_is_of_column(const char *name);

/* Adds an error for the object's "name", or NULL, if it begins or ends with a space, which nobody sees. */
void grt_name_check_ends(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                         const char *name);

#endif
