#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/command.h"
#include "calib/program/report/chart_file.h"
#include "calib/program/report/worst.h"
#include "calib/program/series.h"
#include "cli/terminal/options.h"
#include "cli/terminal/output_file.h"
#include "cli/terminal/print_errors.h"
#include "cli/terminal/same_file.h"
#include "scenarios/text_file.h"
#include "sim/unit.h"

struct worst {
    const char *file, *json, *pictures, *name;
    struct grt_pwcet_input input;
    bool exceedances_given;
    uint64_t given;
    struct grt_style style;
};

enum { KEY_QUANTUM = 0x500, KEY_REPLICATES, KEY_SEED, KEY_MARGIN, KEY_PICTURES, KEY_NAME };

static const struct argp_option options[] = {
    {"exceedance", 'p', "P", 0,
     "How often a run may be longer, at most 0.001; several times for several (1e-3, 1e-6, 1e-9)", 0},
    {"quantum", KEY_QUANTUM, "TIME", 0, "What the clock counts in, as in 32ns; 0ns: finely (the default)", 0},
    {"replicates", KEY_REPLICATES, "COUNT", 0, "Samples of the bootstrap, 200 to 100000 (1000)", 0},
    {"seed", KEY_SEED, "NUMBER", 0, "Of the bootstrap (1)", 0},
    {"margin", KEY_MARGIN, "FACTOR", 0, "On the longest run, where there is no model: a choice (1.2)", 0},
    {"name", KEY_NAME, "TEXT", 0, "What the values are of, for titles (the file's name)", 0},
    {"json", 'j', "FILE", 0, "Write all of it as JSON", 0},
    {"pictures", KEY_PICTURES, "FOLDER", 0, "Draw quantiles and return levels into it, as SVG", 0},
    {0}};

static double read_exceedance(const char *text, const struct argp_state *state) {
    return grt_option_number("--exceedance", text, 1e-15, GRT_PWCET_MOST_EXCEEDANCE, state);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct worst *worst = state->input;
    if (key != 'p') {
        grt_option_once(&worst->given, options, key, state);
    }
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &worst->style;
        return 0;
    case 'p':
        if (!worst->exceedances_given) {
            worst->input.exceedance_count = 0;
            worst->exceedances_given = true;
        }
        if (worst->input.exceedance_count == GRT_PWCET_EXCEEDANCES) {
            argp_error(state, "--exceedance at most %d times", GRT_PWCET_EXCEEDANCES);
        }
        worst->input.exceedances[worst->input.exceedance_count++] = read_exceedance(argument, state);
        return 0;
    case KEY_QUANTUM:
        worst->input.quantum = (double)grt_option_time("--quantum", argument, state);
        return 0;
    case KEY_REPLICATES:
        worst->input.replicates = (size_t)grt_option_whole("--replicates", argument, 200, 100000, state);
        return 0;
    case KEY_SEED:
        worst->input.seed = grt_option_whole("--seed", argument, 0, UINT64_MAX, state);
        return 0;
    case KEY_MARGIN:
        worst->input.margin = grt_option_number("--margin", argument, 1, 100, state);
        return 0;
    case KEY_NAME:
        worst->name = grt_option_text("--name", argument, state);
        return 0;
    case 'j':
        worst->json = grt_option_text("--json", argument, state);
        return 0;
    case KEY_PICTURES:
        worst->pictures = grt_option_text("--pictures", argument, state);
        return 0;
    case ARGP_KEY_ARG:
        grt_option_one(&worst->file, "file of values", argument, state);
        return 0;
    case ARGP_KEY_END:
        if (worst->file == NULL) {
            argp_error(state, "which file? (\"-\": standard input)");
        }
        grt_check_output_list("file of values", worst->file,
                              &(struct grt_output_option){"--json", worst->json}, 1, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&grt_style_argp, 0, NULL, 0}, {0}};

static const struct argp argp = {
    .options = options,
    .parser = parse_option,
    .children = children,
    .args_doc = "FILE",
    .doc = "Says how long a run can take, by extreme value theory: from execution times in ns, in the order "
           "of measuring, to times that are exceeded with a "
           "given, small probability per run; by five methods side by side, with intervals, tests of what "
           "they take for granted, and refusals."
           "\v"
           "FILE has numbers between blanks, commas or line ends; # begins a comment.\n"
           "\n"
           "Examples:\n"
           "  gpurt-calib worst times.txt\n"
           "  gpurt-calib worst times.txt --quantum=32ns -p 1e-6 --json=worst.json --pictures=.\n"
           "\n" GRT_EXIT_HELP};

static bool write_json(const struct worst *worst, const struct grt_pwcet *pwcet, struct grt_errors *errors) {
    cJSON *object = grt_worst_json(pwcet, worst->name);
    char *text = cJSON_Print(object);
    bool written = grt_output_text(worst->json, text, "\n", errors);
    cJSON_free(text);
    cJSON_Delete(object);
    return written;
}

static bool draw(const struct worst *worst, const struct grt_pwcet *pwcet, struct grt_arena *arena,
                 struct grt_errors *errors) {
    const struct grt_chart quantiles = grt_chart_of_quantiles(pwcet, worst->name, arena);
    const struct grt_chart returns = grt_chart_of_returns(pwcet, worst->name, arena);
    bool good = grt_chart_write(worst->pictures, "returns", &returns, GRT_PLOT_SVG, errors);
    return quantiles.line_count == 0
               ? good
               : grt_chart_write(worst->pictures, "quantiles", &quantiles, GRT_PLOT_SVG, errors) && good;
}

static enum grt_exit analyse(const struct worst *worst, struct grt_arena *arena, struct grt_errors *errors) {
    const struct grt_pwcet *pwcet = grt_pwcet_analyse(&worst->input, arena, errors);
    if (pwcet == NULL) {
        grt_print_errors(errors, worst->file);
        return GRT_EXIT_INPUT;
    }
    if (!grt_is_standard_output(worst->json)) {
        grt_worst_print(pwcet, worst->name, "ns", &worst->style, stdout);
    }
    bool good = worst->json == NULL || write_json(worst, pwcet, errors);
    good = (worst->pictures == NULL || draw(worst, pwcet, arena, errors)) && good;
    grt_print_errors(errors, NULL);
    return good ? GRT_EXIT_DONE : GRT_EXIT_FAILED;
}

enum grt_exit grt_calib_worst(int argc, char **argv) {
    struct worst worst = {.input = grt_pwcet_defaults(), .style = grt_style_default()};
    struct grt_errors errors = {0};
    struct grt_arena arena = {0};
    grt_options_parse(&argp, argc, argv, &worst);
    worst.input.unit = "ns";
    worst.name = worst.name != NULL ? worst.name : worst.file;
    size_t size = 0;
    char *text = grt_text_file_read(worst.file, &size, &errors);
    struct grt_series series = {0};
    enum grt_exit result = GRT_EXIT_INPUT;
    if (text != NULL && grt_series_parse(text, &arena, &series, &errors)) {
        worst.input.values = series.values;
        worst.input.count = series.count;
        result = analyse(&worst, &arena, &errors);
    } else {
        grt_print_errors(&errors, worst.file);
    }
    free(text);
    grt_arena_clear(&arena);
    return result;
}
