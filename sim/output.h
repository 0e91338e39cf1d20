/* Output files that are whole or not there: written under a temporary name in the folder of the target and renamed
 * when they are complete, so that a crash leaves the old file or the new one. A target that is there and is no
 * regular file (a pipe, a terminal, /dev/full) is written directly, and so is standard output, by the name "-" or by
 * any other name of the same file. */
#ifndef GRT_SIM_OUTPUT_H
#define GRT_SIM_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/error.h"

/* A file in the making; opaque. */
struct grt_output;

/* Begins a file. A symbolic link is followed and the permissions of an older file are kept. Returns NULL after adding
 * an error of the form "PATH: cannot ...: REASON". The caller ends the file with grt_output_close or _discard. */
struct grt_output *grt_output_open(const char *path, struct grt_errors *errors);

/* Appends. Small pieces are gathered, a large one goes to the file in one call. Returns false once anything has
 * failed; the reason is told by grt_output_close. */
bool grt_output_write(struct grt_output *output, const void *data, size_t size);

/* Hands on what was gathered, so that a reader of the file sees it. */
bool grt_output_flush(struct grt_output *output);

/* True if the file is a terminal. */
bool grt_output_is_terminal(const struct grt_output *output);

/* The errno of the first failure so far, or 0: lets a caller be silent about EPIPE, a pipe whose reader has left. */
int grt_output_error(const struct grt_output *output);

/* Completes the file: stores it, gives it its name, frees `output`. If anything failed since it was opened, removes
 * the partial file, leaves an older one as it was, adds the error and returns false. */
bool grt_output_close(struct grt_output *output, struct grt_errors *errors);

/* Gives the file up: removes what was written under the temporary name. NULL is allowed. */
void grt_output_discard(struct grt_output *output);

/* Removes the temporary files of all open outputs. For handlers of signals that end the program: calls nothing but
 * unlink. */
void grt_output_remove_unfinished(void);

#endif
