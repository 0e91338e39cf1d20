#include "cli/options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/command.h"
#include "scenarios/spelling.h"
#include "sim/unit.h"

enum { DEFAULT_WIDTH = 100, LEAST_WIDTH = 40, MOST_WIDTH = 10000 };

void grt_options_fail(const char *name, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", name);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nTry `%s --help' or `%s --usage' for more information.\n", name,
            name); /* as argp says it */
    exit(GRT_EXIT_INPUT);
}

/* ---- Unknown options ---- */

static bool is_end(const struct argp_option *option) {
    return option->name == NULL && option->key == 0 && option->doc == NULL && option->group == 0;
}

/* The option of that (possibly shortened) name, or NULL; offers all names to the guess. */
static const struct argp_option *find_option(const struct argp *argp, const char *name, size_t length,
                                             struct grt_guess *guess) {
    const struct argp_option *found = NULL;
    for (const struct argp_option *option = argp->options; option != NULL && !is_end(option); option++) {
        if (option->name != NULL) {
            grt_guess_try(guess, option->name);
            found = strncmp(option->name, name, length) == 0 ? option : found;
        }
    }
    for (const struct argp_child *child = argp->children; child != NULL && child->argp != NULL; child++) {
        const struct argp_option *inner = find_option(child->argp, name, length, guess);
        found = inner != NULL ? inner : found;
    }
    return found;
}

static bool is_built_in(const char *name, size_t length, struct grt_guess *guess) {
    static const char *const names[] = {"help", "usage", "version"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        grt_guess_try(guess, names[i]);
        found = found || strncmp(names[i], name, length) == 0;
    }
    return found;
}

/* Checks one "--name" or "--name=value"; returns 1 if the next word is its value, else 0. */
static int check_long_option(const struct argp *argp, const char *program, const char *word) {
    char name[GRT_GUESS_TEXT_SIZE];
    size_t length = strcspn(word + 2, "=");
    snprintf(name, sizeof name, "%.*s", (int)length, word + 2);
    struct grt_guess guess = grt_guess_start(name);
    const struct argp_option *option = find_option(argp, word + 2, length, &guess);
    if (option == NULL && !is_built_in(word + 2, length, &guess)) {
        if (guess.best != NULL) {
            grt_options_fail(program, "unknown option '--%s' (did you mean '--%s'?)", name, guess.best);
        }
        grt_options_fail(program, "unknown option '--%s'", name);
    }
    return option != NULL && option->arg != NULL && (option->flags & OPTION_ARG_OPTIONAL) == 0 &&
           word[2 + length] == '\0';
}

static void check_options(const struct argp *argp, int argc, char **argv, bool in_front_only) {
    static char help[] = "--help";
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "-h") == 0) { /* argp calls it -? */
            argv[i] = help;
        } else if (strncmp(argv[i], "--", 2) == 0) {
            i += check_long_option(argp, argv[0], argv[i]);
        } else if (in_front_only && argv[i][0] != '-') {
            return;
        }
    }
}

void grt_options_check(const struct argp *argp, int argc, char **argv) {
    check_options(argp, argc, argv, true);
}

void grt_options_parse(const struct argp *argp, int argc, char **argv, void *input) {
    check_options(argp, argc, argv, false);
    argp_err_exit_status = GRT_EXIT_INPUT;
    error_t error = argp_parse(argp, argc, argv, 0, NULL, input);
    if (error != 0) {
        grt_options_fail(argv[0], "%s", strerror(error));
    }
}

/* ---- A window of time ---- */

static grt_time parse_duration(const char *text, const struct argp_state *state) {
    int64_t value = 0;
    const char *fault = grt_unit_parse(GRT_QUANTITY_TIME, text, &value);
    if (fault != NULL) {
        argp_error(state, "--gantt: %s (got '%s')", fault, text);
    }
    if (value < 0) {
        argp_error(state, "--gantt: must not be negative (got '%s')", text);
    }
    return value;
}

void grt_parse_window(const char *argument, grt_time *from, grt_time *to, const struct argp_state *state) {
    char text[128];
    const char *comma = strchr(argument, ',');
    if (comma == NULL || strlen(argument) >= sizeof text) {
        argp_error(state, "--gantt needs two durations, as in --gantt=0ms,50ms (got '%s')", argument);
        return;
    }
    memcpy(text, argument, strlen(argument) + 1);
    text[comma - argument] = '\0';
    *from = parse_duration(text, state);
    *to = parse_duration(text + (comma - argument) + 1, state);
    if (*from >= *to) {
        argp_error(state, "--gantt must end after it begins (got '%s')", argument);
    }
}

/* ---- Style ---- */

static int terminal_width(void) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return size.ws_col < LEAST_WIDTH ? LEAST_WIDTH : size.ws_col;
    }
    return DEFAULT_WIDTH;
}

/* Where nothing says which characters the terminal shows (containers, CI), UTF-8 is by far the likeliest. */
static bool locale_is_utf8(void) {
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i]);
        if (value != NULL && value[0] != '\0') {
            const char *charset = strchr(value, '.');
            return charset != NULL &&
                   (strncasecmp(charset, ".utf-8", 6) == 0 || strncasecmp(charset, ".utf8", 5) == 0);
        }
    }
    return true;
}

static bool terminal_has_colours(void) {
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) == 1 && (no_colour == NULL || no_colour[0] == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}

struct grt_style grt_style_default(void) {
    return (struct grt_style){
        .width = terminal_width(), .utf8 = locale_is_utf8(), .colour = terminal_has_colours()};
}

enum { KEY_ASCII = 0x200, KEY_UTF8, KEY_COLOUR, KEY_WIDTH };

static int parse_width(const char *text, const struct argp_state *state) {
    char *end;
    long width = strtol(text, &end, 10);
    if (end == text || *end != '\0' || width < LEAST_WIDTH || width > MOST_WIDTH) {
        argp_error(state, "--width must be a number of columns from %d to %d (got '%s')", LEAST_WIDTH,
                   MOST_WIDTH, text);
    }
    return (int)width;
}

static bool parse_colour(const char *text, const struct argp_state *state) {
    if (text == NULL || strcmp(text, "always") == 0) {
        return true;
    }
    if (strcmp(text, "auto") == 0) {
        return terminal_has_colours();
    }
    if (strcmp(text, "never") != 0) {
        argp_error(state, "--color must be auto, always or never (got '%s')", text);
    }
    return false;
}

static error_t parse_style(int key, char *argument, struct argp_state *state) {
    struct grt_style *style = state->input;
    switch (key) {
    case KEY_ASCII:
    case KEY_UTF8:
        style->utf8 = key == KEY_UTF8;
        return 0;
    case KEY_COLOUR:
        style->colour = parse_colour(argument, state);
        return 0;
    case KEY_WIDTH:
        style->width = parse_width(argument, state);
        style->width_given = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

enum { STYLE_GROUP = 9 }; /* behind those of every command */

static const struct argp_option style_options[] = {
    {NULL, 0, NULL, 0, "How it is drawn:", STYLE_GROUP},
    {"width", KEY_WIDTH, "COLUMNS", 0, "Draw for this many columns (default: the terminal's, or 100)",
     STYLE_GROUP},
    {"ascii", KEY_ASCII, NULL, 0, "Draw with ASCII characters only", STYLE_GROUP},
    {"utf8", KEY_UTF8, NULL, 0, "Draw with UTF-8 characters (default, unless the locale is another)",
     STYLE_GROUP},
    {"color", KEY_COLOUR, "WHEN", OPTION_ARG_OPTIONAL,
     "Colours: auto (default: on a terminal, unless NO_COLOR is set), always or never", STYLE_GROUP},
    {0}};

const struct argp grt_style_argp = {.options = style_options, .parser = parse_style};
