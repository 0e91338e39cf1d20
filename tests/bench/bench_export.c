/* Slices per second of the exports, of a trace of blocks on 132 SMs whose starts are not in the order of their ends. The
 * references write the same slices, already in order, with ready lanes and names: bare varints, and snprintf. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/memory.h"
#include "sim/random.h"
#include "tests/bench/bench.h"
#include "viz/export/export.h"
#include "viz/export/protobuf.h"

enum { SMS = 132, PER_SM = 8, SLOTS = SMS * PER_SM, BLOCKS = 2000000, KERNEL_BLOCKS = 4000, NAMES = SMS + 3 };

struct exporting {
    struct grt_trace_memory trace;
    grt_export_function *write;
};

/* Blocks in waves: each slot of an SM runs one after the other, and they end in the order of the slots. */
static struct grt_trace_memory make_trace(void) {
    static struct grt_trace_name names[NAMES] = {{GRT_NAME_TASK, 0, 0, 0, 0, "tau_a"},
                                                 {GRT_NAME_KERNEL, 0, 0, 0, 256, "k"},
                                                 {GRT_NAME_STREAM, 0, 0, 0, 0, "s"}};
    static char texts[SMS][16];
    struct grt_trace_memory trace = {.names = names, .name_count = NAMES};
    struct grt_random random = grt_random_stream(1, "bench", 0, 0);
    grt_time starts[SLOTS] = {0}, kernel_start = 0;
    for (uint32_t i = 0; i < SMS; i++) {
        snprintf(texts[i], sizeof texts[i], "SM %u", i);
        names[i + 3] = (struct grt_trace_name){GRT_NAME_SM, i, 0, 0, 2048, texts[i]};
    }
    trace.records = grt_allocate((BLOCKS + BLOCKS / KERNEL_BLOCKS) * sizeof *trace.records);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        uint32_t slot = i % SLOTS;
        grt_time end = GRT_SECOND + (grt_time)i * 200 + (grt_time)grt_random_below(&random, 200);
        grt_time start = starts[slot] > 0 ? starts[slot] : end - 200 * SLOTS;
        trace.records[trace.record_count++] = (struct grt_trace_record){.time = end,
                                                                        .other = start,
                                                                        .job = i / KERNEL_BLOCKS,
                                                                        .detail = i,
                                                                        .row = slot / PER_SM,
                                                                        .kind = GRT_TRACE_BLOCK};
        starts[slot] = end;
        if (i % KERNEL_BLOCKS == KERNEL_BLOCKS - 1) {
            trace.records[trace.record_count++] = (struct grt_trace_record){
                .time = end, .other = kernel_start, .job = i / KERNEL_BLOCKS, .kind = GRT_TRACE_KERNEL};
            kernel_start = end;
        }
    }
    return trace;
}

static uint64_t export_all(void *state) {
    const struct exporting *exporting = state;
    const struct grt_export_options all = {.from = 0, .to = GRT_TIME_NEVER};
    struct grt_errors errors = {0};
    struct grt_output *output = grt_output_open("/dev/null", &errors);
    exporting->write(&exporting->trace, &all, output);
    grt_output_close(output, &errors);
    return exporting->trace.record_count;
}

/* A packet of time, sequence, and an event of type, track and, where it is not 0, name. */
static unsigned char *bare_packet(unsigned char *at, grt_time time, uint32_t type, uint32_t track,
                                  uint32_t name) {
    unsigned char *packet = at + 2;
    *at = 0x0a;
    unsigned char *end = grt_protobuf_number(grt_protobuf_number(packet, 8, (uint64_t)time), 10, 1);
    end = name > 0 ? grt_protobuf_number(end, 13, 2) : end;
    end = grt_protobuf_tag(end, 11, GRT_WIRE_LENGTH);
    unsigned char *event = end + 1;
    unsigned char *last = grt_protobuf_number(grt_protobuf_number(event, 9, type), 11, track);
    last = name > 0 ? grt_protobuf_number(last, 10, name) : last;
    *end = (unsigned char)(last - event);
    at[1] = (unsigned char)(last - packet);
    return last;
}

static uint64_t write_bare(void *state) {
    const struct exporting *exporting = state;
    static unsigned char buffer[1 << 16];
    unsigned char *at = buffer;
    uint64_t sum = 0;
    for (size_t i = 0; i < exporting->trace.record_count; i++) {
        const struct grt_trace_record *record = &exporting->trace.records[i];
        at = bare_packet(at, record->other, 1, 9 + (uint32_t)i % SLOTS, 1);
        at = bare_packet(at, record->time, 2, 9 + (uint32_t)i % SLOTS, 0);
        if (at > buffer + sizeof buffer - 100) {
            sum += *(at - 1);
            at = buffer;
        }
    }
    bench_use(sum);
    return exporting->trace.record_count;
}

static uint64_t print_bare(void *state) {
    const struct exporting *exporting = state;
    uint64_t sum = 0;
    for (size_t i = 0; i < exporting->trace.record_count; i++) {
        const struct grt_trace_record *record = &exporting->trace.records[i];
        char line[200];
        grt_time length = record->time - record->other;
        sum += (uint64_t)snprintf(line, sizeof line,
                                  ",\n{\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":%" PRId64
                                  ".%03d,\"dur\":%" PRId64 ".%03d,\"name\":\"%s\"}",
                                  6, (int)(i % SLOTS), record->other / 1000, (int)(record->other % 1000),
                                  length / 1000, (int)(length % 1000), "tau_a: k");
    }
    bench_use(sum);
    return exporting->trace.record_count;
}

void bench_export(void) {
    struct exporting exporting = {.trace = make_trace(), .write = grt_export_perfetto};
    bench_report("export to Perfetto, per slice", bench_ns_per_unit(export_all, &exporting, 5),
                 "bare varints, already in order", bench_ns_per_unit(write_bare, &exporting, 5), "<= 200 ns");
    exporting.write = grt_export_chrome;
    double bare = bench_ns_per_unit(print_bare, &exporting, 5);
    bench_report("export to Chrome's JSON, per slice", bench_ns_per_unit(export_all, &exporting, 5),
                 "snprintf, already in order", bare, "<= 333 ns");
    exporting.write = grt_export_csv;
    bench_report("export to CSV, per record", bench_ns_per_unit(export_all, &exporting, 5),
                 "the same snprintf", bare, "");
    free(exporting.trace.records);
}
