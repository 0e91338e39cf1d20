#include "models/learning/network.h"

#include <string.h>

#include "models/learning/rules.h"
#include "sim/check.h"
#include "sim/elementary.h"
#include "sim/time.h"

void grt_network_finish(struct grt_network *network, struct grt_arena *arena) {
    size_t size = (size_t)network->rules * GRT_NETWORK_INPUTS;
    double *inverse = grt_arena_array(arena, size, sizeof *inverse);
    for (size_t i = 0; i < size; i++) {
        inverse[i] = 1 / network->widths[i];
    }
    network->inverse_widths = inverse;
}

const struct grt_network *grt_networks_find(const struct grt_networks *networks, const char *kernel) {
    for (size_t i = 0; networks != NULL && i < networks->count; i++) {
        if (strcmp(networks->items[i].kernel, kernel) == 0) {
            return &networks->items[i];
        }
    }
    return NULL;
}

void grt_network_scale(const struct grt_network *network, const double *indicators, int64_t share,
                       double *x) {
    memcpy(x, indicators, GRT_INDICATORS * sizeof *x);
    x[GRT_INDICATORS] = grt_elementary_log((double)share);
    for (size_t i = 0; i < GRT_NETWORK_INPUTS; i++) {
        double range = network->high[i] - network->low[i];
        x[i] = range > 0 ? (x[i] - network->low[i]) / range : 0;
    }
}

/* The rules are only read. */
static struct grt_rules rules_of(const struct grt_network *network) {
    return (struct grt_rules){
        .count = (size_t)network->rules,
        .terms = grt_network_terms(network->order),
        .centres = (double *)(uintptr_t)network->centres,
        .widths = (double *)(uintptr_t)network->widths,
        .inverse_widths = (double *)(uintptr_t)network->inverse_widths,
        .consequents = (double *)(uintptr_t)network->consequents,
    };
}

double grt_network_predict(const struct grt_network *network, const double *indicators, int64_t share,
                           bool *knows) {
    double x[GRT_NETWORK_INPUTS], fires[GRT_NETWORK_MOST_RULES], strengths[GRT_NETWORK_MOST_RULES];
    uint32_t which[GRT_NETWORK_MOST_RULES];
    GRT_REQUIRE(share >= 1, "a kernel without a share stands still: there is no time to predict");
    struct grt_rules rules = rules_of(network);
    grt_network_scale(network, indicators, share, x);
    double most = grt_rules_fire(&rules, x, fires);
    size_t count = grt_rules_strengths(&rules, fires, most, which, strengths);
    double y = 0;
    for (size_t k = 0; k < count; k++) {
        y += strengths[k] * grt_rules_consequent(&rules, which[k], x); /* Eq. (3) */
    }
    if (knows != NULL) {
        *knows = grt_elementary_exp(most) > network->threshold;
    }
    double time = grt_elementary_exp(network->mean + network->deviation * y);
    return time < 1 ? 1 : time > (double)GRT_TIME_LIMIT ? (double)GRT_TIME_LIMIT : time;
}
