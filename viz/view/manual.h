/* The manual: options, mouse, keys and scripts, each from the table that the program goes by. */
#ifndef GRT_VIZ_VIEW_MANUAL_H
#define GRT_VIZ_VIEW_MANUAL_H

#include <argp.h>
#include <stdio.h>

/* Writes the manual page in roff. `options` ends as argp has it. */
void view_manual_write(FILE *out, const struct argp_option *options);

/* Writes its tables in Markdown. */
void view_manual_write_markdown(FILE *out, const struct argp_option *options);

#endif
