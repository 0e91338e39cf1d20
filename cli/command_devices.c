#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/named_list.h"
#include "cli/terminal/options.h"
#include "cli/terminal/paragraph.h"
#include "cli/terminal/text_table.h"
#include "models/device.h"
#include "scenarios/embedded.h"
#include "scenarios/spelling.h"
#include "sim/check.h"

static const struct argp_option device_options[] = {
    {"json", 'j', NULL, 0, "Print the device file, or a list of all of them", 0}, {0}};

const struct argp grt_command_devices_argp = {
    .options = device_options,
    .parser = grt_named_list_parse,
    .children = grt_named_list_children,
    .args_doc = "[DEVICE]",
    .doc = "Lists the GPUs that gpurt knows, or shows one with the source of every figure."
           "\v"
           "Examples:\n"
           "  gpurt devices\n"
           "  gpurt devices jetson-tx2\n"
           "  gpurt devices h200 --json > mine.json    begin a device file of your own\n"
           "\n" GRT_EXIT_HELP,
};

static cJSON *parse_device(const struct grt_embedded_file *file) {
    GRT_REQUIRE(file != NULL, "name a device file");
    cJSON *device = cJSON_ParseWithLength(file->text, file->size_bytes);
    GRT_REQUIRE(device != NULL, "build with device files that are JSON");
    return device;
}

/* A field as text: "" where there is none. */
static const char *field_text(const cJSON *device, const char *key) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(device, key));
    return text != NULL ? text : "";
}

/* ---- The list ---- */

static const char *number_text(struct grt_arena *arena, const cJSON *device, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(device, key);
    return cJSON_IsNumber(item) ? grt_format(arena, "%.0f", cJSON_GetNumberValue(item)) : "-";
}

/* What a device is and what else it is called. */
static const char *description(struct grt_arena *arena, const cJSON *device) {
    const char *text = field_text(device, "description");
    const cJSON *alias, *aliases = cJSON_GetObjectItemCaseSensitive(device, "aliases");
    cJSON_ArrayForEach(alias, aliases) {
        text = grt_format(arena, "%s%s%s", text, alias == aliases->child ? "; also called " : ", ",
                          cJSON_GetStringValue(alias));
    }
    return text;
}

static void add_device(struct grt_table *table, const cJSON *device, size_t description_cells) {
    static const char *const numbers[] = {"sm_count", "max_threads_per_sm", "copy_engines",
                                          "priority_levels"};
    const char *capability = field_text(device, "compute_capability");
    grt_table_add(table, "%s", field_text(device, "name"));
    grt_table_add(table, "%s", capability[0] == '\0' || strcmp(capability, "0.0") == 0 ? "-" : capability);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        grt_table_add(table, "%s", number_text(table->arena, device, numbers[i]));
    }
    grt_table_add(table, "%s",
                  grt_table_cut(table->arena, description(table->arena, device), description_cells));
}

static void print_list(const struct grt_named_list *list) {
    enum { OTHER_COLUMNS = 58, LEAST_CELLS = 20 };
    struct grt_style style = grt_named_list_style(list);
    size_t width = (size_t)style.width;
    size_t description_cells = width > OTHER_COLUMNS + LEAST_CELLS ? width - OTHER_COLUMNS : LEAST_CELLS;
    struct grt_arena arena = {0};
    struct grt_table table = {.arena = &arena};
    const struct grt_table_column columns[] = {
        {"", "name", GRT_TEXT_LEFT, false},         {"", "CC", GRT_TEXT_RIGHT, false},
        {"", "SMs", GRT_TEXT_RIGHT, false},         {"threads", "per SM", GRT_TEXT_RIGHT, false},
        {"copy", "engines", GRT_TEXT_RIGHT, false}, {"", "priorities", GRT_TEXT_RIGHT, false},
        {"", "description", GRT_TEXT_LEFT, true}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        grt_table_add_column(&table, columns[i]);
    }
    for (size_t i = 0; i < grt_embedded_device_count; i++) {
        cJSON *device = parse_device(&grt_embedded_devices[i]);
        add_device(&table, device, description_cells);
        cJSON_Delete(device);
    }
    grt_table_print(&table, &style, stdout);
    grt_table_free(&table);
    grt_arena_clear(&arena);
}

/* ---- One device ---- */

/* True if the device has that name or alias. Its names are offered to the guess, which outlives `device`. */
static bool is_called(const cJSON *device, struct grt_arena *arena, struct grt_guess *guess) {
    const char *name = grt_arena_text(arena, field_text(device, "name"));
    bool found = strcmp(name, guess->word) == 0;
    grt_guess_try(guess, name);
    const cJSON *alias;
    cJSON_ArrayForEach(alias, cJSON_GetObjectItemCaseSensitive(device, "aliases")) {
        name = grt_arena_text(arena, cJSON_GetStringValue(alias));
        found = found || strcmp(name, guess->word) == 0;
        grt_guess_try(guess, name);
    }
    return found;
}

static const struct grt_embedded_file *find_device(const char *program, const char *name) {
    struct grt_arena arena = {0};
    struct grt_guess guess = grt_guess_start(name);
    const struct grt_embedded_file *found = NULL;
    for (size_t i = 0; i < grt_embedded_device_count && found == NULL; i++) {
        cJSON *device = parse_device(&grt_embedded_devices[i]);
        found = is_called(device, &arena, &guess) ? &grt_embedded_devices[i] : NULL;
        cJSON_Delete(device);
    }
    if (found == NULL) {
        char suggestion[GRT_GUESS_TEXT_SIZE];
        grt_options_fail(program, "unknown device \"%s\"%s; `gpurt devices` lists them", name,
                         grt_guess_text(&guess, suggestion));
    }
    grt_arena_clear(&arena);
    return found;
}

/* What a person reads in the heading, and what is no figure. */
static bool is_figure(const char *key) {
    static const char *const others[] = {"gpurt_device", "name", "aliases", "description", "sources"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(key, others[i]) == 0) {
            return false;
        }
    }
    return true;
}

static const char *value_text(struct grt_arena *arena, const cJSON *value) {
    if (cJSON_IsNumber(value)) {
        return grt_format(arena, "%.15g", cJSON_GetNumberValue(value));
    }
    if (cJSON_IsBool(value)) {
        return cJSON_IsTrue(value) ? "true" : "false";
    }
    if (cJSON_IsArray(value)) {
        return grt_format(arena, "%d rows", cJSON_GetArraySize(value));
    }
    return cJSON_IsString(value) ? cJSON_GetStringValue(value) : "not known";
}

/* Every field of an object with what it says, or with its default. */
static const char *object_text(struct grt_arena *arena, const cJSON *object,
                               const struct grt_record *record) {
    const char *text = "";
    for (size_t i = 0; i < record->field_count; i++) {
        const struct grt_field *field = &record->fields[i];
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, field->name);
        cJSON *fallback = item == NULL ? cJSON_Parse(field->fallback) : NULL;
        text = grt_format(arena, "%s%s%s %s", text, i == 0 ? "" : ", ", field->name,
                          value_text(arena, item != NULL ? item : fallback));
        cJSON_Delete(fallback);
    }
    return text;
}

static void print_figure(const cJSON *device, const struct grt_field *field, size_t width) {
    enum { NAME_CELLS = 31, VALUE_CELLS = 12 };
    struct grt_arena arena = {0};
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(device, field->name);
    cJSON *fallback = item == NULL && field->fallback != NULL ? cJSON_Parse(field->fallback) : NULL;
    const char *source = field_text(cJSON_GetObjectItemCaseSensitive(device, "sources"), field->name);
    bool is_empty = item == NULL && field->type == GRT_FIELD_LIST;
    const char *value = is_empty ? "none"
                        : field->type == GRT_FIELD_OBJECT
                            ? object_text(&arena, item, field->record)
                            : value_text(&arena, item != NULL ? item : fallback);
    size_t cells = grt_text_cells(value);
    grt_text_put(stdout, field->name, NAME_CELLS, GRT_TEXT_LEFT);
    printf("  ");
    grt_text_put(stdout, value, cells > VALUE_CELLS ? cells : VALUE_CELLS, GRT_TEXT_RIGHT);
    printf("  ");
    grt_paragraph_put(stdout,
                      source[0] != '\0' ? source
                      : item != NULL    ? "-"
                                        : "default",
                      NAME_CELLS + VALUE_CELLS + 4, width);
    cJSON_Delete(fallback);
    grt_arena_clear(&arena);
}

static void print_device(const struct grt_named_list *list, const struct grt_embedded_file *file) {
    cJSON *device = parse_device(file);
    struct grt_arena arena = {0};
    printf("%s: %s\n\n", field_text(device, "name"), description(&arena, device));
    grt_arena_clear(&arena);
    for (size_t i = 0; i < grt_device_record.field_count; i++) {
        if (is_figure(grt_device_record.fields[i].name)) {
            print_figure(device, &grt_device_record.fields[i], (size_t)list->style.width);
        }
    }
    cJSON_Delete(device);
}

enum grt_exit grt_command_devices(int argc, char **argv) {
    struct grt_named_list list = {.what = "device", .style = grt_style_default()};
    grt_options_parse(&grt_command_devices_argp, argc, argv, &list);
    const struct grt_embedded_file *file = list.name != NULL ? find_device(argv[0], list.name) : NULL;
    if (file != NULL && list.json) {
        fwrite(file->text, 1, file->size_bytes, stdout);
    } else if (file != NULL) {
        print_device(&list, file);
    } else if (list.json) {
        grt_named_list_json(grt_embedded_devices, grt_embedded_device_count);
    } else {
        print_list(&list);
    }
    return GRT_EXIT_DONE;
}
