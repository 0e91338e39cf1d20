#include "viz/export/shares.h"

#include <stdlib.h>

enum { WHOLE = 100 }; /* what a stream has that was never given a share */

static uint32_t value_of(const struct grt_trace_record *record) {
    return record->other < 0 ? 0 : record->other > WHOLE ? (uint32_t)WHOLE : (uint32_t)record->other;
}

static void add(struct grt_export_shares *shares, grt_time time, uint32_t row, uint32_t value) {
    shares->items =
        grt_array_grow(shares->items, &shares->capacity, shares->count + 1, sizeof *shares->items);
    shares->items[shares->count++] = (struct grt_export_share){time, row, value};
}

/* What holds when the time begins, of each stream that is shown: at that instant, or when the trace begins. */
static void add_first(struct grt_export_shares *shares, struct grt_export_rows *rows,
                      const struct grt_export_options *options) {
    const struct grt_trace_memory *trace = rows->trace;
    struct grt_map known = {0};
    for (size_t i = 0; i < trace->record_count; i++) {
        const struct grt_trace_record *record = &trace->records[i];
        if (record->kind != GRT_TRACE_SHARE) {
            continue;
        }
        uint32_t row = grt_export_row_of(rows, record), *place = grt_map_put(&known, row);
        if (*place == GRT_MAP_NONE && rows->items[row].shown) {
            *place = shares->count;
            add(shares, options->from, row, WHOLE);
        }
        if (*place != GRT_MAP_NONE && record->time <= options->from) {
            shares->items[*place].value = value_of(record);
        }
    }
    grt_map_free(&known);
}

void grt_export_shares_find(struct grt_export_shares *shares, struct grt_export_rows *rows,
                            const struct grt_export_options *options) {
    const struct grt_trace_memory *trace = rows->trace;
    add_first(shares, rows, options);
    for (size_t i = 0; i < trace->record_count; i++) {
        const struct grt_trace_record *record = &trace->records[i];
        bool before = record->time < options->to || options->to == GRT_TIME_NEVER;
        if (record->kind == GRT_TRACE_SHARE && record->time > options->from && before) {
            uint32_t row = grt_export_row_of(rows, record);
            if (rows->items[row].shown) {
                add(shares, record->time, row, value_of(record));
            }
        }
    }
}

void grt_export_shares_free(struct grt_export_shares *shares) {
    free(shares->items);
}
