#include <math.h>
#include <string.h>

#include "models/task/evidence.h"
#include "policies/analyses/registry.h"
#include "study/evaluate/evaluate.h"

static const char *const measures[] = {"response_ratio", "steps", NULL};
static const char *const of_task[] = {NULL};
static const char *const usual[] = {"response_ratio", NULL};

/* What the analyses of the tasks of one GPU, or of the platform, say. */
struct verdicts {
    bool is_platform, schedulable, unschedulable, unknown;
    double ratio; /* the least of those that prove it; not a number: none bounds all its tasks */
};

/* While they are run. */
struct analysing {
    const struct grt_asked *asked;
    struct grt_found *found;
    struct verdicts *sets; /* of each set */
    size_t count;
    double steps;
    /* of each verdict: the first with a reason, */
    const struct grt_analysis_ops *reasoner[GRT_VERDICT_UNKNOWN + 1];
    const char *reasons[GRT_VERDICT_UNKNOWN + 1]; /* and this */
};

static void begin(void *context, const struct grt_analysis_set *set, size_t count) {
    struct analysing *analysing = context;
    (void)count;
    analysing->sets[analysing->count++] =
        (struct verdicts){.is_platform = set->gpu == GRT_ANALYSIS_ALL_GPUS, .ratio = (double)NAN};
}

/* The largest bound over its deadline; none, where a task with a deadline has no bound: it may be the largest. Bounds count from arrivals, so that they do
 * not compare with deadlines that count from late releases. */
static double largest_ratio(const struct grt_analysis_set *set, const struct grt_analysis_result *result) {
    double largest = (double)NAN;
    for (size_t i = 0; i < set->count; i++) {
        const struct grt_analysis_task *task = &set->tasks[i];
        bool other_origin = task->deadline_from_release && task->jitter > 0;
        if (task->deadline == GRT_ANALYSIS_NEVER) {
            continue;
        }
        if (other_origin || result->response[i] == GRT_ANALYSIS_NEVER) {
            return (double)NAN;
        }
        double ratio = (double)result->response[i] / (double)task->deadline;
        largest = ratio <= largest ? largest : ratio;
    }
    return largest;
}

static void take_values(const struct analysing *analysing, const struct grt_analysis_set *set,
                        const struct grt_analysis_result *result) {
    for (size_t i = 0; i < result->value_count; i++) {
        const struct grt_analysis_value *value = &result->values[i];
        const char *task = value->task != GRT_ANALYSIS_NO_TASK ? set->tasks[value->task].name : NULL;
        double time = value->time == GRT_ANALYSIS_NEVER ? (double)NAN : (double)value->time;
        grt_found_put(analysing->asked, analysing->found, value->name, task,
                      value->is_time ? time : value->number);
    }
}

static void take(void *context, const struct grt_analysis_ops *ops, const struct grt_analysis_set *set,
                 const struct grt_analysis_result *result) {
    struct analysing *analysing = context;
    struct verdicts *verdicts = &analysing->sets[analysing->count - 1];
    bool claims = grt_analysis_only_claims(ops, result);
    enum grt_verdict verdict = claims ? GRT_VERDICT_UNKNOWN : result->verdict;
    verdicts->unschedulable |= verdict == GRT_VERDICT_UNSCHEDULABLE;
    verdicts->unknown |= verdict == GRT_VERDICT_UNKNOWN;
    if (result->verdict == GRT_VERDICT_SCHEDULABLE) {
        double ratio = ops->bounds ? largest_ratio(set, result) : (double)NAN;
        verdicts->ratio = ratio >= verdicts->ratio ? verdicts->ratio : isnan(ratio) ? verdicts->ratio : ratio;
        verdicts->schedulable = true;
    }
    if (result->verdict != GRT_VERDICT_INAPPLICABLE) {
        analysing->steps += (double)result->steps;
        take_values(analysing, set, result);
    }
    if (analysing->reasoner[verdict] == NULL && result->reason[0] != '\0') {
        analysing->reasoner[verdict] = ops;
        analysing->reasons[verdict] = grt_arena_text(analysing->asked->arena, result->reason);
    }
}

/* ---- what it comes to ---- */

static enum grt_outcome outcome_of(const struct analysing *analysing) {
    size_t gpus = 0, schedulable = 0;
    bool platform = false, applies = false;
    for (size_t i = 0; i < analysing->count; i++) {
        const struct verdicts *set = &analysing->sets[i];
        if (set->unschedulable) {
            return GRT_OUTCOME_NO;
        }
        gpus += !set->is_platform;
        schedulable += !set->is_platform && set->schedulable;
        platform |= set->is_platform && set->schedulable;
        applies |= set->schedulable || set->unknown;
    }
    if (platform || (gpus > 0 && schedulable == gpus)) {
        return GRT_OUTCOME_YES;
    }
    return applies ? GRT_OUTCOME_UNKNOWN : GRT_OUTCOME_INAPPLICABLE;
}

/* Of a set that is schedulable: of the platform, or the largest of the GPUs, all of which need one, whichever is the lower proof. */
static double ratio_of(const struct analysing *analysing) {
    double gpus = (double)NAN, platform = (double)NAN;
    bool all = true;
    for (size_t i = 0; i < analysing->count; i++) {
        const struct verdicts *set = &analysing->sets[i];
        if (set->is_platform) {
            platform = set->ratio;
        } else {
            all &= set->schedulable && !isnan(set->ratio);
            gpus = set->ratio <= gpus || isnan(set->ratio) ? gpus : set->ratio;
        }
    }
    return !all || isnan(gpus) || platform < gpus ? platform : gpus;
}

/* What is proven under a worst case that rests on no model is not proven. */
static bool rests_on_no_model(const struct grt_scenario *scenario) {
    struct grt_unfounded one;
    for (size_t i = 0; i < scenario->task_count; i++) {
        if (grt_task_unfounded(&scenario->tasks[i], &one, 1) > 0) {
            return true;
        }
    }
    return false;
}

static void say(const struct analysing *analysing, enum grt_outcome outcome) {
    static const enum grt_verdict verdicts[GRT_OUTCOMES] = {
        [GRT_OUTCOME_NO] = GRT_VERDICT_UNSCHEDULABLE,
        [GRT_OUTCOME_UNKNOWN] = GRT_VERDICT_UNKNOWN,
        [GRT_OUTCOME_INAPPLICABLE] = GRT_VERDICT_INAPPLICABLE,
    };
    enum grt_verdict verdict = verdicts[outcome];
    if (outcome == GRT_OUTCOME_YES) {
        grt_found_say(analysing->found, outcome, "%s", "");
    } else if (analysing->reasoner[verdict] != NULL) {
        grt_found_say(analysing->found, outcome, "%s: %s", analysing->reasoner[verdict]->name,
                      analysing->reasons[verdict]);
    } else if (outcome == GRT_OUTCOME_INAPPLICABLE) {
        grt_found_say(analysing->found, outcome, "no analysis that is asked speaks of policy %s",
                      analysing->asked->policy->name);
    } else {
        grt_found_say(analysing->found, outcome, "no analysis proves it");
    }
}

static void evaluate(const struct grt_asked *asked, struct grt_found *found) {
    const struct grt_evaluation *evaluation = asked->evaluation;
    const struct grt_analyses_subject subject = {asked->scenario, asked->policy, asked->parameters};
    const struct grt_analyses_choice choice = {
        .analyses = evaluation->analyses != NULL ? evaluation->analyses
                                                 : grt_analyses_for(asked->policy, asked->arena),
        .whatever_policy = evaluation->analyses != NULL && grt_analysis_is_of_none(evaluation->analyses[0]),
        .settings = &evaluation->settings,
    };
    struct analysing analysing = {.asked = asked, .found = found};
    analysing.sets = grt_arena_array(asked->arena, asked->scenario->gpu_count + 1, sizeof *analysing.sets);
    const struct grt_analyses_visitor visitor = {&analysing, begin, take};
    grt_analyses_run_kept(&subject, &choice, &visitor, asked->arena, asked->kept);
    enum grt_outcome outcome = outcome_of(&analysing);
    bool is_proof = outcome == GRT_OUTCOME_YES || outcome == GRT_OUTCOME_NO;
    if (is_proof && rests_on_no_model(asked->scenario)) {
        grt_found_put(asked, found, "steps", NULL, analysing.steps);
        grt_found_say(found, GRT_OUTCOME_UNKNOWN, "a worst case rests on no model");
        return;
    }
    if (outcome == GRT_OUTCOME_YES) {
        grt_found_put(asked, found, "response_ratio", NULL, ratio_of(&analysing));
    }
    if (outcome != GRT_OUTCOME_INAPPLICABLE) {
        grt_found_put(asked, found, "steps", NULL, analysing.steps);
    }
    say(&analysing, outcome);
}

const struct grt_evaluation_ops grt_evaluate_analysis = {
    .name = "analysis", .measures = measures, .of_task = of_task, .usual = usual, .evaluate = evaluate};
