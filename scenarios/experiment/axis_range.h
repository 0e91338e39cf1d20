/* Axes that go by steps, and values as numbers. */
#ifndef GRT_SCENARIOS_EXPERIMENT_AXIS_RANGE_H
#define GRT_SCENARIOS_EXPERIMENT_AXIS_RANGE_H

#include "scenarios/experiment/fields.h"
#include "sim/unit.h"

/* What a value's text is a number of: GRT_AXIS_NUMBER, or GRT_AXIS_QUANTITY + enum grt_quantity. */
enum { GRT_AXIS_TEXT, GRT_AXIS_NUMBER, GRT_AXIS_QUANTITY };

/* The kind, and where it is not GRT_AXIS_TEXT the number, in the quantity's basic unit. */
int grt_axis_number(const char *text, double *number);

/* The values from `from` to `to` as a list, which is put into the list `made`; NULL after adding errors. */
const cJSON *grt_axis_range(struct grt_reader *reader, const struct grt_axis_fields *axis,
                            const struct grt_path *path, cJSON *made);

#endif
