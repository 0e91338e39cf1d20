/* Calls in child processes: for what ends the program, and says why on standard error. No core is left behind. */
#ifndef GRT_TESTS_SUPPORT_CHILD_H
#define GRT_TESTS_SUPPORT_CHILD_H

#include <stdbool.h>
#include <stddef.h>

/* Calls the function with its argument in a child, which exits with 0 where it returns. Keeps in `said`, of `size` bytes, how what the child wrote to
 * standard error begins. Returns how the child ended, as waitpid says it. Where there can be no child the test fails, and ends. */
int grt_child_run(void (*function)(void *argument), void *argument, char *said, size_t size);

/* The same of a function without an argument. */
int grt_child_call(void (*function)(void), char *said, size_t size);

/* Whether that signal ended the child. */
bool grt_child_ended_by(int status, int signal_number);

#endif
