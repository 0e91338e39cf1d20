#include "calib/replay/internal.h"
#include "sim/wide.h"

enum { TRIES = 200 };

struct grt_bench_exchange replay_exchange(struct grt_bench *bench) {
    struct grt_bench_exchange best = grt_bench_exchange(bench);
    for (int i = 1; i < TRIES && best.after > best.before && !grt_bench_is_lost(bench); i++) {
        struct grt_bench_exchange next = grt_bench_exchange(bench);
        best = next.after - next.before < best.after - best.before ? next : best;
    }
    return best;
}

static grt_time middle(const struct grt_bench_exchange *exchange) {
    return exchange->before + (exchange->after - exchange->before) / 2;
}

grt_time replay_host_time(const struct replay_clock *clock, int64_t device) {
    grt_time host = middle(&clock->last) - middle(&clock->first);
    int64_t elapsed = (int64_t)(clock->last.device_ns - clock->first.device_ns);
    int64_t since = device - (int64_t)clock->first.device_ns;
    if (elapsed <= 0 || host <= 0) {
        return middle(&clock->first) + since;
    }
    grt_signed_wide scaled = (grt_signed_wide)since * host, half = elapsed / 2;
    return middle(&clock->first) + (grt_time)((scaled + (scaled < 0 ? -half : half)) / elapsed);
}

grt_time replay_clock_error(const struct replay_clock *clock) {
    grt_time first = clock->first.after - clock->first.before, last = clock->last.after - clock->last.before;
    return ((first > last ? first : last) + 1) / 2;
}

double replay_clock_drift(const struct replay_clock *clock) {
    double host = (double)(middle(&clock->last) - middle(&clock->first));
    double device = (double)(clock->last.device_ns - clock->first.device_ns);
    return host > 0 ? device / host - 1 : 0;
}
