/* The period of GPU-TDMh's server with the least load, by going through the periods at which a count changes.
 *
 * Source: equation (4) of V. Golyanik, M. Nasri, D. Stricker, "Towards Scheduling Hard Real-Time Image Processing Tasks on a Single GPU",
 * ICIP 2017, which the paper relaxes to a cubic; here it is solved as it is.
 *
 * Between two changes of any count the slots' lengths stay the same, so that the load falls with T: only the largest period of each
 * stretch matters. They are gone through from the largest. That ends where load >= utilisation + slope T + overhead / T leaves nothing to
 * find, or load >= utilisation + overhead / T less than a hundredth to gain: without overhead the load would fall, if ever more slowly, down to the smallest periods. */
#include <math.h>

#include "policies/tdm/search.h"

/* How many changes are looked at, which is some tens of milliseconds. Below them only every period that is three quarters of the one before
 * is tried: they are reached where the load is within a few thousandths of what no period can do, and then nearly any small one does. */
enum { CHANGES = 100000, LEAST_CHANGES = 100 };

/* With many tasks a change takes longer: so many steps do, too. */
static const int64_t most_steps = 1 << 22;

static const double gain_ratio = 0.01;

/* The least period whose load can be at most `load`. */
static int64_t least_period(const struct tdm_demand *demand, double load) {
    double spare = load - demand->utilisation;
    if (spare <= 0.0) {
        return INT64_MAX;
    }
    double period = demand->overhead / (spare + 1e-12); /* the utilisation is a sum of rounded quotients */
    return period < 1.0 ? 1 : period < 4e18 ? (int64_t)period : INT64_MAX;
}

/* The least period whose load can be at most `load`, where windows tell more than the sums of least_period; INT64_MAX: there is none. It is the smaller
 * root of slope T^2 - (load - utilisation) T + overhead, a little less for rounding. */
static int64_t least_period_by_windows(const struct tdm_demand *demand, double load) {
    double spare = load - demand->utilisation + 1e-12;
    double square = spare * spare, product = 4.0 * demand->slope * demand->overhead;
    if (spare <= 0.0 || square < product * (1.0 - 1e-9)) {
        return INT64_MAX;
    }
    double root = square > product ? sqrt(square - product) : 0.0;
    double period = 2.0 * demand->overhead / (spare + root) * (1.0 - 1e-9);
    return period < 1.0 ? 1 : period < 4e18 ? (int64_t)period : INT64_MAX;
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* The best of the periods at which something changes, from `*period` down to `*least`; 0: none. Moves both. */
static int64_t best_change(const struct tdm_search *search, const struct tdm_demand *demand, int64_t *period,
                           int64_t *least) {
    struct tdm_search down = *search;
    int64_t best = 0, next;
    down.downwards = true;
    *least = larger(*least, least_period_by_windows(demand, 1.0));
    for (size_t i = 0; i < down.count; i++) {
        down.slots[i].change = INT64_MAX; /* nothing is known yet */
    }
    for (int i = 0; *period >= *least; i++, *period = next) {
        if (i >= CHANGES || (i >= LEAST_CHANGES && down.assignment->steps > most_steps)) {
            break;
        }
        if (tdm_try(&down, *period, &next) && (best == 0 || down.assignment->load < down.most_load)) {
            best = *period;
            down.most_load = down.assignment->load;
            *least = larger(least_period(demand, down.most_load * (1.0 - gain_ratio)),
                            least_period_by_windows(demand, down.most_load));
        }
    }
    return best;
}

bool tdm_exact(const struct tdm_search *search) {
    struct tdm_demand demand = tdm_demand_of(search);
    int64_t period = demand.shortest, least = least_period(&demand, 1.0), lowest = least;
    if (least > period) {
        return tdm_refuse(
            search->assignment,
            "no T is long enough for a density (work by window) of %.6g and overheads of %.9g ms",
            demand.utilisation, TDM_MS(demand.overhead));
    }
    int64_t best = best_change(search, &demand, &period, &least);
    for (; best == 0 && period >= least; period -= (period - 1) / 4 + 1) {
        best = tdm_try(search, period, NULL) ? period : 0;
    }
    if (best == 0) {
        return tdm_refuse(
            search->assignment,
            "no T from %.9g ms to %.9g ms gives every task enough slots with a load of at most 1",
            TDM_MS(lowest), TDM_MS(demand.shortest));
    }
    return tdm_try(search, best, NULL);
}
