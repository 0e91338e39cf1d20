/* The commands of gpurt. Each lives in a file of its own, cli/command_<name>.c; the table of them is in cli/main.c. */
#ifndef GRT_CLI_COMMAND_H
#define GRT_CLI_COMMAND_H

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
enum grt_exit grt_command_devices(int argc, char **argv);
enum grt_exit grt_command_usages(int argc, char **argv);
enum grt_exit grt_command_policies(int argc, char **argv);
enum grt_exit grt_command_schema(int argc, char **argv);
enum grt_exit grt_command_reference(int argc, char **argv);

#endif
