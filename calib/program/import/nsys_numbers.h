/* Names of ranges that end in a number, as programs count what they do: "frame 1", "frame 2". */
#ifndef GRT_CALIB_PROGRAM_IMPORT_NSYS_NUMBERS_H
#define GRT_CALIB_PROGRAM_IMPORT_NSYS_NUMBERS_H

#include "calib/program/import/nsys_tasks.h"

/* The name without the number at its end, and what stands between them: "frame 12", "frame_12", "frame[12]" and "frame #12" are "frame". As it is where it ends in no number, or has
 * nothing else. In the arena, or the name itself. */
const char *grt_nsys_cut_number(const char *name, struct grt_arena *arena);

/* Says which tasks of one job differ by such numbers only, where they are three or more. */
void grt_nsys_warn_of_numbers(const struct grt_nsys_tasks *tasks, struct grt_errors *warnings);

#endif
