#include "tests/support/multitasking.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/result/ideal.h"
#include "models/result/slack.h"
#include "scenarios/simulation.h"
#include "tests/support/cunit.h"

#define FOLDER "scenarios/papers/multitasking/"

enum { MOST_TASKS = 8, SET_SIZE = 4096, PATH_SIZE = 256 };

const char *const grt_scheduler_names[GRT_SCHEDULERS] = {
    "cpu-traditional", "cpu-interleave", "cpu-concurrent", "cpu-order", "gpu-synchronize", "gpu-atomics"};

/* ---- other arrivals ---- */

/* "tasks[0].times=[...]": the instants, multiplied. */
static void write_times(char set[SET_SIZE], uint32_t number, const struct grt_task *task,
                        const struct grt_variation *variation) {
    grt_time first = variation->in_phase ? task->times[0] : 0;
    int length = snprintf(set, SET_SIZE, "tasks[%" PRIu32 "].times=[", number);
    for (size_t i = 0; i < task->time_count; i++) {
        length += snprintf(set + length, SET_SIZE - (size_t)length, "%s\"%" PRId64 "ns\"", i > 0 ? "," : "",
                           (task->times[i] - first) * variation->percent / 100);
        CU_ASSERT_FATAL(length < SET_SIZE - 64);
    }
    snprintf(set + length, SET_SIZE - (size_t)length, "]");
}

/* The changes for all tasks with such a list; returns how many. */
static size_t write_changes(const char *path, const struct grt_variation *variation,
                            char sets[MOST_TASKS][SET_SIZE]) {
    struct grt_scenario_file file;
    struct grt_errors errors = {0};
    size_t count = 0;
    CU_ASSERT_FATAL(grt_scenario_read(path, NULL, &file, &errors));
    CU_ASSERT_FATAL(file.written.task_count <= MOST_TASKS);
    for (uint32_t i = 0; i < file.written.task_count; i++) {
        if (file.written.tasks[i].arrival == GRT_ARRIVAL_TIMES) {
            write_times(sets[count++], i, &file.written.tasks[i], variation);
        }
    }
    grt_scenario_file_free(&file);
    return count;
}

/* ---- a run ---- */

/* What the accumulated slack is beyond the ideal. */
static grt_signed_wide sum_up(const struct grt_simulation *simulation, struct grt_multitasking *out) {
    const struct grt_scenario *scenario = &simulation->file.written;
    const struct grt_result *result = simulation->result;
    const struct grt_ideal_times ideal = grt_ideal_times(scenario, GRT_IDEAL_ALONE, 1);
    struct grt_slack sum = {0};
    grt_signed_wide beyond = 0;
    *out = (struct grt_multitasking){.runs = true, .finishes = true};
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task_result *task = &result->tasks[i];
        grt_signed_wide own;
        CU_ASSERT_FATAL(grt_ideal_slack(scenario, &ideal, result, i, &own));
        grt_slack_add(&sum, &task->slack);
        beyond -= own;
        out->missed += task->missed;
        out->finishes = out->finishes && task->finished == task->released && task->skipped == 0;
        grt_time deviation =
            task->ends.gaps.count > 0 ? (grt_time)llround(grt_gap_deviation(&task->ends)) : 0;
        out->deviation = deviation > out->deviation ? deviation : out->deviation;
    }
    free(ideal.times);
    CU_ASSERT_FATAL(sum.count > 0);
    out->late = sum.late;
    out->lateness_mean = (grt_time)(sum.lateness / sum.count);
    out->lateness_max = sum.worst;
    return beyond + sum.accumulated;
}

void grt_multitasking_run(const char *name, const struct grt_variation *variation,
                          struct grt_multitasking out[GRT_SCHEDULERS]) {
    static char texts[MOST_TASKS][SET_SIZE];
    const char *sets[2 * MOST_TASKS];
    char path[PATH_SIZE];
    grt_signed_wide base = 0;
    snprintf(path, sizeof path, FOLDER "%s.json", name);
    size_t count = write_changes(path, variation, texts);
    for (size_t i = 0; i < count; i++) {
        sets[i] = texts[i];
    }
    for (size_t i = 0; variation->sets != NULL && variation->sets[i] != NULL; i++) {
        CU_ASSERT_FATAL(count < 2 * MOST_TASKS);
        sets[count++] = variation->sets[i];
    }
    for (int i = 0; i < GRT_SCHEDULERS; i++) {
        const struct grt_scenario_changes changes = {
            .policy = grt_scheduler_names[i], .sets = sets, .set_count = count};
        struct grt_simulation simulation = {0};
        struct grt_errors errors = {0};
        out[i] = (struct grt_multitasking){.performance = NAN};
        if (grt_simulation_load(&simulation, path, &changes, &errors) &&
            grt_simulation_run(&simulation, false, &errors)) {
            grt_signed_wide own = sum_up(&simulation, &out[i]);
            base = i == GRT_TRADITIONAL ? own : base;
            struct grt_performance performance = grt_performance_of(base, own);
            out[i].performance = performance.reason == NULL ? performance.ratio : NAN;
        }
        grt_errors_clear(&errors);
        grt_simulation_free(&simulation);
    }
}
