#include "cli/sweep_progress.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "sim/output.h"

/* A signal handler has nothing else to say it by. */
static volatile sig_atomic_t interrupted;

static void interrupt(int number) {
    if (interrupted != 0) {
        grt_output_remove_unfinished();
        signal(number, SIG_DFL);
        raise(number);
    }
    interrupted = 1;
}

void grt_sweep_watch_signals(void) {
    static const int ending[] = {SIGINT, SIGTERM};
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) {
        struct sigaction old;
        if (sigaction(ending[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
            struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART};
            sigaction(ending[i], &action, NULL);
        }
    }
}

bool grt_sweep_interrupted(void) {
    return interrupted != 0;
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

static void print_progress(const struct grt_sweep_progress *progress, FILE *out) {
    uint64_t fresh = progress->done - progress->resumed, left = progress->total - progress->done;
    fprintf(out, "\r%3.0f %%, %.0f sets/s",
            progress->total > 0 ? 100.0 * (double)progress->done / (double)progress->total : 100.0,
            progress->seconds > 0 ? (double)progress->samples / progress->seconds : 0.0);
    if (fresh > 0) {
        fputs(", ", out);
        print_duration(progress->seconds / (double)fresh * (double)left, out);
        fputs(" left", out);
    }
    fputs("          ", out);
    fflush(out);
}

bool grt_sweep_watch_go_on(void *state, const struct grt_sweep_progress *progress) {
    struct grt_sweep_watch *watch = state;
    watch->seen = *progress;
    if (!watch->silent && progress->seconds - watch->last >= 0.2 && isatty(STDERR_FILENO) == 1) {
        watch->last = progress->seconds;
        watch->shown = true;
        print_progress(progress, stderr);
    }
    return interrupted == 0;
}

void grt_sweep_watch_end(struct grt_sweep_watch *watch) {
    if (watch->shown) {
        fprintf(stderr, "\r%70s\r", "");
        fflush(stderr);
        watch->shown = false;
    }
}
