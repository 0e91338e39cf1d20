#include "cli/terminal/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sim/unit.h"

enum { DEFAULT_WIDTH = 100, LEAST_WIDTH = 40, MOST_WIDTH = 10000 };

/* ---- A window of time ---- */

void grt_parse_window(const char *option, const char *argument, grt_time *from, grt_time *to,
                      const struct argp_state *state) {
    char text[128];
    const char *comma = strchr(argument, ',');
    if (comma == NULL || strlen(argument) >= sizeof text) {
        grt_argp_error(state, "%s needs two durations, as in %s=0ms,50ms (got '%s')", option, option,
                       argument);
        return;
    }
    memcpy(text, argument, strlen(argument) + 1);
    text[comma - argument] = '\0';
    *from = grt_option_time(option, text, state);
    *to = grt_option_time(option, text + (comma - argument) + 1, state);
    if (*from >= *to) {
        grt_argp_error(state, "%s must end after it begins (got '%s')", option, argument);
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
        grt_argp_error(state, "--width must be a number of columns from %d to %d (got '%s')", LEAST_WIDTH,
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
        grt_argp_error(state, "--color must be auto, always or never (got '%s')", text);
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
    {"utf8", KEY_UTF8, NULL, 0, "Draw with UTF-8 characters (default, unless the locale has others)",
     STYLE_GROUP},
    {"color", KEY_COLOUR, "WHEN", OPTION_ARG_OPTIONAL,
     "Colours: auto (default: on a terminal, unless NO_COLOR is set), always or never", STYLE_GROUP},
    {0}};

const struct argp grt_style_argp = {.options = style_options, .parser = parse_style};
