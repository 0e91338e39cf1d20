/* Notices on what results say nothing of. */
#ifndef GRT_CLI_SWEEP_ABSENT_RESULTS_H
#define GRT_CLI_SWEEP_ABSENT_RESULTS_H

#include "study/sweep/sweep.h"

/* Prints a line to standard error for each that study/results/absent.h finds. */
void grt_print_absent(const struct grt_results *results);

#endif
