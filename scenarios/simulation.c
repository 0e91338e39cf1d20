#include "scenarios/simulation.h"

#include "sim/check.h"

static void require_empty(const struct grt_simulation *simulation) {
    GRT_REQUIRE(!simulation->loaded && simulation->trace == NULL,
                "a simulation is loaded once: call grt_simulation_free before another scenario");
}

bool grt_simulation_load(struct grt_simulation *simulation, const char *path,
                         const struct grt_scenario_changes *changes, struct grt_errors *errors) {
    require_empty(simulation);
    simulation->loaded = grt_scenario_read(path, changes, &simulation->file, errors);
    return simulation->loaded;
}

bool grt_simulation_parse(struct grt_simulation *simulation, const struct grt_scenario_text *text,
                          const struct grt_scenario_changes *changes, struct grt_errors *errors) {
    require_empty(simulation);
    simulation->loaded =
        grt_scenario_parse(text->bytes, text->size, text->folder, changes, &simulation->file, errors);
    return simulation->loaded;
}

static struct grt_trace *trace_of(struct grt_simulation *simulation) {
    GRT_REQUIRE(simulation->loaded, "load a scenario before asking for its trace");
    GRT_REQUIRE(simulation->world == NULL, "ask for a trace before the run");
    if (simulation->trace == NULL) {
        simulation->trace = grt_trace_create();
    }
    return simulation->trace;
}

void grt_simulation_add_sink(struct grt_simulation *simulation, const struct grt_trace_sink *sink,
                             void *state) {
    grt_trace_add_sink(trace_of(simulation), sink, state);
}

void grt_simulation_expect(struct grt_simulation *simulation) {
    GRT_REQUIRE(
        simulation->loaded && simulation->world == NULL && !simulation->expects,
        "say once that a simulation's expectations will be checked, after loading it and before the run");
    simulation->expects = true;
    if (grt_expect_needs_trace(&simulation->file.expect)) {
        grt_simulation_add_sink(simulation, &grt_trace_memory_sink, &simulation->kept);
    } else if (simulation->file.expect.trace_digest != NULL) {
        trace_of(simulation);
    }
}

bool grt_simulation_prepare(struct grt_simulation *simulation, bool no_cohorts, struct grt_errors *errors) {
    GRT_REQUIRE(simulation->loaded, "load a scenario before preparing its world");
    GRT_REQUIRE(simulation->world == NULL,
                "a simulation has one world: call grt_simulation_free before another");
    struct grt_world_options options = {.trace = simulation->trace,
                                        .no_cohorts = no_cohorts,
                                        .ends_unheard = simulation->ends_unheard,
                                        .most_waiting = simulation->most_waiting};
    simulation->world = grt_world_create(&simulation->file.scenario, simulation->file.policy,
                                         simulation->file.policy_parameters, &options, errors);
    return simulation->world != NULL;
}

bool grt_simulation_run(struct grt_simulation *simulation, bool no_cohorts, struct grt_errors *errors) {
    GRT_REQUIRE(simulation->result == NULL,
                "a simulation runs once: call grt_simulation_free before another");
    if (simulation->world == NULL && !grt_simulation_prepare(simulation, no_cohorts, errors)) {
        return false;
    }
    grt_world_run(simulation->world);
    if (simulation->trace != NULL) {
        grt_trace_finish(simulation->trace); /* sinks that failed are asked for the reason by who made them */
    }
    simulation->result = grt_world_result(simulation->world);
    return true;
}

bool grt_simulation_is_whole(const struct grt_simulation *simulation, struct grt_errors *errors) {
    GRT_REQUIRE(simulation->result != NULL, "run the simulation before asking whether it is whole");
    return grt_world_is_whole(simulation->world, errors);
}

bool grt_simulation_is_as_expected(struct grt_simulation *simulation, struct grt_errors *errors) {
    GRT_REQUIRE(simulation->result != NULL, "run the simulation before looking for what was expected");
    GRT_REQUIRE(simulation->expects,
                "call grt_simulation_expect before the run whose expectations are to be checked");
    return grt_expect_check(&simulation->file.expect, simulation->result, &simulation->kept,
                            simulation->trace != NULL ? simulation->trace->digest : 0, errors);
}

void grt_simulation_free(struct grt_simulation *simulation) {
    if (simulation->world != NULL) {
        grt_world_free(simulation->world);
    }
    if (simulation->trace != NULL) {
        grt_trace_free(simulation->trace);
    }
    grt_trace_memory_free(&simulation->kept);
    if (simulation->loaded) {
        grt_scenario_file_free(&simulation->file);
    }
    *simulation = (struct grt_simulation){0};
}
