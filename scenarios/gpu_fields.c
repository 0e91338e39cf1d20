/* The GPUs of a platform: a device by name, by file or in place, and changes to single fields of it. */
#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/embedded.h"
#include "scenarios/file_kind.h"
#include "scenarios/records.h"
#include "scenarios/scenario.h"
#include "scenarios/spelling.h"
#include "scenarios/text_file.h"

/* Bounds of what is not in the struct, and of a file's name. */
enum { SOURCE_LENGTH = 4096, MOST_ALIASES = 64, FILE_LENGTH = 1000 };

static const struct grt_field gpu_fields[] = {
    {.name = "device",
     .type = GRT_FIELD_CUSTOM,
     .offset = offsetof(struct grt_gpu_fields, device),
     .custom = GRT_CUSTOM_DEVICE,
     .help = "The name or alias of a preset (`gpurt devices` lists them), a device file relative to the "
             "scenario's "
             "folder, or a device in place. Every field of a [device](#device) may stand beside it and "
             "replaces that "
             "field of the device."},
    {.name = "mig",
     .type = GRT_FIELD_CUSTOM,
     .offset = offsetof(struct grt_gpu_fields, mig),
     .fallback = "",
     .custom = GRT_CUSTOM_MIG,
     .help =
         "Splits the GPU into MIG instances, each a GPU of its own with a place of its own among the GPUs: "
         "by profile on an A100, H100 or H200, or by numbers. Not with `granularity` shares. Rule W7."},
};

const struct grt_record grt_gpu_record = {
    .name = "gpu",
    .size = sizeof(struct grt_gpu_fields),
    .fields = gpu_fields,
    .field_count = GRT_FIELD_COUNT(gpu_fields),
    .help = "One GPU, for instance `{\"device\": \"tx2\", \"kernel_launch\": \"0ns\"}`.",
};

GRT_READER(grt_read_compute_capability) {
    (void)field;
    const char *text = cJSON_IsString(value) ? value->valuestring : "";
    const char *point = strchr(text, '.');
    size_t digits = point != NULL ? (size_t)(point - text) : 0;
    bool good = digits >= 1 && digits <= 2 && strspn(text, "0123456789") == digits &&
                isdigit((unsigned char)point[1]) && point[2] == '\0';
    if (!good) {
        grt_read_error(reader, path, value, "must be a compute capability such as \"6.2\"");
        return;
    }
    *(int64_t *)out = strtol(text, NULL, 10) * 10 + (point[1] - '0');
}

GRT_READER(grt_read_sources) {
    (void)field;
    (void)out;
    if (!cJSON_IsObject(value)) {
        grt_read_error(reader, path, value, "must be an object of texts");
        return;
    }
    for (const cJSON *source = value->child; source != NULL; source = source->next) {
        char key[GRT_JSON_SHOWN_SIZE];
        struct grt_path place = {.parent = path, .key = grt_key_show(source->string, key)};
        grt_read_text_is_good(reader, source, &place, 1, SOURCE_LENGTH);
    }
}

GRT_READER(grt_read_aliases) {
    (void)field;
    (void)out;
    size_t count;
    if (!grt_read_list(reader, value, path, 0, MOST_ALIASES, &count)) {
        return;
    }
    struct grt_path place = {.parent = path};
    for (const cJSON *alias = value->child; alias != NULL; alias = alias->next, place.index++) {
        grt_read_text_is_good(reader, alias, &place, 1, GRT_NAME_LENGTH);
    }
}

/* Reads a device from a text. The errors of a device file name the file within the scenario's own. */
static bool read_device_text(struct grt_reader *reader, const char *file, const char *text, size_t size,
                             const struct grt_path *path, struct grt_device *device) {
    struct grt_errors inner = {0};
    struct grt_reader inside = {.arena = reader->arena, .errors = &inner, .folder = reader->folder};
    struct grt_path root = {0};
    cJSON *tree = grt_json_parse(text, size, &inner);
    bool good = tree != NULL && grt_file_kind_check(tree, GRT_FILE_DEVICE, &inner) &&
                grt_read_record(&inside, &grt_device_record, tree, &root, device) &&
                grt_device_check(device, &inner, &root) && inner.count == 0;
    for (size_t i = 0; i < inner.count && i < GRT_ERRORS_KEPT; i++) {
        grt_error_add(reader->errors, path, "in %s: %s", file, inner.messages[i]);
    }
    grt_errors_clear(&inner);
    cJSON_Delete(tree);
    return good;
}

static bool read_device_file(struct grt_reader *reader, const char *name, const struct grt_path *path,
                             struct grt_device *device) {
    struct grt_errors inner = {0};
    size_t size;
    char *text = grt_text_file_read(grt_path_in_folder(reader->arena, reader->folder, name), &size, &inner);
    if (text == NULL) {
        grt_error_add(reader->errors, path, "the device file %s %s", name, inner.messages[0]);
        grt_errors_clear(&inner);
        return false;
    }
    bool good = read_device_text(reader, name, text, size, path, device);
    free(text);
    return good;
}

static bool has_alias(const struct grt_embedded_file *file, const char *name, struct grt_guess *guess,
                      cJSON **tree) {
    *tree = cJSON_ParseWithLength(file->text, file->size_bytes);
    const cJSON *aliases = grt_json_find(*tree, "aliases"), *alias;
    cJSON_ArrayForEach(alias, aliases) {
        if (strcmp(alias->valuestring, name) == 0) {
            return true;
        }
        grt_guess_try(guess, alias->valuestring);
    }
    return false;
}

/* Names first: they need no parsing. */
static const struct grt_embedded_file *find_preset(const char *name) {
    for (size_t i = 0; i < grt_embedded_device_count; i++) {
        if (strcmp(grt_embedded_devices[i].name, name) == 0) {
            return &grt_embedded_devices[i];
        }
    }
    for (size_t i = 0; i < grt_embedded_device_count; i++) {
        struct grt_guess unused = grt_guess_start(name);
        cJSON *tree;
        bool found = has_alias(&grt_embedded_devices[i], name, &unused, &tree);
        cJSON_Delete(tree);
        if (found) {
            return &grt_embedded_devices[i];
        }
    }
    return NULL;
}

static void add_unknown_device(struct grt_reader *reader, const char *name, const struct grt_path *path) {
    struct grt_guess guess = grt_guess_start(name);
    cJSON *trees[1], *kept = cJSON_CreateArray();
    for (size_t i = 0; i < grt_embedded_device_count; i++) {
        grt_guess_try(&guess, grt_embedded_devices[i].name);
        has_alias(&grt_embedded_devices[i], name, &guess, &trees[0]);
        cJSON_AddItemToArray(kept, trees[0]); /* the guess may point into it */
    }
    char shown[GRT_JSON_SHOWN_SIZE], hint[GRT_GUESS_TEXT_SIZE];
    grt_error_add(reader->errors, path,
                  "unknown device %s%s; `gpurt devices` lists them, a file's name ends in .json",
                  grt_text_show(name, shown), grt_guess_text(&guess, hint));
    cJSON_Delete(kept);
}

static bool find_device(struct grt_reader *reader, const char *name, const struct grt_path *path,
                        struct grt_device *device) {
    size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, ".json") == 0) {
        return read_device_file(reader, name, path, device);
    }
    const struct grt_embedded_file *preset = find_preset(name);
    if (preset == NULL) {
        add_unknown_device(reader, name, path);
        return false;
    }
    return read_device_text(reader, preset->name, preset->text, preset->size_bytes, path, device);
}

bool grt_device_find(const char *name, const char *folder, struct grt_arena *arena, struct grt_device *device,
                     struct grt_errors *errors, const struct grt_path *path) {
    struct grt_reader reader = {.arena = arena, .errors = errors, .folder = folder != NULL ? folder : "."};
    *device = (struct grt_device){0};
    return find_device(&reader, name, path, device);
}

GRT_READER(grt_read_device) {
    (void)field;
    if (cJSON_IsObject(value)) {
        grt_read_record(reader, &grt_device_record, value, path, out);
    } else if (!cJSON_IsString(value)) {
        grt_read_error(reader, path, value, "must be the name of a device, a device file or an object");
    } else if (strpbrk(value->valuestring, "\n\t") != NULL) {
        grt_read_error(reader, path, value, "must not hold control characters");
    } else if (grt_read_text_is_good(reader, value, path, 1, FILE_LENGTH)) {
        find_device(reader, value->valuestring, path, out);
    }
}

/* The device first, then the fields that stand beside it, then what holds between the fields of the whole. */
static bool read_gpu(struct grt_reader *reader, const cJSON *value, const struct grt_path *path,
                     struct grt_gpu_fields *gpu) {
    const struct grt_read_part parts[] = {
        {.record = &grt_gpu_record, .out = gpu},
        {.record = &grt_device_record, .out = &gpu->device, .only_present = true},
    };
    return grt_read_parts(reader, parts, 2, value, path) &&
           grt_device_check(&gpu->device, reader->errors, path);
}

GRT_READER(grt_read_gpus) {
    struct grt_field_list *list = out;
    size_t count, device_count = 0;
    if (!grt_read_list(reader, value, path, field->min, field->max, &count)) {
        return;
    }
    struct grt_gpu_fields *gpus = grt_arena_array(reader->arena, count, sizeof *gpus);
    size_t most = count * GRT_MAX_GPUS;
    struct grt_device *devices = grt_arena_array(reader->arena, most, sizeof *devices);
    struct grt_path place = {.parent = path};
    for (const cJSON *item = value->child; item != NULL; item = item->next, place.index++) {
        struct grt_gpu_fields *gpu = &gpus[place.index];
        bool good = read_gpu(reader, item, &place, gpu);
        if (good) {
            grt_check_gpu_effects(reader, item, &gpu->device, &place);
        }
        if (good && gpu->mig.count > 0 && grt_device_has_shares(&gpu->device)) {
            struct grt_path mig = {.parent = &place, .key = "mig"};
            grt_error_add(reader->errors, &mig,
                          "not allowed on a GPU with \"granularity\": \"shares\": it has no SMs that could "
                          "be split; describe each instance as a GPU of its own");
            devices[device_count] = gpu->device;
            gpu->mig.count = 0; /* what others say of its number would be wrong */
        } else if (good && gpu->mig.count > 0) {
            grt_mig_split(reader, gpu, &place, &devices[device_count]);
        } else {
            devices[device_count] = gpu->device;
        }
        device_count += gpu->mig.count > 0 ? gpu->mig.count : 1;
    }
    if (device_count > GRT_MAX_GPUS) {
        grt_error_add(reader->errors, path, "must come to at most %d GPUs and MIG instances (got %zu)",
                      GRT_MAX_GPUS, device_count);
        device_count = GRT_MAX_GPUS;
    }
    *list = (struct grt_field_list){devices, device_count};
}
