#include "cli/command.h"
#include "cli/format_option.h"
#include "scenarios/experiment/experiment.h"
#include "scenarios/scenario.h"

static const char doc[] = "Prints the JSON Schema (draft 2020-12) of scenario files, or of experiments, for "
                          "editors and other tools."
                          "\v"
                          "Example:\n"
                          "  gpurt schema > gpurt.schema.json\n"
                          "\n" GRT_EXIT_HELP;

enum grt_exit grt_command_schema(int argc, char **argv) {
    if (grt_format_is_of_experiments(doc, argc, argv)) {
        grt_experiment_write_schema(stdout);
    } else {
        grt_scenario_write_schema(stdout);
    }
    return GRT_EXIT_DONE;
}
