/* The results of a sweep for people, and the files of them. */
#ifndef GRT_CLI_SWEEP_REPORT_H
#define GRT_CLI_SWEEP_REPORT_H

#include "cli/sweep/experiment_options.h"
#include "cli/terminal/options.h"
#include "study/sweep/sweep.h"

/* Prints a heading, and tables with a row for each point, 200 of them at most: the share of the sets that each evaluation passes, with its 95 percent interval, and
 * the means of its measures, with of how many sets they are where that is not all of them; below, how many points are left out, and what became of other sets. */
void grt_sweep_report(const struct grt_results *results, const struct grt_style *style, FILE *out);

/* Whether the files that --csv and --json name can be made: a long sweep should not find out at its end. False after adding an error. */
bool grt_result_files_check(const struct grt_experiment_options *options, struct grt_errors *errors);

/* Writes them; false after adding an error, or without one where the reader of a pipe left early. */
bool grt_result_files_write(const struct grt_experiment_options *options, const struct grt_results *results,
                            struct grt_errors *errors);

#endif
