#include "study/evaluate/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/task/scenario_check.h"
#include "sim/check.h"
#include "sim/running.h"
#include "study/evaluate/evaluate.h"
#include "study/evaluate/networks.h"
#include "study/evaluate/quotients.h"
#include "study/evaluate/sampler.h"
#include "study/evaluate/wishes.h"

struct grt_study {
    const struct grt_experiment *experiment;
    const struct grt_networks **networks; /* of each point and evaluation: trained here; NULL: none is */
    const struct grt_quotients *quotients;
    struct grt_arena arena;
};

/* What an evaluation sees of the present set, which others may see as well. */
struct seen {
    bool checked;               /* by grt_scenario_check: worlds do so themselves */
    bool completed;             /* else what follows is refused for this reason: */
    char reason[256];           /* "": completed */
    struct seen *same;          /* an earlier one that is the same; NULL: there is none */
    struct grt_scenario before; /* before it was completed: what it follows from, besides the set */
    struct grt_scenario_draft draft;
    struct grt_analyses_kept kept;
};

struct grt_sampler {
    const struct grt_study *study;
    struct grt_arena_store store;
    struct grt_arena arena; /* of the present set */
    struct grt_drawn_set set;
    struct seen *seen;       /* of each evaluation */
    struct grt_found *asked; /* the same, where there are quotients */
};

/* ---- studies ---- */

static bool train(struct grt_study *study, struct grt_trainer trainer, struct grt_errors *errors) {
    const struct grt_experiment *experiment = study->experiment;
    for (size_t point = 0; point < experiment->point_count; point++) {
        for (size_t i = 0; i < experiment->evaluation_count; i++) {
            const struct grt_networks **networks = &study->networks[point * experiment->evaluation_count + i];
            if (!grt_train_for(&trainer, experiment, point, i, networks, &study->arena, errors)) {
                return false; /* the same of other points, as a rule */
            }
        }
    }
    return true;
}

static struct grt_study *create(const struct grt_experiment *experiment, struct grt_trainer trainer,
                                struct grt_errors *errors) {
    struct grt_study *study = grt_allocate(sizeof *study);
    size_t before = errors->count;
    *study = (struct grt_study){.experiment = experiment};
    study->networks = grt_arena_array(&study->arena, experiment->point_count * experiment->evaluation_count,
                                      sizeof *study->networks);
    study->quotients = grt_quotients_create(experiment, &study->arena, errors);
    grt_wishes_check(experiment, errors);
    if (errors->count > before || !train(study, trainer, errors)) {
        grt_study_free(study);
        return NULL;
    }
    return study;
}

struct grt_study *grt_study_create(const struct grt_experiment *experiment, struct grt_errors *errors) {
    return create(experiment, (struct grt_trainer){0}, errors);
}

bool grt_study_check(const struct grt_experiment *experiment, struct grt_errors *errors) {
    struct grt_study *study = create(experiment, (struct grt_trainer){.only_check = true}, errors);
    grt_study_free(study);
    return study != NULL;
}

void grt_study_free(struct grt_study *study) {
    if (study != NULL) {
        grt_arena_clear(&study->arena);
        free(study);
    }
}

const struct grt_experiment *grt_study_experiment(const struct grt_study *study) {
    return study->experiment;
}

/* ---- samplers ---- */

struct grt_sampler *grt_sampler_create(const struct grt_study *study) {
    struct grt_sampler *sampler = grt_allocate(sizeof *sampler);
    size_t count = study->experiment->evaluation_count;
    *sampler = (struct grt_sampler){.study = study};
    sampler->arena.store = &sampler->store;
    sampler->seen = grt_allocate(count * sizeof *sampler->seen);
    sampler->asked = grt_allocate(count * sizeof *sampler->asked);
    return sampler;
}

void grt_sampler_free(struct grt_sampler *sampler) {
    if (sampler != NULL) {
        grt_arena_clear(&sampler->arena);
        grt_arena_store_free(&sampler->store);
        free(sampler->seen);
        free(sampler->asked);
        free(sampler);
    }
}

/* ---- what an evaluation sees ---- */

static grt_time longest_period(const struct grt_scenario *scenario) {
    grt_time longest = 0;
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        longest = task->period > longest ? task->period : longest;
    }
    return longest;
}

/* Analyses look at no horizon: one that cannot be found must not be in their way. */
static void set_horizon(const struct grt_evaluation *evaluation, struct grt_scenario *scenario) {
    grt_time longest = evaluation->periods > 0 ? longest_period(scenario) : 0;
    grt_time horizon = longest > 0 ? grt_time_of_double(evaluation->periods * (double)longest) : 0;
    horizon = evaluation->horizon > 0 ? evaluation->horizon : horizon;
    if (horizon == 0 && !grt_evaluation_kinds[evaluation->kind]->runs_worlds &&
        scenario->horizon_kind != GRT_HORIZON_FIXED) {
        horizon = GRT_SECOND;
    }
    if (horizon > 0) {
        scenario->horizon_kind = GRT_HORIZON_FIXED;
        scenario->horizon = horizon;
    }
}

static struct grt_scenario put_together(const struct grt_sampler *sampler,
                                        const struct grt_evaluation *evaluation,
                                        const struct grt_networks *trained) {
    struct grt_scenario scenario = sampler->set.scenario;
    if (evaluation->gpu_count > 0) {
        scenario.gpus = evaluation->gpus;
        scenario.gpu_count = evaluation->gpu_count;
        scenario.core_count = evaluation->core_count > 0 ? evaluation->core_count : scenario.core_count;
        scenario.context_switch = evaluation->context_switch;
        scenario.wake_up = evaluation->wake_up;
    }
    const struct grt_networks *networks = evaluation->networks != NULL ? evaluation->networks : trained;
    scenario.networks = networks != NULL ? networks : scenario.networks;
    set_horizon(evaluation, &scenario);
    return scenario;
}

/* Whether completing does not look at the policy. */
static bool is_of_no_policy(const struct grt_scenario_draft *draft) {
    return draft->policy->adapt == NULL && draft->assignment.priorities != GRT_PRIORITIES_AUDSLEY &&
           draft->assignment.allocation == GRT_ALLOCATION_GIVEN;
}

static bool is_same(const struct seen *a, const struct seen *b) {
    const struct grt_scenario_draft *left = &a->draft, *right = &b->draft;
    bool same_policy = left->policy == right->policy && left->parameters == right->parameters &&
                       left->assignment.analysis == right->assignment.analysis;
    return a->before.gpus == b->before.gpus && a->before.gpu_count == b->before.gpu_count &&
           a->before.core_count == b->before.core_count &&
           a->before.context_switch == b->before.context_switch && a->before.wake_up == b->before.wake_up &&
           a->before.networks == b->before.networks && a->before.horizon_kind == b->before.horizon_kind &&
           a->before.horizon == b->before.horizon &&
           left->assignment.priorities == right->assignment.priorities &&
           left->assignment.allocation == right->assignment.allocation &&
           left->assignment.counts == right->assignment.counts &&
           (same_policy || (is_of_no_policy(left) && is_of_no_policy(right)));
}

/* The earlier one with the same scenario. The policy and its parameters are each one's own. */
static struct seen *find_same(struct seen *all, size_t number) {
    for (size_t i = 0; i < number; i++) {
        if (all[i].same == NULL && is_same(&all[i], &all[number])) {
            return &all[i];
        }
    }
    return NULL;
}

static void complete(struct grt_sampler *sampler, struct seen *seen) {
    struct grt_errors errors = {0};
    const struct grt_scenario *scenario = &seen->draft.scenario;
    if (scenario->adapted_for != NULL && scenario->adapted_for != seen->draft.policy) {
        grt_error_add(&errors, NULL, "the set that was drawn is for another policy than %s",
                      seen->draft.policy->name);
    } else {
        grt_scenario_complete(&seen->draft, &sampler->arena, &errors);
    }
    seen->completed = errors.count == 0;
    if (!seen->completed) {
        strncpy(seen->reason, errors.messages[0], sizeof seen->reason - 1);
    }
    grt_errors_clear(&errors);
}

/* Analyses rely on what worlds check. */
static void check(struct seen *seen) {
    struct grt_errors errors = {0};
    if (!grt_scenario_check(&seen->draft.scenario, &errors)) {
        strncpy(seen->reason, errors.messages[0], sizeof seen->reason - 1);
        seen->completed = false;
    }
    seen->checked = true;
    grt_errors_clear(&errors);
}

/* A whole set's own rules count where the experiment has none. */
static struct grt_scenario_assignment assignment_of(const struct grt_evaluation *evaluation,
                                                    const struct grt_drawn_set *set) {
    const struct grt_scenario_assignment *given = &evaluation->assignment;
    bool none = given->priorities == GRT_PRIORITIES_EXPLICIT && given->allocation == GRT_ALLOCATION_GIVEN;
    return none && set->whole ? set->assignment : *given;
}

/* What evaluation number `number` of a point sees of the present set. */
static void look(struct grt_sampler *sampler, size_t point, size_t number) {
    const struct grt_study *study = sampler->study;
    const struct grt_experiment *experiment = study->experiment;
    const struct grt_evaluation *evaluation = &experiment->points[point].evaluations[number];
    const struct grt_drawn_set *set = &sampler->set;
    struct seen *seen = &sampler->seen[number];
    bool own = evaluation->policy != NULL;
    *seen =
        (struct seen){.before = put_together(sampler, evaluation,
                                             study->networks[point * experiment->evaluation_count + number])};
    const struct grt_policy_ops *policy = own ? evaluation->policy : set->policy;
    GRT_REQUIRE(policy != NULL, "name a policy where sets have none");
    seen->draft = (struct grt_scenario_draft){.scenario = seen->before,
                                              .policy = policy,
                                              .parameters = own ? evaluation->parameters : set->parameters,
                                              .assignment = assignment_of(evaluation, set)};
    if (own) {
        seen->draft.parameters =
            grt_set_parameters(set, policy, evaluation->parameters, evaluation->given, &sampler->arena);
    }
    seen->same = find_same(sampler->seen, number);
    if (seen->same == NULL) {
        complete(sampler, seen);
    }
}

static void evaluate(struct grt_sampler *sampler, const struct grt_evaluation *evaluation, size_t number,
                     struct grt_found *found) {
    struct seen *seen = &sampler->seen[number];
    struct seen *scene = seen->same != NULL ? seen->same : seen;
    if (scene->completed && !scene->checked && !grt_evaluation_kinds[evaluation->kind]->runs_worlds) {
        check(scene);
    }
    if (!scene->completed) {
        grt_found_say(found, GRT_OUTCOME_REFUSED, "%s", scene->reason);
        return;
    }
    struct grt_asked asked = {.evaluation = evaluation,
                              .scenario = &scene->draft.scenario,
                              .drawn = &seen->before,
                              .policy = seen->draft.policy,
                              .parameters = seen->draft.parameters,
                              .kept = &scene->kept,
                              .arena = &sampler->arena};
    const struct grt_asked_measures measures = grt_quotients_asked(sampler->study->quotients, number);
    asked.measures = measures.names;
    asked.measure_count = measures.count;
    grt_evaluation_kinds[evaluation->kind]->evaluate(&asked, found);
}

static void forget(size_t count, struct grt_found *found) {
    found->outcome = GRT_OUTCOME_NONE;
    found->reason[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        found->values[i] = (double)NAN;
    }
}

/* Draws a set into an empty arena. */
static bool draw(struct grt_sampler *sampler, size_t number, uint64_t sample) {
    const struct grt_point *point = &sampler->study->experiment->points[number];
    grt_arena_clear(&sampler->arena);
    sampler->set = (struct grt_drawn_set){0};
    return point->generator->make(point->maker, sample, &sampler->arena, &sampler->set);
}

void grt_sampler_run(struct grt_sampler *sampler, size_t point, uint64_t sample, struct grt_found *found) {
    const struct grt_experiment *experiment = sampler->study->experiment;
    const struct grt_evaluation *evaluations = experiment->points[point].evaluations;
    const struct grt_quotients *quotients = sampler->study->quotients;
    bool none = grt_quotients_none(quotients), drawn = draw(sampler, point, sample);
    struct grt_found *asked = none ? found : sampler->asked;
    for (size_t i = 0; i < experiment->evaluation_count; i++) {
        forget(grt_quotients_asked(quotients, i).count, &asked[i]);
        if (drawn) {
            const struct grt_running_set set = {.point = point + 1,
                                                .set = sample + 1,
                                                .evaluation = i + 1,
                                                .experiment = experiment->name,
                                                .under = evaluations[i].name};
            const struct grt_running_set *before = grt_running_set_begin(&set);
            look(sampler, point, i);
            evaluate(sampler, &evaluations[i], i, &asked[i]);
            grt_running_set_end(before);
        } else {
            grt_found_say(&asked[i], GRT_OUTCOME_NONE, "the generator found no set");
        }
    }
    if (!none) {
        grt_quotients_fill(quotients, asked, found);
    }
}

bool grt_sampler_look(struct grt_sampler *sampler, size_t point, uint64_t sample, size_t evaluation,
                      struct grt_sampler_view *view, struct grt_errors *errors) {
    if (!draw(sampler, point, sample)) {
        grt_error_add(errors, NULL, "the generator found no set");
        return false;
    }
    for (size_t i = 0; i <= evaluation; i++) {
        look(sampler, point, i);
    }
    struct seen *seen = &sampler->seen[evaluation];
    const struct seen *scene = seen->same != NULL ? seen->same : seen;
    if (!scene->completed) {
        grt_error_add(errors, NULL, "%s", scene->reason);
        return false;
    }
    struct grt_scenario_draft before = seen->draft;
    seen->draft.scenario = scene->draft.scenario;
    *view = (struct grt_sampler_view){.seen = &seen->draft, .written = seen->draft.scenario};
    if (before.policy->adapt == NULL) {
        return true;
    }
    before.scenario = seen->before;
    bool good = grt_scenario_complete_tasks(&before, &sampler->arena, errors);
    view->written = before.scenario;
    return good;
}
