#include "tests/support/wamp2s_figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/device/contention.h"
#include "scenarios/scenario.h"
#include "tests/support/cunit.h"
#include "tests/support/wamp2s_models.h"

#define FOLDER "scenarios/papers/wamp2s/"

enum { PATH_SIZE = 256 };

/* ---- what a run measured ---- */

static uint64_t jobs_of(const struct grt_result *result) {
    uint64_t jobs = 0;
    for (size_t i = 0; i < result->task_count; i++) {
        jobs += result->tasks[i].released;
    }
    return jobs;
}

static uint64_t missed_of(const struct grt_result *result) {
    uint64_t missed = 0;
    for (size_t i = 0; i < result->task_count; i++) {
        missed += result->tasks[i].missed;
    }
    return missed;
}

static void run_file(const char *name, const char *const *sets, size_t set_count,
                     const struct grt_networks *networks, struct grt_simulation *simulation) {
    char path[PATH_SIZE];
    const struct grt_scenario_changes changes = {.sets = sets, .set_count = set_count};
    struct grt_errors errors = {0};
    snprintf(path, sizeof path, FOLDER "%s.json", name);
    bool runs = grt_simulation_load(simulation, path, &changes, &errors);
    simulation->file.scenario.networks = networks;
    runs = runs && grt_simulation_run(simulation, false, &errors);
    grt_errors_print(&errors, stdout, path);
    CU_ASSERT_FATAL(runs);
    grt_errors_clear(&errors);
}

/* ---- figures 1 and 6 ---- */

enum { LAVAMD = 4 };

static void read_applications(struct grt_scenario_file *file) {
    struct grt_errors errors = {0};
    CU_ASSERT_FATAL(grt_scenario_read(FOLDER "rodinia-1.0-wamp2s.json", NULL, file, &errors));
}

static const struct grt_usage *usage_of(const struct grt_scenario_file *file, size_t application) {
    return file->written.tasks[application].segments[0].commands[0].kernel.usage;
}

double wamp2s_lavamd(size_t others, int64_t share_mode) {
    struct grt_scenario_file file;
    struct grt_sharer sharers[RODINIA_APPLICATIONS];
    double speeds[RODINIA_APPLICATIONS];
    uint32_t count = 0;
    read_applications(&file);
    struct grt_device device = file.written.gpus[0];
    device.share_mode = share_mode;
    for (size_t i = 0; count < others; i++) {
        if (i != LAVAMD) {
            sharers[count++] = (struct grt_sharer){usage_of(&file, i), GRT_NO_CLASS, GRT_FULL_SHARE};
        }
    }
    sharers[count++] = (struct grt_sharer){usage_of(&file, LAVAMD), GRT_NO_CLASS, GRT_FULL_SHARE};
    grt_contention_speeds(grt_contention_create(&device, &file.arena), sharers, count, speeds);
    grt_scenario_file_free(&file);
    return (double)rodinia_applications[LAVAMD].worst / 1e6 / speeds[count - 1];
}

double wamp2s_alone(size_t application, int64_t share) {
    struct grt_scenario_file file;
    read_applications(&file);
    double factor = grt_usage_share_factor(usage_of(&file, application), share);
    grt_scenario_file_free(&file);
    return factor;
}

/* ---- table 4 ---- */

int64_t wamp2s_airborne(const char *name, const char *predictor, unsigned seed, uint64_t *jobs) {
    struct grt_simulation simulation = {0};
    char file[64], texts[2][64];
    const char *const sets[] = {texts[0], texts[1]};
    snprintf(file, sizeof file, "airborne-%s", name);
    snprintf(texts[0], sizeof texts[0], "seed=%u", seed);
    snprintf(texts[1], sizeof texts[1], "policy.predictor=%s", predictor != NULL ? predictor : "");
    run_file(file, sets, predictor != NULL ? 2 : 1, wamp2s_airborne_networks(), &simulation);
    *jobs = jobs_of(simulation.result);
    int64_t missed = (int64_t)missed_of(simulation.result);
    grt_simulation_free(&simulation);
    return missed;
}
