/* What runs on this thread, for the messages of what must not happen: a check that fails, a crash. Only what may come from outside gpurt
 * says that it runs: a policy, an analysis. */
#ifndef GRT_SIM_RUNNING_H
#define GRT_SIM_RUNNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/time.h"

struct grt_running {
    const char *what, *name; /* "policy", "llf" */
    const char *file;        /* from which it was loaded; NULL: it is gpurt's */
    const grt_time *now;     /* the current instant; NULL: there is none */
    const char *when;        /* what to say instead, "before the first instant"; NULL: nothing */
    /* it is gpurt's, and so is what runs around it: a crash is said to be under it, not to be its */
    bool own;
};

/* Says what runs on this thread until grt_running_end, to which what is returned is given. `running` must live as long. */
const struct grt_running *grt_running_begin(const struct grt_running *running);
void grt_running_end(const struct grt_running *before);

/* What runs on this thread; NULL: nothing that said so. */
const struct grt_running *grt_running_now(void);

/* Which of an experiment's task sets this thread evaluates, and under which evaluation: counted from 1, as `gpurt sweep --show` has them. */
struct grt_running_set {
    uint64_t point, set, evaluation;
    const char *experiment, *under; /* names */
};

/* Says so until grt_running_set_end, to which what is returned is given. `set` must live as long. */
const struct grt_running_set *grt_running_set_begin(const struct grt_running_set *set);
void grt_running_set_end(const struct grt_running_set *before);

/* Room for what grt_running_set_text writes. */
#define GRT_RUNNING_SET_TEXT_SIZE 1600

/* Writes "in set 17 of point 3 of crash under simulated: `gpurt sweep EXPERIMENT --show 3:17:1`, with the same --seed, --set and --samples, writes it as a
 * scenario"; returns `text`, or NULL where this thread evaluates none. Signal handlers may call it. */
char *grt_running_set_text(char text[GRT_RUNNING_SET_TEXT_SIZE]);

/* Room for what grt_running_text writes of a policy or an analysis, with a few words between. */
#define GRT_RUNNING_TEXT_SIZE 640

/* Writes "policy llf (./llf.so)" and "at 12.345ms", with `between` between them; cut to `size` bytes; returns `text`. Of a long path the end
 * is written; control characters as grt_utf8_shown does. It may be called by signal handlers. */
char *grt_running_text(const struct grt_running *running, const char *between, char *text, size_t size);

#endif
