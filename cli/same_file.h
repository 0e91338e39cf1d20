/* Whether two names on the command line mean the same file. */
#ifndef GRT_CLI_SAME_FILE_H
#define GRT_CLI_SAME_FILE_H

#include <stdbool.h>

/* A file to read or to write. */
struct grt_named_file {
    const char *path; /* NULL: none, the same as nothing */
    int standard;     /* the descriptor that "-" stands for */
};

/* True if both are one file, whether it is there already or not. Terminals, /dev/null and other devices can be used
 * twice. */
bool grt_same_file(const struct grt_named_file *first, const struct grt_named_file *second);

#endif
