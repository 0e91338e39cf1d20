/* One scenario from file to result, for the commands that simulate. Order of calls: grt_simulation_load, then
 * grt_simulation_add_sink and grt_simulation_expect as wanted, grt_simulation_run, then the rest. */
#ifndef GRT_CLI_SIMULATION_H
#define GRT_CLI_SIMULATION_H

#include <stdbool.h>

#include "models/world.h"
#include "scenarios/scenario.h"
#include "sim/trace.h"

/* Start it as {0}. */
struct grt_simulation {
    const char *path;
    bool loaded;
    struct grt_scenario_file file;
    struct grt_trace *trace;      /* NULL where nothing needs one */
    struct grt_trace_memory kept; /* what `expect` needs of the trace */
    struct grt_world *world;
    const struct grt_result *result; /* after a successful run */
};

/* Reads the scenario; false after adding errors. */
bool grt_simulation_load(struct grt_simulation *simulation, const char *path,
                         const struct grt_scenario_changes *changes, struct grt_errors *errors);

/* Has the trace sent to a sink. */
void grt_simulation_add_sink(struct grt_simulation *simulation, const struct grt_trace_sink *sink,
                             void *state);

/* Has everything kept that checking the file's expectations needs. */
void grt_simulation_expect(struct grt_simulation *simulation);

/* Builds the world without running it; false after adding the errors of a scenario that cannot be run. */
bool grt_simulation_prepare(struct grt_simulation *simulation, bool no_cohorts, struct grt_errors *errors);

/* Builds the world and simulates; false after adding the errors of a scenario that cannot be run. */
bool grt_simulation_run(struct grt_simulation *simulation, bool no_cohorts, struct grt_errors *errors);

/* Compares the result with the file's expectations, after grt_simulation_expect; adds an error for each difference. */
bool grt_simulation_is_as_expected(struct grt_simulation *simulation, struct grt_errors *errors);

void grt_simulation_free(struct grt_simulation *simulation);

/* Prints errors as "gpurt: PATH: ..." to standard error and empties the list. `path` NULL: without it; "-" is
 * called standard input. */
void grt_print_errors(struct grt_errors *errors, const char *path);

#endif
