#include "cli/analysis_option.h"

#include "cli/terminal/options.h"

void grt_option_of_analysis(struct grt_analysis_settings *settings, const char *argument,
                            const struct argp_state *state) {
    struct grt_errors errors = {0};
    if (!grt_analysis_settings_set(settings, grt_analyses, argument, &errors)) {
        grt_options_fail(state->name, "--option: %s", errors.messages[0]);
    }
    grt_errors_clear(&errors);
}

bool grt_options_of_analyses_check(const struct grt_analyses_subject *subject,
                                   const struct grt_analyses_choice *choice, struct grt_errors *errors) {
    static const struct grt_path root = {0}, path = {.parent = &root, .key = "--option"};
    return grt_analyses_choice_check(subject, choice, errors, &path);
}
