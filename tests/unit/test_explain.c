/* Sentences about the slices of a small trace, worked out by hand. */
#include <string.h>

#include "tests/support/answer_trace.h"
#include "tests/support/small_timeline.h"
#include "tests/support/suite.h"
#include "viz/answers/explain.h"
#include "viz/answers/time_text.h"

/* ---- times ---- */

static void test_times(void) {
    char text[GRT_TIME_WORDS];
    grt_expect_text(grt_time_words(0, text), "0 ms");
    grt_expect_text(grt_time_words(1, text), "1 ns");
    grt_expect_text(grt_time_words(-1500, text), "-1.5 us");
    grt_expect_text(grt_time_words(3214000, text), "3.214 ms");
    grt_expect_text(grt_time_words(999999, text), "999.999 us");
    grt_expect_text(grt_time_words(999999600, text), "1 s"); /* rounded into the next unit */
    grt_expect_text(grt_time_words(1234567891, text), "1.235 s");
    grt_expect_text(grt_time_words(GRT_TIME_LIMIT, text), "1000000000 s");
    grt_expect_text(grt_instant_words(1234567891, text), "1234.568 ms");
    grt_expect_text(grt_instant_words(1234000000, text), "1.234 s");
    grt_expect_text(grt_span_words(12300000, 15514000, text), "12.300 to 15.514 ms");
    grt_expect_text(grt_span_words(0, 300000, text), "0 to 300 us");
    grt_expect_text(grt_span_words(1000000000, 1000300000, text), "1000.0 to 1000.3 ms");
    grt_expect_text(grt_span_words(2000000000, 3500000000, text), "2.0 to 3.5 s");
    grt_expect_text(grt_span_words(-2000000, 1000000, text), "-2 to 1 ms");
    grt_expect_text(grt_span_words(5000000, 5000000, text), "at 5 ms");
    grt_expect_text(grt_span_words(GRT_TIME_LIMIT - 1, GRT_TIME_LIMIT, text), "at 1000000000000 ms");
}

/* ---- sentences ---- */

static void expect_sentence(const struct grt_timeline *timeline, struct grt_place place,
                            const char *expected) {
    char text[GRT_EXPLAIN_SIZE];
    size_t length = grt_explain(timeline, place, text, sizeof text);
    CU_ASSERT_EQUAL(length, strlen(text));
    grt_expect_text(text, expected);
}

static void test_sentences_of_tasks(void) {
    struct grt_timeline timeline;
    grt_answer_trace_build(&timeline);
    expect_sentence(
        &timeline, grt_task_place_at(&timeline, DETECT, GRT_PART_WINDOW, 0),
        "Job 0 of detect was released at 1 ms and due at 10 ms, 9 ms later. It finished at 13 ms, "
        "3 ms after its deadline.");
    expect_sentence(
        &timeline, grt_task_place_at(&timeline, DETECT, GRT_PART_WINDOW, 1),
        "Job 1 of detect was released at 20 ms and due at 30 ms, 10 ms later. It had not finished "
        "when the run ended at 25 ms, 5 ms before its deadline.");
    expect_sentence(&timeline, grt_task_place_at(&timeline, TRACK, GRT_PART_WINDOW, 0),
                    "Job 0 of task 2 was released at 0 ms, without a deadline. It finished at 2 ms.");
    expect_sentence(
        &timeline, grt_task_place_at(&timeline, DETECT, GRT_PART_JOB, 0),
        "Job 0 of detect: response time 13 ms, 0 to 13 ms. It could start 1 ms after its arrival. "
        "It finished 3 ms after its deadline.");
    expect_sentence(&timeline, grt_task_place_at(&timeline, TRACK, GRT_PART_JOB, 1),
                    "Job 2 of task 2: alive for 2 ms, 22 to 24 ms. It was given up exactly at its deadline.");
    expect_sentence(
        &timeline, grt_task_place_at(&timeline, DETECT, GRT_PART_SUSPENDED, 0),
        "GPU segment 1 of detect, job 0: 9 ms from request to completion, 3 to 12 ms. Its first copy "
        "began 3 ms after the request; meanwhile kernel icp of map ran for 3 ms.");
    expect_sentence(
        &timeline, grt_task_place_at(&timeline, DETECT, GRT_PART_BLOCKED, 0),
        "Job 0 of detect was blocked for 3 ms, 3 to 6 ms. Its GPU segment waited while a less urgent "
        "one, last that of map, was still on the GPU; meanwhile kernel icp of map ran for 3 ms.");
    expect_sentence(&timeline, grt_task_place_at(&timeline, DETECT, GRT_PART_CPU, 0),
                    "Job 0 of detect computed for 1 ms on cpu 0, 2 to 3 ms. It had waited 1 ms since its "
                    "release; meanwhile task 2 computed there for 1 ms.");
    expect_sentence(
        &timeline, grt_task_place_at(&timeline, MAP, GRT_PART_CPU, 0),
        "Job 0 of map computed for 1 ms on cpu 0, 11.5 to 12.5 ms. It had waited 5.5 ms since its GPU "
        "segment was completed. Then it was preempted; job 0 of detect ran next there.");
    expect_sentence(&timeline, grt_task_place_at(&timeline, MAP, GRT_PART_CPU, 1),
                    "Job 0 of map computed for 1 ms on cpu 0, 13 to 14 ms. It had waited 500 us since it was "
                    "preempted; meanwhile detect computed there for 500 us.");
    expect_sentence(
        &timeline, grt_task_place_at(&timeline, TRACK, GRT_PART_CPU, 1),
        "Job 2 of task 2 computed for 2 ms on a core of its own, 22 to 24 ms. It was cut short: its job "
        "was given up.");
    expect_sentence(
        &timeline, grt_task_place_at(&timeline, DETECT, GRT_PART_CPU, 2),
        "Job 1 of detect computed for 5 ms on cpu 0, 20 to 25 ms. It was still going on when the run "
        "ended.");
    expect_sentence(&timeline, grt_task_place_at(&timeline, DETECT, GRT_PART_MISS, 0),
                    "detect missed the deadline of job 0 by 3 ms: it waited 3.5 ms for the GPU, 3 ms of it "
                    "blocked by less urgent work; meanwhile map used it for 3 ms. The deadline "
                    "was at 10 ms.");
    expect_sentence(
        &timeline, grt_task_place_at(&timeline, TRACK, GRT_PART_SIGN, 0),
        "Job 1 of task 2 was skipped at 21 ms. The job before it was late, or one that it comes after "
        "was lost.");
    grt_timeline_free(&timeline);
}

static void test_sentences_of_the_gpu(void) {
    struct grt_timeline timeline;
    grt_answer_trace_build(&timeline);
    const char *copy =
        "Copy to the device for detect, job 0: took 1 ms on engine copy, 6 to 7 ms. It had waited 3 "
        "ms since its request; meanwhile kernel icp of map ran for 3 ms.";
    expect_sentence(&timeline, grt_task_place_at(&timeline, DETECT, GRT_PART_COPY, 0), copy);
    expect_sentence(&timeline, grt_place_at(&timeline, GRT_ROW_ENGINE, 0, GRT_PART_COPY, 0), copy);
    expect_sentence(&timeline, grt_task_place_at(&timeline, DETECT, GRT_PART_COPY, 1),
                    "Copy from the device for detect, job 0: took 1 ms on engine copy, 11 to 12 ms.");
    const char *kernel =
        "Kernel net of detect, job 0: ran for 3.5 ms with 3 blocks on 2 SMs in stream gpu, 7.5 to "
        "11.0 ms. It had waited 500 us since the copy before it ended.";
    expect_sentence(&timeline, grt_task_place_at(&timeline, DETECT, GRT_PART_KERNEL, 0), kernel);
    expect_sentence(&timeline, grt_place_at(&timeline, GRT_ROW_STREAM, 0, GRT_PART_KERNEL, 2), kernel);
    expect_sentence(&timeline, grt_place_at(&timeline, GRT_ROW_STREAM, 0, GRT_PART_CALL, 0),
                    "Call record frame of detect, job 0, in stream gpu: passed at once, at 12 ms.");
    expect_sentence(
        &timeline, grt_place_at(&timeline, GRT_ROW_SM, 0, GRT_PART_BLOCK, 1),
        "Block 1 of kernel net of detect, job 0: ran for 1.5 ms on SM 0, 7.5 to 9.0 ms. It held 8 of the "
        "SM's 64 warps.");
    expect_sentence(&timeline, grt_place_at(&timeline, GRT_ROW_POLICY, 0, GRT_PART_OWN, 0),
                    "budget, on server: 5 ms, 0 to 5 ms, for map, job 0.");
    expect_sentence(&timeline, grt_place_at(&timeline, GRT_ROW_POLICY, 0, GRT_PART_OWN_MARK, 0),
                    "budget, on server: at 5 ms.");
    grt_timeline_free(&timeline);
}

/* A pinned kernel: block 0 works twice on SM 0, block 1 exits on SM 1; the work of the next kernel is lost. */
static void test_pinned_kernels(void) {
    static const struct grt_trace_name names[] = {
        {.kind = GRT_NAME_TASK, .text = "a"},   {.kind = GRT_NAME_STREAM, .text = "s"},
        {.kind = GRT_NAME_SM, .text = "SM 0"},  {.kind = GRT_NAME_SM, .index = 1, .text = "SM 1"},
        {.kind = GRT_NAME_KERNEL, .text = "k"},
    };
    static const struct grt_trace_record records[] = {
        {.time = 2, .other = 0, .row = 1, .detail = 1, .kind = GRT_TRACE_BLOCK, .flags = GRT_TRACE_EXITED},
        {.time = 5, .other = 0, .kind = GRT_TRACE_BLOCK, .flags = GRT_TRACE_GOES_ON},
        {.time = 10, .other = 5, .kind = GRT_TRACE_BLOCK},
        {.time = 10, .other = 4000, .kind = GRT_TRACE_LOST_ITEMS},
        {.time = 10, .other = 0, .kind = GRT_TRACE_KERNEL},
    };
    struct grt_timeline timeline;
    grt_small_timeline(&timeline, names, sizeof names / sizeof names[0], records,
                       sizeof records / sizeof records[0]);
    expect_sentence(
        &timeline, grt_place_at(&timeline, GRT_ROW_SM, 1, GRT_PART_BLOCK, 0),
        "Block 1 of kernel k of a, job 0: ran for 2 ns on SM 1, 0 to 2 ns. It exited: its kernel is "
        "pinned, not to this SM or with no work left.");
    expect_sentence(&timeline, grt_place_at(&timeline, GRT_ROW_SM, 0, GRT_PART_BLOCK, 0),
                    "Block 0 of kernel k of a, job 0: ran for 5 ns on SM 0, 0 to 5 ns. It did an item of its "
                    "kernel's work, and took another.");
    expect_sentence(&timeline, grt_place_at(&timeline, GRT_ROW_SM, 0, GRT_PART_BLOCK, 1),
                    "Block 0 of kernel k of a, job 0: ran for 5 ns on SM 0, 5 to 10 ns.");
    expect_sentence(&timeline, grt_task_place_at(&timeline, 0, GRT_PART_KERNEL, 0),
                    "Kernel k of a, job 0: ran for 10 ns with 2 blocks on 2 SMs in stream s, 0 to 10 ns.");
    expect_sentence(
        &timeline, grt_task_place_at(&timeline, 0, GRT_PART_SIGN, 0),
        "Work of a, job 0, was lost at 10 ns: the last block of a pinned kernel ended, and none had "
        "come to one of its SMs.");
    grt_timeline_free(&timeline);
}

static void test_short_texts(void) {
    struct grt_timeline timeline;
    char text[GRT_EXPLAIN_SIZE], whole[GRT_EXPLAIN_SIZE];
    grt_answer_trace_build(&timeline);
    struct grt_place place = grt_task_place_at(&timeline, DETECT, GRT_PART_SUSPENDED, 0);
    size_t length = grt_explain(&timeline, place, whole, sizeof whole);
    for (size_t size = 1; size <= length + 1; size++) {
        CU_ASSERT_EQUAL(grt_explain(&timeline, place, text, size), size - 1);
        CU_ASSERT(strlen(text) == size - 1 && strncmp(text, whole, size - 1) == 0);
    }
    CU_ASSERT_EQUAL(grt_explain(&timeline, grt_place_none(), text, sizeof text), 0);
    CU_ASSERT_EQUAL(grt_explain(&timeline, (struct grt_place){0, 0, 99}, text, sizeof text), 0);
    CU_ASSERT_EQUAL(grt_explain(&timeline, (struct grt_place){0, 99, 0}, text, sizeof text), 0);
    CU_ASSERT_STRING_EQUAL(text, "");
    grt_timeline_free(&timeline);
}

static CU_TestInfo tests[] = {
    {"times have a fitting unit and three digits behind the point", test_times},
    {"sentences about tasks", test_sentences_of_tasks},
    {"sentences about the GPU and the policy", test_sentences_of_the_gpu},
    {"pinned kernels", test_pinned_kernels},
    {"sentences are cut to their room", test_short_texts},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("explain", tests);
}
