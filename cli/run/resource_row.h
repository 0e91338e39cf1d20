/* A row of the tables of resources that gpurt run and gpurt show print. */
#ifndef GRT_CLI_RUN_RESOURCE_ROW_H
#define GRT_CLI_RUN_RESOURCE_ROW_H

#include "cli/terminal/text_table.h"

/* Adds its name, how long it was busy, and what share that is of the time it could have been; "-" where that is 0. Nanoseconds. */
void grt_resource_row_add(struct grt_table *table, const char *name, double busy_ns, double capacity_ns);

#endif
