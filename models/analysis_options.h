/* The options of an analysis's own: a struct that a table of fields describes (sim/field.h). The fields are choices, booleans, whole
 * numbers and times, each with a default. A table is shown by `gpurt analyze --list`; its options are set by `--option NAME.OPTION=VALUE`. */
#ifndef GRT_MODELS_ANALYSIS_OPTIONS_H
#define GRT_MODELS_ANALYSIS_OPTIONS_H

#include "sim/error.h"
#include "sim/field.h"

/* Fills a struct of record->size bytes with the defaults. A table with another kind of field, one without a default, or one that is
 * larger than GRT_ANALYSIS_OPTIONS_SIZE is a bug: the program aborts. */
void grt_analysis_options_default(const struct grt_record *record, void *options);

/* Sets the option of that name from text: a choice's word, "true" or "false", a whole number, a time with its unit. Returns false after adding an error,
 * whose path is PREFIX.NAME. */
bool grt_analysis_option_set(const struct grt_record *record, void *options, const char *prefix,
                             const char *name, const char *text, struct grt_errors *errors);

/* An option's value as text, as grt_analysis_option_set reads it; `text` must hold GRT_ANALYSIS_OPTION_TEXT_SIZE bytes. */
enum { GRT_ANALYSIS_OPTION_TEXT_SIZE = 64 };
const char *grt_analysis_option_text(const struct grt_field *field, const void *options,
                                     char text[GRT_ANALYSIS_OPTION_TEXT_SIZE]);

#endif
