/* The slots of a given period of the server of GPU-TDMh, and how long a job takes with them.
 *
 * Source: V. Golyanik, M. Nasri, D. Stricker, "Towards Scheduling Hard Real-Time Image Processing Tasks on a Single GPU", ICIP 2017.
 * Implements: equations (1) to (4), in whole nanoseconds.
 * Assumes: at most one job of a task at a time (the window ends where the next job may arrive); slots end within the period (checked: the
 *   load is at most 1); longest times are known (checked).
 * Deviates:
 *   1. The window is min(D_i, T_i) - J_i, not T_i: the paper says that jitter does no harm, but a job that is released late has less time.
 *   2. TDM_COUNT_SOUND counts floor(window / T) - 1 slots, which is one more than (1) where T divides the window; TDM_COUNT_TIGHT counts
 *      what the place in the period allows. The proofs are at tdm_place.
 *   3. o_i is the least budget in which m_i pieces do the work, plus delta_i: kernels split between blocks, copies not at all, so that
 *      C_i / m_i (2) may be too little. */
#include "policies/tdm/assignment.h"

#include <stdarg.h>
#include <stdio.h>

#include "policies/tdm/search.h"

/* Sums of times of many tasks. */
__extension__ typedef __int128 wide;

static int64_t sum_of(int64_t a, int64_t b) {
    return a > GRT_STEP_NEVER - b ? GRT_STEP_NEVER : a + b;
}

bool tdm_try(const struct tdm_search *search, int64_t period) {
    struct tdm_assignment *assignment = search->assignment;
    int64_t sum = 0;
    assignment->period = period;
    assignment->failing = UINT32_MAX;
    for (size_t i = 0; i < search->count; i++) {
        struct tdm_slot *slot = &search->slots[i];
        tdm_place(&search->tasks[i], search->rule, period, sum, slot);
        slot->offset = sum;
        assignment->steps += (int64_t)search->tasks[i].step_count;
        if (slot->count == 0) {
            assignment->failing = (uint32_t)i;
            return false;
        }
        sum = sum_of(sum, slot->length);
    }
    assignment->budget = sum;
    assignment->load = (double)sum / (double)period;
    return sum <= period;
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
    struct tdm_search search = {tasks, count, rule, slots, assignment};
    *assignment = (struct tdm_assignment){.failing = UINT32_MAX};
    if (period <= 0) {
        return tdm_refuse(assignment, "T = %.9g ms is no period", TDM_MS(period));
    }
    if (has_sense(&search)) {
        assignment->feasible = tdm_try(&search, period) || tdm_refuse_tried(&search);
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
    struct tdm_search search = {tasks, count, rule, slots, assignment};
    *assignment = (struct tdm_assignment){.failing = UINT32_MAX};
    assignment->feasible = has_sense(&search) && methods[rule->method](&search);
    return assignment->feasible;
}

/* With n slots needed, the proof is at tdm_place (place.c): between the turn that was just missed and the end of the n-th turn from there lie n periods
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
    wide end = (wide)pieces * period + last;
    return end < GRT_STEP_NEVER ? (int64_t)end : GRT_STEP_NEVER;
}
