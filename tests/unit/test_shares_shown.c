/* What is shown of a GPU that is simulated by shares, by a trace that is written out: one with shares that are set, without blocks and
 * SMs. Times are milliseconds; what is expected was counted by hand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/export_check.h"
#include "tests/support/small_timeline.h"
#include "tests/support/suite.h"
#include "viz/answers/cause.h"
#include "viz/answers/explain.h"
#include "viz/gantt/text_gantt.h"
#include "viz/timeline/shares.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MS GRT_MILLISECOND
#define PATH GRT_SCRATCH_DIR "/shown"

#define RECORD(time_, other_, kind_, task_, row_, detail_)                                                   \
    {                                                                                                        \
        .time = (time_)*MS, .other = (other_)*MS, .task = task_, .row = row_, .detail = detail_,             \
        .kind = GRT_TRACE_##kind_                                                                            \
    }
#define SHARE(time_, stream, share)                                                                          \
    { .time = (time_)*MS, .other = share, .task = GRT_TRACE_NO_TASK, .row = stream, .kind = GRT_TRACE_SHARE }

/* a: 2 to 22 with 40, from 12 on 0, from 17 on 80; late. b: 2 to 10 with 60, which is first set at 2; and 30 to 32 in a's stream, beside
 * nobody. c: 22 to 40 in a stream whose share nobody sets. */
enum { A, B, C, PLACE = 1 };
static const struct grt_trace_name names[] = {
    {.kind = GRT_NAME_RUN, .text = "hand"},
    {.kind = GRT_NAME_TASK, .index = A, .text = "a"},
    {.kind = GRT_NAME_TASK, .index = B, .text = "b"},
    {.kind = GRT_NAME_TASK, .index = C, .text = "c"},
    {.kind = GRT_NAME_STREAM, .index = 0, .text = "s0"},
    {.kind = GRT_NAME_STREAM, .index = 1, .text = "s1"},
    {.kind = GRT_NAME_STREAM, .index = 2, .text = "s2"},
    {.kind = GRT_NAME_KERNEL, .index = A, .command = 1, .text = "ka"},
    {.kind = GRT_NAME_KERNEL, .index = B, .command = 1, .text = "kb"},
    {.kind = GRT_NAME_KERNEL, .index = C, .command = 1, .text = "kc"},
};
static const struct grt_trace_record records[] = {
    RECORD(0, 20, RELEASE, A, 0, 0),
    RECORD(0, 50, RELEASE, B, 0, 0),
    RECORD(0, 39, RELEASE, C, 0, 0),
    RECORD(0, 0, GPU_REQUEST, A, 0, 0),
    SHARE(2, 0, 40),
    SHARE(2, 1, 60),
    RECORD(10, 2, KERNEL, B, 1, PLACE),
    SHARE(12, 0, 0),
    SHARE(17, 0, 80),
    RECORD(22, 2, KERNEL, A, 0, PLACE),
    RECORD(22, 0, GPU_SEGMENT, A, 0, 0),
    {.time = 22 * MS, .task = A, .kind = GRT_TRACE_FINISH, .flags = GRT_TRACE_LATE},
    SHARE(22, 0, 80),
    RECORD(32, 30, KERNEL, B, 0, PLACE),
    {.time = 32 * MS, .task = B, .kind = GRT_TRACE_FINISH},
    RECORD(40, 22, KERNEL, C, 2, PLACE),
    {.time = 40 * MS, .task = C, .kind = GRT_TRACE_FINISH, .flags = GRT_TRACE_LATE},
};

static struct grt_trace_memory kept(void) {
    struct grt_trace_memory trace = {0};
    grt_trace_memory_sink.names(&trace, names, COUNT(names));
    grt_trace_memory_sink.write(&trace, records, COUNT(records));
    return trace;
}

static struct grt_timeline timeline_of_all(void) {
    struct grt_timeline timeline;
    grt_small_timeline(&timeline, names, COUNT(names), records, COUNT(records));
    return timeline;
}

static bool is_text(const char *got, const char *expected) {
    bool same = strcmp(got, expected) == 0;
    if (!same) {
        printf("\ngot:\n%s\nexpected:\n%s\n", got, expected);
    }
    return same;
}

/* ---- The timeline ---- */

/* "from-to share": one after the other, from the beginning to the end, equal ones as one. */
static void check_track(const struct grt_timeline *timeline, uint32_t stream, const char *expected) {
    const struct grt_row *row = grt_timeline_row(timeline, GRT_ROW_STREAM, stream);
    const struct grt_track *track = grt_row_track(row, GRT_PART_SHARE);
    char text[400] = "";
    for (uint32_t i = 0; i < track->count; i++) {
        struct grt_slice slice = grt_track_at(track, i);
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%d-%d %u/%u, ", (int)(slice.start / MS),
                 (int)(slice.end / MS), slice.detail, slice.weight);
    }
    CU_ASSERT(is_text(text, expected));
    CU_ASSERT_EQUAL(grt_row_has_shares(row), expected[0] != '\0');
}

static void test_tracks(void) {
    struct grt_timeline timeline = timeline_of_all();
    check_track(&timeline, 0, "0-2 100/64, 2-12 40/26, 12-17 0/1, 17-40 80/51, ");
    check_track(&timeline, 1, "0-2 100/64, 2-40 60/38, ");
    check_track(&timeline, 2, "");
    CU_ASSERT_EQUAL(timeline.left_out, 0);
    grt_timeline_free(&timeline);
}

/* Shares that are none, streams that are not there, a share at 0, two at one instant. */
static void test_odd_shares(void) {
    static const struct grt_trace_record odd[] = {
        SHARE(0, 0, 70), SHARE(3, 0, 1000), SHARE(5, 0, -4),  SHARE(5, 0, 30),
        SHARE(6, 0, 30), SHARE(7, 99, 30),  SHARE(9, 1, 100),
    };
    struct grt_timeline timeline;
    grt_small_timeline(&timeline, names, COUNT(names), odd, COUNT(odd));
    check_track(&timeline, 0, "0-3 70/45, 3-5 100/64, 5-9 30/19, ");
    check_track(&timeline, 1, "0-9 100/64, ");
    CU_ASSERT_EQUAL(timeline.left_out, 1);
    grt_timeline_free(&timeline);
}

static void test_spans(void) {
    struct grt_timeline timeline = timeline_of_all();
    const struct grt_row *row = grt_timeline_row(&timeline, GRT_ROW_STREAM, 0);
    struct grt_shares shares;
    CU_ASSERT(grt_row_shares(row, 2 * MS, 22 * MS, &shares));
    CU_ASSERT(shares.least == 0 && shares.most == 80 && shares.still == 5 * MS && !shares.cut);
    CU_ASSERT_EQUAL(shares.mean, 40); /* (10 * 40 + 5 * 80) / 20 */
    CU_ASSERT(grt_row_shares(row, 11 * MS, 14 * MS, &shares));
    CU_ASSERT(shares.mean == 13 && shares.still == 2 * MS); /* 40 / 3 */
    CU_ASSERT_FALSE(grt_row_shares(row, 4 * MS, 4 * MS, &shares));
    CU_ASSERT_FALSE(grt_row_shares(grt_timeline_row(&timeline, GRT_ROW_STREAM, 2), 0, 9 * MS, &shares));
    grt_timeline_free(&timeline);
}

/* ---- Sentences ---- */

static void expect_explanation(const struct grt_timeline *timeline, uint32_t stream, enum grt_track_part part,
                               uint32_t number, const char *expected) {
    char text[GRT_EXPLAIN_SIZE];
    uint32_t row = timeline->first_rows[GRT_ROW_STREAM] + stream, track = 0;
    while (timeline->rows[row].tracks[track].part != part) {
        track++;
    }
    grt_explain(timeline, (struct grt_place){row, track, number}, text, sizeof text);
    CU_ASSERT(is_text(text, expected));
}

static void test_explanations(void) {
    struct grt_timeline timeline = timeline_of_all();
    expect_explanation(
        &timeline, 0, GRT_PART_SHARE, 1,
        "Share of stream s0: 40 of the GPU's 100 vprocessors (hundredths of its SMs) for 10 ms, 2 "
        "to 12 ms.");
    expect_explanation(
        &timeline, 0, GRT_PART_SHARE, 2,
        "Share of stream s0: 0 of the GPU's 100 vprocessors (hundredths of its SMs) for 5 ms, 12 "
        "to 17 ms. Its kernels stood still.");
    expect_explanation(
        &timeline, 0, GRT_PART_KERNEL, 0,
        "Kernel ka of a, job 0: ran for 20 ms in stream s0, 2 to 22 ms. Its stream had 0 to 80 of "
        "the GPU's 100 vprocessors, on average 40. With none it stood still, for 5 ms. It had "
        "waited 2 ms since its request.");
    expect_explanation(
        &timeline, 1, GRT_PART_KERNEL, 0,
        "Kernel kb of b, job 0: ran for 8 ms in stream s1, 2 to 10 ms. Its stream had 60 of the "
        "GPU's 100 vprocessors.");
    expect_explanation(&timeline, 2, GRT_PART_KERNEL, 0,
                       "Kernel kc of c, job 0: ran for 18 ms in stream s2, 22 to 40 ms.");
    grt_timeline_free(&timeline);
}

/* a's response of 22 ms: 2 of waiting, 8 beside b, 2 with 40 alone, 5 of standing still, 5 with 80 alone. */
static void test_causes(void) {
    struct grt_timeline timeline = timeline_of_all();
    struct grt_cause cause;
    char text[GRT_CAUSE_TEXT];
    CU_ASSERT_FATAL(grt_cause_of_job(&timeline, A, 0, &cause));
    CU_ASSERT_EQUAL(cause.parts[GRT_CAUSE_GPU], 2 * MS);
    CU_ASSERT_EQUAL(cause.parts[GRT_CAUSE_SHARED], 8 * MS);
    CU_ASSERT_EQUAL(cause.parts[GRT_CAUSE_LIMITED], 7 * MS);
    CU_ASSERT_EQUAL(cause.parts[GRT_CAUSE_STILL], 5 * MS);
    CU_ASSERT_EQUAL(cause.parts[GRT_CAUSE_KERNEL], 0);
    CU_ASSERT_EQUAL(cause.share, 40);
    CU_ASSERT(
        is_text(grt_cause_text(&timeline, &cause, text),
                "a missed the deadline of job 0 by 2 ms: its kernels shared the GPU with others for 8 ms, "
                "longest those of b, for 8 ms; they had 40 of 100 vprocessors on average."));
    cause.chief = GRT_CAUSE_STILL;
    CU_ASSERT(is_text(
        grt_cause_text(&timeline, &cause, text),
        "a missed the deadline of job 0 by 2 ms: its kernels stood still for 5 ms with a share of 0."));
    cause.chief = GRT_CAUSE_LIMITED;
    CU_ASSERT(
        is_text(grt_cause_text(&timeline, &cause, text),
                "a missed the deadline of job 0 by 2 ms: its kernels had only a part of the GPU for 7 ms, 40 "
                "of 100 vprocessors on average."));
    CU_ASSERT_FATAL(grt_cause_of_job(&timeline, C, 0, &cause));
    CU_ASSERT(cause.share == GRT_CAUSE_NO_SHARE && cause.parts[GRT_CAUSE_KERNEL] == 16 * MS &&
              cause.parts[GRT_CAUSE_SHARED] == 2 * MS); /* beside b's second kernel */
    grt_timeline_free(&timeline);
}

/* ---- The text chart ---- */

static void check_drawing(const struct grt_trace_memory *trace, struct grt_text_gantt_options options,
                          const char *expected) {
    char *drawing = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&drawing, &size);
    grt_text_gantt_write(trace, &options, out);
    fclose(out);
    CU_ASSERT(is_text(drawing, expected));
    free(drawing);
}

static void test_drawings(void) {
    struct grt_trace_memory trace = kept();
    check_drawing(&trace, (struct grt_text_gantt_options){.to = 40 * MS, .width = 46, .utf8 = true},
                  "hand: 0s to 40ms, a column is 1ms\n"
                  "  ms  0         10        20        30\n"
                  "      ┬─────────┬─────────┬─────────┬─────────\n"
                  "      ↑         ┊         ✗         ┊\n"
                  "A a   ░░██████████▫▫▫▫▫█████        ┊\n"
                  "      ↑         ┊         ┊         ┊\n"
                  "B b   ┄┄████████┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄██\n"
                  "      ↑         ┊         ┊         ┊        ✗\n"
                  "C c   ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄██████████████████\n"
                  "      ┊         ┊         ┊         ┊\n"
                  "s0    ┊ ▃▃▃▃▃▃▃▃▃▃▫▫▫▫▫▆▆▆▆▆        ▆▆\n"
                  "      ┊ AAAAAAAAAAAAAAAAAAAA        BB\n"
                  "B s1  ┊ ▅▅▅▅▅▅▅▅┊         ┊         ┊\n"
                  "C s2  ┊         ┊         ┊ ██████████████████\n"
                  "↑ release  ✗ missed deadline\n"
                  "┄ ready, waits for a core  ░ waits for the GPU\n"
                  "▫ kernel that stands still: a share of 0\n"
                  "█ kernel\n"
                  "▁ to █ share of the GPU that a stream's kernels may use\n");
    check_drawing(&trace, (struct grt_text_gantt_options){.from = 10 * MS, .to = 20 * MS, .width = 17},
                  "hand: 10ms to 20ms, a column is 1ms\n"
                  "  ms  10\n"
                  "      +---------\n"
                  "      :        !\n"
                  "A a   ##00000###\n"
                  "      :\n"
                  "B b   ----------\n"
                  "      :\n"
                  "C c   ----------\n"
                  "      :\n"
                  "s0    3300000666\n"
                  "      AAAAAAAAAA\n"
                  "B s1  :\n"
                  "C s2  :\n"
                  "! missed deadline\n"
                  "- ready, waits for a core\n"
                  "0 kernel that stands still: a share of 0\n"
                  "# kernel\n"
                  "1 to 8 share of the GPU that a stream's kernels may use\n");
    grt_trace_memory_free(&trace);
}

/* ---- Exports ---- */

static void test_counters(void) {
    struct grt_trace_memory trace = kept();
    const struct grt_export_options window = {.from = 12 * MS, .to = 17 * MS};
    size_t size;
    CU_ASSERT(grt_perfetto_holds(&trace, PATH));
    CU_ASSERT(grt_chrome_holds(&trace, PATH));
    CU_ASSERT(grt_csv_holds(&trace, PATH));
    char *text = grt_exported(grt_export_chrome, &trace, &window, PATH, &size), found[400] = "";
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        const char *time = strstr(line, "\"ts\":");
        if (strstr(line, "\"ph\":\"C\"") != NULL && time != NULL) {
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s\n", time);
        }
    }
    CU_ASSERT(is_text(found, "\"ts\":12000,\"name\":\"s0: share\",\"args\":{\"vprocessors\":0}},\n"
                             "\"ts\":12000,\"name\":\"s1: share\",\"args\":{\"vprocessors\":60}}\n"));
    free(text);
    grt_trace_memory_free(&trace);
}

int main(void) {
    CU_TestInfo tests[] = {{"tracks", test_tracks},     {"odd shares", test_odd_shares},
                           {"spans", test_spans},       {"explanations", test_explanations},
                           {"causes", test_causes},     {"text charts", test_drawings},
                           {"counters", test_counters}, CU_TEST_INFO_NULL};
    return grt_suite_run("what is shown of shares", tests);
}
