#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sched.h>
#include <time.h>

#include "calib/pretend/threads_internal.h"

/* How long a sleep lasts at most before it looks whether the engine has ended. */
#define LONGEST_NAP (20 * GRT_MILLISECOND)

static grt_time system_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (grt_time)now.tv_sec * GRT_SECOND + now.tv_nsec;
}

grt_time grt_threads_now(const struct grt_threads *threads) {
    return system_now() - threads->origin;
}

static grt_time device_time(const struct grt_threads *threads, grt_time now, grt_time tick) {
    const struct grt_pretend_spec *spec = threads->spec;
    grt_time time = now + (grt_time)((double)now * spec->timer_drift) + spec->timer_offset;
    return tick > 1 ? time - time % tick : time;
}

uint64_t grt_threads_timer(const struct grt_threads *threads, grt_time now) {
    return (uint64_t)device_time(threads, now, threads->spec->timer_tick);
}

double grt_threads_event_time(const struct grt_threads *threads, grt_time now) {
    return (double)device_time(threads, now, threads->spec->event_tick);
}

uint32_t grt_threads_cycles(const struct grt_threads *threads, grt_time now) {
    double cycles = (double)now / (double)GRT_SECOND * (double)threads->spec->cycles_per_second;
    return (uint32_t)(uint64_t)cycles;
}

bool grt_threads_sleep(const struct grt_threads *threads, grt_time until) {
    for (grt_time now = grt_threads_now(threads); now < until; now = grt_threads_now(threads)) {
        if (atomic_load(&threads->ended)) {
            return false;
        }
        grt_time wake = threads->origin + (until - now > LONGEST_NAP ? now + LONGEST_NAP : until);
        struct timespec instant = {.tv_sec = (time_t)(wake / GRT_SECOND),
                                   .tv_nsec = (long)(wake % GRT_SECOND)};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &instant, NULL);
    }
    return !atomic_load(&threads->ended);
}

void grt_threads_be_exact(void) {
#ifdef __linux__
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); /* ns; else sleeps are put together within 50 us */
#endif
}
