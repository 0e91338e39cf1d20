/* Search: what texts mean, and the way from hit to hit. */
#include <stdio.h>
#include <string.h>

#include "tests/support/small_timeline.h"
#include "tests/support/suite.h"
#include "viz/answers/search.h"
#include "viz/answers/search_text.h"

static const struct grt_trace_name names[] = {
    {.kind = GRT_NAME_TASK, .index = 0, .text = "detect"},
    {.kind = GRT_NAME_TASK, .index = 1, .text = "Stage 1"},
    {.kind = GRT_NAME_TASK, .index = 2, .text = ""},
    {.kind = GRT_NAME_ROW, .index = 0, .text = "server"},
    {.kind = GRT_NAME_STREAM, .index = 0, .text = "stream 0"},
    {.kind = GRT_NAME_SM, .index = 0, .weight = 64, .text = "SM 0"},
    {.kind = GRT_NAME_SM, .index = 1, .weight = 64, .text = "SM 1"},
    {.kind = GRT_NAME_LABEL, .index = 0, .text = "overrun"},
    {.kind = GRT_NAME_LABEL, .index = 1, .text = "slot"},
    {.kind = GRT_NAME_KERNEL, .index = 0, .segment = 1, .command = 0, .weight = 32, .text = "blur"},
    {.kind = GRT_NAME_KERNEL, .index = 1, .segment = 1, .command = 0, .weight = 32, .text = "Blur 2"},
    {.kind = GRT_NAME_CALL, .index = 0, .segment = 1, .command = 1, .text = "wait frame"},
};
enum { DETECT, STAGE, EMPTY, SERVER, STREAM, SM_0, SM_1 };

#define PLACE (1u << 16)

static const struct grt_trace_record records[] = {
    {.time = 5, .other = 1, .task = 0, .job = 0, .detail = PLACE, .kind = GRT_TRACE_KERNEL},
    {.time = 6, .other = 6, .task = 0, .job = 0, .detail = PLACE + 1, .kind = GRT_TRACE_CALL},
    {.time = 6, .other = 0, .task = 0, .job = 0, .kind = GRT_TRACE_FINISH},
    {.time = 8, .other = 7, .detail = 1, .kind = GRT_TRACE_ROW_SLICE, .task = GRT_TRACE_NO_TASK},
    {.time = 9, .detail = 0, .kind = GRT_TRACE_ROW_MARK, .task = GRT_TRACE_NO_TASK},
    {.time = 10, .other = 2, .task = 1, .job = 0, .detail = PLACE, .kind = GRT_TRACE_KERNEL},
    {.time = 10, .other = 1, .task = 1, .job = 0, .kind = GRT_TRACE_FINISH},
    {.time = 11, .other = 10, .task = 0, .job = 1, .detail = PLACE, .kind = GRT_TRACE_KERNEL},
    {.time = 11, .other = 7, .task = 0, .job = 1, .kind = GRT_TRACE_FINISH},
    {.time = 12, .other = 12, .task = 2, .job = 7, .kind = GRT_TRACE_SKIP},
    {.time = 13, .other = 20, .task = 1, .job = 3, .kind = GRT_TRACE_RELEASE},
};

static struct grt_timeline timeline;

/* All hits in their order, as "row part end", with the rows first. */
static const char *hits_of(const char *text) {
    static char list[400];
    static const char *const parts[GRT_PARTS] = {
        [GRT_PART_JOB] = "job",  [GRT_PART_KERNEL] = "kernel", [GRT_PART_CALL] = "call",
        [GRT_PART_OWN] = "own",  [GRT_PART_OWN_MARK] = "mark", [GRT_PART_WINDOW] = "window",
        [GRT_PART_SIGN] = "sign"};
    struct grt_search search;
    struct grt_search_hit hit = {.place = {GRT_NOWHERE, 0, 0}};
    size_t length = 0;
    list[0] = '\0';
    grt_search_make(&search, &timeline, text);
    for (uint64_t i = 0; i < search.hit_count && search.kind != GRT_SEARCH_INSTANT; i++) {
        struct grt_place from = hit.place;
        CU_ASSERT(grt_search_next(&search, &from, &hit));
        CU_ASSERT(hit.number == i && !hit.wrapped);
        const struct grt_row *row = &timeline.rows[hit.place.row];
        length += (size_t)(hit.place.number == GRT_NO_SLICE
                               ? snprintf(list + length, sizeof list - length, "[%u] ", hit.place.row)
                               : snprintf(list + length, sizeof list - length, "%u %s %d, ", hit.place.row,
                                          parts[row->tracks[hit.place.track].part], (int)hit.instant));
    }
    if (search.hit_count > 0 && search.kind != GRT_SEARCH_INSTANT) {
        struct grt_place from = hit.place;
        CU_ASSERT(grt_search_next(&search, &from, &hit));
        CU_ASSERT(hit.number == 0 && hit.wrapped);
        from = hit.place;
        CU_ASSERT(grt_search_previous(&search, &from, &hit));
        CU_ASSERT(hit.number == search.hit_count - 1 && hit.wrapped);
    }
    grt_search_free(&search);
    return list;
}

static void texts(void) {
    CU_ASSERT_STRING_EQUAL(hits_of("DETECT"), "[0] 0 job 6, 0 job 11, ");
    CU_ASSERT_STRING_EQUAL(hits_of("  tec\t"), "[0] 0 job 6, 0 job 11, ");
    CU_ASSERT_STRING_EQUAL(hits_of("blur"), "0 kernel 5, 1 kernel 10, 0 kernel 11, ");
    CU_ASSERT_STRING_EQUAL(hits_of("blur 2"), "1 kernel 10, ");
    CU_ASSERT_STRING_EQUAL(hits_of("frame"), "4 call 6, ");
    CU_ASSERT_STRING_EQUAL(hits_of("slot"), "3 own 8, ");
    CU_ASSERT_STRING_EQUAL(hits_of("overRUN"), "3 mark 9, ");
    CU_ASSERT_STRING_EQUAL(hits_of("sm"), "[5] [6] ");
    CU_ASSERT_STRING_EQUAL(hits_of("sm 1"), "[6] ");
    CU_ASSERT_STRING_EQUAL(hits_of("e"), "[0] [1] [3] [4] 0 job 6, 4 call 6, 3 mark 9, 1 job 10, 0 job 11, ");
    CU_ASSERT_STRING_EQUAL(hits_of("nothing of it"), "");
    CU_ASSERT_STRING_EQUAL(hits_of(" "), "");
}

static void jobs(void) {
    CU_ASSERT_STRING_EQUAL(hits_of("detect 1"), "0 job 11, ");
    CU_ASSERT_STRING_EQUAL(hits_of("Detect#1"), "0 job 11, ");
    CU_ASSERT_STRING_EQUAL(hits_of("det # 0001"), "0 job 11, ");
    CU_ASSERT_STRING_EQUAL(hits_of("#0"), "0 job 6, 1 job 10, ");
    CU_ASSERT_STRING_EQUAL(hits_of("stage 1 0"), "1 job 10, ");
    CU_ASSERT_STRING_EQUAL(hits_of("stage 1"), "[1] 1 job 10, ");
    CU_ASSERT_STRING_EQUAL(hits_of("#3"), "1 window 20, "); /* released, with a deadline at 20 */
    CU_ASSERT_STRING_EQUAL(hits_of("#7"), "2 sign 12, ");
    CU_ASSERT_STRING_EQUAL(hits_of("#4"), "");
    CU_ASSERT_STRING_EQUAL(hits_of("sm 7"), "");
    CU_ASSERT_STRING_EQUAL(hits_of("detect1"), "");
}

static void expect(const char *text, enum grt_search_kind kind, const char *part, uint32_t job,
                   grt_time instant, const char *error) {
    struct grt_search search;
    grt_search_make(&search, &timeline, text);
    CU_ASSERT_EQUAL(search.kind, kind);
    CU_ASSERT_STRING_EQUAL(search.text, part);
    CU_ASSERT_EQUAL(search.job, job);
    CU_ASSERT_EQUAL(search.instant, instant);
    CU_ASSERT_STRING_EQUAL(search.error != NULL ? search.error : "", error);
    grt_search_free(&search);
}

static void meanings(void) {
    expect("\t ", GRT_SEARCH_EMPTY, "", 0, 0, "");
    expect("sm 12", GRT_SEARCH_TEXT, "sm 12", 0, 0, "");
    expect("detect 12", GRT_SEARCH_JOB, "detect", 12, 0, "");
    expect("#4294967295", GRT_SEARCH_JOB, "", 4294967295, 0, "");
    expect("@12.5ms", GRT_SEARCH_INSTANT, "@12.5ms", 0, 12500000, "");
    expect("@ 0.000000001 s", GRT_SEARCH_INSTANT, "@ 0.000000001 s", 0, 1, "");
    expect("@1h", GRT_SEARCH_INSTANT, "@1h", 0, 3600000000000, "");
    expect("@12.5", GRT_SEARCH_WRONG, "@12.5", 0, 0, "must end in a unit of time (ns, us, ms, s, min, h)");
    expect("@0.5ns", GRT_SEARCH_WRONG, "@0.5ns", 0, 0, "must be a whole number of nanoseconds");
    expect("@99999999999999999999h", GRT_SEARCH_WRONG, "@99999999999999999999h", 0, 0,
           "must be at most 1000000000s");
    expect("@", GRT_SEARCH_WRONG, "@", 0, 0, "must be a duration such as \"250us\"");
}

static void wrong_jobs(void) {
    struct grt_search search;
    grt_search_make(&search, &timeline, "#4294967296");
    CU_ASSERT_EQUAL(search.kind, GRT_SEARCH_WRONG);
    CU_ASSERT_STRING_EQUAL(search.error, "must be a number of a job, at most 4294967295");
    grt_search_free(&search);
    grt_search_make(&search, &timeline, "#99999999999999999999999999999999");
    CU_ASSERT_EQUAL(search.kind, GRT_SEARCH_WRONG);
    grt_search_free(&search);
}

static bool at(const struct grt_search_hit *hit, grt_time instant, bool wrapped) {
    return hit->instant == instant && hit->wrapped == wrapped;
}

/* Kernels named blur end at 5, 10 and 11. */
static void instants(void) {
    struct grt_search search;
    struct grt_search_hit hit;
    grt_search_make(&search, &timeline, "blur");
    CU_ASSERT(grt_search_next_at(&search, 5, &hit) && at(&hit, 10, false));
    CU_ASSERT(grt_search_next_at(&search, 4, &hit) && at(&hit, 5, false));
    CU_ASSERT(grt_search_next_at(&search, 11, &hit) && at(&hit, 5, true));
    CU_ASSERT(grt_search_previous_at(&search, 5, &hit) && at(&hit, 5, false));
    CU_ASSERT(grt_search_previous_at(&search, 4, &hit) && at(&hit, 11, true));
    grt_search_free(&search);
    grt_search_make(&search, &timeline, "@7ns");
    CU_ASSERT(grt_search_next_at(&search, 99, &hit) && at(&hit, 7, false));
    CU_ASSERT_EQUAL(hit.place.row, GRT_NOWHERE);
    grt_search_free(&search);
    grt_search_make(&search, &timeline, "nowhere");
    CU_ASSERT_FALSE(grt_search_next_at(&search, 0, &hit));
    grt_search_free(&search);
}

/* From a place that is no hit, and from a row. */
static void from_places(void) {
    struct grt_search search;
    struct grt_search_hit hit;
    grt_search_make(&search, &timeline, "blur");
    struct grt_place call = {STREAM, 1, 0}, row = {SERVER, 0, GRT_NO_SLICE};
    CU_ASSERT_EQUAL(timeline.rows[STREAM].tracks[1].part, GRT_PART_CALL);
    CU_ASSERT(grt_search_next(&search, &call, &hit) && at(&hit, 10, false));
    CU_ASSERT(grt_search_previous(&search, &call, &hit) && at(&hit, 5, false));
    CU_ASSERT(grt_search_next(&search, &row, &hit) && at(&hit, 5, false));
    CU_ASSERT(grt_search_previous(&search, &row, &hit) && at(&hit, 11, true));
    grt_search_free(&search);
}

static void words(void) {
    CU_ASSERT(grt_search_contains("abcABD", "cabd"));
    CU_ASSERT_FALSE(grt_search_contains("abc", "abcd"));
    CU_ASSERT(grt_search_contains("gr\xc3\xb6\xff", "\xb6"));
    CU_ASSERT_FALSE(grt_search_contains("\xc3\x84", "\xc3\xa4"));
    CU_ASSERT_FALSE(grt_search_contains("[", "{"));
}

static CU_TestInfo tests[] = {
    {"texts find rows, jobs, kernels, calls and labels", texts},
    {"jobs by number", jobs},
    {"what texts mean", meanings},
    {"numbers of jobs that are too large", wrong_jobs},
    {"from an instant", instants},
    {"from any place", from_places},
    {"letters", words},
    CU_TEST_INFO_NULL,
};

int main(void) {
    grt_small_timeline(&timeline, names, sizeof names / sizeof names[0], records,
                       sizeof records / sizeof records[0]);
    int result = grt_suite_run("search", tests);
    grt_timeline_free(&timeline);
    return result;
}
