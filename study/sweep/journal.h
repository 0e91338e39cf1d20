/* The journal of a sweep: a text file with a head line that says of what experiment it is, and a line for each chunk that is done, in any order.
 * It only grows, by whole lines, so that a process that is killed leaves at most one unfinished line at its end, which the next one overwrites. docs/running-sweeps.md
 * has the format. A run that has a journal open locks it. */
#ifndef GRT_STUDY_SWEEP_JOURNAL_H
#define GRT_STUDY_SWEEP_JOURNAL_H

#include "sim/error.h"
#include "study/sweep/chunks.h"

/* Of what experiment a journal is. */
struct grt_journal_head {
    const char *name;
    uint64_t identity, seed;
    struct grt_chunk_plan plan;
    struct grt_chunk_shape shape;
};

/* ---- reading ---- */

/* The chunks of a file, one after the other. */
struct grt_journal_reader;

/* Opens a journal; NULL after adding an error "PATH: ...": it cannot be read, is no journal, or one of something else. */
struct grt_journal_reader *grt_journal_reader_open(const char *path, const struct grt_journal_head *head,
                                                   struct grt_errors *errors);
void grt_journal_reader_close(struct grt_journal_reader *reader);

/* The next chunk: true with it and the hash of its line. False at the end, or after adding an error: a damaged line that is not the last one. */
bool grt_journal_reader_next(struct grt_journal_reader *reader, struct grt_chunk *chunk, uint64_t *hash,
                             struct grt_errors *errors);

/* Of the chunk that was read last. */
uint64_t grt_journal_reader_line(const struct grt_journal_reader *reader);
const char *grt_journal_reader_path(const struct grt_journal_reader *reader);

/* ---- writing ---- */

struct grt_journal;

/* What is done with each chunk that a journal has already: false after adding an error ends the reading. */
typedef bool (*grt_journal_chunk)(void *state, struct grt_chunk *chunk, uint64_t hash,
                                  const struct grt_journal_reader *reader, struct grt_errors *errors);

struct grt_journal_options {
    const char *path;
    const struct grt_journal_head *head; /* has to outlive the journal */
    bool restart; /* throw away what is there, if it is a journal of whatever experiment */
    grt_journal_chunk each;
    void *state;
};

/* Takes up the journal that is there, or makes ready to begin one: a file is first made when there is something to write. NULL after
 * adding errors: it is another experiment's, damaged, used by another run, or its folder cannot be written to. */
struct grt_journal *grt_journal_open(const struct grt_journal_options *options, struct grt_errors *errors);

/* Adds whole lines, kept until they are flushed. */
void grt_journal_append(struct grt_journal *journal, const char *lines, size_t size);

/* How many bytes wait. */
size_t grt_journal_waiting(const struct grt_journal *journal);

/* Writes what waits. False after adding an error; then the file ends with its last good line. */
bool grt_journal_flush(struct grt_journal *journal, struct grt_errors *errors);

/* Flushes, stores and closes. The journal is gone in any case; false after adding an error. NULL: nothing. */
bool grt_journal_close(struct grt_journal *journal, struct grt_errors *errors);

/* The same of a sweep that is done: a journal without a file gets none, what waits is dropped. */
bool grt_journal_finish(struct grt_journal *journal, struct grt_errors *errors);

/* ---- between both files of this module ---- */

/* The head line, with "\n"; to be freed with free. */
char *grt_journal_head_text(const struct grt_journal_head *head);

/* The same as grt_journal_reader_open of an open file, whose descriptor is not taken over. *fresh: where not NULL, a file that has nothing but the beginning of
 * the head is none yet, which is then told by true and NULL without an error. */
struct grt_journal_reader *grt_journal_reader_start(int descriptor, const char *path,
                                                    const struct grt_journal_head *head, bool *fresh,
                                                    struct grt_errors *errors);

/* How many bytes of the file are good lines so far. */
int64_t grt_journal_reader_good(const struct grt_journal_reader *reader);

/* Whether a file begins like a journal, of whatever experiment, or is empty. */
bool grt_journal_is_one(int descriptor);

#endif
