/* A program as its manual pages and its completion see it: the tables that it reads its command line with, and nothing beside. */
#ifndef GRT_CLI_TERMINAL_MANUAL_SUBJECT_H
#define GRT_CLI_TERMINAL_MANUAL_SUBJECT_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/terminal/program.h"

struct grt_manual_subject {
    const char *name;        /* "gpurt" */
    const char *summary;     /* what it is for, in a line that begins in lower case */
    const struct argp *argp; /* of what stands in front of a command; of all where there are none */
    const struct grt_program_command *commands;
    size_t command_count;
    void (*sections)(FILE *out); /* writes more sections of its page, in roff; NULL: none */
    grt_word_of *word_of;        /* NULL: it has none */
};

/* The page of a command, or with NULL of the program itself, in the macros of man(7). Its date is that of SOURCE_DATE_EPOCH, if that is set, else
 * there is none. */
void grt_manual_page_write(FILE *out, const struct grt_manual_subject *subject,
                           const struct grt_program_command *command);

/* The names of all shells for which there is completion, NULL-terminated: "bash", ... */
extern const char *const grt_completion_shells[];

/* Writes what a shell completes command lines of the program with; false where it is none of those. It has all names of policies, devices and the
 * like in it, so that no key starts the program. */
bool grt_completion_write(FILE *out, const struct grt_manual_subject *subject, const char *shell);

#endif
