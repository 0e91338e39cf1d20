#include "calib/program/files/pretend_read.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/json_tree.h"
#include "scenarios/read_fields.h"
#include "scenarios/records.h"
#include "scenarios/scenario.h"
#include "scenarios/text_file.h"

/* ---- the fields ---- */

/* What stands beside the parts. */
struct head {
    int64_t version, seed, memory_bytes;
    const char *description;
    struct grt_device device;
    struct grt_distribution copy_noise;
    grt_time filter_exit;
};

#define LARGEST INT64_C(1000000000000000000)

/* A field of a struct `of`, which keeps its value where the file does not name it, unless there is a default. */
#define FIELD(of, key, kind, member, default_text, low, high, text)                                          \
    {                                                                                                        \
        .name = key, .type = GRT_FIELD_##kind, .offset = offsetof(struct of, member),                        \
        .fallback = default_text, .min = (low), .max = (high), .help = text                                  \
    }
#define SPAN(of, key, member, text)                                                                          \
    {                                                                                                        \
        .name = key, .type = GRT_FIELD_CUSTOM, .custom = GRT_CUSTOM_SPAN,                                    \
        .offset = offsetof(struct of, member), .fallback = "", .help = text                                  \
    }
#define RECORD(title, of, table)                                                                             \
    { .name = title, .size = sizeof(struct of), .fields = table, .field_count = GRT_FIELD_COUNT(table) }

static const struct grt_field head_fields[] = {
    FIELD(head, "gpurt_pretend", INTEGER, version, NULL, 1, 1, "Version of the format."),
    FIELD(head, "description", NAME, description, "\"\"", 0, 400, "What it is for, for people."),
    {.name = "device",
     .type = GRT_FIELD_CUSTOM,
     .custom = GRT_CUSTOM_DEVICE,
     .offset = offsetof(struct head, device),
     .help = "What is pretended: the name of a device or of a device file, or its fields."},
    FIELD(head, "seed", INTEGER, seed, "1", 0, GRT_INTEGER_LIMIT, "Of all noise."),
    FIELD(head, "memory", SIZE, memory_bytes, "\"4GiB\"", 1, INT64_C(1) << 42, "Of the device."),
    SPAN(head, "copy_noise", copy_noise, "Added to each copy."),
    FIELD(head, "filter_exit", TIME, filter_exit, "\"500ns\"", 0, GRT_SECOND,
          "What a block takes that leaves at once, since it is not on the SMs on which its kernel works."),
};

static const struct grt_field kernel_fields[] = {
    FIELD(grt_pretend_kernel, "registers", INTEGER, registers, "", 0, 4096, "Of a thread."),
    FIELD(grt_pretend_kernel, "shared_memory", SIZE, shared_bytes, "", 0, INT64_C(1) << 30, "Of a block."),
    FIELD(grt_pretend_kernel, "fixed", TIME, fixed, "", 0, GRT_SECOND, "Of a block, whatever its amount."),
    FIELD(grt_pretend_kernel, "per_unit_ps", INTEGER, per_unit_ps, "", 0, 1000000000,
          "Of a block, per unit of its amount, in picoseconds."),
    FIELD(grt_pretend_kernel, "bandwidth", RATE, bandwidth, "", 0, LARGEST,
          "Of the device's memory, that it draws alone."),
    SPAN(grt_pretend_kernel, "noise", noise, "Added to each block."),
    FIELD(grt_pretend_kernel, "class", NAME, class_name, "", 1, 64, "In the device's `slowdowns`."),
};

static const struct grt_field call_fields[] = {
    FIELD(grt_pretend_spec, "launch", TIME, launch_call, "", 0, GRT_SECOND, "The host's time in a launch."),
    FIELD(grt_pretend_spec, "copy", TIME, copy_call, "", 0, GRT_SECOND, "In a copy's call."),
    FIELD(grt_pretend_spec, "other", TIME, other_call, "", 0, GRT_SECOND, "In any other call."),
    SPAN(grt_pretend_spec, "noise", call_noise, "Added to each."),
    FIELD(grt_pretend_spec, "sync_return", TIME, sync_return, "", 0, GRT_SECOND,
          "From the end of what the host waits for to its return."),
};

static const struct grt_field clock_fields[] = {
    FIELD(grt_pretend_spec, "timer_tick", TIME, timer_tick, "", 1, GRT_SECOND, "Of the device's timer."),
    FIELD(grt_pretend_spec, "event_tick", TIME, event_tick, "", 1, GRT_SECOND, "Of events."),
    FIELD(grt_pretend_spec, "offset", TIME, timer_offset, "", 0, GRT_TIME_LIMIT,
          "Of the device's clock against the host's."),
    FIELD(grt_pretend_spec, "drift", NUMBER, timer_drift, "", 0, 0, "It runs 1 + drift times as fast."),
    FIELD(grt_pretend_spec, "cycles", FREQUENCY, cycles_per_second, "", 1000000, INT64_C(10000000000),
          "Of the SMs; as a rule the device's `core_clock`."),
};

static const struct grt_field fault_fields[] = {
    FIELD(grt_pretend_faults, "lost_at_call", INTEGER, lost_at_call, "", 0, GRT_INTEGER_LIMIT,
          "From this call of the driver on every one fails."),
    FIELD(grt_pretend_faults, "driver_version", INTEGER, driver_version, "", 0, 99990, "Instead of 13000."),
    FIELD(grt_pretend_faults, "no_green_contexts", BOOLEAN, no_green_contexts, "", 0, 0, "There are none."),
    FIELD(grt_pretend_faults, "green_refused", BOOLEAN, green_refused, "", 0, 0,
          "They cannot be made, as under MPS."),
    FIELD(grt_pretend_faults, "green_no_streams", BOOLEAN, green_no_streams, "", 0, 0,
          "They have no streams."),
    FIELD(grt_pretend_faults, "green_no_kernels", BOOLEAN, green_no_kernels, "", 0, 0,
          "Their streams take no kernels."),
    FIELD(grt_pretend_faults, "strict_occupancy", BOOLEAN, strict_occupancy, "", 0, 0,
          "Asked how many blocks of too much shared memory fit on an SM, the driver fails."),
    FIELD(grt_pretend_faults, "stub", BOOLEAN, stub, "", 0, 0, "The library is a stub."),
};

static const struct grt_record head_record = RECORD("pretended device", head, head_fields),
                               kernel_record = RECORD("pretended kernel", grt_pretend_kernel, kernel_fields),
                               call_record = RECORD("calls", grt_pretend_spec, call_fields),
                               clock_record = RECORD("clock", grt_pretend_spec, clock_fields),
                               fault_record = RECORD("faults", grt_pretend_faults, fault_fields);

/* ---- the parts ---- */

static const struct grt_path root;

/* A part's object, taken out of the tree; NULL where it is not there. */
static cJSON *take(struct grt_reader *reader, cJSON *object, const char *name,
                   const struct grt_path *parent) {
    cJSON *part = cJSON_DetachItemFromObjectCaseSensitive(object, name);
    struct grt_path path = {.parent = parent, .key = name};
    if (part != NULL && !cJSON_IsObject(part)) {
        grt_read_error(reader, &path, part, "must be an object");
        cJSON_Delete(part);
        return NULL;
    }
    return part;
}

/* Reads the fields that are there over what is there. */
static void read_over(struct grt_reader *reader, cJSON *part, const struct grt_record *record,
                      const struct grt_path *path, void *out) {
    if (part != NULL) {
        const struct grt_read_part parts[] = {{.record = record, .out = out, .only_present = true}};
        grt_read_parts(reader, parts, 1, part, path);
        cJSON_Delete(part);
    }
}

static void refuse_kernels(struct grt_reader *reader, const cJSON *kernels, const struct grt_path *path) {
    char known[512] = "";
    for (int id = 0; id < GRT_KERNEL_IDS; id++) {
        size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s%s", id > 0 ? ", " : "",
                 grt_kernel_kinds[id].name);
    }
    for (const cJSON *kernel = kernels->child; kernel != NULL; kernel = kernel->next) {
        char key[GRT_JSON_SHOWN_SIZE];
        struct grt_path place = {.parent = path, .key = grt_key_show(kernel->string, key)};
        grt_error_add(reader->errors, &place, "unknown kernel; known are %s", known);
    }
}

static void read_kernels(struct grt_reader *reader, cJSON *kernels, struct grt_pretend_spec *spec) {
    struct grt_path path = {.parent = &root, .key = "kernels"};
    if (kernels == NULL) {
        return;
    }
    for (int id = 0; id < GRT_KERNEL_IDS; id++) {
        const char *name = grt_kernel_kinds[id].name;
        struct grt_path place = {.parent = &path, .key = name};
        read_over(reader, take(reader, kernels, name, &path), &kernel_record, &place, &spec->kernels[id]);
    }
    refuse_kernels(reader, kernels, &path);
    cJSON_Delete(kernels);
}

/* Clocks first: how long a cycle takes follows from them. */
static void read_parts(struct grt_reader *reader, cJSON *tree, struct grt_pretend_spec *spec) {
    struct grt_path clock = {.parent = &root, .key = "clock"}, calls = {.parent = &root, .key = "calls"},
                    faults = {.parent = &root, .key = "faults"};
    read_over(reader, take(reader, tree, clock.key, &root), &clock_record, &clock, spec);
    grt_pretend_set_cycles(spec, spec->cycles_per_second);
    read_over(reader, take(reader, tree, calls.key, &root), &call_record, &calls, spec);
    read_over(reader, take(reader, tree, faults.key, &root), &fault_record, &faults, &spec->faults);
    read_kernels(reader, take(reader, tree, "kernels", &root), spec);
}

/* The device is read first, since all defaults follow from it. */
static void read_device(struct grt_reader *reader, const cJSON *tree, struct grt_pretend_spec *spec) {
    struct grt_device device = {0};
    const cJSON *value = grt_json_find(tree, "device");
    struct grt_errors unheard = {0};
    struct grt_reader quiet = *reader;
    quiet.errors = &unheard; /* they come again with the head */
    if (value != NULL) {
        grt_read_device(&quiet, &head_fields[2], value, &root, &device);
    }
    grt_errors_clear(&unheard);
    grt_pretend_default(&device, spec);
}

static void read_head(struct grt_reader *reader, const cJSON *tree, struct grt_pretend_spec *spec) {
    struct head *head = grt_arena_new(reader->arena, struct head);
    struct grt_path path = {.parent = &root, .key = "device"};
    if (grt_read_record(reader, &head_record, tree, &root, head)) {
        grt_device_check(&head->device, reader->errors, &path);
    }
    spec->device = head->device;
    spec->seed = (uint64_t)head->seed;
    spec->memory_bytes = head->memory_bytes;
    spec->copy_noise = head->copy_noise;
    spec->filter_exit = head->filter_exit;
}

bool grt_pretend_read_text(const char *text, size_t size, const char *folder, struct grt_arena *arena,
                           struct grt_pretend_spec *spec, struct grt_errors *errors) {
    size_t before = errors->count;
    cJSON *tree = grt_json_parse(text, size, errors);
    struct grt_reader reader = {.arena = arena, .errors = errors, .folder = folder};
    if (tree == NULL) {
        return false;
    }
    if (!cJSON_IsObject(tree)) {
        grt_error_add(errors, NULL, "must be an object");
    } else {
        read_device(&reader, tree, spec);
        read_parts(&reader, tree, spec);
        read_head(&reader, tree, spec);
    }
    cJSON_Delete(tree);
    return errors->count == before && grt_pretend_check(spec, errors);
}

/* ---- by name ---- */

static bool is_pretended(const char *text, size_t size) {
    struct grt_errors errors = {0};
    cJSON *tree = grt_json_parse(text, size, &errors);
    bool is = tree == NULL || grt_json_find(tree, "gpurt_pretend") != NULL;
    grt_errors_clear(&errors);
    cJSON_Delete(tree);
    return is;
}

static bool read_device_by_name(const char *name, struct grt_arena *arena, struct grt_pretend_spec *spec,
                                struct grt_errors *errors) {
    struct grt_device device;
    if (!grt_device_find(name, NULL, arena, &device, errors, &root)) {
        return false;
    }
    grt_pretend_default(&device, spec);
    return grt_pretend_check(spec, errors);
}

bool grt_pretend_read(const char *name, struct grt_arena *arena, struct grt_pretend_spec *spec,
                      struct grt_errors *errors) {
    size_t length = strlen(name), size;
    if (length <= 5 || strcmp(name + length - 5, ".json") != 0) {
        return read_device_by_name(name, arena, spec, errors);
    }
    struct grt_errors inner = {0};
    char *text = grt_text_file_read(name, &size, &inner);
    bool good = false;
    if (text != NULL && !is_pretended(text, size)) {
        good = read_device_by_name(name, arena, spec, errors);
    } else if (text != NULL) {
        good = grt_pretend_read_text(text, size, grt_folder_of(arena, name), arena, spec, &inner);
    }
    for (size_t i = 0; i < inner.count && i < GRT_ERRORS_KEPT; i++) {
        grt_error_add(errors, NULL, "%s: %s", name, inner.messages[i]);
    }
    grt_errors_clear(&inner);
    free(text);
    return good;
}
