/* What an experiment wishes to see, held against what can be seen at all: so far as that is known before any set is evaluated. */
#ifndef GRT_STUDY_EVALUATE_WISHES_H
#define GRT_STUDY_EVALUATE_WISHES_H

#include "scenarios/experiment/experiment.h"

/* Whether a measure that the evaluation's kind has may get a value at some point: some analysis that is asked there gives it; some set has the task, or the
 * kernel, of "NAME:TASK". Sets are drawn for that: so many of each point that they are some 20,000 in all, but three of each or more, as far as an experiment
 * has them; no more once three were not found. Adds an error where it is known not to: where there are sets, and none of them has it. */
bool grt_measure_known(const struct grt_experiment *experiment, size_t evaluation, const char *measure,
                       struct grt_errors *errors, const struct grt_path *path);

/* Checks the measures of published numbers, claims and the figure: they are "ratio", or of the evaluations. Adds errors. */
bool grt_wishes_check(const struct grt_experiment *experiment, struct grt_errors *errors);

#endif
