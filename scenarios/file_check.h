/* Files that scenarios name, checked on their own. */
#ifndef GRT_SCENARIOS_FILE_CHECK_H
#define GRT_SCENARIOS_FILE_CHECK_H

#include "scenarios/file_kind.h"

/* Whether files of that kind can be: devices, usages and kernels. */
bool grt_file_can_be_checked(enum grt_file_kind kind);

/* Reads such a file as strictly as a scenario that names it; false after adding errors. */
bool grt_file_check(enum grt_file_kind kind, const char *text, size_t size, struct grt_errors *errors);

#endif
