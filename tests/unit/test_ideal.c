/* What jobs would ideally need, and what a policy's performance is beside that, on numbers worked out by hand. */
#include "models/result/ideal.h"

#include <stdlib.h>

#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { A, B, C, RUNS = 100 };

/* One kernel at a time; a copy of n bytes takes n. */
static struct grt_builder *on_exclusive(grt_time horizon) {
    struct grt_builder *builder = grt_builder_create(horizon);
    grt_builder_gpu(builder, grt_built_exclusive());
    return builder;
}

static struct grt_task *add_task(struct grt_builder *builder, grt_time period, grt_time time) {
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_periodic(task, period, 0);
    grt_builder_whole(builder, task, time);
    return task;
}

static bool ideal_is(const struct grt_builder *builder, const struct grt_built_run *run, enum grt_ideal ideal,
                     uint32_t task, int64_t expected) {
    struct grt_ideal_times times = grt_ideal_times(&builder->scenario, ideal, RUNS);
    grt_signed_wide sum;
    bool known = grt_ideal_slack(&builder->scenario, &times, run->result, task, &sum);
    free(times.times);
    return known && sum == expected;
}

/* ---- times ---- */

/* 3 on a core, then 4 before, a copy of 5 and a kernel of 10, 6 after: behind each other 28; beside the commands the last 6 cost nothing. */
static void times_alone(void) {
    struct grt_builder *builder = on_exclusive(100);
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_cpu(builder, task, 3);
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 5);
    grt_builder_whole(builder, task, 10);
    struct grt_segment *segment = &builder->segments[A][1];
    segment->host_part[GRT_HOST_BEFORE].max = 4;
    segment->host_part[GRT_HOST_AFTER].max = 6;
    CU_ASSERT_EQUAL(grt_ideal_time(&builder->scenario, A, RUNS), 28);
    segment->host_mode = GRT_HOST_ASYNCHRONOUS;
    CU_ASSERT_EQUAL(grt_ideal_time(&builder->scenario, A, RUNS), 22);
    segment->host_part[GRT_HOST_AFTER].max = 16;
    CU_ASSERT_EQUAL(grt_ideal_time(&builder->scenario, A, RUNS), 23);
    builder->segments[A][0].cpu_time.max = 0; /* a segment of nothing takes 1 */
    CU_ASSERT_EQUAL(grt_ideal_time(&builder->scenario, A, RUNS), 21);
    grt_builder_free(builder);
}

/* Uniform times have their middle, others their mean: an exponential one of 1000 behind 500, cut so late that it does not matter. */
static void mean_times(void) {
    struct grt_builder *builder = on_exclusive(100);
    struct grt_task *task = grt_builder_task(builder, "t");
    struct grt_distribution *time = &grt_builder_cpu(builder, task, 1)->cpu_time;
    *time = (struct grt_distribution){.kind = GRT_UNIFORM, .min = 100, .max = 300};
    CU_ASSERT_EQUAL(grt_ideal_time(&builder->scenario, A, 1), 200);
    *time =
        (struct grt_distribution){.kind = GRT_EXPONENTIAL, .location = 500, .scale = 1000, .max = 1000000};
    grt_time mean = grt_ideal_time(&builder->scenario, A, 2000); /* 100000 draws: 5 standard errors are 16 */
    CU_ASSERT(mean >= 1500 - 16 && mean <= 1500 + 16);
    CU_ASSERT_EQUAL(mean, grt_ideal_time(&builder->scenario, A, 2000));
    *time = (struct grt_distribution){.kind = GRT_CONSTANT, .max = 1};
    grt_builder_whole(builder, task, 1)->block_time =
        (struct grt_distribution){.kind = GRT_UNIFORM, .min = 1000, .max = 3000};
    mean = grt_ideal_time(&builder->scenario, A, 10000); /* 5 standard errors are 29 */
    CU_ASSERT(mean >= 2001 - 29 && mean <= 2001 + 29);
    grt_builder_free(builder);
}

/* ---- slack ---- */

/* A, of 6 every 20, is first, B, of 7, ends at 13, 33, 53 of deadlines 10, 30, 50: 9 late in all; alone it would be 3 early each time. */
static void latency(void) {
    struct grt_builder *builder = on_exclusive(60);
    struct grt_built_run run;
    add_task(builder, 20, 6)->deadline = 8;
    add_task(builder, 20, 7)->deadline = 10;
    grt_built_run_under(&run, builder, "fifo");
    CU_ASSERT(ideal_is(builder, &run, GRT_IDEAL_ALONE, A, -6));
    CU_ASSERT(ideal_is(builder, &run, GRT_IDEAL_ALONE, B, -9));
    CU_ASSERT(ideal_is(builder, &run, GRT_IDEAL_ARRIVAL, A, -24));
    CU_ASSERT(ideal_is(builder, &run, GRT_IDEAL_ARRIVAL, B, -30));
    CU_ASSERT(ideal_is(builder, &run, GRT_IDEAL_ZERO, A, 0));
    CU_ASSERT(ideal_is(builder, &run, GRT_IDEAL_ZERO, B, 0));
    grt_built_run_end(&run, builder);
}

/* A and B arrive at 0 and 20 and take 7 and 6; C, of 2, comes after both: ideally 7 + 2 behind their arrival. Its deadline is 12. */
static void after_others(void) {
    for (int from = GRT_DEADLINE_FROM_ARRIVAL; from <= GRT_DEADLINE_FROM_RELEASE; from++) {
        struct grt_builder *builder = on_exclusive(40);
        struct grt_built_run run;
        add_task(builder, 20, 7);
        add_task(builder, 20, 6);
        struct grt_task *task = grt_builder_task(builder, "after");
        grt_builder_after(builder, task, &builder->tasks[A]);
        grt_builder_after(builder, task, &builder->tasks[B]);
        grt_builder_whole(builder, task, 2);
        task->deadline = 12;
        task->deadline_from = from;
        grt_built_run_under(&run, builder, "fifo");
        CU_ASSERT_EQUAL(run.result->tasks[C].finished, 2);
        bool arrival = from == GRT_DEADLINE_FROM_ARRIVAL;
        CU_ASSERT(ideal_is(builder, &run, GRT_IDEAL_ALONE, C, arrival ? 2 * (9 - 12) : 2 * (2 - 12)));
        CU_ASSERT(ideal_is(builder, &run, GRT_IDEAL_ARRIVAL, C, -24));
        grt_built_run_end(&run, builder);
    }
}

/* Released 4 and 1 after their arrivals, jobs of 6 with a deadline of 8 cannot end before 10 and 7: slacks 2 and -1. */
static void released_later(void) {
    static const grt_time times[] = {0, 20}, delays[] = {4, 1};
    struct grt_builder *builder = on_exclusive(50);
    struct grt_built_run run;
    struct grt_task *task = add_task(builder, 20, 6);
    grt_builder_times(builder, task, times, 2);
    task->delays = delays;
    task->deadline = 8;
    grt_built_run_under(&run, builder, "fifo");
    CU_ASSERT(ideal_is(builder, &run, GRT_IDEAL_ALONE, A, 1));
    CU_ASSERT(ideal_is(builder, &run, GRT_IDEAL_ARRIVAL, A, -11));
    grt_built_run_end(&run, builder);
}

/* The same A, and B of 2 after it: ideally 2 (the mean delay, without its half) + 6 + 2 behind the arrival, of which its deadline is 8. */
static void after_a_late_release(void) {
    static const grt_time times[] = {0, 20}, delays[] = {4, 1};
    struct grt_builder *builder = on_exclusive(50);
    struct grt_built_run run;
    struct grt_task *task = add_task(builder, 20, 6);
    grt_builder_times(builder, task, times, 2);
    task->delays = delays;
    task = grt_builder_task(builder, "after");
    grt_builder_after(builder, task, &builder->tasks[A]);
    grt_builder_whole(builder, task, 2);
    task->deadline = 8;
    grt_built_run_under(&run, builder, "fifo");
    CU_ASSERT(ideal_is(builder, &run, GRT_IDEAL_ALONE, B, 2 * (10 - 8)));
    grt_built_run_end(&run, builder);
}

/* Gaps are ideally those of the arrivals, 20, 20, 20 with a separation of 15, whatever a job takes. */
static void throughput(void) {
    struct grt_builder *builder = on_exclusive(80);
    struct grt_built_run run;
    add_task(builder, 20, 6);
    struct grt_task *task = add_task(builder, 20, 7);
    task->separation = 15;
    task->deadline = GRT_TIME_NEVER;
    grt_built_run_under(&run, builder, "fifo");
    CU_ASSERT(ideal_is(builder, &run, GRT_IDEAL_ALONE, B, 15));
    CU_ASSERT(ideal_is(builder, &run, GRT_IDEAL_ARRIVAL, B, 15));
    CU_ASSERT(ideal_is(builder, &run, GRT_IDEAL_ZERO, B, 0));
    grt_built_run_end(&run, builder);
}

/* Nor is that of who comes after such a task. */
static void unknown_times(void) {
    struct grt_builder *builder = on_exclusive(30);
    struct grt_built_run run;
    add_task(builder, 20, 6);
    struct grt_task *task = grt_builder_task(builder, "after");
    grt_builder_after(builder, task, &builder->tasks[A]);
    grt_builder_whole(builder, task, 2);
    grt_built_run_under(&run, builder, "fifo");
    grt_time times[] = {GRT_TIME_NEVER, 2};
    const struct grt_ideal_times ideal = {GRT_IDEAL_ALONE, times};
    grt_signed_wide sum;
    CU_ASSERT_FALSE(grt_ideal_slack(&builder->scenario, &ideal, run.result, A, &sum));
    CU_ASSERT_FALSE(grt_ideal_slack(&builder->scenario, &ideal, run.result, B, &sum));
    grt_built_run_end(&run, builder);
}

/* ---- performance ---- */

static void performance(void) {
    struct grt_performance performance = grt_performance_of(10, 4);
    CU_ASSERT_PTR_NULL(performance.reason);
    CU_ASSERT_DOUBLE_EQUAL(performance.ratio, 2.5, 0);
    CU_ASSERT_DOUBLE_EQUAL(grt_performance_of(7, 7).ratio, 1, 0);
    CU_ASSERT_STRING_EQUAL(grt_performance_of(10, 0).reason, "it is no worse than the ideal");
    CU_ASSERT_STRING_EQUAL(grt_performance_of(-1, -1).reason, "it is no worse than the ideal");
    CU_ASSERT_STRING_EQUAL(grt_performance_of(0, 1).reason, "the base is no worse than the ideal");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"times alone", times_alone},
        {"mean times", mean_times},
        {"latency", latency},
        {"after others", after_others},
        {"released later", released_later},
        {"throughput", throughput},
        {"after a late release", after_a_late_release},
        {"unknown times", unknown_times},
        {"performance", performance},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("ideal slack", tests);
}
