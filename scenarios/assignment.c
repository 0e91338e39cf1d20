#include "scenarios/assignment.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "models/allocation.h"
#include "models/demand.h"
#include "policies/analyses/registry.h"
#include "policies/audsley.h"
#include "scenarios/spelling.h"

/* ---- Cores ---- */

/* The time of a task's GPU segments, with their host parts. */
static grt_time gpu_time_of(const struct grt_scenario *scenario, const struct grt_task *task) {
    grt_time sum = 0;
    for (size_t i = 0; i < task->segment_count; i++) {
        if (task->segments[i].kind == GRT_SEGMENT_GPU) {
            grt_time time = grt_segment_time(scenario, task, &task->segments[i]);
            sum = time < GRT_TIME_NEVER - sum ? sum + time : GRT_TIME_NEVER;
        }
    }
    return sum;
}

static bool find_demands(struct grt_reader *reader, const struct grt_scenario_file *file,
                         struct grt_core_demand *demands) {
    static const struct grt_path root = {0};
    const struct grt_scenario *scenario = &file->scenario;
    bool spins = file->assignment.counts == GRT_ALLOCATION_COUNTS_CPU_AND_GPU;
    size_t before = reader->errors->count;
    struct grt_path list = {&root, "tasks", 0}, place = {&list, NULL, 0};
    for (; place.index < scenario->task_count; place.index++) {
        const struct grt_task *task = &scenario->tasks[place.index];
        grt_time gpu_time = spins ? gpu_time_of(scenario, task) : 0;
        if (!grt_task_core_demand(task, spins, gpu_time, &demands[place.index])) {
            grt_error_add(
                reader->errors, &place,
                "has no known utilisation, by which platform.allocation goes: it needs a period and "
                "longest times");
        }
    }
    return reader->errors->count == before;
}

/* `tasks` are the scenario's. */
static void allocate(struct grt_reader *reader, struct grt_scenario_file *file, struct grt_task *tasks) {
    static const struct grt_path root = {0};
    const struct grt_path platform = {&root, "platform", 0}, place = {&platform, "allocation", 0};
    const struct grt_scenario *scenario = &file->scenario;
    size_t count = scenario->task_count;
    enum grt_allocation_rule rule = (enum grt_allocation_rule)file->assignment.allocation;
    struct grt_core_demand *demands = grt_arena_array(reader->arena, count, sizeof *demands);
    int64_t *cores = grt_arena_array(reader->arena, count, sizeof *cores);
    if (!find_demands(reader, file, demands)) {
        return;
    }
    size_t refused = grt_allocate_cores(rule, demands, count, scenario->core_count, cores);
    if (refused < count) {
        grt_error_add(reader->errors, &place, "%s finds no room for task %s on %" PRId64 " core%s",
                      grt_allocation_rule_names[rule], tasks[refused].name, scenario->core_count,
                      scenario->core_count == 1 ? "" : "s");
        return;
    }
    for (size_t i = 0; i < count; i++) {
        tasks[i].cpu = cores[i];
    }
}

static void check_allocation(struct grt_reader *reader, const struct grt_scenario_fields *fields,
                             const cJSON *tree) {
    static const struct grt_path root = {0};
    const struct grt_path platform = {&root, "platform", 0}, rule = {&platform, "allocation", 0},
                          counts = {&platform, "allocation_counts", 0};
    if (fields->platform.allocation == GRT_ALLOCATION_GIVEN) {
        if (grt_json_find(grt_json_find(tree, "platform"), "allocation_counts") != NULL) {
            grt_error_add(reader->errors, &counts, "has no meaning without an allocation");
        }
    } else if (fields->platform.cpus == 0) {
        grt_error_add(reader->errors, &rule,
                      "not allowed because platform.cpus is 0: every task has a core of its own");
    }
}

/* ---- Priorities ---- */

static const struct grt_analysis_ops *find_analysis(struct grt_reader *reader, const char *name,
                                                    const struct grt_path *path) {
    const struct grt_analysis_ops *analysis = grt_analysis_find(name);
    if (analysis == NULL) {
        char shown[GRT_JSON_SHOWN_SIZE], hint[GRT_GUESS_TEXT_SIZE];
        struct grt_guess guess = grt_guess_start(name);
        for (const struct grt_analysis_ops *const *known = grt_analyses; *known != NULL; known++) {
            grt_guess_try(&guess, (*known)->name);
        }
        grt_error_add(reader->errors, path, "unknown analysis %s%s", grt_text_show(name, shown),
                      grt_guess_text(&guess, hint));
    }
    return analysis;
}

/* What else could be named: only what will not be refused, too. */
static const char *hint_of(const struct grt_scenario *scenario, struct grt_arena *arena) {
    char names[GRT_AUDSLEY_TEXT_SIZE], text[GRT_AUDSLEY_TEXT_SIZE + 64];
    grt_audsley_candidates(scenario, names);
    snprintf(text, sizeof text,
             names[0] != '\0' ? "; priority_analysis can name %s"
                              : "; nor does another that it can ask apply%s",
             names);
    return grt_arena_text(arena, text);
}

static const struct grt_analysis_ops *named_analysis(struct grt_reader *reader,
                                                     const struct grt_scenario_fields *fields,
                                                     const struct grt_scenario *scenario) {
    static const struct grt_path root = {0};
    const struct grt_path place = {&root, "priority_analysis", 0};
    const struct grt_analysis_ops *named = find_analysis(reader, fields->priority_analysis, &place);
    const char *objection = named != NULL ? grt_audsley_objection(named) : NULL;
    if (objection != NULL) {
        grt_error_add(reader->errors, &place, "Audsley's algorithm cannot ask %s, which %s%s", named->name,
                      objection, hint_of(scenario, reader->arena));
    }
    return objection == NULL ? named : NULL;
}

/* The analysis that is named, or the policy's; NULL after adding an error. */
static const struct grt_analysis_ops *choose_analysis(struct grt_reader *reader,
                                                      const struct grt_scenario_fields *fields,
                                                      const struct grt_scenario *scenario) {
    static const struct grt_path root = {0};
    const struct grt_path rule = {&root, "priorities", 0};
    if (fields->priority_analysis != NULL) {
        return named_analysis(reader, fields, scenario);
    }
    const struct grt_analysis_ops *own =
        grt_audsley_analysis_of(fields->policy.ops->name, fields->policy.parameters);
    if (own == NULL) {
        grt_error_add(reader->errors, &rule,
                      "policy %s has no analysis of its own that Audsley's algorithm can ask%s",
                      fields->policy.ops->name, hint_of(scenario, reader->arena));
    }
    return own;
}

/* `tasks` are the scenario's. */
static void ask_audsley(struct grt_reader *reader, const struct grt_scenario_fields *fields,
                        struct grt_scenario_file *file, struct grt_task *tasks) {
    static const struct grt_path root = {0};
    const struct grt_path rule = {&root, "priorities", 0};
    const struct grt_analysis_ops *analysis = choose_analysis(reader, fields, &file->scenario);
    if (analysis != NULL) {
        bool own = grt_analysis_is_of(analysis, file->policy->name);
        file->assignment.analysis = analysis;
        grt_audsley_assign(&file->scenario, tasks, analysis, own ? file->policy_parameters : NULL,
                           reader->errors, &rule);
    }
}

static void check_analysis(struct grt_reader *reader, const struct grt_scenario_fields *fields,
                           int64_t rule) {
    static const struct grt_path root = {0};
    const struct grt_path name = {&root, "priority_analysis", 0};
    if (fields->priority_analysis != NULL && rule != GRT_PRIORITIES_AUDSLEY) {
        grt_error_add(reader->errors, &name, "has a meaning only with \"priorities\": \"audsley\"");
    }
}

void grt_scenario_assign(struct grt_reader *reader, const struct grt_scenario_fields *fields,
                         const cJSON *tree, struct grt_scenario_file *file) {
    struct grt_scenario_assignment *assignment = &file->assignment;
    size_t before = reader->errors->count;
    bool asked = grt_json_find(tree, "priorities") != NULL;
    assignment->priorities = asked ? (int64_t)grt_priority_choice(fields) : GRT_PRIORITIES_EXPLICIT;
    assignment->allocation = fields->platform.allocation;
    assignment->counts = fields->platform.allocation_counts;
    check_allocation(reader, fields, tree);
    check_analysis(reader, fields, assignment->priorities);
    if (reader->errors->count > before) {
        return;
    }
    /* Copied by scenario.c into the reader's arena, to be changed until the scenario is handed out. */
    struct grt_task *tasks = (struct grt_task *)(size_t)file->scenario.tasks;
    if (assignment->allocation != GRT_ALLOCATION_GIVEN) {
        allocate(reader, file, tasks);
    }
    if (assignment->priorities == GRT_PRIORITIES_AUDSLEY && reader->errors->count == before) {
        ask_audsley(reader, fields, file, tasks);
    }
}
