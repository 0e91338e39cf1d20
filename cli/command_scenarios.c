#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/named_list.h"
#include "cli/terminal/library_files.h"
#include "cli/terminal/options.h"
#include "cli/terminal/paragraph.h"
#include "cli/terminal/print_errors.h"
#include "cli/terminal/text_table.h"
#include "scenarios/json_tree.h"
#include "scenarios/spelling.h"
#include "scenarios/text_file.h"

struct scenarios {
    struct grt_named_list asked;
    struct grt_library_files files;
    struct grt_arena arena;
    struct grt_errors errors;
};

static const struct argp_option scenario_options[] = {
    {"json", 'j', NULL, 0, "Print the scenario's file, or a list of those that there are", 0}, {0}};

const struct argp grt_command_scenarios_argp = {
    .options = scenario_options,
    .parser = grt_named_list_parse,
    .children = grt_named_list_children,
    .args_doc = "[NAME]",
    .doc =
        "Lists the scenarios that gpurt comes with, or those of a folder of them, or shows one. Wherever a "
        "scenario is read, its name will do, unless a file is called so: whole, or its last part if no other "
        "ends so. The experiments beside them are listed by gpurt papers."
        "\v"
        "Examples:\n"
        "  gpurt scenarios\n"
        "  gpurt scenarios papers/gpu-server\n"
        "  gpurt scenarios quickstart\n"
        "  gpurt run quickstart\n"
        "  gpurt scenarios drone-orin --json > mine.json    begin one of your own\n"
        "\n" GRT_EXIT_HELP,
};

/* ---- Files ---- */

/* The tree of a file, to be freed with cJSON_Delete; NULL after adding errors where it is no JSON. */
static cJSON *read_tree(const struct grt_library_file *file, struct grt_errors *errors) {
    struct grt_errors found = {0};
    size_t size;
    char *text = grt_text_file_read(file->path, &size, &found);
    cJSON *tree = text != NULL ? grt_json_parse(text, size, &found) : NULL;
    free(text);
    if (tree == NULL) {
        grt_errors_move(&found, errors);
    }
    grt_errors_clear(&found);
    return tree;
}

/* The same for lists, which show that there is such a file. */
static cJSON *read_tree_if_good(const struct grt_library_file *file) {
    struct grt_errors ignored = {0};
    cJSON *tree = read_tree(file, &ignored);
    grt_errors_clear(&ignored);
    return tree;
}

/* A field as text: "" where there is none. */
static const char *field_text(const cJSON *tree, const char *key) {
    const char *text = cJSON_GetStringValue(grt_json_find(tree, key));
    return text != NULL ? text : "";
}

/* NULL: the file has none, or one that is no text, and will be refused. */
static const char *description_of(const cJSON *tree) {
    return cJSON_GetStringValue(grt_json_find(tree, "description"));
}

/* The same for people; of a file that is no JSON, too. */
static const char *shown_description(const cJSON *tree) {
    const char *text = description_of(tree);
    return tree == NULL ? "(cannot be read)" : text == NULL || text[0] == '\0' ? "(no description)" : text;
}

static bool is_below(const struct grt_library_file *file, const char *folder) {
    size_t length = strlen(folder);
    while (length > 0 && folder[length - 1] == '/') {
        length--;
    }
    return strncmp(file->name, folder, length) == 0 && file->name[length] == '/';
}

/* Whether a file is to be listed. */
static bool is_wanted(const struct scenarios *scenarios, uint32_t index) {
    return scenarios->asked.name == NULL || is_below(&scenarios->files.items[index], scenarios->asked.name);
}

static bool is_folder(const struct scenarios *scenarios) {
    bool found = false;
    for (uint32_t i = 0; i < scenarios->files.count && !found; i++) {
        found = is_wanted(scenarios, i);
    }
    return found;
}

/* ---- The list ---- */

/* The cells of the names' column: those that are longer have a line of their own. */
static size_t name_cells(const struct scenarios *scenarios, size_t width) {
    size_t longest = 0, most = width / 2;
    for (uint32_t i = 0; i < scenarios->files.count; i++) {
        size_t cells = is_wanted(scenarios, i) ? grt_text_cells(scenarios->files.items[i].name) : 0;
        longest = cells > longest ? cells : longest;
    }
    return longest < most ? longest : most;
}

/* What a list has room for. */
static const char *first_sentence(const char *text, struct grt_arena *arena) {
    const char *end = strstr(text, ". ");
    while (end != NULL && (end[2] < 'A' || end[2] > 'Z')) { /* "i.e. so" */
        end = strstr(end + 1, ". ");
    }
    return end != NULL ? grt_format(arena, "%.*s", (int)(end - text), text) : text;
}

static void print_entry(struct scenarios *scenarios, const struct grt_library_file *file, size_t cells,
                        size_t width) {
    cJSON *tree = read_tree_if_good(file);
    const char *text = shown_description(tree);
    size_t used = grt_text_cells(file->name);
    if (used > cells) {
        printf("%s\n", file->name);
        used = 0;
    } else {
        fputs(file->name, stdout);
    }
    printf("%*s", (int)(cells + 2 - used), "");
    grt_paragraph_put(stdout, first_sentence(text, &scenarios->arena), cells + 2, width);
    cJSON_Delete(tree);
}

static void print_list(struct scenarios *scenarios) {
    size_t width = (size_t)grt_named_list_style(&scenarios->asked).width;
    size_t cells = name_cells(scenarios, width);
    for (uint32_t i = 0; i < scenarios->files.count; i++) {
        if (is_wanted(scenarios, i)) {
            print_entry(scenarios, &scenarios->files.items[i], cells, width);
        }
    }
}

static void print_list_json(const struct scenarios *scenarios) {
    cJSON *list = cJSON_CreateArray();
    for (uint32_t i = 0; i < scenarios->files.count; i++) {
        if (is_wanted(scenarios, i)) {
            const struct grt_library_file *file = &scenarios->files.items[i];
            cJSON *tree = read_tree_if_good(file), *item = cJSON_CreateObject();
            cJSON_AddStringToObject(item, "name", file->name);
            cJSON_AddStringToObject(item, "path", file->path);
            const char *text = description_of(tree);
            cJSON_AddItemToObject(item, "description",
                                  text != NULL ? cJSON_CreateString(text) : cJSON_CreateNull());
            cJSON_AddItemToArray(list, item);
            cJSON_Delete(tree);
        }
    }
    char *text = cJSON_Print(list);
    puts(text);
    free(text);
    cJSON_Delete(list);
}

/* ---- One ---- */

static bool print_text(const struct grt_library_file *file, struct grt_errors *errors) {
    size_t size;
    char *text = grt_text_file_read(file->path, &size, errors);
    if (text != NULL) {
        fwrite(text, 1, size, stdout);
    }
    free(text);
    return text != NULL;
}

static void print_line(const struct scenarios *scenarios, const char *label, const char *text) {
    if (text[0] != '\0') {
        grt_text_put(stdout, label, 10, GRT_TEXT_LEFT);
        grt_paragraph_put(stdout, text, 10, (size_t)scenarios->asked.style.width);
    }
}

/* Its name, or where it comes from. */
static const char *policy_text(const cJSON *tree, struct grt_arena *arena) {
    const cJSON *policy = grt_json_find(tree, "policy");
    const char *plugin = field_text(policy, "plugin");
    return plugin[0] != '\0' ? grt_format(arena, "plug-in %s", plugin) : field_text(policy, "name");
}

static bool print_scenario(struct scenarios *scenarios, const struct grt_library_file *file) {
    cJSON *tree = read_tree(file, &scenarios->errors);
    if (tree == NULL) {
        return false;
    }
    printf("%s: ", file->name);
    grt_paragraph_put(stdout, shown_description(tree), strlen(file->name) + 2,
                      (size_t)scenarios->asked.style.width);
    putchar('\n');
    print_line(scenarios, "source", field_text(tree, "source"));
    print_line(scenarios, "policy", policy_text(tree, &scenarios->arena));
    print_line(scenarios, "file", file->path);
    cJSON_Delete(tree);
    return true;
}

/* True where the one that is named was shown; else errors were added. */
static bool show_one(struct scenarios *scenarios) {
    struct grt_errors *errors = &scenarios->errors;
    const struct grt_library_file *file =
        grt_library_files_find(&scenarios->files, scenarios->asked.name, errors);
    if (file == NULL) {
        if (errors->count == 0) {
            char suggestion[GRT_GUESS_TEXT_SIZE];
            grt_error_add(errors, NULL, "the library %s has no scenario or folder of that name%s",
                          scenarios->files.folder,
                          grt_library_files_suggest(&scenarios->files, scenarios->asked.name, suggestion));
        }
        return false;
    }
    if (scenarios->asked.json) {
        return print_text(file, errors);
    }
    return print_scenario(scenarios, file);
}

static bool show(struct scenarios *scenarios) {
    if (!grt_library_files_list(NULL, GRT_LIBRARY_SCENARIO, &scenarios->files, &scenarios->arena,
                                &scenarios->errors)) {
        return false;
    }
    if (scenarios->asked.name != NULL && !is_folder(scenarios)) {
        return show_one(scenarios);
    }
    if (scenarios->asked.json) {
        print_list_json(scenarios);
    } else {
        print_list(scenarios);
    }
    return true;
}

enum grt_exit grt_command_scenarios(int argc, char **argv) {
    struct scenarios scenarios = {.asked = {.what = "scenario or folder", .style = grt_style_default()}};
    grt_options_parse(&grt_command_scenarios_argp, argc, argv, &scenarios.asked);
    bool shown = show(&scenarios);
    grt_print_errors(&scenarios.errors, scenarios.asked.name);
    grt_library_files_free(&scenarios.files);
    grt_arena_clear(&scenarios.arena);
    return shown ? GRT_EXIT_DONE : GRT_EXIT_INPUT;
}
