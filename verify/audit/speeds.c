/* Source: the rules F2 and F3 (docs/gpu-model.md) and docs/contention.md.
 * Everything is computed anew, by definition: the fixed point by halving the way to it until it stands still, the fair shares by raising all
 * speeds together. */
#include "verify/audit/speeds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "sim/memory.h"

/* ---- alone ---- */

/* How many times longer its part on the SMs takes with so many of them than it would with as many as it fills. */
static double crowding(const struct grt_usage *usage, double share) {
    return fmax(1, GRT_FULL_SHARE * usage->sm_utilisation / share);
}

static double measured_factor(const struct grt_usage *usage, double share) {
    const struct grt_share_factor *points = usage->share_factors.items;
    size_t count = usage->share_factors.count, next = 0;
    double most = 1; /* of the points that are not below: with all it is 1 */
    while (next < count && (double)points[next].share < share) {
        next++;
    }
    for (size_t i = next; i < count; i++) {
        most = fmax(most, points[i].factor);
    }
    if (next == 0) { /* the first point says how long the part on the SMs takes */
        double part = (points[0].factor - usage->host_fraction) / crowding(usage, (double)points[0].share);
        return fmax(most, usage->host_fraction + part * crowding(usage, share));
    }
    double below = 1 / (double)points[next - 1].share,
           above = next < count ? 1 / (double)points[next].share : 1 / (double)GRT_FULL_SHARE;
    double low = points[next - 1].factor, high = next < count ? points[next].factor : 1;
    double part = below > above ? (below - 1 / share) / (below - above) : 1;
    return fmax(most, low + part * (high - low));
}

double audit_share_factor(const struct grt_usage *usage, double share) {
    if (usage->share_factors.count > 0) {
        return measured_factor(usage, share);
    }
    return usage->host_fraction + (1 - usage->host_fraction) * crowding(usage, share);
}

struct grt_usage audit_default_usage(double sm_utilisation) {
    struct grt_usage usage = {.sm_utilisation = sm_utilisation};
    usage.demand[GRT_RESOURCE_SM] = sm_utilisation;
    usage.bound[GRT_RESOURCE_SM] = 1;
    return usage;
}

/* ---- beside others ---- */

/* Those that do not stand still. */
struct company {
    const struct grt_device *device;
    struct audit_sharer *sharers;
    double *factors; /* of each alone with what it has of the SMs */
    double *speeds;
    double *work; /* room for as many */
    uint32_t count;
};

static double load(const struct company *company, const double *speeds, int resource) {
    double sum = 0;
    for (uint32_t i = 0; i < company->count; i++) {
        sum += speeds[i] * company->sharers[i].usage->demand[resource];
    }
    return sum;
}

static double kappa(const struct grt_device *device, int resource) {
    const struct grt_resource_numbers *latency = &device->contention_latency;
    const double all[GRT_RESOURCES] = {[GRT_RESOURCE_SM] = latency->sm,
                                       [GRT_RESOURCE_L2] = latency->l2,
                                       [GRT_RESOURCE_DRAM] = latency->dram,
                                       [GRT_RESOURCE_SHARED_MEMORY] = latency->shared_memory,
                                       [GRT_RESOURCE_TEXTURE] = latency->texture};
    return all[resource];
}

/* 1/v = h + (1 - h) slow S^e: how fast a kernel would go if all went as fast as they do. */
static double answer(const struct company *company, uint32_t number, const double *loads) {
    const struct grt_usage *usage = company->sharers[number].usage;
    double suffers = 1; /* S: what it does not depend on takes as long as ever */
    for (int i = 0; i < GRT_RESOURCES; i++) {
        double foreign = fmax(0, loads[i] - company->speeds[number] * usage->demand[i]);
        double phi = fmax(1, loads[i]) * (1 + kappa(company->device, i) * foreign);
        suffers += usage->bound[i] * (phi - 1);
    }
    double on_sms = company->factors[number] - usage->host_fraction;
    return 1 / (usage->host_fraction + on_sms * pow(suffers, company->device->contention_exponent));
}

/* False if it does not come to rest, as where many kernels of few kinds slow each other in a circle. */
static bool saturate(struct company *company) {
    enum { MOST_STEPS = 5000 };
    double moved = 1;
    for (int step = 0; moved > 1e-15 && step < MOST_STEPS; step++) {
        double loads[GRT_RESOURCES];
        for (int i = 0; i < GRT_RESOURCES; i++) {
            loads[i] = load(company, company->speeds, i);
        }
        for (uint32_t i = 0; i < company->count; i++) {
            company->work[i] = answer(company, i, loads);
        }
        moved = 0;
        for (uint32_t i = 0; i < company->count; i++) {
            double next = (company->speeds[i] + company->work[i]) / 2;
            moved = fmax(moved, fabs(next - company->speeds[i]));
            company->speeds[i] = next;
        }
    }
    return moved <= 1e-15;
}

/* The level to which the speeds of all that still rise can be raised until a resource is full; those stand at `speeds`. */
static double level_of(const struct company *company, const bool *stands, int resource) {
    double taken = 0, asked = 0;
    for (uint32_t i = 0; i < company->count; i++) {
        double demand = company->sharers[i].usage->demand[resource];
        taken += stands[i] ? company->speeds[i] * demand : 0;
        asked += stands[i] ? 0 : demand;
    }
    return asked > 0 ? fmax(0, 1 - taken) / asked : INFINITY;
}

/* One round: everybody who cannot rise further stands. */
static uint32_t fill_up(struct company *company, bool *stands) {
    double levels[GRT_RESOURCES], level = INFINITY;
    uint32_t stopped = 0;
    for (int i = 0; i < GRT_RESOURCES; i++) {
        levels[i] = level_of(company, stands, i);
        level = fmin(level, levels[i]);
    }
    for (uint32_t i = 0; i < company->count; i++) {
        level = stands[i] ? level : fmin(level, 1 / company->factors[i]);
    }
    for (uint32_t i = 0; i < company->count; i++) {
        bool full = 1 / company->factors[i] <= level;
        for (int j = 0; j < GRT_RESOURCES; j++) {
            full |= company->sharers[i].usage->demand[j] > 0 && levels[j] <= level;
        }
        if (!stands[i] && full) {
            stands[i] = true;
            company->speeds[i] = level;
            stopped++;
        }
    }
    return stopped;
}

static void raise_together(struct company *company) {
    bool *stands = grt_allocate(company->count * sizeof *stands);
    uint32_t standing = 0;
    memset(stands, 0, company->count * sizeof *stands);
    while (standing < company->count) {
        uint32_t stopped = fill_up(company, stands);
        GRT_REQUIRE(stopped > 0, "nobody stands although a resource is full or a kernel as fast as it can");
        standing += stopped;
    }
    free(stands);
}

static void look_up(struct company *company) {
    const struct grt_slowdown *rows = company->device->slowdowns.items;
    for (uint32_t i = 0; i < company->count; i++) {
        for (uint32_t j = 0; j < company->count; j++) {
            const char *one = company->sharers[i].class_name, *other = company->sharers[j].class_name;
            for (size_t k = 0; k < company->device->slowdowns.count && i != j; k++) {
                if (one != NULL && other != NULL && strcmp(rows[k].class_name, one) == 0 &&
                    strcmp(rows[k].beside, other) == 0) {
                    company->speeds[i] /= rows[k].factor;
                }
            }
        }
    }
}

static bool contend(struct company *company) {
    switch (company->device->contention) {
    case GRT_CONTENTION_SATURATION:
        return saturate(company);
    case GRT_CONTENTION_MAX_MIN:
        raise_together(company);
        break;
    case GRT_CONTENTION_SLOWDOWNS:
        look_up(company);
        break;
    default:
        break;
    }
    return true;
}

/* ---- what each has of the SMs ---- */

/* Turns: whoever takes k times as long for want of SMs does not notice k that take turns. */
static void take_turns(struct company *company) {
    for (uint32_t i = 0; i < company->count; i++) {
        double host = company->sharers[i].usage->host_fraction;
        double slow = (company->factors[i] - host) / (1 - host);
        company->speeds[i] = 1 / (host + (1 - host) * fmax(company->count, slow));
    }
}

/* The vprocessors that a kernel may have; `left`: what those before it leave. It takes as many as it fills, whole ones. */
static int64_t given_to(const struct grt_device *device, const struct audit_sharer *sharer, int64_t *left) {
    int64_t share = sharer->share;
    if (device->share_mode == GRT_SHARE_MODE_LEFT_OVER) {
        double fills = ceil(GRT_FULL_SHARE * sharer->usage->sm_utilisation - 1e-9); /* 57 of 0.57 */
        share = share < *left ? share : *left;
        *left -= (double)share < fills ? share : (int64_t)fills;
    }
    return share;
}

bool audit_speeds_of(const struct grt_device *device, const struct audit_sharer *sharers, uint32_t count,
                     double *speeds) {
    struct company company = {.device = device};
    double *numbers = grt_allocate((3 * (size_t)count + 1) * sizeof *numbers);
    int64_t left = GRT_FULL_SHARE;
    company.sharers = grt_allocate(((size_t)count + 1) * sizeof *company.sharers);
    company.factors = numbers;
    company.speeds = numbers + count;
    company.work = numbers + 2 * (size_t)count;
    for (uint32_t i = 0; i < count; i++) {
        int64_t given = given_to(device, &sharers[i], &left);
        speeds[i] = given > 0 ? 1 : 0;
        if (given > 0) {
            company.sharers[company.count] = sharers[i];
            company.factors[company.count] = audit_share_factor(sharers[i].usage, (double)given);
            company.speeds[company.count] = 1 / company.factors[company.count];
            company.count++;
        }
    }
    bool known = true;
    if (device->share_mode == GRT_SHARE_MODE_TIME_SLICING) {
        take_turns(&company);
    } else {
        known = contend(&company);
    }
    for (uint32_t i = 0, next = 0; i < count; i++) {
        speeds[i] = speeds[i] > 0 ? company.speeds[next++] : 0;
    }
    free(company.sharers);
    free(numbers);
    return known;
}

double audit_speed_error(const struct grt_device *device) {
    bool fixed_point =
        device->share_mode != GRT_SHARE_MODE_TIME_SLICING && device->contention == GRT_CONTENTION_SATURATION;
    return fixed_point ? 1e-11 : 1e-13; /* as exact as the simulator's is said to be; sums of a few doubles */
}
