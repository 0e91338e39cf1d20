/* gpurt: the program without a window. Each command is in a file of its own. */
#include <string.h>

#include "cli/command.h"
#include "cli/trace/export_options.h"

static const struct grt_program_command commands[] = {
    {"run", "Simulate a scenario: tables, Gantt chart, JSON, trace", grt_command_run, &grt_command_run_argp},
    {"compare", "Simulate a scenario under several policies, side by side", grt_command_compare,
     &grt_command_compare_argp},
    {"verify", "Hold analyses against simulations of many release patterns, audit every trace",
     grt_command_verify, &grt_command_verify_argp},
    {"analyze", "Bound the worst case of a scenario: verdicts, response times, sensitivity",
     grt_command_analyze, &grt_command_analyze_argp},
    {"export", "Write a timeline as a picture (PNG, SVG, PDF), or for Perfetto, Chrome, as CSV",
     grt_command_export, &grt_command_export_argp},
    {"check", "Check scenario files, with --run their results too", grt_command_check,
     &grt_command_check_argp},
    {"plot", "Draw the results of a sweep: SVG, PDF, PNG by gnuplot", grt_command_plot,
     &grt_command_plot_argp},
    {"papers", "Run the experiments of papers: published values beside simulated ones", grt_command_papers,
     &grt_command_papers_argp},
    {"train", "Train performance models of kernels that share a GPU", grt_command_train,
     &grt_command_train_argp},
    {"generate", "Make scenarios with random task sets", grt_command_generate, &grt_command_generate_argp},
    {"sweep", "Run an experiment: many random task sets, on all cores or machines", grt_command_sweep,
     &grt_command_sweep_argp},
    {"merge", "Join what the shards of an experiment have done", grt_command_merge, &grt_command_merge_argp},
    {"import", "Turn results of cuda_scheduling_examiner into a trace", grt_command_import,
     &grt_command_import_argp},
    {"show", "Show a trace file: tables and Gantt chart", grt_command_show, &grt_command_show_argp},
    {"scenarios", "List the scenarios that gpurt comes with, or show one", grt_command_scenarios,
     &grt_command_scenarios_argp},
    {"devices", "List the GPUs that gpurt knows, or show one", grt_command_devices,
     &grt_command_devices_argp},
    {"usages", "List how kernels use a GPU of granularity shares, or show one", grt_command_usages,
     &grt_command_usages_argp},
    {"policies", "List the scheduling policies, or show one", grt_command_policies,
     &grt_command_policies_argp},
    {"schema", "Print the JSON Schema of scenario files", grt_command_schema, &grt_command_schema_argp},
    {"reference", "Print the reference of scenario files in Markdown", grt_command_reference,
     &grt_command_reference_argp},
};

static const char doc[] =
    "Simulates how real-time tasks share a GPU: says of a scenario, a JSON file, who misses deadlines and "
    "why, "
    "bounds the worst case, draws what happens, and tries many task sets."
    "\v"
    "Examples:\n"
    "  gpurt run quickstart                 simulate a scenario of the library\n"
    "  gpurt run scenario.json --gantt      simulate your own, draw the first jobs\n"
    "  gpurt run scenario.json --json -     the results as JSON on standard output\n"
    "  gpurt export perfetto scenario.json -o trace.pftrace\n"
    "                                       the timeline for ui.perfetto.dev\n"
    "  gpurt analyze scenario.json          what can happen in the worst case\n"
    "  gpurt check *.json                   check files\n"
    "  gpurt devices tx2                    what gpurt knows of a device\n"
    "  gpurt help run                       the options of a command\n"
    "\n"
    "Exit codes: 0 done; 1 failed while running; 2 bad input or usage; 3 a deadline was missed and "
    "--fail-on-miss was given, or not all are proven to be met and --fail-if-unproven was given; 4 gpurt "
    "verify found a violation.";

static const char *word_of(const char *value, size_t index) {
    bool known = strcmp(value, "FORMAT") == 0 && index < GRT_EXPORT_FORMATS;
    return known ? grt_export_formats[index].name : NULL;
}

static const struct grt_program gpurt = {.name = "gpurt",
                                         .summary = "simulate and analyse how real-time tasks share a GPU",
                                         .doc = doc,
                                         .commands = commands,
                                         .command_count = sizeof commands / sizeof commands[0],
                                         .file_command = "run",
                                         .word_of = word_of};

int main(int argc, char **argv) {
    return grt_program_main(&gpurt, argc, argv);
}
