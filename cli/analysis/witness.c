#include "cli/analysis/witness.h"

#include <stdlib.h>
#include <string.h>

#include "cli/terminal/text_table.h"
#include "scenarios/simulation.h"

/* No witness of a set that a person looks at takes longer than some thousands of jobs. */
#define MOST_JOBS 5e6

struct attempt {
    const struct grt_scenario_source *source;
    const struct grt_scenario *scenario;
    struct grt_release_pattern pattern;
};

/* ---- the pattern ---- */

static const struct grt_analyzed *first_witness(const struct grt_analysis_report *report,
                                                const struct grt_analyzed_gpu **gpu) {
    for (size_t i = 0; i < report->gpu_count; i++) {
        for (size_t j = 0; j < report->gpus[i].analysis_count; j++) {
            const struct grt_analyzed *analyzed = &report->gpus[i].analyses[j];
            if (analyzed->of_policy && analyzed->result.has_witness) {
                *gpu = &report->gpus[i];
                return analyzed;
            }
        }
    }
    return NULL;
}

static const grt_time *releases_of(const struct grt_analyzed *analyzed, const struct grt_analysis_set *set,
                                   size_t task_count, struct grt_arena *arena) {
    grt_time *first = grt_arena_array(arena, task_count, sizeof *first);
    for (size_t i = 0; i < task_count; i++) {
        first[i] = GRT_TIME_NEVER;
    }
    for (size_t i = 0; i < set->count; i++) {
        first[set->tasks[i].number] = analyzed->result.first_release[i];
    }
    return first;
}

/* Until the first deadline of any. */
static grt_time shortest_horizon(const struct attempt *attempt) {
    grt_time horizon = GRT_TIME_LIMIT;
    for (size_t i = 0; i < attempt->scenario->task_count; i++) {
        grt_time first = attempt->pattern.first_releases[i], deadline = attempt->scenario->tasks[i].deadline;
        if (first < GRT_TIME_LIMIT && deadline < GRT_TIME_LIMIT && first + deadline < horizon) {
            horizon = first + deadline + 1;
        }
    }
    return horizon;
}

static double jobs_within(const struct attempt *attempt, grt_time horizon) {
    double jobs = 0.0;
    for (size_t i = 0; i < attempt->scenario->task_count; i++) {
        bool comes = attempt->pattern.first_releases[i] != GRT_TIME_NEVER;
        grt_time period = attempt->scenario->tasks[i].period;
        jobs += comes && period > 0 ? (double)horizon / (double)period : 0.0;
    }
    return jobs;
}

/* Behind a missed deadline, so that the late job can end. */
static grt_time horizon_behind(grt_time miss, const struct grt_analysis_set *set) {
    grt_time longest = 1;
    for (size_t i = 0; i < set->count; i++) {
        grt_time time = grt_span_sum(grt_analyzed_time(&set->tasks[i], GRT_USE_DEVICE),
                                     grt_analyzed_time(&set->tasks[i], GRT_USE_HOST_PARTS));
        longest = time > longest && time < GRT_TIME_LIMIT ? time : longest;
    }
    return miss < GRT_TIME_LIMIT - longest ? miss + longest : GRT_TIME_LIMIT;
}

/* ---- simulating it ---- */

static const char *missing_task(const struct grt_simulation *simulation,
                                const struct grt_scenario *scenario) {
    for (size_t i = 0; i < simulation->result->task_count; i++) {
        if (simulation->result->tasks[i].missed > 0) {
            return scenario->tasks[i].name;
        }
    }
    return NULL;
}

/* Reads a witness and simulates it: NULL where it cannot be read or nothing is missed, else who misses, with *end the end of the run. */
static const char *simulate(const struct attempt *attempt, const char *text, grt_time *end,
                            struct grt_errors *errors) {
    struct grt_simulation simulation = {0};
    const struct grt_scenario_text scenario = {text, strlen(text), attempt->source->folder};
    const char *task = NULL;
    if (grt_simulation_parse(&simulation, &scenario, NULL, errors) &&
        grt_simulation_run(&simulation, false, errors)) {
        task = missing_task(&simulation, attempt->scenario);
        *end = simulation.result->end;
    }
    grt_simulation_free(&simulation);
    return task;
}

/* When the first deadline is missed: with horizons that double. GRT_TIME_NEVER: none is, or it takes too long. */
static grt_time first_miss(struct attempt *attempt, struct grt_errors *errors) {
    attempt->pattern.stops_at_miss = true;
    for (grt_time horizon = shortest_horizon(attempt);
         errors->count == 0 && jobs_within(attempt, horizon) <= MOST_JOBS; horizon *= 2) {
        attempt->pattern.horizon = horizon;
        char *text = grt_release_pattern_write(attempt->source, attempt->scenario, &attempt->pattern);
        grt_time end = GRT_TIME_NEVER;
        const char *task = simulate(attempt, text, &end, errors);
        free(text);
        if (task != NULL) {
            return end;
        }
        if (horizon > GRT_TIME_LIMIT / 2) {
            break;
        }
    }
    return GRT_TIME_NEVER;
}

struct grt_analysis_witness grt_analysis_witness_make(const struct grt_analysis_report *report,
                                                      const struct grt_scenario_source *source,
                                                      struct grt_errors *errors) {
    struct grt_arena arena = {0};
    const struct grt_analyzed_gpu *gpu = NULL;
    struct grt_analysis_witness witness = {.analyzed = first_witness(report, &gpu)};
    if (witness.analyzed == NULL) {
        return witness;
    }
    const struct grt_scenario *scenario = &report->file->scenario;
    struct attempt attempt = {source, scenario, {0}};
    attempt.pattern.first_releases = releases_of(witness.analyzed, &gpu->set, scenario->task_count, &arena);
    attempt.pattern.description =
        grt_format(&arena, "Releases that miss a deadline under %s, by gpurt's analysis %s",
                   report->file->policy->name, witness.analyzed->ops->name);
    witness.miss = first_miss(&attempt, errors);
    if (witness.miss != GRT_TIME_NEVER) {
        grt_time end;
        attempt.pattern.stops_at_miss = false;
        attempt.pattern.horizon = horizon_behind(witness.miss, &gpu->set);
        witness.text = grt_release_pattern_write(source, scenario, &attempt.pattern);
        witness.task = simulate(&attempt, witness.text, &end, errors);
    }
    if (witness.task == NULL) {
        grt_error_add(errors, NULL, "the witness of %s misses no deadline within the first %.0f jobs",
                      witness.analyzed->ops->name, MOST_JOBS);
        free(witness.text);
        witness.text = NULL;
    }
    grt_arena_clear(&arena);
    return witness;
}
