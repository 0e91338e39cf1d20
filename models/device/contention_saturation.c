/* Saturation and latency: a fixed point of the speeds, by Newton's method.
 *
 * Implements, for a kernel with host fraction h, demands d, bounds w (of usage.h), factor f alone with its vprocessors, and speed v, with
 * L_r the sum of v d_r over all kernels, and F_r the same over all others:
 *   phi_r = max(1, L_r) (1 + kappa_r F_r)      a full resource is shared in proportion; others' use makes it slower
 *   S = 1 + sum of w_r (phi_r - 1)             what depends on no resource is not slowed
 *   T = f + (f - h) (S^e - 1)                  nor is the part on the host; e: what kernels hide of it
 *   v T = 1
 * kappa: contention_latency; e: contention_exponent. Why, and what was chosen: docs/contention.md.
 *
 * The definition is the limit of v <- (v + 1 / T) / 2 from the speeds alone. That takes 40 to 180 rounds. The same point is found in 4 or 5 as a
 * zero of log(v T) in the logarithms of the speeds, where the equations are nearly straight. Kernels meet in five sums only, so that their
 * matrix is diagonal but for a product of rank five, and each round solves five equations, however many kernels there are (the formula
 * of Sherman, Morrison and Woodbury: G. Golub, C. Van Loan, "Matrix Computations", 4th edition, 2013, section 2.1.4). Where Newton's method does not get
 * ahead or stops at a point that the iteration would leave, the definition is carried out. */
#include <math.h>
#include <stdbool.h>

#include "models/device/contention_kinds.h"
#include "sim/elementary.h"

/* Speeds are found to a part of this; in the end rather to a tenth of the last digits, since each round doubles the digits. */
static const double enough = 1e-12;
enum { MOST_ROUNDS = 24, MOST_SETBACKS = 4, MOST_STEPS = 20000, STEPS_BEFORE_HALVING = 1000 };
static const double smallest_part = 1.0 / 16;

struct saturation {
    double kappa[GRT_RESOURCES], exponent;
    struct saturated *kernels;
    uint32_t count;
    double load[GRT_RESOURCES];
};

/* ---- the equations ---- */

static void sum_loads(struct saturation *saturation) {
    for (int r = 0; r < GRT_RESOURCES; r++) {
        saturation->load[r] = 0;
    }
    for (uint32_t i = 0; i < saturation->count; i++) {
        struct saturated *kernel = &saturation->kernels[i];
        for (int r = 0; r < GRT_RESOURCES; r++) {
            kernel->use[r] = kernel->speed * kernel->contender->usage->demand[r];
            saturation->load[r] += kernel->use[r];
        }
    }
}

static double power(double base, double exponent) {
    return base == 1 || exponent == 1 ? base : grt_elementary_exp(exponent * grt_elementary_log(base));
}

/* T, and its derivatives. */
static void find_time(const struct saturation *saturation, struct saturated *kernel) {
    const double *bound = kernel->contender->usage->bound;
    double slowdown = 1, own = 0;
    for (int r = 0; r < GRT_RESOURCES; r++) {
        double load = saturation->load[r], others = fmax(0, load - kernel->use[r]);
        double saturated = load > 1 ? load : 1, latency = 1 + saturation->kappa[r] * others;
        double by_others = bound[r] * saturated * saturation->kappa[r];
        slowdown += bound[r] * (saturated * latency - 1);
        kernel->rise[r] = by_others + (load > 1 ? bound[r] * latency : 0);
        own += by_others * kernel->use[r];
    }
    double longer = power(slowdown, saturation->exponent);
    kernel->time = kernel->contender->factor + kernel->waiting * (longer - 1);
    double scale = saturation->exponent * kernel->waiting * longer / (slowdown * kernel->time);
    kernel->own = 1 - scale * own;
    for (int r = 0; r < GRT_RESOURCES; r++) {
        kernel->rise[r] *= scale;
    }
}

/* Returns how far v T is from 1. */
static double evaluate(struct saturation *saturation) {
    double error = 0;
    sum_loads(saturation);
    for (uint32_t i = 0; i < saturation->count; i++) {
        find_time(saturation, &saturation->kernels[i]);
        double own_error = fabs(saturation->kernels[i].speed * saturation->kernels[i].time - 1);
        error = own_error > error ? own_error : error;
    }
    return error;
}

/* ---- five equations ---- */

struct equations {
    double matrix[GRT_RESOURCES][GRT_RESOURCES + 1]; /* with the right side */
    double determinant;
};

static void swap_rows(struct equations *equations, int a, int b) {
    for (int c = 0; c <= GRT_RESOURCES; c++) {
        double value = equations->matrix[a][c];
        equations->matrix[a][c] = equations->matrix[b][c];
        equations->matrix[b][c] = value;
    }
    equations->determinant = -equations->determinant;
}

static void eliminate(struct equations *equations, int column) {
    int pivot = column;
    for (int row = column + 1; row < GRT_RESOURCES; row++) {
        bool larger = fabs(equations->matrix[row][column]) > fabs(equations->matrix[pivot][column]);
        pivot = larger ? row : pivot;
    }
    if (pivot != column) {
        swap_rows(equations, column, pivot);
    }
    const double *from = equations->matrix[column];
    equations->determinant *= from[column];
    for (int row = column + 1; row < GRT_RESOURCES; row++) {
        double part = equations->matrix[row][column] / from[column];
        for (int c = column + 1; c <= GRT_RESOURCES; c++) {
            equations->matrix[row][c] -= part * from[c];
        }
    }
}

/* Gaussian elimination. Whether there was one solution, in the right side. */
static bool solve(struct equations *equations) {
    for (int column = 0; column < GRT_RESOURCES; column++) {
        eliminate(equations, column);
    }
    if (!(fabs(equations->determinant) > 0) || !isfinite(equations->determinant)) {
        return false;
    }
    for (int row = GRT_RESOURCES - 1; row >= 0; row--) {
        double *right = &equations->matrix[row][GRT_RESOURCES];
        for (int c = row + 1; c < GRT_RESOURCES; c++) {
            *right -= equations->matrix[row][c] * equations->matrix[c][GRT_RESOURCES];
        }
        *right /= equations->matrix[row][row];
    }
    return true;
}

/* ---- Newton's method ---- */

/* log x. Near 1 so much of it as leaves Newton's method its order. */
static double logarithm(double x) {
    return fabs(x - 1) < 0.25 ? 2 * (x - 1) / (x + 1) : grt_elementary_log(x);
}

static double exponential(double x) {
    return fabs(x) < 0.25 ? (2 + x) / (2 - x) : grt_elementary_exp(x);
}

/* No step is that long near a solution; a longer one, or none that is a number, comes from a matrix that is nearly singular. */
static double within_reason(double step) {
    static const double longest = 10;
    return step > longest ? longest : step > -longest ? step : -longest;
}

/* (D + A P^T) step = -log(v T), with D: own, A: rise, P: use. Finds the steps; whether the system has a positive determinant. */
static bool find_steps(struct saturation *saturation, bool *stable) {
    struct equations equations = {.determinant = 1};
    for (int r = 0; r < GRT_RESOURCES; r++) {
        equations.matrix[r][r] = 1;
    }
    for (uint32_t i = 0; i < saturation->count; i++) {
        struct saturated *kernel = &saturation->kernels[i];
        double inverse = 1 / kernel->own;
        kernel->step = -logarithm(kernel->speed * kernel->time) * inverse;
        for (int row = 0; row < GRT_RESOURCES; row++) {
            for (int c = 0; c < GRT_RESOURCES; c++) {
                equations.matrix[row][c] += kernel->use[row] * kernel->rise[c] * inverse;
            }
            equations.matrix[row][GRT_RESOURCES] += kernel->use[row] * kernel->step;
        }
        *stable = i == 0 ? kernel->own > 0 : *stable == (kernel->own > 0);
    }
    if (!solve(&equations)) {
        return false;
    }
    *stable = *stable == (equations.determinant > 0);
    for (uint32_t i = 0; i < saturation->count; i++) {
        struct saturated *kernel = &saturation->kernels[i];
        double common = 0;
        for (int r = 0; r < GRT_RESOURCES; r++) {
            common += kernel->rise[r] * equations.matrix[r][GRT_RESOURCES];
        }
        kernel->step -= common / kernel->own;
    }
    return true;
}

static void step_towards(struct saturation *saturation, double part) {
    for (uint32_t i = 0; i < saturation->count; i++) {
        struct saturated *kernel = &saturation->kernels[i];
        kernel->speed += part * (1 / kernel->time - kernel->speed);
    }
}

/* Whether a point was found at which the iteration of the definition can stay: that has a positive determinant. */
static bool find_by_newton(struct saturation *saturation) {
    double last = HUGE_VAL;
    bool stable = true;
    int setbacks = 0;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        double error = evaluate(saturation);
        if (error <= enough) {
            return stable;
        }
        if (error > last / 2) { /* across a kink, the instant at which a resource is full */
            if (++setbacks > MOST_SETBACKS) {
                return false;
            }
            step_towards(saturation, 0.5);
            last = HUGE_VAL;
            continue;
        }
        last = error;
        if (!find_steps(saturation, &stable)) {
            return false;
        }
        for (uint32_t i = 0; i < saturation->count; i++) {
            saturation->kernels[i].speed *= exponential(within_reason(saturation->kernels[i].step));
        }
    }
    return false;
}

/* ---- the definition ---- */

static void start(struct saturation *saturation) {
    for (uint32_t i = 0; i < saturation->count; i++) {
        saturation->kernels[i].speed = saturation->kernels[i].contender->speed;
    }
}

/* Where it goes round in circles it goes on in smaller steps. */
static void find_by_definition(struct saturation *saturation) {
    double part = 0.5;
    start(saturation);
    for (int step = 1; step < MOST_STEPS && evaluate(saturation) > enough; step++) {
        step_towards(saturation, part);
        bool circles = step % STEPS_BEFORE_HALVING == 0 && part > smallest_part;
        part = circles ? part / 2 : part;
    }
}

static struct saturation prepare(const struct grt_device *device, const struct contender *contenders,
                                 uint32_t count, struct saturated *scratch) {
    const struct grt_resource_numbers *latency = &device->contention_latency;
    for (uint32_t i = 0; i < count; i++) {
        scratch[i].contender = &contenders[i];
        scratch[i].waiting = contenders[i].factor - contenders[i].usage->host_fraction;
    }
    return (struct saturation){
        .kappa = {latency->sm, latency->l2, latency->dram, latency->shared_memory, latency->texture},
        .exponent = device->contention_exponent,
        .kernels = scratch,
        .count = count};
}

/* At most 1 / f, whatever was rounded. */
static void finish(const struct saturation *saturation, struct contender *contenders) {
    for (uint32_t i = 0; i < saturation->count; i++) {
        contenders[i].speed = 1 / saturation->kernels[i].time;
    }
}

void grt_contention_saturate(const struct grt_device *device, struct contender *contenders, uint32_t count,
                             struct saturated *scratch) {
    struct saturation saturation = prepare(device, contenders, count, scratch);
    start(&saturation);
    if (!find_by_newton(&saturation)) {
        find_by_definition(&saturation);
    }
    finish(&saturation, contenders);
}

void grt_contention_iterate(const struct grt_device *device, struct contender *contenders, uint32_t count,
                            struct saturated *scratch) {
    struct saturation saturation = prepare(device, contenders, count, scratch);
    find_by_definition(&saturation);
    finish(&saturation, contenders);
}
