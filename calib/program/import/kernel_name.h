/* Names of kernels as files have them. */
#ifndef GRT_CALIB_PROGRAM_IMPORT_KERNEL_NAME_H
#define GRT_CALIB_PROGRAM_IMPORT_KERNEL_NAME_H

#include "sim/memory.h"

/* The function's own name, without what it returns, its parameters and what its template was given: "void f<float>(int)" is "f". Letters, digits, '_', '-' and '.', 1 to
 * 48 of them; belongs to the arena. */
const char *grt_kernel_name(struct grt_arena *arena, const char *text);

#endif
