#include "cli/sweep/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/terminal/command_line.h"
#include "cli/terminal/library_files.h"
#include "cli/terminal/same_file.h"
#include "sim/memory.h"

enum { MOST_SHARDS = 1000000 };
enum { MOST_CHECKPOINT_MS = 3600000, LEAST_PROGRESS_MS = 100, MOST_PROGRESS_MS = 86400000 };
enum {
    KEY_THREADS = 0x100,
    KEY_JOURNAL,
    KEY_NO_JOURNAL,
    KEY_RESTART,
    KEY_CHECKPOINT,
    KEY_PROGRESS,
    KEY_SHARD,
    KEY_SHOW
};

static const struct argp_option sweep_options[] = {
    {NULL, 0, NULL, 0, "How it is run:", 3},
    {"threads", KEY_THREADS, "N", 0, "Run on so many threads (default: one for each core; under mpirun 1)",
     3},
    {"shard", KEY_SHARD, "I/N", 0, "Run only the I-th of N parts, from 1; gpurt merge joins their journals",
     3},
    {"journal", KEY_JOURNAL, "FILE", 0,
     "Keep what is done in this file, also when the sweep has ended (default: NAME.journal, until then)", 3},
    {"no-journal", KEY_NO_JOURNAL, NULL, 0, "Keep nothing: what is interrupted begins anew", 3},
    {"checkpoint", KEY_CHECKPOINT, "DURATION", 0, "How often the journal is written (default: 500ms)", 3},
    {"progress", KEY_PROGRESS, "DURATION", 0,
     "Where standard error is no terminal: say so often how far it is (default: at every 10 percent, but not "
     "more often than once a minute)",
     3},
    {"restart", KEY_RESTART, NULL, 0, "Throw away what the journal has", 3},
    {NULL, 0, NULL, 0, "Instead of running it:", 4},
    {"show", KEY_SHOW, "POINT:SET[:EVALUATION]", 0,
     "Print one task set as a scenario file: POINT as AXIS=VALUE,... with the values that the CSV has, or as "
     "a number; all numbers are from 1",
     4},
    {0}};

static void parse_shard(struct grt_sweep_command *command, const char *argument,
                        const struct argp_state *state) {
    char *slash = NULL, *end = NULL;
    unsigned long shard = strtoul(argument, &slash, 10);
    unsigned long shards = *slash == '/' ? strtoul(slash + 1, &end, 10) : 0;
    bool digits =
        argument[0] >= '0' && argument[0] <= '9' && *slash == '/' && slash[1] >= '0' && slash[1] <= '9';
    if (!digits || *end != '\0' || shard < 1 || shard > shards || shards > MOST_SHARDS) {
        grt_argp_error(state, "--shard must be I/N, as in --shard 2/8: the second of eight (got '%s')",
                       argument);
    }
    command->shard = (uint32_t)shard - 1;
    command->shards = (uint32_t)shards;
}

/* A duration in whole ms. */
static uint32_t parse_ms(const char *option, const char *argument, int64_t least, int64_t most,
                         const char *range, const struct argp_state *state) {
    grt_time time = grt_option_time(option, argument, state);
    if (time < least * GRT_MILLISECOND || time > most * GRT_MILLISECOND) {
        grt_argp_error(state, "%s: must be %s (got '%s')", option, range, argument);
    }
    return (uint32_t)(time / GRT_MILLISECOND);
}

static void check(const struct grt_sweep_command *command, const struct argp_state *state) {
    const struct grt_experiment_options *common = &command->common;
    if (command->experiment == NULL) {
        grt_argp_error(state, "needs an experiment file");
    }
    if (command->no_journal &&
        (command->journal != NULL || command->restart || command->shards > 0 || command->checkpoint_ms > 0)) {
        grt_argp_error(state, "--no-journal does not go with --journal, --restart, --checkpoint or --shard");
    }
    if (command->shards > 0 && (common->csv != NULL || common->json != NULL)) {
        grt_argp_error(state, "a shard has no whole results: gpurt merge writes them");
    }
    if (command->show != NULL && (common->csv != NULL || common->json != NULL || command->shards > 0)) {
        grt_argp_error(state, "--show runs nothing: it does not go with --csv, --json and --shard");
    }
    const struct grt_output_option outputs[] = {{"--csv", common->csv}, {"--json", common->json}};
    grt_check_outputs("experiment", command->experiment, outputs, state);
}

static bool store(struct grt_sweep_command *command, int key, const char *argument,
                  const struct argp_state *state) {
    const struct grt_plain_option plain[] = {{KEY_JOURNAL, .text = &command->journal},
                                             {KEY_NO_JOURNAL, .flag = &command->no_journal},
                                             {KEY_RESTART, .flag = &command->restart},
                                             {KEY_SHOW, .text = &command->show},
                                             {0}};
    switch (key) {
    case KEY_THREADS:
        command->threads = grt_option_threads(argument, state);
        return true;
    case KEY_SHARD:
        parse_shard(command, argument, state);
        return true;
    case KEY_CHECKPOINT:
        command->checkpoint_ms =
            parse_ms("--checkpoint", argument, 1, MOST_CHECKPOINT_MS, "1ms to 1h", state);
        return true;
    case KEY_PROGRESS:
        command->progress_ms =
            parse_ms("--progress", argument, LEAST_PROGRESS_MS, MOST_PROGRESS_MS, "100ms to 24h", state);
        return true;
    default:
        return grt_option_keep(plain, key, argument, state);
    }
}

static error_t parse_sweep(int key, char *argument, struct argp_state *state) {
    struct grt_sweep_command *command = state->input;
    grt_option_once(&command->given, sweep_options, key, state);
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &command->common;
        state->child_inputs[1] = &command->style;
        return 0;
    case ARGP_KEY_ARG:
        grt_option_one(&command->experiment, "experiment", argument, state);
        command->experiment = grt_option_file(argument, GRT_LIBRARY_EXPERIMENT, state);
        return 0;
    case ARGP_KEY_END:
        check(command, state);
        return 0;
    default:
        return store(command, key, argument, state) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&grt_experiment_argp, 0, NULL, 0}, {&grt_style_argp, 0, NULL, 0}, {0}};

const struct argp grt_command_sweep_argp = {
    .options = sweep_options,
    .parser = parse_sweep,
    .children = children,
    .args_doc = "EXPERIMENT",
    .doc = "Runs an experiment (- for standard input): draws random task sets at every point, evaluates "
           "each, and says "
           "how many pass. What is done is kept in a journal: after an interruption the same command goes on."
           "\v"
           "Examples:\n"
           "  gpurt sweep experiment.json --csv results.csv\n"
           "  gpurt sweep experiment.json --samples 100 --threads 2\n"
           "  mpirun -n 64 gpurt sweep experiment.json --csv results.csv\n"
           "  gpurt sweep experiment.json --shard 3/8    on one of eight machines\n"
           "  gpurt merge experiment.json *.journal      join what all of them have done\n"
           "  gpurt sweep experiment.json --show cores=4,utilisation=0.5:17:mpcp >17.json\n"
           "\n"
           "Exit codes: 0 done; 1 failed while running, or interrupted; 2 bad input or usage.",
};

struct grt_sweep_command grt_sweep_command_read(int argc, char **argv) {
    struct grt_sweep_command command = {.style = grt_style_default()};
    grt_options_parse(&grt_command_sweep_argp, argc, argv, &command);
    return command;
}

/* ---- merge ---- */

static void add_journal(struct grt_merge_command *command, const char *journal) {
    command->journals =
        grt_reallocate(command->journals, (command->journal_count + 1) * sizeof *command->journals);
    command->journals[command->journal_count++] = journal;
}

static error_t parse_merge(int key, char *argument, struct argp_state *state) {
    struct grt_merge_command *command = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &command->common;
        state->child_inputs[1] = &command->style;
        return 0;
    case ARGP_KEY_ARG:
        if (command->experiment == NULL) {
            command->experiment = grt_option_file(argument, GRT_LIBRARY_EXPERIMENT, state);
        } else {
            add_journal(command, argument);
        }
        return 0;
    case ARGP_KEY_END:
        if (command->journal_count == 0) {
            grt_argp_error(state, "needs an experiment file and the journals of its shards");
        }
        const struct grt_output_option outputs[] = {{"--csv", command->common.csv},
                                                    {"--json", command->common.json}};
        grt_check_outputs("experiment", command->experiment, outputs, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp grt_command_merge_argp = {
    .parser = parse_merge,
    .children = children,
    .args_doc = "EXPERIMENT JOURNAL...",
    .doc = "Joins the journals of an experiment's shards to its results. The experiment and the changes to "
           "it have "
           "to be those that the shards were run with."
           "\v"
           "Examples:\n"
           "  gpurt merge experiment.json experiment.*-of-8.journal --csv results.csv\n"
           "\n"
           "Exit codes: 0 done; 1 failed while running; 2 bad input or usage, or something is missing.",
};

struct grt_merge_command grt_merge_command_read(int argc, char **argv) {
    struct grt_merge_command command = {.style = grt_style_default()};
    grt_options_parse(&grt_command_merge_argp, argc, argv, &command);
    return command;
}
