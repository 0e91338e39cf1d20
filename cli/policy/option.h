/* A policy on the command line: the name of one of gpurt's, or the file of a plug-in. */
#ifndef GRT_CLI_POLICY_OPTION_H
#define GRT_CLI_POLICY_OPTION_H

#include <argp.h>

#include "models/policy.h"

/* The policy that `option` names; ends the program where there is none. A plug-in's is in the arena. */
const struct grt_policy_ops *grt_option_policy(const char *option, const char *name, struct grt_arena *arena,
                                               const struct argp_state *state);

#endif
