/* Warming up: a device that idles runs at a fraction of its frequency, and takes a while until it does not. */
#include <math.h>

#include "calib/bench/internal.h"

enum { STEADY_WINDOWS = 5 };

static const grt_time window = 20 * GRT_MILLISECOND;

/* Windows whose frequencies differ by less are steady. */
static const double steady_ratio = 0.005;

bool grt_bench_warm_up(struct grt_bench *bench, const struct grt_bench_warm_up *how,
                       struct grt_bench_warmth *warmth) {
    double hertz[STEADY_WINDOWS] = {0};
    grt_time from = grt_bench_now(bench);
    grt_time span =
        how->least < STEADY_WINDOWS * window ? how->least / STEADY_WINDOWS + GRT_MICROSECOND : window;
    *warmth = (struct grt_bench_warmth){.steady = false};
    for (uint32_t i = 0; !bench->lost && (how->goes_on == NULL || how->goes_on(how->state)); i++) {
        uint64_t cycles = 0, ns = 0;
        grt_bench_frequency(bench, span, &cycles, &ns);
        hertz[i % STEADY_WINDOWS] = ns > 0 ? (double)cycles * 1e9 / (double)ns : 0;
        double low = hertz[0], high = hertz[0];
        for (int j = 1; j < STEADY_WINDOWS; j++) {
            low = fmin(low, hertz[j]);
            high = fmax(high, hertz[j]);
        }
        bool steady = high - low < steady_ratio * high;
        *warmth = (struct grt_bench_warmth){low, high, steady};
        grt_time gone = grt_bench_now(bench) - from;
        if (i + 1 >= STEADY_WINDOWS && ((steady && gone >= how->least) || gone > how->most || high == 0)) {
            return true;
        }
    }
    return false;
}
