#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/command.h"
#include "calib/program/files/file_taken.h"
#include "calib/program/scenario_options.h"
#include "calib/program/validate/fingerprint.h"
#include "calib/program/validate/picture.h"
#include "calib/program/validate/report.h"
#include "cli/terminal/change_options.h"
#include "cli/terminal/command_line.h"
#include "cli/terminal/output_file.h"
#include "cli/terminal/print_errors.h"
#include "cli/terminal/same_file.h"
#include "scenarios/simulation.h"
#include "sim/trace_file.h"

enum { KEY_JSON = 0xb00, KEY_TOLERANCE, KEY_PICTURE, KEY_WINDOW, MOST_TRACES = 64, PICTURE_WIDTH = 1200 };

struct validate_command {
    struct grt_scenario_changes changes;
    struct grt_style style;
    const char *scenario, *traces[MOST_TRACES], *json, *picture;
    size_t trace_count;
    grt_time tolerance; /* GRT_TIME_NEVER: none is asked for */
    grt_time from, to;  /* of the picture */
    bool quiet;
    uint64_t given;
};

/* ---- options ---- */

static const struct argp_option options[] = {
    {0, 0, NULL, 0, "What comes out:", 1},
    {"json", KEY_JSON, "FILE", 0, "Write all of it as JSON (- for standard output, then without tables)", 0},
    {"picture", KEY_PICTURE, "FILE", 0,
     "Draw the measured run above the simulated one, as SVG, PNG or PDF; of one trace only", 0},
    {"window", KEY_WINDOW, "FROM,TO", 0, "The part of the run that is drawn, as in 10ms,60ms", 0},
    {"tolerance", KEY_TOLERANCE, "TIME", 0,
     "End with exit code 1 where something is in one trace only, a start or an end is farther off, or one of "
     "both runs "
     "goes on where the other one has ended, unless --until ended the simulation there",
     0},
    {"quiet", 'q', NULL, 0, "Print no tables", 0},
    {0}};

static void add_file(struct validate_command *command, const char *argument, const struct argp_state *state) {
    if (command->scenario == NULL) {
        grt_option_scenario(&command->scenario, argument, state);
    } else if (command->trace_count < MOST_TRACES) {
        command->traces[command->trace_count++] = argument;
    } else {
        grt_argp_error(state, "takes %d traces at most", MOST_TRACES);
    }
}

static void check(const struct validate_command *command, const struct argp_state *state) {
    if (command->trace_count == 0) {
        grt_argp_error(state,
                       command->scenario == NULL ? "which scenario, and which traces?" : "which traces?");
    }
    if (command->picture != NULL && command->trace_count > 1) {
        grt_argp_error(state, "--picture is of one trace only");
    }
    if (command->picture == NULL && command->to != GRT_TIME_NEVER) {
        grt_argp_error(state, "--window belongs to --picture");
    }
    const struct grt_output_option outputs[] = {{"--json", command->json}, {"--picture", command->picture}};
    grt_check_outputs("scenario", command->scenario, outputs, state);
    for (size_t i = 0; i < command->trace_count; i++) {
        grt_check_outputs("trace", command->traces[i], outputs, state);
    }
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct validate_command *command = state->input;
    const struct grt_plain_option plain[] = {{KEY_JSON, "--json", .text = &command->json},
                                             {KEY_PICTURE, "--picture", .text = &command->picture},
                                             {'q', .flag = &command->quiet},
                                             {0}};
    grt_option_once(&command->given, options, key, state);
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &command->changes;
        state->child_inputs[1] = &command->style;
        return 0;
    case KEY_WINDOW:
        grt_parse_window("--window", argument, &command->from, &command->to, state);
        return 0;
    case KEY_TOLERANCE:
        command->tolerance = grt_option_time("--tolerance", argument, state);
        return 0;
    case ARGP_KEY_ARG:
        add_file(command, argument, state);
        return 0;
    case ARGP_KEY_END:
        check(command, state);
        return 0;
    default:
        return grt_option_keep(plain, key, argument, state) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&grt_scenario_argp, 0, NULL, 0}, {&grt_style_argp, 0, NULL, 0}, {0}};

const struct argp grt_calib_validate_argp = {
    .options = options,
    .parser = parse_option,
    .children = children,
    .args_doc = "SCENARIO TRACE...",
    .doc = "Simulates a scenario and says how far the simulation is from what a device did with it "
           "(gpurt-calib trace): of "
           "every block, kernel, copy and response time. Errors are simulated minus measured. gpurt-view "
           "SCENARIO "
           "TRACE shows both side by side."
           "\v"
           "Examples:\n"
           "  gpurt-calib validate two-tasks.json two-tasks.trace\n"
           "  gpurt-calib validate mine.json run1.trace run2.trace --tolerance=20us\n"
           "  gpurt-calib validate mine.json run1.trace --picture=both.svg \\\n"
           "      --window=0ms,10ms\n"
           "\n"
           "Exit codes: 0 done; 1 failed while running, or beyond the tolerance; 2 bad input or usage."};

/* ---- the whole ---- */

struct job {
    const struct validate_command *command;
    const struct grt_trace_memory *simulated;
    const char *fingerprint;
    uint64_t seed;
    bool draws;
    cJSON *list;
    bool within;
    struct grt_errors errors;
};

static bool draw(struct job *job, const struct grt_trace_memory *measured) {
    const struct validate_command *command = job->command;
    struct grt_validation_picture picture = {.simulated = job->simulated,
                                             .measured = measured,
                                             .from = command->from,
                                             .to = command->to,
                                             .width = PICTURE_WIDTH,
                                             .path = command->picture};
    return command->picture == NULL || grt_validation_draw(&picture, &job->errors);
}

/* The scenario that a trace says it is of; "" where it does not. */
static const char *scenario_of(const struct grt_trace_memory *trace) {
    for (size_t i = 0; i < trace->name_count; i++) {
        if (trace->names[i].kind == GRT_NAME_RUN) {
            return trace->names[i].text;
        }
    }
    return "";
}

/* False after adding an error where a trace is of a scenario of another name, or was cut off. */
static bool check_scenario(struct job *job, const char *path, const struct grt_trace_memory *measured) {
    const char *ours = scenario_of(job->simulated), *theirs = scenario_of(measured);
    if (grt_origin_of(measured).cut) {
        grt_error_add(&job->errors, NULL, "%s: was cut off: its end is not there", path);
        return false;
    }
    bool same = ours[0] == '\0' || theirs[0] == '\0' || strcmp(ours, theirs) == 0;
    if (!same) {
        grt_error_add(&job->errors, NULL, "%s: is of the scenario \"%s\", not of \"%s\"", path, theirs, ours);
    }
    return same;
}

/* Within the tolerance, if there is one? What was not compared, or is of another scenario, is not. */
static void judge(struct job *job, const struct grt_validated_trace *trace, struct grt_arena *arena) {
    grt_time tolerance = job->command->tolerance;
    const char *reasons[] = {grt_validation_part(trace->validation, arena),
                             grt_validation_mismatch(trace, arena)};
    for (size_t i = 0; tolerance != GRT_TIME_NEVER && i < sizeof reasons / sizeof reasons[0]; i++) {
        if (reasons[i] != NULL) {
            grt_error_add(&job->errors, NULL, "%s: %s", trace->path, reasons[i]);
            job->within = false;
        }
    }
    job->within &= tolerance == GRT_TIME_NEVER || grt_validation_is_within(trace->validation, tolerance);
}

/* One trace. */
static enum grt_exit validate(struct job *job, const char *path, bool first) {
    const struct validate_command *command = job->command;
    struct grt_trace_memory measured = {0};
    if (!grt_trace_file_read(path, &measured, &job->errors)) {
        grt_taken_explain(path, GRT_TAKEN_TRACE, true, &job->errors);
        return GRT_EXIT_INPUT;
    }
    if (!check_scenario(job, path, &measured)) {
        grt_trace_memory_free(&measured);
        return GRT_EXIT_INPUT;
    }
    struct grt_arena arena = {0};
    struct grt_validation *validation = grt_validate(job->simulated, &measured, &arena);
    struct grt_validated_trace trace = {path,      validation, grt_origin_of(&measured), job->fingerprint,
                                        job->seed, job->draws};
    validation->part_is_asked = command->changes.horizon != NULL;
    if (!command->quiet && !grt_is_standard_output(command->json)) {
        if (!first) {
            putchar('\n');
        }
        grt_validation_print(&trace, &command->style, stdout);
    }
    if (job->list != NULL) {
        cJSON_AddItemToArray(job->list, grt_validation_json(&trace));
    }
    judge(job, &trace, &arena);
    bool drawn = draw(job, &measured);
    grt_arena_clear(&arena);
    grt_trace_memory_free(&measured);
    return drawn ? GRT_EXIT_DONE : GRT_EXIT_FAILED;
}

static enum grt_exit validate_all(struct job *job) {
    const struct validate_command *command = job->command;
    job->list = command->json != NULL ? cJSON_CreateArray() : NULL;
    enum grt_exit code = GRT_EXIT_DONE;
    for (size_t i = 0; i < command->trace_count && code == GRT_EXIT_DONE; i++) {
        code = validate(job, command->traces[i], i == 0);
    }
    if (code == GRT_EXIT_DONE && command->json != NULL) {
        char *text = cJSON_Print(job->list);
        code = grt_output_text(command->json, text, "\n", &job->errors) ? code : GRT_EXIT_FAILED;
        cJSON_free(text);
    }
    cJSON_Delete(job->list);
    return code == GRT_EXIT_DONE && !job->within ? GRT_EXIT_FAILED : code;
}

static enum grt_exit simulate_and_validate(struct job *job) {
    const struct validate_command *command = job->command;
    struct grt_simulation simulation = {0};
    struct grt_arena arena = {0};
    struct grt_trace_memory simulated = {0};
    enum grt_exit code = GRT_EXIT_INPUT;
    if (!grt_simulation_load(&simulation, command->scenario, &command->changes, &job->errors)) {
        grt_taken_explain(command->scenario, GRT_TAKEN_SCENARIO, false, &job->errors);
    } else {
        grt_simulation_add_sink(&simulation, &grt_trace_memory_sink, &simulated);
        if (grt_simulation_run(&simulation, false, &job->errors) &&
            grt_simulation_is_whole(&simulation, &job->errors)) {
            job->simulated = &simulated;
            job->fingerprint = grt_scenario_fingerprint(&simulation.file, &arena);
            job->seed = simulation.file.scenario.seed;
            job->draws = grt_scenario_draws(&simulation.file.scenario);
            code = GRT_EXIT_DONE;
        }
    }
    grt_print_errors(&job->errors, command->scenario);
    code = code == GRT_EXIT_DONE ? validate_all(job) : code;
    grt_trace_memory_free(&simulated);
    grt_simulation_free(&simulation);
    grt_arena_clear(&arena);
    return code;
}

enum grt_exit grt_calib_validate(int argc, char **argv) {
    struct validate_command command = {
        .style = grt_style_default(), .tolerance = GRT_TIME_NEVER, .to = GRT_TIME_NEVER};
    grt_options_parse(&grt_calib_validate_argp, argc, argv, &command);
    struct job job = {.command = &command, .within = true};
    enum grt_exit code = simulate_and_validate(&job);
    grt_print_errors(&job.errors, NULL);
    grt_change_options_free(&command.changes);
    return code;
}
