/* Which columns of a table a figure is made of. */
#ifndef GRT_STUDY_PLOT_COLUMNS_H
#define GRT_STUDY_PLOT_COLUMNS_H

#include "study/plot/figure.h"

struct grt_plot_columns {
    const struct grt_column *x, *y;
    const struct grt_column *low, *high;             /* of y's interval, both or none (NULL) */
    bool is_proportion;                              /* y is the ratio of results: 0 to 1 */
    const struct grt_column *series, *panel, *style; /* or NULL; without names: the groups of the
                                                        experiment's evaluations, and their labels */
    const size_t *rows;                              /* numbers of those that are drawn */
    size_t row_count;
};

/* Chooses them: first what the options say, then what the experiment wishes, then by the table: x is the first axis that varies, series are the evaluations, what
 * else varies is in panels and styles. False after adding errors. */
bool grt_plot_columns_choose(const struct grt_result_table *table, const struct grt_experiment *experiment,
                             const struct grt_plot_options *options, struct grt_arena *arena,
                             struct grt_plot_columns *columns, struct grt_errors *errors);

/* The evaluation of that name; NULL: there is none, or no experiment (NULL). */
const struct grt_evaluation *grt_plot_evaluation_named(const struct grt_experiment *experiment,
                                                       const char *name);

/* Different texts of a column in the order of their first rows. */
struct grt_plot_values {
    const char **texts;
    size_t count;
};

/* Of a column NULL there is one, "". False, with `most` of them, where there are more. */
bool grt_plot_values_list(const struct grt_plot_columns *columns, const struct grt_column *column,
                          size_t most, struct grt_arena *arena, struct grt_plot_values *values);

/* The number of a text that is among them. */
size_t grt_plot_values_find(const struct grt_plot_values *values, const char *text);

#endif
