#include "cli/generate_options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "scenarios/spelling.h"

enum { MOST_TEXT = 128, MOST_THREADS = 1024 };

#define LARGEST_SEED (UINT64_C(1) << 53)

enum {
    KEY_SHAPE = 0x90,
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
    {"shape", KEY_SHAPE, "NAME", 0,
     "kernel (default): every task is one kernel; kim: tasks on several cores, some of which use the GPU, by "
     "the "
     "parameters of Kim and others 2017. Takes --periods, --granularity and --seed of the options here, and "
     "those "
     "below",
     1},
    {"tasks", 'n', "N", 0, "Tasks of a set, 1 to 4096 (default: 10)", 1},
    {"utilisation", 'u', "U", 0, "Utilisation of all tasks together (default: 0.5)", 1},
    {"utilization", 'u', NULL, OPTION_ALIAS, NULL, 1},
    {"method", KEY_METHOD, "NAME", 0,
     "How it is shared: uunifast-discard (default), uunifast, randfixedsum or uunisort", 1},
    {"max-utilisation", KEY_MOST, "U", 0,
     "Largest utilisation of a task (default: 1); uunifast-discard and randfixedsum only", 1},
    {"min-utilisation", KEY_LEAST, "U", 0, "Smallest utilisation of a task (default: 0); the same", 1},
    {"periods", 'p', "KIND", 0,
     "uniform:MIN,MAX, log-uniform:MIN,MAX (default: log-uniform:10ms,1s), divisors:H,MIN,MAX (of the "
     "hyperperiod "
     "H), automotive (1 to 1000 ms, as frequent as in engine control) or automotive-equal",
     1},
    {"granularity", KEY_GRANULARITY, "TIME", 0,
     "Periods and random offsets are multiples of this (default: 1ms)", 1},
    {"deadlines", 'd', "KIND", 0,
     "implicit (default), factor:LOW,HIGH (uniform, times the period) or slack:LOW,HIGH (uniform, times "
     "period less "
     "execution time, plus the latter)",
     1},
    {"jitter", KEY_JITTER, "SHARE", 0,
     "Release jitter as a share of the period, or uniform: LOW,HIGH (default: 0)", 1},
    {"overhead", KEY_OVERHEAD, "TIME", 0, "Overhead of split pieces (split_overhead), uniform from 0 to TIME",
     1},
    {"offsets", KEY_OFFSETS, "KIND", 0, "zero (default) or random: uniform below the period", 1},
    {"blocks", KEY_BLOCKS, "LOW,HIGH", 0,
     "Describe the work as so many blocks, uniform, which take whole waves of the device (default: as a "
     "time)",
     1},
    {"threads", KEY_THREADS, "N", 0, "Threads of each block (default: 256)", 1},
    {"seed", KEY_SEED, "N", 0, "Which sets: 0 to 2^53 (default: 1)", 1},
    {NULL, 0, NULL, 0, "What is written:", 2},
    {"output", 'o', "FILE", 0,
     "The file, or with --count a folder, which is made if need be (default: -, standard output)", 2},
    {"count", KEY_COUNT, "N", 0, "Write N sets as set-1.json to set-N.json into the folder", 2},
    {"first", KEY_FIRST, "K", 0, "Begin with set number K of the seed (default: 1)", 2},
    {"device", KEY_DEVICE, "NAME", 0, "GPU, as in scenario files (default: exclusive)", 2},
    {"policy", KEY_POLICY, "NAME", 0,
     "Policy, with default parameters (default: np-edf; with --shape kim np-fp)", 2},
    {"horizon", KEY_HORIZON, "TIME", 0,
     "Horizon, as in scenario files: a duration, hyperperiod or auto (default: ten periods of the slowest "
     "task)",
     2},
    {"quiet", 'q', NULL, 0, "Do not say what was written", 2},
    {0}};

/* ---- Values ---- */

static uint64_t parse_count(const char *option, const char *text, uint64_t least, uint64_t most,
                            const struct argp_state *state) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value < least || value > most) {
        argp_error(state, "%s: must be a whole number from %" PRIu64 " to %" PRIu64 " (got '%s')", option,
                   least, most, text);
    }
    return value;
}

/* The index of a word, or the end of the program. `length`: of the word in the text. */
static int64_t parse_word(const char *option, const char *text, size_t length, const char *const *words,
                          const struct argp_state *state) {
    char word[MOST_TEXT], all[MOST_TEXT] = "", suggestion[GRT_GUESS_TEXT_SIZE];
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    struct grt_guess guess = grt_guess_start(word);
    for (int64_t i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], word) == 0) {
            return i;
        }
        grt_guess_try(&guess, words[i]);
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", words[i]);
    }
    argp_error(state, "%s: unknown \"%s\"%s: it is one of %s", option, word,
               grt_guess_text(&guess, suggestion), all);
    return 0;
}

/* Cuts "a,b,c" at its commas into exactly `count` parts, which lie in `text`. */
static void split(const char *option, const char *argument, char text[MOST_TEXT], const char **parts,
                  size_t count, const char *form, const struct argp_state *state) {
    size_t found = 1;
    snprintf(text, MOST_TEXT, "%s", argument);
    parts[0] = text;
    for (char *comma = strchr(text, ','); comma != NULL; comma = strchr(comma + 1, ',')) {
        *comma = '\0';
        if (found < count) {
            parts[found] = comma + 1;
        }
        found++;
    }
    if (found != count || strlen(argument) >= MOST_TEXT) {
        argp_error(state, "%s: must be %s (got '%s')", option, form, argument);
    }
}

/* "LOW,HIGH", or where `single` one number for both. */
struct grt_generated_range grt_generate_range(const char *option, const char *argument, bool single,
                                              double most, const struct argp_state *state) {
    char text[MOST_TEXT];
    const char *parts[2];
    if (single && strchr(argument, ',') == NULL) {
        double value = grt_option_number(option, argument, 0, most, state);
        return (struct grt_generated_range){value, value};
    }
    split(option, argument, text, parts, 2, single ? "a number or two, LOW,HIGH" : "two numbers, LOW,HIGH",
          state);
    return (struct grt_generated_range){grt_option_number(option, parts[0], 0, most, state),
                                        grt_option_number(option, parts[1], 0, most, state)};
}

static void parse_periods(struct grt_period_spec *periods, const char *argument,
                          const struct argp_state *state) {
    static const char option[] = "--periods";
    size_t length = strcspn(argument, ":");
    periods->method = parse_word(option, argument, length, grt_period_method_names, state);
    bool takes_range = periods->method < GRT_PERIODS_AUTOMOTIVE, colon = argument[length] == ':';
    if (takes_range != colon) {
        argp_error(state,
                   takes_range ? "%s: needs its shortest and longest, as in log-uniform:10ms,1s (got '%s')"
                               : "%s: takes no bounds (got '%s')",
                   option, argument);
    }
    if (takes_range) {
        char text[MOST_TEXT];
        const char *parts[3];
        bool divisors = periods->method == GRT_PERIODS_DIVISORS;
        split(option, argument + length + 1, text, parts, divisors ? 3 : 2,
              divisors ? "divisors:H,MIN,MAX" : "KIND:MIN,MAX", state);
        periods->hyperperiod = divisors ? grt_option_time(option, parts[0], state) : 0;
        periods->least = grt_option_time(option, parts[divisors], state);
        periods->most = grt_option_time(option, parts[divisors + 1], state);
    }
}

static const char *const shapes[] = {"kernel", "kim", NULL};
static const char *const deadline_kinds[] = {"implicit", "factor", "slack", NULL};
static const char *const offset_kinds[] = {"zero", "random", NULL};

static void parse_deadlines(struct grt_generator_spec *spec, const char *argument,
                            const struct argp_state *state) {
    static const char option[] = "--deadlines";
    size_t length = strcspn(argument, ":");
    spec->deadlines = parse_word(option, argument, length, deadline_kinds, state);
    bool takes_range = spec->deadlines != GRT_DEADLINES_IMPLICIT, colon = argument[length] == ':';
    if (takes_range != colon) {
        argp_error(state,
                   takes_range ? "%s: needs its bounds, as in factor:0.5,1 (got '%s')"
                               : "%s: takes no bounds (got '%s')",
                   option, argument);
    }
    if (takes_range) {
        spec->deadline_factor = grt_generate_range(option, argument + length + 1, false, 100, state);
    }
}

struct grt_generated_count grt_generate_counts(const char *option, const char *argument, int64_t most,
                                               const struct argp_state *state) {
    char text[MOST_TEXT];
    const char *parts[2] = {argument, argument};
    if (strchr(argument, ',') != NULL) {
        split(option, argument, text, parts, 2, "a number or two, LOW,HIGH", state);
    }
    return (struct grt_generated_count){(int64_t)parse_count(option, parts[0], 1, (uint64_t)most, state),
                                        (int64_t)parse_count(option, parts[1], 1, (uint64_t)most, state)};
}

static void parse_blocks(struct grt_generator_spec *spec, const char *argument,
                         const struct argp_state *state) {
    struct grt_generated_count blocks = grt_generate_counts("--blocks", argument, INT32_MAX, state);
    spec->blocks.low = blocks.low;
    spec->blocks.high = blocks.high;
}

/* ---- Options ---- */

/* What the sets are like; false if it is something else. */
static bool parse_set_option(struct grt_generator_spec *spec, int key, const char *argument,
                             const struct argp_state *state) {
    switch (key) {
    case 'n':
        spec->task_count = parse_count("--tasks", argument, 1, GRT_MAX_TASKS, state);
        return true;
    case 'u':
        spec->utilisation = grt_option_number("--utilisation", argument, 0, GRT_MAX_TASKS, state);
        return true;
    case KEY_METHOD:
        spec->method =
            parse_word("--method", argument, strlen(argument), grt_utilisation_method_names, state);
        return true;
    case KEY_MOST:
        spec->most = grt_option_number("--max-utilisation", argument, 0, GRT_MAX_TASKS, state);
        return true;
    case KEY_LEAST:
        spec->least = grt_option_number("--min-utilisation", argument, 0, GRT_MAX_TASKS, state);
        return true;
    case KEY_GRANULARITY:
        spec->periods.granularity = grt_option_time("--granularity", argument, state);
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
        spec->random_offsets = parse_word("--offsets", argument, strlen(argument), offset_kinds, state) == 1;
        return true;
    case KEY_BLOCKS:
        parse_blocks(spec, argument, state);
        return true;
    case KEY_SEED:
        spec->seed = parse_count("--seed", argument, 0, LARGEST_SEED, state);
        return true;
    default:
        return false;
    }
}

/* Options that say what one shape is like mean nothing to the other. */
static void check_shape(const struct grt_generate_command *command, const struct argp_state *state) {
    for (size_t i = 0; generate_options[i].group != 0; i++) {
        int key = generate_options[i].key;
        bool both = key == KEY_SHAPE || key == 'p' || key == KEY_GRANULARITY || key == KEY_SEED;
        bool given = (command->given >> i & 1) != 0 && generate_options[i].group == 1;
        if (command->shape == GRT_SHAPE_KIM && given && !both) {
            argp_error(state, "--%s has no meaning with --shape kim", generate_options[i].name);
        }
    }
    if (command->shape == GRT_SHAPE_KERNEL && command->kim_given != 0) {
        argp_error(state, "--%s has a meaning only with --shape kim",
                   grt_kim_argp.options[__builtin_ctzll(command->kim_given)].name);
    }
}

static void check_all(const struct grt_generate_command *command, const struct argp_state *state) {
    check_shape(command, state);
    if (command->count > 0 && strcmp(command->output, "-") == 0) {
        argp_error(state, "--count needs --output FOLDER");
    }
    if (command->frame.threads != 0 && command->spec.blocks.high == 0) {
        argp_error(state, "--threads has a meaning only with --blocks");
    }
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct grt_generate_command *command = state->input;
    grt_option_once(&command->given, generate_options, key, state);
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = command;
        return 0;
    case KEY_SHAPE:
        command->shape = parse_word("--shape", argument, strlen(argument), shapes, state);
        return 0;
    case 'o':
        command->output = argument;
        return 0;
    case 'q':
        command->quiet = true;
        return 0;
    case KEY_COUNT:
        command->count = parse_count("--count", argument, 1, GRT_GENERATE_MOST_SETS, state);
        return 0;
    case KEY_FIRST:
        command->first = parse_count("--first", argument, 0, LARGEST_SEED, state);
        return 0;
    case KEY_THREADS:
        command->frame.threads = (int64_t)parse_count("--threads", argument, 1, MOST_THREADS, state);
        return 0;
    case KEY_DEVICE:
        command->frame.device = argument;
        return 0;
    case KEY_POLICY:
        command->frame.policy = argument;
        return 0;
    case KEY_HORIZON:
        command->frame.horizon = argument;
        return 0;
    case 'p':
        command->periods_given = true;
        parse_periods(&command->spec.periods, argument, state);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "takes options only (got '%s')", argument);
        return 0;
    case ARGP_KEY_END:
        check_all(command, state);
        return 0;
    default:
        return parse_set_option(&command->spec, key, argument, state) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&grt_kim_argp, 0, "With --shape kim (docs/generating.md):", 3},
                                             {0}};

static const struct argp argp = {
    .options = generate_options,
    .parser = parse_option,
    .children = children,
    .doc =
        "Makes scenarios with task sets by chance, one to a file or many to a folder. Every task is one "
        "kernel on one "
        "GPU, unless --shape says otherwise."
        "\v"
        "A set depends on its options, its seed and its number alone. docs/generating.md says what is drawn "
        "how.\n"
        "\n"
        "Examples:\n"
        "  gpurt generate -n 5 -u 0.7 | gpurt run -\n"
        "  gpurt generate -n 10 -u 0.8 --count 100 -o sets/\n"
        "  gpurt generate -u 0.6 --periods uniform:100ms,100s --granularity 1ns --overhead 6ms -o tdm.json\n"
        "  gpurt generate -n 8 -u 4 --method randfixedsum --min-utilisation 0.1 --periods automotive\n"
        "  gpurt generate --periods divisors:216s,10ms,1s --horizon hyperperiod --deadlines slack:0.5,1\n"
        "  gpurt generate --device jetson-tx2 --blocks 1,64 --threads 128 --jitter 0,0.1 --seed 7\n"
        "  gpurt generate --shape kim --cpus 8 --gpu-tasks 0.6 --policy np-fp --count 1000 -o sets/\n"
        "\n"
        "Exit codes: 0 done; 1 a file could not be written; 2 there are no such sets, or bad usage: nothing "
        "was written.",
};

/* What the shape has of the options of both. */
static void settle_kim(struct grt_generate_command *command) {
    struct grt_period_spec *periods = &command->kim.periods;
    command->kim.seed = command->spec.seed;
    if (command->periods_given) {
        *periods = command->spec.periods;
    } else {
        periods->granularity = command->spec.periods.granularity;
    }
}

void grt_generate_options_read(struct grt_generate_command *command, int argc, char **argv) {
    *command = (struct grt_generate_command){.spec = grt_generator_spec_default(),
                                             .kim = grt_kim_spec_default(),
                                             .frame = {.device = "exclusive"},
                                             .first = 1,
                                             .output = "-"};
    grt_options_parse(&argp, argc, argv, command);
    settle_kim(command);
    command->frame.threads = command->frame.threads > 0 ? command->frame.threads : 256;
    if (command->frame.policy == NULL) {
        command->frame.policy = command->shape == GRT_SHAPE_KIM ? "np-fp" : "np-edf";
    }
}
