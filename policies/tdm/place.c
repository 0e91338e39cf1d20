/* How many slots a job of a task is sure to get with a period of the server of GPU-TDMh, how long they are, and at which smaller period that changes.
 *
 * Source: V. Golyanik, M. Nasri, D. Stricker, "Towards Scheduling Hard Real-Time Image Processing Tasks on a Single GPU", ICIP 2017.
 * Implements: equations (1) and (2), with the deviations named in assignment.c.
 *
 * Why the counts are safe, where the activation k of the server begins at kT and its slots end by (k + 1) T: a job released in
 * [kT, (k + 1) T) may just have missed its turn in activation k. It has one in each of the activations k + 1, k + 2, ..., and those that end
 * before its deadline number at least floor(window / T) - 1; equation (1) is the same for a window that is one nanosecond shorter. Packed,
 * the n-th of its slots ends by (k + n) T plus the slots up to its own, and its turn in activation k was not before kT: n T + those <=
 * window suffices. In a table, its turn in activation k was at kT + offset, and the n-th slot ends at (k + n) T + offset + o_i: n T + o_i
 * <= window suffices. */
#include "policies/tdm/search.h"

int64_t tdm_window(const struct tdm_task *task) {
    int64_t end = task->deadline < task->period ? task->deadline : task->period;
    return end > task->jitter ? end - task->jitter : 0; /* below 0 the difference might overflow */
}

bool tdm_depends_on_place(const struct tdm_rule *rule) {
    return rule->count == TDM_COUNT_TIGHT && rule->slots == TDM_SLOTS_PACKED;
}

/* o_i for m_i slots a job: equation (2), in pieces that can be cut. `known`: the slot of another period. */
static int64_t slot_length(const struct tdm_task *task, int64_t count, const struct tdm_slot *known) {
    if (known->count == count) {
        return known->length;
    }
    int64_t budget = grt_steps_budget(task->steps, task->step_count, count);
    return budget < GRT_STEP_NEVER - task->overhead ? budget + task->overhead : GRT_STEP_NEVER;
}

/* window / period, by a guess, since a search downwards meets one more than before nearly always. */
static int64_t turns_of(int64_t window, int64_t period, int64_t guess) {
    int64_t least;
    bool good = !__builtin_mul_overflow(guess, period, &least) && least <= window && window - least < period;
    return good ? guess : window / period;
}

/* The largest period with which `count` slots of such a length end in time, after `before`; 0: there is none. */
static int64_t longest_period(int64_t window, int64_t before, int64_t count, int64_t length) {
    int64_t left = window - before;
    return left > length ? (left - length) / count : 0;
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* TDM_COUNT_TIGHT. With k = floor(window / T), m_i is k or k - 1: more do not fit, and if k - 1 do not, though there are such slots, then
 * those up to the task's own are longer than T, and the period is of no use. The slot of k - 1 is given all the same, for the load. So k
 * slots become k + 1 where these fit or, at the latest, where one more is the most. */
static void place_tightly(const struct tdm_task *task, int64_t period, int64_t before,
                          struct tdm_slot *slot) {
    int64_t window = tdm_window(task), most = turns_of(window, period, slot->count + 1);
    const struct tdm_slot known = *slot;
    slot->count = slot->length = 0;
    slot->change = window / (most + 1);
    if (most == 0) {
        return;
    }
    int64_t length = slot_length(task, most, &known), until = longest_period(window, before, most, length);
    if (until >= period) {
        int64_t next = slot_length(task, most + 1, &known);
        slot->count = most;
        slot->length = length;
        slot->change = larger(window / (most + 2), longest_period(window, before, most + 1, next));
        return;
    }
    slot->change = larger(slot->change, until);
    int64_t less = most > 1 ? slot_length(task, most - 1, &known) : GRT_STEP_NEVER;
    if (less != GRT_STEP_NEVER) {
        slot->count = most - 1;
        slot->length = less;
    }
}

void tdm_place(const struct tdm_task *task, const struct tdm_rule *rule, int64_t period, int64_t before,
               struct tdm_slot *slot) {
    if (rule->count == TDM_COUNT_TIGHT) {
        place_tightly(task, period, rule->slots == TDM_SLOTS_PACKED ? before : 0, slot);
        return;
    }
    int64_t window = tdm_window(task) - (rule->count == TDM_COUNT_PAPER);
    int64_t lost = rule->count != TDM_COUNT_UNSOUND; /* the turn that the job may just have missed */
    int64_t turns = turns_of(window, period, slot->count + lost + 1), count = turns - lost;
    int64_t length = count >= 1 ? slot_length(task, count, slot) : GRT_STEP_NEVER;
    slot->change = window / (turns + 1);
    slot->count = length == GRT_STEP_NEVER ? 0 : count;
    slot->length = length == GRT_STEP_NEVER ? 0 : length;
}
