/* The usages that kernels name: presets, files, objects in place. */
#include <stdlib.h>
#include <string.h>

#include "scenarios/file_kind.h"
#include "scenarios/records.h"
#include "scenarios/spelling.h"
#include "scenarios/text_file.h"
#include "scenarios/usages.h"

enum { FILE_LENGTH = 1000 };

/* A usage that was asked for by name. Kernels that name the same have the same one, read once. */
struct grt_usage_known {
    const struct grt_usage_known *next;
    const char *name;
    struct grt_usage_fields fields;
};

/* The errors of a file name it within the scenario's own. */
static bool read_text(struct grt_reader *reader, const char *name, const char *text, size_t size,
                      const struct grt_path *path, struct grt_usage_fields *out) {
    struct grt_errors inner = {0};
    struct grt_reader inside = {.arena = reader->arena, .errors = &inner, .folder = reader->folder};
    struct grt_path root = {0};
    cJSON *tree = grt_json_parse(text, size, &inner);
    bool good = tree != NULL && grt_file_kind_check(tree, GRT_FILE_USAGE, &inner) &&
                grt_read_record(&inside, &grt_usage_record, tree, &root, out);
    for (size_t i = 0; i < inner.count && i < GRT_ERRORS_KEPT; i++) {
        grt_error_add(reader->errors, path, "in %s: %s", name, inner.messages[i]);
    }
    grt_errors_clear(&inner);
    cJSON_Delete(tree);
    if (good && out->usage.name == NULL) {
        out->usage.name = grt_arena_text(reader->arena, name);
    }
    return good;
}

static bool read_file(struct grt_reader *reader, const char *name, const struct grt_path *path,
                      struct grt_usage_fields *out) {
    struct grt_errors inner = {0};
    size_t size;
    char *text = grt_text_file_read(grt_path_in_folder(reader->arena, reader->folder, name), &size, &inner);
    if (text == NULL) {
        grt_error_add(reader->errors, path, "the usage file %s %s", name, inner.messages[0]);
        grt_errors_clear(&inner);
        return false;
    }
    bool good = read_text(reader, name, text, size, path, out);
    free(text);
    return good;
}

/* ---- presets ---- */

/* Whether a preset has that name or alias. Its names are offered to the guess, which may point into *tree. */
static bool is_called(const struct grt_embedded_file *file, const char *name, struct grt_guess *guess,
                      cJSON **tree) {
    bool found = strcmp(file->name, name) == 0;
    *tree = cJSON_ParseWithLength(file->text, file->size_bytes);
    grt_guess_try(guess, file->name);
    const cJSON *alias;
    cJSON_ArrayForEach(alias, grt_json_find(*tree, "aliases")) {
        found = found || strcmp(alias->valuestring, name) == 0;
        grt_guess_try(guess, alias->valuestring);
    }
    return found;
}

const struct grt_embedded_file *grt_usage_preset(const char *name) {
    for (size_t i = 0; i < grt_embedded_usage_count; i++) {
        struct grt_guess unused = grt_guess_start(name);
        cJSON *tree;
        bool found = is_called(&grt_embedded_usages[i], name, &unused, &tree);
        cJSON_Delete(tree);
        if (found) {
            return &grt_embedded_usages[i];
        }
    }
    return NULL;
}

static void add_unknown(struct grt_reader *reader, const char *name, const struct grt_path *path) {
    struct grt_guess guess = grt_guess_start(name);
    cJSON *tree, *kept = cJSON_CreateArray();
    for (size_t i = 0; i < grt_embedded_usage_count; i++) {
        is_called(&grt_embedded_usages[i], name, &guess, &tree);
        cJSON_AddItemToArray(kept, tree); /* the guess may point into it */
    }
    char shown[GRT_JSON_SHOWN_SIZE], hint[GRT_GUESS_TEXT_SIZE];
    grt_error_add(reader->errors, path,
                  "unknown usage %s%s; `gpurt usages` lists them, a file's name ends in .json",
                  grt_text_show(name, shown), grt_guess_text(&guess, hint));
    cJSON_Delete(kept);
}

static bool find_usage(struct grt_reader *reader, const char *name, const struct grt_path *path,
                       struct grt_usage_fields *out) {
    size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, ".json") == 0) {
        return read_file(reader, name, path, out);
    }
    const struct grt_embedded_file *preset = grt_usage_preset(name);
    if (preset == NULL) {
        add_unknown(reader, name, path);
        return false;
    }
    return read_text(reader, preset->name, preset->text, preset->size_bytes, path, out);
}

bool grt_usage_find(const char *name, const char *folder, struct grt_arena *arena,
                    struct grt_usage_fields *out, struct grt_errors *errors, const struct grt_path *path) {
    struct grt_reader reader = {.arena = arena, .errors = errors, .folder = folder != NULL ? folder : "."};
    *out = (struct grt_usage_fields){0};
    return find_usage(&reader, name, path, out);
}

/* ---- the field of a kernel ---- */

/* NULL after adding errors. */
static const struct grt_usage *known_usage(struct grt_reader *reader, const char *name,
                                           const struct grt_path *path) {
    const struct grt_usage_known *known = reader->usages;
    while (known != NULL && strcmp(known->name, name) != 0) {
        known = known->next;
    }
    if (known != NULL) {
        return &known->fields.usage;
    }
    struct grt_usage_known *found = grt_arena_array(reader->arena, 1, sizeof *found);
    if (!find_usage(reader, name, path, &found->fields)) {
        return NULL;
    }
    found->name = grt_arena_text(reader->arena, name);
    found->next = reader->usages;
    reader->usages = found;
    return &found->fields.usage;
}

GRT_READER(grt_read_usage) {
    const struct grt_usage **usage = out;
    (void)field;
    if (cJSON_IsObject(value)) {
        struct grt_usage_fields *fields = grt_arena_array(reader->arena, 1, sizeof *fields);
        if (grt_read_record(reader, &grt_usage_record, value, path, fields)) {
            *usage = &fields->usage;
        }
    } else if (!cJSON_IsString(value)) {
        grt_read_error(reader, path, value, "must be the name of a usage, a usage file or an object");
    } else if (strpbrk(value->valuestring, "\n\t") != NULL) {
        grt_read_error(reader, path, value, "must not hold control characters");
    } else if (grt_read_text_is_good(reader, value, path, 1, FILE_LENGTH)) {
        *usage = known_usage(reader, value->valuestring, path);
    }
}
