#include "verify/reproduce.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/json_tree.h"
#include "scenarios/notes.h"
#include "scenarios/simulation.h"
#include "scenarios/task_set.h"
#include "sim/unit.h"

/* ---- changes of the tree ---- */

/* A whole number as it is: the tree's own numbers are doubles. */
static cJSON *whole(uint64_t number) {
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, number);
    return cJSON_CreateRaw(text);
}

static cJSON *durations(const grt_time *spans, size_t count) {
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++) {
        cJSON_AddItemToArray(list, grt_scenario_tree_span(spans[i]));
    }
    return list;
}

static int64_t span_of(const cJSON *text) {
    int64_t span = 0;
    const char *words = cJSON_GetStringValue(text);
    return words != NULL && grt_unit_parse(GRT_QUANTITY_TIME, words, &span) == NULL ? span : 0;
}

static bool is_constant(const cJSON *time) {
    const char *kind = cJSON_GetStringValue(grt_json_find(time, "distribution"));
    return kind != NULL && strcmp(kind, "constant") == 0;
}

/* What it takes at least, but no more than `worst`: of one that gives no least draw, the least that was measured. Host parts may take no time. */
static cJSON *least_of(const cJSON *time, const cJSON *worst) {
    bool host = strcmp(time->string, "before") == 0 || strcmp(time->string, "after") == 0;
    const cJSON *min = grt_json_find(time, is_constant(time) ? "max" : "min");
    int64_t least = span_of(min != NULL ? min : cJSON_GetArrayItem(grt_json_find(time, "values"), 0));
    int64_t most = span_of(worst);
    least = least < most ? least : most;
    return grt_scenario_tree_span(least == 0 && !host ? 1 : least);
}

/* A time as the pattern has it: the longest; the shortest, with the worst case that stays declared; or as it is drawn, up to that. */
static cJSON *held_time(const cJSON *time, int times) {
    cJSON *worst = grt_scenario_tree_worst(time);
    if (times == GRT_PATTERN_LONGEST) {
        return worst;
    }
    if (times == GRT_PATTERN_SHORTEST) {
        cJSON *shortest = cJSON_CreateObject();
        cJSON_AddStringToObject(shortest, "distribution", "constant");
        cJSON_AddItemToObject(shortest, "max", least_of(time, worst));
        cJSON_AddItemToObject(shortest, "declared", worst);
        if (span_of(worst) == 0) { /* of a host part: nothing is above that */
            cJSON_DeleteItemFromObject(shortest, "declared");
        }
        return shortest;
    }
    cJSON *drawn = cJSON_Duplicate(time, true);
    static const char *const limits[] = {"min", "max"};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (span_of(grt_json_find(time, limits[i])) > span_of(worst)) {
            grt_scenario_tree_put(drawn, limits[i], cJSON_Duplicate(worst, true));
        }
    }
    cJSON_Delete(worst);
    return drawn;
}

static void put_releases(cJSON *task, const struct grt_task *spec, const struct grt_releases *releases,
                         grt_time horizon) {
    cJSON *sporadic = cJSON_CreateObject();
    bool any = releases->count > 0;
    cJSON_AddItemToObject(sporadic, "min_gap", grt_scenario_tree_span(spec->period));
    /* A list has to have an element: what arrives at the horizon does not come. */
    cJSON_AddItemToObject(sporadic, "times",
                          durations(any ? releases->arrivals : &horizon, any ? releases->count : 1));
    if (spec->jitter > 0 && any) {
        cJSON_AddItemToObject(sporadic, "delays", durations(releases->delays, releases->count));
    }
    cJSON_DeleteItemFromObjectCaseSensitive(task, "period");
    cJSON_DeleteItemFromObjectCaseSensitive(task, "offset");
    cJSON_DeleteItemFromObjectCaseSensitive(task, "clock");
    grt_scenario_tree_put(task, "sporadic", sporadic);
}

/* What an analysis says that misses a deadline is periodic from its first release on. */
static void put_witness(cJSON *task, const struct grt_task *spec, const struct grt_releases *releases,
                        grt_time horizon) {
    cJSON_DeleteItemFromObjectCaseSensitive(task, "sporadic");
    cJSON_DeleteItemFromObjectCaseSensitive(task, "jitter");
    grt_scenario_tree_put(task, "period", grt_scenario_tree_span(spec->period));
    grt_scenario_tree_put(task, "offset",
                          grt_scenario_tree_span(releases->count > 0 ? releases->arrivals[0] : horizon));
}

static void put_task(cJSON *task, const cJSON *kernels, const struct grt_subject *subject, uint32_t number,
                     const struct grt_pattern *pattern, bool witness) {
    const struct grt_releases *releases = &pattern->tasks[number];
    const struct grt_task *spec = &subject->scenario->tasks[number];
    if (!releases->own) {
        (witness ? put_witness : put_releases)(task, spec, releases, pattern->horizon);
    }
    if (subject->varied[number]) {
        grt_scenario_tree_change_times(cJSON_GetObjectItemCaseSensitive(task, "segments"), kernels, held_time,
                                       (int)releases->times);
    }
}

static void put_tasks(cJSON *root, const struct grt_subject *subject, const struct grt_pattern *pattern,
                      bool witness) {
    cJSON *tasks = cJSON_GetObjectItemCaseSensitive(root, "tasks"), *task = tasks->child, *next;
    for (uint32_t i = 0; task != NULL && i < pattern->task_count; i++, task = next) {
        next = task->next;
        if (pattern->tasks[i].absent) {
            cJSON_Delete(cJSON_DetachItemViaPointer(tasks, task));
        } else {
            put_task(task, grt_json_find(root, "kernels"), subject, i, pattern, witness);
        }
    }
}

/* Costs that none of the tasks that are left pays would be refused. */
static void drop_costs(cJSON *root, const struct grt_subject *subject, const struct grt_pattern *pattern) {
    cJSON *platform = cJSON_GetObjectItemCaseSensitive(root, "platform");
    for (uint32_t i = 0; i < pattern->task_count; i++) {
        if (!pattern->tasks[i].absent && grt_task_pays_costs(&subject->scenario->tasks[i], subject->policy)) {
            return;
        }
    }
    cJSON_DeleteItemFromObjectCaseSensitive(platform, "context_switch");
    cJSON_DeleteItemFromObjectCaseSensitive(platform, "wake_up");
}

static cJSON *changed_tree(const struct grt_scenario_source *source, const struct grt_subject *subject,
                           const struct grt_pattern *pattern, const struct grt_violation *violation,
                           struct grt_errors *errors) {
    cJSON *root = grt_scenario_tree_read(source, errors);
    if (root == NULL) {
        return NULL;
    }
    char description[GRT_PATTERN_NAME_SIZE + GRT_VIOLATION_TEXT_SIZE + 64];
    snprintf(description, sizeof description, GRT_VIOLATION_WRITTEN "%s. Found with %s.", violation->text,
             pattern->name);
    grt_scenario_tree_put(root, "description", cJSON_CreateString(description));
    grt_scenario_tree_put(root, "seed", whole(pattern->seed));
    grt_scenario_tree_put(root, "horizon", grt_scenario_tree_span(pattern->horizon));
    put_tasks(root, subject, pattern, violation->kind == GRT_VIOLATION_WITNESS);
    drop_costs(root, subject, pattern);
    return root;
}

/* ---- what happens ---- */

static char *text_of(const cJSON *root) {
    char *text = cJSON_Print(root);
    size_t size = strlen(text);
    text = grt_reallocate(text, size + 2);
    memcpy(text + size, "\n", 2);
    return text;
}

/* What a reader of the file will see. */
struct shown {
    uint64_t missed;             /* of all tasks */
    struct grt_task_result task; /* the one in question */
};

/* What a simulation of the file shows, by the same eyes that saw the violation. */
static bool still_violates(const struct grt_player *player, const struct grt_seen *seen,
                           const struct grt_violation *violation, const char *name) {
    const struct grt_played *played = grt_player_played(player);
    const struct grt_seen_task *task = NULL;
    for (size_t i = 0; i < seen->task_count; i++) {
        if (name != NULL && strcmp(played->tasks[i].name, name) == 0) {
            task = &seen->tasks[i];
        }
    }
    switch (violation->kind) {
    case GRT_VIOLATION_RESPONSE:
        return task != NULL && task->response > violation->bound;
    case GRT_VIOLATION_DEADLINE:
        return task != NULL && task->missed > 0;
    case GRT_VIOLATION_WITNESS:
        return seen->missed == 0;
    default:
        return seen->finding_count > 0 && strcmp(seen->finding.rule, violation->rule) == 0;
    }
}

static bool plays_again(const struct grt_simulation *simulation, const struct grt_violation *violation,
                        const char *name, struct grt_errors *errors) {
    struct grt_subject subject;
    struct grt_pattern pattern;
    const struct grt_scenario *scenario = &simulation->file.scenario;
    grt_subject_start(&subject, scenario, simulation->file.policy, simulation->file.policy_parameters);
    grt_pattern_start(&pattern, scenario->task_count);
    for (size_t i = 0; i < pattern.task_count; i++) {
        pattern.tasks[i].own = true;
        pattern.tasks[i].times = GRT_PATTERN_DRAWN;
    }
    pattern.horizon = scenario->horizon;
    pattern.seed = scenario->seed;
    struct grt_player *player = grt_player_create(&subject);
    const struct grt_seen *seen =
        grt_player_play(player, &pattern, violation->kind == GRT_VIOLATION_AUDIT, errors);
    bool shown = seen != NULL && still_violates(player, seen, violation, name);
    grt_player_free(player);
    grt_pattern_free(&pattern);
    grt_subject_free(&subject);
    return shown;
}

/* What `expect` says of a run. */
static void take_results(const struct grt_result *result, const char *name, struct shown *shown) {
    for (size_t i = 0; i < result->task_count; i++) {
        shown->missed += result->tasks[i].missed;
        if (name != NULL && strcmp(result->tasks[i].name, name) == 0) {
            shown->task = result->tasks[i];
        }
    }
}

/* Reads and simulates the text; checks its expectations, which it may not have yet. */
static bool try_text(const char *text, const struct grt_scenario_source *source,
                     const struct grt_violation *violation, const char *name, struct shown *shown,
                     struct grt_errors *errors) {
    struct grt_simulation simulation = {0};
    const struct grt_scenario_text file = {.bytes = text, .size = strlen(text), .folder = source->folder};
    bool good = grt_simulation_parse(&simulation, &file, NULL, errors);
    *shown = (struct shown){0};
    if (good) {
        grt_simulation_expect(&simulation);
        good = grt_simulation_run(&simulation, false, errors) &&
               grt_simulation_is_as_expected(&simulation, errors);
    }
    if (good) {
        take_results(simulation.result, name, shown);
        good = plays_again(&simulation, violation, name, errors);
        if (!good) {
            grt_error_add(errors, NULL, "a file with these releases does not show the violation");
        }
    }
    grt_simulation_free(&simulation);
    return good;
}

static void put_expectations(cJSON *root, const char *name, const struct shown *shown) {
    cJSON *expect = cJSON_CreateObject();
    cJSON_AddItemToObject(expect, "missed", whole(shown->missed));
    if (name != NULL) {
        cJSON *tasks = cJSON_AddArrayToObject(expect, "tasks"), *task = cJSON_CreateObject();
        cJSON_AddItemToArray(tasks, task);
        cJSON_AddStringToObject(task, "task", name);
        cJSON_AddItemToObject(task, "released", whole(shown->task.released));
        cJSON_AddItemToObject(task, "missed", whole(shown->task.missed));
        cJSON_AddItemToObject(task, "unfinished", whole(shown->task.unfinished));
        if (shown->task.finished > 0) {
            cJSON_AddItemToObject(task, "response_max", grt_scenario_tree_span(shown->task.response.max));
        }
    }
    grt_scenario_tree_put(root, "expect", expect);
}

char *grt_reproduce(const struct grt_scenario_source *source, const struct grt_subject *subject,
                    const struct grt_pattern *pattern, const struct grt_violation *violation,
                    struct grt_errors *errors) {
    bool has_task = violation->task != GRT_ANALYSIS_NO_TASK && !pattern->tasks[violation->task].absent;
    const char *name = has_task ? subject->scenario->tasks[violation->task].name : NULL;
    struct shown shown;
    cJSON *root = changed_tree(source, subject, pattern, violation, errors);
    if (root == NULL) {
        return NULL;
    }
    char *text = text_of(root);
    bool good = try_text(text, source, violation, name, &shown, errors);
    if (good) {
        free(text);
        put_expectations(root, name, &shown);
        text = text_of(root);
        good = try_text(text, source, violation, name, &shown, errors);
    }
    cJSON_Delete(root);
    if (!good) {
        free(text);
        return NULL;
    }
    return text;
}
