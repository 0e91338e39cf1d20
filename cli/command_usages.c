#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/named_list.h"
#include "cli/terminal/options.h"
#include "cli/terminal/paragraph.h"
#include "cli/terminal/text_table.h"
#include "models/device/usage_check.h"
#include "scenarios/json_tree.h"
#include "scenarios/text_file.h"
#include "scenarios/usages.h"
#include "sim/check.h"
#include "sim/unit.h"

static const struct argp_option usage_options[] = {
    {"json", 'j', NULL, 0, "Print the usage file, or a list of all presets", 0}, {0}};

const struct argp grt_command_usages_argp = {
    .options = usage_options,
    .parser = grt_named_list_parse,
    .children = grt_named_list_children,
    .args_doc = "[USAGE]",
    .doc = "Lists how the kernels that gpurt knows use a GPU that is simulated by shares, or shows one, a "
           "preset "
           "or a file, with the source of every figure and its time over its share."
           "\v"
           "Examples:\n"
           "  gpurt usages\n"
           "  gpurt usages lavamd\n"
           "  gpurt usages cfd --json > mine.json    begin a usage file of your own\n"
           "  gpurt usages mine.json\n"
           "\n" GRT_EXIT_HELP,
};

/* ---- The list ---- */

static const char *percent(struct grt_arena *arena, double fraction) {
    return fraction == 0 ? "-" : grt_format(arena, "%.3g", fraction * 100);
}

static const char *time_text(struct grt_arena *arena, grt_time time) {
    char text[GRT_UNIT_TEXT_SIZE];
    return time == 0 ? "-" : grt_format(arena, "%s", grt_unit_text(GRT_QUANTITY_TIME, time, text));
}

static struct grt_usage_fields read_preset(const struct grt_embedded_file *file, struct grt_arena *arena) {
    struct grt_usage_fields fields;
    struct grt_errors errors = {0};
    bool good = grt_usage_find(file->name, NULL, arena, &fields, &errors, NULL);
    GRT_REQUIRE(good, "build with usage files that are right");
    return fields;
}

static void print_list(const struct grt_named_list *list) {
    enum { FIRST_COLUMN = 26, OTHER_COLUMNS = 84, LEAST_CELLS = 40 };
    struct grt_style style = grt_named_list_style(list);
    size_t width = (size_t)style.width,
           beside = width > OTHER_COLUMNS + LEAST_CELLS ? OTHER_COLUMNS : FIRST_COLUMN;
    size_t description_cells = width > beside + LEAST_CELLS ? width - beside : LEAST_CELLS;
    struct grt_arena arena = {0};
    struct grt_table table = {.arena = &arena};
    const struct grt_table_column columns[] = {{"", "name", GRT_TEXT_LEFT, false},
                                               {"measured", "time", GRT_TEXT_RIGHT, false},
                                               {"host", "%", GRT_TEXT_RIGHT, false},
                                               {"SMs", "%", GRT_TEXT_RIGHT, false},
                                               {"demand %", "sm", GRT_TEXT_RIGHT, false},
                                               {"demand %", "l2", GRT_TEXT_RIGHT, false},
                                               {"demand %", "dram", GRT_TEXT_RIGHT, false},
                                               {"demand %", "shared", GRT_TEXT_RIGHT, false},
                                               {"demand %", "texture", GRT_TEXT_RIGHT, false},
                                               {"", "description", GRT_TEXT_LEFT, true}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        grt_table_add_column(&table, columns[i]);
    }
    for (size_t i = 0; i < grt_embedded_usage_count; i++) {
        struct grt_usage_fields fields = read_preset(&grt_embedded_usages[i], &arena);
        grt_table_add(&table, "%s", fields.usage.name);
        grt_table_add(&table, "%s", time_text(&arena, fields.measured_time));
        grt_table_add(&table, "%s", percent(&arena, fields.usage.host_fraction));
        grt_table_add(&table, "%s", percent(&arena, fields.usage.sm_utilisation));
        for (size_t j = 0; j < GRT_RESOURCES; j++) {
            grt_table_add(&table, "%s", percent(&arena, fields.usage.demand[j]));
        }
        grt_table_add(&table, "%s", grt_table_cut(&arena, fields.description, description_cells));
    }
    grt_table_print(&table, &style, stdout);
    grt_table_free(&table);
    grt_arena_clear(&arena);
}

/* ---- One usage ---- */

/* Where figures are printed, and what their sources are. */
struct sheet {
    const cJSON *sources;
    size_t width;
};

static void print_figure(const struct sheet *sheet, const char *key, const char *part, const char *value) {
    enum { NAME_CELLS = 31, VALUE_CELLS = 12 };
    char name[80];
    const char *source = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(sheet->sources, key));
    snprintf(name, sizeof name, "%s%s%s", key, part[0] != '\0' ? "." : "", part);
    grt_text_put(stdout, name, NAME_CELLS, GRT_TEXT_LEFT);
    printf("  ");
    grt_text_put(stdout, value, VALUE_CELLS, GRT_TEXT_RIGHT);
    if (source == NULL) {
        putchar('\n');
        return;
    }
    printf("  ");
    grt_paragraph_put(stdout, source, NAME_CELLS + VALUE_CELLS + 4, sheet->width);
}

static void print_number(const struct sheet *sheet, const char *key, const char *part, double value) {
    char text[40];
    snprintf(text, sizeof text, "%.15g", value);
    print_figure(sheet, key, part, text);
}

/* Those of a list that are not 0, the source behind the first one only. */
static void print_numbers(const struct sheet *sheet, const char *key, const char *const *names,
                          const double *values, size_t count) {
    const struct sheet others = {.width = sheet->width};
    bool is_first = true;
    for (size_t i = 0; i < count; i++) {
        if (values[i] != 0) {
            print_number(is_first ? sheet : &others, key, names[i], values[i]);
            is_first = false;
        }
    }
}

static void print_shares(const struct grt_usage *usage) {
    static const int64_t shares[] = {5, 10, 20, 30, 40, 50, 60, 80, 100};
    printf("\nTime alone over the share of the SMs, of the time with all of them:\n\n");
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        printf("%5lld %%  %8.3f\n", (long long)shares[i], grt_usage_share_factor(usage, shares[i]));
    }
}

static void print_usage(const struct grt_named_list *list, const struct grt_usage_fields *fields,
                        const cJSON *file) {
    const struct grt_usage *usage = &fields->usage;
    struct sheet sheet = {cJSON_GetObjectItemCaseSensitive(file, "sources"), (size_t)list->style.width};
    struct grt_arena arena = {0};
    const cJSON *alias, *aliases = cJSON_GetObjectItemCaseSensitive(file, "aliases");
    printf("%s: %s", usage->name, fields->description);
    cJSON_ArrayForEach(alias, aliases) {
        printf("%s%s", alias == aliases->child ? "; also called " : ", ", cJSON_GetStringValue(alias));
    }
    printf("\n\n");
    print_figure(&sheet, "measured_time", "", time_text(&arena, fields->measured_time));
    print_number(&sheet, "host_fraction", "", usage->host_fraction);
    print_number(&sheet, "sm_utilisation", "", usage->sm_utilisation);
    print_numbers(&sheet, "demand", grt_resource_names, usage->demand, GRT_RESOURCES);
    print_numbers(&sheet, "bound", grt_resource_names, usage->bound, GRT_RESOURCES);
    print_numbers(&sheet, "counters", grt_indicator_names, usage->counters, GRT_INDICATORS);
    if (usage->share_factors.count > 0) {
        print_figure(&sheet, "share_factors", "", grt_format(&arena, "%zu rows", usage->share_factors.count));
    }
    print_shares(usage);
    grt_arena_clear(&arena);
}

/* The text of a preset or of a file that has been read before; to be freed. */
static char *text_of(const char *program, const char *name, size_t *size) {
    const struct grt_embedded_file *preset = grt_usage_preset(name);
    if (preset != NULL) {
        char *text = grt_allocate(preset->size_bytes + 1);
        *size = preset->size_bytes;
        return memcpy(text, preset->text, preset->size_bytes + 1);
    }
    struct grt_errors errors = {0};
    char *text = grt_text_file_read(name, size, &errors);
    if (text == NULL) {
        grt_options_fail(program, "%s: %s", name, errors.messages[0]);
    }
    return text;
}

static void show_usage(const char *program, const struct grt_named_list *list) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_usage_fields fields;
    if (!grt_usage_find(list->name, NULL, &arena, &fields, &errors, NULL)) {
        grt_options_fail(program, "%s", errors.messages[0]);
    }
    size_t size;
    char *text = text_of(program, list->name, &size);
    if (list->json) {
        fwrite(text, 1, size, stdout);
    } else {
        cJSON *file = grt_json_parse(text, size, &errors);
        print_usage(list, &fields, file);
        cJSON_Delete(file);
    }
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
    free(text);
}

enum grt_exit grt_command_usages(int argc, char **argv) {
    struct grt_named_list list = {.what = "usage", .style = grt_style_default()};
    grt_options_parse(&grt_command_usages_argp, argc, argv, &list);
    if (list.name != NULL) {
        show_usage(argv[0], &list);
    } else if (list.json) {
        grt_named_list_json(grt_embedded_usages, grt_embedded_usage_count);
    } else {
        print_list(&list);
    }
    return GRT_EXIT_DONE;
}
