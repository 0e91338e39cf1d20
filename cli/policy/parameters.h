/* The parameters of a policy, for people and for programs: what each is called, may be, is by default, and means. */
#ifndef GRT_CLI_POLICY_PARAMETERS_H
#define GRT_CLI_POLICY_PARAMETERS_H

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdio.h>

#include "sim/field.h"

/* A table with a row for each field, its meaning below, the fields of objects indented, and at the end the units of quantities. */
void grt_parameters_print(const struct grt_record *record, size_t width, FILE *out);

/* A list of objects, one for each field: "name", "type", "unit" of "min", "max" where it is a quantity, "min" and "max" where it has bounds
 * (of lists and texts: those of their length), "choices", "default" or "required", "help", and "fields" of objects. The caller's. */
cJSON *grt_parameters_json(const struct grt_record *record);

#endif
