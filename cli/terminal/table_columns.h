/* A table that is made column by column, of which each has one unit of time. */
#ifndef GRT_CLI_TERMINAL_TABLE_COLUMNS_H
#define GRT_CLI_TERMINAL_TABLE_COLUMNS_H

#include "cli/terminal/quantity.h"
#include "cli/terminal/text_table.h"

/* Start it as {.rows = ...}. At most GRT_TABLE_COLUMNS columns. */
struct grt_columns {
    struct grt_arena arena; /* for its texts */
    struct grt_column {
        struct grt_table_column heading;
        const char **cells; /* one for each row */
    } items[GRT_TABLE_COLUMNS];
    size_t count, rows;
};

/* A column of times, which may be negative; GRT_TIME_NEVER: none. */
struct grt_column_times {
    const grt_time *items;
    size_t count;
};

/* Adds a column, and returns its cells, to be filled. */
const char **grt_columns_add(struct grt_columns *columns, struct grt_table_column heading);

/* Adds a column of times, headed by its name and the unit. */
void grt_columns_add_times(struct grt_columns *columns, const char *group, const char *name,
                           struct grt_column_times times);

/* The same in the unit of several columns. */
void grt_columns_add_scaled(struct grt_columns *columns, const char *group, const char *name,
                            struct grt_column_times times, const struct grt_time_scale *scale);

/* The scale of such a column, and a time in it; "-" where there is none. */
struct grt_time_scale grt_column_scale(struct grt_column_times times);
const char *grt_column_time_text(const struct grt_time_scale *scale, grt_time time, struct grt_arena *arena);

/* Prints the table and frees it. */
void grt_columns_print(struct grt_columns *columns, const struct grt_style *style, FILE *out);
void grt_columns_free(struct grt_columns *columns);

#endif
