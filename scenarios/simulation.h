/* One scenario from file to result. Order of calls: grt_simulation_load or grt_simulation_parse; grt_simulation_add_sink and
 * grt_simulation_expect as wanted; grt_simulation_prepare, if the world is to be looked at before it runs, or not run at all;
 * grt_simulation_run; grt_simulation_is_whole and grt_simulation_is_as_expected; grt_simulation_free, which may follow on any of them. Loading, expecting, preparing
 * and running each once: another order aborts. After errors only grt_simulation_free may follow, or, after a file that was not read, another one. */
#ifndef GRT_SCENARIOS_SIMULATION_H
#define GRT_SCENARIOS_SIMULATION_H

#include <stdbool.h>

#include "models/world.h"
#include "scenarios/scenario.h"
#include "sim/trace.h"

/* Start it as {0}. */
struct grt_simulation {
    bool loaded;
    bool ends_unheard;     /* wanted by the caller: see struct grt_world_options */
    bool expects;          /* grt_simulation_expect was called */
    uint32_t most_waiting; /* the same: 0 for what is usual */
    struct grt_scenario_file file;
    struct grt_trace *trace;      /* NULL where nothing needs one */
    struct grt_trace_memory kept; /* what `expect` needs of the trace */
    struct grt_world *world;
    const struct grt_result *result; /* after a successful run */
};

/* Reads the scenario; false after adding errors. */
bool grt_simulation_load(struct grt_simulation *simulation, const char *path,
                         const struct grt_scenario_changes *changes, struct grt_errors *errors);

/* A scenario in memory. */
struct grt_scenario_text {
    const char *bytes;
    size_t size;
    const char *folder; /* where relative device files are sought */
};

/* The same of a text, which is not needed any more afterwards. */
bool grt_simulation_parse(struct grt_simulation *simulation, const struct grt_scenario_text *text,
                          const struct grt_scenario_changes *changes, struct grt_errors *errors);

/* Has the trace sent to a sink. */
void grt_simulation_add_sink(struct grt_simulation *simulation, const struct grt_trace_sink *sink,
                             void *state);

/* Has everything kept that checking the file's expectations needs. Once, before the world is made. */
void grt_simulation_expect(struct grt_simulation *simulation);

/* Builds the world without running it; false after adding the errors of a scenario that cannot be run. `no_cohorts`: every thread
 * block is simulated by itself, which is slower and has the same results (struct grt_world_options). */
bool grt_simulation_prepare(struct grt_simulation *simulation, bool no_cohorts, struct grt_errors *errors);

/* Builds the world, where grt_simulation_prepare has not done so (which then has said `no_cohorts`), and simulates; false after adding
 * the errors of a scenario that cannot be run. */
bool grt_simulation_run(struct grt_simulation *simulation, bool no_cohorts, struct grt_errors *errors);

/* Whether the run ended where it should. False after adding an error that says when and why it ended before; its result is of the time until then. */
bool grt_simulation_is_whole(const struct grt_simulation *simulation, struct grt_errors *errors);

/* Compares the result with the file's expectations, after grt_simulation_expect and a successful run; adds an error for each difference. */
bool grt_simulation_is_as_expected(struct grt_simulation *simulation, struct grt_errors *errors);

/* Also of {0}; leaves it so. */
void grt_simulation_free(struct grt_simulation *simulation);

#endif
