#include "cli/run/resource_row.h"

#include "cli/terminal/quantity.h"

void grt_resource_row_add(struct grt_table *table, const char *name, double busy_ns, double capacity_ns) {
    char text[GRT_QUANTITY_TEXT_SIZE];
    grt_table_add(table, "%s", name);
    grt_table_add(table, "%s", grt_time_short_text((grt_time)(busy_ns + 0.5), text));
    if (capacity_ns > 0) {
        grt_table_add(table, "%.1f%%", 100 * busy_ns / capacity_ns);
    } else {
        grt_table_add(table, "-");
    }
}
