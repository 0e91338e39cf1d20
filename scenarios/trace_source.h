/* Where a trace comes from: a trace file, or a scenario that is simulated. Whoever shows or converts traces takes either
 * alike. It is opened once, and played into a sink as often as wanted, so that nothing need keep its records. Nothing is
 * printed here. A file that has changed is opened anew, in another source, so that the old one stays if the new one is bad. */
#ifndef GRT_SCENARIOS_TRACE_SOURCE_H
#define GRT_SCENARIOS_TRACE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenarios/scenario.h"
#include "sim/error.h"
#include "sim/trace.h"
#include "sim/trace_file.h"

/* What tells one state of a file from another. */
struct grt_file_stamp {
    bool known; /* false for what cannot be watched: standard input, pipes, devices */
    uint64_t device, inode, size;
    int64_t modified_s, modified_ns;
};

/* Made by grt_trace_source_open; {0} is none, and may be closed. */
struct grt_trace_source {
    char *path;       /* as it was given */
    bool is_scenario; /* else a trace file */
    bool cut; /* told by the last play of a trace file: it ended within a record, which was left out */
    const char *policy; /* the name of the policy that the last play simulated; NULL: none yet */
    struct grt_file_stamp stamp;

    /* Of a trace file: open, with what was read to see what it is. */
    int fd;
    char first[sizeof GRT_TRACE_FILE_MAGIC - 1];
    size_t first_size;
    bool played;

    /* Of a scenario. */
    char *text;
    size_t text_size;
    char *folder; /* where its device files are sought */
};

/* Opens the file `path` ("-": standard input). What begins as a trace does is one; anything else is taken for a scenario,
 * and read whole, at most 64 MiB, but not looked into before it is played. Returns false after adding an error without the
 * path, with nothing to close; the stamp is
 * that of the file that could not be opened. */
bool grt_trace_source_open(struct grt_trace_source *source, const char *path, struct grt_errors *errors);
void grt_trace_source_close(struct grt_trace_source *source);

/* How far a play has come. */
struct grt_play_progress {
    uint64_t record_count;
    grt_time time;     /* ns; of the latest record */
    double done_ratio; /* 0 to 1: of the horizon, or of the file; below 0 where the end is not known */
};

/* What a play asks after each lot of records, of at most GRT_TRACE_LOT, has gone to the sink: a millisecond's work as a rule. */
struct grt_play_watch {
    uint64_t most_records; /* a trace with more is refused at once; 0: no limit */
    bool (*keep_on)(void *asker, const struct grt_play_progress *progress); /* false: stop. NULL: not asked */
    void *asker;
};

enum grt_play_end {
    GRT_PLAY_DONE,
    GRT_PLAY_REFUSED, /* bad input, or more records than allowed: errors were added, without the path */
    GRT_PLAY_STOPPED, /* keep_on said so; no error was added */
    GRT_PLAY_FAILED,  /* the sink returned false; no error was added */
};

/* Sends the trace to the sink. A scenario is simulated with the changes (NULL: none), relative to what its file said when
 * it was opened; one that is refused makes no call to the sink. A trace file is read, whatever the changes: as far as it is
 * written by now; a second time only if it is a regular file. Unless the end is DONE, the sink hears of no end but may have
 * heard of records, and its owner throws away what it has. `watch` may be NULL. */
enum grt_play_end grt_trace_source_play(struct grt_trace_source *source,
                                        const struct grt_scenario_changes *changes,
                                        const struct grt_trace_sink *sink, void *state,
                                        const struct grt_play_watch *watch, struct grt_errors *errors);

/* Whether there is another file at the path, or it was changed, since it was opened: costs one call of the system. False
 * while there is none, as between the removal of a file and its new version, or something that is no file. Device files that a scenario names are not
 * watched. Whoever keeps a source because the new version was bad, as one that is only half written, gives it the stamp of
 * that version, and looks again when there is yet another. */
bool grt_trace_source_has_changed(const struct grt_trace_source *source);

#endif
