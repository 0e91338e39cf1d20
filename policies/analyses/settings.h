/* The options of analyses as a person gives them: "mpcp.jitter=release". */
#ifndef GRT_POLICIES_ANALYSES_SETTINGS_H
#define GRT_POLICIES_ANALYSES_SETTINGS_H

#include "models/analysis_options.h"
#include "policies/analyses/registry.h"

enum { GRT_ANALYSIS_MOST_SETTINGS = 16 };

/* All options of one analysis: those that were given, and the defaults of the others. */
struct grt_analysis_setting {
    const struct grt_analysis_ops *analysis;
    char options[GRT_ANALYSIS_OPTIONS_SIZE] __attribute__((aligned)); /* for any type */
};

/* Starts as {0}: everything has its default. */
struct grt_analysis_settings {
    struct grt_analysis_setting items[GRT_ANALYSIS_MOST_SETTINGS];
    size_t count;
};

/* Sets one option from "ANALYSIS.OPTION=VALUE", of one of the analyses listed in `known`, NULL-terminated. Returns false after adding an
 * error. */
bool grt_analysis_settings_set(struct grt_analysis_settings *settings,
                               const struct grt_analysis_ops *const *known, const char *text,
                               struct grt_errors *errors);

/* The options of an analysis as set->options wants them; NULL: none were given, or there are no settings (NULL). */
const void *grt_analysis_settings_of(const struct grt_analysis_settings *settings,
                                     const struct grt_analysis_ops *analysis);

#endif
