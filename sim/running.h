/* What runs on this thread, for the messages of what must not happen: a check that fails, a crash. Only what may come from outside gpurt
 * says that it runs: a policy, an analysis. */
#ifndef GRT_SIM_RUNNING_H
#define GRT_SIM_RUNNING_H

#include <stdbool.h>
#include <stddef.h>

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

/* Room for what grt_running_text writes of a policy or an analysis, with a few words between. */
#define GRT_RUNNING_TEXT_SIZE 640

/* Writes "policy llf (./llf.so)" and "at 12.345ms", with `between` between them; cut to `size` bytes; returns `text`. Of a long path the end
 * is written; control characters as grt_utf8_shown does. It may be called by signal handlers. */
char *grt_running_text(const struct grt_running *running, const char *between, char *text, size_t size);

#endif
