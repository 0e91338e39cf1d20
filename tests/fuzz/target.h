/* What fuzz targets have in common. A target is one file fuzz_NAME.c with the function that libFuzzer calls (LLVM's documentation "libFuzzer – a library for
 * coverage-guided fuzz testing"); a finding ends the program. Linked with libFuzzer in the preset `fuzz`, else with replay.c, which feeds it files. */
#ifndef GRT_TESTS_FUZZ_TARGET_H
#define GRT_TESTS_FUZZ_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/check.h"
#include "sim/error.h"
#include "sim/trace.h"

/* Called once before the first input: has plug-ins switched off, so that no input executes what it names. Returns 0. */
int LLVMFuzzerInitialize(int *argument_count, char ***arguments);

/* Takes one input, any bytes. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What holds of every reader: what is refused has an error, what is accepted has none, and every error is a line of UTF-8 that a terminal can show.
 * Empties the list; returns `accepted`. */
bool fuzz_judge(bool accepted, struct grt_errors *errors);

/* The same of warnings, of which there may be any number. */
void fuzz_judge_texts(struct grt_errors *warnings);

/* How often fuzz_judge was told that something is accepted. */
uint64_t fuzz_accepted(void);

/* A target says that it made use of its input only until here, and why; NULL: of all. In fuzzing no harm, but an input of corpus/ that begins to be cut short
 * shows nothing any more. */
void fuzz_cut_short(const char *why);

/* What was said last; NULL as well before that. */
const char *fuzz_why_cut_short(void);

/* The path of a file of that name in a folder that this process has for itself in $TMPDIR, else /tmp, and that goes with it. */
enum { FUZZ_PATH_SIZE = 1024 };
const char *fuzz_path(const char *name, char path[FUZZ_PATH_SIZE]);

/* A sink that takes names and so many lots of records (a struct fuzz_short_sink), then has had enough: ends runs that have no end. */
struct fuzz_short_sink {
    uint32_t lots;
};
extern const struct grt_trace_sink fuzz_short_sink;

#endif
