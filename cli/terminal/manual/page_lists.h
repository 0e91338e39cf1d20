/* The lists at the end of manual pages: files, environment, other pages. */
#ifndef GRT_CLI_TERMINAL_MANUAL_PAGE_LISTS_H
#define GRT_CLI_TERMINAL_MANUAL_PAGE_LISTS_H

#include "cli/terminal/manual/subject.h"

/* ENVIRONMENT and FILES: what a command with those options reads and writes without being told; of a program (`command` NULL) what its commands do. */
void grt_page_lists_write(FILE *out, const struct grt_manual_subject *subject,
                          const struct grt_program_command *command);

/* SEE ALSO: the program's page, pages of commands that the texts speak of or that speak of it, the other programs. */
void grt_page_see_also_write(FILE *out, const struct grt_manual_subject *subject,
                             const struct grt_program_command *command);

#endif
