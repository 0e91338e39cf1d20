/* Plain structs as JSON, by the tables of sim/field.h: what scenarios/read_fields.h reads back as the same struct. */
#ifndef GRT_SCENARIOS_RECORD_WRITE_H
#define GRT_SCENARIOS_RECORD_WRITE_H

#include <cjson/cJSON.h>

#include "sim/error.h"
#include "sim/field.h"

/* The object of a record, to be freed with cJSON_Delete: its fields that are not as their defaults, and those that have none. Adds an error
 * for each that cannot be written. */
cJSON *grt_record_write(const struct grt_record *record, const void *values, struct grt_errors *errors,
                        const struct grt_path *path);

/* The fields that two structs of the record differ in, as `values` has them. */
cJSON *grt_record_difference(const struct grt_record *record, const void *values, const void *usual,
                             struct grt_errors *errors, const struct grt_path *path);

#endif
