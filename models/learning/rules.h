/* The rules of a network while it is trained, and what a prediction is made of. Plain arrays of doubles, so that training can change
 * them in place; equations are those of Yao et al. 2022 (models/learning/network.h). */
#ifndef GRT_MODELS_LEARNING_RULES_H
#define GRT_MODELS_LEARNING_RULES_H

#include "models/learning/network.h"

/* Where rules are. The arrays are those of struct grt_network. */
struct grt_rules {
    size_t count, terms; /* terms: grt_network_terms */
    double *centres, *widths, *inverse_widths, *consequents;
};

/* Room for up to `most` rules of that order, in the arena; there is none yet. */
struct grt_rules grt_rules_create(size_t most, int64_t order, struct grt_arena *arena);

/* Copies the rules of one into the room of another. */
void grt_rules_copy(struct grt_rules *to, const struct grt_rules *from);

/* ln phi of every rule, equations (1) and (2), into `fires`; returns the largest, -infinity where there is no rule. The logarithm, because the product of
 * twelve small numbers is soon 0. */
double grt_rules_fire(const struct grt_rules *rules, const double *x, double *fires);

/* Which rules fire so strongly beside the strongest that it counts, in ascending order, and phi_j / SUM phi of each; returns how many: 1 or more. What
 * does not count is below 10^-15 of the strongest. `fires` is what grt_rules_fire left, with `most`, which it returned. */
size_t grt_rules_strengths(const struct grt_rules *rules, const double *fires, double most, uint32_t *which,
                           double *strengths);

/* The consequent of a rule: w_j, or b_j + a_j x. What is outside of the training data's range counts as its border, so that a
 * line does not leave for where nobody has measured. */
double grt_rules_consequent(const struct grt_rules *rules, size_t rule, const double *x);

#endif
