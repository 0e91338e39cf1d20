/* The manual beyond the command line: mouse, keys and scripts, each from the table that the program goes by. */
#ifndef GRT_VIZ_VIEW_MANUAL_H
#define GRT_VIZ_VIEW_MANUAL_H

#include <argp.h>
#include <stdio.h>

/* Writes their sections of the manual page, in roff. */
void view_manual_write_sections(FILE *out);

/* Writes all tables in Markdown, that of the options first, which ends as argp has it. */
void view_manual_write_markdown(FILE *out, const struct argp_option *options);

#endif
