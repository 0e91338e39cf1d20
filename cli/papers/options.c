#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/papers/papers.h"
#include "cli/sweep/experiment_options.h"
#include "cli/terminal/same_file.h"
#include "sim/check.h"
#include "sim/memory.h"

enum {
    KEY_LIST = 0x100,
    KEY_ALL,
    KEY_SAMPLES,
    KEY_QUICK,
    KEY_THREADS,
    KEY_JSON,
    KEY_MARKDOWN,
    KEY_PICTURES,
    KEY_LIBRARY
};

static const struct argp_option papers_options[] = {
    {"list", KEY_LIST, NULL, 0, "List the experiments instead of running them", 0},
    {"all", KEY_ALL, NULL, 0, "Run all of them", 0},
    {"samples", KEY_SAMPLES, "N", 0,
     "At most so many task sets a point, and networks trained quickly for experiments that have more (to "
     "try; not for results)",
     0},
    {"quick-training", KEY_QUICK, NULL, 0, "Networks trained quickly, with few samples, for all experiments",
     0},
    {"threads", KEY_THREADS, "N", 0, "Run on so many threads (default: one for each core)", 0},
    {"library", KEY_LIBRARY, "FOLDER", 0,
     "Experiments below FOLDER (papers/*/experiments, experiments; default: $GPURT_LIBRARY, else what gpurt "
     "came with)",
     0},
    {NULL, 0, NULL, 0, "What comes out:", 1},
    {"json", KEY_JSON, "FILE", 0,
     "Write all values and claims as JSON (- for standard output, then without tables)", 1},
    {"markdown", KEY_MARKDOWN, "FILE", 0,
     "Write a page about what agrees and what does not (- for standard output, then without tables)", 1},
    {"pictures", KEY_PICTURES, "FOLDER", 0, "Draw a figure of each as SVG into FOLDER, by gnuplot", 1},
    {0}};

static void add_name(struct grt_papers_command *command, const char *name, const struct argp_state *state) {
    if (name[0] == '\0') {
        grt_argp_error(state, "an experiment's name must not be empty");
    }
    command->name_list = grt_array_grow(command->name_list, &command->name_capacity, command->name_count + 1,
                                        sizeof *command->name_list);
    command->name_list[command->name_count++] = name;
}

static void check_all(struct grt_papers_command *command, const struct argp_state *state) {
    if (command->all && command->name_count > 0) {
        grt_argp_error(state, "--all has all experiments: it takes no names (got '%s')",
                       command->name_list[0]);
    }
    if (!command->list && !command->all && command->name_count == 0) {
        grt_argp_error(state, "needs names of experiments or papers, --all or --list");
    }
    if (command->list && (command->json != NULL || command->markdown != NULL || command->pictures != NULL)) {
        grt_argp_error(state, "--list runs nothing, so there is nothing to write");
    }
    const struct grt_output_option outputs[2] = {{"--json", command->json},
                                                 {"--markdown", command->markdown}};
    grt_check_outputs(NULL, NULL, outputs, state);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct grt_papers_command *command = state->input;
    const struct grt_plain_option plain[] = {{KEY_LIST, .flag = &command->list},
                                             {KEY_ALL, .flag = &command->all},
                                             {KEY_JSON, "--json", .text = &command->json},
                                             {KEY_QUICK, .flag = &command->quick_training},
                                             {KEY_MARKDOWN, "--markdown", .text = &command->markdown},
                                             {KEY_PICTURES, "--pictures", .text = &command->pictures},
                                             {KEY_LIBRARY, "--library", .text = &command->library},
                                             {0}};
    grt_option_once(&command->given, papers_options, key, state);
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &command->style;
        return 0;
    case KEY_SAMPLES:
        command->samples = grt_option_samples(argument, state);
        return 0;
    case KEY_THREADS:
        command->threads = grt_option_threads(argument, state);
        return 0;
    case ARGP_KEY_ARG:
        add_name(command, argument, state);
        return 0;
    case ARGP_KEY_END:
        check_all(command, state);
        return 0;
    default:
        return grt_option_keep(plain, key, argument, state) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&grt_style_argp, 0, NULL, 0}, {0}};

const struct argp grt_command_papers_argp = {
    .options = papers_options,
    .parser = parse_option,
    .children = children,
    .args_doc = "[NAME...]",
    .doc = "Runs the experiments that papers have figures, tables and claims of, and holds what comes out "
           "against what they say. NAME "
           "is an experiment's or a paper's, as --list has them."
           "\v"
           "A published value agrees where 0 is in the 95 percent interval of the difference (Newcombe 1998 "
           "where the published "
           "number of sets is known), which is wider by the rounding of the published value. What does not "
           "agree is printed, "
           "and is no failure. Values that no paper prints, but that were recalculated apart from gpurt, are "
           "counted by themselves.\n"
           "\n"
           "Examples:\n"
           "  gpurt papers --list\n"
           "  gpurt papers kim-2017-figure-9\n"
           "  gpurt papers gpu-tdm --samples 500 --pictures figures\n"
           "  gpurt papers --all --markdown papers.md --pictures pictures\n"
           "\n"
           "Exit codes: 0 done, whatever agrees; 1 an experiment could not be run, or a file not be written; "
           "2 bad usage, or a name that is "
           "nobody's.",
};

/* A word of a shell's line: as it is, or in quotes. */
static void put_word(FILE *out, const char *word) {
    bool plain = word[0] != '\0' && word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                      "0123456789./_-=,:+@%")] == '\0';
    fputs(plain ? " " : " '", out);
    for (; *word != '\0'; word++) {
        fputs(*word == '\'' ? "'\\'" : "", out);
        fputc((unsigned char)*word < ' ' ? ' ' : *word, out);
    }
    fputs(plain ? "" : "'", out);
}

static char *call_of(int argc, char **argv) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    GRT_REQUIRE(out != NULL, "have more memory");
    fputs(argv[0], out);
    for (int i = 1; i < argc; i++) {
        put_word(out, argv[i]);
    }
    fclose(out);
    return text;
}

void grt_papers_options_read(struct grt_papers_command *command, int argc, char **argv) {
    command->style = grt_style_default();
    command->call = call_of(argc, argv); /* argp changes their order */
    grt_options_parse(&grt_command_papers_argp, argc, argv, command);
    command->names = command->name_list;
}

void grt_papers_options_free(struct grt_papers_command *command) {
    free(command->name_list);
    free(command->call);
}
