#include "cli/report_numbers.h"

#include <inttypes.h>
#include <string.h>

#include "cli/json_numbers.h"
#include "cli/text_table.h"

static const char *text_of(struct grt_arena *arena, const struct grt_number_result *number) {
    char text[GRT_TIME_TEXT_SIZE];
    if (number->is_time) {
        return number->value == GRT_TIME_NEVER ? "no limit"
                                               : grt_format(arena, "%s", grt_time_text(number->value, text));
    }
    return grt_format(arena, "%" PRId64, number->value);
}

/* "server_period" as "server period" */
static const char *words_of(struct grt_arena *arena, const char *name) {
    char *words = grt_arena_text(arena, name);
    for (char *at = words; *at != '\0'; at++) {
        *at = *at == '_' ? ' ' : *at;
    }
    return words;
}

static void print_common(const struct grt_result *result, struct grt_arena *arena, FILE *out) {
    const char *before = "\nthe policy works with: ";
    for (size_t i = 0; i < result->number_count; i++) {
        const struct grt_number_result *number = &result->numbers[i];
        if (number->task == GRT_NUMBER_OF_NONE) {
            fprintf(out, "%s%s %s", before, words_of(arena, number->name), text_of(arena, number));
            if (number->gpu != GRT_NUMBER_OF_NONE && result->gpu_count > 1) {
                fprintf(out, " on gpu %" PRIu32, number->gpu);
            }
            before = ", ";
        }
    }
    fputs(before[0] == ',' ? "\n" : "", out);
}

/* The names of what tasks have, in the order in which they first come. */
struct columns {
    const char *names[GRT_TABLE_COLUMNS - 1];
    size_t count;
};

static void find_columns(const struct grt_result *result, struct columns *columns) {
    for (size_t i = 0; i < result->number_count; i++) {
        const struct grt_number_result *number = &result->numbers[i];
        size_t place = 0;
        while (place < columns->count && strcmp(columns->names[place], number->name) != 0) {
            place++;
        }
        if (number->task != GRT_NUMBER_OF_NONE && place == columns->count && place < GRT_TABLE_COLUMNS - 1) {
            columns->names[columns->count++] = number->name;
        }
    }
}

static const struct grt_number_result *find(const struct grt_result *result, uint32_t task,
                                            const char *name) {
    for (size_t i = 0; i < result->number_count; i++) {
        const struct grt_number_result *number = &result->numbers[i];
        if (number->task == task && (name == NULL || strcmp(number->name, name) == 0)) {
            return number;
        }
    }
    return NULL;
}

static void add_row(struct grt_table *table, const struct grt_result *result, uint32_t task,
                    const struct columns *columns) {
    grt_table_add(table, "%s", result->tasks[task].name);
    for (size_t i = 0; i < columns->count; i++) {
        const struct grt_number_result *number = find(result, task, columns->names[i]);
        grt_table_add(table, "%s", number == NULL ? "-" : text_of(table->arena, number));
    }
}

void grt_report_numbers(const struct grt_result *result, const struct grt_style *style, FILE *out) {
    struct grt_arena arena = {0};
    struct grt_table table = {.arena = &arena};
    struct columns columns = {0};
    print_common(result, &arena, out);
    find_columns(result, &columns);
    grt_table_add_column(&table, (struct grt_table_column){"", "task", GRT_TEXT_LEFT, false});
    for (size_t i = 0; i < columns.count; i++) {
        grt_table_add_column(
            &table, (struct grt_table_column){"", words_of(&arena, columns.names[i]), GRT_TEXT_RIGHT, false});
    }
    for (uint32_t i = 0; i < result->task_count; i++) {
        if (find(result, i, NULL) != NULL) {
            add_row(&table, result, i, &columns);
        }
    }
    if (columns.count > 0) {
        fputc('\n', out);
        grt_table_print(&table, style, out);
    }
    grt_table_free(&table);
    grt_arena_clear(&arena);
}

void grt_report_numbers_json(cJSON *root, const struct grt_result *result) {
    cJSON *list = result->number_count > 0 ? cJSON_AddArrayToObject(root, "policy_numbers") : NULL;
    for (size_t i = 0; i < result->number_count; i++) {
        const struct grt_number_result *number = &result->numbers[i];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "name", number->name);
        if (number->gpu != GRT_NUMBER_OF_NONE) {
            grt_json_add_count(object, "gpu", number->gpu);
        }
        if (number->task != GRT_NUMBER_OF_NONE) {
            cJSON_AddStringToObject(object, "task", result->tasks[number->task].name);
        }
        if (number->is_time) {
            grt_json_add_time(object, "value_ns", number->value == GRT_TIME_NEVER ? -1 : number->value);
        } else {
            cJSON_AddNumberToObject(object, "value", (double)number->value);
        }
        cJSON_AddItemToArray(list, object);
    }
}
