/* gpurt: the program without a window. Each command is in a file of its own. */
#include "cli/command.h"

static const struct grt_program_command commands[] = {
    {"run", "Simulate a scenario: tables, Gantt chart, JSON, trace", grt_command_run},
    {"compare", "Simulate a scenario under several policies, side by side", grt_command_compare},
    {"verify", "Hold analyses against simulations of many release patterns, audit every trace",
     grt_command_verify},
    {"analyze", "Bound the worst case of a scenario: verdicts, response times, sensitivity",
     grt_command_analyze},
    {"export", "Write a timeline as a picture (PNG, SVG, PDF), or for Perfetto, Chrome, as CSV",
     grt_command_export},
    {"check", "Check scenario files, with --run their results too", grt_command_check},
    {"plot", "Draw the results of a sweep: SVG, PDF, PNG by gnuplot", grt_command_plot},
    {"papers", "Run the experiments of papers: published values beside simulated ones", grt_command_papers},
    {"train", "Train performance models of kernels that share a GPU", grt_command_train},
    {"generate", "Make scenarios with random task sets", grt_command_generate},
    {"sweep", "Run an experiment: many random task sets, on all cores or machines", grt_command_sweep},
    {"merge", "Join what the shards of an experiment have done", grt_command_merge},
    {"import", "Turn results of cuda_scheduling_examiner into a trace", grt_command_import},
    {"show", "Show a trace file: tables and Gantt chart", grt_command_show},
    {"devices", "List the GPUs that gpurt knows, or show one", grt_command_devices},
    {"usages", "List how kernels use a GPU of granularity shares, or show one", grt_command_usages},
    {"policies", "List the scheduling policies, or show one", grt_command_policies},
    {"schema", "Print the JSON Schema of scenario files", grt_command_schema},
    {"reference", "Print the reference of scenario files in Markdown", grt_command_reference},
};

static const char doc[] =
    "Simulates how real-time tasks share a GPU."
    "\v"
    "Examples:\n"
    "  gpurt run scenario.json --gantt      simulate and draw the first jobs\n"
    "  gpurt run scenario.json --json -     the results as JSON on standard output\n"
    "  gpurt export perfetto scenario.json -o trace.pftrace\n"
    "                                       the timeline for ui.perfetto.dev\n"
    "  gpurt check *.json                   check files\n"
    "  gpurt devices tx2                    what gpurt knows of a device\n"
    "  gpurt help run                       the options of a command\n"
    "\n"
    "Exit codes: 0 done; 1 failed while running; 2 bad input or usage; 3 a deadline was missed and "
    "--fail-on-miss was given, or not all are proven to be met and --fail-if-unproven was given; 4 gpurt "
    "verify found a violation.";

static const struct grt_program gpurt = {
    .name = "gpurt", .doc = doc, .commands = commands, .command_count = sizeof commands / sizeof commands[0]};

int main(int argc, char **argv) {
    return grt_program_main(&gpurt, argc, argv);
}
