/* The structure pass of Yao et al. 2022, section 4.3.1.
 *
 * Deviates:
 *   1. A new rule is as wide as the options say; the paper's 0.01 makes nearly every sample a rule when inputs go from 0 to 1.
 *   2. Equation (7) has alpha_j in its second line: it is taken for alpha_2. C(0) is not given: it is an option.
 *   3. epsilon is B_th: a rule is of use to the samples that it covers. */
#include <math.h>
#include <string.h>

#include "models/learning/train_internal.h"
#include "sim/elementary.h"

static void add_rule(struct grt_rules *rules, const double *x, double width) {
    size_t first = rules->count++ * GRT_NETWORK_INPUTS;
    memcpy(&rules->centres[first], x, GRT_NETWORK_INPUTS * sizeof *x);
    for (size_t i = first; i < first + GRT_NETWORK_INPUTS; i++) {
        rules->widths[i] = width;
        rules->inverse_widths[i] = 1 / width;
    }
}

static void move_rule(struct grt_rules *rules, size_t from, size_t to) {
    size_t size = GRT_NETWORK_INPUTS * sizeof(double), source = from * GRT_NETWORK_INPUTS,
           target = to * GRT_NETWORK_INPUTS;
    memmove(&rules->centres[target], &rules->centres[source], size);
    memmove(&rules->widths[target], &rules->widths[source], size);
    memmove(&rules->inverse_widths[target], &rules->inverse_widths[source], size);
}

/* Eq. (7). */
static double next_critical(const struct grt_training *options, double critical, bool fires) {
    return fires ? critical + critical / (1 + grt_elementary_exp(options->rise * critical))
                 : critical / (1 + grt_elementary_exp(-options->fall * critical));
}

/* Deletes the rules whose critical degree has fallen to the bound; the others keep their order. Not the last one: a network predicts. */
static int64_t prune(const struct grt_training *options, struct grt_rules *rules, double *critical) {
    size_t kept = 0, all = rules->count;
    for (size_t j = 0; j < all; j++) {
        if (critical[j] > options->least_critical || (kept == 0 && j + 1 == all)) {
            critical[kept] = critical[j];
            move_rule(rules, j, kept++);
        }
    }
    rules->count = kept;
    return (int64_t)(all - kept);
}

int64_t grt_grow_rules(const struct grt_training *options, const struct grt_training_data *data,
                       struct grt_training_room *room, struct grt_arena *arena, struct grt_rules *rules) {
    double *critical = grt_arena_array(arena, (size_t)options->most_rules, sizeof *critical);
    double edge = grt_elementary_log(options->threshold);
    int64_t pruned = 0;
    for (size_t k = 0; k < data->count; k++) {
        const double *x = &data->x[k * GRT_NETWORK_INPUTS];
        double most = grt_rules_fire(rules, x, room->fires); /* Eq. (5) */
        if (most <= edge && rules->count < (size_t)options->most_rules) {
            room->fires[rules->count] = 0;
            critical[rules->count] = options->critical;
            add_rule(rules, x, options->width); /* Eq. (6) */
        }
        for (size_t j = 0; j < rules->count; j++) {
            critical[j] = next_critical(options, critical[j], room->fires[j] >= edge);
        }
        pruned += prune(options, rules, critical);
    }
    return pruned;
}
