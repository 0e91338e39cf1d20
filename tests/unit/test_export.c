/* Exports of a small trace, worked out by hand from docs/exports.md; and that the judge of Perfetto traces can say no. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/random.h"
#include "tests/support/export_check.h"
#include "tests/support/perfetto_lint.h"
#include "tests/support/suite.h"
#include "viz/export/lanes.h"
#include "viz/export/protobuf.h"
#include "viz/export/text.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define PATH GRT_SCRATCH_DIR "/exported"

/* One job of "a, b" that ends 2 us after its deadline: on its core, a copy, a kernel of two blocks at a time on SM 0 and a
 * third behind the first; and one that is unfinished, whose deadline would be behind the end. */
static const struct grt_trace_name names[] = {
    {GRT_NAME_RUN, 0, 0, 0, 0, "small"},       {GRT_NAME_TASK, 0, 0, 0, 0, "a, b"},
    {GRT_NAME_KERNEL, 0, 1, 1, 256, "k\"1"},   {GRT_NAME_CORE, 0, 0, 0, 0, "cpu 0"},
    {GRT_NAME_STREAM, 0, 0, 0, 0, "stream 0"}, {GRT_NAME_ROW, 0, 0, 0, 0, "server"},
    {GRT_NAME_LABEL, 0, 0, 0, 0, "budget"},    {GRT_NAME_ENGINE, 0, 0, 0, 0, "copy"},
    {GRT_NAME_SM, 0, 0, 0, 2048, "SM 0"},
};
static const struct grt_trace_record records[] = {
    {.time = 0, .other = 10000, .kind = GRT_TRACE_RELEASE},
    {.time = 1000, .other = 0, .kind = GRT_TRACE_CPU},
    {.time = 1000, .detail = 1, .kind = GRT_TRACE_GPU_REQUEST},
    {.time = 2500, .other = 1000, .detail = 1 << 16, .kind = GRT_TRACE_COPY},
    {.time = 7001, .other = 2500, .detail = 0, .kind = GRT_TRACE_BLOCK},
    {.time = 7500, .other = 2500, .detail = 1, .kind = GRT_TRACE_BLOCK},
    {.time = 8000, .task = GRT_TRACE_NO_TASK, .kind = GRT_TRACE_ROW_MARK},
    {.time = 12000, .other = 7001, .detail = 2, .kind = GRT_TRACE_BLOCK},
    {.time = 12000, .other = 2500, .detail = 1 << 16 | 1, .kind = GRT_TRACE_KERNEL},
    {.time = 12000, .other = 1000, .detail = 1, .kind = GRT_TRACE_GPU_SEGMENT},
    {.time = 12000, .other = 0, .kind = GRT_TRACE_FINISH, .flags = GRT_TRACE_LATE},
    {.time = 12500, .other = 99000, .job = 1, .kind = GRT_TRACE_RELEASE},
    {.time = 13000, .other = 12500, .job = 1, .kind = GRT_TRACE_UNFINISHED, .flags = GRT_TRACE_OPEN},
};

static struct grt_trace_memory small(void) {
    return (struct grt_trace_memory){.records = (struct grt_trace_record *)(size_t)records,
                                     .record_count = COUNT(records),
                                     .names = (struct grt_trace_name *)(size_t)names,
                                     .name_count = COUNT(names)};
}

static void expect_text(const char *got, const char *expected) {
    if (strcmp(got, expected) != 0) {
        printf("\n    got:\n%s\n    expected:\n%s\n", got, expected);
    }
    CU_ASSERT_STRING_EQUAL(got, expected);
}

static void check_text(grt_export_function *write, const struct grt_export_options *options,
                       const char *expected) {
    const struct grt_trace_memory trace = small();
    size_t size;
    char *text = grt_exported(write, &trace, options, PATH, &size);
    expect_text(text, expected);
    free(text);
}

static void test_csv(void) {
    const struct grt_export_options all = grt_export_all();
    check_text(grt_export_csv, &all,
               "kind,task,job,start_ns,end_ns,row,name,segment,command,grid,block,deadline_ns,flags\n"
               "release,\"a, b\",0,0,0,,,,,,,10000,\n"
               "cpu,\"a, b\",0,0,1000,cpu 0,,0,,,,,\n"
               "gpu-request,\"a, b\",0,1000,1000,,,1,,,,,\n"
               "copy,\"a, b\",0,1000,2500,copy,h2d,1,0,,,,\n"
               "block,\"a, b\",0,2500,7001,SM 0,\"k\"\"1\",,,0,0,,\n"
               "block,\"a, b\",0,2500,7500,SM 0,\"k\"\"1\",,,0,1,,\n"
               "row-mark,,,8000,8000,server,budget,,,,,,\n"
               "block,\"a, b\",0,7001,12000,SM 0,\"k\"\"1\",,,0,2,,\n"
               "kernel,\"a, b\",0,2500,12000,stream 0,\"k\"\"1\",1,1,0,,,\n"
               "gpu-segment,\"a, b\",0,1000,12000,stream 0,,1,,,,,\n"
               "finish,\"a, b\",0,0,12000,,,,,,,,late\n"
               "release,\"a, b\",1,12500,12500,,,,,,,99000,\n"
               "unfinished,\"a, b\",1,12500,13000,,,,,,,,open\n");
}

static void test_chrome(void) {
    const struct grt_export_options all = grt_export_all();
    check_text(
        grt_export_chrome, &all,
        "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
        "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_labels\",\"args\":{\"labels\":\"small\"}},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"Tasks\"}},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"process_sort_index\",\"args\":{\"sort_index\":1}},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"a, b\"}},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":1}},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":2,\"name\":\"thread_name\",\"args\":{\"name\":\"a, b: GPU "
        "segments\"}},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":2,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":2}},\n"
        "{\"ph\":\"M\",\"pid\":2,\"tid\":3,\"name\":\"process_name\",\"args\":{\"name\":\"Policy\"}},\n"
        "{\"ph\":\"M\",\"pid\":2,\"tid\":3,\"name\":\"process_sort_index\",\"args\":{\"sort_index\":2}},\n"
        "{\"ph\":\"M\",\"pid\":2,\"tid\":3,\"name\":\"thread_name\",\"args\":{\"name\":\"server\"}},\n"
        "{\"ph\":\"M\",\"pid\":2,\"tid\":3,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":3}},\n"
        "{\"ph\":\"M\",\"pid\":3,\"tid\":4,\"name\":\"process_name\",\"args\":{\"name\":\"Cores\"}},\n"
        "{\"ph\":\"M\",\"pid\":3,\"tid\":4,\"name\":\"process_sort_index\",\"args\":{\"sort_index\":3}},\n"
        "{\"ph\":\"M\",\"pid\":3,\"tid\":4,\"name\":\"thread_name\",\"args\":{\"name\":\"cpu 0\"}},\n"
        "{\"ph\":\"M\",\"pid\":3,\"tid\":4,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":4}},\n"
        "{\"ph\":\"M\",\"pid\":4,\"tid\":5,\"name\":\"process_name\",\"args\":{\"name\":\"Streams\"}},\n"
        "{\"ph\":\"M\",\"pid\":4,\"tid\":5,\"name\":\"process_sort_index\",\"args\":{\"sort_index\":4}},\n"
        "{\"ph\":\"M\",\"pid\":4,\"tid\":5,\"name\":\"thread_name\",\"args\":{\"name\":\"stream 0\"}},\n"
        "{\"ph\":\"M\",\"pid\":4,\"tid\":5,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":5}},\n"
        "{\"ph\":\"M\",\"pid\":5,\"tid\":6,\"name\":\"process_name\",\"args\":{\"name\":\"Copy engines\"}},\n"
        "{\"ph\":\"M\",\"pid\":5,\"tid\":6,\"name\":\"process_sort_index\",\"args\":{\"sort_index\":5}},\n"
        "{\"ph\":\"M\",\"pid\":5,\"tid\":6,\"name\":\"thread_name\",\"args\":{\"name\":\"copy\"}},\n"
        "{\"ph\":\"M\",\"pid\":5,\"tid\":6,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":6}},\n"
        "{\"ph\":\"M\",\"pid\":6,\"tid\":7,\"name\":\"process_name\",\"args\":{\"name\":\"SMs\"}},\n"
        "{\"ph\":\"M\",\"pid\":6,\"tid\":7,\"name\":\"process_sort_index\",\"args\":{\"sort_index\":6}},\n"
        "{\"ph\":\"M\",\"pid\":6,\"tid\":7,\"name\":\"thread_name\",\"args\":{\"name\":\"SM 0\"}},\n"
        "{\"ph\":\"M\",\"pid\":6,\"tid\":7,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":7}},\n"
        "{\"ph\":\"M\",\"pid\":6,\"tid\":8,\"name\":\"thread_name\",\"args\":{\"name\":\"SM 0 (2)\"}},\n"
        "{\"ph\":\"M\",\"pid\":6,\"tid\":8,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":8}},\n"
        "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":12,\"name\":\"a, "
        "b\",\"args\":{\"job\":0,\"late_ns\":2000}},\n"
        "{\"ph\":\"s\",\"pid\":1,\"tid\":1,\"ts\":0,\"id\":1,\"cat\":\"job\",\"name\":\"job\"},\n"
        "{\"ph\":\"X\",\"pid\":3,\"tid\":4,\"ts\":0,\"dur\":1,\"name\":\"a, b\",\"args\":{\"job\":0}},\n"
        "{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":0,\"s\":\"t\",\"name\":\"release\",\"args\":{\"job\":0}},\n"
        "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":1,\"dur\":11,\"name\":\"a, b: segment "
        "1\",\"args\":{\"job\":0}},\n"
        "{\"ph\":\"t\",\"pid\":1,\"tid\":2,\"ts\":1,\"id\":1,\"cat\":\"job\",\"name\":\"job\"},\n"
        "{\"ph\":\"X\",\"pid\":5,\"tid\":6,\"ts\":1,\"dur\":1.5,\"name\":\"a, b: "
        "h2d\",\"args\":{\"job\":0}},\n"
        "{\"ph\":\"t\",\"pid\":5,\"tid\":6,\"ts\":1,\"id\":1,\"cat\":\"job\",\"name\":\"job\"},\n"
        "{\"ph\":\"X\",\"pid\":4,\"tid\":5,\"ts\":2.5,\"dur\":9.5,\"name\":\"a, b: "
        "k\\\"1\",\"args\":{\"job\":0}},\n"
        "{\"ph\":\"t\",\"pid\":4,\"tid\":5,\"ts\":2.5,\"id\":1,\"cat\":\"job\",\"name\":\"job\"},\n"
        "{\"ph\":\"X\",\"pid\":6,\"tid\":7,\"ts\":2.5,\"dur\":4.501,\"name\":\"a, b: k\\\"1\"},\n"
        "{\"ph\":\"f\",\"pid\":6,\"tid\":7,\"ts\":2.5,\"id\":1,\"cat\":\"job\",\"name\":\"job\",\"bp\":\"e\"}"
        ",\n"
        "{\"ph\":\"X\",\"pid\":6,\"tid\":8,\"ts\":2.5,\"dur\":5,\"name\":\"a, b: k\\\"1\"},\n"
        "{\"ph\":\"X\",\"pid\":6,\"tid\":7,\"ts\":7.001,\"dur\":4.999,\"name\":\"a, b: k\\\"1\"},\n"
        "{\"ph\":\"i\",\"pid\":2,\"tid\":3,\"ts\":8,\"s\":\"t\",\"name\":\"budget\"},\n"
        "{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":10,\"s\":\"t\",\"name\":\"deadline\",\"args\":{\"job\":0}},"
        "\n"
        "{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":10,\"s\":\"t\",\"name\":\"miss\",\"args\":{\"job\":0,"
        "\"late_ns\":2000}},\n"
        "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":12.5,\"dur\":0.5,\"name\":\"a, "
        "b\",\"args\":{\"job\":1,\"end\":\"open\"}},\n"
        "{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":12.5,\"s\":\"t\",\"name\":\"release\",\"args\":{\"job\":1}}"
        "\n"
        "]}\n");
}

/* ---- Perfetto ---- */

static char seen[4000];

static void see_slice(void *state, const struct perfetto_slice *slice) {
    (void)state;
    size_t used = strlen(seen);
    snprintf(seen + used, sizeof seen - used, "%.*s | %.*s %llu %lld\n", (int)slice->track.size,
             slice->track.bytes, (int)slice->name.size, slice->name.bytes, (unsigned long long)slice->start,
             (long long)slice->end);
}

static void see_instant(void *state, const struct perfetto_text *track, const struct perfetto_text *name,
                        uint64_t time) {
    (void)state;
    size_t used = strlen(seen);
    snprintf(seen + used, sizeof seen - used, "%.*s | %.*s %llu\n", (int)track->size, track->bytes,
             (int)name->size, name->bytes, (unsigned long long)time);
}

/* The lint's verdict; lists what was seen in the order of the ends. */
static const char *judge(const char *bytes, size_t size) {
    struct perfetto_contents contents = {.slice = see_slice, .instant = see_instant};
    seen[0] = '\0';
    return grt_perfetto_lint((const unsigned char *)bytes, size, &contents);
}

static char *export_small(size_t *size) {
    const struct grt_trace_memory trace = small();
    const struct grt_export_options all = grt_export_all();
    return grt_exported(grt_export_perfetto, &trace, &all, PATH, size);
}

static void test_perfetto(void) {
    size_t size;
    char *bytes = export_small(&size);
    CU_ASSERT_PTR_NULL(judge(bytes, size));
    expect_text(seen, "a, b | release 0\n"
                      "cpu 0 | a, b 0 1000\n"
                      "copy | a, b: h2d 1000 2500\n"
                      "SM 0 | a, b: k\"1 2500 7001\n"
                      "SM 0 (2) | a, b: k\"1 2500 7500\n"
                      "server | budget 8000\n"
                      "a, b | deadline 10000\n"
                      "a, b | miss 10000\n"
                      "SM 0 | a, b: k\"1 7001 12000\n"
                      "stream 0 | a, b: k\"1 2500 12000\n"
                      "a, b: GPU segments | a, b: segment 1 1000 12000\n"
                      "a, b | a, b 0 12000\n"
                      "a, b | release 12500\n"
                      "a, b | a, b 12500 -1\n");
    free(bytes);
}

/* A block is a begin and an end of 36 bytes together, where tracks and names are few and times are some seconds. */
static void test_perfetto_size(void) {
    enum { BLOCKS = 1000 };
    static struct grt_trace_record blocks[BLOCKS + 1];
    struct grt_trace_memory trace = small();
    const struct grt_export_options all = grt_export_all();
    size_t empty, full;
    for (int i = 0; i <= BLOCKS; i++) {
        blocks[i] = (struct grt_trace_record){.time = 3000000000 + i + 1,
                                              .other = 3000000000 + i,
                                              .detail = i < BLOCKS ? (uint32_t)i : 1 << 16 | 1,
                                              .kind = i < BLOCKS ? GRT_TRACE_BLOCK : GRT_TRACE_KERNEL};
    }
    blocks[BLOCKS].other = 3000000000;
    trace.records = blocks + BLOCKS;
    trace.record_count = 1;
    free(grt_exported(grt_export_perfetto, &trace, &all, PATH, &empty));
    trace.records = blocks;
    trace.record_count = BLOCKS + 1;
    free(grt_exported(grt_export_perfetto, &trace, &all, PATH, &full));
    CU_ASSERT_EQUAL((full - empty) / BLOCKS, 36);
    free(grt_exported(grt_export_chrome, &trace, &all, PATH, &full));
    CU_ASSERT(full / BLOCKS <= 80);
}

/* ---- Names ---- */

static void check_clean(const char *name, const char *expected) {
    struct grt_arena arena = {0};
    expect_text(grt_export_clean_name(&arena, name), expected);
    grt_arena_clear(&arena);
}

/* What is not UTF-8: bytes alone, overlong forms, surrogates, beyond the last character, cut at the end. */
static void test_names(void) {
#define BAD "\xef\xbf\xbd"
    check_clean("", "");
    check_clean("gr\xc3\xb6\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80",
                "gr\xc3\xb6\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80");
    check_clean("a\xffz", "a" BAD "z");
    check_clean("\xc0\x80", BAD BAD);
    check_clean("\xe0\x9f\xbf", BAD BAD BAD);
    check_clean("\xed\xa0\x80", BAD BAD BAD);
    check_clean("\xf4\x90\x80\x80", BAD BAD BAD BAD);
    check_clean("\xe2\x82", BAD BAD);
    char text[200] = "", cut[GRT_EXPORT_NAME_LIMIT + 1] = "";
    memset(text, 'x', sizeof text - 1);
    memset(cut, 'x', GRT_EXPORT_NAME_LIMIT);
    check_clean(text, cut);
    memcpy(text + GRT_EXPORT_NAME_LIMIT - 1, "\xc3\xb6", 2);
    cut[GRT_EXPORT_NAME_LIMIT - 1] = '\0';
    check_clean(text, cut);
}

/* ---- Lanes ---- */

/* The lowest lane is taken, whatever was given back before. */
static void test_free_lanes(void) {
    enum { LANES = 40, STEPS = 20000 };
    struct grt_free_lanes lanes = {0};
    struct grt_random random = grt_random_stream(1, "lanes", 0, 0);
    bool taken[LANES + 1] = {false};
    uint32_t count = 0;
    for (int i = 0; i < STEPS; i++) {
        uint32_t lowest = 0, chosen = (uint32_t)grt_random_below(&random, LANES);
        while (taken[lowest]) {
            lowest++;
        }
        if (taken[chosen]) {
            grt_free_lanes_give(&lanes, chosen);
            taken[chosen] = false;
            count--;
        } else if (count < LANES) {
            uint32_t lane = grt_free_lanes_take(&lanes);
            CU_ASSERT_EQUAL_FATAL(lane, lowest);
            taken[lane] = true;
            count++;
        }
    }
    CU_ASSERT(lanes.opened > LANES / 4 && lanes.opened <= LANES);
    free(lanes.items);
}

/* What takes no time is before what starts at the same instant, so that both have room on one lane. */
static void test_no_time(void) {
    static const struct grt_trace_record calls[] = {
        {.time = 5, .other = 5, .detail = 7, .kind = GRT_TRACE_CALL},
        {.time = 5, .other = 0, .detail = 8, .kind = GRT_TRACE_CALL},
        {.time = 5, .other = 5, .detail = 9, .kind = GRT_TRACE_CALL},
        {.time = 9, .other = 5, .detail = 1 << 16 | 1, .kind = GRT_TRACE_KERNEL}};
    struct grt_trace_memory trace = small();
    const struct grt_export_options all = grt_export_all();
    size_t size;
    trace.records = (struct grt_trace_record *)(size_t)calls;
    trace.record_count = COUNT(calls);
    char *bytes = grt_exported(grt_export_perfetto, &trace, &all, PATH, &size);
    CU_ASSERT_PTR_NULL(judge(bytes, size));
    expect_text(seen, "stream 0 | a, b: call 0 5\n"
                      "stream 0 | a, b: call 5 5\n"
                      "stream 0 | a, b: call 5 5\n"
                      "stream 0 | a, b: k\"1 5 9\n");
    free(bytes);
}

/* Blocks are of the next kernel of the same grid, not of any. */
static void test_grids(void) {
    static const struct grt_trace_record launched[] = {
        {.time = 4, .other = 1, .row = 3 << 16, .kind = GRT_TRACE_BLOCK},
        {.time = 5, .other = 0, .row = 0, .kind = GRT_TRACE_BLOCK},
        {.time = 5, .other = 0, .row = 0, .detail = 9, .kind = GRT_TRACE_KERNEL},
        {.time = 6, .other = 1, .row = 3 << 16, .detail = 1 << 16 | 1, .kind = GRT_TRACE_KERNEL},
        {.time = 7, .other = 6, .row = 0, .kind = GRT_TRACE_BLOCK}};
    struct grt_trace_memory trace = small();
    const struct grt_export_options all = grt_export_all();
    size_t size;
    trace.records = (struct grt_trace_record *)(size_t)launched;
    trace.record_count = COUNT(launched);
    char *text = grt_exported(grt_export_csv, &trace, &all, PATH, &size);
    expect_text(strchr(text, '\n') + 1, "block,\"a, b\",0,1,4,SM 0,\"k\"\"1\",,,3,0,,\n"
                                        "block,\"a, b\",0,0,5,SM 0,,,,0,0,,\n"
                                        "kernel,\"a, b\",0,0,5,stream 0,,0,9,0,,,\n"
                                        "kernel,\"a, b\",0,1,6,stream 0,\"k\"\"1\",1,1,3,,,\n"
                                        "block,\"a, b\",0,6,7,SM 0,,,,0,0,,\n");
    free(text);
}

/* Blocks of pinned kernels, and their lost work. */
static void test_pinned(void) {
    static const struct grt_trace_record pinned[] = {
        {.time = 4, .other = 1, .kind = GRT_TRACE_BLOCK, .flags = GRT_TRACE_GOES_ON},
        {.time = 4, .other = 1, .detail = 7, .kind = GRT_TRACE_BLOCK, .flags = GRT_TRACE_EXITED},
        {.time = 6, .other = 99, .detail = 1 << 16 | 1, .kind = GRT_TRACE_LOST_ITEMS},
        {.time = 6, .other = 1, .detail = 1 << 16 | 1, .kind = GRT_TRACE_KERNEL}};
    struct grt_trace_memory trace = small();
    const struct grt_export_options all = grt_export_all();
    size_t size;
    trace.records = (struct grt_trace_record *)(size_t)pinned;
    trace.record_count = COUNT(pinned);
    char *text = grt_exported(grt_export_csv, &trace, &all, PATH, &size);
    expect_text(strchr(text, '\n') + 1, "block,\"a, b\",0,1,4,SM 0,\"k\"\"1\",,,0,0,,goes-on\n"
                                        "block,\"a, b\",0,1,4,SM 0,\"k\"\"1\",,,0,7,,exited\n"
                                        "lost-items,\"a, b\",0,6,6,stream 0,\"k\"\"1\",1,1,0,99,,\n"
                                        "kernel,\"a, b\",0,1,6,stream 0,\"k\"\"1\",1,1,0,,,\n");
    free(text);
    text = grt_exported(grt_export_chrome, &trace, &all, PATH, &size);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"name\":\"a, b: k\\\"1\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"name\":\"a, b: k\\\"1 exits\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"name\":\"work lost: k\\\"1\""));
    free(text);
}

/* The share of a stream is its stream's, and a number. */
static void test_share_lines(void) {
    static const struct grt_trace_record shares[] = {
        {.time = 4, .other = 35, .task = GRT_TRACE_NO_TASK, .kind = GRT_TRACE_SHARE},
        {.time = 6, .other = 0, .row = 7, .task = GRT_TRACE_NO_TASK, .kind = GRT_TRACE_SHARE}};
    struct grt_trace_memory trace = small();
    const struct grt_export_options all = grt_export_all();
    size_t size;
    trace.records = (struct grt_trace_record *)(size_t)shares;
    trace.record_count = COUNT(shares);
    char *text = grt_exported(grt_export_csv, &trace, &all, PATH, &size);
    expect_text(strchr(text, '\n') + 1, "share,,,4,4,stream 0,35,,,,,,\n"
                                        "share,,,6,6,stream 7,0,,,,,,\n");
    free(text);
}

/* ---- What is exported ---- */

static size_t count_lines(const char *text, const char *start) {
    size_t count = 0;
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        count += strncmp(line, start, strlen(start)) == 0;
    }
    return count;
}

static void test_window(void) {
    struct grt_export_options options = {.from = 7001, .to = 7500};
    check_text(grt_export_csv, &options,
               "kind,task,job,start_ns,end_ns,row,name,segment,command,grid,block,deadline_ns,flags\n"
               "block,\"a, b\",0,2500,7500,SM 0,\"k\"\"1\",,,0,1,,\n"
               "block,\"a, b\",0,7001,12000,SM 0,\"k\"\"1\",,,0,2,,\n"
               "kernel,\"a, b\",0,2500,12000,stream 0,\"k\"\"1\",1,1,0,,,\n"
               "gpu-segment,\"a, b\",0,1000,12000,stream 0,,1,,,,,\n"
               "finish,\"a, b\",0,0,12000,,,,,,,,late\n");
    const struct grt_trace_memory trace = small();
    options = (struct grt_export_options){.from = 10000, .to = 10001};
    size_t size;
    char *bytes = grt_exported(grt_export_perfetto, &trace, &options, PATH, &size);
    CU_ASSERT_PTR_NULL(judge(bytes, size));
    CU_ASSERT_PTR_NOT_NULL(strstr(seen, "a, b | miss 10000\n"));
    CU_ASSERT_PTR_NULL(strstr(seen, "cpu 0"));
    free(bytes);
}

static void test_rows(void) {
    struct grt_row_patterns patterns = {0};
    struct grt_errors errors = {0};
    const struct grt_trace_memory trace = small();
    CU_ASSERT(grt_row_patterns_add(&patterns, "sm:*,cpu*", &errors));
    CU_ASSERT(grt_export_check_rows(&trace, &patterns, &errors));
    struct grt_export_options options = {.from = 0, .to = GRT_TIME_NEVER, .rows = &patterns};
    size_t size;
    char *text = grt_exported(grt_export_csv, &trace, &options, PATH, &size);
    CU_ASSERT_EQUAL(count_lines(text, "block,"), 3);
    CU_ASSERT_EQUAL(count_lines(text, "cpu,"), 1);
    CU_ASSERT_EQUAL(count_lines(text, ""), 5 + 1);
    free(text);
    /* A flow of which one step is left is none. */
    char *bytes = grt_exported(grt_export_perfetto, &trace, &options, PATH, &size);
    CU_ASSERT_PTR_NULL(judge(bytes, size));
    CU_ASSERT_EQUAL(count_lines(seen, "SM 0"), 3);
    CU_ASSERT_EQUAL(count_lines(seen, ""), 4 + 1);
    free(bytes);
    CU_ASSERT(grt_row_patterns_add(&patterns, "SM 7", &errors));
    CU_ASSERT_FALSE(grt_export_check_rows(&trace, &patterns, &errors));
    CU_ASSERT_STRING_EQUAL(errors.messages[0], "no row is called \"SM 7\"");
    grt_errors_clear(&errors);
    grt_row_patterns_free(&patterns);
}

static void test_empty(void) {
    const struct grt_trace_memory nothing = {0};
    const struct grt_export_options all = grt_export_all();
    CU_ASSERT(grt_perfetto_holds(&nothing, PATH));
    CU_ASSERT(grt_chrome_holds(&nothing, PATH));
    CU_ASSERT(grt_csv_holds(&nothing, PATH));
    struct grt_trace_memory trace = small();
    trace.record_count = 0;
    CU_ASSERT(grt_perfetto_holds(&trace, PATH) && grt_chrome_holds(&trace, PATH) &&
              grt_csv_holds(&trace, PATH));
    size_t size;
    free(grt_exported(grt_export_perfetto, &trace, &all, PATH, &size));
    CU_ASSERT(size < 100);
}

/* Times at the ends of what a trace can say. */
static void test_extremes(void) {
    static const struct grt_trace_record extreme[] = {
        {.time = 0, .other = INT64_MIN, .kind = GRT_TRACE_RELEASE},
        {.time = 0, .other = 0, .kind = GRT_TRACE_CPU},
        {.time = GRT_TIME_NEVER, .other = 0, .job = UINT32_MAX, .kind = GRT_TRACE_FINISH, .flags = 255 & ~16},
        {.time = GRT_TIME_NEVER, .other = GRT_TIME_NEVER, .kind = GRT_TRACE_CPU, .row = UINT32_MAX},
        {.time = GRT_TIME_NEVER, .other = GRT_TIME_NEVER - 1, .kind = GRT_TRACE_BLOCK, .row = UINT32_MAX}};
    struct grt_trace_memory trace = small();
    trace.records = (struct grt_trace_record *)(size_t)extreme;
    trace.record_count = COUNT(extreme);
    CU_ASSERT(grt_perfetto_holds(&trace, PATH));
    CU_ASSERT(grt_csv_holds(&trace, PATH));
}

/* ---- The lint says no ---- */

enum { MOST_PACKETS = 100, MOST_BYTES = 20000 };

struct packets {
    unsigned char bytes[MOST_BYTES];
    size_t starts[MOST_PACKETS + 1];
    size_t count;
};

static void split(struct packets *packets) {
    size_t size;
    char *bytes = export_small(&size);
    CU_ASSERT_FATAL(size < MOST_BYTES);
    memcpy(packets->bytes, bytes, size);
    free(bytes);
    packets->count = 0;
    for (size_t at = 0; at < size;) {
        packets->starts[packets->count++] = at;
        size_t length = packets->bytes[at + 1] & 0x7f, head = 2;
        if (packets->bytes[at + 1] >= 0x80) {
            length |= (size_t)packets->bytes[at + 2] << 7;
            head = 3;
        }
        at += head + length;
    }
    packets->starts[packets->count] = size;
}

/* The packets in another order, given as numbers; -1 ends them, and others stay away. */
static void expect_order(const struct packets *packets, const int *order, const char *fault) {
    char bytes[2 * MOST_BYTES];
    size_t size = 0;
    for (; *order >= 0; order++) {
        size_t start = packets->starts[*order], length = packets->starts[*order + 1] - start;
        memcpy(bytes + size, packets->bytes + start, length);
        size += length;
    }
    const char *got = judge(bytes, size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(got);
    expect_text(got, fault);
}

/* All packets but `left_out`, with `moved` in front of `before`; -1: none. */
static void expect_changed(const struct packets *packets, int left_out, int moved, int before,
                           const char *fault) {
    int order[2 * MOST_PACKETS], count = 0;
    for (int i = 0; i < (int)packets->count; i++) {
        if (i == before) {
            order[count++] = moved;
        }
        if (i != left_out && i != moved) {
            order[count++] = i;
        }
    }
    order[count] = -1;
    expect_order(packets, order, fault);
}

/* The number of the nth packet in which bytes occur. */
static int find(const struct packets *packets, const void *bytes, size_t size, int nth) {
    for (int i = 0; i < (int)packets->count; i++) {
        for (size_t at = packets->starts[i]; at + size <= packets->starts[i + 1]; at++) {
            if (memcmp(packets->bytes + at, bytes, size) == 0 && nth-- == 0) {
                return i;
            }
        }
    }
    CU_FAIL_FATAL("the small trace has changed");
    return 0;
}

/* Changes bytes of one packet and expects a fault. */
static void expect_patched(const struct packets *packets, int packet, const void *from, const void *to,
                           size_t size, const char *fault) {
    struct packets changed = *packets;
    for (size_t at = changed.starts[packet]; at + size <= changed.starts[packet + 1]; at++) {
        if (memcmp(changed.bytes + at, from, size) == 0) {
            memcpy(changed.bytes + at, to, size);
            const char *got = judge((char *)changed.bytes, changed.starts[changed.count]);
            CU_ASSERT_PTR_NOT_NULL_FATAL(got);
            expect_text(got, fault);
            return;
        }
    }
    CU_FAIL("the small trace has changed");
}

/* A packet that describes a track, put behind the whole file: of a process (field 3) or thread (field 4), with a parent. */
static void expect_described(const struct packets *packets, uint32_t kind, uint64_t uuid, uint64_t tid,
                             uint64_t parent, const char *fault) {
    unsigned char owner[40], track[60], packet[80], bytes[MOST_BYTES + 100];
    size_t size = packets->starts[packets->count];
    unsigned char *at = grt_protobuf_number(grt_protobuf_number(owner, 1, 1), 2, tid);
    unsigned char *end = grt_protobuf_number(grt_protobuf_number(track, 1, uuid), 11, 3);
    end = grt_protobuf_bytes(end, kind, owner, (size_t)(at - owner));
    end = parent > 0 ? grt_protobuf_number(end, 5, parent) : end;
    at = grt_protobuf_number(packet, 10, 1);
    at = grt_protobuf_bytes(at, 60, track, (size_t)(end - track));
    memcpy(bytes, packets->bytes, size);
    end = grt_protobuf_bytes(bytes + size, 1, packet, (size_t)(at - packet));
    const char *got = judge((char *)bytes, (size_t)(end - bytes));
    CU_ASSERT((got == NULL) == (fault == NULL));
    expect_text(got != NULL ? got : "", fault != NULL ? fault : "");
}

static void test_lint_says_no_to_tracks(void) {
    static struct packets packets;
    split(&packets);
    expect_described(&packets, 4, 1000, 1000, 0, NULL);
    expect_described(&packets, 4, 1000, 1000, 1, "4: a process or thread with a parent");
    expect_described(&packets, 3, 1000, 1000, 1, "4: a process or thread with a parent");
    expect_described(&packets, 4, 1000, 5, 0, "6: two threads with one tid");
    expect_described(&packets, 4, 9, 1000, 0, "3: a track without number, or described twice");
    expect_described(&packets, 4, 0, 1000, 0, "3: a track without number, or described twice");
}

static void test_lint_says_no(void) {
    static struct packets packets;
    split(&packets);
    int first_event = find(&packets, "\x48\x01\x58", 3, 0), first_end = find(&packets, "\x48\x02\x58", 3, 0);
    int second_event = find(&packets, "\x48\x01\x58", 3, 1), thread = find(&packets, "cpu 0", 5, 0);
    int server = find(&packets, "server", 6, 0), group = find(&packets, "Policy", 6, 0);
    int last_flow = find(&packets, "\x81\x03", 2, 0), mark = find(&packets, "\x48\x03\x58", 3, 1);
    expect_patched(&packets, second_event, "\x50\x01", "\x50\x02", 2, "1: a packet of another sequence");
    expect_patched(&packets, server, "\x50\x01", "\x50\x00", 2, "1: a packet of another sequence");
    expect_changed(&packets, 0, -1, -1,
                   "2: names and the clearing of the state belong into the first packet");
    expect_patched(&packets, 0, "\x68\x03", "\x68\x02", 2,
                   "2: names and the clearing of the state belong into the first packet");
    expect_patched(&packets, mark, "\x68\x02", "\x68\x00", 2, "2: names are used without the state");
    expect_patched(&packets, first_event, "\x48\x01\x58\x09\x50", "\x48\x01\x58\x09\x40", 5,
                   "0: an unknown field in an event");
    expect_changed(&packets, server, -1, -1, "3: an event before its track");
    expect_changed(&packets, group, -1, -1, "3: a track before its parent");
    expect_changed(&packets, -1, server, group, "3: a track before its parent");
    expect_changed(&packets, first_event, -1, -1, "5: an end without a begin");
    expect_changed(&packets, -1, first_end, first_event, "5: an end without a begin");
    expect_patched(&packets, server, "\x78\x02", "\x78\x00", 2, "5: a track that may be merged with others");
    expect_patched(&packets, server, "\x58\x03", "\x58\x01", 2,
                   "5: a track whose children are not ordered by rank");
    expect_changed(&packets, -1, (int)packets.count - 1, first_end, "6: time goes back");
    expect_patched(&packets, thread, "\x10\x05", "\x10\x00", 2, "6: a pid or tid of 0");
    expect_patched(&packets, thread, "\x08\x01\x10", "\x08\x02\x10", 3,
                   "3: a thread of a process that was not described");
    expect_changed(&packets, last_flow, -1, -1, "5: an end without a begin");
    expect_patched(&packets, last_flow, "\x81\x03", "\xf9\x02", 2, "7: a flow without an end");
    expect_patched(&packets, find(&packets, "\xf9\x02", 2, 1), "\xf9\x02", "\x81\x03", 2,
                   "7: a flow goes on behind its end");
    expect_patched(&packets, find(&packets, "\xf9\x02", 2, 0), "\xf9\x02", "\x81\x03", 2,
                   "7: a flow of one step");
}

int main(void) {
    CU_TestInfo tests[] = {{"csv", test_csv},
                           {"chrome", test_chrome},
                           {"perfetto", test_perfetto},
                           {"size", test_perfetto_size},
                           {"names", test_names},
                           {"free lanes", test_free_lanes},
                           {"no time", test_no_time},
                           {"grids", test_grids},
                           {"pinned kernels", test_pinned},
                           {"lines of shares", test_share_lines},
                           {"window", test_window},
                           {"rows", test_rows},
                           {"empty", test_empty},
                           {"extremes", test_extremes},
                           {"the lint says no", test_lint_says_no},
                           {"the lint says no to tracks", test_lint_says_no_to_tracks},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("export", tests);
}
