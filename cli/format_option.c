#include "cli/format_option.h"

#include "cli/terminal/command_line.h"

const struct argp_option grt_format_options[] = {
    {"experiment", 'e', NULL, 0, "Of experiments, which gpurt sweep runs, instead of scenarios", 0},
    {"kernels", 'k', NULL, 0, "Of kernel files, which scenarios name", 0},
    {0}};

error_t grt_format_parse(int key, char *argument, struct argp_state *state) {
    enum grt_format *format = state->input, wanted = key == 'k' ? GRT_FORMAT_KERNELS : GRT_FORMAT_EXPERIMENT;
    (void)argument;
    if (key != 'e' && key != 'k') {
        return ARGP_ERR_UNKNOWN;
    }
    if (*format != GRT_FORMAT_SCENARIO && *format != wanted) {
        grt_argp_error(state, "takes only one of --experiment and --kernels");
    }
    *format = wanted;
    return 0;
}
