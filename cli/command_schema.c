#include "cli/command.h"
#include "cli/options.h"
#include "scenarios/scenario.h"

static const struct argp argp = {
    .doc = "Prints the JSON Schema (draft 2020-12) of scenario files, for editors and other tools."
           "\v"
           "Example:\n"
           "  gpurt schema > gpurt.schema.json\n"
           "\n" GRT_EXIT_HELP,
};

enum grt_exit grt_command_schema(int argc, char **argv) {
    grt_options_parse(&argp, argc, argv, NULL);
    grt_scenario_write_schema(stdout);
    return GRT_EXIT_DONE;
}
