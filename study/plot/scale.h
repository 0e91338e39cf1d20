/* Axes: what numbers the cells of a column are, in which unit, and where tics stand. */
#ifndef GRT_STUDY_PLOT_SCALE_H
#define GRT_STUDY_PLOT_SCALE_H

#include "study/plot/columns.h"

/* How the texts of a column become places on an axis. */
struct grt_plot_scale {
    enum { GRT_PLOT_NUMBERS, GRT_PLOT_QUANTITIES, GRT_PLOT_NAMES } kind;
    int64_t quantity;             /* enum grt_quantity */
    double unit;                  /* what 1 on the axis is, in ns of times, in bytes of sizes; of numbers 1 */
    const char *unit_name;        /* "ms", or "" */
    struct grt_plot_values names; /* of names: name i is at i */
    bool ordered; /* names begin with digits, as in "10-30 %", so that lines between them say something */
};

/* Finds out of what kind the drawn cells of a column are. A `label` that ends in a unit, "Cost (us)", chooses the unit; it may be NULL. False: more
 * than `most` different names. */
bool grt_plot_scale_find(const struct grt_plot_columns *columns, const struct grt_column *column,
                         const char *label, size_t most, struct grt_arena *arena,
                         struct grt_plot_scale *scale);

/* The same for the means of measures, which stand in tables in ns where they are times: these get a unit, too. */
void grt_plot_scale_of_measure(const struct grt_plot_columns *columns, const struct grt_column *column,
                               const char *label, struct grt_plot_scale *scale);

/* Where a cell is; not a number where it is empty. */
double grt_plot_scale_place(const struct grt_plot_scale *scale, const struct grt_column *column, size_t row);

/* A step for tics that gives about `count` of them: 1, 2 or 5 times a power of ten. */
double grt_plot_step(double span, int count);

/* Widens a range of values that are drawn to whole steps; from 0 on where that is near. On a logarithmic axis to powers of ten. */
void grt_plot_range(double *from, double *to, bool logarithmic);

#endif
