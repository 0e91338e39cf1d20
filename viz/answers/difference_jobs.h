/* The part of a difference (difference.h) that compares the jobs of a task. */
#ifndef GRT_VIZ_ANSWERS_DIFFERENCE_JOBS_H
#define GRT_VIZ_ANSWERS_DIFFERENCE_JOBS_H

#include "viz/answers/difference_rows.h"

/* Compares the jobs of a pair of tasks; adds to the jobs of the difference, which may for a time be twice as many as asked. */
void grt_difference_add_jobs(struct grt_difference *difference, const struct grt_difference_scope *scope,
                             uint32_t pair, uint32_t most_jobs);

/* Sorts the jobs, and keeps the worst. */
void grt_difference_sort_jobs(struct grt_difference *difference, uint32_t most_jobs);

#endif
