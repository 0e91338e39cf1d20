#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "calib/measure/host.h"
#include "calib/pretend/pretend.h"
#include "calib/program/backend.h"
#include "calib/program/command.h"
#include "calib/program/files/file_taken.h"
#include "calib/program/scenario_options.h"
#include "calib/program/validate/fingerprint.h"
#include "calib/program/validate/origin.h"
#include "calib/replay/replay.h"
#include "cli/terminal/change_options.h"
#include "cli/terminal/command_line.h"
#include "cli/terminal/date.h"
#include "cli/terminal/interruption.h"
#include "cli/terminal/output_file.h"
#include "cli/terminal/paragraph.h"
#include "cli/terminal/print_errors.h"
#include "cli/terminal/program.h"
#include "cli/terminal/same_file.h"
#include "cli/terminal/text_table.h"
#include "sim/program_name.h"
#include "sim/trace_file.h"

enum { KEY_REAL = 0xa00, MOST_REAL = 64, HOST_SIZE = 160 };

/* As when measuring. */
static const grt_time warm_up = 500 * GRT_MILLISECOND;

struct trace_command {
    struct grt_backend_options backend;
    struct grt_scenario_changes changes;
    const char *scenario, *output;
    bool quiet;
    struct grt_replay_real real[MOST_REAL];
    size_t real_count;
    uint64_t given;
};

/* ---- options ---- */

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "The trace file. Needed", 0},
    {"real", KEY_REAL, "NAME=AMOUNT", 0,
     "Execute kernels of this name as the measuring kernel of the same name (gpurt-calib measure), with that "
     "amount of "
     "work, instead of spinning; may be given often",
     0},
    {"quiet", 'q', NULL, 0, "Print nothing", 0},
    {0}};

static void add_real(struct trace_command *command, char *argument, const struct argp_state *state) {
    char *equals = strchr(argument, '=');
    if (equals == NULL) {
        grt_argp_error(state, "--real must be NAME=AMOUNT, as in --real fma=4096 (got '%s')", argument);
        return;
    }
    if (command->real_count == MOST_REAL) {
        grt_argp_error(state, "--real can be given %d times at most", MOST_REAL);
    }
    *equals = '\0';
    struct grt_replay_real real = {.name = argument, .kernel = GRT_KERNEL_IDS};
    real.amount = grt_option_whole("--real", equals + 1, 1, UINT64_C(1) << 40, state);
    for (int id = GRT_KERNEL_FMA; id <= GRT_KERNEL_CHASE; id++) {
        real.kernel = strcmp(grt_kernel_kinds[id].name, argument) == 0 ? (enum grt_kernel_id)id : real.kernel;
    }
    if (real.kernel == GRT_KERNEL_IDS) {
        grt_argp_error(state,
                       "--real: there is no measuring kernel \"%s\"; there are fma, vadd, triad, matmul, "
                       "stencil, reduce, texture, chase",
                       argument);
    }
    command->real[command->real_count++] = real;
}

static void check(const struct trace_command *command, const struct argp_state *state) {
    const struct grt_output_option output = {"--output", command->output};
    if (command->scenario == NULL) {
        grt_argp_error(state, "which scenario?");
    }
    if (command->output == NULL) {
        grt_argp_error(state, "where to? (--output=FILE)");
    }
    grt_check_output_list("scenario", command->scenario, &output, 1, state);
    grt_check_output_list("pretended device", command->backend.pretend, &output, 1, state);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct trace_command *command = state->input;
    if (key != KEY_REAL) {
        grt_option_once(&command->given, options, key, state);
    }
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &command->backend;
        state->child_inputs[1] = &command->changes;
        return 0;
    case 'o':
        command->output = grt_option_text("--output", argument, state);
        return 0;
    case 'q':
        command->quiet = true;
        return 0;
    case KEY_REAL:
        add_real(command, argument, state);
        return 0;
    case ARGP_KEY_ARG:
        grt_option_scenario(&command->scenario, argument, state);
        return 0;
    case ARGP_KEY_END:
        check(command, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&grt_backend_argp, 0, NULL, 0}, {&grt_scenario_argp, 0, NULL, 0}, {0}};

const struct argp grt_calib_trace_argp = {
    .options = options,
    .parser = parse_option,
    .children = children,
    .args_doc = "SCENARIO",
    .doc = "Executes a scenario on a device, and records every block, as a trace that gpurt-view, gpurt show "
           "and "
           "gpurt export open. Kernels are replaced by spinning ones with the same blocks, releases and "
           "times; a device "
           "that is pretended without --pretend is the scenario's own (document validation.md)."
           "\v"
           "Examples:\n"
           "  gpurt-calib trace two-tasks.json -o two-tasks.trace\n"
           "  gpurt-calib trace two-tasks.json -o two-tasks.trace --backend=sim\n"
           "  gpurt-calib trace mine.json -o mine.trace --until=2s --real fma=4096\n"
           "\n" GRT_EXIT_DEVICE_HELP};

/* ---- the device ---- */

/* The scenario's own device, pretended. */
static enum grt_exit open_own(const struct trace_command *command, const struct grt_scenario *scenario,
                              struct grt_backend *backend, struct grt_errors *errors) {
    bool sim = command->backend.kind == GRT_BACKEND_SIM;
    backend->spec = grt_arena_array(&backend->arena, 1, sizeof *backend->spec);
    grt_pretend_default(&scenario->gpus[0], backend->spec);
    backend->spec->kernels[GRT_KERNEL_SPIN_NS].fixed = backend->spec->kernels[GRT_KERNEL_SPIN_TABLE].fixed =
        0;
    backend->is_open = grt_pretend_open(backend->spec, sim ? &grt_engine_model : &grt_engine_threads,
                                        &backend->driver, errors);
    if (backend->is_open && backend->driver.cuda.cuInit(0) == GRT_CUDA_SUCCESS) {
        return GRT_EXIT_DONE;
    }
    return GRT_EXIT_FAILED;
}

static enum grt_exit open_device(const struct trace_command *command, const struct grt_scenario *scenario,
                                 struct grt_backend *backend, struct grt_errors *errors) {
    bool own = command->backend.kind != GRT_BACKEND_CUDA && command->backend.pretend == NULL;
    return own ? open_own(command, scenario, backend, errors)
               : grt_backend_open(&command->backend, backend, errors);
}

/* ---- what is said of it ---- */

static void print_summary(const struct trace_command *command, const struct grt_replay *replay,
                          const char *host) {
    char latest[GRT_TIME_TEXT_SIZE], error[GRT_TIME_TEXT_SIZE];
    printf("%s: %" PRIu64 " blocks of %" PRIu64 " kernels, %" PRIu64 " copies; the host was up to %s late",
           command->output, replay->blocks, replay->kernels, replay->copies,
           grt_time_text(replay->latest, latest));
    if (replay->late_count > 0) {
        printf(" (%" PRIu64 " times more than 100us)", replay->late_count);
    }
    printf("; the clocks agree within %s, drift %.2g\n", grt_time_text(replay->clock_error, error),
           replay->clock_drift);
    char state[GRT_REPLAY_STATE_SIZE];
    printf("before: %s\n", grt_replay_state_text(&replay->before, state));
    printf("after: %s\n", grt_replay_state_text(&replay->after, state));
    printf("host: %s\n", host);
    for (size_t i = 0; i < replay->note_count; i++) {
        fputs("note: ", stdout);
        grt_paragraph_put(stdout, replay->notes[i], strlen("note: "), 100);
    }
}

/* ---- the whole ---- */

static bool write_trace(const struct trace_command *command, const struct grt_replay *replay,
                        struct grt_errors *errors) {
    struct grt_output *output = grt_output_open(command->output, errors);
    if (output == NULL) {
        return false;
    }
    grt_replay_write(replay, &grt_trace_file_sink,
                     output); /* that it failed is what grt_output_finish says */
    return grt_output_finish(&output, errors);
}

/* Buffers are powers of two; measuring kernels work on larger ones than copies need. */
static size_t buffer_for(size_t copy_bytes, bool real) {
    size_t bytes = real ? 1 << 28 : 1 << 22;
    while (bytes < copy_bytes) {
        bytes *= 2;
    }
    return bytes;
}

static bool is_interrupted(void *state) {
    (void)state;
    if (grt_interruption_came() && grt_interruption_tell()) {
        fprintf(stderr, "%s: told to end: what was executed stays; told again, it ends at once\n",
                grt_program_name());
    }
    return grt_interruption_came();
}

/* Runs, and writes the trace as far as it came. The thread that calls a device stays where it is; beside threads that pretend to be one it may
 * go, and where time is simulated nothing depends on it. */
static bool record(const struct trace_command *command, const struct grt_replay_options *replayed,
                   const struct grt_replay_needs *needs, struct grt_bench *bench, struct grt_replay *replay,
                   char host_text[HOST_SIZE], struct grt_errors *errors) {
    struct grt_interruption interruption;
    grt_interruption_start(&interruption);
    struct host_state *host = command->backend.kind == GRT_BACKEND_CUDA ? grt_host_prepare() : NULL;
    bool good = grt_replay_run(replayed, needs, bench, replay, errors);
    grt_host_text(host, NULL, host_text, HOST_SIZE);
    grt_host_restore(host);
    grt_interruption_end(&interruption);
    return good && write_trace(command, replay, errors);
}

/* What makes a trace that was written less than it should be. */
static bool is_whole(const struct grt_replay *replay, const char *output, struct grt_errors *errors) {
    char end[GRT_TIME_TEXT_SIZE];
    if (replay->missing_blocks > 0) {
        grt_error_add(errors, NULL, "%" PRIu64 " blocks were launched and left no record",
                      replay->missing_blocks);
    }
    if (replay->interrupted) {
        grt_error_add(errors, NULL, "stopped; %s ends at %s: compare it with --until=%" PRId64 "ns", output,
                      grt_time_text(replay->end, end), replay->end);
    }
    return replay->missing_blocks == 0 && !replay->interrupted;
}

/* Who makes the trace, and of what. */
static void add_provenance(const struct trace_command *command, const struct grt_scenario_file *file,
                           struct grt_bench *bench, struct grt_replay_options *replayed,
                           struct grt_arena *arena) {
    const struct grt_bench_device *device = grt_bench_device(bench);
    const char **lines = grt_arena_array(arena, GRT_ORIGIN_KEYS + command->real_count, sizeof *lines);
    const char *values[GRT_ORIGIN_REAL] = {
        [GRT_ORIGIN_MADE_BY] = ("gpurt-calib trace " GRT_VERSION),
        [GRT_ORIGIN_DATE] = grt_date_text(grt_arena_array(arena, GRT_DATE_SIZE, 1)),
        [GRT_ORIGIN_BACKEND] =
            grt_format(arena, "%s%s", grt_backend_name(&command->backend),
                       command->backend.kind == GRT_BACKEND_CUDA ? "" : ", which pretends: this is no GPU"),
        [GRT_ORIGIN_DEVICE] = grt_format(arena, "%s, %s", device->name, device->uuid),
        [GRT_ORIGIN_DRIVER] = grt_format(arena, "CUDA %d.%d %s", device->driver_version / 1000,
                                         device->driver_version % 1000 / 10, grt_bench_driver(bench)->path),
        [GRT_ORIGIN_SCENARIO] = grt_scenario_fingerprint(file, arena),
        [GRT_ORIGIN_SEED] = grt_format(arena, "%" PRIu64, file->scenario.seed),
    };
    size_t count = 0;
    for (int key = 0; key < GRT_ORIGIN_REAL; key++) {
        lines[count++] = grt_format(arena, "%s: %s", grt_origin_keys[key], values[key]);
    }
    for (size_t i = 0; i < command->real_count; i++) {
        lines[count++] = grt_format(arena, "%s: %s=%" PRIu64, grt_origin_keys[GRT_ORIGIN_REAL],
                                    command->real[i].name, command->real[i].amount);
    }
    replayed->provenance = lines;
    replayed->provenance_count = count;
}

static enum grt_exit execute(const struct trace_command *command, const struct grt_scenario_file *file,
                             struct grt_replay_options *replayed, const struct grt_replay_needs *needs,
                             struct grt_driver *driver, struct grt_errors *errors) {
    struct grt_bench_options bench_options = {.driver = driver,
                                              .device = command->backend.device,
                                              .buffer_bytes =
                                                  buffer_for(needs->copy_bytes, replayed->real_count > 0),
                                              .record_count = needs->records,
                                              .order_events = needs->user_events,
                                              .table_count = needs->table};
    struct grt_bench *bench = grt_bench_open(&bench_options, errors);
    if (bench == NULL) {
        return GRT_EXIT_FAILED;
    }
    struct grt_replay replay = {0};
    struct grt_arena arena = {0};
    add_provenance(command, file, bench, replayed, &arena);
    char host[HOST_SIZE];
    bool good = record(command, replayed, needs, bench, &replay, host, errors) &&
                is_whole(&replay, command->output, errors);
    if (good && !command->quiet && !grt_is_standard_output(command->output)) {
        print_summary(command, &replay, host);
    }
    grt_replay_free(&replay);
    grt_arena_clear(&arena);
    grt_bench_close(bench);
    return good ? GRT_EXIT_DONE : GRT_EXIT_FAILED;
}

/* *about: the scenario's path as long as errors of input are about it; NULL from then on. */
static enum grt_exit trace_scenario(const struct trace_command *command, const struct grt_scenario_file *file,
                                    const char **about, struct grt_errors *errors) {
    struct grt_replay_options replayed = {.scenario = &file->scenario,
                                          .policy = file->policy,
                                          .parameters = file->policy_parameters,
                                          .real = command->real,
                                          .real_count = command->real_count,
                                          .is_interrupted = is_interrupted,
                                          .warm_up = warm_up};
    struct grt_replay_needs needs;
    if (!grt_replay_plan(&replayed, &needs, errors)) {
        return GRT_EXIT_INPUT;
    }
    *about = NULL;
    struct grt_backend backend = {0};
    enum grt_exit code = open_device(command, &file->scenario, &backend, errors);
    if (code == GRT_EXIT_DONE) {
        code = execute(command, file, &replayed, &needs, &backend.driver, errors);
    }
    grt_backend_close(&backend);
    return code;
}

enum grt_exit grt_calib_trace(int argc, char **argv) {
    struct trace_command command = {0};
    struct grt_errors errors = {0};
    struct grt_scenario_file file;
    grt_options_parse(&grt_calib_trace_argp, argc, argv, &command);
    const char *about = command.scenario;
    enum grt_exit code = GRT_EXIT_INPUT;
    bool read = grt_scenario_read(command.scenario, &command.changes, &file, &errors);
    if (read) {
        code = trace_scenario(&command, &file, &about, &errors);
        grt_scenario_file_free(&file);
    } else {
        grt_taken_explain(command.scenario, GRT_TAKEN_SCENARIO, false, &errors);
    }
    grt_print_errors(&errors, code == GRT_EXIT_INPUT ? about : NULL);
    grt_change_options_free(&command.changes);
    return code;
}
