/* Options that change a scenario before it is read: --policy and --set. */
#ifndef GRT_CLI_TERMINAL_CHANGE_OPTIONS_H
#define GRT_CLI_TERMINAL_CHANGE_OPTIONS_H

#include <argp.h>

#include "scenarios/scenario.h"

/* What errors call changes that options make. */
extern const struct grt_change_names grt_change_option_names;

/* Adds the value of an option --set to a list, which grows; ends the program where it is none, with an example. */
void grt_change_options_add_set(const char *const **sets, size_t *count, const char *argument,
                                const char *example, const struct argp_state *state);

/* The same for scenarios. */
void grt_change_options_set(struct grt_scenario_changes *changes, const char *argument,
                            const struct argp_state *state);

/* Frees the list of --set. */
void grt_change_options_free(struct grt_scenario_changes *changes);

/* The argp child that reads both options into the struct grt_scenario_changes that the parent sets as its child input. */
extern const struct argp grt_change_argp;

#endif
