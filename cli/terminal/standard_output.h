/* What a program prints has to have arrived before it may say that it is done. */
#ifndef GRT_CLI_TERMINAL_STANDARD_OUTPUT_H
#define GRT_CLI_TERMINAL_STANDARD_OUTPUT_H

/* From here on every exit of the program closes its standard output, and ends with GRT_EXIT_FAILED where that fails: with an error that begins with
 * the program's name, which has to stay, or silently where a reader left early. Once. */
void grt_standard_output_watch(const char *program);

#endif
