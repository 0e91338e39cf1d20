/* Least squares with a ridge: the network is linear in its consequents. */
#include <gsl/gsl_linalg.h>
#include <string.h>

#include "models/learning/train_internal.h"

/* Strengths below this are left out of the equations, of whose time they would take the most: what comes out is as good. */
static const double least_strength = 1e-4;

/* Per sample, of what the rules share. */
static const double shared_ridge = 1e-9;

double grt_rules_output(const struct grt_rules *rules, const double *x, struct grt_training_room *room,
                        size_t *count) {
    double most = grt_rules_fire(rules, x, room->fires), y = 0;
    *count = grt_rules_strengths(rules, room->fires, most, room->which, room->strengths);
    for (size_t k = 0; k < *count; k++) {
        y += room->strengths[k] * grt_rules_consequent(rules, room->which[k], x); /* Eq. (3) */
    }
    return y;
}

double grt_squared_error(const struct grt_training_data *data, struct grt_training_room *room,
                         const struct grt_rules *rules) {
    double sum = 0;
    for (size_t i = 0; i < data->count; i++) {
        size_t count;
        double off =
            grt_rules_output(rules, &data->x[i * GRT_NETWORK_INPUTS], room, &count) - data->targets[i];
        sum += off * off;
    }
    return data->count > 0 ? sum / (double)data->count : 0;
}

/* The normal equations. The row of the matrix that belongs to a sample has p_j (1, x) where rule j's terms are. For order 1 it has (1, x) behind
 * all rules, too: a plane that all rules share, which is added to each afterwards, since SUM p_j = 1. Its ridge is next to nothing, so
 * that what the ridge holds back is how rules differ from it: without rules' own slopes the network is no worse than linear regression. */
struct equations {
    const struct grt_rules *rules;
    size_t blocks, size;
    gsl_matrix *left; /* the lower triangle */
    gsl_vector *right;
};

static struct equations make_equations(const struct grt_rules *rules) {
    size_t blocks = rules->count + (rules->terms > 1 ? 1 : 0), size = blocks * rules->terms;
    return (struct equations){rules, blocks, size, gsl_matrix_calloc(size, size), gsl_vector_calloc(size)};
}

/* Adds the product of two rules' parts. */
static void add_product(struct equations *equations, size_t row, size_t column, const double *features,
                        double weight) {
    size_t terms = equations->rules->terms;
    for (size_t a = 0; a < terms; a++) {
        double *to = gsl_matrix_ptr(equations->left, row * terms + a, column * terms),
               by = weight * features[a];
        for (size_t b = 0; b < terms; b++) {
            to[b] += by * features[b];
        }
    }
}

/* `which` and `strengths` have `count` blocks in ascending order. */
static void add_sample(struct equations *equations, const uint32_t *which, const double *strengths,
                       size_t count, const double *x, double target) {
    double features[1 + GRT_NETWORK_INPUTS] = {1};
    memcpy(&features[1], x, GRT_NETWORK_INPUTS * sizeof *x);
    for (size_t k = 0; k < count; k++) {
        if (strengths[k] < least_strength) {
            continue;
        }
        double *right = gsl_vector_ptr(equations->right, which[k] * equations->rules->terms);
        for (size_t a = 0; a < equations->rules->terms; a++) {
            right[a] += strengths[k] * features[a] * target;
        }
        for (size_t l = 0; l <= k; l++) {
            if (strengths[l] >= least_strength) {
                add_product(equations, which[k], which[l], features, strengths[k] * strengths[l]);
            }
        }
    }
}

static void solve(struct equations *equations, double ridge, double shared) {
    size_t own = equations->rules->count * equations->rules->terms;
    for (size_t i = 0; i < equations->size; i++) {
        *gsl_matrix_ptr(equations->left, i, i) += i < own ? ridge : shared;
    }
    gsl_linalg_cholesky_decomp1(equations->left); /* definite: the ridges are above 0 */
    gsl_linalg_cholesky_svx(equations->left, equations->right);
}

/* Takes the solution over. */
static void take(const struct equations *equations, struct grt_rules *rules) {
    size_t own = rules->count * rules->terms;
    const double *found = equations->right->data;
    for (size_t i = 0; i < own; i++) {
        rules->consequents[i] = found[i] + (equations->size > own ? found[own + i % rules->terms] : 0);
    }
}

void grt_fit_consequents(const struct grt_training *options, const struct grt_training_data *data,
                         struct grt_training_room *room, struct grt_rules *rules) {
    struct equations equations = make_equations(rules);
    double n = (double)data->count;
    for (size_t i = 0; i < data->count; i++) {
        const double *x = &data->x[i * GRT_NETWORK_INPUTS];
        double most = grt_rules_fire(rules, x, room->fires);
        size_t count = grt_rules_strengths(rules, room->fires, most, room->which, room->strengths);
        if (equations.blocks > rules->count) {
            room->which[count] = (uint32_t)rules->count;
            room->strengths[count++] = 1;
        }
        add_sample(&equations, room->which, room->strengths, count, x, data->targets[i]);
    }
    solve(&equations, options->ridge * n, shared_ridge * n);
    take(&equations, rules);
    gsl_vector_free(equations.right);
    gsl_matrix_free(equations.left);
}
