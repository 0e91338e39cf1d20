#include "cli/generate/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/policy/option.h"
#include "cli/terminal/options.h"
#include "policies/registry.h"

enum { MOST_THREADS = 1024 };

#define LARGEST_SEED ((UINT64_C(1) << 53) - 1) /* of scenarios */

enum {
    KEY_SHAPE = 0x90,
    KEY_PARAMETER,
    KEY_METHOD = 0x100,
    KEY_LEAST,
    KEY_MOST,
    KEY_GRANULARITY,
    KEY_JITTER,
    KEY_OVERHEAD,
    KEY_OFFSETS,
    KEY_BLOCKS,
    KEY_THREADS,
    KEY_DEVICE,
    KEY_POLICY,
    KEY_HORIZON,
    KEY_SEED,
    KEY_FIRST,
    KEY_COUNT
};

static const struct argp_option generate_options[] = {
    {NULL, 0, NULL, 0, "What the sets are like:", 1},
    {"shape", KEY_SHAPE, "SHAPE", 0,
     "kernel (default): every task is one kernel; kim: tasks on several cores, some of which use the GPU, by "
     "the parameters of Kim and others 2017; or a generator of experiments by its name: independent and "
     "cores "
     "are these two, applications are measured ones, with --tasks and --utilisation",
     1},
    {"parameter", KEY_PARAMETER, "NAME=VALUE", 0,
     "A parameter of the shape, as experiments call it (gpurt reference --experiment); may be given often",
     1},
    {"tasks", 'n', "N", 0, "Tasks of a set, 1 to 4096 (default: 10)", 1},
    {"utilisation", 'u', "U", 0, "Utilisation of all tasks together (default: 0.5)", 1},
    {"utilization", 'u', NULL, OPTION_ALIAS, NULL, 1},
    {"method", KEY_METHOD, "METHOD", 0,
     "How it is shared among them: uunifast-discard (default), uunifast, randfixedsum or uunisort", 1},
    {"max-utilisation", KEY_MOST, "U", 0,
     "Largest utilisation of a task (default: 1); uunifast-discard and randfixedsum only", 1},
    {"min-utilisation", KEY_LEAST, "U", 0, "Smallest utilisation of a task (default: 0); of the same methods",
     1},
    {"periods", 'p', "KIND", 0,
     "uniform:MIN,MAX, log-uniform:MIN,MAX (default: log-uniform:10ms,1s), divisors:H,MIN,MAX (of the "
     "hyperperiod "
     "H), automotive (1 to 1000 ms, as often as in engine control) or automotive-equal",
     1},
    {"granularity", KEY_GRANULARITY, "TIME", 0,
     "Periods and random offsets are multiples of this (default: 1ms)", 1},
    {"deadlines", 'd', "KIND", 0,
     "implicit (default), factor:LOW,HIGH (uniform, times the period) or slack:LOW,HIGH (the execution "
     "time, and a uniform share of the rest of the period)",
     1},
    {"jitter", KEY_JITTER, "SHARE", 0,
     "Release jitter as a share of the period, or uniform: LOW,HIGH (default: 0)", 1},
    {"overhead", KEY_OVERHEAD, "TIME", 0, "Overhead of split pieces (split_overhead), uniform from 0 to TIME",
     1},
    {"offsets", KEY_OFFSETS, "zero|random", 0, "First releases: at 0 (default), or uniform below the period",
     1},
    {"blocks", KEY_BLOCKS, "LOW,HIGH", 0,
     "Describe the work as so many blocks, uniform, which take whole waves of the device (default: as a "
     "time)",
     1},
    {"threads", KEY_THREADS, "N", 0, "Threads of each block (default: 256)", 1},
    {"seed", KEY_SEED, "N", 0, "Which sets: 0 to 2^53 - 1 (default: 1)", 1},
    {NULL, 0, NULL, 0, "What is written:", 2},
    {"output", 'o', "FILE", 0,
     "The file, or with --count a folder, which is made if need be (default: -, standard output)", 2},
    {"count", KEY_COUNT, "N", 0, "Write N sets as set-1.json to set-N.json into the folder", 2},
    {"first", KEY_FIRST, "K", 0, "Begin with set number K of the seed (default: 1)", 2},
    {"device", KEY_DEVICE, "DEVICE", 0, "GPU, as in scenario files (default: exclusive)", 2},
    {"policy", KEY_POLICY, "POLICY", 0,
     "Policy, or file of a plug-in, with default parameters (default: np-edf; with --shape kim np-fp)", 2},
    {"horizon", KEY_HORIZON, "TIME", 0,
     "Horizon, as in scenario files: a duration, hyperperiod or auto (default: ten periods of the slowest "
     "task)",
     2},
    {"quiet", 'q', NULL, 0, "Do not say what was written", 2},
    {0}};

/* ---- Values ---- */

static void parse_periods(struct grt_period_spec *periods, const char *argument,
                          const struct argp_state *state) {
    static const char option[] = "--periods";
    size_t length = strcspn(argument, ":");
    periods->method = grt_generate_word(option, argument, length, grt_period_method_names, state);
    bool takes_range = periods->method < GRT_PERIODS_AUTOMOTIVE, colon = argument[length] == ':';
    if (takes_range != colon) {
        grt_argp_error(state,
                       takes_range
                           ? "%s: needs its shortest and longest, as in log-uniform:10ms,1s (got '%s')"
                           : "%s: takes no bounds (got '%s')",
                       option, argument);
    }
    if (takes_range) {
        char text[GRT_GENERATE_MOST_TEXT];
        const char *parts[3];
        bool divisors = periods->method == GRT_PERIODS_DIVISORS;
        grt_generate_split(option, argument + length + 1, text, parts, divisors ? 3 : 2,
                           divisors ? "divisors:H,MIN,MAX" : "KIND:MIN,MAX", state);
        periods->hyperperiod = divisors ? grt_option_time(option, parts[0], state) : 0;
        periods->least = grt_option_time(option, parts[divisors], state);
        periods->most = grt_option_time(option, parts[divisors + 1], state);
    }
}

static const char *const deadline_kinds[] = {"implicit", "factor", "slack", NULL};
static const char *const offset_kinds[] = {"zero", "random", NULL};

static void parse_deadlines(struct grt_generator_spec *spec, const char *argument,
                            const struct argp_state *state) {
    static const char option[] = "--deadlines";
    size_t length = strcspn(argument, ":");
    spec->deadlines = grt_generate_word(option, argument, length, deadline_kinds, state);
    bool takes_range = spec->deadlines != GRT_DEADLINES_IMPLICIT, colon = argument[length] == ':';
    if (takes_range != colon) {
        grt_argp_error(state,
                       takes_range ? "%s: needs its bounds, as in factor:0.5,1 (got '%s')"
                                   : "%s: takes no bounds (got '%s')",
                       option, argument);
    }
    if (takes_range) {
        spec->deadline_factor = grt_generate_range(option, argument + length + 1, false, 100, state);
    }
}

static void parse_blocks(struct grt_generator_spec *spec, const char *argument,
                         const struct argp_state *state) {
    struct grt_generated_count blocks = grt_generate_counts("--blocks", argument, INT32_MAX, state);
    spec->blocks.low = blocks.low;
    spec->blocks.high = blocks.high;
}

/* ---- Options ---- */

/* What the sets are like; false if it is something else. */
static bool parse_set_option(struct grt_independent *independent, int key, const char *argument,
                             const struct argp_state *state) {
    struct grt_generator_spec *spec = &independent->spec;
    switch (key) {
    case 'n':
        independent->tasks = (int64_t)grt_option_whole("--tasks", argument, 1, GRT_MAX_TASKS, state);
        return true;
    case 'u':
        spec->utilisation = grt_option_number("--utilisation", argument, 0, GRT_MAX_TASKS, state);
        return true;
    case KEY_METHOD:
        spec->method =
            grt_generate_word("--method", argument, strlen(argument), grt_utilisation_method_names, state);
        return true;
    case KEY_MOST:
        spec->most = grt_option_number("--max-utilisation", argument, 0, GRT_MAX_TASKS, state);
        return true;
    case KEY_LEAST:
        spec->least = grt_option_number("--min-utilisation", argument, 0, GRT_MAX_TASKS, state);
        return true;
    case 'd':
        parse_deadlines(spec, argument, state);
        return true;
    case KEY_JITTER:
        spec->jitter = grt_generate_range("--jitter", argument, true, 1, state);
        return true;
    case KEY_OVERHEAD:
        spec->overhead = grt_option_time("--overhead", argument, state);
        return true;
    case KEY_OFFSETS:
        spec->random_offsets =
            grt_generate_word("--offsets", argument, strlen(argument), offset_kinds, state) == 1;
        return true;
    case KEY_BLOCKS:
        parse_blocks(spec, argument, state);
        return true;
    default:
        return false;
    }
}

static void parse_horizon(struct grt_generate_command *command, const char *argument,
                          const struct argp_state *state) {
    command->horizon_kind = strcmp(argument, "hyperperiod") == 0 ? GRT_HORIZON_HYPERPERIOD
                            : strcmp(argument, "auto") == 0      ? GRT_HORIZON_AUTO
                                                                 : GRT_HORIZON_FIXED;
    if (command->horizon_kind == GRT_HORIZON_FIXED) {
        command->horizon = grt_option_time("--horizon", argument, state);
        if (command->horizon == 0) {
            grt_argp_error(state, "--horizon: must be above 0 (got '%s')", argument);
        }
    }
}

static void parse_shape(struct grt_generate_command *command, const char *argument,
                        const struct argp_state *state) {
    const char *names[GRT_GENERATE_MOST_SHAPES];
    grt_generate_shape_names(names);
    command->shape =
        grt_generate_shape_of(names[grt_generate_word("--shape", argument, strlen(argument), names, state)]);
}

/* "name=value"; the value is JSON, or else a plain text. */
static void parse_parameter(struct grt_generate_command *command, const char *argument,
                            const struct argp_state *state) {
    size_t length = strcspn(argument, "=");
    if (length == 0 || argument[length] == '\0') {
        grt_argp_error(state, "--parameter: must be NAME=VALUE (got '%s')", argument);
        return;
    }
    const char *text = argument + length + 1;
    char *name = grt_arena_array(&command->arena, length + 1, 1);
    memcpy(name, argument, length);
    if (command->others == NULL) {
        command->others = cJSON_CreateObject();
    }
    if (cJSON_GetObjectItemCaseSensitive(command->others, name) != NULL) {
        grt_argp_error(state, "--parameter: %s was given twice", name);
    }
    cJSON *value = cJSON_ParseWithOpts(text, NULL, true);
    cJSON_AddItemToObject(command->others, name, value != NULL ? value : cJSON_CreateString(text));
}

/* Options of other shapes mean nothing to this one. */
static void check_shape(const struct grt_generate_command *command, const struct argp_state *state) {
    const struct grt_generate_shape *shape = &command->shape;
    for (size_t i = 0; generate_options[i].group != 0; i++) {
        int key = generate_options[i].key;
        bool all = key == KEY_SHAPE || key == KEY_SEED,
             given = (command->given >> i & 1) != 0 && generate_options[i].group == 1;
        if (given && !all && !grt_generate_has_option(shape, generate_options[i].name)) {
            grt_argp_error(state, "--%s has no meaning with --shape %s", generate_options[i].name,
                           shape->name);
        }
    }
    for (size_t i = 0; grt_kim_argp.options[i].doc != NULL; i++) {
        const char *name = grt_kim_argp.options[i].name;
        if ((command->kim_given >> i & 1) != 0 && !grt_generate_has_option(shape, name)) {
            grt_argp_error(state, "--%s has a meaning only with --shape kim", name);
        }
    }
}

static void check_all(const struct grt_generate_command *command, const struct argp_state *state) {
    check_shape(command, state);
    const cJSON *other;
    cJSON_ArrayForEach(other, command->others) {
        const char *option = grt_generate_option_of(&command->shape, other->string, strlen(other->string));
        if (option != NULL) {
            grt_argp_error(state, "--parameter: %s has an option of its own, --%s", other->string, option);
        }
    }
    if (command->count > 0 && strcmp(command->output, "-") == 0) {
        grt_argp_error(state, "--count needs --output FOLDER");
    }
    if (command->threads != 0 && command->independent.spec.blocks.high == 0) {
        grt_argp_error(state, "--threads has a meaning only with --blocks");
    }
}

/* What is not a property of sets; false if it is something else. */
static bool parse_frame_option(struct grt_generate_command *command, int key, char *argument,
                               const struct argp_state *state) {
    const struct grt_plain_option plain[] = {{'o', .text = &command->output},
                                             {'q', .flag = &command->quiet},
                                             {KEY_DEVICE, .text = &command->device},
                                             {0}};
    switch (key) {
    case KEY_COUNT:
        command->count = grt_option_whole("--count", argument, 1, GRT_GENERATE_MOST_SETS, state);
        return true;
    case KEY_FIRST:
        command->first = grt_option_whole("--first", argument, 0, LARGEST_SEED, state);
        return true;
    case KEY_SEED:
        command->seed = grt_option_whole("--seed", argument, 0, LARGEST_SEED, state);
        return true;
    case KEY_POLICY:
        command->policy = grt_option_policy("--policy", argument, &command->arena, state);
        return true;
    case KEY_HORIZON:
        parse_horizon(command, argument, state);
        return true;
    default:
        return grt_option_keep(plain, key, argument, state);
    }
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct grt_generate_command *command = state->input;
    if (key != KEY_PARAMETER) {
        grt_option_once(&command->given, generate_options, key, state);
    }
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = command;
        return 0;
    case KEY_SHAPE:
        parse_shape(command, argument, state);
        return 0;
    case KEY_PARAMETER:
        parse_parameter(command, argument, state);
        return 0;
    case KEY_THREADS:
        command->threads = (int64_t)grt_option_whole("--threads", argument, 1, MOST_THREADS, state);
        return 0;
    case KEY_GRANULARITY:
        command->granularity_given = true;
        command->periods.granularity = grt_option_time("--granularity", argument, state);
        return 0;
    case 'p':
        command->periods_given = true;
        parse_periods(&command->periods, argument, state);
        return 0;
    case ARGP_KEY_ARG:
        grt_argp_error(state, "takes options only (got '%s')", argument);
        return 0;
    case ARGP_KEY_END:
        check_all(command, state);
        return 0;
    default:
        return parse_frame_option(command, key, argument, state) ||
                       parse_set_option(&command->independent, key, argument, state)
                   ? 0
                   : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&grt_kim_argp, 0, NULL, 0}, {0}};

const struct argp grt_command_generate_argp = {
    .options = generate_options,
    .parser = parse_option,
    .children = children,
    .doc =
        "Makes scenarios with task sets by chance, one to a file or many to a folder. Every task is one "
        "kernel on one "
        "GPU, unless --shape says otherwise."
        "\v"
        "A set depends on its options, its seed and its number alone. The document generating.md says what "
        "is "
        "drawn how.\n"
        "\n"
        "Examples:\n"
        "  gpurt generate -n 5 -u 0.7 | gpurt run -\n"
        "  gpurt generate -n 10 -u 0.8 --count 100 -o sets/\n"
        "  gpurt generate -u 0.6 --periods uniform:100ms,100s --granularity 1ns \\\n"
        "      --overhead 6ms -o tdm.json\n"
        "  gpurt generate -n 8 -u 4 --method randfixedsum --min-utilisation 0.1 \\\n"
        "      --periods automotive\n"
        "  gpurt generate --periods divisors:216s,10ms,1s --horizon hyperperiod \\\n"
        "      --deadlines slack:0.5,1\n"
        "  gpurt generate --device jetson-tx2 --blocks 1,64 --threads 128 \\\n"
        "      --jitter 0,0.1 --seed 7\n"
        "  gpurt generate --shape kim --cpus 8 --gpu-tasks 0.6 --policy np-fp \\\n"
        "      --count 1000 -o sets/\n"
        "  gpurt generate --shape applications -n 4 -u 0.8 --policy wamp2s\n"
        "\n"
        "Exit codes: 0 done; 1 a file could not be written; 2 there are no such sets, or bad usage: nothing "
        "was written.",
};

/* Where --periods does not name the bounds, they stay those of the shape. */
static void settle_periods(const struct grt_generate_command *command, struct grt_period_spec *periods) {
    const struct grt_period_spec *given = &command->periods;
    periods->granularity = command->granularity_given ? given->granularity : periods->granularity;
    if (command->periods_given) {
        periods->method = given->method;
    }
    if (command->periods_given && given->method < GRT_PERIODS_AUTOMOTIVE) {
        periods->least = given->least;
        periods->most = given->most;
        periods->hyperperiod = given->hyperperiod;
    }
}

static bool was_given(const struct grt_generate_command *command, const char *name) {
    for (size_t i = 0; generate_options[i].group != 0; i++) {
        if (generate_options[i].name != NULL && strcmp(generate_options[i].name, name) == 0) {
            return (command->given >> i & 1) != 0;
        }
    }
    return false;
}

/* Parameters of other shapes that -n and -u give go the way of --parameter, which checks them. */
static void settle_others(struct grt_generate_command *command) {
    command->parameters = grt_arena_array(&command->arena, 1, command->generator->record->size);
    grt_generator_defaults(command->generator, command->parameters);
    for (const struct grt_generate_field *field = command->shape.fields; field->field != NULL; field++) {
        if (was_given(command, field->option)) {
            bool tasks = strcmp(field->option, "tasks") == 0;
            command->others = command->others != NULL ? command->others : cJSON_CreateObject();
            cJSON_AddNumberToObject(command->others, field->field,
                                    tasks ? (double)command->independent.tasks
                                          : command->independent.spec.utilisation);
        }
    }
}

static void settle(struct grt_generate_command *command) {
    command->generator = grt_generator_find(command->shape.generator);
    if (strcmp(command->shape.name, "kernel") == 0) {
        settle_periods(command, &command->independent.spec.periods);
        command->independent.threads = command->threads > 0 ? command->threads : command->independent.threads;
        command->parameters = &command->independent;
    } else if (strcmp(command->shape.name, "kim") == 0) {
        settle_periods(command, &command->kim.periods);
        command->parameters = &command->kim;
    } else {
        settle_others(command);
    }
    command->device = command->device != NULL ? command->device : command->shape.device;
    command->policy = command->policy != NULL ? command->policy : grt_policy_find(command->shape.policy);
}

void grt_generate_options_read(struct grt_generate_command *command, int argc, char **argv) {
    *command = (struct grt_generate_command){
        .shape = grt_generate_shape_of("kernel"), .seed = 1, .first = 1, .output = "-"};
    grt_generator_defaults(grt_generator_find("independent"), &command->independent);
    grt_generator_defaults(grt_generator_find("cores"), &command->kim);
    grt_options_parse(&grt_command_generate_argp, argc, argv, command);
    settle(command);
}

void grt_generate_options_free(struct grt_generate_command *command) {
    cJSON_Delete(command->others);
    grt_arena_clear(&command->arena);
}
