/* Which gpurt this is. */
#ifndef GRT_SIM_VERSION_H
#define GRT_SIM_VERSION_H

/* Of the headers; semantic (semver.org). While the first number is 0, the second one says what programs have to be compiled again for. The
 * build reads its version here. */
#define GRT_VERSION_MAJOR 0
#define GRT_VERSION_MINOR 1
#define GRT_VERSION_PATCH 0

/* Of the library that the program runs with, "0.1.0"; constant. */
const char *grt_version(void);

#endif
