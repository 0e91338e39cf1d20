#include "calib/program/validate/origin.h"

#include <string.h>

#include "calib/replay/replay.h"

const char *const grt_origin_keys[GRT_ORIGIN_KEYS] = {
    [GRT_ORIGIN_MADE_BY] = "made by", [GRT_ORIGIN_DATE] = "date",     [GRT_ORIGIN_BACKEND] = "backend",
    [GRT_ORIGIN_DEVICE] = "device",   [GRT_ORIGIN_DRIVER] = "driver", [GRT_ORIGIN_SCENARIO] = "scenario",
    [GRT_ORIGIN_SEED] = "seed",       [GRT_ORIGIN_REAL] = "real",
};

static bool is_row(const struct grt_trace_memory *trace, uint32_t row, const char *wanted) {
    const char *name = grt_trace_memory_name(trace, GRT_NAME_ROW, row, 0, 0);
    return name != NULL && strcmp(name, wanted) == 0;
}

static void take_line(struct grt_origin *origin, const char *line) {
    for (int key = 0; key < GRT_ORIGIN_KEYS; key++) {
        size_t length = strlen(grt_origin_keys[key]);
        if (strncmp(line, grt_origin_keys[key], length) == 0 && strncmp(line + length, ": ", 2) == 0) {
            origin->values[key] = line + length + 2;
        }
    }
}

struct grt_origin grt_origin_of(const struct grt_trace_memory *trace) {
    struct grt_origin origin = {0};
    size_t states = 0;
    for (size_t i = 0; i < trace->record_count; i++) {
        const struct grt_trace_record *record = &trace->records[i];
        if (record->kind != GRT_TRACE_ROW_MARK || record->task != GRT_TRACE_NO_TASK) {
            continue;
        }
        const char *line = grt_trace_memory_name(trace, GRT_NAME_LABEL, record->detail, 0, 0);
        if (line != NULL && is_row(trace, record->row, GRT_REPLAY_PROVENANCE)) {
            take_line(&origin, line);
        }
        states += is_row(trace, record->row, GRT_REPLAY_DEVICE);
    }
    origin.cut = origin.values[GRT_ORIGIN_MADE_BY] != NULL && states == 1;
    return origin;
}
