#include "cli/policy/option.h"

#include "cli/terminal/command_line.h"
#include "scenarios/plugin.h"

const struct grt_policy_ops *grt_option_policy(const char *option, const char *name, struct grt_arena *arena,
                                               const struct argp_state *state) {
    struct grt_errors errors = {0};
    const struct grt_policy_ops *policy = grt_policy_choose(name, arena, &errors, NULL);
    if (policy == NULL) {
        grt_argp_error(state, "%s: %s", option, errors.messages[0]);
    }
    grt_errors_clear(&errors);
    return policy;
}
