/* Traces: read as files are, and what is accepted is shown in every way. An input that does not begin as a trace does is taken as records, which get a header that
 * names a few of everything: time goes on by the low bits of each record's time, and the task is one that there is. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/memory.h"
#include "sim/trace_file.h"
#include "tests/fuzz/target.h"
#include "viz/export/export.h"
#include "viz/gantt/text_gantt.h"
#include "viz/timeline/timeline.h"

enum { TASKS = 3, RECORD = sizeof(struct grt_trace_record), NAME = 24, ALIGNMENT = 32 };

/* ---- a trace around records: docs/trace-format.md ---- */

static const struct grt_trace_name names[] = {
    {.kind = GRT_NAME_RUN, .weight = 1, .text = "run"},
    {.kind = GRT_NAME_TASK, .text = "a"},
    {.kind = GRT_NAME_TASK, .index = 1, .text = "b"},
    {.kind = GRT_NAME_TASK, .index = 2, .text = ""},
    {.kind = GRT_NAME_CORE, .text = "core 0"},
    {.kind = GRT_NAME_CORE, .index = 1, .text = "core 1"},
    {.kind = GRT_NAME_STREAM, .weight = 1, .text = "stream 0"},
    {.kind = GRT_NAME_STREAM, .index = 1, .weight = 2, .text = "stream 1"},
    {.kind = GRT_NAME_ENGINE, .text = "copies"},
    {.kind = GRT_NAME_SM, .weight = 2048, .text = "SM 0"},
    {.kind = GRT_NAME_SM, .index = 1, .weight = 96, .text = "SM 1"},
    {.kind = GRT_NAME_KERNEL, .weight = 32, .text = "k"},
    {.kind = GRT_NAME_KERNEL, .index = 1, .command = 1, .weight = 1024, .text = "l"},
    {.kind = GRT_NAME_ROW, .text = "server"},
    {.kind = GRT_NAME_LABEL, .text = "slot"},
    {.kind = GRT_NAME_CONTEXT, .text = "p"},
    {.kind = GRT_NAME_CONTEXT, .index = 1, .text = "q"},
    {.kind = GRT_NAME_CALL, .index = 2, .segment = 1, .text = "wait x"},
    {.kind = GRT_NAME_THREAD, .text = "thread"},
};
enum { NAMES = sizeof names / sizeof names[0], HEADER_MOST = 32 + NAMES * (NAME + 16) + ALIGNMENT };

static char *put32(char *at, uint32_t number) {
    return (char *)memcpy(at, &number, 4) + 4;
}

static char *put_name(char *at, const struct grt_trace_name *name, uint32_t text_offset) {
    at = put32(put32(at, name->kind), name->index);
    at = put32(put32(at, (uint32_t)name->segment | (uint32_t)name->command << 16), name->weight);
    return put32(put32(at, text_offset), (uint32_t)strlen(name->text));
}

/* Returns its length. */
static size_t put_header(char header[HEADER_MOST]) {
    char *texts = header + 32 + NAMES * NAME, *at = header + 32, *text = texts;
    for (size_t i = 0; i < NAMES; i++) {
        at = put_name(at, &names[i], (uint32_t)(text - texts));
        size_t length = strlen(names[i].text);
        memcpy(text, names[i].text, length);
        text += length;
    }
    size_t size = (size_t)(text - header), aligned = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memcpy(header, GRT_TRACE_FILE_MAGIC, 8);
    at = put32(put32(put32(header + 8, GRT_TRACE_FILE_VERSION), (uint32_t)aligned), RECORD);
    put32(put32(put32(at, NAMES), (uint32_t)(text - texts)), 0);
    return aligned;
}

static void mend(struct grt_trace_record *record, grt_time *now) {
    *now += (grt_time)(record->time & 0xffff);
    record->time = *now;
    record->task = record->task == GRT_TRACE_NO_TASK ? record->task : record->task % TASKS;
    record->kind = (uint8_t)(1 + record->kind % (GRT_TRACE_KINDS - 1));
    if (record->kind == GRT_TRACE_SHARE) {
        record->other &= 63;
    } else if (record->other % 4 != 0) { /* else far away, perhaps refused */
        grt_time span = (grt_time)(record->other & 0xffff);
        record->other = span < *now ? *now - span : 0;
    }
}

/* Returns the trace, to be freed. */
static char *trace_of(const uint8_t *data, size_t size, size_t *trace_size) {
    char *trace = grt_allocate(HEADER_MOST + size);
    memset(trace, 0, HEADER_MOST);
    size_t header = put_header(trace), count = size / RECORD;
    grt_time now = 0;
    for (size_t i = 0; i < count; i++) {
        struct grt_trace_record record;
        memcpy(&record, data + i * RECORD, RECORD);
        mend(&record, &now);
        memcpy(trace + header + i * RECORD, &record, RECORD);
    }
    *trace_size = header + count * RECORD;
    return trace;
}

/* ---- what is done with traces ---- */

static bool read_trace(const char *trace, size_t size, const struct grt_trace_sink *sink, void *state) {
    struct grt_errors errors = {0};
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    GRT_REQUIRE(nothing >= 0, "have a /dev/null");
    struct grt_trace_file file = {.fd = nothing, .name = "fuzz.trace", .first = trace, .first_size = size};
    bool good = grt_trace_file_stream(&file, sink, state, &errors) == GRT_READING_DONE;
    close(nothing);
    return fuzz_judge(good, &errors);
}

static void export_by(grt_export_function *write, const struct grt_trace_memory *trace) {
    static const struct grt_export_options all = {.to = GRT_TIME_NEVER};
    struct grt_errors errors = {0};
    struct grt_output *output = grt_output_open("/dev/null", &errors);
    GRT_REQUIRE(output != NULL, "have a /dev/null");
    write(trace, &all, output);
    GRT_REQUIRE(grt_output_close(output, &errors), "/dev/null takes everything");
}

static void draw(const struct grt_trace_memory *trace, grt_time end) {
    FILE *out = fopen("/dev/null", "w");
    GRT_REQUIRE(out != NULL, "have a /dev/null");
    const struct grt_text_gantt_options options = {.to = end > 0 ? end : 1, .width = 60, .utf8 = true};
    grt_text_gantt_write(trace, &options, out);
    fclose(out);
}

static void show(const char *bytes, size_t size, const struct grt_trace_memory *trace) {
    struct grt_timeline timeline = {0};
    struct grt_errors errors = {0};
    GRT_REQUIRE(read_trace(bytes, size, &grt_timeline_sink, &timeline), "read alike twice");
    if (fuzz_judge(grt_timeline_is_drawable(&timeline, &errors), &errors)) {
        draw(trace, timeline.end < GRT_TIME_LIMIT ? timeline.end : GRT_TIME_LIMIT);
    }
    grt_timeline_free(&timeline);
    export_by(grt_export_perfetto, trace);
    export_by(grt_export_chrome, trace);
    export_by(grt_export_csv, trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bool is_file = size >= 8 && memcmp(data, GRT_TRACE_FILE_MAGIC, 8) == 0;
    char *made = is_file ? NULL : trace_of(data, size, &size);
    const char *bytes = is_file ? (const char *)data : made;
    struct grt_trace_memory trace = {0};
    if (read_trace(bytes, size, &grt_trace_memory_sink, &trace)) {
        show(bytes, size, &trace);
    }
    grt_trace_memory_free(&trace);
    free(made);
    return 0;
}
