/* The standard streams of a program: they are there, and what it prints has arrived before it may say that it is done. */
#ifndef GRT_CLI_TERMINAL_STANDARD_STREAMS_H
#define GRT_CLI_TERMINAL_STANDARD_STREAMS_H

/* The first call of a program, once. No file that it opens later takes the place of a standard stream that the caller has closed. And from here on
 * every exit closes its standard output, and ends with GRT_EXIT_FAILED where that fails: with an error that begins with the program's name,
 * which has to stay, or silently where a reader left early. */
void grt_standard_streams_watch(const char *program);

#endif
