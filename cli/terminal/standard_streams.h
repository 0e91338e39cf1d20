/* The standard streams of a program: they are there, and what it prints has arrived before it may say that it is done. */
#ifndef GRT_CLI_TERMINAL_STANDARD_STREAMS_H
#define GRT_CLI_TERMINAL_STANDARD_STREAMS_H

/* At a program's start, once, before it opens a file, and behind grt_crash_report, whose end of a plug-in's exit would else leave an error of the output
 * unsaid. No file that is opened later takes the place of a standard stream that the caller has closed. And from here on every exit writes what was printed,
 * closes standard output, and ends with GRT_EXIT_FAILED where that fails: with an error that begins with the program's name, which has to stay, or, where a
 * reader left early and SIGPIPE is ignored, silently. Where it is a plug-in that calls exit, standard output stays open, and of one that does so once
 * threads of a sweep have begun the error is not said. */
void grt_standard_streams_watch(const char *program);

#endif
