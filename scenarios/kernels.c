#include "scenarios/kernels.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "scenarios/file_kind.h"
#include "scenarios/kernels_internal.h"
#include "scenarios/records.h"
#include "scenarios/scenario.h"
#include "scenarios/text_file.h"

enum { FILE_LENGTH = 1000 };

static const struct grt_path root_path = {0};

/* ---- sources ---- */

static struct kernel_source *add_source(struct grt_kernels *kernels, const struct kernel_source *source) {
    kernels->sources = grt_array_grow(kernels->sources, &kernels->source_capacity, kernels->source_count + 1,
                                      sizeof *kernels->sources);
    kernels->sources[kernels->source_count] = *source;
    return &kernels->sources[kernels->source_count++];
}

/* What has no name is refused when the definition is read. */
static void add_definition(struct grt_kernels *kernels, cJSON *object, uint32_t source, size_t place) {
    const char *name = cJSON_GetStringValue(grt_json_find(object, "name"));
    if (name != NULL && kernels->count < UINT32_MAX) {
        kernels->items =
            grt_array_grow(kernels->items, &kernels->capacity, kernels->count + 1, sizeof *kernels->items);
        kernels->items[kernels->count++] =
            (struct definition){.name = name, .object = object, .source = source, .place = place};
    }
}

static void add_file_definitions(struct grt_kernels *kernels, cJSON *tree, uint32_t source) {
    cJSON *list = cJSON_GetObjectItemCaseSensitive(tree, "kernels"), *object;
    size_t place = 0;
    for (object = kernel_list_first(list); object != NULL; object = object->next) {
        add_definition(kernels, object, source, place++);
    }
}

static bool is_file_name(struct grt_reader *reader, const cJSON *value, const struct grt_path *path) {
    const char *name = value->valuestring;
    size_t length = strlen(name);
    if (strpbrk(name, "\n\t") != NULL) {
        grt_read_error(reader, path, value, "must not hold control characters");
        return false;
    }
    if (length <= 5 || strcmp(name + length - 5, ".json") != 0) {
        grt_read_error(reader, path, value, "must be the name of a file that ends in .json");
        return false;
    }
    return grt_read_text_is_good(reader, value, path, 1, FILE_LENGTH);
}

static void add_file(struct grt_reader *reader, struct grt_kernels *kernels, const cJSON *value,
                     const struct kernel_source *where, const struct grt_path *path) {
    if (!is_file_name(reader, value, path)) {
        return;
    }
    struct grt_errors inner = {0};
    size_t size;
    char *text = grt_text_file_read(grt_path_in_folder(reader->arena, reader->folder, value->valuestring),
                                    &size, &inner);
    if (text == NULL) {
        grt_error_add(reader->errors, path, "the kernel file %s %s", value->valuestring, inner.messages[0]);
        grt_errors_clear(&inner);
        return;
    }
    struct kernel_source *source = add_source(kernels, where);
    source->file = grt_arena_text(reader->arena, value->valuestring);
    source->tree = grt_json_parse(text, size, &source->errors);
    free(text);
    if (source->tree != NULL && grt_file_kind_check(source->tree, GRT_FILE_KERNELS, &source->errors)) {
        source->device = cJSON_GetStringValue(grt_json_find(source->tree, "device"));
        add_file_definitions(kernels, source->tree, kernels->source_count - 1);
    }
}

static void add_entry(struct grt_reader *reader, struct grt_kernels *kernels, cJSON *value,
                      const struct kernel_source *where, const struct grt_path *path) {
    if (cJSON_IsString(value)) {
        add_file(reader, kernels, value, where, path);
    } else if (cJSON_IsObject(value) && where->is_list) {
        add_source(kernels, where);
        add_definition(kernels, value, kernels->source_count - 1, where->entry);
    } else {
        grt_read_error(reader, path, value, "must be a kernel file or %s",
                       where->is_list ? "a definition" : "a list of such files and of definitions");
    }
}

/* ---- names ---- */

struct definition *grt_kernels_named(const struct grt_kernels *kernels, const char *name) {
    const struct grt_name_entry *found = grt_name_index_find(kernels->names, kernels->count, name);
    return found != NULL ? &kernels->items[found->index] : NULL;
}

static void add_repeated(struct grt_kernels *kernels, const struct definition *first,
                         const struct definition *again) {
    const char *file = kernels->sources[first->source].file;
    struct kernel_source *source = &kernels->sources[again->source];
    struct grt_path list = {&root_path, "kernels", 0}, item = {&list, NULL, again->place},
                    place = {&item, "name", 0};
    char shown[GRT_JSON_SHOWN_SIZE];
    if (file == NULL) {
        grt_error_add(&source->errors, &place, "is already the name of kernels[%zu] (got %s)", first->place,
                      grt_text_show(again->name, shown));
    } else {
        grt_error_add(&source->errors, &place, "is already the name of kernels[%zu] of %s (got %s)",
                      first->place, file, grt_text_show(again->name, shown));
    }
}

static void index_names(struct grt_kernels *kernels, struct grt_arena *arena) {
    kernels->names = grt_arena_array(arena, kernels->count, sizeof *kernels->names);
    for (uint32_t i = 0; i < kernels->count; i++) {
        kernels->names[i] = (struct grt_name_entry){kernels->items[i].name, i};
    }
    grt_name_index_sort(kernels->names, kernels->count);
    for (uint32_t i = 1, first = 0; i < kernels->count; i++) {
        if (strcmp(kernels->names[first].name, kernels->names[i].name) == 0) {
            add_repeated(kernels, &kernels->items[kernels->names[first].index],
                         &kernels->items[kernels->names[i].index]);
        } else {
            first = i;
        }
    }
}

/* ---- all of them ---- */

bool grt_kernels_report(struct grt_reader *reader, struct grt_kernels *kernels) {
    bool good = true;
    for (uint32_t i = 0; i < kernels->source_count; i++) {
        struct kernel_source *source = &kernels->sources[i];
        struct grt_path list = {&root_path, "kernels", 0}, item = {&list, NULL, source->entry};
        good &= source->errors.count == 0;
        for (size_t j = 0; j < source->errors.count && j < GRT_ERRORS_KEPT && source->file != NULL; j++) {
            grt_error_add(reader->errors, source->is_list ? &item : &list, "in %s: %s", source->file,
                          source->errors.messages[j]);
        }
        if (source->file == NULL) {
            grt_errors_move(&source->errors, reader->errors);
        }
        grt_errors_clear(&source->errors);
    }
    return good;
}

struct grt_kernels *grt_kernels_find(struct grt_reader *reader, cJSON *root) {
    struct grt_kernels *kernels = grt_arena_new(reader->arena, struct grt_kernels);
    cJSON *value = cJSON_GetObjectItemCaseSensitive(root, "kernels"), *item;
    struct grt_path list = {&root_path, "kernels", 0}, place = {&list, NULL, 0};
    size_t before = reader->errors->count, count;
    reader->has_kernels = value != NULL;
    if (cJSON_IsArray(value) && grt_read_list(reader, value, &list, 1, GRT_MOST_DEFINITIONS, &count)) {
        cJSON_ArrayForEach(item, value) {
            const struct kernel_source where = {.tree = root, .entry = place.index, .is_list = true};
            add_entry(reader, kernels, item, &where, &place);
            place.index++;
        }
    } else if (value != NULL && !cJSON_IsArray(value)) {
        add_entry(reader, kernels, value, &(struct kernel_source){.tree = root}, &list);
    }
    index_names(kernels, reader->arena);
    if (kernels->count > GRT_MOST_DEFINITIONS) {
        grt_error_add(reader->errors, &list, "must come to at most %d definitions (got %u)",
                      GRT_MOST_DEFINITIONS, kernels->count);
    }
    if (!grt_kernels_report(reader, kernels) || reader->errors->count > before) {
        grt_kernels_free(kernels);
        return NULL;
    }
    return kernels;
}

void grt_kernels_free(struct grt_kernels *kernels) {
    for (uint32_t i = 0; kernels != NULL && i < kernels->source_count; i++) {
        grt_errors_clear(&kernels->sources[i].errors);
        if (kernels->sources[i].file != NULL) {
            cJSON_Delete(kernels->sources[i].tree);
        }
    }
    if (kernels != NULL) {
        free(kernels->sources);
        free(kernels->items);
        *kernels = (struct grt_kernels){0};
    }
}

cJSON *grt_kernels_in_place(const struct grt_kernels *kernels) {
    cJSON *list = kernels->count > 0 ? cJSON_CreateArray() : NULL;
    for (uint32_t i = 0; i < kernels->count; i++) {
        cJSON_AddItemToArray(list, cJSON_Duplicate(kernels->items[i].object, true));
    }
    return list;
}

/* ---- devices ---- */

/* Whether a file's device is this one. One without a name may be any. */
static bool is_device(const char *measured, const struct grt_device *device, struct grt_arena *arena) {
    if (device->name == NULL || strcasecmp(measured, device->name) == 0) {
        return true;
    }
    struct grt_errors unused = {0};
    struct grt_device *preset = grt_arena_new(arena, struct grt_device);
    bool is_file = strlen(measured) > 5 && strcmp(measured + strlen(measured) - 5, ".json") == 0;
    bool same = !is_file && grt_device_find(measured, ".", arena, preset, &unused, &root_path) &&
                preset->name != NULL && strcmp(preset->name, device->name) == 0;
    grt_errors_clear(&unused);
    return same;
}

size_t grt_kernels_notes(const struct grt_kernels *kernels, const struct grt_device *gpus, size_t gpu_count,
                         struct grt_arena *arena, const char *const **notes) {
    const char **texts = grt_arena_array(arena, kernels->source_count * gpu_count, sizeof *texts);
    size_t count = 0;
    *notes = texts;
    for (size_t i = 0; i < kernels->source_count * gpu_count; i++) {
        const struct kernel_source *source = &kernels->sources[i / gpu_count];
        size_t gpu = i % gpu_count;
        if (source->device != NULL && (source->gpus >> gpu & 1) != 0 &&
            !is_device(source->device, &gpus[gpu], arena)) {
            char text[FILE_LENGTH + 4 * GRT_NAME_LENGTH + 100];
            snprintf(text, sizeof text, "the kernels of %s were measured on %s, and run on %s, GPU %zu",
                     source->file, source->device, gpus[gpu].name, gpu);
            texts[count++] = grt_arena_text(arena, text);
        }
    }
    return count;
}

/* ---- a file on its own ---- */

bool grt_kernel_file_check(const char *text, size_t size, struct grt_errors *errors) {
    struct grt_arena arena = {0};
    struct grt_reader reader = {.arena = &arena, .errors = errors, .folder = ".", .has_kernels = true};
    size_t before = errors->count;
    struct grt_kernels *kernels = grt_arena_new(&arena, struct grt_kernels);
    struct kernel_source *source = add_source(kernels, &(struct kernel_source){.file = ""});
    source->tree = grt_json_parse(text, size, errors);
    if (source->tree != NULL && grt_file_kind_check(source->tree, GRT_FILE_KERNELS, errors)) {
        add_file_definitions(kernels, source->tree, 0);
        index_names(kernels, &arena);
        grt_errors_move(&source->errors, errors);
        if (errors->count == before) {
            grt_kernels_check(&reader, kernels);
            grt_errors_move(&source->errors, errors);
        }
    }
    grt_kernels_free(kernels);
    grt_arena_clear(&arena);
    return errors->count == before;
}
