#include <stdlib.h>

#include "calib/program/import/import.h"
#include "calib/program/import/ncu_usage.h"
#include "cli/terminal/output_file.h"
#include "cli/terminal/print_errors.h"
#include "cli/terminal/shown_line.h"
#include "cli/terminal/text_table.h"
#include "scenarios/records.h"
#include "scenarios/scenario.h"
#include "scenarios/text_file.h"
#include "sim/check.h"
#include "sim/program_name.h"

void grt_import_warn(struct grt_errors *warnings, const char *file) {
    for (size_t i = 0; i < warnings->count && i < GRT_ERRORS_KEPT; i++) {
        grt_shown_line("%s: %s: warning: %s", grt_program_name(), file, warnings->messages[i]);
    }
    if (warnings->count > GRT_ERRORS_KEPT) {
        grt_shown_line("%s: %s: warning: and %zu more", grt_program_name(), file,
                       warnings->count - GRT_ERRORS_KEPT);
    }
    grt_errors_clear(warnings);
}

static bool write_file(const struct grt_import *import, struct grt_arena *arena,
                       const struct grt_ncu_usage *usage, struct grt_errors *errors) {
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    GRT_REQUIRE(memory != NULL, "have more memory");
    grt_ncu_usage_write(usage, memory);
    fclose(memory);
    bool good = grt_output_text(grt_format(arena, "%s/%s.json", import->out, usage->name), text, "", errors);
    free(text);
    return good;
}

static void add_columns(struct grt_table *table) {
    static const char *const names[] = {"usage", "launches", "time", "spread", "SMs"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        grt_table_add_column(
            table, (struct grt_table_column){
                       .group = "", .name = names[i], .side = i == 0 ? GRT_TEXT_LEFT : GRT_TEXT_RIGHT});
    }
    for (size_t i = 0; i < GRT_RESOURCES; i++) {
        grt_table_add_column(table, (struct grt_table_column){.group = "demand",
                                                              .name = grt_resources_record.fields[i].name,
                                                              .side = GRT_TEXT_RIGHT});
    }
    grt_table_add_column(table,
                         (struct grt_table_column){.group = "", .name = "counters", .side = GRT_TEXT_RIGHT});
}

static void add_row(struct grt_table *table, const struct grt_ncu_usage *usage) {
    char time[GRT_TIME_TEXT_SIZE];
    int known = 0;
    for (size_t i = 0; i < GRT_INDICATORS; i++) {
        known += usage->has_counter[i];
    }
    grt_table_add(table, "%s", usage->name);
    grt_table_add(table, "%zu", usage->launches);
    grt_table_add(table, "%s", grt_time_text(usage->fields.measured_time, time));
    grt_table_add(table, "%.1f%%", 100 * usage->time_spread);
    grt_table_add(table, "%.3g", usage->fields.usage.sm_utilisation);
    for (size_t i = 0; i < GRT_RESOURCES; i++) {
        if (usage->has_demand[i]) {
            grt_table_add(table, "%.3g", usage->fields.usage.demand[i]);
        } else {
            grt_table_add(table, "-");
        }
    }
    grt_table_add(table, "%d of %d", known, GRT_INDICATORS);
}

static enum grt_exit write_usages(const struct grt_import *import, const struct grt_ncu_usages *usages,
                                  struct grt_errors *errors) {
    struct grt_arena arena = {0};
    struct grt_table table = {.arena = &arena};
    bool good = grt_output_folder(import->out, "write usages there", errors);
    add_columns(&table);
    for (size_t i = 0; i < usages->count && good; i++) {
        good = write_file(import, &arena, &usages->items[i], errors);
        add_row(&table, &usages->items[i]);
    }
    if (good && !import->quiet) {
        grt_table_print(&table, &import->style, stdout);
        printf("\n%zu usage files were written to %s\n", usages->count, import->out);
    }
    grt_table_free(&table);
    grt_arena_clear(&arena);
    return good ? GRT_EXIT_DONE : GRT_EXIT_FAILED;
}

/* Reads, computes, writes; *path: which file errors are of. */
static enum grt_exit import_text(struct grt_import *import, const char *text, size_t size, const char **path,
                                 struct grt_errors *errors) {
    struct grt_ncu ncu = {0};
    struct grt_ncu_usages usages = {0};
    struct grt_device device;
    struct grt_errors warnings = {0};
    enum grt_exit result = GRT_EXIT_INPUT;
    *path = NULL;
    static const struct grt_path root = {0};
    const struct grt_path option = {.parent = &root, .key = "--device"};
    bool known = import->device != NULL;
    if (known && !grt_device_find(import->device, ".", &import->arena, &device, errors, &option)) {
        return result;
    }
    *path = import->file;
    if (grt_ncu_read(text, size, &ncu, errors) &&
        grt_ncu_usages_make(&ncu, known ? &device : NULL, &usages, &warnings, errors)) {
        *path = NULL;
        grt_import_warn(&warnings, import->file);
        result = write_usages(import, &usages, errors);
        grt_ncu_usages_free(&usages);
    }
    grt_errors_clear(&warnings);
    grt_ncu_free(&ncu);
    return result;
}

enum grt_exit grt_import_ncu(struct grt_import *import) {
    struct grt_errors errors = {0};
    const char *path = import->file;
    size_t size = 0;
    char *text = grt_text_file_read(import->file, &size, &errors);
    enum grt_exit result = text != NULL ? import_text(import, text, size, &path, &errors) : GRT_EXIT_INPUT;
    grt_print_errors(&errors, path);
    free(text);
    return result;
}
