/* How far a sweep is, on a terminal; and its interruption. */
#ifndef GRT_CLI_SWEEP_PROGRESS_H
#define GRT_CLI_SWEEP_PROGRESS_H

#include "study/sweep/sweep.h"

struct grt_sweep_watch {
    bool shown;                     /* on standard error, if that is a terminal */
    bool silent;                    /* nothing is shown */
    double last;                    /* seconds at which it was */
    struct grt_sweep_progress seen; /* the last one told */
};

/* Has SIGINT and SIGTERM end the sweep cleanly; a second one ends the program. */
void grt_sweep_watch_signals(void);

/* Whether one came. */
bool grt_sweep_interrupted(void);

/* The go_on of a struct grt_sweep_options, with a struct grt_sweep_watch as its state. */
bool grt_sweep_watch_go_on(void *state, const struct grt_sweep_progress *progress);

/* Clears the line. */
void grt_sweep_watch_end(struct grt_sweep_watch *watch);

#endif
