/* Something for sweeps to evaluate that is quick, and whose outcomes and numbers depend on the point and the sample alone; it can be told to be slow. */
#ifndef GRT_TESTS_SUPPORT_FAKE_WORK_H
#define GRT_TESTS_SUPPORT_FAKE_WORK_H

#include <stdatomic.h>

#include "study/sweep/sweep_work.h"

enum { GRT_FAKE_EVALUATIONS = 3 };

struct grt_fake_work {
    struct grt_experiment experiment;
    size_t measures[GRT_FAKE_EVALUATIONS];
    struct grt_sweep_work work;
    long pause_ns;            /* before each sample; a varying share of it */
    long spin;                /* so many rounds of computing */
    atomic_uint_fast64_t ran; /* samples */
    atomic_int own;           /* threads' own states that are there */
};

/* Points and samples of a point; a second one is the same experiment. */
void grt_fake_work_start(struct grt_fake_work *fake, size_t points, int64_t samples);

/* All that results have, exact, as a text; to be freed with free. */
char *grt_fake_results_text(const struct grt_results *results);

/* The text of what comes out of one thread without a journal; to be freed with free. */
char *grt_fake_undisturbed(size_t points, int64_t samples);

#endif
