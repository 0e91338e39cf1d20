/* Slack, gaps and jobs that did not finish, on numbers worked out by hand. */
#include "models/result/slack.h"

#include <math.h>
#include <string.h>

#include "tests/support/slack_checks.h"
#include "tests/support/suite.h"

enum { A, B };

static struct grt_builder *on_exclusive(grt_time horizon) {
    struct grt_builder *builder = grt_builder_create(horizon);
    grt_builder_gpu(builder, grt_built_exclusive());
    return builder;
}

/* A task of kernels that take `time`, arriving every `period`. */
static struct grt_task *add_task(struct grt_builder *builder, grt_time period, grt_time time) {
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_periodic(task, period, 0);
    grt_builder_whole(builder, task, time);
    return task;
}

static void check_slack(const struct grt_slack *slack, uint64_t count, uint64_t late, int64_t accumulated,
                        int64_t lateness, int64_t worst) {
    CU_ASSERT_EQUAL(slack->count, count);
    CU_ASSERT_EQUAL(slack->late, late);
    CU_ASSERT(slack->accumulated == accumulated);
    CU_ASSERT(slack->lateness == (grt_wide)(uint64_t)lateness);
    CU_ASSERT_EQUAL(slack->worst, worst);
}

static const struct grt_slack *slack_of(const struct grt_built_run *run, uint32_t task) {
    return &run->result->tasks[task].slack;
}

/* First come, first served: A takes [0,6), [20,26), [40,46); B, which asks every 20 as well, [6,13), [26,33), [46,53). With deadlines
 * of 8 and 10 each job of A is 2 early, of B 3 late. */
static void latency(void) {
    struct grt_builder *builder = on_exclusive(60);
    struct grt_built_run run;
    add_task(builder, 20, 6)->deadline = 8;
    add_task(builder, 20, 7)->deadline = 10;
    grt_built_run_under(&run, builder, "fifo");
    CU_ASSERT_EQUAL(slack_of(&run, A)->kind, GRT_SLACK_LATENCY);
    check_slack(slack_of(&run, A), 3, 0, -6, 0, 0);
    check_slack(slack_of(&run, B), 3, 3, 9, 9, 3);
    CU_ASSERT_DOUBLE_EQUAL(grt_slack_mean_lateness(slack_of(&run, A)), 0, 0);
    CU_ASSERT_DOUBLE_EQUAL(grt_slack_mean_lateness(slack_of(&run, B)), 3, 0);
    struct grt_slack sum = {0};
    grt_slack_add(&sum, slack_of(&run, A));
    grt_slack_add(&sum, slack_of(&run, B));
    check_slack(&sum, 6, 3, 3, 9, 3);
    CU_ASSERT_DOUBLE_EQUAL(grt_slack_mean_lateness(&sum), 1.5, 0);
    CU_ASSERT(grt_slack_checks_pass(&builder->scenario, &run));
    grt_built_run_end(&run, builder);
}

/* A holds the GPU in [0,12), [30,42); B arrives at 10, 20, 30, 40 and takes 3: [12,15), [20,23), [42,45), [45,48). Gaps 8, 22, 3 with a
 * separation of 10: slacks -2, 12, -7; their mean is 11, their squares 64, 484, 9: the variance 557/3 - 121 = 194/3. */
static struct grt_builder *stuttering(void) {
    struct grt_builder *builder = on_exclusive(50);
    add_task(builder, 30, 12);
    struct grt_task *task = add_task(builder, 10, 3);
    task->offset = 10;
    task->deadline = GRT_TIME_NEVER;
    task->separation = 10;
    return builder;
}

static void throughput(void) {
    struct grt_builder *builder = stuttering();
    struct grt_built_run run;
    grt_built_run_under(&run, builder, "fifo");
    const struct grt_slack_record *ends = &run.result->tasks[B].ends;
    CU_ASSERT_EQUAL(slack_of(&run, B)->kind, GRT_SLACK_THROUGHPUT);
    check_slack(slack_of(&run, B), 3, 1, 3, 12, 12);
    CU_ASSERT_EQUAL(ends->gaps.min, 3);
    CU_ASSERT_EQUAL(ends->gaps.max, 22);
    CU_ASSERT_DOUBLE_EQUAL(grt_stats_mean(&ends->gaps), 11, 0);
    CU_ASSERT_DOUBLE_EQUAL(grt_gap_deviation(ends), sqrt(194.0 / 3), 1e-12);
    CU_ASSERT_EQUAL(ends->first_ready, 10);
    CU_ASSERT_EQUAL(ends->last_ready, 40);
    CU_ASSERT_EQUAL(ends->last_finish, 48);
    CU_ASSERT(grt_slack_checks_pass(&builder->scenario, &run));
    grt_built_run_end(&run, builder);
}

/* The defect of the sum: it telescopes. Whatever happens between the first end and the last, it is last - first - 3 separations; with
 * even gaps of 11 it is the same 3, and no gap is far off. */
static void the_sum_telescopes(void) {
    struct grt_builder *builder = on_exclusive(36);
    struct grt_built_run run;
    struct grt_task *even = add_task(builder, 11, 3);
    even->deadline = GRT_TIME_NEVER;
    even->separation = 10;
    grt_built_run_under(&run, builder, "fifo");
    check_slack(slack_of(&run, A), 3, 3, 3, 3, 1);
    CU_ASSERT_DOUBLE_EQUAL(grt_gap_deviation(&run.result->tasks[A].ends), 0, 0);
    grt_built_run_end(&run, builder);
}

/* A separation decides what slack is; the deadline still says who missed it. */
static void both(void) {
    struct grt_builder *builder = stuttering();
    struct grt_built_run run;
    builder->tasks[B].deadline = 4;
    grt_built_run_under(&run, builder, "fifo");
    const struct grt_task_result *result = &run.result->tasks[B];
    check_slack(&result->slack, 3, 1, 3, 12, 12);
    CU_ASSERT_EQUAL(result->missed, 3); /* responses 5, 3, 15, 8 */
    CU_ASSERT_EQUAL(result->worst_tardiness, 11);
    grt_built_run_end(&run, builder);
}

/* The job of 0 is released at 4, that of 20 at 21; they take [4,10), [21,27). From the arrivals they take 10 and 7, from the
 * releases 6 and 6; the deadline is 8. */
static void released_later(void) {
    static const grt_time times[] = {0, 20}, delays[] = {4, 1};
    for (int from = GRT_DEADLINE_FROM_ARRIVAL; from <= GRT_DEADLINE_FROM_RELEASE; from++) {
        struct grt_builder *builder = on_exclusive(50);
        struct grt_built_run run;
        struct grt_task *task = add_task(builder, 20, 6);
        grt_builder_times(builder, task, times, 2);
        task->delays = delays;
        task->deadline = 8;
        task->deadline_from = from;
        grt_built_run_under(&run, builder, "fifo");
        if (from == GRT_DEADLINE_FROM_ARRIVAL) {
            check_slack(slack_of(&run, A), 2, 1, 1, 2, 2);
        } else {
            check_slack(slack_of(&run, A), 2, 0, -4, 0, 0);
        }
        CU_ASSERT(run.result->tasks[A].ends.release_delay == 5);
        CU_ASSERT(grt_slack_checks_pass(&builder->scenario, &run));
        grt_built_run_end(&run, builder);
    }
}

/* Jobs that come every 10 and take 16 are aborted at their deadlines, 12 after their arrival; the last of the five is alive at the end. */
static void jobs_that_do_not_finish(void) {
    struct grt_builder *builder = on_exclusive(50);
    struct grt_built_run run;
    struct grt_task *task = add_task(builder, 10, 16);
    task->deadline = 12;
    task->on_miss = GRT_MISS_ABORT;
    grt_built_run_under(&run, builder, "fifo");
    const struct grt_task_result *result = &run.result->tasks[A];
    check_slack(&result->slack, 0, 0, 0, 0, 0);
    CU_ASSERT_EQUAL(result->slack.not_finished, 5);
    CU_ASSERT_EQUAL(result->released, 5);
    CU_ASSERT(grt_slack_checks_pass(&builder->scenario, &run));
    grt_built_run_end(&run, builder);
}

static void without_either(void) {
    struct grt_builder *builder = on_exclusive(50);
    struct grt_built_run run;
    add_task(builder, 10, 3)->deadline = GRT_TIME_NEVER;
    grt_built_run_under(&run, builder, "fifo");
    CU_ASSERT_EQUAL(slack_of(&run, A)->kind, GRT_SLACK_NONE);
    check_slack(slack_of(&run, A), 0, 0, 0, 0, 0);
    CU_ASSERT_PTR_NULL(grt_slack_kind_names[GRT_SLACK_NONE]);
    CU_ASSERT_STRING_EQUAL(grt_slack_kind_names[GRT_SLACK_THROUGHPUT], "throughput");
    grt_built_run_end(&run, builder);
}

/* Two gaps whose sum of squares has some bits or many more than what is left of it: the variance is a quarter of the squared difference. */
static void two_gaps(void) {
    for (uint64_t i = 0; i < 2000; i++) {
        uint64_t first = i * UINT64_C(299999999999999), second = first + i * 5000003;
        struct grt_slack_record ends = {
            .gaps = {.count = 2, .sum_low = first + second},
            .gap_squares = (grt_wide)first * first + (grt_wide)second * second,
        };
        double expected = (double)(second - first) / 2;
        CU_ASSERT_DOUBLE_EQUAL(grt_gap_deviation(&ends), expected, 1e-15 * expected);
    }
}

/* Sums beyond 64 bits, and the variance of gaps that are long and nearly equal: of 10^17 and 10^17 + 2 it is 1. */
static void long_times(void) {
    const grt_time limit = GRT_TIME_LIMIT;
    struct grt_task task = {.deadline = limit, .deadline_from = GRT_DEADLINE_FROM_ARRIVAL};
    struct grt_task_result result = {.finished = 40}; /* each takes 0 */
    struct grt_slack slack = grt_slack_of(&task, &result);
    CU_ASSERT(slack.accumulated == -(grt_signed_wide)limit * 40);
    CU_ASSERT_EQUAL(grt_time_of_wide(slack.accumulated), -(GRT_TIME_NEVER - 1));
    CU_ASSERT_EQUAL(grt_time_of_wide(-slack.accumulated), GRT_TIME_NEVER - 1);
    CU_ASSERT_EQUAL(grt_time_of_wide(-5), -5);
    const uint64_t gap = (uint64_t)(limit / 10);
    struct grt_slack_record ends = {
        .gaps = {.count = 2, .sum_low = 2 * gap + 2},
        .gap_squares = (grt_wide)gap * gap + (grt_wide)(gap + 2) * (gap + 2),
    };
    CU_ASSERT_DOUBLE_EQUAL(grt_gap_deviation(&ends), 1, 0);
    ends = (struct grt_slack_record){
        .gaps = {.count = 1000000, .sum_low = (uint64_t)limit}, /* one gap of all, and many of none */
        .gap_squares = (grt_wide)(uint64_t)limit * (uint64_t)limit,
    };
    double n = 1e6, expected = 1e18 * sqrt(1 / n - 1 / (n * n));
    CU_ASSERT_DOUBLE_EQUAL(grt_gap_deviation(&ends), expected, 1e-12 * expected);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"latency", latency},
        {"throughput", throughput},
        {"the sum telescopes", the_sum_telescopes},
        {"both", both},
        {"released later", released_later},
        {"jobs that do not finish", jobs_that_do_not_finish},
        {"without either", without_either},
        {"two gaps", two_gaps},
        {"long times", long_times},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("slack", tests);
}
