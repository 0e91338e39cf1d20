#include "tests/support/answer_trace.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct grt_trace_name names[] = {
    {GRT_NAME_RUN, 0, 0, 0, 0, "small"},
    {GRT_NAME_TASK, DETECT, 0, 0, 0, "detect"},
    {GRT_NAME_TASK, MAP, 0, 0, 0, "map"},
    {GRT_NAME_TASK, TRACK, 0, 0, 0, ""},
    {GRT_NAME_KERNEL, DETECT, 1, 1, 256, "net"},
    {GRT_NAME_KERNEL, MAP, 0, 0, 2048, "icp"},
    {GRT_NAME_CALL, DETECT, 1, 3, 0, "record frame"},
    {GRT_NAME_CORE, 0, 0, 0, 0, "cpu 0"},
    {GRT_NAME_STREAM, 0, 0, 0, 0, "gpu"},
    {GRT_NAME_ENGINE, 0, 0, 0, 0, "copy"},
    {GRT_NAME_SM, 0, 0, 0, 2048, "SM 0"},
    {GRT_NAME_SM, 1, 0, 0, 2048, "SM 1"},
    {GRT_NAME_ROW, 0, 0, 0, 0, "server"},
    {GRT_NAME_LABEL, 0, 0, 0, 0, "budget"},
};

static const struct grt_trace_record records[] = {
    GRT_RECORD_AT(0, RELEASE, MAP, 0, 100000),
    {.time = 0, .other = GRT_TIME_NEVER, .task = TRACK, .kind = GRT_TRACE_RELEASE},
    GRT_RECORD_AT(1000, RELEASE, DETECT, 0, 10000),
    GRT_RECORD_FROM(0, 2000, CPU, TRACK, 0, 0, 0, 0),
    GRT_RECORD_FROM(0, 2000, FINISH, TRACK, 0, 0, 0, 0),
    GRT_RECORD_FROM(2000, 3000, CPU, DETECT, 0, 0, 0, 0),
    GRT_RECORD_AT(3000, GPU_REQUEST, DETECT, 0, 0),
    GRT_RECORD_FROM(0, 5000, ROW_SLICE, MAP, 0, 0, 0, 0),
    {.time = 5000000, .task = GRT_TRACE_NO_TASK, .kind = GRT_TRACE_ROW_MARK},
    GRT_RECORD_FROM(0, 6000, BLOCK, MAP, 0, 0, 0, 0),
    GRT_RECORD_FROM(0, 6000, KERNEL, MAP, 0, 0, GRT_COMMAND(0, 0), 0),
    GRT_RECORD_FROM(0, 6000, GPU_SEGMENT, MAP, 0, 0, 0, 0),
    GRT_RECORD_FROM(3000, 6000, BLOCKED, DETECT, 0, MAP, 1, 0),
    GRT_RECORD_FROM(6000, 7000, COPY, DETECT, 0, 0, GRT_COMMAND(1, 0), 0),
    GRT_RECORD_FROM(7500, 9000, BLOCK, DETECT, 0, 0, 1, 0),
    GRT_RECORD_FROM(9000, 10000, BLOCK, MAP, 0, 1, 1, 0),
    GRT_RECORD_FROM(9000, 10000, KERNEL, MAP, 0, 0, GRT_COMMAND(0, 0), 0),
    GRT_RECORD_FROM(7500, 11000, BLOCK, DETECT, 0, 0, 0, 0),
    GRT_RECORD_FROM(10000, 11000, BLOCK, DETECT, 0, 1, 2, 0),
    GRT_RECORD_FROM(7500, 11000, KERNEL, DETECT, 0, 0, GRT_COMMAND(1, 1), 0),
    GRT_RECORD_FROM(11000, 12000, COPY, DETECT, 0, 0, GRT_COMMAND(1, 2), GRT_TRACE_D2H),
    GRT_RECORD_FROM(12000, 12000, CALL, DETECT, 0, 0, GRT_COMMAND(1, 3), 0),
    GRT_RECORD_FROM(3000, 12000, GPU_SEGMENT, DETECT, 0, 0, 1, 0),
    GRT_RECORD_FROM(11500, 12500, CPU, MAP, 0, 0, 1, GRT_TRACE_PREEMPTED),
    GRT_RECORD_FROM(12500, 13000, CPU, DETECT, 0, 0, 2, 0),
    GRT_RECORD_FROM(0, 13000, FINISH, DETECT, 0, 0, 0, GRT_TRACE_LATE),
    GRT_RECORD_FROM(13000, 14000, CPU, MAP, 0, 0, 1, 0),
    GRT_RECORD_FROM(0, 14000, FINISH, MAP, 0, 0, 0, 0),
    GRT_RECORD_AT(20000, RELEASE, DETECT, 1, 30000),
    GRT_RECORD_AT(21000, SKIP, TRACK, 1, 21000),
    GRT_RECORD_AT(22000, RELEASE, TRACK, 2, 24000),
    GRT_RECORD_AT(24000, MISS, TRACK, 2, 24000),
    GRT_RECORD_FROM(22000, 24000, CPU, TRACK, 2, 5, 0, GRT_TRACE_ABORTED),
    GRT_RECORD_FROM(22000, 24000, ABORT, TRACK, 2, 0, 0, 0),
    GRT_RECORD_FROM(20000, 25000, CPU, DETECT, 1, 0, 0, GRT_TRACE_OPEN),
    GRT_RECORD_FROM(20000, 25000, UNFINISHED, DETECT, 1, 0, 0, GRT_TRACE_OPEN),
};

void grt_answer_trace_build(struct grt_timeline *timeline) {
    *timeline = (struct grt_timeline){.begin = 0};
    grt_timeline_sink.names(timeline, names, COUNT(names));
    grt_timeline_sink.write(timeline, records, COUNT(records));
    grt_timeline_sink.end(timeline);
}

struct grt_place grt_place_at(const struct grt_timeline *timeline, enum grt_row_kind kind, uint32_t index,
                              enum grt_track_part part, uint32_t number) {
    return grt_place_in(timeline, grt_timeline_row(timeline, kind, index), part, number);
}

struct grt_place grt_task_place_at(const struct grt_timeline *timeline, uint32_t task,
                                   enum grt_track_part part, uint32_t number) {
    return grt_place_at(timeline, GRT_ROW_TASK, task, part, number);
}

void grt_expect_text(const char *got, const char *expected) {
    if (strcmp(got, expected) != 0) {
        printf("\n    got:      %s\n    expected: %s\n", got, expected);
    }
    CU_ASSERT_STRING_EQUAL(got, expected);
}
