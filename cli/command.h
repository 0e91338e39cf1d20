/* The commands of gpurt. Each lives in a file of its own, cli/command_<name>.c; the table of them is in cli/main.c.
 * What each is told on its command line is a table, too, which manual pages and completion are made of. */
#ifndef GRT_CLI_COMMAND_H
#define GRT_CLI_COMMAND_H

#include <argp.h>

#include "cli/terminal/program.h"

enum grt_exit grt_command_run(int argc, char **argv);
enum grt_exit grt_command_compare(int argc, char **argv);
enum grt_exit grt_command_verify(int argc, char **argv);
enum grt_exit grt_command_analyze(int argc, char **argv);
enum grt_exit grt_command_export(int argc, char **argv);
enum grt_exit grt_command_check(int argc, char **argv);
enum grt_exit grt_command_show(int argc, char **argv);
enum grt_exit grt_command_plot(int argc, char **argv);
enum grt_exit grt_command_papers(int argc, char **argv);
enum grt_exit grt_command_train(int argc, char **argv);
enum grt_exit grt_command_generate(int argc, char **argv);
enum grt_exit grt_command_sweep(int argc, char **argv);
enum grt_exit grt_command_merge(int argc, char **argv);
enum grt_exit grt_command_import(int argc, char **argv);
enum grt_exit grt_command_scenarios(int argc, char **argv);
enum grt_exit grt_command_devices(int argc, char **argv);
enum grt_exit grt_command_usages(int argc, char **argv);
enum grt_exit grt_command_policies(int argc, char **argv);
enum grt_exit grt_command_schema(int argc, char **argv);
enum grt_exit grt_command_reference(int argc, char **argv);

extern const struct argp grt_command_run_argp;
extern const struct argp grt_command_compare_argp;
extern const struct argp grt_command_verify_argp;
extern const struct argp grt_command_analyze_argp;
extern const struct argp grt_command_export_argp;
extern const struct argp grt_command_check_argp;
extern const struct argp grt_command_show_argp;
extern const struct argp grt_command_plot_argp;
extern const struct argp grt_command_papers_argp;
extern const struct argp grt_command_train_argp;
extern const struct argp grt_command_generate_argp;
extern const struct argp grt_command_sweep_argp;
extern const struct argp grt_command_merge_argp;
extern const struct argp grt_command_import_argp;
extern const struct argp grt_command_scenarios_argp;
extern const struct argp grt_command_devices_argp;
extern const struct argp grt_command_usages_argp;
extern const struct argp grt_command_policies_argp;
extern const struct argp grt_command_schema_argp;
extern const struct argp grt_command_reference_argp;

#endif
