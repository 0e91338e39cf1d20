/* The command lines of `gpurt sweep` and `gpurt merge`. */
#ifndef GRT_CLI_SWEEP_OPTIONS_H
#define GRT_CLI_SWEEP_OPTIONS_H

#include "cli/sweep/experiment_options.h"

struct grt_sweep_command {
    const char *experiment; /* a file, or "-" */
    struct grt_experiment_options common;
    size_t threads;      /* 0: as usual */
    const char *journal; /* NULL: the usual name */
    bool no_journal, restart;
    uint32_t checkpoint_ms; /* 0: as usual */
    uint32_t progress_ms;   /* of lines that are no terminal's; 0: as usual */
    uint32_t shard, shards; /* from 0; 0 shards: all */
    const char *show;       /* NULL: run; else "POINT:SET[:EVALUATION]" */
    struct grt_style style;
    uint64_t given;
};

/* Ends the program where the usage is wrong, and for --help. Free with grt_experiment_options_free(&command.common). */
struct grt_sweep_command grt_sweep_command_read(int argc, char **argv);

struct grt_merge_command {
    const char *experiment;
    const char **journals; /* owned */
    size_t journal_count;
    struct grt_experiment_options common;
    struct grt_style style;
};

/* The same. Free the common options, and `journals`. */
struct grt_merge_command grt_merge_command_read(int argc, char **argv);

#endif
