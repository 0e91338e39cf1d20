/* Saturation and latency: a fixed point of the speeds.
 *
 * Implements, for a kernel with host fraction h, demands d, bounds w (of usage.h), factor f alone with its vprocessors, and speed v, with
 * L_r the sum of v d_r over all kernels, and F_r the same over all others:
 *   phi_r = max(1, L_r) (1 + kappa_r F_r)      a full resource is shared in proportion; others' use makes it slower
 *   S = 1 + sum of w_r (phi_r - 1)             what depends on no resource is not slowed
 *   1/v = f + (f - h) (S^e - 1)                nor is the part on the host; e: what kernels hide of it
 * kappa: contention_latency; e: contention_exponent. Why, and what was chosen: docs/contention.md. */
#include <math.h>

#include "models/contention_kinds.h"
#include "sim/elementary.h"

/* Speeds are found to a part of this: far below what a nanosecond of a kernel's time is. */
static const double enough = 1e-13;
enum { MOST_STEPS = 4000 };

static void sum_loads(const struct contender *contenders, uint32_t count, double *load) {
    for (int r = 0; r < GRT_RESOURCES; r++) {
        load[r] = 0;
        for (uint32_t i = 0; i < count; i++) {
            load[r] += contenders[i].speed * contenders[i].usage->demand[r];
        }
    }
}

static double speed_under(const struct contender *contender, const double *load, const double *kappa,
                          double exponent) {
    double excess = 0;
    for (int r = 0; r < GRT_RESOURCES; r++) {
        double others = fmax(0, load[r] - contender->speed * contender->usage->demand[r]);
        double longer = fmax(1, load[r]) * (1 + kappa[r] * others);
        excess += contender->usage->bound[r] * (longer - 1);
    }
    double slowdown = grt_elementary_exp(exponent * grt_elementary_log(1 + excess));
    return 1 / (contender->factor + (contender->factor - contender->usage->host_fraction) * (slowdown - 1));
}

void grt_contention_saturate(const struct grt_device *device, struct contender *contenders, uint32_t count) {
    const struct grt_resource_numbers *latency = &device->contention_latency;
    double kappa[GRT_RESOURCES] = {latency->sm, latency->l2, latency->dram, latency->shared_memory,
                                   latency->texture};
    for (int step = 0; step < MOST_STEPS; step++) {
        double load[GRT_RESOURCES], change = 0;
        sum_loads(contenders, count, load);
        for (uint32_t i = 0; i < count; i++) {
            double next = speed_under(&contenders[i], load, kappa, device->contention_exponent);
            change = fmax(change, fabs(next - contenders[i].speed) / next);
            contenders[i].speed = (contenders[i].speed + next) / 2;
        }
        if (change < enough) {
            return;
        }
    }
}
