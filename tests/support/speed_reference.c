#include "tests/support/speed_reference.h"

#include <math.h>
#include <stdbool.h>

void grt_reference_shares(const struct grt_device *device, const struct grt_sharer *sharers, uint32_t count,
                          int64_t *shares) {
    bool taken[GRT_FULL_SHARE] = {false};
    for (uint32_t i = 0; i < count; i++) {
        shares[i] = sharers[i].share;
        if (device->share_mode != GRT_SHARE_MODE_LEFT_OVER) {
            continue;
        }
        int64_t left = 0, had = 0;
        for (int p = 0; p < GRT_FULL_SHARE; p++) {
            left += !taken[p];
        }
        shares[i] = shares[i] < left ? shares[i] : left;
        for (int p = 0; p < GRT_FULL_SHARE;
             p++) { /* one more as long as it would not fill those that it has */
            bool more = (double)had / GRT_FULL_SHARE < sharers[i].usage->sm_utilisation && had < shares[i];
            if (!taken[p] && more) {
                taken[p] = true;
                had++;
            }
        }
    }
}

static double time_beside(const struct grt_device *device, const struct grt_sharer *sharers,
                          const int64_t *shares, uint32_t count, const double *speeds, uint32_t index) {
    const struct grt_resource_numbers *latency = &device->contention_latency;
    const double kappa[] = {latency->sm, latency->l2, latency->dram, latency->shared_memory,
                            latency->texture};
    const struct grt_usage *usage = sharers[index].usage;
    double independent = 1, slowed = 0;
    for (int r = 0; r < GRT_RESOURCES; r++) {
        double load = 0, foreign = 0;
        for (uint32_t j = 0; j < count; j++) {
            load += speeds[j] * sharers[j].usage->demand[r];
            foreign += j == index ? 0 : speeds[j] * sharers[j].usage->demand[r];
        }
        independent -= usage->bound[r];
        slowed += usage->bound[r] * fmax(1, load) * (1 + kappa[r] * foreign);
    }
    double host = usage->host_fraction, alone = grt_usage_share_factor(usage, shares[index]);
    return host + (alone - host) * pow(independent + slowed, device->contention_exponent);
}

uint32_t grt_reference_saturation(const struct grt_device *device, const struct grt_sharer *sharers,
                                  const int64_t *shares, uint32_t count, double part, uint32_t most,
                                  double *speeds) {
    for (uint32_t round = 1; round <= most; round++) {
        double next[GRT_REFERENCE_SHARERS], error = 0;
        for (uint32_t i = 0; i < count; i++) {
            next[i] = speeds[i] > 0 ? 1 / time_beside(device, sharers, shares, count, speeds, i) : 0;
        }
        for (uint32_t i = 0; i < count; i++) {
            error = fmax(error, next[i] > 0 ? fabs(speeds[i] / next[i] - 1) : 0);
            speeds[i] += part * (next[i] - speeds[i]);
        }
        if (error < 1e-13) {
            return round;
        }
    }
    return 0;
}

static double load_of(const struct grt_sharer *sharers, uint32_t count, const double *speeds, int r) {
    double load = 0;
    for (uint32_t i = 0; i < count; i++) {
        load += speeds[i] * sharers[i].usage->demand[r];
    }
    return load;
}

/* What resource r lacks of being the bottleneck of a kernel. */
static double missing_at(const struct grt_sharer *sharers, uint32_t count, const double *speeds,
                         uint32_t index, int r) {
    if (sharers[index].usage->demand[r] == 0) {
        return 1;
    }
    double missing = 1 - load_of(sharers, count, speeds, r);
    for (uint32_t i = 0; i < count; i++) {
        if (sharers[i].usage->demand[r] > 0) {
            missing = fmax(missing, speeds[i] - speeds[index]);
        }
    }
    return missing;
}

double grt_reference_unfairness(const struct grt_sharer *sharers, const int64_t *shares, uint32_t count,
                                const double *speeds) {
    double worst = 0;
    for (int r = 0; r < GRT_RESOURCES; r++) {
        worst = fmax(worst, load_of(sharers, count, speeds, r) - 1);
    }
    for (uint32_t i = 0; i < count; i++) {
        double alone = shares[i] > 0 ? 1 / grt_usage_share_factor(sharers[i].usage, shares[i]) : 0;
        double missing = fabs(alone - speeds[i]);
        worst = fmax(worst, speeds[i] - alone);
        for (int r = 0; r < GRT_RESOURCES; r++) {
            missing = fmin(missing, missing_at(sharers, count, speeds, i, r));
        }
        worst = fmax(worst, missing);
    }
    return worst;
}
