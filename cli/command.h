/* The commands of gpurt. Each lives in a file of its own, cli/command_<name>.c; the table of them is in cli/main.c. */
#ifndef GRT_CLI_COMMAND_H
#define GRT_CLI_COMMAND_H

/* Exit codes; docs/gpurt.md explains them. */
enum grt_exit {
    GRT_EXIT_DONE = 0,
    GRT_EXIT_FAILED = 1, /* failed while running: a file could not be written, a result was not as expected */
    GRT_EXIT_INPUT = 2,  /* bad input or usage */
    GRT_EXIT_MISSED = 3, /* a deadline was missed, and --fail-on-miss was given */
    GRT_EXIT_VIOLATION = 4, /* `verify` found a violation */
};

/* Of commands that have no others. */
#define GRT_EXIT_HELP "Exit codes: 0 done; 1 failed while running; 2 bad input or usage."

/* argv[0] is "gpurt <name>". Returns an exit code; wrong usage and --help end the program within. */
typedef enum grt_exit (*grt_command_function)(int argc, char **argv);

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
