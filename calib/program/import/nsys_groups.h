/* The operations of a profile that become a task together: those of a stream, or those that a range of NVTX has in a stream. */
#ifndef GRT_CALIB_PROGRAM_IMPORT_NSYS_GROUPS_H
#define GRT_CALIB_PROGRAM_IMPORT_NSYS_GROUPS_H

#include "calib/program/import/nsys_tasks.h"

struct nsys_group {
    struct grt_nsys_stream stream;
    const char *range; /* NULL: all of the stream */
    const struct grt_nsys_operation **operations;
    size_t *instances; /* ranges: which of the profile's ranges each operation is of */
    uint32_t count, capacity, instance_capacity;
};

struct nsys_groups {
    const struct grt_nsys *profile;
    struct grt_arena *arena;
    struct grt_errors *warnings;
    struct nsys_group *items;
    uint32_t count, capacity;
    int64_t device;
    size_t *outermost, outermost_count; /* of the profile's ranges, by thread and start */
    const char **range_names;           /* of each of the profile's ranges, as tasks are to be told apart */
};

/* Makes them of the operations of one device. `groups` has its first three fields; says in `warnings` what is left out. */
void grt_nsys_groups_make(struct nsys_groups *groups, const struct grt_nsys_options *options);
void grt_nsys_groups_free(struct nsys_groups *groups);

/* The outermost range in which an operation was called, a number of the profile's; SIZE_MAX: in none. */
size_t grt_nsys_range_of(const struct nsys_groups *groups, const struct grt_nsys_operation *operation);

/* Whether two names are the same; both may be NULL. */
bool grt_nsys_same_name(const char *a, const char *b);

#endif
