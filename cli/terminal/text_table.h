/* A table of text for a terminal: right-aligned columns with two lines of heading, split into several tables below
 * each other where it is wider than the terminal. */
#ifndef GRT_CLI_TERMINAL_TEXT_TABLE_H
#define GRT_CLI_TERMINAL_TEXT_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/terminal/options.h"
#include "sim/memory.h"
#include "viz/gantt/text_cells.h"

enum { GRT_TABLE_COLUMNS = 32 };

struct grt_table_column {
    const char *group; /* the upper line of the heading, or ""; neighbours may share it */
    const char *name;  /* the lower line */
    enum grt_text_side side;
    bool starts_part; /* the place to split before, if the table must be split */
};

/* Start it as {.arena = ...}; texts must live until it is printed. */
struct grt_table {
    struct grt_arena *arena;
    struct grt_table_column columns[GRT_TABLE_COLUMNS];
    size_t column_count;
    size_t kept;        /* so many columns, the first ones, stand in every part; 0: one */
    const char **cells; /* row by row */
    uint32_t cell_count, cell_capacity;
};

/* Adds a column; before the first cell. */
void grt_table_add_column(struct grt_table *table, struct grt_table_column column);

/* Adds the next cell of a row, left to right; formats like printf. */
void grt_table_add(struct grt_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints the table; every part repeats the kept columns. */
void grt_table_print(const struct grt_table *table, const struct grt_style *style, FILE *out);

/* Frees the list of cells, not their texts. */
void grt_table_free(struct grt_table *table);

/* A formatted text in the arena. */
const char *grt_format(struct grt_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A text cut to what a line has left for it, in the arena. */
const char *grt_table_cut(struct grt_arena *arena, const char *text, size_t most_cells);

#endif
