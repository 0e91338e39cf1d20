#include "policies/shares/allocate.h"

#include "models/usage.h"
#include "sim/wide.h"

/* Equation (13): M[d] <= slack M[share] / remaining. The line falls, so that it is searched by halves. */
int64_t shares_needed(const struct shares_demand *demand) {
    if (demand->slack == GRT_TIME_NEVER) {
        return 1;
    }
    double longest = (double)demand->slack * (double)demand->times[demand->share] / demand->remaining;
    int64_t low = 1, high = SHARES_NEVER; /* what is below `low` is too little, `high` is not */
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if ((double)demand->times[middle] <= longest) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* A margin is worth less than the deadline: who does not fit with it gives it up. */
static int64_t needed_within(const struct shares_demand *demand, int64_t left) {
    int64_t needed = shares_needed(demand);
    if (needed <= left || demand->margin == 0) {
        return needed;
    }
    struct shares_demand late = *demand;
    late.slack += demand->margin;
    return shares_needed(&late);
}

/* Line 32: floor(R P_i / P). Returns what is left. */
static int64_t share_out(const struct shares_demand *demands, uint32_t count, int64_t left, int64_t *shares) {
    grt_wide sum = 0;
    int64_t rest = left;
    for (uint32_t i = 0; i < count; i++) {
        sum += demands[i].weight;
    }
    for (uint32_t i = 0; i < count; i++) {
        int64_t part = (int64_t)((grt_wide)(uint64_t)left * demands[i].weight / sum);
        shares[i] += part;
        rest -= part;
    }
    return rest;
}

/* ---- corrected ---- */

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* What one that cannot have what he needs can use. */
static int64_t wanted(const struct shares_demand *demand, int64_t needed) {
    return needed <= GRT_FULL_SHARE ? needed : demand->enough;
}

/* Each one that does not fit goes on as slowly as can be, which is how Yao et al. preempt; what is left then is for the highest of them. Returns what
 * nobody of them can use. */
static int64_t help_late(const struct shares_demand *demands, uint32_t count, int64_t left, int64_t *shares) {
    int64_t late = 0;
    for (uint32_t i = 0; i < count; i++) {
        late += shares[i] == 0;
    }
    for (uint32_t i = 0; i < count && left > 0; i++) {
        if (shares[i] == 0) { /* those behind it have one each, as far as that goes */
            int64_t most = left > late ? left - late + 1 : 1;
            shares[i] = smaller(most, wanted(&demands[i], shares_needed(&demands[i])));
            left -= shares[i];
            late--;
        }
    }
    return left;
}

static bool allocate_corrected(const struct shares_demand *demands, uint32_t count, int64_t *shares) {
    int64_t left = GRT_FULL_SHARE;
    bool all_fit = true;
    for (uint32_t i = 0; i < count; i++) {
        int64_t needed = needed_within(&demands[i], left);
        shares[i] = needed <= left ? needed : 0;
        left -= shares[i];
        all_fit &= shares[i] > 0;
    }
    if (!all_fit) {
        left = help_late(demands, count, left, shares);
    }
    if (left > 0 && count > 0) {
        int64_t rest = share_out(demands, count, left, shares);
        shares[0] += rest;
    }
    return all_fit;
}

/* ---- as printed ---- */

static bool allocate_printed(const struct shares_demand *demands, uint32_t count, bool line_25,
                             int64_t *shares) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        int64_t needed = shares_needed(&demands[i]);
        sum += needed;
        if (sum >= GRT_FULL_SHARE) { /* lines 15 and 18 to 23 */
            for (; i < count; i++) {
                shares[i] = 0;
            }
            return false;
        }
        shares[i] = line_25 ? 0 : needed;
    }
    if (count > 0) {
        share_out(demands, count, GRT_FULL_SHARE - sum, shares);
    }
    return true;
}

bool shares_allocate(const struct shares_demand *demands, uint32_t count, enum shares_variant variant,
                     int64_t *shares) {
    if (variant == SHARES_CORRECTED) {
        return allocate_corrected(demands, count, shares);
    }
    return allocate_printed(demands, count, variant == SHARES_LISTING, shares);
}
