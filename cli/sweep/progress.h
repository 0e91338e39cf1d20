/* How far a sweep is, on a terminal or in a log; and how signals end it. */
#ifndef GRT_CLI_SWEEP_PROGRESS_H
#define GRT_CLI_SWEEP_PROGRESS_H

#include "cli/terminal/interruption.h"
#include "study/sweep/sweep.h"
#include "study/sweep/time_left.h"

/* Starts as zeros but for the first four. */
struct grt_sweep_watch {
    const char *name; /* of the experiment */
    bool is_first;    /* of the ranks, which tells the user what happens */
    bool silent;      /* no progress is shown */
    double every;     /* seconds between the lines of a log; 0: as usual */

    struct grt_interruption interruption;
    bool shown;         /* a line stands on the terminal */
    bool asked;         /* the sweep has asked whether to go on */
    double last, share; /* seconds, and share of the whole, at which progress was shown */
    struct grt_time_left left;
    struct grt_sweep_progress seen; /* the last one told */
};

/* Has SIGINT, SIGTERM and SIGHUP end the sweep cleanly. Once the user was told, and half a second later, another one ends the program. */
void grt_sweep_watch_start(struct grt_sweep_watch *watch);

/* The go_on of a struct grt_sweep_options, with a struct grt_sweep_watch as its state. */
bool grt_sweep_watch_go_on(void *state, const struct grt_sweep_progress *progress);

/* Clears the line, and has signals do what they did before, if none came. */
void grt_sweep_watch_end(struct grt_sweep_watch *watch);

#endif
