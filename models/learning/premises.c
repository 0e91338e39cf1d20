/* The gradient of the squared error by centres and widths, and Adam's steps along it (Kingma and Ba 2015, algorithm 1). */
#include <math.h>
#include <string.h>

#include "models/learning/train_internal.h"

/* Adam's constants, as its authors recommend. */
static const double keep_mean = 0.9, keep_square = 0.999, least_root = 1e-8;
/* Where widths stay: a narrower rule knows one sample, a wider one nothing. */
static const double least_width = 0.03, most_width = 5;

/* Of the centres, and behind them of the widths. */
struct grt_descent {
    size_t size; /* rules x inputs */
    double *gradient, *mean, *square;
    double mean_left, square_left; /* keep^steps: Adam's corrections for its start at 0 */
};

struct grt_descent *grt_descent_create(const struct grt_rules *rules, struct grt_arena *arena) {
    struct grt_descent *descent = grt_arena_new(arena, struct grt_descent);
    descent->size = rules->count * GRT_NETWORK_INPUTS;
    descent->gradient = grt_arena_array(arena, 2 * descent->size, sizeof(double));
    descent->mean = grt_arena_array(arena, 2 * descent->size, sizeof(double));
    descent->square = grt_arena_array(arena, 2 * descent->size, sizeof(double));
    descent->mean_left = descent->square_left = 1;
    return descent;
}

/* Of E = (y - t)^2 / 2: dE/dm = g z / s and dE/ds = g z^2 / s with z = (x - m) / s and g = (y - t) p_j (f_j - y). The lines of rules of first order are
 * taken as they are: only p_j moves. */
static void add_gradient(struct grt_descent *descent, const struct grt_rules *rules, const double *x,
                         double target, struct grt_training_room *room) {
    size_t count;
    double y = grt_rules_output(rules, x, room, &count);
    for (size_t k = 0; k < count; k++) {
        size_t j = room->which[k], first = j * GRT_NETWORK_INPUTS;
        double g = (y - target) * room->strengths[k] * (grt_rules_consequent(rules, j, x) - y);
        const double *centre = &rules->centres[first], *inverse = &rules->inverse_widths[first];
        double *by_centre = &descent->gradient[first], *by_width = &descent->gradient[descent->size + first];
        for (size_t i = 0; i < GRT_NETWORK_INPUTS; i++) {
            double z = (x[i] - centre[i]) * inverse[i], change = g * z * inverse[i];
            by_centre[i] += change;
            by_width[i] += change * z;
        }
    }
}

/* Moves `values`, whose gradient's sums begin at `first`, and forgets those. */
static void step(struct grt_descent *descent, size_t first, double samples, double rate, double *values) {
    double *gradient = &descent->gradient[first], *mean = &descent->mean[first],
           *square = &descent->square[first];
    double for_mean = 1 / (1 - descent->mean_left), for_square = 1 / (1 - descent->square_left);
    for (size_t i = 0; i < descent->size; i++) {
        double g = gradient[i] / samples;
        mean[i] = keep_mean * mean[i] + (1 - keep_mean) * g;
        square[i] = keep_square * square[i] + (1 - keep_square) * g * g;
        values[i] -= rate * (mean[i] * for_mean) / (sqrt(square[i] * for_square) + least_root);
        gradient[i] = 0;
    }
}

static void step_all(struct grt_descent *descent, size_t samples, double rate, struct grt_rules *rules) {
    descent->mean_left *= keep_mean;
    descent->square_left *= keep_square;
    step(descent, 0, (double)samples, rate, rules->centres);
    step(descent, descent->size, (double)samples, rate, rules->widths);
    for (size_t i = 0; i < descent->size; i++) {
        double width = rules->widths[i];
        rules->widths[i] = width < least_width ? least_width : width > most_width ? most_width : width;
        rules->inverse_widths[i] = 1 / rules->widths[i];
    }
}

void grt_descend(struct grt_descent *descent, const struct grt_training *options, double rate,
                 const struct grt_training_data *data, struct grt_training_room *room,
                 struct grt_random *random, struct grt_rules *rules) {
    size_t *order = room->order;
    grt_shuffle_numbers(random, order, data->count);
    for (size_t begin = 0; begin < data->count; begin += (size_t)options->batch) {
        size_t left = data->count - begin,
               batch = (size_t)options->batch < left ? (size_t)options->batch : left;
        for (size_t i = begin; i < begin + batch; i++) {
            add_gradient(descent, rules, &data->x[order[i] * GRT_NETWORK_INPUTS], data->targets[order[i]],
                         room);
        }
        step_all(descent, batch, rate, rules);
    }
}
