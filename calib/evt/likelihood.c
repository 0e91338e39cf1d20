#include "calib/evt/likelihood.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"

enum { MOST_STEPS = 200, PARAMETERS = 3 };

#define FAR_BELOW (GRT_LEAST_SHAPE - 0.25) /* shapes from which no search was seen to come back */

/* Values as multiples of the start's scale from its location, so that all parameters are near 1. The parameters: location, logarithm of the scale, shape. */
struct search {
    enum grt_extreme_kind kind;
    double *values;
    size_t count;
    size_t free[PARAMETERS]; /* which of them are estimated */
    size_t free_count;
};

static struct grt_extreme extreme_of(const struct search *search, const double at[PARAMETERS]) {
    return (struct grt_extreme){.kind = search->kind, .location = at[0], .scale = exp(at[1]), .shape = at[2]};
}

static double cost_at(const struct search *search, const double at[PARAMETERS]) {
    struct grt_extreme extreme = extreme_of(search, at);
    return extreme.scale > 0 && isfinite(extreme.scale)
               ? grt_extreme_cost(&extreme, search->values, search->count)
               : INFINITY;
}

/* The cost, its slope and its curvature. */
struct ground {
    double cost, slope[PARAMETERS], curve[PARAMETERS][PARAMETERS];
};

static void look(const struct search *search, const double at[PARAMETERS], struct ground *out) {
    struct grt_extreme extreme = extreme_of(search, at);
    *out = (struct ground){.cost = INFINITY};
    if (extreme.scale > 0 && isfinite(extreme.scale)) {
        out->cost = grt_extreme_curve(&extreme, search->values, search->count, out->slope, out->curve);
    }
}

/* The inverse of the curvature with `more` on its diagonal, relative to it; false where that is not positive definite. */
static bool invert(const struct search *search, double curve[PARAMETERS][PARAMETERS], double more,
                   double inverse[PARAMETERS][PARAMETERS]) {
    size_t n = search->free_count;
    double cells[PARAMETERS * PARAMETERS];
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double cell = curve[search->free[i]][search->free[j]];
            cells[i * n + j] = cell + (i == j ? more * (fabs(cell) + 1) : 0);
        }
        if (!(cells[i * n + i] > 0)) {
            return false;
        }
    }
    gsl_matrix_view matrix = gsl_matrix_view_array(cells, n, n);
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    int status = gsl_linalg_cholesky_decomp1(&matrix.matrix);
    gsl_set_error_handler(handler);
    if (status != 0) {
        return false;
    }
    gsl_linalg_cholesky_invert(&matrix.matrix);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            inverse[i][j] = cells[i * n + j];
        }
    }
    return true;
}

/* The step to where the cost would be least if it were curved everywhere as here. False: it is not curved upwards. */
static bool step_from(const struct search *search, struct ground *here, double more,
                      double step[PARAMETERS]) {
    double inverse[PARAMETERS][PARAMETERS];
    if (!invert(search, here->curve, more, inverse)) {
        return false;
    }
    memset(step, 0, PARAMETERS * sizeof *step);
    for (size_t i = 0; i < search->free_count; i++) {
        for (size_t j = 0; j < search->free_count; j++) {
            step[search->free[i]] -= inverse[i][j] * here->slope[search->free[j]];
        }
    }
    return true;
}

/* Newton's method, its steps shortened as D. W. Marquardt does (SIAM J. Applied Mathematics 11, 1963) while they do not lead downwards. `here`: the minimum. */
static bool descend(const struct search *search, double at[PARAMETERS], struct ground *here) {
    double more = 1e-4;
    look(search, at, here);
    for (int tries = 0; tries < MOST_STEPS && isfinite(here->cost); tries++) {
        double step[PARAMETERS] = {0}, next[PARAMETERS] = {0};
        struct ground there = {.cost = INFINITY};
        if (step_from(search, here, more, step)) {
            for (size_t i = 0; i < PARAMETERS; i++) {
                next[i] = at[i] + step[i];
            }
            if (fmax(fmax(fabs(step[0]), fabs(step[1])), fabs(step[2])) < 1e-9) {
                return true;
            }
            look(search, next, &there);
        }
        if (there.cost <= here->cost && next[2] > -1) {
            memcpy(at, next, sizeof next);
            *here = there;
            if (at[2] < FAR_BELOW) {
                return false; /* on its way to where the likelihood has no bound */
            }
            more = more > 1e-7 ? more / 10 : 0;
        } else if (more > 1e12) {
            return false;
        } else {
            more = more > 0 ? more * 10 : 1e-6;
        }
    }
    return false;
}

static void spread(const struct search *search, struct ground *here, const struct grt_extreme *unit,
                   struct grt_likely *out) {
    double inverse[PARAMETERS][PARAMETERS];
    const double sizes[PARAMETERS] = {unit->scale, out->extreme.scale, 1};
    bool known = invert(search, here->curve, 0, inverse);
    memset(out->covariance, 0, sizeof out->covariance);
    for (size_t i = 0; i < search->free_count; i++) {
        for (size_t j = 0; j < search->free_count; j++) {
            size_t row = search->free[i], column = search->free[j];
            out->covariance[row][column] = known ? inverse[i][j] * sizes[row] * sizes[column] : NAN;
        }
    }
}

bool grt_likelihood_fit(const struct grt_extreme *start, const double *values, size_t count,
                        struct grt_likely *out) {
    struct search search = {.kind = start->kind, .count = count};
    if (grt_extreme_is_of_maxima(start->kind)) {
        search.free[search.free_count++] = 0;
    }
    search.free[search.free_count++] = 1;
    if (grt_extreme_has_shape(start->kind)) {
        search.free[search.free_count++] = 2;
    }
    search.values = grt_allocate((count + 1) * sizeof *search.values);
    for (size_t i = 0; i < count; i++) {
        search.values[i] = (values[i] - start->location) / start->scale;
    }
    /* a start that makes a value impossible begins without a shape, under which none is */
    double at[PARAMETERS] = {0, 0, fmax(start->shape, GRT_LEAST_SHAPE)};
    at[2] = isfinite(cost_at(&search, at)) ? at[2] : 0;
    struct ground here;
    bool found = count > 0 && descend(&search, at, &here);
    if (found) {
        out->extreme = extreme_of(&search, at);
        out->extreme.location = start->location + start->scale * at[0];
        out->extreme.scale *= start->scale;
        out->cost = here.cost + (double)count * log(start->scale);
        spread(&search, &here, start, out);
        found = out->extreme.shape > GRT_LEAST_SHAPE && out->extreme.shape < GRT_MOST_SHAPE;
    }
    free(search.values);
    return found;
}
