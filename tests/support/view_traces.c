#include "tests/support/view_traces.h"

#include <stdlib.h>
#include <string.h>

#include "sim/trace_file.h"
#include "tests/support/cunit.h"

enum { CORES = 10000, LONG_NAME = 4096 };

static void write_file(const char *path, const struct grt_trace_name *names, size_t name_count,
                       const struct grt_trace_record *records, size_t record_count) {
    struct grt_errors errors = {0};
    struct grt_output *output = grt_output_open(path, &errors);
    CU_ASSERT_FATAL(output != NULL);
    grt_trace_file_sink.names(output, names, name_count);
    for (size_t at = 0; at < record_count; at += GRT_TRACE_LOT) {
        size_t lot = record_count - at < GRT_TRACE_LOT ? record_count - at : GRT_TRACE_LOT;
        grt_trace_file_sink.write(output, records + at, lot);
    }
    grt_trace_file_sink.end(output);
    CU_ASSERT(grt_output_close(output, &errors));
    grt_errors_clear(&errors);
}

static const struct grt_trace_name usual_names[] = {
    {.kind = GRT_NAME_TASK, .text = "task"},
    {.kind = GRT_NAME_CORE, .text = "core 0"},
};

static void write_instant(const char *path) {
    static const struct grt_trace_record records[] = {
        {.kind = GRT_TRACE_RELEASE},
        {.kind = GRT_TRACE_CPU},
        {.kind = GRT_TRACE_FINISH, .flags = GRT_TRACE_LATE},
    };
    write_file(path, usual_names, 2, records, 3);
}

static void write_years(const char *path) {
    enum { YEARS = 10 };
    struct grt_trace_record records[3 * YEARS];
    for (int i = 0; i < YEARS; i++) {
        grt_time begin = i * VIEW_YEAR, end = begin + VIEW_YEAR / 12;
        uint32_t job = (uint32_t)i;
        grt_time deadline = i % 2 == 0 ? end + 1 : end - 1;
        records[3 * i] = (struct grt_trace_record){
            .kind = GRT_TRACE_RELEASE, .time = begin, .other = deadline, .job = job};
        records[3 * i + 1] =
            (struct grt_trace_record){.kind = GRT_TRACE_CPU, .time = end, .other = begin, .job = job};
        records[3 * i + 2] = (struct grt_trace_record){.kind = GRT_TRACE_FINISH,
                                                       .time = end,
                                                       .other = begin,
                                                       .job = job,
                                                       .flags = i % 2 == 0 ? 0 : GRT_TRACE_LATE};
    }
    write_file(path, usual_names, 2, records, 3 * YEARS);
}

static void write_all_time(const char *path) {
    static const struct grt_trace_record records[] = {
        {.kind = GRT_TRACE_RELEASE, .other = GRT_TIME_NEVER},
        {.kind = GRT_TRACE_CPU, .time = GRT_TIME_LIMIT},
        {.kind = GRT_TRACE_FINISH, .time = GRT_TIME_LIMIT},
    };
    write_file(path, usual_names, 2, records, 3);
}

static void write_rows(const char *path) {
    struct grt_trace_name *names = calloc(CORES + 1, sizeof *names);
    struct grt_trace_record *records = calloc(CORES, sizeof *records);
    CU_ASSERT_FATAL(names != NULL && records != NULL);
    for (uint32_t i = 0; i < CORES; i++) {
        names[i] = (struct grt_trace_name){.kind = GRT_NAME_CORE, .index = i, .text = "core"};
        records[i] = (struct grt_trace_record){.kind = GRT_TRACE_CPU, .time = 1000 + i, .other = i, .row = i};
    }
    names[CORES] = usual_names[0];
    write_file(path, names, CORES + 1, records, CORES);
    free(names);
    free(records);
}

static void write_names(const char *path) {
    static char of_a[LONG_NAME], of_umlauts[LONG_NAME], of_bytes[129];
    memset(of_a, 'a', sizeof of_a - 1);
    for (size_t i = 0; i + 2 < sizeof of_umlauts; i += 2) {
        memcpy(of_umlauts + i, "\xc3\xa4", 2);
    }
    for (size_t i = 0; i < 128; i++) {
        of_bytes[i] = (char)(255 - i);
    }
    const char *const texts[] = {"",
                                 of_a,
                                 of_umlauts,
                                 of_bytes,
                                 "  ",
                                 "\xc3",
                                 "%s%n",
                                 ("\xe2\x80\xae" /* meant: NOLINT(misc-misleading-bidirectional) */
                                  "abc")};
    enum { NAMES = sizeof texts / sizeof texts[0] };
    struct grt_trace_name names[2 * NAMES];
    struct grt_trace_record records[3 * NAMES];
    for (uint32_t i = 0; i < NAMES; i++) {
        uint16_t task = (uint16_t)i;
        names[i] = (struct grt_trace_name){.kind = GRT_NAME_TASK, .index = i, .text = texts[i]};
        names[NAMES + i] = (struct grt_trace_name){.kind = GRT_NAME_CORE, .index = i, .text = texts[i]};
        records[i] = (struct grt_trace_record){.kind = GRT_TRACE_RELEASE, .other = 900, .task = task};
        records[NAMES + 2 * i] =
            (struct grt_trace_record){.kind = GRT_TRACE_CPU, .time = 1000, .task = task, .row = i};
        records[NAMES + 2 * i + 1] = (struct grt_trace_record){
            .kind = GRT_TRACE_FINISH, .time = 1000, .task = task, .flags = GRT_TRACE_LATE};
    }
    write_file(path, names, 2 * NAMES, records, 3 * NAMES);
}

void view_trace_write(enum view_trace kind, const char *path) {
    switch (kind) {
    case VIEW_TRACE_OF_AN_INSTANT:
        write_instant(path);
        break;
    case VIEW_TRACE_OF_TEN_YEARS:
        write_years(path);
        break;
    case VIEW_TRACE_OF_ALL_TIME:
        write_all_time(path);
        break;
    case VIEW_TRACE_OF_MANY_ROWS:
        write_rows(path);
        break;
    case VIEW_TRACE_WITH_NAMES:
        write_names(path);
        break;
    default:
        write_file(path, usual_names, 2, NULL, 0);
        break;
    }
}
