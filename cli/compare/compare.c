#include "cli/compare/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/report.h"
#include "scenarios/json_tree.h"
#include "scenarios/text_file.h"
#include "sim/memory.h"

/* ---- what each policy is run with ---- */

/* A scenario's text, and what of it concerns the policies. */
struct source {
    char *text;
    struct grt_scenario_text scenario;
    cJSON *tree; /* NULL: it is no JSON, and will be refused */
    struct grt_arena arena;
};

static bool read_source(struct source *source, const char *path, struct grt_errors *errors) {
    struct grt_errors ignored = {0};
    size_t size;
    source->text = grt_text_file_read(path, &size, errors);
    if (source->text == NULL) {
        return false;
    }
    source->scenario = (struct grt_scenario_text){source->text, size, grt_folder_of(&source->arena, path)};
    source->tree = grt_json_parse(source->text, size, &ignored);
    grt_errors_clear(&ignored);
    return true;
}

static void free_source(struct source *source) {
    cJSON_Delete(source->tree);
    grt_arena_clear(&source->arena);
    free(source->text);
}

static bool has_parameter(const struct grt_policy_ops *policy, const char *name) {
    bool has = false;
    for (size_t i = 0; policy->parameters != NULL && i < policy->parameters->field_count; i++) {
        has = has || strcmp(policy->parameters->fields[i].name, name) == 0;
    }
    return has;
}

/* "policy.NAME=VALUE" */
static const char *set_of(const cJSON *parameter, struct grt_arena *arena) {
    char *value = cJSON_PrintUnformatted(parameter);
    size_t size = strlen("policy.=") + strlen(parameter->string) + strlen(value) + 1;
    char *set = grt_arena_array(arena, size, 1);
    snprintf(set, size, "policy.%s=%s", parameter->string, value);
    free(value);
    return set;
}

/* The policy of the file is run as it stands there. Another one has those of its parameters that it knows, so that what is common to several
 * policies is said once. */
static size_t take_over(const struct source *source, const struct grt_policy_ops *policy,
                        struct grt_scenario_changes *changes, const char **sets, struct grt_arena *arena) {
    static const struct grt_change_names names = {
        .policy = "--policies", .seed = "--seed", .horizon = "--until", .sets = "--set"};
    const cJSON *written = grt_json_find(source->tree, "policy"), *name = grt_json_find(written, "name");
    size_t count = 0;
    if (cJSON_IsString(name) && strcmp(name->valuestring, policy->name) == 0) {
        return 0;
    }
    changes->policy = policy->plugin != NULL ? policy->plugin : policy->name;
    changes->names = &names;
    for (const cJSON *field = cJSON_IsObject(written) ? written->child : NULL; field != NULL;
         field = field->next) {
        if (has_parameter(policy, field->string)) {
            sets[count++] = set_of(field, arena);
        }
    }
    return count;
}

/* The changes of all, and of this one: "LABEL.key=value" is "policy.key=value". */
static size_t add_sets(const struct grt_compare_options *options, size_t number, const char **sets,
                       struct grt_arena *arena) {
    size_t count = 0;
    for (size_t i = 0; i < options->changes.set_count; i++) {
        const char *set = options->changes.sets[i], *rest;
        size_t whose = grt_compare_options_whose(options, set, &rest), size = strlen(rest) + sizeof "policy.";
        if (whose == options->policy_count) {
            sets[count++] = set;
        } else if (whose == number) {
            char *own = grt_arena_array(arena, size, 1);
            snprintf(own, size, "policy.%s", rest);
            sets[count++] = own;
        }
    }
    return count;
}

static size_t written_parameters(const struct source *source) {
    const cJSON *written = grt_json_find(source->tree, "policy");
    return cJSON_IsObject(written) ? (size_t)cJSON_GetArraySize(written) : 0;
}

/* One policy's run; `last` is one more change, after all others; NULL: none. */
static bool simulate(struct grt_simulation *simulation, const struct grt_compare_options *options,
                     size_t number, const struct source *source, const char *last,
                     struct grt_errors *errors) {
    struct grt_arena arena = {0};
    struct grt_scenario_changes changes = options->changes;
    const struct grt_policy_ops *policy = options->policies[number].policy;
    const char **sets =
        grt_arena_array(&arena, options->changes.set_count + written_parameters(source) + 2, sizeof *sets);
    changes.set_count = take_over(source, policy, &changes, sets, &arena);
    changes.set_count += add_sets(options, number, sets + changes.set_count, &arena);
    if (last != NULL) {
        sets[changes.set_count++] = last;
    }
    changes.sets = sets;
    bool good = grt_simulation_parse(simulation, &source->scenario, &changes, errors) &&
                grt_simulation_run(simulation, false, errors) && grt_simulation_is_whole(simulation, errors);
    grt_arena_clear(&arena);
    return good;
}

static void run(struct grt_compared_run *run, const struct grt_compare_options *options, size_t number,
                const struct source *source) {
    run->label = options->policies[number].label;
    run->policy = options->policies[number].policy;
    run->refused = !simulate(&run->simulation, options, number, source, NULL, &run->errors);
}

/* ---- what came out ---- */

grt_signed_wide grt_compared_beyond(const struct grt_compared_slack *slack) {
    return slack->slack.accumulated - slack->ideal;
}

static void find_deviation(struct grt_compared_run *run) {
    run->deviation = GRT_TIME_NEVER;
    for (size_t i = 0; i < run->task_count; i++) {
        const struct grt_slack_record *ends = &run->simulation.result->tasks[i].ends;
        grt_time own = (grt_time)llround(grt_gap_deviation(ends));
        if (ends->gaps.count > 0 && (run->deviation == GRT_TIME_NEVER || own > run->deviation)) {
            run->deviation = own;
        }
    }
}

static void sum_up(struct grt_compared_run *run, const struct grt_ideal_times *ideal) {
    const struct grt_scenario *scenario = &run->simulation.file.written;
    const struct grt_result *result = run->simulation.result;
    run->task_count = scenario->task_count;
    run->of_tasks = grt_allocate(run->task_count * sizeof *run->of_tasks);
    run->total = (struct grt_compared_slack){.ideal_known = true};
    run->missed = grt_report_missed(&run->simulation);
    for (uint32_t i = 0; i < run->task_count; i++) {
        struct grt_compared_slack *own = &run->of_tasks[i];
        own->slack = result->tasks[i].slack;
        own->ideal_known = grt_ideal_slack(scenario, ideal, result, i, &own->ideal);
        grt_slack_add(&run->total.slack, &own->slack);
        run->total.ideal += own->ideal;
        if (!own->ideal_known && run->unknown == NULL) {
            run->unknown = result->tasks[i].name;
        }
    }
    run->total.ideal_known = run->unknown == NULL;
    find_deviation(run);
}

static const char *unknown_or_none(const struct grt_compared_run *base, const struct grt_compared_run *run) {
    return run->unknown != NULL           ? "it is not known how long its jobs take alone"
           : run->total.slack.count == 0  ? "no job has a slack"
           : base->refused                ? "the base refuses the scenario"
           : base->unknown != NULL        ? "it is not known how long its jobs take alone"
           : base->total.slack.count == 0 ? "no job has a slack under the base"
                                          : NULL;
}

/* Whoever starves a task has no slack of it to answer for, and would look the better. */
static void judge(const struct grt_compared_run *base, struct grt_compared_run *run) {
    const char *starved = run->starved != NULL ? run->starved : base->starved;
    run->performance.reason = unknown_or_none(base, run);
    if (run->performance.reason == NULL && starved != NULL) {
        snprintf(run->reason, sizeof run->reason, "task %s ends no job%s", starved,
                 run->starved == NULL ? " under the base" : "");
        run->performance.reason = run->reason;
    } else if (run->performance.reason == NULL) {
        run->performance =
            grt_performance_of(grt_compared_beyond(&base->total), grt_compared_beyond(&run->total));
    }
}

static bool ends_any(const struct grt_comparison *comparison, size_t task) {
    bool ends = false;
    for (size_t i = 0; i < comparison->run_count && !ends; i++) {
        const struct grt_compared_run *own = &comparison->runs[i];
        ends = !own->refused && own->simulation.result->tasks[task].finished > 0;
    }
    return ends;
}

/* Whether the first of a task's jobs had as much time until the run's end as it takes alone, on average: then it was released in a run that
 * ends so much earlier, too. */
static bool had_time(const struct grt_comparison *comparison, const struct source *source, size_t number,
                     uint32_t task) {
    const struct grt_compared_run *whole = &comparison->runs[number];
    grt_time end = whole->simulation.result->end,
             alone = grt_ideal_time(&whole->simulation.file.written, task, comparison->options->profile_runs);
    if (alone >= end) { /* or not known */
        return false;
    }
    struct grt_simulation simulation = {0};
    struct grt_errors ignored = {0};
    char horizon[sizeof "horizon=ns" + GRT_TIME_TEXT_SIZE];
    snprintf(horizon, sizeof horizon, "horizon=%" PRId64 "ns", end - alone);
    bool had = simulate(&simulation, comparison->options, number, source, horizon, &ignored) &&
               simulation.result->tasks[task].released > 0;
    grt_simulation_free(&simulation);
    grt_errors_clear(&ignored);
    return had;
}

/* A job that has not ended when the run does need not be the policy's doing. It is where another policy has ended one, a deadline has passed, or it had
 * time enough. */
static void find_starved(struct grt_comparison *comparison, const struct source *source, size_t number) {
    struct grt_compared_run *own = &comparison->runs[number];
    for (uint32_t i = 0; i < own->task_count && own->starved == NULL; i++) {
        const struct grt_task_result *task = &own->simulation.result->tasks[i];
        if (own->of_tasks[i].slack.not_finished > 0 && task->finished == 0 &&
            (task->missed > 0 || ends_any(comparison, i) || had_time(comparison, source, number, i))) {
            own->starved = task->name;
        }
    }
}

static void compare(struct grt_comparison *comparison) {
    const struct grt_compared_run *base = &comparison->runs[comparison->options->base];
    for (size_t i = 0; i < comparison->run_count; i++) {
        struct grt_compared_run *own = &comparison->runs[i];
        if (own->refused) {
            continue;
        }
        judge(base, own);
        for (size_t task = 0; !base->refused && task < own->task_count; task++) {
            own->other += own->of_tasks[task].slack.count != base->of_tasks[task].slack.count;
        }
    }
}

const struct grt_compared_run *grt_comparison_first(const struct grt_comparison *comparison) {
    const struct grt_compared_run *first = comparison->runs;
    while (first < comparison->runs + comparison->run_count && first->refused) {
        first++;
    }
    return first < comparison->runs + comparison->run_count ? first : NULL;
}

static bool say_the_same(const struct grt_errors *a, const struct grt_errors *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count && i < GRT_ERRORS_KEPT; i++) {
        same = strcmp(a->messages[i], b->messages[i]) == 0;
    }
    return same;
}

/* What is wrong with the file itself every policy says. */
static void add_common(const struct grt_comparison *comparison, struct grt_errors *errors) {
    bool same = true;
    for (size_t i = 1; i < comparison->run_count; i++) {
        same = same && say_the_same(&comparison->runs[0].errors, &comparison->runs[i].errors);
    }
    for (size_t i = 0; i < (same ? 1 : comparison->run_count); i++) {
        const struct grt_compared_run *own = &comparison->runs[i];
        size_t kept = own->errors.count < GRT_ERRORS_KEPT ? own->errors.count : GRT_ERRORS_KEPT;
        for (size_t j = 0; j < kept; j++) {
            grt_error_add(errors, NULL, "%s%s%s", same ? "" : own->label, same ? "" : ": ",
                          own->errors.messages[j]);
        }
    }
}

bool grt_comparison_make(struct grt_comparison *comparison, const struct grt_compare_options *options,
                         struct grt_errors *errors) {
    struct source source = {0};
    *comparison = (struct grt_comparison){.options = options};
    if (!read_source(&source, options->scenario, errors)) {
        return false;
    }
    comparison->run_count = options->policy_count;
    comparison->runs = grt_allocate(options->policy_count * sizeof *comparison->runs);
    for (size_t i = 0; i < options->policy_count; i++) {
        comparison->runs[i] = (struct grt_compared_run){0};
        run(&comparison->runs[i], options, i, &source);
    }
    const struct grt_compared_run *first = grt_comparison_first(comparison);
    if (first == NULL) {
        add_common(comparison, errors);
        free_source(&source);
        return false;
    }
    comparison->ideal =
        grt_ideal_times(&first->simulation.file.written, options->ideal, options->profile_runs);
    for (size_t i = 0; i < options->policy_count; i++) {
        if (!comparison->runs[i].refused) {
            sum_up(&comparison->runs[i], &comparison->ideal);
        }
    }
    for (size_t i = 0; i < options->policy_count; i++) {
        if (!comparison->runs[i].refused) {
            find_starved(comparison, &source, i);
        }
    }
    free_source(&source);
    compare(comparison);
    return true;
}

void grt_comparison_free(struct grt_comparison *comparison) {
    for (size_t i = 0; i < comparison->run_count; i++) {
        free(comparison->runs[i].of_tasks);
        grt_errors_clear(&comparison->runs[i].errors);
        grt_simulation_free(&comparison->runs[i].simulation);
    }
    free(comparison->runs);
    free(comparison->ideal.times);
    *comparison = (struct grt_comparison){0};
}
