/* The commands of gpurt-calib. Each lives in a file of its own, calib/program/command_<name>.c; the table of them is in main.c.
 * What each is told on its command line is a table, too, which manual pages and completion are made of. */
#ifndef GRT_CALIB_PROGRAM_COMMAND_H
#define GRT_CALIB_PROGRAM_COMMAND_H

#include <argp.h>

#include "cli/terminal/program.h"

/* Of commands that need a device. */
#define GRT_EXIT_DEVICE_HELP                                                                                 \
    "Exit codes: 0 done; 1 failed while running; 2 bad input or usage; 77 there is no CUDA driver or "       \
    "device."

enum grt_exit grt_calib_list(int argc, char **argv);
enum grt_exit grt_calib_measure(int argc, char **argv);
enum grt_exit grt_calib_fit(int argc, char **argv);
enum grt_exit grt_calib_report(int argc, char **argv);
enum grt_exit grt_calib_worst(int argc, char **argv);
enum grt_exit grt_calib_trace(int argc, char **argv);
enum grt_exit grt_calib_validate(int argc, char **argv);
enum grt_exit grt_calib_import(int argc, char **argv);

extern const struct argp grt_calib_list_argp;
extern const struct argp grt_calib_measure_argp;
extern const struct argp grt_calib_fit_argp;
extern const struct argp grt_calib_report_argp;
extern const struct argp grt_calib_worst_argp;
extern const struct argp grt_calib_trace_argp;
extern const struct argp grt_calib_validate_argp;
extern const struct argp grt_calib_import_argp;

#endif
