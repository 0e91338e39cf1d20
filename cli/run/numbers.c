#include "cli/run/numbers.h"

#include <inttypes.h>
#include <string.h>

#include "cli/terminal/json_numbers.h"
#include "cli/terminal/text_table.h"
#include "models/policy.h"

/* Some of a result's: those with which the policy works, or those that it measured. */
struct numbers {
    const struct grt_result *result;
    const struct grt_number_result *items;
    size_t count;
};

static struct numbers worked_with(const struct grt_result *result) {
    return (struct numbers){result, result->numbers, result->number_count};
}

static struct numbers measured(const struct grt_result *result) {
    return (struct numbers){result, result->measures, result->measure_count};
}

static const char *text_of(struct grt_arena *arena, const struct grt_number_result *number) {
    char text[GRT_TIME_TEXT_SIZE];
    if (number->is_time) {
        return number->value == GRT_TIME_NEVER ? "no limit"
                                               : grt_format(arena, "%s", grt_time_text(number->value, text));
    }
    if (number->is_percent) {
        return grt_format(arena, "%.2f", (double)number->value / 1e4);
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

/* "scheduling period 5ms on gpu 1" */
static const char *phrase_of(const struct numbers *numbers, const struct grt_number_result *number,
                             struct grt_arena *arena) {
    const char *words = words_of(arena, number->name), *value = text_of(arena, number);
    return number->gpu != GRT_NUMBER_OF_NONE && numbers->result->gpu_count > 1
               ? grt_format(arena, "%s %s on gpu %" PRIu32, words, value, number->gpu)
               : grt_format(arena, "%s %s", words, value);
}

enum { INDENT = 4 }; /* of lines that go on */

/* Those that are of no task, with commas between, in lines of a width; 0: in one. Returns whether there are any. */
static bool print_common(const struct numbers *numbers, const char *before, size_t width, FILE *out) {
    struct grt_arena arena = {0};
    size_t used = strlen(before);
    bool any = false;
    for (size_t i = 0; i < numbers->count; i++) {
        if (numbers->items[i].task != GRT_NUMBER_OF_NONE) {
            continue;
        }
        const char *phrase = phrase_of(numbers, &numbers->items[i], &arena);
        size_t length = strlen(phrase) + 2;
        bool breaks = any && width > 0 && used + length > width;
        fprintf(out, "%s%s%*s%s", any ? "," : before,
                breaks ? "\n"
                : any  ? " "
                       : "",
                breaks ? INDENT : 0, "", phrase);
        used = (breaks ? INDENT : used) + length;
        any = true;
    }
    grt_arena_clear(&arena);
    return any;
}

/* The names of what tasks have, in the order in which they first come. */
struct columns {
    const char *names[GRT_TABLE_COLUMNS - 1];
    size_t count;
};

static void find_columns(const struct numbers *numbers, struct columns *columns) {
    for (size_t i = 0; i < numbers->count; i++) {
        const struct grt_number_result *number = &numbers->items[i];
        size_t place = 0;
        while (place < columns->count && strcmp(columns->names[place], number->name) != 0) {
            place++;
        }
        if (number->task != GRT_NUMBER_OF_NONE && place == columns->count && place < GRT_TABLE_COLUMNS - 1) {
            columns->names[columns->count++] = number->name;
        }
    }
}

static const struct grt_number_result *find(const struct numbers *numbers, uint32_t task, const char *name) {
    for (size_t i = 0; i < numbers->count; i++) {
        const struct grt_number_result *number = &numbers->items[i];
        if (number->task == task && (name == NULL || strcmp(number->name, name) == 0)) {
            return number;
        }
    }
    return NULL;
}

static void add_row(struct grt_table *table, const struct numbers *numbers, uint32_t task,
                    const struct columns *columns) {
    grt_table_add(table, "%s", numbers->result->tasks[task].name);
    for (size_t i = 0; i < columns->count; i++) {
        const struct grt_number_result *number = find(numbers, task, columns->names[i]);
        grt_table_add(table, "%s", number == NULL ? "-" : text_of(table->arena, number));
    }
}

static void print_all(const struct numbers *numbers, const char *before, size_t width,
                      const struct grt_style *style, FILE *out) {
    struct grt_arena arena = {0};
    struct grt_table table = {.arena = &arena};
    struct columns columns = {0};
    fputs(print_common(numbers, before, width, out) ? "\n" : "", out);
    find_columns(numbers, &columns);
    grt_table_add_column(&table, (struct grt_table_column){"", "task", GRT_TEXT_LEFT, false});
    for (size_t i = 0; i < columns.count; i++) {
        grt_table_add_column(
            &table, (struct grt_table_column){"", words_of(&arena, columns.names[i]), GRT_TEXT_RIGHT, false});
    }
    for (uint32_t i = 0; i < numbers->result->task_count; i++) {
        if (find(numbers, i, NULL) != NULL) {
            add_row(&table, numbers, i, &columns);
        }
    }
    if (columns.count > 0) {
        fputc('\n', out);
        grt_table_print(&table, style, out);
    }
    grt_table_free(&table);
    grt_arena_clear(&arena);
}

void grt_report_numbers(const struct grt_result *result, const struct grt_style *style, FILE *out) {
    const struct numbers before = worked_with(result), after = measured(result);
    print_all(&before, "\nthe policy works with: ", 0, style, out);
    print_all(&after, "\nthe policy measured: ", (size_t)style->width, style, out);
}

void grt_report_measures_line(const struct grt_result *result, const char *before,
                              const struct grt_style *style, FILE *out) {
    const struct numbers numbers = measured(result);
    fputs(print_common(&numbers, before, (size_t)style->width, out) ? "\n" : "", out);
}

static void add_list(cJSON *root, const char *key, const struct numbers *numbers) {
    cJSON *list = numbers->count > 0 ? cJSON_AddArrayToObject(root, key) : NULL;
    for (size_t i = 0; i < numbers->count; i++) {
        const struct grt_number_result *number = &numbers->items[i];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "name", number->name);
        if (number->gpu != GRT_NUMBER_OF_NONE) {
            grt_json_add_count(object, "gpu", number->gpu);
        }
        if (number->task != GRT_NUMBER_OF_NONE) {
            cJSON_AddStringToObject(object, "task", numbers->result->tasks[number->task].name);
        }
        if (number->is_time) {
            grt_json_add_time(object, "value_ns", number->value == GRT_TIME_NEVER ? -1 : number->value);
        } else {
            double value = (double)number->value;
            cJSON_AddNumberToObject(object, "value", number->is_percent ? value / 1e4 : value);
        }
        cJSON_AddItemToArray(list, object);
    }
}

void grt_report_measures_json(cJSON *root, const struct grt_result *result) {
    const struct numbers numbers = measured(result);
    add_list(root, "policy_measures", &numbers);
}

void grt_report_numbers_json(cJSON *root, const struct grt_result *result) {
    const struct numbers numbers = worked_with(result);
    add_list(root, "policy_numbers", &numbers);
    grt_report_measures_json(root, result);
}
