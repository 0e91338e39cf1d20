/* The parts of pwcet.h, in the order in which the analysis calls them. Not for others. */
#ifndef GRT_CALIB_EVT_PWCET_PARTS_H
#define GRT_CALIB_EVT_PWCET_PARTS_H

#include "calib/evt/pwcet.h"

/* False refusals of one kind, of values that should not be refused: 1 percent. */
#define GRT_PWCET_REFUSAL_LEVEL 0.01
/* A method does not describe the tail if so large a distance has less than this chance. */
#define GRT_PWCET_GOOD_LEVEL 0.05

struct grt_pwcet_work {
    const struct grt_pwcet_input *input;
    struct grt_arena *arena;
    struct grt_pwcet *out;
    double *series, *sorted; /* of `out`, to be filled */
    double *measured;        /* ascending as measured; ranks are those of `sorted` */
};

/* A sentence that refuses, or warns. */
void grt_pwcet_refuse(struct grt_pwcet_work *work, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void grt_pwcet_warn(struct grt_pwcet_work *work, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A sentence in the arena. */
const char *grt_pwcet_say(struct grt_pwcet_work *work, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A value with its unit: "118.2us". In the arena. */
const char *grt_pwcet_time(struct grt_pwcet_work *work, double value, int digits);

/* Whether the values can be those of a clock of the input's quantum; else adds an error. Before all others. */
bool grt_pwcet_check_quantum(const struct grt_pwcet_input *input, struct grt_arena *arena,
                             struct grt_errors *errors);

/* The values themselves: looks for those that are no times, describes and jitters them. False: they can neither be tested nor fitted, which is refused, or they are constant, which is said. */
bool grt_pwcet_prepare(struct grt_pwcet_work *work);

/* Tests of independence and of equal distribution; refuses. */
void grt_pwcet_test_series(struct grt_pwcet_work *work);

/* Whether one distribution can describe the tail; refuses. */
void grt_pwcet_test_modes(struct grt_pwcet_work *work);

/* All methods. */
void grt_pwcet_fit_all(struct grt_pwcet_work *work);

/* What they come to. */
void grt_pwcet_answer_all(struct grt_pwcet_work *work);

#endif
