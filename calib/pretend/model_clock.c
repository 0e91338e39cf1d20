/* The clocks of a pretended device. */
#include <math.h>

#include "calib/pretend/model_internal.h"
#include "sim/wide.h"

/* How far the device's clock has run at an instant, before it is rounded to ticks. */
static int64_t run_of(const struct grt_pretend_spec *spec, grt_time instant) {
    return spec->timer_offset + instant + (int64_t)floor(spec->timer_drift * (double)instant);
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
    grt_wide cycles = (grt_wide)(uint64_t)instant * (uint64_t)spec->cycles_per_second / 1000000000u;
    return (uint32_t)(uint64_t)cycles + sm * UINT32_C(104729);
}
