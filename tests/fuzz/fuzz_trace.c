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
#include "viz/answers/chain.h"
#include "viz/answers/explain.h"
#include "viz/export/export.h"
#include "viz/gantt/text_gantt.h"
#include "viz/picture/svg.h"
#include "viz/scene/scene.h"

enum { TASKS = 3, MOST_ASKED = 3, RECORD = sizeof(struct grt_trace_record), NAME = 24, ALIGNMENT = 32 };

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

/* Returns the trace, to be freed: a block of just its size, so that a sanitizer sees any step beyond. */
static char *trace_of(const uint8_t *data, size_t size, size_t *trace_size) {
    char names_and_texts[HEADER_MOST] = {0};
    size_t header = put_header(names_and_texts), count = size / RECORD;
    grt_time now = 0;
    *trace_size = header + count * RECORD;
    char *trace = memcpy(grt_allocate(*trace_size), names_and_texts, header);
    for (size_t i = 0; i < count; i++) {
        struct grt_trace_record record;
        memcpy(&record, data + i * RECORD, RECORD);
        mend(&record, &now);
        memcpy(trace + header + i * RECORD, &record, RECORD);
    }
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

/* What a window shows of it. */
static void paint(const struct grt_timeline *timeline) {
    const struct grt_view view = {.timeline = timeline,
                                  .theme = &grt_themes[GRT_THEME_LIGHT],
                                  .to = timeline->end + 1,
                                  .width = 400,
                                  .text_size = 10,
                                  .legend = true};
    const struct grt_svg svg = {.title = "fuzz"};
    struct grt_picture picture = {0};
    struct grt_errors errors = {0};
    grt_scene_draw(&view, &picture);
    fuzz_judge(grt_svg_write(&picture, "/dev/null", &svg, &errors), &errors);
    grt_picture_free(&picture);
}

/* What is said of the first slices of every track, and why the first jobs took so long. */
static void ask(const struct grt_timeline *timeline) {
    char text[GRT_EXPLAIN_SIZE];
    for (uint32_t row = 0; row < timeline->row_count; row++) {
        for (uint32_t track = 0; track < timeline->rows[row].track_count; track++) {
            struct grt_place place = {row, track, 0};
            for (; place.number < MOST_ASKED && grt_place_exists(timeline, place); place.number++) {
                GRT_REQUIRE(grt_explain(timeline, place, text, sizeof text) < sizeof text, "end in time");
            }
        }
    }
    struct grt_chain chain = {.count = 0};
    for (uint32_t number = 0; number < TASKS * MOST_ASKED; number++) {
        if (grt_chain_find(timeline, number % TASKS, number / TASKS, &chain) && chain.count > 0) {
            grt_step_text(timeline, &chain, chain.count - 1, text, sizeof text);
        }
    }
    grt_chain_free(&chain);
}

static void show(const char *bytes, size_t size, const struct grt_trace_memory *trace) {
    struct grt_timeline timeline = {0};
    struct grt_errors errors = {0};
    GRT_REQUIRE(read_trace(bytes, size, &grt_timeline_sink, &timeline), "read alike twice");
    if (fuzz_judge(grt_timeline_is_drawable(&timeline, &errors), &errors)) {
        draw(trace, timeline.end < GRT_TIME_LIMIT ? timeline.end : GRT_TIME_LIMIT);
        paint(&timeline);
        ask(&timeline);
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
