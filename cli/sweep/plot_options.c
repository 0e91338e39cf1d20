#include "cli/sweep/plot_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/terminal/library_files.h"
#include "cli/terminal/options.h"
#include "cli/terminal/same_file.h"
#include "study/plot/script.h"

enum {
    KEY_EXPERIMENT = 0x100,
    KEY_X,
    KEY_Y,
    KEY_SERIES,
    KEY_PANEL,
    KEY_STYLE,
    KEY_WHERE,
    KEY_TITLE,
    KEY_X_LABEL,
    KEY_Y_LABEL,
    KEY_X_LOG,
    KEY_Y_LOG,
    KEY_Y_RANGE,
    KEY_SIZE,
    KEY_NO_BAND,
    KEY_GREY
};

static const struct argp_option plot_options[] = {
    {"output", 'o', "FILE", 0,
     "Write to FILE: .svg, .pdf, .png, or .gp for gnuplot's script (default: -, the script to standard "
     "output)",
     0},
    {"experiment", KEY_EXPERIMENT, "EXPERIMENT", 0,
     "The experiment, its file or its name in the library: how its figure is drawn, and the names of "
     "evaluations and axes for people",
     0},
    {NULL, 0, NULL, 0, "What is drawn:", 1},
    {"x", KEY_X, "COLUMN", 0, "Along the x axis (default: the first axis that varies)", 1},
    {"y", KEY_Y, "COLUMN", 0, "Along the y axis: ratio (default) or a measure", 1},
    {"series", KEY_SERIES, "COLUMN", 0, "A colour and a mark for each value (default: evaluation)", 1},
    {"panel", KEY_PANEL, "COLUMN", 0, "A panel for each value", 1},
    {"style", KEY_STYLE, "COLUMN", 0, "A pattern of dashes for each value", 1},
    {"where", KEY_WHERE, "COLUMN=VALUE", 0,
     "Only rows with this value; may be given often: any of the values of one column, and all columns", 1},
    {NULL, 0, NULL, 0, "How it looks:", 2},
    {"title", KEY_TITLE, "TEXT", 0, "Title above; figures of papers have none", 2},
    {"x-label", KEY_X_LABEL, "TEXT", 0, "Label of the x axis; a unit at its end counts: 'Cost (us)'", 2},
    {"y-label", KEY_Y_LABEL, "TEXT", 0, "Label of the y axis", 2},
    {"x-log", KEY_X_LOG, NULL, 0, "Logarithmic x axis", 2},
    {"y-log", KEY_Y_LOG, NULL, 0, "Logarithmic y axis", 2},
    {"y-range", KEY_Y_RANGE, "FROM,TO", 0,
     "What the y axis shows (default: 0,1 for ratios, all there is for others)", 2},
    {"size", KEY_SIZE, "WxH", 0,
     "Size of the whole in mm, as in 88x62 (default: as wide as a paper's column)", 2},
    {"no-band", KEY_NO_BAND, NULL, 0, "Without 95 percent intervals", 2},
    {"grey", KEY_GREY, NULL, 0, "Without colours", 2},
    {0}};

int grt_plot_format_of(const char *path) {
    static const char *const ends[GRT_PLOT_FORMATS] = {
        [GRT_PLOT_SVG] = ".svg", [GRT_PLOT_PDF] = ".pdf", [GRT_PLOT_PNG] = ".png"};
    const char *dot = strrchr(path, '.');
    if (strcmp(path, "-") == 0 || (dot != NULL && strcasecmp(dot, ".gp") == 0)) {
        return -1;
    }
    for (int i = 0; i < GRT_PLOT_FORMATS; i++) {
        if (dot != NULL && strcasecmp(dot, ends[i]) == 0) {
            return i;
        }
    }
    return -2;
}

/* ---- values ---- */

static void add_condition(struct grt_plot_command *command, const char *argument,
                          const struct argp_state *state) {
    const char *equals = strchr(argument, '=');
    if (equals == NULL || equals == argument) {
        grt_argp_error(state, "--where: must be COLUMN=VALUE (got '%s')", argument);
    }
    if (command->options.where_count == GRT_PLOT_CONDITIONS) {
        grt_argp_error(state, "--where: at most %d of them", GRT_PLOT_CONDITIONS);
    }
    char *column = grt_arena_text(&command->arena, argument);
    column[equals - argument] = '\0';
    command->where[command->options.where_count++] = (struct grt_plot_condition){column, equals + 1};
}

/* Two numbers with a sign between them; false where the text is something else. */
static bool read_pair(const char *text, char between, double *first, double *second) {
    char *end;
    *first = strtod(text, &end);
    if (end == text || *end != between) {
        return false;
    }
    const char *rest = end + 1;
    *second = strtod(rest, &end);
    return end != rest && *end == '\0' && isfinite(*first) && isfinite(*second);
}

static void read_range(struct grt_plot_options *options, const char *argument,
                       const struct argp_state *state) {
    if (!read_pair(argument, ',', &options->y_from, &options->y_to) || options->y_from >= options->y_to) {
        grt_argp_error(state, "--y-range: must be two numbers, the smaller first, as in 0,1 (got '%s')",
                       argument);
    }
}

static void read_size(struct grt_plot_options *options, const char *argument,
                      const struct argp_state *state) {
    const double least = 20, most = 2000;
    bool pair = read_pair(argument, 'x', &options->width_mm, &options->height_mm);
    if (!pair || options->width_mm < least || options->width_mm > most || options->height_mm < least ||
        options->height_mm > most) {
        grt_argp_error(state,
                       "--size: must be width x height in mm, each from 20 to 2000, as in 88x62 (got '%s')",
                       argument);
    }
}

/* ---- options ---- */

static bool parse_looks(struct grt_plot_options *options, int key, const char *argument,
                        const struct argp_state *state) {
    const struct grt_plain_option plain[] = {{KEY_X, "--x", .text = &options->x},
                                             {KEY_Y, "--y", .text = &options->y},
                                             {KEY_SERIES, "--series", .text = &options->series},
                                             {KEY_PANEL, "--panel", .text = &options->panel},
                                             {KEY_STYLE, "--style", .text = &options->style},
                                             {KEY_TITLE, .text = &options->title},
                                             {KEY_X_LABEL, .text = &options->x_label},
                                             {KEY_Y_LABEL, .text = &options->y_label},
                                             {KEY_X_LOG, .flag = &options->x_log},
                                             {KEY_Y_LOG, .flag = &options->y_log},
                                             {KEY_NO_BAND, .flag = &options->no_band},
                                             {KEY_GREY, .flag = &options->grey},
                                             {0}};
    switch (key) {
    case KEY_Y_RANGE:
        read_range(options, argument, state);
        return true;
    case KEY_SIZE:
        read_size(options, argument, state);
        return true;
    default:
        return grt_option_keep(plain, key, argument, state);
    }
}

static void check_all(struct grt_plot_command *command, const struct argp_state *state) {
    if (command->input == NULL) {
        grt_argp_error(state, "needs the results of a sweep, a CSV file (- for standard input)");
    }
    command->format = grt_plot_format_of(command->output);
    if (command->format == -2) {
        grt_argp_error(state, "--output: the name must end in .svg, .pdf, .png or .gp (got '%s')",
                       command->output);
    }
    const struct grt_named_file input = {command->input, STDIN_FILENO},
                                experiment = {command->experiment, STDIN_FILENO},
                                output = {command->output, STDOUT_FILENO};
    if (strcmp(command->output, "-") != 0 && grt_same_file(&input, &output)) {
        grt_argp_error(state, "--output would overwrite the input '%s'", command->input);
    }
    if (strcmp(command->output, "-") != 0 && grt_same_file(&experiment, &output)) {
        grt_argp_error(state, "--output would overwrite the experiment '%s'", command->experiment);
    }
    if (command->experiment != NULL && grt_same_file(&input, &experiment)) {
        grt_argp_error(state, "--experiment: this is the file of the results");
    }
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct grt_plot_command *command = state->input;
    if (key != KEY_WHERE) {
        grt_option_once(&command->given, plot_options, key, state);
    }
    switch (key) {
    case 'o':
        command->output = grt_option_text("--output", argument, state);
        return 0;
    case KEY_EXPERIMENT:
        command->experiment =
            grt_option_file(grt_option_text("--experiment", argument, state), GRT_LIBRARY_EXPERIMENT, state);
        return 0;
    case KEY_WHERE:
        add_condition(command, argument, state);
        return 0;
    case ARGP_KEY_ARG:
        grt_option_one(&command->input, "file of results", argument, state);
        return 0;
    case ARGP_KEY_END:
        check_all(command, state);
        return 0;
    default:
        return parse_looks(&command->options, key, argument, state) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

const struct argp grt_command_plot_argp = {
    .options = plot_options,
    .parser = parse_option,
    .args_doc = "RESULTS.csv",
    .doc = "Draws the results of `gpurt sweep --csv`, or any table of numbers in CSV, by gnuplot. Ratios "
           "have bands: "
           "95 percent intervals (Wilson)."
           "\v"
           "Lines differ by colour, dashes and marks, so that they can be told apart without seeing colours. "
           "What varies and has no "
           "part in the figure becomes panels, then styles.\n"
           "\n"
           "Examples:\n"
           "  gpurt sweep experiment.json --csv results.csv\n"
           "  gpurt plot results.csv --experiment experiment.json -o figure.pdf\n"
           "  gpurt plot results.csv --where cores=4 --where evaluation=mpcp \\\n"
           "      --where evaluation=server -o 4.svg\n"
           "  gpurt plot results.csv --x utilisation --y response_ratio --y-log \\\n"
           "      --panel cores -o bounds.png\n"
           "  gpurt plot results.csv -o figure.gp && gnuplot -d figure.gp > figure.svg\n"
           "\n" GRT_EXIT_HELP,
};

void grt_plot_options_read(struct grt_plot_command *command, int argc, char **argv) {
    command->output = "-";
    grt_options_parse(&grt_command_plot_argp, argc, argv, command);
    command->options.where = command->where;
}

void grt_plot_options_free(struct grt_plot_command *command) {
    grt_arena_clear(&command->arena);
}
