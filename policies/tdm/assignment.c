/* The slots of a given period of the server of GPU-TDMh, and how long a job takes with them.
 *
 * Source: V. Golyanik, M. Nasri, D. Stricker, "Towards Scheduling Hard Real-Time Image Processing Tasks on a Single GPU", ICIP 2017.
 * Implements: equations (1) to (4), in whole nanoseconds.
 * Assumes: at most one job of a task at a time (the window ends where the next job may arrive); slots end within the period (checked: the
 *   load is at most 1); longest times are known (checked).
 * Deviates:
 *   1. The window is min(D_i, T_i) - J_i, not T_i: the paper says that jitter does no harm, but a job that is released late has less time.
 *   2. TDM_COUNT_SOUND counts floor(window / T) - 1 slots, which is one more than (1) where T divides the window; TDM_COUNT_TIGHT counts
 *      what the place in the period allows. The proofs are at `place`.
 *   3. o_i is the least budget in which m_i pieces do the work, plus delta_i: kernels split between blocks, copies not at all, so that
 *      C_i / m_i (2) may be too little. */
#include "policies/tdm/assignment.h"

#include <stdarg.h>
#include <stdio.h>

#include "policies/tdm/search.h"

/* Sums of times of many tasks. */
__extension__ typedef __int128 wide;

static int64_t clamped(wide time) {
    return time < GRT_STEP_NEVER ? (int64_t)time : GRT_STEP_NEVER;
}

int64_t tdm_window(const struct tdm_task *task) {
    int64_t end = task->deadline < task->period ? task->deadline : task->period;
    return end > task->jitter ? end - task->jitter : 0; /* below 0 the difference might overflow */
}

/* o_i for m_i slots a job: equation (2), in pieces that can be cut. `known`: the slot of another period. */
static int64_t slot_length(const struct tdm_task *task, int64_t count, const struct tdm_slot *known) {
    if (known->count == count) {
        return known->length;
    }
    int64_t budget = grt_steps_budget(task->steps, task->step_count, count);
    return budget == GRT_STEP_NEVER ? budget : clamped((wide)budget + task->overhead);
}

static void keep_largest(int64_t *largest, int64_t value) {
    *largest = value > *largest ? value : *largest;
}

/* TDM_COUNT_TIGHT. With k = floor(window / T), m_i is k or k - 1: more do not fit, and if k - 1 do not, though there are such slots, then
 * those up to the task's own are longer than T, and the period is of no use. The slot of k - 1 is given all the same, for the load. */
static void place_tightly(const struct tdm_task *task, int64_t period, int64_t before, int64_t most,
                          struct tdm_slot *slot) {
    int64_t window = tdm_window(task);
    struct tdm_slot known = *slot;
    slot->count = slot->length = 0;
    for (int64_t count = most; count >= 1 && count >= most - 1; count--) {
        int64_t length = slot_length(task, count, &known);
        if (length == GRT_STEP_NEVER) {
            break; /* fewer cannot do it either */
        }
        wide left = (wide)window - before - length;
        if (count < most || (wide)count * period <= left) {
            slot->count = count;
            slot->length = length;
        }
        if ((wide)count * period <= left) {
            break;
        }
        if (left > slot->change) {
            keep_largest(&slot->change, (int64_t)left / count);
        }
    }
}

/* window / period, by a guess, since a search downwards meets one more than before nearly always. */
static int64_t turns_of(int64_t window, int64_t period, int64_t guess) {
    wide least = (wide)guess * period;
    return least <= window && window < least + period ? guess : window / period;
}

/* A task's count and length at a period, after slots of `before` ns; the count is 0 where it has none; and the next smaller period at which they change.
 *
 * Why the counts are safe, where the activation k of the server begins at kT and its slots end by (k + 1) T: a job released in
 * [kT, (k + 1) T) may just have missed its turn in activation k. It has one in each of the activations k + 1, k + 2, ..., and those that end
 * before its deadline number at least floor(window / T) - 1; equation (1) is the same for a window that is one nanosecond shorter. Packed,
 * the n-th of its slots ends by (k + n) T plus the slots up to its own, and its turn in activation k was not before kT: n T + those <=
 * window suffices. In a table, its turn in activation k was at kT + offset, and the n-th slot ends at (k + n) T + offset + o_i: n T + o_i
 * <= window suffices. */
static void place(const struct tdm_task *task, const struct tdm_rule *rule, int64_t period, int64_t before,
                  struct tdm_slot *slot) {
    int64_t window = tdm_window(task) - (rule->count == TDM_COUNT_PAPER);
    if (rule->count == TDM_COUNT_TIGHT) {
        int64_t most = window / period;
        slot->change = window / (most + 1);
        place_tightly(task, period, rule->slots == TDM_SLOTS_PACKED ? before : 0, most, slot);
        return;
    }
    int64_t lost = rule->count != TDM_COUNT_UNSOUND; /* the turn that the job may just have missed */
    int64_t turns = turns_of(window, period, slot->count + lost + 1), count = turns - lost;
    int64_t length = count >= 1 ? slot_length(task, count, slot) : GRT_STEP_NEVER;
    slot->change = window / (turns + 1);
    slot->count = length == GRT_STEP_NEVER ? 0 : count;
    slot->length = length == GRT_STEP_NEVER ? 0 : length;
}

/* Whether counts depend on the slots before. */
static bool depends_on_place(const struct tdm_rule *rule) {
    return rule->count == TDM_COUNT_TIGHT && rule->slots == TDM_SLOTS_PACKED;
}

static int64_t sum_of(int64_t a, int64_t b) {
    return a > GRT_STEP_NEVER - b ? GRT_STEP_NEVER : a + b;
}

bool tdm_try(const struct tdm_search *search, int64_t period, int64_t *next) {
    struct tdm_assignment *assignment = search->assignment;
    struct tdm_slot *slots = search->slots;
    bool placed = depends_on_place(search->rule), whole = next == NULL;
    int64_t most =
        whole || search->most_load >= 1.0 ? period : (int64_t)((double)period * search->most_load) + 1;
    int64_t sum = 0, largest = 0, steps = 0;
    assignment->period = period;
    assignment->failing = UINT32_MAX;
    for (size_t i = 0; i < search->count && (whole || sum <= most); i++) {
        bool known = !whole && search->downwards && slots[i].change < period;
        if (!known || (placed && slots[i].offset != sum)) {
            place(&search->tasks[i], search->rule, period, sum, &slots[i]);
        }
        largest = slots[i].change > largest ? slots[i].change : largest;
        slots[i].offset = sum;
        steps += (int64_t)search->tasks[i].step_count;
        if (slots[i].count == 0) {
            assignment->failing = (uint32_t)i;
            break;
        }
        sum = sum_of(sum, slots[i].length);
    }
    assignment->steps += steps;
    if (next != NULL) {
        *next = largest;
    }
    if (assignment->failing != UINT32_MAX) {
        return false;
    }
    assignment->budget = sum;
    assignment->load = (double)sum / (double)period;
    return sum <= most && sum <= period; /* `most` is rounded up */
}

struct tdm_demand tdm_demand_of(const struct tdm_search *search) {
    bool one_less = search->rule->count == TDM_COUNT_PAPER ||
                    search->rule->count == TDM_COUNT_SOUND; /* than window / T */
    struct tdm_demand demand = {.shortest = INT64_MAX};
    for (size_t i = 0; i < search->count; i++) {
        int64_t window = tdm_window(&search->tasks[i]);
        demand.shortest = window < demand.shortest ? window : demand.shortest;
    }
    for (size_t i = 0; i < search->count; i++) {
        const struct tdm_task *task = &search->tasks[i];
        int64_t once = task->step_count == 1 ? task->steps[0].once : 0;
        double window = (double)tdm_window(task), relative = (double)demand.shortest / window;
        double utilisation = (double)(grt_steps_time(task->steps, task->step_count) - once) / window;
        demand.utilisation += utilisation;
        demand.slope +=
            one_less ? utilisation / window : 0.0; /* 1 / (window / T - 1) >= (1 + T / window) T / window */
        demand.square += utilisation * relative * relative;
        demand.overhead += (double)task->overhead + (double)once;
    }
    return demand;
}

bool tdm_refuse(struct tdm_assignment *assignment, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(assignment->reason, sizeof assignment->reason, format, arguments);
    va_end(arguments);
    return false;
}

/* How messages name a task. */
static const char *name_of(const struct tdm_search *search, size_t task, char text[32]) {
    snprintf(text, 32, "%zu", task);
    return search->tasks[task].name != NULL ? search->tasks[task].name : text;
}

bool tdm_refuse_tried(const struct tdm_search *search) {
    struct tdm_assignment *assignment = search->assignment;
    double period = TDM_MS(assignment->period);
    char number[32];
    if (assignment->failing == UINT32_MAX) {
        return tdm_refuse(assignment, "with T = %.9g ms the slots take %.9g ms", period,
                          TDM_MS(assignment->budget));
    }
    const struct tdm_task *task = &search->tasks[assignment->failing];
    return tdm_refuse(
        assignment,
        "with T = %.9g ms a job of task %s is not sure of enough slots within its window of %.9g ms", period,
        name_of(search, assignment->failing, number), TDM_MS(tdm_window(task)));
}

/* What no period can mend. */
static bool has_sense(const struct tdm_search *search) {
    char number[32];
    for (size_t i = 0; i < search->count; i++) {
        const struct tdm_task *task = &search->tasks[i];
        search->slots[i] = (struct tdm_slot){0};
        search->assignment->failing = (uint32_t)i;
        if (tdm_window(task) <= 0) {
            return tdm_refuse(search->assignment,
                              "a job of task %s has no time between its latest release and its deadline",
                              name_of(search, i, number));
        }
        int64_t time = grt_steps_time(task->steps, task->step_count);
        if (time == 0 || time == GRT_STEP_NEVER) {
            return tdm_refuse(search->assignment, "task %s has no %s", name_of(search, i, number),
                              time == 0 ? "work" : "known longest time");
        }
    }
    search->assignment->failing = UINT32_MAX;
    return true;
}

bool tdm_evaluate(const struct tdm_task *tasks, size_t count, const struct tdm_rule *rule, int64_t period,
                  struct tdm_slot *slots, struct tdm_assignment *assignment) {
    struct tdm_search search = {tasks, count, rule, slots, assignment, false, 1.0};
    *assignment = (struct tdm_assignment){.failing = UINT32_MAX};
    if (period <= 0) {
        return tdm_refuse(assignment, "T = %.9g ms is no period", TDM_MS(period));
    }
    if (has_sense(&search)) {
        assignment->feasible = tdm_try(&search, period, NULL) || tdm_refuse_tried(&search);
    }
    return assignment->feasible;
}

bool tdm_assign(const struct tdm_task *tasks, size_t count, const struct tdm_rule *rule,
                struct tdm_slot *slots, struct tdm_assignment *assignment) {
    static bool (*const methods[])(const struct tdm_search *search) = {
        [TDM_CUBIC] = tdm_cubic, [TDM_PAPER] = tdm_paper, [TDM_EXACT] = tdm_exact};
    if (rule->method == TDM_FIXED) {
        return tdm_evaluate(tasks, count, rule, rule->period, slots, assignment);
    }
    struct tdm_search search = {tasks, count, rule, slots, assignment, false, 1.0};
    *assignment = (struct tdm_assignment){.failing = UINT32_MAX};
    assignment->feasible = has_sense(&search) && methods[rule->method](&search);
    return assignment->feasible;
}

/* With n slots needed, the proof is at `place`: between the turn that was just missed and the end of the n-th turn from there lie n periods
 * and, packed, the slots up to the task's own, since the turn missed may have been at the very start of its activation; in a table its own. */
int64_t tdm_response(const struct tdm_task *tasks, uint32_t task, const struct tdm_rule *rule,
                     const struct tdm_slot *slots, int64_t period) {
    const struct tdm_slot *slot = &slots[task];
    int64_t pieces =
        grt_steps_pieces(tasks[task].steps, tasks[task].step_count, slot->length - tasks[task].overhead);
    if (pieces == GRT_STEP_NEVER) {
        return GRT_STEP_NEVER;
    }
    wide last = (rule->slots == TDM_SLOTS_PACKED ? (wide)slot->offset : 0) + slot->length;
    return clamped((wide)pieces * period + last);
}
