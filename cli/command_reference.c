#include "cli/command.h"
#include "cli/format_option.h"
#include "scenarios/experiment/experiment.h"
#include "scenarios/scenario.h"

static const char doc[] = "Prints the reference of scenario files, or of experiments, in Markdown: every "
                          "field, its unit and its default."
                          "\v"
                          "Example:\n"
                          "  gpurt reference | less\n"
                          "\n" GRT_EXIT_HELP;

enum grt_exit grt_command_reference(int argc, char **argv) {
    if (grt_format_is_of_experiments(doc, argc, argv)) {
        grt_experiment_write_reference(stdout);
    } else {
        grt_scenario_write_reference(stdout);
    }
    return GRT_EXIT_DONE;
}
