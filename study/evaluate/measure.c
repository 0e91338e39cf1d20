/* Which measures there are, and who wants which. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "policies/analyses/run.h"
#include "scenarios/spelling.h"
#include "study/evaluate/evaluate.h"

/* What policies count, work with, and say at the end (grt_policy_counter, grt_describe_time, grt_describe_number). */
static const char *const of_policies[] = {"activations",
                                          "atomic_cost",
                                          "average_runtime",
                                          "batches",
                                          "boosted_priority",
                                          "epsilon",
                                          "estimate_error_percent",
                                          "estimate_error_percent_of",
                                          "estimates",
                                          "extrapolations",
                                          "mean_overhead",
                                          "not_schedulable",
                                          "overhead_of_a_job",
                                          "overruns",
                                          "predictions",
                                          "predictions_skipped_by_aetc",
                                          "preemptions",
                                          "repaid_slots",
                                          "requests",
                                          "requests_cut",
                                          "requests_that_waited",
                                          "runs_skipped_by_wdc",
                                          "saved_by_aetc",
                                          "saved_by_wdc",
                                          "scheduling_runs",
                                          "server_deadlines_postponed",
                                          "server_period",
                                          "server_priority",
                                          "server_wake_ups",
                                          "share",
                                          "slot_length",
                                          "slot_offset",
                                          "slots",
                                          "slots_needed",
                                          "weight",
                                          "server_budget",
                                          NULL};

/* And behind a number of theirs: "error_ppm_at_80". */
static const char *const of_policies_at[] = {"error_ppm_at", "estimates_at", NULL};

/* Those that are times, whoever gives them. */
static const char *const times[] = {"atomic_cost",
                                    "average_runtime",
                                    "beyond_ideal",
                                    "blocking_max",
                                    "cost_preempting",
                                    "end",
                                    "epsilon",
                                    "first_miss_by",
                                    "gap_deviation",
                                    "gap_max",
                                    "gap_mean",
                                    "gpu_wait_max",
                                    "gpu_wait_mean",
                                    "lateness_max",
                                    "lateness_mean",
                                    "mean_overhead",
                                    "overhead_of_a_job",
                                    "response_max",
                                    "response_mean",
                                    "response_min",
                                    "response_p50",
                                    "response_p95",
                                    "response_p99",
                                    "root_mean_square",
                                    "saved_by_aetc",
                                    "saved_by_wdc",
                                    "server_budget",
                                    "server_period",
                                    "slack",
                                    "slot_length",
                                    "slot_offset",
                                    "tardiness",
                                    "wait",
                                    NULL};

enum { NAME_SIZE = 64, LIST_SIZE = 512, SENTENCE_SIZE = 2048 };

static const struct grt_evaluation_ops *const kinds[] = {
    [GRT_EVALUATE_ANALYSIS] = &grt_evaluate_analysis,
    [GRT_EVALUATE_SIMULATION] = &grt_evaluate_simulation,
    [GRT_EVALUATE_VERIFY] = &grt_evaluate_verify,
    [GRT_EVALUATE_TRAINING] = &grt_evaluate_training,
};

const struct grt_evaluation_ops *const *const grt_evaluation_kinds = kinds;

static size_t length_of(const char *const *names) {
    size_t count = 0;
    while (names[count] != NULL) {
        count++;
    }
    return count;
}

const char *const *grt_evaluation_measures(const struct grt_evaluation *evaluation, size_t *count) {
    const struct grt_evaluation_ops *kind = grt_evaluation_kinds[evaluation->kind];
    bool own = evaluation->measure_count > 0;
    *count = own ? evaluation->measure_count : length_of(kind->usual);
    return own ? evaluation->measures : kind->usual;
}

const char *grt_evaluation_formula(const struct grt_evaluation *evaluation, size_t number) {
    size_t count;
    bool own = evaluation->measure_count > 0 && evaluation->formulas != NULL;
    return own ? evaluation->formulas[number] : grt_evaluation_measures(evaluation, &count)[number];
}

/* ---- checking ---- */

static bool is_listed(const char *name, size_t length, const char *const *names) {
    for (; *names != NULL; names++) {
        if (strlen(*names) == length && memcmp(*names, name, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Up to "_80"; all of it where it does not end so. */
static size_t length_without_number(const char *name, size_t length) {
    size_t rest = length;
    while (rest > 0 && name[rest - 1] >= '0' && name[rest - 1] <= '9') {
        rest--;
    }
    return rest < length && rest > 1 && name[rest - 1] == '_' ? rest - 1 : length;
}

static bool is_of_policies(const char *name, size_t length) {
    size_t rest = length_without_number(name, length);
    return is_listed(name, length, of_policies) || (rest < length && is_listed(name, rest, of_policies_at));
}

static bool is_of_analyses(const struct grt_policy_ops *policy, const char *name, size_t length) {
    const struct grt_analysis_ops *ops;
    for (size_t i = 0; (ops = grt_analysis_number(policy, i)) != NULL; i++) {
        if (ops->values != NULL && is_listed(name, length, ops->values)) {
            return true;
        }
    }
    return false;
}

static bool is_measure(const struct grt_evaluation *evaluation, const char *name) {
    const struct grt_evaluation_ops *kind = grt_evaluation_kinds[evaluation->kind];
    const char *colon = strchr(name, ':');
    size_t length = colon != NULL ? (size_t)(colon - name) : strlen(name);
    bool others = (kind == &grt_evaluate_analysis && is_of_analyses(evaluation->policy, name, length)) ||
                  (kind == &grt_evaluate_simulation && is_of_policies(name, length));
    if (colon != NULL) {
        return colon[1] != '\0' && (others || is_listed(name, length, kind->of_task));
    }
    return others || is_listed(name, length, kind->measures);
}

/* "jobs, missed and miss_ratio" */
static void list_names(const char *const *names, char *text, size_t size) {
    size_t used = 0;
    for (size_t i = 0; names[i] != NULL && used < size; i++) {
        const char *between = i == 0 ? "" : names[i + 1] == NULL ? " and " : ", ";
        used += (size_t)snprintf(text + used, size - used, "%s%s", between, names[i]);
    }
}

bool grt_measure_is_time(const char *formula) {
    return strchr(formula, '/') == NULL && is_listed(formula, strcspn(formula, ":"), times);
}

static void try_all(struct grt_guess *guess, const char *const *names) {
    while (names != NULL && *names != NULL) {
        grt_guess_try(guess, *names++);
    }
}

/* " (did you mean ...?)", of the name before a colon. */
static void suggest(const struct grt_evaluation *evaluation, const char *measure,
                    char hint[GRT_GUESS_TEXT_SIZE]) {
    const struct grt_evaluation_ops *kind = grt_evaluation_kinds[evaluation->kind];
    const struct grt_analysis_ops *ops;
    size_t length = strcspn(measure, ":");
    char name[NAME_SIZE] = "";
    if (length < sizeof name) {
        memcpy(name, measure, length);
        name[length] = '\0';
    }
    struct grt_guess guess = grt_guess_start(name);
    if (measure[length] == '\0') {
        try_all(&guess, kind->measures);
    }
    try_all(&guess, kind->of_task);
    for (size_t i = 0;
         kind == &grt_evaluate_analysis && (ops = grt_analysis_number(evaluation->policy, i)) != NULL; i++) {
        try_all(&guess, ops->values);
    }
    if (kind == &grt_evaluate_simulation) {
        try_all(&guess, of_policies);
    }
    grt_guess_text(&guess, hint);
}

/* What there is of one task, or of one kernel where models are trained. */
static void say_of_task(const struct grt_evaluation_ops *kind, char text[SENTENCE_SIZE]) {
    char names[LIST_SIZE] = "";
    list_names(kind->of_task, names, sizeof names);
    if (kind == &grt_evaluate_analysis) {
        snprintf(text, SENTENCE_SIZE, "of one task it has only what the analyses say of each");
    } else if (names[0] == '\0') {
        snprintf(text, SENTENCE_SIZE, "it has none of one task");
    } else {
        snprintf(text, SENTENCE_SIZE, "of one %s it has %s%s",
                 kind == &grt_evaluate_training ? "kernel" : "task", names,
                 kind == &grt_evaluate_simulation ? ", besides what policies say of each" : "");
    }
}

static void say_of_all(const struct grt_evaluation_ops *kind, const char *measure, char text[SENTENCE_SIZE]) {
    char names[LIST_SIZE];
    if (is_listed(measure, strlen(measure), kind->of_task)) {
        snprintf(text, SENTENCE_SIZE, "it is one of a single task, as in %.*s:TASK", NAME_SIZE, measure);
        return;
    }
    list_names(kind->measures, names, sizeof names);
    bool analysis = kind == &grt_evaluate_analysis, simulation = kind == &grt_evaluate_simulation;
    const char *task =
        kind == &grt_evaluate_training ? "; of one kernel: NAME:KERNEL" : "; of one task: NAME:TASK";
    snprintf(text, SENTENCE_SIZE, "by itself it has %s%s%s; of two: ONE/OTHER", names,
             analysis     ? ", besides what analyses say"
             : simulation ? ", besides what policies say"
                          : "",
             analysis || kind->of_task == NULL || kind->of_task[0] == NULL ? "" : task);
}

bool grt_measure_check(const struct grt_evaluation *evaluation, const char *measure,
                       struct grt_errors *errors, const struct grt_path *path) {
    const struct grt_evaluation_ops *kind = grt_evaluation_kinds[evaluation->kind];
    if (is_measure(evaluation, measure)) {
        return true;
    }
    char there_are[SENTENCE_SIZE], hint[GRT_GUESS_TEXT_SIZE];
    bool of_task = is_listed(measure, strlen(measure), kind->of_task); /* a task is what it lacks */
    hint[0] = '\0';
    if (!of_task) {
        suggest(evaluation, measure, hint);
    }
    if (strchr(measure, ':') != NULL) {
        say_of_task(kind, there_are);
    } else {
        say_of_all(kind, measure, there_are);
    }
    grt_error_add(errors, path, "no %s has this measure (got \"%s\")%s; %s", kind->name, measure, hint,
                  there_are);
    return false;
}

bool grt_evaluation_check(const struct grt_evaluation *evaluation, struct grt_errors *errors,
                          const struct grt_path *path) {
    struct grt_path list = {.parent = path, .key = "measures"};
    size_t before = errors->count;
    for (size_t i = 0; i < evaluation->measure_count; i++) {
        struct grt_path place = {.parent = &list, .index = i};
        bool repeated = false;
        for (size_t j = 0; j < i; j++) {
            repeated |= strcmp(evaluation->measures[i], evaluation->measures[j]) == 0;
        }
        if (repeated) {
            grt_error_add(errors, &place, "is there already (got \"%s\")", evaluation->measures[i]);
        } else if (strchr(grt_evaluation_formula(evaluation, i), '/') == NULL) {
            grt_measure_check(evaluation, grt_evaluation_formula(evaluation, i), errors, &place);
        }
    }
    return errors->count == before;
}

/* ---- what was found ---- */

void grt_found_say(struct grt_found *found, enum grt_outcome outcome, const char *format, ...) {
    va_list values;
    found->outcome = outcome;
    va_start(values, format);
    vsnprintf(found->reason, sizeof found->reason, format, values);
    va_end(values);
}

void grt_found_refuse(struct grt_found *found, struct grt_errors *errors) {
    grt_found_say(found, GRT_OUTCOME_REFUSED, "%.255s", errors->count > 0 ? errors->messages[0] : "");
    grt_errors_clear(errors);
}

static void raise_to(double *to, double value) {
    *to = value <= *to || isnan(value) ? *to : value;
}

void grt_found_put_task(const struct grt_asked *asked, struct grt_found *found, const char *name,
                        const char *task, double value) {
    size_t length = strlen(name);
    for (size_t i = 0; i < asked->measure_count; i++) {
        const char *wanted = asked->measures[i];
        if (strncmp(wanted, name, length) == 0 && wanted[length] == ':' &&
            strcmp(wanted + length + 1, task) == 0) {
            raise_to(&found->values[i], value);
        }
    }
}

void grt_found_put(const struct grt_asked *asked, struct grt_found *found, const char *name, const char *task,
                   double value) {
    for (size_t i = 0; i < asked->measure_count; i++) {
        if (strcmp(asked->measures[i], name) == 0) {
            raise_to(&found->values[i], value);
        }
    }
    if (task != NULL) {
        grt_found_put_task(asked, found, name, task, value);
    }
}

bool grt_asked_of_tasks(const struct grt_asked *asked) {
    for (size_t i = 0; i < asked->measure_count; i++) {
        if (strchr(asked->measures[i], ':') != NULL) {
            return true;
        }
    }
    return false;
}
