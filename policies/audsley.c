/* Source: N. C. Audsley, "On priority assignment in fixed priority scheduling", Information Processing Letters 79, 2001.
 * Assumes: that the analysis is compatible. The conditions are R. I. Davis's and A. Burns's ("Improved priority assignment for global
 * fixed priority pre-emptive scheduling in multiprocessor real-time systems", Real-Time Systems 47, 2011): a task's verdict depends
 * on the set of higher and the set of lower tasks, not on the orders in them, and does not get worse one place up.
 *   np-fp-response  the interference is a sum over higher tasks of C, T and J, the blocking a maximum over lower ones; a neighbour that
 *                   comes down took C or more and blocks for C - 1.
 *   fp-response     the same sum, and no blocking.
 *   gpu-server      with other tasks' deadlines and periods in place of their bounds: a less urgent task adds the longest of its requests
 *                   once, and what their arrivals cost the server, both no more than as a more urgent one.
 *   mpcp, fmlp+     not: the boosted segments of a less urgent local task may count for one job more than its execution did.
 *   fp-suspension   not: a higher task h interferes with jitter R_h - C_h, and R_h depends on who is above h. */
#include "policies/audsley.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "models/analysis_options.h"
#include "models/analysis_set.h"
#include "models/priority.h"
#include "policies/analyses/registry.h"
#include "policies/analyses/run.h"
#include "sim/check.h"
#include "sim/running.h"

/* ---- which analyses ---- */

const char *grt_audsley_objection(const struct grt_analysis_ops *analysis) {
    return analysis->suits_audsley ? NULL
           : analysis->audsley_objection != NULL
               ? analysis->audsley_objection
               : "is not known to be independent of the order of higher and "
                 "of lower tasks";
}

const void *grt_audsley_options(const struct grt_analysis_ops *analysis, void *options) {
    struct grt_errors errors = {0};
    if (analysis->options == NULL) {
        return NULL;
    }
    const struct grt_running running = {.what = "analysis", .name = analysis->name};
    const struct grt_running *before = grt_running_begin(&running);
    grt_analysis_options_default(analysis->options, options);
    for (const char *const *name = analysis->audsley_options; name != NULL && *name != NULL; name += 2) {
        bool good =
            grt_analysis_option_set(analysis->options, options, analysis->name, name[0], name[1], &errors);
        GRT_REQUIRE(good, "an analysis names options and values of its own in audsley_options");
    }
    grt_running_end(before);
    return options;
}

const struct grt_analysis_ops *grt_audsley_analysis_of(const struct grt_policy_ops *policy,
                                                       const void *parameters) {
    const struct grt_analysis_ops *analysis;
    for (size_t i = 0; (analysis = grt_analysis_number(policy, i)) != NULL; i++) {
        if (grt_analysis_speaks_of(analysis, policy, parameters) && grt_audsley_objection(analysis) == NULL) {
            return analysis;
        }
    }
    return NULL;
}

/* ---- asking them ---- */

/* The sets that the analysis looks at, of GPUs or of the platform, with priorities that change. */
struct question {
    const struct grt_analysis_ops *analysis;
    struct grt_analysis_set sets[GRT_MAX_GPUS];
    struct grt_analysis_task *tasks[GRT_MAX_GPUS]; /* of the sets */
    size_t set_count;
    _Alignas(max_align_t) char options[GRT_ANALYSIS_OPTIONS_SIZE];
    char inapplicable[GRT_ANALYSIS_REASON_SIZE]; /* why the analysis does not apply; "": it does */
};

/* The bound is valid where all deadlines are met: the last word is that of the whole set (proves_all). A task with CPU segments must also end
 * before its next release. */
static bool keeps_deadline(const struct grt_analysis_task *task, int64_t response) {
    bool uses_cpu = false;
    for (size_t i = 0; i < task->segment_count; i++) {
        uses_cpu |= !task->segments[i].on_gpu;
    }
    return response <= task->deadline &&
           (!uses_cpu || task->deadline <= task->period || response <= task->period);
}

/* Runs the analysis of one GPU's set; whether the task of that number is in the set, and if so, whether it passes. */
static bool ask(struct question *question, size_t set, size_t number, bool *passes) {
    const struct grt_analysis_set *tasks = &question->sets[set];
    for (size_t i = 0; i < tasks->count; i++) {
        if (tasks->tasks[i].number != number) {
            continue;
        }
        struct grt_arena arena = {0};
        struct grt_analysis_result result = grt_analysis_result_for(tasks, &arena);
        grt_analysis_run(question->analysis, tasks, &result);
        *passes = result.verdict != GRT_VERDICT_INAPPLICABLE && result.response[i] < GRT_ANALYSIS_NEVER &&
                  keeps_deadline(&tasks->tasks[i], result.response[i]);
        if (result.verdict == GRT_VERDICT_INAPPLICABLE) {
            memcpy(question->inapplicable, result.reason, sizeof result.reason);
        }
        grt_arena_clear(&arena);
        return true;
    }
    return false;
}

static void take_priorities(struct question *question, const int64_t *priorities) {
    for (size_t i = 0; i < question->set_count; i++) {
        for (size_t j = 0; j < question->sets[i].count; j++) {
            struct grt_analysis_task *task = &question->tasks[i][j];
            task->priority = priorities[task->number];
        }
    }
}

static bool passes_at(void *state, size_t task, const int64_t *priorities) {
    struct question *question = state;
    bool passes = false;
    if (question->inapplicable[0] != '\0') {
        return false;
    }
    take_priorities(question, priorities);
    for (size_t i = 0; i < question->set_count && !ask(question, i, task, &passes); i++) {
    }
    return passes;
}

/* Whether the analysis proves each GPU's set with these priorities. */
static bool proves_all(struct question *question, const int64_t *priorities) {
    take_priorities(question, priorities);
    bool all = true;
    for (size_t i = 0; i < question->set_count; i++) {
        struct grt_arena arena = {0};
        struct grt_analysis_result result = grt_analysis_result_for(&question->sets[i], &arena);
        grt_analysis_run(question->analysis, &question->sets[i], &result);
        all &= result.verdict == GRT_VERDICT_SCHEDULABLE && !result.unsound;
        grt_arena_clear(&arena);
    }
    return all;
}

static void add_set(struct question *question, const struct grt_scenario *scenario, uint32_t gpu,
                    const void *parameters, struct grt_arena *arena) {
    struct grt_analysis_set set = grt_analysis_set_of(scenario, gpu, parameters, arena);
    struct grt_analysis_task *tasks = grt_arena_array(arena, set.count, sizeof *tasks);
    if (set.count > 0) {
        memcpy(tasks, set.tasks, set.count * sizeof *tasks);
        set.tasks = tasks;
        set.options = grt_audsley_options(question->analysis, question->options);
        question->tasks[question->set_count] = tasks;
        question->sets[question->set_count++] = set;
    }
}

static void prepare(struct question *question, const struct grt_scenario *scenario, const void *parameters,
                    struct grt_arena *arena) {
    if (question->analysis->scope == GRT_SCOPE_PLATFORM) {
        add_set(question, scenario, GRT_ANALYSIS_ALL_GPUS, parameters, arena);
    }
    for (uint32_t gpu = 0; gpu < scenario->gpu_count && question->analysis->scope == GRT_SCOPE_GPU; gpu++) {
        add_set(question, scenario, gpu, parameters, arena);
    }
}

static bool is_possible(const struct grt_scenario *scenario, const struct grt_analysis_ops *analysis,
                        struct grt_errors *errors, const struct grt_path *path) {
    const char *objection = grt_audsley_objection(analysis);
    if (objection != NULL) {
        grt_error_add(errors, path, "Audsley's algorithm cannot ask %s, which %s", analysis->name, objection);
    } else if (scenario->task_count > GRT_AUDSLEY_MOST_TASKS) {
        grt_error_add(errors, path, "Audsley's algorithm takes at most %d tasks (got %zu)",
                      GRT_AUDSLEY_MOST_TASKS, scenario->task_count);
    } else {
        return true;
    }
    return false;
}

static void refuse(const struct question *question, const struct grt_priority_search *search,
                   struct grt_errors *errors, const struct grt_path *path) {
    const char *name = question->analysis->name;
    if (question->inapplicable[0] != '\0') {
        grt_error_add(errors, path, "%s does not apply: %s", name, question->inapplicable);
    } else if (search->level > 0) {
        grt_error_add(
            errors, path,
            "there are none that %s accepts: of the tasks left, none keeps its deadlines at level %zu "
            "from below",
            name, search->level);
    } else {
        grt_error_add(errors, path, "%s does not prove the set with those that Audsley's algorithm finds",
                      name);
    }
}

bool grt_audsley_assign(const struct grt_scenario *scenario, struct grt_task *tasks,
                        const struct grt_analysis_ops *analysis, const void *parameters,
                        struct grt_errors *errors, const struct grt_path *path) {
    if (!is_possible(scenario, analysis, errors, path)) {
        return false;
    }
    struct grt_arena arena = {0};
    struct question question = {.analysis = analysis};
    struct grt_priority_search search;
    int64_t priorities[GRT_AUDSLEY_MOST_TASKS];
    prepare(&question, scenario, parameters, &arena);
    bool found = grt_priorities_audsley(scenario->task_count, passes_at, &question, priorities, &search) &&
                 proves_all(&question, priorities);
    for (size_t i = 0; i < scenario->task_count && found; i++) {
        tasks[i].priority = priorities[i];
    }
    if (!found) {
        refuse(&question, &search, errors, path);
    }
    grt_arena_clear(&arena);
    return found;
}

/* ---- which could be asked instead ---- */

static bool applies(const struct grt_scenario *scenario, const struct grt_analysis_ops *analysis) {
    struct grt_arena arena = {0};
    struct question question = {.analysis = analysis};
    prepare(&question, scenario, NULL, &arena);
    bool all = question.set_count > 0;
    for (size_t i = 0; i < question.set_count; i++) {
        struct grt_analysis_result result = grt_analysis_result_for(&question.sets[i], &arena);
        grt_analysis_run(analysis, &question.sets[i], &result);
        all &= result.verdict != GRT_VERDICT_INAPPLICABLE;
    }
    grt_arena_clear(&arena);
    return all;
}

const char *grt_audsley_candidates(const struct grt_scenario *scenario, char text[GRT_AUDSLEY_TEXT_SIZE]) {
    size_t used = 0;
    text[0] = '\0';
    for (const struct grt_analysis_ops *const *analysis = grt_analyses; *analysis != NULL; analysis++) {
        if (grt_audsley_objection(*analysis) == NULL && applies(scenario, *analysis)) {
            snprintf(text + used, GRT_AUDSLEY_TEXT_SIZE - used, "%s%s", used > 0 ? " or " : "",
                     (*analysis)->name);
            used = strlen(text);
        }
    }
    return text;
}
