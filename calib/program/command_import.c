#include <stdlib.h>
#include <string.h>

#include "calib/program/command.h"
#include "calib/program/import/import.h"
#include "cli/terminal/command_line.h"
#include "cli/terminal/same_file.h"
#include "sim/unit.h"

enum { KEY_BY = 0x600, KEY_GPU, KEY_PERIOD, KEY_VALUES, KEY_NAME, KEY_CUT, MOST_PERIODS = 256 };

struct command {
    struct grt_import import;
    const char *tool;
    const char *only_nsys; /* the first option that only that takes; NULL: none was given */
    uint64_t given;
};

static const struct argp_option options[] = {
    {"device", 'd', "DEVICE", 0,
     "What the profile was made on: a preset's name or a device file (default: for nsys the preset that the "
     "profile names)",
     0},
    {"out", 'o', "PLACE", 0,
     "ncu: the folder for usage files (default: .); nsys: the scenario's file (default: -, standard output)",
     0},
    {"quiet", 'q', NULL, 0, "Do not say what was imported", 0},
    {"by", KEY_BY, "streams|ranges", 0,
     "nsys: what a task is: a stream, whose jobs are what repeats in it (streams, the default), or an "
     "outermost range "
     "of NVTX (ranges)",
     0},
    {"cut-numbers", KEY_CUT, NULL, 0,
     "nsys: ranges whose names differ only by the number at their end (\"frame 1\", \"frame 2\") are of one "
     "task; "
     "with --by=ranges",
     0},
    {"gpu", KEY_GPU, "NUMBER", 0, "nsys: of which GPU of the profile (default: the first with kernels)", 0},
    {"period", KEY_PERIOD, "TASK=TIME", 0,
     "nsys: the task's period, instead of the median gap; several times for several tasks", 0},
    {"values", KEY_VALUES, "COUNT", 0,
     "nsys: measured times to keep of each command, 2 to 100000 (default: 1000)", 0},
    {"name", KEY_NAME, "TEXT", 0, "nsys: the scenario's name (default: the file's)", 0},
    {0}};

static void add_period(struct grt_import *import, const char *text, const struct argp_state *state) {
    const char *equals = strrchr(text, '=');
    if (equals == NULL || equals == text) {
        grt_argp_error(state, "--period must be TASK=TIME (got '%s')", text);
        return;
    }
    if (import->period_count == MOST_PERIODS) {
        grt_argp_error(state, "--period at most %d times", MOST_PERIODS);
    }
    char *task = grt_arena_text(&import->arena, text);
    task[equals - text] = '\0';
    grt_time period = grt_option_time("--period", equals + 1, state);
    if (period == 0) {
        grt_argp_error(state, "--period must be above 0 (got '%s')", text);
    }
    import->periods[import->period_count++] = (struct grt_nsys_period){task, period};
}

static void set_by(struct grt_import *import, const char *text, const struct argp_state *state) {
    if (strcmp(text, "streams") != 0 && strcmp(text, "ranges") != 0) {
        grt_argp_error(state, "--by must be streams or ranges (got '%s')", text);
    }
    import->tasks.by = strcmp(text, "ranges") == 0 ? GRT_NSYS_BY_RANGE : GRT_NSYS_BY_STREAM;
}

static void set_file(struct command *command, const char *argument, const struct argp_state *state) {
    if (command->tool != NULL) {
        grt_option_one(&command->import.file, "file", argument, state);
        return;
    }
    if (strcmp(argument, "ncu") != 0 && strcmp(argument, "nsys") != 0) {
        grt_argp_error(state, "imports are ncu and nsys (got '%s')", argument);
    }
    command->tool = argument;
}

static void check(const struct command *command, const struct argp_state *state) {
    const char *tool = command->tool != NULL ? command->tool : "";
    if (command->import.file == NULL) {
        grt_argp_error(state, tool[0] == '\0' ? "of what? (ncu or nsys, and a file)" : "which file?");
    }
    if (command->only_nsys != NULL && strcmp(tool, "nsys") != 0) {
        grt_argp_error(state, "--%s is for nsys", command->only_nsys);
    }
    if (command->import.tasks.cut_numbers && command->import.tasks.by != GRT_NSYS_BY_RANGE) {
        grt_argp_error(state, "--cut-numbers is for --by=ranges");
    }
    if (strcmp(tool, "nsys") == 0) {
        grt_check_output_list("profile", command->import.file,
                              &(struct grt_output_option){"--out", command->import.out}, 1, state);
    }
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct command *command = state->input;
    struct grt_import *import = &command->import;
    const struct grt_plain_option plain[] = {{'d', "--device", .text = &import->device},
                                             {'o', "--out", .text = &import->out},
                                             {'q', .flag = &import->quiet},
                                             {KEY_CUT, .flag = &import->tasks.cut_numbers},
                                             {KEY_NAME, "--name", .text = &import->name},
                                             {0}};
    if (key != KEY_PERIOD) {
        grt_option_once(&command->given, options, key, state);
    }
    for (const struct argp_option *option = options; option->name != NULL; option++) {
        command->only_nsys = option->key == key && key >= KEY_BY ? option->name : command->only_nsys;
    }
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &import->style;
        return 0;
    case KEY_BY:
        set_by(import, argument, state);
        return 0;
    case KEY_GPU:
        import->tasks.device = (int64_t)grt_option_whole("--gpu", argument, 0, 1023, state);
        return 0;
    case KEY_PERIOD:
        add_period(import, argument, state);
        return 0;
    case KEY_VALUES:
        import->most_values = (size_t)grt_option_whole("--values", argument, 2, 100000, state);
        return 0;
    case ARGP_KEY_ARG:
        set_file(command, argument, state);
        return 0;
    case ARGP_KEY_END:
        check(command, state);
        return 0;
    default:
        return grt_option_keep(plain, key, argument, state) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&grt_style_argp, 0, NULL, 0}, {0}};

const struct argp grt_calib_import_argp = {
    .options = options,
    .parser = parse_option,
    .children = children,
    .args_doc = "ncu|nsys FILE",
    .doc = "Makes files for scenarios of what NVIDIA's profilers say: of counters (ncu --csv --page raw) a "
           "usage file for "
           "each kernel, of a timeline (nsys export --type sqlite) a scenario."
           "\v"
           "Examples:\n"
           "  LC_ALL=C ncu --csv --page raw --set full ./program >counters.csv\n"
           "  gpurt-calib import ncu counters.csv --device=h200 --out=usages\n"
           "  nsys export --type sqlite --output timeline.sqlite timeline.nsys-rep\n"
           "  gpurt-calib import nsys timeline.sqlite --by=ranges --out=scenario.json\n"
           "\n" GRT_EXIT_HELP};

enum grt_exit grt_calib_import(int argc, char **argv) {
    struct command command = {.import = {.style = grt_style_default(), .tasks = {.device = -1}}};
    struct grt_import *import = &command.import;
    import->periods = grt_arena_array(&import->arena, MOST_PERIODS, sizeof import->periods[0]);
    grt_options_parse(&grt_calib_import_argp, argc, argv, &command);
    bool ncu = strcmp(command.tool, "ncu") == 0;
    import->out = import->out != NULL ? import->out : ncu ? "." : "-";
    enum grt_exit result = ncu ? grt_import_ncu(import) : grt_import_nsys(import);
    grt_arena_clear(&import->arena);
    return result;
}
