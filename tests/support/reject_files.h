/* Bad files and what is said about them: every NAME.json of a folder stands beside NAME.txt, which has the messages that it
 * must be refused with, one a line. */
#ifndef GRT_TESTS_SUPPORT_REJECT_FILES_H
#define GRT_TESTS_SUPPORT_REJECT_FILES_H

#include <stdbool.h>

#include "sim/error.h"

/* Reads a file as the test wants it read; false after adding errors. */
typedef bool (*grt_reject_reader)(const char *path, struct grt_errors *errors);

/* Expects every file of the folder to be refused with its messages; returns how many there are. Where GRT_UPDATE is set in
 * the environment, the messages are written instead. */
int grt_reject_files(const char *folder, grt_reject_reader read);

/* All messages as one text, to be freed. */
char *grt_reject_messages(const struct grt_errors *errors);

#endif
