/* Measures that are quotients of two others of the same set, "scheduling_runs/jobs", each perhaps of another evaluation,
 * "mean_overhead/standard.mean_overhead"; in files with a name of their own, "saved=...". Evaluations do not see each other: each is asked for what the quotients of all need, and they are
 * made afterwards. */
#ifndef GRT_STUDY_EVALUATE_QUOTIENTS_H
#define GRT_STUDY_EVALUATE_QUOTIENTS_H

#include "study/evaluate/sample.h"

/* Of an experiment. */
struct grt_quotients;

/* What an evaluation is really asked for. */
struct grt_asked_measures {
    const char *const *names;
    size_t count;
};

/* Checks all measures of the experiment, plain ones as grt_evaluation_check, that none has the name of an axis, and finds what each evaluation has to be asked for. In the arena. NULL
 * after adding errors. */
const struct grt_quotients *grt_quotients_create(const struct grt_experiment *experiment,
                                                 struct grt_arena *arena, struct grt_errors *errors);

struct grt_asked_measures grt_quotients_asked(const struct grt_quotients *quotients, size_t evaluation);

/* Whether there are none at all: then what is asked for is what is wanted. */
bool grt_quotients_none(const struct grt_quotients *quotients);

/* From what each evaluation was asked for, asked[0 .. evaluation_count), to what is wanted of it. Without one of its two, or by 0, a quotient is not a
 * number. */
void grt_quotients_fill(const struct grt_quotients *quotients, const struct grt_found *asked,
                        struct grt_found *found);

#endif
