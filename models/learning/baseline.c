#include "models/learning/baseline.h"

#include <gsl/gsl_linalg.h>
#include <string.h>

#include "models/learning/train_internal.h"
#include "sim/check.h"
#include "sim/elementary.h"

enum { TERMS = 1 + GRT_NETWORK_INPUTS };

static const double ridge = 1e-9; /* per sample */

static double time_of(const struct grt_network *scale, double y) {
    return grt_elementary_exp(scale->mean + scale->deviation * y);
}

/* ---- Linear regression ---- */

static void add_sample(gsl_matrix *normal, gsl_vector *right, const double *x, double target) {
    double features[TERMS] = {1};
    memcpy(&features[1], x, GRT_NETWORK_INPUTS * sizeof *x);
    for (size_t a = 0; a < TERMS; a++) {
        *gsl_vector_ptr(right, a) += features[a] * target;
        for (size_t b = 0; b < TERMS; b++) {
            *gsl_matrix_ptr(normal, a, b) += features[a] * features[b];
        }
    }
}

struct grt_regression grt_regression_fit(const struct grt_samples *samples) {
    struct grt_regression regression = {.scale = {.rules = 0}};
    struct grt_arena arena = {0};
    grt_find_scale(samples, &regression.scale);
    struct grt_training_data data = grt_scale_samples(samples, &regression.scale, &arena);
    gsl_matrix *normal = gsl_matrix_calloc(TERMS, TERMS);
    gsl_vector *right = gsl_vector_calloc(TERMS);
    for (size_t i = 0; i < data.count; i++) {
        add_sample(normal, right, &data.x[i * GRT_NETWORK_INPUTS], data.targets[i]);
    }
    for (size_t a = 0; a < TERMS; a++) {
        *gsl_matrix_ptr(normal, a, a) += ridge * (double)data.count;
    }
    gsl_linalg_cholesky_decomp1(normal);
    gsl_linalg_cholesky_svx(normal, right);
    memcpy(regression.terms, right->data, sizeof regression.terms);
    gsl_vector_free(right);
    gsl_matrix_free(normal);
    grt_arena_clear(&arena);
    return regression;
}

double grt_regression_predict(const void *model, const double *indicators, int64_t share, bool *knows) {
    const struct grt_regression *regression = model;
    double x[GRT_NETWORK_INPUTS], y = regression->terms[0];
    grt_network_scale(&regression->scale, indicators, share, x);
    for (size_t i = 0; i < GRT_NETWORK_INPUTS; i++) {
        y += regression->terms[1 + i] * x[i];
    }
    *knows = true;
    return time_of(&regression->scale, y);
}

/* ---- Nearest neighbours ---- */

struct grt_neighbours grt_neighbours_fit(const struct grt_samples *samples, size_t count,
                                         struct grt_arena *arena) {
    GRT_REQUIRE(count >= 1 && count <= GRT_MOST_NEIGHBOURS && count <= samples->count,
                "ask as many neighbours as there are");
    struct grt_neighbours neighbours = {.samples = samples->count, .count = count};
    grt_find_scale(samples, &neighbours.scale);
    struct grt_training_data data = grt_scale_samples(samples, &neighbours.scale, arena);
    neighbours.x = data.x;
    neighbours.targets = data.targets;
    return neighbours;
}

static double distance(const double *a, const double *b) {
    double sum = 0;
    for (size_t i = 0; i < GRT_NETWORK_INPUTS; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sum;
}

double grt_neighbours_predict(const void *model, const double *indicators, int64_t share, bool *knows) {
    const struct grt_neighbours *neighbours = model;
    double x[GRT_NETWORK_INPUTS], nearest[GRT_MOST_NEIGHBOURS], targets[GRT_MOST_NEIGHBOURS], sum = 0;
    size_t found = 0;
    grt_network_scale(&neighbours->scale, indicators, share, x);
    GRT_ASSERT(neighbours->count > 0, "ask for at least one neighbour");
    for (size_t k = 0; k < neighbours->samples; k++) {
        double off = distance(x, &neighbours->x[k * GRT_NETWORK_INPUTS]);
        if (found == neighbours->count && off >= nearest[found - 1]) {
            continue;
        }
        size_t at = found < neighbours->count ? found++ : found - 1;
        for (; at > 0 && nearest[at - 1] > off; at--) {
            nearest[at] = nearest[at - 1];
            targets[at] = targets[at - 1];
        }
        nearest[at] = off;
        targets[at] = neighbours->targets[k];
    }
    for (size_t k = 0; k < found; k++) {
        sum += targets[k];
    }
    *knows = true;
    return time_of(&neighbours->scale, sum / (double)found);
}
