#include "cli/terminal/interruption.h"

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include "sim/crash.h"
#include "sim/time.h"

/* So long after the user was told of the first signal, another one is the user's answer. Signals that come in pairs are not: `timeout` signals
 * its child and the child's group, and a terminal may, too. */
#define PATIENCE (GRT_SECOND / 2)

/* So long after the first signal another one ends the program although nobody could be told, since nobody reads what it says, or it is
 * busy. */
#define DEAF GRT_SECOND

/* A signal handler has nothing else to say it by, and may run on any thread. */
static atomic_bool interrupted;
static atomic_llong first; /* when the first signal came, monotonic; 0: not yet */
static atomic_llong told;  /* when the user was told of it */

static const int ending[GRT_INTERRUPTION_SIGNALS] = {SIGINT, SIGTERM, SIGHUP};

static int64_t monotonic(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * GRT_SECOND + now.tv_nsec;
}

static void interrupt(int number) {
    int64_t now = monotonic(), since = atomic_load(&told);
    long long none = 0;
    bool again = !atomic_compare_exchange_strong(&first, &none, now);
    if ((since != 0 && now - since >= PATIENCE) || (again && since == 0 && now - none >= DEAF)) {
        grt_crash_interrupted(number);
    }
    atomic_store(&interrupted, true);
}

void grt_interruption_start(struct grt_interruption *interruption) {
    for (size_t i = 0; i < GRT_INTERRUPTION_SIGNALS; i++) {
        const struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART};
        struct sigaction *before = &interruption->before[i];
        if (sigaction(ending[i], NULL, before) == 0 && before->sa_handler != SIG_IGN) {
            sigaction(ending[i], &action, NULL);
        }
    }
}

bool grt_interruption_came(void) {
    return atomic_load(&interrupted);
}

bool grt_interruption_tell(void) {
    bool is_news = atomic_load(&told) == 0;
    if (is_news) {
        atomic_store(&told, monotonic());
    }
    return is_news;
}

/* What comes next, such as a CSV that nobody takes from a pipe, can be ended as always; but the second of a pair does not end the report of what is
 * done. */
void grt_interruption_end(const struct grt_interruption *interruption) {
    if (atomic_load(&interrupted)) {
        grt_interruption_tell();
    }
    for (size_t i = 0; i < GRT_INTERRUPTION_SIGNALS && !atomic_load(&interrupted); i++) {
        sigaction(ending[i], &interruption->before[i], NULL);
    }
}
