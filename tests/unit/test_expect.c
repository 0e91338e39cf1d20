/* Expectations against a made-up result and trace of two tasks on two GPUs:
 *
 *   a: job 0, segment 1: h2d [0, 2)us, kernel k of 3 blocks [2, 6)us on SMs 0, 1, 0, kernel k of 1 block [6, 9)us,
 *      d2h [9, 10)us, then segment 2: h2d [10, 12)us. Job 1: kernel k cut off by the end at 20us.
 *   b: job 0: kernel other on SM 1 of the second GPU [3, 4)us.
 *   Cores: 0: a [0, 1)us, switches [1, 2)us, busy-waits [2, 6)us; 1: the thread "server" for b [0, 3)us, for nobody
 *   [3, 4)us, on without an end from 5us. Rows: "lock": "a holds" [1, 9)us; "idle": nobody's slices [2, 2)us and [2, 3)us. */
#include <stdio.h>
#include <string.h>

#include "scenarios/expect.h"
#include "tests/support/suite.h"

#define US GRT_MICROSECOND

static const struct grt_trace_name names[] = {
    {.kind = GRT_NAME_TASK, .index = 0, .text = "a"},
    {.kind = GRT_NAME_TASK, .index = 1, .text = "b"},
    {.kind = GRT_NAME_KERNEL, .index = 0, .segment = 1, .command = 1, .text = "k"},
    {.kind = GRT_NAME_KERNEL, .index = 0, .segment = 1, .command = 2, .text = "k"},
    {.kind = GRT_NAME_KERNEL, .index = 1, .segment = 0, .command = 0, .text = "other"},
    {.kind = GRT_NAME_ROW, .index = 0, .text = "lock"},
    {.kind = GRT_NAME_ROW, .index = 1, .text = "idle"},
    {.kind = GRT_NAME_LABEL, .index = 3, .text = "a holds"},
    {.kind = GRT_NAME_LABEL, .index = 4, .text = "nothing"},
    {.kind = GRT_NAME_THREAD, .index = 2, .text = "server"},
};

#define RECORD(kind_name, task_index, job_number, start, end, detail_number, row_number, flag)               \
    {                                                                                                        \
        .time = (end)*US, .other = (start)*US, .job = job_number, .detail = detail_number,                   \
        .row = row_number, .task = task_index, .kind = GRT_TRACE_##kind_name, .flags = flag                  \
    }

#define NOBODY GRT_TRACE_NO_TASK
#define SERVER (5 << 16 | 2)

static const struct grt_trace_record records[] = {
    RECORD(CPU, 0, 0, 0, 1, 0, 0, 0),
    RECORD(CPU, 0, 0, 1, 2, 1, 0, GRT_TRACE_OVERHEAD),
    RECORD(ROW_SLICE, NOBODY, 0, 2, 2, 4, 1, 0),
    RECORD(THREAD, 1, 0, 0, 3, SERVER, 1, 0),
    RECORD(ROW_SLICE, NOBODY, 0, 2, 3, 4, 1, 0),
    RECORD(THREAD, NOBODY, 0, 3, 4, SERVER, 1, 0),
    RECORD(CPU, 0, 0, 2, 6, 1, 0, GRT_TRACE_SPIN),
    RECORD(ROW_SLICE, 0, 0, 1, 9, 3, 0, 0),
    RECORD(THREAD, 1, 1, 5, 9, SERVER, 1, GRT_TRACE_OPEN),
    RECORD(GPU_REQUEST, 0, 0, 0, 0, 1, 0, 0),
    RECORD(COPY, 0, 0, 0, 2, 1 << 16, 0, 0),
    RECORD(GPU_REQUEST, 1, 0, 0, 3, 0, 0, 0),
    RECORD(BLOCK, 0, 0, 2, 4, 0, 0, 0),
    RECORD(BLOCK, 1, 0, 3, 4, 0, 3, 0),
    RECORD(KERNEL, 1, 0, 3, 4, 0, 1, 0),
    RECORD(BLOCK, 0, 0, 2, 5, 1, 1, 0),
    RECORD(BLOCK, 0, 0, 4, 6, 2, 0, 0),
    RECORD(KERNEL, 0, 0, 2, 6, 1 << 16 | 1, 0, 0),
    RECORD(BLOCK, 0, 0, 6, 9, 0, 0, 0),
    RECORD(KERNEL, 0, 0, 6, 9, 1 << 16 | 2, 0, 0),
    RECORD(COPY, 0, 0, 9, 10, 1 << 16 | 3, 0, GRT_TRACE_D2H),
    RECORD(GPU_REQUEST, 0, 0, 0, 10, 2, 0, 0),
    RECORD(COPY, 0, 0, 10, 12, 2 << 16, 0, 0),
    RECORD(GPU_REQUEST, 0, 1, 0, 15, 1, 0, 0),
    RECORD(BLOCK, 0, 1, 16, 20, 0, 0, GRT_TRACE_OPEN),
    RECORD(KERNEL, 0, 1, 16, 20, 1 << 16 | 1, 0, GRT_TRACE_OPEN),
};

static const struct grt_task_result tasks[] = {
    {.name = "a",
     .released = 2,
     .met = 1,
     .missed = 1,
     .unfinished = 1,
     .response = {.count = 1, .min = 12 * US, .max = 12 * US},
     .blocking = {.count = 1, .min = 0, .max = 0},
     .slack = {.kind = GRT_SLACK_THROUGHPUT,
               .count = 2,
               .late = 1,
               .accumulated = -3 * US,
               .lateness = 2 * US,
               .worst = 2 * US},
     .ends = {.gaps = {.count = 2, .min = 5 * US, .max = 12 * US, .sum_low = 17 * US},
              .gap_squares = 169 * US * US}},
    {.name = "b", .released = 1, .aborted = 1, .skipped = 4},
};
static const struct grt_gpu_result gpus[] = {{.device = "x", .sm_count = 2}, {.device = "y", .sm_count = 2}};
static const struct grt_result result = {.tasks = tasks, .task_count = 2, .gpus = gpus, .gpu_count = 2};

/* Checks that exactly this message comes out; NULL: none. */
static void check(const struct grt_expect *expect, const char *message) {
    const struct grt_trace_memory trace = {
        .records = (struct grt_trace_record *)(uintptr_t)records,
        .record_count = sizeof records / sizeof records[0],
        .names = (struct grt_trace_name *)(uintptr_t)names,
        .name_count = sizeof names / sizeof names[0],
    };
    struct grt_errors errors = {0};
    bool good = grt_expect_check(expect, &result, &trace, 0xABCDEF, &errors);
    CU_ASSERT_EQUAL(good, message == NULL);
    CU_ASSERT_EQUAL(errors.count, message != NULL);
    if (errors.count > 0 && (message == NULL || strcmp(errors.messages[0], message) != 0)) {
        grt_errors_print(&errors, stdout, "\n    ");
        CU_FAIL("another message");
    }
    grt_errors_clear(&errors);
}

static void check_task(struct grt_expect_task task, const char *message) {
    check(&(struct grt_expect){.missed = -1, .tasks = &task, .task_count = 1}, message);
}

#define UNCHECKED                                                                                            \
    .released = -1, .met = -1, .missed = -1, .aborted = -1, .skipped = -1, .unfinished = -1,                 \
    .response_min = -1, .response_max = -1, .blocking_max = -1, .late = -1,                                  \
    .accumulated_slack = GRT_TIME_NEVER, .lateness_sum = -1, .lateness_max = -1, .gap_min = -1,              \
    .gap_max = -1, .gap_deviation = -1

static void test_tasks(void) {
    check_task((struct grt_expect_task){.task = "a", UNCHECKED}, NULL);
    check_task((struct grt_expect_task){"a", 2, 1, 1, 0, 0, 1, 12 * US, 12 * US, 0, 1, -3 * US, 2 * US,
                                        2 * US, 5 * US, 12 * US, 3500},
               NULL);
    struct grt_expect_task task = {.task = "a", UNCHECKED};
    task.met = 2;
    check_task(task, "expect.tasks[0].met: expected 2, but it was 1");
    task = (struct grt_expect_task){.task = "a", UNCHECKED};
    task.response_max = 11 * US;
    check_task(task, "expect.tasks[0].response_max: expected 11us, but it was 12us");
    task = (struct grt_expect_task){.task = "b", UNCHECKED};
    task.response_min = 0;
    check_task(task, "expect.tasks[0].response_min: expected 0s, but there was none");
    task = (struct grt_expect_task){.task = "c", UNCHECKED};
    check_task(task, "expect.tasks[0]: there is no task \"c\"");
}

static void test_slack(void) {
    static const struct {
        size_t offset;
        int64_t wrong;
        const char *message;
    } fields[] = {
        {offsetof(struct grt_expect_task, late), 0, "late: expected 0, but it was 1"},
        {offsetof(struct grt_expect_task, accumulated_slack), 3 * US,
         "accumulated_slack: expected 3us, but it was -3us"},
        {offsetof(struct grt_expect_task, lateness_sum), 0, "lateness_sum: expected 0s, but it was 2us"},
        {offsetof(struct grt_expect_task, lateness_max), 1, "lateness_max: expected 1ns, but it was 2us"},
        {offsetof(struct grt_expect_task, gap_min), 0, "gap_min: expected 0s, but it was 5us"},
        {offsetof(struct grt_expect_task, gap_max), 1, "gap_max: expected 1ns, but it was 12us"},
        {offsetof(struct grt_expect_task, gap_deviation), 3501,
         "gap_deviation: expected 3.501us, but it was 3.5us"},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        struct grt_expect_task task = {.task = "a", UNCHECKED};
        char message[128];
        *(int64_t *)(void *)((char *)&task + fields[i].offset) = fields[i].wrong;
        snprintf(message, sizeof message, "expect.tasks[0].%s", fields[i].message);
        check_task(task, message);
    }
    struct grt_expect_task none = {.task = "b", UNCHECKED};
    none.accumulated_slack = -1;
    check_task(none, "expect.tasks[0].accumulated_slack: expected -1ns, but there was none");
    none.accumulated_slack = GRT_TIME_NEVER;
    none.gap_min = 0;
    check_task(none, "expect.tasks[0].gap_min: expected 0s, but there was none");
}

static void test_totals(void) {
    check(&(struct grt_expect){.missed = -1}, NULL);
    check(&(struct grt_expect){.missed = 1, .trace_digest = "0000000000abcdef"}, NULL);
    check(&(struct grt_expect){.missed = 0}, "expect.missed: expected 0, but it was 1");
    check(&(struct grt_expect){.missed = -1, .trace_digest = "0000000000abcdee"},
          "expect.trace_digest: expected \"0000000000abcdee\", but it was \"0000000000abcdef\"");
}

static void check_blocks(const struct grt_expect_blocks *blocks, size_t count, const char *message) {
    check(&(struct grt_expect){.missed = -1, .blocks = blocks, .block_count = count}, message);
}

static void test_blocks(void) {
    const int64_t sms_0_1[] = {0, 1}, sm_0 = 0, sm_1 = 1;
    struct grt_expect_blocks first[] = {{"a", "k", 0, 0, 0, -1, 2 * US, 4 * US, {&sm_0, 1}},
                                        {"a", "k", 0, 1, 1, -1, 2 * US, 5 * US, {&sm_1, 1}},
                                        {NULL, "k", 0, 2, 2, -1, 4 * US, 6 * US, {NULL, 0}}};
    check_blocks(first, 3, NULL);
    check_blocks(
        first, 2,
        "expect.blocks: block 2 of kernel \"k\" (job 0) is not named; it ran from 4us to 6us on SM 0");
    first[1].end = 4 * US;
    check_blocks(first, 3, "expect.blocks[1]: block 1 ran from 2us to 5us; expected from 2us to 4us");
    first[1].end = 5 * US;
    first[1].sms.items = &sm_0;
    check_blocks(first, 3, "expect.blocks[1]: block 1 ran on SM 1; expected SM 0");
    first[1].sms.items = sms_0_1; /* one number per block: block 1 alone has the first */
    check_blocks(first, 3, "expect.blocks[1]: block 1 ran on SM 1; expected SM 0");
    first[1].sms.items = &sm_1;
    first[2].last = 3;
    check_blocks(first, 3, "expect.blocks[2]: block 3 did not run");
}

static void test_launches(void) {
    struct grt_expect_blocks blocks = {"a", "k",    0,      0,        0,
                                       -1,  6 * US, 9 * US, {NULL, 0}}; /* the second of that name */
    check_blocks(&blocks, 1, NULL);
    blocks = (struct grt_expect_blocks){"b", "other", 0, 0, 0, -1, 3 * US, 4 * US, {(const int64_t[]){1}, 1}};
    check_blocks(&blocks, 1, NULL);
    blocks.task = NULL;
    check_blocks(&blocks, 1, NULL);
    blocks.job = 1;
    check_blocks(&blocks, 1, "expect.blocks[0]: job 1 did not run the kernel \"other\"");
    blocks = (struct grt_expect_blocks){"a", "k", 1, 0, 0, -1, 16 * US, 20 * US, {NULL, 0}};
    check_blocks(&blocks, 1,
                 "expect.blocks[0]: block 0 ran from 16us on without an end; expected from 16us to 20us");
    blocks = (struct grt_expect_blocks){NULL, "l", 0, 0, 0, -1, 0, 0, {NULL, 0}};
    check_blocks(&blocks, 1, "expect.blocks[0]: there is no kernel \"l\"");
}

static void check_copy(struct grt_expect_copy copy, const char *message) {
    check(&(struct grt_expect){.missed = -1, .copies = &copy, .copy_count = 1}, message);
}

static void test_copies(void) {
    check_copy((struct grt_expect_copy){"a", 0, -1, 1, 9 * US, 10 * US}, NULL);
    check_copy((struct grt_expect_copy){"a", 0, 3, 1, 9 * US, 10 * US}, NULL);
    check_copy((struct grt_expect_copy){"a", 0, 0, 0, 0, 2 * US}, NULL);
    check_copy((struct grt_expect_copy){"a", 0, 0, 0, 10 * US, 12 * US}, NULL); /* of another segment */
    check_copy((struct grt_expect_copy){"a", 0, -1, 0, 0, 2 * US},
               "expect.copies[0]: job 0 made 2 copies in that direction: say which with \"command\"");
    check_copy((struct grt_expect_copy){"a", 0, -1, 1, 9 * US, 11 * US},
               "expect.copies[0]: the copy ran from 9us to 10us; expected from 9us to 11us");
    check_copy((struct grt_expect_copy){"b", 0, -1, 1, 0, 0}, "expect.copies[0]: job 0 made no such copy");
}

static void check_cores(const struct grt_expect_core *cores, size_t count, const char *message) {
    check(&(struct grt_expect){.missed = -1, .cores = cores, .core_count = count}, message);
}

static void test_cores(void) {
    const struct grt_expect_core right[] = {
        {.task = "a", .start = 0, .end = 1 * US},
        {.task = "a", .doing = GRT_EXPECT_OVERHEAD, .start = 1 * US, .end = 2 * US},
        {.task = "a", .doing = GRT_EXPECT_BUSY_WAIT, .start = 2 * US, .end = 6 * US}};
    struct grt_expect_core wrong[3];
    check_cores(right, 3, NULL);
    check_cores(right, 2, "expect.cores: a (job 0), busy-wait is not named on core 0, from 2us to 6us");
    memcpy(wrong, right, sizeof wrong);
    wrong[2].doing = GRT_EXPECT_WORK;
    check_cores(wrong, 3,
                "expect.cores[2]: on core 0 there was a (job 0), busy-wait from 2us to 6us; expected a (job "
                "0) to 6us");
    wrong[2] = right[2];
    wrong[2].end = 5 * US;
    check_cores(wrong, 3,
                "expect.cores[2]: on core 0 there was a (job 0), busy-wait from 2us to 6us; expected a (job "
                "0), busy-wait to 5us");
    wrong[2] = right[2];
    wrong[2].job = 1;
    check_cores(wrong, 3,
                "expect.cores[2]: on core 0 there was a (job 0), busy-wait from 2us to 6us; expected a (job "
                "1), busy-wait to 6us");
    wrong[0].core = 2;
    check_cores(wrong, 1, "expect.cores[0]: nothing starts at 0s on core 2; expected a (job 0) to 1us");
    struct grt_expect_core twice[] = {right[0], right[1], right[2], right[2]}; /* a slice is named once */
    check_cores(twice, 4,
                "expect.cores[3]: nothing starts at 2us on core 0; expected a (job 0), busy-wait to 6us");
}

static void test_threads(void) {
    struct grt_expect_core cores[] = {
        {.thread = "server", .task = "b", .core = 1, .start = 0, .end = 3 * US},
        {.thread = "server", .core = 1, .start = 3 * US, .end = 4 * US},
        {.thread = "server", .task = "b", .job = 1, .core = 1, .start = 5 * US, .end = 9 * US}};
    check_cores(cores, 3,
                "expect.cores[2]: on core 1 there was server for b (job 1) from 5us on without an end; "
                "expected server for b (job 1) to 9us");
    check_cores(cores, 2,
                "expect.cores: server for b (job 1) is not named on core 1, from 5us on without an end");
}

static void check_rows(const struct grt_expect_row *rows, size_t count, const char *message) {
    check(&(struct grt_expect){.missed = -1, .rows = rows, .row_count = count}, message);
}

static void test_rows(void) {
    struct grt_expect_row lock = {.row = "lock", .task = "a", .start = 1 * US, .end = 9 * US};
    check_rows(&lock, 1, NULL);
    lock.label = "a holds";
    check_rows(&lock, 1, NULL);
    lock.label = "b holds";
    check_rows(
        &lock, 1,
        "expect.rows[0]: on row \"lock\" there was a (job 0), \"a holds\", from 1us to 9us; expected a "
        "(job 0), \"b holds\", to 9us");
    lock.row = "locks";
    check_rows(&lock, 1, "expect.rows[0]: the policy has no row \"locks\"");
    struct grt_expect_row idle[] = {{.row = "idle", .start = 2 * US, .end = 3 * US},
                                    {.row = "idle", .label = "nothing", .start = 2 * US, .end = 2 * US}};
    check_rows(idle, 2, NULL); /* both start at once, in whatever order they are named */
    check_rows(idle, 1, "expect.rows: nobody is not named on row \"idle\", from 2us to 2us");
}

static void test_cut_trace(void) {
    const struct grt_trace_memory trace = {.cut = true};
    const struct grt_expect_copy copy = {"a", 0, -1, 1, 0, 0};
    const struct grt_expect expect = {.missed = -1, .copies = &copy, .copy_count = 1};
    struct grt_errors errors = {0};
    CU_ASSERT_FALSE(grt_expect_check(&expect, &result, &trace, 0, &errors));
    CU_ASSERT_STRING_EQUAL(errors.messages[0],
                           "expect: the trace was cut short, so what happened when cannot be checked");
    grt_errors_clear(&errors);
}

static void test_questions(void) {
    const struct grt_expect_copy copy = {"a", 0, -1, 1, 0, 0};
    CU_ASSERT_FALSE(grt_expect_any(&(struct grt_expect){.missed = -1, .lost_items = -1}));
    CU_ASSERT_TRUE(grt_expect_any(&(struct grt_expect){.missed = 0}));
    CU_ASSERT_FALSE(grt_expect_needs_trace(&(struct grt_expect){.missed = 0, .trace_digest = "0"}));
    CU_ASSERT_TRUE(
        grt_expect_needs_trace(&(struct grt_expect){.missed = -1, .copies = &copy, .copy_count = 1}));
    CU_ASSERT_TRUE(grt_expect_needs_trace(&(struct grt_expect){.missed = -1, .core_count = 1}));
    CU_ASSERT_TRUE(grt_expect_needs_trace(&(struct grt_expect){.missed = -1, .row_count = 1}));
}

int main(void) {
    CU_TestInfo tests[] = {
        {"tasks", test_tasks},
        {"slack", test_slack},
        {"totals", test_totals},
        {"blocks", test_blocks},
        {"launches", test_launches},
        {"copies", test_copies},
        {"cores", test_cores},
        {"threads of the policy's own", test_threads},
        {"rows of the policy's own", test_rows},
        {"a trace that was cut", test_cut_trace},
        {"questions", test_questions},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("expect", tests);
}
