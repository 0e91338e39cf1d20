/* What the value of an option, or an argument, can be: known by how help texts call it. */
#ifndef GRT_CLI_TERMINAL_MANUAL_VALUE_KIND_H
#define GRT_CLI_TERMINAL_MANUAL_VALUE_KIND_H

#include "cli/terminal/manual/subject.h"

/* What may be offered for it; all false and NULL: nothing that could be known. */
struct grt_value_kind {
    char *words;         /* between blanks; one that ends in = : or . goes on; NULL: none. To be freed */
    bool list;           /* several words with commas between */
    bool labels;         /* LABEL=WORD in such a list */
    bool folders;        /* folders */
    const char *endings; /* files: their endings, without points, between blanks; "": any. NULL: no files */
    bool library;        /* scenarios and experiments of the library, by their names */
    bool experiments;    /* experiments and papers of the library, by their names */
};

/* `place`: the long name of the option, or the name of the command whose argument it is, or NULL for a program without commands; `value`: as the help text
 * has it, "FILE". Free ->words. */
struct grt_value_kind grt_value_kind_of(const struct grt_manual_subject *subject, const char *place,
                                        const char *value);

/* The arguments of a command or program, from argp's line of them, "FORMAT INPUT" or "FILE [FILE...]": the value of argument `index` from 0, in `value`;
 * false where there is none. */
bool grt_value_of_argument(const char *line, size_t index, char value[64]);

#endif
