#include "cli/terminal/standard_streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/terminal/program.h"
#include "sim/output.h"
#include "sim/running.h"

static const char *name; /* that messages begin with */

/* Opens the standard descriptors that the caller closed, so that no output file is taken for one of them. Writing to
 * them fails as it would have. */
static void fill_standard_descriptors(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) {
            _exit(GRT_EXIT_FAILED);
        }
    }
}

/* The reason of a failure that stdio only remembers as such: what happens if one more character is written. */
static int failure_of_output(void) {
    clearerr(stdout);
    errno = 0;
    return fputc('\n', stdout) == EOF || fflush(stdout) != 0 ? errno : EIO;
}

/* Runs at an exit, but for one of a plug-in once there are threads, which ends in sim/crash.c: what was printed has to have arrived. A reader that left early
 * knows why it did. */
static void finish_standard_output(void) {
    bool something_runs = grt_running_now() != NULL; /* and has called exit, as will be said */
    int error = 0;
    if (ferror(stdout)) {
        error = failure_of_output();
    } else if ((something_runs ? fflush(stdout) : fclose(stdout)) != 0) {
        error = errno;
    }
    if (error != 0) {
        if (error != EPIPE) {
            fprintf(stderr, "%s: standard output: cannot write: %s\n", name, strerror(error));
        }
        if (something_runs) {
            return; /* to sim/crash.c, which says whose exit it is, and fails, too */
        }
        grt_output_remove_unfinished();
        _exit(GRT_EXIT_FAILED);
    }
}

void grt_standard_streams_watch(const char *program) {
    fill_standard_descriptors();
    name = program;
    atexit(finish_standard_output);
}
