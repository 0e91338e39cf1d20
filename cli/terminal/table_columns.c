#include "cli/terminal/table_columns.h"

#include "sim/check.h"

const char **grt_columns_add(struct grt_columns *columns, struct grt_table_column heading) {
    GRT_REQUIRE(columns->count < GRT_TABLE_COLUMNS, "begin another table");
    struct grt_column *column = &columns->items[columns->count++];
    column->heading = heading;
    column->cells = grt_arena_array(&columns->arena, columns->rows, sizeof *column->cells);
    return column->cells;
}

struct grt_time_scale grt_column_scale(struct grt_column_times times) {
    grt_time largest = 0, smallest = GRT_TIME_NEVER;
    for (size_t i = 0; i < times.count; i++) {
        grt_time time = times.items[i] < 0 ? -times.items[i] : times.items[i];
        largest = time != GRT_TIME_NEVER && time > largest ? time : largest;
        smallest = time > 0 && time < smallest ? time : smallest;
    }
    return grt_time_scale_for(largest, smallest);
}

const char *grt_column_time_text(const struct grt_time_scale *scale, grt_time time, struct grt_arena *arena) {
    char text[GRT_QUANTITY_TEXT_SIZE];
    return time == GRT_TIME_NEVER ? "-" : grt_arena_text(arena, grt_time_scale_text(scale, time, text));
}

void grt_columns_add_scaled(struct grt_columns *columns, const char *group, const char *name,
                            struct grt_column_times times, const struct grt_time_scale *scale) {
    const char *heading = grt_format(&columns->arena, "%s %s", name, scale->unit);
    const char **cells =
        grt_columns_add(columns, (struct grt_table_column){group, heading, GRT_TEXT_RIGHT, false});
    for (size_t i = 0; i < times.count; i++) {
        cells[i] = grt_column_time_text(scale, times.items[i], &columns->arena);
    }
}

void grt_columns_add_times(struct grt_columns *columns, const char *group, const char *name,
                           struct grt_column_times times) {
    struct grt_time_scale scale = grt_column_scale(times);
    grt_columns_add_scaled(columns, group, name, times, &scale);
}

void grt_columns_print(struct grt_columns *columns, const struct grt_style *style, FILE *out) {
    struct grt_table table = {.arena = &columns->arena};
    for (size_t i = 0; i < columns->count; i++) {
        grt_table_add_column(&table, columns->items[i].heading);
    }
    for (size_t row = 0; row < columns->rows; row++) {
        for (size_t i = 0; i < columns->count; i++) {
            grt_table_add(&table, "%s", columns->items[i].cells[row]);
        }
    }
    grt_table_print(&table, style, out);
    grt_table_free(&table);
    grt_columns_free(columns);
}

void grt_columns_free(struct grt_columns *columns) {
    grt_arena_clear(&columns->arena);
    columns->count = 0;
}
