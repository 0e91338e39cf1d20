/* Functions of libraries that are opened at run time. */
#ifndef GRT_CALIB_DRIVER_LIBRARY_H
#define GRT_CALIB_DRIVER_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* Stores a function of an open library in a pointer of so many bytes; false, and NULL stored, where it has none of that name. */
bool grt_library_find(void *library, const char *name, void *function, size_t size);

#endif
