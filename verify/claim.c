#include "verify/claim.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const violation_names[] = {[GRT_VIOLATION_NONE] = "none",
                                              [GRT_VIOLATION_RESPONSE] = "response",
                                              [GRT_VIOLATION_DEADLINE] = "deadline",
                                              [GRT_VIOLATION_WITNESS] = "witness",
                                              [GRT_VIOLATION_AUDIT] = "audit"};

const char *const *const grt_violation_names = violation_names;

/* ---- what is claimed ---- */

/* The value by that name that an analysis says of the whole set. */
static grt_time missed_by(const struct grt_analysis_result *result) {
    for (size_t i = 0; i < result->value_count; i++) {
        const struct grt_analysis_value *value = &result->values[i];
        if (value->is_time && value->task == GRT_ANALYSIS_NO_TASK &&
            strcmp(value->name, "first_miss_by") == 0) {
            return value->time;
        }
    }
    return -1;
}

static void fill_claim(struct grt_claim *claim, const struct grt_analysis_set *set,
                       const struct grt_analysis_result *result, size_t task_count, struct grt_arena *arena) {
    claim->verdict = result->verdict;
    claim->unsound = result->verdict == GRT_VERDICT_SCHEDULABLE && result->unsound;
    claim->claimed = grt_analysis_only_claims(claim->analysis, result);
    claim->missed_by = missed_by(result);
    claim->reason = grt_arena_text(arena, result->reason);
    claim->failing =
        result->failing == GRT_ANALYSIS_NO_TASK ? GRT_ANALYSIS_NO_TASK : set->tasks[result->failing].number;
    claim->bounds = grt_arena_array(arena, task_count, sizeof *claim->bounds);
    claim->covers = grt_arena_array(arena, task_count, sizeof *claim->covers);
    bool has_witness = result->verdict == GRT_VERDICT_UNSCHEDULABLE && result->has_witness;
    claim->witness = has_witness ? grt_arena_array(arena, task_count, sizeof *claim->witness) : NULL;
    for (size_t i = 0; i < task_count; i++) {
        claim->bounds[i] = GRT_ANALYSIS_NEVER;
        if (has_witness) {
            claim->witness[i] = GRT_ANALYSIS_NEVER;
        }
    }
    for (size_t i = 0; i < set->count; i++) {
        uint32_t number = set->tasks[i].number;
        claim->covers[number] = true;
        claim->bounds[number] = claim->analysis->bounds && result->verdict == GRT_VERDICT_SCHEDULABLE
                                    ? result->response[i]
                                    : GRT_ANALYSIS_NEVER;
        if (has_witness) {
            claim->witness[number] = result->first_release[i];
        }
    }
}

/* Claims that are being made. */
struct making {
    struct grt_claims claims;
    size_t task_count;
    struct grt_arena *arena;
};

static void make_claim(void *context, const struct grt_analysis_ops *ops, const struct grt_analysis_set *set,
                       const struct grt_analysis_result *result) {
    struct making *making = context;
    struct grt_claim *claim = &making->claims.items[making->claims.count++];
    claim->analysis = ops;
    claim->gpu = set->gpu;
    fill_claim(claim, set, result, making->task_count, making->arena);
}

struct grt_claims grt_claims_make(const struct grt_analyses_subject *subject,
                                  const struct grt_analyses_choice *choice, struct grt_arena *arena) {
    struct making making = {.task_count = subject->scenario->task_count, .arena = arena};
    const struct grt_analyses_visitor visitor = {.context = &making, .found = make_claim};
    size_t most = 0;
    while (choice->analyses[most] != NULL) {
        most++;
    }
    making.claims.items =
        grt_arena_array(arena, most * (subject->scenario->gpu_count + 1), sizeof *making.claims.items);
    grt_analyses_run(subject, choice, &visitor, arena);
    return making.claims;
}

/* ---- what contradicts it ---- */

static void describe(struct grt_violation *violation, const struct grt_claim *claim, const char *name,
                     grt_time deadline, bool ended) {
    char first[GRT_TIME_TEXT_SIZE], second[GRT_TIME_TEXT_SIZE];
    if (violation->kind == GRT_VIOLATION_RESPONSE) {
        snprintf(violation->text, sizeof violation->text,
                 "job %" PRIu64 " of %s took %s from its arrival to %s, more than the bound %s of %s",
                 violation->job, name, grt_time_text(violation->response, first),
                 ended ? "its end" : "the end of the run", grt_time_text(violation->bound, second),
                 claim->analysis->name);
    } else {
        snprintf(violation->text, sizeof violation->text,
                 "job %" PRIu64 " of %s missed its deadline of %s, although %s calls the tasks schedulable",
                 violation->job, name, grt_time_text(deadline, first), claim->analysis->name);
    }
}

static bool task_breaks(const struct grt_claim *claim, uint32_t place, const struct grt_seen_task *seen,
                        enum grt_violation_kind kind) {
    if (!claim->covers[place]) {
        return false;
    }
    return kind == GRT_VIOLATION_RESPONSE ? seen->response > claim->bounds[place] : seen->missed > 0;
}

bool grt_claim_is_broken(const struct grt_claim *claim, const struct grt_seen *seen,
                         const struct grt_played *played, struct grt_violation *violation) {
    static const enum grt_violation_kind kinds[] = {GRT_VIOLATION_RESPONSE, GRT_VIOLATION_DEADLINE};
    if (claim->verdict != GRT_VERDICT_SCHEDULABLE) {
        return false;
    }
    for (size_t i = 0; i < 2; i++) {
        for (uint32_t place = 0; place < played->scenario.task_count; place++) {
            const struct grt_task *task = &played->tasks[place];
            const struct grt_seen_task *of_task = &seen->tasks[played->numbers[place]];
            if (task_breaks(claim, place, of_task, kinds[i])) {
                bool response = kinds[i] == GRT_VIOLATION_RESPONSE;
                *violation = (struct grt_violation){.kind = kinds[i],
                                                    .analysis = claim->analysis,
                                                    .gpu = claim->gpu,
                                                    .task = played->numbers[place],
                                                    .job = response ? of_task->job : of_task->missing_job,
                                                    .time = response ? of_task->end : of_task->missing_end,
                                                    .bound = response ? claim->bounds[place] : -1,
                                                    .response = response ? of_task->response : -1};
                describe(violation, claim, task->name, task->deadline, of_task->ended);
                return true;
            }
        }
    }
    return false;
}

bool grt_audit_is_broken(const struct grt_seen *seen, const struct grt_scenario *scenario,
                         struct grt_violation *violation) {
    if (seen->finding_count == 0) {
        return false;
    }
    const struct grt_audit_finding *finding = &seen->finding;
    char time[GRT_TIME_TEXT_SIZE];
    *violation = (struct grt_violation){.kind = GRT_VIOLATION_AUDIT,
                                        .rule = finding->rule,
                                        .task = finding->task,
                                        .job = finding->job,
                                        .time = finding->time,
                                        .bound = -1,
                                        .response = -1};
    snprintf(violation->text, sizeof violation->text, "at %s%s%s: %s (%s)",
             grt_time_text(finding->time, time), finding->task != GRT_ANALYSIS_NO_TASK ? ", " : "",
             finding->task != GRT_ANALYSIS_NO_TASK ? scenario->tasks[finding->task].name : "", finding->text,
             finding->rule);
    return true;
}

bool grt_violation_is_same(const struct grt_violation *a, const struct grt_violation *b) {
    if (a->kind != b->kind || a->analysis != b->analysis || a->gpu != b->gpu) {
        return false;
    }
    return a->rule == NULL || b->rule == NULL ? a->rule == b->rule : strcmp(a->rule, b->rule) == 0;
}
