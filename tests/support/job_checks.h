/* Checks of jobs that hold under every policy, made on a kept trace by code of their own. */
#ifndef GRT_TESTS_SUPPORT_JOB_CHECKS_H
#define GRT_TESTS_SUPPORT_JOB_CHECKS_H

#include "tests/support/world_builder.h"

/* Every job is numbered in turn and released or skipped once; a released one ends once: finished, aborted or
 * unfinished; it is late exactly if it ends after its deadline, and its miss is handled at that instant where
 * the task asks for it; a task's jobs and a core's slices follow one another; a job that finished has had its
 * CPU time and all its segments; a job with predecessors comes as theirs of the same number end;
 * released = met + late + aborted + unfinished; counts, responses and slacks in the result are those of the trace.
 * Writes the first violation to standard error. */
bool grt_job_checks_pass(const struct grt_scenario *scenario, const struct grt_built_run *run);

#endif
