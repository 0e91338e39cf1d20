#include "study/evaluate/wishes.h"

#include <stdio.h>
#include <string.h>

#include "models/task/kernel_walk.h"
#include "policies/analyses/run.h"
#include "scenarios/spelling.h"
#include "study/evaluate/sample.h"

/* So many sets are looked at for a task's name, at all points together; more where that were less than MOST_UNFOUND of each. */
enum { SETS_LOOKED_AT = 20000 };

/* So many sets at most are looked for that are not found, which takes a tenth of a second and more. Where so many of a point were looked at, some
 * was found, or the search has ended. */
enum { MOST_UNFOUND = 3 };

enum { NAMES_SIZE = 512 };

/* A list in words that grows; what does not fit is left out. */
static void add_name(char names[NAMES_SIZE], const char *name) {
    size_t used = strlen(names);
    if (name[0] == '\0') {
        return;
    }
    snprintf(names + used, NAMES_SIZE - used, "%s%s", used > 0 ? ", " : "", name);
}

static bool is_listed(const char *const *names, const char *name, size_t length) {
    while (names != NULL && *names != NULL &&
           (strlen(*names) != length || memcmp(*names, name, length) != 0)) {
        names++;
    }
    return names != NULL && *names != NULL;
}

/* ---- what analyses give ---- */

/* What an analysis has besides, not of all. */
static const char ratio_of_bounds[] = "response_ratio";

static bool gives(const struct grt_analysis_ops *analysis, const char *name, size_t length) {
    bool is_ratio = length == strlen(ratio_of_bounds) && memcmp(name, ratio_of_bounds, length) == 0;
    return is_ratio ? analysis->bounds : is_listed(analysis->values, name, length);
}

/* Whether an evaluation asks the analysis; of a policy that comes with the sets, maybe. */
static bool asks(const struct grt_evaluation *evaluation, const struct grt_analysis_ops *analysis) {
    const struct grt_analysis_ops *const *asked = evaluation->analyses;
    if (asked == NULL) {
        return evaluation->policy == NULL ||
               grt_analysis_speaks_of(analysis, evaluation->policy, evaluation->parameters);
    }
    while (*asked != NULL && *asked != analysis) {
        asked++;
    }
    return *asked != NULL;
}

static bool is_given(const struct grt_evaluation *evaluation, const char *name, size_t length) {
    const struct grt_analysis_ops *analysis;
    for (size_t i = 0; (analysis = grt_analysis_number(evaluation->policy, i)) != NULL; i++) {
        if (gives(analysis, name, length) && asks(evaluation, analysis)) {
            return true;
        }
    }
    return false;
}

/* Points share evaluations for the most part. */
static bool is_new(const struct grt_experiment *experiment, size_t point) {
    const struct grt_point *points = experiment->points;
    return point == 0 || points[point].evaluations != points[point - 1].evaluations;
}

static bool check_given(const struct grt_experiment *experiment, size_t evaluation, const char *measure,
                        struct grt_errors *errors, const struct grt_path *path) {
    size_t length = strcspn(measure, ":");
    char givers[NAMES_SIZE] = "";
    bool given = measure[length] == '\0' && strcmp(measure, "steps") == 0;
    for (size_t i = 0; i < experiment->point_count && !given; i++) {
        given = is_new(experiment, i) &&
                is_given(&experiment->points[i].evaluations[evaluation], measure, length);
    }
    for (size_t i = 0; grt_analyses[i] != NULL && !given; i++) {
        if (gives(grt_analyses[i], measure, length)) {
            add_name(givers, grt_analyses[i]->name);
        }
    }
    if (!given) {
        grt_error_add(errors, path, "no analysis that is asked gives this measure (got \"%s\"); %s do%s",
                      measure, givers, strchr(givers, ',') == NULL ? "es" : "");
    }
    return given;
}

/* ---- what sets have ---- */

static bool has_kernel(const struct grt_task *task, const char *name) {
    struct grt_kernel_place place = {0};
    bool has = false;
    for (const struct grt_kernel *kernel; !has && (kernel = grt_task_next_kernel(task, &place)) != NULL;) {
        has = strcmp(kernel->name, name) == 0;
    }
    return has;
}

/* Of a task, or of a kernel where models are trained. A policy that has versions of its own executed may have tasks of its own as well. */
static bool has(const struct grt_drawn_set *set, const struct grt_evaluation *evaluation, const char *name) {
    const struct grt_policy_ops *policy = evaluation->policy != NULL ? evaluation->policy : set->policy;
    bool found = policy != NULL && policy->adapt != NULL && evaluation->kind != GRT_EVALUATE_TRAINING;
    for (size_t i = 0; i < set->scenario.task_count && !found; i++) {
        const struct grt_task *task = &set->scenario.tasks[i];
        found = evaluation->kind == GRT_EVALUATE_TRAINING ? has_kernel(task, name)
                                                          : strcmp(task->name, name) == 0;
    }
    return found;
}

/* What was seen of the sets that were looked at. Those that are not found have no results in a sweep, either. */
struct seen {
    bool a_set, the_name;
    int unfound;
};

/* Whether there is no need to look at more. */
static bool is_settled(const struct seen *seen) {
    return seen->the_name || seen->unfound == MOST_UNFOUND;
}

/* Looks at the first `count` sets of a point. */
static void look_for(const struct grt_point *point, const struct grt_evaluation *evaluation, const char *name,
                     uint64_t count, struct seen *seen) {
    struct grt_arena_store store = {0};
    struct grt_arena arena = {.store = &store};
    for (uint64_t i = 0; i < count && !is_settled(seen); i++) {
        struct grt_drawn_set set = {0};
        if (point->generator->make(point->maker, i, &arena, &set)) {
            seen->a_set = true;
            seen->the_name = has(&set, evaluation, name);
        } else {
            seen->unfound++;
        }
        count = set.whole ? 1 : count; /* all sets have the same tasks */
        grt_arena_clear(&arena);
    }
    grt_arena_store_free(&store);
}

static bool check_task(const struct grt_experiment *experiment, size_t evaluation, const char *name,
                       struct grt_errors *errors, const struct grt_path *path) {
    uint64_t share = SETS_LOOKED_AT / experiment->point_count, all = (uint64_t)experiment->samples;
    uint64_t most = share > MOST_UNFOUND ? share : MOST_UNFOUND, count = all < most ? all : most;
    struct seen seen = {0};
    for (size_t i = 0; i < experiment->point_count && !is_settled(&seen); i++) {
        const struct grt_point *point = &experiment->points[i];
        look_for(point, &point->evaluations[evaluation], name, count, &seen);
    }
    if (is_settled(&seen) || !seen.a_set) {
        return true; /* for all that is known */
    }
    bool kernel = experiment->points[0].evaluations[evaluation].kind == GRT_EVALUATE_TRAINING;
    grt_error_add(errors, path,
                  "no set has a %s of this name (got \"%s\"): none of the first %llu of each point",
                  kernel ? "kernel" : "task", name, (unsigned long long)count);
    return false;
}

bool grt_measure_known(const struct grt_experiment *experiment, size_t evaluation, const char *measure,
                       struct grt_errors *errors, const struct grt_path *path) {
    const char *colon = strchr(measure, ':');
    bool of_analyses = experiment->points[0].evaluations[evaluation].kind == GRT_EVALUATE_ANALYSIS;
    return (!of_analyses || check_given(experiment, evaluation, measure, errors, path)) &&
           (colon == NULL || check_task(experiment, evaluation, colon + 1, errors, path));
}

/* ---- what is said of results ---- */

static bool has_measure(const struct grt_evaluation *evaluation, const char *name) {
    size_t count, i = 0;
    const char *const *names = grt_evaluation_measures(evaluation, &count);
    while (i < count && strcmp(names[i], name) != 0) {
        i++;
    }
    return i < count;
}

static void add_unknown(const char *clause, const struct grt_evaluation *evaluations, size_t evaluation_count,
                        const char *name, struct grt_errors *errors, const struct grt_path *path) {
    struct grt_guess guess = grt_guess_start(name);
    char names[NAMES_SIZE] = "ratio", hint[GRT_GUESS_TEXT_SIZE];
    grt_guess_try(&guess, names);
    for (size_t i = 0; i < evaluation_count; i++) {
        size_t count;
        const char *const *measures = grt_evaluation_measures(&evaluations[i], &count);
        for (size_t j = 0; j < count; j++) {
            bool repeated = false;
            for (size_t k = 0; k < i && !repeated; k++) {
                repeated = has_measure(&evaluations[k], measures[j]);
            }
            grt_guess_try(&guess, measures[j]);
            add_name(names, repeated ? "" : measures[j]);
        }
    }
    grt_error_add(errors, path, "%s of this name (got \"%s\")%s; there are %s", clause, name,
                  grt_guess_text(&guess, hint), names);
}

static void check_measure(const struct grt_evaluation *evaluation, const char *name,
                          struct grt_errors *errors, const struct grt_path *parent) {
    const struct grt_path path = {.parent = parent, .key = "measure"};
    if (strcmp(name, "ratio") != 0 && !has_measure(evaluation, name)) {
        char clause[NAMES_SIZE];
        snprintf(clause, sizeof clause, "evaluation %s has no measure", evaluation->name);
        add_unknown(clause, evaluation, 1, name, errors, &path);
    }
}

/* A figure may show any column of numbers. */
static void check_plot(const struct grt_experiment *experiment, struct grt_errors *errors) {
    static const char *const columns[] = {"ratio", "low", "high", "sets", NULL};
    static const char *const parts[] = {"sets:", "low:", "high:", ""};
    static const struct grt_path root = {0};
    const struct grt_path plot = {.parent = &root, .key = "plot"}, path = {.parent = &plot, .key = "measure"};
    const struct grt_evaluation *evaluations = experiment->points[0].evaluations;
    const char *name = experiment->plot.measure;
    bool known = name == NULL || is_listed(columns, name, strlen(name));
    for (int i = 0; i < GRT_OUTCOMES && !known; i++) {
        known = strcmp(grt_outcome_names[i], name) == 0;
    }
    for (size_t part = 0; part < sizeof parts / sizeof parts[0] && !known; part++) {
        size_t length = strlen(parts[part]);
        for (size_t i = 0; i < experiment->evaluation_count && !known; i++) {
            known = strncmp(name, parts[part], length) == 0 && has_measure(&evaluations[i], name + length);
        }
    }
    if (!known) {
        add_unknown("no evaluation has a measure", evaluations, experiment->evaluation_count, name, errors,
                    &path);
    }
}

bool grt_wishes_check(const struct grt_experiment *experiment, struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_path published = {.parent = &root, .key = "published"},
                          claims = {.parent = &root, .key = "claims"};
    const struct grt_evaluation *evaluations = experiment->points[0].evaluations;
    size_t before = errors->count;
    for (size_t i = 0; i < experiment->published_count; i++) {
        const struct grt_path path = {.parent = &published, .index = i};
        check_measure(&evaluations[experiment->published[i].evaluation], experiment->published[i].measure,
                      errors, &path);
    }
    for (size_t i = 0; i < experiment->claim_count; i++) {
        const struct grt_path path = {.parent = &claims, .index = i};
        for (size_t j = 0; j < experiment->claims[i].order_count; j++) {
            check_measure(&evaluations[experiment->claims[i].order[j]], experiment->claims[i].measure, errors,
                          &path);
        }
    }
    check_plot(experiment, errors);
    return errors->count == before;
}
