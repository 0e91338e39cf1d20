/* From tasks of a profile to a scenario of policy `hardware`: streams as they were, times as they were measured. */
#ifndef GRT_CALIB_PROGRAM_IMPORT_NSYS_SCENARIO_H
#define GRT_CALIB_PROGRAM_IMPORT_NSYS_SCENARIO_H

#include <stdio.h>

#include "calib/program/import/nsys_tasks.h"
#include "models/task.h"

/* What the user says of a task. */
struct grt_nsys_period {
    const char *task; /* its name */
    grt_time period;
};

struct grt_nsys_scenario_options {
    const struct grt_device *device; /* on which the profile was made: how many blocks run at a time */
    const char *name;
    const struct grt_nsys_period *periods; /* instead of those that are estimated */
    size_t period_count;
    size_t most_values; /* of each measured time; 0: 1000 */
};

/* How often a task's jobs come. */
struct grt_nsys_rhythm {
    bool periodic, given; /* given: by the user; neither: sporadic, or a single job */
    grt_time median, low,
        high;      /* of the gaps between arrivals; low and high: nine tenths are inside. 0: there are none */
    grt_time host; /* of a job, the median of what its thread computes in between */
};

struct grt_nsys_scenario {
    struct grt_arena arena;
    struct grt_scenario scenario;
    struct grt_nsys_rhythm *rhythms; /* of its tasks, which are those of the profile in their order */
};

/* The tasks, the profile and the options stay as long as the scenario. False after adding errors: kernels that cannot run on the device, periods of tasks that there are not. */
bool grt_nsys_scenario_make(const struct grt_nsys *profile, const struct grt_nsys_tasks *tasks,
                            const struct grt_nsys_scenario_options *options, struct grt_nsys_scenario *out,
                            struct grt_errors *warnings, struct grt_errors *errors);
/* Warns where large copies of pinned memory were much slower or quicker than the device's bandwidth, by which the scenario's copies go. */
void grt_nsys_check_copies(const struct grt_nsys_tasks *tasks, const struct grt_device *device,
                           struct grt_errors *warnings);

void grt_nsys_scenario_free(struct grt_nsys_scenario *scenario);

/* Writes the scenario's file; false after adding errors. */
bool grt_nsys_scenario_write(const struct grt_nsys_scenario *scenario, const char *description, FILE *out,
                             struct grt_errors *errors);

#endif
