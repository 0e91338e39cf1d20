/* The clocks of a pretended device. */
#include <math.h>

#include "calib/pretend/model_internal.h"

/* How far the device's clock has run at an instant, before it is rounded to ticks. */
static int64_t run_of(const struct grt_pretend_spec *spec, grt_time instant) {
    int64_t drift = spec->timer_drift != 0 ? (int64_t)floor(spec->timer_drift * (double)instant) : 0;
    return spec->timer_offset + instant + drift;
}

uint64_t model_timer(const struct grt_pretend_spec *spec, grt_time instant) {
    int64_t run = run_of(spec, instant);
    return (uint64_t)(run - run % spec->timer_tick);
}

/* The same clock, with ticks of its own. */
double model_event_clock(const struct grt_pretend_spec *spec, grt_time instant) {
    int64_t run = run_of(spec, instant) - spec->timer_offset;
    return (double)(run - run % spec->event_tick);
}

/* SMs have been counting since different instants. */
uint32_t model_cycles(const struct grt_pretend_spec *spec, uint32_t sm, grt_time instant) {
    uint64_t seconds = (uint64_t)instant / 1000000000, rest = (uint64_t)instant % 1000000000;
    uint64_t rate = (uint64_t)spec->cycles_per_second; /* 10^10 at most */
    return (uint32_t)(seconds * rate + rest * rate / 1000000000) + sm * UINT32_C(104729);
}
