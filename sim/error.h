/* What is wrong with an input: a list of sentences, each with the path of the value it speaks of. Functions that
 * read input add to the list and go on, so that a person sees all errors of a file at once. */
#ifndef GRT_SIM_ERROR_H
#define GRT_SIM_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A place in the input as a chain from the inside out, kept on the stack: {.parent = &tasks, .index = 2}. */
struct grt_path {
    const struct grt_path *parent; /* NULL at the root, which writes nothing */
    const char *key;               /* name of an object's field, or NULL for an element of a list */
    size_t index;                  /* number of the element, from 0 */
};

/* Most errors that a list keeps; later ones are only counted. */
#define GRT_ERRORS_KEPT 50

struct grt_errors {
    char *messages[GRT_ERRORS_KEPT]; /* owned by the list */
    size_t count;                    /* all errors, kept or not */
};

/* A list starts as {0}. Frees the messages and empties the list. */
void grt_errors_clear(struct grt_errors *errors);

/* Adds "<path>: <sentence>"; the path may be NULL or the root, then only the sentence. Formats like printf;
 * a path is cut at 511 bytes, a sentence at 1023. Every message is a line that a terminal can show, whatever the input has in it: see grt_utf8_shown
 * (sim/utf8.h). */
void grt_error_add(struct grt_errors *errors, const struct grt_path *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds all errors of a list to another one, and empties it. */
void grt_errors_move(struct grt_errors *from, struct grt_errors *to);

/* Writes each message on a line of its own, every line starting with `prefix` (a file's name and ": ", or "", shown like them),
 * and a last line "<prefix>and N more errors" where some were only counted. */
void grt_errors_print(const struct grt_errors *errors, FILE *out, const char *prefix);

/* Writes the path, "tasks[2].period", cut to `size` bytes; returns `text`. */
char *grt_path_text(const struct grt_path *path, char *text, size_t size);

#endif
