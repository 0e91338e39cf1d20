#include "sim/trace.h"

#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "sim/memory.h"

_Static_assert(sizeof(struct grt_trace_record) == 32, "trace records are 32 bytes without padding");

struct grt_trace *grt_trace_create(void) {
    struct grt_trace *trace = grt_allocate(sizeof *trace);
    *trace = (struct grt_trace){.capacity = GRT_FIRST_CAPACITY(1024)};
    trace->buffer = grt_allocate(trace->capacity * sizeof *trace->buffer);
    return trace;
}

void grt_trace_free(struct grt_trace *trace) {
    if (trace != NULL) {
        free(trace->buffer);
        free(trace);
    }
}

void grt_trace_add_sink(struct grt_trace *trace, const struct grt_trace_sink *sink, void *state) {
    GRT_REQUIRE(trace->sink_count < GRT_TRACE_SINKS && trace->record_count == 0 && trace->used == 0,
                "add at most four sinks, before the first record");
    trace->sinks[trace->sink_count] = sink;
    trace->sink_states[trace->sink_count++] = state;
}

bool grt_trace_is_unheard(const struct grt_trace *trace) {
    bool heard = trace->sink_count == 0;
    for (uint32_t i = 0; i < trace->sink_count; i++) {
        heard = heard || !trace->failed[i];
    }
    return !heard;
}

static void tell_if_unheard(const struct grt_trace *trace) {
    if (trace->unheard != NULL && grt_trace_is_unheard(trace)) {
        *trace->unheard = true;
    }
}

void grt_trace_names(struct grt_trace *trace, const struct grt_trace_name *names, size_t count) {
    for (uint32_t i = 0; i < trace->sink_count; i++) {
        trace->failed[i] = !trace->sinks[i]->names(trace->sink_states[i], names, count);
    }
    tell_if_unheard(trace);
}

/* Four lanes of multiply-and-rotate, one per word of a record, so that the digest costs less than the copying. */
static uint64_t digest_of(uint64_t lanes[4], const struct grt_trace_record *records, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t words[4];
        memcpy(words, &records[i], sizeof words);
        for (int lane = 0; lane < 4; lane++) {
            lanes[lane] = (lanes[lane] ^ words[lane]) * UINT64_C(0x9e3779b97f4a7c15);
            lanes[lane] ^= lanes[lane] >> 32;
        }
    }
    return lanes[0] + 3 * lanes[1] + 5 * lanes[2] + 7 * lanes[3];
}

void grt_trace_flush(struct grt_trace *trace) {
    if (trace->used == 0) {
        return;
    }
    trace->digest = digest_of(trace->lanes, trace->buffer, trace->used);
    trace->record_count += trace->used;
    for (uint32_t i = 0; i < trace->sink_count; i++) {
        if (!trace->failed[i]) {
            trace->failed[i] = !trace->sinks[i]->write(trace->sink_states[i], trace->buffer, trace->used);
        }
    }
    trace->used = 0;
    tell_if_unheard(trace);
}

_Static_assert((GRT_TRACE_LOT & (GRT_TRACE_LOT - 1)) == 0, "growing by doubling, it becomes full");

void grt_trace_make_room(struct grt_trace *trace) {
    if (trace->capacity == GRT_TRACE_LOT) {
        grt_trace_flush(trace);
        return;
    }
    trace->buffer =
        grt_array_grow(trace->buffer, &trace->capacity, trace->capacity + 1, sizeof *trace->buffer);
}

bool grt_trace_finish(struct grt_trace *trace) {
    bool good = true;
    grt_trace_flush(trace);
    for (uint32_t i = 0; i < trace->sink_count; i++) {
        trace->failed[i] = trace->failed[i] || !trace->sinks[i]->end(trace->sink_states[i]);
        good &= !trace->failed[i];
    }
    return good;
}
