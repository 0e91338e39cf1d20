/* The command line of `gpurt export`. */
#ifndef GRT_CLI_TRACE_EXPORT_OPTIONS_H
#define GRT_CLI_TRACE_EXPORT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenarios/scenario.h"
#include "viz/export/export.h"
#include "viz/picture/picture.h"
#include "viz/scene/theme.h"

struct grt_export_command;

/* A format: a new one is a line in the table of cli/command_export.c. It writes the trace, or a picture of it. */
struct grt_export_format {
    const char *name, *help;
    bool binary;                /* not for terminals */
    grt_export_function *write; /* or NULL */
    bool (*draw)(const struct grt_export_command *command, const struct grt_picture *picture,
                 struct grt_errors *errors);
};

enum { GRT_EXPORT_FORMATS = 6 };
extern const struct grt_export_format grt_export_formats[GRT_EXPORT_FORMATS];

struct grt_export_command {
    const struct grt_export_format *format; /* the one that is wanted */
    const char *input, *output;             /* paths; "-": standard input or output */
    struct grt_scenario_changes changes;    /* of an input that is a scenario */
    struct grt_row_patterns rows;
    struct grt_export_options options;
    const struct grt_theme *theme; /* of pictures; so are the following */
    double width, text_size;       /* in pixels */
    double width_mm;               /* printed; 0: not at all */
    bool in_points;                /* the width follows from the printed one and the text's points */
    bool legend;
    const char *picture_option; /* the first option that was given and is only for pictures, or NULL */
    uint64_t given;             /* the options that may be given once, as bits */
};

/* Reads the command line; ends the program where it is wrong. Free with
 * grt_export_options_free. */
void grt_export_options_read(struct grt_export_command *command, int argc, char **argv);
void grt_export_options_free(struct grt_export_command *command);

#endif
