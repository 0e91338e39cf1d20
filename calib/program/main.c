/* gpurt-calib: from a device to the numbers of scenarios. Each command is in a file of its own. */
#include "calib/program/command.h"

static const struct grt_program_command commands[] = {
    {"list", "List the devices that can be measured", grt_calib_list},
    {"measure", "Measure a device, and write every sample to a raw file", grt_calib_measure},
    {"fit", "Turn samples into parameters, device files and kernel files", grt_calib_fit},
    {"report", "Write a page about a calibration, with pictures", grt_calib_report},
    {"worst", "Say how long a run can take, by extreme value theory, with everything to doubt it",
     grt_calib_worst},
    {"trace", "Execute a scenario on a device, and record every block", grt_calib_trace},
    {"validate", "Say how far a simulation is from what a device did", grt_calib_validate},
    {"import", "Make usage files and scenarios of what ncu and nsys say", grt_calib_import},
};

static const char doc[] =
    "Measures a CUDA device, and writes the device and kernel files that scenarios use."
    "\v"
    "Examples:\n"
    "  gpurt-calib list                     which devices are here\n"
    "  gpurt-calib measure -o raw.jsonl     measure one\n"
    "  gpurt-calib fit raw.jsonl --device-file=mine.json --kernel-file=mine-kernels.json\n"
    "                                       its numbers for scenarios\n"
    "  gpurt-calib worst times.txt          how long a run can take, by extreme value theory\n"
    "  gpurt-calib import nsys run.sqlite   a scenario from a timeline of Nsight Systems\n"
    "\n"
    "Exit codes: 0 done; 1 failed while running; 2 bad input or usage; 77 there is no CUDA driver or device "
    "to measure.";

static const struct grt_program calibration = {.name = "gpurt-calib",
                                               .doc = doc,
                                               .commands = commands,
                                               .command_count = sizeof commands / sizeof commands[0]};

int main(int argc, char **argv) {
    return grt_program_main(&calibration, argc, argv);
}
