#include "models/learning/situation.h"

#include <math.h>

#include "sim/elementary.h"

enum { MOST_TASKS = GRT_MAX_TASKS };

/* A task's kernels stand together in the list. */
struct group {
    size_t first, count;
};

/* The groups of the other tasks. */
static size_t find_groups(const struct grt_learner *learner, struct group *groups) {
    const struct grt_application_list *all = learner->all;
    uint32_t own = grt_learner_application(learner)->task;
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].task == own) {
            continue;
        }
        if (i > 0 && all->items[i - 1].task == all->items[i].task) {
            groups[count - 1].count++;
        } else {
            groups[count++] = (struct group){i, 1};
        }
    }
    return count;
}

/* Cuts 100 into pieces of 1 or more: all sets of places are as likely. */
static void cut(struct grt_random *random, int64_t *pieces, size_t count) {
    bool is_cut[GRT_FULL_SHARE] = {false};
    for (size_t cuts = 0; cuts + 1 < count;) {
        size_t place = 1 + (size_t)grt_random_below(random, GRT_FULL_SHARE - 1);
        cuts += is_cut[place] ? 0 : 1;
        is_cut[place] = true;
    }
    size_t piece = 0;
    pieces[0] = 1;
    for (size_t place = 1; place < GRT_FULL_SHARE; place++) {
        if (is_cut[place]) {
            pieces[++piece] = 0;
        }
        pieces[piece]++;
    }
}

struct grt_situation grt_situation_draw(const struct grt_learner *learner, struct grt_random *random) {
    struct group groups[MOST_TASKS];
    struct grt_situation situation;
    int64_t pieces[GRT_SITUATION_MOST + 1];
    size_t tasks = find_groups(learner, groups), most = GRT_SITUATION_MOST - 1;
    size_t others = (size_t)grt_random_below(random, (tasks < most ? tasks : most) + 1);
    situation.count = others + 1;
    situation.measured = (size_t)grt_random_below(random, situation.count);
    for (size_t i = 0; i < others; i++) { /* the first ones of a shuffle */
        size_t other = i + (size_t)grt_random_below(random, tasks - i);
        struct group chosen = groups[other];
        groups[other] = groups[i];
        size_t kernel = chosen.first + (size_t)grt_random_below(random, chosen.count);
        situation.running[i < situation.measured ? i : i + 1] = &learner->all->items[kernel];
    }
    situation.running[situation.measured] = grt_learner_application(learner);
    cut(random, pieces, situation.count + (size_t)grt_random_below(random, 2));
    for (size_t i = 0; i < situation.count; i++) {
        situation.shares[i] = pieces[i];
    }
    return situation;
}

/* G. Marsaglia and T. A. Bray, "A Convenient Method for Generating Normal Variables", SIAM Review 6(3), 1964: with no function but the logarithm and
 * the root, which are the same everywhere. */
double grt_noise_draw(struct grt_random *random, double deviation) {
    for (;;) {
        double u = 2 * grt_random_uniform(random) - 1, v = 2 * grt_random_uniform(random) - 1;
        double square = u * u + v * v;
        if (square > 0 && square < 1) {
            double normal = u * sqrt(-2 * grt_elementary_log(square) / square);
            if (normal > -4 && normal < 4) {
                return 1 + deviation * normal;
            }
        }
    }
}
