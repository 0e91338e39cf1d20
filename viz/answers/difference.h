/* What two runs of the same tasks show differently: two policies, or a simulation and what a device did. Nothing differs between
 * a trace and itself; whatever begins or ends in one of them and not, at that instant, in the other, does.
 *
 * Two rows that correspond differ at an instant if not the same runs on both: of the same task, job, kernel or segment and, of
 * blocks, number; where slices overlap, the same set of them. They differ for an instant where something begins or ends, or ends
 * in another way (preempted, late, aborted), in one of them only. Tasks are the same if their rows correspond, labels of policies if
 * their texts are equal.
 *
 * A row without a partner (row_pairs.h) is not compared: it has no spans, and the first difference is that of rows that correspond.
 * Nor are the jobs of a task that only one run has; that it has it can be told. */
#ifndef GRT_VIZ_ANSWERS_DIFFERENCE_H
#define GRT_VIZ_ANSWERS_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "viz/answers/row_pairs.h"

struct grt_difference_options {
    /* ns: what begins, or ends, in both runs at most so far apart does so at once; of several equal ones the first in the one with
     * the first in the other. Memory is taken for what happens in that time. */
    grt_time tolerance;
    /* Leaves out what one of the runs does not tell at all: parts of the picture of which it has nothing, and deadlines. */
    bool common_only;
    uint32_t most_jobs; /* that are listed, the worst; at least 1 */
};

/* Flags of the slices of differences. */
enum grt_difference_flag {
    GRT_DIFFERENCE_A = 1, /* something begins or ends in A that does not in B */
    GRT_DIFFERENCE_B = 2,
};

/* Two rows, and when they differ (never, where one of them is missing): slices that neither overlap nor touch, of weight 1, task GRT_TRACE_NO_TASK; of no length where
 * they differ for an instant. */
struct grt_difference_row {
    struct grt_row_pair rows;
    struct grt_track track;
};

/* A job that did not go the same way in both runs. */
struct grt_difference_job {
    uint32_t task, job;              /* task: the number of the pair */
    uint32_t number_a, number_b;     /* the slice in the task's track GRT_PART_JOB, or GRT_NO_SLICE */
    grt_time response_a, response_b; /* of jobs that finished, else -1 */
    bool missed_a, missed_b;
    uint8_t kind_a,
        kind_b; /* of its end: GRT_TRACE_FINISH, ABORT or UNFINISHED; 0 if the trace does not have it */
};

/* One task in both runs; of one that only one run has, what it did there. */
struct grt_difference_task {
    uint32_t finished_a, finished_b, misses_a, misses_b;
    grt_time mean_a, mean_b, max_a, max_b; /* response times; 0 where none finished */
    uint32_t differing;                    /* jobs */
};

struct grt_difference {
    struct grt_row_pairs pairs;
    struct grt_difference_row *rows; /* as the pairs */
    uint32_t row_count;
    grt_time first;     /* when the first difference begins; GRT_TIME_NEVER: the runs are equal */
    uint32_t first_row; /* in `rows`, the first of those; GRT_NO_ROW */

    struct grt_difference_task *tasks; /* as the first pairs.task_count rows */
    /* The worst jobs first: those that finished in one run only, then by how far their response times are apart; of equals by
     * task and number. A job is listed if it finished in one run only, if its response times are further apart than the
     * tolerance, or if it missed its deadline in one run only; one that finished in neither only if it was given up in one of
     * them and not in the other. */
    struct grt_difference_job *jobs;
    uint32_t job_count, job_capacity;
    uint64_t differing_jobs; /* listed or not */
    uint32_t only_a, only_b; /* tasks that the other run does not have */
};

/* Compares. Free the difference with grt_difference_free; the timelines may go before it. */
void grt_difference_make(struct grt_difference *difference, const struct grt_timeline *a,
                         const struct grt_timeline *b, const struct grt_difference_options *options);
void grt_difference_free(struct grt_difference *difference);

/* The tasks that only one run has, A (side 0) or B (1), whose timeline is given: "map, track and 2 more"; "" if there are none.
 * Returns the length; what does not fit into `size` bytes, of which there must be one at least, is left out. */
size_t grt_difference_only_text(const struct grt_difference *difference, const struct grt_timeline *timeline,
                                int side, char *text, size_t size);

#endif
