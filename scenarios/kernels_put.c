/* From definitions of kernels to commands that are written out. */
#include <stdlib.h>
#include <string.h>

#include "models/task.h"
#include "scenarios/kernels_internal.h"
#include "scenarios/records.h"
#include "scenarios/shared_lists.h"
#include "scenarios/spelling.h"
#include "sim/unit.h"

enum { NAMES_SHOWN = 12 };

/* What all steps need. */
struct put {
    struct grt_kernels *kernels;
    struct grt_errors *errors;
    size_t depth; /* of definitions whose launches are followed */
    size_t all;   /* launches of the tasks */
};

static const struct grt_path root_path = {0};

static bool put_into(struct put *put, cJSON *kernel, bool is_launch, const struct grt_path *path,
                     struct kernel_launches *launches, const struct definition **used);

/* ---- one kernel ---- */

static bool has(const cJSON *object, const char *key) {
    return grt_json_find(object, key) != NULL;
}

static void add_unknown(const struct put *put, const char *name, const struct grt_path *path) {
    const struct grt_kernels *kernels = put->kernels;
    struct grt_guess guess = grt_guess_start(name);
    char shown[GRT_JSON_SHOWN_SIZE], hint[GRT_GUESS_TEXT_SIZE], *known;
    size_t size;
    FILE *out = open_memstream(&known, &size);
    for (uint32_t i = 0; i < kernels->count; i++) {
        grt_guess_try(&guess, kernels->names[i].name);
        if (i < NAMES_SHOWN) {
            fprintf(out, "%s%s", i > 0 ? ", " : "", grt_key_show(kernels->names[i].name, shown));
        }
    }
    fputs(kernels->count == 0 ? "none" : kernels->count > NAMES_SHOWN ? ", ..." : "", out);
    fclose(out);
    grt_error_add(put->errors, path, "unknown kernel %s%s; defined are %s", grt_text_show(name, shown),
                  grt_guess_text(&guess, hint), known);
    free(known);
}

/* A kernel that says its blocks is written out; if part of that is missing, it may have been meant to be taken. */
static bool check_written_out(const struct put *put, const cJSON *kernel, const char *name,
                              const struct grt_path *path) {
    static const char *const keys[] = {"threads", "block_time"};
    char shown[GRT_JSON_SHOWN_SIZE];
    bool good = true;
    for (size_t i = 0; i < 2 && !has(kernel, "time") && grt_kernels_named(put->kernels, name) != NULL; i++) {
        struct grt_path place = {path, keys[i], 0};
        if (!has(kernel, keys[i])) {
            grt_error_add(put->errors, &place, "required; \"like\": %s takes it from the kernel's definition",
                          grt_text_show(name, shown));
            good = false;
        }
    }
    return good;
}

/* False after adding an error: the one is described by its time, the other by its blocks. */
static bool go_together(const struct put *put, const struct definition *definition, const cJSON *kernel,
                        bool is_launch, const struct grt_path *path) {
    static const char *const grid[] = {"blocks", "threads", "regs",     "smem", "smem_opt_in", "block_time",
                                       "draw",   "tpcs",    "launches", "sms",  "items",       "exit_time"};
    bool by_time = has(definition->object, "time");
    struct grt_path of_time = {path, "time", 0};
    char shown[GRT_JSON_SHOWN_SIZE];
    size_t before = put->errors->count;
    if (is_launch && (by_time || has(definition->object, "sms"))) {
        grt_error_add(put->errors, path, "blocks cannot launch %s, which is defined by its \"%s\"",
                      grt_text_show(definition->name, shown), by_time ? "time" : "sms");
    } else if (!by_time && !is_launch && has(kernel, "time")) {
        grt_error_add(put->errors, &of_time, "does not go together with the definition of %s, by its blocks",
                      grt_text_show(definition->name, shown));
    }
    for (size_t i = 0; i < sizeof grid / sizeof grid[0] && by_time && !is_launch; i++) {
        struct grt_path place = {path, grid[i], 0};
        if (has(kernel, grid[i])) {
            grt_error_add(put->errors, &place,
                          "does not go together with the definition of %s, by its \"time\"",
                          grt_text_show(definition->name, shown));
        }
    }
    return put->errors->count == before;
}

/* Whether a definition's field is not one of kernels that use it. */
static bool stays(const char *key, bool is_launch) {
    static const char *const keys[] = {"name", "description", "split_overhead", "sources"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(key, keys[i]) == 0) {
            return true;
        }
    }
    return is_launch && strcmp(key, "usage") == 0;
}

static void take(const struct definition *definition, cJSON *kernel, bool is_launch) {
    for (cJSON *field = definition->object->child; field != NULL; field = field->next) {
        if (!stays(field->string, is_launch) && !has(kernel, field->string)) {
            cJSON_AddItemReferenceToObject(kernel, field->string, field);
        }
    }
    if (!has(kernel, "class")) { /* its slowdowns are under that name */
        cJSON_AddStringToObject(kernel, "class", definition->name);
    }
}

/* Sets *definition to what a kernel takes, NULL where it is written out; false after adding an error. */
static bool find_definition(const struct put *put, const cJSON *kernel, const struct grt_path *path,
                            struct definition **definition) {
    const cJSON *name = grt_json_find(kernel, "kernel"), *like = grt_json_find(kernel, "like");
    struct grt_path place = {path, like != NULL ? "like" : "kernel", 0};
    const cJSON *wanted = like != NULL ? like : name;
    *definition = NULL;
    if (!cJSON_IsString(name) || !cJSON_IsString(wanted)) {
        return true; /* no kernel, or what the reader says */
    }
    if (like == NULL && (has(kernel, "blocks") || has(kernel, "time"))) {
        return check_written_out(put, kernel, name->valuestring, path);
    }
    *definition = grt_kernels_named(put->kernels, wanted->valuestring);
    if (*definition == NULL) {
        add_unknown(put, wanted->valuestring, &place);
    }
    return *definition != NULL;
}

/* ---- launches ---- */

static void add_launches(struct kernel_launches *sum, const struct kernel_launches *child) {
    size_t more = 1 + child->count, most = GRT_MAX_SEGMENT_LAUNCHES + 1;
    sum->count = more < most - sum->count ? sum->count + more : most;
    sum->depth = sum->depth > child->depth + 1 ? sum->depth : child->depth + 1;
}

static bool put_into_launches(struct put *put, const cJSON *list, const struct grt_path *path,
                              struct kernel_launches *launches) {
    struct grt_path place = {path, NULL, 0};
    cJSON *launch;
    bool good = true;
    for (launch = kernel_list_first(list); launch != NULL; launch = launch->next) {
        struct kernel_launches child = {0};
        const struct definition *used;
        good &= put_into(put, launch, true, &place, &child, &used);
        add_launches(launches, &child);
        place.index++;
    }
    return good;
}

/* Completes the launches of a definition, whose errors are its source's. */
static void finish_definition(struct put *put, struct definition *definition) {
    struct put own = {put->kernels, &put->kernels->sources[definition->source].errors, put->depth + 1, 0};
    struct grt_path list = {&root_path, "kernels", 0}, item = {&list, NULL, definition->place},
                    launches = {&item, "launches", 0};
    definition->state = DEFINITION_IN_WORK;
    put_into_launches(&own, grt_json_find(definition->object, "launches"), &launches, &definition->launches);
    size_t before = own.errors->count;
    if (definition->launches.count > GRT_MAX_SEGMENT_LAUNCHES) {
        grt_error_add(own.errors, &launches, "must come to at most %d launches in all",
                      GRT_MAX_SEGMENT_LAUNCHES);
    } else if (definition->launches.depth > GRT_MAX_LAUNCH_DEPTH) {
        grt_error_add(own.errors, &launches, "must be nested at most %d deep (got %zu)", GRT_MAX_LAUNCH_DEPTH,
                      definition->launches.depth);
    }
    if (own.errors->count > before) { /* it is said once, not of all that launch it as well */
        definition->launches = (struct kernel_launches){0};
    }
    definition->state = DEFINITION_DONE;
}

/* Puts a definition into a kernel that takes one, and into what it launches itself. */
static bool put_into(struct put *put, cJSON *kernel, bool is_launch, const struct grt_path *path,
                     struct kernel_launches *launches, const struct definition **used) {
    struct grt_path list = {path, "launches", 0};
    struct definition *definition;
    char shown[GRT_JSON_SHOWN_SIZE];
    *used = NULL;
    if (!find_definition(put, kernel, path, &definition) ||
        !put_into_launches(put, grt_json_find(kernel, "launches"), &list, launches)) {
        return false;
    }
    if (definition == NULL) {
        return true;
    }
    if (definition->state == DEFINITION_IN_WORK) {
        grt_error_add(put->errors, path, "launches %s, from which it is launched itself",
                      grt_text_show(definition->name, shown));
        return false;
    }
    if (put->depth > GRT_MAX_LAUNCH_DEPTH) { /* or a long chain would need a deep stack */
        grt_error_add(put->errors, path, "must be nested at most %d deep", GRT_MAX_LAUNCH_DEPTH);
        return false;
    }
    if (definition->state == DEFINITION_NEW) {
        finish_definition(put, definition);
    }
    if (!go_together(put, definition, kernel, is_launch, path)) {
        return false;
    }
    *launches = has(kernel, "launches") ? *launches : definition->launches;
    take(definition, kernel, is_launch);
    *used = definition;
    return true;
}

/* ---- definitions ---- */

static bool has_errors(const struct grt_kernels *kernels) {
    size_t count = 0;
    for (uint32_t i = 0; i < kernels->source_count; i++) {
        count += kernels->sources[i].errors.count;
    }
    return count > 0;
}

/* A kernel file stands alone: where it is read from does not matter. */
static void refuse_files(struct kernel_source *source) {
    struct grt_path list = {&root_path, "kernels", 0}, item = {&list, NULL, 0}, place = {&item, "usage", 0};
    const cJSON *object;
    cJSON_ArrayForEach(object, grt_json_find(source->tree, "kernels")) {
        const char *usage = cJSON_GetStringValue(grt_json_find(object, "usage"));
        size_t length = usage != NULL ? strlen(usage) : 0;
        if (length > 5 && strcmp(usage + length - 5, ".json") == 0) {
            grt_error_add(&source->errors, &place,
                          "a kernel file names no other files; write the usage in its place");
        }
        item.index++;
    }
}

/* Strictly, with all that is wrong. */
static void read_source(struct grt_reader *reader, struct kernel_source *source) {
    struct grt_errors *errors = reader->errors;
    reader->errors = &source->errors;
    if (source->file != NULL) {
        struct grt_kernel_file_fields *file = grt_arena_new(reader->arena, struct grt_kernel_file_fields);
        refuse_files(source);
        if (source->errors.count == 0) {
            grt_read_record(reader, &grt_kernel_file_record, source->tree, &root_path, file);
        }
    } else {
        struct grt_kernel_definition_fields *fields =
            grt_arena_new(reader->arena, struct grt_kernel_definition_fields);
        struct grt_path list = {&root_path, "kernels", 0}, item = {&list, NULL, source->entry};
        const cJSON *all = grt_json_find(source->tree, "kernels");
        grt_read_record(reader, &grt_kernel_definition_record, cJSON_GetArrayItem(all, (int)source->entry),
                        &item, fields);
    }
    reader->errors = errors;
}

void grt_kernels_check(struct grt_reader *reader, struct grt_kernels *kernels) {
    struct put put = {kernels, NULL, 0, 0};
    for (uint32_t i = 0; i < kernels->count; i++) {
        if (kernels->items[i].state == DEFINITION_NEW) {
            finish_definition(&put, &kernels->items[i]);
        }
    }
    if (has_errors(kernels)) { /* what is launched may not be there */
        return;
    }
    grt_shared_start(reader);
    for (uint32_t i = 0; i < kernels->source_count; i++) {
        read_source(reader, &kernels->sources[i]);
    }
    grt_shared_stop(reader);
}

/* ---- tasks ---- */

/* The larger of the split overheads, as the definitions write them. */
static const cJSON *larger_overhead(const cJSON *a, const cJSON *b) {
    int64_t left = 0, right = 0;
    if (a == NULL || b == NULL) {
        return a != NULL ? a : b;
    }
    grt_unit_parse(GRT_QUANTITY_TIME, a->valuestring, &left);
    grt_unit_parse(GRT_QUANTITY_TIME, b->valuestring, &right);
    return right > left ? b : a;
}

static void note_use(struct grt_kernels *kernels, const struct definition *used, const cJSON *task) {
    const cJSON *gpu = grt_json_find(task, "gpu");
    double number = cJSON_IsNumber(gpu) ? gpu->valuedouble : 0;
    if (number >= 0 && number < GRT_MAX_GPUS) {
        kernels->sources[used->source].gpus |= UINT64_C(1) << (unsigned)number;
    }
}

static void put_into_segment(struct put *put, const cJSON *segment, const cJSON *task, const cJSON **overhead,
                             const struct grt_path *path) {
    struct grt_path list = {path, "gpu", 0}, place = {&list, NULL, 0};
    struct kernel_launches sum = {0};
    const cJSON *commands = grt_json_find(segment, "gpu");
    cJSON *command;
    for (command = kernel_list_first(commands); command != NULL; command = command->next) {
        struct kernel_launches launches = {0};
        const struct definition *used;
        put_into(put, command, false, &place, &launches, &used);
        if (used != NULL) {
            note_use(put->kernels, used, task);
            *overhead = larger_overhead(*overhead, grt_json_find(used->object, "split_overhead"));
        }
        sum.count += launches.count;
        place.index++;
    }
    if (sum.count > GRT_MAX_SEGMENT_LAUNCHES) { /* before all of them are read */
        grt_error_add(put->errors, &list, "must have at most %d launches in all its kernels",
                      GRT_MAX_SEGMENT_LAUNCHES);
    }
    put->all += sum.count;
}

static void put_into_task(struct put *put, cJSON *task, const struct grt_path *path) {
    struct grt_path list = {path, "segments", 0}, place = {&list, NULL, 0};
    const cJSON *segments = grt_json_find(task, "segments"), *segment, *overhead = NULL;
    for (segment = kernel_list_first(segments); segment != NULL; segment = segment->next) {
        put_into_segment(put, segment, task, &overhead, &place);
        place.index++;
    }
    if (overhead != NULL && !has(task, "split_overhead")) {
        cJSON_AddStringToObject(task, "split_overhead", overhead->valuestring);
    }
}

bool grt_kernels_put(struct grt_reader *reader, struct grt_kernels *kernels, cJSON *root) {
    struct put put = {kernels, reader->errors, 0, 0};
    struct grt_path list = {&root_path, "tasks", 0}, place = {&list, NULL, 0};
    const cJSON *tasks = cJSON_GetObjectItemCaseSensitive(root, "tasks");
    size_t before = reader->errors->count;
    cJSON *task;
    if (!reader->has_kernels) {
        return true;
    }
    grt_kernels_check(reader, kernels);
    if (!grt_kernels_report(reader, kernels)) {
        return false;
    }
    for (task = kernel_list_first(tasks); task != NULL && put.all <= GRT_MOST_LAUNCHES_IN_ALL;
         task = task->next) {
        put_into_task(&put, task, &place);
        place.index++;
    }
    if (put.all > GRT_MOST_LAUNCHES_IN_ALL) { /* a short file could come to more than the memory holds */
        grt_error_add(reader->errors, &list, "must have at most %d launches in all their kernels",
                      GRT_MOST_LAUNCHES_IN_ALL);
    }
    return reader->errors->count == before;
}
