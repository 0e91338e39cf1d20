#define _GNU_SOURCE /* sched_setaffinity, sched_getcpu */
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "calib/measure/internal.h"
#include "sim/memory.h"

struct host_state {
    cpu_set_t before;
    bool pinned, locked;
    int cpu;
};

/* Against page faults while something is measured. */
static bool lock_memory(void) {
#ifdef GRT_SANITIZED
    return false; /* gigabytes of the sanitizer's own would be had from the system */
#else
    return mlockall(MCL_CURRENT) == 0;
#endif
}

struct host_state *grt_host_prepare(void) {
    struct host_state *state = grt_allocate(sizeof *state);
    *state = (struct host_state){0};
    int cpu = sched_getcpu();
    if (cpu >= 0 && cpu < CPU_SETSIZE && sched_getaffinity(0, sizeof state->before, &state->before) == 0) {
        cpu_set_t only;
        CPU_ZERO(&only);
        CPU_SET((size_t)cpu, &only);
        state->cpu = cpu;
        state->pinned = sched_setaffinity(0, sizeof only, &only) == 0;
    }
    state->locked = lock_memory();
    return state;
}

int grt_host_cpu(void) {
    return sched_getcpu();
}

const char *grt_host_text(const struct host_state *state, const char *host, char *text, size_t size) {
    char where[64] = "not pinned";
    if (state != NULL && state->pinned) {
        snprintf(where, sizeof where, "on processor %d", state->cpu);
    }
    const char *memory = state != NULL && state->locked ? "memory locked" : "memory not locked";
    const char *given = host != NULL ? host : "";
    snprintf(text, size, "%s%smeasuring thread %s, %s", given, given[0] != '\0' ? "; " : "", where, memory);
    return text;
}

void grt_host_restore(struct host_state *state) {
    if (state == NULL) {
        return;
    }
    if (state->pinned) {
        sched_setaffinity(0, sizeof state->before, &state->before);
    }
    if (state->locked) {
        munlockall();
    }
    free(state);
}
