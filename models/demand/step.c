#include "models/step.h"

/* Sums and products that stay GRT_STEP_NEVER, from about 146 years on. */
static int64_t sum_of(int64_t a, int64_t b) {
    return a < GRT_STEP_NEVER / 2 && b < GRT_STEP_NEVER / 2 ? a + b : GRT_STEP_NEVER;
}

static int64_t product_of(int64_t a, int64_t b) {
    int64_t product;
    bool small = !__builtin_mul_overflow(a, b, &product) && product < GRT_STEP_NEVER / 2;
    return small ? product : GRT_STEP_NEVER;
}

int64_t grt_step_time(const struct grt_step *step, int64_t units) {
    return sum_of(step->once, product_of(step->each, units));
}

/* How many units fit into what is left of a piece. */
static int64_t units_within(const struct grt_step *step, int64_t left) {
    return step->each == GRT_STEP_NEVER || left <= step->once ? 0 : (left - step->once) / step->each;
}

int64_t grt_steps_take(const struct grt_step *steps, size_t count, struct grt_step_cursor *cursor,
                       int64_t budget) {
    int64_t left = budget;
    for (bool first = true; cursor->step < count; first = false) {
        const struct grt_step *step = &steps[cursor->step];
        int64_t rest = step->units - cursor->unit;
        int64_t fit = !first && step->new_segment ? 0 : units_within(step, left);
        int64_t taken = fit < rest ? fit : rest;
        left -= taken > 0 ? grt_step_time(step, taken) : 0;
        cursor->unit += taken;
        if (taken < rest) {
            break;
        }
        cursor->step++;
        cursor->unit = 0;
    }
    return budget - left;
}

int64_t grt_steps_pieces(const struct grt_step *steps, size_t count, int64_t budget) {
    int64_t pieces = 0, left = 0;
    for (size_t i = 0; i < count; i++) {
        const struct grt_step *step = &steps[i];
        int64_t whole = units_within(step, budget);
        int64_t fit = step->new_segment ? 0 : units_within(step, left);
        int64_t rest = step->units - fit;
        if (rest <= 0) {
            left -= grt_step_time(step, step->units);
            continue;
        }
        if (whole == 0) {
            return GRT_STEP_NEVER;
        }
        int64_t more = (rest - 1) / whole + 1;
        pieces = sum_of(pieces, more);
        left = budget - grt_step_time(step, rest - (more - 1) * whole);
    }
    return pieces;
}

int64_t grt_steps_time(const struct grt_step *steps, size_t count) {
    int64_t time = 0;
    for (size_t i = 0; i < count; i++) {
        time = sum_of(time, grt_step_time(&steps[i], steps[i].units));
    }
    return time;
}

/* One step, as most tasks have: its units are dealt out evenly. */
static int64_t budget_of_one(const struct grt_step *step, int64_t pieces) {
    return grt_step_time(step, (step->units - 1) / pieces + 1);
}

int64_t grt_steps_budget(const struct grt_step *steps, size_t count, int64_t pieces) {
    if (count == 1) {
        return budget_of_one(steps, pieces);
    }
    int64_t enough = grt_steps_time(steps, count), too_little = 0;
    if (enough == GRT_STEP_NEVER || grt_steps_pieces(steps, count, enough) > pieces) {
        return GRT_STEP_NEVER;
    }
    while (enough - too_little > 1) {
        int64_t middle = too_little + (enough - too_little) / 2;
        if (grt_steps_pieces(steps, count, middle) <= pieces) {
            enough = middle;
        } else {
            too_little = middle;
        }
    }
    return enough;
}
