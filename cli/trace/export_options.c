#include "cli/trace/export_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/terminal/change_options.h"
#include "cli/terminal/library_files.h"
#include "cli/terminal/options.h"
#include "cli/terminal/same_file.h"
#include "scenarios/spelling.h"

enum { LEAST_WIDTH = 200, MOST_WIDTH = 32767 }; /* in pixels: of cairo's images, and of what can be read */

enum { KEY_FROM = 0x100, KEY_TO, KEY_ROWS, KEY_THEME, KEY_WIDTH, KEY_WIDTH_MM, KEY_TEXT, KEY_LEGEND };

static const struct argp_option export_options[] = {
    {"output", 'o', "FILE", 0,
     "Write to FILE, whose name does not end as another format is called (default: -, standard output)", 0},
    {NULL, 0, NULL, 0, "What is exported:", 1},
    {"from", KEY_FROM, "TIME", 0, "Only what touches the time from TIME on, as in --from 10ms", 1},
    {"to", KEY_TO, "TIME", 0, "Only what touches the time before TIME, as in --to 60ms", 1},
    {"rows", KEY_ROWS, "PATTERNS", 0,
     "Only rows whose names match, as in --rows 'detect,SM*,!SM 3,stream:*'; may be given often", 1},
    {NULL, 0, NULL, 0, "Pictures (png, svg, pdf):", 3},
    {"theme", KEY_THEME, "light|dark|print", 0,
     "Colours; print hatches, too (default: print for pdf, else light)", 3},
    {"width", KEY_WIDTH, "PIXELS", 0,
     "Width of the whole, 200 to 32767 (default: 1600; with a printed width what gives the text its size)",
     3},
    {"width-mm", KEY_WIDTH_MM, "MM", 0,
     "svg and pdf: printed width, 20 to 5000 (default: for pdf 181, two columns of a paper; one is 88)", 3},
    {"text-size", KEY_TEXT, "SIZE", 0,
     "Size of the text, 4 to 60: points on paper where the picture has a printed width and no --width "
     "(default: 8), else pixels (default: 12)",
     3},
    {"legend", KEY_LEGEND, NULL, 0, "Say below the rows which colour is which task, and what the signs mean",
     3},
    {0}};

static void parse_rows(struct grt_export_command *command, const char *text, const struct argp_state *state) {
    struct grt_errors errors = {0};
    if (!grt_row_patterns_add(&command->rows, text, &errors)) {
        grt_argp_error(state, "--rows: %s (got '%s')", errors.messages[0], text);
    }
}

/* One of the options for pictures; false if it is none. */
static bool parse_picture_option(struct grt_export_command *command, int key, const char *argument,
                                 const struct argp_state *state) {
    const char *option = key == KEY_THEME      ? "--theme"
                         : key == KEY_WIDTH    ? "--width"
                         : key == KEY_WIDTH_MM ? "--width-mm"
                         : key == KEY_TEXT     ? "--text-size"
                         : key == KEY_LEGEND   ? "--legend"
                                               : NULL;
    if (option == NULL) {
        return false;
    }
    command->picture_option = command->picture_option != NULL ? command->picture_option : option;
    if (key == KEY_LEGEND) {
        command->legend = true;
    } else if (key == KEY_WIDTH) {
        command->width = grt_option_number(option, argument, LEAST_WIDTH, MOST_WIDTH, state);
    } else if (key == KEY_WIDTH_MM) {
        command->width_mm = grt_option_number(option, argument, 20, 5000, state);
    } else if (key == KEY_TEXT) {
        command->text_size =
            grt_option_number(option, argument, GRT_PICTURE_LEAST_TEXT, GRT_PICTURE_MOST_TEXT, state);
    } else {
        command->theme = grt_theme_find(argument);
        if (command->theme == NULL) {
            grt_argp_error(state, "--theme: must be light, dark or print (got '%s')", argument);
        }
    }
    return true;
}

static const struct grt_export_format *find_format(const char *name, const struct argp_state *state) {
    struct grt_guess guess = grt_guess_start(name);
    for (size_t i = 0; i < GRT_EXPORT_FORMATS; i++) {
        if (strcmp(grt_export_formats[i].name, name) == 0) {
            return &grt_export_formats[i];
        }
        grt_guess_try(&guess, grt_export_formats[i].name);
    }
    char suggestion[GRT_GUESS_TEXT_SIZE], all[400] = "";
    for (size_t i = 0; i < GRT_EXPORT_FORMATS; i++) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", grt_export_formats[i].name);
    }
    grt_argp_error(state, "unknown format \"%s\"%s: it is one of %s", name,
                   grt_guess_text(&guess, suggestion), all);
    return NULL;
}

static void take_argument(struct grt_export_command *command, char *argument,
                          const struct argp_state *state) {
    if (command->format == NULL) {
        command->format = find_format(argument, state);
    } else {
        grt_option_one(&command->input, "input", argument, state);
        command->input = grt_option_file(argument, GRT_LIBRARY_SCENARIO, state);
    }
}

/* What follows of the options of pictures. Text in points stands in a picture with text of 12 pixels, as wide as gives the
 * points on paper, so that lines and hatches keep their proportions. */
static void set_sizes(struct grt_export_command *command, const struct argp_state *state) {
    const double usual_pixels = 12, usual_points = 8, point_mm = 25.4 / 72;
    bool pdf = strcmp(command->format->name, "pdf") == 0;
    command->width_mm = pdf && command->width_mm == 0 ? GRT_PICTURE_PAPER_MM : command->width_mm;
    command->in_points = command->width_mm > 0 && command->width == 0;
    if (!command->in_points) {
        command->width = command->width > 0 ? command->width : 1600;
        command->text_size = command->text_size > 0 ? command->text_size : usual_pixels;
        return;
    }
    double points = command->text_size > 0 ? command->text_size : usual_points;
    command->width = floor(command->width_mm / point_mm * usual_pixels / points + 0.5);
    command->text_size = usual_pixels;
    if (command->width < LEAST_WIDTH || command->width > MOST_WIDTH) {
        bool narrow = command->width < LEAST_WIDTH;
        double bound = (narrow ? LEAST_WIDTH - 0.5 : MOST_WIDTH + 0.5) * points / usual_pixels * point_mm;
        grt_argp_error(state, "--width-mm: text of %g points needs at %s %g mm (got %g), or a %s --text-size",
                       points, narrow ? "least" : "most", narrow ? ceil(bound) : floor(bound),
                       command->width_mm, narrow ? "smaller" : "larger");
    }
}

/* What is called as another format would be opened by programs that cannot read it. */
static void check_ending(const struct grt_export_command *command, const struct argp_state *state) {
    const char *dot = strrchr(command->output, '.');
    for (size_t i = 0; dot != NULL && i < GRT_EXPORT_FORMATS; i++) {
        const struct grt_export_format *format = &grt_export_formats[i];
        if (strcasecmp(dot + 1, format->name) == 0 && format != command->format) {
            grt_argp_error(state, "--output: '%s' is called as %s, but the format is %s", command->output,
                           format->name, command->format->name);
        }
    }
}

static void check_all(struct grt_export_command *command, const struct argp_state *state) {
    if (command->format == NULL) {
        grt_argp_error(state, "needs a format and a trace or scenario");
        return;
    }
    if (command->input == NULL) {
        grt_argp_error(state, "needs a trace or scenario behind the format");
    }
    if (command->picture_option != NULL && command->format->draw == NULL) {
        grt_argp_error(state, "%s is only for pictures, which %s is not", command->picture_option,
                       command->format->name);
    }
    if (command->width_mm > 0 && strcmp(command->format->name, "png") == 0) {
        grt_argp_error(state, "--width-mm is only for svg and pdf: a png has pixels, see --width");
    }
    set_sizes(command, state);
    if (command->options.from >= command->options.to) {
        grt_argp_error(state, "--to must be after --from");
    }
    check_ending(command, state);
    const struct grt_named_file input = {command->input, STDIN_FILENO},
                                output = {command->output, STDOUT_FILENO};
    if (strcmp(command->output, "-") != 0 && grt_same_file(&input, &output)) {
        grt_argp_error(state, "--output would overwrite the input '%s'", command->input);
    }
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct grt_export_command *command = state->input;
    if (key != KEY_ROWS) {
        grt_option_once(&command->given, export_options, key, state);
    }
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &command->changes;
        return 0;
    case 'o':
        command->output = argument;
        return 0;
    case KEY_FROM:
        command->options.from = grt_option_time("--from", argument, state);
        return 0;
    case KEY_TO:
        command->options.to = grt_option_time("--to", argument, state);
        return 0;
    case KEY_ROWS:
        parse_rows(command, argument, state);
        return 0;
    case ARGP_KEY_ARG:
        take_argument(command, argument, state);
        return 0;
    case ARGP_KEY_END:
        check_all(command, state);
        return 0;
    default:
        return parse_picture_option(command, key, argument, state) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

/* Puts the formats in front of the text behind the options. */
static char *help_text(int key, const char *text, void *input) {
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC) {
        return (char *)(size_t)text;
    }
    char *result = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&result, &size);
    fputs("Formats:\n", out);
    for (size_t i = 0; i < GRT_EXPORT_FORMATS; i++) {
        grt_options_put_entry(out, grt_export_formats[i].name, grt_export_formats[i].help);
    }
    fprintf(out, "\n%s", text);
    fclose(out);
    return result;
}

static const struct argp_child children[] = {{&grt_change_argp, 0, NULL, 0}, {0}};

const struct argp grt_command_export_argp = {
    .options = export_options,
    .parser = parse_option,
    .children = children,
    .args_doc = "FORMAT INPUT",
    .doc = "Writes the timeline of INPUT, a trace or a scenario, which is simulated (- for standard input), "
           "in a "
           "format that other programs read, or as a picture."
           "\v"
           "A slice that touches the time between --from and --to is exported whole. A pattern of --rows is "
           "[!][KIND:]NAME: KIND is task, policy, core, stream, copy, sm or process; in NAME * stands for "
           "any text and "
           "? for a character; ! leaves rows out. A pattern that matches no row is an error.\n"
           "\n"
           "Examples:\n"
           "  gpurt export perfetto scenario.json -o trace.pftrace\n"
           "  gpurt export csv run.trace --rows 'sm:*' --from 10ms --to 20ms\n"
           "  gpurt export pdf scenario.json --from 0ms --to 50ms --width-mm 88 \\\n"
           "      --text-size 7 -o figure.pdf\n"
           "  gpurt export svg scenario.json --policy cpu-order --set horizon=50ms \\\n"
           "      -o cpu-order.svg\n"
           "  gpurt run scenario.json --until 10s --trace - |\n"
           "      gpurt export chrome - -o trace.json\n"
           "\n" GRT_EXIT_HELP,
    .help_filter = help_text,
};

void grt_export_options_read(struct grt_export_command *command, int argc, char **argv) {
    command->output = "-";
    command->options.to = GRT_TIME_NEVER;
    grt_options_parse(&grt_command_export_argp, argc, argv, command);
    command->options.rows = &command->rows;
}

void grt_export_options_free(struct grt_export_command *command) {
    grt_row_patterns_free(&command->rows);
    grt_change_options_free(&command->changes);
}
