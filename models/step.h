/* What a GPU segment asks of a device that it has to itself, in the worst case, as steps that may be cut into pieces: what
 * policies that split kernels, and analyses, calculate with. Pure: no world, no clock, nothing of sim/.
 *
 * A step is a command. A copy or a call is one unit. A kernel of blocks has as many units as it needs waves, of as many blocks as
 * fit on the device; a kernel that is described by its time has units of a nanosecond. A piece of a step takes `once`, the launch,
 * and `each` for every unit in it. Times are nanoseconds. */
#ifndef GRT_MODELS_STEP_H
#define GRT_MODELS_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What takes longer than anything, or is not known. */
#define GRT_STEP_NEVER INT64_MAX

struct grt_step {
    int64_t once;   /* ns, 0 or more: what every piece takes besides its units */
    int64_t each;   /* ns, 1 or more: what a unit takes; GRT_STEP_NEVER: not known */
    int64_t units;  /* 1 or more */
    int64_t blocks; /* in a unit, the last one may have fewer; 0: the step has no blocks */
    int64_t block;  /* ns: the longest time of a block, which nothing interrupts; 0: the step is no kernel */
    bool new_segment; /* it is the first of its segment: no piece goes on from the step before it */
};

/* How far somebody is in a list of steps; {0} is the start. */
struct grt_step_cursor {
    size_t step;  /* the next one */
    int64_t unit; /* units of it that are done */
};

/* What `units` units of a step take in one piece, or GRT_STEP_NEVER. */
int64_t grt_step_time(const struct grt_step *step, int64_t units);

/* Moves the cursor on by as much as fits into one piece of `budget` ns, and returns what that takes; 0 where not even the next
 * unit fits, or nothing is left. Taking as much as fits is best: what is left never needs more pieces than if less had been taken. */
int64_t grt_steps_take(const struct grt_step *steps, size_t count, struct grt_step_cursor *cursor,
                       int64_t budget);

/* In how many pieces of at most `budget` ns all steps are done; GRT_STEP_NEVER where a unit does not fit. Time linear in `count`. */
int64_t grt_steps_pieces(const struct grt_step *steps, size_t count, int64_t budget);

/* The least budget with which all steps are done in at most `pieces` pieces, 1 or more; GRT_STEP_NEVER where there is none. */
int64_t grt_steps_budget(const struct grt_step *steps, size_t count, int64_t pieces);

/* What all steps take in one piece per segment, or GRT_STEP_NEVER. */
int64_t grt_steps_time(const struct grt_step *steps, size_t count);

#endif
