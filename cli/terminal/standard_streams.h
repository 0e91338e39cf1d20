/* The standard streams of a program: they are there, and what it prints has arrived before it may say that it is done. */
#ifndef GRT_CLI_TERMINAL_STANDARD_STREAMS_H
#define GRT_CLI_TERMINAL_STANDARD_STREAMS_H

/* At a program's start, once, before it opens a file and behind grt_crash_report, so that where a plug-in calls exit on the first thread, output that
 * cannot be written is said, too. No file that is opened later takes the place of a standard stream that the caller has closed. And from here on every exit closes
 * standard output, and ends with GRT_EXIT_FAILED where that fails: with an error that begins with the program's name, which has to stay, or,
 * where a reader left early and SIGPIPE is ignored, silently. */
void grt_standard_streams_watch(const char *program);

#endif
