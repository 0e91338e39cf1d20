/* From a profile to tasks: what one stream, or one range of NVTX, does over and over again is a task, each time is a job. */
#ifndef GRT_CALIB_PROGRAM_IMPORT_NSYS_TASKS_H
#define GRT_CALIB_PROGRAM_IMPORT_NSYS_TASKS_H

#include "calib/program/import/nsys.h"

enum { GRT_NSYS_MOST_COMMANDS = 1024 };

enum grt_nsys_by {
    GRT_NSYS_BY_STREAM, /* every stream is a task; where its jobs begin is found by what repeats */
    GRT_NSYS_BY_RANGE,  /* every name of an outermost range; a job is what was called inside, on its thread */
};

struct grt_nsys_options {
    enum grt_nsys_by by;
    /* by ranges: those whose names differ only by the number at their end are of one task */
    bool cut_numbers;
    int64_t device; /* of whose operations the tasks are; below 0: the first that has kernels */
};

/* What is done each time, and when. */
struct grt_nsys_task {
    const char *name;
    struct grt_nsys_stream stream;
    size_t length;                                /* operations of a job */
    size_t job_count;                             /* one or more */
    const struct grt_nsys_operation **operations; /* job after job: length * job_count */
    const grt_time *arrivals; /* of the jobs, ascending: the first call, or the range's start */
    size_t left_out;          /* operations of the stream or range that are in no job of the task */
};

struct grt_nsys_tasks {
    struct grt_arena arena;
    struct grt_nsys_task *items;
    size_t count;
    grt_time start, end; /* of all jobs */
};

/* The profile stays as long as the tasks. What is left out is said in `warnings`. False after adding errors: nothing is left. */
bool grt_nsys_tasks_make(const struct grt_nsys *profile, const struct grt_nsys_options *options,
                         struct grt_nsys_tasks *out, struct grt_errors *warnings, struct grt_errors *errors);
void grt_nsys_tasks_free(struct grt_nsys_tasks *tasks);

#endif
