/* The trace's names, sorted once: a trace may have as many names as records. */
#include <stdlib.h>

#include "viz/gantt/chart.h"

static int compare(const struct grt_trace_name *a, const struct grt_trace_name *b) {
    const int64_t differences[] = {(int64_t)a->kind - (int64_t)b->kind, (int64_t)a->index - (int64_t)b->index,
                                   (int64_t)a->segment - (int64_t)b->segment,
                                   (int64_t)a->command - (int64_t)b->command};
    for (size_t i = 0; i < sizeof differences / sizeof differences[0]; i++) {
        if (differences[i] != 0) {
            return differences[i] < 0 ? -1 : 1;
        }
    }
    return 0;
}

/* Of two names for one thing the first in the trace comes first. */
static int compare_places(const void *left, const void *right) {
    const struct grt_trace_name *const *a = left, *const *b = right;
    int order = compare(*a, *b);
    return order != 0 ? order : (*a > *b) - (*a < *b);
}

void grt_gantt_index_names(struct grt_gantt_chart *chart) {
    size_t count = chart->trace->name_count;
    chart->names = grt_arena_array(&chart->arena, count, sizeof *chart->names);
    for (size_t i = 0; i < count; i++) {
        chart->names[i] = &chart->trace->names[i];
    }
    qsort((void *)chart->names, count, sizeof *chart->names, compare_places);
}

const struct grt_trace_name *grt_gantt_find_name(const struct grt_gantt_chart *chart,
                                                 enum grt_trace_name_kind kind, uint32_t index,
                                                 uint16_t segment, uint16_t command) {
    const struct grt_trace_name key = {.kind = kind, .index = index, .segment = segment, .command = command};
    size_t low = 0, high = chart->trace->name_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(chart->names[middle], &key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < chart->trace->name_count && compare(chart->names[low], &key) == 0 ? chart->names[low] : NULL;
}

const char *grt_gantt_name(const struct grt_gantt_chart *chart, enum grt_trace_name_kind kind,
                           uint32_t index) {
    const struct grt_trace_name *name = grt_gantt_find_name(chart, kind, index, 0, 0);
    return name != NULL ? name->text : "";
}

uint32_t grt_gantt_name_count(const struct grt_gantt_chart *chart, enum grt_trace_name_kind kind) {
    uint32_t count = 0;
    for (size_t i = 0; i < chart->trace->name_count; i++) {
        count += chart->trace->names[i].kind == kind;
    }
    return count;
}
