/* gpurt-calib: from a device to the numbers of scenarios. Each command is in a file of its own. */
#include <string.h>

#include "calib/measure/plan.h"
#include "calib/program/command.h"

static const struct grt_program_command commands[] = {
    {"list", "List the devices that can be measured", grt_calib_list, &grt_calib_list_argp},
    {"measure", "Measure a device, and write every sample to a raw file", grt_calib_measure,
     &grt_calib_measure_argp},
    {"fit", "Turn samples into parameters, device files and kernel files", grt_calib_fit,
     &grt_calib_fit_argp},
    {"report", "Write a page about a calibration, with pictures", grt_calib_report, &grt_calib_report_argp},
    {"worst", "Say how long a run can take, by extreme value theory, with everything to doubt it",
     grt_calib_worst, &grt_calib_worst_argp},
    {"trace", "Execute a scenario on a device, and record every block", grt_calib_trace,
     &grt_calib_trace_argp},
    {"validate", "Say how far a simulation is from what a device did", grt_calib_validate,
     &grt_calib_validate_argp},
    {"import", "Make usage files and scenarios of what ncu and nsys say", grt_calib_import,
     &grt_calib_import_argp},
};

static const char doc[] =
    "Measures a CUDA device, and writes the device and kernel files that scenarios use."
    "\v"
    "Examples:\n"
    "  gpurt-calib list                     which devices are here\n"
    "  gpurt-calib measure -o raw.jsonl     measure one\n"
    "  gpurt-calib fit raw.jsonl --device-file=mine.json --kernel-file=kernels.json\n"
    "                                       its numbers for scenarios\n"
    "  gpurt-calib worst times.txt          how long a run can take\n"
    "  gpurt-calib import nsys run.sqlite --device h200\n"
    "                                       a scenario from Nsight Systems\n"
    "\n"
    "Exit codes: 0 done; 1 failed while running; 2 bad input or usage; 77 there is no CUDA driver or device "
    "to measure.";

static const char *word_of(const char *value, size_t index) {
    if (strcmp(value, "EXPERIMENTS") == 0) {
        return index < GRT_EXPERIMENTS ? grt_experiment_names[index] : NULL;
    }
    return strncmp(value, "WORKLOAD", 8) == 0 ? grt_plan_workload(index) : NULL;
}

static const struct grt_program calibration = {.name = "gpurt-calib",
                                               .summary = "measure a CUDA device, for scenarios of gpurt",
                                               .doc = doc,
                                               .commands = commands,
                                               .command_count = sizeof commands / sizeof commands[0],
                                               .word_of = word_of};

int main(int argc, char **argv) {
    return grt_program_main(&calibration, argc, argv);
}
