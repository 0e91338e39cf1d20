/* The checks of a plug-in's tables: what plugin_check.c and plugin_check_fields.c have in common. */
#ifndef GRT_SCENARIOS_PLUGIN_CHECK_H
#define GRT_SCENARIOS_PLUGIN_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/error.h"
#include "sim/field.h"

/* What a struct of a plug-in may have at most. */
#define PLUGIN_MOST_BYTES ((size_t)1 << 30)

/* One check. */
struct plugin_check {
    const char *shown; /* the file */
    const char *whose; /* whom the errors are about: "policy llf" */
    bool of_options;   /* the fields are an analysis's options, not parameters of the policy */
    struct grt_errors *errors;
    const struct grt_path *path;
};

/* Adds "FILE: WHOSE ...", and returns false. (plugin_check.c) */
bool plugin_refuse(const struct plugin_check *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether a text is one line (grt_utf8_is_line), and not empty. NULL is none. (plugin_check.c) */
bool plugin_is_text(const char *text);

/* Whether a table of parameters keeps the rules; else an error was added. Defaults are within their bounds. (plugin_check_fields.c) */
bool plugin_check_parameters(const struct plugin_check *check, const struct grt_record *record);

/* The same of an analysis's options. (plugin_check_fields.c) */
bool plugin_check_options(const struct plugin_check *check, const struct grt_record *record);

#endif
