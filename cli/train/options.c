#include "cli/train/options.h"

#include <unistd.h>

#include "cli/command.h"
#include "cli/terminal/change_options.h"
#include "cli/terminal/same_file.h"

enum { USUAL_TEST = 1000, MOST_SAMPLES = 1000000, MOST_EPOCHS = 100000, NOT_GIVEN = -1 };

#define MOST_SEED ((INT64_C(1) << 53) - 1)

enum {
    KEY_SAMPLES = 0x100,
    KEY_TEST,
    KEY_NOISE,
    KEY_SEED,
    KEY_KERNEL,
    KEY_MEASURED,
    KEY_ORDER,
    KEY_SIGMA,
    KEY_THRESHOLD,
    KEY_RULES,
    KEY_EPOCHS,
    KEY_JSON,
    KEY_SAMPLES_OUT,
    KEY_SET
};

static const struct argp_option train_options[] = {
    {NULL, 0, NULL, 0, "What is trained:", 1},
    {"kernel", KEY_KERNEL, "NAME", 0,
     "Only the network of this kernel (default: of each that has a usage with counters)", 1},
    {"samples", KEY_SAMPLES, "N", 0, "Samples to train each network with, 20 to 1000000 (default: 3000)", 1},
    {"test", KEY_TEST, "N", 0,
     "Further samples to test it with (default: 1000; of measured samples a quarter)", 1},
    {"noise", KEY_NOISE, "RATIO", 0,
     "Standard deviation of the noise of the times that are taken, as a part of them, 0 to 0.2 (default: "
     "0.005)",
     1},
    {"measured", KEY_MEASURED, "FILE", 0,
     "Read the samples, CSV or JSON lines, instead of simulating a scenario (- for standard input)", 1},
    {"seed", KEY_SEED, "N", 0, "Seed of all random numbers (default: 1)", 1},
    {NULL, 0, NULL, 0, "How:", 2},
    {"order", KEY_ORDER, "0|1", 0, "A rule's consequent is a number, 0, or linear in the inputs, 1 (default)",
     2},
    {"sigma", KEY_SIGMA, "WIDTH", 0,
     "Width of a new rule, as a part of the inputs' ranges, 0.01 to 10 (default: 0.25): the wider, the "
     "fewer rules",
     2},
    {"threshold", KEY_THRESHOLD, "B", 0,
     "A sample makes a rule where no other fires more strongly, 0.001 to 0.999 (default: 0.05)", 2},
    {"rules", KEY_RULES, "N", 0, "At most so many rules, 1 to 1024 (default: 400)", 2},
    {"epochs", KEY_EPOCHS, "N", 0, "Turns of least squares and descent, 0 to 100000 (default: 40)", 2},
    {NULL, 0, NULL, 0, "What comes out:", 3},
    {"output", 'o', "FILE", 0, "Where the networks go (- for standard output, then without tables). Needed",
     3},
    {"samples-out", KEY_SAMPLES_OUT, "FILE", 0,
     "Write the samples, too: JSON lines where the name ends in .jsonl, else CSV", 3},
    {"json", KEY_JSON, "FILE", 0, "Write the report as JSON (- for standard output, then without tables)", 3},
    {"quiet", 'q', NULL, 0, "Print neither tables nor progress", 3},
    {NULL, 0, NULL, 0, "Changes to the scenario:", 4},
    {"set", KEY_SET, "PATH=VALUE", 0,
     "Set any value of the file, as in --set 'platform.gpus[0].contention=saturation'; may be given often",
     4},
    {0}};

static const char *option_name(int key, char name[32]) {
    const struct argp_option *option = train_options;
    while (option->key != key) {
        option++;
    }
    snprintf(name, 32, "--%s", option->name);
    return name;
}

static int64_t parse_whole(int key, const char *text, int64_t least, int64_t most,
                           const struct argp_state *state) {
    char name[32];
    return (int64_t)grt_option_whole(option_name(key, name), text, (uint64_t)least, (uint64_t)most, state);
}

static double parse_number(int key, const char *text, double least, double most,
                           const struct argp_state *state) {
    char name[32];
    return grt_option_number(option_name(key, name), text, least, most, state);
}

static bool store_training(struct grt_training *training, int key, const char *text,
                           const struct argp_state *state) {
    switch (key) {
    case KEY_SEED:
        training->seed = (uint64_t)parse_whole(key, text, 0, MOST_SEED, state);
        return true;
    case KEY_ORDER:
        training->order = parse_whole(key, text, 0, 1, state);
        return true;
    case KEY_SIGMA:
        training->width = parse_number(key, text, 0.01, 10, state);
        return true;
    case KEY_THRESHOLD:
        training->threshold = parse_number(key, text, 0.001, 0.999, state);
        return true;
    case KEY_RULES:
        training->most_rules = parse_whole(key, text, 1, GRT_NETWORK_MOST_RULES, state);
        return true;
    case KEY_EPOCHS:
        training->epochs = parse_whole(key, text, 0, MOST_EPOCHS, state);
        return true;
    default:
        return false;
    }
}

static bool store_samples(struct grt_train_options *options, int key, const char *text,
                          const struct argp_state *state) {
    const struct grt_plain_option plain[] = {
        {KEY_KERNEL, .text = &options->kernel}, {KEY_MEASURED, .text = &options->measured}, {0}};
    switch (key) {
    case KEY_SAMPLES:
        options->samples = parse_whole(key, text, GRT_TRAINING_LEAST_SAMPLES, MOST_SAMPLES, state);
        return true;
    case KEY_TEST:
        options->test = parse_whole(key, text, 0, MOST_SAMPLES, state);
        return true;
    case KEY_NOISE:
        options->noise = parse_number(key, text, 0, 0.2, state);
        return true;
    default:
        return grt_option_keep(plain, key, text, state);
    }
}

static bool store_output(struct grt_train_options *options, int key, const char *text,
                         const struct argp_state *state) {
    const struct grt_plain_option plain[] = {{'o', .text = &options->output},
                                             {'q', .flag = &options->quiet},
                                             {KEY_JSON, .text = &options->json},
                                             {KEY_SAMPLES_OUT, .text = &options->samples_out},
                                             {0}};
    switch (key) {
    case KEY_SET:
        grt_change_options_set(&options->changes, text, state);
        return true;
    default:
        return grt_option_keep(plain, key, text, state);
    }
}

/* Nothing that is written overwrites what is read, or what else is written. */
static void check_files(const struct grt_train_options *options, const struct argp_state *state) {
    const struct grt_output_option outputs[] = {
        {"--output", options->output}, {"--json", options->json}, {"--samples-out", options->samples_out}};
    const struct grt_named_file measured = {options->measured, STDIN_FILENO};
    for (size_t i = 0; i < 3; i++) {
        const struct grt_named_file written = {outputs[i].path, STDOUT_FILENO};
        grt_check_outputs("scenario", options->scenario,
                          (struct grt_output_option[]){outputs[i], outputs[(i + 1) % 3]}, state);
        if (grt_same_file(&measured, &written)) {
            grt_argp_error(state, "%s would overwrite the samples '%s'", outputs[i].option,
                           options->measured);
        }
    }
}

static void check_usage(const struct grt_train_options *options, const struct argp_state *state) {
    if (options->scenario == NULL && options->measured == NULL) {
        grt_argp_error(state, "needs a scenario file, or --measured with a file of samples");
    }
    if (options->scenario != NULL && options->measured != NULL) {
        grt_argp_error(state, "takes a scenario or --measured, not both: samples are simulated or read");
    }
    const char *of_scenario = options->samples > 0             ? "--samples"
                              : options->noise >= 0            ? "--noise"
                              : options->samples_out != NULL   ? "--samples-out"
                              : options->changes.set_count > 0 ? "--set"
                                                               : NULL;
    if (options->measured != NULL && of_scenario != NULL) {
        grt_argp_error(state, "%s is for samples that are simulated, not for --measured ones", of_scenario);
    }
    if (options->output == NULL) {
        grt_argp_error(state, "say where the networks go: --output=FILE");
    }
    check_files(options, state);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct grt_train_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->style;
        return 0;
    case ARGP_KEY_ARG:
        grt_option_scenario(&options->scenario, argument, state);
        return 0;
    case ARGP_KEY_END:
        check_usage(options, state);
        return 0;
    default:
        if (key != KEY_SET && key != 'q') {
            grt_option_once(&options->given, train_options, key, state);
        }
        return store_training(&options->training, key, argument, state) ||
                       store_samples(options, key, argument, state) ||
                       store_output(options, key, argument, state)
                   ? 0
                   : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&grt_style_argp, 0, NULL, 0}, {0}};

const struct argp grt_command_train_argp = {
    .options = train_options,
    .parser = parse_option,
    .children = children,
    .args_doc = "SCENARIO\n--measured=FILE",
    .doc =
        "Trains a performance model for each kernel: a network that predicts how long it takes with a share "
        "of the GPU beside a workload that is known by its counters. Samples come from simulations of a "
        "scenario (- for standard input) on a GPU of granularity \"shares\", or from a file."
        "\v"
        "Examples:\n"
        "  gpurt train wamp2s.json -o networks.json\n"
        "  gpurt train --measured samples.csv -o n.json\n"
        "\n"
        "The networks are what scenarios name as \"networks\"; what is trained, from what, and how good it "
        "is: see the document performance-models.md.\n"
        "\n" GRT_EXIT_HELP,
};

struct grt_train_options grt_train_options_read(int argc, char **argv) {
    struct grt_train_options options = {.training = grt_training_default,
                                        .test = NOT_GIVEN,
                                        .noise = NOT_GIVEN,
                                        .style = grt_style_default()};
    grt_options_parse(&grt_command_train_argp, argc, argv, &options);
    options.changes.without_networks = true;
    options.samples = options.samples > 0 ? options.samples : GRT_TRAINING_SAMPLES;
    options.noise = options.noise >= 0 ? options.noise : GRT_TRAINING_NOISE;
    if (options.test == NOT_GIVEN && options.scenario != NULL) {
        options.test = USUAL_TEST;
    }
    return options;
}

void grt_train_options_free(struct grt_train_options *options) {
    grt_change_options_free(&options->changes);
}
