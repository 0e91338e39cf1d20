#include "tests/support/tdm_sets.h"

#include "scenarios/generate/utilisation.h"
#include "tests/support/pick.h"

struct tdm_task *grt_tdm_add(struct grt_tdm_set *set, int64_t period, int64_t work, int64_t overhead) {
    struct grt_step *step = set->steps[set->count];
    struct tdm_task *task = &set->tasks[set->count++];
    *step = (struct grt_step){.each = 1, .units = work, .new_segment = true};
    *task = (struct tdm_task){
        .period = period, .deadline = period, .overhead = overhead, .steps = step, .step_count = 1};
    return task;
}

void grt_tdm_random(struct grt_tdm_set *set, struct grt_random *random, size_t count, double utilisation,
                    int64_t overhead) {
    const int64_t ms = 1000000;
    double shares[GRT_TDM_MOST];
    grt_uunifast(random, shares, count, utilisation);
    set->count = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t period = grt_pick(random, 100 * ms, 100000 * ms);
        int64_t work = (int64_t)(shares[i] * (double)period);
        grt_tdm_add(set, period, work > 1 ? work : 1, grt_pick(random, 0, overhead));
    }
}

static void make_steps(struct grt_tdm_set *set, size_t index, struct grt_random *random) {
    struct tdm_task *task = &set->tasks[index];
    task->step_count = (size_t)(grt_pick(random, 0, 2) == 0 ? grt_pick(random, 2, GRT_TDM_STEPS) : 1);
    for (size_t i = 0; i < task->step_count; i++) {
        struct grt_step *step = &set->steps[index][i];
        bool whole = grt_pick(random, 0, 3) == 0;
        *step = (struct grt_step){.once = grt_pick(random, 0, 1) * grt_pick(random, 0, 2),
                                  .each = whole ? grt_pick(random, 1, 6) : grt_pick(random, 1, 2),
                                  .units = whole ? 1 : grt_pick(random, 1, 8),
                                  .new_segment = i == 0 || grt_pick(random, 0, 3) == 0};
        step->blocks = step->each > 1;
    }
}

void grt_tdm_small(struct grt_tdm_set *set, struct grt_random *random) {
    set->count = 0;
    size_t count = (size_t)grt_pick(random, 1, 4);
    for (size_t i = 0; i < count; i++) {
        int64_t period = grt_pick(random, 10, 90);
        struct tdm_task *task = grt_tdm_add(set, period, 1, grt_pick(random, 0, 1) * grt_pick(random, 0, 3));
        task->deadline = grt_pick(random, 0, 1) ? period : grt_pick(random, 5, 2 * period);
        task->jitter = grt_pick(random, 0, 2) == 0 ? grt_pick(random, 0, period / 4) : 0;
        make_steps(set, i, random);
    }
}

int64_t grt_tdm_take(const struct tdm_task *task, struct grt_step_cursor *cursor, int64_t length) {
    int64_t used = task->overhead;
    bool launched = false, first = true;
    while (cursor->step < task->step_count) {
        const struct grt_step *step = &task->steps[cursor->step];
        int64_t cost = step->each + (launched ? 0 : step->once);
        if ((step->new_segment && cursor->unit == 0 && !first) || used + cost > length) {
            break;
        }
        used += cost;
        launched = true;
        first = false;
        if (++cursor->unit == step->units) {
            *cursor = (struct grt_step_cursor){.step = cursor->step + 1};
            launched = false;
        }
    }
    return used;
}

int64_t grt_tdm_pieces(const struct tdm_task *task, int64_t length) {
    struct grt_step_cursor cursor = {0};
    int64_t pieces = 0;
    while (cursor.step < task->step_count) {
        struct grt_step_cursor before = cursor;
        grt_tdm_take(task, &cursor, length);
        if (before.step == cursor.step && before.unit == cursor.unit) {
            return 0;
        }
        pieces++;
    }
    return pieces;
}
