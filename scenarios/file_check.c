#include "scenarios/file_check.h"

#include "scenarios/kernels.h"
#include "scenarios/records.h"

bool grt_file_can_be_checked(enum grt_file_kind kind) {
    return kind == GRT_FILE_DEVICE || kind == GRT_FILE_USAGE || kind == GRT_FILE_KERNELS;
}

static void check_tree(enum grt_file_kind kind, struct grt_reader *reader, const cJSON *tree) {
    const struct grt_path root = {0};
    if (kind == GRT_FILE_USAGE) {
        struct grt_usage_fields *usage = grt_arena_new(reader->arena, struct grt_usage_fields);
        grt_read_record(reader, &grt_usage_record, tree, &root, usage);
        return;
    }
    struct grt_device *device = grt_arena_new(reader->arena, struct grt_device);
    if (grt_read_record(reader, &grt_device_record, tree, &root, device)) {
        grt_device_check(device, reader->errors, &root);
    }
}

bool grt_file_check(enum grt_file_kind kind, const char *text, size_t size, struct grt_errors *errors) {
    size_t before = errors->count;
    if (kind == GRT_FILE_KERNELS) {
        return grt_kernel_file_check(text, size, errors);
    }
    struct grt_arena arena = {0};
    struct grt_reader reader = {.arena = &arena, .errors = errors, .folder = "."};
    cJSON *tree = grt_json_parse(text, size, errors);
    if (tree != NULL) {
        check_tree(kind, &reader, tree);
    }
    cJSON_Delete(tree);
    grt_arena_clear(&arena);
    return errors->count == before;
}
