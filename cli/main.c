/* gpurt: the program without a window. This file picks the command; each command is in a file of its own. */
#include <argp.h>
#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/options.h"
#include "scenarios/build_id.h"
#include "scenarios/spelling.h"
#include "sim/memory.h"
#include "sim/output.h"

static void print_version(FILE *out, struct argp_state *state) {
    (void)state;
    fprintf(out, "gpurt " GRT_VERSION " (build %s)\n", grt_build_id);
}

void (*argp_program_version_hook)(FILE *out, struct argp_state *state) = print_version;

static const struct command {
    const char *name, *summary;
    grt_command_function function;
} commands[] = {
    {"run", "Simulate a scenario: tables, Gantt chart, JSON, trace", grt_command_run},
    {"compare", "Simulate a scenario under several policies, side by side", grt_command_compare},
    {"verify", "Hold analyses against simulations of many release patterns, audit every trace",
     grt_command_verify},
    {"analyze", "Bound the worst case of a scenario: verdicts, response times, sensitivity",
     grt_command_analyze},
    {"export", "Write a timeline as a picture (PNG, SVG, PDF), or for Perfetto, Chrome, as CSV",
     grt_command_export},
    {"check", "Check scenario files, with --run their results too", grt_command_check},
    {"plot", "Draw the results of a sweep: SVG, PDF, PNG by gnuplot", grt_command_plot},
    {"papers", "Run the experiments of papers: published values beside simulated ones", grt_command_papers},
    {"train", "Train performance models of kernels that share a GPU", grt_command_train},
    {"generate", "Make scenarios with random task sets", grt_command_generate},
    {"sweep", "Run an experiment: many random task sets, on all cores or machines", grt_command_sweep},
    {"merge", "Join what the shards of an experiment have done", grt_command_merge},
    {"import", "Turn results of cuda_scheduling_examiner into a trace", grt_command_import},
    {"show", "Show a trace file: tables and Gantt chart", grt_command_show},
    {"devices", "List the GPUs that gpurt knows, or show one", grt_command_devices},
    {"usages", "List how kernels use a GPU of granularity shares, or show one", grt_command_usages},
    {"policies", "List the scheduling policies, or show one", grt_command_policies},
    {"schema", "Print the JSON Schema of scenario files", grt_command_schema},
    {"reference", "Print the reference of scenario files in Markdown", grt_command_reference},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0], LONGEST_NAME = 32 };

static void print_commands(FILE *out) {
    fputs("Commands:\n", out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "  %-11s%s\n", commands[i].name, commands[i].summary);
    }
    fprintf(out, "  %-11s%s\n", "help", "Show the help of a command");
}

static const struct command *find_command(const char *name) {
    struct grt_guess guess = grt_guess_start(name);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
        grt_guess_try(&guess, commands[i].name);
    }
    grt_guess_try(&guess, "help");
    char suggestion[GRT_GUESS_TEXT_SIZE];
    fprintf(stderr, "gpurt: unknown command \"%s\"%s\n", name, grt_guess_text(&guess, suggestion));
    print_commands(stderr);
    exit(GRT_EXIT_INPUT);
}

static enum grt_exit start_command(const struct command *command, int argc, char **argv) {
    char name[LONGEST_NAME];
    snprintf(name, sizeof name, "gpurt %s", command->name);
    argv[0] = name;
    return command->function(argc, argv);
}

/* `gpurt help` and `gpurt help help` are `gpurt --help`, `gpurt help run` is `gpurt run --help`. */
static enum grt_exit show_help(int argc, char **argv, const struct argp *argp) {
    char name[] = "gpurt", help[] = "--help", *arguments[] = {name, help, NULL};
    if (argc < 2 || strcmp(argv[1], "help") == 0) {
        argp_parse(argp, 2, arguments, 0, NULL, NULL); /* ends the program */
    }
    return start_command(find_command(argv[1]), 2, arguments);
}

/* ---- The options before the command ---- */

struct invocation {
    int first; /* index of the command in argv, 0: none */
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct invocation *invocation = state->input;
    (void)argument;
    if (key == ARGP_KEY_ARG) {
        invocation->first = state->next - 1;
        state->next = state->argc;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static char *help_text(int key, const char *text, void *input) {
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC) {
        return (char *)(size_t)text;
    }
    char *result = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&result, &size);
    print_commands(out);
    fprintf(out, "\n%s", text);
    fclose(out);
    return result;
}

static const struct argp argp = {
    .parser = parse_option,
    .args_doc = "COMMAND [ARGUMENT...]",
    .doc =
        "Simulates how real-time tasks share a GPU."
        "\v"
        "Examples:\n"
        "  gpurt run scenario.json --gantt      simulate and draw the first jobs\n"
        "  gpurt run scenario.json --json -     the results as JSON on standard output\n"
        "  gpurt export perfetto scenario.json -o trace.pftrace\n"
        "                                       the timeline for ui.perfetto.dev\n"
        "  gpurt check *.json                   check files\n"
        "  gpurt devices tx2                    what gpurt knows of a device\n"
        "  gpurt help run                       the options of a command\n"
        "\n"
        "Exit codes: 0 done; 1 failed while running; 2 bad input or usage; 3 a deadline was missed and "
        "--fail-on-miss was given, or not all are proven to be met and --fail-if-unproven was given; 4 gpurt "
        "verify found a violation.",
    .help_filter = help_text,
};

/* ---- The process ---- */

/* A signal that ends the program ends it as it always does, after unfinished files are removed. */
static void end_by_signal(int number) {
    grt_output_remove_unfinished();
    signal(number, SIG_DFL);
    raise(number);
}

static void set_signals(void) {
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) {
        struct sigaction old;
        if (sigaction(ending[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
            struct sigaction action = {.sa_handler = end_by_signal};
            sigaction(ending[i], &action, NULL);
        }
    }
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error of write, which knows what to clean up */
    signal(SIGXFSZ, SIG_IGN); /* so is a file that reaches its limit */
}

/* Opens the standard descriptors that the caller closed, so that no output file is taken for one of them. Writing to
 * them fails as it would have. */
static void fill_standard_descriptors(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) {
            _exit(GRT_EXIT_FAILED);
        }
    }
}

/* The reason of a failure that stdio only remembers as such: what happens if one more character is written. */
static int failure_of_output(void) {
    clearerr(stdout);
    errno = 0;
    return fputc('\n', stdout) == EOF || fflush(stdout) != 0 ? errno : EIO;
}

/* Runs at every exit: what was printed has to have arrived. A reader that left early knows why it did. */
static void close_standard_output(void) {
    int error = 0;
    if (ferror(stdout)) {
        error = failure_of_output();
    } else if (fclose(stdout) != 0) {
        error = errno;
    }
    if (error != 0) {
        if (error != EPIPE) {
            fprintf(stderr, "gpurt: standard output: cannot write: %s\n", strerror(error));
        }
        _exit(GRT_EXIT_FAILED);
    }
}

int main(int argc, char **argv) {
    fill_standard_descriptors();
    set_signals();
    atexit(close_standard_output);
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = grt_allocate, .free_fn = free});
    char name[] = "gpurt", *no_arguments[] = {name, NULL};
    argv = argc > 0 ? argv : no_arguments;
    argv[0] = name;
    grt_options_check(&argp, argc, argv);
    argp_err_exit_status = GRT_EXIT_INPUT;
    struct invocation invocation = {0};
    argp_parse(&argp, argc > 0 ? argc : 1, argv, ARGP_IN_ORDER, NULL, &invocation);
    if (invocation.first == 0) {
        fprintf(stderr, "Usage: gpurt COMMAND [ARGUMENT...]\n");
        print_commands(stderr);
        fprintf(stderr, "Try `gpurt --help' for more information.\n");
        return GRT_EXIT_INPUT;
    }
    argc -= invocation.first;
    argv += invocation.first;
    if (strcmp(argv[0], "help") == 0) {
        return (int)show_help(argc, argv, &argp);
    }
    return (int)start_command(find_command(argv[0]), argc, argv);
}
