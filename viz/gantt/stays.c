/* When a process has the SMs: where several take turns, blocks progress only then. */
#include <stdlib.h>

#include "viz/gantt/chart.h"

/* Records in the order of time. */
struct grt_gantt_stays {
    const struct grt_trace_record **items;
    uint32_t count, capacity;
};

void grt_gantt_find_stays(struct grt_gantt_chart *chart) {
    chart->process_count = grt_gantt_name_count(chart, GRT_NAME_CONTEXT);
    chart->stays = grt_arena_array(&chart->arena, chart->process_count, sizeof *chart->stays);
    for (size_t i = 0; i < chart->trace->record_count; i++) {
        const struct grt_trace_record *record = &chart->trace->records[i];
        if (record->kind == GRT_TRACE_CONTEXT && record->detail < chart->process_count) {
            struct grt_gantt_stays *stays = &chart->stays[record->detail];
            stays->items = grt_array_grow((void *)stays->items, &stays->capacity, stays->count + 1,
                                          sizeof *stays->items);
            stays->items[stays->count++] = record;
        }
    }
}

void grt_gantt_free_stays(struct grt_gantt_chart *chart) {
    for (uint32_t i = 0; i < chart->process_count; i++) {
        free((void *)chart->stays[i].items);
    }
}

uint32_t grt_gantt_process_of_stream(const struct grt_gantt_chart *chart, uint32_t stream) {
    const struct grt_trace_name *name = grt_gantt_find_name(chart, GRT_NAME_STREAM, stream, 0, 0);
    return name != NULL ? name->weight : 0;
}

/* The first stay that ends after an instant. */
static uint32_t first_stay(const struct grt_gantt_stays *stays, grt_time instant) {
    uint32_t low = 0, high = stays->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (stays->items[middle]->time <= instant) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool grt_gantt_next_stay(const struct grt_gantt_chart *chart, uint32_t process, grt_time *start,
                         grt_time *end, grt_time last) {
    if (*start >= last) {
        return false;
    }
    if (process == 0 || process > chart->process_count) {
        *end = last;
        return true;
    }
    const struct grt_gantt_stays *stays = &chart->stays[process - 1];
    uint32_t i = first_stay(stays, *start);
    if (i == stays->count || stays->items[i]->other >= last) {
        return false;
    }
    *start = stays->items[i]->other > *start ? stays->items[i]->other : *start;
    *end = stays->items[i]->time < last ? stays->items[i]->time : last;
    return true;
}
