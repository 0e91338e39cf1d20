#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/command.h"
#include "calib/program/files/file_taken.h"
#include "calib/program/files/raw_read.h"
#include "calib/program/report/chart_file.h"
#include "calib/program/report/worst.h"
#include "calib/program/series.h"
#include "cli/terminal/options.h"
#include "cli/terminal/output_file.h"
#include "cli/terminal/print_errors.h"
#include "cli/terminal/same_file.h"
#include "cli/terminal/text_table.h"
#include "scenarios/text_file.h"
#include "sim/unit.h"

struct worst {
    const char *file, *json, *pictures, *name, *workload;
    struct grt_pwcet_input input;
    struct grt_series_format format; /* unit 0: none is said */
    bool exceedances_given, seed_given, fails_on_refusal;
    uint64_t given;
    struct grt_style style;
};

enum {
    KEY_QUANTUM = 0x500,
    KEY_REPLICATES,
    KEY_SEED,
    KEY_MARGIN,
    KEY_PICTURES,
    KEY_NAME,
    KEY_WORKLOAD,
    KEY_FAIL,
    KEY_UNIT,
    KEY_COLUMN
};

static const struct argp_option options[] = {
    {"exceedance", 'p', "P", 0,
     "How often a run may be longer, at most 0.001; several times for several (default: 1e-3, 1e-6, 1e-9)",
     0},
    {"quantum", KEY_QUANTUM, "TIME", 0,
     "What the clock counts in, as in 32ns (default: 0ns, what the values show, or a raw file says)", 0},
    {"unit", KEY_UNIT, "ns|us|ms|s", 0, "Unit of the numbers of a file of values (default: ns)", 0},
    {"column", KEY_COLUMN, "NUMBER", 0,
     "Which number of each line is a time, from 1, the first line perhaps a heading; all: all of them "
     "(needed "
     "where lines have several)",
     0},
    {"replicates", KEY_REPLICATES, "COUNT", 0, "Samples of the bootstrap, 200 to 100000 (default: 1000)", 0},
    {"seed", KEY_SEED, "NUMBER", 0, "Seed of the bootstrap (default: 1, or that of a raw file)", 0},
    {"margin", KEY_MARGIN, "FACTOR", 0,
     "Factor on the longest run, where there is no model: a choice (default: 1.2)", 0},
    {"workload", KEY_WORKLOAD, "WORKLOAD", 0,
     "Of a raw file: only the series of this workload, or this series, as in fma-132-cold", 0},
    {"fail-on-refusal", KEY_FAIL, NULL, 0,
     "End with exit code 1 where there is no time for an exceedance: it is refused, or has no model", 0},
    {"name", KEY_NAME, "TEXT", 0, "What the values are of, for titles (default: the file's name)", 0},
    {"json", 'j', "FILE", 0, "Write all of it as JSON (- for standard output, then without tables)", 0},
    {"pictures", KEY_PICTURES, "FOLDER", 0, "Draw quantiles and return levels into it, as SVG", 0},
    {0}};

static void add_exceedance(struct worst *worst, const char *text, const struct argp_state *state) {
    if (!worst->exceedances_given) {
        worst->input.exceedance_count = 0;
        worst->exceedances_given = true;
    }
    if (worst->input.exceedance_count == GRT_PWCET_EXCEEDANCES) {
        grt_argp_error(state, "--exceedance at most %d times", GRT_PWCET_EXCEEDANCES);
    }
    worst->input.exceedances[worst->input.exceedance_count++] =
        grt_option_number("--exceedance", text, 1e-15, GRT_PWCET_MOST_EXCEEDANCE, state);
}

static double read_unit(const char *text, const struct argp_state *state) {
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(text, units[i].name) == 0) {
            return units[i].ns;
        }
    }
    grt_argp_error(state, "--unit must be ns, us, ms or s (got '%s')", text);
    return 1;
}

static int read_column(const char *text, const struct argp_state *state) {
    return strcmp(text, "all") == 0 ? GRT_SERIES_ALL
                                    : (int)grt_option_whole("--column", text, 1, 1000, state);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct worst *worst = state->input;
    const struct grt_plain_option plain[] = {{KEY_NAME, "--name", .text = &worst->name},
                                             {KEY_WORKLOAD, "--workload", .text = &worst->workload},
                                             {'j', "--json", .text = &worst->json},
                                             {KEY_FAIL, .flag = &worst->fails_on_refusal},
                                             {KEY_PICTURES, "--pictures", .text = &worst->pictures},
                                             {0}};
    if (key != 'p') {
        grt_option_once(&worst->given, options, key, state);
    }
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &worst->style;
        return 0;
    case 'p':
        add_exceedance(worst, argument, state);
        return 0;
    case KEY_QUANTUM:
        worst->input.quantum = (double)grt_option_time("--quantum", argument, state);
        return 0;
    case KEY_REPLICATES:
        worst->input.replicates = (size_t)grt_option_whole("--replicates", argument, 200, 100000, state);
        return 0;
    case KEY_SEED:
        worst->input.seed = grt_option_whole("--seed", argument, 0, UINT64_MAX, state);
        worst->seed_given = true;
        return 0;
    case KEY_MARGIN:
        worst->input.margin = grt_option_number("--margin", argument, 1, 100, state);
        return 0;
    case KEY_UNIT:
        worst->format.unit = read_unit(argument, state);
        return 0;
    case KEY_COLUMN:
        worst->format.column = read_column(argument, state);
        return 0;
    case ARGP_KEY_ARG:
        grt_option_one(&worst->file, "file of values", argument, state);
        return 0;
    case ARGP_KEY_END:
        if (worst->file == NULL) {
            grt_argp_error(state, "which file? (\"-\": standard input)");
        }
        grt_check_output_list("file of values", worst->file,
                              &(struct grt_output_option){"--json", worst->json}, 1, state);
        return 0;
    default:
        return grt_option_keep(plain, key, argument, state) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&grt_style_argp, 0, NULL, 0}, {0}};

const struct argp grt_calib_worst_argp = {
    .options = options,
    .parser = parse_option,
    .children = children,
    .args_doc = "FILE",
    .doc = "Says how long a run can take, by extreme value theory: from execution times, in the order "
           "of measuring, to times that are exceeded with a "
           "given, small probability per run; by five methods side by side, with intervals, tests of what "
           "they take for granted, and refusals."
           "\v"
           "FILE has numbers between blanks, commas or line ends, one in each line or all in one line, where "
           "# begins a comment; or it is a raw file "
           "of `gpurt-calib measure`, of which all series of long runs are taken.\n"
           "\n"
           "Examples:\n"
           "  gpurt-calib worst times.txt\n"
           "  gpurt-calib worst times.txt --quantum=32ns -p 1e-6 --json=worst.json \\\n"
           "      --pictures=.\n"
           "  gpurt-calib worst runs.csv --column=2 --unit=us\n"
           "  gpurt-calib worst h200.jsonl --workload=matmul --fail-on-refusal\n"
           "\n"
           "Exit codes: 0 done; 1 failed while running, or with --fail-on-refusal there is not a time for "
           "every exceedance, of every series; 2 bad input or usage. A refusal is an answer: without that "
           "option it ends with 0."};

/* ---- what comes out ---- */

/* The analysis of a series. */
struct said {
    const char *name, *key; /* key: of a raw file's series, for names of files; else NULL */
    const struct grt_pwcet *pwcet;
};

static cJSON *json_of(const struct said *said) {
    cJSON *object = grt_worst_json(said->pwcet, said->name);
    if (said->key != NULL) {
        cJSON_AddStringToObject(object, "series", said->key);
    }
    return object;
}

/* An object; of a raw file a list of objects. */
static bool write_json(const struct worst *worst, const struct said *said, size_t count,
                       struct grt_errors *errors) {
    bool is_list = said[0].key != NULL;
    cJSON *root = is_list ? cJSON_CreateArray() : json_of(&said[0]);
    for (size_t i = 0; i < count && is_list; i++) {
        cJSON_AddItemToArray(root, json_of(&said[i]));
    }
    char *text = cJSON_Print(root);
    bool written = grt_output_text(worst->json, text, "\n", errors);
    cJSON_free(text);
    cJSON_Delete(root);
    return written;
}

static bool draw_one(const struct worst *worst, const struct said *said, const char *what,
                     const struct grt_chart *chart, struct grt_arena *arena, struct grt_errors *errors) {
    const char *file = said->key != NULL ? grt_format(arena, "%s-%s", said->key, what) : what;
    return grt_chart_write(worst->pictures, file, chart, GRT_PLOT_SVG, errors);
}

static bool draw(const struct worst *worst, const struct said *said, struct grt_arena *arena,
                 struct grt_errors *errors) {
    const struct grt_chart quantiles = grt_chart_of_quantiles(said->pwcet, said->name, arena);
    const struct grt_chart returns = grt_chart_of_returns(said->pwcet, said->name, arena);
    if (said->pwcet->count == 0) { /* as series of raw files may be */
        return true;
    }
    bool good = draw_one(worst, said, "returns", &returns, arena, errors);
    return quantiles.line_count == 0 ? good
                                     : draw_one(worst, said, "quantiles", &quantiles, arena, errors) && good;
}

static enum grt_exit put_out(const struct worst *worst, const struct said *said, size_t count,
                             struct grt_arena *arena, struct grt_errors *errors) {
    bool good = true, is_said = true;
    for (size_t i = 0; i < count; i++) {
        if (!grt_is_standard_output(worst->json)) {
            fputs(i > 0 ? "\n" : "", stdout);
            grt_worst_print(said[i].pwcet, said[i].name, "ns", &worst->style, stdout);
        }
        good = (worst->pictures == NULL || draw(worst, &said[i], arena, errors)) && good;
        is_said = is_said && grt_worst_has_value(said[i].pwcet);
    }
    good = (worst->json == NULL || write_json(worst, said, count, errors)) && good;
    grt_print_errors(errors, NULL);
    return good && (is_said || !worst->fails_on_refusal) ? GRT_EXIT_DONE : GRT_EXIT_FAILED;
}

/* ---- what goes in ---- */

/* Numbers without a unit are taken for ns, unless they can hardly be. */
static bool are_ns(const struct grt_series *series, struct grt_errors *errors) {
    double longest = 0;
    for (size_t i = 0; i < series->count; i++) {
        longest = fmax(longest, series->values[i]);
    }
    if (longest < 1 && longest > 0) {
        grt_error_add(errors, NULL,
                      "no time is as long as 1 ns, the longest %g: say their unit, as in --unit=s", longest);
        return false;
    }
    if (!series->is_whole) {
        fputs("gpurt-calib: note: the times are no whole numbers, and taken for ns: --unit says what else\n",
              stderr);
    }
    return true;
}

static const struct said *analyse_values(struct worst *worst, const char *text, size_t size,
                                         struct grt_arena *arena, struct grt_errors *errors) {
    struct grt_series series = {0};
    struct grt_series_format format = worst->format;
    format.unit = format.unit > 0 ? format.unit : 1;
    if (worst->workload != NULL) {
        grt_error_add(errors, NULL, "--workload is for raw files, and this is none");
        return NULL;
    }
    if (!grt_taken_check(text, size, GRT_TAKEN_NUMBERS, errors) ||
        !grt_series_parse(text, size, &format, arena, &series, errors) ||
        (worst->format.unit == 0 && !are_ns(&series, errors))) {
        return NULL;
    }
    worst->input.values = series.values;
    worst->input.count = series.count;
    struct said *said = grt_arena_new(arena, struct said);
    *said = (struct said){.name = worst->name != NULL ? worst->name : worst->file,
                          .pwcet = grt_pwcet_analyse(&worst->input, arena, errors)};
    return said->pwcet != NULL ? said : NULL;
}

/* The keys of all series, between commas. */
static const char *list_series(const struct grt_raw *raw, struct grt_arena *arena) {
    const struct grt_raw_cell *cell = NULL;
    const char *text = "";
    while ((cell = grt_raw_next(raw, "worst", cell)) != NULL) {
        const char *key = grt_fit_worst_key(cell, arena);
        text = key != NULL ? grt_format(arena, "%s%s%s", text, text[0] != '\0' ? ", " : "", key) : text;
    }
    return text;
}

static const struct said *analyse_raw(struct worst *worst, const char *text, size_t size, size_t *count,
                                      struct grt_arena *arena, struct grt_errors *errors) {
    struct grt_raw *raw = grt_raw_read_text(text, size, worst->file, arena, errors);
    if (raw == NULL) {
        return NULL;
    }
    if (worst->format.unit > 0 || worst->format.column != GRT_SERIES_ANY) {
        grt_error_add(errors, NULL, "%s is for files of values, and this is a raw file",
                      worst->format.unit > 0 ? "--unit" : "--column");
        return NULL;
    }
    if (worst->name != NULL) {
        grt_error_add(errors, NULL, "--name is for files of values: series of raw files have names");
        return NULL;
    }
    worst->input.seed = worst->seed_given ? worst->input.seed : raw->seed;
    const struct grt_fit *fit = grt_fit_worst_of(raw, &worst->input, worst->workload, arena);
    if (fit->worst_error != NULL) {
        grt_error_add(errors, NULL, "%s", fit->worst_error);
        return NULL;
    }
    if (fit->worst_count == 0) {
        const char *series = list_series(raw, arena);
        if (series[0] == '\0') {
            grt_error_add(errors, NULL,
                          "has no series of long runs, which `gpurt-calib measure` takes in its experiment "
                          "`worst`");
        } else {
            grt_error_add(errors, NULL, "--workload: there is no series \"%s\"; there are %s",
                          worst->workload != NULL ? worst->workload : "", series);
        }
        return NULL;
    }
    struct said *said = grt_arena_array(arena, fit->worst_count, sizeof *said);
    for (size_t i = 0; i < fit->worst_count; i++) {
        const struct grt_fitted_worst *one = &fit->worst[i];
        said[i] = (struct said){one->name, one->key, one->pwcet};
    }
    *count = fit->worst_count;
    return said;
}

enum grt_exit grt_calib_worst(int argc, char **argv) {
    struct worst worst = {.input = grt_pwcet_defaults(), .style = grt_style_default()};
    struct grt_errors errors = {0};
    struct grt_arena arena = {0};
    grt_options_parse(&grt_calib_worst_argp, argc, argv, &worst);
    worst.input.unit = "ns";
    size_t size = 0, count = 1;
    char *text = grt_text_file_read(worst.file, &size, &errors);
    const struct said *said = NULL;
    if (text != NULL) {
        said = grt_taken_of(text, size) == GRT_TAKEN_RAW
                   ? analyse_raw(&worst, text, size, &count, &arena, &errors)
                   : analyse_values(&worst, text, size, &arena, &errors);
    }
    enum grt_exit result = GRT_EXIT_INPUT;
    if (said != NULL) {
        result = put_out(&worst, said, count, &arena, &errors);
    } else {
        grt_print_errors(&errors, worst.file);
    }
    free(text);
    grt_arena_clear(&arena);
    return result;
}
