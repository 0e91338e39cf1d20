/* --analysis NAME and --option ANALYSIS.OPTION=VALUE, of the commands that run analyses. Which analyses there are is known once the policy is,
 * which may bring some along. */
#ifndef GRT_CLI_ANALYSIS_WISHES_H
#define GRT_CLI_ANALYSIS_WISHES_H

#include <argp.h>

#include "policies/analyses/run.h"

/* What was given. Starts as {0}; the lists are owned, the texts are the command line's. */
struct grt_analysis_wishes {
    const char **names;   /* of analyses, each once */
    const char **options; /* "ANALYSIS.OPTION=VALUE" */
    size_t name_count, option_count;
};

/* Take an option's argument; end the program where a name was given twice. */
void grt_analysis_wishes_name(struct grt_analysis_wishes *wishes, const char *name,
                              const struct argp_state *state);
void grt_analysis_wishes_option(struct grt_analysis_wishes *wishes, const char *text);
void grt_analysis_wishes_free(struct grt_analysis_wishes *wishes);

/* Finds the analyses by their names, NULL-terminated in the arena, NULL where none was named, and sets the options. False after adding
 * errors. */
bool grt_analysis_wishes_find(const struct grt_analysis_wishes *wishes, const struct grt_policy_ops *policy,
                              const struct grt_analysis_ops *const **named,
                              struct grt_analysis_settings *settings, struct grt_arena *arena,
                              struct grt_errors *errors);

/* Whether all options that were given are of analyses that the choice runs; else false, after adding errors. */
bool grt_options_of_analyses_check(const struct grt_analyses_subject *subject,
                                   const struct grt_analyses_choice *choice, struct grt_errors *errors);

#endif
