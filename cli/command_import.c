#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/terminal/options.h"
#include "cli/terminal/print_errors.h"
#include "cli/terminal/same_file.h"
#include "cli/terminal/shown_line.h"
#include "cli/trace/import_files.h"
#include "scenarios/examiner.h"
#include "sim/input_name.h"
#include "sim/memory.h"
#include "sim/output.h"
#include "sim/trace_file.h"

/* One import. */
struct import {
    char **arguments; /* files and folders, in argv */
    int argument_count;
    const char *trace, *scenario; /* NULL: not given */
    bool quiet;
    struct grt_examiner_options options;
    struct grt_arena arena;
    struct grt_import_files paths;
    struct grt_examiner_file *files; /* those of the experiment */
    size_t file_count;
    bool refused; /* errors were printed */
};

/* ---- Options ---- */

enum { KEY_TRACE = 0x100, KEY_ZERO, KEY_SM_THREADS, KEY_SCENARIO, MOST_SM_THREADS = 4096 };

static const struct argp_option import_options[] = {
    {"trace", KEY_TRACE, "FILE", 0, "Write the trace to this file (- for standard output). Needed", 0},
    {"scenario", KEY_SCENARIO, "NAME", 0,
     "Take only the files of the experiment of this name (scenario_name), where there are several", 0},
    {"zero", KEY_ZERO, "release|file", 0,
     "What the instant 0 is: release (default: when the benchmarks were released together, as in a "
     "simulation), "
     "or file (as in the files: when the examiner started)",
     0},
    {"sm-threads", KEY_SM_THREADS, "N", 0,
     "Threads that an SM of the GPU holds (default: 2048, 1536 or 1024, as the files allow)", 0},
    {"quiet", 'q', NULL, 0, "Do not say what was imported", 0},
    {0}};

static void set_zero(struct import *import, const char *text, const struct argp_state *state) {
    if (strcmp(text, "release") != 0 && strcmp(text, "file") != 0) {
        grt_argp_error(state, "--zero must be release or file (got '%s')", text);
    }
    import->options.zero = strcmp(text, "file") == 0 ? GRT_EXAMINER_ZERO_FILE : GRT_EXAMINER_ZERO_RELEASE;
}

static void set_sm_threads(struct import *import, const char *text, const struct argp_state *state) {
    char *end;
    errno = 0;
    long threads = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || threads < 1 || threads > MOST_SM_THREADS) {
        grt_argp_error(state, "--sm-threads must be a number of 1 to %d (got '%s')", MOST_SM_THREADS, text);
    }
    import->options.sm_threads = threads;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct import *import = state->input;
    switch (key) {
    case KEY_TRACE:
        if (import->trace != NULL) {
            grt_argp_error(state, "--trace was given twice");
        }
        import->trace = argument;
        return 0;
    case KEY_SCENARIO:
        import->scenario = argument;
        return 0;
    case KEY_ZERO:
        set_zero(import, argument, state);
        return 0;
    case KEY_SM_THREADS:
        set_sm_threads(import, argument, state);
        return 0;
    case 'q':
        import->quiet = true;
        return 0;
    case ARGP_KEY_ARGS:
        import->arguments = state->argv + state->next;
        import->argument_count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        grt_argp_error(state, "needs result files, or a folder of them");
        return 0;
    case ARGP_KEY_END:
        if (import->trace == NULL) {
            grt_argp_error(state, "needs --trace FILE, the trace to write");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp grt_command_import_argp = {
    .options = import_options,
    .parser = parse_option,
    .args_doc = "FILE...",
    .doc =
        "Turns the results of cuda_scheduling_examiner, which were measured on a real GPU, into a trace: one "
        "FILE for each benchmark of an experiment, or a folder of them (- for standard input)."
        "\v"
        "Each benchmark becomes a task, each of its iterations a job. gpurt show draws the trace.\n"
        "\n"
        "Examples:\n"
        "  gpurt import results/ --trace measured.trace\n"
        "  gpurt import task_1.json task_2.json --trace measured.trace\n"
        "  gpurt import results/ --scenario \"Two streams\" --trace - | gpurt show -\n"
        "\n"
        "Exit codes: 0 done; 1 the trace could not be written; 2 a file is bad, or bad usage: nothing was "
        "written.",
};

/* ---- Reading ---- */

static void print_errors(struct import *import, struct grt_errors *errors, const char *path) {
    import->refused = import->refused || errors->count > 0;
    grt_print_errors(errors, path);
}

static void find_files(struct import *import) {
    struct grt_errors errors = {0};
    for (int i = 0; i < import->argument_count; i++) {
        grt_import_files_add(&import->paths, &import->arena, import->arguments[i], &errors);
    }
    const struct grt_named_file trace = {import->trace, STDOUT_FILENO};
    for (uint32_t i = 0; i < import->paths.count; i++) {
        const struct grt_named_file input = {import->paths.paths[i], STDIN_FILENO};
        if (grt_same_file(&trace, &input)) {
            grt_error_add(&errors, NULL, "--trace would overwrite the result %s", import->paths.paths[i]);
        }
    }
    print_errors(import, &errors, NULL);
}

/* All files are read, so that all errors of all of them are seen. */
static void read_files(struct import *import) {
    import->files = grt_arena_array(&import->arena, import->paths.count, sizeof *import->files);
    for (uint32_t i = 0; i < import->paths.count; i++) {
        struct grt_errors errors = {0};
        const char *path = import->paths.paths[i];
        struct grt_examiner_file *file = &import->files[import->file_count];
        bool read = grt_examiner_read(path, &import->arena, file, &errors);
        file->path = grt_input_name(path);
        print_errors(import, &errors, path);
        import->file_count +=
            read && (import->scenario == NULL || strcmp(import->scenario, file->scenario) == 0);
    }
    if (!import->refused && import->file_count == 0) {
        grt_shown_line("gpurt: no file is of the experiment \"%s\"", import->scenario);
        import->refused = true;
    }
}

static bool read_all(struct import *import) {
    find_files(import);
    read_files(import);
    struct grt_errors errors = {0};
    if (!import->refused) {
        grt_examiner_check(import->files, import->file_count, &import->options, &errors);
        print_errors(import, &errors, NULL);
    }
    return !import->refused;
}

/* ---- Writing ---- */

static const char *plural(size_t count) {
    return count == 1 ? "" : "s";
}

static void print_summary(const struct import *import, grt_time zero) {
    size_t jobs = 0, kernels = 0, blocks = 0;
    for (size_t i = 0; i < import->file_count; i++) {
        jobs += import->files[i].job_count;
        for (size_t j = 0; j < import->files[i].job_count; j++) {
            const struct grt_examiner_job *job = &import->files[i].jobs[j];
            kernels += job->kernel_count;
            for (size_t k = 0; k < job->kernel_count; k++) {
                blocks += job->kernels[k].block_count;
            }
        }
    }
    struct grt_examiner_sms sms = grt_examiner_sms(import->files, import->file_count, &import->options);
    char text[GRT_TIME_TEXT_SIZE];
    printf("%s: %zu task%s, %zu job%s, %zu kernel%s, %zu block%s on %u SM%s of %u threads; 0 is %s of the "
           "files\n",
           import->files[0].scenario, import->file_count, plural(import->file_count), jobs, plural(jobs),
           kernels, plural(kernels), blocks, plural(blocks), (unsigned)sms.count, plural(sms.count),
           (unsigned)sms.threads, grt_time_text(zero, text));
}

static bool close_trace(struct grt_output *output, struct grt_errors *errors) {
    grt_output_flush(output);
    if (grt_output_error(output) == EPIPE) { /* a reader that left early is no news */
        grt_output_discard(output);
        return false;
    }
    return grt_output_close(output, errors);
}

static enum grt_exit write_trace(const struct import *import) {
    struct grt_errors errors = {0};
    struct grt_output *output = grt_output_open(import->trace, &errors);
    if (output != NULL && grt_output_is_terminal(output)) {
        grt_error_add(&errors, NULL, "a trace is binary and is not written to a terminal");
        grt_output_discard(output);
        output = NULL;
    }
    if (output == NULL) {
        grt_print_errors(&errors, NULL);
        return GRT_EXIT_FAILED;
    }
    struct grt_trace *trace = grt_trace_create();
    grt_trace_add_sink(trace, &grt_trace_file_sink, output);
    grt_time zero = grt_examiner_write(import->files, import->file_count, &import->options, trace);
    grt_trace_finish(trace);
    grt_trace_free(trace);
    bool done = close_trace(output, &errors);
    grt_print_errors(&errors, NULL);
    if (done && !import->quiet && strcmp(import->trace, "-") != 0) {
        print_summary(import, zero);
    }
    return done ? GRT_EXIT_DONE : GRT_EXIT_FAILED;
}

enum grt_exit grt_command_import(int argc, char **argv) {
    struct import import = {0};
    grt_options_parse(&grt_command_import_argp, argc, argv, &import);
    enum grt_exit code = read_all(&import) ? write_trace(&import) : GRT_EXIT_INPUT;
    grt_import_files_free(&import.paths);
    grt_arena_clear(&import.arena);
    return code;
}
