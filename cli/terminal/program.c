#include "cli/terminal/program.h"

#include <argp.h>
#include <cjson/cJSON.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/terminal/library_files.h"
#include "cli/terminal/manual/subject.h"
#include "cli/terminal/options.h"
#include "cli/terminal/shown_line.h"
#include "cli/terminal/standard_streams.h"
#include "scenarios/build_id.h"
#include "scenarios/spelling.h"
#include "sim/crash.h"
#include "sim/memory.h"
#include "sim/output.h"

enum { LONGEST_NAME = 64 };

/* The one that runs; set once, before anything else. */
static const struct grt_program *program;

static void print_version(FILE *out, struct argp_state *state) {
    (void)state;
    fprintf(out, "%s " GRT_VERSION " (build %s)\n", program->name, grt_build_id);
}

void (*argp_program_version_hook)(FILE *out, struct argp_state *state) = print_version;

static void print_commands(FILE *out) {
    fputs("Commands:\n", out);
    for (size_t i = 0; i < program->command_count; i++) {
        grt_options_put_entry(out, program->commands[i].name, program->commands[i].summary);
    }
    grt_options_put_entry(out, "help", "Show the help of a command");
}

/* Whether a scenario of the library is called so. */
static bool is_of_library(const char *name) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_library_files files = {0};
    bool is = grt_library_files_list(NULL, GRT_LIBRARY_SCENARIO, &files, &arena, &errors) &&
              grt_library_files_find(&files, name, &errors) != NULL;
    grt_library_files_free(&files);
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
    return is;
}

/* `gpurt tiny.json`, `gpurt quickstart`: ends the program with what to type instead. */
static void check_no_file(const char *name) {
    size_t length = strlen(name);
    bool is_json = length > 5 && strcmp(name + length - 5, ".json") == 0;
    if (program->file_command != NULL && (is_json || is_of_library(name))) {
        grt_shown_line("%s: a command comes first: %s %s %s", program->name, program->name,
                       program->file_command, name);
        exit(GRT_EXIT_INPUT);
    }
}

static const struct grt_program_command *find_command(const char *name) {
    struct grt_guess guess = grt_guess_start(name);
    for (size_t i = 0; i < program->command_count; i++) {
        if (strcmp(program->commands[i].name, name) == 0) {
            return &program->commands[i];
        }
        grt_guess_try(&guess, program->commands[i].name);
    }
    check_no_file(name);
    grt_guess_try(&guess, "help");
    char suggestion[GRT_GUESS_TEXT_SIZE];
    grt_shown_line("%s: unknown command \"%s\"%s", program->name, name, grt_guess_text(&guess, suggestion));
    print_commands(stderr);
    exit(GRT_EXIT_INPUT);
}

static enum grt_exit start_command(const struct grt_program_command *command, int argc, char **argv) {
    char name[LONGEST_NAME];
    snprintf(name, sizeof name, "%s %s", program->name, command->name);
    argv[0] = name;
    return command->function(argc, argv);
}

/* `gpurt help` and `gpurt help help` are `gpurt --help`, `gpurt help run` is `gpurt run --help`; other programs alike. */
static enum grt_exit show_help(int argc, char **argv, const struct argp *argp) {
    char name[LONGEST_NAME], help[] = "--help", *arguments[] = {name, help, NULL};
    snprintf(name, sizeof name, "%s", program->name);
    if (argc < 2 || strcmp(argv[1], "help") == 0) {
        grt_options_parse_front(argp, 2, arguments, NULL); /* ends the program */
    }
    return start_command(find_command(argv[1]), 2, arguments);
}

/* ---- The options before the command ---- */

struct invocation {
    int first; /* index of the command in argv, 0: none */
    bool writes_page;
    const char *page;  /* of which command; NULL: of the program */
    const char *shell; /* whose completion is written; NULL: none */
};

enum { KEY_MAN = 0x100, KEY_COMPLETION };

/* For packages and for `source <(gpurt --completion=bash)`. */
static const struct argp_option front_options[] = {
    {"man", KEY_MAN, "COMMAND", OPTION_ARG_OPTIONAL | OPTION_HIDDEN, "Write the manual page of a command", 0},
    {"completion", KEY_COMPLETION, "SHELL", OPTION_HIDDEN, "Write completion for bash, zsh or fish", 0},
    {0}};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct invocation *invocation = state->input;
    switch (key) {
    case KEY_MAN:
        invocation->writes_page = true;
        invocation->page = argument;
        return 0;
    case KEY_COMPLETION:
        invocation->shell = argument;
        return 0;
    case ARGP_KEY_ARG:
        invocation->first = state->next - 1;
        state->next = state->argc;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The list of commands in front of the text behind the options. */
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

/* ---- Manual pages, completion ---- */

/* Of which command; NULL: of the program, as of `gpurt help help`. */
static const struct grt_program_command *page_command(const char *name) {
    return name == NULL || strcmp(name, "help") == 0 ? NULL : find_command(name);
}

static enum grt_exit write_manual(const struct invocation *invocation, const struct argp *argp) {
    const struct grt_manual_subject subject = {.name = program->name,
                                               .summary = program->summary,
                                               .argp = argp,
                                               .commands = program->commands,
                                               .command_count = program->command_count,
                                               .word_of = program->word_of};
    if (invocation->shell == NULL) {
        grt_manual_page_write(stdout, &subject, page_command(invocation->page));
    } else if (!grt_completion_write(stdout, &subject, invocation->shell)) {
        grt_options_fail(program->name, "--completion: must be bash, zsh or fish (got '%s')",
                         invocation->shell);
    }
    return GRT_EXIT_DONE;
}

/* ---- The process ---- */

static void set_signals(void) {
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) {
        struct sigaction old;
        if (sigaction(ending[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
            struct sigaction action = {.sa_handler = grt_crash_interrupted};
            sigaction(ending[i], &action, NULL);
        }
    }
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error of write, which knows what to clean up */
    signal(SIGXFSZ, SIG_IGN); /* so is a file that reaches its limit */
}

int grt_program_main(const struct grt_program *this_program, int argc, char **argv) {
    program = this_program;
    set_signals();
    grt_crash_report(program->name);
    grt_standard_streams_watch(program->name);
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = grt_allocate, .free_fn = free});
    const struct argp argp = {.options = front_options,
                              .parser = parse_option,
                              .args_doc = "COMMAND [ARGUMENT...]",
                              .doc = program->doc,
                              .help_filter = help_text};
    char name[LONGEST_NAME], *no_arguments[] = {name, NULL};
    snprintf(name, sizeof name, "%s", program->name);
    argv = argc > 0 ? argv : no_arguments;
    argv[0] = name;
    struct invocation invocation = {0};
    grt_options_parse_front(&argp, argc > 0 ? argc : 1, argv, &invocation);
    if (invocation.writes_page || invocation.shell != NULL) {
        return (int)write_manual(&invocation, &argp);
    }
    if (invocation.first == 0) {
        fprintf(stderr, "Usage: %s COMMAND [ARGUMENT...]\n", program->name);
        print_commands(stderr);
        fprintf(stderr, "Try `%s --help' for more information.\n", program->name);
        return GRT_EXIT_INPUT;
    }
    argc -= invocation.first;
    argv += invocation.first;
    if (strcmp(argv[0], "help") == 0) {
        return (int)show_help(argc, argv, &argp);
    }
    return (int)start_command(find_command(argv[0]), argc, argv);
}
