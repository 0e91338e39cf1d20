#include "cli/command.h"
#include "cli/format_option.h"
#include "cli/terminal/options.h"
#include "scenarios/experiment/experiment.h"
#include "scenarios/scenario.h"

const struct argp grt_command_reference_argp = {
    .options = grt_format_options,
    .parser = grt_format_parse,
    .doc = "Prints the reference of scenario files, of experiments or of kernel files, in Markdown: every "
           "field, its unit and its default."
           "\v"
           "Example:\n"
           "  gpurt reference | less\n"
           "\n" GRT_EXIT_HELP,
};

enum grt_exit grt_command_reference(int argc, char **argv) {
    static void (*const writers[])(FILE *) = {[GRT_FORMAT_SCENARIO] = grt_scenario_write_reference,
                                              [GRT_FORMAT_EXPERIMENT] = grt_experiment_write_reference,
                                              [GRT_FORMAT_KERNELS] = grt_kernels_write_reference};
    enum grt_format format = GRT_FORMAT_SCENARIO;
    grt_options_parse(&grt_command_reference_argp, argc, argv, &format);
    writers[format](stdout);
    return GRT_EXIT_DONE;
}
