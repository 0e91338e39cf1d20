#include "viz/view/options.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal/command_line.h"
#include "cli/terminal/library_files.h"
#include "cli/terminal/manual/subject.h"
#include "viz/timeline/row_pattern.h"
#include "viz/view/manual.h"

enum {
    KEY_POLICY = 0x100,
    KEY_SET,
    KEY_AGAINST,
    KEY_TOLERANCE,
    KEY_FROM,
    KEY_TO,
    KEY_ROWS,
    KEY_THEME,
    KEY_TEXT,
    KEY_SIZE,
    KEY_SCRIPT,
    KEY_MAN,
    KEY_MARKDOWN,
    KEY_COMPLETION,
};

static const struct argp_option view_option_list[] = {
    {NULL, 0, NULL, 0, "What is shown:", 1},
    {"policy", KEY_POLICY, "POLICY", 0,
     "Simulate scenarios with this policy and its default parameters instead of theirs", 0},
    {"set", KEY_SET, "PATH=VALUE", 0,
     "Simulate scenarios with another value, as tasks[0].period=20ms; may be given often", 0},
    {"against", KEY_AGAINST, "WHAT", 0,
     "Show a second run beside the first: a file, or a change of the scenario, as policy=fifo", 0},
    {"tolerance", KEY_TOLERANCE, "TIME", 0,
     "What begins or ends so little apart in two runs counts as equal, as 5us (default: 0)", 0},
    {"from", KEY_FROM, "TIME", 0, "Begin the first view at this instant, as 12.5ms", 0},
    {"to", KEY_TO, "TIME", 0, "End it at this one", 0},
    {"rows", KEY_ROWS, "PATTERNS", 0, "Show only these rows, as detect,SM*,!SM 3,copy:*", 0},
    {NULL, 0, NULL, 0, "How it looks:", 2},
    {"theme", KEY_THEME, "light|dark|print", 0, "Colours (default: light)", 0},
    {"text-size", KEY_TEXT, "PIXELS", 0,
     "Size of text, 4 to 60; all else follows from it (default: 13 on usual displays)", 0},
    {"size", KEY_SIZE, "WxH", 0, "Size of the window in pixels (default: 1280x800)", 0},
    {NULL, 0, NULL, 0, "Without hands:", 3},
    {"script", KEY_SCRIPT, "FILE", 0, "Do what the lines of a file say, then leave (- for standard input)",
     0},
    {"man", KEY_MAN, NULL, OPTION_HIDDEN, "Write the manual page", 0},
    {"markdown", KEY_MARKDOWN, NULL, OPTION_HIDDEN, "Write the tables of docs/gpurt-view.md", 0},
    {"completion", KEY_COMPLETION, "SHELL", OPTION_HIDDEN, "Write completion for bash, zsh or fish", 0},
    {0},
};

static void parse_size(struct view_options *options, const char *text, const struct argp_state *state) {
    char end;
    bool read = sscanf(text, "%9dx%9d%c", &options->viewer.width, &options->viewer.height, &end) == 2;
    int least = VIEWER_LEAST_SIDE, most = VIEWER_MOST_SIDE;
    if (!read || options->viewer.width < least || options->viewer.width > most ||
        options->viewer.height < least || options->viewer.height > most) {
        grt_argp_error(state, "--size: must be WIDTHxHEIGHT, each from %d to %d (got '%s')", least, most,
                       text);
    }
}

static void add_set(struct view_options *options, const char *text, const struct argp_state *state) {
    if (strchr(text, '=') == NULL) {
        grt_argp_error(state, "--set: must be PATH=VALUE (got '%s')", text);
    }
    if (options->viewer.set_count == VIEW_MOST_SETS) {
        grt_argp_error(state, "--set: at most %d times", VIEW_MOST_SETS);
    }
    options->sets[options->viewer.set_count++] = text;
}

static void parse_theme(struct view_options *options, const char *text, const struct argp_state *state) {
    options->viewer.theme = grt_theme_find(text);
    if (options->viewer.theme == NULL) {
        grt_argp_error(state, "--theme: must be light, dark or print (got '%s')", text);
    }
}

/* They are looked at before anything is simulated for long. */
static void parse_rows(struct view_options *options, const char *text, const struct argp_state *state) {
    struct grt_row_patterns patterns = {0};
    struct grt_errors errors = {0};
    if (!grt_row_patterns_add(&patterns, text, &errors)) {
        grt_argp_error(state, "--rows: %s (got '%s')", errors.messages[0], text);
    }
    grt_row_patterns_free(&patterns);
    options->rows = text;
}

static void set_shell(struct view_options *options, const char *text, const struct argp_state *state) {
    const char *const *known = grt_completion_shells;
    while (*known != NULL && strcmp(*known, text) != 0) {
        known++;
    }
    if (*known == NULL) {
        grt_argp_error(state, "--completion: must be bash, zsh or fish (got '%s')", text);
    }
    options->writing = VIEW_WRITES_COMPLETION;
    options->shell = *known;
}

static void check_all(const struct view_options *options, const struct argp_state *state) {
    if (options->writing != VIEW_WRITES_NOTHING) {
        return;
    }
    if (options->path_count == 0) {
        grt_argp_error(state, "needs a trace or a scenario");
    }
    if (options->from != GRT_TIME_NEVER && options->to != GRT_TIME_NEVER && options->from >= options->to) {
        grt_argp_error(state, "--to must be after --from");
    }
    if (options->against != NULL && options->path_count > 1) {
        grt_argp_error(state, "--against is for one file: there are two already");
    }
    int from_standard_input = options->script != NULL && strcmp(options->script, "-") == 0;
    for (size_t i = 0; i < options->path_count; i++) {
        from_standard_input += strcmp(options->paths[i], "-") == 0;
    }
    if (from_standard_input > 1) {
        grt_argp_error(state, "standard input can be read once only");
    }
}

static void take_file(struct view_options *options, const char *path, const struct argp_state *state) {
    if (options->path_count == 2) {
        grt_argp_error(state, "at most two files can be shown (got '%s' too)", path);
    }
    options->paths[options->path_count++] = grt_option_file(path, GRT_LIBRARY_SCENARIO, state);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct view_options *options = state->input;
    if (key != KEY_SET) {
        grt_option_once(&options->given, view_option_list, key, state);
    }
    switch (key) {
    case KEY_POLICY:
        options->viewer.policy = argument;
        return 0;
    case KEY_SET:
        add_set(options, argument, state);
        return 0;
    case KEY_AGAINST:
        options->against = argument;
        if (argument[strspn(argument, " ")] == '\0') {
            grt_argp_error(state, "--against: needs a file, or a change of the scenario as policy=fifo");
        }
        if (strchr(argument, '=') == NULL) {
            options->against = grt_option_file(argument, GRT_LIBRARY_SCENARIO, state);
        }
        return 0;
    case KEY_TOLERANCE:
        options->viewer.tolerance = grt_option_time("--tolerance", argument, state);
        return 0;
    case KEY_FROM:
        options->from = grt_option_time("--from", argument, state);
        return 0;
    case KEY_TO:
        options->to = grt_option_time("--to", argument, state);
        return 0;
    case KEY_ROWS:
        parse_rows(options, argument, state);
        return 0;
    case KEY_THEME:
        parse_theme(options, argument, state);
        return 0;
    case KEY_TEXT:
        options->viewer.text_size =
            grt_option_number("--text-size", argument, VIEWER_LEAST_TEXT, VIEWER_MOST_TEXT, state);
        return 0;
    case KEY_SIZE:
        parse_size(options, argument, state);
        return 0;
    case KEY_SCRIPT:
        options->script = argument;
        return 0;
    case KEY_MAN:
        options->writing = VIEW_WRITES_PAGE;
        return 0;
    case KEY_MARKDOWN:
        options->writing = VIEW_WRITES_MARKDOWN;
        return 0;
    case KEY_COMPLETION:
        set_shell(options, argument, state);
        return 0;
    case ARGP_KEY_ARG:
        take_file(options, argument, state);
        return 0;
    case ARGP_KEY_END:
        check_all(options, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = view_option_list,
    .parser = parse_option,
    .args_doc = "INPUT [INPUT]",
    .doc =
        "Shows the timeline of INPUT, a trace or a scenario, which is simulated (- for standard input), in a "
        "window. A second INPUT is shown beside the first, with what differs marked."
        "\v"
        "In the window ? shows the keys. A file that changes is read again by itself.\n"
        "\n"
        "Examples:\n"
        "  gpurt-view quickstart\n"
        "  gpurt-view scenario.json --against policy=fifo\n"
        "  gpurt-view simulated.trace measured.trace --tolerance 5us\n"
        "  gpurt-view run.trace --from 10ms --to 60ms --script picture.script\n"
        "\n"
        "Exit codes: 0 done; 1 failed while running; 2 bad input or usage.",
};

static void print_version(FILE *out, struct argp_state *state) {
    (void)state;
    fprintf(out, "gpurt-view %s\n", GRT_VERSION);
}

void view_options_read(struct view_options *options, int argc, char **argv) {
    *options = (struct view_options){.from = GRT_TIME_NEVER, .to = GRT_TIME_NEVER};
    options->viewer.sets = options->sets;
    char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    if (slash != NULL) {
        argv[0] = slash + 1; /* the name that errors begin with */
    }
    argp_program_version_hook = print_version;
    grt_options_parse(&argp, argc, argv, options);
}

void view_options_write(const struct view_options *options, FILE *out) {
    static const struct grt_manual_subject subject = {
        .name = "gpurt-view",
        .summary = "show the timeline of GPU real-time scheduling in a window",
        .argp = &argp,
        .sections = view_manual_write_sections};
    if (options->writing == VIEW_WRITES_MARKDOWN) {
        view_manual_write_markdown(out, view_option_list);
    } else if (options->writing == VIEW_WRITES_COMPLETION) {
        grt_completion_write(out, &subject, options->shell);
    } else {
        grt_manual_page_write(out, &subject, NULL);
    }
}
