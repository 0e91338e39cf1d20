/* What analyses say besides verdicts and bounds. */
#include <string.h>

#include "cli/analysis/report.h"
#include "cli/terminal/quantity.h"
#include "cli/terminal/table_columns.h"

static const char *value_text(const struct grt_analysis_value *value, struct grt_arena *arena) {
    char text[GRT_QUANTITY_TEXT_SIZE];
    if (!value->is_time) {
        return grt_format(arena, "%.6g", value->number);
    }
    return value->time == GRT_ANALYSIS_NEVER ? "-"
                                             : grt_arena_text(arena, grt_time_short_text(value->time, text));
}

/* "busy_period" as people write it. */
static const char *value_name(const char *name, struct grt_arena *arena) {
    char *text = grt_arena_text(arena, name);
    for (char *place = text; *place != '\0'; place++) {
        *place = *place == '_' ? ' ' : *place;
    }
    return text;
}

const char *grt_analysis_values_text(const struct grt_analysis_result *result, struct grt_arena *arena) {
    const char *line = "";
    for (size_t i = 0; i < result->value_count; i++) {
        const struct grt_analysis_value *value = &result->values[i];
        if (value->task == GRT_ANALYSIS_NO_TASK) {
            line = grt_format(arena, "%s%s%s %s", line, line[0] != '\0' ? ", " : "",
                              value_name(value->name, arena), value_text(value, arena));
        }
    }
    return line;
}

/* The column of a value, of the table that is being made; NULL where there is no room for another. */
static const char **value_column(struct grt_columns *columns, const char *group, const char *name) {
    const char *shown = value_name(name, &columns->arena);
    for (size_t i = 1; i < columns->count; i++) {
        const struct grt_table_column *heading = &columns->items[i].heading;
        if (strcmp(heading->group, group) == 0 && strcmp(heading->name, shown) == 0) {
            return columns->items[i].cells;
        }
    }
    if (columns->count == GRT_TABLE_COLUMNS) {
        return NULL;
    }
    bool starts = strcmp(columns->items[columns->count - 1].heading.group, group) != 0;
    const char **cells =
        grt_columns_add(columns, (struct grt_table_column){group, shown, GRT_TEXT_RIGHT, starts});
    for (size_t i = 0; i < columns->rows; i++) {
        cells[i] = "-";
    }
    return cells;
}

void grt_analysis_value_table(const struct grt_analyzed_gpu *gpu, const struct grt_style *style, FILE *out) {
    struct grt_columns columns = {0};
    grt_analysis_columns_begin(&columns, &gpu->set);
    for (size_t i = 0; i < gpu->analysis_count; i++) {
        const struct grt_analyzed *analyzed = &gpu->analyses[i];
        for (size_t j = 0; j < analyzed->result.value_count; j++) {
            const struct grt_analysis_value *value = &analyzed->result.values[j];
            const char **cells = value->task != GRT_ANALYSIS_NO_TASK
                                     ? value_column(&columns, analyzed->ops->name, value->name)
                                     : NULL;
            if (cells != NULL) {
                cells[value->task] = value_text(value, &columns.arena);
            }
        }
    }
    if (columns.count > 1) {
        fputc('\n', out);
        grt_columns_print(&columns, style, out);
    }
    grt_columns_free(&columns);
}
