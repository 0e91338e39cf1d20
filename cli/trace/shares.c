#include "cli/trace/shares.h"

#include <stdlib.h>

enum { WHOLE = 100 }; /* what a stream has that was never given a share */

/* A kernel's begin and end, and changes of shares, of one stream. */
struct stream_use {
    grt_time since;
    uint32_t kernels, share;
};

struct stream_edge {
    grt_time time;
    uint32_t row, number;
    int32_t kernels; /* so many more from now on */
    uint32_t share;  /* or this share, where it is no kernel */
};

static int compare_edges(const void *left, const void *right) {
    const struct stream_edge *a = left, *b = right;
    if (a->row != b->row) {
        return a->row < b->row ? -1 : 1;
    }
    if (a->time != b->time) {
        return a->time < b->time ? -1 : 1;
    }
    return (a->number > b->number) - (a->number < b->number);
}

static size_t find_edges(const struct grt_trace_memory *trace, uint32_t streams, struct stream_edge *edges) {
    size_t count = 0;
    for (size_t i = 0; i < trace->record_count; i++) {
        const struct grt_trace_record *record = &trace->records[i];
        uint32_t row = grt_trace_row(record->row), number = (uint32_t)i;
        if (record->kind == GRT_TRACE_KERNEL && row < streams) {
            edges[count++] = (struct stream_edge){record->other, row, number, 1, 0};
            edges[count++] = (struct stream_edge){record->time, row, number, -1, 0};
        } else if (record->kind == GRT_TRACE_SHARE && record->row < streams) {
            edges[count++] =
                (struct stream_edge){record->time, record->row, number, 0, (uint32_t)record->other};
        }
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    return count;
}

void grt_trace_sum_shares(const struct grt_trace_memory *trace, struct grt_summary_row *streams,
                          uint32_t stream_count) {
    struct stream_edge *edges = grt_allocate(2 * trace->record_count * sizeof *edges);
    size_t count = find_edges(trace, stream_count, edges);
    struct stream_use use = {0};
    for (size_t i = 0; i < count; i++) {
        const struct stream_edge *edge = &edges[i];
        struct grt_summary_row *row = &streams[edge->row];
        if (i == 0 || edges[i - 1].row != edge->row) {
            use = (struct stream_use){.share = WHOLE};
        }
        if (use.kernels > 0) {
            row->shared += (double)(edge->time - use.since) * use.share / WHOLE;
        }
        use.since = edge->time;
        use.kernels += (uint32_t)edge->kernels;
        if (edge->kernels == 0) {
            use.share = edge->share;
            row->has_shares = true;
        }
    }
    free(edges);
}
