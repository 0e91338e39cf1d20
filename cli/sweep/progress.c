#include "cli/sweep/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

/* Tells of the first signal, once. */
static void tell(const struct grt_sweep_watch *watch) {
    if (grt_interruption_tell() && watch->is_first) {
        fprintf(stderr,
                "%sgpurt: %s: told to end: ends after the current task sets; told again, it ends at once\n",
                watch->shown ? "\r\x1b[K" : "", watch->name);
    }
}

void grt_sweep_watch_start(struct grt_sweep_watch *watch) {
    grt_interruption_start(&watch->interruption);
}

/* ---- how far it is ---- */

/* How often: on a terminal; and in a log, where both have to have passed. */
#define TERMINAL_SECONDS 0.2
#define USUAL_SECONDS 60.0
#define USUAL_SHARE 0.1

static double share_of(const struct grt_sweep_progress *progress) {
    return progress->total > 0 ? (double)progress->done / (double)progress->total : 1.0;
}

/* "1:02:03", "2:03", "3 s" */
static void print_duration(double seconds, FILE *out) {
    uint64_t whole = seconds < 3e7 ? (uint64_t)seconds : 0;
    if (whole >= 3600) {
        fprintf(out, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, whole / 3600, whole / 60 % 60, whole % 60);
    } else if (whole >= 60) {
        fprintf(out, "%" PRIu64 ":%02" PRIu64, whole / 60, whole % 60);
    } else {
        fprintf(out, "%" PRIu64 " s", whole);
    }
}

/* "42 %, 1234 sets/s, 2:03 left" */
static void print_progress(const struct grt_sweep_progress *progress, double left, FILE *out) {
    fprintf(out, "%3.0f %%, %.0f sets/s", floor(100 * share_of(progress)),
            progress->seconds > 0 ? (double)progress->samples / progress->seconds : 0.0);
    if (left > 0) {
        fputs(", ", out);
        print_duration(ceil(left), out);
        fputs(" left", out);
    }
}

/* Whether it is time for another line of a log. */
static bool is_due(const struct grt_sweep_watch *watch, const struct grt_sweep_progress *progress) {
    double since = progress->seconds - watch->last;
    if (watch->every > 0) {
        return since >= watch->every;
    }
    return since >= USUAL_SECONDS && share_of(progress) - watch->share >= USUAL_SHARE;
}

static void show(struct grt_sweep_watch *watch, const struct grt_sweep_progress *progress) {
    double left = grt_time_left(&watch->left, progress);
    bool terminal = isatty(STDERR_FILENO) == 1;
    if (terminal ? progress->seconds - watch->last < TERMINAL_SECONDS : !is_due(watch, progress)) {
        return;
    }
    watch->last = progress->seconds;
    watch->share = share_of(progress);
    watch->shown = terminal;
    if (terminal) {
        fputs("\r", stderr);
    } else {
        fprintf(stderr, "gpurt: %s: ", watch->name);
    }
    print_progress(progress, left, stderr);
    fputs(terminal ? "          " : "\n", stderr);
    fflush(stderr);
}

/* What the journal had, once. */
static void tell_resumed(const struct grt_sweep_watch *watch, const struct grt_sweep_progress *progress) {
    if (progress->resumed > 0 && progress->resumed == progress->total) {
        fprintf(stderr, "gpurt: %s: all %" PRIu64 " chunks were done before\n", watch->name, progress->total);
    } else if (progress->resumed > 0) {
        fprintf(stderr, "gpurt: %s: goes on with %" PRIu64 " of %" PRIu64 " chunks done\n", watch->name,
                progress->resumed, progress->total);
    }
}

bool grt_sweep_watch_go_on(void *state, const struct grt_sweep_progress *progress) {
    struct grt_sweep_watch *watch = state;
    bool ends = grt_interruption_came();
    if (!watch->asked) {
        watch->share = share_of(progress);
        if (!watch->silent) {
            tell_resumed(watch, progress);
        }
    }
    watch->asked = true;
    watch->seen = *progress;
    if (ends) {
        tell(watch);
    } else if (!watch->silent) {
        show(watch, progress);
    }
    return !ends;
}

void grt_sweep_watch_end(struct grt_sweep_watch *watch) {
    if (watch->shown) {
        fprintf(stderr, "\r%70s\r", "");
        fflush(stderr);
        watch->shown = false;
    }
    grt_interruption_end(&watch->interruption);
}
