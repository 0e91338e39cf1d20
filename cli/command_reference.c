#include "cli/command.h"
#include "cli/options.h"
#include "scenarios/scenario.h"

static const struct argp argp = {
    .doc = "Prints the reference of scenario files in Markdown: every field, its unit and its default."
           "\v"
           "Example:\n"
           "  gpurt reference | less\n"
           "\n" GRT_EXIT_HELP,
};

enum grt_exit grt_command_reference(int argc, char **argv) {
    grt_options_parse(&argp, argc, argv, NULL);
    grt_scenario_write_reference(stdout);
    return GRT_EXIT_DONE;
}
