/* What two runs show differently, worked out by hand. */
#include <stdio.h>
#include <string.h>

#include "tests/support/small_timeline.h"
#include "tests/support/suite.h"
#include "viz/answers/difference.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct grt_trace_name names_a[] = {
    {.kind = GRT_NAME_TASK, .index = 0, .text = "a"},
    {.kind = GRT_NAME_TASK, .index = 1, .text = "b"},
    {.kind = GRT_NAME_CORE, .index = 0, .text = "c 0"},
    {.kind = GRT_NAME_SM, .index = 0, .weight = 64, .text = "SM"},
};
/* The tasks the other way round, the core with another name, and an engine. */
static const struct grt_trace_name names_b[] = {
    {.kind = GRT_NAME_TASK, .index = 0, .text = "b"},
    {.kind = GRT_NAME_TASK, .index = 1, .text = "a"},
    {.kind = GRT_NAME_CORE, .index = 0, .text = "other"},
    {.kind = GRT_NAME_ENGINE, .index = 0, .text = "copy"},
    {.kind = GRT_NAME_SM, .index = 0, .weight = 64, .text = "SM"},
};
enum { TASK_A, TASK_B, CORE, ENGINE, SM }; /* pairs */

/* Compares two traces, the first with the names of A, the second with those of B. */
static struct grt_difference compare(const struct grt_trace_record *a, size_t a_count,
                                     const struct grt_trace_record *b, size_t b_count, grt_time tolerance,
                                     bool common_only) {
    struct grt_timeline first, second;
    struct grt_difference difference;
    struct grt_difference_options options = {tolerance, common_only, 100};
    grt_small_timeline(&first, names_a, COUNT(names_a), a, a_count);
    grt_small_timeline(&second, names_b, COUNT(names_b), b, b_count);
    grt_difference_make(&difference, &first, &second, &options);
    grt_timeline_free(&first);
    grt_timeline_free(&second);
    return difference;
}

/* "5-8 A, 9-9 AB, " */
static const char *spans(const struct grt_difference *difference, uint32_t row) {
    static char text[200];
    static const char *const sides[] = {"", "A", "B", "AB"};
    const struct grt_track *track = &difference->rows[row].track;
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < track->count; i++) {
        struct grt_slice slice = grt_track_at(track, i);
        length += (size_t)snprintf(text + length, sizeof text - length, "%d-%d %s, ", (int)slice.start,
                                   (int)slice.end, sides[slice.flags & 3]);
    }
    return text;
}

static void pairs(void) {
    struct grt_difference difference = compare(NULL, 0, NULL, 0, 0, false);
    CU_ASSERT_EQUAL_FATAL(difference.row_count, 5);
    CU_ASSERT_EQUAL(difference.pairs.task_count, 2);
    static const struct grt_row_pair wanted[] = {{0, 1}, {1, 0}, {2, 2}, {GRT_NO_ROW, 3}, {3, 4}};
    for (int i = 0; i < 5; i++) {
        CU_ASSERT(difference.rows[i].rows.a == wanted[i].a && difference.rows[i].rows.b == wanted[i].b);
        CU_ASSERT_EQUAL(difference.rows[i].track.count, 0);
    }
    CU_ASSERT_EQUAL(difference.first, GRT_TIME_NEVER);
    CU_ASSERT_EQUAL(difference.first_row, GRT_NO_ROW);
    grt_difference_free(&difference);
}

/* The same job of the same task on the core: in A [0, 10), in B [0, 12), then a stay of b that only B has. */
static void cores(void) {
    static const struct grt_trace_record a[] = {{.time = 10, .other = 0, .task = 0, .kind = GRT_TRACE_CPU}},
                                         b[] = {{.time = 12, .other = 0, .task = 1, .kind = GRT_TRACE_CPU},
                                                {.time = 20, .other = 15, .task = 0, .kind = GRT_TRACE_CPU}};
    struct grt_difference difference = compare(a, 1, b, 2, 0, false);
    CU_ASSERT_STRING_EQUAL(spans(&difference, CORE), "10-12 AB, 15-20 B, ");
    CU_ASSERT_STRING_EQUAL(spans(&difference, TASK_A), "10-12 AB, ");
    CU_ASSERT_STRING_EQUAL(spans(&difference, TASK_B), "15-20 B, ");
    CU_ASSERT_EQUAL(difference.first, 10);
    CU_ASSERT_EQUAL(difference.first_row, TASK_A);
    grt_difference_free(&difference);
    difference = compare(a, 1, b, 2, 2, false);
    CU_ASSERT_STRING_EQUAL(spans(&difference, CORE), "15-20 B, ");
    grt_difference_free(&difference);
    difference = compare(a, 1, b, 2, 1, false);
    CU_ASSERT_STRING_EQUAL(spans(&difference, CORE), "10-12 AB, 15-20 B, ");
    grt_difference_free(&difference);
}

/* Another job differs all the time; a stay in two parts, or one that ends in another way, for an instant. */
static void identity(void) {
    static const struct grt_trace_record
        a[] = {{.time = 10, .other = 0, .task = 0, .kind = GRT_TRACE_CPU}},
        job[] = {{.time = 10, .other = 0, .task = 1, .job = 1, .kind = GRT_TRACE_CPU}},
        parts[] = {{.time = 4, .other = 0, .task = 1, .kind = GRT_TRACE_CPU, .flags = GRT_TRACE_PREEMPTED},
                   {.time = 10, .other = 4, .task = 1, .kind = GRT_TRACE_CPU}},
        flags[] = {{.time = 10, .other = 0, .task = 1, .kind = GRT_TRACE_CPU, .flags = GRT_TRACE_ABORTED}};
    struct grt_difference difference = compare(a, 1, job, 1, 0, false);
    CU_ASSERT_STRING_EQUAL(spans(&difference, CORE), "0-10 AB, ");
    grt_difference_free(&difference);
    difference = compare(a, 1, parts, 2, 0, false);
    CU_ASSERT_STRING_EQUAL(spans(&difference, CORE), "4-4 B, ");
    grt_difference_free(&difference);
    difference = compare(a, 1, flags, 1, 0, false);
    CU_ASSERT_STRING_EQUAL(spans(&difference, CORE), "10-10 AB, ");
    grt_difference_free(&difference);
}

/* Blocks 0 and 1 of one kernel; in B the second began later, and block 0 belongs to another kernel of the job. */
static void blocks(void) {
    static const struct grt_trace_record
        a[] = {{.time = 10, .other = 0, .detail = 0, .kind = GRT_TRACE_BLOCK},
               {.time = 12, .other = 2, .detail = 1, .kind = GRT_TRACE_BLOCK},
               {.time = 12, .other = 0, .detail = 1, .kind = GRT_TRACE_KERNEL}},
        b[] = {{.time = 10, .other = 0, .detail = 0, .task = 1, .kind = GRT_TRACE_BLOCK},
               {.time = 12, .other = 4, .detail = 1, .task = 1, .kind = GRT_TRACE_BLOCK},
               {.time = 12, .other = 0, .detail = 1, .task = 1, .kind = GRT_TRACE_KERNEL}},
        c[] = {{.time = 10, .other = 0, .detail = 0, .task = 1, .kind = GRT_TRACE_BLOCK},
               {.time = 10, .other = 0, .detail = 2, .task = 1, .kind = GRT_TRACE_KERNEL},
               {.time = 12, .other = 2, .detail = 1, .task = 1, .kind = GRT_TRACE_BLOCK},
               {.time = 12, .other = 0, .detail = 1, .task = 1, .kind = GRT_TRACE_KERNEL}};
    struct grt_difference difference = compare(a, 3, b, 3, 0, false);
    CU_ASSERT_STRING_EQUAL(spans(&difference, SM), "2-4 AB, ");
    CU_ASSERT_STRING_EQUAL(spans(&difference, TASK_A), "");
    grt_difference_free(&difference);
    difference = compare(a, 3, c, 4, 0, false);
    CU_ASSERT_STRING_EQUAL(spans(&difference, SM), "0-10 AB, ");
    CU_ASSERT_STRING_EQUAL(spans(&difference, TASK_A), "0-10 B, ");
    grt_difference_free(&difference);
}

/* Two kernels of a job at the same time: block 1 ends before the first of them does, block 0 behind it. In B block 0 begins later; A has
 * another block in the end. */
static void kernels_together(void) {
    static const struct grt_trace_record
        a[] = {{.time = 8, .other = 5, .detail = 1, .kind = GRT_TRACE_BLOCK},
               {.time = 10, .other = 0, .detail = 2, .kind = GRT_TRACE_KERNEL},
               {.time = 15, .other = 4, .detail = 0, .kind = GRT_TRACE_BLOCK},
               {.time = 20, .other = 0, .detail = 1, .kind = GRT_TRACE_KERNEL},
               {.time = 31, .other = 30, .detail = 7, .kind = GRT_TRACE_BLOCK}},
        b[] = {{.time = 8, .other = 5, .detail = 1, .task = 1, .kind = GRT_TRACE_BLOCK},
               {.time = 10, .other = 0, .detail = 2, .task = 1, .kind = GRT_TRACE_KERNEL},
               {.time = 15, .other = 6, .detail = 0, .task = 1, .kind = GRT_TRACE_BLOCK},
               {.time = 20, .other = 0, .detail = 1, .task = 1, .kind = GRT_TRACE_KERNEL}};
    struct grt_difference difference = compare(a, 5, b, 4, 0, false);
    CU_ASSERT_STRING_EQUAL(spans(&difference, SM), "4-6 AB, 30-31 A, ");
    grt_difference_free(&difference);
}

/* Task a: job 0 takes 10 and 14, job 1 ends in A only, job 2 is late in B only and as long. Task b: job 0 takes 30 and 25. */
static const struct grt_trace_record jobs_a[] = {
    {.time = 10, .other = 0, .task = 0, .job = 0, .kind = GRT_TRACE_FINISH},
    {.time = 30, .other = 0, .task = 1, .job = 0, .kind = GRT_TRACE_FINISH},
    {.time = 40, .other = 20, .task = 0, .job = 1, .kind = GRT_TRACE_FINISH},
    {.time = 55, .other = 40, .task = 0, .job = 2, .kind = GRT_TRACE_FINISH},
};
static const struct grt_trace_record jobs_b[] = {
    {.time = 14, .other = 0, .task = 1, .job = 0, .kind = GRT_TRACE_FINISH},
    {.time = 25, .other = 0, .task = 0, .job = 0, .kind = GRT_TRACE_FINISH},
    {.time = 40, .other = 20, .task = 1, .job = 1, .kind = GRT_TRACE_ABORT},
    {.time = 55, .other = 40, .task = 1, .job = 2, .kind = GRT_TRACE_FINISH, .flags = GRT_TRACE_LATE},
};

static bool job_is(const struct grt_difference_job *job, uint32_t task, uint32_t number, grt_time a,
                   grt_time b) {
    return job->task == task && job->job == number && job->response_a == a && job->response_b == b;
}

static void jobs(void) {
    struct grt_difference difference = compare(jobs_a, 4, jobs_b, 4, 0, false);
    CU_ASSERT_EQUAL(difference.differing_jobs, 4);
    CU_ASSERT_EQUAL_FATAL(difference.job_count, 4);
    CU_ASSERT(job_is(&difference.jobs[0], TASK_A, 1, 20, -1));
    CU_ASSERT(job_is(&difference.jobs[1], TASK_B, 0, 30, 25));
    CU_ASSERT(job_is(&difference.jobs[2], TASK_A, 0, 10, 14));
    CU_ASSERT(job_is(&difference.jobs[3], TASK_A, 2, 15, 15));
    CU_ASSERT(!difference.jobs[3].missed_a && difference.jobs[3].missed_b);
    const struct grt_difference_task *a = &difference.tasks[TASK_A], *b = &difference.tasks[TASK_B];
    CU_ASSERT(a->finished_a == 3 && a->finished_b == 2 && a->misses_a == 0 && a->misses_b == 1);
    CU_ASSERT(a->mean_a == 15 && a->mean_b == 15 && a->max_a == 20 && a->max_b == 15 && a->differing == 3);
    CU_ASSERT(b->mean_a == 30 && b->mean_b == 25 && b->differing == 1);
    CU_ASSERT_STRING_EQUAL(spans(&difference, TASK_A), "10-14 AB, 40-40 AB, 55-55 AB, ");
    grt_difference_free(&difference);
    difference = compare(jobs_a, 4, jobs_b, 4, 4, false);
    CU_ASSERT_EQUAL(difference.differing_jobs, 3);
    grt_difference_free(&difference);
}

/* Only the worst are kept, of jobs that come in any order. */
static void worst_jobs(void) {
    struct grt_trace_record a[50], b[50];
    for (uint32_t i = 0; i < 50; i++) {
        a[i] = (struct grt_trace_record){.time = 100, .other = 0, .job = i, .kind = GRT_TRACE_FINISH};
        b[i] = (struct grt_trace_record){
            .time = 101 + i * 7 % 50, .other = 0, .task = 1, .job = i, .kind = GRT_TRACE_FINISH};
    }
    struct grt_timeline first, second;
    struct grt_difference difference;
    struct grt_difference_options options = {0, false, 3};
    grt_small_timeline(&first, names_a, COUNT(names_a), a, 50);
    grt_small_timeline(&second, names_b, COUNT(names_b), b, 50);
    grt_difference_make(&difference, &first, &second, &options);
    CU_ASSERT_EQUAL(difference.differing_jobs, 50);
    CU_ASSERT_EQUAL_FATAL(difference.job_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(difference.jobs[i].response_b, 150 - (grt_time)i);
    }
    grt_difference_free(&difference);
    grt_timeline_free(&first);
    grt_timeline_free(&second);
}

/* A measured run knows neither deadlines nor cores. */
static void common_only(void) {
    static const struct grt_trace_record
        a[] = {{.time = 1, .other = 30, .task = 0, .kind = GRT_TRACE_RELEASE},
               {.time = 10, .other = 1, .task = 0, .kind = GRT_TRACE_CPU},
               {.time = 40, .other = 1, .task = 0, .kind = GRT_TRACE_FINISH, .flags = GRT_TRACE_LATE}},
        b[] = {{.time = 2, .other = GRT_TIME_NEVER, .task = 1, .kind = GRT_TRACE_RELEASE},
               {.time = 40, .other = 1, .task = 1, .kind = GRT_TRACE_FINISH}};
    struct grt_difference difference = compare(a, 3, b, 2, 0, true);
    CU_ASSERT_STRING_EQUAL(spans(&difference, TASK_A), "1-1 A, 2-2 B, ");
    CU_ASSERT_STRING_EQUAL(spans(&difference, CORE), "");
    CU_ASSERT_EQUAL(difference.differing_jobs, 0);
    grt_difference_free(&difference);
    difference = compare(a, 3, b, 2, 1, true);
    CU_ASSERT_EQUAL(difference.first, GRT_TIME_NEVER);
    grt_difference_free(&difference);
    difference = compare(a, 3, b, 2, 1, false);
    CU_ASSERT_EQUAL(difference.first, 1);
    CU_ASSERT_STRING_EQUAL(spans(&difference, CORE), "1-10 A, ");
    CU_ASSERT_EQUAL(difference.differing_jobs, 1);
    grt_difference_free(&difference);
}

/* Shorter than the tolerance, but in one run only. */
static void nothing_vanishes(void) {
    static const struct grt_trace_record a[] = {{.time = 11, .other = 10, .task = 0, .kind = GRT_TRACE_CPU}};
    struct grt_difference difference = compare(a, 1, NULL, 0, 1000, false);
    CU_ASSERT_STRING_EQUAL(spans(&difference, CORE), "10-11 A, ");
    grt_difference_free(&difference);
}

/* Under another policy: streams, a policy's row and processes with other names, a task that only one run has, another core. */
static const struct grt_trace_name other_a[] = {
    {.kind = GRT_NAME_TASK, .index = 0, .text = "both"},
    {.kind = GRT_NAME_TASK, .index = 1, .text = "gone"},
    {.kind = GRT_NAME_ROW, .index = 0, .text = "server"},
    {.kind = GRT_NAME_CORE, .index = 0, .text = "cpu 0"},
    {.kind = GRT_NAME_STREAM, .index = 0, .text = "gpu"},
    {.kind = GRT_NAME_STREAM, .index = 1, .text = "same"},
    {.kind = GRT_NAME_CONTEXT, .index = 0, .text = "one"},
};
static const struct grt_trace_name other_b[] = {
    {.kind = GRT_NAME_TASK, .index = 0, .text = "new"},
    {.kind = GRT_NAME_TASK, .index = 1, .text = "both"},
    {.kind = GRT_NAME_TASK, .index = 2, .text = "newer"},
    {.kind = GRT_NAME_ROW, .index = 0, .text = "slots"},
    {.kind = GRT_NAME_CORE, .index = 0, .text = "core 0"},
    {.kind = GRT_NAME_STREAM, .index = 0, .text = "same"},
    {.kind = GRT_NAME_STREAM, .index = 1, .text = "hw"},
    {.kind = GRT_NAME_CONTEXT, .index = 0, .text = "two"},
};

/* A kernel in "gpu" or "hw", which differ by their names only, a stay on the core, a job of the task that the other run does not have;
 * in B the task that both have ends 1 ns later. */
static const struct grt_trace_record
    records_a[] = {{.time = 5, .other = 1, .task = 1, .kind = GRT_TRACE_FINISH},
                   {.time = 9, .other = 2, .task = 0, .row = 0, .kind = GRT_TRACE_KERNEL},
                   {.time = 20, .other = 10, .task = 0, .kind = GRT_TRACE_CPU},
                   {.time = 30, .other = 0, .task = 0, .kind = GRT_TRACE_FINISH}},
    records_b[] = {{.time = 3, .other = 0, .task = 0, .kind = GRT_TRACE_FINISH},
                   {.time = 9, .other = 2, .task = 1, .row = 1, .kind = GRT_TRACE_KERNEL},
                   {.time = 20, .other = 10, .task = 1, .kind = GRT_TRACE_CPU},
                   {.time = 31, .other = 0, .task = 1, .kind = GRT_TRACE_FINISH}};

static void other_names(void) {
    struct grt_timeline a, b;
    struct grt_difference difference;
    struct grt_difference_options options = {0, false, 100};
    char text[100];
    grt_small_timeline(&a, other_a, COUNT(other_a), records_a, COUNT(records_a));
    grt_small_timeline(&b, other_b, COUNT(other_b), records_b, COUNT(records_b));
    grt_difference_make(&difference, &a, &b, &options);
    /* both, gone, new, newer, server, slots, the core, gpu, same, hw, one, two */
    CU_ASSERT_EQUAL_FATAL(difference.row_count, 12);
    CU_ASSERT_EQUAL(difference.pairs.task_count, 4);
    for (uint32_t i = 0; i < difference.row_count; i++) {
        const struct grt_difference_row *row = &difference.rows[i];
        bool corresponds = i == 0 || i == 6 || i == 8;
        CU_ASSERT_EQUAL(row->rows.a != GRT_NO_ROW && row->rows.b != GRT_NO_ROW, corresponds);
        CU_ASSERT_STRING_EQUAL(spans(&difference, i), i == 0 ? "30-31 AB, " : "");
    }
    CU_ASSERT(difference.first == 30 && difference.first_row == 0);
    CU_ASSERT(difference.differing_jobs == 1 && difference.job_count == 1);
    CU_ASSERT(job_is(&difference.jobs[0], 0, 0, 30, 31));
    CU_ASSERT(difference.tasks[1].finished_a == 1 && difference.tasks[2].finished_b == 1);
    CU_ASSERT(difference.only_a == 1 && difference.only_b == 2);
    CU_ASSERT_EQUAL(grt_difference_only_text(&difference, &a, 0, text, sizeof text), 4);
    CU_ASSERT_STRING_EQUAL(text, "gone");
    grt_difference_only_text(&difference, &b, 1, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "new and newer");
    grt_difference_free(&difference);
    grt_timeline_free(&a);
    grt_timeline_free(&b);
}

/* Six tasks that only A has: not all of them are named. */
static void many_only(void) {
    static const struct grt_trace_name six[] = {
        {.kind = GRT_NAME_TASK, .index = 0, .text = "a"}, {.kind = GRT_NAME_TASK, .index = 1, .text = "b"},
        {.kind = GRT_NAME_TASK, .index = 2, .text = "c"}, {.kind = GRT_NAME_TASK, .index = 3, .text = "d"},
        {.kind = GRT_NAME_TASK, .index = 4, .text = "e"}, {.kind = GRT_NAME_TASK, .index = 5, .text = "f"}};
    struct grt_timeline a, b;
    struct grt_difference difference;
    struct grt_difference_options options = {0, false, 100};
    char text[100];
    grt_small_timeline(&a, six, COUNT(six), NULL, 0);
    grt_small_timeline(&b, six, 0, NULL, 0);
    grt_difference_make(&difference, &a, &b, &options);
    grt_difference_only_text(&difference, &a, 0, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "a, b, c, d and 2 more");
    CU_ASSERT_EQUAL(grt_difference_only_text(&difference, &b, 1, text, sizeof text), 0);
    CU_ASSERT_STRING_EQUAL(text, "");
    grt_difference_free(&difference);
    grt_timeline_free(&a);
    grt_timeline_free(&b);
}

/* Of jobs that finish in neither run only one that was given up in one: job 0 is alive at the end of A, of which B knows nothing, job 1
 * is alive in both and late in B, job 2 is given up in B. */
static void never_finished(void) {
    static const struct grt_trace_record
        a[] = {{.time = 40, .other = 0, .task = 0, .job = 0, .kind = GRT_TRACE_UNFINISHED},
               {.time = 40, .other = 10, .task = 0, .job = 1, .kind = GRT_TRACE_UNFINISHED},
               {.time = 40, .other = 20, .task = 0, .job = 2, .kind = GRT_TRACE_UNFINISHED}},
        b[] = {{.time = 30, .other = 20, .task = 1, .job = 2, .kind = GRT_TRACE_ABORT},
               {.time = 40,
                .other = 10,
                .task = 1,
                .job = 1,
                .kind = GRT_TRACE_UNFINISHED,
                .flags = GRT_TRACE_LATE}};
    struct grt_difference difference = compare(a, 3, b, 2, 0, false);
    CU_ASSERT_EQUAL_FATAL(difference.job_count, 1);
    CU_ASSERT(job_is(&difference.jobs[0], TASK_A, 2, -1, -1));
    CU_ASSERT(difference.jobs[0].kind_a == GRT_TRACE_UNFINISHED &&
              difference.jobs[0].kind_b == GRT_TRACE_ABORT);
    grt_difference_free(&difference);
}

static CU_TestInfo tests[] = {
    {"rows correspond by name, hardware then by number", pairs},
    {"what has another name is another thing", other_names},
    {"many tasks that one run has", many_only},
    {"jobs that finish in neither run", never_finished},
    {"what runs on a core", cores},
    {"another job, a stay in parts, another end", identity},
    {"blocks of kernels", blocks},
    {"blocks of kernels that run together", kernels_together},
    {"jobs, worst first, and tasks", jobs},
    {"only the worst jobs", worst_jobs},
    {"what one run does not tell", common_only},
    {"what only one run has does not vanish", nothing_vanishes},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("difference", tests);
}
