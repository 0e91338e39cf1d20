#include "cli/format_option.h"

#include "cli/terminal/options.h"

static const struct argp_option options[] = {
    {"experiment", 'e', NULL, 0, "Of experiments, which gpurt sweep runs, instead of scenarios", 0},
    {"kernels", 'k', NULL, 0, "Of kernel files, which scenarios name", 0},
    {0}};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    enum grt_format *format = state->input, wanted = key == 'k' ? GRT_FORMAT_KERNELS : GRT_FORMAT_EXPERIMENT;
    (void)argument;
    if (key != 'e' && key != 'k') {
        return ARGP_ERR_UNKNOWN;
    }
    if (*format != GRT_FORMAT_SCENARIO && *format != wanted) {
        argp_error(state, "takes only one of --experiment and --kernels");
    }
    *format = wanted;
    return 0;
}

enum grt_format grt_format_read(const char *doc, int argc, char **argv) {
    const struct argp argp = {.options = options, .parser = parse_option, .doc = doc};
    enum grt_format format = GRT_FORMAT_SCENARIO;
    grt_options_parse(&argp, argc, argv, &format);
    return format;
}
