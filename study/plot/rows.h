/* Which rows of a table a figure is made of. */
#ifndef GRT_STUDY_PLOT_ROWS_H
#define GRT_STUDY_PLOT_ROWS_H

#include "study/plot/columns.h"

/* The column that an option of the command line names; NULL, after adding an error, where there is none. */
const struct grt_column *grt_plot_column_named(const struct grt_result_table *table, const char *option,
                                               const char *name, struct grt_errors *errors);

/* Puts the rows that meet the conditions of the options into *columns. False after adding errors: there is none, or a condition that no row
 * meets. */
bool grt_plot_rows_choose(const struct grt_result_table *table, const struct grt_plot_options *options,
                          struct grt_arena *arena, struct grt_plot_columns *columns,
                          struct grt_errors *errors);

#endif
