/* What results say nothing of, though it was asked: a ratio of 0 or an empty cell is easily taken for something else. */
#ifndef GRT_STUDY_RESULTS_ABSENT_H
#define GRT_STUDY_RESULTS_ABSENT_H

#include "study/sweep/sweep.h"

/* Calls `tell` with a sentence for each evaluation that was answered with yes or no for no set of any point (whether that is a result, of sets that a test failed to prove, or none, is said), and for each measure that the experiment names
 * and that had no value in any set. The sentence is valid during the call. */
void grt_results_absent(const struct grt_results *results, void (*tell)(void *context, const char *sentence),
                        void *context);

#endif
