#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/sweep/absent_results.h"
#include "cli/sweep/options.h"
#include "cli/sweep/progress.h"
#include "cli/sweep/ranks_load.h"
#include "cli/sweep/report.h"
#include "cli/sweep/show.h"
#include "cli/terminal/output_file.h"
#include "cli/terminal/print_errors.h"
#include "cli/terminal/same_file.h"
#include "cli/terminal/shown_line.h"
#include "cli/terminal/text_table.h"

/* One call. */
struct sweep {
    struct grt_sweep_command command;
    struct grt_loaded_ranks loaded;
    const struct grt_ranks *ranks; /* NULL: alone */
    struct grt_experiment experiment;
    bool read;
    struct grt_study *study;
    struct grt_results results;
    struct grt_sweep_watch watch;
    const char *journal; /* NULL: none */
    struct grt_arena arena;
    struct grt_errors errors;
};

static bool is_first(const struct sweep *sweep) {
    return sweep->ranks == NULL || sweep->ranks->rank == 0;
}

/* ---- before it runs ---- */

static bool load(struct sweep *sweep) {
    const struct grt_sweep_command *command = &sweep->command;
    sweep->read = grt_experiment_read(command->experiment, &command->common.changes, &sweep->experiment,
                                      &sweep->errors);
    if (sweep->read) {
        sweep->study = grt_study_create(&sweep->experiment, &sweep->errors);
    }
    return sweep->study != NULL;
}

/* The journal where the command line says none: in the current folder, since the experiment may be where nobody can write. */
static const char *journal_of(struct sweep *sweep) {
    const struct grt_sweep_command *command = &sweep->command;
    if (command->no_journal || command->journal != NULL) {
        return command->journal;
    }
    const char *name = sweep->experiment.name;
    return command->shards > 0 ? grt_format(&sweep->arena, "%s.%" PRIu32 "-of-%" PRIu32 ".journal", name,
                                            command->shard + 1, command->shards)
                               : grt_format(&sweep->arena, "%s.journal", name);
}

/* ---- what comes out ---- */

static void print_interruption(const struct sweep *sweep) {
    const struct grt_sweep_progress *seen = &sweep->watch.seen;
    bool kept = sweep->journal != NULL && seen->done > 0;
    grt_shown_line("gpurt: interrupted: %" PRIu64 " of %" PRIu64 " chunks are done%s%s%s", seen->done,
                   seen->total, kept ? ", and kept in " : "", kept ? sweep->journal : "",
                   kept ? ": the same command goes on from there" : "");
}

static void print_shard(const struct sweep *sweep) {
    const struct grt_sweep_command *command = &sweep->command;
    if (!command->common.quiet) {
        printf("%s: shard %" PRIu32 " of %" PRIu32 " is done: %" PRIu64
               " chunks in %s; gpurt merge joins all shards' journals\n",
               sweep->experiment.name, command->shard + 1, command->shards, sweep->watch.seen.done,
               sweep->journal);
    }
}

static bool has_table(const struct grt_experiment_options *options) {
    return !options->quiet && !grt_is_standard_output(options->csv) && !grt_is_standard_output(options->json);
}

/* The results are written before the journal goes. */
static enum grt_exit finish(struct sweep *sweep) {
    const struct grt_sweep_command *command = &sweep->command;
    if (has_table(&command->common)) {
        grt_sweep_report(&sweep->results, &command->style, stdout);
        if (fflush(stdout) != 0 || ferror(stdout) != 0) {
            return GRT_EXIT_FAILED; /* main says why */
        }
    }
    if (!grt_result_files_write(&command->common, &sweep->results, &sweep->errors)) {
        grt_print_errors(&sweep->errors, NULL);
        return GRT_EXIT_FAILED;
    }
    grt_print_absent(&sweep->results);
    if (sweep->journal != NULL && command->journal == NULL) {
        unlink(sweep->journal);
    }
    return GRT_EXIT_DONE;
}

static enum grt_exit end(struct sweep *sweep) {
    const struct grt_sweep_progress *seen = &sweep->watch.seen;
    if (!is_first(sweep)) {
        return GRT_EXIT_DONE;
    }
    if (seen->done < seen->total) {
        print_interruption(sweep);
        if (has_table(&sweep->command.common) && sweep->command.shards == 0) {
            grt_sweep_report(&sweep->results, &sweep->command.style, stdout);
        }
        return GRT_EXIT_FAILED;
    }
    if (sweep->command.shards > 0) {
        print_shard(sweep);
        return GRT_EXIT_DONE;
    }
    return finish(sweep);
}

/* ---- the whole ---- */

/* A rank whose input is bad tells the first one; the first one tells the user. */
static enum grt_exit refuse(struct sweep *sweep, const char *path, enum grt_exit code) {
    if (sweep->ranks != NULL) {
        grt_ranks_give_up(sweep->ranks, &sweep->errors);
    }
    if (is_first(sweep)) {
        grt_print_errors(&sweep->errors, path);
    }
    return code;
}

/* Adds an error where an output would overwrite what is read, or the journal. */
static void check_output(struct sweep *sweep, const char *option, const char *path) {
    const struct grt_named_file output = {path, STDOUT_FILENO}, journal = {sweep->journal, STDOUT_FILENO};
    if (path != NULL && sweep->journal != NULL && grt_same_file(&output, &journal)) {
        grt_error_add(&sweep->errors, NULL, "%s would overwrite the journal '%s'", option, sweep->journal);
    }
    for (size_t i = 0; path != NULL && i < sweep->experiment.input_count; i++) {
        const struct grt_named_file input = {sweep->experiment.inputs[i].path, STDIN_FILENO};
        if (grt_same_file(&output, &input)) {
            grt_error_add(&sweep->errors, NULL, "%s would overwrite '%s', which the experiment reads", option,
                          input.path);
        }
    }
}

static size_t threads_of(const struct sweep *sweep) {
    bool alone = sweep->ranks == NULL;
    return sweep->command.threads > 0 ? sweep->command.threads : alone ? 0 : 1;
}

static enum grt_exit run(struct sweep *sweep) {
    const struct grt_sweep_command *command = &sweep->command;
    if (is_first(sweep) && !grt_result_files_check(&command->common, &sweep->errors)) {
        return refuse(sweep, NULL, GRT_EXIT_FAILED);
    }
    sweep->journal = journal_of(sweep);
    check_output(sweep, "--csv", command->common.csv);
    check_output(sweep, "--json", command->common.json);
    if (sweep->errors.count > 0) {
        return refuse(sweep, NULL, GRT_EXIT_INPUT);
    }
    sweep->watch.name = sweep->experiment.name;
    sweep->watch.is_first = is_first(sweep);
    sweep->watch.silent = command->common.quiet || !is_first(sweep);
    sweep->watch.every = (double)command->progress_ms / 1e3;
    struct grt_sweep_options options = {.threads = threads_of(sweep),
                                        .journal = sweep->journal,
                                        .keep_journal = command->journal != NULL || command->shards > 0,
                                        .restart = command->restart,
                                        .flush_ms = command->checkpoint_ms,
                                        .shard = command->shard,
                                        .shards = command->shards,
                                        .ranks = sweep->ranks,
                                        .go_on = grt_sweep_watch_go_on,
                                        .state = &sweep->watch};
    grt_sweep_watch_start(&sweep->watch);
    bool good = grt_sweep_run(sweep->study, &options, &sweep->results, &sweep->errors);
    grt_sweep_watch_end(&sweep->watch);
    if (!good) {
        if (is_first(sweep)) {
            grt_print_errors(&sweep->errors, NULL);
        }
        return GRT_EXIT_FAILED;
    }
    return end(sweep);
}

static enum grt_exit start(struct sweep *sweep) {
    if (sweep->command.show == NULL && !grt_ranks_load(&sweep->loaded, &sweep->errors)) {
        grt_print_errors(&sweep->errors, NULL);
        return GRT_EXIT_FAILED;
    }
    sweep->ranks = grt_ranks_loaded(&sweep->loaded);
    if (sweep->ranks != NULL && strcmp(sweep->command.experiment, "-") == 0) {
        grt_error_add(&sweep->errors, NULL, "only one rank can read standard input: name a file");
        return refuse(sweep, NULL, GRT_EXIT_INPUT);
    }
    if (!load(sweep)) {
        return refuse(sweep, sweep->command.experiment, GRT_EXIT_INPUT);
    }
    if (sweep->command.show == NULL) {
        return run(sweep);
    }
    bool shown = grt_sweep_show(sweep->study, sweep->command.show, stdout, &sweep->errors);
    grt_print_errors(&sweep->errors, NULL);
    return shown ? GRT_EXIT_DONE : GRT_EXIT_INPUT;
}

enum grt_exit grt_command_sweep(int argc, char **argv) {
    struct sweep sweep = {.command = grt_sweep_command_read(argc, argv)};
    enum grt_exit code = start(&sweep);
    grt_results_free(&sweep.results);
    grt_study_free(sweep.study);
    if (sweep.read) {
        grt_experiment_free(&sweep.experiment);
    }
    grt_ranks_unload(&sweep.loaded);
    grt_arena_clear(&sweep.arena);
    grt_errors_clear(&sweep.errors);
    grt_experiment_options_free(&sweep.command.common);
    return code;
}
