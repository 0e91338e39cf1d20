/* When jobs come: each kind of arrival, jitter, precedence, and from when deadlines count. */
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { A, B, C };

static struct grt_builder *on_exclusive(grt_time horizon) {
    struct grt_builder *builder = grt_builder_create(horizon);
    grt_builder_gpu(builder, grt_built_exclusive());
    return builder;
}

/* A task of 1 ns on a core of its own. */
static struct grt_task *add(struct grt_builder *builder) {
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_cpu(builder, task, 1);
    return task;
}

static void periodic(void) {
    struct grt_builder *builder = on_exclusive(33);
    struct grt_built_run run;
    grt_builder_periodic(add(builder), 10, 3);
    grt_built_run_under(&run, builder, "fifo");
    for (uint32_t job = 0; job < 3; job++) {
        CU_ASSERT_EQUAL(grt_built_run_release(&run, A, job), 3 + 10 * job);
        CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_RELEASE, A, job, 0)->other, 13 + 10 * job);
    }
    CU_ASSERT_EQUAL(run.result->tasks[A].released, 3); /* none at the horizon */
    grt_built_run_end(&run, builder);
}

static void given_times(void) {
    static const grt_time times[] = {0, 7, 7, 20, 101};
    struct grt_builder *builder = on_exclusive(100);
    struct grt_built_run run;
    grt_builder_times(builder, add(builder), times, 5);
    grt_built_run_under(&run, builder, "fifo");
    for (uint32_t job = 0; job < 4; job++) {
        CU_ASSERT_EQUAL(grt_built_run_release(&run, A, job), times[job]);
    }
    CU_ASSERT_EQUAL(run.result->tasks[A].released, 4);
    CU_ASSERT_EQUAL(run.result->tasks[A].response.max, 2); /* the second of the two at 7 */
    grt_built_run_end(&run, builder);
}

/* Listed arrivals with a delay for each: the release is later, deadline and response count from the arrival. A sporadic task with
 * lists has these jobs and draws none. */
static void given_delays(void) {
    static const grt_time times[] = {0, 10, 20, 30}, delays[] = {12, 2, 0, 5};
    for (int sporadic = 0; sporadic < 2; sporadic++) {
        struct grt_builder *builder = on_exclusive(100);
        struct grt_built_run run;
        struct grt_task *task = add(builder);
        grt_builder_times(builder, task, times, 4);
        task->delays = delays;
        task->arrival = sporadic ? GRT_ARRIVAL_SPORADIC : GRT_ARRIVAL_TIMES;
        task->period = sporadic ? 10 : 0;
        task->jitter = sporadic ? 12 : 0;
        task->deadline = 50;
        grt_built_run_under(&run, builder, "fifo");
        for (uint32_t job = 0; job < 4; job++) {
            const struct grt_trace_record *record = grt_built_run_find(&run, GRT_TRACE_RELEASE, A, job, 0);
            CU_ASSERT_EQUAL(record->time, times[job] + delays[job]);
            CU_ASSERT_EQUAL(record->other, times[job] + 50);
        }
        CU_ASSERT_EQUAL(run.result->tasks[A].released, 4);
        CU_ASSERT_EQUAL(run.result->tasks[A].response.max,
                        13); /* the first; the second ends at 14, 4 after its arrival */
        CU_ASSERT_EQUAL(run.result->tasks[A].response.min, 1);
        grt_built_run_end(&run, builder);
    }
}

/* A delay beyond the horizon: the job and those behind it do not come. */
static void delay_beyond_the_end(void) {
    static const grt_time times[] = {0, 10, 20}, delays[] = {0, 95, 85};
    struct grt_builder *builder = on_exclusive(100);
    struct grt_built_run run;
    struct grt_task *task = add(builder);
    grt_builder_times(builder, task, times, 3);
    task->delays = delays;
    grt_built_run_under(&run, builder, "fifo");
    CU_ASSERT_EQUAL(run.result->tasks[A].released, 1);
    grt_built_run_end(&run, builder);
}

/* Jitter of up to three periods: no job before its arrival, none later than its jitter unless the job before it was, and
 * the deadlines and responses count from the arrivals. */
static void jitter(void) {
    for (int from_release = 0; from_release < 2; from_release++) {
        struct grt_builder *builder = on_exclusive(100000);
        struct grt_built_run run;
        struct grt_task *task = add(builder);
        grt_builder_periodic(task, 10, 5);
        task->jitter = 30;
        task->deadline_from = from_release ? GRT_DEADLINE_FROM_RELEASE : GRT_DEADLINE_FROM_ARRIVAL;
        grt_built_run_under(&run, builder, "fifo");
        grt_time previous = 0, largest = 0;
        for (size_t i = 0, job = 0; i < run.kept.record_count; i++) {
            const struct grt_trace_record *record = &run.kept.records[i];
            if (record->kind != GRT_TRACE_RELEASE) {
                continue;
            }
            grt_time arrival = 5 + 10 * (grt_time)job++, delay = record->time - arrival;
            CU_ASSERT(delay >= 0 && record->time >= previous && (delay <= 30 || record->time == previous));
            CU_ASSERT_EQUAL(record->other, (from_release ? record->time : arrival) + 10);
            previous = record->time;
            largest = delay > largest ? delay : largest;
        }
        CU_ASSERT(largest >= 29);
        CU_ASSERT(run.result->tasks[A].response.max >= 30 && run.result->tasks[A].response.min >= 1);
        grt_built_run_end(&run, builder);
    }
}

/* By a relative clock a job arrives a period after the release of the job before it, so that delays add up: each delay is the
 * one that the job has by an absolute clock, because as much is drawn, but the deadline moves with the arrival. Without jitter there is no
 * difference. */
static void relative_clock(void) {
    for (grt_time most = 0; most <= 7; most += 7) {
        struct grt_built_run runs[2];
        struct grt_builder *builders[2];
        for (int relative = 0; relative < 2; relative++) {
            builders[relative] = on_exclusive(5000);
            struct grt_task *task = add(builders[relative]);
            grt_builder_periodic(task, 10, 5);
            task->jitter = most;
            task->clock = relative ? GRT_CLOCK_RELATIVE : GRT_CLOCK_ABSOLUTE;
            grt_built_run_under(&runs[relative], builders[relative], "fifo");
        }
        grt_time arrival = 5, drift = 0;
        uint64_t jobs = runs[1].result->tasks[A].released;
        for (uint32_t job = 0; job < jobs; job++) {
            const struct grt_trace_record *record =
                grt_built_run_find(&runs[1], GRT_TRACE_RELEASE, A, job, 0);
            grt_time delay = grt_built_run_release(&runs[0], A, job) - (5 + 10 * (grt_time)job);
            CU_ASSERT_EQUAL(record->time, arrival + delay);
            CU_ASSERT_EQUAL(record->other, arrival + 10);
            drift = arrival - (5 + 10 * (grt_time)job);
            arrival = record->time + 10;
        }
        CU_ASSERT(most > 0 ? drift > 1000 && jobs < 400 : drift == 0 && jobs == 500);
        for (int relative = 0; relative < 2; relative++) {
            grt_built_run_end(&runs[relative], builders[relative]);
        }
    }
}

/* The gap from one release to the next, smallest, largest and on average. */
struct gaps {
    grt_time first, min, max;
    double mean;
};

static struct gaps measure(const struct grt_built_run *run) {
    struct gaps gaps = {.min = GRT_TIME_NEVER};
    grt_time previous = 0, count = 0;
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if (record->kind != GRT_TRACE_RELEASE) {
            continue;
        }
        grt_time gap = record->time - previous;
        if (count++ == 0) {
            gaps.first = record->time;
        } else {
            gaps.min = gap < gaps.min ? gap : gaps.min;
            gaps.max = gap > gaps.max ? gap : gaps.max;
        }
        previous = record->time;
    }
    gaps.mean = (double)(previous - gaps.first) / (double)(count - 1);
    return gaps;
}

static void sporadic(void) {
    struct grt_builder *builder = on_exclusive(100000);
    struct grt_built_run run;
    struct grt_task *task = add(builder);
    grt_builder_periodic(task, 10, 7);
    task->arrival = GRT_ARRIVAL_SPORADIC;
    task->extra_gap = (struct grt_distribution){.kind = GRT_UNIFORM, .min = 2, .max = 6};
    grt_built_run_under(&run, builder, "fifo");
    struct gaps gaps = measure(&run);
    CU_ASSERT_EQUAL(gaps.first, 7);
    CU_ASSERT_EQUAL(gaps.min, 12);
    CU_ASSERT_EQUAL(gaps.max, 16);
    CU_ASSERT_DOUBLE_EQUAL(gaps.mean, 14, 0.1);
    grt_built_run_end(&run, builder);
}

/* 20000 gaps of mean 1000: the standard error of their mean is 7. */
static void poisson(void) {
    struct grt_builder *builder = on_exclusive(20000000);
    struct grt_built_run run;
    struct grt_task *task = add(builder);
    grt_builder_periodic(task, 1000, 500);
    task->arrival = GRT_ARRIVAL_POISSON;
    grt_built_run_under(&run, builder, "fifo");
    struct gaps gaps = measure(&run);
    CU_ASSERT(gaps.first > 500); /* a gap after the offset */
    CU_ASSERT(gaps.min >= 1 && gaps.min < 10 && gaps.max > 6000);
    CU_ASSERT_DOUBLE_EQUAL(gaps.mean, 1000, 30);
    grt_built_run_end(&run, builder);
}

/* C comes when both have finished, but arrives as the later of them did: A at 3, B at 1, with jitter of A's own. */
static void after_predecessors(void) {
    for (int from_release = 0; from_release < 2; from_release++) {
        struct grt_builder *builder = on_exclusive(100);
        struct grt_built_run run;
        struct grt_task *first = grt_builder_task(builder, "first"),
                        *second = grt_builder_task(builder, "second");
        struct grt_task *third = add(builder);
        grt_builder_periodic(first, 50, 3);
        grt_builder_cpu(builder, first, 4);
        grt_builder_periodic(second, 50, 1);
        grt_builder_cpu(builder, second, 20);
        grt_builder_after(builder, third, first);
        grt_builder_after(builder, third, second);
        third->deadline = 30;
        third->deadline_from = from_release ? GRT_DEADLINE_FROM_RELEASE : GRT_DEADLINE_FROM_ARRIVAL;
        grt_built_run_under(&run, builder, "fifo");
        CU_ASSERT_EQUAL(grt_built_run_release(&run, C, 0), 21);
        CU_ASSERT_EQUAL(grt_built_run_release(&run, C, 1), 71);
        CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_RELEASE, C, 0, 0)->other, from_release ? 51 : 33);
        CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_FINISH, C, 0, 0)->other, 3);
        CU_ASSERT_EQUAL(run.result->tasks[C].response.max, 19);
        grt_built_run_end(&run, builder);
    }
}

/* A's jobs come faster than B's: C's wait for B's of the same number. */
static void predecessors_of_unequal_rates(void) {
    struct grt_builder *builder = on_exclusive(100);
    struct grt_built_run run;
    struct grt_task *fast = add(builder), *slow = add(builder), *both = add(builder);
    grt_builder_periodic(fast, 5, 0);
    grt_builder_periodic(slow, 30, 0);
    grt_builder_after(builder, both, fast);
    grt_builder_after(builder, both, slow);
    grt_built_run_under(&run, builder, "fifo");
    CU_ASSERT_EQUAL(run.result->tasks[C].released, 4);
    for (uint32_t job = 0; job < 4; job++) {
        CU_ASSERT_EQUAL(grt_built_run_release(&run, C, job), 30 * job + 1);
    }
    grt_built_run_end(&run, builder);
}

/* Job 1 of A is lost at 10, before job 0, late, has ended: B's job 0 is A's job 0's all the same, at 15, and its job 1
 * is lost at that instant; C follows B. */
static void lost_jobs_do_not_overtake(void) {
    struct grt_builder *builder = on_exclusive(30);
    struct grt_built_run run;
    struct grt_task *first = grt_builder_task(builder, "first"), *second = add(builder),
                    *third = add(builder);
    grt_builder_periodic(first, 10, 0);
    first->on_miss = GRT_MISS_SKIP_NEXT;
    grt_builder_cpu(builder, first, 15);
    grt_builder_after(builder, second, first);
    grt_builder_after(builder, third, second);
    grt_built_run_under(&run, builder, "fifo");
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_SKIP, A, 1, 0)->time, 10);
    CU_ASSERT_EQUAL(grt_built_run_release(&run, B, 0), 15);
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_SKIP, B, 1, 0)->time, 15);
    CU_ASSERT_EQUAL(grt_built_run_release(&run, C, 0), 16);
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_SKIP, C, 1, 0)->time, 16);
    grt_built_run_end(&run, builder);
}

/* B, 5 long and due after 3, is late whenever it runs: its job 0, from 1 to 6, costs it job 1. */
static void successors_skip_after_a_miss(void) {
    struct grt_builder *builder = on_exclusive(29);
    struct grt_built_run run;
    struct grt_task *first = add(builder), *second = grt_builder_task(builder, "second");
    grt_builder_periodic(first, 10, 0);
    grt_builder_cpu(builder, second, 5);
    grt_builder_after(builder, second, first);
    second->deadline = 3;
    second->deadline_from = GRT_DEADLINE_FROM_RELEASE;
    second->on_miss = GRT_MISS_SKIP_NEXT;
    grt_built_run_under(&run, builder, "fifo");
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, B, 0), 6);
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_SKIP, B, 1, 0)->time, 11);
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, B, 2), 26);
    grt_built_run_end(&run, builder);
}

/* Jobs that come after others come as releases do: not at the horizon, nor where the run stops at a miss. */
static void successors_are_not_released_at_the_end(void) {
    for (int stops = 0; stops < 2; stops++) {
        struct grt_builder *builder = on_exclusive(20);
        struct grt_built_run run;
        struct grt_task *first = grt_builder_task(builder, "first"), *second = add(builder),
                        *third = grt_builder_task(builder, "third");
        grt_builder_periodic(first, 10, 0);
        grt_builder_cpu(builder, first, 10);
        grt_builder_after(builder, second, first);
        grt_builder_cpu(builder, third, 15);
        third->deadline = stops ? 10 : 30;
        third->on_miss = GRT_MISS_STOP;
        grt_built_run_under(&run, builder, "fifo");
        CU_ASSERT_EQUAL(run.result->end, stops ? 10 : 20);
        CU_ASSERT_EQUAL(run.result->tasks[A].finished, stops ? 1 : 2);
        CU_ASSERT_EQUAL(run.result->tasks[B].released, stops ? 0 : 1);
        grt_built_run_end(&run, builder);
    }
}

/* A's jobs end at 10, 20, 30, where B's are due; B's job 0 is late at 20, which costs it the job that comes then, like a
 * task whose jobs come by the clock. */
static void successors_skip_at_the_instant_of_a_miss(void) {
    struct grt_builder *builder = on_exclusive(39);
    struct grt_built_run run;
    struct grt_task *first = grt_builder_task(builder, "first"),
                    *second = grt_builder_task(builder, "second"),
                    *clock = grt_builder_task(builder, "clock");
    grt_builder_periodic(first, 10, 0);
    grt_builder_cpu(builder, first, 10);
    grt_builder_periodic(clock, 10, 10);
    for (struct grt_task *task = second; task != NULL; task = task == second ? clock : NULL) {
        grt_builder_cpu(builder, task, 15);
        task->deadline = 10;
        task->deadline_from = GRT_DEADLINE_FROM_RELEASE;
        task->on_miss = GRT_MISS_SKIP_NEXT;
    }
    grt_builder_after(builder, second, first);
    grt_built_run_under(&run, builder, "fifo");
    for (uint32_t task = B; task <= C; task++) {
        CU_ASSERT_EQUAL(grt_built_run_release(&run, task, 0), 10);
        CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_MISS, task, 0, 0)->time, 20);
        CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_SKIP, task, 1, 0)->time, 20);
        CU_ASSERT_EQUAL(grt_built_run_release(&run, task, 2), 30);
    }
    grt_built_run_end(&run, builder);
}

/* Of a hundred runs with a job that arrives at 9 and is released up to 1 later some would release it at the end. */
static void jitter_does_not_release_at_the_end(void) {
    int released = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct grt_builder *builder = on_exclusive(10);
        struct grt_built_run run;
        struct grt_task *task = add(builder);
        grt_builder_periodic(task, 10, 9);
        task->jitter = 1;
        builder->scenario.seed = seed;
        grt_built_run_under(&run, builder, "fifo");
        CU_ASSERT(run.result->tasks[A].released == 0 || grt_built_run_release(&run, A, 0) == 9);
        released += (int)run.result->tasks[A].released;
        grt_built_run_end(&run, builder);
    }
    CU_ASSERT(released > 20 && released < 80);
}

/* A release so late that its deadline has passed is aborted at once. */
static void releases_after_the_deadline(void) {
    struct grt_builder *builder = on_exclusive(10000);
    struct grt_built_run run;
    struct grt_task *task = add(builder);
    grt_builder_periodic(task, 100, 0);
    task->jitter = 90;
    task->deadline = 45;
    task->on_miss = GRT_MISS_ABORT;
    grt_built_run_under(&run, builder, "fifo");
    CU_ASSERT(run.result->tasks[A].aborted > 30 && run.result->tasks[A].met > 30);
    for (size_t i = 0; i < run.kept.record_count; i++) {
        const struct grt_trace_record *record = &run.kept.records[i];
        if (record->kind == GRT_TRACE_RELEASE) {
            bool too_late = record->time >= record->other;
            grt_time aborted = grt_built_run_abort(&run, A, record->job);
            CU_ASSERT_EQUAL(aborted, too_late ? record->time : GRT_TIME_NEVER);
        }
    }
    grt_built_run_end(&run, builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"periodic", periodic},
        {"given times", given_times},
        {"listed arrivals with delays", given_delays},
        {"a delay beyond the end", delay_beyond_the_end},
        {"jitter", jitter},
        {"relative clock", relative_clock},
        {"sporadic", sporadic},
        {"Poisson", poisson},
        {"after predecessors", after_predecessors},
        {"predecessors of unequal rates", predecessors_of_unequal_rates},
        {"lost jobs do not overtake", lost_jobs_do_not_overtake},
        {"successors skip after a miss", successors_skip_after_a_miss},
        {"successors are not released at the end", successors_are_not_released_at_the_end},
        {"successors skip at the instant of a miss", successors_skip_at_the_instant_of_a_miss},
        {"jitter does not release at the end", jitter_does_not_release_at_the_end},
        {"releases after the deadline", releases_after_the_deadline},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("arrivals", tests);
}
