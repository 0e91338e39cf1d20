/* The period of GPU-TDMh's server by the paper's cubic, and by the paper's literal rule for its roots.
 *
 * Source: V. Golyanik, M. Nasri, D. Stricker, "Towards Scheduling Hard Real-Time Image Processing Tasks on a Single GPU", ICIP 2017,
 * section 3.2. Implements: equations (5) to (13).
 *
 * With z = 2T / T_i, 1 / (1 - z) <= P(z) = 4.7 z^2 + 1.08 for z up to 0.71 (8), so that load <= 1 where f(T) = T^3 + p T + q <= 0 and
 * T <= 0.35 T_1. Because of P's 1.08 nothing with U >= 1 / 1.08 passes.
 * Deviates (TDM_CUBIC):
 *   1. The paper accepts a real root of f that is at most 0.35 T_1. What it needs is f(T) <= 0 and T > 0: any T between the two positive
 *      roots. One root is always negative; where no slot has an overhead another is 0, and the third may be above 0.35 T_1 although all T
 *      below it will do.
 *   2. The period is whole nanoseconds, and counts, lengths and load are calculated again with it: rounding, and kernels that can only be
 *      cut between blocks, may break the promise of f(T) <= 0. Then other periods of the interval are tried.
 *   3. Where (f(T) / T) is least there is most to spare, so that T is tried first, not the root at which the relaxed load is 1. */
#include <gsl/gsl_poly.h>
#include <math.h>
#include <string.h>

#include "policies/tdm/search.h"

/* Periods tried between the ends of the interval, where the first ones fail. */
enum { BETWEEN = 16 };

static const double share_of_shortest = 0.35; /* T <= 0.35 T_1: section 3.2 */

/* A step of Newton's: the small root of three has only the precision of the largest. */
static double improved(double x, double p, double q) {
    double slope = 3.0 * x * x + p;
    return fabs(slope) > 1e-6 * fabs(p) ? x - (x * x * x + p * x + q) / slope : x;
}

/* p, q and the roots, (13), with T in units of the shortest window: in nanoseconds q may be 10^54. */
static struct tdm_demand solve(const struct tdm_search *search) {
    struct tdm_demand demand = tdm_demand_of(search);
    struct tdm_assignment *found = search->assignment;
    double unit = (double)demand.shortest, scale = 18.8 * demand.square;
    double p = (1.08 * demand.utilisation - 1.0) / scale, q = demand.overhead / unit / scale;
    double *x = found->roots;
    found->root_count = gsl_poly_solve_cubic(0.0, p, q, &x[0], &x[1], &x[2]);
    for (int i = 0; i < found->root_count; i++) {
        x[i] = improved(x[i], p, q) * unit;
    }
    if (q == 0.0) {
        x[found->root_count / 2] = 0.0; /* not nearly */
    }
    found->p = p * unit * unit;
    found->q = q * unit * unit * unit;
    return demand;
}

static bool refuse_cubic(const struct tdm_search *search, const struct tdm_demand *demand) {
    struct tdm_assignment *found = search->assignment;
    if (found->p >= 0.0) {
        return tdm_refuse(found, "the utilisation is %.6g, and the cubic can only do with less than 1 / 1.08",
                          demand->utilisation);
    }
    if (found->root_count < 3) {
        return tdm_refuse(found,
                          "the overheads, %.9g ms an activation, leave the cubic without a positive root",
                          TDM_MS(demand->overhead));
    }
    return tdm_refuse(found,
                      "the least T with f(T) <= 0 is %.9g ms, above 0.35 of the shortest window of %.9g ms",
                      TDM_MS(found->roots[1]), TDM_MS(demand->shortest));
}

/* The periods to try, best first: where f(T) / T is least, the ends of the interval, and between them in equal ratios. */
static size_t list_periods(const struct tdm_assignment *found, double first, double last,
                           double periods[3 + BETWEEN]) {
    double calmest =
        found->q > 0.0 ? cbrt(found->q / 2.0) : last; /* else the smallest: fewer activations are better */
    periods[0] = floor(fmin(fmax(calmest, first), last));
    periods[1] = first;
    periods[2] = last;
    for (int i = 0; i < BETWEEN; i++) {
        periods[3 + i] = floor(first * pow(last / first, (i + 1.0) / (BETWEEN + 1)));
    }
    return 3 + BETWEEN;
}

bool tdm_cubic(const struct tdm_search *search) {
    struct tdm_demand demand = solve(search);
    const struct tdm_assignment *found = search->assignment;
    double limit = share_of_shortest * (double)demand.shortest;
    double first = fmax(1.0, ceil(found->roots[1])), last = floor(fmin(found->roots[2], limit));
    if (found->root_count < 3 || !(first <= last)) {
        return refuse_cubic(search, &demand);
    }
    double periods[3 + BETWEEN];
    size_t count = list_periods(found, first, last, periods);
    for (size_t i = 0; i < count; i++) {
        if (tdm_try(search, (int64_t)periods[i])) {
            return true;
        }
    }
    tdm_try(search, (int64_t)periods[0]);
    return tdm_refuse_tried(search);
}

/* Says which roots the rule accepts, none of them a period. */
static bool refuse_roots(struct tdm_assignment *found, const double *accepted, int count) {
    if (count == 0) {
        return tdm_refuse(found, "no real root is at most 0.35 of the shortest window");
    }
    if (count == 1) {
        return tdm_refuse(found, "the root rule gives T = %.9g ms, which is no period", TDM_MS(accepted[0]));
    }
    return tdm_refuse(found, "the root rule gives T = %.9g ms and T = %.9g ms, which are no periods",
                      TDM_MS(accepted[0]), TDM_MS(accepted[1]));
}

bool tdm_paper(const struct tdm_search *search) {
    struct tdm_demand demand = solve(search);
    struct tdm_assignment *found = search->assignment;
    double accepted[3];
    int count = 0, periods = 0;
    for (int i = 0; i < found->root_count; i++) {
        double root = found->roots[i];
        if (!(root <= share_of_shortest * (double)demand.shortest)) {
            continue;
        }
        accepted[count++] = root;
        double whole = i == 1 ? ceil(root) : floor(root); /* into the interval */
        if (root > 0.0 && whole >= 1.0) {
            periods++;
            if (tdm_try(search, (int64_t)whole)) {
                return true;
            }
        }
    }
    return periods > 0 ? tdm_refuse_tried(search) : refuse_roots(found, accepted, count);
}
