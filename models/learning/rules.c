#include "models/learning/rules.h"

#include <math.h>
#include <string.h>

#include "sim/elementary.h"

/* e^-35 < 10^-15: what is less does not change a sum of doubles. */
static const double counts = -35;

struct grt_rules grt_rules_create(size_t most, int64_t order, struct grt_arena *arena) {
    size_t terms = grt_network_terms(order), size = most * GRT_NETWORK_INPUTS;
    return (struct grt_rules){
        .terms = terms,
        .centres = grt_arena_array(arena, size, sizeof(double)),
        .widths = grt_arena_array(arena, size, sizeof(double)),
        .inverse_widths = grt_arena_array(arena, size, sizeof(double)),
        .consequents = grt_arena_array(arena, most * terms, sizeof(double)),
    };
}

void grt_rules_copy(struct grt_rules *to, const struct grt_rules *from) {
    size_t size = from->count * GRT_NETWORK_INPUTS * sizeof(double);
    to->count = from->count;
    memcpy(to->centres, from->centres, size);
    memcpy(to->widths, from->widths, size);
    memcpy(to->inverse_widths, from->inverse_widths, size);
    memcpy(to->consequents, from->consequents, from->count * from->terms * sizeof(double));
}

double grt_rules_fire(const struct grt_rules *rules, const double *x, double *fires) {
    double most = -INFINITY;
    const double *centre = rules->centres, *inverse = rules->inverse_widths;
    for (size_t j = 0; j < rules->count; j++) {
        double sum[2] = {0, 0}; /* two chains of additions take half as long as one */
        for (size_t i = 0; i < GRT_NETWORK_INPUTS; i += 2) {
            double a = (x[i] - centre[i]) * inverse[i], b = (x[i + 1] - centre[i + 1]) * inverse[i + 1];
            sum[0] += a * a;
            sum[1] += b * b;
        }
        fires[j] = -0.5 * (sum[0] + sum[1]); /* Eq. (1), (2) */
        most = fires[j] > most ? fires[j] : most;
        centre += GRT_NETWORK_INPUTS;
        inverse += GRT_NETWORK_INPUTS;
    }
    return most;
}

size_t grt_rules_strengths(const struct grt_rules *rules, const double *fires, double most, uint32_t *which,
                           double *strengths) {
    size_t count = 0;
    double sum = 0;
    for (size_t j = 0; j < rules->count; j++) {
        if (fires[j] - most > counts) {
            which[count] = (uint32_t)j;
            strengths[count] = grt_elementary_exp(fires[j] - most);
            sum += strengths[count++];
        }
    }
    for (size_t k = 0; k < count; k++) {
        strengths[k] /= sum;
    }
    return count;
}

double grt_rules_consequent(const struct grt_rules *rules, size_t rule, const double *x) {
    const double *terms = &rules->consequents[rule * rules->terms];
    double value = terms[0];
    for (size_t i = 1; i < rules->terms; i++) {
        double input = x[i - 1] < 0 ? 0 : x[i - 1] > 1 ? 1 : x[i - 1];
        value += terms[i] * input;
    }
    return value;
}
